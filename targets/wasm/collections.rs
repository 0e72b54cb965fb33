//! What is stored before a collection and loaded after it moves into functions of its own, one for each number of
//! references: it is the same everywhere, as large as what stands around it, and hardly ever executed.
//!
//! ```text
//! store.ref v9, v1 +4                      v4, v5 = call @cleave.collect.2(v9, v3, v2, v1)
//! store.ref v9, v2 +0
//! call_rt collect(v9, v3)          ──▶
//! v4 = load.ref v9 +0                      ; v9: what collections look at begins there
//! v5 = load.ref v9 +4                      ; v3: how many bytes are wanted
//! ```
//! Runs on low IR just before `emit`.

use cleave_ir::layout::SLOT;
use cleave_ir::{
    Block, Builder, EntityRef, Func, FuncId, Inst, Libcall, Module, Opcode, Phase, Signature, Type, Value, ValueList,
};
use smallvec::SmallVec;

/// References that one of these functions stores at most.
const MOST: usize = 16;

/// Moves stores and loads around collections.
pub fn run(module: &mut Module) {
    let collect = Libcall::Collect.callee().imm();
    // How many references each of the new functions stores, in their order.
    let mut made: SmallVec<[usize; MOST]> = SmallVec::new();
    let first = module.funcs.len();
    for func in module.funcs.values_mut() {
        for at in 0..func.layout.len() {
            let block = func.layout[at];
            let is_collection = |&inst: &Inst| func.insts[inst].op == Opcode::CallRt && func.insts[inst].imm == collect;
            let Some(number) = func.blocks[block].insts.iter().position(is_collection) else { continue };
            if let Some(around) = Around::find(func, block, number) {
                let count = around.stores.len();
                let known = made.iter().position(|&other| other == count).unwrap_or(made.len());
                if known == made.len() {
                    made.push(count);
                }
                around.replace(func, block, number, FuncId::new(first + known));
            }
        }
    }
    for count in made {
        module.funcs.push(collecting(count));
    }
}

/// What stands around a collection: of the slots from the base on, in order.
struct Around {
    stores: SmallVec<[(Inst, Value); 8]>,
    /// None for a reference that is not needed any more.
    loads: SmallVec<[Option<(Inst, Value)>; 8]>,
}

impl Around {
    fn find(func: &Func, block: Block, number: usize) -> Option<Around> {
        let insts = &func.blocks[block].insts;
        let base = func.args(insts[number])[0];
        // By slot, as far as nothing else comes between them and the call that may read or write memory.
        let slot_of = |inst: Inst, op: Opcode| {
            let data = &func.insts[inst];
            let is_slot = data.op == op && func.args(inst)[0] == base && data.imm.is_multiple_of(SLOT.into());
            is_slot.then_some((data.imm / u64::from(SLOT)) as usize).filter(|&slot| slot < MOST)
        };
        let mut stored: [Option<(Inst, Value)>; MOST] = [None; MOST];
        for &inst in insts[..number].iter().rev() {
            let op = func.insts[inst].op;
            match slot_of(inst, Opcode::StoreRef) {
                Some(slot) if stored[slot].is_none() => stored[slot] = Some((inst, func.args(inst)[1])),
                Some(_) => break,
                None if op.is_constant() || op == Opcode::StoreRef && func.args(inst)[0] == base => {}
                None => break,
            }
        }
        let stores: SmallVec<[_; 8]> = stored.iter().map_while(|&store| store).collect();
        if stores.is_empty() {
            return None;
        }
        let mut loads: SmallVec<[Option<(Inst, Value)>; 8]> = SmallVec::from_elem(None, stores.len());
        for &inst in &insts[number + 1..] {
            let op = func.insts[inst].op;
            match slot_of(inst, Opcode::LoadRef) {
                Some(slot) if slot < stores.len() && loads[slot].is_none() => {
                    loads[slot] = Some((inst, func.result(inst)));
                }
                Some(slot) if slot < stores.len() => return None,
                Some(_) => {}
                None if op == Opcode::LoadRef || op.is_constant() || op == Opcode::Jump => {}
                None => break,
            }
        }
        Some(Around { stores, loads })
    }

    /// Calls the function instead.
    fn replace(&self, func: &mut Func, block: Block, number: usize, id: FuncId) {
        let call = func.blocks[block].insts[number];
        let moved = |inst: &Inst| {
            self.stores.iter().any(|store| store.0 == *inst) || self.loads.iter().flatten().any(|load| load.0 == *inst)
        };
        let mut args: SmallVec<[Value; 16]> = func.args(call).into();
        args.extend(self.stores.iter().map(|store| store.1));
        let results: SmallVec<[Value; 16]> =
            self.loads.iter().map(|load| load.map_or_else(|| func.new_value(Type::Ref), |load| load.1)).collect();
        func.blocks[block].insts.retain(|inst| !moved(inst));
        func.set_args(call, &args);
        let results = ValueList::from_slice(&results, &mut func.pool);
        let data = &mut func.insts[call];
        (data.op, data.imm, data.results) = (Opcode::Call, id.as_u32().into(), results);
    }
}

/// Collects with so many references in the slots below a place, and gives them back.
fn collecting(count: usize) -> Func {
    let params: SmallVec<[Type; 17]> = std::iter::once(Type::I32).chain((0..count).map(|_| Type::Ref)).collect();
    let mut func = Func::new(format!("cleave.collect.{count}"), Signature::new(&params, &params[1..]));
    (func.phase, func.is_outlined) = (Phase::Low, true);
    let block = func.new_block();
    let params: SmallVec<[Value; 17]> = params.iter().map(|&ty| func.add_param(block, ty)).collect();
    let mut builder = Builder::new(&mut func, block);
    let base = builder.op(Opcode::ShadowPointer, &[]);
    let offsets = || (0..count as u64).map(|slot| slot * u64::from(SLOT));
    for (offset, &reference) in offsets().zip(&params[1..]) {
        builder.inst(Opcode::StoreRef, offset, 0, &[base, reference]);
    }
    builder.call_rt(Libcall::Collect, &[base, params[0]]);
    let moved: SmallVec<[Value; 16]> =
        offsets().map(|offset| builder.value(Opcode::LoadRef, offset, 0, &[base])).collect();
    builder.ret(&moved);
    func
}
