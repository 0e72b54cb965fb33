//! Holes on the garbage-collected heap: the functions that fill one are passed the cell with the hole, and the first
//! cell, which they return.

use super::{End, Hole, Site, result_of};
use cleave_ir::{Block, EntityRef, Func, FuncId, Module, Opcode, Type, Value};
use smallvec::{SmallVec, smallvec};

/// Makes the calls of some sites the last thing their function does.
pub fn rewrite(module: &mut Module, id: FuncId, sites: &[Site]) {
    let mut holes: SmallVec<[Hole; 2]> = smallvec![];
    for site in sites {
        if !holes.contains(&site.inner().hole) {
            holes.push(site.inner().hole);
        }
    }
    let first = module.funcs.next_key();
    let number = |hole| holes.iter().position(|&known| known == hole).expect("a hole of this function");
    let target = |hole| FuncId::new(first.index() + number(hole));
    for (i, &hole) in holes.iter().enumerate() {
        let mut func = module.funcs[id].clone();
        func.name = match i {
            0 => format!("{}.hole", func.name),
            _ => format!("{}.hole{}", func.name, i + 1),
        };
        func.signature.params.extend([Type::Ref, Type::Ref]);
        let entry = func.entry_block();
        let (top, cell) = (func.add_param(entry, Type::Ref), func.add_param(entry, Type::Ref));
        let mut filler = Filler { func: &mut func, top, cell, hole };
        filler.ends(sites, id, FuncId::new(first.index() + i));
        filler.sites(sites, target);
        module.funcs.push(func);
    }
    for site in sites {
        // A cell whose other fields are constant is no static node.
        module.descs[site.inner().desc].immutable = false;
    }
    let func = &mut module.funcs[id];
    for site in sites {
        let (args, cell) = make_early(func, site);
        call_last(func, site.block, target(site.inner().hole), args, site.result, cell);
    }
}

/// Takes the call of a site away and makes a hole of what its result was for. What it was given, and the cell.
fn make_early(func: &mut Func, site: &Site) -> (SmallVec<[Value; 8]>, Value) {
    let args: SmallVec<[Value; 8]> = func.args(site.call).into();
    let nothing = func.make_inst(Opcode::SmallInt, 0, 0, &[], &[Type::Ref]);
    let insts = &mut func.blocks[site.block].insts;
    insts.pop();
    let at = insts.iter().position(|&inst| inst == site.call).expect("the call is in its block");
    insts[at] = nothing;
    let mut fields: SmallVec<[Value; 8]> = func.args(site.inner().build).into();
    fields[site.inner().operand] = func.result(nothing);
    func.set_args(site.inner().build, &fields);
    func.blocks[site.block].edges.clear();
    (args, func.result(site.inner().build))
}

/// Ends a block with a call of a function that fills a hole.
fn call_last(func: &mut Func, block: Block, callee: FuncId, mut args: SmallVec<[Value; 8]>, top: Value, cell: Value) {
    args.extend([top, cell]);
    func.append(block, Opcode::TailCall, u64::from(callee.as_u32()), 0, &args, &[]);
}

/// Makes a copy of a function into one that fills a hole.
struct Filler<'f> {
    func: &'f mut Func,
    /// What it returns.
    top: Value,
    /// The cell with the hole.
    cell: Value,
    hole: Hole,
}

impl Filler<'_> {
    fn fill(&mut self, block: Block, value: Value) {
        let Hole { shape, field } = self.hole;
        self.func.append(block, Opcode::SetRef, shape.pack(), field, &[self.cell, value], &[]);
    }

    fn sites(&mut self, sites: &[Site], target: impl Fn(Hole) -> FuncId) {
        for site in sites {
            let (args, cell) = make_early(self.func, site);
            self.fill(site.block, site.result);
            call_last(self.func, site.block, target(site.inner().hole), args, self.top, cell);
            if let Some(call) = self.func.terminator(site.block) {
                self.func.relocate(call, self.func.location(site.call));
            }
        }
    }

    /// What it returned fills the hole; where it called itself last, the copy `own` calls itself. Not at the sites.
    fn ends(&mut self, sites: &[Site], id: FuncId, own: FuncId) {
        for at in 0..self.func.layout.len() {
            let block = self.func.layout[at];
            if sites.iter().any(|site| site.block == block) {
                continue;
            }
            let Some(last) = self.func.terminator(block) else { continue };
            let data = &mut self.func.insts[last];
            let value = match End::of(data, id) {
                Some(End::Return) => {
                    let value = self.func.args(last)[0];
                    self.func.blocks[block].insts.pop();
                    value
                }
                Some(End::Again) => {
                    data.imm = u64::from(own.as_u32());
                    let args: SmallVec<[Value; 8]> =
                        self.func.args(last).iter().copied().chain([self.top, self.cell]).collect();
                    self.func.set_args(last, &args);
                    continue;
                }
                Some(End::Elsewhere) => result_of(self.func, last),
                None => continue,
            };
            self.fill(block, value);
            self.func.append(block, Opcode::Return, 0, 0, &[self.top], &[]);
        }
    }
}
