//! IR types of stack annotations: references for the A stack, then the words of the B stack.

use crate::ast::{BWord, Layout};
use cleave_ir::Type;
use smallvec::SmallVec;

/// Types of the values of a layout: nodes, then words, each top first.
pub(crate) fn layout_types(layout: Layout<'_>) -> SmallVec<[Type; 8]> {
    let words = layout.b.iter().map(|&word| word_type(word));
    std::iter::repeat_n(Type::Ref, layout.a as usize).chain(words).collect()
}

fn word_type(word: BWord) -> Type {
    if word == BWord::Real { Type::F64 } else { Type::I64 }
}
