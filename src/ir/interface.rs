//! The interface of a module: the functions that others call, and the types of the data that they pass.
//!
//! The types are those of WebAssembly's Component Model. Each says how its values lie in the data of the module, so
//! that a front end describes its representation once: what copies values in and out is made of that
//! (`cleave-interface`).
//!
//! | type | in the module |
//! | --- | --- |
//! | number, truth value, character | an `i32`, `i64` or `f64`, perhaps shifted; or that in a node |
//! | variant without payloads | the same: the number of its case |
//! | string | a string object of UTF-8; or that in a node |
//! | list | nodes of two descriptors: the end, and an element with the rest; or an array object; or that in a node |
//! | function | a closure, which `apply` or `call_method` takes; others have a number for it until they drop that |
//! | object of the host | a cell with a number, of which the host is told when it has died |
//! | all others | nodes, of one descriptor for each case |
//!
//! Types refer only to types with smaller numbers: they are never recursive. A front end that knows the types of its
//! program only from what somebody says of them calls them *claimed*: then values are checked as they leave.

use crate::arrays::ArrayKind;
use crate::entity::{Desc, FuncId, Table, entity};
use crate::module::Module;
use crate::types::Type;
use cranelift_entity::PrimaryMap;

entity!(/// A type of the interface.
    InterfaceType, "type");

/// Numbers of the Component Model, with truth values and characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Primitive {
    /// A truth value.
    Bool,
    /// Signed integer of 8 bits.
    S8,
    /// Natural number of 8 bits.
    U8,
    /// Signed integer of 16 bits.
    S16,
    /// Natural number of 16 bits.
    U16,
    /// Signed integer of 32 bits.
    S32,
    /// Natural number of 32 bits.
    U32,
    /// Signed integer of 64 bits.
    S64,
    /// Natural number of 64 bits.
    U64,
    /// Real of 32 bits.
    F32,
    /// Real of 64 bits.
    F64,
    /// A Unicode character.
    Char,
}

impl Primitive {
    /// All of them.
    pub const ALL: [Primitive; 12] = [
        Primitive::Bool,
        Primitive::S8,
        Primitive::U8,
        Primitive::S16,
        Primitive::U16,
        Primitive::S32,
        Primitive::U32,
        Primitive::S64,
        Primitive::U64,
        Primitive::F32,
        Primitive::F64,
        Primitive::Char,
    ];

    /// As WIT and the text form write it.
    pub fn name(self) -> &'static str {
        match self {
            Primitive::Bool => "bool",
            Primitive::S8 => "s8",
            Primitive::U8 => "u8",
            Primitive::S16 => "s16",
            Primitive::U16 => "u16",
            Primitive::S32 => "s32",
            Primitive::U32 => "u32",
            Primitive::S64 => "s64",
            Primitive::U64 => "u64",
            Primitive::F32 => "f32",
            Primitive::F64 => "f64",
            Primitive::Char => "char",
        }
    }

    /// Bytes in memory.
    pub fn bytes(self) -> u32 {
        match self {
            Primitive::Bool | Primitive::S8 | Primitive::U8 => 1,
            Primitive::S16 | Primitive::U16 => 2,
            Primitive::S32 | Primitive::U32 | Primitive::F32 | Primitive::Char => 4,
            Primitive::S64 | Primitive::U64 | Primitive::F64 => 8,
        }
    }

    /// Reals.
    pub fn is_real(self) -> bool {
        matches!(self, Primitive::F32 | Primitive::F64)
    }
}

/// A part of a compound type: its name, and the types of what it holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Case {
    /// As the program names it.
    pub name: String,
    /// One: the payload; several: a tuple of them; none: no payload.
    pub payload: Vec<InterfaceType>,
}

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InterfaceKind {
    /// A number, a truth value or a character.
    Primitive(Primitive),
    /// Unicode text.
    String,
    /// Its nodes: the end; element and rest.
    List(InterfaceType),
    /// Its parts are the fields of the only node, as for `Record`.
    Tuple(Vec<InterfaceType>),
    /// With the name and the fields.
    Record(String, Vec<(String, InterfaceType)>),
    /// With the name and the cases, which are its nodes.
    Variant(String, Vec<Case>),
    /// Its nodes: none, some.
    Option(InterfaceType),
    /// Its nodes: what is good, what is bad.
    Result(Option<InterfaceType>, Option<InterfaceType>),
    /// What it takes, and what it gives: nothing or one value. All are references for `apply`.
    Function(Vec<InterfaceType>, Vec<InterfaceType>),
    /// An object of the host, of which the program knows nothing but the name of its type.
    Foreign(String),
}

impl InterfaceKind {
    /// The types that it is made of.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut InterfaceType> {
        let parts: Vec<&mut InterfaceType> = match self {
            InterfaceKind::Primitive(_) | InterfaceKind::String | InterfaceKind::Foreign(_) => Vec::new(),
            InterfaceKind::List(part) | InterfaceKind::Option(part) => vec![part],
            InterfaceKind::Tuple(parts) => parts.iter_mut().collect(),
            InterfaceKind::Record(_, fields) => fields.iter_mut().map(|field| &mut field.1).collect(),
            InterfaceKind::Variant(_, cases) => cases.iter_mut().flat_map(|case| &mut case.payload).collect(),
            InterfaceKind::Result(good, bad) => good.iter_mut().chain(bad).collect(),
            InterfaceKind::Function(params, results) => params.iter_mut().chain(results).collect(),
        };
        parts.into_iter()
    }
}

/// Where a field lies in a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FieldIn {
    /// The reference of this number.
    Ref(u32),
    /// The word of this number: an `i64`, an `f64`, or an `i32` without its sign.
    Word(u32),
}

/// The nodes of one case.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NodeLayout {
    /// What its header names.
    pub desc: Desc,
    /// Arguments that a node holds; 0 for records.
    pub applied_args: u32,
    /// Of the parts, in their order.
    pub fields: Vec<FieldIn>,
}

/// How values lie in the module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Representation {
    /// A value of this type, shifted to the left by so many bits.
    Scalar(Type, u8),
    /// A string object.
    String,
    /// An array object.
    Array(ArrayKind),
    /// A closure: `apply` takes it, or `call_method` with this table.
    Closure(Option<Table>),
    /// A cell that stands for an object of the host. Nobody in the module looks into it.
    Foreign,
    /// A string, an array, or a cell for an object of the host in the only field of a node.
    Boxed(NodeLayout, Box<Representation>),
    /// References to nodes: a descriptor for each case.
    Nodes(Vec<NodeLayout>),
}

/// A type of the interface.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct InterfaceTypeData {
    /// What it is for others.
    pub kind: InterfaceKind,
    /// What it is for the module.
    pub representation: Representation,
}

impl InterfaceTypeData {
    /// The type of its values in the IR.
    pub fn ir_type(&self) -> Type {
        match self.representation {
            Representation::Scalar(ty, _) => ty,
            _ => Type::Ref,
        }
    }

    /// Without the node around a string, an array, or a cell for an object of the host.
    pub fn unboxed(&self) -> &Representation {
        match &self.representation {
            Representation::Boxed(_, held) => held,
            other => other,
        }
    }

    /// What the nodes hold, in their order; of a list the rest comes after the element, and is no part.
    pub fn cases(&self) -> Vec<Vec<InterfaceType>> {
        match &self.kind {
            InterfaceKind::Primitive(_)
            | InterfaceKind::String
            | InterfaceKind::Function(..)
            | InterfaceKind::Foreign(_) => Vec::new(),
            InterfaceKind::List(element) => vec![Vec::new(), vec![*element]],
            InterfaceKind::Tuple(parts) => vec![parts.clone()],
            InterfaceKind::Record(_, fields) => vec![fields.iter().map(|field| field.1).collect()],
            InterfaceKind::Variant(_, cases) => cases.iter().map(|case| case.payload.clone()).collect(),
            InterfaceKind::Option(some) => vec![Vec::new(), vec![*some]],
            InterfaceKind::Result(good, bad) => vec![Vec::from_iter(*good), Vec::from_iter(*bad)],
        }
    }
}

/// A function that others call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// As the program names it.
    pub name: String,
    /// What is called.
    pub func: FuncId,
    /// Names and types of the arguments.
    pub params: Vec<(String, InterfaceType)>,
    /// Nothing, one value, or a tuple of several. Without one, what the function gives is not passed on.
    pub results: Vec<InterfaceType>,
    /// It may call imports, which the host goes on from later: so it gives the host a promise.
    pub waits: bool,
}

/// A function of the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// As the host names it.
    pub name: String,
    /// Where the host has it: for JavaScript a module, as an `import` there names it.
    pub from: String,
    /// How the program calls it.
    pub kind: ImportKind,
    /// Names and types of the arguments.
    pub params: Vec<(String, InterfaceType)>,
    /// Nothing or one value: what `perform` gives. A number lies in a node of `$INT` or `$REAL` there.
    pub results: Vec<InterfaceType>,
    /// A text: what is raised where the effect was performed if the host has failed, made of what it says.
    pub raises: Option<InterfaceType>,
}

/// How a program calls a function of the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ImportKind {
    /// The host may take its time. The program performs an effect, a node of the arguments in their order; if nobody in
    /// the program handles it, it leaves through an export that waits, and is resumed when the host has the result.
    Effect(NodeLayout),
    /// The host answers at once. In a library its function takes the place of this one, whose own code runs where there
    /// is no such host.
    Function(FuncId),
}

impl Import {
    /// What is performed, if the program waits.
    pub fn effect(&self) -> Option<&NodeLayout> {
        match &self.kind {
            ImportKind::Effect(effect) => Some(effect),
            ImportKind::Function(_) => None,
        }
    }

    /// The function in whose place the host's is, if it answers at once.
    pub fn func(&self) -> Option<FuncId> {
        match self.kind {
            ImportKind::Effect(_) => None,
            ImportKind::Function(func) => Some(func),
        }
    }
}

/// A function that the host calls with plain numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// As the host names it.
    pub name: String,
    /// What is called.
    pub func: FuncId,
    /// Parameters, and results, that are reals of 32 bits for the host.
    pub narrow: (Vec<u32>, bool),
}

/// All that is exported.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Interface {
    /// In their order.
    pub types: PrimaryMap<InterfaceType, InterfaceTypeData>,
    /// What others call, with data.
    pub exports: Vec<Export>,
    /// What the program asks the host for.
    pub imports: Vec<Import>,
    /// No compiler has proved that values are of these types: those that leave the module are checked.
    pub claimed: bool,
}

impl Interface {
    /// Adds a type, unless there is an equal one.
    pub fn add(&mut self, data: InterfaceTypeData) -> InterfaceType {
        let known = self.types.iter().find(|(_, known)| **known == data).map(|(id, _)| id);
        known.unwrap_or_else(|| self.types.push(data))
    }

    /// All nodes of all types.
    fn nodes(&mut self) -> impl Iterator<Item = &mut NodeLayout> {
        let of_types = self.types.values_mut().flat_map(|data| match &mut data.representation {
            Representation::Nodes(nodes) => &mut nodes[..],
            Representation::Boxed(node, _) => std::slice::from_mut(node),
            _ => &mut [],
        });
        of_types.chain(self.imports.iter_mut().filter_map(|import| match &mut import.kind {
            ImportKind::Effect(effect) => Some(effect),
            ImportKind::Function(_) => None,
        }))
    }

    /// The descriptors of all data.
    pub fn descs(&self) -> impl Iterator<Item = Desc> {
        let of_types = self.types.values().flat_map(|data| match &data.representation {
            Representation::Nodes(nodes) => nodes.iter().map(|node| node.desc).collect(),
            Representation::Boxed(node, _) => vec![node.desc],
            _ => Vec::new(),
        });
        of_types.chain(self.imports.iter().filter_map(|import| Some(import.effect()?.desc)))
    }

    /// The tables through which closures are called.
    pub fn tables(&self) -> impl Iterator<Item = Table> {
        self.types.values().filter_map(|data| match data.representation {
            Representation::Closure(table) => table,
            _ => None,
        })
    }

    /// The functions that others call, and those in whose place theirs are.
    pub fn funcs(&self) -> impl Iterator<Item = FuncId> {
        let exports = self.exports.iter().map(|export| export.func);
        exports.chain(self.imports.iter().filter_map(Import::func))
    }

    /// Gives the functions, descriptors and tables other numbers.
    pub fn renumber(
        &mut self,
        func: impl Fn(FuncId) -> FuncId,
        desc: impl Fn(Desc) -> Desc,
        table: impl Fn(Table) -> Table,
    ) {
        self.exports.iter_mut().for_each(|export| export.func = func(export.func));
        for import in &mut self.imports {
            if let ImportKind::Function(known) = &mut import.kind {
                *known = func(*known);
            }
        }
        self.nodes().for_each(|node| node.desc = desc(node.desc));
        for data in self.types.values_mut() {
            if let Representation::Closure(Some(known)) = &mut data.representation {
                *known = table(*known);
            }
        }
    }
}

/// Memory between the static data and the heap in which hosts and the module exchange data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExchangeBuffer {
    /// Its three words: the next free address, the end, and the first address that is used in turn. They have
    /// their values from the beginning.
    pub caf: crate::entity::Caf,
    /// Bytes.
    pub bytes: u32,
}

impl Module {
    /// Everything that can be called is known: what is not reached can be left out.
    pub fn is_closed(&self) -> bool {
        self.start.is_some() || !self.entries.is_empty()
    }
}
