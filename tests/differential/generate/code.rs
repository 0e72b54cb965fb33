//! The state of writing one function: the current block, what is in scope, and picking operands from it.

use super::plan::Plan;
use crate::roots::Rng;
use cleave_clean::externs::Runtime;
use cleave_ir::{Block, Builder, Func, Inst, Opcode, Type, Value, pack};

/// What is known of a reference in scope. None of them is the object of an array or string: those are apart, because
/// a cell cannot become a copy of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Anything, evaluated or not.
    Any,
    /// An evaluated node of this type of the plan.
    Node(usize),
    /// The same, built by this function and seen by nobody else yet: only such nodes are updated.
    Own(usize),
    /// Evaluates to a node of this type.
    Lazy(usize),
    /// Evaluated boxes.
    Int,
    Real,
    /// A closure that misses so many arguments.
    Closure(u32),
    /// An evaluated box around an array or string.
    Boxed(Object),
    /// Evaluates to a list of boxed integers that ends.
    List,
}

/// Objects of the runtime that are no cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    String,
    Refs,
    Ints,
    Reals,
    Bools,
    Ints32,
    Reals32,
    /// Unboxed records: `Plan::element`.
    Records,
}

/// Values in scope, by type.
#[derive(Clone, Default, Debug)]
pub struct Scope {
    pub nptrs: Vec<Value>,
    pub narrows: Vec<Value>,
    pub reals: Vec<Value>,
    pub ptrs: Vec<(Value, Kind)>,
    pub objects: Vec<(Value, Object)>,
}

pub struct Code<'a> {
    pub rng: &'a mut Rng,
    pub plan: &'a Plan,
    pub func: &'a mut Func,
    pub block: Block,
    pub scope: Scope,
    /// Functions that take no fuel may be called only with this number or a higher one.
    pub level: usize,
    /// Steps of a stretch.
    pub size: usize,
}

impl<'a> Code<'a> {
    /// A function with its parameters in scope; also gives their values.
    pub fn begin(
        rng: &'a mut Rng,
        plan: &'a Plan,
        func: &'a mut Func,
        level: usize,
        size: usize,
    ) -> (Self, Vec<Value>) {
        let block = func.new_block();
        for ty in func.signature.params.clone() {
            func.add_param(block, ty);
        }
        let params = func.params(block).to_vec();
        let mut code = Code { rng, plan, func, block, scope: Scope::default(), level, size };
        params.iter().for_each(|&value| code.add(value));
        (code, params)
    }

    pub fn build(&mut self) -> Builder<'_> {
        Builder::new(self.func, self.block)
    }
    pub fn op(&mut self, op: Opcode, args: &[Value]) -> Value {
        self.build().op(op, args)
    }
    pub fn value(&mut self, op: Opcode, imm: u64, aux: u32, args: &[Value]) -> Value {
        self.build().value(op, imm, aux, args)
    }
    pub fn emit(&mut self, op: Opcode, imm: u64, aux: u32, args: &[Value]) -> Inst {
        self.build().inst(op, imm, aux, args)
    }
    /// A field of a node or thunk.
    pub fn field(&mut self, op: Opcode, shape: (u32, u32), index: u32, args: &[Value]) -> Inst {
        self.emit(op, pack(shape.0, shape.1), index, args)
    }
    pub fn get(&mut self, op: Opcode, shape: (u32, u32), index: u32, node: Value) -> Value {
        let inst = self.field(op, shape, index, &[node]);
        self.func.result(inst)
    }
    pub fn const64(&mut self, n: i64) -> Value {
        self.build().iconst64(n)
    }
    pub fn const32(&mut self, n: i32) -> Value {
        self.build().iconst32(n)
    }
    pub fn libcall(&mut self, libcall: Runtime, args: &[Value]) -> Vec<Value> {
        let inst = self.build().call_extern(libcall.callee(), args);
        self.func.results(inst).to_vec()
    }
    /// Continues in another block.
    pub fn goto(&mut self, block: Block) {
        self.block = block;
    }
    pub fn new_block(&mut self) -> Block {
        self.func.new_block()
    }

    // -- scope --------------------------------------------------------------------------------------------------------

    pub fn add(&mut self, value: Value) {
        match self.func.values[value] {
            Type::I64 => self.scope.nptrs.push(value),
            Type::I32 => self.scope.narrows.push(value),
            Type::F64 => self.scope.reals.push(value),
            Type::Ref => self.scope.ptrs.push((value, Kind::Any)),
        }
    }
    pub fn add_ref(&mut self, value: Value, kind: Kind) {
        self.scope.ptrs.push((value, kind));
    }
    pub fn add_object(&mut self, value: Value, object: Object) {
        self.scope.objects.push((value, object));
    }

    /// From now on others may know the node.
    pub fn escape(&mut self, value: Value) {
        for (own, kind) in &mut self.scope.ptrs {
            if *own == value
                && let Kind::Own(node) = *kind
            {
                *kind = Kind::Node(node);
            }
        }
    }
    /// Before control flow divides: what one way does with a node, the others do not see.
    pub fn escape_all(&mut self) {
        for (_, kind) in &mut self.scope.ptrs {
            if let Kind::Own(node) = *kind {
                *kind = Kind::Node(node);
            }
        }
    }

    /// One of the latest values rather than an old one.
    fn recent<T: Copy>(&mut self, list: &[T], window: usize) -> T {
        let last = list.len() - 1;
        list[last - self.rng.below(list.len().min(window))]
    }

    pub fn word(&mut self) -> Value {
        if self.scope.nptrs.is_empty() || self.rng.chance(25) {
            let n = self.rng.pick(&WORDS);
            let value = self.const64(n);
            self.scope.nptrs.push(value);
        }
        let list = std::mem::take(&mut self.scope.nptrs);
        let value = self.recent(&list, 6);
        self.scope.nptrs = list;
        value
    }
    pub fn narrow(&mut self) -> Value {
        if self.scope.narrows.is_empty() || self.rng.chance(20) {
            let n = self.rng.pick(&NARROWS);
            let value = self.const32(n);
            self.scope.narrows.push(value);
        }
        let list = std::mem::take(&mut self.scope.narrows);
        let value = self.recent(&list, 5);
        self.scope.narrows = list;
        value
    }
    pub fn real(&mut self) -> Value {
        if self.scope.reals.is_empty() || self.rng.chance(25) {
            let x = self.rng.pick(&REALS);
            let value = self.build().fconst(x.to_bits());
            self.scope.reals.push(value);
        }
        let list = std::mem::take(&mut self.scope.reals);
        let value = self.recent(&list, 5);
        self.scope.reals = list;
        value
    }
    /// Any node, to be stored or passed on.
    pub fn reference(&mut self) -> Value {
        if self.scope.ptrs.is_empty() || self.rng.chance(12) {
            let desc = self.plan.nodes[self.rng.below(2)].desc;
            let value = self.build().node(desc);
            self.scope.ptrs.push((value, Kind::Any));
        }
        let list = std::mem::take(&mut self.scope.ptrs);
        let (value, _) = self.recent(&list, 6);
        self.scope.ptrs = list;
        self.escape(value);
        value
    }
    /// A value of any type, to be stored or passed on.
    pub fn operand(&mut self, ty: Type) -> Value {
        match ty {
            Type::I64 => self.word(),
            Type::I32 => self.narrow(),
            Type::F64 => self.real(),
            Type::Ref => self.reference(),
        }
    }
    pub fn operands(&mut self, types: &[Type]) -> Vec<Value> {
        types.iter().map(|&ty| self.operand(ty)).collect()
    }
    /// A condition: any number, or rather a comparison.
    pub fn truth(&mut self) -> Value {
        if self.rng.chance(50) {
            self.compare();
        }
        self.narrow()
    }

    /// A reference with a property.
    pub fn find(&mut self, wanted: impl Fn(Kind) -> bool) -> Option<(Value, Kind)> {
        let fitting: Vec<(Value, Kind)> = self.scope.ptrs.iter().copied().filter(|r| wanted(r.1)).collect();
        (!fitting.is_empty()).then(|| self.rng.pick(&fitting))
    }
    /// An evaluated node of a type with something in it.
    pub fn find_node(&mut self) -> Option<(Value, usize)> {
        let plan = self.plan;
        let node = |kind| match kind {
            Kind::Node(i) | Kind::Own(i) if !plan.nodes[i].is_empty() => Some(i),
            _ => None,
        };
        self.find(|kind| node(kind).is_some()).and_then(|(value, kind)| Some((value, node(kind)?)))
    }
    pub fn find_own(&mut self) -> Option<(Value, usize)> {
        let plan = self.plan;
        let node = |kind| match kind {
            Kind::Own(i) if !plan.nodes[i].is_empty() => Some(i),
            _ => None,
        };
        self.find(|kind| node(kind).is_some()).and_then(|(value, kind)| Some((value, node(kind)?)))
    }
    pub fn find_object(&mut self, wanted: impl Fn(Object) -> bool) -> Option<(Value, Object)> {
        let fitting: Vec<(Value, Object)> = self.scope.objects.iter().copied().filter(|o| wanted(o.1)).collect();
        (!fitting.is_empty()).then(|| self.rng.pick(&fitting))
    }

    // -- observing ----------------------------------------------------------------------------------------------------

    pub fn print_word(&mut self, word: Value) {
        let print = self.plan.library.print_word;
        self.build().call(print, &[word], &[]);
    }
    pub fn print_narrow(&mut self, narrow: Value) {
        let word = self.op(Opcode::ExtendS, &[narrow]);
        self.print_word(word);
    }
    pub fn print_real(&mut self, real: Value) {
        let print = self.plan.library.print_number;
        self.build().call(print, &[real], &[]);
    }
    pub fn show(&mut self, node: Value) {
        let show = self.plan.library.show;
        let depth = self.const64(5);
        self.build().call(show, &[depth, node], &[]);
    }
    pub fn print(&mut self, value: Value) {
        match self.func.values[value] {
            Type::I64 => self.print_word(value),
            Type::I32 => self.print_narrow(value),
            Type::F64 => self.print_real(value),
            Type::Ref => self.show(value),
        }
    }
}

const WORDS: [i64; 22] = [
    0,
    0,
    1,
    1,
    2,
    3,
    7,
    8,
    -1,
    -2,
    63,
    64,
    127,
    255,
    256,
    -128,
    -129,
    1 << 31,
    -(1 << 31),
    (1 << 33) + 5,
    i64::MIN,
    i64::MAX,
];
const NARROWS: [i32; 12] = [0, 0, 1, 1, 2, -1, 31, 32, 255, -128, i32::MIN, i32::MAX];
const REALS: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.5,
    2.5,
    0.1,
    3.0,
    1e300,
    -1e-300,
    5e-324,
    9223372036854775807.0,
    -9223372036854775808.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];
