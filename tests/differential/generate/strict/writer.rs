//! The state of writing one function of a strict program as IR text: lines, names, what is in scope; and how values of
//! each type are found, made and printed.

use super::types::{Constructor, Element, Form, Gives, Plan, Ty};
use crate::roots::Rng;
use cleave_ir::layout::{IMMEDIATE_MAX, IMMEDIATE_MIN};
use std::fmt::Write as _;

/// A value, by its number, and its type.
pub type Named = (usize, Ty);

pub struct Writer<'p> {
    pub rng: &'p mut Rng,
    pub plan: &'p Plan,
    pub out: String,
    values: usize,
    blocks: usize,
    pub scope: Vec<Named>,
    /// The first function that may be called.
    pub level: usize,
    /// How many calls of other functions it may have.
    pub calls: usize,
    /// Code of a closure or a member, which is called from everywhere: it calls nothing that could call it.
    pub is_last: bool,
    /// Depth of cells that are made for the fields of others.
    depth: usize,
}

const WORDS: [i64; 16] = [0, 0, 1, 1, 2, 3, 7, -1, -2, 63, 255, 256, 1 << 31, (1 << 33) + 5, i64::MIN, i64::MAX];
const NARROWS: [i32; 9] = [0, 1, 1, 2, -1, 31, 255, i32::MIN, i32::MAX];
const REALS: [&str; 9] = ["0.0", "-0.0", "1.0", "-1.5", "0.5", "0.1", "3.0", "1e300", "5e-324"];

impl<'p> Writer<'p> {
    /// Begins a function; its parameters are in scope, as `v0` and so on.
    pub fn begin(
        rng: &'p mut Rng,
        plan: &'p Plan,
        name: &str,
        params: &[Ty],
        results: &[Ty],
        attributes: &str,
    ) -> Writer<'p> {
        let scope: Vec<Named> = params.iter().copied().enumerate().collect();
        let typed = typed(&scope);
        let list: Vec<&str> = results.iter().map(|ty| ty.ir()).collect();
        let arrow = if list.is_empty() { String::new() } else { format!(" -> {}", list.join(", ")) };
        let block = if typed.is_empty() { String::new() } else { format!("({typed})") };
        let out = format!("\nfunc @{name}({typed}){arrow}{attributes} {{\nblock0{block}:\n");
        Writer { rng, plan, out, values: params.len(), blocks: 1, scope, level: 0, calls: 3, is_last: false, depth: 0 }
    }
    pub fn end(mut self) -> String {
        self.out += "}\n";
        self.out
    }

    pub fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "  {text}");
    }
    /// An instruction with one result.
    pub fn value(&mut self, text: &str) -> usize {
        let name = self.name();
        let _ = writeln!(self.out, "  v{name} = {text}");
        name
    }
    /// The same, and the result is in scope.
    pub fn add(&mut self, ty: Ty, text: &str) -> usize {
        if let Some(results) = self.delimited(&[ty], text).or_else(|| self.handled(&[ty], text)) {
            return results[0];
        }
        let name = self.value(text);
        let name = self.performed(ty, name);
        self.scope.push((name, ty));
        name
    }
    /// A call; its results are in scope.
    pub fn results(&mut self, types: &[Ty], text: &str) -> Vec<usize> {
        if let Some(results) = self.delimited(types, text).or_else(|| self.handled(types, text)) {
            return results;
        }
        let names: Vec<usize> = types.iter().map(|_| self.name()).collect();
        let left = if names.is_empty() { String::new() } else { format!("{} = ", list(&names)) };
        self.line(&format!("{left}{text}"));
        self.scope.extend(names.iter().copied().zip(types.iter().copied()));
        names
    }
    pub fn name(&mut self) -> usize {
        self.values += 1;
        self.values - 1
    }
    pub fn block(&mut self) -> usize {
        self.blocks += 1;
        self.blocks - 1
    }
    /// Continues in a block without parameters.
    pub fn label(&mut self, block: usize) {
        let _ = writeln!(self.out, "block{block}:");
    }
    /// Continues in a block with parameters, which are in scope.
    pub fn label_with(&mut self, block: usize, types: &[Ty]) -> Vec<usize> {
        let params: Vec<Named> = types.iter().map(|&ty| (self.name(), ty)).collect();
        let list = if params.is_empty() { String::new() } else { format!("({})", typed(&params)) };
        let _ = writeln!(self.out, "block{block}{list}:");
        self.scope.extend(&params);
        params.into_iter().map(|param| param.0).collect()
    }

    pub fn word(&mut self, n: i64) -> usize {
        self.value(&format!("iconst.i64 {n}"))
    }
    pub fn narrow(&mut self, n: i32) -> usize {
        self.value(&format!("iconst.i32 {n}"))
    }
    pub fn both(&mut self, op: &str, left: usize, right: usize) -> usize {
        self.value(&format!("{op} v{left}, v{right}"))
    }
    /// A number between 0 and a mask.
    pub fn masked(&mut self, value: usize, mask: i64) -> usize {
        let mask = self.word(mask);
        self.both("and", value, mask)
    }
    /// A condition.
    pub fn truth(&mut self) -> usize {
        let word = self.operand(Ty::Word);
        match self.rng.below(3) {
            0 => {
                let bit = self.masked(word, 1);
                self.value(&format!("eqz v{bit}"))
            }
            1 => self.operand(Ty::Narrow),
            _ => {
                let other = self.operand(Ty::Word);
                let op = self.rng.pick(&["slt", "eq", "ne", "ule"]);
                self.both(op, word, other)
            }
        }
    }
    pub fn call_rt(&mut self, name: &str, args: &[usize]) -> usize {
        self.value(&format!("call_rt {name}({})", list(args)))
    }
    pub fn effect(&mut self, name: &str, args: &[usize]) {
        self.line(&format!("call_rt {name}({})", list(args)));
    }
    /// The name of a function for strings of the heap.
    pub fn text_row(&self, name: &str) -> String {
        if self.plan.is_rc() { format!("rc_{name}") } else { name.into() }
    }

    /// A value in scope, rather a late one; perhaps a new one.
    pub fn operand(&mut self, ty: Ty) -> usize {
        let known: Vec<usize> = self.scope.iter().filter(|named| named.1 == ty).map(|named| named.0).collect();
        if !known.is_empty() && self.rng.chance(85) {
            return known[known.len() - 1 - self.rng.below(known.len().min(4))];
        }
        let value = self.make(ty);
        self.scope.push((value, ty));
        value
    }
    pub fn operands(&mut self, types: &[Ty]) -> Vec<usize> {
        types.iter().map(|&ty| self.operand(ty)).collect()
    }
    pub fn find(&mut self, wanted: impl Fn(Ty) -> bool) -> Option<Named> {
        let known: Vec<Named> = self.scope.iter().copied().filter(|named| wanted(named.1)).collect();
        (!known.is_empty()).then(|| self.rng.pick(&known))
    }

    /// A new value, without recursion over types.
    pub fn make(&mut self, ty: Ty) -> usize {
        if ty.is_ref() && self.rng.chance(30) {
            let plan = self.plan;
            let fixed: Vec<usize> = (0..plan.fixed.len()).filter(|&i| plan.fixed[i].ty == ty).collect();
            if !fixed.is_empty() {
                let number = self.rng.pick(&fixed);
                let op = if ty == Ty::Text { "static" } else { "static_node" };
                return self.value(&format!("{op} static{number}"));
            }
        }
        match ty {
            Ty::Word => {
                let n = self.rng.pick(&WORDS);
                self.word(n)
            }
            Ty::Narrow => {
                let n = self.rng.pick(&NARROWS);
                self.narrow(n)
            }
            Ty::Real => {
                let x = self.rng.pick(&REALS);
                self.value(&format!("fconst {x}"))
            }
            Ty::Int if self.plan.immediates && self.rng.chance(70) => self.make_immediate(),
            Ty::Int if self.rng.chance(50) => {
                let n = self.rng.pick(&[0, 1, 1, 7, -1, -128, 255]);
                self.value(&format!("small_int {n}"))
            }
            Ty::Int => {
                let word = self.operand(Ty::Word);
                self.value(&format!("box.int v{word}"))
            }
            Ty::Number => {
                let real = self.operand(Ty::Real);
                self.value(&format!("build $REAL/0 v{real}"))
            }
            Ty::Letter => {
                let word = self.operand(Ty::Word);
                let letter = self.masked(word, 127);
                self.value(&format!("box.char v{letter}"))
            }
            Ty::Truth => {
                let word = self.operand(Ty::Word);
                let truth = self.masked(word, 1);
                self.value(&format!("box.bool v{truth}"))
            }
            Ty::Text => {
                let number = self.rng.below(3);
                self.value(&format!("static static{number}"))
            }
            Ty::Data(number) => {
                let constructor = &self.plan.types[number].constructors[0];
                self.construct(constructor)
            }
            Ty::Array(element) => self.make_array(element),
            Ty::Vec(kind) => self.make_vec(kind),
            Ty::Closure(missing, gives) => self.make_closure(missing, gives),
            Ty::Cell => {
                let plan = self.plan;
                let cell = plan.cell.as_ref().unwrap_or_else(|| panic!("a program without cells"));
                self.construct(cell)
            }
            Ty::Object(class) => {
                let plan = self.plan;
                let number = self.rng.below(plan.classes[class].objects.len());
                self.construct(&plan.classes[class].objects[number])
            }
        }
    }

    /// The word of a boxed value. In programs with immediates an integer may be one.
    pub fn unboxed(&mut self, value: usize, ty: Ty) -> usize {
        match ty {
            Ty::Int if self.plan.immediates => self.value(&format!("call @integer(v{value})")),
            _ => self.value(&format!("get.i64 v{value} (0, 1) 0")),
        }
    }

    /// An integer that is an immediate: for sure, or if it fits.
    fn make_immediate(&mut self) -> usize {
        if self.rng.chance(50) {
            let n = self.rng.pick(&[0, 1, -1, 7, 255, IMMEDIATE_MAX, IMMEDIATE_MIN]);
            let word = self.word(n);
            return self.value(&format!("int_ref v{word}"));
        }
        let word = self.operand(Ty::Word);
        self.value(&format!("call @immediate(v{word})"))
    }

    /// A cell with what is found for its fields, or an atom.
    pub fn construct(&mut self, constructor: &Constructor) -> usize {
        if constructor.form == Form::Atom {
            return self.value(&format!("node ${}", constructor.label));
        }
        // In programs of constants equal cells are met.
        let constant = self.rng.chance(30);
        let field = |ty: &Ty, this: &mut Self| if constant { this.make(*ty) } else { this.operand(*ty) };
        self.depth += 1;
        let fields: Vec<usize> = constructor.fields.iter().map(|ty| field(ty, self)).collect();
        self.depth -= 1;
        self.build(constructor, &fields)
    }
    pub fn build(&mut self, constructor: &Constructor, fields: &[usize]) -> usize {
        let value = self.value(&format!("build {} {}", constructor.node_info(), list(fields)));
        if self.plan.writes && !constructor.immutable && !constructor.is_known && self.rng.chance(15) {
            self.write(constructor, value);
        }
        value
    }
    /// A new cell, which nobody else knows, gets another field.
    fn write(&mut self, constructor: &Constructor, cell: usize) {
        let field = self.rng.below(constructor.fields.len());
        let ty = constructor.fields[field];
        let known: Vec<usize> = self.scope.iter().filter(|named| named.1 == ty).map(|named| named.0).collect();
        if !known.is_empty() {
            let value = self.rng.pick(&known);
            let (shape, place) = (constructor.shape(), constructor.place(field));
            self.line(&format!("set.{} v{cell}, v{value} {shape} {place}", ty.ir()));
        }
    }
    /// A field of a cell.
    pub fn get(&mut self, constructor: &Constructor, cell: usize, field: usize) -> usize {
        let (shape, place, ty) = (constructor.shape(), constructor.place(field), constructor.fields[field]);
        self.value(&format!("get.{} v{cell} {shape} {place}", ty.ir()))
    }

    fn make_closure(&mut self, missing: u32, gives: Gives) -> usize {
        if (missing, gives) == (1, Gives::Int) && (self.is_last || self.depth > 2) {
            return self.value("node $last");
        }
        let plan = self.plan;
        let fits = |number: &usize| plan.closures[*number].missing >= missing && plan.closures[*number].gives == gives;
        let fitting: Vec<usize> = (0..plan.closures.len()).filter(fits).collect();
        // The plan asks for no closure that nothing can be.
        let number = self.rng.pick(&fitting);
        let closure = &plan.closures[number];
        self.depth += 1;
        let mut applied_args: Vec<usize> = self.operands(&closure.applied_args);
        self.depth -= 1;
        applied_args.extend((missing..closure.missing).map(|_| self.operand(Ty::Int)));
        match applied_args.len() {
            0 => self.value(&format!("node ${}", closure.label)),
            count => self.value(&format!("build ${}/{count} {}", closure.label, list(&applied_args))),
        }
    }

    /// Shows a value, all that can be seen of it.
    pub fn print(&mut self, value: usize, ty: Ty) {
        match ty {
            Ty::Word => self.line(&format!("call @print_word(v{value})")),
            Ty::Narrow => {
                let word = self.value(&format!("extend_s v{value}"));
                self.print(word, Ty::Word);
            }
            Ty::Real => self.line(&format!("call @print_number(v{value})")),
            Ty::Int | Ty::Letter | Ty::Truth => {
                let word = self.unboxed(value, ty);
                self.print(word, Ty::Word);
            }
            Ty::Number => {
                let real = self.value(&format!("get.f64 v{value} (0, 1) 0"));
                self.print(real, Ty::Real);
            }
            Ty::Text => {
                let node_info = self.text_row("print_string");
                self.effect(&node_info, &[value]);
            }
            Ty::Data(number) => {
                let fuel = self.word(40);
                self.value(&format!("call @show{number}(v{value}, v{fuel})"));
            }
            Ty::Closure(missing, _) => {
                let args: Vec<usize> = (0..missing).map(|_| self.make(Ty::Int)).collect();
                self.apply_and_print(value, ty, &args);
            }
            Ty::Vec(kind) => self.line(&format!("call @vec.{}(v{value})", kind.name())),
            Ty::Array(element) => {
                let size = self.value(&format!("array_size v{value}"));
                self.print(size, Ty::Word);
                let zero = self.word(0);
                let (value, ty) = self.element(value, element, zero);
                if !matches!(ty, Ty::Array(_)) {
                    self.print(value, ty);
                }
            }
            Ty::Cell => {
                let plan = self.plan;
                if let Some(cell) = &plan.cell {
                    for (field, &ty) in cell.fields.iter().enumerate() {
                        let value = self.get(cell, value, field);
                        self.print(value, ty);
                    }
                }
            }
            Ty::Object(class) => {
                // Its parameters are numbers and data of the first type.
                let class_type = &self.plan.classes[class];
                let args: Vec<usize> = class_type.params.iter().map(|&ty| self.make(ty)).collect();
                let args: Vec<usize> = [vec![value], args].concat();
                let names: Vec<usize> = class_type.results.iter().map(|_| self.name()).collect();
                self.line(&format!("{} = call_method %c{class}({})", list(&names), list(&args)));
                for (name, ty) in names.into_iter().zip(class_type.results.clone()) {
                    match ty {
                        // Showing data shows objects.
                        Ty::Data(_) => {}
                        ty => self.print(name, ty),
                    }
                }
            }
        }
    }
    fn apply_and_print(&mut self, closure: usize, ty: Ty, args: &[usize]) {
        let result = self.value(&format!("apply v{closure}, {}", list(args)));
        match ty {
            Ty::Closure(_, Gives::Closure) => {
                let one = self.make(Ty::Int);
                self.apply_and_print(result, Ty::Closure(1, Gives::Int), &[one]);
            }
            _ => self.print(result, Ty::Int),
        }
    }
    /// An element of an array at an index that exists.
    pub fn element(&mut self, array: usize, element: Element, index: usize) -> Named {
        let (op, stride, ty) = element_access(element);
        let value = self.value(&format!("elem.{op} v{array}, v{index} stride {stride} at 12"));
        (value, ty)
    }
}

/// The ending of the opcodes, the bytes of an element, and its type outside.
pub fn element_access(element: Element) -> (&'static str, u32, Ty) {
    match element {
        Element::Data(number) => ("ref", 4, Ty::Data(number)),
        Element::Int => ("ref", 4, Ty::Int),
        Element::Word => ("i64", 8, Ty::Word),
        Element::Real => ("f64", 8, Ty::Real),
        Element::Truth => ("u8", 1, Ty::Word),
        Element::Word32 => ("i32", 4, Ty::Word),
        Element::Real32 => ("f32", 4, Ty::Real),
    }
}

/// `v1, v2`
pub fn list(names: &[usize]) -> String {
    names.iter().map(|name| format!("v{name}")).collect::<Vec<_>>().join(", ")
}
/// `v1: i64, v2: ref`
fn typed(named: &[Named]) -> String {
    named.iter().map(|(name, ty)| format!("v{name}: {}", ty.ir())).collect::<Vec<_>>().join(", ")
}
