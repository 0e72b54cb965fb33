//! Puts several programs into one module, so that the runtime is compiled once for all of them.
//!
//! Which one runs is a number in the static data, which whoever runs it writes into the memory before the start.
//! Everything is renumbered by the kind of its immediate; the descriptors that the compiler knows are shared, and
//! externs by their names.

use cleave_ir::data_section::StaticDataSection;
use cleave_ir::layout::SLOT;
use cleave_ir::{
    Builder, Desc, EntityRef, Func, FuncId, ImmKind, Module, Opcode, Phase, Signature, Static, StaticData, Table,
    ThunkInfo, WellKnownDesc,
};

/// Programs in one module.
pub struct Linked {
    pub module: Module,
    starts: Vec<FuncId>,
}

/// The text whose eight bytes are the number of the program to run.
const CHOICE: u32 = 0;

/// Where that number is in the memory.
pub fn choice(data_section: &StaticDataSection) -> u32 {
    data_section.static_object(Static::from_u32(CHOICE)) + SLOT
}

impl Default for Linked {
    fn default() -> Linked {
        let mut module = Module::new("linked");
        let choice = module.statics.push(StaticData::Text(vec![0; 8].into()));
        assert_eq!(choice.as_u32(), CHOICE);
        Linked { module, starts: Vec::new() }
    }
}

/// What was there before a program was added: new number = old number + this.
struct Shift {
    funcs: u32,
    descs: u32,
    thunk_infos: u32,
    statics: u32,
    cafs: u32,
    tables: u32,
}

impl Shift {
    fn func(&self, id: FuncId) -> FuncId {
        FuncId::from_u32(id.as_u32() + self.funcs)
    }
    fn desc(&self, id: Desc) -> Desc {
        let known = (id.as_u32() as usize) < WellKnownDesc::ALL.len();
        if known { id } else { Desc::from_u32(id.as_u32() + self.descs) }
    }
    /// A new immediate.
    fn immediate(&self, kind: ImmKind, imm: u64) -> u64 {
        let number = imm as u32;
        u64::from(match kind {
            ImmKind::Func => number + self.funcs,
            ImmKind::Table => number + self.tables,
            ImmKind::NodeInfo | ImmKind::Desc => self.desc(Desc::from_u32(number)).as_u32(),
            ImmKind::ThunkInfo => number + self.thunk_infos,
            ImmKind::Static => number + self.statics,
            ImmKind::Caf => number + self.cafs,
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
            | ImmKind::Slot => return imm,
        })
    }
}

/// The calls of a function of one module get the numbers of the same externs in another.
pub fn name_externs(func: &mut Func, from: &Module, to: &mut Module) {
    for data in func.insts.values_mut().filter(|data| data.op == Opcode::CallRt) {
        let id = to.declare(from.externs[data.external().0].clone());
        data.imm = to.callee(id).imm();
    }
}

impl Linked {
    /// Adds a program; its number.
    pub fn add(&mut self, program: &Module) -> usize {
        let number = self.starts.len();
        let module = &mut self.module;
        let shift = Shift {
            funcs: module.funcs.len() as u32,
            descs: (module.descs.len() - WellKnownDesc::ALL.len()) as u32,
            thunk_infos: module.thunk_infos.len() as u32,
            statics: module.statics.len() as u32,
            cafs: module.cafs.len() as u32,
            tables: module.tables.len() as u32,
        };
        let rename = |label: &mut String| *label = format!("{number}.{label}");
        for (id, desc) in &program.descs {
            if id.index() < WellKnownDesc::ALL.len() {
                continue;
            }
            let mut desc = desc.clone();
            rename(&mut desc.label);
            if let Some(record) = &mut desc.record {
                record.nested.iter_mut().for_each(|nested| *nested = shift.desc(*nested));
            }
            desc.apply.iter_mut().flatten().for_each(|func| *func = shift.func(*func));
            let table = |table: Table| Table::from_u32(table.as_u32() + shift.tables);
            desc.method = desc.method.map(|(of, func)| (table(of), shift.func(func)));
            module.descs.push(desc);
        }
        for data in program.statics.values() {
            let mut data = data.clone();
            if let StaticData::Node(node) = &mut data {
                let object = |object: Static| Static::from_u32(object.as_u32() + shift.statics);
                node.renumber(|desc| shift.desc(desc), object);
            }
            module.statics.push(data);
        }
        module.observes_identity |= program.observes_identity;
        module.immediates |= program.immediates;
        module.heap = program.heap;
        module.cell_sizes.join(&program.cell_sizes);
        program.cycles.descs().iter().for_each(|&desc| module.cycles.insert(shift.desc(desc)));
        module.cycles.arrays |= program.cycles.arrays;
        for caf in program.cafs.values() {
            let mut caf = caf.clone();
            rename(&mut caf.label);
            module.cafs.push(caf);
        }
        for table in program.tables.values() {
            let mut table = table.clone();
            rename(&mut table.label);
            table.funcs.iter_mut().for_each(|func| *func = shift.func(*func));
            module.tables.push(table);
        }
        for entry in program.thunk_infos.values() {
            let mut entry = entry.clone();
            rename(&mut entry.label);
            entry.code = shift.func(entry.code);
            entry.update = entry.update.map(|func| shift.func(func));
            entry.desc = entry.desc.map(|desc| shift.desc(desc));
            module.thunk_infos.push(entry);
        }
        for func in program.funcs.values() {
            let mut func = func.clone();
            rename(&mut func.name);
            for data in func.insts.values_mut().filter(|data| data.op != Opcode::CallRt) {
                data.imm = shift.immediate(data.op.info().imm, data.imm);
            }
            name_externs(&mut func, program, module);
            module.funcs.push(func);
        }
        let entry = |entry: ThunkInfo| ThunkInfo::from_u32(entry.as_u32() + shift.thunk_infos);
        module.blackhole_info = module.blackhole_info.or(program.blackhole_info.map(entry));
        self.starts.push(shift.func(program.start.expect("a program has a start")));
        number
    }

    /// The module with a start that chooses.
    pub fn finish(mut self) -> Module {
        let mut func = Func::new("choose", Signature::default());
        func.phase = Phase::Rooted;
        let block = func.new_block();
        let mut b = Builder::new(&mut func, block);
        let choice = b.value(Opcode::TextAddr, u64::from(CHOICE), 0, &[]);
        let choice = b.value(Opcode::LoadI64, u64::from(SLOT), 0, &[choice]);
        let choice = b.op(Opcode::Wrap, &[choice]);
        b.inst(Opcode::BrTable, 0, 0, &[choice]);
        for &start in &self.starts {
            let to = b.func.new_block();
            b.func.add_edge(block, to, &[]);
            b.switch_to(to);
            b.call(start, &[], &[]);
            b.ret(&[]);
        }
        self.module.start = Some(self.module.funcs.push(func));
        self.module
    }
}
