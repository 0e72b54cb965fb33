//! Types, and making two of them equal.

use crate::syntax::{Name, Ty};

#[derive(Clone, Debug)]
pub enum Type {
    /// Unknown as yet. The level is that of the outermost definition whose variables have it: deeper ones may not
    /// take it for any type.
    Unknown(u32),
    Same(Ty),
    Con(Name, Vec<Ty>),
}

/// The level of type variables that stand for any type.
pub const ANY: u32 = u32::MAX;

/// All types of a program by their numbers.
#[derive(Default)]
pub struct Types {
    all: Vec<Type>,
}

impl Types {
    pub fn add(&mut self, ty: Type) -> Ty {
        self.all.push(ty);
        self.all.len() - 1
    }
    pub fn con(&mut self, name: &str, args: &[Ty]) -> Ty {
        self.add(Type::Con(name.into(), args.to_vec()))
    }

    /// The number that stands for all types that are the same.
    pub fn root(&self, mut ty: Ty) -> Ty {
        while let Type::Same(other) = self.all[ty] {
            ty = other;
        }
        ty
    }
    pub fn of(&self, ty: Ty) -> &Type {
        &self.all[self.root(ty)]
    }

    /// Makes two types the same; false if that cannot be.
    pub fn unify(&mut self, a: Ty, b: Ty) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        match (self.all[a].clone(), self.all[b].clone()) {
            _ if a == b => true,
            (Type::Unknown(level), _) => self.set(a, level, b),
            (_, Type::Unknown(level)) => self.set(b, level, a),
            (Type::Con(left, lefts), Type::Con(right, rights)) => {
                let pairs = lefts.iter().zip(&rights);
                left == right && lefts.len() == rights.len() && pairs.fold(true, |ok, (&a, &b)| ok && self.unify(a, b))
            }
            _ => false,
        }
    }

    /// An unknown type is another one, unless it is part of that.
    fn set(&mut self, unknown: Ty, level: u32, ty: Ty) -> bool {
        let mut inside = Vec::new();
        self.unknowns(ty, &mut inside);
        if inside.contains(&unknown) {
            return false;
        }
        for other in inside {
            if let Type::Unknown(deeper) = &mut self.all[other] {
                *deeper = level.min(*deeper);
            }
        }
        self.all[unknown] = Type::Same(ty);
        true
    }

    /// The unknown types in a type.
    pub fn unknowns(&self, ty: Ty, found: &mut Vec<Ty>) {
        let ty = self.root(ty);
        match &self.all[ty] {
            Type::Con(_, args) => args.iter().for_each(|&arg| self.unknowns(arg, found)),
            _ if found.contains(&ty) => {}
            _ => found.push(ty),
        }
    }

    /// The unknown types in a type that are deeper than a level stand for any type from here on.
    pub fn generalise(&mut self, ty: Ty, level: u32) -> Vec<Ty> {
        let mut found = Vec::new();
        self.unknowns(ty, &mut found);
        found.retain(|&ty| matches!(self.all[ty], Type::Unknown(deeper) if deeper > level));
        found.iter().for_each(|&ty| self.all[ty] = Type::Unknown(ANY));
        found
    }

    /// A copy with other types in place of some.
    pub fn copy(&mut self, ty: Ty, from: &[Ty], to: &[Ty]) -> Ty {
        let ty = self.root(ty);
        match (from.iter().position(|&other| other == ty), self.all[ty].clone()) {
            (Some(at), _) => to[at],
            (None, Type::Con(name, args)) if !args.is_empty() && !from.is_empty() => {
                let args = args.iter().map(|&arg| self.copy(arg, from, to)).collect();
                self.add(Type::Con(name, args))
            }
            _ => ty,
        }
    }

    /// As one writes it. Unknown types are `'a`, `'b`, … in the order of the list.
    pub fn show(&self, ty: Ty, names: &mut Vec<Ty>) -> String {
        let ty = self.root(ty);
        let Type::Con(name, args) = &self.all[ty] else {
            let at = names.iter().position(|&other| other == ty).unwrap_or(names.len());
            if at == names.len() {
                names.push(ty);
            }
            return format!("'{}", char::from(b'a' + (at % 26) as u8));
        };
        let mut shown: Vec<String> = args.iter().map(|&arg| self.show(arg, names)).collect();
        for (at, (arg, text)) in args.iter().zip(&mut shown).enumerate() {
            let is_loose = |sign: &str| matches!(self.of(*arg), Type::Con(inner, _) if &**inner == sign);
            if (is_loose("->") && (&**name != "->" || at == 0)) || (is_loose("*") && &**name != "->") {
                *text = format!("({text})");
            }
        }
        match (&**name, shown.len()) {
            ("->" | "*", _) => shown.join(&format!(" {name} ")),
            (_, 0) => name.to_string(),
            (_, 1) => format!("{} {name}", shown[0]),
            _ => format!("({}) {name}", shown.join(", ")),
        }
    }
}
