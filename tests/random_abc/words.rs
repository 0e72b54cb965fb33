//! Words of the B stack: operators, comparisons, functions of reals.

use super::arrays::strings;
use super::types::{BASES, Base, Def, Layout, SIZE, STRING};
use super::values::Gen;

/// Binary operators of words that give a word of the same kind.
const INTEGERS: [&str; 11] =
    ["addI", "subI", "mulI", "and%", "or%", "xor%", "shiftl%", "shiftr%", "shiftrU", "addI", "subI"];
const REALS: [&str; 5] = ["addR", "subR", "mulR", "divR", "addR"];
/// Functions of reals; the result of each is rounded, because the last bit is another test's.
const FUNCTIONS: [&str; 10] = ["sinR", "cosR", "tanR", "asinR", "acosR", "atanR", "expR", "lnR", "log10R", "sqrtR"];
const COMPARISONS: [[&str; 3]; 4] =
    [["eqI", "ltI", "gtI"], ["eqB", "eqB", "eqB"], ["eqC", "ltC", "ltC"], ["eqR", "ltR", "ltR"]];
pub(super) const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 +-*/,.;:!?()[]<>";

impl Gen<'_> {
    fn constant(&mut self, base: Base) {
        let text = self.literal(base);
        self.code.line(format_args!("push{} {text}", base.upper()));
        self.code.b.push(base);
    }

    /// A constant as ABC writes it.
    pub fn literal(&mut self, base: Base) -> String {
        match base {
            Base::Int => match self.rng.below(8) {
                // Of 32 bits: Clean's code generator cuts the immediate of an operation, and multiplies by the least of
                // them, and by those next to it, without their sign.
                0 => {
                    self.rng.pick(&[i64::from(i32::MIN) + 15, i64::from(i32::MAX), 65536, -32768, 255, 256]).to_string()
                }
                1 => (self.rng.bits() as i32).to_string(),
                _ => (self.rng.below(60) as i64 - 20).to_string(),
            },
            Base::Bool => ["FALSE", "TRUE"][self.rng.below(2)].into(),
            Base::Char => format!("'{}'", LETTERS[self.rng.below(LETTERS.len())] as char),
            Base::Real => match self.rng.below(4) {
                0 => ["0.0", "-0.0", "1E10", "-1E-5", "0.1", "3.0", "1E100", "2.5"][self.rng.below(8)].into(),
                _ => format!("{}.{}", self.rng.below(400) as i64 - 200, self.rng.below(1000)),
            },
        }
    }

    fn operator(&mut self, name: &str, from: &[Base], to: &[Base]) {
        self.code.line(format_args!("{name}"));
        self.code.drop(0, from.len());
        self.code.b.extend(to.iter().rev());
    }

    /// One word.
    pub fn base(&mut self, base: Base, depth: usize) {
        if self.rng.chance(if depth == 0 { 60 } else { 20 })
            && let Some(slot) = self.find_word(base)
        {
            let at = self.code.b_offset(slot);
            self.code.line(format_args!("push_b {at}"));
            return self.code.b.push(base);
        }
        if depth == 0 {
            return self.constant(base);
        }
        let less = depth - 1;
        match self.rng.below(12) {
            0 => self.constant(base),
            1 | 2 => {
                // Out of a node that is there or is made.
                match self.find_node(|slot| slot.0 == base.ty()) {
                    Some(slot) => {
                        self.code.evaluate(slot);
                        self.code.unwrap(self.types, base.ty(), slot);
                    }
                    None => {
                        self.lazy(base.ty(), less);
                        self.open(base.ty());
                    }
                }
            }
            3 => {
                if !self.element(base, less) {
                    self.operation(base, less);
                }
            }
            4 => self.either(less, |own, depth| own.base(base, depth)),
            _ => self.operation(base, less),
        }
    }

    fn operation(&mut self, base: Base, depth: usize) {
        match base {
            Base::Int => self.integer(depth),
            Base::Bool => self.truth(depth),
            Base::Char => {
                if self.rng.chance(60) {
                    self.base(Base::Int, depth);
                    self.code.line(format_args!("pushI 63"));
                    self.code.line(format_args!("and%"));
                    self.code.line(format_args!("pushI 32"));
                    self.code.line(format_args!("addI"));
                    self.operator("ItoC", &[Base::Int], &[Base::Char]);
                } else {
                    // Of a string that is long enough.
                    self.literal_string(SIZE);
                    self.object(STRING, depth);
                    self.concatenate();
                    self.index();
                    self.code.line(format_args!("select CHAR 0 1"));
                    self.code.drop(1, 1);
                    self.code.b.push(Base::Char);
                }
            }
            Base::Real => self.real(depth),
        }
    }

    fn integer(&mut self, depth: usize) {
        use Base::{Char, Int, Real};
        match self.rng.below(16) {
            0..=5 => {
                self.base(Int, depth);
                self.base(Int, depth);
                let name = INTEGERS[self.rng.below(INTEGERS.len())];
                self.operator(name, &[Int, Int], &[Int]);
            }
            6 | 7 => {
                // The divisor is below, positive or a constant.
                if self.rng.chance(50) {
                    let divisor = self.rng.pick(&[1, 2, 3, 7, -3, 10, 64, 1_000_000_007, -1000]);
                    self.code.line(format_args!("pushI {divisor}"));
                } else {
                    self.base(Int, depth);
                    for line in ["pushI 1023", "and%", "pushI 1", "or%"] {
                        self.code.line(format_args!("{line}"));
                    }
                    self.code.drop(0, 1);
                }
                self.code.b.push(Int);
                self.base(Int, depth);
                let name = ["divI", "remI"][self.rng.below(2)];
                self.operator(name, &[Int, Int], &[Int]);
            }
            8 => {
                self.base(Int, depth);
                let name = ["negI", "not%", "incI", "decI"][self.rng.below(4)];
                self.operator(name, &[Int], &[Int]);
            }
            9 => {
                self.base(Char, depth);
                self.operator("CtoI", &[Char], &[Int]);
            }
            10 => {
                self.base(Real, depth);
                let name = ["RtoI", "entierR"][self.rng.below(2)];
                self.operator(name, &[Real], &[Int]);
            }
            11 => {
                self.base(Int, depth);
                self.base(Int, depth);
                let name = ["addIo", "subIo", "mulIo"][self.rng.below(3)];
                self.operator(name, &[Int, Int], &[Base::Bool, Int]);
                self.one_of_two();
            }
            12 => {
                (0..2).for_each(|_| self.base(Int, depth));
                let name = if self.rng.chance(40) {
                    "mulUUL"
                } else {
                    self.base(Int, depth);
                    self.code.drop(0, 1);
                    ["addLU", "subLU"][self.rng.below(2)]
                };
                self.operator(name, &[Int, Int], &[Int, Int]);
                self.one_of_two();
            }
            13 => {
                self.object(STRING, depth);
                self.code.line(format_args!("push_arraysize CHAR 0 1"));
                self.code.drop(1, 0);
                self.code.b.push(Int);
            }
            14 => {
                self.object(STRING, depth);
                self.object(STRING, depth);
                self.code.call("cmpAC", &strings(2), 0, &Layout { a: Vec::new(), b: vec![Int] });
            }
            _ => self.size(depth),
        }
    }

    /// Of two integers on top one stays.
    fn one_of_two(&mut self) {
        let line = ["updatepop_b 0 1", "pop_b 1"][self.rng.below(2)];
        self.code.line(format_args!("{line}"));
        self.code.drop(0, 2);
        self.code.b.push(Base::Int);
    }

    /// The size of some array.
    fn size(&mut self, depth: usize) {
        let all = self.types.of(|def| matches!(def, Def::Words(_) | Def::Nodes(_) | Def::Records(_)));
        if all.is_empty() {
            return self.constant(Base::Int);
        }
        let ty = self.rng.pick(&all);
        self.object(ty, depth);
        let kind = self.element_kind(ty);
        self.code.line(format_args!("push_arraysize {kind}"));
        self.code.drop(1, 0);
        self.code.b.push(Base::Int);
    }

    fn truth(&mut self, depth: usize) {
        use Base::{Bool, Int};
        match self.rng.below(12) {
            0..=4 => {
                let base = self.rng.pick(&BASES);
                self.base(base, depth);
                self.base(base, depth);
                let name = COMPARISONS[base as usize][self.rng.below(3)];
                self.operator(name, &[base, base], &[Bool]);
            }
            5 => {
                (0..2).for_each(|_| self.base(Int, depth));
                self.operator("ltU", &[Int, Int], &[Bool]);
            }
            6 => {
                // Of a value that nobody else uses: Clean's code generator loses a comparison beside its negation.
                self.truth(depth.min(1));
                self.operator("notB", &[Bool], &[Bool]);
            }
            7 | 8 => {
                let base = self.rng.pick(&BASES);
                self.base(base, depth);
                let text = self.literal(base);
                self.code.line(format_args!("eq{}_b {text} 0", base.upper()));
                self.code.line(format_args!("updatepop_b 0 1"));
                self.code.drop(0, 1);
                self.code.b.push(Bool);
            }
            9 => {
                self.object(STRING, depth);
                self.object(STRING, depth);
                self.code.call("eqAC", &strings(2), 0, &Layout { a: Vec::new(), b: vec![Bool] });
            }
            10 => {
                self.object(STRING, depth);
                let text = self.letters(3);
                self.code.line(format_args!("eqAC_a \"{text}\""));
                self.code.drop(1, 0);
                self.code.b.push(Bool);
            }
            _ => {
                let all = self.types.of(|def| matches!(def, Def::List(_)));
                if all.is_empty() {
                    return self.constant(Bool);
                }
                let ty = self.rng.pick(&all);
                self.node(ty, depth);
                let what = ["_Nil 0", "_Cons 2"][self.rng.below(2)];
                self.code.line(format_args!("eq_desc {what} 0"));
                self.code.line(format_args!("pop_a 1"));
                self.code.drop(1, 0);
                self.code.b.push(Bool);
            }
        }
    }

    fn real(&mut self, depth: usize) {
        use Base::{Int, Real};
        let one = Layout { a: Vec::new(), b: vec![Real] };
        match self.rng.below(10) {
            0..=3 => {
                (0..2).for_each(|_| self.base(Real, depth));
                let name = REALS[self.rng.below(REALS.len())];
                self.operator(name, &[Real, Real], &[Real]);
                self.code.call("finite", &one, 0, &one);
            }
            4 => {
                self.base(Int, depth);
                self.operator("ItoR", &[Int], &[Real]);
            }
            5 => {
                self.base(Real, depth);
                let name = ["absR", "negR"][self.rng.below(2)];
                self.operator(name, &[Real], &[Real]);
            }
            6..=8 => {
                self.base(Real, depth);
                // Clean's sines of large arguments are 0.
                self.code.call("rounded", &one, 0, &one);
                let name = FUNCTIONS[self.rng.below(FUNCTIONS.len())];
                self.operator(name, &[Real], &[Real]);
                self.code.call("rounded", &one, 0, &one);
            }
            _ => {
                (0..2).for_each(|_| self.base(Real, depth));
                self.operator("powR", &[Real, Real], &[Real]);
                self.code.call("rounded", &one, 0, &one);
            }
        }
    }
}
