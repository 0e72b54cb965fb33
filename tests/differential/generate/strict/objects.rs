//! Steps with strings, arrays and closures.

use super::types::{Element, Gives, Ty};
use super::writer::{Writer, element_access, list};

impl Writer<'_> {
    pub fn text_step(&mut self) {
        let node_info = |this: &Self, name: &str| this.text_row(name);
        match self.rng.below(12) {
            11 => self.system_step(),
            0 => {
                let word = self.operand(Ty::Word);
                let node_info = node_info(self, "int_to_string");
                self.add(Ty::Text, &format!("call_rt {node_info}(v{word})"));
            }
            1 => {
                let word = self.operand(Ty::Word);
                let (letter, node_info) = (self.masked(word, 127), node_info(self, "char_to_string"));
                self.add(Ty::Text, &format!("call_rt {node_info}(v{letter})"));
            }
            2 | 3 => {
                // Not longer and longer.
                let (text, other) = (self.operand(Ty::Text), self.operand(Ty::Text));
                let (from, to) = (self.word(0), self.word(20));
                let (slice, cat) = (node_info(self, "slice_string"), node_info(self, "cat_string"));
                let part = self.call_rt(&slice, &[text, from, to]);
                self.add(Ty::Text, &format!("call_rt {cat}(v{part}, v{other})"));
            }
            4 => {
                let (text, from, to) = (self.operand(Ty::Text), self.operand(Ty::Word), self.operand(Ty::Word));
                let node_info = node_info(self, "slice_string");
                self.add(Ty::Text, &format!("call_rt {node_info}(v{text}, v{from}, v{to})"));
            }
            5 | 6 => {
                let name = self.rng.pick(&["eq_string", "cmp_string"]);
                let node_info = node_info(self, name);
                let (text, other) = (self.operand(Ty::Text), self.operand(Ty::Text));
                self.add(Ty::Word, &format!("call_rt {node_info}(v{text}, v{other})"));
            }
            7 | 8 => self.new_text(),
            9 => {
                let text = self.operand(Ty::Text);
                self.add(Ty::Word, &format!("string_size v{text}"));
                self.letter(text);
            }
            _ if self.plan.is_rc() => {}
            _ => {
                let real = self.operand(Ty::Real);
                // Not NaN: its sign is seen.
                let (is_number, zero) = (self.both("feq", real, real), self.value("fconst 0.0"));
                let real = self.value(&format!("select v{is_number}, v{real}, v{zero}"));
                self.add(Ty::Text, &format!("call_rt real_to_string(v{real})"));
                let word = self.operand(Ty::Word);
                let truth = self.masked(word, 1);
                self.add(Ty::Text, &format!("call_rt bool_to_string(v{truth})"));
            }
        }
    }

    /// What surrounds a program: its input, a variable and files that there are not, and its end.
    fn system_step(&mut self) {
        let row = |this: &Self, name: &str| this.text_row(name);
        match self.rng.below(10) {
            0..=3 => {
                let name = row(self, "read_line");
                self.add(Ty::Text, &format!("call_rt {name}()"));
            }
            4 | 5 => {
                let (name, variable) = (row(self, "environment"), self.value("static static2"));
                self.add(Ty::Text, &format!("call_rt {name}(v{variable})"));
            }
            6 | 7 => {
                let (name, file) = (row(self, "read_file"), self.value("static static2"));
                self.results(&[Ty::Text, Ty::Word], &format!("call_rt {name}(v{file})"));
            }
            8 => {
                let (name, file, text) =
                    (row(self, "write_file"), self.value("static static0"), self.operand(Ty::Text));
                self.add(Ty::Word, &format!("call_rt {name}(v{file}, v{text})"));
            }
            _ => {
                let (word, rare) = (self.operand(Ty::Word), self.word(63));
                let ends = self.both("eq", word, rare);
                let (end, on) = (self.block(), self.block());
                self.line(&format!("br_if v{ends}, block{end}, block{on}"));
                self.label(end);
                self.effect("exit", &[word]);
                self.line("unreachable");
                self.label(on);
            }
        }
    }

    /// The first byte, if there is one.
    fn letter(&mut self, text: usize) {
        let offset = if self.plan.is_rc() { 12 } else { 8 };
        let size = self.value(&format!("string_size v{text}"));
        let (some, join) = (self.block(), self.block());
        let (none, zero) = (self.word(-1), self.word(0));
        let filled = self.both("ne", size, zero);
        self.line(&format!("br_if v{filled}, block{some}, block{join}(v{none})"));
        self.label(some);
        let letter = self.value(&format!("elem.u8 v{text}, v{zero} stride 1 at {offset}"));
        self.line(&format!("jump block{join}(v{letter})"));
        self.label_with(join, &[Ty::Word]);
    }

    /// A new string that others are put into.
    fn new_text(&mut self) {
        let part = self.operand(Ty::Text);
        let (slice, put) = (self.text_row("slice_string"), self.text_row("put_string"));
        let (from, to) = (self.word(0), self.word(9));
        let part = self.call_rt(&slice, &[part, from, to]);
        let size = self.value(&format!("string_size v{part}"));
        let more = self.word(3);
        let whole = self.both("iadd", size, more);
        if self.plan.is_rc() {
            let begin = self.operand(Ty::Text);
            let begin = self.call_rt("rc_slice_string", &[begin, from, from]);
            let extended = self.call_rt("rc_extend_string", &[begin, whole]);
            // All but the first byte would be anything: they are put there.
            let three = self.value("static static1");
            self.effect(&put, &[extended, from, part]);
            self.effect(&put, &[extended, size, three]);
            self.scope.push((extended, Ty::Text));
            return;
        }
        let (kind, zero) = (self.narrow(6), self.narrow(0));
        let made = self.call_rt("new_array", &[kind, zero, zero, whole]);
        self.effect(&put, &[made, more, part]);
        let letter = self.word(65);
        self.line(&format!("set_elem.u8 v{made}, v{from}, v{letter} stride 1 at 8"));
        let two = self.word(2);
        let changed = self.call_rt("update_string", &[made, two, letter]);
        self.scope.push((changed, Ty::Text));
        self.scope.push((made, Ty::Text));
    }

    pub fn make_array(&mut self, element: Element) -> usize {
        let (op, stride, ty) = element_access(element);
        let kind = match element {
            Element::Data(_) | Element::Int => 0,
            Element::Word => 1,
            Element::Real => 2,
            Element::Truth => 3,
            Element::Word32 => 4,
            Element::Real32 => 5,
        };
        let first = self.operand(ty);
        let first = if element == Element::Truth { self.masked(first, 1) } else { first };
        let size = 1 + self.rng.below(4) as i64;
        let (kind, zero, size) = (self.narrow(kind), self.narrow(0), self.word(size));
        let array = self.call_rt("new_array", &[kind, zero, zero, size]);
        let index = self.word(0);
        self.line(&format!("set_elem.{op} v{array}, v{index}, v{first} stride {stride} at 12"));
        self.effect("replicate", &[array, zero, zero]);
        array
    }

    pub fn array_step(&mut self) {
        let Some((array, Ty::Array(element))) = self.find(|ty| matches!(ty, Ty::Array(_))) else {
            let element = self.rng.pick(&[Element::Int, Element::Word, Element::Real, Element::Truth]);
            let array = self.make_array(element);
            return self.scope.push((array, Ty::Array(element)));
        };
        let size = self.value(&format!("array_size v{array}"));
        let word = self.operand(Ty::Word);
        let index = self.both("urem", word, size);
        let (op, stride, ty) = element_access(element);
        match self.rng.below(5) {
            0 | 1 => {
                let value = self.operand(ty);
                let value = if element == Element::Truth { self.masked(value, 1) } else { value };
                self.line(&format!("set_elem.{op} v{array}, v{index}, v{value} stride {stride} at 12"));
            }
            2 => {
                let one = self.word(1);
                let shorter = self.call_rt("shorten_array", &[array, one]);
                self.scope.push((shorter, Ty::Array(element)));
            }
            3 => {
                // In a box, and out of it.
                let boxed = self.value(&format!("build $ARRAY/1 v{array}"));
                self.add(Ty::Array(element), &format!("get.ref v{boxed} (1, 0) 0"));
            }
            _ => {
                let named = self.element(array, element, index);
                self.scope.push(named);
            }
        }
    }

    /// Fewer arguments than a closure lacks, just these, or more.
    pub fn apply_step(&mut self) {
        let mut found = self.find(|ty| matches!(ty, Ty::Closure(..)));
        if found.is_none() && self.plan.raises {
            // Applications with a handler are in few programs: here it is applied at once.
            let ty = Ty::Closure(1, Gives::Int);
            let value = self.make(ty);
            self.scope.push((value, ty));
            found = Some((value, ty));
        }
        let Some((closure, Ty::Closure(missing, gives))) = found else {
            if !self.is_last {
                let closure = &self.plan.closures[self.rng.below(self.plan.closures.len())];
                let missing = if self.rng.chance(50) {
                    closure.missing
                } else {
                    1 + self.rng.below(closure.missing as usize) as u32
                };
                let ty = Ty::Closure(missing, closure.gives);
                let value = self.make(ty);
                self.scope.push((value, ty));
            }
            return;
        };
        if missing > 1 && self.rng.chance(40) {
            let one = self.operand(Ty::Int);
            self.add(Ty::Closure(missing - 1, gives), &format!("call_rt add_argument(v{closure}, v{one})"));
            return;
        }
        let most = missing as usize + usize::from(gives == Gives::Closure);
        let count = 1 + self.rng.below(most);
        let args: Vec<usize> = (0..count).map(|_| self.operand(Ty::Int)).collect();
        let ty = match (count as u32, gives) {
            (count, _) if count < missing => Ty::Closure(missing - count, gives),
            (count, Gives::Closure) if count == missing => Ty::Closure(1, Gives::Int),
            _ => Ty::Int,
        };
        self.add(ty, &format!("apply v{closure}, {}", list(&args)));
    }
}
