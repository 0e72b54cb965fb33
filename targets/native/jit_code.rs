//! Code of a program for the JIT, at a fixed address, with the offset of each function.
//!
//! The bytes are those of an object file. The runtime may lie anywhere in the process, so a call of an extern goes to a
//! jump after the code, one for each.

use crate::{Function, Program, Symbol, Trampoline, announce};
use cleave_ir::{EntityRef, Extern, FuncId};

/// Offsets of the functions from the start of the code, and the length of all.
pub struct Layout {
    offsets: Vec<u32>,
    funcs: usize,
    /// Of entries, the first.
    entries: usize,
    /// Bytes of all functions, with the gaps between them.
    pub length: u32,
}

impl Layout {
    /// Functions follow each other in the order of the program, at their alignments and phases.
    pub fn of(program: &Program) -> Layout {
        let mut length = 0u32;
        let offsets = program.functions.iter().map(|function| {
            let start = length.saturating_sub(function.phase).next_multiple_of(function.align) + function.phase;
            length = start + function.code.len() as u32;
            start
        });
        let offsets = offsets.collect();
        let entries = program.functions.len() - program.entries.len();
        Layout { offsets, funcs: entries - Trampoline::ALL.len(), entries, length }
    }

    fn index(&self, symbol: Symbol) -> Option<usize> {
        match symbol {
            Symbol::Func(func) => Some(func.as_u32() as usize),
            Symbol::Trampoline(trampolines) => Some(self.funcs + trampolines as usize),
            Symbol::Entry(number) => Some(self.entries + number as usize),
            Symbol::Extern(_) => None,
        }
    }

    /// Offset of a function; `None` for externs.
    pub fn offset(&self, symbol: Symbol) -> Option<u32> {
        self.index(symbol).map(|index| self.offsets[index])
    }

    /// The code of all functions. Calls among them are done; `other` gets the relocations against externs, with the
    /// offset of the four bytes.
    pub fn code(&self, program: &Program, mut other: impl FnMut(u32, Extern, i32)) -> Vec<u8> {
        // Between functions: the instruction that traps.
        const FILL: u8 = 0xcc;
        let mut code = vec![FILL; self.length as usize];
        for (function, &start) in program.functions.iter().zip(&self.offsets) {
            let Function { code: bytes, relocations, .. } = function;
            code[start as usize..start as usize + bytes.len()].copy_from_slice(bytes);
            for relocation in relocations {
                let at = start + relocation.offset;
                match (self.offset(relocation.symbol), relocation.symbol) {
                    (Some(target), _) => patch(&mut code, at, target, relocation.addend),
                    (None, Symbol::Extern(id)) => other(at, id, relocation.addend),
                    (None, symbol) => unreachable!("{symbol:?} has no place"),
                }
            }
        }
        code
    }
}

/// Writes the distance from `at` to `target`.
pub(crate) fn patch(code: &mut [u8], at: u32, target: u32, addend: i32) {
    let distance = (target as i32).wrapping_sub(at as i32).wrapping_add(addend);
    code[at as usize..at as usize + 4].copy_from_slice(&distance.to_le_bytes());
}

/// A program at its addresses.
pub struct Placed {
    /// What belongs at the address that `place` was given.
    pub code: Vec<u8>,
    /// What belongs at `address_space::START`.
    pub low: Vec<u8>,
    /// Address of the program record.
    pub record: u32,
    /// Address of the function that runs the program.
    pub main: u64,
    /// What the runtime calls to evaluate a node.
    pub eval: u64,
    /// Bytes of the functions; after them are jumps to the runtime.
    pub functions: u32,
    /// A function that the program calls and that was not found.
    pub missing: Option<String>,
    /// The table for traces (`trace_table.rs`); empty, as `maps`, in programs without.
    pub traces: Vec<u8>,
    /// The table of references in frames.
    pub maps: Vec<u8>,
}

/// Bytes of a jump to the runtime: `jmp [rip+2]`, two bytes of nothing, the address. The stores of `announce` are
/// before it.
const JUMP: u32 = 16;
const JUMP_BYTES: [u8; 6] = [0xff, 0x25, 2, 0, 0, 0];
const _: () = assert!(announce::STORES == JUMP as usize, "jumps are behind multiples of their size");

/// The bytes of a program whose code begins at `base`; `runtime` gives the address of a function of the
/// runtime by its name, `find` that of another symbol, 0 if there is none.
pub fn place(program: &Program, base: u64, runtime: impl Fn(&str) -> usize, find: impl Fn(&[u8]) -> u64) -> Placed {
    let layout = Layout::of(program);
    let mut calls = Vec::new();
    let mut code = layout.code(program, |at, id, addend| calls.push((at, id.index(), addend)));
    let jumps = layout.length.next_multiple_of(JUMP);
    code.resize(jumps as usize, 0);
    let address_of = |name: &str| match runtime(name) as u64 {
        0 => find(name.as_bytes()),
        address => address,
    };
    let addresses: Vec<u64> = program.externs.iter().map(|name| address_of(name)).collect();
    let mut places = Vec::with_capacity(addresses.len());
    for (address, &is_announced) in addresses.iter().zip(&program.announced) {
        places.push(code.len() as u32);
        if is_announced {
            code.extend(announce::stores());
        }
        code.extend(JUMP_BYTES);
        code.extend([0; 2]);
        code.extend(address.to_le_bytes());
    }
    let missing = calls.iter().find(|call| addresses[call.1] == 0).map(|call| program.externs[call.1].clone());
    for (at, id, addend) in calls {
        patch(&mut code, at, places[id], addend);
    }
    let address = |symbol| base + u64::from(layout.offset(symbol).expect("a compiled function"));
    let mut low = program.low.bytes.clone();
    for &(at, symbol) in &program.low.addresses {
        low[at as usize..at as usize + 8].copy_from_slice(&address(symbol).to_le_bytes());
    }
    for (at, name) in &program.low.symbols {
        low[*at as usize..*at as usize + 8].copy_from_slice(&find(name).to_le_bytes());
    }
    Placed {
        code,
        low,
        record: program.low.program,
        main: address(Symbol::Trampoline(Trampoline::Main)),
        eval: address(Symbol::Trampoline(Trampoline::Eval)),
        functions: layout.length,
        missing,
        traces: crate::trace_table::write(program, &layout),
        maps: crate::frames::maps(program, &layout),
    }
}

/// Offsets and names of all functions, in order: for profilers.
pub fn map(program: &Program) -> impl Iterator<Item = (u32, u32, &str)> {
    let layout = Layout::of(program);
    let entry = move |(i, function): (usize, &Function)| (layout.offsets[i], function.code.len() as u32, i);
    program.functions.iter().enumerate().map(entry).map(|(start, length, i)| (start, length, program.names[i].as_str()))
}

/// The symbol of a function by its number in `Program::functions`.
pub fn symbol_of(program: &Program, index: usize) -> Symbol {
    let entries = program.functions.len() - program.entries.len();
    let funcs = entries - Trampoline::ALL.len();
    match index {
        _ if index >= entries => Symbol::Entry((index - entries) as u32),
        _ if index >= funcs => Symbol::Trampoline(Trampoline::ALL[index - funcs]),
        _ => Symbol::Func(FuncId::from_u32(index as u32)),
    }
}
