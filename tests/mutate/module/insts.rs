//! Mistakes in instructions and edges.

use super::{Place, available, place, value};
use crate::mutate::Choices;
use cleave_ir::arrays::ArrayKind;
use cleave_ir::entity::{Caf, Desc, FuncId, Static, Table, ThunkInfo};
use cleave_ir::func::pack;
use cleave_ir::layout::{ARRAY_DATA, STRING_DATA, Shape};
use cleave_ir::opcode::{OperandRule, ResultRule};
use cleave_ir::runtime::unpack_extern;
use cleave_ir::{ExternData, Func, ImmKind, Module, Opcode, Phase, Type, Value, libcalls};

/// Numbers at which something happens.
const INTEGERS: [i64; 22] = [
    0,
    1,
    -1,
    2,
    3,
    4,
    7,
    8,
    31,
    32,
    33,
    63,
    64,
    255,
    256,
    65_535,
    65_536,
    i32::MAX as i64,
    i32::MIN as i64,
    u32::MAX as i64,
    i64::MAX,
    i64::MIN,
];
const REALS: [f64; 9] = [0.0, -0.0, 1.0, -1.0, 0.5, 1e308, f64::NAN, f64::INFINITY, 9.3e18];

pub(super) fn integer(choices: &mut Choices) -> i64 {
    choices.pick(&INTEGERS)
}

pub(super) fn real(choices: &mut Choices) -> f64 {
    choices.pick(&REALS)
}

/// Another operand of the same type.
pub(super) fn operand(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(mut at) = place(module, choices) else { return false };
    let mut args = module.funcs[at.func].args(at.inst).to_vec();
    if args.is_empty() {
        return false;
    }
    let number = choices.below(args.len());
    let ty = module.funcs[at.func].values[args[number]];
    let Some(value) = value(module, &mut at, ty, choices) else { return false };
    let is_other = std::mem::replace(&mut args[number], value) != value;
    module.funcs[at.func].set_args(at.inst, &args);
    is_other
}

pub(super) fn swapped_operands(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(at) = place(module, choices) else { return false };
    let func = &mut module.funcs[at.func];
    let mut args = func.args(at.inst).to_vec();
    if args.len() < 2 {
        return false;
    }
    let (one, other) = (choices.below(args.len()), choices.below(args.len()));
    if args[one] == args[other] || func.values[args[one]] != func.values[args[other]] {
        return false;
    }
    args.swap(one, other);
    func.set_args(at.inst, &args);
    true
}

/// Another immediate that names something of the same kind, and mostly of the same types.
pub(super) fn immediate(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(at) = place(module, choices) else { return false };
    let data = &module.funcs[at.func].insts[at.inst];
    let (op, imm, aux) = (data.op, data.imm, data.aux);
    let Some((new, new_aux)) = other_immediate(module, op, imm, aux, choices) else { return false };
    let data = &mut module.funcs[at.func].insts[at.inst];
    (data.imm, data.aux) = (new, new_aux);
    (new, new_aux) != (imm, aux)
}

fn pick<T: Copy>(items: impl Iterator<Item = T>, choices: &mut Choices) -> Option<T> {
    let items: Vec<T> = items.collect();
    (!items.is_empty()).then(|| choices.pick(&items))
}

fn other_immediate(module: &Module, op: Opcode, imm: u64, aux: u32, choices: &mut Choices) -> Option<(u64, u32)> {
    let number = imm as u32;
    Some(match op.info().imm {
        ImmKind::Int => {
            let near = |imm: u64, choices: &mut Choices| (imm as i64).wrapping_add(choices.below(3) as i64 - 1);
            let new = if choices.chance(40) { near(imm, choices) } else { integer(choices) };
            let new = match op {
                Opcode::Iconst32 => i64::from(new as i32),
                Opcode::SmallInt => new.rem_euclid(33),
                _ => new,
            };
            (new as u64, aux)
        }
        ImmKind::Float => (real(choices).to_bits(), aux),
        ImmKind::Func => {
            let signature = &module.funcs[FuncId::from_u32(number)].signature;
            let same = module.funcs.iter().filter(|(_, func)| func.signature == *signature).map(|(id, _)| id);
            (u64::from(pick(same, choices)?.as_u32()), aux)
        }
        ImmKind::Extern => {
            let called = &module.externs[unpack_extern(imm).0];
            let alike = |data: &ExternData| data.params == called.params && data.results == called.results;
            let same = module.externs.iter().filter(|(_, data)| alike(data)).map(|(id, _)| id);
            (module.callee(pick(same, choices)?).imm(), aux)
        }
        ImmKind::Table => {
            let table = &module.tables[Table::from_u32(number)];
            let same = module.tables.iter().filter(|(_, other)| other.signature == table.signature);
            (u64::from(pick(same.map(|(id, _)| id), choices)?.as_u32()), aux)
        }
        ImmKind::NodeInfo | ImmKind::Desc => {
            let is_address = matches!(op, Opcode::NodeInfoAddr | Opcode::NameAddr | Opcode::DescInfoAddr);
            let payload = module.payload(Desc::from_u32(number), aux);
            let fits = |desc: Desc, held: u32| is_address || module.payload(desc, held) == payload;
            let rows =
                module.descs.iter().flat_map(|(desc, data)| (0..=data.arity.min(8)).map(move |held| (desc, held)));
            let is_node_info = op.info().imm == ImmKind::NodeInfo;
            let rows = rows.filter(|&(desc, held)| fits(desc, held) && (is_node_info || held == 0));
            let (desc, held) = pick(rows, choices)?;
            (u64::from(desc.as_u32()), held)
        }
        ImmKind::ThunkInfo => {
            let info = &module.thunk_infos[ThunkInfo::from_u32(number)];
            let same =
                module.thunk_infos.iter().filter(|(_, other)| (other.ptrs, other.nptrs) == (info.ptrs, info.nptrs));
            (u64::from(pick(same.map(|(id, _)| id), choices)?.as_u32()), aux)
        }
        ImmKind::Static => {
            let kind = |id: Static| std::mem::discriminant(&module.statics[id]);
            let same = module.statics.keys().filter(|&id| kind(id) == kind(Static::from_u32(number)));
            (u64::from(pick(same, choices)?.as_u32()), aux)
        }
        ImmKind::Caf => {
            let caf = pick(module.cafs.keys(), choices)?;
            (u64::from(caf.as_u32()), choices.below(2) as u32)
        }
        ImmKind::Field => {
            let new = any_shape(module, choices);
            match choices.below(3) {
                0 => (new.pack(), choices.below(3) as u32),
                1 => (Shape { contiguous: !Shape::unpack(imm).contiguous, ..Shape::unpack(imm) }.pack(), aux),
                _ => (imm, choices.below(4) as u32),
            }
        }
        ImmKind::Element => any_element(choices),
        ImmKind::Elements => (choices.pick(&ArrayKind::ALL).pack(), aux),
        ImmKind::None | ImmKind::Frame | ImmKind::Shape | ImmKind::Offset | ImmKind::Bytes | ImmKind::Slot => {
            return None;
        }
    })
}

/// The shape of some node of the module.
fn any_shape(module: &Module, choices: &mut Choices) -> Shape {
    let descs: Vec<Desc> = module.descs.keys().collect();
    let desc = choices.pick(&descs);
    module.shape(desc, choices.below(module.descs[desc].arity.min(4) as usize + 1) as u32)
}

fn any_element(choices: &mut Choices) -> (u64, u32) {
    let stride = choices.pick(&[1, 4, 8, 12, 16]);
    let offset = choices.pick(&[ARRAY_DATA, STRING_DATA, ARRAY_DATA + 4, ARRAY_DATA + 8, 0]);
    (pack(stride, offset), 0)
}

/// Another field of the same node.
pub(super) fn field(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(at) = place(module, choices) else { return false };
    let data = &mut module.funcs[at.func].insts[at.inst];
    if data.op.info().imm != ImmKind::Field {
        return false;
    }
    let Shape { ptrs, nptrs, .. } = data.field_shape();
    let new = choices.below(ptrs.max(nptrs).max(1) as usize) as u32;
    std::mem::replace(&mut data.aux, new) != new
}

/// Another opcode with the same operands, results and immediate.
pub(super) fn opcode(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(at) = place(module, choices) else { return false };
    let data = &mut module.funcs[at.func].insts[at.inst];
    let row = data.op.info();
    let types = |op: Opcode| op.info().operands().map(|operand| operand.rule).collect::<Vec<_>>();
    let alike = Opcode::ALL.iter().copied().filter(|&op| {
        let other = op.info();
        op != data.op
            && other.imm == row.imm
            && other.result == row.result
            && op.is_terminator() == data.op.is_terminator()
            && other.phases.contains(Phase::High)
            && types(op) == types(data.op)
    });
    let Some(op) = pick(alike, choices) else { return false };
    data.op = op;
    true
}

/// Leaves out an instruction; values of the same type take the place of its results.
pub(super) fn dropped(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(mut at) = place(module, choices) else { return false };
    if module.funcs[at.func].insts[at.inst].op.is_terminator() {
        return false;
    }
    for result in module.funcs[at.func].results(at.inst).to_vec() {
        let ty = module.funcs[at.func].values[result];
        let Some(other) = value(module, &mut at, ty, choices) else { return false };
        replace(&mut module.funcs[at.func], result, other);
    }
    let func = &mut module.funcs[at.func];
    func.blocks[at.block].insts.remove(at.index);
    true
}

/// Whoever uses a value uses another one.
fn replace(func: &mut Func, old: Value, new: Value) {
    let Func { insts, blocks, pool, .. } = func;
    let edges = blocks.values_mut().flat_map(|block| &mut block.edges).map(|edge| &mut edge.args);
    for list in insts.values_mut().map(|data| &mut data.args).chain(edges) {
        list.as_mut_slice(pool).iter_mut().filter(|arg| **arg == old).for_each(|arg| *arg = new);
    }
}

pub(super) fn doubled(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(at) = place(module, choices) else { return false };
    let func = &mut module.funcs[at.func];
    let data = func.insts[at.inst].clone();
    if data.op.is_terminator() {
        return false;
    }
    let (args, results) = (func.args(at.inst).to_vec(), func.results(at.inst).to_vec());
    let types: Vec<Type> = results.iter().map(|&result| func.values[result]).collect();
    let copy = func.make_inst(data.op, data.imm, data.aux, &args, &types);
    let behind = func.blocks[at.block].insts.len() - 1 - at.index;
    func.blocks[at.block].insts.insert(at.index + 1 + choices.below(behind.max(1)), copy);
    true
}

/// To another place of the same block where its operands are there, and nobody has asked for its results.
pub(super) fn moved(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(at) = place(module, choices) else { return false };
    let func = &mut module.funcs[at.func];
    let insts = &func.blocks[at.block].insts;
    let to = choices.below(insts.len() - 1 + usize::from(insts.len() == 1));
    if func.insts[at.inst].op.is_terminator() || to == at.index {
        return false;
    }
    let between = if to < at.index { &insts[to..at.index] } else { &insts[at.index + 1..=to] };
    let uses = |user, of| func.args(user).iter().any(|arg| func.results(of).contains(arg));
    if between.iter().any(|&other| uses(other, at.inst) || uses(at.inst, other)) {
        return false;
    }
    let insts = &mut func.blocks[at.block].insts;
    insts.remove(at.index);
    insts.insert(to, at.inst);
    true
}

/// Any instruction with operands that are there.
pub(super) fn inserted(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(mut at) = place(module, choices) else { return false };
    let in_high = |op: &Opcode| op.info().phases.contains(Phase::High) && !op.is_terminator() && !op.is_access();
    let Some(op) = pick(Opcode::ALL.iter().copied().filter(in_high), choices) else { return false };
    if op == Opcode::CallRt {
        module.declare(choices.pick(libcalls::ALL));
    }
    let Some((imm, aux, rest, results)) = filled(module, op, choices) else { return false };
    let mut args: Vec<Value> = Vec::new();
    for operand in op.info().operands() {
        let any = choices.pick(&[Type::I32, Type::I64, Type::F64, Type::Ref]);
        let types = match operand.rule {
            OperandRule::Is(ty) => vec![ty],
            OperandRule::Int => vec![choices.pick(&[Type::I32, Type::I64])],
            OperandRule::Any if op.info().imm == ImmKind::Elements => vec![ArrayKind::unpack(imm).ty()],
            OperandRule::Any => vec![any],
            OperandRule::Same => vec![module.funcs[at.func].values[args[args.len() - 1]]],
            OperandRule::Addr => return false,
            OperandRule::Rest => rest.clone(),
        };
        for ty in types {
            let Some(value) = value(module, &mut at, ty, choices) else { return false };
            args.push(value);
        }
    }
    let func = &mut module.funcs[at.func];
    let results = match op.info().result {
        ResultRule::None => vec![],
        ResultRule::One(ty) => vec![ty],
        ResultRule::SameAsFirst => vec![func.values[args[0]]],
        ResultRule::SameAsSecond => vec![func.values[args[1]]],
        ResultRule::Element => vec![ArrayKind::unpack(imm).ty()],
        ResultRule::Callee => results,
        ResultRule::Outcome => ResultRule::OUTCOME.to_vec(),
        // They end blocks.
        ResultRule::Handled => return false,
    };
    let inst = func.make_inst(op, imm, aux, &args, &results);
    func.blocks[at.block].insts.insert(at.index, inst);
    used(func, at, inst, choices);
    true
}

/// An operand behind a new instruction becomes its result, so that it matters.
fn used(func: &mut Func, at: Place, new: cleave_ir::Inst, choices: &mut Choices) {
    let Some(&result) = func.results(new).first() else { return };
    let behind: Vec<cleave_ir::Inst> = func.blocks[at.block].insts[at.index + 1..].to_vec();
    let inst = choices.pick(&behind);
    let mut args = func.args(inst).to_vec();
    let same = (0..args.len()).filter(|&number| func.values[args[number]] == func.values[result]);
    if let Some(number) = pick(same, choices) {
        args[number] = result;
        func.set_args(inst, &args);
    }
}

/// Immediates for a new instruction, the types of its listed operands, and those of its results.
fn filled(module: &Module, op: Opcode, choices: &mut Choices) -> Option<(u64, u32, Vec<Type>, Vec<Type>)> {
    let fields = |(ptrs, nptrs): (u32, u32), choices: &mut Choices| {
        let words = (0..nptrs).map(|_| choices.pick(&[Type::I64, Type::I64, Type::F64]));
        (0..ptrs).map(|_| Type::Ref).chain(words.collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let nothing = Vec::new;
    Some(match op.info().imm {
        ImmKind::None => (0, 0, vec![Type::Ref; choices.below(2)], nothing()),
        ImmKind::Frame => (0, 0, vec![Type::Ref; choices.below(2)], nothing()),
        ImmKind::Func => {
            let id = pick(module.funcs.keys(), choices)?;
            let signature = &module.funcs[id].signature;
            (u64::from(id.as_u32()), 0, signature.params.to_vec(), signature.results.to_vec())
        }
        ImmKind::Extern => {
            let ids: Vec<_> = module.externs.keys().collect();
            // The last one has just been declared.
            let id = if choices.chance(70) { *ids.last()? } else { choices.pick(&ids) };
            let data = &module.externs[id];
            (module.callee(id).imm(), 0, data.params.to_vec(), data.results.to_vec())
        }
        ImmKind::Table => {
            let id = pick(module.tables.keys(), choices)?;
            let signature = &module.tables[id].signature;
            (u64::from(id.as_u32()), 0, signature.params.to_vec(), signature.results.to_vec())
        }
        ImmKind::NodeInfo => {
            let desc = pick(module.descs.keys(), choices)?;
            let held = choices.below(module.descs[desc].arity.min(4) as usize + 1) as u32;
            (u64::from(desc.as_u32()), held, fields(module.payload(desc, held), choices), nothing())
        }
        ImmKind::ThunkInfo => {
            let id = pick(module.thunk_infos.keys(), choices)?;
            let info = &module.thunk_infos[id];
            (u64::from(id.as_u32()), 0, fields((info.ptrs, info.nptrs), choices), nothing())
        }
        ImmKind::Desc => (u64::from(pick(module.descs.keys(), choices)?.as_u32()), 0, nothing(), nothing()),
        ImmKind::Static => (u64::from(pick(module.statics.keys(), choices)?.as_u32()), 0, nothing(), nothing()),
        ImmKind::Caf => {
            let caf: Caf = pick(module.cafs.keys(), choices)?;
            (u64::from(caf.as_u32()), 0, nothing(), nothing())
        }
        ImmKind::Int => {
            let number = integer(choices);
            let number = if op == Opcode::SmallInt { number.rem_euclid(33) } else { number };
            (if op == Opcode::Iconst32 { i64::from(number as i32) } else { number } as u64, 0, nothing(), nothing())
        }
        ImmKind::Float => (real(choices).to_bits(), 0, nothing(), nothing()),
        ImmKind::Field => {
            let shape = any_shape(module, choices);
            let most = shape.ptrs.max(shape.nptrs).max(1);
            (shape.pack(), choices.below(most as usize) as u32, nothing(), nothing())
        }
        ImmKind::Element => {
            let (imm, aux) = any_element(choices);
            (imm, aux, nothing(), nothing())
        }
        ImmKind::Elements => (choices.pick(&ArrayKind::ALL).pack(), 0, nothing(), nothing()),
        ImmKind::Shape | ImmKind::Offset | ImmKind::Bytes | ImmKind::Slot => return None,
    })
}

/// A branch goes to another block that takes the same parameters.
pub(super) fn target(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(at) = place(module, choices) else { return false };
    let func = &mut module.funcs[at.func];
    if func.blocks[at.block].edges.is_empty() {
        return false;
    }
    let number = choices.below(func.blocks[at.block].edges.len());
    let old = func.blocks[at.block].edges[number].block;
    let types = |block| func.params(block).iter().map(|&param| func.values[param]).collect::<Vec<_>>();
    let alike = func.layout.iter().copied();
    let alike = alike.filter(|&block| block != old && Some(block) != func.entry && types(block) == types(old));
    let Some(new) = pick(alike, choices) else { return false };
    func.blocks[at.block].edges[number].block = new;
    true
}

pub(super) fn swapped_targets(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(at) = place(module, choices) else { return false };
    let edges = &mut module.funcs[at.func].blocks[at.block].edges;
    if edges.len() < 2 {
        return false;
    }
    let (one, other) = (choices.below(edges.len()), choices.below(edges.len()));
    edges.swap(one, other);
    one != other
}

/// A block gets another argument.
pub(super) fn edge_argument(module: &mut Module, choices: &mut Choices) -> bool {
    let Some(at) = place(module, choices) else { return false };
    let func = &mut module.funcs[at.func];
    let Some(edge) = pick(0..func.blocks[at.block].edges.len(), choices) else { return false };
    let count = func.edge_args(&func.blocks[at.block].edges[edge]).len();
    let Some(number) = pick(0..count, choices) else { return false };
    let old = func.edge_args(&func.blocks[at.block].edges[edge])[number];
    let last = func.blocks[at.block].insts.len() - 1;
    let mut values = available(func, at.block, last);
    values.retain(|&value| value != old && func.values[value] == func.values[old]);
    let Some(new) = pick(values.into_iter(), choices) else { return false };
    let Func { blocks, pool, .. } = func;
    blocks[at.block].edges[edge].args.as_mut_slice(pool)[number] = new;
    true
}
