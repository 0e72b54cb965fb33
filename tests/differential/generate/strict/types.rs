//! What the functions of a strict program work on: data types with their constructors, closures, instances, static
//! nodes, and the signatures of the functions.

use crate::roots::Rng;
use cleave_ir::Heap;

/// Types of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    Word,
    Narrow,
    Real,
    /// The data type of this number.
    Data(usize),
    /// Boxed numbers, characters and truth values.
    Int,
    Number,
    Letter,
    Truth,
    Text,
    /// An array with at least one element.
    Array(Element),
    /// An array of `array.new` with at least one element.
    Vec(Kind),
    /// Lacks so many integers; then it gives one, or a closure that lacks another one.
    Closure(u32, Gives),
    /// An object with a member in the table of this number.
    Object(usize),
    /// A cell that is written over and over: it holds data, which no cell can be in.
    Cell,
}

/// What complete closures give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    Int,
    Closure,
}

/// What arrays hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    Data(usize),
    Int,
    Word,
    Real,
    Truth,
    Word32,
    Real32,
}

/// What arrays of `array.new` hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Data(usize),
    Text,
    Int,
    I64,
    F64,
    I32,
    F32,
    U8,
}

impl Ty {
    /// The type in the IR.
    pub fn ir(self) -> &'static str {
        match self {
            Ty::Word => "i64",
            Ty::Narrow => "i32",
            Ty::Real => "f64",
            _ => "ref",
        }
    }
    pub fn is_ref(self) -> bool {
        self.ir() == "ref"
    }
}

/// How a constructor is described.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// No fields: one static node.
    Atom,
    /// Any fields.
    Record,
    /// References, which are arguments.
    Arguments,
}

#[derive(Clone, Debug)]
pub struct Constructor {
    pub label: String,
    pub form: Form,
    /// References come first.
    pub fields: Vec<Ty>,
    pub contiguous: bool,
    pub immutable: bool,
    /// Known to every module, or declared by its type: not declared here.
    pub is_known: bool,
}

impl Constructor {
    pub fn ptrs(&self) -> usize {
        self.fields.iter().filter(|ty| ty.is_ref()).count()
    }
    /// `$Label/held`
    pub fn node_info(&self) -> String {
        let applied_args = if self.form == Form::Arguments { self.fields.len() } else { 0 };
        format!("${}/{applied_args}", self.label)
    }
    /// `contiguous (2, 1)`
    pub fn shape(&self) -> String {
        let (ptrs, contiguous) = (self.ptrs(), if self.contiguous { "contiguous " } else { "" });
        format!("{contiguous}({ptrs}, {})", self.fields.len() - ptrs)
    }
    /// Number of a field among those of its class.
    pub fn place(&self, field: usize) -> usize {
        if self.fields[field].is_ref() { field } else { field - self.ptrs() }
    }
    /// The fields that hold data of a type.
    pub fn fields_of(&self, ty: Ty) -> Vec<usize> {
        (0..self.fields.len()).filter(|&field| self.fields[field] == ty).collect()
    }
}

#[derive(Clone, Debug)]
pub struct DataType {
    pub constructors: Vec<Constructor>,
    /// The constructors have a member: their number, found by `call_method`.
    pub has_members: bool,
}

/// A function whose closures are passed around.
#[derive(Clone, Debug)]
pub struct ClosureType {
    pub label: String,
    /// What it may hold before the integers.
    pub applied_args: Vec<Ty>,
    /// Integers after those.
    pub missing: u32,
    pub gives: Gives,
    pub immutable: bool,
    /// Whether there is code for each number of applied arguments.
    pub has_code: Vec<bool>,
}

/// A class whose objects have a member: the parameters after the object, and the results.
#[derive(Clone, Debug)]
pub struct ClassType {
    pub params: Vec<Ty>,
    pub results: Vec<Ty>,
    /// Constructors of its objects.
    pub objects: Vec<Constructor>,
}

/// What a function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Counts its first parameter down, and builds.
    Build(usize),
    /// Takes data apart and goes on with what it has found.
    Fold(usize),
    /// Takes data apart and builds others.
    Map(usize, usize),
    /// Anything without recursion.
    Steps,
    /// Computes with numbers alone.
    Leaf,
}

#[derive(Clone, Debug)]
pub struct FuncType {
    pub name: String,
    pub role: Role,
    pub params: Vec<Ty>,
    pub results: Vec<Ty>,
    pub attributes: String,
}

/// A static node, or a string: its number is its place.
#[derive(Clone, Debug)]
pub struct Fixed {
    pub ty: Ty,
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct Plan {
    pub heap: Heap,
    pub types: Vec<DataType>,
    pub closures: Vec<ClosureType>,
    pub classes: Vec<ClassType>,
    pub funcs: Vec<FuncType>,
    pub fixed: Vec<Fixed>,
    /// Functions of one signature, by their numbers.
    pub table: Vec<usize>,
    /// Fresh nodes are written.
    pub writes: bool,
    /// There are exceptions.
    pub raises: bool,
    /// There are effects.
    pub performs: bool,
    /// Some integers are immediates.
    pub immediates: bool,
    /// What cells are, if there are some.
    pub cell: Option<Constructor>,
    /// Kinds of the arrays of `array.new` that it has.
    pub kinds: Vec<Kind>,
}

impl Plan {
    pub fn is_rc(&self) -> bool {
        self.heap == Heap::Rc
    }
}

/// Decides what there is; static nodes come later (`fixed`).
pub fn make(rng: &mut Rng, heap: Heap) -> Plan {
    let counted = heap == Heap::Rc;
    let classes = 1 + rng.below(2);
    let count = 1 + rng.below(3);
    let mut plan = Plan {
        heap,
        types: Vec::new(),
        closures: Vec::new(),
        classes: Vec::new(),
        funcs: Vec::new(),
        fixed: Vec::new(),
        table: Vec::new(),
        writes: rng.chance(30),
        raises: false,
        performs: false,
        immediates: false,
        cell: None,
        kinds: Vec::new(),
    };
    if rng.chance(if counted { 80 } else { 60 }) {
        let mut kinds = Kind::all(rng.below(count));
        rng.shuffle(&mut kinds);
        plan.kinds = kinds[..1 + rng.below(4)].to_vec();
    }
    // Programs of one kind of descriptor, as front ends make them, and mixed ones.
    let style = Style { contiguous: rng.pick(&[100, 100, 50, 0]), immutable: rng.pick(&[100, 50, 0]) };
    for number in 0..count {
        let data = data_type(rng, &plan, number, count, classes, style);
        plan.types.push(data);
    }
    if !counted {
        for number in 0..1 + rng.below(3) {
            let missing = 1 + rng.below(3) as u32;
            let applied_args: Vec<Ty> = (0..rng.below(3)).map(|_| field(rng, &plan, count, classes, true)).collect();
            let codes = applied_args.len() + missing as usize;
            // The last number always has code; where others have none, arguments are added one by one.
            let has_code = (0..codes).map(|i| i + 1 == codes || i >= applied_args.len() && rng.chance(60)).collect();
            let gives = if rng.chance(25) { Gives::Closure } else { Gives::Int };
            let immutable = rng.chance(50);
            plan.closures.push(ClosureType {
                label: format!("f{number}"),
                applied_args,
                missing,
                gives,
                immutable,
                has_code,
            });
        }
        // What the others may give.
        let has_code = vec![true];
        plan.closures.push(ClosureType {
            label: "last".into(),
            applied_args: Vec::new(),
            missing: 1,
            gives: Gives::Int,
            immutable: false,
            has_code,
        });
    }
    if rng.chance(if counted { 85 } else { 60 }) {
        let fields = [Ty::Data(0), Ty::Text, Ty::Word, Ty::Real];
        let fields = fields.into_iter().filter(|&ty| ty == Ty::Data(0) || rng.chance(50)).collect();
        let contiguous = rng.chance(style.contiguous);
        let (label, form) = ("cell".into(), Form::Record);
        plan.cell = Some(Constructor { label, form, fields, contiguous, immutable: false, is_known: false });
    }
    for number in 0..classes {
        let params = (0..rng.below(3)).map(|_| rng.pick(&[Ty::Word, Ty::Real, Ty::Data(0), Ty::Narrow])).collect();
        let results = rng.pick(&[&[Ty::Word][..], &[Ty::Data(0)], &[Ty::Word, Ty::Real], &[Ty::Narrow]]).to_vec();
        let objects = (0..1 + rng.below(3)).map(|i| {
            let fields: Vec<Ty> = (0..rng.below(3)).map(|_| field(rng, &plan, count, 0, true)).collect();
            constructor(rng, format!("k{number}.{i}"), fields, style)
        });
        let objects = objects.collect();
        plan.classes.push(ClassType { params, results, objects });
    }
    functions(rng, &mut plan);
    plan
}

#[derive(Clone, Copy)]
struct Style {
    contiguous: usize,
    immutable: usize,
}

fn constructor(rng: &mut Rng, label: String, mut fields: Vec<Ty>, style: Style) -> Constructor {
    fields.sort_by_key(|ty| !ty.is_ref());
    let form = match fields.iter().all(|ty| ty.is_ref()) {
        _ if fields.is_empty() => Form::Atom,
        true if rng.chance(25) => Form::Arguments,
        _ => Form::Record,
    };
    let (contiguous, immutable) = (rng.chance(style.contiguous), rng.chance(style.immutable));
    Constructor { label, form, fields, contiguous, immutable, is_known: false }
}

/// A type of fields; of data types those below a number.
fn field(rng: &mut Rng, plan: &Plan, types: usize, classes: usize, closed: bool) -> Ty {
    if !plan.kinds.is_empty() && rng.chance(10) {
        let kind = rng.pick(&plan.kinds);
        if !matches!(kind, Kind::Data(_)) {
            return Ty::Vec(kind);
        }
    }
    if plan.is_rc() {
        return match rng.below(10) {
            0..=3 => Ty::Word,
            4 => Ty::Real,
            5 => Ty::Text,
            6 if classes > 0 => Ty::Object(rng.below(classes)),
            _ if types > 0 => Ty::Data(rng.below(types)),
            _ => Ty::Word,
        };
    }
    match rng.below(16) {
        0 | 1 => {
            if closed {
                Ty::Int
            } else {
                Ty::Word
            }
        }
        2 => {
            if closed {
                Ty::Number
            } else {
                Ty::Real
            }
        }
        3..=5 => Ty::Int,
        6 => rng.pick(&[Ty::Number, Ty::Letter, Ty::Truth]),
        7 => Ty::Text,
        8 if classes > 0 => Ty::Object(rng.below(classes)),
        9 => Ty::Closure(1, Gives::Int),
        10 => Ty::Array(rng.pick(&[Element::Int, Element::Word])),
        _ if types > 0 => Ty::Data(rng.below(types)),
        _ => Ty::Int,
    }
}

fn data_type(rng: &mut Rng, plan: &Plan, number: usize, types: usize, classes: usize, style: Style) -> DataType {
    let own = Ty::Data(number);
    // The lists and tuples that every module knows.
    let known = |label: &str, form, fields| Constructor {
        label: label.into(),
        form,
        fields,
        contiguous: false,
        immutable: false,
        is_known: true,
    };
    if number > 0 && rng.chance(12) {
        let all =
            |rng: &mut Rng, plan: &Plan| (0..2 + rng.below(2)).map(|_| field(rng, plan, number, 0, true)).collect();
        let fields: Vec<Ty> = all(rng, plan);
        if fields.iter().all(|ty| ty.is_ref() && !matches!(ty, Ty::Array(_) | Ty::Vec(_) | Ty::Closure(..))) {
            return DataType { constructors: vec![known("_Tuple", Form::Arguments, fields)], has_members: false };
        }
    }
    if number > 0 && rng.chance(15) {
        let head = if plan.is_rc() { Ty::Text } else { Ty::Int };
        let constructors =
            vec![known("_Nil", Form::Atom, Vec::new()), known("_Cons", Form::Arguments, vec![head, own])];
        return DataType { constructors, has_members: false };
    }
    let mut constructors = Vec::new();
    // The first can always be made.
    let few = if rng.chance(70) { 0 } else { 1 + rng.below(2) };
    let base = (0..few)
        .map(|_| field(rng, plan, number, 0, false))
        .filter(|ty| !matches!(ty, Ty::Array(_) | Ty::Vec(_) | Ty::Closure(..)))
        .collect();
    constructors.push(constructor(rng, format!("T{number}.0"), base, style));
    let more = 1 + rng.below(3);
    for index in 1..=more {
        let mut fields: Vec<Ty> = (0..rng.below(4)).map(|_| field(rng, plan, types, classes, false)).collect();
        if index == 1 || rng.chance(50) {
            let own = std::iter::repeat_n(own, if rng.chance(30) { 2 } else { 1 });
            fields.extend(own);
        }
        rng.shuffle(&mut fields);
        constructors.push(constructor(rng, format!("T{number}.{index}"), fields, style));
    }
    DataType { constructors, has_members: rng.chance(30) }
}

/// Functions call only those after them, and themselves with less.
fn functions(rng: &mut Rng, plan: &mut Plan) {
    let types = plan.types.len();
    let own_kind = |rng: &mut Rng, plan: &Plan| loop {
        let number = rng.below(types);
        let data = &plan.types[number];
        if data.constructors.iter().any(|c| !c.fields_of(Ty::Data(number)).is_empty()) {
            return number;
        }
    };
    for number in 0..5 + rng.below(3) {
        let data = own_kind(rng, plan);
        let role = match (number, rng.below(10)) {
            (0, 0..=3) | (1, _) => Role::Steps,
            (_, 0..=3) => Role::Build(data),
            (_, 4 | 5) => Role::Fold(rng.below(types)),
            (_, 6 | 7) => Role::Map(rng.below(types), data),
            (_, 8) => Role::Leaf,
            _ => Role::Steps,
        };
        let numbers = [Ty::Word, Ty::Word, Ty::Narrow, Ty::Real];
        let some = |rng: &mut Rng, most: usize| -> Vec<Ty> {
            (0..rng.below(most + 1))
                .map(|_| match field(rng, plan, types, plan.classes.len(), false) {
                    _ if rng.chance(40) => rng.pick(&numbers),
                    _ if plan.cell.is_some() && rng.chance(30) => Ty::Cell,
                    _ if !plan.kinds.is_empty() && rng.chance(25) => Ty::Vec(rng.pick(&plan.kinds)),
                    ty => ty,
                })
                .collect()
        };
        let rest = some(rng, 3);
        let extra = |first: Ty| [vec![first], rest.clone()].concat();
        let (params, mut results) = match role {
            Role::Build(data) => (extra(Ty::Word), vec![Ty::Data(data)]),
            Role::Fold(data) => {
                let built = Ty::Data(own_kind(rng, plan));
                let sum = rng.pick(&[Ty::Word, Ty::Word, Ty::Real, built]);
                let mut params = extra(Ty::Data(data));
                params.insert(1, sum);
                (params, vec![sum])
            }
            Role::Map(from, to) => (extra(Ty::Data(from)), vec![Ty::Data(to)]),
            Role::Steps => (rest.clone(), some(rng, 3)),
            Role::Leaf => {
                let some = |rng: &mut Rng| (0..1 + rng.below(3)).map(|_| rng.pick(&numbers)).collect::<Vec<_>>();
                (some(rng), some(rng))
            }
        };
        if matches!(role, Role::Build(_) | Role::Map(..)) && rng.chance(12) {
            results.push(Ty::Word);
        }
        let mut attributes = String::new();
        if role == Role::Leaf && rng.chance(50) {
            attributes += " gc_leaf";
        }
        if !plan.is_rc() && rng.chance(20) {
            attributes += &format!(" roots={}", rng.pick(&["each_call", "lazy", "late"]));
        }
        if rng.chance(40) {
            attributes += " fip";
        }
        plan.funcs.push(FuncType { name: format!("f{number}"), role, params, results, attributes });
    }
    // Two wrappers of one signature, and perhaps others of the same.
    let params = vec![Ty::Word, Ty::Data(0)];
    for name in ["t0", "t1"] {
        let (role, results) = (Role::Steps, vec![Ty::Word]);
        plan.table.push(plan.funcs.len());
        plan.funcs.push(FuncType {
            name: name.into(),
            role,
            params: params.clone(),
            results,
            attributes: String::new(),
        });
    }
}
