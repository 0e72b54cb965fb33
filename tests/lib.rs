//! What the test drivers of this package share: random programs that must do the same everywhere; for the root
//! checker a generator of random functions, mutants of rooted functions and an oracle; the way from high to low IR;
//! for fuzzing, mutants of programs; functions in IR text; for the table test of instructions its cases; for the
//! corpora their lists of programs, how each ends and how often it collects under stress, and running of processes; a
//! browser and its server; programs on the reference-counted heap in all ways; which tests an ordinary run leaves out.

pub mod browser;
pub mod cases;
pub mod counted;
pub mod differential;
pub mod expected;
pub mod irtext;
pub mod lowering;
pub mod memory;
pub mod mutate;
pub mod process;
pub mod random_abc;
pub mod random_goopea;
pub mod random_samlang;
pub mod roots;
pub mod samples;
pub mod selection;
pub mod stress;
pub mod students;
