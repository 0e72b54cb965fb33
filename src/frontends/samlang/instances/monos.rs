//! Types without parameters, and how their values are represented.
//!
//! Code that never looks at a value is the same for all values that are passed in the same way. So what a parameter
//! without a bound stands for counts only as far as that: a word, a reference, or nothing (`canonical`). Functions and
//! data of such types exist once.

use crate::lex::Names;
use crate::types::{ClassId, Interner, ParamId, Shape, Ty};
use crate::world::{ClassKind, World};
use cleave_ir::PrimaryMap;
use cleave_strict::core_ir::{Constructor, DataType, Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A type without parameters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mono(u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MonoShape {
    Unit,
    Bool,
    Int,
    Text,
    /// Some number or atom.
    TokenKind,
    /// Something that is a reference.
    Reference,
    Class(ClassId, Rc<[Mono]>),
    Tuple(Rc<[Mono]>),
    Function(Rc<[Mono]>, Mono),
}

/// What type parameters stand for.
pub type Arguments = [(ParamId, Mono)];

/// What a data type of the program is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    Class(ClassId, Rc<[Mono]>),
    Tuple(Rc<[Mono]>),
}

/// All types without parameters.
pub struct Monos<'m> {
    pub world: &'m World,
    names: &'m Names,
    numbers: FxHashMap<MonoShape, Mono>,
    shapes: Vec<MonoShape>,
    depths: Vec<u32>,
    /// What counts of classes.
    canonical: FxHashMap<Mono, Mono>,
    /// Those of types without parameters, and their types in the tree, as far as they were asked for.
    closed: FxHashMap<Ty, Mono>,
    in_tree: Vec<Option<Type>>,
    data: FxHashMap<Key, TypeId>,
    waiting: Vec<(TypeId, Key)>,
    pub types: PrimaryMap<TypeId, DataType>,
    /// Names of types and functions that are taken.
    taken: FxHashSet<String>,
}

pub const UNIT: Mono = Mono(0);
pub const BOOL: Mono = Mono(1);
pub const INT: Mono = Mono(2);
pub const TEXT: Mono = Mono(3);
const WORD: Mono = Mono(4);
const REFERENCE: Mono = Mono(5);

impl<'m> Monos<'m> {
    pub fn new(world: &'m World, names: &'m Names) -> Monos<'m> {
        let mut monos = Monos {
            world,
            names,
            numbers: FxHashMap::default(),
            shapes: Vec::new(),
            depths: Vec::new(),
            canonical: FxHashMap::default(),
            closed: FxHashMap::default(),
            in_tree: Vec::new(),
            data: FxHashMap::default(),
            waiting: Vec::new(),
            types: PrimaryMap::new(),
            taken: FxHashSet::default(),
        };
        use MonoShape::*;
        for shape in [Unit, Bool, Int, Text, TokenKind, Reference] {
            monos.add(shape);
        }
        let atom = |name: &str| Constructor { name: name.into(), fields: Vec::new() };
        monos.types.push(DataType { name: "bool".into(), constructors: vec![atom("false"), atom("true")] });
        monos
    }

    /// The type of truth values.
    pub const TRUTH: TypeId = TypeId::FIRST;

    fn add(&mut self, shape: MonoShape) -> Mono {
        if let Some(&mono) = self.numbers.get(&shape) {
            return mono;
        }
        let deepest = |parts: &[Mono]| parts.iter().map(|part| self.depths[part.0 as usize]).max().unwrap_or(0);
        let depth = match &shape {
            MonoShape::Class(_, parts) | MonoShape::Tuple(parts) => 1 + deepest(parts),
            MonoShape::Function(params, result) => 1 + deepest(params).max(deepest(&[*result])),
            _ => 0,
        };
        let mono = Mono(self.shapes.len() as u32);
        self.shapes.push(shape.clone());
        self.depths.push(depth);
        self.numbers.insert(shape, mono);
        mono
    }

    pub fn shape(&self, mono: Mono) -> &MonoShape {
        &self.shapes[mono.0 as usize]
    }

    /// How deep types are inside each other.
    pub fn depth(&self, mono: Mono) -> u32 {
        self.depths[mono.0 as usize]
    }

    /// A type with arguments for its parameters.
    pub fn of(&mut self, types: &Interner, ty: Ty, arguments: &Arguments) -> Mono {
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

    fn find(&mut self, types: &Interner, ty: Ty, arguments: &Arguments) -> Mono {
        match types.shape(ty) {
            Shape::Unit | Shape::Unknown(_) | Shape::Wrong => UNIT,
            Shape::Bool => BOOL,
            Shape::Int => INT,
            Shape::Text => TEXT,
            Shape::Param(param) => {
                arguments.iter().find(|argument| argument.0 == *param).map_or(UNIT, |argument| argument.1)
            }
            Shape::Class(class, args) => {
                let args: Rc<[Mono]> = args.iter().map(|&arg| self.of(types, arg, arguments)).collect();
                self.add(MonoShape::Class(*class, args))
            }
            Shape::Tuple(parts) => {
                let parts: Rc<[Mono]> = parts.iter().map(|&part| self.of(types, part, arguments)).collect();
                self.add(MonoShape::Tuple(parts))
            }
            Shape::Function(params, result) => {
                let params: Rc<[Mono]> = params.iter().map(|&param| self.of(types, param, arguments)).collect();
                let result = self.of(types, *result, arguments);
                self.add(MonoShape::Function(params, result))
            }
        }
    }

    /// What the parameters of a class stand for.
    pub fn class_arguments(&self, class: ClassId, args: &[Mono]) -> Vec<(ParamId, Mono)> {
        self.world.class(class).params.iter().copied().zip(args.iter().copied()).collect()
    }

    /// The fields of each tag, or of the object.
    pub fn fields(&mut self, class: ClassId, args: &[Mono]) -> Vec<Vec<Mono>> {
        let arguments = self.class_arguments(class, args);
        let world = self.world;
        let mut of = |ty: &Ty| self.of(&world.types, *ty, &arguments);
        match &world.class(class).kind {
            ClassKind::Object(fields) => vec![fields.iter().map(|field| of(&field.ty)).collect()],
            ClassKind::Variant(tags) => tags.iter().map(|tag| tag.fields.iter().map(&mut of).collect()).collect(),
            ClassKind::Space | ClassKind::Interface => Vec::new(),
        }
    }

    /// The fields of the tag of this number, or of an object or tuple.
    pub fn parts(&mut self, mono: Mono, number: u32) -> Vec<Mono> {
        match self.shape(mono).clone() {
            MonoShape::Tuple(parts) => parts.to_vec(),
            MonoShape::Class(class, args) => {
                let arguments = self.class_arguments(class, &args);
                let world = self.world;
                let mut of = |ty: &Ty| self.of(&world.types, *ty, &arguments);
                match &world.class(class).kind {
                    ClassKind::Object(fields) => fields.iter().map(|field| of(&field.ty)).collect(),
                    ClassKind::Variant(tags) => tags[number as usize].fields.iter().map(of).collect(),
                    ClassKind::Space | ClassKind::Interface => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// How many tags there are.
    pub fn tags(&self, mono: Mono) -> usize {
        match self.shape(mono) {
            MonoShape::Bool => 2,
            MonoShape::Class(class, _) => match &self.world.class(*class).kind {
                ClassKind::Variant(tags) => tags.len(),
                _ => 1,
            },
            _ => 1,
        }
    }

    /// What counts of a type for code that never looks at its values.
    pub fn canonical(&mut self, mono: Mono) -> Mono {
        match self.shape(mono).clone() {
            MonoShape::Unit => UNIT,
            MonoShape::Bool | MonoShape::Int | MonoShape::TokenKind => WORD,
            MonoShape::Class(class, args) => {
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
            MonoShape::Tuple(parts) if parts.iter().all(|&part| part == UNIT) => WORD,
            _ => REFERENCE,
        }
    }

    /// The type in the tree.
    pub fn tree_type(&mut self, mono: Mono) -> Type {
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

    fn make_tree_type(&mut self, mono: Mono) -> Type {
        match self.shape(mono).clone() {
            MonoShape::Unit => Type::Unit,
            MonoShape::Bool => Type::Data(Self::TRUTH),
            MonoShape::Int | MonoShape::TokenKind => Type::Int,
            MonoShape::Text => Type::Str,
            MonoShape::Reference => Type::Reference,
            MonoShape::Function(..) => Type::Function,
            MonoShape::Class(class, args) => {
                let args = args.iter().map(|&arg| self.canonical(arg)).collect();
                Type::Data(self.type_id(Key::Class(class, args)))
            }
            MonoShape::Tuple(parts) => {
                let parts = parts.iter().map(|&part| self.canonical(part)).collect();
                Type::Data(self.type_id(Key::Tuple(parts)))
            }
        }
    }

    /// The data type of a type that is one.
    pub fn data_type(&mut self, mono: Mono) -> TypeId {
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
                let name = self.names.text(self.world.class(*class).name).to_string();
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
    pub fn named(&mut self, mut name: String, args: &[Mono]) -> String {
        if !args.is_empty() {
            let args: Vec<String> = args.iter().map(|&arg| self.show(arg)).collect();
            name = format!("{name}<{}>", args.join(","));
        }
        self.unique(name)
    }

    pub fn unique(&mut self, name: String) -> String {
        let mut unique = name.clone();
        let mut number = 1;
        while !self.taken.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}#{number}");
        }
        unique
    }

    fn show(&self, mono: Mono) -> String {
        match self.shape(mono) {
            MonoShape::Unit => "unit".into(),
            MonoShape::Bool => "bool".into(),
            MonoShape::Int => "int".into(),
            MonoShape::Text => "string".into(),
            MonoShape::TokenKind => "word".into(),
            MonoShape::Reference => "ref".into(),
            MonoShape::Class(class, _) => self.names.text(self.world.class(*class).name).into(),
            MonoShape::Tuple(_) => "tuple".into(),
            MonoShape::Function(..) => "function".into(),
        }
    }

    /// Gives the data types that are used their fields.
    pub fn complete(&mut self) {
        while let Some((id, key)) = self.waiting.pop() {
            let (names, fields): (Vec<String>, Vec<Vec<Mono>>) = match key {
                Key::Tuple(parts) => (vec!["tuple".into()], vec![parts.to_vec()]),
                Key::Class(class, args) => {
                    let fields = self.fields(class, &args);
                    let names = match &self.world.class(class).kind {
                        ClassKind::Variant(tags) => {
                            tags.iter().map(|tag| self.names.text(tag.name).to_string()).collect()
                        }
                        _ => vec![self.names.text(self.world.class(class).name).to_string()],
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
