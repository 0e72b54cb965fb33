//! Wasm locals for the values that `treeify` left off the operand stack.
//!
//! A value gets its local where it is written, walking the blocks in reverse postorder, so that its dominators are
//! done; the locals in use are those of the values that live into the block, and one is free again after the last
//! read. On SSA form this greedy walk is an optimal colouring (Hack, "Interference Graphs of Programs in SSA Form"),
//! and needs no interference graph. Liveness comes from walking back from each use that crosses blocks to the
//! definition (Boissinot et al., "Computing Liveness Sets for SSA-Form Programs"), linear in the size of the sets.
//!
//! Coalescing is by preference: a value first tries the local of the parameter that it is passed to or, if it is a
//! parameter, those of its arguments, then the other locals of its web of parameters and arguments. So a loop does
//! not shuffle its variables unless two of them are really alive together.
//!
//! In large functions the sets of live values can be larger than `MOST_LIVE`: then a value keeps its local for the
//! interval in which it may be live (`cleave_ir::extents`), which takes more locals and work that grows with the
//! function.
//!
//! Weakness: preferences are taken in visiting order, not by how often an edge is run.

use crate::isel::{Def, Folded};
use crate::treeify::{Item, Trees};
use cleave_ir::cfg::Cfg;
use cleave_ir::live_intervals::{Extent, Extents};
use cleave_ir::{Block, EntityRef, Func, Type, Value};
use wasm_encoder::ValType;

const NONE: u32 = u32::MAX;

/// The Wasm type of a value.
pub fn val_type(ty: Type) -> ValType {
    match ty {
        Type::I32 | Type::Ref => ValType::I32,
        Type::I64 => ValType::I64,
        Type::F64 => ValType::F64,
    }
}

/// Index of a Wasm type among the three that we use.
fn type_class(ty: Type) -> usize {
    match ty {
        Type::I32 | Type::Ref => 0,
        Type::I64 => 1,
        Type::F64 => 2,
    }
}
const CLASS_TYPES: [ValType; 3] = [ValType::I32, ValType::I64, ValType::F64];

/// Values that live into blocks, together, beyond which intervals take their place.
pub const MOST_LIVE: usize = 1 << 21;

/// The extent of a value that does not cross blocks.
const INSIDE: Extent = Extent { last: 0, through: false };

/// Locals of one function, and the scratch memory to assign them.
#[derive(Default)]
pub struct Locals {
    /// The intervals of the values, if they are used, and the values whose intervals end with each block.
    extents: Vec<Extent>,
    ending: Vec<Vec<Value>>,
    /// Number of the block at hand.
    number: u32,
    /// Values that got their locals in the block at hand.
    fresh: Vec<Value>,
    /// Whose each local is, if intervals are used.
    owner: Vec<u32>,
    /// Local of each value.
    local: Vec<u32>,
    /// Runs of locals after the parameters: (count, type).
    pub declared: Vec<(u32, ValType)>,
    /// Number of locals with the parameters.
    pub count: u32,
    /// Type class of each local, and by class the set of its locals.
    classes: Vec<u8>,
    members: [Vec<u64>; 3],
    occupied: Vec<u64>,
    /// Lists of the values that live into each block: head per block, (value, next).
    live_head: Vec<u32>,
    live: Vec<(Value, u32)>,
    stamp: Vec<u32>,
    stack: Vec<Block>,
    crossing: Vec<(Value, Block)>,
    /// Block (by index) that the value lives out of.
    live_out: Vec<u32>,
    /// Webs of parameters and arguments: union-find, and some locals per web.
    web: Vec<u32>,
    web_locals: Vec<[u32; 4]>,
    /// A parameter that the value is passed to.
    passed_to: Vec<u32>,
    /// Last reads that count at the end of an edge.
    last: Vec<Item>,
}

/// Block of a definition.
fn home(folded: &Folded, value: Value) -> Option<Block> {
    match folded.def(value) {
        Def::Inst(inst) => Some(folded.node(inst).block),
        Def::Param(block) => Some(block),
        Def::None => None,
    }
}

fn reset<T: Clone>(vec: &mut Vec<T>, len: usize, value: T) {
    vec.clear();
    vec.resize(len, value);
}

impl Locals {
    pub fn of(&self, value: Value) -> u32 {
        let local = self.local[value.index()];
        debug_assert_ne!(local, NONE, "{value} has no local");
        local
    }

    /// The local of a value, if it has one.
    pub fn some(&self, value: Value) -> Option<u32> {
        Some(self.local[value.index()]).filter(|&local| local != NONE)
    }

    /// True if some argument of an edge is not in the local of its parameter already.
    pub fn has_moves(&self, trees: &Trees, block: Block, edge: usize) -> bool {
        trees.edge(block, edge).iter().any(|arg| trees.plain_read(arg).is_none_or(|v| self.of(v) != self.of(arg.param)))
    }

    /// Assigns the locals of a function. `hidden` parameters precede those of the entry block.
    /// More values than `most_live` in the sets of live ones are too many.
    pub fn run(&mut self, func: &Func, cfg: &Cfg, folded: &Folded, trees: &Trees, hidden: u32, most_live: usize) {
        let (blocks, values) = (func.blocks.len(), func.values.len());
        reset(&mut self.local, values, NONE);
        reset(&mut self.live_out, values, NONE);
        self.extents.clear();
        if !self.liveness(cfg, folded, trees, blocks, most_live) {
            self.find_extents(cfg, folded, blocks, values);
        }
        self.webs(func, cfg, trees, values);
        self.classes.clear();
        self.occupied.clear();
        self.members.iter_mut().for_each(Vec::clear);
        for _ in 0..hidden {
            self.new_local(None);
        }
        let entry = func.entry_block();
        for &param in func.params(entry) {
            let local = self.new_local(Some(type_class(func.values[param])));
            self.assign(param, local);
        }
        let params = self.classes.len();
        for &block in &cfg.order {
            self.block(func, cfg, trees, block, block == entry);
        }
        self.renumber(params);
    }

    /// Collects for each block the values that live into it. False if they are too many.
    fn liveness(&mut self, cfg: &Cfg, folded: &Folded, trees: &Trees, blocks: usize, most: usize) -> bool {
        reset(&mut self.live_head, blocks, NONE);
        reset(&mut self.stamp, blocks, NONE);
        self.live.clear();
        self.crossing.clear();
        self.crossing.extend_from_slice(&trees.crossing);
        self.crossing.sort_unstable();
        for &(value, block) in &self.crossing {
            let Some(own) = home(folded, value) else { continue };
            if self.live.len() > most {
                return false;
            }
            self.stack.push(block);
            while let Some(block) = self.stack.pop() {
                if block == own || self.stamp[block.index()] == value.as_u32() {
                    continue;
                }
                self.stamp[block.index()] = value.as_u32();
                self.live.push((value, self.live_head[block.index()]));
                self.live_head[block.index()] = self.live.len() as u32 - 1;
                self.stack.extend_from_slice(&cfg.preds[block]);
            }
        }
        true
    }

    /// Finds the intervals of the values that cross blocks.
    fn find_extents(&mut self, cfg: &Cfg, folded: &Folded, blocks: usize, values: usize) {
        reset(&mut self.live_head, blocks, NONE);
        self.live.clear();
        reset(&mut self.extents, values, INSIDE);
        reset(&mut self.ending, cfg.order.len(), Vec::new());
        self.owner.clear();
        let back = Extents::compute(cfg);
        for uses in self.crossing.chunk_by(|a, b| a.0 == b.0) {
            let value = uses[0].0;
            let Some(own) = home(folded, value) else { continue };
            let used = uses.iter().map(|&(_, block)| cfg.number[block]).max().expect("some use");
            let extent = back.of(cfg.number[own], used);
            self.extents[value.index()] = extent;
            self.ending[extent.last as usize].push(value);
        }
    }

    /// With intervals: true if a value may be live at the end of a block.
    fn is_through(&self, value: Value, number: u32) -> bool {
        let extent = self.extents[value.index()];
        extent.last > number || extent.last == number && extent.through
    }

    /// With intervals: frees at the end of a block the locals of the values that end there.
    fn end_block(&mut self, number: u32) {
        let mut ended = std::mem::take(&mut self.ending[number as usize]);
        ended.extend(self.fresh.drain(..).filter(|value| self.extents[value.index()] == INSIDE));
        for value in ended {
            let local = self.local[value.index()];
            if local != NONE && self.owner.get(local as usize) == Some(&value.as_u32()) {
                self.release(local);
            }
        }
    }

    /// Joins parameters and the values that are passed to them.
    fn webs(&mut self, func: &Func, cfg: &Cfg, trees: &Trees, values: usize) {
        self.web.clear();
        self.web.extend(0..values as u32);
        reset(&mut self.web_locals, values, [NONE; 4]);
        reset(&mut self.passed_to, values, NONE);
        for &block in &cfg.order {
            for edge in 0..func.blocks[block].edges.len() {
                for arg in trees.edge(block, edge) {
                    // A tree ends in a tee if its value is used again.
                    let last = trees.slice(arg.start, arg.end).next_back();
                    if let Some(Item::Get(value) | Item::GetLast(value) | Item::Tee(value)) = last {
                        self.passed_to[value.index()] = arg.param.as_u32();
                        let (a, b) = (self.web_of(value.as_u32()), self.web_of(arg.param.as_u32()));
                        self.web[a as usize] = b;
                    }
                }
            }
        }
    }

    fn web_of(&mut self, mut value: u32) -> u32 {
        while self.web[value as usize] != value {
            let up = self.web[self.web[value as usize] as usize];
            self.web[value as usize] = up;
            value = up;
        }
        value
    }

    fn new_local(&mut self, class: Option<usize>) -> u32 {
        let local = self.classes.len();
        self.classes.push(class.map_or(u8::MAX, |class| class as u8));
        if local.is_multiple_of(64) {
            self.occupied.push(0);
            self.members.iter_mut().for_each(|m| m.push(0));
        }
        if let Some(class) = class {
            self.members[class][local / 64] |= 1 << (local % 64);
        }
        local as u32
    }

    fn is_free(&self, local: u32) -> bool {
        local != NONE && self.occupied[local as usize / 64] >> (local % 64) & 1 == 0
    }
    fn occupy(&mut self, local: u32) {
        self.occupied[local as usize / 64] |= 1 << (local % 64);
    }
    fn release(&mut self, local: u32) {
        self.occupied[local as usize / 64] &= !(1 << (local % 64));
    }

    fn assign(&mut self, value: Value, local: u32) {
        self.local[value.index()] = local;
        self.occupy(local);
        if !self.extents.is_empty() {
            self.fresh.push(value);
            if self.owner.len() <= local as usize {
                self.owner.resize(local as usize + 1, NONE);
            }
            self.owner[local as usize] = value.as_u32();
        }
        let web = self.web_of(value.as_u32()) as usize;
        let known = &mut self.web_locals[web];
        if let Some(place) = known.iter_mut().find(|l| **l == NONE || **l == local) {
            *place = local;
        }
    }

    /// Gives a value the best free local, `wanted` before all others.
    fn choose(&mut self, func: &Func, value: Value, wanted: u32) {
        let class = type_class(func.values[value]);
        let web = self.web_of(value.as_u32()) as usize;
        let known = self.web_locals[web];
        let local = std::iter::once(wanted)
            .chain(known)
            .find(|&local| self.is_free(local))
            .or_else(|| {
                let free = self.members[class].iter().zip(&self.occupied).map(|(m, o)| m & !o);
                free.enumerate().find(|(_, free)| *free != 0).map(|(w, free)| w as u32 * 64 + free.trailing_zeros())
            })
            .unwrap_or_else(|| self.new_local(Some(class)));
        self.assign(value, local);
    }

    fn block(&mut self, func: &Func, cfg: &Cfg, trees: &Trees, block: Block, is_entry: bool) {
        self.number = cfg.number[block];
        if self.extents.is_empty() || is_entry {
            self.occupied.fill(0);
        }
        let mut next = self.live_head[block.index()];
        while let Some(&(value, after)) = self.live.get(next as usize) {
            self.occupy(self.local[value.index()]);
            next = after;
        }
        let mut previous = None;
        for edge in &func.blocks[block].edges {
            if previous.replace(edge.block) == Some(edge.block) {
                continue;
            }
            let mut next = self.live_head[edge.block.index()];
            while let Some(&(value, after)) = self.live.get(next as usize) {
                self.live_out[value.index()] = block.as_u32();
                next = after;
            }
        }
        self.params(func, cfg, trees, block, is_entry);
        for item in trees.body(block) {
            self.item(func, block, item);
        }
        for edge in 0..func.blocks[block].edges.len() {
            self.edge(func, trees, block, edge);
        }
        if !self.extents.is_empty() {
            self.end_block(self.number);
        }
    }

    /// The arguments of an edge. A value that is passed unchanged stays in its local if the parameter has the same
    /// local. So the locals of arguments become free only after the last argument.
    fn edge(&mut self, func: &Func, trees: &Trees, block: Block, edge: usize) {
        let args = trees.edge(block, edge);
        let stays = |value: Value| args.iter().any(|arg| trees.plain_read(arg) == Some(value));
        let mut last = std::mem::take(&mut self.last);
        for item in args.iter().flat_map(|arg| trees.slice(arg.start, arg.end)) {
            match item {
                Item::GetLast(value) if stays(value) => last.push(item),
                _ => self.item(func, block, item),
            }
        }
        last.drain(..).for_each(|item| self.item(func, block, item));
        self.last = last;
    }

    /// Locals of the parameters of a block that are used at all.
    fn params(&mut self, func: &Func, cfg: &Cfg, trees: &Trees, block: Block, is_entry: bool) {
        let mut index = 0;
        for &param in func.params(block) {
            if trees.uses(param) == 0 {
                continue;
            }
            if is_entry {
                self.occupy(self.local[param.index()]);
            } else {
                // A few predecessors are enough to find a good local.
                let mut wanted = NONE;
                'preds: for &pred in cfg.preds[block].iter().take(8) {
                    for (k, edge) in func.blocks[pred].edges.iter().enumerate().take(8) {
                        if edge.block == block
                            && let Some(value) = trees.plain_read(&trees.edge(pred, k)[index])
                            && self.is_free(self.local[value.index()])
                        {
                            wanted = self.local[value.index()];
                            break 'preds;
                        }
                    }
                }
                self.choose(func, param, wanted);
            }
            index += 1;
        }
    }

    fn is_live_out(&self, value: Value, block: Block) -> bool {
        if self.extents.is_empty() {
            self.live_out[value.index()] == block.as_u32()
        } else {
            self.extents[value.index()] != INSIDE && self.is_through(value, self.number)
        }
    }

    fn item(&mut self, func: &Func, block: Block, item: Item) {
        match item {
            Item::GetLast(value) if !self.is_live_out(value, block) => {
                self.release(self.local[value.index()]);
            }
            Item::Set(value) | Item::Tee(value) => {
                let wanted = match self.passed_to[value.index()] {
                    NONE => NONE,
                    param => self.local[param as usize],
                };
                self.choose(func, value, wanted);
            }
            _ => {}
        }
    }

    /// Orders the locals after the parameters by type.
    fn renumber(&mut self, params: usize) {
        self.declared.clear();
        let mut number = std::mem::take(&mut self.stamp);
        number.clear();
        number.extend(0..self.classes.len() as u32);
        let mut next = params as u32;
        for (class, ty) in CLASS_TYPES.into_iter().enumerate() {
            let first = next;
            for (local, _) in self.classes.iter().enumerate().skip(params).filter(|&(_, &c)| c as usize == class) {
                number[local] = next;
                next += 1;
            }
            if next > first {
                self.declared.push((next - first, ty));
            }
        }
        self.count = next;
        for local in self.local.iter_mut().filter(|l| **l != NONE) {
            *local = number[*local as usize];
        }
        self.stamp = number;
    }

    /// Adds a local that is no value's.
    pub fn scratch(&mut self, ty: ValType) -> u32 {
        self.declared.push((1, ty));
        self.count += 1;
        self.count - 1
    }
}
