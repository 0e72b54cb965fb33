//! Values: code that leaves a word, a node or the parts of a strict value on top of the stacks.

use super::code::{Code, Shape};
use super::functions::{Function, Kind, shape_of};
use super::types::{Base, Constructor, Def, Field, INT, Layout, State, Ty, Types};
use crate::roots::Rng;

pub struct Gen<'a> {
    pub rng: &'a mut Rng,
    pub types: &'a Types,
    pub functions: &'a [Function],
    pub code: Code,
    /// Numbers of local labels, of the whole module.
    pub labels: usize,
}

impl Gen<'_> {
    pub fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    /// Parameters as they come to the strict entry.
    pub fn arguments(&self, function: &Function) -> Layout {
        self.types.parameters(&function.parameters)
    }

    pub fn find_node(&mut self, wanted: impl Fn(&(Ty, State)) -> bool) -> Option<usize> {
        let found: Vec<usize> = (0..self.code.a.len()).filter(|&at| wanted(&self.code.a[at])).collect();
        (!found.is_empty()).then(|| self.rng.pick(&found))
    }

    pub fn find_word(&mut self, base: Base) -> Option<usize> {
        let found: Vec<usize> = (0..self.code.b.len()).filter(|&at| self.code.b[at] == base).collect();
        (!found.is_empty()).then(|| self.rng.pick(&found))
    }

    /// A function that may be called here.
    pub fn callable(&mut self, wanted: impl Fn(&Function) -> bool) -> Option<Function> {
        if self.code.calls == 0 {
            return None;
        }
        let ordinary = |function: &&Function| !matches!(function.kind, Kind::Default(_) | Kind::Member);
        let found: Vec<&Function> = self.functions.iter().filter(ordinary).filter(|f| wanted(f)).collect();
        if found.is_empty() {
            return None;
        }
        self.code.calls -= 1;
        Some(found[self.rng.below(found.len())].clone())
    }

    pub fn default_of(&self, ty: Ty) -> &Function {
        let is = |function: &&Function| matches!(function.kind, Kind::Default(_)) && function.shape.ty == ty;
        self.functions.iter().find(is).expect("every type has one")
    }

    /// The number that a call hands on: less than the own one.
    pub fn push_fuel(&mut self) {
        match self.code.fuel {
            Some(slot) => {
                let at = self.code.b_offset(slot);
                self.code.line(format_args!("push_b {at}"));
                self.code.line(format_args!("decI"));
            }
            None => self.code.line(format_args!("pushI 2")),
        }
        self.code.b.push(Base::Int);
    }

    /// The first parameter of a function that has a meaning for recursion.
    fn push_first(&mut self, kind: Kind, depth: usize) {
        if kind == Kind::Loop {
            self.base(Base::Int, depth);
            self.code.line(format_args!("pushI 31"));
            self.code.line(format_args!("and%"));
        } else {
            self.push_fuel();
        }
    }

    fn is_first(function: &Function, at: usize) -> bool {
        at == 0 && matches!(function.kind, Kind::Fueled | Kind::Loop | Kind::Member)
    }

    /// Parameter nodes from the last to `first`.
    pub fn parameter_nodes(&mut self, function: &Function, first: usize, end: usize, depth: usize) {
        for at in (first..end).rev() {
            if Self::is_first(function, at) {
                self.push_first(function.kind, 0);
                self.code.wrap(self.types, INT);
            } else {
                self.lazy(function.parameters[at].ty, depth);
            }
        }
    }

    /// The strict layout of parameters, the last one first.
    pub fn parameter_parts(&mut self, function: &Function, first: usize, depth: usize) {
        for at in (first..function.parameters.len()).rev() {
            let field = function.parameters[at];
            if Self::is_first(function, at) {
                self.push_first(function.kind, 0);
                if !field.strict {
                    self.code.wrap(self.types, INT);
                }
            } else if field.strict {
                self.strict(field.ty, depth);
            } else {
                self.lazy(field.ty, depth);
            }
        }
    }

    pub fn create(&mut self, shape: &Shape) -> usize {
        if shape.dest {
            self.code.line(format_args!("create"));
            // Nothing may look at it.
            self.code.push_node(Ty(usize::MAX), State::Lazy);
        }
        usize::from(shape.dest)
    }

    /// Calls a function; its parts are on top.
    pub fn call(&mut self, function: &Function, depth: usize) {
        let more = self.create(&function.shape);
        if self.rng.chance(25) && !matches!(function.kind, Kind::Default(_)) {
            let count = function.parameters.len();
            self.parameter_nodes(function, 0, count, depth);
            let nodes = Layout { a: vec![(INT, State::Lazy); count], b: Vec::new() };
            self.code.call(&format!("ea{}", function.id), &nodes, more, &function.shape.layout);
        } else {
            self.parameter_parts(function, 0, depth);
            let layout = self.arguments(function);
            self.code.call(&format!("s{}", function.id), &layout, more, &function.shape.layout);
        }
    }

    /// Calls a member of a class through a closure.
    pub fn call_member(&mut self, ty: Ty, tail: bool, depth: usize) -> (Layout, usize, usize) {
        let Def::Member(parameters, result) = self.types.def(ty).clone() else { unreachable!("only members") };
        let shape = shape_of(self.types, result, true);
        let more = if tail { usize::from(shape.dest) } else { self.create(&shape) };
        for &field in parameters.iter().rev() {
            if field.strict { self.strict(field.ty, depth) } else { self.lazy(field.ty, depth) }
        }
        self.node(ty, depth);
        let mut layout = self.types.parameters(&parameters);
        layout.a.insert(0, (ty, State::Evaluated));
        if !tail {
            self.code.directive(format_args!(".d {}", layout.operands(more)));
            self.code.line(format_args!("jsr_i {}", parameters.len()));
            self.code.directive(format_args!(".o {}", shape.layout.operands(0)));
            self.code.drop(layout.a.len() + more, layout.b.len());
            self.code.push(&shape.layout);
        }
        (layout, more, parameters.len())
    }

    /// A node of any state.
    pub fn lazy(&mut self, ty: Ty, depth: usize) {
        if self.rng.chance(if depth == 0 { 80 } else { 30 })
            && let Some(slot) = self.find_node(|slot| slot.0 == ty)
        {
            let at = self.code.a_offset(slot);
            let state = self.code.a[slot].1;
            self.code.line(format_args!("push_a {at}"));
            self.code.push_node(ty, state);
            if state == State::Object {
                self.code.wrap(self.types, ty);
            }
            return;
        }
        if depth == 0 {
            let id = self.default_of(ty).id;
            self.code.line(format_args!("build _ 0 n{id}"));
            return self.code.push_node(ty, State::Lazy);
        }
        match self.rng.below(20) {
            0..=6 => return self.node(ty, depth - 1),
            7..=13 => {
                if let Some(function) = self.callable(|function| function.shape.ty == ty) {
                    return self.thunk(&function, depth - 1);
                }
            }
            14 | 15 => {
                let all = self.types.of(|def| matches!(def, Def::Function(_, result) if *result == ty));
                if !all.is_empty() && self.code.calls > 0 {
                    self.code.calls -= 1;
                    let function = self.rng.pick(&all);
                    let Def::Function(from, _) = *self.types.def(function) else { unreachable!("just seen") };
                    self.lazy(from, depth - 1);
                    self.lazy(function, depth - 1);
                    self.code.line(format_args!("build e_system_dAP 2 e_system_nAP"));
                    self.code.drop(2, 0);
                    return self.code.push_node(ty, State::Lazy);
                }
            }
            16 => {
                self.lazy(ty, depth - 1);
                self.lazy(ty, depth - 1);
                self.lazy(super::types::BOOL, depth - 1);
                self.code.line(format_args!("build e_system_dif 3 e_system_nif"));
                self.code.drop(3, 0);
                return self.code.push_node(ty, State::Lazy);
            }
            _ => {
                if self.selector(ty, depth - 1) {
                    return;
                }
            }
        }
        self.node(ty, depth - 1);
    }

    /// A thunk of a function.
    fn thunk(&mut self, function: &Function, depth: usize) {
        let (id, count) = (function.id, function.parameters.len());
        if self.rng.chance(35) {
            self.parameter_parts(function, 0, depth);
            let layout = self.arguments(function);
            self.code.line(format_args!("build_u _ {} {} nu{id}", layout.a.len(), layout.b.len()));
            self.code.drop(layout.a.len(), layout.b.len());
        } else {
            self.parameter_nodes(function, 0, count, depth);
            let descriptor = if self.rng.chance(50) { format!("d{id}") } else { "_".into() };
            self.code.line(format_args!("build {descriptor} {count} n{id}"));
            self.code.drop(count, 0);
        }
        self.code.push_node(function.shape.ty, State::Lazy);
    }

    /// A thunk that selects a component of a tuple or a field of a record.
    fn selector(&mut self, ty: Ty, depth: usize) -> bool {
        let has = |def: &Def| match def {
            Def::Tuple(types) => types.contains(&ty),
            Def::Record(_, fields) => fields.iter().any(|field| field.ty == ty && !field.strict),
            _ => false,
        };
        let all = self.types.of(has);
        if all.is_empty() {
            return false;
        }
        let from = self.rng.pick(&all);
        self.lazy(from, depth);
        match self.types.def(from) {
            Def::Tuple(types) => {
                let at = types.iter().position(|&part| part == ty).expect("just seen") + 1;
                self.code.line(format_args!("build d_S.{at} -1 n_S.{at}"));
            }
            Def::Record(id, fields) => {
                let at = fields.iter().position(|field| field.ty == ty && !field.strict).expect("just seen");
                self.code.line(format_args!("build sd{id}.{at} -4 sn{id}.{at}"));
            }
            _ => unreachable!("only these have parts"),
        }
        self.code.drop(1, 0);
        self.code.push_node(ty, State::Lazy);
        true
    }

    /// An evaluated node.
    pub fn node(&mut self, ty: Ty, depth: usize) {
        if self.rng.chance(25) {
            self.lazy(ty, depth.saturating_sub(1));
            let top = self.code.a.len() - 1;
            return self.code.evaluate(top);
        }
        self.node_of(ty, depth);
    }

    /// A node made here.
    pub fn node_of(&mut self, ty: Ty, depth: usize) {
        let less = depth.saturating_sub(1);
        match self.types.def(ty).clone() {
            Def::List(element) => {
                if depth == 0 || self.rng.chance(25) {
                    self.code.line(format_args!("buildh _Nil 0"));
                } else {
                    self.lazy(ty, less);
                    self.lazy(element, less);
                    self.code.line(format_args!("buildh _Cons 2"));
                    self.code.drop(2, 0);
                }
            }
            Def::Cells(base) => {
                if depth == 0 || self.rng.chance(25) {
                    self.code.line(format_args!("buildh _Nil 0"));
                } else {
                    self.lazy(ty, less);
                    self.base(base, less);
                    self.code.line(format_args!("buildhr _Cons{} 1 1", base.letter()));
                    self.code.drop(1, 1);
                }
            }
            Def::Data(constructors) => {
                let at = if depth == 0 { 0 } else { self.rng.below(constructors.len()) };
                return self.construct(ty, &constructors[at], less);
            }
            Def::Function(from, to) => self.closure(1, less, |function| {
                let last = function.parameters.last();
                function.kind == Kind::Fueled
                    && function.parameters.len() > 1
                    && function.shape.ty == to
                    && last.is_some_and(|field| field.ty == from)
            }),
            Def::Member(parameters, result) => {
                let same = |own: &[Field]| {
                    own.len() == parameters.len()
                        && own.iter().zip(&parameters).all(|(a, b)| (a.ty, a.strict) == (b.ty, b.strict))
                };
                self.closure(parameters.len(), less, |function| {
                    function.kind == Kind::Member
                        && function.shape.ty == result
                        && function.parameters.len() >= parameters.len()
                        && same(&function.parameters[function.parameters.len() - parameters.len()..])
                });
            }
            Def::Stream(element) => return self.stream(ty, element, less),
            _ => {
                self.strict(ty, depth);
                return self.code.wrap(self.types, ty);
            }
        }
        self.code.push_node(ty, State::Evaluated);
    }

    /// A function that lacks some arguments.
    fn closure(&mut self, lacking: usize, depth: usize, wanted: impl Fn(&Function) -> bool) {
        let found: Vec<&Function> = self.functions.iter().filter(|function| wanted(function)).collect();
        let function = found[self.rng.below(found.len())].clone();
        let held = function.parameters.len() - lacking;
        self.parameter_nodes(&function, 0, held, depth);
        self.code.line(format_args!("buildh d{} {held}", function.id));
        self.code.drop(held, 0);
    }

    pub fn construct(&mut self, ty: Ty, constructor: &Constructor, depth: usize) {
        let layout = self.types.fields_layout(&constructor.fields);
        let (nodes, words) = (layout.a.len(), layout.b.len());
        self.fields(&constructor.fields, depth);
        let id = constructor.id;
        if !constructor.strict {
            self.code.line(format_args!("buildh dc{id} {nodes}"));
            self.code.drop(nodes, words);
        } else if self.rng.chance(30) {
            // Copied from where they are.
            self.code.line(format_args!("build_r k{id} {nodes} {words} 0 0"));
            if nodes > 0 {
                self.code.line(format_args!("updatepop_a 0 {nodes}"));
            }
            if words > 0 {
                self.code.line(format_args!("pop_b {words}"));
            }
            self.code.drop(nodes, words);
        } else {
            self.code.line(format_args!("buildhr k{id} {nodes} {words}"));
            self.code.drop(nodes, words);
        }
        self.code.push_node(ty, State::Evaluated);
    }

    /// The parts of fields, the last one first.
    pub fn fields(&mut self, fields: &[Field], depth: usize) {
        for &field in fields.iter().rev() {
            let boxed = matches!(self.types.def(field.ty), Def::Tuple(_) | Def::Record(..));
            match field.strict {
                true if boxed => self.node(field.ty, depth),
                true => self.strict(field.ty, depth),
                false => self.lazy(field.ty, depth),
            }
        }
    }

    /// A cyclic list: the cell exists before what it holds.
    fn stream(&mut self, ty: Ty, element: Ty, depth: usize) {
        self.code.line(format_args!("create"));
        self.code.push_node(Ty(usize::MAX), State::Lazy);
        self.code.line(format_args!("push_a 0"));
        self.code.push_node(Ty(usize::MAX), State::Lazy);
        for _ in 0..self.rng.below(3) {
            self.lazy(element, depth);
            self.code.line(format_args!("buildh _Cons 2"));
            self.code.drop(1, 0);
        }
        self.lazy(element, depth);
        self.code.line(format_args!("fillh _Cons 2 2"));
        self.code.drop(3, 0);
        self.code.push_node(ty, State::Evaluated);
    }

    /// The parts of a strict value.
    pub fn strict(&mut self, ty: Ty, depth: usize) {
        if depth > 0 && self.rng.chance(25) && self.computed(ty, depth - 1) {
            return;
        }
        match self.types.def(ty).clone() {
            Def::Base(base) => self.base(base, depth),
            Def::Tuple(all) if depth > 0 && self.rng.chance(60) => {
                all.iter().rev().for_each(|&part| self.lazy(part, depth - 1));
            }
            Def::Record(_, fields) if depth > 0 && self.rng.chance(60) => self.fields(&fields, depth - 1),
            Def::Tuple(_) | Def::Record(..) => {
                self.lazy(ty, depth);
                self.open(ty);
            }
            _ if self.types.is_object(ty) => self.object(ty, depth),
            _ => self.node(ty, depth),
        }
    }

    /// Evaluates the node on top, which becomes its parts.
    pub fn open(&mut self, ty: Ty) {
        let (nodes, words) = (self.code.a.len() - 1, self.code.b.len());
        self.code.evaluate(nodes);
        let layout = self.types.strict(ty);
        match self.types.def(ty) {
            Def::Tuple(all) if self.rng.chance(70) => {
                self.code.line(format_args!("repl_args {0} {0}", all.len()));
                self.code.drop(1, 0);
                self.code.push(&layout);
            }
            Def::Record(..) if self.rng.chance(70) => {
                self.code.line(format_args!("repl_r_args {} {}", layout.a.len(), layout.b.len()));
                self.code.drop(1, 0);
                self.code.push(&layout);
            }
            _ => {
                self.code.unwrap(self.types, ty, nodes);
                let keep = (layout.a.len(), layout.b.len());
                if keep.0 == 0 {
                    self.code.line(format_args!("pop_a 1"));
                    self.code.drop(1, 0);
                } else {
                    self.code.settle(keep, (nodes, words));
                }
            }
        }
    }

    /// Parts that a call leaves: of a function, a closure, a member of a class.
    fn computed(&mut self, ty: Ty, depth: usize) -> bool {
        match self.rng.below(4) {
            0 if self.code.calls > 0 => {
                let all = self.types.of(|def| matches!(def, Def::Function(_, result) if *result == ty));
                if all.is_empty() {
                    return false;
                }
                self.code.calls -= 1;
                let function = self.rng.pick(&all);
                let Def::Function(from, _) = *self.types.def(function) else { unreachable!("just seen") };
                self.lazy(from, depth);
                self.node(function, depth);
                self.code.line(format_args!("jsr_ap 1"));
                self.code.drop(2, 0);
                self.code.push_node(ty, State::Evaluated);
                self.open(ty);
            }
            1 if self.code.calls > 0 => {
                let all = self.types.of(|def| matches!(def, Def::Member(_, result) if *result == ty));
                if all.is_empty() {
                    return false;
                }
                self.code.calls -= 1;
                let member = self.rng.pick(&all);
                self.call_member(member, false, depth);
            }
            _ => {
                let Some(function) = self.callable(|function| function.shape.ty == ty) else { return false };
                self.call(&function, depth);
            }
        }
        true
    }

    /// Two ways to a value, that meet.
    pub fn either(&mut self, depth: usize, mut value: impl FnMut(&mut Self, usize)) {
        let (no, end) = (self.label(), self.label());
        self.base(Base::Bool, depth);
        self.code.line(format_args!("jmp_false else.{no}"));
        self.code.drop(0, 1);
        let (a, b) = (self.code.a.clone(), self.code.b.clone());
        value(self, depth);
        self.code.line(format_args!("jmp m.{end}"));
        let met = std::mem::replace(&mut self.code.a, a);
        self.code.b = b;
        self.code.directive(format_args!("else.{no}"));
        value(self, depth);
        self.code.directive(format_args!("m.{end}"));
        self.code.meet(&met);
    }
}
