//! What Scheme does not say of itself: numbers, predicates, and access to data, with a test of what it gets.

use crate::code::{CALL_CC, Code, LIST};
use cleave_compile::ir::{ArrayKind, Desc, Opcode, Type, Value, WellKnownDesc, libcalls};

const COMPARISONS: [(&str, Opcode); 5] =
    [("=", Opcode::Eq), ("<", Opcode::Slt), (">", Opcode::Sgt), ("<=", Opcode::Sle), (">=", Opcode::Sge)];

impl Code<'_, '_> {
    // -- integers: all that knows how they are kept --

    /// An integer that fits is in the reference itself.
    pub fn boxed(&mut self, number: Value) -> Value {
        self.b.int_or_box(number, self.p.data.large)
    }
    /// Immediate or not.
    fn is_int(&mut self, value: Value) -> Value {
        let [join, object] = std::array::from_fn(|_| self.b.func.new_block());
        let found = self.b.func.add_param(join, Type::I32);
        let is_immediate = self.b.op(Opcode::IsInt, &[value]);
        self.b.br_if(is_immediate, (join, &[is_immediate]), (object, &[]));
        self.b.switch_to(object);
        let is_large = self.header_is(value, self.p.data.large);
        self.b.jump(join, &[is_large]);
        self.b.switch_to(join);
        found
    }
    fn int(&mut self, value: Value, who: &str) -> Value {
        if let Some(&number) = self.numbers.get(&value) {
            return self.b.iconst64(number);
        }
        let [small, object, join, fine] = std::array::from_fn(|_| self.b.func.new_block());
        let number = self.b.func.add_param(join, Type::I64);
        self.b.br_int(value, (small, &[]), (object, &[]));
        self.b.switch_to(object);
        self.b.func.blocks[object].is_cold = true;
        let is_large = self.header_is(value, self.p.data.large);
        self.check(is_large, fine, &format!("{who}: not an integer"));
        self.b.func.blocks[fine].is_cold = true;
        let shape = self.shape(self.p.data.large);
        let word = self.b.get_of(Opcode::GetI64, shape, 0, value);
        self.b.jump(join, &[word]);
        self.b.switch_to(small);
        let word = self.b.ref_int(value);
        self.b.jump(join, &[word]);
        self.b.switch_to(join);
        number
    }
    fn header_is(&mut self, value: Value, desc: Desc) -> Value {
        let (header, wanted) = (self.b.op(Opcode::Header, &[value]), self.b.node_info(desc, 0));
        self.b.op(Opcode::Eq, &[header, wanted])
    }
    /// Is it a node of this descriptor? Integers have no header.
    pub fn has(&mut self, value: Value, desc: Desc) -> Value {
        let [join, object] = std::array::from_fn(|_| self.b.func.new_block());
        let found = self.b.func.add_param(join, Type::I32);
        let no = self.b.iconst32(0);
        self.b.br_int(value, (join, &[no]), (object, &[]));
        self.b.switch_to(object);
        let has = self.header_is(value, desc);
        self.b.jump(join, &[has]);
        self.b.switch_to(join);
        found
    }

    /// Stops unless it is a node of this descriptor.
    pub fn expect(&mut self, value: Value, desc: Desc, message: &str) {
        let (has, fine) = (self.has(value, desc), self.b.func.new_block());
        self.check(has, fine, message);
    }

    fn field(&mut self, value: Value, desc: Desc, at: u32, message: &str) -> Value {
        self.expect(value, desc, message);
        let shape = self.shape(desc);
        self.b.get_of(Opcode::GetRef, shape, at, value)
    }
    fn unspecified(&mut self) -> Value {
        self.b.node(self.p.data.unspecified)
    }
    fn char(&mut self, value: Value, who: &str) -> Value {
        self.expect(value, WellKnownDesc::Char.desc(), &format!("{who}: not a character"));
        self.b.get(Opcode::GetI64, 0, 1, 0, value)
    }
    fn text(&mut self, value: Value, who: &str) -> Value {
        self.expect(value, WellKnownDesc::String.desc(), &format!("{who}: not a string"));
        value
    }

    /// The value of a primitive; of a predicate, 32 bits.
    pub fn primitive(&mut self, name: &str, args: &[Value]) -> Value {
        let pair = self.p.data.pair;
        match name {
            "+" | "-" | "*" | "quotient" | "remainder" => {
                let numbers = [self.int(args[0], name), self.int(args[1], name)];
                let opcode = match name {
                    "+" => Opcode::Iadd,
                    "-" => Opcode::Isub,
                    "*" => Opcode::Imul,
                    _ => {
                        if self.numbers.get(&args[1]).is_none_or(|&number| number == 0) {
                            let (zero, fine) = (self.b.iconst64(0), self.b.func.new_block());
                            let is_fine = self.b.op(Opcode::Ne, &[numbers[1], zero]);
                            self.check(is_fine, fine, &format!("{name}: division by zero"));
                        }
                        if name == "quotient" { Opcode::Sdiv } else { Opcode::Srem }
                    }
                };
                let number = self.b.op(opcode, &numbers);
                self.boxed(number)
            }
            "eq?" | "eqv?" => self.same(args[0], args[1]),
            "fixnum?" => self.is_int(args[0]),
            "boolean?" => {
                let (yes, no) = (self.has(args[0], self.p.data.yes), self.has(args[0], self.p.data.no));
                self.b.op(Opcode::Or, &[yes, no])
            }
            "char?" => self.has(args[0], WellKnownDesc::Char.desc()),
            "string?" => self.has(args[0], WellKnownDesc::String.desc()),
            "symbol?" => self.has(args[0], self.p.data.symbol),
            "procedure?" => self.has(args[0], self.p.data.procedure),
            "vector?" => self.has(args[0], self.p.data.vector),
            "pair?" => self.has(args[0], pair),
            "null?" => self.has(args[0], self.p.data.nil),
            "unspecified?" => self.has(args[0], self.p.data.unspecified),
            "not" => self.has(args[0], self.p.data.no),
            "cons" => self.b.build_node(pair, 0, args),
            "car" => self.field(args[0], pair, 0, "car: not a pair"),
            "cdr" => self.field(args[0], pair, 1, "cdr: not a pair"),
            "set-car!" | "set-cdr!" => {
                self.expect(args[0], pair, &format!("{name}: not a pair"));
                let shape = self.shape(pair);
                self.b.set_of(Opcode::SetRef, shape, u32::from(name == "set-cdr!"), args[0], args[1]);
                self.unspecified()
            }
            "make-vector" => {
                let count = self.int(args[0], name);
                let array = self.b.array_new(ArrayKind::Ref, count, args[1]);
                self.b.build_node(self.p.data.vector, 0, &[array])
            }
            "vector-ref" | "vector-set!" | "vector-length" => {
                let array = self.field(args[0], self.p.data.vector, 0, &format!("{name}: not a vector"));
                if args.len() == 1 {
                    let count = self.b.array_len(ArrayKind::Ref, array);
                    return self.boxed(count);
                }
                let index = self.int(args[1], name);
                if args.len() == 2 {
                    return self.b.array_get(ArrayKind::Ref, array, index);
                }
                self.b.array_set(ArrayKind::Ref, array, index, args[2]);
                self.unspecified()
            }
            "string-length" => {
                let text = self.text(args[0], name);
                let size = self.b.op(Opcode::StringSize, &[text]);
                self.boxed(size)
            }
            "string-ref" => {
                let (text, index) = (self.text(args[0], name), self.int(args[1], name));
                let (size, fine) = (self.b.op(Opcode::StringSize, &[text]), self.b.func.new_block());
                let is_inside = self.b.op(Opcode::Ult, &[index, size]);
                self.check(is_inside, fine, "string-ref: index out of range");
                let byte = self.b.string_get(self.p.module.heap, text, index);
                self.b.op(Opcode::BoxChar, &[byte])
            }
            "string-append" | "string=?" | "string<?" => {
                let texts = [self.text(args[0], name), self.text(args[1], name)];
                if name == "string-append" {
                    return self.call_rt(&libcalls::CAT_STRING, &texts).unwrap_or(texts[0]);
                }
                let order = self.call_rt(&libcalls::CMP_STRING, &texts).unwrap_or(texts[0]);
                let zero = self.b.iconst64(0);
                self.b.op(if name == "string=?" { Opcode::Eq } else { Opcode::Slt }, &[order, zero])
            }
            "substring" => {
                let text = self.text(args[0], name);
                let (from, to, one) = (self.int(args[1], name), self.int(args[2], name), self.b.iconst64(1));
                let last = self.b.op(Opcode::Isub, &[to, one]);
                self.call_rt(&libcalls::SLICE_STRING, &[text, from, last]).unwrap_or(text)
            }
            "number->string" => {
                let number = self.int(args[0], name);
                self.call_rt(&libcalls::INT_TO_STRING, &[number]).unwrap_or(number)
            }
            "symbol->string" => self.field(args[0], self.p.data.symbol, 0, "symbol->string: not a symbol"),
            "char->integer" => {
                let byte = self.char(args[0], name);
                self.boxed(byte)
            }
            "integer->char" => {
                let number = self.int(args[0], name);
                self.b.op(Opcode::BoxChar, &[number])
            }
            "%print-int" | "%print-char" | "%print-string" | "%panic" | "exit" => {
                let (value, row) = match name {
                    "%print-int" => (self.int(args[0], name), &libcalls::PRINT_INT),
                    "%print-char" => (self.char(args[0], name), &libcalls::PRINT_CHAR),
                    "%print-string" => (self.text(args[0], name), &libcalls::PRINT_STRING),
                    "exit" => (self.int(args[0], name), &libcalls::EXIT),
                    _ => (self.text(args[0], name), &libcalls::PANIC),
                };
                self.call_rt(row, &[value]);
                self.unspecified()
            }
            "%read-line" => self.call_rt(&libcalls::READ_LINE, &[]).unwrap_or_else(|| self.unspecified()),
            "%call/cc" => {
                let func = self.p.helper(CALL_CC);
                self.b.call_value(func, args, Type::Ref)
            }
            "%apply" => {
                let func = self.p.helper(LIST);
                self.b.call_value(func, args, Type::Ref)
            }
            _ => {
                let numbers = [self.int(args[0], name), self.int(args[1], name)];
                let opcode = COMPARISONS.iter().find(|row| row.0 == name).map_or(Opcode::Eq, |row| row.1);
                self.b.op(opcode, &numbers)
            }
        }
    }

    /// The same object, or equal immediates.
    pub fn identical(&mut self, left: Value, right: Value) -> Value {
        let same = self.call_rt(&libcalls::SAME, &[left, right]).unwrap_or(left);
        self.b.op(Opcode::Wrap, &[same])
    }

    /// The same object, or equal integers.
    fn same(&mut self, left: Value, right: Value) -> Value {
        let [join, other, objects, left_large, large] = std::array::from_fn(|_| self.b.func.new_block());
        let (same, no) = (self.b.func.add_param(join, Type::I32), self.b.iconst32(0));
        let is_same = self.identical(left, right);
        self.b.br_if(is_same, (join, &[is_same]), (other, &[]));
        // Large integers have boxes.
        self.b.switch_to(other);
        self.b.br_int(left, (join, &[no]), (objects, &[]));
        self.b.switch_to(objects);
        let is_large = self.header_is(left, self.p.data.large);
        self.b.br_if(is_large, (left_large, &[]), (join, &[no]));
        self.b.switch_to(left_large);
        let right_large = self.has(right, self.p.data.large);
        self.b.br_if(right_large, (large, &[]), (join, &[no]));
        self.b.switch_to(large);
        let shape = self.shape(self.p.data.large);
        let numbers = [left, right].map(|value| self.b.get_of(Opcode::GetI64, shape, 0, value));
        let are_equal = self.b.op(Opcode::Eq, &numbers);
        self.b.jump(join, &[are_equal]);
        self.b.switch_to(join);
        same
    }
}
