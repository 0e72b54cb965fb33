//! Peephole optimiser for machine code, after register allocation.
//!
//! ```text
//! code   bytes ──▶ instructions whose jumps name instructions
//! frame  functions that need no frame pointer give it up
//! copies values are read where they lie, and loaded once; what nobody reads is not written
//! fuse   two instructions that are one: a result in its last place, a comparison with memory, a sum
//! short  the shortest form of constants
//! write  instructions ──▶ bytes, with the shortest jumps
//! ```
//! Cranelift moves values between registers at the borders of live ranges, keeps a frame pointer in each function that
//! calls something on a slow path, loads what was loaded for a test once more after it, and writes jumps in their
//! longest form. Of the instructions that programs execute that is a third.
//!
//! A function is left as it is where one of its instructions is not understood (`Code::read`), and so are programs
//! with stack maps, which need all frame pointers. Calls, and what is written to memory, stay what they were, in the
//! same order.
//!
//! Source of the idea: W. McKeeman, *Peephole optimization*, 1965; J. W. Davidson and C. W. Fraser, *The design and
//! application of a retargetable peephole optimizer*, 1980.

mod code;
mod copies;
mod effects;
mod flow;
mod frame;
mod fuse;
mod loads;
mod short;
mod write;

use crate::Relocation;
use code::Code;
pub use effects::Conventions;
use effects::Registers;
use flow::Flow;
pub use write::Polished;

/// Improves a function of the `tail` convention; `None` if it must stay as it is.
pub fn run(code: &[u8], relocations: &[Relocation], conventions: &Conventions) -> Option<Polished> {
    let mut code = Code::read(code, relocations)?;
    let mut registers = Registers::new(conventions, relocations);
    let flow = Flow::of(&code)?;
    flow.drop_unreachable(&mut code);
    frame::drop_pointer(&mut code, &mut registers);
    copies::run(&mut code, &mut registers, &flow);
    short::constants(&mut code);
    short::returns(&mut code);
    write::write(&code, relocations)
}
