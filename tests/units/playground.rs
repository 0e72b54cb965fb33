//! Files of the page.

use cleave::cli::playground::*;
use std::path::PathBuf;

#[test]
fn packs_are_taken_apart() {
    let files = unpacked(b"index.html 3\nabcdocs/a b.html 0\nx.gz 2\n\n\n").expect("a whole pack");
    assert_eq!(files, [("index.html", &b"abc"[..]), ("docs/a b.html", b""), ("x.gz", b"\n\n")]);
    assert!(unpacked(b"index.html 4\nabc").is_none());
    assert!(unpacked(b"index.html\n").is_none());
    let page = Page::Packed(files);
    assert!(page.find("index.html").is_some_and(|found| *found.bytes == *b"abc" && found.compressed));
    assert!(page.find("x.gz").is_some_and(|found| !found.compressed));
    assert!(page.find("a").is_none());
}

#[test]
fn nothing_outside_of_the_folder_is_served() {
    let page = Page::Folder(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../src").canonicalize().expect("a folder"));
    assert!(page.find("lib.rs").is_some());
    for name in ["../Cargo.toml", "cli/../../Cargo.toml", "/etc/passwd", "./../Cargo.toml"] {
        assert!(page.find(name).is_none(), "{name}");
    }
}
