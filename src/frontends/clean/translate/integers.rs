//! Constants of type Integer and Rational: `pushZ`, `pushZR`, `jmp_not_eqZ`.
//!
//! An Integer is a word and an array of words. If it fits in a word that is its value, and the array is empty; else the
//! word is 0 or −1, for the sign, and the array has the magnitude, least significant word first. A Rational is two of
//! them, the numerator on top, without a common factor; all constants have a power of ten as denominator before that.

use super::Step;
use super::function::FunctionBuilder;
use crate::ast::Line;
use crate::externs::Runtime;
use crate::instr::Opcode as Abc;
use cleave_ir::layout::{ARRAY_DATA, ElementKind};
use cleave_ir::{Opcode, Value, pack};

/// Larger exponents of a Rational would make constants of many kilobytes.
const MAX_EXPONENT: u64 = 9999;

/// A constant as it is pushed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Integer {
    pub word: i64,
    pub limbs: Vec<u64>,
}

impl Integer {
    fn new(is_negative: bool, limbs: Vec<u64>) -> Integer {
        let limit = i64::MAX as u64 + u64::from(is_negative);
        match *limbs {
            [] => Integer { word: 0, limbs },
            [limb] if limb <= limit => {
                let word = if is_negative { (limb as i64).wrapping_neg() } else { limb as i64 };
                Integer { word, limbs: Vec::new() }
            }
            _ => Integer { word: -i64::from(is_negative), limbs },
        }
    }

    /// An integer as the parser leaves it: sign, base, digits.
    pub fn parse(text: &[u8]) -> Integer {
        let (is_negative, digits) = sign(text);
        let (base, digits) = match digits {
            [b'0', b'x' | b'X', digits @ ..] => (16, digits),
            [b'0', b'o' | b'O', digits @ ..] => (8, digits),
            digits => (10, digits),
        };
        Integer::new(is_negative, magnitude(digits, base))
    }
}

fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    }
}

fn magnitude(digits: &[u8], base: u64) -> Vec<u64> {
    let mut limbs = Vec::new();
    for &digit in digits {
        let digit = (digit as char).to_digit(base as u32).unwrap_or(0);
        multiply_add(&mut limbs, base, u64::from(digit));
    }
    limbs
}

/// `limbs = limbs * factor + term`, without leading zeros.
fn multiply_add(limbs: &mut Vec<u64>, factor: u64, term: u64) {
    let mut carry = u128::from(term);
    for limb in limbs.iter_mut() {
        carry += u128::from(*limb) * u128::from(factor);
        *limb = carry as u64;
        carry >>= 64;
    }
    if carry != 0 {
        limbs.push(carry as u64);
    }
}

/// The quotient, if nothing remains.
fn divide_exactly(limbs: &[u64], divisor: u64) -> Option<Vec<u64>> {
    let mut quotient = limbs.to_vec();
    let mut rest = 0u128;
    for limb in quotient.iter_mut().rev() {
        rest = rest << 64 | u128::from(*limb);
        *limb = (rest / u128::from(divisor)) as u64;
        rest %= u128::from(divisor);
    }
    while quotient.last() == Some(&0) {
        quotient.pop();
    }
    (rest == 0).then_some(quotient)
}

/// Numerator and denominator of a decimal fraction; `None` if its exponent is too large.
pub fn rational(text: &[u8]) -> Option<(Integer, Integer)> {
    let (is_negative, text) = sign(text);
    let mark = text.iter().position(|byte| matches!(byte, b'e' | b'E'));
    let (mantissa, exponent) = text.split_at(mark.unwrap_or(text.len()));
    let (is_small, exponent) = sign(exponent.get(1..).unwrap_or_default());
    let exponent = match *magnitude(exponent, 10) {
        [] => 0,
        [exponent] if exponent <= MAX_EXPONENT => exponent as i64,
        _ => return None,
    };
    let point = mantissa.iter().position(|&byte| byte == b'.').unwrap_or(mantissa.len());
    let places = mantissa.len().saturating_sub(point + 1) as i64;
    let digits: Vec<u8> = mantissa.iter().copied().filter(|&byte| byte != b'.').collect();
    let mut numerator = magnitude(&digits, 10);
    let exponent = if is_small { -exponent } else { exponent } - places;
    let mut denominator = vec![1];
    if !numerator.is_empty() {
        for _ in 0..exponent {
            multiply_add(&mut numerator, 10, 0);
        }
        for factor in [2, 5] {
            for _ in exponent..0 {
                match divide_exactly(&numerator, factor) {
                    Some(quotient) => numerator = quotient,
                    None => multiply_add(&mut denominator, factor, 0),
                }
            }
        }
    }
    Some((Integer::new(is_negative, numerator), Integer::new(false, denominator)))
}

/// `Element` immediate of a word of an array of words.
const WORD: u64 = pack(8, ARRAY_DATA);

impl FunctionBuilder<'_, '_> {
    /// Translates an instruction about Integers; false if it is none.
    pub fn integer_instruction(&mut self, op: Abc, line: Line<'_>) -> Step<bool> {
        match op {
            Abc::pushZ => self.push_integer(&Integer::parse(line.name(0))),
            Abc::pushZR => {
                let Some((numerator, denominator)) = rational(line.name(0)) else {
                    let help = "exponents have at most four digits";
                    return Err(self.conflict("the constant is too large".into(), help));
                };
                self.push_integer(&denominator);
                self.push_integer(&numerator);
            }
            Abc::jmp_not_eqZ => {
                let integer = Integer::parse(line.name(0));
                let (array, word) = (self.a(0)?, self.b(0)?);
                let word = self.as_word(word);
                let size = self.op(Opcode::ArraySize, &[array]);
                self.branch_unless_equal(size, integer.limbs.len() as i64, line)?;
                self.branch_unless_equal(word, integer.word, line)?;
                for (index, &limb) in integer.limbs.iter().enumerate() {
                    let index = self.iconst(index as i64);
                    let there = self.builder().value(Opcode::ElemI64, WORD, 0, &[array, index]);
                    self.branch_unless_equal(there, limb as i64, line)?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn branch_unless_equal(&mut self, value: Value, constant: i64, line: Line<'_>) -> Step {
        let constant = self.iconst(constant);
        let differs = self.op(Opcode::Ne, &[value, constant]);
        self.branch_local(differs, true, line.symbol(1))
    }

    fn push_integer(&mut self, integer: &Integer) {
        let size = self.iconst(integer.limbs.len() as i64);
        let mut builder = self.builder();
        let kind = builder.iconst32(ElementKind::Int as i32);
        let none = builder.iconst32(0);
        let inst = builder.call_extern(Runtime::NewArray.callee(), &[kind, none, none, size]);
        let array = builder.func.result(inst);
        for (index, &limb) in integer.limbs.iter().enumerate() {
            let index = self.iconst(index as i64);
            let limb = self.iconst(limb as i64);
            self.builder().inst(Opcode::SetElemI64, WORD, 0, &[array, index, limb]);
        }
        self.mark_hnf(array);
        self.push_a(array);
        let word = self.iconst(integer.word);
        self.push_b(word);
    }
}
