//! Steps with arrays of all kinds, strings and the console as a file.

use super::code::{Code, Kind, Object};
use cleave_clean::externs::Runtime;
use cleave_ir::Opcode::*;
use cleave_ir::layout::{ARRAY_DATA, ElementKind, STRING_DATA};
use cleave_ir::{Opcode, Type, Value, WellKnownDesc, pack};

/// Kind word, stride, how elements are read and written, for the kinds of elements that are no records.
const ELEMENTS: [(Object, ElementKind, u32, Opcode, Opcode); 7] = [
    (Object::Refs, ElementKind::Ref, 4, ElemRef, SetElemRef),
    (Object::Ints, ElementKind::Int, 8, ElemI64, SetElemI64),
    (Object::Reals, ElementKind::Real, 8, ElemF64, SetElemF64),
    (Object::Bools, ElementKind::Bool, 1, ElemU8, SetElemU8),
    (Object::Ints32, ElementKind::Int32, 4, ElemI32, SetElemI32),
    (Object::Reals32, ElementKind::Real32, 4, ElemF32, SetElemF32),
    (Object::String, ElementKind::Char, 1, ElemU8, SetElemU8),
];

/// An access to an element: stride and offset, and the opcodes.
struct Access {
    imm: u64,
    read: Opcode,
    write: Opcode,
    ty: Type,
}

impl Code<'_> {
    pub fn object_step(&mut self) {
        match self.rng.below(14) {
            0 | 1 => self.new_array(),
            2..=6 => self.element_step(),
            7 => self.size_step(),
            8 | 9 => self.new_string(),
            10 | 11 => self.string_step(),
            12 => self.boxed_step(),
            _ => self.console_step(),
        }
    }

    fn new_array(&mut self) {
        let (word, mask, one) = (self.word(), self.const64(7), self.const64(1));
        let low = self.op(And, &[word, mask]);
        let size = self.op(Iadd, &[low, one]);
        let plan = self.plan;
        let number = self.rng.below(ELEMENTS.len() + 1);
        let (object, kind, shape) = match ELEMENTS.get(number) {
            Some(node_info) => (node_info.0, self.const32(node_info.1 as i32), (0, 0)),
            None => {
                let node = &plan.nodes[plan.element];
                let info = self.value(DescInfoAddr, u64::from(node.desc.as_u32()), 0, &[]);
                (Object::Records, info, (node.ptrs, node.nptrs.len() as u32))
            }
        };
        let (ptrs, nptrs) = (self.const32(shape.0 as i32), self.const32(shape.1 as i32));
        let array = self.libcall(Runtime::NewArray, &[kind, ptrs, nptrs, size])[0];
        if self.rng.chance(50) {
            // As `create_array` does it: the first element, then copies of it.
            let zero = self.const64(0);
            for access in self.accesses(object) {
                let value = self.element_value(object, access.ty);
                self.emit(access.write, access.imm, 0, &[array, zero, value]);
            }
            self.libcall(Runtime::Replicate, &[array, ptrs, nptrs]);
        }
        self.add_object(array, object);
        if object != Object::String {
            self.access_elements(array, object);
        }
    }

    /// All fields of an element.
    fn accesses(&self, object: Object) -> Vec<Access> {
        let Some(node_info) = ELEMENTS.iter().find(|node_info| node_info.0 == object) else {
            let node = &self.plan.nodes[self.plan.element];
            let stride = node.ptrs * 4 + node.nptrs.len() as u32 * 8;
            let ptrs = (0..node.ptrs).map(|i| (i * 4, Type::Ref));
            let nptrs = node.nptrs.iter().enumerate().map(|(i, &ty)| (node.ptrs * 4 + i as u32 * 8, ty));
            let access = |(offset, ty)| {
                let (read, write) = match ty {
                    Type::Ref => (ElemRef, SetElemRef),
                    Type::F64 => (ElemF64, SetElemF64),
                    _ => (ElemI64, SetElemI64),
                };
                Access { imm: pack(stride, ARRAY_DATA + offset), read, write, ty }
            };
            return ptrs.chain(nptrs).map(access).collect();
        };
        let start = if object == Object::String { STRING_DATA } else { ARRAY_DATA };
        let ty = match node_info.3 {
            ElemRef => Type::Ref,
            ElemF64 | ElemF32 => Type::F64,
            _ => Type::I64,
        };
        vec![Access { imm: pack(node_info.2, start), read: node_info.3, write: node_info.4, ty }]
    }

    fn element_value(&mut self, object: Object, ty: Type) -> Value {
        let value = self.operand(ty);
        let low = match object {
            Object::Bools => 1,
            Object::String => 127,
            _ => return value,
        };
        let mask = self.const64(low);
        self.op(And, &[value, mask])
    }

    /// An index that exists; only for objects that are not empty.
    fn index(&mut self, object: Object, array: Value) -> Value {
        let word = self.word();
        let size = self.op(if object == Object::String { StringSize } else { ArraySize }, &[array]);
        self.op(Urem, &[word, size])
    }

    fn element_step(&mut self) {
        let Some((array, object)) = self.find_object(|_| true) else { return self.new_array() };
        if object == Object::String {
            return self.character_step(array);
        }
        self.access_elements(array, object);
    }

    fn access_elements(&mut self, array: Value, object: Object) {
        let accesses = self.accesses(object);
        for _ in 0..1 + self.rng.below(3) {
            let access = &accesses[self.rng.below(accesses.len())];
            let index = self.index(object, array);
            if self.rng.chance(50) {
                let value = self.element_value(object, access.ty);
                self.emit(access.write, access.imm, 0, &[array, index, value]);
            }
            if self.rng.chance(80) {
                let value = self.value(access.read, access.imm, 0, &[array, index]);
                self.add(value);
            }
        }
    }

    /// Strings may be empty.
    fn character_step(&mut self, string: Value) {
        let size = self.op(StringSize, &[string]);
        let (letter, none) = (self.word(), self.const64(-1));
        let result = self.new_block();
        let value = self.func.add_param(result, Type::I64);
        self.escape_all();
        let some = self.new_block();
        let zero = self.const64(0);
        let filled = self.op(Ne, &[size, zero]);
        self.build().br_if(filled, (some, &[]), (result, &[none]));
        self.goto(some);
        let index = self.op(Urem, &[letter, size]);
        let read = if self.rng.chance(70) {
            self.value(ElemU8, pack(1, STRING_DATA), 0, &[string, index])
        } else {
            let mask = self.const64(127);
            let letter = self.op(And, &[letter, mask]);
            let copy = self.libcall(Runtime::UpdateString, &[string, index, letter])[0];
            self.libcall(Runtime::CmpString, &[string, copy])[0]
        };
        self.build().jump(result, &[read]);
        self.goto(result);
        self.add(value);
    }

    fn size_step(&mut self) {
        if let Some((array, object)) = self.find_object(|_| true) {
            let size = self.op(if object == Object::String { StringSize } else { ArraySize }, &[array]);
            self.add(size);
        }
    }

    fn new_string(&mut self) {
        let library = self.plan.library;
        let string = match self.rng.below(7) {
            0 | 1 => {
                let string = library.strings[self.rng.below(4)];
                self.build().static_ref(string)
            }
            2 => {
                let (word, mask) = (self.word(), self.const64(127));
                let letter = self.op(And, &[word, mask]);
                self.libcall(Runtime::CharToString, &[letter])[0]
            }
            3 => {
                let word = self.word();
                self.libcall(Runtime::IntToString, &[word])[0]
            }
            4 => {
                let real = self.number();
                self.libcall(Runtime::RealToString, &[real])[0]
            }
            5 => {
                let narrow = self.narrow();
                let truth = self.op(Eqz, &[narrow]);
                let word = self.op(ExtendU, &[truth]);
                self.libcall(Runtime::BoolToString, &[word])[0]
            }
            _ => {
                let desc = self.plan.nodes[self.rng.below(self.plan.nodes.len())].desc;
                let node_info = self.build().node_info(desc, 0);
                let word = self.op(ExtendU, &[node_info]);
                self.libcall(Runtime::NameToString, &[word])[0]
            }
        };
        self.add_object(string, Object::String);
    }

    fn string_step(&mut self) {
        let is_string = |object| object == Object::String;
        let (Some((x, _)), Some((y, _))) = (self.find_object(is_string), self.find_object(is_string)) else {
            return self.new_string();
        };
        match self.rng.below(6) {
            // Not longer and longer.
            0 => {
                let (from, to) = (self.const64(0), self.const64(20));
                let part = self.libcall(Runtime::SliceString, &[x, from, to])[0];
                let string = self.libcall(Runtime::CatString, &[part, y])[0];
                self.add_object(string, Object::String);
            }
            1 => {
                let (from, to) = (self.word(), self.word());
                let string = self.libcall(Runtime::SliceString, &[x, from, to])[0];
                self.add_object(string, Object::String);
            }
            2 | 3 => {
                let libcall = self.rng.pick(&[Runtime::EqString, Runtime::CmpString]);
                let value = self.libcall(libcall, &[x, y])[0];
                self.add(value);
            }
            4 => {
                self.libcall(Runtime::PrintString, &[x]);
            }
            _ => {
                self.libcall(Runtime::PrintCharsSc, &[x]);
            }
        }
    }

    /// Into the box in which it can be stored anywhere, and out again.
    fn boxed_step(&mut self) {
        if let Some((node, Kind::Boxed(object))) = self.find(|kind| matches!(kind, Kind::Boxed(_)))
            && self.rng.chance(50)
        {
            let inner = self.get(GetRef, (1, 0), 0, node);
            return self.add_object(inner, object);
        }
        if let Some((inner, object)) = self.find_object(|_| true) {
            let node = self.build().build_node(WellKnownDesc::BoxedArray.desc(), 1, &[inner]);
            self.add_ref(node, Kind::Boxed(object));
        }
    }

    fn console_step(&mut self) {
        let file = self.libcall(Runtime::StdioF, &[]);
        let results = match self.rng.below(5) {
            0 => {
                let found = self.libcall(Runtime::ReadFC, &file[..1])[0];
                vec![found, file[0], file[1]]
            }
            1 => self.libcall(Runtime::ReadFI, &file),
            2 => {
                let results = self.libcall(Runtime::ReadLineF, &file);
                self.add_object(results[0], Object::String);
                results[1..].to_vec()
            }
            3 => self.libcall(Runtime::EndF, &file),
            _ => match self.find_object(|object| object == Object::String) {
                Some((string, _)) => self.libcall(Runtime::WriteFS, &[string, file[0], file[1]]),
                None => file,
            },
        };
        let (values, file) = results.split_at(results.len() - 2);
        // Whether it succeeded, and what was read.
        for &value in values {
            self.add(value);
            self.print(value);
        }
        self.libcall(Runtime::CloseF, file);
    }
}
