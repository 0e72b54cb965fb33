//! Drops what the program cannot reach, and numbers the rest densely in the same order: functions, descriptors, node
//! entries, statics, CAFs, dispatch tables and the functions in them.
//!
//! Reachability starts at `start`, the known descriptors, the cycle entry and the indirection entries (which the
//! runtime and the lowering of `make_indirection` use without naming them), and follows
//! * instructions to functions, entries, descriptors, statics, CAFs and tables;
//! * entries to their code, their descriptor and, if the table of updates is used, their update function;
//! * descriptors to nested ones and, for each table that is used, to their function in it (`apply.<missing>`, or the
//!   table of their instance entry);
//! * tables that are not dispatched by descriptor or entry to all of their functions.
//!
//! A table function stays if something that dispatches to it stays; the indices in descriptors and entries are
//! rewritten. Function bodies must be complete, in any phase.

use crate::analysis::values::Scratch;
use cleave_ir::layout::NO_CODE;
use cleave_ir::packed_option::{PackedOption, ReservedValue};
use cleave_ir::{
    Caf, Desc, EntityRef, Entry, EntryKind, FuncId, ImmKind, Known, Module, PrimaryMap, SecondaryMap, Static,
    StaticData, StaticField, Table,
};

/// Label of the table of update functions, and the prefix of the tables of application functions.
pub const UPDATE_TABLE: &str = "update";
pub const APPLY_PREFIX: &str = "apply.";

/// Removes unreachable parts of the module; true if there were any. A module without a start stays as it is.
pub fn run(module: &mut Module, _scratch: &mut Scratch) -> bool {
    let Some(start) = module.start else { return false };
    let mut reach = Reach::new(module);
    reach.func(start);
    for known in Known::ALL {
        reach.desc(known.desc());
    }
    if let Some(entry) = module.cycle_entry {
        reach.entry(entry);
    }
    for (entry, data) in module.entries.iter() {
        if data.kind == EntryKind::Indirection {
            reach.entry(entry);
        }
    }
    reach.follow(module);
    if reach.is_everything(module) {
        return false;
    }
    compact(module, &reach);
    true
}

/// One bit per entity, and the entities that are reached but not followed yet.
struct Marks<K: EntityRef> {
    seen: SecondaryMap<K, bool>,
    list: Vec<K>,
    /// How many of `list` have been followed.
    done: usize,
}

impl<K: EntityRef> Marks<K> {
    fn new(count: usize) -> Self {
        let mut seen = SecondaryMap::new();
        seen.resize(count);
        Marks { seen, list: Vec::new(), done: 0 }
    }
    fn add(&mut self, key: K) {
        if !self.seen[key] {
            self.seen[key] = true;
            self.list.push(key);
        }
    }
    fn next(&mut self) -> Option<K> {
        let key = self.list.get(self.done).copied();
        self.done += key.is_some() as usize;
        key
    }
}

struct Reach {
    funcs: Marks<FuncId>,
    descs: Marks<Desc>,
    entries: Marks<Entry>,
    statics: Marks<Static>,
    cafs: Marks<Caf>,
    tables: Marks<Table>,
    /// Functions in tables that stay, per table.
    slots: SecondaryMap<Table, Vec<bool>>,
    update: Option<Table>,
    /// Table of the functions that take the last n missing arguments.
    apply: Vec<Option<Table>>,
    /// Tables whose functions are reached through descriptors or entries only.
    dispatched: SecondaryMap<Table, bool>,
}

impl Reach {
    fn new(module: &Module) -> Reach {
        let mut reach = Reach {
            funcs: Marks::new(module.funcs.len()),
            descs: Marks::new(module.descs.len()),
            entries: Marks::new(module.entries.len()),
            statics: Marks::new(module.statics.len()),
            cafs: Marks::new(module.cafs.len()),
            tables: Marks::new(module.tables.len()),
            slots: SecondaryMap::new(),
            update: None,
            apply: Vec::new(),
            dispatched: SecondaryMap::new(),
        };
        for (table, data) in module.tables.iter() {
            reach.slots[table] = vec![false; data.funcs.len()];
            if data.label == UPDATE_TABLE {
                reach.update = Some(table);
                reach.dispatched[table] = true;
            } else if let Some(missing) = data.label.strip_prefix(APPLY_PREFIX).and_then(|n| n.parse::<usize>().ok()) {
                if reach.apply.len() <= missing {
                    reach.apply.resize(missing + 1, None);
                }
                reach.apply[missing] = Some(table);
                reach.dispatched[table] = true;
            }
        }
        for desc in module.descs.values() {
            if let Some((table, _)) = desc.instance {
                reach.dispatched[table] = true;
            }
        }
        reach
    }

    fn func(&mut self, id: FuncId) {
        self.funcs.add(id);
    }
    fn desc(&mut self, desc: Desc) {
        self.descs.add(desc);
    }
    fn entry(&mut self, entry: Entry) {
        self.entries.add(entry);
    }
    fn slot(&mut self, module: &Module, table: Table, index: u32) {
        let index = index as usize;
        if let Some(slot) = self.slots[table].get_mut(index)
            && !*slot
        {
            *slot = true;
            self.funcs.add(module.tables[table].funcs[index]);
        }
    }
    /// The table that dispatches `held` arguments of a descriptor.
    fn apply_table(&self, arity: u32, held: usize) -> Option<Table> {
        let missing = (arity as usize).checked_sub(held)?;
        self.apply.get(missing).copied().flatten()
    }

    fn follow(&mut self, module: &Module) {
        loop {
            if let Some(id) = self.funcs.next() {
                self.follow_func(module, id);
            } else if let Some(entry) = self.entries.next() {
                let data = &module.entries[entry];
                self.func(data.code);
                data.desc.into_iter().for_each(|desc| self.desc(desc));
                self.follow_entry_update(module, entry);
            } else if let Some(desc) = self.descs.next() {
                if let Some(record) = &module.descs[desc].record {
                    record.nested.iter().for_each(|&nested| self.desc(nested));
                }
                self.follow_desc(module, desc);
            } else if let Some(object) = self.statics.next() {
                if let StaticData::Node(node) = &module.statics[object] {
                    self.desc(node.desc);
                    for &field in &node.refs {
                        match field {
                            StaticField::Object(object) => self.statics.add(object),
                            StaticField::Node(desc) => self.desc(desc),
                            StaticField::Int(_) | StaticField::Char(_) | StaticField::Bool(_) => {}
                        }
                    }
                }
            } else if let Some(table) = self.tables.next() {
                self.follow_table(module, table);
            } else {
                break;
            }
        }
    }

    fn follow_func(&mut self, module: &Module, id: FuncId) {
        let func = &module.funcs[id];
        for &block in &func.layout {
            for &inst in &func.blocks[block].insts {
                let data = &func.insts[inst];
                let number = data.imm as u32;
                match data.op.info().imm {
                    ImmKind::Func => self.func(FuncId::from_u32(number)),
                    ImmKind::Table => self.tables.add(Table::from_u32(number)),
                    ImmKind::Row | ImmKind::Desc => self.desc(Desc::from_u32(number)),
                    ImmKind::Entry => self.entry(Entry::from_u32(number)),
                    ImmKind::Static => self.statics.add(Static::from_u32(number)),
                    ImmKind::Caf => self.cafs.add(Caf::from_u32(number)),
                    ImmKind::None
                    | ImmKind::Int
                    | ImmKind::Float
                    | ImmKind::Service
                    | ImmKind::Frame
                    | ImmKind::Field
                    | ImmKind::Offset
                    | ImmKind::Element
                    | ImmKind::Bytes
                    | ImmKind::Slot => {}
                }
            }
        }
    }

    fn follow_entry_update(&mut self, module: &Module, entry: Entry) {
        if let (Some(index), Some(table)) = (module.entries[entry].update, self.update)
            && self.tables.seen[table]
        {
            self.slot(module, table, index);
        }
    }

    /// The functions of a reached descriptor in the reached tables.
    fn follow_desc(&mut self, module: &Module, desc: Desc) {
        let data = &module.descs[desc];
        for (held, &index) in data.apply.iter().enumerate() {
            if index != NO_CODE
                && let Some(table) = self.apply_table(data.arity, held)
                && self.tables.seen[table]
            {
                self.slot(module, table, index);
            }
        }
        if let Some((table, index)) = data.instance
            && self.tables.seen[table]
        {
            self.slot(module, table, index);
        }
    }

    /// A table has become reachable: so have the functions of what was reached before.
    fn follow_table(&mut self, module: &Module, table: Table) {
        if !self.dispatched[table] {
            for index in 0..module.tables[table].funcs.len() {
                self.slot(module, table, index as u32);
            }
            return;
        }
        for i in 0..self.descs.list.len() {
            self.follow_desc(module, self.descs.list[i]);
        }
        for i in 0..self.entries.list.len() {
            self.follow_entry_update(module, self.entries.list[i]);
        }
    }

    fn is_everything(&self, module: &Module) -> bool {
        self.funcs.list.len() == module.funcs.len()
            && self.descs.list.len() == module.descs.len()
            && self.entries.list.len() == module.entries.len()
            && self.statics.list.len() == module.statics.len()
            && self.cafs.list.len() == module.cafs.len()
            && self.tables.list.len() == module.tables.len()
            && self.slots.values().all(|slots| slots.iter().all(|&s| s))
    }
}

/// New numbers of the entities that stay.
struct Numbers<K: EntityRef + ReservedValue>(SecondaryMap<K, PackedOption<K>>);

impl<K: EntityRef + ReservedValue> Numbers<K> {
    /// Keeps the marked elements of a map, in order.
    fn keep<T>(map: &mut PrimaryMap<K, T>, marks: &Marks<K>) -> Numbers<K> {
        let mut numbers = SecondaryMap::new();
        numbers.resize(map.len());
        let old = std::mem::take(map);
        for (key, data) in old {
            if marks.seen[key] {
                numbers[key] = map.push(data).into();
            }
        }
        Numbers(numbers)
    }
    fn get(&self, key: K) -> K {
        self.0[key].expect("pruned but referenced")
    }
}

fn compact(module: &mut Module, reach: &Reach) {
    // Table slots first, while descriptors and tables still have their old numbers.
    let mut slots: SecondaryMap<Table, Vec<u32>> = SecondaryMap::new();
    for (table, data) in module.tables.iter_mut() {
        let keep = &reach.slots[table];
        let mut next = 0;
        slots[table] = keep
            .iter()
            .map(|&kept| {
                next += kept as u32;
                if kept { next - 1 } else { NO_CODE }
            })
            .collect();
        let mut kept = keep.iter();
        data.funcs.retain(|_| kept.next().copied().unwrap_or(false));
    }
    let new_slot = |table: Option<Table>, index: u32| match table {
        Some(table) => slots[table].get(index as usize).copied().unwrap_or(NO_CODE),
        None => NO_CODE,
    };
    for desc in module.descs.values_mut() {
        for held in 0..desc.apply.len() {
            if desc.apply[held] != NO_CODE {
                desc.apply[held] = new_slot(reach.apply_table(desc.arity, held), desc.apply[held]);
            }
        }
        desc.instance = desc.instance.and_then(|(table, index)| {
            let index = new_slot(Some(table), index);
            (index != NO_CODE).then_some((table, index))
        });
    }
    for entry in module.entries.values_mut() {
        entry.update = entry.update.map(|index| new_slot(reach.update, index)).filter(|&index| index != NO_CODE);
    }
    let funcs = Numbers::keep(&mut module.funcs, &reach.funcs);
    let descs = Numbers::keep(&mut module.descs, &reach.descs);
    let entries = Numbers::keep(&mut module.entries, &reach.entries);
    let statics = Numbers::keep(&mut module.statics, &reach.statics);
    let cafs = Numbers::keep(&mut module.cafs, &reach.cafs);
    let tables = Numbers::keep(&mut module.tables, &reach.tables);
    for desc in module.descs.values_mut() {
        if let Some(record) = &mut desc.record {
            record.nested.iter_mut().for_each(|nested| *nested = descs.get(*nested));
        }
        if let Some((table, _)) = &mut desc.instance {
            *table = tables.get(*table);
        }
    }
    for data in module.statics.values_mut() {
        if let StaticData::Node(node) = data {
            node.renumber(|desc| descs.get(desc), |object| statics.get(object));
        }
    }
    for entry in module.entries.values_mut() {
        entry.code = funcs.get(entry.code);
        entry.desc = entry.desc.map(|desc| descs.get(desc));
    }
    for table in module.tables.values_mut() {
        table.funcs.iter_mut().for_each(|func| *func = funcs.get(*func));
    }
    module.start = module.start.map(|func| funcs.get(func));
    module.cycle_entry = module.cycle_entry.map(|entry| entries.get(entry));
    for func in module.funcs.values_mut() {
        for b in 0..func.layout.len() {
            let block = func.layout[b];
            for &inst in &func.blocks[block].insts {
                let data = &mut func.insts[inst];
                let number = data.imm as u32;
                data.imm = match data.op.info().imm {
                    ImmKind::Func => funcs.get(FuncId::from_u32(number)).as_u32() as u64,
                    ImmKind::Table => tables.get(Table::from_u32(number)).as_u32() as u64,
                    ImmKind::Row | ImmKind::Desc => descs.get(Desc::from_u32(number)).as_u32() as u64,
                    ImmKind::Entry => entries.get(Entry::from_u32(number)).as_u32() as u64,
                    ImmKind::Static => statics.get(Static::from_u32(number)).as_u32() as u64,
                    ImmKind::Caf => cafs.get(Caf::from_u32(number)).as_u32() as u64,
                    _ => data.imm,
                };
            }
        }
    }
}
