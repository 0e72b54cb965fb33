//! Lets a function leave while it waits for a call, and go on behind it later.
//!
//! ```text
//! f: v                             f: v                             f.resumed: frame, given     
//!    …                                …                                switch frame
//!    x = call @g(v)                   x = call @g(v)                 $f.1: w = get.ref frame 0
//!    y = iadd x, v          ──▶       br_if suspended, leave, behind    jump behind(given, w)
//!    …                             leave:                            behind: x, v
//!                                     build $f.1 v; push; return       y = iadd x, v
//!                                  behind:                             …
//!                                     y = iadd x, v
//! ```
//! The function itself is never entered in its middle. The copy that is has nothing but what follows a call; `peel`
//! copies the rest of an iteration for calls in loops.

use super::*;
use crate::builder::Builder;
use crate::cfg::Cfg;
use crate::dom::DomTree;
use crate::entity::{Block, Inst, Value};
use crate::func::Edge;
use crate::liveness::Liveness;
use crate::opcode::Opcode;
use crate::peel;
use crate::source::Location;
use crate::ssa::{self, Definition};
use crate::value_list::ValueList;
use cranelift_entity::SecondaryMap;

/// Memory that functions use one after the other.
#[derive(Default)]
struct Scratch {
    cfg: Cfg,
    dom: DomTree,
    liveness: Liveness,
    ssa: ssa::Scratch,
}

/// A call that may return because an effect is on its way: it ends a block, and the rest is in another one.
struct Site {
    block: Block,
    call: Inst,
    behind: Block,
    /// What lives behind the call, but for its results: references first.
    kept: Vec<Value>,
    /// The descriptor of its frames.
    desc: Desc,
}

impl Effects {
    pub(super) fn capture_all(&mut self, module: &mut Module, performs: &Raises) {
        let mut scratch = Scratch::default();
        for id in (0..module.funcs.len() as u32).map(FuncId::from_u32) {
            if id != self.perform && performs.func(id) {
                self.capture(module, id, performs, &mut scratch);
            }
        }
    }

    fn capture(&mut self, module: &mut Module, id: FuncId, performs: &Raises, scratch: &mut Scratch) {
        let mut func = std::mem::take(&mut module.funcs[id]);
        let mut sites = split(&mut func, performs);
        if sites.is_empty() {
            module.funcs[id] = func;
            return;
        }
        repeat_constants(&mut func);
        let Scratch { cfg, liveness, .. } = scratch;
        cfg.recompute(&func);
        liveness.recompute(&func, cfg, |_| true);
        for (number, site) in (1..).zip(&mut sites) {
            let results = func.results(site.call);
            site.kept = liveness.values(liveness.live_in(site.behind)).filter(|v| !results.contains(v)).collect();
            site.kept.sort_by_key(|&value| func.values[value] != Type::Ref);
            let field = |&value: &Value| if func.values[value] == Type::I32 { Type::I64 } else { func.values[value] };
            let fields: Vec<Type> = site.kept.iter().map(field).collect();
            site.desc = self.desc(module, &format!("{}.{number}", func.name), &fields);
            module.descs[site.desc].immutable = true;
        }
        let rest = self.rest(module, func.clone(), &sites, scratch);
        let name = self.name(&format!("{}.resumed", func.name));
        let results = func.signature.results.to_vec();
        let rest = module.funcs.push(Func { name, ..rest });
        let code = if results == [Type::Ref] { rest } else { self.passing(module, rest, &results) };
        sites.iter().for_each(|site| module.descs[site.desc].method = Some((self.frames, code)));
        func.set_location(Location::NONE);
        for site in &sites {
            let leaving = func.new_block();
            self.leave(&mut func, leaving, site);
            self.leave_or_go_on(&mut func, site.block, leaving);
        }
        scratch.cfg.recompute(&func);
        func.layout.retain(|&block| scratch.cfg.is_reachable(block));
        module.funcs[id] = func;
    }

    /// What goes on behind calls.
    fn rest(&self, module: &mut Module, mut func: Func, sites: &[Site], scratch: &mut Scratch) -> Func {
        let Scratch { cfg, dom, liveness, ssa } = scratch;
        func.set_location(Location::NONE);
        (func.is_outlined, func.fip) = (true, false);
        func.borrows.clear();
        func.signature.params = Signature::ptrs(2).params;
        let entry = func.new_entry();
        let [frame, given] = [(); 2].map(|()| func.add_param(entry, Type::Ref));
        let mut entries: Vec<Block> = sites.iter().map(|site| site.behind).collect();
        let mut copies = peel::run(&mut func, cfg, dom, liveness, &SecondaryMap::new(), &mut entries);
        let mut copied: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        copies.blocks.iter().for_each(|&copy| copied[copies.of[copy].expect("a copy")].push(copy));
        let mut definitions = std::mem::take(&mut copies.definitions);
        let mut cases = Vec::with_capacity(sites.len());
        for (site, entry) in sites.iter().zip(entries) {
            let leaving = func.new_block();
            self.leave(&mut func, leaving, site);
            copies.of[leaving] = Some(site.behind);
            for &block in std::iter::once(&site.block).chain(&copied[site.block]) {
                self.leave_or_go_on(&mut func, block, leaving);
            }
            let back = func.new_block();
            let values = self.restore(module, &mut func, back, site, (frame, given));
            func.append(back, Opcode::Jump, 0, 0, &[], &[]);
            func.add_edge(back, entry, &[]);
            let of = site.kept.iter().chain(func.results(site.call)).copied();
            definitions.extend(of.zip(values).map(|(of, value)| Definition { block: back, of, value }));
            cases.push((site.desc, 0, back));
        }
        Builder::new(&mut func, entry).switch(frame, &cases);
        ssa::repair(&mut func, &definitions, liveness, &copies.of, cfg, dom, ssa);
        func.layout.retain(|&block| cfg.is_reachable(block));
        func
    }

    /// A block where the function leaves a frame and returns.
    fn leave(&self, func: &mut Func, leaving: Block, site: &Site) {
        func.blocks[leaving].is_cold = true;
        let mut b = Builder::new(func, leaving);
        let fields: Vec<Value> = site
            .kept
            .iter()
            .map(|&value| if b.func.values[value] == Type::I32 { b.op(Opcode::ExtendU, &[value]) } else { value })
            .collect();
        let frame = match fields[..] {
            [] => b.node(site.desc),
            _ => b.build_node(site.desc, 0, &fields),
        };
        let results = b.func.signature.results.to_vec();
        if results == [Type::Ref] {
            return b.tail_call(self.push, &[frame]);
        }
        b.call_value(self.push, &[frame], Type::Ref);
        let results: Vec<Value> = results
            .iter()
            .map(|ty| match ty {
                Type::I32 => b.iconst32(0),
                Type::I64 => b.iconst64(0),
                Type::F64 => b.fconst(0),
                Type::Ref => self.none(&mut b),
            })
            .collect();
        b.ret(&results);
    }

    /// Ends a block with a call: does an effect come out of it?
    fn leave_or_go_on(&self, func: &mut Func, block: Block, leaving: Block) {
        let call = *func.blocks[block].insts.last().expect("the block ends with a call");
        let behind = func.blocks[block].edges[0].block;
        func.blocks[block].edges.clear();
        let performs = func.insts[call].op == Opcode::Call && func.insts[call].imm == u64::from(self.perform.as_u32());
        let mut b = Builder::new(func, block);
        if performs { b.jump(leaving, &[]) } else { self.ask(&mut b, (leaving, &[]), (behind, &[])) }
    }

    /// What the frame holds, and the results of the call.
    fn restore(
        &self,
        module: &mut Module,
        func: &mut Func,
        back: Block,
        site: &Site,
        (frame, given): (Value, Value),
    ) -> Vec<Value> {
        let shape = module.shape(site.desc, 0);
        let types = |values: &[Value]| values.iter().map(|&value| func.values[value]).collect::<Vec<Type>>();
        let (kept, results) = (types(&site.kept), types(func.results(site.call)));
        let mut b = Builder::new(func, back);
        let mut values = Vec::with_capacity(kept.len() + results.len());
        for (at, ty) in (0..).zip(kept) {
            values.push(match ty {
                Type::Ref => b.get_of(Opcode::GetRef, shape, at, frame),
                Type::F64 => b.get_of(Opcode::GetF64, shape, at - shape.ptrs, frame),
                Type::I64 => b.get_of(Opcode::GetI64, shape, at - shape.ptrs, frame),
                Type::I32 => {
                    let word = b.get_of(Opcode::GetI64, shape, at - shape.ptrs, frame);
                    b.op(Opcode::Wrap, &[word])
                }
            });
        }
        if results == [Type::Ref] {
            values.push(given);
            return values;
        }
        for (ty, number) in self.places(module, &results) {
            values.push(match ty {
                Type::Ref => self.take_ref(&mut b, number),
                Type::F64 => {
                    let inst = b.caf(Opcode::CafF64, self.storage, number, &[]);
                    b.func.result(inst)
                }
                Type::I64 | Type::I32 => {
                    let inst = b.caf(Opcode::CafI64, self.storage, number, &[]);
                    let word = b.func.result(inst);
                    if ty == Type::I32 { b.op(Opcode::Wrap, &[word]) } else { word }
                }
            });
        }
        values
    }

    /// Where results of these types are in the storage.
    fn places(&self, module: &mut Module, types: &[Type]) -> Vec<(Type, u32)> {
        let (mut refs, mut words) = (FIRST_REF, FIRST_WORD);
        let places = types
            .iter()
            .map(|&ty| {
                let next = if ty == Type::Ref { &mut refs } else { &mut words };
                *next += 1;
                (ty, *next - 1)
            })
            .collect();
        let data = &mut module.cafs[self.storage];
        (data.ptrs, data.nptrs) = (data.ptrs.max(refs), data.nptrs.max(words));
        places
    }

    /// The function that a frame names, if what goes on behind the call gives something else than one reference.
    fn passing(&mut self, module: &mut Module, rest: FuncId, results: &[Type]) -> FuncId {
        let places = self.places(module, results);
        let name = format!("{}.passed", module.funcs[rest].name);
        let id = self.func(module, &name, Signature::ptrs(2));
        let func = &mut module.funcs[id];
        let entry = func.new_block();
        let params = [(); 2].map(|()| func.add_param(entry, Type::Ref));
        let mut b = Builder::new(func, entry);
        let inst = b.call(rest, &params, results);
        for (at, (ty, number)) in places.into_iter().enumerate() {
            let result = b.func.results(inst)[at];
            let (op, value) = match ty {
                Type::Ref => (Opcode::SetCafRef, result),
                Type::F64 => (Opcode::SetCafF64, result),
                Type::I64 => (Opcode::SetCafI64, result),
                Type::I32 => (Opcode::SetCafI64, b.op(Opcode::ExtendU, &[result])),
            };
            b.caf(op, self.storage, number, &[value]);
        }
        let none = self.none(&mut b);
        b.ret(&[none]);
        id
    }
}

/// Ends blocks after calls that an effect may come out of, those that control reaches.
fn split(func: &mut Func, performs: &Raises) -> Vec<Site> {
    let mut sites = Vec::new();
    let may_leave = |func: &Func, inst: Inst| performs.call(func.insts[inst].op, func.insts[inst].imm);
    for mut block in Cfg::compute(func).order {
        while let Some(at) = func.blocks[block].insts.iter().position(|&inst| may_leave(func, inst)) {
            let rest = func.blocks[block].insts.split_off(at + 1);
            let edges = std::mem::take(&mut func.blocks[block].edges);
            let behind = func.new_block();
            (func.blocks[behind].insts, func.blocks[behind].edges) = (rest, edges);
            // For the analyses; `leave_or_go_on` puts an instruction in front of it.
            func.blocks[block].edges.push(Edge { block: behind, args: ValueList::new() });
            let call = func.blocks[block].insts[at];
            sites.push(Site { block, call, behind, kept: Vec::new(), desc: Desc::from_u32(0) });
            block = behind;
        }
    }
    sites
}

/// Constants are made again in each block that uses them, so that frames need not keep them.
fn repeat_constants(func: &mut Func) {
    let mut constant: SecondaryMap<Value, Option<Inst>> = SecondaryMap::new();
    let mut home: SecondaryMap<Value, Option<Block>> = SecondaryMap::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            if func.insts[inst].op.is_constant() {
                let result = func.result(inst);
                (constant[result], home[result]) = (Some(inst), Some(block));
            }
        }
    }
    for block in func.layout.clone() {
        let mut made: Vec<(Value, Value)> = Vec::new();
        let mut new: Vec<Inst> = Vec::new();
        let mut repeat = |func: &mut Func, value: Value| {
            let Some(inst) = constant[value].filter(|_| home[value] != Some(block)) else { return value };
            if let Some(&(_, known)) = made.iter().find(|made| made.0 == value) {
                return known;
            }
            let (op, imm, aux) = (func.insts[inst].op, func.insts[inst].imm, func.insts[inst].aux);
            let copy = func.make_inst(op, imm, aux, &[], &[func.values[value]]);
            new.push(copy);
            made.push((value, func.result(copy)));
            func.result(copy)
        };
        for inst in func.blocks[block].insts.clone() {
            let old = func.args(inst).to_vec();
            let args: Vec<Value> = old.iter().map(|&arg| repeat(func, arg)).collect();
            if args != old {
                func.set_args(inst, &args);
            }
        }
        for at in 0..func.blocks[block].edges.len() {
            let old = func.edge_args(&func.blocks[block].edges[at]).to_vec();
            let args: Vec<Value> = old.iter().map(|&arg| repeat(func, arg)).collect();
            if args != old {
                func.blocks[block].edges[at].args = ValueList::from_slice(&args, &mut func.pool);
            }
        }
        func.blocks[block].insts.splice(0..0, new);
    }
}
