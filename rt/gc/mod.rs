//! The heap and its collectors: who reserves memory, when and where objects move, and what is known of objects.
//!
//! `allocate` (for libcalls), `heap` (when to collect what), `nursery`, `size` and `remembered` (young objects alone),
//! `place` (where the spaces lie), `copy`, `list`, `selector` and `slide` (who moves objects), `roots`, `object` (sizes
//! and references), `foreign`, `foreign_cells` and `keeper` (objects of the host), `outermost` (calls of a library),
//! `incremental`, `mark` and `holes` (old objects that stay where they are; `requests` asks for that), `check`
//! (stress), `pauses` (how long that took), `state` and `context` (what is remembered, and what is asked of others).

pub mod allocate;
pub mod check;
pub mod compact;
pub mod context;
pub mod copy;
pub mod foreign;
pub mod foreign_cells;
pub mod foreign_lists;
pub mod heap;
pub mod holes;
pub mod incremental;
mod keeper;
mod list;
pub mod mark;
pub mod nursery;
pub mod object;
pub mod outermost;
pub mod pauses;
pub mod place;
pub mod remembered;
pub mod requests;
pub mod roots;
pub mod selector;
pub mod size;
mod split;
pub mod state;

pub use context::Context;
