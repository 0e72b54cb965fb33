//! The syntax tree, names still unresolved. Expressions lie in one list, operands before what uses them.

use crate::lex::Name;
use cleave_diag::Span;
use cleave_strict::core_ir::Operator;
use std::collections::BTreeSet;
use std::ops::Range;

/// The number of an expression in `Tree::exprs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Id(pub u32);

/// A piece of a list of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct List {
    pub start: u32,
    pub length: u32,
}

impl List {
    pub fn range(self) -> Range<usize> {
        self.start as usize..(self.start + self.length) as usize
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Syntax {
    Int(u64),
    /// A variable, or a function without parameters.
    Variable(Name),
    /// A function and its arguments.
    Call(Name, List),
    Construct(Name, List),
    Binary(Operator, Id, Id),
    Tuple(List),
    Let {
        binders: List,
        value: Id,
        body: Id,
    },
    Match {
        subject: Id,
        cases: List,
    },
}

/// A variable with its place, or none: `_`.
pub type Binder = Option<(Name, Span)>;

#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub pattern: Pattern,
    pub span: Span,
    pub body: Id,
}

#[derive(Clone, Copy, Debug)]
pub enum Pattern {
    Constructor(Name, List),
    Int(u64),
    Variable(Name),
}

impl Pattern {
    /// The variable that takes all values.
    pub fn variable(self) -> Option<Name> {
        if let Pattern::Variable(name) = self { Some(name) } else { None }
    }
}

/// A type name with its place.
#[derive(Clone, Copy, Debug)]
pub struct TypeName {
    pub name: Name,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Constructor {
    pub name: Name,
    pub span: Span,
    pub fields: Vec<TypeName>,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub name: Name,
    pub span: Span,
    pub constructors: Vec<Constructor>,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    /// Of the name.
    pub span: Span,
    pub fip: bool,
    pub param_types: Vec<TypeName>,
    pub result_types: Vec<TypeName>,
    pub params: Vec<Binder>,
    pub body: Id,
}

impl Function {
    /// Where the types of its results are written.
    pub fn result_place(&self) -> Span {
        match (self.result_types.first(), self.result_types.last()) {
            (Some(first), Some(last)) => Span { end: last.span.end, ..first.span },
            _ => self.span,
        }
    }

    /// Several parameters have the name of this one.
    pub fn is_twice(&self, param: Binder) -> bool {
        let is_same = |other: &&(Name, Span)| param.is_some_and(|param| param.0 == other.0);
        self.params.iter().flatten().filter(is_same).count() > 1
    }
}

/// What is in definitions that cannot be read: it may be what is missing elsewhere.
#[derive(Default)]
pub struct Unread {
    /// There are such definitions.
    pub is_any: bool,
    /// What they may define: names that stand where the name of a function stands, or behind `enum`.
    pub names: BTreeSet<Name>,
    /// A type is among them, which may have any constructors.
    pub has_type: bool,
    /// A type is defined there, and its name cannot be read.
    pub has_nameless_type: bool,
    /// A function is among them whose name is missing.
    pub has_nameless: bool,
}

/// A program.
#[derive(Default)]
pub struct Tree {
    pub exprs: Vec<(Syntax, Span)>,
    pub lists: Vec<Id>,
    pub binders: Vec<Binder>,
    pub cases: Vec<Case>,
    pub enums: Vec<Enum>,
    pub functions: Vec<Function>,
    pub unread: Unread,
    /// All files of the program are there.
    pub is_whole: bool,
}

impl Tree {
    /// The place of the first argument of a constructor, or of what is none.
    pub fn argument(&self, id: Id) -> Span {
        let first = if let Syntax::Construct(_, args) = self.syntax(id) { self.list(args).first() } else { None };
        self.span(first.copied().unwrap_or(id))
    }

    /// The name of a constructor that stands before one argument without parentheses, which is less than may be meant.
    pub fn takes_less(&self, id: Id) -> Option<Name> {
        let Syntax::Construct(name, args) = self.syntax(id) else { return None };
        match self.list(args) {
            [one] if self.span(*one).end == self.span(id).end => Some(name),
            _ => None,
        }
    }

    pub fn span(&self, id: Id) -> Span {
        self.exprs[id.0 as usize].1
    }

    pub fn syntax(&self, id: Id) -> Syntax {
        self.exprs[id.0 as usize].0
    }

    pub fn list(&self, list: List) -> &[Id] {
        &self.lists[list.range()]
    }
}

/// A copy of items after a list.
pub fn append<T: Clone>(all: &mut Vec<T>, items: &[T]) -> List {
    let start = all.len() as u32;
    all.extend_from_slice(items);
    List { start, length: items.len() as u32 }
}

/// From the start of one place to the end of another. Where they are in different files, the first.
pub fn join(first: Span, last: Span) -> Span {
    match first.file == last.file && last.end >= first.start {
        true => Span::new(first.file, first.start, last.end),
        false => first,
    }
}
