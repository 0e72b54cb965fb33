//! Promotes constant nodes to static data: a node whose fields are all constant is not built when the program runs, but
//! lies in the static data section. String literals as lists, tables, boxed numbers, dictionaries and closures of
//! constants.
//!
//! ```text
//! v1 = node $_Nil                     static0 = node $_Cons/2 [char 98, node $_Nil] []
//! v2 = box.char 98              ─▶    static1 = node $_Cons/2 [char 97, static0] []
//! v3 = build $_Cons/2 v2, v1          …
//! v4 = box.char 97                    v5 = static_node static1
//! v5 = build $_Cons/2 v4, v3
//! ```
//! Such a node costs no time, needs no root and is never copied by the collector; equal ones are one node. In the data
//! section it takes the bytes that it had in the heap, which is less than the code that built it.
//!
//! Needs: high IR. Nobody may overwrite such a node, and its identity must not matter: nodes that are used as cells
//! (`cells.rs`), or of a shape that some `set.*` of the program is for, are built as before, and so are all in a
//! program that can tell (`Module::observes_identity`). Comes late, because `gvn` sees through a `build`, but not
//! through a reference to the data section, and after `dce`, because the data section keeps what is unused. One walk
//! over the instructions (definitions come before uses in the layout), then `dce` for the fields of what was replaced.

use crate::analysis::identity_uses::{Classes, IdentityUses};
use crate::analysis::lattice::Constant;
use crate::analysis::values::{Defs, Scratch};
use cleave_ir::layout::{SMALL_INT_MAX, SMALL_INT_MIN};
use cleave_ir::memory;
use cleave_ir::opcode::{Boxed, Field};
use cleave_ir::{
    Desc, Func, Inst, Module, Opcode, PrimaryMap, Static, StaticData, StaticField, StaticNode, Value, ValueList,
    WellKnownDesc,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Replaces nodes of constants; true if there was one.
pub fn run(module: &mut Module, scratch: &mut Scratch) -> bool {
    let mut classes = Classes::default();
    let others =
        Others { overwritten: overwritten_shapes(module), cells: IdentityUses::find(module, &mut classes), classes };
    replace(module, scratch, Some(others))
}

/// The same for nodes of immutable descriptors alone: instances of classes, closures of constants. Comes early, so that
/// `specialise` and `propagate` know more of them than the descriptor.
pub fn promote_dictionaries(module: &mut Module, scratch: &mut Scratch) -> bool {
    replace(module, scratch, None)
}

/// What says that a node of another descriptor stays as it is.
struct Others {
    overwritten: FxHashSet<(u32, u32)>,
    cells: IdentityUses,
    classes: Classes,
}

fn replace(module: &mut Module, scratch: &mut Scratch, mut others: Option<Others>) -> bool {
    if module.observes_identity || !memory::of(module.heap).has_static_nodes() {
        return false;
    }
    let known = known(module);
    let Module { funcs, statics, descs, .. } = module;
    let payload = |desc: Desc, applied_args: u32| descs[desc].payload(applied_args);
    let mut pool = Pool { statics, known };
    let mut changed = false;
    for func in funcs.values_mut() {
        let builds = |&inst: &Inst| matches!(func.insts[inst].op, Opcode::BuildNode | Opcode::BoxInt);
        if !func.layout.iter().any(|&block| func.blocks[block].insts.iter().any(builds)) {
            continue;
        }
        scratch.defs.compute(func);
        if let Some(others) = &mut others {
            others.cells.mark(func, &mut others.classes);
        }
        let mut replaced = false;
        for index in 0..func.layout.len() {
            let block = func.layout[index];
            for position in 0..func.blocks[block].insts.len() {
                let inst = func.blocks[block].insts[position];
                let Some(node) = constant_node(func, &scratch.defs, inst, payload) else { continue };
                let mut stays = |others: &mut Others| {
                    let is_overwritten =
                        others.overwritten.contains(&(node.ptrs.len() as u32, node.nptrs.len() as u32));
                    !is_overwritten && !others.classes.is_marked(func.result(inst))
                };
                if !descs[node.desc].is_immutable(node.applied_args) && !others.as_mut().is_some_and(&mut stays) {
                    continue;
                }
                let object = pool.add(node);
                let data = &mut func.insts[inst];
                (data.op, data.imm, data.aux) = (Opcode::StaticNode, u64::from(object.as_u32()), 0);
                data.args = ValueList::new();
                replaced = true;
            }
        }
        if replaced {
            crate::opt::dce::run(func, scratch);
            changed = true;
        }
    }
    changed
}

/// The static nodes of a module by their contents.
pub(crate) fn known(module: &Module) -> FxHashMap<StaticNode, Static> {
    let node = |(object, data): (Static, &StaticData)| match data {
        StaticData::Node(node) => Some((node.clone(), object)),
        _ => None,
    };
    module.statics.iter().filter_map(node).collect()
}

/// The shapes of nodes that are overwritten: references and raw words.
fn overwritten_shapes(module: &Module) -> FxHashSet<(u32, u32)> {
    let mut shapes = FxHashSet::default();
    for func in module.funcs.values() {
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            let data = &func.insts[inst];
            if Field::of(data.op).and_then(Field::read_back).is_some() {
                let shape = data.field_shape();
                shapes.insert((shape.ptrs, shape.nptrs));
            }
            if data.op == Opcode::SetNodeInfo {
                shapes.insert(module.payload(data.desc(), data.aux));
            }
        }
    }
    shapes
}

/// The static objects of the module: each node is there once.
struct Pool<'a> {
    statics: &'a mut PrimaryMap<Static, StaticData>,
    known: FxHashMap<StaticNode, Static>,
}

impl Pool<'_> {
    fn add(&mut self, node: StaticNode) -> Static {
        *self.known.entry(node).or_insert_with_key(|node| self.statics.push(StaticData::Node(node.clone())))
    }
}

/// The node that an instruction makes, if all of its fields are constants.
fn constant_node(
    func: &Func,
    defs: &Defs,
    inst: Inst,
    payload: impl Fn(Desc, u32) -> (u32, u32),
) -> Option<StaticNode> {
    let data = &func.insts[inst];
    let args = func.args(inst);
    if data.op == Opcode::BoxInt {
        let n = word(func, defs, args[0])?;
        let is_small = (SMALL_INT_MIN..=SMALL_INT_MAX).contains(&(n as i64));
        let node = StaticNode { desc: WellKnownDesc::Int.desc(), applied_args: 0, ptrs: [].into(), nptrs: [n].into() };
        return (!is_small).then_some(node);
    }
    if data.op != Opcode::BuildNode || args.is_empty() {
        return None;
    }
    let ptrs = payload(data.desc(), data.aux).0 as usize;
    Some(StaticNode {
        desc: data.desc(),
        applied_args: data.aux,
        ptrs: args[..ptrs].iter().map(|&arg| field(func, defs, arg)).collect::<Option<_>>()?,
        nptrs: args[ptrs..].iter().map(|&arg| word(func, defs, arg)).collect::<Option<_>>()?,
    })
}

/// A raw word that is a constant.
fn word(func: &Func, defs: &Defs, value: Value) -> Option<u64> {
    let data = &func.insts[defs.get(value)?];
    matches!(data.op, Opcode::Iconst64 | Opcode::Fconst).then_some(data.imm)
}

/// A reference to something static.
fn field(func: &Func, defs: &Defs, value: Value) -> Option<StaticField> {
    let inst = defs.get(value)?;
    let data = &func.insts[inst];
    let boxed = || word(func, defs, func.args(inst)[0]).map(|n| n as i64);
    if data.op.is_constant() {
        return Constant { op: data.op, aux: data.aux, imm: data.imm }.field();
    }
    Some(match Boxed::of(data.op)? {
        Boxed::BoxInt => StaticField::Int(boxed().filter(|n| (SMALL_INT_MIN..=SMALL_INT_MAX).contains(n))?),
        Boxed::BoxChar => StaticField::Char(u8::try_from(boxed()?).ok()?),
        Boxed::BoxBool => StaticField::Bool(match boxed()? {
            0 => false,
            1 => true,
            _ => return None,
        }),
        Boxed::SmallInt | Boxed::IntRef | Boxed::RefInt | Boxed::IsInt | Boxed::FitsInt => return None,
    })
}
