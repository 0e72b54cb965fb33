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
//! static node. Needs: high IR. Handles cells with one filling instruction that dominates all other uses; cells filled
//! on several branches are left alone. Helps `evalelim` and `gvn`, which know what a `build` makes.

use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Block, Func, Inst, Opcode, SecondaryMap, Value, ValueList};

/// Position of edge arguments: after all instructions.
const END: u32 = u32::MAX;

/// What is known of one cell.
#[derive(Clone, Default)]
struct Cell {
    made: Option<(Block, Inst)>,
    fill: Option<(Block, u32, Inst)>,
    /// More than one instruction fills it, or one in a way that cannot be replaced.
    bad: bool,
    uses: Vec<(Block, u32)>,
}

/// Removes cells of one function.
pub fn run(func: &mut Func) -> bool {
    let mut cells: Vec<Cell> = Vec::new();
    let mut number: SecondaryMap<Value, u32> = SecondaryMap::with_default(u32::MAX);
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            if func.insts[inst].op == Opcode::BuildDummy {
                number[func.result(inst)] = cells.len() as u32;
                cells.push(Cell { made: Some((block, inst)), ..Cell::default() });
            }
        }
    }
    if cells.is_empty() {
        return false;
    }
    collect_uses(func, &number, &mut cells);
    let cfg = Cfg::compute(func);
    let dom = DomTree::compute(&cfg);
    let mut renamed: Vec<(Value, Value)> = Vec::new();
    let mut changed = false;
    for cell in &cells {
        let (Some((made_in, made)), Some((block, position, fill)), false) = (cell.made, cell.fill, cell.bad) else {
            continue;
        };
        let after = |&(b, p): &(Block, u32)| if b == block { p > position } else { dom.dominates(block, b) };
        if !cfg.is_reachable(block) || !cell.uses.iter().all(after) {
            continue;
        }
        changed = true;
        let value = func.result(made);
        func.blocks[made_in].insts.retain(|&inst| inst != made);
        let args: Vec<Value> = func.args(fill)[1..].to_vec();
        if func.insts[fill].op == Opcode::FillCopy {
            func.blocks[block].insts.retain(|&inst| inst != fill);
            renamed.push((value, args[0]));
            continue;
        }
        let data = &mut func.insts[fill];
        data.op = if args.is_empty() { Opcode::NodeRef } else { Opcode::BuildNode };
        if args.is_empty() {
            data.aux = 0;
        }
        data.args = ValueList::from_slice(&args, &mut func.pool);
        data.results = ValueList::from_slice(&[value], &mut func.pool);
    }
    rename(func, renamed);
    changed
}

fn collect_uses(func: &Func, number: &SecondaryMap<Value, u32>, cells: &mut [Cell]) {
    for &block in &func.layout {
        for (position, &inst) in func.blocks[block].insts.iter().enumerate() {
            let position = position as u32;
            let args = func.args(inst);
            let fills = matches!(func.insts[inst].op, Opcode::FillNode | Opcode::FillCopy);
            for (k, &arg) in args.iter().enumerate() {
                let n = number[arg];
                if n == u32::MAX {
                    continue;
                }
                let cell = &mut cells[n as usize];
                if fills && k == 0 && !args[1..].contains(&arg) && cell.fill.is_none() {
                    cell.fill = Some((block, position, inst));
                } else {
                    cell.bad |= fills && k == 0;
                    cell.uses.push((block, position));
                }
            }
        }
        for edge in &func.blocks[block].edges {
            for &arg in func.edge_args(edge) {
                if number[arg] != u32::MAX {
                    cells[number[arg] as usize].uses.push((block, END));
                }
            }
        }
    }
}

/// Replaces values everywhere, following chains.
fn rename(func: &mut Func, renamed: Vec<(Value, Value)>) {
    if renamed.is_empty() {
        return;
    }
    let mut names: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    for (from, to) in renamed {
        names[from] = Some(to);
    }
    let resolve = |value: &mut Value| {
        while let Some(to) = names[*value] {
            *value = to;
        }
    };
    let Func { layout, blocks, insts, pool, .. } = func;
    for &block in layout.iter() {
        for &inst in &blocks[block].insts {
            insts[inst].args.as_mut_slice(pool).iter_mut().for_each(resolve);
        }
        for edge in &mut blocks[block].edges {
            edge.args.as_mut_slice(pool).iter_mut().for_each(resolve);
        }
    }
}
