//! Cheap eagerness: what costs less to compute than to put off is computed at once.
//!
//! ```text
//! v3 = build_thunk &n5 v1           ; &n5: the integer v1 + 1
//!                       ─▶          v9 = iconst.i64 1
//!                                   v8 = iadd v1, v9
//!                                   v3 = box.int v8
//! ```
//! A thunk is *cheap* if its code is a straight line of at most `MAX_STEPS` instructions that cannot fail, diverge or
//! allocate, and fills the cell with a node that is no larger than the thunk. What it evaluates has to be evaluated
//! where the thunk is built: `evalelim` knows, whose walk this pass uses. The result is a head normal form, so that its
//! own evaluations go, too; the arguments of the thunk do not stay alive; nothing is lost where nobody asks for the
//! value.
//!
//! The thunk must not be used as a cell (`cells.rs`). A result that was demanded before the change is the same after
//! it; one that was not, cannot fail. Needs: high IR; comes before `global-dce`, which drops the code of thunks that
//! are no longer built.
//!
//! Source of the idea: A. Mycroft, *The theory and practice of transforming call-by-need into call-by-value*, 1980;
//! K.-F. Faxén, *Cheap eagerness: speculative evaluation in a lazy functional language*, 2000.

use crate::analysis::identity_uses::{Classes, IdentityUses};
use crate::analysis::values::Scratch;
use crate::opt::evalelim;
use cleave_ir::layout::{MIN_OBJECT, thunk_bytes};
use cleave_ir::{
    Func, Inst, Module, Opcode, SecondaryMap, ThunkInfo, ThunkKind, Type, Value, ValueList, WellKnownDesc, pack,
};
use smallvec::SmallVec;

/// Instructions of cheap code, constants not counted.
const MAX_STEPS: usize = 8;
/// Blocks that are followed: inlining leaves jumps.
const MAX_BLOCKS: usize = 8;

/// An operand of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    /// Argument of the thunk: references first.
    Arg(u32),
    /// Result of an earlier step.
    Step(u32),
    /// The thunk itself.
    Thunk,
}

#[derive(Clone)]
struct Step {
    op: Opcode,
    imm: u64,
    aux: u32,
    args: SmallVec<[Operand; 2]>,
    ty: Type,
}

/// What the code of a thunk computes.
#[derive(Clone, Default)]
pub(crate) struct CheapThunk {
    steps: Vec<Step>,
    /// References that have to be evaluated.
    needs: SmallVec<[u32; 4]>,
    /// Types that arguments are read with.
    types: SmallVec<[(u32, Type); 4]>,
    /// The value of the thunk: the last step, unless it is another one's.
    result: Option<Operand>,
}

/// The cheap thunks of a program.
pub(crate) struct Recipes {
    of: SecondaryMap<ThunkInfo, Option<Box<CheapThunk>>>,
}

/// Computes cheap thunks in the whole module; true if there was one.
pub fn run(module: &mut Module, scratch: &mut Scratch) -> bool {
    if !module.is_closed() || module.observes_identity {
        return false;
    }
    let mut recipes = Recipes { of: SecondaryMap::new() };
    let mut any = false;
    for entry in module.thunk_infos.keys() {
        recipes.of[entry] = CheapThunk::of(module, entry).map(Box::new);
        any |= recipes.of[entry].is_some();
    }
    if !any {
        return false;
    }
    let mut classes = Classes::default();
    let cells = IdentityUses::find(module, &mut classes);
    let mut changed = false;
    for func in module.funcs.values_mut() {
        let is_cheap = |&inst: &Inst| {
            let data = &func.insts[inst];
            data.op == Opcode::BuildThunk && recipes.of[data.thunk_info()].is_some()
        };
        if func.layout.iter().any(|&block| func.blocks[block].insts.iter().any(is_cheap)) {
            cells.mark(func, &mut classes);
            changed |= evalelim::run_eagerly(func, scratch, &recipes, &mut classes);
        }
    }
    changed
}

impl CheapThunk {
    /// What the code of an entry computes, if that is cheap.
    fn of(module: &Module, entry: ThunkInfo) -> Option<CheapThunk> {
        let data = &module.thunk_infos[entry];
        let func = &module.funcs[data.code];
        let mut block = func.entry?;
        let &[thunk] = func.params(block) else { return None };
        if data.kind != ThunkKind::Plain {
            return None;
        }
        let mut reader = Reader {
            module,
            func,
            shape: (data.ptrs, data.nptrs),
            known: SmallVec::from_slice(&[(thunk, Operand::Thunk)]),
            recipe: CheapThunk::default(),
            weight: 0,
        };
        for _ in 0..MAX_BLOCKS {
            let (&last, insts) = func.blocks[block].insts.split_last()?;
            for &inst in insts {
                reader.inst(inst)?;
            }
            if func.insts[last].op == Opcode::Return {
                let is_filled = reader.operand(func.args(last)[0])? == Operand::Thunk;
                return (is_filled && reader.recipe.result.is_some()).then_some(reader.recipe);
            }
            let edge = func.blocks[block].edges.first().filter(|_| func.insts[last].op == Opcode::Jump)?;
            for (&param, &arg) in func.params(edge.block).iter().zip(func.edge_args(edge)) {
                let operand = reader.operand(arg)?;
                reader.known.push((param, operand));
            }
            block = edge.block;
        }
        None
    }
}

/// Reads the code of a thunk.
struct Reader<'a> {
    module: &'a Module,
    func: &'a Func,
    shape: (u32, u32),
    known: SmallVec<[(Value, Operand); 16]>,
    recipe: CheapThunk,
    weight: usize,
}

impl Reader<'_> {
    fn operand(&self, value: Value) -> Option<Operand> {
        // The last one: a block that is jumped to twice has been left by then.
        self.known.iter().rev().find(|known| known.0 == value).map(|known| known.1)
    }

    /// Operands that are values: all but the thunk.
    fn operands(&self, values: &[Value]) -> Option<SmallVec<[Operand; 2]>> {
        values.iter().map(|&value| self.operand(value).filter(|&operand| operand != Operand::Thunk)).collect()
    }

    fn step(&mut self, op: Opcode, imm: u64, aux: u32, args: SmallVec<[Operand; 2]>, ty: Type) -> Option<Operand> {
        self.weight += usize::from(!op.is_constant());
        self.recipe.steps.push(Step { op, imm, aux, args, ty });
        (self.weight <= MAX_STEPS).then(|| Operand::Step(self.recipe.steps.len() as u32 - 1))
    }

    /// Takes over one instruction; none if it is not cheap.
    fn inst(&mut self, inst: Inst) -> Option<()> {
        let (data, args) = (&self.func.insts[inst], self.func.args(inst));
        let (ptrs, nptrs) = self.shape;
        if self.recipe.result.is_some() {
            return None;
        }
        let operand = match data.op {
            Opcode::ArgRef | Opcode::ArgI64 | Opcode::ArgF64 => {
                let is_own = self.operand(args[0])? == Operand::Thunk && data.imm == pack(ptrs, nptrs);
                let ty = self.func.values[self.func.result(inst)];
                let index = if ty == Type::Ref { data.aux } else { ptrs + data.aux };
                self.recipe.types.push((index, ty));
                is_own.then_some(Operand::Arg(index))?
            }
            Opcode::Blackhole => return (self.operand(args[0])? == Operand::Thunk).then_some(()),
            Opcode::Eval => match self.operand(args[0])? {
                Operand::Arg(index) => {
                    self.recipe.needs.push(index);
                    Operand::Arg(index)
                }
                Operand::Step(_) | Operand::Thunk => return None,
            },
            // What has been tested where the thunk is evaluated has not been tested here.
            Opcode::IntRef | Opcode::RefInt => return None,
            Opcode::GetRef | Opcode::GetI64 | Opcode::GetF64 | Opcode::ArraySize | Opcode::StringSize
                if self.module.immediates =>
            {
                return None;
            }
            // Code reads fields of what is evaluated only, and of the right type.
            Opcode::GetRef | Opcode::GetI64 | Opcode::GetF64 | Opcode::ArraySize | Opcode::StringSize => {
                let operands = self.operands(args)?;
                if let Operand::Arg(index) = operands[0] {
                    self.recipe.needs.push(index);
                }
                let ty = self.func.values[self.func.result(inst)];
                self.step(data.op, data.imm, data.aux, operands, ty)?
            }
            Opcode::FillNode => {
                self.operand(args[0]).filter(|&target| target == Operand::Thunk)?;
                let operands = self.operands(&args[1..])?;
                let (op, imm, aux) = match data.desc() {
                    _ if operands.is_empty() => (Opcode::NodeRef, data.imm, 0),
                    desc if desc == WellKnownDesc::Int.desc() => (Opcode::BoxInt, 0, 0),
                    desc if desc == WellKnownDesc::Char.desc() => (Opcode::BoxChar, 0, 0),
                    desc if desc == WellKnownDesc::Bool.desc() => (Opcode::BoxBool, 0, 0),
                    _ => (Opcode::BuildNode, data.imm, data.aux),
                };
                let is_node = op == Opcode::BuildNode;
                let bytes = if is_node { self.module.shape(data.desc(), data.aux).bytes() } else { MIN_OBJECT };
                if bytes > thunk_bytes(self.shape.0, self.shape.1) {
                    return None;
                }
                self.recipe.result = Some(self.step(op, imm, aux, operands, Type::Ref)?);
                return Some(());
            }
            Opcode::FillCopy => {
                self.operand(args[0]).filter(|&target| target == Operand::Thunk)?;
                let value = self.operands(&args[1..])?[0];
                if let Operand::Arg(index) = value {
                    self.recipe.needs.push(index);
                }
                self.recipe.result = Some(value);
                return Some(());
            }
            op if op.is_pure() => {
                let operands = self.operands(args)?;
                let ty = self.func.values[self.func.result(inst)];
                self.step(op, data.imm, data.aux, operands, ty)?
            }
            _ => return None,
        };
        self.known.push((self.func.result(inst), operand));
        Some(())
    }
}

impl Recipes {
    /// Computes the value of a thunk in place of building it, if its code is cheap and what it needs `is_evaluated`.
    /// The instructions for that go into `made`, all but the last, which is `inst` itself unless the result is its
    /// node.
    pub fn apply(
        &self,
        func: &mut Func,
        inst: Inst,
        is_evaluated: impl Fn(Value) -> bool,
        made: &mut Vec<Inst>,
    ) -> Option<Value> {
        let recipe = self.of[func.insts[inst].thunk_info()].as_ref()?;
        let args: SmallVec<[Value; 8]> = func.args(inst).into();
        let has_type = |&(index, ty): &(u32, Type)| func.values[args[index as usize]] == ty;
        let is_there = |&index: &u32| is_evaluated(args[index as usize]);
        if !recipe.types.iter().all(has_type) || !recipe.needs.iter().all(is_there) {
            return None;
        }
        let mut results: SmallVec<[Value; 8]> = SmallVec::new();
        let result = recipe.result.expect("a recipe has a result");
        for (number, step) in recipe.steps.iter().enumerate() {
            let operands: SmallVec<[Value; 4]> = step.args.iter().map(|&arg| value_of(arg, &args, &results)).collect();
            if result == Operand::Step(number as u32) && number + 1 == recipe.steps.len() {
                func.set_args(inst, &operands);
                let data = &mut func.insts[inst];
                (data.op, data.imm, data.aux) = (step.op, step.imm, step.aux);
                return Some(func.result(inst));
            }
            let new = func.make_inst(step.op, step.imm, step.aux, &operands, &[step.ty]);
            results.push(func.result(new));
            made.push(new);
        }
        func.insts[inst].args = ValueList::new();
        Some(value_of(result, &args, &results))
    }
}

fn value_of(operand: Operand, args: &[Value], results: &[Value]) -> Value {
    match operand {
        Operand::Arg(index) => args[index as usize],
        Operand::Step(number) => results[number as usize],
        Operand::Thunk => unreachable!("a thunk is no operand of its own value"),
    }
}
