//! Holes on the reference-counted heap. A hole is the address of a field, together with that of the first cell; it
//! takes the place of the references to both (`open_hole`, `move_hole`, `fill_hole` in the table of opcodes).
//!
//! ```text
//! map(f, l):  …                        map.hole(f, l, h):  …
//!   c = build $Cell h, nil               fill_hole h, x;  ret that           what was `ret x`
//!   h = open_hole c                      c = build $Cell h, nil
//!   tail_call map.hole(f, t, h)          n = move_hole h, c;  tail_call map.hole(f, t, n)
//! ```
//! The address says which field it is, so that one function does for all holes of a function. Until it is filled the
//! field refers to an atom, which nobody counts.

use super::{End, Site, result_of};
use cleave_ir::layout::DescriptorKind;
use cleave_ir::{Block, Desc, Func, FuncId, Module, Opcode, Type, Value};
use smallvec::SmallVec;

/// Whose static node is in a field that is a hole: one that the program has anyway, if it has any.
fn placeholder(module: &Module) -> Option<Desc> {
    let mut insts = module.funcs.values().flat_map(|func| {
        func.layout.iter().flat_map(|&block| &func.blocks[block].insts).map(|&inst| &func.insts[inst])
    });
    let used = insts.find(|data| data.op == Opcode::NodeRef).map(|data| data.desc());
    // Strings and arrays are no nodes.
    let is_node = |desc: Desc| !matches!(module.descs[desc].kind, DescriptorKind::String | DescriptorKind::Array);
    used.or_else(|| module.descs.keys().find(|&desc| module.payload(desc, 0) == (0, 0) && is_node(desc)))
}

/// Makes the calls of some sites the last thing their function does.
pub fn rewrite(module: &mut Module, id: FuncId, sites: &[Site]) {
    let Some(atom) = placeholder(module) else { return };
    // All cells of a site have holes for a moment: none is a static node, or like another one.
    for cell in sites.iter().flat_map(|site| &site.cells) {
        module.descs[cell.desc].immutable = false;
    }
    let own = module.funcs.next_key();
    let mut func = module.funcs[id].clone();
    func.name += ".hole";
    func.signature.params.push(Type::I64);
    let entry = func.entry_block();
    let hole = func.add_param(entry, Type::I64);
    ends(&mut func, sites, id, own, hole);
    sites.iter().for_each(|site| call_last(&mut func, site, atom, own, Some(hole)));
    module.funcs.push(func);
    let func = &mut module.funcs[id];
    sites.iter().for_each(|site| call_last(func, site, atom, own, None));
}

/// The call of a site comes last; what is around its result has been made before.
fn call_last(func: &mut Func, site: &Site, atom: Desc, callee: FuncId, given: Option<Value>) {
    let mut args: SmallVec<[Value; 8]> = func.args(site.call).into();
    let nothing = func.make_inst(Opcode::NodeRef, u64::from(atom.as_u32()), 0, &[], &[Type::Ref]);
    let insts = &mut func.blocks[site.block].insts;
    insts.pop();
    let at = insts.iter().position(|&inst| inst == site.call).expect("the call is in its block");
    insts[at] = nothing;
    func.blocks[site.block].edges.clear();
    let nothing = func.result(nothing);
    for cell in &site.cells {
        let mut fields: SmallVec<[Value; 8]> = func.args(cell.build).into();
        fields[cell.operand] = nothing;
        func.set_args(cell.build, &fields);
    }
    let mut hole = given;
    for cell in site.cells.iter().rev() {
        let node = func.result(cell.build);
        let (op, operands): (_, SmallVec<[Value; 2]>) = match hole {
            Some(hole) => (Opcode::MoveHole, [hole, node].into()),
            None => (Opcode::OpenHole, [node].as_slice().into()),
        };
        let inst = func.append(site.block, op, cell.hole.shape.pack(), cell.hole.field, &operands, &[Type::I64]);
        hole = Some(func.result(inst));
    }
    args.extend(hole);
    let call = func.append(site.block, Opcode::TailCall, u64::from(callee.as_u32()), 0, &args, &[]);
    func.relocate(call, func.location(site.call));
}

/// What the function returned fills the hole; where it called itself last, the copy `own` calls itself. Not at the
/// sites.
fn ends(func: &mut Func, sites: &[Site], id: FuncId, own: FuncId, hole: Value) {
    for at in 0..func.layout.len() {
        let block = func.layout[at];
        if sites.iter().any(|site| site.block == block) {
            continue;
        }
        let Some(last) = func.terminator(block) else { continue };
        match End::of(&func.insts[last], id) {
            Some(End::Return) => {
                let value = func.args(last)[0];
                func.blocks[block].insts.pop();
                fill(func, block, hole, value);
            }
            Some(End::Again) => {
                func.insts[last].imm = u64::from(own.as_u32());
                let args: SmallVec<[Value; 8]> = func.args(last).iter().copied().chain([hole]).collect();
                func.set_args(last, &args);
            }
            Some(End::Elsewhere) => {
                let value = result_of(func, last);
                fill(func, block, hole, value);
            }
            None => {}
        }
    }
}

fn fill(func: &mut Func, block: Block, hole: Value, value: Value) {
    let inst = func.append(block, Opcode::FillHole, 0, 0, &[hole, value], &[Type::Ref]);
    let top = func.result(inst);
    func.append(block, Opcode::Return, 0, 0, &[top], &[]);
}
