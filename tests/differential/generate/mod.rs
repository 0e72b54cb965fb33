//! Random programs in high IR: well typed, ending, and covering every opcode of the table. They are of three families:
//! those of lazy languages, which are made here, and those of strict languages on either heap (`strict`).
//!
//! `plan` decides which descriptors, entries, closures and functions there are · `code` is the state of writing one
//! function · `numbers`, `nodes`, `objects`, `flow` are the steps it is made of · `show` writes the function that makes
//! results observable · `library.ir` is what all programs share.
//!
//! Programs obey what the passes may rely on: fields are read of nodes of known shape only, and only nodes that nobody
//! else knows are updated. What a collection may change (whether a selector thunk is still one) is not looked at. Every
//! call that could recurse without end takes fuel from a counter; loops and self calls count down.

pub mod code;
mod flow;
mod nodes;
mod numbers;
mod objects;
pub mod plan;
mod show;
pub mod strict;

use crate::roots::Rng;
use cleave_ir::{Builder, Func, FuncId, Heap, Module, Opcode, Type, Value};
use cleave_passes::manager;
use cleave_passes::table::GLOBAL_DCE;
use code::Code;
use plan::{Ending, EntryType, Plan, Selected};

/// Depth of branches and loops in functions.
const DEPTH: usize = 2;
/// Activations that take fuel, and nodes that are shown.
const FUEL: i64 = 120;
const SHOWN: i64 = 150;

/// What kind of program a number stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Thunks and nodes that are written over, on the garbage-collected heap.
    Lazy,
    /// Strict programs on the garbage-collected heap.
    Strict,
    /// Strict programs on the reference-counted heap.
    Counted,
}

impl Family {
    /// Half of the programs are lazy.
    pub fn of(seed: u64) -> Family {
        match seed % 4 {
            1 => Family::Strict,
            3 => Family::Counted,
            _ => Family::Lazy,
        }
    }
}

/// The program of a number.
pub fn program(seed: u64) -> Module {
    match Family::of(seed) {
        Family::Lazy => lazy(seed),
        Family::Strict => strict::program(seed, Heap::Gc),
        Family::Counted => strict::program(seed, Heap::Rc),
    }
}

fn lazy(seed: u64) -> Module {
    let rng = &mut Rng::new(seed);
    let (mut module, plan) = plan::make(rng);
    module.name = format!("generated-{seed}");
    show::write(&mut module, &plan);
    for (number, func) in plan.funcs.iter().enumerate() {
        // Some are as small as operators and wrappers are.
        let size = rng.pick(&[0, 1, 3, 5, 8]);
        let level = if func.is_fuelled { 0 } else { number + 1 };
        let (mut code, params) = Code::begin(rng, &plan, &mut module.funcs[func.id], level, size);
        let empty = func.is_fuelled.then(|| code.burn());
        code.body(number, params[0], if size < 2 { 0 } else { DEPTH });
        if let Some(empty) = empty {
            code.goto(empty);
            code.give_up(&func.results);
        }
    }
    for entry in &plan.thunk_infos {
        let id = module.thunk_infos[entry.entry].code;
        entry_code(rng, &plan, &mut module.funcs[id], entry);
    }
    for selector in &plan.selectors {
        let id = module.thunk_infos[selector.entry].code;
        selector_code(&plan, &mut module.funcs[id], selector);
    }
    for closure in &plan.closures {
        closure_code(rng, &plan, &mut module, closure);
    }
    let main = module.start.expect("the library has a start");
    write_main(rng, &plan, &mut module.funcs[main]);
    // What of the library is not used.
    manager::optimise(&mut module, &[GLOBAL_DCE]);
    module
}

/// Reads the arguments, marks the thunk, computes and overwrites the thunk by the result.
fn entry_code(rng: &mut Rng, plan: &Plan, func: &mut Func, entry: &EntryType) {
    let size = rng.pick(&[0, 1, 2, 3]);
    let (mut code, params) = Code::begin(rng, plan, func, 0, size);
    let thunk = params[0];
    code.scope.ptrs.clear();
    code.entry_arguments(thunk, entry.ptrs, &entry.nptrs);
    let empty = code.burn();
    code.stretch(1);
    match (entry.ending, entry.gives) {
        (Ending::Fill, Some(number)) => {
            let node = &plan.nodes[number];
            let mut args: Vec<Value> = (0..node.ptrs).map(|_| code.reference()).collect();
            args.extend(code.operands(&node.nptrs));
            fill(&mut code, plan, number, thunk, args);
        }
        (Ending::Indirect, _) => {
            let node = code.reference();
            let evaluated = code.op(Opcode::IsHnf, &[node]);
            let (copy, indirect) = (code.new_block(), code.new_block());
            code.build().br_if(evaluated, (copy, &[]), (indirect, &[]));
            code.goto(copy);
            code.emit(Opcode::FillCopy, 0, 0, &[thunk, node]);
            code.build().ret(&[thunk]);
            code.goto(indirect);
            code.emit(Opcode::MakeIndirection, 0, 0, &[thunk, node]);
            code.emit(Opcode::TailEnter, 0, 0, &[node]);
        }
        _ => {
            let node = code.reference();
            let node = code.op(Opcode::Eval, &[node]);
            code.emit(Opcode::FillCopy, 0, 0, &[thunk, node]);
            code.build().ret(&[thunk]);
        }
    }
    code.goto(empty);
    let number = entry.gives.unwrap_or(0);
    let node = &plan.nodes[number];
    let nil = code.build().node(plan.nodes[0].desc);
    let mut args: Vec<Value> = (0..node.ptrs).map(|_| nil).collect();
    for &ty in &node.nptrs {
        let zero = if ty == Type::F64 { code.build().fconst(0) } else { code.const64(0) };
        args.push(zero);
    }
    fill(&mut code, plan, number, thunk, args);
}

/// Overwrites a thunk by a node and returns it.
fn fill(code: &mut Code, plan: &Plan, number: usize, thunk: Value, args: Vec<Value>) {
    let node = &plan.nodes[number];
    if node.is_empty() {
        let value = code.build().node(node.desc);
        code.emit(Opcode::FillCopy, 0, 0, &[thunk, value]);
    } else {
        let operands: Vec<Value> = std::iter::once(thunk).chain(args).collect();
        code.build().fill_node(node.desc, node.applied_args, &operands);
    }
    code.build().ret(&[thunk]);
}

/// What a collection does with a selector, done by evaluation: no other effect.
fn selector_code(plan: &Plan, func: &mut Func, selector: &plan::Selector) {
    let block = func.new_block();
    let thunk = func.add_param(block, Type::Ref);
    let node = &plan.nodes[selector.of];
    let (ptrs, nptrs) = (node.ptrs, node.nptrs.len() as u32);
    let mut b = Builder::new(func, block);
    let argument = b.get(Opcode::ArgRef, 1, 0, 0, thunk);
    b.effect(Opcode::Blackhole, &[thunk]);
    let value = b.op(Opcode::Eval, &[argument]);
    match selector.field {
        Selected::Reference(field) => {
            let field = b.get(Opcode::GetRef, ptrs, nptrs, field, value);
            let field = b.op(Opcode::Eval, &[field]);
            b.effect(Opcode::FillCopy, &[thunk, field]);
        }
        Selected::Word(field) => {
            let is_real = node.nptrs[field as usize] == Type::F64;
            let (op, known) = match is_real {
                true => (Opcode::GetF64, cleave_ir::WellKnownDesc::Real),
                false => (Opcode::GetI64, cleave_ir::WellKnownDesc::Int),
            };
            let word = b.get(op, ptrs, nptrs, field, value);
            b.fill_node(known.desc(), 0, &[thunk, word]);
        }
    }
    b.ret(&[thunk]);
}

/// The code of a closure, and what the dispatch tables call: the applied arguments are in the closure.
fn closure_code(rng: &mut Rng, plan: &Plan, module: &mut Module, closure: &plan::Closure) {
    let size = rng.pick(&[0, 1, 3]);
    let (mut code, _) = Code::begin(rng, plan, &mut module.funcs[closure.code], 0, size);
    let empty = code.burn();
    code.stretch(1);
    code.leave(&[Type::Ref]);
    code.goto(empty);
    code.give_up(&[Type::Ref]);
    for (applied_args, id) in
        closure.full.iter().enumerate().filter_map(|(applied_args, id)| Some((applied_args as u32, (*id)?)))
    {
        let func = &mut module.funcs[id];
        let block = func.new_block();
        let params: Vec<Value> = func.signature.params.clone().iter().map(|&ty| func.add_param(block, ty)).collect();
        let mut b = Builder::new(func, block);
        let mut args: Vec<Value> =
            (0..applied_args).map(|i| b.get(Opcode::GetRef, applied_args, 0, i, params[0])).collect();
        args.extend(&params[1..]);
        b.tail_call(closure.code, &args);
    }
}

/// Calls the functions with several arguments and shows their results; then structures that are deep.
fn write_main(rng: &mut Rng, plan: &Plan, func: &mut Func) {
    *func = Func::new(func.name.clone(), func.signature.clone());
    let (mut code, _) = Code::begin(rng, plan, func, 0, 7);
    let library = plan.library;
    for (index, units) in [(0, FUEL), (1, SHOWN)] {
        let units = code.const64(units);
        code.build().caf(Opcode::SetCafI64, library.budget, index, &[units]);
    }
    if code.rng.chance(40) {
        code.fill_caf();
    }
    code.stretch(1);
    for _ in 0..3 {
        let number = code.rng.below(plan.funcs.len());
        let func = &plan.funcs[number];
        let rounds = code.rng.below(4) as i64;
        let mut args = vec![code.const64(rounds)];
        args.extend(code.operands(&func.params[1..]));
        let inst = code.build().call(func.id, &args, &func.results);
        for value in code.func.results(inst).to_vec() {
            code.add(value);
            code.print(value);
        }
        let bar = code.build().text(library.bar);
        code.libcall(cleave_clean::externs::Runtime::PrintText, &[bar]);
    }
    if plan.features.lists {
        // Now and then far deeper than any function of the program goes.
        let length = if code.rng.chance(10) { 3000 } else { code.rng.below(60) as i64 };
        let length = code.const64(length);
        let halves = call(&mut code, library.halves, &[length], &[Type::I64, Type::I64]);
        halves.into_iter().for_each(|value| code.print(value));
        let first = code.const64(-3);
        let list = call(&mut code, library.upto, &[first, length], &[Type::Ref])[0];
        let sum = call(&mut code, library.sum, &[list], &[Type::I64])[0];
        code.print(sum);
    }
    code.build().ret(&[]);
}

fn call(code: &mut Code, id: FuncId, args: &[Value], results: &[Type]) -> Vec<Value> {
    let inst = code.build().call(id, args, results);
    code.func.results(inst).to_vec()
}
