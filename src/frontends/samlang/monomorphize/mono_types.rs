//! Types without parameters, and how their values are represented.
//!
//! Code that never looks at a value is the same for all values that are passed in the same way. So what a parameter
//! without a bound stands for counts only as far as that: a word, a reference, or nothing (`canonical`). Functions and
//! data of such types exist once.

use crate::lex::Names;
use crate::program::{ClassKind, Program};
use crate::types::{ClassId, Interner, ParamId, Ty, TypeKind};
use cleave_ir::PrimaryMap;
use cleave_strict::core_ir::{Constructor, DataType, Type, TypeId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A type without parameters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MonoType(u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MonoTypeKind {
    Unit,
    Bool,
    Int,
    Text,
    /// Some number or atom.
    TokenKind,
    /// Something that is a reference.
    Reference,
    Class(ClassId, Rc<[MonoType]>),
    Tuple(Rc<[MonoType]>),
    Function(Rc<[MonoType]>, MonoType),
}

/// What type parameters stand for.
pub type Arguments = [(ParamId, MonoType)];

/// What a data type of the program is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    Class(ClassId, Rc<[MonoType]>),
    Tuple(Rc<[MonoType]>),
}

/// All types without parameters.
pub struct MonoTypes<'m> {
    pub program: &'m Program,
    pub names: &'m Names,
    numbers: FxHashMap<MonoTypeKind, MonoType>,
    kinds: Vec<MonoTypeKind>,
    depths: Vec<u32>,
    /// What counts of classes.
    canonical: FxHashMap<MonoType, MonoType>,
    /// Those of types without parameters, and their types in the tree, as far as they were asked for.
    closed: FxHashMap<Ty, MonoType>,
    in_tree: Vec<Option<Type>>,
    data: FxHashMap<Key, TypeId>,
    waiting: Vec<(TypeId, Key)>,
    pub types: PrimaryMap<TypeId, DataType>,
    /// Names of types and functions that are taken, with the number of the last one that was made of each.
    taken: FxHashMap<String, u32>,
}

/// Bits of an integer.
pub const INT_BITS: u32 = 32;

pub const UNIT: MonoType = MonoType(0);
pub const BOOL: MonoType = MonoType(1);
pub const INT: MonoType = MonoType(2);
pub const TEXT: MonoType = MonoType(3);
const WORD: MonoType = MonoType(4);
pub const REFERENCE: MonoType = MonoType(5);

impl<'m> MonoTypes<'m> {
    pub fn new(program: &'m Program, names: &'m Names) -> MonoTypes<'m> {
        let mut mono_types = MonoTypes {
            program,
            names,
            numbers: FxHashMap::default(),
            kinds: Vec::new(),
            depths: Vec::new(),
            canonical: FxHashMap::default(),
            closed: FxHashMap::default(),
            in_tree: Vec::new(),
            data: FxHashMap::default(),
            waiting: Vec::new(),
            types: PrimaryMap::new(),
            taken: FxHashMap::default(),
        };
        use MonoTypeKind::*;
        for kind in [Unit, Bool, Int, Text, TokenKind, Reference] {
            mono_types.add(kind);
        }
        let atom = |name: &str| Constructor { name: name.into(), fields: Vec::new() };
        mono_types.types.push(DataType { name: "bool".into(), constructors: vec![atom("false"), atom("true")] });
        mono_types
    }

    /// The type of truth values.
    pub const TRUTH: TypeId = TypeId::FIRST;

    fn add(&mut self, kind: MonoTypeKind) -> MonoType {
        if let Some(&mono) = self.numbers.get(&kind) {
            return mono;
        }
        let deepest = |parts: &[MonoType]| parts.iter().map(|part| self.depths[part.0 as usize]).max().unwrap_or(0);
        let depth = match &kind {
            MonoTypeKind::Class(_, parts) | MonoTypeKind::Tuple(parts) => 1 + deepest(parts),
            MonoTypeKind::Function(params, result) => 1 + deepest(params).max(deepest(&[*result])),
            _ => 0,
        };
        let mono = MonoType(self.kinds.len() as u32);
        self.kinds.push(kind.clone());
        self.depths.push(depth);
        self.numbers.insert(kind, mono);
        mono
    }

    pub fn kind(&self, mono: MonoType) -> &MonoTypeKind {
        &self.kinds[mono.0 as usize]
    }

    /// How deep types are inside each other.
    pub fn depth(&self, mono: MonoType) -> u32 {
        self.depths[mono.0 as usize]
    }

    /// A type with arguments for its parameters.
    pub fn of(&mut self, types: &Interner, ty: Ty, arguments: &Arguments) -> MonoType {
        if types.is_open(ty) {
            return self.find(types, ty, arguments);
        }
        if let Some(&known) = self.closed.get(&ty) {
            return known;
        }
        let mono = self.find(types, ty, arguments);
        self.closed.insert(ty, mono);
        mono
    }

    fn find(&mut self, types: &Interner, ty: Ty, arguments: &Arguments) -> MonoType {
        match types.kind(ty) {
            TypeKind::Unit | TypeKind::Unknown(_) | TypeKind::Error => UNIT,
            TypeKind::Bool => BOOL,
            TypeKind::Int => INT,
            TypeKind::Text => TEXT,
            TypeKind::Param(param) => {
                arguments.iter().find(|argument| argument.0 == *param).map_or(UNIT, |argument| argument.1)
            }
            TypeKind::Class(class, args) => {
                let args: Rc<[MonoType]> = args.iter().map(|&arg| self.of(types, arg, arguments)).collect();
                self.add(MonoTypeKind::Class(*class, args))
            }
            TypeKind::Tuple(parts) => {
                let parts: Rc<[MonoType]> = parts.iter().map(|&part| self.of(types, part, arguments)).collect();
                self.add(MonoTypeKind::Tuple(parts))
            }
            TypeKind::Function(params, result) => {
                let params: Rc<[MonoType]> = params.iter().map(|&param| self.of(types, param, arguments)).collect();
                let result = self.of(types, *result, arguments);
                self.add(MonoTypeKind::Function(params, result))
            }
        }
    }

    /// What the parameters of a class stand for.
    pub fn class_arguments(&self, class: ClassId, args: &[MonoType]) -> Vec<(ParamId, MonoType)> {
        self.program.class(class).params.iter().copied().zip(args.iter().copied()).collect()
    }

    /// The fields of each variant, or of the object.
    pub fn fields(&mut self, class: ClassId, args: &[MonoType]) -> Vec<Vec<MonoType>> {
        let arguments = self.class_arguments(class, args);
        let program = self.program;
        let mut of = |ty: &Ty| self.of(&program.types, *ty, &arguments);
        match &program.class(class).kind {
            ClassKind::Object(fields) => vec![fields.iter().map(|field| of(&field.ty)).collect()],
            ClassKind::Enum(variants) => {
                variants.iter().map(|variant| variant.fields.iter().map(&mut of).collect()).collect()
            }
            ClassKind::Space | ClassKind::Interface => Vec::new(),
        }
    }

    /// The fields of the variant of this number, or of an object or tuple.
    pub fn parts(&mut self, mono: MonoType, number: u32) -> Vec<MonoType> {
        match self.kind(mono).clone() {
            MonoTypeKind::Tuple(parts) => parts.to_vec(),
            MonoTypeKind::Class(class, args) => {
                let arguments = self.class_arguments(class, &args);
                let program = self.program;
                let mut of = |ty: &Ty| self.of(&program.types, *ty, &arguments);
                match &program.class(class).kind {
                    ClassKind::Object(fields) => fields.iter().map(|field| of(&field.ty)).collect(),
                    ClassKind::Enum(variants) => variants[number as usize].fields.iter().map(of).collect(),
                    ClassKind::Space | ClassKind::Interface => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// How many variants there are.
    pub fn variants(&self, mono: MonoType) -> usize {
        match self.kind(mono) {
            MonoTypeKind::Bool => 2,
            MonoTypeKind::Class(class, _) => match &self.program.class(*class).kind {
                ClassKind::Enum(variants) => variants.len(),
                _ => 1,
            },
            _ => 1,
        }
    }

    /// The program cannot make values of the class: they are arrays, or objects of the host.
    fn is_space(&self, class: ClassId) -> bool {
        matches!(self.program.class(class).kind, ClassKind::Space)
    }

    /// What counts of a type for code that never looks at its values.
    pub fn canonical(&mut self, mono: MonoType) -> MonoType {
        match self.kind(mono).clone() {
            MonoTypeKind::Unit => UNIT,
            MonoTypeKind::Bool | MonoTypeKind::Int | MonoTypeKind::TokenKind => WORD,
            MonoTypeKind::Class(class, _) if self.is_space(class) => REFERENCE,
            MonoTypeKind::Class(class, args) => {
                if let Some(&known) = self.canonical.get(&mono) {
                    return known;
                }
                let fields = self.fields(class, &args);
                let is_atoms = fields.iter().flatten().all(|&field| field == UNIT);
                let found = if is_atoms { WORD } else { REFERENCE };
                self.canonical.insert(mono, found);
                found
            }
            // A tuple of what says nothing is an atom, too.
            MonoTypeKind::Tuple(parts) if parts.iter().all(|&part| part == UNIT) => WORD,
            _ => REFERENCE,
        }
    }

    /// The type in the tree.
    pub fn tree_type(&mut self, mono: MonoType) -> Type {
        let at = mono.0 as usize;
        if let Some(&Some(known)) = self.in_tree.get(at) {
            return known;
        }
        let ty = self.make_tree_type(mono);
        if self.in_tree.len() <= at {
            self.in_tree.resize(at + 1, None);
        }
        self.in_tree[at] = Some(ty);
        ty
    }

    fn make_tree_type(&mut self, mono: MonoType) -> Type {
        match self.kind(mono).clone() {
            MonoTypeKind::Unit => Type::Unit,
            MonoTypeKind::Bool => Type::Data(Self::TRUTH),
            MonoTypeKind::Int | MonoTypeKind::TokenKind => Type::Int,
            MonoTypeKind::Text => Type::Str,
            MonoTypeKind::Reference => Type::Reference,
            MonoTypeKind::Function(..) => Type::Function,
            // Of a class without fields and variants all values are the host's.
            MonoTypeKind::Class(class, _) if self.is_space(class) => Type::Reference,
            MonoTypeKind::Class(class, args) => {
                let args = args.iter().map(|&arg| self.canonical(arg)).collect();
                Type::Data(self.type_id(Key::Class(class, args)))
            }
            MonoTypeKind::Tuple(parts) => {
                let parts = parts.iter().map(|&part| self.canonical(part)).collect();
                Type::Data(self.type_id(Key::Tuple(parts)))
            }
        }
    }

    /// The data type of a type that is one.
    pub fn data_type(&mut self, mono: MonoType) -> TypeId {
        match self.tree_type(mono) {
            Type::Data(id) => id,
            _ => Self::TRUTH,
        }
    }

    fn type_id(&mut self, key: Key) -> TypeId {
        if let Some(&id) = self.data.get(&key) {
            return id;
        }
        let name = match &key {
            Key::Class(class, args) => {
                let name = self.names.text(self.program.class(*class).name).to_string();
                self.named(name, args)
            }
            Key::Tuple(parts) => self.named("tuple".into(), parts),
        };
        let id = self.types.push(DataType { name, constructors: Vec::new() });
        self.data.insert(key.clone(), id);
        self.waiting.push((id, key));
        id
    }

    /// A name with arguments after it that nothing else has.
    pub fn named(&mut self, mut name: String, args: &[MonoType]) -> String {
        if !args.is_empty() {
            let args: Vec<String> = args.iter().map(|&arg| self.shown(arg)).collect();
            name = format!("{name}<{}>", args.join(","));
        }
        self.unique(name)
    }

    pub fn unique(&mut self, name: String) -> String {
        let Some(mut number) = self.taken.get(&name).copied() else {
            self.taken.insert(name.clone(), 1);
            return name;
        };
        let unique = loop {
            number += 1;
            let unique = format!("{name}#{number}");
            if !self.taken.contains_key(&unique) {
                break unique;
            }
        };
        self.taken.insert(unique.clone(), 1);
        self.taken.insert(name, number);
        unique
    }

    /// A type in a few letters, for names.
    pub fn shown(&self, mono: MonoType) -> String {
        match self.kind(mono) {
            MonoTypeKind::Unit => "unit".into(),
            MonoTypeKind::Bool => "bool".into(),
            MonoTypeKind::Int => "int".into(),
            MonoTypeKind::Text => "string".into(),
            MonoTypeKind::TokenKind => "word".into(),
            MonoTypeKind::Reference => "ref".into(),
            MonoTypeKind::Class(class, _) => self.names.text(self.program.class(*class).name).into(),
            MonoTypeKind::Tuple(_) => "tuple".into(),
            MonoTypeKind::Function(..) => "function".into(),
        }
    }

    /// Gives the data types that are used their fields.
    pub fn complete(&mut self) {
        while let Some((id, key)) = self.waiting.pop() {
            let (names, fields): (Vec<String>, Vec<Vec<MonoType>>) = match key {
                Key::Tuple(parts) => (vec!["tuple".into()], vec![parts.to_vec()]),
                Key::Class(class, args) => {
                    let fields = self.fields(class, &args);
                    let names = match &self.program.class(class).kind {
                        ClassKind::Enum(variants) => {
                            variants.iter().map(|variant| self.names.text(variant.name).to_string()).collect()
                        }
                        _ => vec![self.names.text(self.program.class(class).name).to_string()],
                    };
                    (names, fields)
                }
            };
            let constructors = names.into_iter().zip(fields);
            let constructors = constructors.map(|(name, fields)| Constructor {
                name,
                fields: fields.into_iter().map(|field| self.tree_type(field)).collect(),
            });
            let constructors: Vec<Constructor> = constructors.collect();
            self.types[id].constructors = constructors;
        }
    }
}
