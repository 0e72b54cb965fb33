//! Names that passes had in earlier versions: flags and scripts of users may still say them.

/// Former names with those of today.
const FORMER_NAMES: &[(&str, &str)] = &[
    ("simplify", "instcombine"),
    ("flow", "simplify-cfg"),
    ("destination", "sink-allocation"),
    ("split", "partial-inline"),
    ("holes", "trmc"),
    ("tail", "tail-recursion-elim"),
    ("unroll", "unroll-recursion"),
    ("dictionaries", "promote-dictionaries"),
    ("eager", "cheap-eagerness"),
    ("statics", "promote-constants"),
    ("rotate", "loop-rotate"),
    ("expect", "speculate-tag"),
    ("compact", "renumber"),
    ("prune", "global-dce"),
    ("closures", "lower-apply"),
    ("reenter", "osr-loops"),
    ("parts", "outline"),
    ("leaf", "gc-leaf"),
    ("merge", "forward-returned-args"),
    ("expand", "lower-eval"),
    ("counting", "rc-insertion"),
    ("image", "data-section"),
    ("twin", "stackless"),
];

/// The name of today of the pass that is called so now, or once was.
pub fn current(name: &str) -> &str {
    FORMER_NAMES.iter().find(|(former, _)| *former == name).map_or(name, |(_, current)| current)
}

/// The names that this pass had in earlier versions.
pub fn of(name: &str) -> impl Iterator<Item = &'static str> {
    FORMER_NAMES.iter().filter(move |(_, current)| *current == name).map(|(former, _)| *former)
}
