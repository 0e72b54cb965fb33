//! What is known of the types of an expression's values.

use crate::collect_items::Known;
use cleave_strict::core_ir::Type;

/// The types of an expression's values.
#[derive(Clone, Debug)]
pub enum Given {
    Unknown,
    One(Type),
    Many(Vec<Known>),
}

impl Given {
    pub fn of(types: &[Known]) -> Given {
        match types {
            [Some(one)] => Given::One(*one),
            [None] => Given::Unknown,
            many => Given::Many(many.to_vec()),
        }
    }
}

/// Whether two expressions may stand for each other, as far as is known.
pub fn fits(a: &Given, b: &Given) -> bool {
    let agree = |a: &Known, b: &Known| a.is_none() || b.is_none() || a == b;
    match (a, b) {
        (Given::Unknown, _) | (_, Given::Unknown) => true,
        (Given::One(a), Given::One(b)) => a == b,
        (Given::Many(a), Given::Many(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b)),
        // Of an unknown part something has been said.
        (Given::Many(parts), Given::One(_)) | (Given::One(_), Given::Many(parts)) => parts.contains(&None),
    }
}
