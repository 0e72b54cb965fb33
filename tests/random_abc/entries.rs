//! The entries of a function, as Clean's compiler writes them: for thunks (`n`, `nu`), for application (`l`, `a`), for
//! members of classes (`i`), for evaluated arguments (`ea`), and the strict one (`s`).

use super::code::Code;
use super::functions::{Function, Kind};
use super::types::{Def, INT, Layout, State, Ty};
use super::values::Gen;
use std::fmt::Write as _;

impl Gen<'_> {
    /// All code of a function.
    pub fn function(&mut self, function: &Function) -> String {
        let mut text = String::new();
        let id = function.id;
        let count = function.parameters.len();
        let _ = writeln!(text, ".string x_{id} \"f{id}\"");
        if count > 0 {
            let _ = writeln!(text, ".desc d{id} n{id} l{id} {count} 0 \"f{id}\"");
        }
        let nodes = self.nodes(function, count);
        if function.shape.dest {
            let _ = writeln!(text, ".n {count} {} ea{id}\n.o 1 0\nn{id}", self.descriptor(function));
            let _ = writeln!(text, "\tpush_node _cycle_in_spine {count}");
            text += &self.evaluated(function);
            text += &self.unboxed(function);
            text += &self.applied(function);
        } else {
            // Thunks that may be updated by another node's evaluation say how; numbers never are.
            let shape = &function.shape;
            let is_node = shape.layout.a.len() == 1 && shape.layout.b.is_empty();
            let update = if is_node || self.rng.chance(50) { " _" } else { "" };
            let _ = writeln!(text, ".n {count} {}{update}\n.o 1 0\nn{id}", self.descriptor(function));
            let _ = writeln!(text, "\tpush_node _cycle_in_spine {count}");
            let mut code = Code { a: vec![(function.shape.ty, State::Lazy)], ..Code::default() };
            code.push(&nodes);
            let entry = if count == 0 { "s" } else { "ea" };
            code.call(&format!("{entry}{id}"), &nodes, 0, &function.shape.layout);
            code.fill(self.types, function.shape.ty);
            code.give_back(&one(function.shape.ty), 0);
            text += &code.text;
            text += &self.unboxed(function);
            text += &self.applied(function);
            if count > 0 {
                text += &self.evaluated(function);
            } else {
                text += &self.strict_entry(function);
            }
        }
        text += &self.instance(function);
        text
    }

    fn nodes(&self, function: &Function, count: usize) -> Layout {
        Layout { a: function.parameters[..count].iter().map(|field| (field.ty, State::Lazy)).collect(), b: Vec::new() }
    }

    fn descriptor(&self, function: &Function) -> String {
        if function.parameters.is_empty() { "_".into() } else { format!("d{}", function.id) }
    }

    /// Arguments are evaluated and come into their strict layout, then the body follows.
    fn evaluated(&mut self, function: &Function) -> String {
        let count = function.parameters.len();
        let below = usize::from(function.shape.dest);
        let nodes = self.nodes(function, count);
        let mut code = Code::default();
        if below == 1 {
            code.push_node(Ty(usize::MAX), State::Lazy);
        }
        code.directive(format_args!(".o {}", nodes.operands(below)));
        code.directive(format_args!("ea{}", function.id));
        code.push(&nodes);
        let slot = |at: usize| below + count - 1 - at;
        if function.parameters.iter().any(|field| field.strict) {
            for (at, field) in function.parameters.iter().enumerate() {
                if field.strict {
                    code.evaluate(slot(at));
                }
            }
            for (at, field) in function.parameters.iter().enumerate().rev() {
                if field.strict {
                    code.unwrap(self.types, field.ty, slot(at));
                } else {
                    let offset = code.a_offset(slot(at));
                    code.line(format_args!("push_a {offset}"));
                    code.push_node(field.ty, State::Lazy);
                }
            }
            let layout = self.arguments(function);
            if layout.a.is_empty() {
                code.line(format_args!("pop_a {count}"));
                code.drop(count, 0);
            } else {
                code.settle((layout.a.len(), layout.b.len()), (below, 0));
            }
        }
        code.text + &self.strict_entry(function)
    }

    fn strict_entry(&mut self, function: &Function) -> String {
        let below = usize::from(function.shape.dest);
        let layout = self.arguments(function);
        self.code = Code::default();
        self.code.directive(format_args!(".o {}", layout.operands(below)));
        self.code.directive(format_args!("s{}", function.id));
        self.body(function);
        std::mem::take(&mut self.code.text)
    }

    /// The entry of thunks with unboxed arguments.
    fn unboxed(&mut self, function: &Function) -> String {
        if function.parameters.is_empty() {
            return String::new();
        }
        let id = function.id;
        let layout = self.arguments(function);
        let (nodes, words) = (layout.a.len(), layout.b.len());
        let mut code = Code { a: vec![(function.shape.ty, State::Lazy)], ..Code::default() };
        code.directive(format_args!(".nu {nodes} {words} _ _\n.o 1 0\nnu{id}"));
        code.line(format_args!("push_node_u _cycle_in_spine {nodes} {words}"));
        code.push(&layout);
        if function.shape.dest {
            code.directive(format_args!(".d {}", layout.operands(1)));
            code.line(format_args!("jmp s{id}"));
        } else {
            code.call(&format!("s{id}"), &layout, 0, &function.shape.layout);
            code.fill(self.types, function.shape.ty);
            code.give_back(&one(function.shape.ty), 0);
        }
        code.text
    }

    /// The entries of a closure that gets its last arguments.
    fn applied(&mut self, function: &Function) -> String {
        let (id, count) = (function.id, function.parameters.len());
        if count == 0 {
            return String::new();
        }
        let mut code = Code::default();
        let (dest, nodes) = (function.shape.dest, self.nodes(function, count));
        let full = if dest { count } else { 0 };
        let apply = if dest { format!("ea{id}") } else { format!("a{id}") };
        match function.kind {
            Kind::Member => code.directive(format_args!(".ai {full} {apply} i{id}")),
            _ if count > 1 => code.directive(format_args!(".a {full} {apply}")),
            _ => {}
        }
        code.directive(format_args!(".o 2 0\nl{id}"));
        // The closure holds all but the last one.
        match count {
            1 => code.line(format_args!("pop_a 1")),
            _ => code.line(format_args!("repl_args {0} {0}", count - 1)),
        }
        code.push(&nodes);
        if dest {
            code.line(format_args!("create"));
            code.push_node(Ty(usize::MAX), State::Lazy);
            for _ in 0..count {
                code.line(format_args!("push_a {count}"));
                code.push_node(INT, State::Lazy);
            }
            code.settle((count + 1, 0), (0, 0));
            code.directive(format_args!(".d {}", nodes.operands(1)));
            code.line(format_args!("jmp ea{id}"));
            return code.text;
        }
        if count > 1 {
            code.directive(format_args!(".o {}\na{id}", nodes.operands(0)));
        }
        code.call(&format!("ea{id}"), &nodes, 0, &function.shape.layout);
        code.wrap(self.types, function.shape.ty);
        code.give_back(&one(function.shape.ty), 0);
        code.text
    }

    /// The entry that `jsr_i` finds through the closure.
    fn instance(&mut self, function: &Function) -> String {
        if function.kind != Kind::Member {
            return String::new();
        }
        let id = function.id;
        let below = usize::from(function.shape.dest);
        let held = function.held;
        let own = self.types.parameters(&function.parameters[held..]);
        let mut with_closure = own.clone();
        with_closure.a.insert(0, (function.shape.ty, State::Evaluated));
        let mut code = Code::default();
        code.directive(format_args!(".o {}\ni{id}", with_closure.operands(below)));
        code.line(format_args!("repl_args {held} {held}"));
        let layout = self.arguments(function);
        code.directive(format_args!(".d {}", layout.operands(below)));
        code.line(format_args!("jmp s{id}"));
        code.text
    }

    /// Selectors of the lazy fields of records. Without the underscore, which says that there is no update entry,
    /// Clean's `jmp_eval_upd` would enter whatever lies before the code of a selector.
    pub fn selectors(&self) -> String {
        let mut text = String::new();
        for def in &self.types.all {
            let Def::Record(id, fields) = def else { continue };
            let layout = self.types.fields_layout(fields);
            let (nodes, words) = (layout.a.len(), layout.b.len());
            let mut at = 0;
            for (number, field) in fields.iter().enumerate() {
                let place = at + 1;
                at += self.types.field(*field).a.len();
                if field.strict {
                    continue;
                }
                // Its word: the first two lie in the node if there are no more.
                let offset = match place {
                    1 => 1,
                    2 if nodes + words == 2 => 2,
                    _ => place + 1,
                };
                let _ = writeln!(
                    text,
                    ".descs sd{id}.{0} sn{id}.{0} _ {offset} 0 \"R{id}.{0}\"\n.n -4 sd{id}.{0} _\n.o 1 0\nsn{id}.{0}\n\
                     \tpush_node _cycle_in_spine 1\n\tjsr_eval 0\n\trepl_r_args_a {nodes} {words} {place} 1\n\
                     \tjsr_eval 0\n\tfill_a 0 1\n\tpop_a 1\n.d 1 0\n\trtn",
                    number
                );
            }
        }
        text
    }
}

fn one(ty: Ty) -> Layout {
    Layout { a: vec![(ty, State::Evaluated)], b: Vec::new() }
}
