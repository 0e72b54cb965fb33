//! Shrinks functions before they are cut into stackless clones. A stackless clone runs seldom: it may take more steps.

use super::plan::depth;
use super::wrappers::Maker;
use cleave_ir::layout::{SLOT, TAG_HNF};
use cleave_ir::{Block, Builder, Func, Inst, Libcall, Opcode, SecondaryMap, Value, ValueList};

/// The most references that a function of collections keeps.
const MOST_KEPT: usize = 24;

/// Evaluates nodes without asking whether they have a value: what evaluates for stackless clones asks, too, and gives
/// back what has one. So the way of values need not join that of thunks after the call, which would take one more
/// piece.
///
/// ```text
/// a: h = load v;  br_if h & 1, m(v, y), b          a: jump b
/// b: store f, y                             ─▶     b: store f, y
///    x = enter_code f, v;  z = load f                 x = enter_code f, v;  z = load f
///    jump m(x, z)                                     jump m(x, z)
/// ```
pub fn enter_always(func: &mut Func) {
    let mut defs: SecondaryMap<Value, Option<Inst>> = SecondaryMap::new();
    let mut preds: SecondaryMap<Block, u32> = SecondaryMap::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            func.results(inst).iter().for_each(|&result| defs[result] = Some(inst));
        }
        func.successors(block).for_each(|next| preds[next] += 1);
    }
    for at in 0..func.layout.len() {
        let block = func.layout[at];
        let Some((test, node)) = tested(func, &defs, block) else { continue };
        let [value, thunk] = &func.blocks[block].edges[..] else { continue };
        let (value, thunk) = (value.block, thunk.block);
        if preds[thunk] == 1 && func.params(thunk).is_empty() && is_evaluation(func, &defs, thunk, node, value) {
            let edge = func.blocks[block].edges.pop().expect("a branch has two edges");
            func.blocks[block].edges = std::iter::once(edge).collect();
            (func.insts[test].op, func.insts[test].args) = (Opcode::Jump, ValueList::new());
        }
    }
}

/// The branch at the end of a block that asks whether a node has a value, and the node.
fn tested(func: &Func, defs: &SecondaryMap<Value, Option<Inst>>, block: Block) -> Option<(Inst, Value)> {
    let test = func.terminator(block).filter(|&inst| func.insts[inst].op == Opcode::BrIf)?;
    let and = defs[func.args(test)[0]].filter(|&inst| func.insts[inst].op == Opcode::And)?;
    let &[header, tag] = func.args(and) else { return None };
    let (load, tag) = (defs[header]?, &func.insts[defs[tag]?]);
    let is_header = func.insts[load].op == Opcode::LoadI32 && func.insts[load].imm == 0;
    let is_tag = tag.op == Opcode::Iconst32 && tag.imm as u32 == TAG_HNF;
    (is_header && is_tag).then(|| (test, func.args(load)[0]))
}

/// Does a block nothing but evaluate a node, with what lives on in the frame meanwhile, and go on in another one?
fn is_evaluation(
    func: &Func,
    defs: &SecondaryMap<Value, Option<Inst>>,
    block: Block,
    node: Value,
    next: Block,
) -> bool {
    let is_frame = |mut address: Value| {
        while let Some(def) = defs[address]
            && func.insts[def].op == Opcode::Isub
        {
            address = func.args(def)[0];
        }
        defs[address].is_some_and(|def| func.insts[def].op == Opcode::ShadowPointer)
    };
    let mut enters = 0;
    let is_outlined = |&inst: &Inst| match func.insts[inst].op {
        Opcode::EnterCode => {
            enters += 1;
            func.args(inst)[1] == node
        }
        Opcode::StoreRef | Opcode::StoreI32 => is_frame(func.args(inst)[0]),
        Opcode::Jump => func.successors(block).eq([next]),
        Opcode::LoadRef | Opcode::LoadI32 | Opcode::ShadowPointer | Opcode::Isub => true,
        op => op.is_constant(),
    };
    func.blocks[block].insts.iter().all(is_outlined) && enters == 1
}

/// Collections keep references in a function of their own, the same for all that keep as many.
///
/// ```text
/// f = sp − 8;  store f, y, z;  collect f, 36;  y2, z2 = load f     ─▶     y2, z2 = collect.2(sp, 36, y, z)
/// ```
pub fn collect_apart(func: &mut Func, again: &SecondaryMap<Value, Option<Inst>>, maker: &mut Maker) {
    for at in 0..func.layout.len() {
        let block = func.layout[at];
        let Some((collect, values)) = collection(func, again, block) else { continue };
        let &[frame, bytes] = func.args(collect) else { continue };
        let above = depth(func, again, frame).unwrap_or(0) - SLOT * values.len() as u32;
        let mut insts = std::mem::take(&mut func.blocks[block].insts);
        let jump = insts.pop().expect("a block has a terminator");
        insts.retain(|&inst| again_or_constant(func, again, inst));
        func.blocks[block].insts = insts;
        let mut builder = Builder::new(func, block);
        let mut pointer = builder.op(Opcode::ShadowPointer, &[]);
        if above != 0 {
            let above = builder.iconst32(above as i32);
            pointer = builder.op(Opcode::Isub, &[pointer, above]);
        }
        let args: Vec<Value> = [pointer, bytes].into_iter().chain(values.iter().map(|pair| pair.0)).collect();
        let call = builder.call(maker.collector(values.len()), &args, &[]);
        let results: Vec<Value> = values.iter().map(|pair| pair.1).collect();
        func.insts[call].results = ValueList::from_slice(&results, &mut func.pool);
        func.blocks[block].insts.push(jump);
    }
}

fn again_or_constant(func: &Func, again: &SecondaryMap<Value, Option<Inst>>, inst: Inst) -> bool {
    func.results(inst).first().is_some_and(|&result| again[result].is_some())
}

/// The collection of a block that does nothing else, and what each slot of its frame gets before and gives after it.
fn collection(
    func: &Func,
    again: &SecondaryMap<Value, Option<Inst>>,
    block: Block,
) -> Option<(Inst, Vec<(Value, Value)>)> {
    let (mut stored, mut loaded, mut collect) = (Vec::new(), Vec::new(), None);
    let (&last, insts) = func.blocks[block].insts.split_last()?;
    for &inst in insts {
        let data = &func.insts[inst];
        match (data.op, func.args(inst)) {
            (Opcode::StoreRef, &[frame, value]) if collect.is_none() => stored.push((data.imm, frame, value)),
            (Opcode::LoadRef, &[frame]) if collect.is_some() => loaded.push((data.imm, frame, func.result(inst))),
            (Opcode::CallRt, _) if collect.is_none() && data.external().0 == Libcall::Collect.id() => {
                collect = Some(inst);
            }
            _ if again_or_constant(func, again, inst) => {}
            _ => return None,
        }
    }
    let collect = collect.filter(|_| func.insts[last].op == Opcode::Jump)?;
    let frame = func.args(collect)[0];
    stored.sort_unstable_by_key(|slot| slot.0);
    loaded.sort_unstable_by_key(|slot| slot.0);
    let is_whole = |slots: &[(u64, Value, Value)]| {
        (0..).step_by(SLOT as usize).zip(slots).all(|(offset, slot)| slot.0 == offset && slot.1 == frame)
    };
    let fits = depth(func, again, frame)? >= SLOT * stored.len() as u32;
    let is_simple = fits
        && (1..=MOST_KEPT).contains(&stored.len())
        && stored.len() == loaded.len()
        && is_whole(&stored)
        && is_whole(&loaded);
    is_simple.then(|| (collect, stored.iter().zip(&loaded).map(|(from, to)| (from.2, to.2)).collect()))
}
