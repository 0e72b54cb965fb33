//! Where references may be immediates: which of them are, and which lead to objects, as far as that is known. What is
//! known need not be asked before a reference is counted.
//!
//! A reference leads to an object where it was made by an instruction that makes one, after an instruction that looks
//! into it, and where `is_int` has said so. It is an immediate after `ref_int`, and where `is_int` has said so.

use crate::context::ModuleContext;
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{
    Block, CallTarget, EntitySet, Flags, Func, ImmKind, Inst, Opcode, SecondaryMap, Value, demands, libcalls,
};
use smallvec::SmallVec;

/// What a reference is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Object,
    Immediate,
    Unknown,
}

/// What is known of the references of a function.
#[derive(Default)]
pub struct Kinds {
    cfg: Cfg,
    dom: DomTree,
    /// From the start of a block on, for which of these it is true.
    from: SecondaryMap<Value, SmallVec<[(Block, Kind); 2]>>,
    /// Behind a block.
    behind: SecondaryMap<Value, SmallVec<[(Block, Kind); 2]>>,
    /// Objects, and immediates, from the place on that is being lowered, to the end of its block.
    objects: EntitySet<Value>,
    immediates: EntitySet<Value>,
}

/// What functions of the runtime give that need not be objects: elements of arrays.
const ELEMENTS: [&str; 4] = ["rc_element", "rc_exchange", "rc_inner_element", "rc_inner_exchange"];

impl Kinds {
    /// Collects what branches and instructions say.
    pub fn collect(&mut self, cx: &ModuleContext, func: &Func, defs: &SecondaryMap<Value, PackedOption<Inst>>) {
        let Kinds { cfg, dom, from, behind, objects, immediates } = self;
        cfg.recompute(func);
        dom.recompute(cfg);
        from.clear();
        behind.clear();
        objects.clear();
        immediates.clear();
        for &block in &cfg.order {
            for &inst in &func.blocks[block].insts {
                looked_into(cx, func, inst, |value, kind| behind[value].push((block, kind)));
            }
            let [before] = cfg.preds[block][..] else { continue };
            let Some(branch) = func.terminator(before).filter(|&inst| func.insts[inst].op == Opcode::BrIf) else {
                continue;
            };
            let test = defs[func.args(branch)[0]].expand().filter(|&inst| func.insts[inst].op == Opcode::IsInt);
            if let Some(test) = test {
                let is_int = func.blocks[before].edges[0].block == block;
                let kind = if is_int { Kind::Immediate } else { Kind::Object };
                from[func.args(test)[0]].push((block, kind));
            }
        }
    }

    /// A block is being lowered.
    pub fn enter(&mut self) {
        self.objects.clear();
        self.immediates.clear();
    }

    /// An instruction has been lowered.
    pub fn pass(&mut self, cx: &ModuleContext, func: &Func, inst: Inst) {
        let Kinds { objects, immediates, .. } = self;
        looked_into(cx, func, inst, |value, kind| {
            let known = if kind == Kind::Object { &mut *objects } else { &mut *immediates };
            known.insert(value);
        });
    }

    /// What a reference is at the place that is being lowered, which is in `block`.
    pub fn of(&self, cx: &ModuleContext, func: &Func, def: Option<Inst>, value: Value, block: Block) -> Kind {
        if let Some(kind) = def.and_then(|inst| made(cx, func, inst)) {
            return kind;
        }
        if self.objects.contains(value) {
            return Kind::Object;
        }
        if self.immediates.contains(value) {
            return Kind::Immediate;
        }
        let behind = self.behind[value].iter().filter(|(from, _)| *from != block);
        let mut known = behind.chain(&self.from[value]).filter(|(from, _)| self.dom.dominates(*from, block));
        known.next().map_or(Kind::Unknown, |known| known.1)
    }
}

/// What an instruction makes, if that is certain.
fn made(cx: &ModuleContext, func: &Func, inst: Inst) -> Option<Kind> {
    use Opcode::*;
    let data = &func.insts[inst];
    if data.op == CallRt {
        let name = &*cx.externs[data.external().0].name;
        return (libcalls::find(name).is_some() && !ELEMENTS.contains(&name)).then_some(Kind::Object);
    }
    // An address may be that of anything.
    let is_known = data.op.any(Flags::FRESH.union(Flags::STATIC)) && data.op != AddrRef;
    let is_object = is_known || data.op == BoxInt || data.op == FillHole;
    is_object.then_some(if data.op == IntRef { Kind::Immediate } else { Kind::Object })
}

/// Tells what operands have been, if an instruction has been executed.
fn looked_into(cx: &ModuleContext, func: &Func, inst: Inst, mut tell: impl FnMut(Value, Kind)) {
    let (data, args) = (&func.insts[inst], func.args(inst));
    let imm = data.op.info().imm;
    if let Some(CallTarget::Extern(id, _)) = data.call_target() {
        let objects = demands::object_operands(&cx.externs[id].name);
        args.iter()
            .enumerate()
            .filter(|(number, _)| objects >> number & 1 != 0)
            .for_each(|(_, &arg)| tell(arg, Kind::Object));
    } else if matches!(imm, ImmKind::Field | ImmKind::Element | ImmKind::Shape) && data.op != Opcode::FreeToken
        || data.op == Opcode::Header
        || data.op == Opcode::StringSize
    {
        tell(args[0], Kind::Object);
    } else if data.op == Opcode::RefInt {
        tell(args[0], Kind::Immediate);
    }
}
