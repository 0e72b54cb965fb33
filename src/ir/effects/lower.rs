//! Makes calls of what performs, handles and resumes. What is called has bodies that stand for the real ones until
//! exceptions have been expanded: they raise, if the real ones may.

use super::*;
use crate::builder::Builder;
use crate::call_target::CallTarget;
use crate::entity::{Inst, Value};
use crate::layout::{NODE_INFO_REMAINING, TAG_HNF};
use crate::opcode::{Handling, Opcode, ResultRule};
use crate::stop_with_name::StopWithName;
use crate::value_list::ValueList;
use cleave_abi::libcalls;

/// Lowers all that a module has; nothing if there is none.
pub(crate) fn lower(module: &mut Module) -> Option<Effects> {
    if !has_effects(module) {
        return None;
    }
    let of_program = module.funcs.len();
    let discontinues = module.funcs.values().any(|func| {
        let mut insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
        insts.any(|&inst| func.insts[inst].op == Opcode::Discontinue)
    });
    let resumption_raises = discontinues || has_exceptions(module);
    let mut effects = Effects::new(module);
    if discontinues {
        let outcome = Signature::new(&[Type::Ref; 2], &ResultRule::OUTCOME);
        let id = effects.func(module, "effect.discontinue", outcome);
        effects.discontinue = Some(id);
        effects.handlers.insert(id);
        let id = effects.func(module, "effect.raise", Signature::ptrs(1));
        stand_in(module, id, true);
        effects.raise = Some(id);
    }
    stand_in(module, effects.perform, discontinues);
    for id in [effects.resume].into_iter().chain(effects.discontinue) {
        stand_in(module, id, resumption_raises);
    }
    for id in [effects.push, effects.take, effects.run] {
        stand_in(module, id, false);
    }
    let mut handled = FxHashMap::default();
    for at in 0..of_program {
        effects.lower_func(module, FuncId::from_u32(at as u32), &mut handled);
    }
    let performs = Raises::reaching(module, Opcode::handled_call, vec![effects.perform], &effects.handlers);
    for at in 0..module.funcs.len() {
        effects.calls_of_func(module, FuncId::from_u32(at as u32), &performs);
    }
    effects.stop_what_nobody_handles(module, &performs);
    Some(effects)
}

/// A body that raises its last parameter, or gives something.
fn stand_in(module: &mut Module, id: FuncId, raises: bool) {
    let func = &mut module.funcs[id];
    let (types, results) = (func.signature.params.to_vec(), func.signature.results.to_vec());
    let entry = func.new_block();
    let params: Vec<Value> = types.iter().map(|&ty| func.add_param(entry, ty)).collect();
    let mut b = Builder::new(func, entry);
    if raises {
        return b.raise(params[params.len() - 1]);
    }
    let values: Vec<Value> =
        results.iter().map(|&ty| if ty == Type::Ref { params[params.len() - 1] } else { b.iconst32(0) }).collect();
    b.ret(&values);
}

/// The functions that handle the effects of a call: by the call, and the number of its operands.
type Handled = FxHashMap<(Opcode, u64, usize), FuncId>;

impl Effects {
    fn lower_func(&mut self, module: &mut Module, id: FuncId, handled: &mut Handled) {
        for at in 0..module.funcs[id].layout.len() {
            let block = module.funcs[id].layout[at];
            for at in 0..module.funcs[id].blocks[block].insts.len() {
                let func = &module.funcs[id];
                let inst = func.blocks[block].insts[at];
                let op = func.insts[inst].op;
                let callee = match Handling::of(op) {
                    Some(Handling::Perform) => self.perform,
                    Some(Handling::Resume) => self.resume,
                    Some(Handling::Discontinue) => self.discontinue.expect("there is such an instruction"),
                    Some(Handling::HandleCall | Handling::HandleCallTable)
                    | Some(Handling::HandleCallMethod | Handling::HandleApply) => {
                        let call = op.delimited_call().expect("it has a handler");
                        self.handling(module, id, inst, call, handled)
                    }
                    Some(Handling::TryCall | Handling::TryCallTable | Handling::TryCallMethod) => continue,
                    Some(Handling::TryApply | Handling::Raise) | None => continue,
                };
                let data = &mut module.funcs[id].insts[inst];
                (data.op, data.imm, data.aux) = (Opcode::Call, u64::from(callee.as_u32()), 0);
            }
        }
    }

    /// The function that makes a call and handles its effects.
    fn handling(&mut self, module: &mut Module, id: FuncId, inst: Inst, call: Opcode, handled: &mut Handled) -> FuncId {
        let func = &module.funcs[id];
        let (imm, args) = (func.insts[inst].imm, func.args(inst));
        let key = (call, imm, args.len());
        if let Some(&known) = handled.get(&key) {
            return known;
        }
        let types: Vec<Type> = args.iter().map(|&arg| func.values[arg]).collect();
        let of = match CallTarget::of(call, imm) {
            Some(CallTarget::Func(id)) => module.funcs[id].name.clone(),
            Some(CallTarget::Table(table) | CallTarget::Method(table)) => module.tables[table].label.clone(),
            Some(CallTarget::Closure) => format!("apply.{}", args.len() - 1),
            Some(CallTarget::Extern(..) | CallTarget::Thunk | CallTarget::Entry) | None => {
                unreachable!("{} has no handler", call.name())
            }
        };
        let id = self.func(module, &format!("effect.handle.{of}"), Signature::new(&types, &ResultRule::OUTCOME));
        self.handlers.insert(id);
        let func = &mut module.funcs[id];
        let entry = func.new_block();
        let params: Vec<Value> = types.iter().map(|&ty| func.add_param(entry, ty)).collect();
        let mut b = Builder::new(func, entry);
        let inst = b.func.append(entry, call, imm, 0, &params, &[Type::Ref]);
        let result = b.func.result(inst);
        let [suspended, done] = [(); 2].map(|()| b.func.new_block());
        self.ask(&mut b, (suspended, &[]), (done, &[]));
        b.switch_to(suspended);
        let none = self.none(&mut b);
        b.tail_call(self.take, &[none]);
        b.switch_to(done);
        let [zero, none] = [b.iconst32(0), self.none(&mut b)];
        b.ret(&[zero, result, none]);
        handled.insert(key, id);
        id
    }

    /// Of a function that may have to leave: a call whose results it returns is a last call, which leaves no frame; and
    /// a closure takes several arguments one by one, so that there is a frame for those that are left.
    fn calls_of_func(&mut self, module: &mut Module, id: FuncId, performs: &Raises) {
        for at in 0..module.funcs[id].layout.len() {
            let block = module.funcs[id].layout[at];
            let insts = module.funcs[id].blocks[block].insts.clone();
            for (at, &inst) in insts.iter().enumerate() {
                let func = &module.funcs[id];
                let data = &func.insts[inst];
                let mere = data.op.handled_call().unwrap_or(data.op);
                if performs.closures && matches!(mere, Opcode::Apply | Opcode::TailApply) && func.args(inst).len() > 2 {
                    let callee = self.application(module, module.funcs[id].args(inst).len() as u32 - 1);
                    let data = &mut module.funcs[id].insts[inst];
                    data.op = data.op.by_name().expect("a call of a closure");
                    data.imm = u64::from(callee.as_u32());
                }
                let func = &mut module.funcs[id];
                let data = &func.insts[inst];
                let (op, imm) = (data.op, data.imm);
                let Some(&last) = insts.get(at + 1) else { continue };
                let is_last = func.insts[last].op == Opcode::Return && func.args(last) == func.results(inst);
                let in_steps = || op == Opcode::Call && self.apply.values().any(|id| imm == u64::from(id.as_u32()));
                if is_last && (performs.call(op, imm) || in_steps()) {
                    let data = &mut func.insts[inst];
                    // Evaluation performs nothing, and what has a handler stays.
                    let has_target = [Opcode::Call, Opcode::CallTable, Opcode::CallMethod, Opcode::Apply].contains(&op);
                    let Some(tail) = op.as_tail().filter(|_| has_target) else { continue };
                    data.op = tail;
                    data.results = ValueList::new();
                    func.blocks[block].insts.truncate(at + 1);
                }
            }
        }
    }

    /// The function that applies to so many arguments: at once if the closure lacks just these.
    fn application(&mut self, module: &mut Module, arguments: u32) -> FuncId {
        if let Some(&known) = self.apply.get(&arguments) {
            return known;
        }
        let fewer = (arguments > 2).then(|| self.application(module, arguments - 1));
        let id = self.func(module, &format!("effect.apply.{arguments}"), Signature::ptrs(arguments + 1));
        let func = &mut module.funcs[id];
        let entry = func.new_block();
        let params: Vec<Value> = (0..=arguments).map(|_| func.add_param(entry, Type::Ref)).collect();
        let mut b = Builder::new(func, entry);
        let [exact, other] = [(); 2].map(|()| b.func.new_block());
        let header = b.op(Opcode::Header, &[params[0]]);
        let missing = b.value(Opcode::LoadU16, u64::from(NODE_INFO_REMAINING - TAG_HNF), 0, &[header]);
        let wanted = b.iconst32(arguments as i32);
        let is_exact = b.op(Opcode::Eq, &[missing, wanted]);
        b.br_if(is_exact, (exact, &[]), (other, &[]));
        b.switch_to(exact);
        b.tail_apply(&params);
        b.switch_to(other);
        let mut rest = vec![b.apply(&params[..2])];
        rest.extend(&params[2..]);
        match fewer {
            Some(fewer) => b.tail_call(fewer, &rest),
            None => b.tail_apply(&rest),
        }
        self.apply.insert(arguments, id);
        id
    }

    /// Who calls the program calls functions that handle every effect.
    fn stop_what_nobody_handles(&mut self, module: &mut Module, performs: &Raises) {
        let entries = module.entries.iter().map(|entry| entry.func);
        let outermost: Vec<FuncId> =
            module.start.into_iter().chain(entries).filter(|&func| performs.func(func)).collect();
        let mut made: FxHashMap<FuncId, FuncId> = FxHashMap::default();
        for func in outermost {
            made.entry(func).or_insert_with(|| self.stopping(module, func));
        }
        let replaced = |func: FuncId| made.get(&func).copied().unwrap_or(func);
        module.start = module.start.map(replaced);
        module.entries.iter_mut().for_each(|entry| entry.func = replaced(entry.func));
    }

    /// A function that calls another one, and stops the program with the name of an effect's constructor.
    fn stopping(&mut self, module: &mut Module, of: FuncId) -> FuncId {
        let stop = StopWithName::new(module, &libcalls::UNHANDLED, "Unhandled effect: an integer\n");
        let signature = module.funcs[of].signature.clone();
        let name = format!("unhandled.{}", module.funcs[of].name);
        let id = self.func(module, &name, signature.clone());
        self.handlers.insert(id);
        let func = &mut module.funcs[id];
        let entry = func.new_block();
        let params: Vec<Value> = signature.params.iter().map(|&ty| func.add_param(entry, ty)).collect();
        let mut b = Builder::new(func, entry);
        let inst = b.call(of, &params, &signature.results);
        let results = b.func.results(inst).to_vec();
        let [suspended, done] = [(); 2].map(|()| b.func.new_block());
        self.ask(&mut b, (suspended, &[]), (done, &[]));
        b.switch_to(suspended);
        let effect = b.caf(Opcode::CafRef, self.storage, EFFECT, &[]);
        let effect = b.func.result(effect);
        stop.emit(&mut b, effect);
        b.switch_to(done);
        b.ret(&results);
        id
    }
}
