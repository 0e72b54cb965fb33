//! The functions of a program: what they are for, their parameters, and what they leave.

use super::code::Shape;
use super::types::{Field, STRING, State, Ty, Types};

/// What a function is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Its first parameter is what recursion may still use up.
    Fueled,
    /// The same, as a node: what a member of a class has from its dictionary.
    Member,
    /// It calls itself at its end until its first parameter is 0.
    Loop,
    /// The smallest value of a type; true if it is a constant applicative form.
    Default(bool),
    /// It writes and reads a file of its own.
    File,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub id: usize,
    pub kind: Kind,
    pub parameters: Vec<Field>,
    /// How many of them a dictionary holds, for a member of a class.
    pub held: usize,
    pub shape: Shape,
}

/// What functions of a type leave, and whether into a cell of the caller's.
pub fn shape_of(types: &Types, ty: Ty, dest: bool) -> Shape {
    let layout = types.strict(ty);
    let single = layout.a.len() == 1 && layout.a[0] == (ty, State::Evaluated);
    Shape { ty, layout, dest: dest && single && ty != STRING }
}
