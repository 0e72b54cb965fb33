//! Array and string instructions. The element kind is given by a descriptor operand (`docs/abc.md#arrays`).

use super::Step;
use super::function::FunctionBuilder;
use crate::ast::Line;
use crate::externs::Runtime;
use crate::instr::Opcode as Abc;
use crate::superinstructions::NOT_SAID;
use cleave_ir::layout::{ARRAY_DATA, ElementKind, SLOT, STRING_DATA};
use cleave_ir::{Desc, Opcode, StaticData, Type, Value, pack};

/// What one element is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Element {
    Ref,
    Int,
    Real,
    Bool,
    Int32,
    Real32,
    Char,
    Record(Desc, u32, u32),
}

impl Element {
    fn stride(self) -> u32 {
        match self {
            Element::Ref | Element::Int32 | Element::Real32 => 4,
            Element::Int | Element::Real => 8,
            Element::Bool | Element::Char => 1,
            Element::Record(_, ptrs, nptrs) => ptrs * SLOT + nptrs * 8,
        }
    }
    fn ptrs(self) -> u32 {
        match self {
            Element::Ref => 1,
            Element::Record(_, ptrs, _) => ptrs,
            _ => 0,
        }
    }
    fn words(self) -> u32 {
        match self {
            Element::Ref => 0,
            Element::Record(_, _, nptrs) => nptrs,
            _ => 1,
        }
    }
    /// `Element` immediate of reference `i` (or word `i`, after all references).
    fn place(self, ptrs: u32, nptrs: u32) -> u64 {
        let data = if self == Element::Char { STRING_DATA } else { ARRAY_DATA };
        pack(self.stride(), data + ptrs * SLOT + nptrs * 8)
    }
    fn load(self) -> Opcode {
        match self {
            Element::Ref => Opcode::ElemRef,
            Element::Int | Element::Record(..) => Opcode::ElemI64,
            Element::Real => Opcode::ElemF64,
            Element::Bool | Element::Char => Opcode::ElemU8,
            Element::Int32 => Opcode::ElemI32,
            Element::Real32 => Opcode::ElemF32,
        }
    }
}

impl FunctionBuilder<'_, '_> {
    /// Translates an instruction about arrays and strings; false if it is none.
    pub fn array_instruction(&mut self, op: Abc, line: Line<'_>) -> Step<bool> {
        match op {
            Abc::create_array | Abc::create_array_ => {
                let element = self.element(line, 0)?;
                let size = self.pop_word()?;
                let array = self.new_array(element, size);
                if op == Abc::create_array {
                    let (nodes, nptrs) = self.pop_element(element)?;
                    self.fill_all(element, size, array, &nodes, &nptrs);
                }
                self.mark_hnf(array);
                self.push_a(array);
            }
            Abc::push_arraysize => {
                let element = self.element(line, 0)?;
                let array = self.pop_a()?;
                let size = self.size(element, array);
                self.push_b(size);
            }
            Abc::select => {
                let element = self.element(line, 0)?;
                let (array, index) = (self.pop_a()?, self.pop_word()?);
                self.check_index(element, array, index);
                self.push_element(element, array, index);
            }
            Abc::update => {
                let element = self.element(line, 0)?;
                let (array, index) = (self.pop_a()?, self.pop_word()?);
                let (nodes, nptrs) = self.pop_element(element)?;
                self.check_index(element, array, index);
                self.store_element(element, array, index, &nodes, &nptrs);
                self.push_a(array);
            }
            Abc::replace => {
                let element = self.element(line, 0)?;
                let (array, index) = (self.pop_a()?, self.pop_word()?);
                let (nodes, nptrs) = self.pop_element(element)?;
                self.check_index(element, array, index);
                let old = self.load_element(element, array, index);
                self.store_element(element, array, index, &nodes, &nptrs);
                self.push_a(array);
                self.push_loaded(old);
            }
            Abc::CtoAC => self.libcall(Runtime::CharToString, 0, 1)?,
            Abc::eqAC_a => {
                let string = self.pop_a()?;
                let constant = self.program.ir.statics.push(StaticData::String(line.string(0).into()));
                let constant = self.builder().static_ref(constant);
                let inst = self.builder().call_extern(Runtime::EqString.callee(), &[string, constant]);
                let equal = self.func.result(inst);
                self.push_b(equal);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn element(&mut self, line: Line<'_>, k: usize) -> Step<Element> {
        Ok(match line.name(k) {
            b"_" | b"ARRAY" | b"STRING" | b"WORLD" => Element::Ref,
            b"INT" | b"PROCID" => Element::Int,
            b"REAL" => Element::Real,
            b"BOOL" => Element::Bool,
            b"CHAR" => Element::Char,
            b"INT32" => Element::Int32,
            b"REAL32" => Element::Real32,
            _ => {
                let desc = self.desc(line, k)?;
                let (ptrs, nptrs) = self.program.ir.payload(desc, 0);
                let said = (line.n(k + 1), line.n(k + 2));
                if (ptrs, nptrs) != said && said != (NOT_SAID, NOT_SAID) {
                    return Err(self.conflict(
                        format!("elements have {ptrs} nodes and {nptrs} words"),
                        "the counts must be those of the .record directive",
                    ));
                }
                Element::Record(desc, ptrs, nptrs)
            }
        })
    }

    fn new_array(&mut self, element: Element, size: Value) -> Value {
        let mut builder = self.builder();
        let kind = match element {
            Element::Ref => builder.iconst32(ElementKind::Ref as i32),
            Element::Int => builder.iconst32(ElementKind::Int as i32),
            Element::Real => builder.iconst32(ElementKind::Real as i32),
            Element::Bool => builder.iconst32(ElementKind::Bool as i32),
            Element::Int32 => builder.iconst32(ElementKind::Int32 as i32),
            Element::Real32 => builder.iconst32(ElementKind::Real32 as i32),
            Element::Char => builder.iconst32(ElementKind::Char as i32),
            Element::Record(desc, ..) => builder.value(Opcode::DescInfoAddr, desc.as_u32() as u64, 0, &[]),
        };
        let (ptrs, nptrs) = match element {
            Element::Record(_, ptrs, nptrs) => (ptrs, nptrs),
            _ => (0, 0),
        };
        let ptrs = builder.iconst32(ptrs as i32);
        let nptrs = builder.iconst32(nptrs as i32);
        let inst = builder.call_extern(Runtime::NewArray.callee(), &[kind, ptrs, nptrs, size]);
        self.func.result(inst)
    }

    /// Element 0 is stored and copied to the others, if there are any.
    fn fill_all(&mut self, element: Element, size: Value, array: Value, nodes: &[Value], nptrs: &[Value]) {
        let zero = self.iconst(0);
        let some = self.op(Opcode::Sgt, &[size, zero]);
        let (fill, done) = self.branch(some);
        self.switch_to(fill);
        self.store_element(element, array, zero, nodes, nptrs);
        let mut builder = self.builder();
        let (ptrs, raw) = match element {
            Element::Record(_, ptrs, nptrs) => (ptrs, nptrs),
            _ => (0, 0),
        };
        let (ptrs, raw) = (builder.iconst32(ptrs as i32), builder.iconst32(raw as i32));
        builder.call_extern(Runtime::Replicate.callee(), &[array, ptrs, raw]);
        builder.jump(done, &[]);
        self.switch_to(done);
    }

    fn size(&mut self, element: Element, array: Value) -> Value {
        self.op(if element == Element::Char { Opcode::StringSize } else { Opcode::ArraySize }, &[array])
    }

    /// With `-ci`: `0 <= index < size`, as one unsigned comparison.
    fn check_index(&mut self, element: Element, array: Value, index: Value) {
        if !self.program.options.check_indices {
            return;
        }
        let size = self.size(element, array);
        let inside = self.op(Opcode::Ult, &[index, size]);
        let (go_on, outside) = self.branch(inside);
        self.switch_to(outside);
        let mut builder = self.builder();
        builder.call_extern(Runtime::IndexError.callee(), &[]);
        builder.unreachable();
        self.switch_to(go_on);
    }

    fn pop_element(&mut self, element: Element) -> Step<(Vec<Value>, Vec<Value>)> {
        let (mut nodes, mut nptrs) = (Vec::new(), Vec::new());
        self.pop_nodes(element.ptrs(), &mut nodes)?;
        self.pop_words(element.words(), &mut nptrs)?;
        Ok((nodes, nptrs))
    }

    fn load_element(&mut self, element: Element, array: Value, index: Value) -> (Vec<Value>, Vec<Value>) {
        let mut builder = self.builder();
        let nodes = (0..element.ptrs())
            .map(|i| builder.value(Opcode::ElemRef, element.place(i, 0), 0, &[array, index]))
            .collect();
        let ptrs = if let Element::Record(_, ptrs, _) = element { ptrs } else { 0 };
        let nptrs = (0..element.words())
            .map(|i| builder.value(element.load(), element.place(ptrs, i), 0, &[array, index]))
            .collect();
        (nodes, nptrs)
    }

    fn push_loaded(&mut self, (nodes, nptrs): (Vec<Value>, Vec<Value>)) {
        for value in nodes.into_iter().rev() {
            self.push_a(value);
        }
        for value in nptrs.into_iter().rev() {
            self.push_b(value);
        }
    }

    fn push_element(&mut self, element: Element, array: Value, index: Value) {
        let loaded = self.load_element(element, array, index);
        self.push_loaded(loaded);
    }

    fn store_element(&mut self, element: Element, array: Value, index: Value, nodes: &[Value], nptrs: &[Value]) {
        for (i, &node) in nodes.iter().enumerate() {
            self.builder().inst(Opcode::SetElemRef, element.place(i as u32, 0), 0, &[array, index, node]);
        }
        let ptrs = if let Element::Record(_, ptrs, _) = element { ptrs } else { 0 };
        for (i, &word) in nptrs.iter().enumerate() {
            let (op, word) = match element {
                Element::Int => (Opcode::SetElemI64, self.as_word(word)),
                Element::Real => (Opcode::SetElemF64, self.as_real(word)),
                Element::Bool | Element::Char => (Opcode::SetElemU8, self.as_word(word)),
                Element::Int32 => (Opcode::SetElemI32, self.as_word(word)),
                Element::Real32 => (Opcode::SetElemF32, self.as_real(word)),
                _ if self.func.values[word] == Type::F64 => (Opcode::SetElemF64, word),
                _ => (Opcode::SetElemI64, word),
            };
            self.builder().inst(op, element.place(ptrs, i as u32), 0, &[array, index, word]);
        }
    }
}
