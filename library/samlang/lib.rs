//! The library of samlang: modules that every program can import, as source text. A program holds what it uses of them.
//!
//! A crate of its own, so that the front end can be packaged: a package holds no files from outside of its folder.

#![no_std]
#![warn(missing_docs)]

/// Names and texts of the modules that programs import.
pub static MODULES: &[(&str, &str)] = &[
    ("std.interfaces", include_str!("interfaces.sam")),
    ("std.option", include_str!("option.sam")),
    ("std.result", include_str!("result.sam")),
    ("std.list", include_str!("list.sam")),
    ("std.map", include_str!("map.sam")),
    ("std.set", include_str!("set.sam")),
    ("std.strings", include_str!("strings.sam")),
    ("std.int", include_str!("int.sam")),
];

/// What functions that are built in are made of; programs do not import it.
pub static TEXT: &str = include_str!("text.sam");
