//! Renumbers blocks, instructions and values in the order of the layout, and drops those that are in no block: what
//! other passes left after would make every later table larger, and would be tracked by the liveness analysis.

use crate::analysis::values::Scratch;
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{Block, BlockData, Edge, Func, InstData, PrimaryMap, SecondaryMap, Value, ValueList, ValuePool};

/// Rebuilds the tables of `func`; true if something had been left after.
pub fn run(func: &mut Func, _scratch: &mut Scratch) -> bool {
    let live_values: usize = func
        .layout
        .iter()
        .map(|&block| {
            let results = func.blocks[block].insts.iter().map(|&i| func.results(i).len()).sum::<usize>();
            func.params(block).len() + results
        })
        .sum();
    let same = live_values == func.values.len()
        && func.layout.len() == func.blocks.len()
        && func.inst_count() == func.insts.len();
    if same {
        return false;
    }
    let mut new = Compact {
        values: PrimaryMap::with_capacity(live_values),
        numbers: SecondaryMap::new(),
        pool: ValuePool::with_capacity(2 * func.inst_count()),
    };
    new.numbers.resize(func.values.len());
    let mut blocks: SecondaryMap<Block, PackedOption<Block>> = SecondaryMap::new();
    blocks.resize(func.blocks.len());
    // Definitions first: uses may come before them in the layout.
    for (number, &block) in func.layout.iter().enumerate() {
        blocks[block] = Block::from_u32(number as u32).into();
        new.define(func, func.params(block));
        for &inst in &func.blocks[block].insts {
            new.define(func, func.results(inst));
        }
    }
    let mut insts = PrimaryMap::with_capacity(func.inst_count());
    let mut locations = SecondaryMap::new();
    let mut datas = PrimaryMap::with_capacity(func.layout.len());
    for i in 0..func.layout.len() {
        let block = func.layout[i];
        let mut old = std::mem::take(&mut func.blocks[block]);
        for inst in &mut old.insts {
            let data = &func.insts[*inst];
            let (args, results) = (new.list(func, &data.args), new.list(func, &data.results));
            let location = func.location(*inst);
            *inst = insts.push(InstData { op: data.op, aux: data.aux, imm: data.imm, args, results });
            if location.is_known() {
                locations[*inst] = location;
            }
        }
        let params = new.list(func, &old.params);
        let edges = old.edges.iter().map(|edge| {
            let block = blocks[edge.block].expect("edge to a removed block");
            Edge { block, args: new.list(func, &edge.args) }
        });
        datas.push(BlockData { params, insts: old.insts, edges: edges.collect(), is_cold: old.is_cold });
    }
    func.entry = func.entry.and_then(|entry| blocks[entry].expand());
    func.layout = datas.keys().collect();
    func.blocks = datas;
    func.insts = insts;
    func.values = new.values;
    func.pool = new.pool;
    if let Some(source) = &mut func.source {
        source.insts = locations;
        source.names.retain_mut(|named| {
            let number = new.numbers.get(named.value).and_then(|number| number.expand());
            named.value = number.unwrap_or(named.value);
            number.is_some()
        });
    }
    true
}

struct Compact {
    values: PrimaryMap<Value, cleave_ir::Type>,
    numbers: SecondaryMap<Value, PackedOption<Value>>,
    pool: ValuePool,
}

impl Compact {
    fn define(&mut self, func: &Func, values: &[Value]) {
        for &value in values {
            self.numbers[value] = self.values.push(func.values[value]).into();
        }
    }
    fn list(&mut self, func: &Func, list: &ValueList) -> ValueList {
        let mut new = ValueList::from_slice(list.as_slice(&func.pool), &mut self.pool);
        for value in new.as_mut_slice(&mut self.pool) {
            *value = self.numbers[*value].expect("use of a removed value");
        }
        new
    }
}
