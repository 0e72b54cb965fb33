//! Live ranges of references, one value at a time: the blocks of its range and what happens to it there.
//!
//! The walk goes backwards from the uses to the definition (Appel, "Modern Compiler Implementation", liveness by
//! variables), so the work is the size of the range. There are no tables of blocks × values.

use super::cfg_info::Flow;
use super::entity::RpoIndex;
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{Block, EntityRef, Func, Inst, PrimaryMap, SecondaryMap, Type, Value};

/// An operand.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    pub block: RpoIndex,
    /// Index of the instruction; for an argument of an edge that of the terminator.
    pub at: u32,
    pub place: UseSite,
}

#[derive(Clone, Copy, Debug)]
pub enum UseSite {
    Operand(Inst, u32),
    /// Number of the edge, and of its argument.
    Edge(Block, u32, u32),
}

/// Definitions and uses of the references that may need roots.
pub struct Values {
    /// Block and index of the definition; the index of a parameter is 0, that of the result of instruction `i` is `i +
    /// 1`. No block for other values.
    def: SecondaryMap<Value, (PackedOption<RpoIndex>, u32)>,
    /// Uses in the order of blocks and instructions; those of value `v` begin at `first[v]`.
    uses: Vec<Use>,
    first: Vec<u32>,
}

impl Values {
    /// `with_static`: references of static nodes count, too.
    pub fn collect(func: &Func, flow: &Flow, with_static: bool) -> Values {
        let mut def: SecondaryMap<Value, (PackedOption<RpoIndex>, u32)> = SecondaryMap::with_default((None.into(), 0));
        def.resize(func.values.len());
        for n in flow.ranks() {
            let block = flow.block(n);
            for &param in func.params(block) {
                if func.values[param] == Type::Ref {
                    def[param] = (n.into(), 0);
                }
            }
            for (at, &inst) in func.blocks[block].insts.iter().enumerate() {
                if func.insts[inst].op.is_static_ref() && !with_static {
                    continue;
                }
                for &result in func.results(inst) {
                    if func.values[result] == Type::Ref {
                        def[result] = (n.into(), at as u32 + 1);
                    }
                }
            }
        }
        let mut first = vec![0u32; func.values.len() + 1];
        let count = |value: Value, first: &mut Vec<u32>| first[value.index() + 1] += u32::from(def[value].0.is_some());
        each_use(func, flow, |value, _| count(value, &mut first));
        for n in 1..first.len() {
            first[n] += first[n - 1];
        }
        let nowhere = Use { block: RpoIndex::ENTRY, at: 0, place: UseSite::Edge(Block::from_u32(0), 0, 0) };
        let mut uses = vec![nowhere; first[first.len() - 1] as usize];
        let mut next = first.clone();
        each_use(func, flow, |value, found| {
            if def[value].0.is_some() {
                uses[next[value.index()] as usize] = found;
                next[value.index()] += 1;
            }
        });
        Values { def, uses, first }
    }

    pub fn uses(&self, value: Value) -> &[Use] {
        &self.uses[self.first[value.index()] as usize..self.first[value.index() + 1] as usize]
    }
    /// The uses with these numbers.
    pub fn at(&self, from: u32, to: u32) -> &[Use] {
        &self.uses[from as usize..to as usize]
    }
    /// Block and index of the definition, if the value may need a root.
    pub fn def(&self, value: Value) -> Option<(RpoIndex, u32)> {
        let (block, at) = self.def[value];
        Some((block.expand()?, at))
    }
}

fn each_use(func: &Func, flow: &Flow, mut found: impl FnMut(Value, Use)) {
    for n in flow.ranks() {
        let block = flow.block(n);
        let insts = &func.blocks[block].insts;
        for (at, &inst) in insts.iter().enumerate() {
            for (i, &arg) in func.args(inst).iter().enumerate() {
                found(arg, Use { block: n, at: at as u32, place: UseSite::Operand(inst, i as u32) });
            }
        }
        for (e, edge) in func.blocks[block].edges.iter().enumerate() {
            for (i, &arg) in func.edge_args(edge).iter().enumerate() {
                let place = UseSite::Edge(block, e as u32, i as u32);
                found(arg, Use { block: n, at: insts.len() as u32 - 1, place });
            }
        }
    }
}

/// A block in which a value is live.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    pub block: RpoIndex,
    /// Live at the start (not defined here).
    pub live_in: bool,
    pub live_out: bool,
    /// Its uses in this block, by number in `Values::uses`.
    pub uses: (u32, u32),
    /// Safepoints that it crosses here, by number in `Flow::safepoints`.
    pub crossed: (u32, u32),
}

impl Segment {
    pub fn crosses(&self) -> bool {
        self.crossed.0 < self.crossed.1
    }
}

/// How far a value reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// It crosses no safepoint.
    Nowhere,
    Near,
    /// It may cross a safepoint, and is live in more blocks than were asked for.
    Far,
}

/// The range of one value at a time.
pub struct Ranges {
    /// Blocks of the value at hand in reverse postorder, that of the definition first.
    pub segments: Vec<Segment>,
    /// Number of a block in `stretches`, valid where `stamp` is the current one.
    index: PrimaryMap<RpoIndex, u32>,
    stamps: PrimaryMap<RpoIndex, u32>,
    stamp: u32,
    live_in: Vec<RpoIndex>,
}

impl Ranges {
    pub fn new(flow: &Flow) -> Ranges {
        let zeros: PrimaryMap<RpoIndex, u32> = flow.ranks().map(|_| 0).collect();
        Ranges { segments: Vec::new(), index: zeros.clone(), stamps: zeros, stamp: 0, live_in: Vec::new() }
    }

    /// Number of a block of the range.
    pub fn find(&self, block: RpoIndex) -> Option<usize> {
        (self.stamps[block] == self.stamp).then(|| self.index[block] as usize)
    }

    /// Finds the range of a value. False if it crosses no safepoint (the range is incomplete then).
    pub fn compute(&mut self, flow: &Flow, values: &Values, value: Value) -> bool {
        self.reach(flow, values, value, usize::MAX) == Reach::Near
    }

    /// The same; stops when the range has more than `most` blocks.
    pub fn reach(&mut self, flow: &Flow, values: &Values, value: Value, most: usize) -> Reach {
        let Some((home, defined)) = values.def(value) else { return Reach::Nowhere };
        let uses = values.uses(value);
        let Some(last) = uses.last() else { return Reach::Nowhere };
        // Most values are used in the block of their definition only.
        if last.block == home && uses[0].block == home && !crosses(flow, home, defined, last.at) {
            return Reach::Nowhere;
        }
        self.stamp += 1;
        self.live_in.clear();
        let stamp = self.stamp;
        let Ranges { stamps, live_in, .. } = self;
        let mut reach = |block: RpoIndex, live_in: &mut Vec<RpoIndex>| {
            if block != home && stamps[block] != stamp {
                stamps[block] = stamp;
                live_in.push(block);
            }
        };
        for found in uses {
            reach(found.block, live_in);
        }
        let mut at = 0;
        while at < live_in.len() {
            if live_in.len() > most {
                return Reach::Far;
            }
            for &pred in &flow.preds[live_in[at]] {
                reach(pred, live_in);
            }
            at += 1;
        }
        live_in.sort_unstable();
        self.stamps[home] = stamp;
        if self.fill(flow, values, value, home, defined) { Reach::Near } else { Reach::Nowhere }
    }

    fn fill(&mut self, flow: &Flow, values: &Values, value: Value, home: RpoIndex, defined: u32) -> bool {
        self.segments.clear();
        let blocks = std::iter::once(&home).chain(&self.live_in);
        for (n, &block) in blocks.enumerate() {
            self.index[block] = n as u32;
            let whole = Segment { block, live_in: n > 0, live_out: false, uses: (0, 0), crossed: (0, 0) };
            self.segments.push(whole);
        }
        // A definition outside of a loop is before it in the order, but may be inside of another one.
        for n in 1..self.segments.len() {
            for &pred in &flow.preds[self.segments[n].block] {
                let pred = self.index[pred] as usize;
                self.segments[pred].live_out = true;
            }
        }
        let uses = values.uses(value);
        let mut next = 0;
        let mut any = false;
        for segment in &mut self.segments {
            let first = next;
            while next < uses.len() && uses[next].block == segment.block {
                next += 1;
            }
            let begin = values.first[value.index()];
            segment.uses = (begin + first as u32, begin + next as u32);
            let safepoints = &flow.safepoints[segment.block];
            let from = if segment.live_in { 0 } else { safepoints.partition_point(|&s| s < defined) };
            let to = if segment.live_out {
                safepoints.len()
            } else {
                let last = uses[first..next].last().map_or(0, |last| last.at);
                safepoints.partition_point(|&s| s < last)
            };
            segment.crossed = (from as u32, to.max(from) as u32);
            any |= segment.crosses();
        }
        any
    }
}

/// True if a safepoint lies between a definition and an instruction of the same block.
fn crosses(flow: &Flow, block: RpoIndex, defined: u32, last: u32) -> bool {
    flow.safepoints[block].iter().any(|&s| s >= defined && s < last)
}
