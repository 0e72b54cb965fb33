//! The runtime that is checked in is that of these sources.

use std::path::Path;

/// Run `rt/build.sh` after changing a source file.
#[test]
fn the_checked_in_module_is_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let hash = cleave_rt::prebuilt::hash_of_sources(folder).expect("sources");
    let recorded = std::fs::read_to_string(folder.join("prebuilt/rt.hash")).expect("rt/prebuilt/rt.hash");
    assert_eq!(recorded.trim(), format!("{hash:016x}"), "rt/prebuilt is stale: run rt/build.sh");
}

#[test]
fn the_checked_in_module_names_no_path() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let module = std::fs::read(folder.join("prebuilt/rt.wasm")).expect("rt/prebuilt/rt.wasm");
    assert!(module.starts_with(b"\0asm"));
    for bad in [&b"/rustc/"[..], b"/home/", b"/Users/", b".cargo", b".rs\0"] {
        assert!(!module.windows(bad.len()).any(|window| window == bad), "{}", String::from_utf8_lossy(bad));
    }
}
