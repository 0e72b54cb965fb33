//! The simulated A and B stacks of one function: SSA values in place of slots.
//!
//! `push`, `update` and `pop` only rename; no instruction is made for them. Words of the B stack are `i64` or `f64` as
//! they were made; `word` and `real` convert where an instruction wants the other kind (records are loaded without
//! knowledge of their field types). A condition is kept beside its 64-bit form, so that a branch on it needs no
//! conversion.

use super::function::FunctionBuilder;
use super::{Step, Stop};
use cleave_diag::{Diagnostic, code};
use cleave_ir::{Opcode, Type, Value};

impl FunctionBuilder<'_, '_> {
    fn underflow(&mut self, stack: char, wanted: usize) -> Stop {
        let depth = if stack == 'A' { self.stacks.a.len() } else { self.stacks.b.len() };
        let span = self.span();
        self.program.report_code(span.file, || {
            let plural = if depth == 1 { "" } else { "s" };
            Diagnostic::error(code::STACK_UNDERFLOW, format!("{stack} stack underflow"))
                .at(span, format!("element {wanted} from the top is used, the frame has {depth} element{plural}"))
                .help("check the offsets, and the .o directive of the function")
        })
    }

    /// `a[k]`.
    pub fn a(&mut self, k: u32) -> Step<Value> {
        let len = self.stacks.a.len();
        if (k as usize) < len {
            Ok(self.stacks.a[len - 1 - k as usize])
        } else {
            Err(self.underflow('A', k as usize + 1))
        }
    }
    /// `b[k]`.
    pub fn b(&mut self, k: u32) -> Step<Value> {
        let len = self.stacks.b.len();
        if (k as usize) < len {
            Ok(self.stacks.b[len - 1 - k as usize])
        } else {
            Err(self.underflow('B', k as usize + 1))
        }
    }
    pub fn set_a(&mut self, k: u32, value: Value) -> Step {
        self.a(k)?;
        let len = self.stacks.a.len();
        self.stacks.a[len - 1 - k as usize] = value;
        Ok(())
    }
    pub fn set_b(&mut self, k: u32, value: Value) -> Step {
        self.b(k)?;
        let len = self.stacks.b.len();
        self.stacks.b[len - 1 - k as usize] = value;
        Ok(())
    }
    pub fn push_a(&mut self, value: Value) {
        self.stacks.a.push(value);
    }
    pub fn push_b(&mut self, value: Value) {
        self.stacks.b.push(value);
    }
    pub fn pop_a(&mut self) -> Step<Value> {
        match self.stacks.a.pop() {
            Some(value) => Ok(value),
            None => Err(self.underflow('A', 1)),
        }
    }
    pub fn pop_b(&mut self) -> Step<Value> {
        match self.stacks.b.pop() {
            Some(value) => Ok(value),
            None => Err(self.underflow('B', 1)),
        }
    }
    /// Pops `n` nodes, the top first.
    pub fn pop_nodes(&mut self, n: u32, to: &mut Vec<Value>) -> Step {
        if n as usize > self.stacks.a.len() {
            return Err(self.underflow('A', n as usize));
        }
        let at = self.stacks.a.len() - n as usize;
        to.extend(self.stacks.a.drain(at..).rev());
        Ok(())
    }
    /// Pops `n` words, the top first.
    pub fn pop_words(&mut self, n: u32, to: &mut Vec<Value>) -> Step {
        if n as usize > self.stacks.b.len() {
            return Err(self.underflow('B', n as usize));
        }
        let at = self.stacks.b.len() - n as usize;
        to.extend(self.stacks.b.drain(at..).rev());
        Ok(())
    }
    pub fn drop_a(&mut self, n: u32) -> Step {
        if n as usize > self.stacks.a.len() {
            return Err(self.underflow('A', n as usize));
        }
        self.stacks.a.truncate(self.stacks.a.len() - n as usize);
        Ok(())
    }
    pub fn drop_b(&mut self, n: u32) -> Step {
        if n as usize > self.stacks.b.len() {
            return Err(self.underflow('B', n as usize));
        }
        self.stacks.b.truncate(self.stacks.b.len() - n as usize);
        Ok(())
    }

    // -- kinds of words -----------------------------------------------------------------------------------------------

    /// A word as an integer.
    pub fn as_word(&mut self, value: Value) -> Value {
        if self.func.values[value] == Type::F64 { self.op(Opcode::RealBits, &[value]) } else { value }
    }
    /// A word as a real.
    pub fn as_real(&mut self, value: Value) -> Value {
        if self.func.values[value] == Type::F64 { value } else { self.op(Opcode::BitsReal, &[value]) }
    }
    pub fn as_type(&mut self, value: Value, ty: Type) -> Value {
        match ty {
            Type::F64 => self.as_real(value),
            Type::I64 => self.as_word(value),
            _ => value,
        }
    }
    /// Pops an integer word.
    pub fn pop_word(&mut self) -> Step<Value> {
        let value = self.pop_b()?;
        Ok(self.as_word(value))
    }
    /// Pops a real.
    pub fn pop_real(&mut self) -> Step<Value> {
        let value = self.pop_b()?;
        Ok(self.as_real(value))
    }
    /// Pushes a 32-bit value (condition or address) as a word, and remembers it.
    pub fn push_narrow(&mut self, narrow: Value) {
        let wide = self.zero_extended(narrow);
        self.push_b(wide);
    }
    /// A 32-bit value as a word, which remembers it.
    pub fn zero_extended(&mut self, narrow: Value) -> Value {
        let wide = self.op(Opcode::ExtendU, &[narrow]);
        self.narrow[wide] = narrow.into();
        wide
    }
    /// A 32-bit value that is zero exactly if the word is.
    pub fn as_condition(&mut self, word: Value) -> Value {
        if let Some(narrow) = self.narrow[word].expand() {
            return narrow;
        }
        let word = self.as_word(word);
        let zero = self.iconst(0);
        self.op(Opcode::Ne, &[word, zero])
    }
}
