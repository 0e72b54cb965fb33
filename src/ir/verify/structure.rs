//! Structural rules: blocks and edges, one definition per value that dominates its uses, opcodes of the phase,
//! entities that exist. Establishes what the other checks and every analysis rely on, so nothing here may panic on
//! a malformed function.

use super::report::{Location, Sink, VerifyError, callee, is_safepoint, type_list};
use crate::cfg::Cfg;
use crate::dom::DomTree;
use crate::entity::{Block, Caf, Desc, FuncId, Inst, Static, Table, ThunkInfo, Value};
use crate::func::{Edge, Func, InstData, Phase};
use crate::lowered_signature::stack_pointer_operand;
use crate::module::Module;
use crate::opcode::{Flags, ImmKind, Opcode, Terminator};
use crate::types::Type;
use cranelift_entity::{EntitySet, SecondaryMap};

/// Where a value is defined: block, and position there (parameters 0, instruction `i` is `i + 1`).
#[derive(Clone, Copy)]
struct Def {
    block: u32,
    position: u32,
}

const NOWHERE: Def = Def { block: u32::MAX, position: 0 };

struct Checker<'a> {
    module: &'a Module,
    func: &'a Func,
    sink: Sink<'a>,
    defs: SecondaryMap<Value, Def>,
}

/// Returns the control-flow graph for the checks that follow.
pub(super) fn check(module: &Module, func: &Func) -> Result<Cfg, Vec<VerifyError>> {
    let defs = SecondaryMap::with_default(NOWHERE);
    let mut checker = Checker { module, func, sink: Sink::new(module, func), defs };
    checker.graph();
    if !checker.sink.errors.is_empty() {
        return Err(checker.sink.errors);
    }
    checker.definitions();
    let cfg = Cfg::compute(func);
    checker.dominance(&cfg);
    checker.sink.finish()?;
    Ok(cfg)
}

impl Checker<'_> {
    fn error(&mut self, at: Location, message: String) {
        self.sink.push(at, message);
    }

    /// Layout, entry, terminators, edges, entities.
    fn graph(&mut self) {
        let func = self.func;
        let Some(entry) = func.entry else {
            return self.error(Location::Func, "no entry block".into());
        };
        if func.layout.first() != Some(&entry) {
            self.error(Location::Func, "the entry block is not the first of the layout".into());
        }
        let mut listed = EntitySet::new();
        let mut placed = EntitySet::new();
        for &block in &func.layout {
            if !func.blocks.is_valid(block) {
                self.error(Location::Func, format!("the layout names {block}, which does not exist"));
            } else if !listed.insert(block) {
                self.error(Location::Block(block), format!("{block} is listed twice in the layout"));
            }
        }
        if !self.sink.errors.is_empty() {
            return;
        }
        for (number, &block) in func.layout.iter().enumerate() {
            let data = &func.blocks[block];
            for &param in func.params(block) {
                if !func.values.is_valid(param) {
                    self.error(Location::Block(block), format!("{param} does not exist"));
                }
            }
            let last = data.insts.len().wrapping_sub(1);
            let (mut terminated, mut is_cut) = (false, false);
            for (i, &inst) in data.insts.iter().enumerate() {
                if !func.insts.is_valid(inst) {
                    self.error(Location::Block(block), format!("{inst} does not exist"));
                    return;
                }
                if !placed.insert(inst) {
                    self.error(Location::Inst(block, inst), "the instruction is in two places".into());
                }
                let op = func.insts[inst].op;
                if op.is_terminator() && i != last {
                    is_cut = true;
                    self.error(
                        Location::Inst(block, inst),
                        "a terminator inside a block: what stands behind it is never reached".into(),
                    );
                }
                terminated = op.is_terminator();
                self.inst(block, inst);
            }
            if !terminated && is_cut {
                continue;
            }
            if !terminated {
                // In other languages it would go on there.
                let next = func.layout.get(number + 1).map(|&next| {
                    let args = if func.blocks[next].params.is_empty() { "" } else { "(…)" };
                    format!("; to go on in {next} is a `jump {next}{args}`")
                });
                let is_endless = |it: &InstData| it.op == Opcode::CallRt && it.external().1.never_returns();
                let ends = if data.insts.last().is_some_and(|&inst| is_endless(&func.insts[inst])) {
                    "nothing is reached behind this call: write `unreachable`".to_string()
                } else {
                    format!("it ends with `ret`, `jump`, `br_if` or the like{}", next.unwrap_or_default())
                };
                let at = data.insts.last().map_or(Location::Block(block), |&inst| Location::Inst(block, inst));
                self.error(at, format!("{block} has no terminator: {ends}"));
                continue;
            }
            let terminator = data.insts[last];
            let edges = data.edges.len();
            let op = func.insts[terminator].op;
            let (wanted, text) = match Terminator::of(op) {
                Some(Terminator::Jump) => (edges == 1, "one target"),
                Some(Terminator::BrIf) => (edges == 2, "two targets"),
                Some(Terminator::BrTable) => (edges >= 1, "one target or more"),
                None if op.handled_call().is_some() => (edges == 2, "two targets"),
                Some(Terminator::Return | Terminator::Unreachable) | None => (edges == 0, "no target"),
            };
            if !wanted {
                let name = op.name();
                let message = match data.edges.first().filter(|_| text == "no target") {
                    Some(edge) => format!("`{name}` takes values, and has no target: {} is one", edge.block),
                    None => format!("wrong number of targets: `{name}` has {text}, not {edges}"),
                };
                self.error(Location::Inst(block, terminator), message);
            }
            for edge in &data.edges {
                let at = Location::Inst(block, terminator);
                if !listed.contains(edge.block) {
                    self.error(at, format!("{} is not in the layout", edge.block));
                    continue;
                }
                if edge.block == entry {
                    self.error(at, format!("a branch to the entry block {entry}: a loop begins in another block"));
                }
                let (given, taken) = (func.edge_args(edge).len(), func.params(edge.block).len());
                if given != taken {
                    self.error(at, self.arguments(edge, given, taken));
                }
            }
        }
        let params = func.params(entry);
        let signature = &func.signature.params;
        if params.len() != signature.len()
            || params.iter().zip(signature).any(|(&v, &ty)| func.values.get(v).is_some_and(|&t| t != ty))
        {
            let own: Vec<Type> = params.iter().filter_map(|&param| func.values.get(param).copied()).collect();
            let (own, signature) = (type_list(&own), type_list(signature));
            let message = "the parameters of the entry block differ from the signature";
            self.error(Location::Block(entry), format!("{message}: {own}, not {signature}"));
        }
    }

    /// What to say of a target with another number of arguments than its block takes.
    fn arguments(&self, edge: &Edge, given: usize, taken: usize) -> String {
        let (func, block) = (self.func, edge.block);
        let types_of = |list: &[Value]| -> Option<Vec<Type>> {
            list.iter().map(|&value| func.values.get(value).copied()).collect()
        };
        let types = types_of(func.params(block));
        if taken == 0 {
            let args = types_of(func.edge_args(edge));
            let mut others = func.layout.iter().copied().filter(|&other| func.blocks.is_valid(other));
            let mut fitting = others
                .by_ref()
                .filter(|&other| other != block && Some(other) != func.entry && types_of(func.params(other)) == args);
            let meant = fitting.next().filter(|_| fitting.next().is_none());
            let meant = meant.map_or_else(String::new, |meant| format!(": did you mean `{meant}`?"));
            return format!("{block} takes no arguments, not {given}{meant}");
        }
        let (plural, types) = (if taken == 1 { "" } else { "s" }, type_list(&types.unwrap_or_default()));
        let form = format!(": they stand behind it, `{block}(…)`");
        let form = if given == 0 { &form } else { "" };
        format!("{block} takes {taken} argument{plural} {types}, not {given}{form}")
    }

    /// Phase, entities of the operands, results and immediates of one instruction.
    fn inst(&mut self, block: Block, inst: Inst) {
        let func = self.func;
        let data = &func.insts[inst];
        let info = data.op.info();
        let at = Location::Inst(block, inst);
        if !info.phases.contains(func.phase) {
            let (phase, allowed) = (func.phase.word(), info.phases);
            self.error(at, format!("`{}` is not allowed in {phase} IR, only in {allowed}", info.name));
        }
        for &value in func.args(inst).iter().chain(func.results(inst)) {
            if !func.values.is_valid(value) {
                self.error(at, format!("{value} does not exist"));
            }
        }
        let module = self.module;
        let number = data.imm as u32;
        let exists = match info.imm {
            ImmKind::Func => module.funcs.is_valid(FuncId::from_u32(number)),
            ImmKind::Extern => module.externs.is_valid(data.external().0),
            ImmKind::Table => module.tables.is_valid(Table::from_u32(number)),
            ImmKind::NodeInfo | ImmKind::Desc => module.descs.is_valid(Desc::from_u32(number)),
            ImmKind::ThunkInfo => module.thunk_infos.is_valid(ThunkInfo::from_u32(number)),
            ImmKind::Static => module.statics.is_valid(Static::from_u32(number)),
            ImmKind::Caf => module.cafs.is_valid(Caf::from_u32(number)),
            ImmKind::None | ImmKind::Frame => data.imm == 0,
            _ => true,
        };
        if !exists || (has_entity(info.imm) && data.imm > u64::from(u32::MAX)) {
            return self.error(at, format!("the immediate {} names nothing", data.imm));
        }
        self.aux(at, inst, info.imm);
        if self.breaks_leaf(inst) {
            return self.error(at, format!("`{}` in a gc_leaf function", info.name));
        }
        let takes = |id| callee(module, func, id).is_some_and(|callee| callee.takes_stack_pointer);
        let needs_pointer = data.op == Opcode::ShadowPointer || stack_pointer_operand(data, takes).is_some();
        if needs_pointer && !func.takes_stack_pointer {
            self.error(at, format!("`{}` in a function without the shadow-stack pointer", info.name));
        }
    }

    /// A leaf promises that nothing below it collects. Lowered, it has kept the promise.
    fn breaks_leaf(&self, inst: Inst) -> bool {
        let (module, func) = (self.module, self.func);
        if func.may_gc || func.phase == Phase::Low || !module.heap.collects() {
            return false;
        }
        let data = &func.insts[inst];
        match (data.op.without_tail(), data.called_func()) {
            (Some(_), Some(called)) => callee(module, func, called).is_none_or(|f| f.may_gc),
            (Some(_), None) => true,
            (None, _) => is_safepoint(module, func, inst),
        }
    }

    /// The second immediate: unused ones are zero, a frame is given only where the collector looks at it.
    fn aux(&mut self, at: Location, inst: Inst, imm: ImmKind) {
        let data = &self.func.insts[inst];
        if data.aux == 0 {
            return;
        }
        let is_access = data.op == Opcode::ArrayGet || data.op == Opcode::ArraySet;
        match imm {
            ImmKind::NodeInfo | ImmKind::Caf | ImmKind::Field => {}
            ImmKind::Elements if is_access && data.aux == 1 => {}
            ImmKind::Elements => self.error(at, "only `array.get` and `array.set` may be unchecked".into()),
            ImmKind::Func | ImmKind::Extern | ImmKind::Table | ImmKind::Frame | ImmKind::Bytes => {
                if self.func.phase == Phase::High {
                    self.error(at, "a frame in the high phase".into());
                } else if !data.op.any(Flags::SAFEPOINT) || !is_safepoint(self.module, self.func, inst) {
                    self.error(at, "a frame on an instruction that is no safepoint".into());
                }
            }
            ImmKind::None | ImmKind::Int | ImmKind::Float | ImmKind::ThunkInfo | ImmKind::Static | ImmKind::Desc => {
                self.error(at, "the second immediate is not used but not zero".into());
            }
            ImmKind::Shape | ImmKind::Offset | ImmKind::Element | ImmKind::Slot => {
                self.error(at, "the second immediate is not used but not zero".into());
            }
        }
    }

    /// Every value has one definition.
    fn definitions(&mut self) {
        let func = self.func;
        self.defs.resize(func.values.len());
        for &block in &func.layout {
            for &param in func.params(block) {
                self.define(Location::Block(block), param, block, 0);
            }
            for (i, &inst) in func.blocks[block].insts.iter().enumerate() {
                for &result in func.results(inst) {
                    self.define(Location::Inst(block, inst), result, block, i as u32 + 1);
                }
            }
        }
    }

    fn define(&mut self, at: Location, value: Value, block: Block, position: u32) {
        if self.defs[value].block != u32::MAX {
            self.error(at, format!("{value} is defined twice"));
        }
        self.defs[value] = Def { block: block.as_u32(), position };
    }

    /// Which target alone may be given a value, if a call with a handler defines it: results the first, the exception
    /// the second.
    fn target_of(&self, home: Block, def: Def, value: Value) -> Option<usize> {
        let func = self.func;
        let insts = &func.blocks[home].insts;
        let call = *insts.last().filter(|_| def.position as usize == insts.len())?;
        func.insts[call].op.handled_call()?;
        Some(usize::from(func.results(call).last() == Some(&value)))
    }

    /// Definitions dominate uses; code that cannot be reached only needs its values to be defined somewhere.
    fn dominance(&mut self, cfg: &Cfg) {
        let func = self.func;
        let dom = DomTree::compute(cfg);
        for &block in &func.layout {
            let reachable = cfg.is_reachable(block);
            let insts = &func.blocks[block].insts;
            let last = insts.len() - 1;
            for (i, &inst) in insts.iter().enumerate() {
                let edges = if i == last { &func.blocks[block].edges[..] } else { &[] };
                let given = edges
                    .iter()
                    .enumerate()
                    .flat_map(|(number, e)| func.edge_args(e).iter().map(move |&value| (value, Some(number))));
                for (value, edge) in func.args(inst).iter().map(|&value| (value, None)).chain(given) {
                    if !func.values.is_valid(value) {
                        self.error(Location::Inst(block, inst), format!("{value} does not exist"));
                        continue;
                    }
                    let def = self.defs[value];
                    if def.block == u32::MAX {
                        self.error(Location::Inst(block, inst), format!("{value} is not defined"));
                        continue;
                    }
                    let home = Block::from_u32(def.block);
                    if let Some(number) = self.target_of(home, def, value) {
                        if home != block || edge != Some(number) {
                            let which = ["first", "second"][number];
                            let message = format!(
                                "{value} is there on the way to the {which} target alone: only that may be given it"
                            );
                            self.error(Location::Inst(block, inst), message);
                        }
                        continue;
                    }
                    let fine = if home == block {
                        def.position <= i as u32
                    } else {
                        !reachable || (cfg.is_reachable(home) && dom.dominates(home, block))
                    };
                    if !fine {
                        let message = match home == block && def.position == i as u32 + 1 {
                            true => format!("{value} is used by the instruction that makes it"),
                            false => format!(
                                "the definition of {value} does not dominate this use: some way here leaves it out \
                                 (blocks have parameters for that)"
                            ),
                        };
                        self.error(Location::Inst(block, inst), message);
                    }
                }
            }
        }
    }
}

fn has_entity(imm: ImmKind) -> bool {
    matches!(
        imm,
        ImmKind::Func
            | ImmKind::Table
            | ImmKind::NodeInfo
            | ImmKind::Desc
            | ImmKind::ThunkInfo
            | ImmKind::Static
            | ImmKind::Caf
            | ImmKind::Slot
    )
}
