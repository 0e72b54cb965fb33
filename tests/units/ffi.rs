//! Complaints of linkers, and paths of objects.

use cleave::driver::native::ffi::{bare, leads_out, missing_library, undefined_symbol};

#[test]
fn complaints_of_linkers() {
    let found = |line| undefined_symbol(line);
    assert_eq!(found("/usr/bin/ld: program.o:(.data+0x18): undefined reference to `nosuch'"), Some("nosuch"));
    assert_eq!(found("ld.lld: error: undefined symbol: nosuch"), Some("nosuch"));
    assert_eq!(found("x.c:(.text+0x5): in function `f': undefined reference to `g'"), Some("g"));
    assert_eq!(found("collect2: error: ld returned 1 exit status"), None);
    assert_eq!(missing_library("/usr/bin/ld: cannot find -lx: No such file or directory"), Some("x"));
    assert_eq!(missing_library("ld: cannot find -lx"), Some("x"));
    assert_eq!(missing_library("ld.lld: error: unable to find library -lx"), Some("x"));
    assert_eq!(missing_library("collect2: error: ld returned 1 exit status"), None);
}

#[test]
fn paths() {
    for name in ["/x.o", "../x.o", "sub/../../x.o", "sub/.."] {
        assert!(leads_out(name), "{name}");
    }
    for name in ["x.o", "sub/x.o", "./x.o", "..x"] {
        assert!(!leads_out(name), "{name}");
    }
    assert_eq!(["libz.so", "z", "libz.a"].map(bare), ["z"; 3]);
}
