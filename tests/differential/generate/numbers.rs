//! Steps with numbers: integers of both widths, reals, conversions, CAFs, printing, mathematics.

use super::code::Code;
use cleave_clean::externs::Runtime;
use cleave_ir::Opcode::*;
use cleave_ir::{Opcode, Type, Value};

const BINARY: [Opcode; 11] = [Iadd, Isub, Imul, And, Or, Xor, Shl, Sshr, Ushr, Rotl, Rotr];
const UNARY: [Opcode; 2] = [Clz, Popcnt];
const DIVISION: [Opcode; 4] = [Sdiv, Srem, Udiv, Urem];
const COMPARE: [Opcode; 10] = [Eq, Ne, Slt, Sgt, Sle, Sge, Ult, Ugt, Ule, Uge];
const REAL_BINARY: [Opcode; 4] = [Fadd, Fsub, Fmul, Fdiv];
const REAL_UNARY: [Opcode; 7] = [Fneg, Fabs, Fsqrt, Ffloor, Fceil, Ftrunc, Fnearest];
const REAL_COMPARE: [Opcode; 6] = [Feq, Fne, Flt, Fgt, Fle, Fge];
const MATHEMATICS: [Runtime; 9] = [
    Runtime::Sin,
    Runtime::Cos,
    Runtime::Tan,
    Runtime::Asin,
    Runtime::Acos,
    Runtime::Atan,
    Runtime::Exp,
    Runtime::Ln,
    Runtime::Log10,
];

impl Code<'_> {
    pub fn number_step(&mut self) {
        match self.rng.below(20) {
            0..=3 => self.arithmetic(Type::I64),
            4 => self.caf_step(),
            5 | 6 => self.arithmetic(Type::I32),
            7..=9 => self.compare(),
            10..=12 => self.real_step(),
            13 | 14 => self.convert(),
            15 => self.select(),
            16 => self.caf_step(),
            17 | 18 => self.print_step(),
            _ => self.number_libcall(),
        }
    }

    fn arithmetic(&mut self, ty: Type) {
        let (x, y) = (self.operand(ty), self.operand(ty));
        let value = match self.rng.below(16) {
            0 => {
                let op = self.rng.pick(&UNARY);
                self.op(op, &[x])
            }
            1 if ty == Type::I64 => self.op(Umulhi, &[x, y]),
            2 => {
                // Often something that may stop the program.
                let divisor = match self.rng.below(5) {
                    0 | 1 => y,
                    2 | 3 => self.divisor(ty),
                    _ => {
                        let n = self.rng.pick(&[1, -1, 2, 3, -4, 8, 10, 1 << 30]);
                        if ty == Type::I64 { self.const64(n) } else { self.const32(n as i32) }
                    }
                };
                let op = self.rng.pick(&DIVISION);
                self.op(op, &[x, divisor])
            }
            _ => {
                let op = self.rng.pick(&BINARY);
                self.op(op, &[x, y])
            }
        };
        self.add(value);
    }

    /// A number from 1 to 16.
    fn divisor(&mut self, ty: Type) -> Value {
        let value = self.operand(ty);
        let (mask, one) = match ty {
            Type::I64 => (self.const64(15), self.const64(1)),
            _ => (self.const32(15), self.const32(1)),
        };
        let low = self.op(And, &[value, mask]);
        self.op(Iadd, &[low, one])
    }

    pub fn compare(&mut self) {
        if self.rng.chance(25) {
            let (x, y) = (self.real(), self.real());
            let op = self.rng.pick(&REAL_COMPARE);
            let value = self.op(op, &[x, y]);
            return self.add(value);
        }
        let ty = self.rng.pick(&[Type::I64, Type::I64, Type::I32]);
        let (x, y) = (self.operand(ty), self.operand(ty));
        let op = self.rng.pick(&COMPARE);
        let mut value = if self.rng.chance(15) { self.op(Eqz, &[x]) } else { self.op(op, &[x, y]) };
        // As the front end does it: through a word.
        match self.rng.below(8) {
            0 => value = self.op(Eqz, &[value]),
            1 => {
                let word = self.op(ExtendU, &[value]);
                self.add(word);
                value = self.op(Wrap, &[word]);
            }
            2 => {
                let (word, zero) = (self.op(ExtendU, &[value]), self.const64(0));
                value = self.op(Ne, &[word, zero]);
            }
            3 => {
                let word = self.op(ExtendU, &[value]);
                value = self.op(Eqz, &[word]);
            }
            _ => {}
        }
        self.add(value);
    }

    fn real_step(&mut self) {
        let (x, y) = (self.real(), self.real());
        let value = if self.rng.chance(40) {
            let op = self.rng.pick(&REAL_UNARY);
            self.op(op, &[x])
        } else {
            let op = self.rng.pick(&REAL_BINARY);
            self.op(op, &[x, y])
        };
        self.add(value);
    }

    fn convert(&mut self) {
        let value = match self.rng.below(8) {
            0 => {
                let x = self.narrow();
                self.op(ExtendU, &[x])
            }
            1 => {
                let x = self.narrow();
                self.op(ExtendS, &[x])
            }
            2 | 3 => {
                let x = self.word();
                self.op(Wrap, &[x])
            }
            4 => {
                let x = self.word();
                self.op(IntToReal, &[x])
            }
            5 => {
                let x = self.real();
                self.op(RealToInt, &[x])
            }
            6 => {
                let x = self.number();
                self.op(RealBits, &[x])
            }
            _ => {
                let x = self.word();
                self.op(BitsReal, &[x])
            }
        };
        self.add(value);
    }

    /// A real that is a number: the bits of the others depend on the machine.
    pub fn number(&mut self) -> Value {
        let x = self.real();
        let zero = self.build().fconst(0);
        let is_number = self.op(Feq, &[x, x]);
        self.op(Select, &[is_number, x, zero])
    }

    fn select(&mut self) {
        let condition = self.truth();
        let ty = self.rng.pick(&[Type::I64, Type::I32, Type::F64, Type::Ref]);
        let (x, y) = (self.operand(ty), self.operand(ty));
        let value = self.op(Select, &[condition, x, y]);
        self.add(value);
    }

    fn caf_step(&mut self) {
        let caf = u64::from(self.plan.library.caf.as_u32());
        match self.rng.below(7) {
            0 => self.fill_caf(),
            1 => {
                // Something that a callee may change, before and after a call.
                let before = self.value(CafI64, caf, 0, &[]);
                self.call_step();
                let after = self.value(CafI64, caf, 0, &[]);
                let change = self.op(Isub, &[before, after]);
                self.print_word(change);
                self.add(after);
            }
            2 => {
                let word = self.word();
                self.emit(SetCafI64, caf, 0, &[word]);
            }
            3 => {
                let value = self.value(CafI64, caf, 0, &[]);
                self.add(value);
            }
            4 => {
                let value = self.value(CafF64, caf, 1, &[]);
                self.add(value);
            }
            _ => {
                // References only when there are some.
                let state = self.value(CafState, caf, 0, &[]);
                let none = self.reference();
                self.escape_all();
                let (yes, join) = (self.new_block(), self.new_block());
                let node = self.func.add_param(join, Type::Ref);
                self.build().br_if(state, (yes, &[]), (join, &[none]));
                self.goto(yes);
                let index = self.rng.below(2) as u32;
                let stored = self.value(CafRef, caf, index, &[]);
                self.build().jump(join, &[stored]);
                self.goto(join);
                self.add(node);
            }
        }
    }

    /// All that is read once the CAF has its value.
    pub fn fill_caf(&mut self) {
        let caf = u64::from(self.plan.library.caf.as_u32());
        let (word, real) = (self.word(), self.real());
        let nodes = [self.reference(), self.reference()];
        self.emit(SetCafI64, caf, 0, &[word]);
        self.emit(SetCafF64, caf, 1, &[real]);
        self.emit(SetCafRef, caf, 0, &[nodes[0]]);
        self.emit(SetCafRef, caf, 1, &[nodes[1]]);
        self.emit(SetCafState, caf, 0, &[]);
    }

    pub fn print_step(&mut self) {
        let library = self.plan.library;
        match self.rng.below(12) {
            0..=2 => {
                let word = self.word();
                self.print_word(word);
            }
            3 => {
                let narrow = self.narrow();
                self.print_narrow(narrow);
            }
            4 | 5 => {
                let real = self.real();
                self.print_real(real);
            }
            6 => {
                let node = self.reference();
                self.show(node);
            }
            7 => {
                let text = self.build().text(library.bar);
                let libcall = self.rng.pick(&[Runtime::PrintText, Runtime::PrintTextSc]);
                self.libcall(libcall, &[text]);
            }
            8 => {
                let name = u64::from(self.plan.nodes[self.rng.below(self.plan.nodes.len())].desc.as_u32());
                let name = self.value(NameAddr, name, 0, &[]);
                self.libcall(Runtime::PrintText, &[name]);
            }
            9 => {
                let desc = self.plan.nodes[self.rng.below(self.plan.nodes.len())].desc;
                let node_info = self.build().node_info(desc, 0);
                let word = self.op(ExtendU, &[node_info]);
                self.libcall(Runtime::PrintName, &[word]);
            }
            10 => {
                let (word, mask, base) = (self.word(), self.const64(31), self.const64(64));
                let low = self.op(And, &[word, mask]);
                let letter = self.op(Or, &[low, base]);
                self.libcall(Runtime::PrintChar, &[letter]);
            }
            _ => self.write_console(),
        }
    }

    /// Through the console as a file.
    fn write_console(&mut self) {
        let file = self.libcall(Runtime::StdioF, &[]);
        let file = match self.rng.below(3) {
            0 => {
                let word = self.word();
                self.libcall(Runtime::WriteFI, &[word, file[0], file[1]])
            }
            1 => {
                let letter = self.const64(i64::from(b'#'));
                // It leaves the file as it is.
                self.libcall(Runtime::WriteFC, &[letter, file[0]]);
                file
            }
            _ => {
                let real = self.number();
                self.libcall(Runtime::WriteFR, &[real, file[0], file[1]])
            }
        };
        self.libcall(Runtime::CloseF, &file);
    }

    fn number_libcall(&mut self) {
        let results = match self.rng.below(4) {
            0 => {
                let (x, y) = (self.real(), self.real());
                self.libcall(Runtime::Pow, &[x, y])
            }
            1 => {
                // The high word is less than the divisor: the quotient fits.
                let (high, low) = (self.word(), self.word());
                let divisor = self.divisor(Type::I64);
                let high = self.op(Urem, &[high, divisor]);
                self.libcall(Runtime::DivideLong, &[high, low, divisor])
            }
            _ => {
                let libcall = self.rng.pick(&MATHEMATICS);
                let x = self.real();
                self.libcall(libcall, &[x])
            }
        };
        results.into_iter().for_each(|value| self.add(value));
    }
}
