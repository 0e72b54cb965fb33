//! What is known of arguments, over the whole program: constants, descriptors of closures, evaluatedness.
//!
//! Each function is rewritten with what `arguments` found out about its parameters, or the arguments of the thunk that
//! it is the code of:
//!
//! ```text
//! v1 = arg.ref v0 (2, 0) 0            v1 = arg.ref v0 (2, 0) 0     every such thunk is built with `build $p/1 …`
//! v2 = eval v1                 ─▶
//! v3 = call @apply.1(v2, v9)          v3 = call @p(v1, v9)
//! ```
//! * constants take the place of parameters and arguments;
//! * nodes that are always passed evaluated are not evaluated; headers of known closures are constants;
//! * calls through dispatch tables become direct where the descriptor is known (`dispatch` follows the tests of small
//!   functions such as `apply.n` with what the call site knows).
//!
//! Rows that are compared, indices that are loaded from them and so on are folded by the same rules (`transfer`);
//! branches on the results are left to `simplify` and `flow`. Comes before `inline`, which copies what is now called
//! directly.
//!
//! Source of the idea: D. Callahan, K. Cooper, K. Kennedy and L. Torczon, *Interprocedural constant propagation*, 1986.

use crate::analysis::facts::{Fact, transfer};
use crate::analysis::values::{Rename, Scratch};
use crate::whole::arguments::Known;
use cleave_ir::{EntityRef, Func, FuncId, Inst, Module, Opcode, Table, Value, ValueList};
use smallvec::SmallVec;

/// Instructions of a function that `dispatch` follows.
const DISPATCH_STEPS: usize = 16;

/// Rewrites all functions; true if something changed.
pub fn run(module: &mut Module, scratch: &mut Scratch) -> bool {
    let mut known = Known::new(module);
    known.solve(module);
    let mut changed = false;
    for id in (0..module.funcs.len()).map(FuncId::new) {
        let mut func = std::mem::take(&mut module.funcs[id]);
        known.look_at(module, id, &func);
        changed |=
            Rewrite { known: &known, module, rename: &mut scratch.rename, changed: false }.function(id, &mut func);
        module.funcs[id] = func;
    }
    changed
}

/// Uses the facts about one function.
struct Rewrite<'a> {
    known: &'a Known,
    module: &'a Module,
    rename: &'a mut Rename,
    changed: bool,
}

impl Rewrite<'_> {
    fn function(mut self, id: FuncId, func: &mut Func) -> bool {
        self.rename.start(func);
        for index in 0..func.layout.len() {
            let block = func.layout[index];
            let mut insts = std::mem::take(&mut func.blocks[block].insts);
            insts.retain(|&inst| self.inst(func, inst));
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
            if let (Fact::Const(constant), Fact::Const(_)) = (passed, self.known.values[param]) {
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
        match op {
            Opcode::Eval if self.known.values[func.args(inst)[0]].is_evaluated() => {
                let (node, result) = (func.args(inst)[0], func.result(inst));
                self.rename.set(result, node);
                self.changed = true;
                return false;
            }
            Opcode::TailEval if self.known.values[func.args(inst)[0]].is_evaluated() => {
                func.insts[inst].op = Opcode::Return;
                self.changed = true;
            }
            Opcode::CallTable | Opcode::TailCallTable => {
                let table = Table::from_u32(data.imm as u32);
                let (&index, rest) = func.args(inst).split_first().expect("a call through a table has an index");
                if let Some(target) = self.known.values[index].function(self.module, table) {
                    let rest: SmallVec<[Value; 8]> = rest.into();
                    self.call(func, inst, target, &rest);
                }
            }
            Opcode::Call | Opcode::TailCall => {
                let callee = FuncId::from_u32(data.imm as u32);
                if let Some((target, args)) = dispatch(self.known, self.module, callee, func.args(inst)) {
                    self.call(func, inst, target, &args);
                }
            }
            _ if op.is_constant() || !op.is_removable() => {}
            _ => {
                if let [result] = func.results(inst)[..]
                    && let Fact::Const(constant) = self.known.values[result]
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

    /// Makes a call, through a table or not, a direct call of `target`.
    fn call(&mut self, func: &mut Func, inst: Inst, target: FuncId, args: &[Value]) {
        func.set_args(inst, args);
        let data = &mut func.insts[inst];
        data.op = match data.op {
            Opcode::CallTable | Opcode::Call => Opcode::Call,
            _ => Opcode::TailCall,
        };
        data.imm = u64::from(target.as_u32());
        self.changed = true;
    }
}

/// The function that a call leads to when the tests of the called one are answered with what is known of the
/// operands, and which of the operands it gets.
pub(crate) fn dispatch(
    known: &Known,
    module: &Module,
    callee: FuncId,
    args: &[Value],
) -> Option<(FuncId, SmallVec<[Value; 4]>)> {
    if !args.iter().any(|&arg| known.values[arg].row().is_some()) {
        return None;
    }
    let func = module.funcs.get(callee)?;
    // Empty while it is being rewritten.
    let mut block = func.entry?;
    let params = func.params(block);
    let mut facts: SmallVec<[(Value, Fact); 24]> =
        params.iter().zip(args).map(|(&param, &arg)| (param, known.values[arg])).collect();
    let mut branches = 0;
    for _ in 0..DISPATCH_STEPS {
        let (&last, insts) = func.blocks[block].insts.split_last()?;
        let find =
            |facts: &[(Value, Fact)], value| facts.iter().find(|fact| fact.0 == value).map_or(Fact::Any, |fact| fact.1);
        for &inst in insts {
            let is_test = func.insts[inst].op.is_removable() && facts.len() < DISPATCH_STEPS + args.len();
            if !is_test {
                return None;
            }
            let fact = transfer(module, func, inst, |value| find(&facts, value));
            if fact == Fact::Any {
                return None;
            }
            facts.push((func.result(inst), fact));
        }
        let targets = match func.insts[last].op {
            Opcode::BrIf => {
                let Fact::Const(condition) = find(&facts, func.args(last)[0]) else { return None };
                branches += 1;
                &func.blocks[block].edges[usize::from(condition.imm as u32 == 0)]
            }
            Opcode::Jump => &func.blocks[block].edges[0],
            Opcode::TailCallTable if branches > 0 => {
                let (&index, rest) = func.args(last).split_first()?;
                let table = Table::from_u32(func.insts[last].imm as u32);
                let target = find(&facts, index).function(module, table)?;
                let position = |&value: &Value| params.iter().position(|&param| param == value);
                let operands = rest.iter().map(|value| position(value).map(|at| args[at])).collect::<Option<_>>()?;
                return Some((target, operands));
            }
            _ => return None,
        };
        if !targets.args.is_empty() {
            return None;
        }
        block = targets.block;
    }
    None
}
