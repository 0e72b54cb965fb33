//! The kinds of inputs. Each is made of some number of parts.

use super::{languages, modules};

pub struct Input {
    pub ending: &'static str,
    pub text: Vec<u8>,
}

pub struct Kind {
    pub name: &'static str,
    pub ending: &'static str,
    make: fn(usize) -> String,
}

impl Kind {
    pub const fn new(ending: &'static str, name: &'static str, make: fn(usize) -> String) -> Kind {
        Kind { name, ending, make }
    }
    pub fn input(&self, parts: usize) -> Input {
        Input { ending: self.ending, text: (self.make)(parts).into_bytes() }
    }
}

/// All kinds.
pub static KINDS: std::sync::LazyLock<Vec<Kind>> = std::sync::LazyLock::new(|| {
    languages::goopea().into_iter().chain(languages::samlang()).chain(modules::all()).collect()
});

/// What opens, an inner part, what closes.
pub fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    open.repeat(depth) + inner + &close.repeat(depth)
}

/// Parts with a separator.
pub fn listed(count: usize, separator: &str, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(separator)
}
