//! Arrays of `array.new`, of all kinds on both heaps: made, read and written over in place, by steps and by loops.
//! Each has at least one element but those that a step makes for itself.
//!
//! Data may hold arrays of numbers and strings, and arrays data, but no data arrays of data: references make no circle.

use super::types::{Kind, Plan, Ty};
use super::writer::{Writer, list};
use std::fmt::Write as _;

impl Kind {
    /// All kinds; arrays of data are of this type.
    pub fn all(data: usize) -> [Kind; 8] {
        [Kind::Data(data), Kind::Text, Kind::Int, Kind::I64, Kind::F64, Kind::I32, Kind::F32, Kind::U8]
    }
    /// The word after the opcode.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Data(_) | Kind::Text | Kind::Int => "ref",
            Kind::I64 => "i64",
            Kind::F64 => "f64",
            Kind::I32 => "i32",
            Kind::F32 => "f32",
            Kind::U8 => "u8",
        }
    }
    pub fn ty(self) -> Ty {
        match self {
            Kind::Data(number) => Ty::Data(number),
            Kind::Text => Ty::Text,
            Kind::Int => Ty::Int,
            Kind::I64 | Kind::I32 | Kind::U8 => Ty::Word,
            Kind::F64 | Kind::F32 => Ty::Real,
        }
    }
    fn stride(self) -> u32 {
        match self {
            Kind::I64 | Kind::F64 => 8,
            Kind::U8 => 1,
            _ => 4,
        }
    }
    /// In the names of functions.
    pub fn name(self) -> String {
        match self {
            Kind::Data(number) => format!("data{number}"),
            Kind::Text => "text".into(),
            Kind::Int => "int".into(),
            kind => kind.word().into(),
        }
    }
}

impl Writer<'_> {
    /// A new array with some elements that are one.
    pub fn make_vec(&mut self, kind: Kind) -> usize {
        let value = self.operand(kind.ty());
        let size = match self.rng.below(8) {
            0 => {
                let word = self.operand(Ty::Word);
                let (part, one) = (self.masked(word, 15), self.word(1));
                self.both("iadd", part, one)
            }
            _ => {
                let size = 1 + self.rng.below(5) as i64;
                self.word(size)
            }
        };
        self.value(&format!("array.new {} v{size}, v{value}", kind.word()))
    }

    fn length(&mut self, kind: Kind, array: usize) -> usize {
        self.value(&format!("array.len {} v{array}", kind.word()))
    }
    /// An index that exists.
    fn index(&mut self, kind: Kind, array: usize) -> usize {
        let (word, length) = (self.operand(Ty::Word), self.length(kind, array));
        self.both("urem", word, length)
    }
    /// The bounds of an access may be known to hold.
    fn unchecked(&mut self) -> &'static str {
        if self.rng.chance(30) { "unchecked " } else { "" }
    }

    pub fn vec_step(&mut self) {
        let plan = self.plan;
        let (array, kind) = match self.find(|ty| matches!(ty, Ty::Vec(_))) {
            Some((array, Ty::Vec(kind))) if self.rng.chance(85) => (array, kind),
            _ => {
                let kind = self.rng.pick(&plan.kinds);
                let array = self.make_vec(kind);
                self.scope.push((array, Ty::Vec(kind)));
                (array, kind)
            }
        };
        for _ in 0..1 + self.rng.below(2) {
            self.vec_access(kind, array);
        }
    }

    fn vec_access(&mut self, kind: Kind, array: usize) {
        let word = kind.word();
        match self.rng.below(20) {
            0..=2 => {
                let (index, unchecked) = (self.index(kind, array), self.unchecked());
                self.add(kind.ty(), &format!("array.get {word} {unchecked}v{array}, v{index}"));
            }
            3..=5 => {
                let (value, index, unchecked) = (self.operand(kind.ty()), self.index(kind, array), self.unchecked());
                self.line(&format!("array.set {word} {unchecked}v{array}, v{index}, v{value}"));
            }
            6 => {
                let length = self.length(kind, array);
                self.scope.push((length, Ty::Word));
            }
            7 | 8 => self.slice(kind, array),
            9 | 10 => self.copy(kind, array),
            11 => self.call_loop(kind, array),
            12 if self.rng.chance(20) => {
                // Perhaps there is none: the program stops.
                let index = self.operand(Ty::Word);
                self.add(kind.ty(), &format!("array.get {word} v{array}, v{index}"));
            }
            12 | 13 => self.empty(kind, array),
            14 | 15 => self.element_access_of(kind, array),
            _ => self.runtime_access(kind, array),
        }
    }

    fn slice(&mut self, kind: Kind, array: usize) {
        let (from, length) = (self.index(kind, array), self.length(kind, array));
        let (rest, word, one) = (self.both("isub", length, from), self.operand(Ty::Word), self.word(1));
        let more = self.both("urem", word, rest);
        let last = self.both("iadd", from, more);
        let to = self.both("iadd", last, one);
        self.add(Ty::Vec(kind), &format!("array.slice {} v{array}, v{from}, v{to}", kind.word()));
    }

    /// As many elements as there may be, to another array or within one.
    fn copy(&mut self, kind: Kind, array: usize) {
        let other = if self.rng.chance(40) { array } else { self.operand(Ty::Vec(kind)) };
        let mut room = Vec::new();
        let mut starts = Vec::new();
        for array in [array, other] {
            let (start, length) = (self.index(kind, array), self.length(kind, array));
            room.push(self.both("isub", length, start));
            starts.push(start);
        }
        let less = self.both("ult", room[0], room[1]);
        let most = self.value(&format!("select v{less}, v{}, v{}", room[0], room[1]));
        let (one, word) = (self.word(1), self.operand(Ty::Word));
        let limit = self.both("iadd", most, one);
        let count = self.both("urem", word, limit);
        let args = list(&[array, starts[0], other, starts[1], count]);
        self.line(&format!("array.copy {} {args}", kind.word()));
    }

    /// Arrays of nothing.
    fn empty(&mut self, kind: Kind, array: usize) {
        let (zero, value, word) = (self.word(0), self.operand(kind.ty()), kind.word());
        let none = self.value(&format!("array.new {word} v{zero}, v{value}"));
        let end = self.length(kind, array);
        let part = self.value(&format!("array.slice {word} v{array}, v{end}, v{end}"));
        self.line(&format!("array.copy {word} v{array}, v{end}, v{none}, v{zero}, v{zero}"));
        for array in [none, part] {
            let length = self.length(kind, array);
            self.scope.push((length, Ty::Word));
        }
    }

    /// The same element by stride and offset. References of the reference-counted heap are the runtime's.
    fn element_access_of(&mut self, kind: Kind, array: usize) {
        if self.plan.is_rc() && kind.ty().is_ref() {
            return self.runtime_access(kind, array);
        }
        let (index, word, stride) = (self.index(kind, array), kind.word(), kind.stride());
        if self.rng.chance(50) {
            let mut value = self.operand(kind.ty());
            if kind == Kind::U8 {
                value = self.masked(value, 255);
            }
            self.line(&format!("set_elem.{word} v{array}, v{index}, v{value} stride {stride} at 12"));
        }
        self.add(kind.ty(), &format!("elem.{word} v{array}, v{index} stride {stride} at 12"));
    }

    /// By functions of the runtime, as samlang's vectors do it; arrays are objects that can be told apart.
    fn runtime_access(&mut self, kind: Kind, array: usize) {
        let ty = Ty::Vec(kind);
        if self.rng.chance(20) || !self.plan.is_rc() {
            let (other, same) = (self.operand(ty), if self.plan.is_rc() { "rc_same" } else { "same" });
            self.add(Ty::Word, &format!("call_rt {same}(v{array}, v{other})"));
            return;
        }
        let is_inner = self.rng.chance(45);
        let (index, inner) = (self.index(kind, array), if is_inner { "inner_" } else { "" });
        // An array whose first element is this one.
        let array = if is_inner {
            let one = self.word(1);
            self.value(&format!("array.new ref v{one}, v{array}"))
        } else {
            array
        };
        match kind {
            _ if kind.ty().is_ref() && self.rng.chance(50) => {
                let value = self.operand(kind.ty());
                self.add(kind.ty(), &format!("call_rt rc_{inner}exchange(v{value}, v{array}, v{index})"));
            }
            _ if kind.ty().is_ref() => {
                self.add(kind.ty(), &format!("call_rt rc_{inner}element(v{array}, v{index})"));
            }
            Kind::I32 if self.rng.chance(50) => {
                let value = self.operand(Ty::Word);
                self.effect(&format!("rc_set_{inner}word"), &[array, index, value]);
            }
            Kind::I32 if self.rng.chance(60) => {
                self.add(Ty::Word, &format!("call_rt rc_{inner}word(v{array}, v{index})"));
            }
            Kind::I32 => {
                let size = self.word(3);
                self.add(ty, &format!("call_rt rc_new_words(v{size})"));
            }
            _ => self.number_step(),
        }
    }

    /// A loop over all elements: overwrites them, or shifts them.
    fn call_loop(&mut self, kind: Kind, array: usize) {
        let value = self.operand(kind.ty());
        let name = self.rng.pick(&["fill", "turn"]);
        self.line(&format!("call @{name}.{}(v{array}, v{value})", kind.name()));
    }
}

/// The loops of a program: all elements shown, overwritten, or moved to the next place in an order that shows.
pub fn loops(plan: &Plan) -> String {
    let mut out = String::new();
    for &kind in &plan.kinds {
        let (name, word, ty) = (kind.name(), kind.word(), kind.ty().ir());
        let shown = match kind {
            Kind::Data(number) => format!("  v9 = iconst.i64 9\n  v10 = call @show{number}(v8, v9)\n"),
            Kind::Text if plan.is_rc() => "  call_rt rc_print_string(v8)\n".into(),
            Kind::Text => "  call_rt print_string(v8)\n".into(),
            Kind::Int if plan.immediates => "  v9 = call @integer(v8)\n  call @print_word(v9)\n".into(),
            Kind::Int => "  v9 = get.i64 v8 (0, 1) 0\n  call @print_word(v9)\n".into(),
            Kind::F64 | Kind::F32 => "  call @print_number(v8)\n".into(),
            _ => "  call @print_word(v8)\n".into(),
        };
        let _ = write!(
            out,
            "
func @vec.{name}(v0: ref) {{
block0(v0: ref):
  v1 = array.len {word} v0
  call @print_word(v1)
  v2 = iconst.i64 0
  jump block1(v2)
block1(v3: i64):
  v4 = array.len {word} v0
  v5 = slt v3, v4
  br_if v5, block2, block3
block2:
  v8 = array.get {word} v0, v3
{shown}  v11 = iconst.i64 1
  v12 = iadd v3, v11
  jump block1(v12)
block3:
  ret
}}

func @fill.{name}(v0: ref, v1: {ty}) {{
block0(v0: ref, v1: {ty}):
  v2 = iconst.i64 0
  v3 = array.len {word} v0
  jump block1(v2)
block1(v4: i64):
  v5 = ult v4, v3
  br_if v5, block2, block3
block2:
  array.set {word} v0, v4, v1
  v6 = iconst.i64 1
  v7 = iadd v4, v6
  jump block1(v7)
block3:
  ret
}}

func @turn.{name}(v0: ref, v1: {ty}) {{
block0(v0: ref, v1: {ty}):
  v2 = array.len {word} v0
  jump block1(v2, v1)
block1(v3: i64, v4: {ty}):
  v5 = iconst.i64 0
  v6 = sgt v3, v5
  br_if v6, block2, block3
block2:
  v7 = iconst.i64 1
  v8 = isub v3, v7
  v9 = array.get {word} v0, v8
  array.set {word} v0, v8, v4
  jump block1(v8, v9)
block3:
  ret
}}
"
        );
    }
    out
}
