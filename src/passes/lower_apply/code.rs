//! The functions that `lower-apply` writes: they read node infos and thunk infos, and call through the dispatch tables.

use cleave_ir::layout::{
    MIN_OBJECT, NODE_INFO_APPLY, NODE_INFO_APPLY_ONE, NODE_INFO_ARGS, NODE_INFO_REMAINING, NODE_INFO_SIZE, OVERFLOW,
    SLOT, TAG_HNF, THUNK_INFO_UPDATE,
};
use cleave_ir::{Block, Builder, Func, FuncId, Libcall, Opcode, Table, Type, Value};

/// The body of `apply.1`: (closure, argument) -> evaluated result. The row of each closure leads to code.
pub(super) fn apply_one(func: Func, table: Table) -> Func {
    with_params(func, 2, |b, params| {
        let header = b.op(Opcode::Header, &[params[0]]);
        call_node_info(b, header, NODE_INFO_APPLY_ONE, table, params);
    })
}

/// The body of `apply.n`: (closure, n arguments) -> evaluated result. If exactly n are missing the row leads to code;
/// else `more` takes them one by one.
pub(super) fn apply(func: Func, n: u32, table: Table, more: FuncId) -> Func {
    with_params(func, n + 1, |b, params| {
        let [exact, other] = [(); 2].map(|()| b.func.new_block());
        let header = b.op(Opcode::Header, &[params[0]]);
        let missing = b.value(Opcode::LoadU16, (NODE_INFO_REMAINING - TAG_HNF) as u64, 0, &[header]);
        let wanted = b.iconst32(n as i32);
        let is_exact = b.op(Opcode::Eq, &[missing, wanted]);
        b.br_if(is_exact, (exact, &[]), (other, &[]));
        b.switch_to(exact);
        call_node_info(b, header, NODE_INFO_APPLY, table, params);
        b.switch_to(other);
        b.tail_call(more, params);
    })
}

/// The body of `apply.n.more`, for closures that lack another number of arguments: the first argument by `one`, the
/// others by `fewer` (`apply.n-1`).
pub(super) fn apply_more(func: Func, n: u32, one: FuncId, fewer: FuncId) -> Func {
    with_params(func, n + 1, |b, params| {
        let inst = b.call(one, &params[..2], &[Type::Ref]);
        let closure = b.func.result(inst);
        let mut operands = vec![closure];
        operands.extend(&params[2..]);
        b.tail_call(fewer, &operands);
    })
}

/// The body of `apply.1.more`: a copy of the closure with one more argument, of which it lacks two or more.
pub(super) fn add_argument(func: Func) -> Func {
    with_params(func, 2, |b, params| {
        let header = b.op(Opcode::Header, &[params[0]]);
        copy_with_argument(b, header, params[0], params[1]);
    })
}

fn with_params(mut func: Func, count: u32, write: impl FnOnce(&mut Builder<'_>, &[Value])) -> Func {
    let entry = func.new_block();
    let params: Vec<Value> = (0..count).map(|_| func.add_param(entry, Type::Ref)).collect();
    write(&mut Builder::new(&mut func, entry), &params);
    func
}

/// Ends in a call of the code whose number is at this offset of the row.
fn call_node_info(b: &mut Builder<'_>, header: Value, offset: u32, table: Table, params: &[Value]) {
    let index = b.value(Opcode::LoadI32, (offset - TAG_HNF) as u64, 0, &[header]);
    let mut operands = vec![index];
    operands.extend(params);
    b.inst(Opcode::TailCallTable, table.as_u32() as u64, 0, &operands);
}

/// The body of `update`: (node, cell) -> the cell, filled with the value of the node.
pub(super) fn update(mut func: Func, table: Table) -> Func {
    let entry = func.new_block();
    let [node, cell] = [(); 2].map(|()| func.add_param(entry, Type::Ref));
    let [copy, thunk, update, plain] = [(); 4].map(|()| func.new_block());
    let mut b = Builder::new(&mut func, entry);
    let hnf = b.op(Opcode::IsHnf, &[node]);
    b.br_if(hnf, (copy, &[]), (thunk, &[]));
    b.switch_to(copy);
    b.effect(Opcode::FillCopy, &[cell, node]);
    b.ret(&[cell]);
    b.switch_to(thunk);
    let header = b.op(Opcode::Header, &[node]);
    let number = b.value(Opcode::LoadI32, THUNK_INFO_UPDATE as u64, 0, &[header]);
    b.br_if(number, (update, &[]), (plain, &[]));
    b.switch_to(update);
    let one = b.iconst32(1);
    let index = b.op(Opcode::Isub, &[number, one]);
    b.inst(Opcode::TailCallTable, table.as_u32() as u64, 0, &[index, node, cell]);
    b.switch_to(plain);
    let value = b.op(Opcode::Enter, &[node]);
    b.effect(Opcode::FillCopy, &[cell, value]);
    b.ret(&[cell]);
    func
}

/// A copy of the closure with one more argument: the row after its own. Small closures are made in place.
fn copy_with_argument(b: &mut Builder<'_>, header: Value, closure: Value, argument: Value) {
    let applied_args = b.value(Opcode::LoadU16, (NODE_INFO_ARGS - TAG_HNF) as u64, 0, &[header]);
    let node_info_size = b.iconst32(NODE_INFO_SIZE as i32);
    let header = b.op(Opcode::Iadd, &[header, node_info_size]);
    b.inst(Opcode::BrTable, 0, 0, &[applied_args]);
    let from = b.block;
    let blocks: [Block; 4] = [(); 4].map(|()| b.func.new_block());
    for block in blocks {
        b.func.add_edge(from, block, &[]);
    }
    let store_ref = |b: &mut Builder<'_>, to: Value, offset: u32, value: Value| {
        b.inst(Opcode::StoreRef, offset as u64, 0, &[to, value]);
    };
    for (applied_args, block) in blocks[..3].iter().enumerate() {
        b.switch_to(*block);
        let bytes = if applied_args == 2 { MIN_OBJECT + 2 * SLOT } else { MIN_OBJECT };
        let node = b.value(Opcode::Alloc, bytes as u64, 0, &[]);
        b.inst(Opcode::StoreI32, 0, 0, &[node, header]);
        let first = if applied_args == 0 { argument } else { b.value(Opcode::LoadRef, SLOT as u64, 0, &[closure]) };
        store_ref(b, node, SLOT, first);
        match applied_args {
            0 => {
                let zero = b.iconst32(0);
                b.inst(Opcode::StoreI32, OVERFLOW as u64, 0, &[node, zero]);
            }
            1 => store_ref(b, node, 2 * SLOT, argument),
            _ => {
                let address = b.op(Opcode::RefAddr, &[node]);
                let size = b.iconst32(MIN_OBJECT as i32);
                let rest = b.op(Opcode::Iadd, &[address, size]);
                b.inst(Opcode::StoreI32, OVERFLOW as u64, 0, &[node, rest]);
                let second = b.value(Opcode::LoadRef, 2 * SLOT as u64, 0, &[closure]);
                store_ref(b, node, MIN_OBJECT, second);
                store_ref(b, node, MIN_OBJECT + SLOT, argument);
            }
        }
        b.ret(&[node]);
    }
    b.switch_to(blocks[3]);
    let inst = b.call_rt(Libcall::AddArgument, &[closure, argument]);
    let node = b.func.result(inst);
    b.ret(&[node]);
}
