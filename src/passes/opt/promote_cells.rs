//! Cells that nobody else sees become values: a node that is only read and overwritten here, or an array of a few
//! elements with constant indices. Each field is a variable, which is put into SSA form: where paths meet with
//! different contents, a block gets a parameter.
//!
//! ```text
//!   v1 = build $Ref/0 v0                            jump block1(v0)
//!   jump block1                                   block1(v5: i64):
//! block1:                                   ─▶      v3 = iadd v5, v9
//!   v2 = get.i64 v1 (0, 1) 0                        br_if v4, block1(v3), block2
//!   v3 = iadd v2, v9
//!   set.i64 v1, v3 (0, 1) 0
//!   br_if v4, block1, block2
//! ```
//! So a loop that counts in a local variable is the loop with an accumulator. A cell that is passed on, stored, or
//! whose address is taken stays what it is. Parameters are made on demand, from what is read upwards (Braun and others,
//! 2013), and only where contents differ.
//!
//! Needs: high IR, no unreachable blocks. Comes after `inline`, which shows what happens to cells, and before
//! `expand-arrays`, which hides arrays.

use crate::analysis::values::Scratch;
use crate::context::ModuleContext;
use cleave_ir::cfg::Cfg;
use cleave_ir::opcode::{Array, Field};
use cleave_ir::{ArrayKind, Block, Func, Inst, Opcode, SecondaryMap, Type, Value, ValueList, ValuePool};
use rustc_hash::FxHashMap;

/// Arrays with more elements stay.
const MOST_ELEMENTS: u64 = 8;

/// What a candidate is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// References and words of a node.
    Node(u32, u32),
    /// So many elements.
    Array(ArrayKind, u32),
}

/// A node or array that may be a few variables.
struct Cell {
    made: (Block, Inst),
    shape: Shape,
    /// It is overwritten: otherwise `gvn` sees through it.
    changes: bool,
    escapes: bool,
    places: Vec<(Block, Inst, Use)>,
}

/// What an instruction does with a cell.
#[derive(Clone, Copy)]
enum Use {
    Reads(usize),
    Writes(usize, Value),
    Asks,
}

/// Promotes cells of one function; true if there was one.
pub fn run(func: &mut Func, cx: &ModuleContext, scratch: &mut Scratch) -> bool {
    let is_maker = |&inst: &Inst| matches!(func.insts[inst].op, Opcode::BuildNode | Opcode::ArrayNew);
    if !func.layout.iter().any(|&block| func.blocks[block].insts.iter().any(is_maker)) {
        return false;
    }
    scratch.defs.compute(func);
    let constant = |func: &Func, value: Value| {
        let def = scratch.defs.get(value).map(|inst| &func.insts[inst])?;
        (def.op == Opcode::Iconst64).then_some(def.imm)
    };
    let mut cells: FxHashMap<Value, Cell> = FxHashMap::default();
    let insts = |&block: &Block| func.blocks[block].insts.iter().map(move |&inst| (block, inst));
    for (block, inst) in func.layout.iter().flat_map(insts) {
        let data = &func.insts[inst];
        let shape = if data.op == Opcode::BuildNode {
            let (ptrs, nptrs) = cx.payload(data.desc(), data.aux);
            Shape::Node(ptrs, nptrs)
        } else if data.op == Opcode::ArrayNew
            && let kind @ (ArrayKind::Ref | ArrayKind::I64 | ArrayKind::F64) = data.array_kind()
            && let Some(size) = constant(func, func.args(inst)[0]).filter(|&size| size <= MOST_ELEMENTS)
        {
            Shape::Array(kind, size as u32)
        } else {
            continue;
        };
        let changes = matches!(shape, Shape::Array(..));
        let cell = Cell { made: (block, inst), shape, changes, escapes: false, places: Vec::new() };
        cells.insert(func.result(inst), cell);
    }
    look_at_uses(func, &mut cells, constant);
    cells.retain(|_, cell| cell.changes && !cell.escapes);
    if cells.is_empty() {
        return false;
    }
    let cfg = Cfg::compute(func);
    if func.layout.iter().any(|&block| !cfg.is_reachable(block)) {
        return false;
    }
    // The order of the function, so that the result does not depend on that of the table.
    let mut cells: Vec<(Value, Cell)> = cells.into_iter().collect();
    cells.sort_unstable_by_key(|cell| cell.0);
    let mut promotion = Promotion { func, cfg: &cfg, replaced: FxHashMap::default() };
    let mut gone: Vec<Inst> = Vec::new();
    for (_, cell) in cells {
        let made = cell.made.1;
        let contents: Vec<Value> = match cell.shape {
            Shape::Node(..) => promotion.func.args(made).to_vec(),
            Shape::Array(_, size) => vec![promotion.func.args(made)[1]; size as usize],
        };
        for (field, &first) in contents.iter().enumerate() {
            promotion.variable(cell.made.0, field, first, &cell.places);
        }
        gone.push(made);
        for (_, inst, what) in cell.places {
            match what {
                Use::Asks => answer(promotion.func, inst, made, cell.shape),
                _ => gone.push(inst),
            }
        }
    }
    let Promotion { replaced, .. } = promotion;
    finish(func, &replaced, &gone);
    true
}

/// Finds what happens to each candidate.
fn look_at_uses(func: &Func, cells: &mut FxHashMap<Value, Cell>, constant: impl Fn(&Func, Value) -> Option<u64>) {
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            for (number, arg) in func.args(inst).iter().enumerate() {
                let Some(cell) = cells.get_mut(arg) else { continue };
                let Some(what) = use_of(func, inst, cell.shape, &constant).filter(|_| number == 0) else {
                    cell.escapes = true;
                    continue;
                };
                cell.changes |= matches!(what, Use::Writes(..));
                cell.places.push((block, inst, what));
            }
        }
        for arg in func.blocks[block].edges.iter().flat_map(|edge| func.edge_args(edge)) {
            if let Some(cell) = cells.get_mut(arg) {
                cell.escapes = true;
            }
        }
    }
}

/// What an instruction does with the cell of this shape that is its first operand, if that is allowed.
fn use_of(func: &Func, inst: Inst, shape: Shape, constant: &impl Fn(&Func, Value) -> Option<u64>) -> Option<Use> {
    let data = &func.insts[inst];
    let args = func.args(inst);
    match shape {
        Shape::Node(..) if data.op == Opcode::Header => Some(Use::Asks),
        Shape::Node(ptrs, nptrs) => {
            let first = match Field::of(data.op)? {
                Field::GetRef | Field::SetRef => 0,
                Field::GetI64 | Field::GetF64 | Field::SetI64 | Field::SetF64 => ptrs,
                Field::ArgRef | Field::ArgI64 | Field::ArgF64 => return None,
            };
            let (read, field) = (data.field_shape(), (first + data.aux) as usize);
            let what = args.get(1).map_or(Use::Reads(field), |&value| Use::Writes(field, value));
            ((read.ptrs, read.nptrs) == (ptrs, nptrs)).then_some(what)
        }
        Shape::Array(kind, size) => match Array::of(data.op).filter(|_| data.array_kind() == kind)? {
            Array::ArrayGet | Array::ArraySet => {
                let index = constant(func, args[1]).filter(|&index| index < u64::from(size))? as usize;
                Some(args.get(2).map_or(Use::Reads(index), |&value| Use::Writes(index, value)))
            }
            Array::ArrayLen => Some(Use::Asks),
            Array::ArrayNew | Array::ArraySlice | Array::ArrayCopy => None,
        },
    }
}

/// The header of a node, or the length of an array, is known.
fn answer(func: &mut Func, inst: Inst, made: Inst, shape: Shape) {
    let (imm, aux) = (func.insts[made].imm, func.insts[made].aux);
    let data = &mut func.insts[inst];
    (data.op, data.imm, data.aux) = match shape {
        Shape::Node(..) => (Opcode::NodeInfoAddr, imm, aux),
        Shape::Array(_, size) => (Opcode::Iconst64, u64::from(size), 0),
    };
    data.args = ValueList::new();
}

struct Promotion<'f> {
    func: &'f mut Func,
    cfg: &'f Cfg,
    /// What stands for values that are gone.
    replaced: FxHashMap<Value, Value>,
}

/// The contents of one field, from block to block.
struct Variable {
    ty: Type,
    /// At the end of blocks that write it.
    written: SecondaryMap<Block, Option<Value>>,
    /// At the start of blocks, as far as somebody has asked.
    start: SecondaryMap<Block, Option<Value>>,
    /// Blocks with a parameter for it.
    joins: Vec<(Block, Value)>,
}

impl Promotion<'_> {
    fn resolve(&self, mut value: Value) -> Value {
        while let Some(&next) = self.replaced.get(&value) {
            value = next;
        }
        value
    }

    /// Replaces what is read from a field of a cell that is made in a block with this content.
    fn variable(&mut self, home: Block, field: usize, first: Value, places: &[(Block, Inst, Use)]) {
        let ty = self.func.values[first];
        let mut variable = Variable { ty, written: SecondaryMap::new(), start: SecondaryMap::new(), joins: Vec::new() };
        variable.written[home] = Some(first);
        let mut exposed: Vec<(Block, Inst)> = Vec::new();
        // All uses in its block come after it.
        let mut now = (home, first);
        for &(block, inst, what) in places {
            if block == home && now.0 != home {
                now = (home, first);
            }
            match what {
                Use::Writes(written, value) if written == field => {
                    now = (block, value);
                    variable.written[block] = Some(value);
                }
                Use::Reads(read) if read == field => match now {
                    (written, value) if written == block => _ = self.replaced.insert(self.func.result(inst), value),
                    _ => exposed.push((block, inst)),
                },
                _ => {}
            }
        }
        for (block, inst) in exposed {
            let value = self.at_start(&mut variable, block);
            self.replaced.insert(self.func.result(inst), value);
        }
        let mut edges: Vec<Vec<(Block, Value)>> = Vec::new();
        let mut next = 0;
        while let Some(&(block, _)) = variable.joins.get(next) {
            let before: Vec<Block> = self.cfg.preds[block].to_vec();
            edges.push(before.into_iter().map(|before| (before, self.at_end(&mut variable, before))).collect());
            next += 1;
        }
        self.join(&variable.joins, &edges);
    }

    fn at_end(&mut self, variable: &mut Variable, block: Block) -> Value {
        match variable.written[block] {
            Some(value) => value,
            None => self.at_start(variable, block),
        }
    }

    /// The contents at the start of a block: what the block before it leaves, or a parameter where several meet.
    fn at_start(&mut self, variable: &mut Variable, block: Block) -> Value {
        let (mut path, mut at) = (Vec::new(), block);
        let value = loop {
            if let Some(known) = variable.start[at] {
                break known;
            }
            path.push(at);
            match self.cfg.preds[at][..] {
                [before] => match variable.written[before] {
                    Some(value) => break value,
                    None => at = before,
                },
                _ => {
                    let param = self.func.new_value(variable.ty);
                    variable.joins.push((at, param));
                    break param;
                }
            }
        };
        path.into_iter().for_each(|block| variable.start[block] = Some(value));
        value
    }

    /// Gives blocks their parameters, but for those that always get the same.
    fn join(&mut self, joins: &[(Block, Value)], edges: &[Vec<(Block, Value)>]) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (&(_, param), edges) in joins.iter().zip(edges) {
                if self.replaced.contains_key(&param) {
                    continue;
                }
                let mut others = edges.iter().map(|&(_, value)| self.resolve(value)).filter(|&value| value != param);
                if let Some(one) = others.next().filter(|&one| others.all(|other| other == one)) {
                    self.replaced.insert(param, one);
                    changed = true;
                }
            }
        }
        for (&(block, param), edges) in joins.iter().zip(edges) {
            if self.replaced.contains_key(&param) {
                continue;
            }
            self.func.blocks[block].params.push(param, &mut self.func.pool);
            let mut done: Vec<Block> = Vec::new();
            for &(before, value) in edges {
                if done.contains(&before) {
                    continue;
                }
                done.push(before);
                for at in 0..self.func.blocks[before].edges.len() {
                    if self.func.blocks[before].edges[at].block == block {
                        self.func.blocks[before].edges[at].args.push(value, &mut self.func.pool);
                    }
                }
            }
        }
    }
}

/// Takes out what is gone, and names what stands for it.
fn finish(func: &mut Func, replaced: &FxHashMap<Value, Value>, gone: &[Inst]) {
    let mut is_gone: SecondaryMap<Inst, bool> = SecondaryMap::new();
    gone.iter().for_each(|&inst| is_gone[inst] = true);
    let rename = |list: &mut ValueList, pool: &mut ValuePool| {
        for value in list.as_mut_slice(pool) {
            while let Some(&next) = replaced.get(value) {
                *value = next;
            }
        }
    };
    for at in 0..func.layout.len() {
        let block = func.layout[at];
        func.blocks[block].insts.retain(|&inst| !is_gone[inst]);
        for number in 0..func.blocks[block].insts.len() {
            rename(&mut func.insts[func.blocks[block].insts[number]].args, &mut func.pool);
        }
        for number in 0..func.blocks[block].edges.len() {
            rename(&mut func.blocks[block].edges[number].args, &mut func.pool);
        }
    }
}
