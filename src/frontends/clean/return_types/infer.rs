//! Collects the evidence for return types, and unifies the labels that must return the same.
//!
//! Linear in the size of the program: each label, tail call, descriptor and called name is looked at a constant number
//! of times (the classes are a union-find forest).
//!
//! Correct code has one kind of results in each class. Where two are found something is wrong, maybe only in hand-
//! written code that nobody reaches: then each label takes the evidence that it reaches in the fewest steps, so that
//! wrong code spoils nothing but itself, and the translation of what is used reports the contradiction.

use super::{Evidence, Label, LabelResults, Reason, Shape, Shapes};
use crate::ast::{LayoutId, Symbol};
use crate::index::{Definition, Exit, ModuleIndex};
use crate::instr::Opcode;
use crate::link::{Meaning, ModuleId, Program};
use crate::system;
use cleave_ir::{Type, UnionFind};

struct Inference<'p> {
    program: &'p mut Program,
    first: Vec<u32>,
    shapes: Shapes,
    /// Numbers of layouts of the current module as shapes.
    layouts: Vec<Option<Shape>>,
    /// A label and the label that it leaves to.
    tails: Vec<(u32, u32)>,
    /// All that is said about labels.
    said: Vec<(u32, Evidence)>,
    /// Labels whose own code returns.
    returns: Vec<bool>,
    /// One node.
    node: Shape,
}

pub(super) fn infer(program: &mut Program) -> LabelResults {
    let indexes = program.indexes.clone();
    let mut first = Vec::with_capacity(indexes.len());
    let mut count = 0;
    for index in indexes.iter() {
        first.push(count);
        count += index.functions.len() as u32;
    }
    let mut shapes = Shapes::default();
    let node = shapes.intern(&[Type::Ref]);
    let mut inference = Inference {
        program,
        first,
        shapes,
        layouts: Vec::new(),
        tails: Vec::new(),
        said: Vec::new(),
        returns: vec![false; count as usize],
        node,
    };
    for (module, index) in indexes.iter().enumerate() {
        inference.module(module as ModuleId, index);
    }
    let may_return = reaches(&inference.tails, &inference.returns);
    let evidence = inference.decide(&may_return);
    let labels = evidence.into_iter().zip(may_return);
    let labels = labels.map(|(evidence, may_return)| Label { evidence, may_return }).collect();
    LabelResults { first: inference.first, labels, shapes: inference.shapes }
}

impl Inference<'_> {
    fn label(&self, module: ModuleId, index: u32) -> u32 {
        self.first[module as usize] + index
    }

    /// The label that a name stands for.
    fn named(&mut self, module: ModuleId, symbol: Symbol) -> Option<u32> {
        match self.program.meaning(module, symbol) {
            Meaning::Defined(other, Definition::Function(index)) => Some(self.label(other, index)),
            _ => None,
        }
    }

    fn shape_of(&mut self, module: ModuleId, layout: LayoutId) -> Shape {
        let slot = &mut self.layouts[layout.0 as usize];
        *slot.get_or_insert_with(|| self.shapes.of_layout(self.program.modules[module as usize].layouts.get(layout)))
    }

    fn module(&mut self, module: ModuleId, index: &ModuleIndex) {
        let modules = self.program.modules.clone();
        let parsed = &modules[module as usize];
        self.layouts.clear();
        self.layouts.resize(parsed.layouts.len(), None);
        for (number, function) in index.functions.iter().enumerate() {
            let label = self.label(module, number as u32);
            let returns = &function.returns;
            let say = |to: &mut Self, shape, reason, item| {
                to.said.push((label, Evidence { shape, reason, module, item }));
            };
            self.returns[label as usize] = returns.any;
            match returns.exit {
                Some((Exit::Layout(layout), item)) => {
                    let shape = self.shape_of(module, layout);
                    say(self, shape, Reason::Code, item);
                }
                Some((Exit::Node, item)) => say(self, self.node, Reason::Code, item),
                None => {}
            }
            if let Some((layout, item)) = returns.unreached {
                let shape = self.shape_of(module, layout);
                say(self, shape, Reason::Unreached, item);
            }
            if let Some(item) = function.node.or(function.apply) {
                say(self, self.node, Reason::Entry, item);
                let line = parsed.line(item as usize);
                let other = match line.op {
                    Opcode::dot_n => line.label(2),
                    Opcode::dot_nu => line.label(3),
                    _ => line.label(1),
                };
                self.entry(module, other, item);
            }
            for &(tail, item) in &returns.tails {
                match self.program.meaning(module, tail) {
                    Meaning::Defined(other, Definition::Function(index)) => {
                        let target = self.label(other, index);
                        self.tails.push((label, target));
                    }
                    Meaning::Runtime(libcall) if !libcall.never_returns() => {
                        let shape = self.shapes.intern(system::results(libcall));
                        self.returns[label as usize] = true;
                        say(self, shape, Reason::Code, item);
                    }
                    _ => {}
                }
            }
            if returns.falls_through {
                self.tails.push((label, label + 1));
            }
        }
        for &item in &index.descriptors {
            let line = parsed.line(item as usize);
            if matches!(line.op, Opcode::dot_desc | Opcode::dot_descexp) {
                self.entry(module, line.label(2), item);
            }
        }
        for (symbol, call) in index.call_results.iter().enumerate() {
            if let &Some((layout, item)) = call
                && let Some(label) = self.named(module, Symbol(symbol as u32))
            {
                let shape = self.shape_of(module, layout);
                self.said.push((label, Evidence { shape, reason: Reason::Call, module, item }));
            }
        }
    }
}

impl Inference<'_> {
    /// A label that the item names as an entry of nodes or closures: an update entry, a lazy entry, an apply entry.
    fn entry(&mut self, module: ModuleId, symbol: Option<Symbol>, item: u32) {
        if let Some(label) = symbol.and_then(|symbol| self.named(module, symbol)) {
            self.said.push((label, Evidence { shape: self.node, reason: Reason::Entry, module, item }));
        }
    }

    /// The evidence that decides for each label.
    fn decide(&self, may_return: &[bool]) -> Vec<Option<Evidence>> {
        let mut classes = UnionFind::new(self.returns.len());
        for &(from, to) in self.tails.iter().filter(|tail| may_return[tail.1 as usize]) {
            classes.union(from, to);
        }
        let mut best: Vec<Option<Evidence>> = vec![None; self.returns.len()];
        let mut is_contradicted = vec![false; self.returns.len()];
        let mut contradictions = false;
        for &(label, evidence) in &self.said {
            let class = classes.find(label) as usize;
            let decides = match &best[class] {
                Some(other) => {
                    if other.shape != evidence.shape && other.reason.max(evidence.reason) != Reason::Unreached {
                        is_contradicted[class] = true;
                        contradictions = true;
                    }
                    evidence.reason < other.reason
                }
                None => true,
            };
            if decides {
                best[class] = Some(evidence);
            }
        }
        let mut decided: Vec<Option<Evidence>> =
            (0..self.returns.len() as u32).map(|label| best[classes.find(label) as usize]).collect();
        if contradictions {
            self.nearest(&mut decided, |label| is_contradicted[classes.find(label) as usize]);
        }
        self.borrow(&mut decided, classes);
        decided
    }

    /// Labels that never return, and of which nothing is said, are taken to return what their neighbours do: nobody
    /// sees it, but entries of class members are found by it.
    fn borrow(&self, decided: &mut [Option<Evidence>], mut classes: UnionFind) {
        for &(from, to) in &self.tails {
            classes.union(from, to);
        }
        let mut of_class: Vec<Option<Evidence>> = vec![None; decided.len()];
        for (label, &evidence) in decided.iter().enumerate() {
            let class = &mut of_class[classes.find(label as u32) as usize];
            *class = class.or(evidence);
        }
        for (label, evidence) in decided.iter_mut().enumerate() {
            *evidence = evidence.or_else(|| of_class[classes.find(label as u32) as usize]);
        }
    }

    /// Gives each label of a class with contradictions the evidence of code that it reaches in the fewest steps.
    fn nearest(&self, decided: &mut [Option<Evidence>], mut is_contradicted: impl FnMut(u32) -> bool) {
        let into = Incoming::new(&self.tails, decided.len());
        let mut is_done = vec![false; decided.len()];
        let mut queue = std::collections::VecDeque::new();
        for &(label, evidence) in &self.said {
            if evidence.reason == Reason::Code && !is_done[label as usize] && is_contradicted(label) {
                is_done[label as usize] = true;
                decided[label as usize] = Some(evidence);
                queue.push_back(label);
            }
        }
        while let Some(label) = queue.pop_front() {
            for &from in into.of(label) {
                if !std::mem::replace(&mut is_done[from as usize], true) {
                    decided[from as usize] = decided[label as usize];
                    queue.push_back(from);
                }
            }
        }
    }
}

/// The labels from which one of `targets` is reached.
fn reaches(tails: &[(u32, u32)], targets: &[bool]) -> Vec<bool> {
    let into = Incoming::new(tails, targets.len());
    let mut reached = targets.to_vec();
    let mut work: Vec<u32> = (0..targets.len() as u32).filter(|&label| targets[label as usize]).collect();
    while let Some(label) = work.pop() {
        for &from in into.of(label) {
            if !std::mem::replace(&mut reached[from as usize], true) {
                work.push(from);
            }
        }
    }
    reached
}

/// For each label those that leave to it.
struct Incoming {
    starts: Vec<u32>,
    from: Vec<u32>,
}

impl Incoming {
    fn new(tails: &[(u32, u32)], labels: usize) -> Incoming {
        let mut starts = vec![0; labels + 1];
        for &(_, to) in tails {
            starts[to as usize] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        // Each start is the end of its list now, and moves to the front while the list is filled.
        let mut from = vec![0; tails.len()];
        for &(label, to) in tails.iter().rev() {
            let start = &mut starts[to as usize];
            *start -= 1;
            from[*start as usize] = label;
        }
        Incoming { starts, from }
    }

    fn of(&self, label: u32) -> &[u32] {
        let [start, end] = [label, label + 1].map(|at| self.starts[at as usize] as usize);
        &self.from[start..end]
    }
}
