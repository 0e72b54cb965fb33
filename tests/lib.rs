//! What the test drivers of this package share: the annotations of IR file tests and what they ask for (passes, runs);
//! random programs that must do the same everywhere; for the root checker a generator of random functions, mutants of
//! rooted functions and an oracle; for fuzzing, mutants
//! of programs; for the corpus its list of programs, how often each collects under stress, and running of processes.

pub mod annotations;
pub mod differential;
pub mod execute;
pub mod mutate;
pub mod process;
pub mod roots;
pub mod samples;
pub mod stress;
