//! Recursion unrolling: a small function that calls itself gets copies of its own body at these calls, so that most
//! levels of the recursion cost no call, no frame and no saved registers.
//!
//! ```text
//! fib n:  if n < 2 then 1                 fib n:  if n < 2 then 1
//!         else fib (n-1) + fib (n-2) ─▶           else (if n-1 < 2 then 1 else fib (n-2) + fib (n-3))
//!                                                    + (if n-2 < 2 then 1 else fib (n-3) + fib (n-4))
//! ```
//! This is done once, and again if the result is still small. Tail calls are loops already (`tail-recursion-elim`). A
//! tail call in the copy becomes a call followed by a jump, as in `inline`. Calls on slow paths stay: there is nothing
//! to win.
//!
//! Source: R. Rugina and M. Rinard, *Recursion Unrolling for Divide and Conquer Programs*, 2000.

use crate::analysis::values::Scratch;
use crate::ipo::inline::{copy_into, weight};
use crate::opt::simplify_cfg;
use cleave_ir::{Block, Func, FuncId, Opcode};

/// Weights (instructions except constants and jumps) that the first and the second round may make.
const LARGEST: [usize; 2] = [100, 200];

/// Copies the body of `func`, which is function `id`, to its calls of itself; true if there were any.
pub fn run(func: &mut Func, id: FuncId, scratch: &mut Scratch) -> bool {
    let rounds = LARGEST.iter().take_while(|&&largest| unroll(func, id, largest, scratch)).count();
    rounds > 0
}

/// One round.
fn unroll(func: &mut Func, id: FuncId, largest: usize, scratch: &mut Scratch) -> bool {
    let sites: Vec<(Block, usize)> = func
        .layout
        .iter()
        .filter(|&&block| !func.is_cold(block))
        .flat_map(|&block| func.blocks[block].insts.iter().enumerate().map(move |(at, &inst)| (block, at, inst)))
        .filter(|&(_, _, inst)| func.insts[inst].op == Opcode::Call && func.insts[inst].imm == u64::from(id.as_u32()))
        .map(|(block, at, _)| (block, at))
        .collect();
    if sites.is_empty() || weight(func) * (1 + sites.len()) > largest {
        return false;
    }
    let body = func.clone();
    // The last site of a block first: what is after it moves to another block.
    for &(block, at) in sites.iter().rev() {
        copy_into(func, block, at, &body);
    }
    simplify_cfg::run(func, scratch);
    true
}
