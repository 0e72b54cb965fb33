//! Fuzzing of everything between ABC text and WebAssembly: programs of the corpus with mistakes in them; and of
//! everything between IR text and programs (`ir`).
//!
//! `seeds` holds the programs · `lines` makes mistakes that know what lines and operands are, `bytes` those that do
//! not · `choices` decides · `oracle` compiles and says what is wrong with that · `campaign` runs many mutants by
//! number, so that each can be made again · `reduce` makes a finding small · `text` is for languages that people write.
//! `ir` and `module` make mistakes in texts and in modules of IR · `checked` says what is promised of those.
//! `surfaces` is everything that reads bytes of others.
//! The fuzz targets in `fuzz/` and the test `fuzz_smoke` are a few lines around these.

pub mod bytes;
pub mod campaign;
pub mod checked;
pub mod choices;
pub mod ir;
pub mod lines;
pub mod module;
pub mod oracle;
pub mod reduce;
pub mod seeds;
pub mod surfaces;
pub mod text;

pub use choices::Choices;
pub use oracle::{Verdict, compile, parse};
pub use seeds::{Seed, Seeds};
