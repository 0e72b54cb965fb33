//! Arrays and strings: elements, updates in place, and the functions of the run-time system for strings.

use super::types::{Base, Def, Layout, SIZE, STRING, State, Ty};
use super::values::Gen;
use super::words::LETTERS;

impl Gen<'_> {
    /// An index within every array.
    pub fn index(&mut self) {
        self.base(Base::Int, 1);
        self.code.line(format_args!("pushI {}", SIZE - 1));
        self.code.line(format_args!("and%"));
    }

    pub fn element_kind(&self, array: Ty) -> String {
        match self.types.def(array) {
            Def::Words(base) => format!("{} 0 1", base.element()),
            Def::Records(record) => {
                let Def::Record(id, _) = self.types.def(*record) else { unreachable!("elements are records") };
                let layout = self.types.strict(*record);
                format!("r{id} {} {}", layout.a.len(), layout.b.len())
            }
            _ => "_ 1 0".into(),
        }
    }

    fn element_layout(&self, array: Ty) -> Layout {
        match self.types.def(array) {
            Def::Words(base) => Layout { a: Vec::new(), b: vec![*base] },
            Def::Records(record) => self.types.strict(*record),
            Def::Nodes(element) => Layout { a: vec![(*element, State::Lazy)], b: Vec::new() },
            _ => unreachable!("only arrays have elements"),
        }
    }

    fn element_value(&mut self, array: Ty, depth: usize) {
        match *self.types.def(array) {
            Def::Words(base) => self.base(base, depth),
            Def::Records(record) => self.strict(record, depth),
            Def::Nodes(element) => self.lazy(element, depth),
            _ => unreachable!("only arrays have elements"),
        }
    }

    /// A word out of an array.
    pub fn element(&mut self, base: Base, depth: usize) -> bool {
        let all = self.types.of(|def| match def {
            Def::Words(own) => *own == base,
            Def::Nodes(element) => *element == base.ty(),
            _ => false,
        });
        if all.is_empty() {
            return false;
        }
        let ty = self.rng.pick(&all);
        self.object(ty, depth);
        self.index();
        let kind = self.element_kind(ty);
        self.code.line(format_args!("select {kind}"));
        self.code.drop(1, 1);
        let layout = self.element_layout(ty);
        self.code.push(&layout);
        if !layout.a.is_empty() {
            self.open(base.ty());
        }
        true
    }

    pub fn letters(&mut self, least: usize) -> String {
        let length = least + self.rng.below(6);
        (0..length).map(|_| LETTERS[self.rng.below(LETTERS.len())] as char).collect()
    }

    pub fn literal_string(&mut self, least: usize) {
        let text = self.letters(least);
        self.code.line(format_args!("buildAC \"{text}\""));
        self.code.push_node(STRING, State::Object);
    }

    pub fn concatenate(&mut self) {
        self.code.call("catAC", &strings(2), 0, &strings(1));
    }

    /// An array or a string without a box.
    pub fn object(&mut self, ty: Ty, depth: usize) {
        if let Some(slot) = self.find_node(|slot| slot.0 == ty)
            && self.rng.chance(50)
        {
            if self.code.a[slot].1 == State::Object {
                let at = self.code.a_offset(slot);
                self.code.line(format_args!("push_a {at}"));
                return self.code.push_node(ty, State::Object);
            }
            self.code.evaluate(slot);
            return self.code.unwrap(self.types, ty, slot);
        }
        if depth == 0 && ty != STRING {
            let function = self.default_of(ty).clone();
            return self.call(&function, 0);
        }
        if ty == STRING {
            return self.string(depth);
        }
        let less = depth - 1;
        if self.rng.chance(15) {
            self.lazy(ty, less);
            return self.open(ty);
        }
        self.fresh_array(ty, less);
    }

    /// A new array, changed while nobody else knows it.
    pub fn fresh_array(&mut self, ty: Ty, depth: usize) {
        let (kind, layout) = (self.element_kind(ty), self.element_layout(ty));
        let (nodes, words) = (layout.a.len(), layout.b.len());
        let simple = matches!(self.types.def(ty), Def::Words(_));
        if simple && self.rng.chance(25) {
            self.code.line(format_args!("pushI {SIZE}"));
            self.code.line(format_args!("create_array_ {kind}"));
            self.code.push_node(Ty(usize::MAX), State::Object);
            for at in 0..SIZE {
                self.element_value(ty, 0);
                self.code.line(format_args!("pushI {at}"));
                self.code.line(format_args!("update {kind}"));
                self.code.drop(0, words);
            }
        } else {
            self.element_value(ty, depth);
            self.code.line(format_args!("pushI {SIZE}"));
            self.code.line(format_args!("create_array {kind}"));
            self.code.drop(nodes, words);
            // Nobody else may see it.
            self.code.push_node(Ty(usize::MAX), State::Object);
        }
        for _ in 0..self.rng.below(4) {
            self.element_value(ty, depth);
            self.index();
            self.code.line(format_args!("push_a {nodes}"));
            let name = if self.rng.chance(70) { "update" } else { "replace" };
            self.code.line(format_args!("{name} {kind}"));
            if name == "replace" {
                // The old parts lie above the array.
                if nodes > 0 {
                    self.code.line(format_args!("pop_a {nodes}"));
                }
                if words > 0 {
                    self.code.line(format_args!("pop_b {words}"));
                }
            }
            // What comes back is the array: Clean's generator leaves out a change that nobody asks for.
            self.code.line(format_args!("updatepop_a 0 1"));
            self.code.drop(nodes, words + 1);
        }
        self.code.drop(1, 0);
        self.code.push_node(ty, State::Object);
    }

    fn string(&mut self, depth: usize) {
        if depth == 0 {
            return self.literal_string(0);
        }
        let less = depth - 1;
        let word = |base| Layout { a: Vec::new(), b: vec![base] };
        match self.rng.below(9) {
            0 | 1 => {
                self.object(STRING, less);
                self.object(STRING, less);
                self.concatenate();
            }
            2 => {
                self.object(STRING, less);
                // From the middle of it, and beyond both ends.
                for _ in 0..2 {
                    self.base(Base::Int, less);
                    self.code.line(format_args!("pushI 15"));
                    self.code.line(format_args!("and%"));
                }
                let layout = Layout { a: vec![(STRING, State::Object)], b: vec![Base::Int, Base::Int] };
                self.code.call("sliceAC", &layout, 0, &strings(1));
            }
            3 => {
                self.base(Base::Int, less);
                self.code.call("ItoAC", &word(Base::Int), 0, &strings(1));
            }
            4 => {
                self.base(Base::Real, less);
                self.code.call("RtoAC", &word(Base::Real), 0, &strings(1));
            }
            5 => {
                self.base(Base::Bool, less);
                self.code.call("BtoAC", &word(Base::Bool), 0, &strings(1));
            }
            6 => {
                self.base(Base::Char, less);
                self.code.line(format_args!("CtoAC"));
                self.code.drop(0, 1);
                self.code.push_node(STRING, State::Object);
            }
            7 => {
                self.object(STRING, less);
                self.literal_string(SIZE);
                self.concatenate();
                self.base(Base::Char, less);
                self.index();
                let layout = Layout { a: vec![(STRING, State::Object)], b: vec![Base::Int, Base::Char] };
                self.code.call("updateAC", &layout, 0, &strings(1));
            }
            _ => {
                self.base(Base::Char, less);
                self.code.line(format_args!("pushI {SIZE}"));
                self.code.line(format_args!("create_array CHAR 0 1"));
                self.code.drop(0, 1);
                self.code.push_node(Ty(usize::MAX), State::Object);
                self.base(Base::Char, less);
                self.index();
                self.code.line(format_args!("update CHAR 0 1"));
                self.code.drop(1, 2);
                self.code.push_node(STRING, State::Object);
            }
        }
    }
}

pub fn strings(count: usize) -> Layout {
    Layout { a: vec![(STRING, State::Object); count], b: Vec::new() }
}
