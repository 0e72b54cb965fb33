//! The types of a random program, and how their values lie on the stacks: what Clean's compiler would decide.

use crate::roots::Rng;
use std::fmt::Write as _;

/// A type of the program: an index into `Types::all`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ty(pub usize);

/// A kind of word on the B stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    Int,
    Bool,
    Char,
    Real,
}

pub const BASES: [Base; 4] = [Base::Int, Base::Bool, Base::Char, Base::Real];

pub const INT: Ty = Ty(0);
pub const BOOL: Ty = Ty(1);
pub const STRING: Ty = Ty(4);

impl Base {
    pub fn letter(self) -> char {
        ['i', 'b', 'c', 'r'][self as usize]
    }
    /// The letter of its instructions: `pushI`, `eqC`.
    pub fn upper(self) -> char {
        ['I', 'B', 'C', 'R'][self as usize]
    }
    pub fn ty(self) -> Ty {
        Ty(self as usize)
    }
    /// The element kind of `create_array`.
    pub fn element(self) -> &'static str {
        ["INT", "BOOL", "CHAR", "REAL"][self as usize]
    }
}

/// A field of a record or constructor, or a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub ty: Ty,
    pub strict: bool,
}

#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its number makes its label.
    pub id: usize,
    pub fields: Vec<Field>,
    /// It has a strict field, hence a record descriptor.
    pub strict: bool,
}

#[derive(Clone, Debug)]
pub enum Def {
    Base(Base),
    String,
    /// An unboxed array of words.
    Words(Base),
    /// An array of nodes.
    Nodes(Ty),
    /// An array of unboxed records.
    Records(Ty),
    List(Ty),
    /// A list with unboxed elements: cells `_Consi` and the like.
    Cells(Base),
    Tuple(Vec<Ty>),
    Data(Vec<Constructor>),
    Record(usize, Vec<Field>),
    /// A function from node to node.
    Function(Ty, Ty),
    /// A member of a class: parameters in their strict layout, and the result.
    Member(Vec<Field>, Ty),
    /// A cyclic list: it is never printed.
    Stream(Ty),
}

/// The elements of every array: a power of two, so that a mask makes an index.
pub const SIZE: usize = 8;

/// In what state a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Lazy,
    Evaluated,
    /// The array or string itself, without a box.
    Object,
}

/// Where the parts of something lie: top first.
#[derive(Clone, Default, Debug)]
pub struct Layout {
    pub a: Vec<(Ty, State)>,
    pub b: Vec<Base>,
}

impl Layout {
    pub fn letters(&self) -> String {
        self.b.iter().map(|base| base.letter()).collect()
    }
    fn join(&mut self, other: Layout) {
        self.a.extend(other.a);
        self.b.extend(other.b);
    }
    /// The operands of `.d` and `.o`, with some more nodes below.
    pub fn operands(&self, more: usize) -> String {
        let count = self.a.len() + more;
        if self.b.is_empty() { format!("{count} 0") } else { format!("{count} {} {}", self.b.len(), self.letters()) }
    }
}

pub struct Types {
    pub all: Vec<Def>,
    /// The size of the smallest value of each.
    weights: Vec<usize>,
}

/// A type whose smallest value is larger is not taken.
const HEAVIEST: usize = 60;

impl Types {
    pub fn random(rng: &mut Rng) -> Types {
        let mut types = Types { all: BASES.map(Def::Base).to_vec(), weights: vec![1; 5] };
        types.all.push(Def::String);
        let mut id = 0;
        for _ in 0..5 + rng.below(8) {
            let def = types.definition(rng, &mut id);
            let weight = types.weight(&def);
            if weight <= HEAVIEST {
                types.all.push(def);
                types.weights.push(weight);
            }
        }
        types
    }

    fn weight(&self, def: &Def) -> usize {
        let of = |ty: &Ty| self.weights.get(ty.0).copied().unwrap_or(1);
        let sum = |fields: &[Field]| fields.iter().map(|field| of(&field.ty)).sum::<usize>();
        1 + match def {
            Def::Base(_) | Def::String | Def::Cells(_) => 1,
            Def::Words(_) => SIZE,
            Def::Nodes(element) | Def::Records(element) => SIZE * of(element),
            Def::List(element) | Def::Stream(element) => of(element),
            Def::Tuple(types) => types.iter().map(of).sum(),
            Def::Data(constructors) => sum(&constructors[0].fields),
            Def::Record(_, fields) => sum(fields),
            Def::Function(_, result) | Def::Member(_, result) => of(result),
        }
    }

    fn known(&self, rng: &mut Rng) -> Ty {
        Ty(rng.below(self.all.len()))
    }

    fn fields(&self, rng: &mut Rng, count: usize, itself: bool) -> Vec<Field> {
        let new = Ty(self.all.len());
        let field = |rng: &mut Rng| {
            // A strict field of its own type would be evaluated to the end.
            if itself && rng.chance(35) {
                return Field { ty: new, strict: false };
            }
            Field { ty: self.known(rng), strict: rng.chance(45) }
        };
        (0..count).map(|_| field(rng)).collect()
    }

    fn definition(&self, rng: &mut Rng, id: &mut usize) -> Def {
        let records: Vec<Ty> = self.of(|def| matches!(def, Def::Record(..)));
        match rng.below(13) {
            0 => Def::Words([Base::Int, Base::Real, Base::Bool][rng.below(3)]),
            1 => Def::Nodes(self.known(rng)),
            2 if !records.is_empty() => Def::Records(rng.pick(&records)),
            3 | 4 => Def::List(self.known(rng)),
            5 => Def::Cells(rng.pick(&BASES)),
            6 => Def::Tuple((0..2 + rng.below(3)).map(|_| self.known(rng)).collect()),
            7 | 8 => {
                let count = 1 + rng.below(4);
                let constructor = |at: usize| {
                    *id += 1;
                    let width = [0, 1, 2, 2, 3, 4, 6][rng.below(7)];
                    // The first one ends every recursion.
                    let fields = self.fields(rng, width, at > 0);
                    let strict = fields.iter().any(|field| field.strict);
                    Constructor { id: *id, fields, strict }
                };
                Def::Data((0..count).map(constructor).collect())
            }
            9 => Def::Function(self.known(rng), self.known(rng)),
            10 => Def::Stream(self.known(rng)),
            11 => {
                let width = 1 + rng.below(3);
                Def::Member(self.fields(rng, width, false), self.known(rng))
            }
            _ => {
                *id += 1;
                let width = 1 + rng.below(5);
                Def::Record(*id, self.fields(rng, width, false))
            }
        }
    }

    pub fn of(&self, wanted: impl Fn(&Def) -> bool) -> Vec<Ty> {
        (0..self.all.len()).filter(|&at| wanted(&self.all[at])).map(Ty).collect()
    }

    pub fn def(&self, ty: Ty) -> &Def {
        &self.all[ty.0]
    }

    pub fn base(&self, ty: Ty) -> Option<Base> {
        if let Def::Base(base) = self.def(ty) { Some(*base) } else { None }
    }

    /// Is its strict value an array object?
    pub fn is_object(&self, ty: Ty) -> bool {
        matches!(self.def(ty), Def::String | Def::Words(_) | Def::Nodes(_) | Def::Records(_))
    }

    /// Can it be printed, and is what is printed finite and the same everywhere?
    pub fn is_printable(&self, ty: Ty) -> bool {
        let fields = |fields: &[Field]| fields.iter().all(|field| field.ty == ty || self.is_printable(field.ty));
        match self.def(ty) {
            Def::Base(_) | Def::String | Def::Words(_) | Def::Cells(_) => true,
            Def::Nodes(element) | Def::Records(element) | Def::List(element) => self.is_printable(*element),
            Def::Tuple(types) => types.iter().all(|&ty| self.is_printable(ty)),
            Def::Data(constructors) => constructors.iter().all(|constructor| fields(&constructor.fields)),
            Def::Record(_, all) => fields(all),
            Def::Function(..) | Def::Member(..) | Def::Stream(_) => false,
        }
    }

    /// The parts of a strict value.
    pub fn strict(&self, ty: Ty) -> Layout {
        match self.def(ty) {
            Def::Base(base) => Layout { a: Vec::new(), b: vec![*base] },
            Def::Tuple(types) => Layout { a: types.iter().map(|&ty| (ty, State::Lazy)).collect(), b: Vec::new() },
            Def::Record(_, fields) => self.fields_layout(fields),
            _ => Layout {
                a: vec![(ty, if self.is_object(ty) { State::Object } else { State::Evaluated })],
                b: Vec::new(),
            },
        }
    }

    /// The parts of a field: records and tuples are not unboxed into each other here.
    pub fn field(&self, field: Field) -> Layout {
        if !field.strict {
            return Layout { a: vec![(field.ty, State::Lazy)], b: Vec::new() };
        }
        match self.def(field.ty) {
            Def::Tuple(_) | Def::Record(..) => Layout { a: vec![(field.ty, State::Evaluated)], b: Vec::new() },
            _ => self.strict(field.ty),
        }
    }

    pub fn fields_layout(&self, fields: &[Field]) -> Layout {
        let mut layout = Layout::default();
        fields.iter().for_each(|&field| layout.join(self.field(field)));
        layout
    }

    /// Parameters: records and tuples come in parts.
    pub fn parameters(&self, fields: &[Field]) -> Layout {
        let mut layout = Layout::default();
        for &field in fields {
            layout.join(if field.strict { self.strict(field.ty) } else { self.field(field) });
        }
        layout
    }

    fn field_letters(&self, fields: &[Field]) -> String {
        let letter = |field: &Field| match self.base(field.ty) {
            Some(base) if field.strict => base.letter(),
            _ => 'a',
        };
        fields.iter().map(letter).collect()
    }

    /// The descriptors.
    pub fn declarations(&self) -> String {
        let mut text = String::new();
        for def in &self.all {
            match def {
                Def::Data(constructors) => {
                    for Constructor { id, fields, strict } in constructors {
                        let count = fields.len();
                        let _ = if *strict {
                            let Layout { a, b } = self.fields_layout(fields);
                            let letters = self.field_letters(fields);
                            writeln!(text, ".record k{id} d{letters} {} {} \"C{id}\"", a.len(), b.len())
                        } else {
                            let entry = if count == 0 { "_hnf" } else { "_add_arg" };
                            writeln!(text, ".desc dc{id} _hnf {entry} {count} 0 \"C{id}\"")
                        };
                    }
                }
                Def::Record(id, fields) => {
                    let Layout { a, b } = self.fields_layout(fields);
                    let letters = self.field_letters(fields);
                    let _ = writeln!(text, ".record r{id} {letters} {} {} \"R{id}\"", a.len(), b.len());
                }
                _ => {}
            }
        }
        text
    }
}
