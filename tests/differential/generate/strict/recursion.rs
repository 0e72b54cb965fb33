//! Functions that call themselves: builders count down, folds and maps take data apart. What is built around a call of
//! the function itself has the call in any field, one or two of them, with other cells around and other things between.

use super::types::{Constructor, Gives, Role, Ty};
use super::writer::{Writer, list};

/// What makes a call of the function itself smaller: values that may all be used, once each.
type Smaller = Vec<usize>;

/// The function that is written.
pub struct Own<'p> {
    name: &'p str,
    params: &'p [Ty],
    results: &'p [Ty],
    /// Where it returns, if there is one such place.
    end: Option<usize>,
}

impl Writer<'_> {
    /// The body of a function of the plan.
    pub fn body(&mut self, number: usize) {
        let plan = self.plan;
        let func = &plan.funcs[number];
        self.level = number + 1;
        self.calls = usize::from(self.rng.chance(30));
        let end = self.rng.chance(40).then(|| self.block());
        let own = Own { name: &func.name, params: &func.params, results: &func.results, end };
        match func.role {
            Role::Build(data) => self.builder(&own, data),
            Role::Fold(data) => self.fold(&own, data),
            Role::Map(from, to) => self.switch(0, from, &mut |this, index, fields| {
                let scope = this.scope.len();
                this.scope.extend(fields);
                let constructor = &plan.types[from].constructors[index];
                let smaller: Smaller = constructor
                    .fields_of(Ty::Data(from))
                    .into_iter()
                    .map(|field| this.get(constructor, 0, field))
                    .collect();
                match smaller.is_empty() {
                    true => this.leave(own.results),
                    false => this.sites(&own, to, &[smaller], 1),
                }
                this.scope.truncate(scope);
            }),
            Role::Steps => {
                self.calls = 2;
                let count = self.rng.pick(&[1, 3, 6]);
                self.steps(count, 2);
                self.leave(own.results);
            }
            Role::Leaf => {
                for _ in 0..1 + self.rng.below(6) {
                    self.number_step();
                }
                let values = self.operands(own.results);
                self.line(&format!("ret {}", list(&values)));
            }
        }
        if let Some(end) = end {
            let values = self.label_with(end, own.results);
            self.line(&format!("ret {}", list(&values)));
        }
    }

    fn go_back(&mut self, own: &Own, values: &[usize]) {
        match own.end {
            Some(end) if values.is_empty() => self.line(&format!("jump block{end}")),
            Some(end) => self.line(&format!("jump block{end}({})", list(values))),
            None => self.line(&format!("ret {}", list(values))),
        }
    }

    fn builder(&mut self, own: &Own, data: usize) {
        let zero = self.word(0);
        let empty = if self.rng.chance(50) { self.both("sle", 0, zero) } else { self.value("eqz v0") };
        let (base, rest) = (self.block(), self.block());
        self.line(&format!("br_if v{empty}, block{base}, block{rest}"));
        let scope = self.scope.len();
        self.label(base);
        self.leave(own.results);
        self.scope.truncate(scope);
        self.label(rest);
        let one = self.word(1);
        let (less, half) = (self.both("isub", 0, one), self.both("ushr", 0, one));
        self.scope.push((one, Ty::Word));
        let count = self.rng.below(3);
        self.steps(count, 1);
        let depth = self.rng.below(3);
        self.sites(own, data, &[vec![less], vec![less], vec![half, half]], depth);
    }

    /// Ways to go on, of which one is taken.
    fn sites(&mut self, own: &Own, data: usize, smaller: &[Smaller], depth: usize) {
        if depth == 0 {
            return self.site(own, data, smaller);
        }
        let condition = self.truth();
        let (yes, no) = (self.block(), self.block());
        self.line(&format!("br_if v{condition}, block{yes}, block{no}"));
        let scope = self.scope.len();
        for way in [yes, no] {
            self.label(way);
            let depth = self.rng.below(depth);
            self.sites(own, data, smaller, depth);
            self.scope.truncate(scope);
        }
    }

    fn self_arguments(&mut self, own: &Own, smaller: usize) -> Vec<usize> {
        let mut args = vec![smaller];
        for (index, &ty) in own.params.iter().enumerate().skip(1) {
            args.push(if self.rng.chance(60) { index } else { self.operand(ty) });
        }
        args
    }

    fn site(&mut self, own: &Own, data: usize, smaller: &[Smaller]) {
        let plan = self.plan;
        let mut smaller = smaller[self.rng.below(smaller.len())].clone();
        let own_type = Ty::Data(data);
        match self.rng.below(20) {
            0 | 1 => {
                let args = self.self_arguments(own, smaller[0]);
                return self.line(&format!("tail_call @{}({})", own.name, list(&args)));
            }
            2 | 3 => return self.leave(own.results),
            _ => {}
        }
        let constructors = &plan.types[data].constructors;
        let recursive: Vec<&Constructor> =
            constructors.iter().filter(|constructor| !constructor.fields_of(own_type).is_empty()).collect();
        let constructor = self.rng.pick(&recursive);
        let mut places = constructor.fields_of(own_type);
        self.rng.shuffle(&mut places);
        self.rng.shuffle(&mut smaller);
        places.truncate(smaller.len());
        // Fields are computed before the calls, or after them.
        let constant = self.rng.chance(40);
        let early = self.rng.chance(50);
        let mut fields: Vec<Option<usize>> = vec![None; constructor.fields.len()];
        for (index, field) in fields.iter_mut().enumerate() {
            if early && !places.contains(&index) {
                let ty = constructor.fields[index];
                *field = Some(if constant { self.make(ty) } else { self.operand(ty) });
            }
        }
        let mut nptrs = Vec::new();
        for (&place, &smaller) in places.iter().zip(&smaller) {
            let args = self.self_arguments(own, smaller);
            let names: Vec<usize> = own.results.iter().map(|_| self.name()).collect();
            self.line(&format!("{} = call @{}({})", list(&names), own.name, list(&args)));
            nptrs.extend(&names[1..]);
            let mut value = names[0];
            if self.rng.chance(25) {
                value = self.around(data, &recursive, value);
            }
            fields[place] = Some(value);
            match self.rng.below(12) {
                0 => {
                    let word = self.operand(Ty::Word);
                    self.print(word, Ty::Word);
                }
                1 => self.step(0),
                2 | 3 => self.number_step(),
                _ => {}
            }
        }
        let fields: Vec<usize> = fields
            .into_iter()
            .zip(&constructor.fields)
            .map(|(field, &ty)| match field {
                Some(value) => value,
                None if constant => self.make(ty),
                None => self.operand(ty),
            })
            .collect();
        let mut result = self.build(constructor, &fields);
        if self.rng.chance(20) {
            result = self.around(data, &recursive, result);
        }
        let mut values = vec![result];
        for _ in 1..own.results.len() {
            let first = self.operand(Ty::Word);
            let sum = nptrs.iter().fold(first, |sum, &word| self.both("iadd", sum, word));
            values.push(sum);
        }
        self.go_back(own, &values);
    }

    /// Another cell around one.
    fn around(&mut self, data: usize, recursive: &[&Constructor], value: usize) -> usize {
        let constructor = self.rng.pick(recursive);
        let places = constructor.fields_of(Ty::Data(data));
        let place = self.rng.pick(&places);
        let fields: Vec<usize> = (0..constructor.fields.len())
            .map(|index| if index == place { value } else { self.make(constructor.fields[index]) })
            .collect();
        self.build(constructor, &fields)
    }

    fn fold(&mut self, own: &Own, data: usize) {
        let plan = self.plan;
        let sum_type = own.params[1];
        self.switch(0, data, &mut |this, index, fields| {
            let scope = this.scope.len();
            this.scope.extend(fields);
            let constructor = &plan.types[data].constructors[index];
            let mut sum = 1;
            for &(value, ty) in fields.iter().filter(|field| field.1 != Ty::Data(data)) {
                sum = this.combine(sum, sum_type, value, ty);
            }
            let parts: Smaller = constructor
                .fields_of(Ty::Data(data))
                .into_iter()
                .map(|field| this.get(constructor, 0, field))
                .collect();
            let Some((last, others)) = parts.split_last() else {
                this.go_back(own, &[sum]);
                return this.scope.truncate(scope);
            };
            let arguments = |this: &mut Self, part: usize, sum: usize| {
                let mut args = this.self_arguments(own, part);
                args[1] = sum;
                list(&args)
            };
            for &part in others {
                let args = arguments(this, part, sum);
                sum = this.value(&format!("call @{}({args})", own.name));
            }
            let args = arguments(this, *last, sum);
            if this.rng.chance(65) {
                this.line(&format!("tail_call @{}({args})", own.name));
            } else {
                sum = this.value(&format!("call @{}({args})", own.name));
                let word = this.operand(Ty::Word);
                sum = this.combine(sum, sum_type, word, Ty::Word);
                this.go_back(own, &[sum]);
            }
            this.scope.truncate(scope);
        });
    }

    /// A sum and one thing more.
    fn combine(&mut self, sum: usize, sum_type: Ty, value: usize, ty: Ty) -> usize {
        if let Ty::Data(number) = sum_type {
            let constructors = &self.plan.types[number].constructors;
            let recursive: Vec<&Constructor> =
                constructors.iter().filter(|constructor| !constructor.fields_of(sum_type).is_empty()).collect();
            return self.around(number, &recursive, sum);
        }
        let Some(word) = self.number_of(value, ty) else { return sum };
        if sum_type == Ty::Real {
            let small = self.masked(word, 1023);
            let real = self.value(&format!("int_to_real v{small}"));
            return self.both("fadd", sum, real);
        }
        let factor = self.word(31);
        let scaled = self.both("imul", sum, factor);
        self.both("iadd", scaled, word)
    }

    /// A number that depends on a value, if that is simple.
    pub fn number_of(&mut self, value: usize, ty: Ty) -> Option<usize> {
        Some(match ty {
            Ty::Word => value,
            Ty::Narrow => self.value(&format!("extend_u v{value}")),
            Ty::Real => self.value(&format!("real_to_int v{value}")),
            Ty::Int | Ty::Letter | Ty::Truth => self.unboxed(value, ty),
            Ty::Number => {
                let real = self.value(&format!("get.f64 v{value} (0, 1) 0"));
                self.value(&format!("real_to_int v{real}"))
            }
            Ty::Text => self.value(&format!("string_size v{value}")),
            Ty::Array(_) => self.value(&format!("array_size v{value}")),
            Ty::Vec(kind) => self.value(&format!("array.len {} v{value}", kind.word())),
            Ty::Closure(1, Gives::Int) => {
                let one = self.value("small_int 1");
                let result = self.value(&format!("apply v{value}, v{one}"));
                self.unboxed(result, Ty::Int)
            }
            Ty::Data(number) if self.plan.types[number].has_members && !self.is_last => {
                self.value(&format!("call_method %m{number}(v{value})"))
            }
            Ty::Closure(..) | Ty::Data(_) | Ty::Object(_) | Ty::Cell => return None,
        })
    }
}
