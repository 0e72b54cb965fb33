//! The library of samlang: modules that every program can import, as source text. A program holds what it uses of them.
//!
//! A crate of its own, so that the front end can be packaged: a package holds no files from outside of its folder.

#![no_std]
#![warn(missing_docs)]

/// Names and texts of the modules that programs import.
pub static MODULES: [(&str, &str); 11] = [
    ("std.interfaces", include_str!("interfaces.sam")),
    ("std.boxed", include_str!("boxed.sam")),
    ("std.option", include_str!("option.sam")),
    ("std.result", include_str!("result.sam")),
    ("std.list", include_str!("list.sam")),
    ("std.map", include_str!("map.sam")),
    ("std.set", include_str!("set.sam")),
    ("std.tuples", include_str!("tuples.sam")),
    ("cleave.strings", include_str!("strings.sam")),
    ("cleave.system", include_str!("system.sam")),
    ("cleave.host", include_str!("host.sam")),
];

/// The same for programs in the language of 2021.
pub static MODULES_OF_2021: [(&str, &str); 8] = [
    ("std.interfaces", include_str!("2021/interfaces.sam")),
    ("std.option", include_str!("2021/option.sam")),
    ("std.result", include_str!("2021/result.sam")),
    ("std.list", include_str!("2021/list.sam")),
    ("std.map", include_str!("2021/map.sam")),
    ("std.set", include_str!("2021/set.sam")),
    ("std.strings", include_str!("2021/strings.sam")),
    ("std.int", include_str!("2021/int.sam")),
];

/// What functions on strings that are built in are made of; programs do not import it.
pub static TEXT: &str = include_str!("text.sam");

/// The class `Vec` of all programs.
pub static VEC: &str = include_str!("vec.sam");
