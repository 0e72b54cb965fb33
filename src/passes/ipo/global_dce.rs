//! Global dead code elimination: drops what the program cannot reach, and numbers the rest densely in the same order:
//! functions, descriptors, node entries, statics, CAFs, dispatch tables and the functions in them.
//!
//! Reachability starts at `start`, what the host calls, the known descriptors, the blackhole info and the
//! indirection entries (which the
//! runtime and the lowering of `make_indirection` use without naming them), and follows
//! * instructions to functions, entries, descriptors, statics, CAFs and tables;
//! * entries to their code, their descriptor and, if the table of updates is used, their update function;
//! * descriptors to nested ones and, if something is applied to so many arguments or goes through the table, to the
//!   functions that their rows lead to;
//! * tables of no role to all of their functions.
//!
//! A function stays in a table with a role if something that dispatches to it stays, or if it is what closures
//! without
//! code of their own lead to. Function bodies must be complete, in any phase.

use crate::analysis::values::Scratch;
use cleave_ir::packed_option::{PackedOption, ReservedValue};
use cleave_ir::{
    Caf, CallTarget, Desc, EntityRef, FuncId, ImmKind, Module, PrimaryMap, SecondaryMap, Static, StaticData,
    StaticField, Table, TableRole, ThunkInfo, ThunkKind, WellKnownDesc,
};
use rustc_hash::FxHashSet;

/// Removes unreachable parts of the module; true if there were any. A module that nothing calls stays as it is.
pub fn run(module: &mut Module, _scratch: &mut Scratch) -> bool {
    if !module.is_closed() {
        return false;
    }
    let mut reach = Reach::new(module);
    module
        .start
        .into_iter()
        .chain(module.entries.iter().map(|entry| entry.func))
        .chain(module.interface.funcs())
        .for_each(|func| reach.func(func));
    module.interface.descs().for_each(|desc| reach.desc(desc));
    module.interface.tables().for_each(|table| reach.tables.add(table));
    for known in WellKnownDesc::ALL {
        reach.desc(known.desc());
    }
    if let Some(entry) = module.blackhole_info {
        reach.entry(entry);
    }
    for (entry, data) in module.thunk_infos.iter() {
        if data.kind == ThunkKind::Indirection {
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
    thunk_infos: Marks<ThunkInfo>,
    statics: Marks<Static>,
    cafs: Marks<Caf>,
    tables: Marks<Table>,
    /// Of the tables with roles, those that are used, and what node infos and thunk infos that stay lead to there.
    used: Vec<Way>,
    kept: FxHashSet<(Way, FuncId)>,
}

/// What leads to the functions of a table with a role.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    /// The row of a node that lacks so many arguments.
    Apply(u32),
    /// The row, for the instances of one table.
    Instance(Table),
    Update,
}

impl Way {
    fn of(module: &Module, table: Table) -> Option<Way> {
        match module.tables[table].role {
            TableRole::Plain => None,
            TableRole::Apply(missing) => Some(Way::Apply(missing)),
            TableRole::Method => Some(Way::Instance(table)),
            TableRole::Update => Some(Way::Update),
        }
    }
}

impl Reach {
    fn new(module: &Module) -> Reach {
        Reach {
            funcs: Marks::new(module.funcs.len()),
            descs: Marks::new(module.descs.len()),
            thunk_infos: Marks::new(module.thunk_infos.len()),
            statics: Marks::new(module.statics.len()),
            cafs: Marks::new(module.cafs.len()),
            tables: Marks::new(module.tables.len()),
            used: Vec::new(),
            kept: FxHashSet::default(),
        }
    }

    fn func(&mut self, id: FuncId) {
        self.funcs.add(id);
    }
    fn desc(&mut self, desc: Desc) {
        self.descs.add(desc);
    }
    fn entry(&mut self, entry: ThunkInfo) {
        self.thunk_infos.add(entry);
    }
    /// A row or a thunk info leads to a function.
    fn dispatched(&mut self, way: Way, func: FuncId) {
        if self.used.contains(&way) && self.kept.insert((way, func)) {
            self.funcs.add(func);
        }
    }

    fn follow(&mut self, module: &Module) {
        loop {
            if let Some(id) = self.funcs.next() {
                self.follow_func(module, id);
            } else if let Some(entry) = self.thunk_infos.next() {
                let data = &module.thunk_infos[entry];
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
                    for &field in &node.ptrs {
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
                if let Some(CallTarget::Closure) = data.call_target() {
                    // Arguments may be added one at a time.
                    (1..func.args(inst).len() as u32).for_each(|missing| self.follow_way(module, Way::Apply(missing)));
                } else if data.op.is_update() {
                    self.follow_way(module, Way::Update);
                }
                match data.op.info().imm {
                    ImmKind::Func => self.func(FuncId::from_u32(number)),
                    ImmKind::Table => self.tables.add(Table::from_u32(number)),
                    ImmKind::NodeInfo | ImmKind::Desc => self.desc(Desc::from_u32(number)),
                    ImmKind::ThunkInfo => self.entry(ThunkInfo::from_u32(number)),
                    ImmKind::Static => self.statics.add(Static::from_u32(number)),
                    ImmKind::Caf => self.cafs.add(Caf::from_u32(number)),
                    ImmKind::None
                    | ImmKind::Int
                    | ImmKind::Float
                    | ImmKind::Extern
                    | ImmKind::Frame
                    | ImmKind::Field
                    | ImmKind::Shape
                    | ImmKind::Offset
                    | ImmKind::Element
                    | ImmKind::Elements
                    | ImmKind::Bytes
                    | ImmKind::Slot => {}
                }
            }
        }
    }

    fn follow_entry_update(&mut self, module: &Module, entry: ThunkInfo) {
        if let Some(update) = module.thunk_infos[entry].update {
            self.dispatched(Way::Update, update);
        }
    }

    /// The functions that the rows of a reached descriptor lead to.
    fn follow_desc(&mut self, module: &Module, desc: Desc) {
        let data = &module.descs[desc];
        for (applied_args, &func) in data.apply.iter().enumerate() {
            if let Some(func) = func {
                self.dispatched(Way::Apply(data.arity.saturating_sub(applied_args as u32)), func);
            }
        }
        if let Some((table, func)) = data.method {
            self.dispatched(Way::Instance(table), func);
        }
    }

    fn follow_table(&mut self, module: &Module, table: Table) {
        match Way::of(module, table) {
            None => module.tables[table].funcs.iter().for_each(|&func| self.funcs.add(func)),
            Some(way) => self.follow_way(module, way),
        }
    }

    /// A table has become reachable: so have the functions that what was reached before leads to.
    fn follow_way(&mut self, module: &Module, way: Way) {
        if self.used.contains(&way) {
            return;
        }
        self.used.push(way);
        if let Way::Apply(missing) = way {
            let table = module.tables.values().find(|table| table.role == TableRole::Apply(missing));
            if let Some(&others) = table.and_then(|table| table.funcs.first()) {
                self.dispatched(way, others);
            }
        }
        for i in 0..self.descs.list.len() {
            self.follow_desc(module, self.descs.list[i]);
        }
        for i in 0..self.thunk_infos.list.len() {
            self.follow_entry_update(module, self.thunk_infos.list[i]);
        }
    }

    /// True if the function stays in a table that stays.
    fn stays(&self, module: &Module, table: Table, func: FuncId) -> bool {
        Way::of(module, table).is_none_or(|way| self.kept.contains(&(way, func)))
    }

    fn is_everything(&self, module: &Module) -> bool {
        self.funcs.list.len() == module.funcs.len()
            && self.descs.list.len() == module.descs.len()
            && self.thunk_infos.list.len() == module.thunk_infos.len()
            && self.statics.list.len() == module.statics.len()
            && self.cafs.list.len() == module.cafs.len()
            && self.tables.list.len() == module.tables.len()
            && module.tables.iter().all(|(id, table)| table.funcs.iter().all(|&func| self.stays(module, id, func)))
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
    // What tables, node infos and thunk infos lead to first, while everything still has its old number.
    for table in module.tables.keys() {
        let mut funcs = std::mem::take(&mut module.tables[table].funcs);
        funcs.retain(|&func| reach.stays(module, table, func));
        module.tables[table].funcs = funcs;
    }
    for desc in module.descs.values_mut() {
        for (applied_args, func) in desc.apply.iter_mut().enumerate() {
            let way = Way::Apply(desc.arity.saturating_sub(applied_args as u32));
            *func = func.filter(|&func| reach.kept.contains(&(way, func)));
        }
        desc.method = desc.method.filter(|&(table, func)| reach.kept.contains(&(Way::Instance(table), func)));
    }
    for entry in module.thunk_infos.values_mut() {
        entry.update = entry.update.filter(|&func| reach.kept.contains(&(Way::Update, func)));
    }
    let funcs = Numbers::keep(&mut module.funcs, &reach.funcs);
    let descs = Numbers::keep(&mut module.descs, &reach.descs);
    let thunk_infos = Numbers::keep(&mut module.thunk_infos, &reach.thunk_infos);
    let statics = Numbers::keep(&mut module.statics, &reach.statics);
    let cafs = Numbers::keep(&mut module.cafs, &reach.cafs);
    let tables = Numbers::keep(&mut module.tables, &reach.tables);
    if let Some(source) = &mut module.source {
        let old = std::mem::take(&mut source.fields);
        for (desc, places) in old.iter().filter(|(desc, _)| reach.descs.seen[*desc]) {
            source.fields[descs.get(desc)].clone_from(places);
        }
    }
    for desc in module.descs.values_mut() {
        if let Some(record) = &mut desc.record {
            record.nested.iter_mut().for_each(|nested| *nested = descs.get(*nested));
        }
        desc.apply.iter_mut().flatten().for_each(|func| *func = funcs.get(*func));
        desc.method = desc.method.map(|(table, func)| (tables.get(table), funcs.get(func)));
    }
    for data in module.statics.values_mut() {
        if let StaticData::Node(node) = data {
            node.renumber(|desc| descs.get(desc), |object| statics.get(object));
        }
    }
    for entry in module.thunk_infos.values_mut() {
        entry.code = funcs.get(entry.code);
        entry.update = entry.update.map(|func| funcs.get(func));
        entry.desc = entry.desc.map(|desc| descs.get(desc));
    }
    for table in module.tables.values_mut() {
        table.funcs.iter_mut().for_each(|func| *func = funcs.get(*func));
    }
    module.start = module.start.map(|func| funcs.get(func));
    module.entries.iter_mut().for_each(|entry| entry.func = funcs.get(entry.func));
    module.interface.renumber(|func| funcs.get(func), |desc| descs.get(desc), |table| tables.get(table));
    module.exchange = module.exchange.filter(|buffer| reach.cafs.seen[buffer.caf]);
    if let Some(buffer) = &mut module.exchange {
        buffer.caf = cafs.get(buffer.caf);
    }
    module.blackhole_info = module.blackhole_info.map(|entry| thunk_infos.get(entry));
    for func in module.funcs.values_mut() {
        for b in 0..func.layout.len() {
            let block = func.layout[b];
            for &inst in &func.blocks[block].insts {
                let data = &mut func.insts[inst];
                let number = data.imm as u32;
                data.imm = match data.op.info().imm {
                    ImmKind::Func => funcs.get(FuncId::from_u32(number)).as_u32() as u64,
                    ImmKind::Table => tables.get(Table::from_u32(number)).as_u32() as u64,
                    ImmKind::NodeInfo | ImmKind::Desc => descs.get(Desc::from_u32(number)).as_u32() as u64,
                    ImmKind::ThunkInfo => thunk_infos.get(ThunkInfo::from_u32(number)).as_u32() as u64,
                    ImmKind::Static => statics.get(Static::from_u32(number)).as_u32() as u64,
                    ImmKind::Caf => cafs.get(Caf::from_u32(number)).as_u32() as u64,
                    _ => data.imm,
                };
            }
        }
    }
}
