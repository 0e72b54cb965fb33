//! Generates the start function of a program, which prints the value of `main`; as IR, so that a program holds no more
//! of it than its types need, and so that it works on every heap.
//!
//! Of a type `T` with cells there are up to four functions:
//!
//! | function | what it does |
//! | --- | --- |
//! | `T.show(value, brackets, failed)` | prints a value, then closing brackets |
//! | `T.tail(value)` | the value is the atom 0, or a cell that looks like a list |
//! | `T.items(value)` | prints the elements of such a cell, without brackets |
//! | `T.is_atom(value)` | the value is an atom |
//!
//! A cell looks like a list if it has two fields, the first is an integer or an atom, and the second is 0 or again such
//! a cell. The last field of a cell is printed in a tail call that takes the brackets along, so that long lists need no
//! stack. `failed` says that a cell is known not to look like a list because the cell around it does not and its first
//! field is not to blame: so no cell is looked at more than twice.

use cleave_ir::module::StaticData;
use cleave_ir::runtime::Callee;
use cleave_ir::{
    Block, Builder, Func, FuncId, LibcallSignature, Module, Opcode, Signature, Static, Type as IrType, Value, libcalls,
};
use cleave_strict::core_ir::{FunctionId, Program, Type, TypeId};
use cleave_strict::data::{ConstructorLayout, Data, Layout};
use cleave_strict::{Translated, choose};
use std::collections::BTreeMap;

/// How the value of `main` is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Print {
    /// Atoms as numbers, lists in brackets, other cells as `[A: 1, 2]`.
    #[default]
    Values,
    /// As the program would write it: `Cons(1, Nil)`.
    Constructors,
}

/// Functions of a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Show,
    Tail,
    Items,
    IsAtom,
    /// Of a type of atoms: prints the name of one.
    Name,
}

/// Adds the start function, and what it needs.
pub fn start(program: &Program, main: FunctionId, translated: &mut Translated, print: Print) {
    let Translated { module, data, functions } = translated;
    let results = &program.functions[main].results;
    let main = functions[main];
    let close = module.funcs.push(Func::default());
    let mut show =
        Show { module, data, program, print, parts: BTreeMap::new(), open: Vec::new(), texts: BTreeMap::new(), close };
    let mut func = Func::new(".start", Signature::default());
    let entry = func.new_block();
    let mut b = Builder::new(&mut func, entry);
    let call = b.call(main, &[], &data.ir_types(results));
    let values = b.func.results(call).to_vec();
    let is_tuple = results.len() != 1;
    if is_tuple {
        show.text(&mut b, "(");
    }
    for (index, (&ty, &value)) in results.iter().zip(&values).enumerate() {
        if index > 0 {
            show.text(&mut b, ", ");
        }
        show.value(&mut b, ty, value);
    }
    show.text(&mut b, if is_tuple { ")\n" } else { "\n" });
    b.ret(&[]);
    while let Some((part, ty, id)) = show.open.pop() {
        let func = show.part(part, ty);
        show.module.funcs[id] = func;
    }
    show.module.funcs[close] = show.closing();
    let start = show.module.funcs.push(func);
    show.module.start = Some(start);
}

struct Show<'s> {
    module: &'s mut Module,
    data: &'s Data,
    program: &'s Program,
    print: Print,
    parts: BTreeMap<(Part, TypeId), FuncId>,
    /// Functions that are used and not yet made.
    open: Vec<(Part, TypeId, FuncId)>,
    texts: BTreeMap<String, Static>,
    /// Prints a number of closing brackets.
    close: FuncId,
}

/// Whether a value is an integer or an atom.
enum Simple {
    Always,
    Never,
    If(Value),
}

impl Show<'_> {
    fn callee(&mut self, row: &'static LibcallSignature) -> Callee<'static> {
        Callee::of(self.module.declare(row), row)
    }

    fn text(&mut self, b: &mut Builder, text: &str) {
        let found = self.texts.get(text).copied();
        let text = found.unwrap_or_else(|| {
            let made = self.module.statics.push(StaticData::Text(text.as_bytes().into()));
            self.texts.insert(text.to_string(), made);
            made
        });
        let address = b.text(text);
        let print = self.callee(&libcalls::PRINT_TEXT);
        b.call_extern(print, &[address]);
    }

    fn number(&mut self, b: &mut Builder, number: Value) {
        let print = self.callee(&libcalls::PRINT_INT);
        b.call_extern(print, &[number]);
    }

    /// The function of a type.
    fn func(&mut self, part: Part, ty: TypeId) -> FuncId {
        if let Some(&id) = self.parts.get(&(part, ty)) {
            return id;
        }
        let id = self.module.funcs.push(Func::default());
        self.parts.insert((part, ty), id);
        self.open.push((part, ty, id));
        id
    }

    fn layout(&self, ty: Type) -> Option<(TypeId, &[ConstructorLayout])> {
        let Type::Data(id) = ty else { return None };
        match &self.data.layouts[id] {
            Layout::Cells(shapes) => Some((id, shapes)),
            Layout::NullaryConstructors => None,
        }
    }

    fn field_types(&self, ty: TypeId, number: usize) -> Vec<Type> {
        self.program.types[ty].constructors[number].fields.clone()
    }

    /// Prints a value.
    fn value(&mut self, b: &mut Builder, ty: Type, value: Value) {
        match (ty, self.layout(ty)) {
            (_, Some((id, _))) => {
                let none = b.iconst64(0);
                let args = self.show_args(b, value, none, None);
                let func = self.func(Part::Show, id);
                b.call(func, &args, &[]);
            }
            (Type::Int, None) => {
                let shift = b.iconst64(i64::from(self.data.shift));
                let number = b.op(Opcode::Sshr, &[value, shift]);
                self.number(b, number);
            }
            (Type::Data(_), None) if self.print == Print::Values => {
                let number = b.op(Opcode::ExtendU, &[value]);
                self.number(b, number);
            }
            (Type::Data(id), None) => {
                let func = self.func(Part::Name, id);
                b.call(func, &[value], &[]);
            }
            (Type::Unit | Type::Str | Type::Function | Type::Reference, None) => {
                unreachable!("the language has no such values")
            }
        }
    }

    fn show_args(&self, b: &mut Builder, value: Value, brackets: Value, failed: Option<Value>) -> Vec<Value> {
        match self.print {
            Print::Values => vec![value, brackets, failed.unwrap_or_else(|| b.iconst32(0))],
            Print::Constructors => vec![value, brackets],
        }
    }

    /// Prints the last field of a cell and the brackets after it, and ends the function.
    fn last(&mut self, b: &mut Builder, ty: Type, value: Value, brackets: Value, failed: Option<Value>) {
        let one = b.iconst64(1);
        let brackets = b.op(Opcode::Iadd, &[brackets, one]);
        match self.layout(ty) {
            Some((id, _)) => {
                let args = self.show_args(b, value, brackets, failed);
                let func = self.func(Part::Show, id);
                b.tail_call(func, &args);
            }
            None => {
                self.value(b, ty, value);
                b.tail_call(self.close, &[brackets]);
            }
        }
    }

    fn simple(&mut self, b: &mut Builder, ty: Type, value: Value) -> Simple {
        let Some((id, shapes)) = self.layout(ty) else { return Simple::Always };
        if shapes.iter().all(|shape| !shape.places.is_empty()) {
            return Simple::Never;
        }
        let func = self.func(Part::IsAtom, id);
        Simple::If(b.call_value(func, &[value], IrType::I32))
    }

    fn part(&mut self, part: Part, ty: TypeId) -> Func {
        let name = &self.program.types[ty].name;
        let (name, params, results) = match part {
            Part::Show if self.print == Print::Values => {
                (format!("{name}.show"), vec![IrType::Ref, IrType::I64, IrType::I32], vec![])
            }
            Part::Show => (format!("{name}.show"), vec![IrType::Ref, IrType::I64], vec![]),
            Part::Tail => (format!("{name}.tail"), vec![IrType::Ref], vec![IrType::I32]),
            Part::Items => (format!("{name}.items"), vec![IrType::Ref], vec![]),
            Part::IsAtom => (format!("{name}.is_atom"), vec![IrType::Ref], vec![IrType::I32]),
            Part::Name => (format!("{name}.name"), vec![IrType::I32], vec![]),
        };
        let mut func = Func::new(name, Signature::new(&params, &results));
        let entry = func.new_block();
        let params: Vec<Value> = params.iter().map(|&ty| func.add_param(entry, ty)).collect();
        let count = self.program.types[ty].constructors.len();
        let mut b = Builder::new(&mut func, entry);
        let blocks: Vec<Block> = (0..count).map(|_| b.func.new_block()).collect();
        let cases = (0..).zip(blocks.iter().copied()).collect();
        choose(&mut b, self.data, params[0], Type::Data(ty), cases, None);
        for (number, block) in blocks.into_iter().enumerate() {
            b.switch_to(block);
            let data = self.data;
            let shape = match &data.layouts[ty] {
                Layout::Cells(shapes) => Some(&shapes[number]).filter(|shape| !shape.places.is_empty()),
                Layout::NullaryConstructors => None,
            };
            match (part, shape) {
                (Part::Show, None) => {
                    self.atom(&mut b, ty, number);
                    b.tail_call(self.close, &[params[1]]);
                }
                (Part::Name, _) => {
                    self.atom(&mut b, ty, number);
                    b.ret(&[]);
                }
                (Part::Show, Some(shape)) => self.show_cell(&mut b, ty, number, shape, &params),
                (Part::IsAtom, shape) => constant(&mut b, shape.is_none()),
                (Part::Tail, None) => constant(&mut b, number == 0),
                (Part::Tail, Some(shape)) => self.tail_cell(&mut b, ty, number, shape, params[0]),
                (Part::Items, None) => b.ret(&[]),
                (Part::Items, Some(shape)) => self.items_cell(&mut b, ty, number, shape, params[0]),
            }
        }
        func
    }

    fn atom(&mut self, b: &mut Builder, ty: TypeId, number: usize) {
        match self.print {
            Print::Values => {
                let number = b.iconst64(number as i64);
                self.number(b, number);
            }
            Print::Constructors => {
                let name = self.program.types[ty].constructors[number].name.clone();
                self.text(b, &name);
            }
        }
    }

    fn show_cell(&mut self, b: &mut Builder, ty: TypeId, number: usize, shape: &ConstructorLayout, params: &[Value]) {
        let fields = self.field_types(ty, number);
        let data = self.data;
        let (cell, brackets) = (params[0], params[1]);
        let mut failed = None;
        if let (Print::Values, [first, _]) = (self.print, &fields[..]) {
            let value = data.field(b, shape, 0, cell);
            let simple = self.simple(b, *first, value);
            if !matches!(simple, Simple::Never) {
                let (test, list, plain) = (b.func.new_block(), b.func.new_block(), b.func.new_block());
                b.br_if(params[2], (plain, &[]), (test, &[]));
                b.switch_to(test);
                let tail = self.func(Part::Tail, ty);
                let is_list = b.call_value(tail, &[cell], IrType::I32);
                b.br_if(is_list, (list, &[]), (plain, &[]));
                b.switch_to(list);
                self.text(b, "[");
                let items = self.func(Part::Items, ty);
                b.call(items, &[cell], &[]);
                let one = b.iconst64(1);
                let brackets = b.op(Opcode::Iadd, &[brackets, one]);
                b.tail_call(self.close, &[brackets]);
                b.switch_to(plain);
                failed = match simple {
                    Simple::If(value) => Some(value),
                    _ => Some(b.iconst32(1)),
                };
            }
        }
        let name = &self.program.types[ty].constructors[number].name;
        let opening = match self.print {
            Print::Values => format!("[{}: ", letter(number)),
            Print::Constructors => format!("{name}("),
        };
        self.text(b, &opening);
        for (index, &field) in fields.iter().enumerate() {
            let value = data.field(b, shape, index, cell);
            if index + 1 == fields.len() {
                return self.last(b, field, value, brackets, failed);
            }
            self.value(b, field, value);
            self.text(b, ", ");
        }
    }

    fn tail_cell(&mut self, b: &mut Builder, ty: TypeId, number: usize, shape: &ConstructorLayout, cell: Value) {
        let [first, second] = self.field_types(ty, number)[..] else { return constant(b, false) };
        let data = self.data;
        let value = data.field(b, shape, 0, cell);
        match self.simple(b, first, value) {
            Simple::Always => {}
            Simple::Never => return constant(b, false),
            Simple::If(is_simple) => {
                let (yes, no) = (b.func.new_block(), b.func.new_block());
                b.br_if(is_simple, (yes, &[]), (no, &[]));
                b.switch_to(no);
                constant(b, false);
                b.switch_to(yes);
            }
        }
        let value = data.field(b, shape, 1, cell);
        match self.layout(second) {
            Some((id, _)) => {
                let tail = self.func(Part::Tail, id);
                b.tail_call(tail, &[value]);
            }
            None => {
                let is_zero = b.op(Opcode::Eqz, &[value]);
                b.ret(&[is_zero]);
            }
        }
    }

    fn items_cell(&mut self, b: &mut Builder, ty: TypeId, number: usize, shape: &ConstructorLayout, cell: Value) {
        let [first, second] = self.field_types(ty, number)[..] else { return b.ret(&[]) };
        let data = self.data;
        let value = data.field(b, shape, 0, cell);
        self.value(b, first, value);
        let Some((id, _)) = self.layout(second) else { return b.ret(&[]) };
        let rest = data.field(b, shape, 1, cell);
        if let Simple::If(is_nullary) = self.simple(b, second, rest) {
            let (end, more) = (b.func.new_block(), b.func.new_block());
            b.br_if(is_nullary, (end, &[]), (more, &[]));
            b.switch_to(end);
            b.ret(&[]);
            b.switch_to(more);
        }
        self.text(b, ", ");
        let items = self.func(Part::Items, id);
        b.tail_call(items, &[rest]);
    }

    /// Prints so many closing brackets.
    fn closing(&mut self) -> Func {
        let mut func = Func::new(".close", Signature::new(&[IrType::I64], &[]));
        let entry = func.new_block();
        let count = func.add_param(entry, IrType::I64);
        let mut b = Builder::new(&mut func, entry);
        let (end, more) = (b.func.new_block(), b.func.new_block());
        let is_done = b.op(Opcode::Eqz, &[count]);
        b.br_if(is_done, (end, &[]), (more, &[]));
        b.switch_to(end);
        b.ret(&[]);
        b.switch_to(more);
        let bracket = b.iconst64(if self.print == Print::Values { b']' } else { b')' }.into());
        let print = self.callee(&libcalls::PRINT_CHAR);
        b.call_extern(print, &[bracket]);
        let one = b.iconst64(1);
        let rest = b.op(Opcode::Isub, &[count, one]);
        b.tail_call(self.close, &[rest]);
        func
    }
}

fn constant(b: &mut Builder, bool_type: bool) {
    let value = b.iconst32(i32::from(bool_type));
    b.ret(&[value]);
}

/// The letter of a constructor: `A` for the first, and on through the characters.
fn letter(number: usize) -> char {
    char::from_u32(u32::from('A') + number as u32).unwrap_or('?')
}
