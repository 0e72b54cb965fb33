//! What a program exports: functions that others call, with the types of their data (`cleave_ir::interface`).
//!
//! A language says what each of its types looks like (`Language`); here these become types of the interface, or an
//! error that names the part of a type that cannot cross. Then (`lower`) each says where its parts lie in cells, which
//! is the same for all strict languages.

use crate::core_ir::{FunctionId, Program, Type};
use crate::data::{ConstructorLayout, Data, Layout, ObjectField};
use cleave_diag::{Diagnostic, Span, code};
use cleave_ir::interface::{
    Case, FieldIn, InterfaceKind, InterfaceType, InterfaceTypeData, NodeLayout, Primitive, Representation,
};
use cleave_ir::module::TableData;
use cleave_ir::{FuncId, Module, PrimaryMap, Signature, Table, TableRole, Type as IrType};
use std::hash::Hash;

/// Which functions others call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Exports {
    /// None: the module is a program, which has a main function.
    #[default]
    None,
    /// All that are public in the main module.
    Public,
    /// Those of these names.
    Named(Vec<String>),
}

impl Exports {
    /// The module is a library, which needs no main function.
    pub fn is_library(&self) -> bool {
        *self != Exports::None
    }
}

/// A function that others call.
#[derive(Clone, Debug)]
pub struct Export {
    /// As others name it.
    pub name: String,
    /// What is called.
    pub function: FunctionId,
    /// Names and types of the arguments.
    pub params: Vec<(String, InterfaceType)>,
    /// Of the values that it gives; nothing is not passed on.
    pub results: Vec<InterfaceType>,
}

/// Where a function of the host is from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The module.
    pub from: String,
    /// The program waits for it.
    pub wait: bool,
}

/// A function that the host has, in place of one of the program.
#[derive(Clone, Debug)]
pub struct Import {
    /// Its name for others, and its types.
    pub function: Export,
    /// Where it is from.
    pub origin: Origin,
}

/// What a program exports.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// Each with the type of its values in the tree.
    pub types: PrimaryMap<InterfaceType, (InterfaceKind, Type)>,
    /// In their order.
    pub exports: Vec<Export>,
    /// What the host has, in place of code of the program.
    pub imports: Vec<Import>,
}

/// What a type looks like to others.
#[derive(Clone, Debug)]
pub enum Shape<T> {
    /// Nothing that is passed on.
    Unit,
    /// A truth value.
    Bool,
    /// An integer of the program.
    Int,
    /// Text.
    Text,
    /// Of the library: none, or some.
    Option(T),
    /// Of the library: what is good, what is bad.
    Result(T, T),
    /// Parts without names.
    Tuple(Vec<T>),
    /// Parts with names.
    Record(String, Vec<(String, T)>),
    /// Constructors with what they hold.
    Variant(String, Vec<(String, Vec<T>)>),
    /// What it takes, and what it gives.
    Function(Vec<T>, T),
    /// An object of the host: the program has no values of this type that are its own.
    Foreign(String),
    /// It cannot cross; what it is, in a few words.
    Other(String),
}

/// The types of a language.
pub trait Language {
    /// A type.
    type Type: Copy + Eq + Hash;

    /// What it looks like.
    fn shape(&mut self, ty: Self::Type) -> Shape<Self::Type>;

    /// Its values in the tree.
    fn tree_type(&mut self, ty: Self::Type) -> Type;

    /// As programs write it.
    fn show(&self, ty: Self::Type) -> String;

    /// Bits of an integer.
    const INT_BITS: u32;
}

/// More types inside each other cannot cross.
const MAX_DEPTH: usize = 100;
/// More types of one interface are a mistake.
const MAX_TYPES: usize = 1000;

/// Why something cannot cross: the part of the type, and what it is.
#[derive(Clone, Debug)]
pub struct Cannot {
    part: Vec<String>,
    what: String,
}

impl Cannot {
    /// The message for a function; `whole` is where the type stands, as ``the argument `x` ``.
    pub fn diagnostic(&self, function: &str, whole: &str, span: Span) -> Diagnostic {
        self.crossing(&format!("`{function}` cannot be exported"), whole, span)
    }

    /// The same for a function that is imported.
    pub fn of_import(&self, function: &str, whole: &str, span: Span) -> Diagnostic {
        self.crossing(&format!("`{function}` cannot be imported"), whole, span)
    }

    fn crossing(&self, what: &str, whole: &str, span: Span) -> Diagnostic {
        let parts: String = self.part.iter().rev().map(|part| format!("{part} in ")).collect();
        let message = format!("{what}: {parts}{whole} is {}", self.what);
        let help = "numbers, truth values, text, lists, functions, and data made of them can cross";
        Diagnostic::error(code::CANNOT_CROSS, message).at(span, "").help(help)
    }
}

/// Makes types of the interface of those of a language.
pub struct Crossing<'c, L: Language> {
    /// The language.
    pub language: &'c mut L,
    /// What was made.
    pub interface: Interface,
    known: Vec<(L::Type, InterfaceType)>,
    /// Types around the one that is looked at, and which part of each that is.
    around: Vec<(L::Type, String)>,
}

impl<'c, L: Language> Crossing<'c, L> {
    /// Begins.
    pub fn new(language: &'c mut L) -> Crossing<'c, L> {
        Crossing { language, interface: Interface::default(), known: Vec::new(), around: Vec::new() }
    }

    /// What a function gives: nothing, or a value of a type.
    pub fn result(&mut self, ty: L::Type) -> Result<Option<InterfaceType>, Cannot> {
        match self.language.shape(ty) {
            Shape::Unit => Ok(None),
            _ => self.of(ty).map(Some),
        }
    }

    /// The type of the interface.
    pub fn of(&mut self, ty: L::Type) -> Result<InterfaceType, Cannot> {
        if let Some(known) = self.known.iter().find(|known| known.0 == ty) {
            return Ok(known.1);
        }
        let shown = self.language.show(ty);
        if self.around.iter().any(|around| around.0 == ty) {
            return self.cannot(format!("`{shown}`, which contains itself"));
        }
        if self.around.len() >= MAX_DEPTH || self.known.len() >= MAX_TYPES {
            return self.cannot("of too many types inside each other".into());
        }
        let kind = match self.language.shape(ty) {
            Shape::Unit => return self.cannot(format!("`{shown}`, which says nothing")),
            Shape::Other(what) => return self.cannot(what),
            Shape::Bool => InterfaceKind::Primitive(Primitive::Bool),
            Shape::Int if L::INT_BITS <= 32 => InterfaceKind::Primitive(Primitive::S32),
            Shape::Int => InterfaceKind::Primitive(Primitive::S64),
            Shape::Text => InterfaceKind::String,
            Shape::Foreign(name) => InterfaceKind::Foreign(name),
            Shape::Option(some) => InterfaceKind::Option(self.part(ty, "the contents", some)?),
            Shape::Result(good, bad) => {
                let good = self.optional(ty, "the good result", good)?;
                let bad = self.optional(ty, "the bad result", bad)?;
                match (good, bad) {
                    (None, None) => enumeration("result", ["ok", "error"]),
                    (good, bad) => InterfaceKind::Result(good, bad),
                }
            }
            Shape::Tuple(parts) => {
                let parts = parts.into_iter().enumerate();
                let parts = parts.map(|(at, part)| self.part(ty, &format!("part {}", at + 1), part));
                InterfaceKind::Tuple(parts.collect::<Result<_, _>>()?)
            }
            Shape::Record(name, fields) => {
                let fields = fields.into_iter().map(|(field, part)| {
                    let part = self.part(ty, &format!("the field `{field}`"), part)?;
                    Ok((field, part))
                });
                InterfaceKind::Record(name, fields.collect::<Result<_, Cannot>>()?)
            }
            Shape::Function(params, result) => {
                let params = params.into_iter().enumerate();
                let params = params.map(|(at, param)| self.part(ty, &format!("argument {}", at + 1), param));
                let params = params.collect::<Result<Vec<_>, _>>()?;
                let result = self.optional(ty, "the result", result)?;
                InterfaceKind::Function(params, result.into_iter().collect())
            }
            Shape::Variant(name, cases) => match elements(ty, &cases) {
                Some(element) => InterfaceKind::List(self.part(ty, "an element", element)?),
                None => {
                    let mut all = Vec::with_capacity(cases.len());
                    for (case, parts) in cases {
                        let part = format!("the case `{case}`");
                        let payload = parts.into_iter().map(|it| self.optional(ty, &part, it));
                        let payload = payload.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
                        all.push(Case { name: case, payload });
                    }
                    InterfaceKind::Variant(name, all)
                }
            },
        };
        let id = self.interface.types.push((kind, self.language.tree_type(ty)));
        self.known.push((ty, id));
        Ok(id)
    }

    fn part(&mut self, whole: L::Type, name: &str, part: L::Type) -> Result<InterfaceType, Cannot> {
        let name = format!("{name} of `{}`", self.language.show(whole));
        self.around.push((whole, name));
        let found = self.of(part);
        self.around.pop();
        found
    }

    /// A type of what the host gives and takes while the program waits: functions cannot cross there.
    pub fn of_import(&mut self, ty: L::Type) -> Result<InterfaceType, Cannot> {
        let found = self.of(ty)?;
        let mut inside = vec![found];
        let mut seen = vec![found];
        while let Some(id) = inside.pop() {
            let mut kind = self.interface.types[id].0.clone();
            if matches!(kind, InterfaceKind::Function(..)) {
                return self.cannot("a function, or holds one".into());
            }
            for &mut part in kind.parts_mut() {
                if !seen.contains(&part) {
                    seen.push(part);
                    inside.push(part);
                }
            }
        }
        Ok(found)
    }

    /// A part that may say nothing, as the good result of something that only can fail.
    fn optional(&mut self, whole: L::Type, name: &str, part: L::Type) -> Result<Option<InterfaceType>, Cannot> {
        match self.language.shape(part) {
            Shape::Unit => Ok(None),
            _ => self.part(whole, name, part).map(Some),
        }
    }

    fn cannot<T>(&self, what: String) -> Result<T, Cannot> {
        Err(Cannot { part: self.around.iter().map(|around| around.1.clone()).collect(), what })
    }
}

/// A list has an empty constructor, and one of an element and the rest.
fn elements<T: Copy + Eq>(whole: T, cases: &[(String, Vec<T>)]) -> Option<T> {
    match cases {
        [(_, one), (_, two)] => match (&one[..], &two[..]) {
            ([], &[element, rest]) | (&[element, rest], []) if rest == whole && element != whole => Some(element),
            _ => None,
        },
        _ => None,
    }
}

fn enumeration<const N: usize>(name: &str, cases: [&str; N]) -> InterfaceKind {
    let case = |name: &str| Case { name: name.into(), payload: Vec::new() };
    InterfaceKind::Variant(name.into(), cases.map(case).into())
}

/// Says it in the module, and gives the types there.
pub(crate) fn lower(
    program: &Program,
    data: &Data,
    functions: &PrimaryMap<FunctionId, FuncId>,
    module: &mut Module,
) -> PrimaryMap<InterfaceType, InterfaceType> {
    // Types with the same nodes are one.
    let mut numbers: PrimaryMap<InterfaceType, InterfaceType> = PrimaryMap::new();
    for (kind, ty) in program.interface.types.values() {
        let kind = renumbered(kind, &numbers);
        let representation = match &kind {
            InterfaceKind::Function(params, results) => {
                let types = &program.interface.types;
                let of = |ty: &InterfaceType| {
                    let at = numbers.iter().find(|(_, number)| *number == ty).map(|(id, _)| id);
                    data.ir_type(types[at.expect("parts come before")].1)
                };
                let params: Vec<IrType> = std::iter::once(IrType::Ref).chain(params.iter().map(of)).collect();
                // What says nothing is a number.
                let result = results.first().map_or(IrType::I32, of);
                Representation::Closure(Some(method_table(module, Signature::new(&params, &[result]))))
            }
            kind => representation(data, kind, *ty),
        };
        numbers.push(module.interface.add(InterfaceTypeData { kind, representation }));
    }
    for export in &program.interface.exports {
        module.interface.exports.push(cleave_ir::interface::Export {
            name: export.name.clone(),
            func: functions[export.function],
            params: export.params.iter().map(|(name, ty)| (name.clone(), numbers[*ty])).collect(),
            results: export.results.iter().map(|&ty| numbers[ty]).collect(),
            waits: false,
        });
    }
    numbers
}

/// The table through which closures of a signature are called.
pub(crate) fn method_table(module: &mut Module, signature: Signature) -> Table {
    let is_it = |table: &TableData| table.role == TableRole::Method && table.signature == signature;
    let known = module.tables.iter().find(|(_, table)| is_it(table)).map(|(id, _)| id);
    known.unwrap_or_else(|| {
        let label = format!("call.{}", module.tables.len());
        module.tables.push(TableData { label, role: TableRole::Method, signature, funcs: Vec::new() })
    })
}

fn renumbered(kind: &InterfaceKind, numbers: &PrimaryMap<InterfaceType, InterfaceType>) -> InterfaceKind {
    let mut kind = kind.clone();
    kind.parts_mut().for_each(|part| *part = numbers[*part]);
    kind
}

fn representation(data: &Data, kind: &InterfaceKind, ty: Type) -> Representation {
    let cells = match ty {
        Type::Str => return Representation::String,
        Type::Reference | Type::Data(_) if matches!(kind, InterfaceKind::Foreign(_)) => return Representation::Foreign,
        Type::Int => return Representation::Scalar(data.int, data.shift as u8),
        Type::Data(id) => match &data.layouts[id] {
            Layout::NullaryConstructors => return Representation::Scalar(IrType::I32, 0),
            Layout::Cells(cells) => cells,
        },
        Type::Unit | Type::Function | Type::Reference => unreachable!("it cannot cross"),
    };
    let mut nodes: Vec<NodeLayout> = cells.iter().map(node).collect();
    // The end of a list comes first, and so does nothing, before something.
    if matches!(kind, InterfaceKind::List(_) | InterfaceKind::Option(_)) {
        nodes.sort_by_key(|node| node.fields.len());
    }
    Representation::Nodes(nodes)
}

fn node(cell: &ConstructorLayout) -> NodeLayout {
    let fields = cell.places.iter().filter_map(|place| match *place {
        ObjectField::Reference(at) => Some(FieldIn::Ref(at)),
        ObjectField::Word(at) | ObjectField::Nullary(at) => Some(FieldIn::Word(at)),
        ObjectField::Nothing => None,
    });
    NodeLayout { desc: cell.desc, applied_args: 0, fields: fields.collect() }
}
