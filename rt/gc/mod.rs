//! The heap and its collectors: who reserves memory, when and where objects move, and what is known of objects.
//!
//! `heap` (reserving, and when to collect what), `nursery` and `remembered` (young objects alone), `place` (where the spaces lie),
//! `copy`, `list`, `selector` and `slide` (who moves objects), `roots`, `object` (sizes and references), `check` (stress).

pub mod check;
pub mod copy;
pub mod heap;
mod list;
pub mod nursery;
pub mod object;
pub mod place;
pub mod remembered;
pub mod roots;
pub mod selector;
pub mod slide;
