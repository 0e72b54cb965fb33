//! Types as the checker has them: each is a number, the same for equal types.

use indexmap::{Equivalent, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ty(u32);

/// A class or an interface.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassId(pub u32);

/// A type parameter of a class or a member.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ParamId(pub u32);

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    Unit,
    Bool,
    Int,
    Text,
    Class(ClassId, Rc<[Ty]>),
    Tuple(Rc<[Ty]>),
    Function(Rc<[Ty]>, Ty),
    Param(ParamId),
    /// Not yet known; the number of an unknown of the body that is being checked.
    Unknown(u32),
    /// Something is wrong, which has been said.
    Error,
}

/// What a type looks like outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Tag {
    Unit,
    Bool,
    Int,
    Text,
    Class,
    Tuple,
    Function,
    Param,
    Unknown,
    Error,
}

/// What tells a type from all others: the number is that of its class, its result, its parameter or its unknown.
#[derive(PartialEq, Eq, Hash)]
struct Key<'t> {
    tag: Tag,
    number: u32,
    parts: &'t [Ty],
}

impl Key<'_> {
    fn of(kind: &TypeKind) -> Key<'_> {
        let (tag, number, parts): (Tag, u32, &[Ty]) = match kind {
            TypeKind::Unit => (Tag::Unit, 0, &[]),
            TypeKind::Bool => (Tag::Bool, 0, &[]),
            TypeKind::Int => (Tag::Int, 0, &[]),
            TypeKind::Text => (Tag::Text, 0, &[]),
            TypeKind::Class(class, args) => (Tag::Class, class.0, args),
            TypeKind::Tuple(parts) => (Tag::Tuple, 0, parts),
            TypeKind::Function(params, result) => (Tag::Function, result.0, params),
            TypeKind::Param(param) => (Tag::Param, param.0, &[]),
            TypeKind::Unknown(number) => (Tag::Unknown, *number, &[]),
            TypeKind::Error => (Tag::Error, 0, &[]),
        };
        Key { tag, number, parts }
    }
}

impl Equivalent<TypeKind> for Key<'_> {
    fn equivalent(&self, kind: &TypeKind) -> bool {
        Key::of(kind) == *self
    }
}

impl Hash for TypeKind {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        Key::of(self).hash(hasher);
    }
}

/// All types.
#[derive(Debug)]
pub struct Interner {
    kinds: IndexSet<TypeKind, FxBuildHasher>,
    /// Whether a parameter or an unknown occurs in it.
    open: Vec<bool>,
    /// Whether something in it is wrong.
    wrong: Vec<bool>,
}

type Parts = SmallVec<[Ty; 6]>;

/// What types have become: few as a list, for there are seldom more than a handful.
#[derive(Default)]
struct Done {
    few: SmallVec<[(Ty, Ty); 8]>,
    more: FxHashMap<Ty, Ty>,
}

impl Done {
    fn get(&self, ty: Ty) -> Option<Ty> {
        let found = self.few.iter().find(|known| known.0 == ty).map(|known| known.1);
        found.or_else(|| if self.more.is_empty() { None } else { self.more.get(&ty).copied() })
    }

    fn insert(&mut self, ty: Ty, found: Ty) {
        if self.few.len() < 8 {
            self.few.push((ty, found));
        } else {
            self.more.insert(ty, found);
        }
    }
}

impl Ty {
    pub const UNIT: Ty = Ty(0);
    pub const BOOL: Ty = Ty(1);
    pub const INT: Ty = Ty(2);
    pub const TEXT: Ty = Ty(3);
    pub const ERROR: Ty = Ty(4);
}

impl Default for Interner {
    fn default() -> Interner {
        let mut types = Interner { kinds: IndexSet::default(), open: Vec::new(), wrong: Vec::new() };
        for kind in [TypeKind::Unit, TypeKind::Bool, TypeKind::Int, TypeKind::Text, TypeKind::Error] {
            types.add(kind);
        }
        types
    }
}

impl Interner {
    pub fn add(&mut self, kind: TypeKind) -> Ty {
        match self.kinds.get_index_of(&kind) {
            Some(found) => Ty(found as u32),
            None => self.insert(kind),
        }
    }

    /// The type that looks like this, which is made if there is none.
    fn one(&mut self, key: Key<'_>, kind: impl FnOnce() -> TypeKind) -> Ty {
        match self.kinds.get_index_of(&key) {
            Some(found) => Ty(found as u32),
            None => self.insert(kind()),
        }
    }

    fn insert(&mut self, kind: TypeKind) -> Ty {
        let open = match &kind {
            TypeKind::Param(_) | TypeKind::Unknown(_) => true,
            TypeKind::Class(_, parts) | TypeKind::Tuple(parts) => parts.iter().any(|part| self.is_open(*part)),
            TypeKind::Function(params, result) => params.iter().chain([result]).any(|part| self.is_open(*part)),
            _ => false,
        };
        let wrong = match &kind {
            TypeKind::Class(_, parts) | TypeKind::Tuple(parts) => parts.iter().any(|part| self.has_error(*part)),
            TypeKind::Function(params, result) => params.iter().chain([result]).any(|part| self.has_error(*part)),
            kind => *kind == TypeKind::Error,
        };
        self.open.push(open);
        self.wrong.push(wrong);
        Ty(self.kinds.insert_full(kind).0 as u32)
    }

    pub fn kind(&self, ty: Ty) -> &TypeKind {
        &self.kinds[ty.0 as usize]
    }

    /// A parameter or an unknown occurs in it.
    pub fn is_open(&self, ty: Ty) -> bool {
        self.open[ty.0 as usize]
    }

    /// Something in it is wrong, which has been said.
    pub fn has_error(&self, ty: Ty) -> bool {
        self.wrong[ty.0 as usize]
    }

    pub fn class(&mut self, class: ClassId, args: &[Ty]) -> Ty {
        let key = Key { tag: Tag::Class, number: class.0, parts: args };
        self.one(key, || TypeKind::Class(class, args.into()))
    }

    pub fn tuple(&mut self, parts: &[Ty]) -> Ty {
        self.one(Key { tag: Tag::Tuple, number: 0, parts }, || TypeKind::Tuple(parts.into()))
    }

    pub fn function(&mut self, params: &[Ty], result: Ty) -> Ty {
        let key = Key { tag: Tag::Function, number: result.0, parts: params };
        self.one(key, || TypeKind::Function(params.into(), result))
    }

    pub fn param(&mut self, param: ParamId) -> Ty {
        self.add(TypeKind::Param(param))
    }

    pub fn unknown(&mut self, number: u32) -> Ty {
        self.add(TypeKind::Unknown(number))
    }

    /// The type with other types for its parameters and unknowns. Each type in it is asked for once: one that is small
    /// as it is stored may be very large when it is written down.
    pub fn map(&mut self, ty: Ty, replace: &mut dyn FnMut(&mut Interner, Ty) -> Option<Ty>) -> Ty {
        self.map_parts(ty, replace, &mut Done::default())
    }

    fn map_parts(&mut self, ty: Ty, replace: &mut dyn FnMut(&mut Interner, Ty) -> Option<Ty>, done: &mut Done) -> Ty {
        if !self.is_open(ty) {
            return ty;
        }
        if let Some(found) = done.get(ty) {
            return found;
        }
        if let Some(found) = replace(self, ty) {
            return found;
        }
        let found = match self.kind(ty).clone() {
            TypeKind::Class(class, args) => {
                let args: Parts = args.iter().map(|&arg| self.map_parts(arg, replace, done)).collect();
                self.class(class, &args)
            }
            TypeKind::Tuple(parts) => {
                let parts: Parts = parts.iter().map(|&part| self.map_parts(part, replace, done)).collect();
                self.tuple(&parts)
            }
            TypeKind::Function(params, result) => {
                let params: Parts = params.iter().map(|&param| self.map_parts(param, replace, done)).collect();
                let result = self.map_parts(result, replace, done);
                self.function(&params, result)
            }
            _ => ty,
        };
        done.insert(ty, found);
        found
    }

    /// The type with arguments for these parameters.
    pub fn substitute(&mut self, ty: Ty, params: &[ParamId], args: &[Ty]) -> Ty {
        self.map(ty, &mut |types, ty| match types.kind(ty) {
            TypeKind::Param(param) => {
                let found = params.iter().position(|other| other == param);
                Some(found.and_then(|at| args.get(at)).copied().unwrap_or(ty))
            }
            _ => None,
        })
    }

    /// The type with another one wherever this one stands in it.
    pub fn replace(&mut self, ty: Ty, from: Ty, to: Ty) -> Ty {
        if ty == from {
            return to;
        }
        let all = |types: &mut Interner, parts: &[Ty]| -> Vec<Ty> {
            parts.iter().map(|&part| types.replace(part, from, to)).collect()
        };
        match self.kind(ty).clone() {
            TypeKind::Class(class, args) => {
                let args = all(self, &args);
                self.class(class, &args)
            }
            TypeKind::Tuple(parts) => {
                let parts = all(self, &parts);
                self.tuple(&parts)
            }
            TypeKind::Function(params, result) => {
                let params = all(self, &params);
                let result = self.replace(result, from, to);
                self.function(&params, result)
            }
            _ => ty,
        }
    }
}
