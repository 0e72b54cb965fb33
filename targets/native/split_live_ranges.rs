//! Splits live ranges by copies, so that values of loops stay out of registers that an instruction demands.
//!
//! Calls, returns and divisions want operands in certain registers and leave results there. The register allocator
//! (`regalloc2`, "merge" and "process_bundle") gives one register to a value, the block parameters it is passed to, and
//! so on: a counter that is an argument somewhere after its loop gets the register of that argument for the whole
//! loop. When that register is taken in between, be it by a call on a cold path, the range is split at its first use,
//! which lies in the innermost loop: two moves and a jump in each round. A copy before such a use, or after such a
//! definition, ends the chain.
//!
//! Runs after Cranelift's optimisations, which would remove the copies: the sum of a value and zero becomes one `lea`.

use cranelift_codegen::Context;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::entity::SecondaryMap;
use cranelift_codegen::ir::{Block, BlockArg, Function, Inst, InstBuilder, Opcode as Op, Value, ValueDef, types};
use cranelift_codegen::loop_analysis::Loop;

/// Values that Cranelift would like to have in one register, as sets with a representative.
#[derive(Default)]
struct Webs {
    parents: SecondaryMap<Value, Option<Value>>,
    /// Of representatives: some member is a parameter of a loop header.
    is_carried: SecondaryMap<Value, bool>,
}

impl Webs {
    fn find(&mut self, value: Value) -> Value {
        let mut at = value;
        while let Some(parent) = self.parents[at] {
            if let Some(above) = self.parents[parent] {
                self.parents[at] = Some(above);
            }
            at = parent;
        }
        at
    }

    fn join(&mut self, a: Value, b: Value) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parents[a] = Some(b);
            self.is_carried[b] |= self.is_carried[a];
        }
    }

    fn carries(&mut self, value: Value) -> bool {
        let value = self.find(value);
        self.is_carried[value]
    }
}

/// Inserts the copies into a function that has been optimised.
pub fn keep_apart(context: &mut Context) {
    let headers = headers(context);
    if headers.is_empty() {
        return;
    }
    let func = &mut context.func;
    let mut webs = webs(func, &headers);
    let mut cursor = FuncCursor::new(func);
    while cursor.next_block().is_some() {
        while let Some(inst) = cursor.next_inst() {
            let opcode = cursor.func.dfg.insts[inst].opcode();
            if opcode.is_branch() {
                copy_results(&mut cursor, inst, &mut webs);
            } else if let Some(places) = demanded(opcode) {
                copy_operands(&mut cursor, inst, places, &mut webs);
            }
        }
    }
}

/// Headers of the loops without calls: in others, moves are the least of the costs. Calls on cold paths do not count.
fn headers(context: &Context) -> Vec<Block> {
    let (func, loops) = (&context.func, &context.loop_analysis);
    let mut calls: SecondaryMap<Loop, bool> = SecondaryMap::new();
    for block in func.layout.blocks().filter(|&block| !func.layout.is_cold(block)) {
        let Some(innermost) = loops.innermost_loop(block) else { continue };
        if func.layout.block_insts(block).any(|inst| func.dfg.insts[inst].opcode().is_call()) {
            let mut around = Some(innermost);
            while let Some(id) = around {
                calls[id] = true;
                around = loops.loop_parent(id);
            }
        }
    }
    loops.loops().filter(|&id| !calls[id]).map(|id| loops.loop_header(id)).collect()
}

fn webs(func: &Function, headers: &[Block]) -> Webs {
    let mut webs = Webs::default();
    for &header in headers {
        for &param in func.dfg.block_params(header) {
            webs.is_carried[param] = true;
        }
    }
    for block in func.layout.blocks() {
        let Some(last) = func.layout.last_inst(block) else { continue };
        for call in func.dfg.insts[last].branch_destination(&func.dfg.jump_tables, &func.dfg.exception_tables) {
            let target = call.block(&func.dfg.value_lists);
            for (arg, &param) in call.args(&func.dfg.value_lists).zip(func.dfg.block_params(target)) {
                let arg = arg.as_value().map(|arg| func.dfg.resolve_aliases(arg));
                // A constant is made anew wherever it is wanted.
                if let Some(arg) = arg.filter(|&arg| !is_constant(func, arg)) {
                    webs.join(arg, param);
                }
            }
        }
    }
    webs
}

fn is_constant(func: &Function, value: Value) -> bool {
    let made = func.dfg.value_def(value).inst();
    made.is_some_and(|inst| func.dfg.insts[inst].opcode() == Op::Iconst)
}

/// Which operands have to be in certain registers.
enum Places {
    All,
    First,
    Second,
}

fn demanded(opcode: Op) -> Option<Places> {
    Some(match opcode {
        _ if opcode.is_call() || opcode.is_return() => Places::All,
        Op::Sdiv | Op::Udiv | Op::Srem | Op::Urem | Op::Smulhi | Op::Umulhi => Places::First,
        Op::Ishl | Op::Ushr | Op::Sshr | Op::Rotl | Op::Rotr => Places::Second,
        _ => return None,
    })
}

/// The instruction leaves its results in certain registers.
fn is_demanding(opcode: Op) -> bool {
    opcode.is_call() || matches!(demanded(opcode), Some(Places::First))
}

fn copy_operands(cursor: &mut FuncCursor, inst: Inst, places: Places, webs: &mut Webs) {
    let count = cursor.func.dfg.inst_args(inst).len();
    let (from, to) = match places {
        Places::All => (0, count),
        Places::First => (0, 1),
        Places::Second => (1, 2),
    };
    for at in from..to {
        let arg = cursor.func.dfg.inst_args(inst)[at];
        if let Some(copied) = copy(cursor, arg, webs) {
            cursor.func.dfg.inst_args_mut(inst)[at] = copied;
        }
    }
}

/// Copies what a branch passes on, if it is a parameter of the function or comes from a call or a division.
fn copy_results(cursor: &mut FuncCursor, inst: Inst, webs: &mut Webs) {
    let dfg = &cursor.func.dfg;
    let entry = cursor.func.layout.entry_block();
    let destinations = dfg.insts[inst].branch_destination(&dfg.jump_tables, &dfg.exception_tables);
    let passed = destinations.iter().flat_map(|call| call.args(&dfg.value_lists)).filter_map(|arg| arg.as_value());
    let is_fixed = |value: &Value| match dfg.value_def(*value) {
        ValueDef::Result(made, _) => is_demanding(dfg.insts[made].opcode()),
        ValueDef::Param(block, _) => Some(block) == entry,
        ValueDef::Union(..) => false,
    };
    let passed: Vec<Value> = passed.filter(is_fixed).collect();
    for value in passed {
        let Some(copied) = copy(cursor, value, webs) else { continue };
        let dfg = &mut cursor.func.dfg;
        for call in dfg.insts[inst].branch_destination_mut(&mut dfg.jump_tables, &mut dfg.exception_tables) {
            call.update_args(&mut dfg.value_lists, |arg| match arg {
                BlockArg::Value(arg) if arg == value => BlockArg::Value(copied),
                other => other,
            });
        }
    }
}

/// A copy of a value that loops carry, made before the instruction at the cursor.
fn copy(cursor: &mut FuncCursor, value: Value, webs: &mut Webs) -> Option<Value> {
    let value = cursor.func.dfg.resolve_aliases(value);
    let kind = cursor.func.dfg.value_type(value);
    if !matches!(kind, types::I32 | types::I64) || !webs.carries(value) {
        return None;
    }
    let zero = cursor.ins().iconst(kind, 0);
    Some(cursor.ins().iadd(value, zero))
}
