//! Alignment of functions and loops to the cache lines of 64 bytes of the processor.
//!
//! A small loop that crosses the end of a line takes up to 1.4 times as long on some processors. The place of a loop in
//! its function is fixed when the function is compiled, so the function as a whole is moved.

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};

/// Bytes of a line.
pub const LINE: u32 = 64;
/// Loops in more than so many others count the same.
const DEEPEST: u32 = 4;
/// Functions with more jumps back are not looked at, since each is compared with each.
const MOST: usize = 1000;
/// Functions begin at multiples of this.
const STEP: u32 = 8;
/// Loops that are longer are not looked at: they cross lines in any case.
const LONGEST: u32 = 2 * LINE;

/// How many bytes after the start of a line a function had best begin; `None` for functions without small loops.
pub fn of(code: &[u8]) -> Option<u32> {
    let loops = innermost(jumps_back(code));
    let crossed = |phase: u32| -> u32 {
        let crossed = |of: &Loop| (phase + of.end - 1) / LINE - (phase + of.start) / LINE;
        loops.iter().map(|of| crossed(of) << (of.depth.min(DEEPEST) * 3)).sum()
    };
    let phases = (0..LINE).step_by(STEP as usize);
    if loops.is_empty() { None } else { phases.min_by_key(|&phase| crossed(phase)) }
}

/// A jump back and what lies between, by offsets, and how many loops are around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loop {
    pub start: u32,
    pub end: u32,
    pub depth: u32,
}

/// Target and end of each jump back. Those from the end of the function, where slow paths are, span much; they are
/// longer than what is asked for.
pub fn jumps_back(code: &[u8]) -> Vec<(u32, u32)> {
    let mut jumps = Vec::new();
    let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        let flow = instruction.flow_control();
        let is_jump = matches!(flow, FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch);
        if is_jump && instruction.near_branch_target() <= instruction.ip() {
            jumps.push((instruction.near_branch_target() as u32, instruction.next_ip() as u32));
        }
    }
    jumps
}

/// The small loops that have none in them.
pub fn innermost(mut jumps: Vec<(u32, u32)>) -> Vec<Loop> {
    if jumps.len() > MOST {
        return Vec::new();
    }
    jumps.sort_unstable();
    jumps.dedup();
    let is_in = |&(start, end): &(u32, u32), around: &(u32, u32)| around.0 <= start && end <= around.1;
    let small = jumps.iter().filter(|(start, end)| end - start <= LONGEST);
    let inner = small.filter(|&of| !jumps.iter().any(|other| is_in(other, of) && other != of));
    let depth = |of: &(u32, u32)| {
        let mut starts: Vec<u32> = jumps.iter().filter(|around| is_in(of, around)).map(|around| around.0).collect();
        starts.dedup();
        starts.len() as u32 - 1
    };
    inner.map(|of| Loop { start: of.0, end: of.1, depth: depth(of) }).collect()
}
