//! A debugger over the interpreter, without a terminal: steps in both directions, breakpoints, and the state as data.
//!
//! ```
//! use cleave_interp::debug::{Debugger, Step, Stop};
//! use cleave_interp::{Options, Program, data_section_options};
//!
//! let text = "start @main\nfunc @main() {\nblock0:\n  v0 = iconst.i64 1\n  v1 = iadd v0, v0\n  ret\n}\n";
//! let module = cleave_ir::text::parse_module(text)?;
//! let options = Options::default();
//! let program = Program::new(&module, data_section_options(&options));
//! let mut debugger = Debugger::new(&program, options)?;
//! while debugger.forward(Step::Instruction) != Stop::Ended {}
//! debugger.backward(Step::Instruction);
//! assert_eq!(debugger.variables(0).last().map(|variable| variable.name.clone()), Some("v1".into()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Time
//! A run is the same whenever it is repeated: it reads what the options give it, and its clock is a counter. So a state
//! is named by its *time*, the number of instructions before it, and to go *back* the program runs again from its
//! start up to that time, at the speed of the interpreter; nothing is copied and nothing is logged. Going forward
//! continues the machine that is there, except in a libcall of the runtime that evaluates a node (printing of lazy
//! results does): the machine cannot be left there and entered again, so the run is repeated up to where it was, too.
//!
//! Weakness: a step back costs what the program took so far, some hundredths of a second per million instructions; and
//! a program that changes files and then reads them sees its own changes when it is repeated.

mod breakpoints;
mod cells;
mod contents;
mod data;
mod debugger;
mod frames;
mod heap;
mod objects;
mod text;

pub use crate::watch::{Event, EventKind, Step, Visit};
pub use data::{Activation, Breakpoint, Ended, Heap, Object, ObjectKind, Root, Shown, Stop, Variable, Where, name};
pub use debugger::Debugger;
