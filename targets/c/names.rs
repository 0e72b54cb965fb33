//! Names of C for what has names in the IR: letters that C has not become `_`, and no two are equal.

use cleave_ir::EntityRef;
use std::collections::BTreeSet;

pub struct Names(Vec<String>);

impl Names {
    /// One for each name, behind a prefix that keeps them apart from words of C and from others.
    pub fn new<'n>(prefix: &str, names: impl Iterator<Item = &'n str>) -> Names {
        let mut taken = BTreeSet::new();
        let unique = |name: &str| {
            let plain = format!("{prefix}{}", plain(name));
            let mut candidates = (2..).map(|number| format!("{plain}_{number}"));
            let mut name = plain.clone();
            while !taken.insert(name.clone()) {
                name = candidates.next().unwrap_or_default();
            }
            name
        };
        Names(names.map(unique).collect())
    }

    pub fn of<E: EntityRef>(&self, entity: E) -> &str {
        &self.0[entity.index()]
    }
}

/// Letters, digits and `_` alone.
pub fn plain(name: &str) -> String {
    name.trim_matches('.').chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
