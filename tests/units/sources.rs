//! Names of sources, as `clm` has them.

use cleave::languages::clean::sources::*;
use std::path::Path;

#[test]
fn sources_are_named_as_clm_names_them() {
    // What clm was seen to pass to the compiler for the module Data.Map in lib/Data/Map.icl.
    let cases = [
        ("Data.Map", "../lib/Data/Map.icl", "../lib/Data.Map.icl"),
        ("Data.Map", "Data/Map.icl", "Data.Map.icl"),
        ("main", "main.icl", "main.icl"),
        ("Deep", "/lib/Deep.icl", "/lib/Deep.icl"),
    ];
    for (name, icl, expected) in cases {
        assert_eq!(argument(name, Path::new(icl)), Path::new(expected));
    }
}
