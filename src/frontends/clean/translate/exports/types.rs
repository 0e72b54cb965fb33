//! Types of Clean as types of the interface: what they are for others, and how their values lie in nodes.
//!
//! | type | lies in |
//! | --- | --- |
//! | `Int`, `Bool`, `Char`, `Real` | a node with a word; as a strict field the word |
//! | `{#Char}` | a node around a string object; as a strict field the object |
//! | other arrays | the same with an array object, of words or nodes |
//! | lists, tuples | the nodes that every program has |
//! | functions | a node that can be applied |
//! | records | a node, whose `.record` says which fields are words |
//! | algebraic types | nodes of the constructors; strict ones have a `.record`, too |

use super::ProgramBuilder;
use crate::ast::{Line, Symbol};
use crate::declarations::{Annotated, Body, Declarations, Elements, Exports, Foreign, Type, TypeDefinition};
use crate::instr::Opcode as Abc;
use crate::link::ModuleId;
use cleave_diag::{Diagnostic, Span, code};
use cleave_ir::interface::{
    Case, FieldIn, Interface, InterfaceKind, InterfaceType, InterfaceTypeData, NodeLayout, Primitive, Representation,
};
use cleave_ir::{ArrayKind, Type as IrType, WellKnownDesc};
use std::borrow::Cow;

/// More types inside each other cannot cross.
const MAX_DEPTH: usize = 100;
/// More types of one interface are a mistake.
const MAX_TYPES: usize = 1000;
/// More synonyms of synonyms are synonyms of themselves.
const MAX_SYNONYMS: usize = 100;

/// Where a value lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// It is a node, as all lazy values are.
    Node,
    /// In a field or element: numbers are words, strings and arrays are objects, all else are nodes.
    Field,
}

/// Why something cannot cross: the part of the type, and what it is.
pub(super) struct Cannot {
    part: Vec<String>,
    what: String,
    /// An abstract type, which may be the host's.
    hidden: Option<String>,
}

impl Cannot {
    /// The message for a function; `whole` is where the type stands.
    pub fn diagnostic(&self, function: &str, whole: &str, span: Span) -> Diagnostic {
        let parts: String = self.part.iter().rev().map(|part| format!("{part} in ")).collect();
        let message = format!("`{function}` cannot be exported: {parts}{whole} is {}", self.what);
        let help =
            "numbers, text, lists, arrays, tuples, and records and algebraic types that a `.dcl` defines can cross";
        let diagnostic = Diagnostic::error(code::CANNOT_CROSS, message).at(span, "").help(help);
        match &self.hidden {
            Some(name) => {
                diagnostic.help(format!("so can objects of the host: --export ':: {name}' says that it is one"))
            }
            None => diagnostic,
        }
    }
}

/// Makes types of the interface.
pub(super) struct Crossing<'b, 's> {
    pub builder: &'b mut ProgramBuilder<'s>,
    pub declarations: &'b [Declarations],
    /// Types that are the host's.
    pub foreign: &'b [Foreign],
    pub interface: Interface,
    known: Vec<((Type, Place), InterfaceType)>,
    /// Types around the one that is looked at, and which part of each that is.
    around: Vec<(Type, String)>,
}

/// A definition, and the module that it is in. Without one it is in all of them.
type Found<'d> = (Option<ModuleId>, Cow<'d, TypeDefinition>);

impl<'b, 's> Crossing<'b, 's> {
    pub fn new(builder: &'b mut ProgramBuilder<'s>, exports: &'b Exports) -> Crossing<'b, 's> {
        let Exports { declarations, foreign, .. } = exports;
        let (known, around) = (Vec::new(), Vec::new());
        Crossing { builder, declarations, foreign, interface: Interface::default(), known, around }
    }

    /// The type of a value in a node.
    pub fn of(&mut self, ty: &Type) -> Result<InterfaceType, Cannot> {
        self.placed(ty, Place::Node)
    }

    /// What a function gives: nothing, or a value.
    pub fn result(&mut self, ty: &Type) -> Result<Option<InterfaceType>, Cannot> {
        match self.resolve(ty) {
            Type::Tuple(parts) if parts.is_empty() => Ok(None),
            ty => self.of(&ty).map(Some),
        }
    }

    /// What a name stands for, if it is a synonym.
    pub fn resolve(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        for _ in 0..MAX_SYNONYMS {
            let Type::Named(name, arguments) = &ty else { break };
            if name == "String" && arguments.is_empty() {
                return Type::Array(Elements::Unboxed, Box::new(Type::named("Char")));
            }
            let Some((_, definition)) = self.definition(name) else { break };
            let Body::Synonym(synonym) = &definition.body else { break };
            let Some(variables) = variables(&definition, arguments) else { break };
            let Some(next) = synonym.with(&variables) else { break };
            ty = next;
        }
        ty
    }

    /// The definition of a type.
    pub fn definition(&self, name: &str) -> Option<Found<'b>> {
        let declarations: &'b [Declarations] = self.declarations;
        let of_name = |declared: &'b Declarations| {
            let mut types = declared.types.iter().filter(|definition| definition.name == name);
            let module = self.builder.program.modules.iter().position(|module| module.name == declared.module);
            types.next().zip(module).map(|(definition, module)| (Some(module as ModuleId), Cow::Borrowed(definition)))
        };
        // What a definition module keeps to itself is not looked up elsewhere.
        let found = declarations.iter().find_map(of_name);
        found.or_else(|| built_in(name).map(|found| (None, Cow::Owned(found))))
    }

    pub fn placed(&mut self, ty: &Type, place: Place) -> Result<InterfaceType, Cannot> {
        let ty = self.resolve(ty);
        let key = (ty, place);
        if let Some(known) = self.known.iter().find(|known| known.0 == key) {
            return Ok(known.1);
        }
        let ty = &key.0;
        if self.around.iter().any(|around| around.0 == *ty) {
            return self.cannot(format!("`{ty}`, which contains itself"));
        }
        if self.around.len() >= MAX_DEPTH || self.known.len() >= MAX_TYPES {
            return self.cannot("of too many types inside each other".into());
        }
        let data = match ty {
            Type::Variable(name) => return self.cannot(format!("the type variable `{name}`")),
            Type::Other(what) => return self.cannot((*what).to_string()),
            Type::List(element) => {
                let element = self.part(ty, "an element", element, Place::Node)?;
                let end = NodeLayout { desc: WellKnownDesc::Empty.desc(), applied_args: 0, fields: Vec::new() };
                nodes(InterfaceKind::List(element), vec![end, constructor(WellKnownDesc::ListCell, 2)])
            }
            Type::Array(elements, element) => self.array(ty, *elements, element, place)?,
            Type::Function(params, result) => {
                let name = |number: usize| format!("argument {}", number + 1);
                let all = params.iter().enumerate();
                let all = all.map(|(number, param)| self.part(ty, &name(number), param, Place::Node));
                let all: Vec<InterfaceType> = all.collect::<Result<_, _>>()?;
                let result = match self.resolve(result) {
                    Type::Tuple(parts) if parts.is_empty() => Vec::new(),
                    result => vec![self.part(ty, "the result", &result, Place::Node)?],
                };
                self.builder.applied_to(all.len() as u32);
                let kind = InterfaceKind::Function(all, result);
                InterfaceTypeData { kind, representation: Representation::Closure(None) }
            }
            Type::Tuple(parts) if parts.is_empty() => return self.cannot("`()`, which says nothing".into()),
            Type::Tuple(parts) => {
                let name = |number: usize| format!("part {}", number + 1);
                let all = parts.iter().enumerate();
                let all = all.map(|(number, part)| self.part(ty, &name(number), &part.ty, Place::Node));
                let all: Vec<InterfaceType> = all.collect::<Result<_, _>>()?;
                let layout = constructor(WellKnownDesc::Tuple, all.len() as u32);
                nodes(InterfaceKind::Tuple(all), vec![layout])
            }
            Type::Named(name, arguments) => match primitive(name) {
                Some((primitive, desc)) if arguments.is_empty() => {
                    let kind = InterfaceKind::Primitive(primitive);
                    let scalar = if primitive.is_real() { IrType::F64 } else { IrType::I64 };
                    let node = NodeLayout { desc: desc.desc(), applied_args: 0, fields: vec![FieldIn::Word(0)] };
                    match place {
                        Place::Node => nodes(kind, vec![node]),
                        Place::Field => InterfaceTypeData { kind, representation: Representation::Scalar(scalar, 0) },
                    }
                }
                _ => self.named(ty, name, arguments)?,
            },
        };
        let id = self.interface.add(data);
        self.known.push((key, id));
        Ok(id)
    }

    fn part(&mut self, whole: &Type, name: &str, part: &Type, place: Place) -> Result<InterfaceType, Cannot> {
        self.around.push((whole.clone(), format!("{name} of `{whole}`")));
        let found = self.placed(part, place);
        self.around.pop();
        found
    }

    pub fn cannot<T>(&self, what: String) -> Result<T, Cannot> {
        let part = self.around.iter().map(|around| around.1.clone()).collect();
        Err(Cannot { part, what, hidden: None })
    }

    fn array(
        &mut self,
        ty: &Type,
        elements: Elements,
        element: &Type,
        place: Place,
    ) -> Result<InterfaceTypeData, Cannot> {
        let name = if let Type::Named(name, _) = self.resolve(element) { name } else { String::new() };
        let kind = match (elements, name.as_str()) {
            (Elements::Boxed, _) => Some(ArrayKind::Ref),
            (Elements::Unboxed, "Char") => None,
            (Elements::Unboxed, "Int") => Some(ArrayKind::I64),
            (Elements::Unboxed, "Real") => Some(ArrayKind::F64),
            (Elements::Unboxed, "Bool") => Some(ArrayKind::U8),
            _ => return self.cannot(format!("`{ty}`, an array of unboxed records or arrays")),
        };
        let (kind, held) = match kind {
            None => (InterfaceKind::String, Representation::String),
            Some(kind) => {
                let place = if kind == ArrayKind::Ref { Place::Node } else { Place::Field };
                let element = self.part(ty, "an element", element, place)?;
                (InterfaceKind::List(element), Representation::Array(kind))
            }
        };
        let representation = match place {
            Place::Field => held,
            Place::Node => Representation::Boxed(constructor(WellKnownDesc::BoxedArray, 1), Box::new(held)),
        };
        Ok(InterfaceTypeData { kind, representation })
    }

    /// A type that a module defines.
    fn named(&mut self, ty: &Type, name: &str, arguments: &[Type]) -> Result<InterfaceTypeData, Cannot> {
        if let (Some(object), []) = (self.foreign(name), arguments) {
            return object;
        }
        let Some((module, definition)) = self.definition(name) else {
            return self.cannot(format!("`{name}`, which no `.dcl` that was found defines"));
        };
        let Some(variables) = variables(&definition, arguments) else {
            return self.cannot(format!("`{name}` with another number of parameters than it has"));
        };
        match &definition.body {
            Body::Abstract => self
                .cannot(format!("`{name}`, an abstract type"))
                .map_err(|cannot| Cannot { hidden: Some(name.into()), ..cannot }),
            Body::Other(what) => self.cannot(format!("`{name}`, {what}")),
            Body::Synonym(_) => self.cannot(format!("`{name}`, a synonym of itself")),
            Body::Record(fields) => {
                let found = self.find(module, |line| {
                    line.op == Abc::dot_record && line.string(4) == name.as_bytes() && !line.name(1).starts_with(b"d")
                });
                let Some(found) = found else {
                    return self.cannot(format!("the record `{name}`, whose node the ABC file does not declare"));
                };
                let names: Vec<String> = fields.iter().map(|field| format!("the field `{}`", field.0)).collect();
                let types: Vec<&Annotated> = fields.iter().map(|field| &field.1).collect();
                let (layout, parts) = self.record(ty, found, &names, &types, &variables)?;
                let fields = fields.iter().map(|field| field.0.clone()).zip(parts).collect();
                Ok(nodes(InterfaceKind::Record(name.into(), fields), vec![layout]))
            }
            Body::Algebraic(cases) => self.algebraic((ty, name), module, cases, &variables),
        }
    }

    fn algebraic(
        &mut self,
        (ty, name): (&Type, &str),
        module: Option<ModuleId>,
        cases: &[(String, Vec<Annotated>)],
        variables: &[(&str, Type)],
    ) -> Result<InterfaceTypeData, Cannot> {
        let is_rest = |part: &Annotated| part.ty.with(variables).is_some_and(|part| self.resolve(&part) == *ty);
        // A list has an empty constructor, and one of an element and the rest.
        let list = match cases {
            [(_, one), (_, two)] => {
                matches!((&one[..], &two[..]), ([], [element, rest]) | ([element, rest], []) if is_rest(rest) && !is_rest(element))
            }
            _ => false,
        };
        let mut all = Vec::with_capacity(cases.len());
        for (case, parts) in cases {
            let part = format!("the case `{case}`");
            let parts: Vec<&Annotated> = parts.iter().take(if list { 1 } else { parts.len() }).collect();
            let arity = if list && !parts.is_empty() { 2 } else { parts.len() };
            let strict = self.find(module, |line| {
                let is_constructor = line.op == Abc::dot_record && line.name(1).starts_with(b"d");
                is_constructor && line.string(4) == case.as_bytes()
            });
            let (layout, types) = match strict.filter(|_| arity > 0) {
                Some(_) if list => return self.cannot(format!("`{name}`, a list with strict fields")),
                Some(found) => {
                    let names = vec![part; parts.len()];
                    self.record(ty, found, &names, &parts, variables)?
                }
                None => {
                    let found = self.find(module, |line| is_constructor(line, case, arity));
                    let Some((module, item)) = found else {
                        return self.cannot(format!("`{name}`, whose constructor `{case}` is not in the ABC files"));
                    };
                    let mut types = Vec::with_capacity(parts.len());
                    for annotated in parts {
                        let Some(own) = annotated.ty.with(variables) else {
                            return self.cannot(format!("`{name}`, with a type variable that it does not bind"));
                        };
                        types.push(self.part(ty, &part, &own, Place::Node)?);
                    }
                    let fields = (0..arity as u32).map(FieldIn::Ref).collect();
                    let desc = self.builder.descriptor_at(module, item);
                    (NodeLayout { desc, applied_args: arity as u32, fields }, types)
                }
            };
            all.push((case, layout, types));
        }
        if list {
            all.sort_by_key(|case| case.2.len());
            let element = all[1].2[0];
            return Ok(nodes(InterfaceKind::List(element), all.into_iter().map(|case| case.1).collect()));
        }
        let kind = match &all[..] {
            [(one, _, none), (two, _, some)] | [(two, _, some), (one, _, none)]
                if *one == "Nothing" && *two == "Just" && none.is_empty() && some.len() == 1 =>
            {
                InterfaceKind::Option(some[0])
            }
            [(one, _, good), (two, _, bad)] | [(two, _, bad), (one, _, good)]
                if *one == "Ok" && *two == "Error" && good.len() == 1 && bad.len() == 1 =>
            {
                InterfaceKind::Result(Some(good[0]), Some(bad[0]))
            }
            _ => {
                let case = |case: &(&String, NodeLayout, Vec<InterfaceType>)| Case {
                    name: case.0.clone(),
                    payload: case.2.clone(),
                };
                InterfaceKind::Variant(name.into(), all.iter().map(case).collect())
            }
        };
        let first = match kind {
            InterfaceKind::Option(_) => Some("Nothing"),
            InterfaceKind::Result(..) => Some("Ok"),
            _ => None,
        };
        if let Some(first) = first {
            all.sort_by_key(|case| case.0 != first);
        }
        Ok(nodes(kind, all.into_iter().map(|case| case.1).collect()))
    }

    /// The node of a record or a strict constructor: the letters of its directive say where each field lies.
    fn record(
        &mut self,
        ty: &Type,
        (module, item): (ModuleId, u32),
        names: &[String],
        fields: &[&Annotated],
        variables: &[(&str, Type)],
    ) -> Result<(NodeLayout, Vec<InterfaceType>), Cannot> {
        let modules = self.builder.program.modules.clone();
        let letters = modules[module as usize].line(item as usize).name(1);
        let letters = letters.strip_prefix(b"d").unwrap_or(letters);
        let (mut refs, mut words) = (0, 0);
        let (mut places, mut types) = (Vec::new(), Vec::new());
        for (number, (field, name)) in fields.iter().zip(names).enumerate() {
            let Some(own) = field.ty.with(variables) else {
                return self.cannot(format!("`{ty}`, with a type variable that it does not bind"));
            };
            let letter = letters.get(number).copied().unwrap_or_default();
            let resolved = self.resolve(&own);
            let word = if let Type::Named(name, _) = &resolved { letter_of(name) } else { None };
            let place = match letter {
                b'a' => {
                    refs += 1;
                    places.push(FieldIn::Ref(refs - 1));
                    match field.is_strict && matches!(resolved, Type::Array(..)) {
                        true => Place::Field,
                        false => Place::Node,
                    }
                }
                b'(' => {
                    self.around.push((ty.clone(), format!("{name} of `{ty}`")));
                    let found = self.cannot("a strict tuple, whose parts lie in the node around it".into());
                    self.around.pop();
                    return found;
                }
                letter if word == Some(letter) => {
                    words += 1;
                    places.push(FieldIn::Word(words - 1));
                    Place::Field
                }
                _ => return self.cannot(format!("`{ty}`, whose definition does not fit the ABC file")),
            };
            types.push(self.part(ty, name, &own, place)?);
        }
        if letters.len() != fields.len() {
            return self.cannot(format!("`{ty}`, whose definition does not fit the ABC file"));
        }
        let desc = self.builder.descriptor_at(module, item);
        Ok((NodeLayout { desc, applied_args: 0, fields: places }, types))
    }

    /// The first descriptor of a module, or of all, with these words.
    pub fn find(&self, module: Option<ModuleId>, is_it: impl Fn(Line<'_>) -> bool) -> Option<(ModuleId, u32)> {
        let program = &self.builder.program;
        let all = 0..program.modules.len() as ModuleId;
        let wanted = all.filter(|&id| module.is_none_or(|module| module == id));
        let found = |id: ModuleId| {
            let parsed = program.module(id);
            let mut items = program.module_index(id).descriptors.iter().copied();
            items.find(|&item| is_it(parsed.line(item as usize))).map(|item| (id, item))
        };
        wanted.into_iter().find_map(found)
    }
}

/// The letter of a basic type among the words of a stack.
pub(super) fn letter_of(name: &str) -> Option<u8> {
    Some(match name {
        "Int" => b'i',
        "Bool" => b'b',
        "Char" => b'c',
        "Real" => b'r',
        _ => return None,
    })
}

fn primitive(name: &str) -> Option<(Primitive, WellKnownDesc)> {
    Some(match name {
        "Int" => (Primitive::S64, WellKnownDesc::Int),
        "Bool" => (Primitive::Bool, WellKnownDesc::Bool),
        "Char" => (Primitive::Char, WellKnownDesc::Char),
        "Real" => (Primitive::F64, WellKnownDesc::Real),
        _ => return None,
    })
}

/// What every library knows, if no module says something else.
fn built_in(name: &str) -> Option<TypeDefinition> {
    let some = Annotated { is_strict: false, ty: Type::Variable("a".into()) };
    (name == "Maybe").then(|| TypeDefinition {
        name: name.into(),
        parameters: vec!["a".into()],
        body: Body::Algebraic(vec![("Nothing".into(), Vec::new()), ("Just".into(), vec![some])]),
    })
}

fn variables<'d>(definition: &'d TypeDefinition, arguments: &[Type]) -> Option<Vec<(&'d str, Type)>> {
    let names = definition.parameters.iter().map(String::as_str);
    (definition.parameters.len() == arguments.len()).then(|| names.zip(arguments.iter().cloned()).collect())
}

fn nodes(kind: InterfaceKind, nodes: Vec<NodeLayout>) -> InterfaceTypeData {
    InterfaceTypeData { kind, representation: Representation::Nodes(nodes) }
}

/// The node of a constructor that holds so many nodes.
fn constructor(desc: WellKnownDesc, arity: u32) -> NodeLayout {
    NodeLayout { desc: desc.desc(), applied_args: arity, fields: (0..arity).map(FieldIn::Ref).collect() }
}

fn is_constructor(line: Line<'_>, name: &str, arity: usize) -> bool {
    match line.op {
        Abc::dot_desc0 => arity == 0 && line.string(2) == name.as_bytes(),
        Abc::dot_desc | Abc::dot_descexp => {
            let last = if arity == 0 { Symbol::HNF } else { Symbol::ADD_ARG };
            line.string(5) == name.as_bytes() && line.n(3) as usize == arity && line.symbol(2) == last
        }
        _ => false,
    }
}
