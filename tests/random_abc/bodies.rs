//! Bodies of functions: statements, branches and the ways to end.

use super::code::Code;
use super::functions::{Function, Kind, shape_of};
use super::types::{BASES, Base, Def, INT, Layout, SIZE, STRING, State, Ty};
use super::values::Gen;

impl Gen<'_> {
    /// The code after the strict entry of a function.
    pub fn body(&mut self, function: &Function) {
        let layout = self.arguments(function);
        if function.shape.dest {
            self.code.push_node(Ty(usize::MAX), State::Lazy);
        }
        self.code.push(&layout);
        match function.kind {
            Kind::Default(constant) => {
                if constant {
                    self.constant_form(function);
                } else {
                    self.code.calls = 0;
                    self.least(function);
                }
                return;
            }
            Kind::File => return self.file(function),
            Kind::Member => {
                // What it may use up is its first argument, of the dictionary.
                let slot = self.code.a.len() - 1;
                self.code.evaluate(slot);
                self.code.unwrap(self.types, INT, slot);
            }
            Kind::Fueled | Kind::Loop => {}
        }
        let fuel = self.code.b.len() - 1;
        let end = self.label();
        self.code.line(format_args!("pushI 1"));
        self.code.line(format_args!("push_b 1"));
        self.code.line(format_args!("ltI"));
        self.code.line(format_args!("jmp_true case.{end}"));
        let (a, b) = (self.code.a.clone(), self.code.b.clone());
        self.code.fuel = Some(fuel);
        if function.kind == Kind::Loop {
            self.again(function);
        } else {
            self.code.calls = 3;
            let depth = 1 + self.rng.below(3);
            self.tail(function, depth);
        }
        (self.code.a, self.code.b) = (a, b);
        self.code.directive(format_args!("case.{end}"));
        (self.code.fuel, self.code.calls) = (None, 0);
        self.answer(function, 1);
    }

    /// A loop calls itself with less.
    fn again(&mut self, function: &Function) {
        self.code.calls = 0;
        let below = usize::from(function.shape.dest);
        for at in (0..function.parameters.len()).rev() {
            let field = function.parameters[at];
            if at == 0 {
                self.push_fuel();
            } else if field.strict {
                self.strict(field.ty, 2);
            } else {
                self.lazy(field.ty, 1);
            }
        }
        let layout = self.arguments(function);
        self.code.settle((layout.a.len(), layout.b.len()), (below, 0));
        self.code.directive(format_args!(".d {}", layout.operands(below)));
        self.code.line(format_args!("jmp s{}", function.id));
    }

    /// The smallest value of a type, without looking at its own default.
    fn least(&mut self, function: &Function) {
        let ty = function.shape.ty;
        match self.types.def(ty).clone() {
            Def::Tuple(all) => all.iter().rev().for_each(|&part| self.lazy(part, 0)),
            Def::Record(_, fields) => self.fields(&fields, 0),
            Def::Words(_) | Def::Nodes(_) | Def::Records(_) => self.fresh_array(ty, 0),
            Def::Data(constructors) => self.construct(ty, &constructors[0], 0),
            Def::Base(base) => self.base(base, 0),
            _ => self.least_node(ty),
        }
        self.leave(function);
    }

    fn least_node(&mut self, ty: Ty) {
        match self.types.def(ty) {
            Def::String => self.object(ty, 0),
            Def::List(_) | Def::Cells(_) => {
                self.code.line(format_args!("buildh _Nil 0"));
                self.code.push_node(ty, State::Evaluated);
            }
            _ => self.node_of(ty, 0),
        }
    }

    /// The strict result of a function is on top: what is below goes, and it returns.
    fn leave(&mut self, function: &Function) {
        let layout = &function.shape.layout;
        if !function.shape.dest {
            self.code.settle((layout.a.len(), layout.b.len()), (0, 0));
            return self.code.give_back(layout, 0);
        }
        let gap = self.code.a.len() - 1;
        self.code.line(format_args!("fill_a 0 {gap}"));
        self.code.pop_to(1, 0);
        self.code.give_back(layout, 0);
    }

    fn constant_form(&mut self, function: &Function) {
        let id = function.id;
        let layout = function.shape.layout.clone();
        let (nodes, words) = (layout.a.len(), layout.b.len());
        let first = self.label();
        self.code.directive(format_args!(".caf v{id} {nodes} {words}"));
        self.code.line(format_args!("testcaf v{id}"));
        self.code.line(format_args!("jmp_false m.{first}"));
        self.code.line(format_args!("pushcaf v{id} {nodes} {words}"));
        self.code.give_back(&layout, 0);
        self.code.directive(format_args!("m.{first}"));
        self.code.directive(format_args!(".d 0 0"));
        self.code.line(format_args!("jsr s{id}.1"));
        self.code.directive(format_args!(".o {}", layout.operands(0)));
        self.code.line(format_args!("fillcaf v{id} {nodes} {words}"));
        self.code.give_back(&layout, 0);
        self.code.directive(format_args!(".o 0 0\ns{id}.1"));
        self.least(function);
    }

    /// Statements, then a branch or the end.
    fn tail(&mut self, function: &Function, depth: usize) {
        for _ in 0..self.rng.below(3) {
            self.statement(depth);
        }
        if depth == 0 {
            return self.answer(function, 2);
        }
        match self.rng.below(8) {
            0 | 1 => {
                let label = self.label();
                self.base(Base::Bool, depth);
                let name = ["jmp_true", "jmp_false"][self.rng.below(2)];
                self.code.line(format_args!("{name} case.{label}"));
                self.code.drop(0, 1);
                self.arm(|own| own.tail(function, depth - 1));
                self.code.directive(format_args!("case.{label}"));
                self.tail(function, depth - 1);
            }
            2 => self.by_constants(function, depth),
            3..=5 => self.by_constructors(function, depth),
            _ => self.answer(function, depth),
        }
    }

    /// One way of several: stacks and calls afterwards are as before.
    fn arm(&mut self, way: impl FnOnce(&mut Self)) {
        let (a, b, calls) = (self.code.a.clone(), self.code.b.clone(), self.code.calls);
        way(self);
        (self.code.a, self.code.b, self.code.calls) = (a, b, calls);
    }

    fn statement(&mut self, depth: usize) {
        let ty = Ty(self.rng.below(self.types.all.len()));
        match self.rng.below(6) {
            0 | 1 => self.lazy(ty, depth),
            2 => self.strict(ty, depth),
            3 => self.either(depth.min(1), |own, depth| own.lazy(ty, depth)),
            4 => self.reuse(depth),
            _ => {
                let slot = self.find_node(|slot| slot.0.0 != usize::MAX);
                if let Some(slot) = slot {
                    self.code.evaluate(slot);
                }
            }
        }
    }

    /// A new node of which some arguments are exchanged in place.
    fn reuse(&mut self, depth: usize) {
        let tuples = self.types.of(|def| matches!(def, Def::Tuple(_)));
        if tuples.is_empty() {
            return;
        }
        let ty = self.rng.pick(&tuples);
        let Def::Tuple(all) = self.types.def(ty).clone() else { unreachable!("just seen") };
        let count = all.len();
        all.iter().rev().for_each(|&part| self.lazy(part, depth));
        self.code.line(format_args!("buildh _Tuple {count}"));
        self.code.drop(count, 0);
        self.code.push_node(Ty(usize::MAX), State::Evaluated);
        let changed: Vec<bool> = (0..count).map(|_| self.rng.chance(50)).collect();
        let number = changed.iter().filter(|&&changed| changed).count();
        for at in (0..count).rev().filter(|&at| changed[at]) {
            self.lazy(all[at], depth);
        }
        let bits: String = changed.iter().map(|&changed| if changed { '1' } else { '0' }).collect();
        let name = if count <= 2 { "fill1" } else { "fill2" };
        self.code.line(format_args!("{name} _Tuple {count} {number} 0{bits}"));
        self.code.drop(number + 1, 0);
        self.code.push_node(ty, State::Evaluated);
    }

    fn by_constants(&mut self, function: &Function, depth: usize) {
        let base = self.rng.pick(&BASES);
        self.base(base, depth);
        for _ in 0..1 + self.rng.below(3) {
            let (label, text) = (self.label(), self.literal(base));
            self.code.line(format_args!("eq{}_b {text} 0", base.upper()));
            self.code.line(format_args!("jmp_false case.{label}"));
            self.arm(|own| own.tail(function, depth - 1));
            self.code.directive(format_args!("case.{label}"));
        }
        self.tail(function, depth - 1);
    }

    fn by_constructors(&mut self, function: &Function, depth: usize) {
        let types = self.types;
        let is_sum = |slot: &(Ty, State)| {
            matches!(types.all.get(slot.0.0), Some(Def::Data(_) | Def::List(_) | Def::Cells(_) | Def::Stream(_)))
        };
        let Some(slot) = self.find_node(is_sum) else { return self.answer(function, depth) };
        let ty = self.code.a[slot].0;
        self.code.evaluate(slot);
        // Which descriptor, and what it holds.
        let mut arms: Vec<(String, bool, Layout)> = Vec::new();
        match types.def(ty) {
            Def::Data(constructors) => {
                for constructor in constructors {
                    let layout = types.fields_layout(&constructor.fields);
                    let (id, count) = (constructor.id, constructor.fields.len());
                    let name = if constructor.strict { format!("k{id} 0") } else { format!("dc{id} {count}") };
                    arms.push((name, constructor.strict, layout));
                }
            }
            Def::Cells(base) => {
                arms.push(("_Nil 0".into(), false, Layout::default()));
                let layout = Layout { a: vec![(ty, State::Lazy)], b: vec![*base] };
                arms.push((format!("_Cons{} 0", base.letter()), true, layout));
            }
            Def::List(element) | Def::Stream(element) => {
                let layout = Layout { a: vec![(*element, State::Lazy), (ty, State::Lazy)], b: Vec::new() };
                arms.push(("_Cons 2".into(), false, layout));
                arms.push(("_Nil 0".into(), false, Layout::default()));
            }
            _ => unreachable!("only sums"),
        }
        let by_word = self.rng.chance(40);
        if by_word {
            let at = self.code.a_offset(slot);
            self.code.line(format_args!("pushD_a {at}"));
            self.code.b.push(Base::Int);
        }
        for (name, record, layout) in arms {
            let (label, at) = (self.label(), self.code.a_offset(slot));
            if by_word {
                self.code.line(format_args!("eqD_b {name}"));
            } else {
                self.code.line(format_args!("eq_desc {name} {at}"));
            }
            self.code.line(format_args!("jmp_false case.{label}"));
            self.arm(|own| {
                if by_word {
                    own.code.line(format_args!("pop_b 1"));
                    own.code.drop(0, 1);
                }
                let (nodes, words) = (layout.a.len(), layout.b.len());
                if record {
                    own.code.line(format_args!("push_r_args {at} {nodes} {words}"));
                    own.code.push(&layout);
                } else if nodes > 0 {
                    own.code.line(format_args!("push_args {at} {nodes} {nodes}"));
                    own.code.push(&layout);
                }
                own.tail(function, depth - 1);
            });
            self.code.directive(format_args!("case.{label}"));
        }
        if by_word {
            self.code.line(format_args!("pop_b 1"));
            self.code.drop(0, 1);
        }
        self.no_match(function);
    }

    /// What Clean's compiler writes where no rule is left.
    fn no_match(&mut self, function: &Function) {
        self.code.pop_to(0, 0);
        self.code.line(format_args!("pushD m_program"));
        self.code.line(format_args!("pushD x_{}", function.id));
        self.code.directive(format_args!(".d 0 2 ii"));
        self.code.line(format_args!("jmp _match_error"));
    }

    /// The ways to end.
    fn answer(&mut self, function: &Function, depth: usize) {
        let shape = &function.shape;
        let ty = shape.ty;
        let below = usize::from(shape.dest);
        let is_node = shape.layout.a.len() == 1 && shape.layout.a[0] == (ty, State::Evaluated);
        match self.rng.below(12) {
            0..=2 => {
                if let Some(next) = self.callable(|next| next.shape.ty == ty && next.shape.dest == shape.dest) {
                    self.parameter_parts(&next, 0, depth);
                    let layout = self.arguments(&next);
                    self.code.settle((layout.a.len(), layout.b.len()), (below, 0));
                    self.code.directive(format_args!(".d {}", layout.operands(below)));
                    return self.code.line(format_args!("jmp s{}", next.id));
                }
            }
            3 if is_node => {
                self.lazy(ty, depth);
                self.code.pop_words();
                self.code.settle((1, 0), (below, 0));
                let name = if shape.dest { "jmp_eval_upd" } else { "jmp_eval" };
                return self.code.line(format_args!("{name}"));
            }
            4 if is_node && !shape.dest && self.code.calls > 0 => {
                let all = self.types.of(|def| matches!(def, Def::Function(_, result) if *result == ty));
                if !all.is_empty() {
                    self.code.calls -= 1;
                    let closure = self.rng.pick(&all);
                    let Def::Function(from, _) = *self.types.def(closure) else { unreachable!("just seen") };
                    self.lazy(from, depth);
                    self.node(closure, depth);
                    self.code.pop_words();
                    self.code.settle((2, 0), (0, 0));
                    return self.code.line(format_args!("jmp_ap 1"));
                }
            }
            5 | 6 if self.code.calls > 0 => {
                let all = self.types.of(|def| matches!(def, Def::Member(_, result) if *result == ty));
                // A member leaves what it leaves always, with the cell or without.
                let agreed = shape_of(self.types, ty, true).dest == shape.dest;
                if agreed && !all.is_empty() {
                    self.code.calls -= 1;
                    let member = self.rng.pick(&all);
                    let (layout, more, count) = self.call_member(member, true, depth);
                    self.code.settle((layout.a.len(), layout.b.len()), (below, 0));
                    self.code.directive(format_args!(".d {}", layout.operands(more)));
                    return self.code.line(format_args!("jmp_i {count}"));
                }
            }
            7 if depth > 0 && self.rng.chance(4) => return self.no_match(function),
            8 | 9 if shape.dest && depth > 0 => {
                // The cell is filled with its parts, not with a copy.
                match self.types.def(ty).clone() {
                    Def::List(element) => {
                        self.lazy(ty, depth - 1);
                        self.lazy(element, depth - 1);
                        let cell = self.code.a.len() - 1;
                        self.code.line(format_args!("fillh _Cons 2 {cell}"));
                        self.code.drop(2, 0);
                        self.code.pop_to(1, 0);
                        return self.code.give_back(&shape.layout, 0);
                    }
                    Def::Data(constructors) => {
                        let constructor = &constructors[self.rng.below(constructors.len())];
                        self.fields(&constructor.fields, depth - 1);
                        let layout = self.types.fields_layout(&constructor.fields);
                        let (nodes, words) = (layout.a.len(), layout.b.len());
                        let (id, cell) = (constructor.id, self.code.a.len() - 1);
                        if constructor.strict {
                            self.code.line(format_args!("fill_r k{id} {nodes} {words} {cell} 0 0"));
                        } else {
                            self.code.line(format_args!("fillh dc{id} {nodes} {cell}"));
                            self.code.drop(nodes, 0);
                        }
                        self.code.pop_to(1, 0);
                        return self.code.give_back(&shape.layout, 0);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        self.strict(ty, depth);
        self.leave(function);
    }

    /// Writes a file of its own, reads it again, and returns what it has read.
    fn file(&mut self, function: &Function) {
        let data = usize::from(self.rng.chance(50)) * 3;
        let name = format!("file{}", function.id);
        let file = Layout { a: Vec::new(), b: vec![Base::Int, Base::Int] };
        let mut code = std::mem::take(&mut self.code);
        // Opened: the truth value goes, the file stays.
        let open = |code: &mut Code, mode: usize| {
            code.line(format_args!("buildAC \"{name}\""));
            code.line(format_args!("pushI {mode}"));
            code.text.push_str(".d 1 1 i\n\tjsr openF\n.o 0 3 bf\n\tpop_b 1\n");
            code.push(&file);
        };
        let mut numbers = Vec::new();
        open(&mut code, data + 1);
        for _ in 0..1 + self.rng.below(4) {
            let kind = self.rng.below(4);
            numbers.push(kind);
            match kind {
                0 => code.text.push_str("\tpush_b 2\n.d 0 3 if\n\tjsr writeFI\n.o 0 2 f\n"),
                1 => {
                    let real = self.literal(Base::Real);
                    code.line(format_args!("pushR {real}"));
                    code.text.push_str(".d 0 3 rf\n\tjsr writeFR\n.o 0 2 f\n");
                }
                2 => {
                    let char = self.literal(Base::Char);
                    code.line(format_args!("pushC {char}"));
                    code.text.push_str(".d 0 3 cf\n\tjsr writeFC\n.o 0 2 f\n");
                }
                _ => {
                    code.line(format_args!("buildAC \"line {}\\n\"", self.rng.below(1000)));
                    code.text.push_str(".d 1 2 f\n\tjsr writeFS\n.o 0 2 f\n");
                }
            }
            if data == 0 {
                code.text.push_str("\tpushC ' '\n.d 0 3 cf\n\tjsr writeFC\n.o 0 2 f\n");
            }
        }
        code.text.push_str(".d 0 2 f\n\tjsr closeF\n.o 0 1 b\n\tpop_b 1\n");
        code.drop(0, 2);
        open(&mut code, data);
        if function.shape.ty == STRING {
            match self.rng.below(3) {
                0 => code.text.push_str(".d 0 2 f\n\tjsr readLineF\n.o 1 2 f\n"),
                1 => {
                    let offset = self.rng.below(SIZE);
                    code.line(format_args!("pushI 0"));
                    code.line(format_args!("pushI {offset}"));
                    code.line(format_args!("push_b 3"));
                    code.line(format_args!("push_b 3"));
                    // Offset and mode lie below the file.
                    code.text.push_str(".d 0 4 fii\n\tjsr seekF\n.o 0 3 bf\n\tpop_b 1\n");
                    code.text.push_str("\tupdate_b 1 3\n\tupdate_b 0 2\n\tpop_b 2\n");
                    code.text.push_str("\tpushI 40\n\tpush_b 2\n\tpush_b 2\n");
                    code.text.push_str(".d 0 3 fi\n\tjsr readFS\n.o 1 2 f\n");
                    code.text.push_str("\tupdate_b 1 3\n\tupdate_b 0 2\n\tpop_b 2\n");
                }
                _ => {
                    code.text.push_str("\tpushI 99\n\tpush_b 2\n\tpush_b 2\n");
                    code.text.push_str(".d 0 3 fi\n\tjsr readFS\n.o 1 2 f\n");
                    code.text.push_str("\tupdate_b 1 3\n\tupdate_b 0 2\n\tpop_b 2\n");
                }
            }
            code.push_node(STRING, State::Object);
        } else {
            // The result of the first read, mixed with what else there is.
            let name = if numbers[0] == 0 { "readFI" } else { "readFC" };
            let letter = if numbers[0] == 0 { 'i' } else { 'c' };
            code.directive(format_args!(".d 0 2 f\n\tjsr {name}\n.o 0 4 b{letter}f"));
            // Truth, value, file: the value comes below the file. The truth is any number but 0 in Clean's system.
            code.text.push_str("\tpop_b 1\n");
            code.text.push_str("\tpush_b 2\n\tpush_b 2\n\tupdate_b 2 4\n\tupdate_b 1 3\n\tupdatepop_b 0 2\n");
            code.b.insert(code.b.len() - 2, Base::Int);
        }
        code.text.push_str(".d 0 2 f\n\tjsr closeF\n.o 0 1 b\n\tpop_b 1\n");
        code.drop(0, 2);
        self.code = code;
        self.leave(function);
    }
}
