//! Names for what passes add to a program.

/// The name, with a mark after it where the program has one that is the same.
pub(crate) fn free_name(name: &str, mut is_taken: impl FnMut(&str) -> bool) -> String {
    let mut name = name.to_string();
    while is_taken(&name) {
        name.push('\'');
    }
    name
}
