//! Allocation sinking: removes dummy objects that are made early only to be filled later.
//!
//! Lazy code often makes an empty cell, computes the fields, and fills the cell. If nothing sees the cell before it is
//! filled, the node can be built where it was filled: the cell is not written twice and needs no root in between.
//!
//! ```text
//! v1 = build_dummy                          …
//! v2 = call @f(v0)                 ──▶     v2 = call @f(v0)
//! fill $_Cons/2 v1, v0, v2                 v1 = build $_Cons/2 v0, v2
//! ```
//! A cell that becomes a copy of another node is that node; one that becomes a constructor without arguments is its
//! static node. Where several branches fill a cell, each builds its own node, and where they join it comes as a
//! parameter. Needs: high IR. Handles cells that are full at each use. Helps `evalelim` and `gvn`, which know what a
//! `build` makes.

mod joined;

use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Block, EntitySet, Func, Inst, Opcode, SecondaryMap, Type, Value, ValueList};
use joined::Joined;
use smallvec::SmallVec;

/// Position of edge arguments: after all instructions.
const END: u32 = u32::MAX;
/// Instructions that fill one cell.
const MAX_FILLS: usize = 16;

/// Where an instruction is: its block, and its number in it.
type Place = (Block, u32);

/// What is known of one cell.
#[derive(Clone, Default)]
struct Cell {
    made: Option<Place>,
    fills: SmallVec<[Place; 2]>,
    /// One instruction fills it in a way that cannot be replaced.
    bad: bool,
    uses: Vec<Place>,
}

/// Removes cells of one function.
pub fn run(func: &mut Func) -> bool {
    let mut cells: Vec<Cell> = Vec::new();
    let mut number: SecondaryMap<Value, u32> = SecondaryMap::with_default(u32::MAX);
    for &block in &func.layout {
        for (position, &inst) in func.blocks[block].insts.iter().enumerate() {
            if func.insts[inst].op == Opcode::BuildDummy {
                number[func.result(inst)] = cells.len() as u32;
                cells.push(Cell { made: Some((block, position as u32)), ..Cell::default() });
            }
        }
    }
    if cells.is_empty() {
        return false;
    }
    collect_uses(func, &number, &mut cells);
    let cfg = Cfg::compute(func);
    let dom = DomTree::compute(&cfg);
    let mut removed: EntitySet<Inst> = EntitySet::new();
    for at in 0..cells.len() {
        let cell = std::mem::take(&mut cells[at]);
        let (Some(made), false) = (cell.made, cell.bad || cell.fills.is_empty()) else { continue };
        let comes_after =
            |fill: Place, at: Place| if fill.0 == at.0 { at.1 > fill.1 } else { dom.dominates(fill.0, at.0) };
        let filled_before = |at: Place| cell.fills.iter().position(|&fill| comes_after(fill, at));
        let is_clear = cell.fills.iter().all(|&fill| cfg.is_reachable(fill.0) && filled_before(fill).is_none());
        let is_apart = is_clear && cell.uses.iter().all(|&at| filled_before(at).is_some());
        let joined = if is_apart { None } else { Joined::new(func, &cfg, made, &cell.fills, &cell.uses) };
        if !is_apart && joined.is_none() {
            continue;
        }
        let inst_at = |func: &Func, place: Place| func.blocks[place.0].insts[place.1 as usize];
        let made = inst_at(func, made);
        let value = func.result(made);
        removed.insert(made);
        let mut names: SmallVec<[Value; 2]> = SmallVec::new();
        for &place in &cell.fills {
            let fill = inst_at(func, place);
            names.push(replace(func, fill, &mut removed));
        }
        // Another cell, if that is what this one is a copy of: it is used here now.
        let mut used = |name: Value, at: Place| {
            if let Some(other) = cells.get_mut(number[name] as usize) {
                other.uses.push(at);
            }
        };
        if let Some(joined) = joined {
            joined.write(func, value, &names, used);
            continue;
        }
        for &at in &cell.uses {
            let name = names[filled_before(at).unwrap_or(0)];
            rename(func, at, value, name);
            used(name, at);
        }
    }
    let changed = !removed.is_empty();
    if changed {
        for &block in &func.layout {
            func.blocks[block].insts.retain(|&inst| !removed.contains(inst));
        }
    }
    changed
}

/// Makes the building of a node of the filling of a cell, and gives the node.
fn replace(func: &mut Func, fill: Inst, removed: &mut EntitySet<Inst>) -> Value {
    let args: SmallVec<[Value; 4]> = func.args(fill)[1..].into();
    if func.insts[fill].op == Opcode::FillCopy {
        removed.insert(fill);
        return args[0];
    }
    let value = func.new_value(Type::Ref);
    let data = &mut func.insts[fill];
    data.op = if args.is_empty() { Opcode::NodeRef } else { Opcode::BuildNode };
    if args.is_empty() {
        data.aux = 0;
    }
    data.args = ValueList::from_slice(&args, &mut func.pool);
    data.results = ValueList::from_slice(&[value], &mut func.pool);
    value
}

fn collect_uses(func: &Func, number: &SecondaryMap<Value, u32>, cells: &mut [Cell]) {
    for &block in &func.layout {
        for (position, &inst) in func.blocks[block].insts.iter().enumerate() {
            let position = position as u32;
            let args = func.args(inst);
            let fills = matches!(func.insts[inst].op, Opcode::FillNode | Opcode::FillCopy);
            for (k, &arg) in args.iter().enumerate() {
                let Some(cell) = cells.get_mut(number[arg] as usize) else { continue };
                if fills && k == 0 && !args[1..].contains(&arg) && cell.fills.len() < MAX_FILLS {
                    cell.fills.push((block, position));
                } else {
                    cell.bad |= fills && k == 0;
                    cell.uses.push((block, position));
                }
            }
        }
        for edge in &func.blocks[block].edges {
            for &arg in func.edge_args(edge) {
                if let Some(cell) = cells.get_mut(number[arg] as usize) {
                    cell.uses.push((block, END));
                }
            }
        }
    }
}

/// Replaces a value by another at one place.
fn rename(func: &mut Func, (block, position): Place, from: Value, to: Value) {
    let Func { blocks, insts, pool, .. } = func;
    let replace = |value: &mut Value| {
        if *value == from {
            *value = to;
        }
    };
    if position == END {
        for edge in &mut blocks[block].edges {
            edge.args.as_mut_slice(pool).iter_mut().for_each(replace);
        }
    } else {
        let inst = blocks[block].insts[position as usize];
        insts[inst].args.as_mut_slice(pool).iter_mut().for_each(replace);
    }
}
