//! The code of a function under construction: its text, and what lies on both stacks at this point.

use super::types::{Base, Def, Layout, State, Ty, Types};
use std::fmt::{Arguments, Write as _};

/// What a function leaves.
#[derive(Clone, Debug)]
pub struct Shape {
    pub ty: Ty,
    pub layout: Layout,
    /// It fills a cell that the caller gives, the deepest of its nodes.
    pub dest: bool,
}

#[derive(Default)]
pub struct Code {
    pub text: String,
    /// The top is the last element.
    pub a: Vec<(Ty, State)>,
    pub b: Vec<Base>,
    /// Where the fuel is, from the bottom of the B stack.
    pub fuel: Option<usize>,
    /// Calls that may still be written.
    pub calls: usize,
}

impl Code {
    pub fn line(&mut self, line: Arguments<'_>) {
        self.text.push('\t');
        let _ = self.text.write_fmt(line);
        self.text.push('\n');
    }

    pub fn directive(&mut self, line: Arguments<'_>) {
        let _ = self.text.write_fmt(line);
        self.text.push('\n');
    }

    /// Parts that a call or an entry leaves: the first one comes to the top.
    pub fn push(&mut self, layout: &Layout) {
        self.a.extend(layout.a.iter().rev());
        self.b.extend(layout.b.iter().rev());
    }

    pub fn drop(&mut self, nodes: usize, words: usize) {
        self.a.truncate(self.a.len() - nodes);
        self.b.truncate(self.b.len() - words);
    }

    pub fn push_node(&mut self, ty: Ty, state: State) {
        self.a.push((ty, state));
    }

    /// Offset of a slot, which is counted from the bottom.
    pub fn a_offset(&self, slot: usize) -> usize {
        self.a.len() - 1 - slot
    }

    pub fn b_offset(&self, slot: usize) -> usize {
        self.b.len() - 1 - slot
    }

    /// Moves the upper `keep` nodes and words down by what lies between them and the lower `nodes`, `words`.
    pub fn settle(&mut self, keep: (usize, usize), below: (usize, usize)) {
        let gap = self.a.len() - keep.0 - below.0;
        if gap > 0 {
            if keep.0 == 1 {
                self.line(format_args!("updatepop_a 0 {gap}"));
            } else {
                for at in (0..keep.0).rev() {
                    self.line(format_args!("update_a {at} {}", at + gap));
                }
                self.line(format_args!("pop_a {gap}"));
            }
            self.a.drain(below.0..below.0 + gap);
        }
        let gap = self.b.len() - keep.1 - below.1;
        if gap > 0 {
            if keep.1 == 1 {
                self.line(format_args!("updatepop_b 0 {gap}"));
            } else {
                for at in (0..keep.1).rev() {
                    self.line(format_args!("update_b {at} {}", at + gap));
                }
                self.line(format_args!("pop_b {gap}"));
            }
            self.b.drain(below.1..below.1 + gap);
        }
    }

    /// Gives up everything above.
    pub fn pop_to(&mut self, nodes: usize, words: usize) {
        let (a, b) = (self.a.len() - nodes, self.b.len() - words);
        if a > 0 {
            self.line(format_args!("pop_a {a}"));
        }
        if b > 0 {
            self.line(format_args!("pop_b {b}"));
        }
        self.drop(a, b);
    }

    /// Gives up all words.
    pub fn pop_words(&mut self) {
        self.pop_to(self.a.len(), 0);
    }

    /// The strict parts of `ty` on top become a node.
    pub fn wrap(&mut self, types: &Types, ty: Ty) {
        match types.def(ty) {
            Def::Base(base) => {
                self.line(format_args!("build{}_b 0", base.upper()));
                self.line(format_args!("pop_b 1"));
            }
            Def::Tuple(all) => self.line(format_args!("buildh _Tuple {}", all.len())),
            Def::Record(id, fields) => {
                let layout = types.fields_layout(fields);
                self.line(format_args!("buildhr r{id} {} {}", layout.a.len(), layout.b.len()));
            }
            _ if types.is_object(ty) => self.line(format_args!("buildh ARRAY 1")),
            _ => {}
        }
        let layout = types.strict(ty);
        self.drop(layout.a.len(), layout.b.len());
        self.push_node(ty, State::Evaluated);
    }

    /// The strict parts of `ty` on top go into the node below, which stays.
    pub fn fill(&mut self, types: &Types, ty: Ty) {
        let layout = types.strict(ty);
        let (nodes, words) = (layout.a.len(), layout.b.len());
        match types.def(ty) {
            Def::Base(base) => {
                self.line(format_args!("fill{}_b 0 0", base.upper()));
                self.line(format_args!("pop_b 1"));
            }
            Def::Tuple(_) => self.line(format_args!("fillh _Tuple {nodes} {nodes}")),
            Def::Record(id, _) => {
                self.line(format_args!("fill_r r{id} {nodes} {words} {nodes} 0 0"));
                if nodes > 0 {
                    self.line(format_args!("pop_a {nodes}"));
                }
                if words > 0 {
                    self.line(format_args!("pop_b {words}"));
                }
            }
            _ if types.is_object(ty) => self.line(format_args!("fillh ARRAY 1 1")),
            _ => {
                self.line(format_args!("fill_a 0 1"));
                self.line(format_args!("pop_a 1"));
            }
        }
        self.drop(nodes, words);
    }

    /// Copies the strict parts of the evaluated node in a slot to the top.
    pub fn unwrap(&mut self, types: &Types, ty: Ty, slot: usize) {
        let at = self.a_offset(slot);
        let layout = types.strict(ty);
        match types.def(ty) {
            Def::Base(base) => self.line(format_args!("push{}_a {at}", base.upper())),
            Def::Tuple(all) => self.line(format_args!("push_args {at} {0} {0}", all.len())),
            Def::Record(..) => self.line(format_args!("push_r_args {at} {} {}", layout.a.len(), layout.b.len())),
            _ if types.is_object(ty) => self.line(format_args!("push_array {at}")),
            _ => self.line(format_args!("push_a {at}")),
        }
        self.push(&layout);
    }

    /// Evaluates what a slot holds.
    pub fn evaluate(&mut self, slot: usize) {
        if self.a[slot].1 == State::Lazy {
            let at = self.a_offset(slot);
            self.line(format_args!("jsr_eval {at}"));
            self.a[slot].1 = State::Evaluated;
        }
    }

    /// A call of a label whose arguments lie on top, and after it what it leaves.
    pub fn call(&mut self, label: &str, arguments: &Layout, more: usize, result: &Layout) {
        self.directive(format_args!(".d {}", arguments.operands(more)));
        self.line(format_args!("jsr {label}"));
        self.directive(format_args!(".o {}", result.operands(0)));
        self.drop(arguments.a.len() + more, arguments.b.len());
        self.push(result);
    }

    /// Returns with what lies on the stacks.
    pub fn give_back(&mut self, result: &Layout, more: usize) {
        self.directive(format_args!(".d {}", result.operands(more)));
        self.line(format_args!("rtn"));
    }

    /// What holds on both of two ways to here.
    pub fn meet(&mut self, other: &[(Ty, State)]) {
        for (own, other) in self.a.iter_mut().zip(other) {
            if own.1 != other.1 {
                own.1 = State::Lazy;
            }
        }
    }
}
