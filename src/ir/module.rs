//! Modules: functions and the static things they refer to. A module is a whole program once the front end has linked
//! and pruned it.

use crate::captures::Captures;
use crate::cell_sizes::CellSizes;
use crate::cycles::Cycles;
use crate::entity::{Caf, Desc, Extern, FuncId, Static, Table, ThunkInfo};
use crate::func::{Func, Phase};
use crate::heap::Heap;
use crate::interface::{Entry, ExchangeBuffer, Interface};
use crate::layout::{DescriptorKind, Shape};
use crate::opcode::Opcode;
use crate::runtime::{Callee, ExternData, Libcall};
use crate::source::ModuleSource;
use crate::types::{Signature, Type};
use cleave_abi::Effects;
use cranelift_entity::{EntityRef, PrimaryMap};

/// Bytes of a name or string of the program (no encoding).
pub type Bytes = Box<[u8]>;

/// A descriptor: what the header of a head normal form names.
#[derive(Clone, Debug)]
pub struct DescData {
    /// Printed name.
    pub name: Bytes,
    /// Label in the program text, unique in the module; for the IR text form and for symbol names.
    pub label: String,
    /// How the runtime prints and compares its nodes.
    pub kind: DescriptorKind,
    /// Arguments of a constructor or function; 0 for records and basic types.
    pub arity: u32,
    /// Records: payload and description.
    pub record: Option<RecordData>,
    /// Number of a constructor in its type (`.desc0`); `LAZY_RECORD` for functions that build a record lazily.
    pub tag: u32,
    /// For each number of applied arguments: the function (node, missing arguments…) -> evaluated result that completes
    /// the application. Where there is none, or the list is too short, arguments are added one by one.
    pub apply: Vec<Option<FuncId>>,
    /// What `call_method` through this table calls for nodes of this descriptor.
    pub method: Option<(Table, FuncId)>,
    /// True if nodes with fewer than `arity` arguments may be applied.
    pub callable: bool,
    /// Its nodes never take the place of another object, nor another object theirs: a node is one block. Data of
    /// strict languages is; what a thunk may evaluate to by being overwritten is not.
    pub contiguous: bool,
    /// Nobody writes over a record of it, or over a closure, which holds fewer arguments than `arity`; and no program
    /// can tell two equal ones apart, so that one may take the place of another.
    pub immutable: bool,
}

impl DescData {
    /// Shape of a node with `held` arguments.
    pub fn shape(&self, applied_args: u32) -> Shape {
        let (ptrs, nptrs) = self.payload(applied_args);
        Shape { ptrs, nptrs, contiguous: self.contiguous }
    }
    /// True if a node with `held` arguments stays as it is.
    pub fn is_immutable(&self, applied_args: u32) -> bool {
        self.immutable && (self.record.is_some() || applied_args < self.arity)
    }
    /// Payload (references, raw words) of a node with `held` arguments.
    pub fn payload(&self, applied_args: u32) -> (u32, u32) {
        match &self.record {
            Some(record) => (record.ptrs, record.nptrs),
            None => (applied_args, 0),
        }
    }
}

/// `DescData::tag` of functions that build a record lazily.
pub const LAZY_RECORD: u32 = 1 << 31;

/// Payload of a record or strict constructor.
#[derive(Clone, Debug)]
pub struct RecordData {
    /// Number of references, which come first.
    pub ptrs: u32,
    /// Number of raw words.
    pub nptrs: u32,
    /// Field types as in the `.record` directive.
    pub types: Bytes,
    /// Descriptors of nested unboxed records, in order of appearance.
    pub nested: Vec<Desc>,
}

/// What the collector may do with thunks of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThunkKind {
    /// They wait until somebody evaluates them.
    Plain,
    /// They stand for the node in their argument, which takes their place.
    Indirection,
    /// Selects reference field `n` of the node in its argument.
    SelectRef(u16),
    /// The same for the field of a record. The difference shows only to code that asks for the kind of a thunk.
    SelectField(u16),
    /// Selects field `n` (references count first) of the record in its argument, a raw word, and boxes it.
    SelectWord(u16, DescriptorKind),
}

/// A node entry: what the header of a thunk names.
#[derive(Clone, Debug)]
pub struct ThunkInfoData {
    /// Without the `&` of the text form; unique in the module.
    pub label: String,
    /// What the collector may do.
    pub kind: ThunkKind,
    /// References of a thunk, which come first.
    pub ptrs: u32,
    /// Raw words of a thunk.
    pub nptrs: u32,
    /// (thunk) -> evaluated node.
    pub code: FuncId,
    /// (thunk, node to fill) -> that node, filled.
    pub update: Option<FuncId>,
    /// The descriptor of the function that it is a call of, if a program may ask for it.
    pub desc: Option<Desc>,
}

/// What a reference field of a static node refers to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StaticField {
    /// A string or a node with a smaller number.
    Object(Static),
    /// The static node of a descriptor without arguments.
    Node(Desc),
    /// The static node of a small integer.
    Int(i64),
    /// The static node of a character.
    Char(u8),
    /// The static node of a truth value.
    Bool(bool),
}

/// A head normal form of the program text: nobody overwrites it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StaticNode {
    /// What its header names.
    pub desc: Desc,
    /// Number of arguments held.
    pub applied_args: u32,
    /// Its references, in order.
    pub ptrs: Box<[StaticField]>,
    /// Raw words; reals as their bits.
    pub nptrs: Box<[u64]>,
}

impl StaticNode {
    /// Gives the descriptors and static objects that it refers to other numbers.
    pub fn renumber(&mut self, desc: impl Fn(Desc) -> Desc, object: impl Fn(Static) -> Static) {
        self.desc = desc(self.desc);
        for field in &mut self.ptrs {
            match field {
                StaticField::Object(number) => *number = object(*number),
                StaticField::Node(number) => *number = desc(*number),
                StaticField::Int(_) | StaticField::Char(_) | StaticField::Bool(_) => {}
            }
        }
    }
}

/// A static object.
#[derive(Clone, Debug)]
pub enum StaticData {
    /// Writable string object.
    String(Bytes),
    /// Text block: length and bytes.
    Text(Bytes),
    /// A constant: all that it refers to is static, too.
    Node(StaticNode),
    /// A symbol of machine code that others have made: eight bytes that the linker or the JIT fills with its address,
    /// then the text block that says what is missing while they are zero (always, on Wasm and in the interpreter).
    Symbol {
        /// The name of the symbol.
        name: Bytes,
        /// What the program says before it stops, when it needs the missing symbol.
        missing: Bytes,
    },
}

/// Storage of a constant applicative form.
#[derive(Clone, Debug)]
pub struct CafData {
    /// Without the `^` of the text form; unique in the module.
    pub label: String,
    /// Number of references that it keeps.
    pub ptrs: u32,
    /// Number of raw words that it keeps.
    pub nptrs: u32,
}

/// Where the index of a call through a table comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TableRole {
    /// The program knows it: all functions of the table can be called.
    #[default]
    Plain,
    /// The row of a closure that lacks so many arguments (`DescData::apply`). The first function is for closures that
    /// lack another number, and for those without code of their own.
    Apply(u32),
    /// The row of a node (`DescData::instance`).
    Method,
    /// The thunk info of a thunk (`ThunkInfoData::update`).
    Update,
}

/// Functions of one signature that are called by index.
#[derive(Clone, Debug)]
pub struct TableData {
    /// Without the `%` of the text form; unique in the module.
    pub label: String,
    /// What counts as an index.
    pub role: TableRole,
    /// Of all its functions.
    pub signature: Signature,
    /// By index.
    pub funcs: Vec<FuncId>,
}

/// The descriptors that the compiler itself refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WellKnownDesc {
    /// Boxed integers.
    Int,
    /// Boxed characters.
    Char,
    /// Boxed truth values.
    Bool,
    /// Boxed reals.
    Real,
    /// Boxed files.
    File,
    /// String objects.
    String,
    /// Array objects.
    Array,
    /// Nodes around a string or array object.
    BoxedArray,
    /// The end of a list, and what unset references are.
    Empty,
    /// A list cell with two references: head and tail.
    ListCell,
    /// Tuples of 0 to 32 references.
    Tuple,
}

impl WellKnownDesc {
    /// In the order of their numbers.
    pub const ALL: [WellKnownDesc; 11] = [
        WellKnownDesc::Int,
        WellKnownDesc::Char,
        WellKnownDesc::Bool,
        WellKnownDesc::Real,
        WellKnownDesc::File,
        WellKnownDesc::String,
        WellKnownDesc::Array,
        WellKnownDesc::BoxedArray,
        WellKnownDesc::Empty,
        WellKnownDesc::ListCell,
        WellKnownDesc::Tuple,
    ];
    /// The label in every module.
    pub const fn label(self) -> &'static str {
        match self {
            WellKnownDesc::Int => "INT",
            WellKnownDesc::Char => "CHAR",
            WellKnownDesc::Bool => "BOOL",
            WellKnownDesc::Real => "REAL",
            WellKnownDesc::File => "FILE",
            WellKnownDesc::String => "_STRING_",
            WellKnownDesc::Array => "_ARRAY_",
            WellKnownDesc::BoxedArray => "ARRAY",
            WellKnownDesc::Empty => "_Nil",
            WellKnownDesc::ListCell => "_Cons",
            WellKnownDesc::Tuple => "_Tuple",
        }
    }
    const fn data(self) -> (DescriptorKind, u32, &'static str) {
        match self {
            WellKnownDesc::Int => (DescriptorKind::Int, 0, "INT"),
            WellKnownDesc::Char => (DescriptorKind::Char, 0, "CHAR"),
            WellKnownDesc::Bool => (DescriptorKind::Bool, 0, "BOOL"),
            WellKnownDesc::Real => (DescriptorKind::Real, 0, "REAL"),
            WellKnownDesc::File => (DescriptorKind::File, 0, "File"),
            WellKnownDesc::String => (DescriptorKind::String, 0, "_STRING_"),
            WellKnownDesc::Array => (DescriptorKind::Array, 0, "_ARRAY_"),
            WellKnownDesc::BoxedArray => (DescriptorKind::BoxedArray, 1, "ARRAY"),
            WellKnownDesc::Empty => (DescriptorKind::Empty, 0, "Nil"),
            WellKnownDesc::ListCell => (DescriptorKind::ListCell, 2, "Cons"),
            WellKnownDesc::Tuple => (DescriptorKind::Tuple, 32, "_Tuple"),
        }
    }
    /// Raw words of the basic types.
    pub const fn words(self) -> u32 {
        match self {
            WellKnownDesc::Int | WellKnownDesc::Char | WellKnownDesc::Bool | WellKnownDesc::Real => 1,
            WellKnownDesc::File => 2,
            _ => 0,
        }
    }
    /// Its descriptor: the known ones come first in every module, in the order of `ALL`.
    pub fn desc(self) -> Desc {
        Desc::from_u32(self as u32)
    }
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Module {
    /// As the text form has it; names the WebAssembly module, too.
    pub name: String,
    /// The code; `start` names the one where it begins.
    pub funcs: PrimaryMap<FuncId, Func>,
    /// What it calls outside: first the libcalls of the compiler, then what was declared (`runtime.rs`).
    pub externs: PrimaryMap<Extern, ExternData>,
    /// In file order: later descriptors get higher addresses.
    pub descs: PrimaryMap<Desc, DescData>,
    /// In file order; thunks name their records.
    pub thunk_infos: PrimaryMap<ThunkInfo, ThunkInfoData>,
    /// Strings, texts and constants, in file order.
    pub statics: PrimaryMap<Static, StaticData>,
    /// Values that are computed at most once, and kept.
    pub cafs: PrimaryMap<Caf, CafData>,
    /// By which code is called that the program chooses as it runs.
    pub tables: PrimaryMap<Table, TableData>,
    /// Takes nothing, returns nothing: the whole program.
    pub start: Option<FuncId>,
    /// What others call, with data.
    pub interface: Interface,
    /// What the host calls with numbers: reached from elsewhere, as the start is.
    pub entries: Vec<Entry>,
    /// Where data is exchanged, if some is.
    pub exchange: Option<ExchangeBuffer>,
    /// The entry of cells under evaluation, once the front end has made it (`entry_cycle`).
    pub blackhole_info: Option<ThunkInfo>,
    /// The program sees which nodes are one, and which are thunks: it fills evaluated nodes that nobody else refers to
    /// (nodes that are reused), or looks at nodes as memory. Passes leave both as they are.
    pub observes_identity: bool,
    /// References may be immediates: integers in the place of an address (`int_ref`). Then code asks before it counts.
    pub immediates: bool,
    /// How its memory is managed.
    pub heap: Heap,
    /// On the reference-counted heap: cells that are larger than their nodes.
    pub cell_sizes: CellSizes,
    /// The same: what may be a part of a cycle of references.
    pub cycles: Cycles,
    /// If functions can be captured (`stackless`): how they go on.
    pub captures: Option<Captures>,
    /// On the reference-counted heap: the program counts cells and references too, and says so at its end.
    pub keeps_rc_stats: bool,
    /// Where it came from, if that is wanted.
    pub source: Option<Box<ModuleSource>>,
}

impl Module {
    /// An empty module with the known descriptors.
    pub fn new(name: impl Into<String>) -> Self {
        let mut module = Module {
            name: name.into(),
            funcs: PrimaryMap::new(),
            externs: Libcall::ALL.iter().map(|libcall| ExternData::from(libcall.signature())).collect(),
            descs: PrimaryMap::new(),
            thunk_infos: PrimaryMap::new(),
            statics: PrimaryMap::new(),
            cafs: PrimaryMap::new(),
            tables: PrimaryMap::new(),
            start: None,
            interface: Interface::default(),
            entries: Vec::new(),
            exchange: None,
            blackhole_info: None,
            observes_identity: false,
            immediates: false,
            heap: Default::default(),
            cell_sizes: CellSizes::default(),
            cycles: Cycles::default(),
            captures: None,
            keeps_rc_stats: false,
            source: None,
        };
        for known in WellKnownDesc::ALL {
            let (kind, arity, name) = known.data();
            let record = (known.words() > 0).then(|| RecordData {
                ptrs: 0,
                nptrs: known.words(),
                types: Bytes::default(),
                nested: Vec::new(),
            });
            module.descs.push(DescData {
                name: name.as_bytes().into(),
                label: known.label().into(),
                kind,
                arity,
                record,
                tag: 0,
                apply: Vec::new(),
                method: None,
                callable: false,
                contiguous: false,
                immutable: false,
            });
        }
        module
    }

    /// The extern of a function of the runtime; declares it if the module has none of this name.
    pub fn declare(&mut self, data: impl Into<ExternData>) -> Extern {
        let data = data.into();
        let known = self.externs.iter().find(|(_, known)| known.name == data.name).map(|(id, _)| id);
        known.unwrap_or_else(|| self.externs.push(data))
    }

    /// What a call of an extern is made of.
    pub fn callee(&self, id: Extern) -> Callee<'_> {
        let data = &self.externs[id];
        Callee { id, effects: data.effects, results: &data.results }
    }

    /// The externs that some function calls, in order.
    pub fn called_externs(&self) -> Vec<Extern> {
        let mut called = vec![false; self.externs.len()];
        for func in self.funcs.values() {
            for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
                let data = &func.insts[inst];
                if data.op == Opcode::CallRt
                    && let Some(called) = called.get_mut(data.external().0.index())
                {
                    *called = true;
                }
            }
        }
        self.externs.keys().filter(|id| called[id.index()]).collect()
    }

    /// It calls functions of C.
    pub fn calls_c(&self) -> bool {
        let insts = self.funcs.values().flat_map(|func| {
            let listed = func.layout.iter().flat_map(|&block| func.blocks[block].insts.iter());
            listed.map(|&inst| &func.insts[inst])
        });
        insts.filter(|data| data.op == Opcode::CallRt).any(|data| data.effects().all(Effects::FFI))
    }

    /// Payload (references, raw words) of a node of `desc` holding `held` arguments.
    pub fn payload(&self, desc: Desc, applied_args: u32) -> (u32, u32) {
        self.descs[desc].payload(applied_args)
    }

    /// Shape of a node of `desc` holding `held` arguments.
    pub fn shape(&self, desc: Desc, applied_args: u32) -> Shape {
        self.descs[desc].shape(applied_args)
    }

    /// The functions that are called by what a node or thunk names, by the runtime, through a table or by the host.
    pub fn dispatched_funcs(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.listed_funcs().chain(self.thunk_infos.values().map(|entry| entry.code))
    }

    /// The same without the code of thunks.
    pub fn listed_funcs(&self) -> impl Iterator<Item = FuncId> + '_ {
        let descs = self.descs.values();
        let rows = descs.flat_map(|desc| desc.apply.iter().copied().flatten().chain(desc.method.map(|found| found.1)));
        rows.chain(self.thunk_infos.values().filter_map(|entry| entry.update))
            .chain(self.tables.values().flat_map(|table| table.funcs.iter().copied()))
            .chain(self.entries.iter().map(|entry| entry.func))
    }

    /// The entry of indirections, if some thunk can become one.
    pub fn indirection_info(&self) -> Option<ThunkInfo> {
        self.thunk_infos.iter().find(|(_, data)| data.kind == ThunkKind::Indirection).map(|(entry, _)| entry)
    }

    /// Signature of every node entry.
    pub fn eval_signature() -> Signature {
        Signature::new(&[Type::Ref], &[Type::Ref])
    }

    /// The least advanced phase of all functions.
    pub fn phase(&self) -> Phase {
        self.funcs.values().map(|f| f.phase).min().unwrap_or_default()
    }
}
