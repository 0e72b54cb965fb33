//! Outlining of oversized functions, which become several functions that tail call each other: engines and code
//! generators work on whole functions, and some of their work grows with the square of a function; WebAssembly has a
//! limit on the variables of one.
//!
//! ```text
//! f: … all that it did …      ─▶     f: … tail_call f.part1 v, w       f.part1(v, w): … tail_call f.part2 …
//! ```
//! A function can be cut where its graph has but one way on: no branch and no loop reaches over the place. So the parts
//! have an order, and a value is defined in one part and used in the same or in later ones.
//!
//! - If few values are alive at each cut, they are parameters of the next part.
//! - Else a part leaves what later ones need in *pages*: nodes of the heap, each with a reference to the page
//!   before it that is needed longest. A part gets the newest page that somebody still needs, walks to those that it
//!   uses itself, and reads a value in each block that uses it. Values are ordered by their last use, so that pages are
//!   dropped early when values are used in the reverse order of their definitions, as those of a stack are.
//!
//! Nothing is cut while objects are incomplete. Constants are made again in each part. Needs: high IR, before
//! `gc-leaf`. Functions of usual size stay as they are.
//!
//! Weaknesses: a function that is one loop, or one choice with many cases, stays whole, and so does one with holes on
//! the reference-counted heap ([`trmc`](super::trmc)). A page keeps all of its values alive. A part that needs the
//! oldest of many pages walks over all of them.

mod copy;
use self::copy::Copier;
use cleave_ir::cfg::Cfg;
use cleave_ir::layout::DescriptorKind;
use cleave_ir::verify::{holes, is_safepoint};
use cleave_ir::{
    Block, Desc, DescData, Effects, EntityRef, Func, FuncId, Inst, Module, Opcode, RecordData, Type, Value,
};
use rustc_hash::FxHashMap;

/// What is cut, and how.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Functions with more instructions are cut.
    pub oversized: usize,
    /// Instructions of a part, if it can be cut there.
    pub part: usize,
    /// Values that a part takes as parameters at most, besides those of the block at the cut.
    pub live: usize,
    /// Values of a page.
    pub spill_record: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { oversized: 1 << 13, part: 1 << 11, live: 48, spill_record: 1 << 10 }
    }
}

/// Parameters of a block that can be cut off.
const MOST_PARAMS: usize = 256;

const NOWHERE: u32 = u32::MAX;

/// Cuts all giant functions; true if there was one.
pub fn run(module: &mut Module, limits: Limits) -> bool {
    let mut oversized: Vec<FuncId> =
        module.funcs.keys().filter(|&id| module.funcs[id].inst_count() > limits.oversized).collect();
    if module.heap.counts() && !oversized.is_empty() {
        let holes = holes::params(module);
        oversized.retain(|&id| holes[id.index()].is_empty() && !opens_hole(&module.funcs[id]));
    }
    let mut shapes = FxHashMap::default();
    let before = module.funcs.len();
    oversized.into_iter().for_each(|id| cut(module, id, limits, &mut shapes));
    module.funcs.len() > before
}

/// Does the function begin a structure with a hole? Such a hole comes from one instruction to the next, or to a
/// function that is called with it: from a page nobody would see where it is filled.
fn opens_hole(func: &Func) -> bool {
    let mut insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
    insts.any(|&inst| func.insts[inst].op == Opcode::OpenHole)
}

/// A place where a part ends: before an instruction of a block, both by number.
type Cut = (u32, u32);

/// True if nothing may be collected from an instruction on, until one that collects itself: objects are incomplete, or
/// addresses known. What is cut there could collect earlier.
fn opens(func: &Func, inst: Inst) -> bool {
    let data = &func.insts[inst];
    let opens = |effects: Effects| effects.all(Effects::FFI) && !effects.may_gc();
    let is_open = [Opcode::Alloc, Opcode::HeapFull, Opcode::RefAddr].contains(&data.op);
    is_open || data.op == Opcode::CallRt && opens(data.effects())
}

/// The places where a function is cut.
fn find_cuts(module: &Module, func: &Func, cfg: &Cfg, most: usize) -> Vec<Cut> {
    let targets = |block: Block| func.blocks[block].edges.iter().map(|edge| cfg.number[edge.block]);
    // The first block that an edge from here on, or from further on, enters.
    let mut lowest = vec![NOWHERE; cfg.order.len() + 1];
    for (n, &block) in cfg.order.iter().enumerate().rev() {
        lowest[n] = targets(block).min().unwrap_or(NOWHERE).min(lowest[n + 1]);
    }
    let (mut cuts, mut size, mut furthest, mut is_open) = (Vec::new(), 0, 0, false);
    for (n, &block) in (0u32..).zip(&cfg.order) {
        let is_entered_alone = furthest <= n && func.params(block).len() <= MOST_PARAMS;
        // All ways lead through all of this block, once.
        let is_only_way = furthest <= n && lowest[n as usize] > n;
        for (at, &inst) in (0u32..).zip(&func.blocks[block].insts) {
            let is_way = if at == 0 { n > 0 && is_entered_alone && lowest[n as usize] >= n } else { is_only_way };
            if size >= most && is_way && !is_open {
                cuts.push((n, at));
                size = 0;
            }
            size += 1;
            if opens(func, inst) {
                is_open = true;
            } else if is_only_way && is_safepoint(module, func, inst) {
                is_open = false;
            }
        }
        furthest = targets(block).max().unwrap_or(0).max(furthest);
    }
    cuts
}

/// What is known of the values of a function that is cut.
struct Plan {
    cuts: Vec<Cut>,
    /// By value: the parts in which it is defined and used last; constants are defined nowhere.
    def: Vec<u32>,
    last: Vec<u32>,
    /// The constant that a value is.
    constant: Vec<Option<Inst>>,
    /// No pages: by cut, the values that are parameters after it.
    live: Vec<Vec<Value>>,
    spill_records: Vec<SpillRecord>,
    /// By value: its page and the field there.
    place: FxHashMap<Value, (u32, u32)>,
}

/// A node that holds values for later parts: its references, then its raw words.
struct SpillRecord {
    part: u32,
    /// The last part that reads it.
    last: u32,
    values: Vec<Value>,
    /// References among them, without that to another page.
    ptrs: u32,
    link: Option<u32>,
}

impl Plan {
    fn new(func: &Func, cfg: &Cfg, cuts: Vec<Cut>, limits: Limits) -> Plan {
        let count = func.values.len();
        let mut plan = Plan {
            cuts,
            def: vec![NOWHERE; count],
            last: vec![0; count],
            constant: vec![None; count],
            live: Vec::new(),
            spill_records: Vec::new(),
            place: FxHashMap::default(),
        };
        let mut part = 0;
        for (n, &block) in (0u32..).zip(&cfg.order) {
            for (at, &inst) in (0u32..).zip(&func.blocks[block].insts) {
                part += u32::from(plan.cuts.get(part as usize) == Some(&(n, at)));
                if at == 0 {
                    func.params(block).iter().for_each(|param| plan.def[param.index()] = part);
                }
                func.args(inst).iter().for_each(|arg| plan.last[arg.index()] = part);
                for result in func.results(inst) {
                    if func.insts[inst].op.is_constant() {
                        plan.constant[result.index()] = Some(inst);
                    } else {
                        plan.def[result.index()] = part;
                    }
                }
            }
            let passed = func.blocks[block].edges.iter().flat_map(|edge| func.edge_args(edge));
            passed.for_each(|arg| plan.last[arg.index()] = part);
        }
        plan.assign(func, limits);
        plan
    }

    /// Values that outlive their part become parameters, or get their places.
    fn assign(&mut self, func: &Func, limits: Limits) {
        let is_far =
            |value: &Value| self.def[value.index()] != NOWHERE && self.last[value.index()] > self.def[value.index()];
        let mut far: Vec<Value> = func.values.keys().filter(is_far).collect();
        let mut live: Vec<Vec<Value>> = vec![Vec::new(); self.cuts.len()];
        let few = far.iter().all(|&value| {
            (self.def[value.index()]..self.last[value.index()]).all(|cut| {
                live[cut as usize].push(value);
                live[cut as usize].len() <= limits.live
            })
        });
        if few {
            self.live = live;
            return;
        }
        far.sort_by_key(|value| (self.def[value.index()], std::cmp::Reverse(self.last[value.index()]), *value));
        let mut rest = &far[..];
        while let Some(first) = rest.first() {
            let part = self.def[first.index()];
            let count =
                rest.iter().take(limits.spill_record).take_while(|value| self.def[value.index()] == part).count();
            let (values, others) = rest.split_at(count);
            self.add_page(func, values);
            rest = others;
        }
    }

    fn add_page(&mut self, func: &Func, values: &[Value]) {
        let is_ref = |value: &Value| func.values[*value] == Type::Ref;
        let (mut ordered, nptrs): (Vec<Value>, Vec<Value>) = values.iter().partition(|value| is_ref(value));
        let (ptrs, part) = (ordered.len() as u32, self.def[values[0].index()]);
        ordered.extend(nptrs);
        let link = self.newest(self.spill_records.len(), part + 1);
        for (at, &value) in (0..).zip(&ordered) {
            let field = if at < ptrs { at + u32::from(link.is_some()) } else { at - ptrs };
            self.place.insert(value, (self.spill_records.len() as u32, field));
        }
        let last = self.last[values[0].index()];
        self.spill_records.push(SpillRecord { part, last, values: ordered, ptrs, link });
    }

    /// The newest of the first pages that is read in a part or later.
    fn newest(&self, count: usize, part: u32) -> Option<u32> {
        let found = self.spill_records[..count]
            .iter()
            .rposition(|spill_record| spill_record.part < part && spill_record.last >= part);
        found.map(|spill_record| spill_record as u32)
    }

    /// Pages that end with a part, as a range of their numbers.
    fn spill_records_of(&self, part: u32) -> std::ops::Range<u32> {
        let at = |part| self.spill_records.partition_point(|spill_record| spill_record.part < part) as u32;
        at(part)..at(part + 1)
    }
}

impl SpillRecord {
    /// References and raw words, with the reference to another page.
    fn shape(&self) -> (u32, u32) {
        (self.ptrs + u32::from(self.link.is_some()), self.values.len() as u32 - self.ptrs)
    }
}

/// Descriptors of pages by their shapes.
type Shapes = FxHashMap<(u32, u32), Desc>;

fn desc_of(module: &mut Module, shapes: &mut Shapes, (ptrs, nptrs): (u32, u32)) -> Desc {
    *shapes.entry((ptrs, nptrs)).or_insert_with(|| {
        let name = format!("page.{ptrs}.{nptrs}");
        let types = [vec![b'a'; ptrs as usize], vec![b'i'; nptrs as usize]].concat();
        module.descs.push(DescData {
            name: name.clone().into_bytes().into(),
            label: name,
            kind: DescriptorKind::Record,
            arity: 0,
            record: Some(RecordData { ptrs, nptrs, types: types.into(), nested: Vec::new() }),
            tag: 0,
            apply: Vec::new(),
            method: None,
            callable: false,
            contiguous: false,
            immutable: false,
        })
    })
}

/// Cuts one function, if there are places for it.
fn cut(module: &mut Module, id: FuncId, limits: Limits, shapes: &mut Shapes) {
    let func = &module.funcs[id];
    let cfg = Cfg::compute(func);
    let cuts = find_cuts(module, func, &cfg, limits.part);
    if cuts.is_empty() {
        return;
    }
    let plan = Plan::new(func, &cfg, cuts, limits);
    let descs: Vec<Desc> =
        plan.spill_records.iter().map(|spill_record| desc_of(module, shapes, spill_record.shape())).collect();
    let func = std::mem::take(&mut module.funcs[id]);
    let mut copier = Copier::new(&func, &cfg, &plan, &descs, module.funcs.len());
    for part in 0..=plan.cuts.len() as u32 {
        let made = copier.part(part);
        if part == 0 {
            module.funcs[id] = made;
        } else {
            module.funcs.push(made);
        }
    }
}
