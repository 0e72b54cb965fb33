//! Interprocedural constant propagation: constants, descriptors of closures and evaluatedness of arguments.
//!
//! Each function is rewritten with what `arguments` found out about its parameters, or the arguments of the thunk that
//! it is the code of:
//!
//! ```text
//! v1 = arg.ref v0 (2, 0) 0            v1 = arg.ref v0 (2, 0) 0     every such thunk is built with `build $p/1 …`
//! v2 = eval v1                 ─▶
//! v3 = apply v2, v9                   v3 = call @p(v1, v9)
//! ```
//! * constants take the place of parameters and arguments;
//! * nodes that are always passed evaluated are not evaluated; headers of known closures are constants;
//! * applications of known closures call their code, or build the node with more arguments; instance calls of nodes
//!   whose descriptor is known become direct.
//!
//! Rows that are compared and so on are folded by the same rules (`transfer`); branches on the results are left to
//! `instcombine` and `simplify-cfg`. Comes before `lower-apply`, after which no application is left, and before
//! `inline`, which copies what is now called directly.
//!
//! Source of the idea: D. Callahan, K. Cooper, K. Kennedy and L. Torczon, *Interprocedural constant propagation*, 1986.

use crate::analysis::lattice::Application;
use crate::analysis::values::{Rename, Scratch};
use crate::ipo::arguments::ProgramFacts;
use cleave_ir::{CallTarget, Desc, EntityRef, Func, FuncId, Inst, Module, Opcode, Type, Value, ValueList, pack};
use smallvec::SmallVec;

/// Rewrites all functions; true if something changed.
pub fn run(module: &mut Module, scratch: &mut Scratch) -> bool {
    let mut known = ProgramFacts::new(module);
    known.solve(module);
    let mut changed = false;
    for id in (0..module.funcs.len()).map(FuncId::new) {
        let mut func = std::mem::take(&mut module.funcs[id]);
        known.look_at(module, id, &func);
        changed |= Rewrite { known: &known, module, rename: &mut scratch.rename, before: Vec::new(), changed: false }
            .function(id, &mut func);
        module.funcs[id] = func;
    }
    changed
}

/// Uses the facts about one function.
struct Rewrite<'a> {
    known: &'a ProgramFacts,
    module: &'a Module,
    rename: &'a mut Rename,
    /// Instructions to put in front of others in the block that is looked at.
    before: Vec<(Inst, SmallVec<[Inst; 4]>)>,
    changed: bool,
}

impl Rewrite<'_> {
    fn function(mut self, id: FuncId, func: &mut Func) -> bool {
        self.rename.start(func);
        for index in 0..func.layout.len() {
            let block = func.layout[index];
            let mut insts = std::mem::take(&mut func.blocks[block].insts);
            insts.retain(|&inst| self.inst(func, inst));
            for (inst, before) in self.before.drain(..).rev() {
                if let Some(at) = insts.iter().rposition(|&other| other == inst) {
                    insts.splice(at..at, before);
                }
            }
            func.blocks[block].insts = insts;
        }
        self.params(id, func);
        self.rename.apply(func);
        self.changed
    }

    /// Parameters that are always the same constant.
    fn params(&mut self, id: FuncId, func: &mut Func) {
        let entry = func.entry_block();
        for index in 0..func.params(entry).len() {
            let param = func.params(entry)[index];
            let passed = self.known.passed[self.known.of_func[id] as usize + index];
            let is_constant = self.known.values[param].constant().is_some();
            if let Some(constant) = passed.constant().filter(|_| is_constant) {
                let ty = func.values[param];
                let inst = func.make_inst(constant.op, constant.imm, constant.aux, &[], &[ty]);
                func.blocks[entry].insts.insert(0, inst);
                self.rename.set(param, func.result(inst));
                self.changed = true;
            }
        }
    }

    /// Rewrites one instruction; false if it is to be removed.
    fn inst(&mut self, func: &mut Func, inst: Inst) -> bool {
        let data = &func.insts[inst];
        let op = data.op;
        match data.call_target() {
            Some(CallTarget::Thunk) => {
                let is_eval = op == Opcode::Eval || op == Opcode::TailEval;
                if !is_eval || !self.known.values[func.args(inst)[0]].is_evaluated() {
                    return true;
                }
                self.changed = true;
                if op == Opcode::Eval {
                    let (node, result) = (func.args(inst)[0], func.result(inst));
                    self.rename.set(result, node);
                    return false;
                }
                func.insts[inst].op = Opcode::Return;
            }
            Some(CallTarget::Method(table)) => {
                let node_info = self.known.values[func.args(inst)[0]].node_info();
                let method = node_info.and_then(|(desc, _)| self.module.descs[desc].method);
                if let Some((_, target)) = method.filter(|&(of, _)| of == table) {
                    self.call(func, inst, target);
                }
            }
            Some(CallTarget::Closure) => {
                let arguments = func.args(inst).len() as u32 - 1;
                match self.known.values[func.args(inst)[0]].application(self.module, arguments) {
                    Some(Application::Call(target, taken)) if taken == arguments => self.call(func, inst, target),
                    Some(Application::Call(target, taken)) => self.call_and_apply(func, inst, target, taken),
                    Some(Application::Build(desc, applied_args)) => self.build(func, inst, desc, applied_args),
                    None => {}
                }
            }
            Some(CallTarget::Func(_) | CallTarget::Extern(..) | CallTarget::Table(_) | CallTarget::Entry) => {}
            None => {
                if !op.is_constant()
                    && op.is_removable()
                    && let [result] = func.results(inst)[..]
                    && let Some(constant) = self.known.values[result].constant()
                {
                    let data = &mut func.insts[inst];
                    (data.op, data.imm, data.aux) = (constant.op, constant.imm, constant.aux);
                    data.args = ValueList::new();
                    self.changed = true;
                }
            }
        }
        true
    }

    /// Makes an application or instance call a direct call of `target`.
    fn call(&mut self, func: &mut Func, inst: Inst, target: FuncId) {
        let data = &mut func.insts[inst];
        data.op = if data.op.is_terminator() { Opcode::TailCall } else { Opcode::Call };
        data.imm = u64::from(target.as_u32());
        self.changed = true;
    }

    /// A closure that lacks fewer arguments than it is applied to: its result is applied to the rest.
    fn call_and_apply(&mut self, func: &mut Func, inst: Inst, target: FuncId, taken: u32) {
        let args: SmallVec<[Value; 8]> = func.args(inst).into();
        let (first, rest) = args.split_at(1 + taken as usize);
        let call = func.make_inst(Opcode::Call, u64::from(target.as_u32()), 0, first, &[Type::Ref]);
        let mut operands: SmallVec<[Value; 8]> = SmallVec::from_slice(&[func.result(call)]);
        operands.extend_from_slice(rest);
        func.set_args(inst, &operands);
        self.before.push((inst, SmallVec::from_slice(&[call])));
        self.changed = true;
    }

    /// A closure that lacks more: a new one that holds the arguments, too.
    fn build(&mut self, func: &mut Func, inst: Inst, desc: Desc, applied_args: u32) {
        let args: SmallVec<[Value; 8]> = func.args(inst).into();
        let mut before: SmallVec<[Inst; 4]> = (0..applied_args)
            .map(|index| func.make_inst(Opcode::GetRef, pack(applied_args, 0), index, &args[..1], &[Type::Ref]))
            .collect();
        let mut fields: SmallVec<[Value; 8]> = before.iter().map(|&get| func.result(get)).collect();
        fields.extend_from_slice(&args[1..]);
        let (node_info, now) = (u64::from(desc.as_u32()), fields.len() as u32);
        if func.insts[inst].op == Opcode::TailApply {
            let build = func.make_inst(Opcode::BuildNode, node_info, now, &fields, &[Type::Ref]);
            before.push(build);
            let node = func.result(build);
            func.set_args(inst, &[node]);
            func.insts[inst].op = Opcode::Return;
        } else {
            func.set_args(inst, &fields);
            let data = &mut func.insts[inst];
            (data.op, data.imm, data.aux) = (Opcode::BuildNode, node_info, now);
        }
        self.before.push((inst, before));
        self.changed = true;
    }
}
