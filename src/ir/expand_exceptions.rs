//! Expands `raise` and calls with a handler: an exception is stored, its function returns at once, and so do those that
//! wait for it, which ask after each call of what may raise. So no pass and no back end knows of exceptions: they work
//! on both heaps, on all targets, and in functions that leave a small stack.
//!
//! ```text
//! raise v0                       ─▶     set_caf.ref ^exception/0 v0; set_caf.i64 ^exception/0 1; ret 0
//! v2, v3 = try_call @f(v1), block1(v2), block2(v3)
//!                                ─▶     v2 = call @f(v1)
//!                                       br_if (caf.i64 ^exception/0), block3, block1(v2)
//!                                     block3:
//!                                       v3 = caf.ref ^exception/0; set_caf.i64 ^exception/0 0
//!                                       jump block2(v3)
//! v4 = call @f(v1)               ─▶     v4 = call @f(v1)
//!                                       br_if (caf.i64 ^exception/0), block4, block5
//!                                     block4:
//!                                       ret 0
//! ```
//! Signatures stay what they are: so do tail calls, tables, methods, closures, exports. A handler costs nothing until
//! something is raised, and nobody asks after calls of what raises nothing (`raises.rs`). What is returned with an
//! exception is never looked at, but in one place: a closure that is applied to several arguments may take them one by
//! one, and what the first application gives is applied to the next. So then it is a closure that returns itself.
//!
//! The start function and the entries for a host are called by one that handles what nobody else does: it stops the
//! program.
//!
//! Needs and establishes: high IR.

use crate::builder::Builder;
use crate::effects;
use crate::entity::{Block, Caf, Desc, FuncId, Inst, Value};
use crate::free_name::free_name;
use crate::func::{Edge, Func};
use crate::layout::DescriptorKind;
use crate::module::{CafData, DescData, Module, WellKnownDesc};
use crate::opcode::Opcode;
use crate::raises::{Raises, has_exceptions};
use crate::stop_with_name::StopWithName;
use crate::types::{Signature, Type};
use crate::value_list::ValueList;
use cleave_abi::libcalls;
use cranelift_entity::EntityRef;

/// What a program says that ends with an immediate as its exception.
pub const UNCAUGHT_IMMEDIATE: &str = "Uncaught exception: an integer\n";

/// Expands all that a module has, effects and exceptions; true if there was something.
pub fn run(module: &mut Module) -> bool {
    let effects = effects::lower(module);
    let changed = run_of_exceptions(module);
    if let Some(effects) = effects {
        effects.finish(module);
        return true;
    }
    changed
}

fn run_of_exceptions(module: &mut Module) -> bool {
    if !has_exceptions(module) {
        return false;
    }
    let raises = Raises::of(module);
    stop_what_nobody_handles(module, &raises);
    let label = free_name("exception", |name| module.cafs.values().any(|caf| caf.label == name));
    let storage = module.cafs.push(CafData { label, ptrs: 1, nptrs: 1 });
    let none = if raises.closures { closure(module) } else { WellKnownDesc::Empty.desc() };
    let expander = Expander { raises, storage, none };
    for id in (0..module.funcs.len()).map(FuncId::new) {
        expander.func(&mut module.funcs[id]);
    }
    true
}

/// A closure that lacks an argument and returns itself.
fn closure(module: &mut Module) -> Desc {
    let label = free_name("raised", |name| module.descs.values().any(|desc| desc.label == name));
    let name = free_name("raised", |name| module.funcs.values().any(|func| func.name == name));
    let code = module.funcs.push(Func::new(name, Signature::ptrs(2)));
    let desc = module.descs.push(DescData {
        name: label.as_bytes().into(),
        label,
        kind: DescriptorKind::Constructor,
        arity: 1,
        callable: true,
        immutable: true,
        apply: vec![Some(code)],
        record: None,
        tag: 0,
        method: None,
        contiguous: false,
    });
    let func = &mut module.funcs[code];
    let entry = func.new_block();
    func.add_param(entry, Type::Ref);
    func.add_param(entry, Type::Ref);
    let mut b = Builder::new(func, entry);
    let itself = b.node(desc);
    b.ret(&[itself]);
    desc
}

/// Who calls the program calls functions that handle every exception.
fn stop_what_nobody_handles(module: &mut Module, raises: &Raises) {
    let entries = module.entries.iter().map(|entry| entry.func);
    let outermost: Vec<FuncId> = module.start.into_iter().chain(entries).filter(|&func| raises.func(func)).collect();
    let mut made: Vec<(FuncId, FuncId)> = Vec::new();
    for func in outermost {
        if made.iter().all(|&(of, _)| of != func) {
            let handler = handling(module, func);
            made.push((func, handler));
        }
    }
    let replaced = |func: FuncId| made.iter().find(|made| made.0 == func).map_or(func, |made| made.1);
    module.start = module.start.map(replaced);
    module.entries.iter_mut().for_each(|entry| entry.func = replaced(entry.func));
}

/// A function that calls another one, and stops the program with the name of an exception's constructor.
fn handling(module: &mut Module, id: FuncId) -> FuncId {
    let stop = StopWithName::new(module, &libcalls::UNCAUGHT, UNCAUGHT_IMMEDIATE);
    let signature = module.funcs[id].signature.clone();
    let name = free_name(&format!("uncaught.{}", module.funcs[id].name), |name| {
        module.funcs.values().any(|func| func.name == name)
    });
    let mut func = Func::new(name, signature.clone());
    let entry = func.new_block();
    let params: Vec<Value> = signature.params.iter().map(|&ty| func.add_param(entry, ty)).collect();
    let [done, handler] = [(); 2].map(|()| func.new_block());
    let given: Vec<Value> = signature.results.iter().map(|&ty| func.add_param(done, ty)).collect();
    let exception = func.add_param(handler, Type::Ref);
    let mut b = Builder::new(&mut func, entry);
    let results = b.try_call((Opcode::TryCall, u64::from(id.as_u32())), &params, &signature.results);
    let (raised, results) = results.split_last().expect("the exception");
    b.handled_by((done, results), (handler, &[*raised]));
    b.switch_to(done);
    b.ret(&given);
    b.switch_to(handler);
    stop.emit(&mut b, exception);
    module.funcs.push(func)
}

struct Expander {
    raises: Raises,
    /// The exception on its way: a reference, and a word that is 1 while there is one.
    storage: Caf,
    /// What functions return that have none of what they promise.
    none: Desc,
}

impl Expander {
    fn func(&self, func: &mut Func) {
        // Where the function returns after something was raised, if it has to.
        let mut leaving = None;
        for at in 0..func.layout.len() {
            let start = func.layout[at];
            if !func.blocks[start].insts.iter().any(|&inst| self.concerns(func, inst)) {
                continue;
            }
            let old = std::mem::take(&mut func.blocks[start].insts);
            let edges = std::mem::take(&mut func.blocks[start].edges);
            func.blocks[start].insts.reserve(old.len());
            let mut block = start;
            for &inst in &old {
                func.set_location_of(inst);
                let (op, is_concerned) = (func.insts[inst].op, self.concerns(func, inst));
                let mut b = Builder::new(func, block);
                if op == Opcode::Raise {
                    self.raise(&mut b, inst);
                } else if let Some(call) = op.handled_call() {
                    let raises = self.raises.call(op, b.func.insts[inst].imm);
                    let exception = self.unhandled(&mut b, inst, call);
                    if raises {
                        let handler = self.handler(b.func, exception, edges[1].clone());
                        let normal = (edges[0].block, b.func.edge_args(&edges[0]).to_vec());
                        self.ask(&mut b, handler, (normal.0, &normal.1));
                    } else {
                        b.inst(Opcode::Jump, 0, 0, &[]);
                        b.func.blocks[block].edges.push(edges[0].clone());
                    }
                } else {
                    b.func.blocks[block].insts.push(inst);
                    if is_concerned {
                        let leave = *leaving.get_or_insert_with(|| self.leaving(b.func));
                        let next = b.func.new_block();
                        self.ask(&mut b, leave, (next, &[]));
                        block = next;
                    }
                }
            }
            if func.blocks[block].edges.is_empty() {
                func.blocks[block].edges = edges;
            }
        }
        func.set_location(crate::source::Location::NONE);
    }

    /// Is an instruction one that is expanded, or a call after which somebody has to ask?
    fn concerns(&self, func: &Func, inst: Inst) -> bool {
        let data = &func.insts[inst];
        data.op == Opcode::Raise || data.op.handled_call().is_some() || self.raises.call(data.op, data.imm)
    }

    /// Stores an exception and returns.
    fn raise(&self, b: &mut Builder, inst: Inst) {
        let exception = b.func.args(inst)[0];
        b.caf(Opcode::SetCafRef, self.storage, 0, &[exception]);
        let one = b.iconst64(1);
        b.caf(Opcode::SetCafI64, self.storage, 0, &[one]);
        self.leave(b);
    }

    /// Returns something that nobody looks at.
    fn leave(&self, b: &mut Builder) {
        let types = b.func.signature.results.clone();
        let results: Vec<Value> = types
            .iter()
            .map(|ty| match ty {
                Type::I32 => b.iconst32(0),
                Type::I64 => b.iconst64(0),
                Type::F64 => b.fconst(0),
                Type::Ref => b.node(self.none),
            })
            .collect();
        b.ret(&results);
    }

    /// A block where the function returns.
    fn leaving(&self, func: &mut Func) -> Block {
        let block = func.new_block();
        func.blocks[block].is_cold = true;
        self.leave(&mut Builder::new(func, block));
        block
    }

    /// Ends a block after a call: goes to the first target if the call has raised something, otherwise to the other.
    fn ask(&self, b: &mut Builder, raised: Block, normal: (Block, &[Value])) {
        let inst = b.caf(Opcode::CafI64, self.storage, 0, &[]);
        let (flag, zero) = (b.func.result(inst), b.iconst64(0));
        let is_raised = b.op(Opcode::Ne, &[flag, zero]);
        b.br_if(is_raised, (raised, &[]), normal);
    }

    /// A call with a handler becomes the mere call, at the end of the block; gives the exception, which nothing defines
    /// any more.
    fn unhandled(&self, b: &mut Builder, inst: Inst, call: Opcode) -> Value {
        let results = b.func.results(inst).to_vec();
        let (&exception, results) = results.split_last().expect("the exception");
        let results = ValueList::from_slice(results, &mut b.func.pool);
        let data = &mut b.func.insts[inst];
        (data.op, data.results) = (call, results);
        b.func.blocks[b.block].insts.push(inst);
        exception
    }

    /// A block that takes the exception out of its storage and goes to the handler with it.
    fn handler(&self, func: &mut Func, exception: Value, edge: Edge) -> Block {
        let block = func.new_block();
        func.blocks[block].is_cold = true;
        let mut b = Builder::new(func, block);
        let taken = b.caf(Opcode::CafRef, self.storage, 0, &[]);
        b.func.insts[taken].results = ValueList::from_slice(&[exception], &mut b.func.pool);
        // What nobody needs any more is not kept alive.
        let none = b.node(self.none);
        b.caf(Opcode::SetCafRef, self.storage, 0, &[none]);
        let zero = b.iconst64(0);
        b.caf(Opcode::SetCafI64, self.storage, 0, &[zero]);
        b.inst(Opcode::Jump, 0, 0, &[]);
        b.func.blocks[block].edges.push(edge);
        block
    }
}
