//! Mistakes in modules that stay well formed: what a front end writes that means something else. Operands, immediates,
//! opcodes, targets and instructions change into others of the same types (`insts`), items in their flags, kinds and
//! functions (`items`). Most mutants are accepted by the verifier, or refused by it for one reason.

mod insts;
mod items;

use crate::mutate::Choices;
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Block, Func, FuncId, Inst, Module, Opcode, Phase, ThunkKind, Type, Value};

/// Attempts at a mistake until one finds a place.
const ATTEMPTS: usize = 20;

/// A kind of mistake: false if there is no place for it where it looked.
type Mistake = fn(&mut Module, &mut Choices) -> bool;

/// With how often each is made, and its name.
const MISTAKES: [(usize, &str, Mistake); 22] = [
    (8, "operand", insts::operand),
    (3, "operands swapped", insts::swapped_operands),
    (8, "immediate", insts::immediate),
    (6, "opcode", insts::opcode),
    (6, "dropped", insts::dropped),
    (4, "doubled", insts::doubled),
    (4, "moved", insts::moved),
    (8, "inserted", insts::inserted),
    (3, "target", insts::target),
    (2, "targets swapped", insts::swapped_targets),
    (3, "edge", insts::edge_argument),
    (2, "field", insts::field),
    (3, "descriptor's flag", items::descriptor_flag),
    (2, "descriptor's number", items::descriptor_number),
    (3, "row", items::row),
    (2, "thunk info", items::thunk_info),
    (2, "table", items::table),
    (2, "static", items::static_object),
    (1, "function's flag", items::function_flag),
    (1, "module's flag", items::module_flag),
    (1, "extern", items::extern_effects),
    (1, "function swapped", items::swapped_code),
];

/// Makes a mistake, and says which.
pub fn mistake(module: &mut Module, choices: &mut Choices) -> &'static str {
    let all: usize = MISTAKES.iter().map(|row| row.0).sum();
    for _ in 0..ATTEMPTS {
        let mut number = choices.below(all);
        let (_, name, make) = MISTAKES
            .iter()
            .find(|row| {
                let is_it = number < row.0;
                number = number.saturating_sub(row.0);
                is_it
            })
            .expect("the number is below the sum");
        if make(module, choices) {
            return name;
        }
    }
    "nothing"
}

/// A place among the instructions of a module.
#[derive(Clone, Copy)]
struct Place {
    func: FuncId,
    block: Block,
    index: usize,
    inst: Inst,
}

/// The collector does what the kind of a thunk says, instead of its code: that both do the same is the front end's
/// duty.
fn is_bound(module: &Module, func: FuncId) -> bool {
    module.thunk_infos.values().any(|info| info.kind != ThunkKind::Plain && info.code == func)
}

/// An instruction of any function, each function as often as another.
fn place(module: &Module, choices: &mut Choices) -> Option<Place> {
    let is_high = |&id: &FuncId| module.funcs[id].phase == Phase::High;
    let funcs: Vec<FuncId> = module.funcs.keys().filter(is_high).filter(|&id| !is_bound(module, id)).collect();
    if funcs.is_empty() {
        return None;
    }
    let func = choices.pick(&funcs);
    let data = &module.funcs[func];
    let block = choices.pick(&data.layout);
    let insts = &data.blocks[block].insts;
    let index = choices.below(insts.len());
    Some(Place { func, block, index, inst: insts[index] })
}

/// Values that are there before an instruction.
fn available(func: &Func, block: Block, index: usize) -> Vec<Value> {
    let cfg = Cfg::compute(func);
    if !cfg.is_reachable(block) {
        return Vec::new();
    }
    let dom = DomTree::compute(&cfg);
    let mut found = Vec::new();
    for &other in func.layout.iter().filter(|&&other| cfg.is_reachable(other) && dom.dominates(other, block)) {
        found.extend_from_slice(func.params(other));
        let insts = &func.blocks[other].insts;
        let insts = if other == block { &insts[..index] } else { insts };
        insts.iter().for_each(|&inst| found.extend_from_slice(func.results(inst)));
    }
    found
}

/// One of those, of this type; or a constant that is put there, which moves what follows by one.
fn value(module: &mut Module, at: &mut Place, ty: Type, choices: &mut Choices) -> Option<Value> {
    let func = &mut module.funcs[at.func];
    let mut values = available(func, at.block, at.index);
    values.retain(|&value| func.values[value] == ty);
    if !values.is_empty() && !choices.chance(15) {
        return Some(choices.pick(&values));
    }
    let (op, imm) = match ty {
        Type::I32 => (Opcode::Iconst32, insts::integer(choices) as i32 as i64 as u64),
        Type::I64 => (Opcode::Iconst64, insts::integer(choices) as u64),
        Type::F64 => (Opcode::Fconst, insts::real(choices).to_bits()),
        Type::Ref => return (!values.is_empty()).then(|| choices.pick(&values)),
    };
    let constant = func.make_inst(op, imm, 0, &[], &[ty]);
    func.blocks[at.block].insts.insert(at.index, constant);
    at.index += 1;
    Some(func.result(constant))
}
