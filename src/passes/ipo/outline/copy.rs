//! Copies the parts of an outlined function: instructions under new names, live values passed in and out.

use super::{Cut, Plan};
use cleave_ir::cfg::Cfg;
use cleave_ir::source::FuncSource;
use cleave_ir::{Block, Desc, EntityRef, Func, Inst, Opcode, Signature, Type, Value, pack};
use rustc_hash::FxHashMap;

/// The name of a value in a part.
#[derive(Clone, Copy)]
struct Name {
    part: u32,
    /// Number of the block in which it holds; `None`: everywhere in the part.
    block: Option<u32>,
    value: Value,
}

/// Makes the parts of a function, in order.
pub struct Copier<'c> {
    func: &'c Func,
    cfg: &'c Cfg,
    plan: &'c Plan,
    /// Of the pages.
    descs: &'c [Desc],
    /// Number of the function that is part 1.
    next: usize,
    /// By value: its newest name.
    names: Vec<Option<Name>>,
    /// The part at hand and its number, the number of the block at hand.
    made: Func,
    part: u32,
    block: u32,
    /// References to pages in this part.
    spill_records: FxHashMap<u32, Value>,
}

impl<'c> Copier<'c> {
    pub fn new(func: &'c Func, cfg: &'c Cfg, plan: &'c Plan, descs: &'c [Desc], next: usize) -> Copier<'c> {
        let names = vec![None; func.values.len()];
        let (made, spill_records) = (Func::default(), FxHashMap::default());
        Copier { func, cfg, plan, descs, next, names, made, part: 0, block: 0, spill_records }
    }

    pub fn part(&mut self, part: u32) -> Func {
        let (first, at) = self.begin(part);
        let is_last = part as usize == self.plan.cuts.len();
        let end = if is_last { (self.cfg.order.len() as u32, 0) } else { self.begin(part + 1) };
        (self.part, self.block) = (part, first);
        self.spill_records.clear();
        let Func { roots, fip, .. } = *self.func;
        let source = self
            .func
            .source
            .as_ref()
            .map(|source| Box::new(FuncSource { is_library: source.is_library, ..FuncSource::new(source.start) }));
        self.made = Func { roots, fip, source, ..Func::new(self.func.name.clone(), self.func.signature.clone()) };
        let entry = (part > 0).then(|| self.entry());
        // Those of the part, and the one that goes on where a block begins.
        let behind = end.0 + u32::from(end.1 > 0);
        let mut blocks: Vec<Block> = (first..behind).map(|n| self.block(n, n > first || at == 0)).collect();
        let exit = (!is_last && end.1 == 0).then(|| self.exit(end.0));
        blocks.extend(exit);
        if let Some((entry, passed)) = entry {
            self.take_pages(entry, (first, at), end);
            self.made.append(entry, Opcode::Jump, 0, 0, &[], &[]);
            self.made.add_edge(entry, blocks[0], &passed);
        }
        for number in first..behind {
            self.block = number;
            let begin = if number == first { at } else { 0 };
            let stop = (number == end.0).then_some(end.1);
            self.body(number, begin, stop, &blocks, first);
        }
        if let Some(exit) = exit {
            self.block = end.0;
            let params = self.made.params(exit).to_vec();
            self.leave(exit, &params);
        }
        std::mem::take(&mut self.made)
    }

    /// Block and instruction where a part begins.
    fn begin(&self, part: u32) -> Cut {
        part.checked_sub(1).map_or((0, 0), |cut| self.plan.cuts[cut as usize])
    }

    /// Values that a part takes as they are.
    fn live(&self, part: u32) -> &'c [Value] {
        self.plan.live.get(part as usize - 1).map_or(&[], Vec::as_slice)
    }

    /// The parameters of a block of the whole function.
    fn params(&self, number: u32) -> &'c [Value] {
        self.func.params(self.cfg.order[number as usize])
    }

    // -- frame of a part
    // -----------------------------------------------------------------------------------------------

    /// The entry of a part after the first one: newest page, live values, and the parameters of the block at the cut,
    /// which it passes on.
    fn entry(&mut self) -> (Block, Vec<Value>) {
        self.made.name.push_str(&format!(".part{}", self.part));
        let entry = self.made.new_block();
        if let Some(spill_record) = self.plan.newest(self.plan.spill_records.len(), self.part) {
            let reference = self.made.add_param(entry, Type::Ref);
            self.spill_records.insert(spill_record, reference);
        }
        for &value in self.live(self.part) {
            let param = self.made.add_param(entry, self.func.values[value]);
            self.name(value, param, None);
        }
        let (block, at) = self.begin(self.part);
        let own = if at == 0 { self.params(block) } else { &[] };
        let passed = own.iter().map(|&value| self.made.add_param(entry, self.func.values[value])).collect();
        let params: Vec<Type> = self.made.params(entry).iter().map(|&param| self.made.values[param]).collect();
        self.made.signature = Signature::new(&params, &self.func.signature.results);
        (entry, passed)
    }

    fn block(&mut self, number: u32, with_params: bool) -> Block {
        let block = self.made.new_block();
        for &value in if with_params { self.params(number) } else { &[] } {
            let param = self.made.add_param(block, self.func.values[value]);
            self.name(value, param, None);
        }
        block
    }

    /// Where edges to the block at the next cut go.
    fn exit(&mut self, number: u32) -> Block {
        let block = self.made.new_block();
        self.params(number).iter().for_each(|&value| _ = self.made.add_param(block, self.func.values[value]));
        block
    }

    /// Instructions of a block; those before `stop` if a part ends there.
    fn body(&mut self, number: u32, begin: u32, stop: Option<u32>, blocks: &[Block], first: u32) {
        let func = self.func;
        let (own, data) = (blocks[(number - first) as usize], &func.blocks[self.cfg.order[number as usize]]);
        if let Some(stop) = stop {
            data.insts[begin as usize..stop as usize].iter().for_each(|&inst| self.copy(own, inst));
            self.leave(own, &[]);
            return;
        }
        let (&terminator, insts) = data.insts.split_last().expect("a block has a terminator");
        insts[begin as usize..].iter().for_each(|&inst| self.copy(own, inst));
        // What is made again for edges comes before the terminator.
        let passed: Vec<Vec<Value>> = data
            .edges
            .iter()
            .map(|edge| func.edge_args(edge).iter().map(|&arg| self.find(own, arg)).collect())
            .collect();
        self.copy(own, terminator);
        for (edge, args) in data.edges.iter().zip(passed) {
            let target = blocks[(self.cfg.number[edge.block] - first) as usize];
            self.made.add_edge(own, target, &args);
        }
    }

    /// Ends a part with a call of the next one.
    fn leave(&mut self, block: Block, own: &[Value]) {
        for spill_record in self.plan.spill_records_of(self.part) {
            self.build_page(block, spill_record);
        }
        let newest = self.plan.newest(self.plan.spill_records.len(), self.part + 1);
        let mut args: Vec<Value> = newest.map(|spill_record| self.spill_records[&spill_record]).into_iter().collect();
        args.extend(self.live(self.part + 1).iter().map(|&value| self.find(block, value)));
        args.extend(own);
        let next = self.next + self.part as usize;
        self.made.append(block, Opcode::TailCall, next as u64, 0, &args, &[]);
    }

    // -- pages
    // ---------------------------------------------------------------------------------------------------------

    fn build_page(&mut self, block: Block, number: u32) {
        let spill_record = &self.plan.spill_records[number as usize];
        let mut args: Vec<Value> = spill_record.link.map(|link| self.spill_records[&link]).into_iter().collect();
        for &value in &spill_record.values {
            let mut word = self.find(block, value);
            if self.made.values[word] == Type::I32 {
                word = self.add(block, Opcode::ExtendU, 0, 0, &[word], Type::I64);
            }
            args.push(word);
        }
        let desc = self.descs[number as usize].as_u32();
        let node = self.add(block, Opcode::BuildNode, desc.into(), 0, &args, Type::Ref);
        self.spill_records.insert(number, node);
    }

    /// Walks from the newest page to all that the part uses, or passes on.
    fn take_pages(&mut self, entry: Block, begin: Cut, end: Cut) {
        let plan = self.plan;
        let Some(mut spill_record) = plan.newest(plan.spill_records.len(), self.part) else { return };
        let links =
            plan.spill_records_of(self.part).filter_map(|spill_record| plan.spill_records[spill_record as usize].link);
        let passed = links.chain(plan.newest(plan.spill_records.len(), self.part + 1));
        let oldest = self.used_pages(begin, end).chain(passed).min().unwrap_or(spill_record);
        while spill_record > oldest {
            let (data, reference) = (&plan.spill_records[spill_record as usize], self.spill_records[&spill_record]);
            let (ptrs, nptrs) = data.shape();
            spill_record = data.link.expect("older pages are behind it");
            let next = self.add(entry, Opcode::GetRef, pack(ptrs, nptrs), 0, &[reference], Type::Ref);
            self.spill_records.insert(spill_record, next);
        }
    }

    /// The pages of the values that occur between two cuts.
    fn used_pages(&self, begin: Cut, end: Cut) -> impl Iterator<Item = u32> + '_ {
        let numbers = begin.0..(end.0 + 1).min(self.cfg.order.len() as u32);
        let used = numbers.flat_map(move |number| {
            let data = &self.func.blocks[self.cfg.order[number as usize]];
            let start = if number == begin.0 { begin.1 as usize } else { 0 };
            let stop = if number == end.0 { end.1 as usize } else { data.insts.len() };
            let edges = if number == end.0 { &[][..] } else { &data.edges[..] };
            let args = data.insts[start..stop].iter().flat_map(|&inst| self.func.args(inst));
            args.chain(edges.iter().flat_map(|edge| self.func.edge_args(edge)))
        });
        let part = self.part;
        used.filter(move |value| self.plan.def[value.index()] < part)
            .filter_map(|value| Some(self.plan.place.get(value)?.0))
    }

    // -- values
    // --------------------------------------------------------------------------------------------------------

    fn name(&mut self, value: Value, made: Value, block: Option<u32>) {
        self.names[value.index()] = Some(Name { part: self.part, block, value: made });
    }

    fn add(&mut self, block: Block, op: Opcode, imm: u64, aux: u32, args: &[Value], ty: Type) -> Value {
        let inst = self.made.append(block, op, imm, aux, args, &[ty]);
        self.made.result(inst)
    }

    /// The name of a value in the block at hand: a constant is made, a value of an earlier part is read.
    fn find(&mut self, block: Block, value: Value) -> Value {
        if let Some(name) = self.names[value.index()]
            && name.part == self.part
            && name.block.is_none_or(|block| block == self.block)
        {
            return name.value;
        }
        let ty = self.func.values[value];
        let made = match self.plan.constant[value.index()] {
            Some(inst) => {
                let data = &self.func.insts[inst];
                self.add(block, data.op, data.imm, data.aux, &[], ty)
            }
            None => {
                let (number, field) = self.plan.place[&value];
                let (ptrs, nptrs) = self.plan.spill_records[number as usize].shape();
                let (spill_record, field_of) = (self.spill_records[&number], pack(ptrs, nptrs));
                match ty {
                    Type::Ref => self.add(block, Opcode::GetRef, field_of, field, &[spill_record], ty),
                    Type::F64 => self.add(block, Opcode::GetF64, field_of, field, &[spill_record], ty),
                    Type::I64 => self.add(block, Opcode::GetI64, field_of, field, &[spill_record], ty),
                    Type::I32 => {
                        let word = self.add(block, Opcode::GetI64, field_of, field, &[spill_record], Type::I64);
                        self.add(block, Opcode::Wrap, 0, 0, &[word], ty)
                    }
                }
            }
        };
        self.name(value, made, Some(self.block));
        made
    }

    fn copy(&mut self, block: Block, inst: Inst) {
        let func = self.func;
        let data = &func.insts[inst];
        let results = func.results(inst);
        if results.first().is_some_and(|value| self.plan.constant[value.index()].is_some()) {
            return;
        }
        let args: Vec<Value> = func.args(inst).iter().map(|&arg| self.find(block, arg)).collect();
        let types: Vec<Type> = results.iter().map(|&result| func.values[result]).collect();
        let made = self.made.append(block, data.op, data.imm, data.aux, &args, &types);
        self.made.relocate(made, func.location(inst));
        for (at, &result) in results.iter().enumerate() {
            let value = self.made.results(made)[at];
            self.name(result, value, None);
        }
    }
}
