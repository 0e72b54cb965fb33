//! What is written over, and what is boxed: made instructions of the reference-counted heap, before anything is
//! counted.
//!
//! ```text
//! set.ref v0, v1 (1, 0) 0      ─▶   v9 = exchange.ref v0, v1 (1, 0) 0        v9 is released
//! v2 = get.ref v0 (1, 0) 0     ─▶   v2 = get_retained.ref v0 (1, 0) 0
//! v3 = box.int v4              ─▶   v3 = build $INT/0 v4
//! v5 = build $None/0           ─▶   v5 = node $None                           if it holds nothing
//! ```
//! A reference that was read from a field is kept alive by its node only as long as nobody overwrites the field. So
//! what is read from a field that the program overwrites somewhere is one more reference, unless it is used before
//! anything can be written: in its own block, with no `set.ref` and no call in between.
//!
//! Needs and leaves: high IR, with these two instructions besides.

use cleave_ir::{
    Block, Flags, Func, Inst, InstData, Module, Opcode, SecondaryMap, Type, Value, ValueList, WellKnownDesc,
    WrittenFields,
};

/// Rewrites all functions. Without `peeks`, whatever is read from such fields is one more reference.
pub fn run(module: &mut Module, peeks: bool) {
    let written = WrittenFields::of(module);
    let Module { funcs, externs, descs, .. } = module;
    let is_atom =
        |data: &InstData| data.op == Opcode::BuildNode && data.aux == 0 && descs[data.desc()].payload(0) == (0, 0);
    let is_outside = |data: &InstData| externs[data.external().0].from.is_some();
    for func in funcs.values_mut() {
        // All nodes that hold nothing are the static one of their constructor: nobody counts them.
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            let data = &mut func.insts[inst];
            if is_atom(data) {
                data.op = Opcode::NodeRef;
            }
        }
        if !written.has_no_references() {
            reads(func, &written, peeks, &is_outside);
        }
        for at in 0..func.layout.len() {
            let block = func.layout[at];
            unbox(func, block);
            writes(func, block);
        }
    }
}

/// Boxed values are new nodes.
fn unbox(func: &mut Func, block: Block) {
    let is_boxed = |func: &Func, inst: Inst| {
        matches!(func.insts[inst].op, Opcode::BoxInt | Opcode::BoxChar | Opcode::BoxBool | Opcode::SmallInt)
    };
    if !func.blocks[block].insts.iter().any(|&inst| is_boxed(func, inst)) {
        return;
    }
    for inst in std::mem::take(&mut func.blocks[block].insts) {
        if is_boxed(func, inst) {
            func.set_location_of(inst);
            let (op, bits) = (func.insts[inst].op, func.insts[inst].imm);
            let constant = |func: &mut Func, bits: u64| {
                let constant = func.append(block, Opcode::Iconst64, bits, 0, &[], &[Type::I64]);
                func.result(constant)
            };
            let (desc, mask) = match op {
                Opcode::BoxChar => (WellKnownDesc::Char, Some(0xff)),
                Opcode::BoxBool => (WellKnownDesc::Bool, Some(1)),
                _ => (WellKnownDesc::Int, None),
            };
            let mut value = match op {
                Opcode::SmallInt => constant(func, bits),
                _ => func.args(inst)[0],
            };
            if let Some(mask) = mask {
                let mask = constant(func, mask);
                let masked = func.append(block, Opcode::And, 0, 0, &[value, mask], &[Type::I64]);
                value = func.result(masked);
            }
            func.set_args(inst, &[value]);
            let data = &mut func.insts[inst];
            (data.op, data.imm, data.aux) = (Opcode::BuildNode, u64::from(desc.desc().as_u32()), 0);
        }
        func.blocks[block].insts.push(inst);
    }
    func.set_location(cleave_ir::Location::NONE);
}

/// What is read from fields that may be overwritten is one more reference, or used at once.
fn reads(func: &mut Func, written: &WrittenFields, peeks: bool, is_outside: &impl Fn(&InstData) -> bool) {
    let may_change =
        |func: &Func, inst: Inst| written.may_change(&func.insts[inst]) && func.insts[inst].op == Opcode::GetRef;
    let insts = |func: &Func| -> Vec<Inst> {
        func.layout.iter().flat_map(|&block| func.blocks[block].insts.iter().copied()).collect()
    };
    if !insts(func).into_iter().any(|inst| may_change(func, inst)) {
        return;
    }
    let uses = uses(func);
    let mut retained = Vec::new();
    for &block in &func.layout {
        let insts = &func.blocks[block].insts;
        for (at, &inst) in insts.iter().enumerate() {
            if may_change(func, inst) && !(peeks && is_peek(func, &insts[at..], &uses, is_outside)) {
                retained.push(inst);
            }
        }
    }
    for inst in retained {
        func.insts[inst].op = Opcode::GetRetained;
    }
}

/// How often each value is used.
fn uses(func: &Func) -> SecondaryMap<Value, u32> {
    let mut uses = SecondaryMap::new();
    for &block in &func.layout {
        let data = &func.blocks[block];
        let args = data.insts.iter().flat_map(|&inst| func.args(inst));
        let passed = data.edges.iter().flat_map(|edge| func.edge_args(edge));
        args.chain(passed).for_each(|&value| uses[value] += 1);
    }
    uses
}

/// True if what the first of these instructions reads, and what is read from that, is used by the others alone, and
/// before anything can be written.
fn is_peek(
    func: &Func,
    insts: &[Inst],
    uses: &SecondaryMap<Value, u32>,
    is_outside: &impl Fn(&InstData) -> bool,
) -> bool {
    let result = func.result(insts[0]);
    let (mut read, mut left) = (vec![result], uses[result]);
    for &inst in &insts[1..] {
        if left == 0 {
            break;
        }
        let data = &func.insts[inst];
        let used = func.args(inst).iter().filter(|arg| read.contains(arg)).count() as u32;
        left -= used;
        match data.op {
            Opcode::GetRef if used > 0 => {
                let result = func.result(inst);
                read.push(result);
                left += uses[result];
            }
            // A reference that is one or another.
            Opcode::Select if used > 0 => return false,
            // It takes over what it stores before it gives away what was there.
            Opcode::SetRef => break,
            Opcode::CallRt if !is_outside(data) => {}
            op if op.any(Flags::CALL) => {
                left += used;
                break;
            }
            _ => {}
        }
    }
    left == 0
}

/// Who overwrites a reference gets what was there.
fn writes(func: &mut Func, block: Block) {
    for at in 0..func.blocks[block].insts.len() {
        let inst = func.blocks[block].insts[at];
        if func.insts[inst].op == Opcode::SetRef {
            let old = func.new_value(Type::Ref);
            func.insts[inst].op = Opcode::ExchangeRef;
            func.insts[inst].results = ValueList::from_slice(&[old], &mut func.pool);
        }
    }
}
