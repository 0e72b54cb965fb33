//! Steps without recursion: numbers by every opcode that computes, cells, bytes, globals, members, calls of other
//! functions; and how functions end.

use super::types::{Element, Gives, Role, Ty};
use super::writer::{Writer, list};
use cleave_ir::opcode::{ImmKind, OperandRule, ResultRule};
use cleave_ir::{Flags, Opcode, Type};

/// Opcodes that compute numbers of numbers: whatever is in the table.
fn computes(op: Opcode) -> bool {
    let info = op.info();
    let is_number = |rule: OperandRule| match rule {
        OperandRule::Is(ty) => ty != Type::Ref,
        OperandRule::Int | OperandRule::Same => true,
        OperandRule::Any | OperandRule::Addr | OperandRule::Rest => false,
    };
    let gives =
        matches!(info.result, ResultRule::SameAsFirst) || matches!(info.result, ResultRule::One(ty) if ty != Type::Ref);
    let effects = Flags::EFFECTS.without(Flags::TRAPS);
    info.imm == ImmKind::None
        && gives
        && !op.any(effects)
        && op.reads().is_empty()
        && op.writes().is_empty()
        && info.operands().count() > 0
        && info.operands().all(|operand| is_number(operand.rule))
}

fn ty_of(ty: Type) -> Ty {
    match ty {
        Type::I32 => Ty::Narrow,
        Type::F64 => Ty::Real,
        _ => Ty::Word,
    }
}

impl Writer<'_> {
    pub fn steps(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            self.step(depth);
        }
    }

    pub fn step(&mut self, depth: usize) {
        let counted = self.plan.is_rc();
        match self.rng.below(33) {
            0 | 6 | 25 if !counted && self.plan.raises => self.apply_step(),
            0..=5 => self.number_step(),
            6..=8 => {
                let ty = self.any_type();
                let value = self.make(ty);
                self.scope.push((value, ty));
            }
            9 | 10 => self.construct_step(),
            11 | 12 => self.text_step(),
            13 | 14 if !counted => self.array_step(),
            15 | 16 if !counted => self.apply_step(),
            17 => self.member_step(),
            18 | 19 => self.call_step(),
            20 => self.select_step(),
            21 => self.unbox_step(),
            22 => self.load_step(),
            23 if !counted || self.plan.raises => self.global_step(),
            24 if depth > 0 => self.take_apart(depth),
            25..=27 if self.plan.cell.is_some() => self.cell_step(),
            28..=32 if !self.plan.kinds.is_empty() => self.vec_step(),
            _ if depth > 0 => self.branch_step(depth),
            _ => self.number_step(),
        }
    }

    /// The type of something that can be made.
    pub fn any_type(&mut self) -> Ty {
        let (types, classes) = (self.plan.types.len(), self.plan.classes.len());
        let data = Ty::Data(self.rng.below(types));
        let object = Ty::Object(self.rng.below(classes));
        if self.plan.cell.is_some() && self.rng.chance(15) {
            return Ty::Cell;
        }
        if !self.plan.kinds.is_empty() && self.rng.chance(15) {
            let plan = self.plan;
            return Ty::Vec(self.rng.pick(&plan.kinds));
        }
        if self.plan.is_rc() {
            let boxed = self.rng.pick(&[Ty::Int, Ty::Letter, Ty::Truth, Ty::Number]);
            return self.rng.pick(&[Ty::Word, Ty::Real, Ty::Text, data, data, object, boxed]);
        }
        let of = self.rng.below(types);
        let element = self.rng.pick(&[
            Element::Data(of),
            Element::Int,
            Element::Word,
            Element::Real,
            Element::Truth,
            Element::Word32,
            Element::Real32,
        ]);
        let closure = Ty::Closure(1, Gives::Int);
        self.rng.pick(&[Ty::Int, Ty::Number, Ty::Letter, Ty::Truth, data, data, object, Ty::Array(element), closure])
    }

    pub fn number_step(&mut self) {
        let immediates = self.plan.immediates;
        let is_there = |op: Opcode| computes(op) && (op != Opcode::FitsInt || immediates);
        let ops: Vec<Opcode> = Opcode::ALL.iter().copied().filter(|&op| is_there(op)).collect();
        let op = self.rng.pick(&ops);
        let same = self.rng.pick(&[Ty::Word, Ty::Word, Ty::Narrow]);
        let types: Vec<Ty> = op
            .info()
            .operands()
            .map(|operand| match operand.rule {
                OperandRule::Is(ty) => ty_of(ty),
                _ => same,
            })
            .collect();
        let mut args = self.operands(&types);
        if op.any(Flags::TRAPS) {
            // A positive divisor.
            let zero = if same == Ty::Word { self.word(0) } else { self.narrow(0) };
            let positive = self.both("sgt", args[1], zero);
            let one = if same == Ty::Word { self.word(3) } else { self.narrow(3) };
            args[1] = self.value(&format!("select v{positive}, v{}, v{one}", args[1]));
        }
        if op == Opcode::RealBits {
            // Which of its many values a NaN has depends on the machine.
            let (is_number, zero) = (self.both("feq", args[0], args[0]), self.value("fconst 0.0"));
            args[0] = self.value(&format!("select v{is_number}, v{}, v{zero}", args[0]));
        }
        let ty = match op.info().result {
            ResultRule::One(ty) => ty_of(ty),
            _ => types[0],
        };
        self.add(ty, &format!("{} {}", op.name(), list(&args)));
        if self.rng.chance(15) {
            let real = self.operand(Ty::Real);
            let name = self.rng.pick(&["sin", "cos", "tan", "asin", "acos", "atan", "exp", "ln", "log10"]);
            self.add(Ty::Real, &format!("call_rt {name}(v{real})"));
        }
        if self.rng.chance(5) {
            let (x, y) = (self.operand(Ty::Real), self.operand(Ty::Real));
            self.add(Ty::Real, &format!("call_rt pow(v{x}, v{y})"));
        }
        if self.rng.chance(5) {
            // The high word is smaller than the divisor.
            let (high, low, divisor) = (self.operand(Ty::Word), self.operand(Ty::Word), self.word(97));
            let high = self.masked(high, 63);
            self.results(&[Ty::Word, Ty::Word], &format!("call_rt divide_long(v{high}, v{low}, v{divisor})"));
        }
    }

    fn construct_step(&mut self) {
        let plan = self.plan;
        let number = self.rng.below(plan.types.len());
        let constructors = &plan.types[number].constructors;
        let constructor = &constructors[self.rng.below(constructors.len())];
        let value = self.construct(constructor);
        self.scope.push((value, Ty::Data(number)));
        if !plan.is_rc() && self.rng.chance(20) {
            // Two nodes of a program without equal ones are different, and evaluated.
            let truth = self.value(&format!("is_hnf v{value}"));
            let zero = self.narrow(0);
            let truth = self.both("ne", truth, zero);
            self.scope.push((truth, Ty::Narrow));
        }
    }

    /// Reads a field of a cell, or writes one: others may know the cell.
    fn cell_step(&mut self) {
        let plan = self.plan;
        let Some(constructor) = &plan.cell else { return self.number_step() };
        let cell = self.operand(Ty::Cell);
        for _ in 0..1 + self.rng.below(3) {
            let field = self.rng.below(constructor.fields.len());
            let ty = constructor.fields[field];
            if self.rng.chance(50) {
                let value = self.operand(ty);
                let (shape, place) = (constructor.shape(), constructor.place(field));
                self.line(&format!("set.{} v{cell}, v{value} {shape} {place}", ty.ir()));
            } else {
                let value = self.get(constructor, cell, field);
                self.scope.push((value, ty));
            }
        }
    }

    fn select_step(&mut self) {
        let ty = if self.rng.chance(50) { self.any_type() } else { Ty::Word };
        let (condition, left, right) = (self.truth(), self.operand(ty), self.operand(ty));
        self.add(ty, &format!("select v{condition}, v{left}, v{right}"));
    }

    fn unbox_step(&mut self) {
        match self.find(|ty| matches!(ty, Ty::Int | Ty::Letter | Ty::Truth | Ty::Number)) {
            Some((value, Ty::Number)) => {
                self.add(Ty::Real, &format!("get.f64 v{value} (0, 1) 0"));
            }
            Some((value, ty)) => {
                let word = self.unboxed(value, ty);
                self.scope.push((word, Ty::Word));
            }
            None => self.number_step(),
        }
        if !self.plan.is_rc() && self.rng.chance(10) {
            // Static nodes have addresses.
            let value = self.rng.pick(&[0, 7, -1]);
            let value = self.value(&format!("small_int {value}"));
            let address = self.value(&format!("ref_addr v{value}"));
            self.add(Ty::Int, &format!("addr_ref v{address}"));
        }
        if self.rng.chance(10) {
            let (place, size) = (self.operand(Ty::Word), self.operand(Ty::Word));
            let file = self.value(&format!("build $FILE/0 v{place}, v{size}"));
            let field = self.rng.below(2);
            self.add(Ty::Word, &format!("get.i64 v{file} (0, 2) {field}"));
        }
    }

    /// Bytes of the program text.
    fn load_step(&mut self) {
        let text = self.value("text static3");
        let (op, ty) = self.rng.pick(&[
            ("load.i32", Ty::Narrow),
            ("load.i64", Ty::Word),
            ("load.f64", Ty::Real),
            ("load.u8", Ty::Narrow),
            ("load.u16", Ty::Narrow),
            ("load.f32", Ty::Real),
        ]);
        let offset = self.rng.below(13);
        if self.rng.chance(30) {
            // A place that nothing else reads, by its reference or by its address as C would have it.
            let (place, op) = (self.value("static static4"), if op == "load.u16" { "load.u8" } else { op });
            let place = if self.rng.chance(50) && !self.plan.is_rc() {
                let address = self.value(&format!("ref_addr v{place}"));
                self.value(&format!("extend_u v{address}"))
            } else {
                place
            };
            let mut value = self.operand(ty);
            if ty == Ty::Real {
                let (is_number, one) = (self.both("feq", value, value), self.value("fconst 1.0"));
                value = self.value(&format!("select v{is_number}, v{value}, v{one}"));
            }
            self.line(&format!("{} v{place}, v{value} +20", op.replace("load", "store")));
            self.add(ty, &format!("{op} v{place} +20"));
            return;
        }
        if self.rng.chance(40) {
            let types = self.rng.below(self.plan.types.len());
            let label = &self.plan.types[types].constructors[0].label;
            let (what, at) = self.rng.pick(&[("name", 0), ("descinfo", 0), ("descinfo", 2)]);
            let address = self.value(&format!("{what} ${label}"));
            self.add(Ty::Narrow, &format!("load.u8 v{address} +{at}"));
            return;
        }
        self.add(ty, &format!("{op} v{text} +{offset}"));
    }

    fn global_step(&mut self) {
        match self.rng.below(7) {
            0 => {
                self.add(Ty::Int, "caf.ref ^g/0");
            }
            1 => {
                self.add(Ty::Word, "caf.i64 ^g/0");
            }
            2 => {
                self.add(Ty::Real, "caf.f64 ^g/1");
            }
            3 => {
                self.add(Ty::Narrow, "caf_state ^g/0");
            }
            4 => {
                let value = self.operand(Ty::Int);
                self.line(&format!("set_caf.ref ^g/0 v{value}"));
            }
            5 => {
                let value = self.operand(Ty::Word);
                self.line(&format!("set_caf.i64 ^g/0 v{value}"));
            }
            _ => {
                let value = self.operand(Ty::Real);
                self.line(&format!("set_caf.f64 ^g/1 v{value}"));
            }
        }
    }

    fn member_step(&mut self) {
        if self.is_last {
            return;
        }
        let plan = self.plan;
        let has_members = |ty: Ty| matches!(ty, Ty::Data(number) if plan.types[number].has_members);
        if let Some((value, Ty::Data(number))) = self.find(has_members)
            && self.rng.chance(60)
        {
            self.add(Ty::Word, &format!("call_method %m{number}(v{value})"));
            return;
        }
        let class = self.rng.below(plan.classes.len());
        let params = [vec![Ty::Object(class)], plan.classes[class].params.clone()].concat();
        let args = self.operands(&params);
        self.results(&plan.classes[class].results, &format!("call_method %c{class}({})", list(&args)));
    }

    /// What a function that is called gets: counts are small.
    pub fn arguments(&mut self, number: usize, most: i64) -> Vec<usize> {
        let func = &self.plan.funcs[number];
        let mut params = &func.params[..];
        let mut args = Vec::new();
        if matches!(func.role, Role::Build(_)) {
            let count = self.rng.below(most as usize + 1) as i64;
            args.push(self.word(count));
            params = &params[1..];
        }
        args.extend(self.operands(params));
        args
    }

    fn call_step(&mut self) {
        let plan = self.plan;
        if self.calls == 0 || self.level >= plan.funcs.len() || self.is_last {
            return self.number_step();
        }
        self.calls -= 1;
        if self.level <= plan.table[0] && self.rng.chance(if plan.raises { 70 } else { 15 }) {
            let index = self.operand(Ty::Word);
            let index = self.masked(index, 1);
            let index = self.value(&format!("wrap v{index}"));
            let args = self.operands(&plan.funcs[plan.table[0]].params);
            self.add(Ty::Word, &format!("call_table %t(v{index}, {})", list(&args)));
            return;
        }
        let number = self.level + self.rng.below(plan.funcs.len() - self.level);
        let args = self.arguments(number, 3);
        let func = &plan.funcs[number];
        self.results(&func.results, &format!("call @{}({})", func.name, list(&args)));
    }

    /// Ends the function, perhaps by a call of another one.
    pub fn leave(&mut self, results: &[Ty]) {
        let plan = self.plan;
        self.performs();
        if self.raises() {
            return;
        }
        if self.level < plan.funcs.len() && !self.is_last && self.calls > 0 {
            let fitting: Vec<usize> =
                (self.level..plan.funcs.len()).filter(|&i| plan.funcs[i].results[..] == *results).collect();
            if !fitting.is_empty() && self.rng.chance(25) {
                let number = self.rng.pick(&fitting);
                let args = self.arguments(number, 3);
                return self.line(&format!("tail_call @{}({})", plan.funcs[number].name, list(&args)));
            }
        }
        if results == [Ty::Word] && !self.is_last && self.level <= plan.table[0] && self.rng.chance(40) {
            let index = self.operand(Ty::Narrow);
            let one = self.narrow(1);
            let index = self.both("and", index, one);
            let args = self.operands(&plan.funcs[plan.table[0]].params);
            return self.line(&format!("tail_call_table %t(v{index}, {})", list(&args)));
        }
        let class = (0..plan.classes.len()).find(|&class| plan.classes[class].results[..] == *results);
        if let Some(class) = class
            && !self.is_last
            && self.rng.chance(20)
        {
            let params = [vec![Ty::Object(class)], plan.classes[class].params.clone()].concat();
            let args = self.operands(&params);
            return self.line(&format!("tail_call_method %c{class}({})", list(&args)));
        }
        if results == [Ty::Int]
            && let Some((closure, Ty::Closure(missing, Gives::Int))) =
                self.find(|ty| matches!(ty, Ty::Closure(_, Gives::Int)))
            && self.rng.chance(50)
        {
            let args: Vec<usize> = (0..missing).map(|_| self.operand(Ty::Int)).collect();
            return self.line(&format!("tail_apply v{closure}, {}", list(&args)));
        }
        let values = self.operands(results);
        self.line(&format!("ret {}", list(&values)));
    }
}
