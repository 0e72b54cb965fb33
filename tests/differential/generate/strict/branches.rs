//! Branches, and switches over the constructors of data by every way that there is.

use super::types::{Form, Ty};
use super::writer::{Named, Writer};

impl Writer<'_> {
    /// A branch on a condition; the value of both ways goes on.
    pub fn branch_step(&mut self, depth: usize) {
        let condition = self.truth();
        let (yes, no, join) = (self.block(), self.block(), self.block());
        let ty = if self.rng.chance(50) { self.any_type() } else { Ty::Word };
        if self.rng.chance(30) {
            self.line(&format!("br_table v{condition}, block{no}, block{yes}"));
        } else {
            self.line(&format!("br_if v{condition}, block{yes}, block{no}"));
        }
        let scope = self.scope.len();
        for way in [yes, no] {
            self.label(way);
            let count = self.rng.below(3);
            self.steps(count, depth - 1);
            let value = self.operand(ty);
            self.scope.truncate(scope);
            self.line(&format!("jump block{join}(v{value})"));
        }
        self.label_with(join, &[ty]);
    }

    /// A switch over the constructors of something in scope; a word of each goes on.
    pub fn take_apart(&mut self, depth: usize) {
        let Some((value, Ty::Data(number))) = self.find(|ty| matches!(ty, Ty::Data(_))) else {
            return self.number_step();
        };
        let join = self.block();
        let scope = self.scope.len();
        let ty = if self.rng.chance(50) { self.any_type() } else { Ty::Word };
        self.switch(value, number, &mut |this, _, fields| {
            this.scope.extend(fields);
            let count = this.rng.below(3);
            this.steps(count, depth - 1);
            let value = this.operand(ty);
            this.scope.truncate(scope);
            this.line(&format!("jump block{join}(v{value})"));
        });
        self.label_with(join, &[ty]);
    }

    /// Goes to the constructor of data, by one of the ways there are; `way` gets its number and its fields, some of
    /// which are read.
    pub fn switch(&mut self, value: usize, number: usize, way: &mut dyn FnMut(&mut Self, usize, &[Named])) {
        let plan = self.plan;
        let constructors = &plan.types[number].constructors;
        let count = constructors.len();
        let blocks: Vec<usize> = (0..count).map(|_| self.block()).collect();
        let is_atom = |i: usize| constructors[i].form == Form::Atom;
        let atoms: Vec<usize> = (0..count).filter(|&i| is_atom(i)).collect();
        match self.rng.below(6) {
            // An atom is one node.
            0 if count == 2 && atoms.len() == 1 && !plan.is_rc() => {
                let (atom, other) = (atoms[0], 1 - atoms[0]);
                let node = self.value(&format!("node ${}", constructors[atom].label));
                let (left, right) =
                    (self.value(&format!("ref_addr v{value}")), self.value(&format!("ref_addr v{node}")));
                let same = self.both("eq", left, right);
                self.line(&format!("br_if v{same}, block{}, block{}", blocks[atom], blocks[other]));
            }
            // Rows are in the order of their descriptors.
            1 if count > 1 => {
                let header = self.value(&format!("header v{value}"));
                let mut index = self.narrow(0);
                for constructor in &constructors[1..] {
                    let node_info = self.value(&format!("node_info {}", constructor.node_info()));
                    let beyond = self.both("uge", header, node_info);
                    index = self.both("iadd", index, beyond);
                }
                let targets: Vec<String> = blocks.iter().map(|block| format!("block{block}")).collect();
                self.line(&format!("br_table v{index}, {}", targets.join(", ")));
            }
            2 if count > 2 => {
                let header = self.value(&format!("header v{value}"));
                let middle = self.value(&format!("node_info {}", constructors[count / 2].node_info()));
                let below = self.both("ult", header, middle);
                let (low, high) = (self.block(), self.block());
                self.line(&format!("br_if v{below}, block{low}, block{high}"));
                self.label(low);
                self.chain(header, number, (0, count / 2), &blocks);
                self.label(high);
                self.chain(header, number, (count / 2, count), &blocks);
            }
            _ => {
                let header = self.value(&format!("header v{value}"));
                self.chain(header, number, (0, count), &blocks);
            }
        }
        for (index, constructor) in constructors.iter().enumerate() {
            self.label(blocks[index]);
            let mut fields = Vec::new();
            for field in 0..constructor.fields.len() {
                if self.rng.chance(85) {
                    fields.push((self.get(constructor, value, field), constructor.fields[field]));
                }
            }
            way(self, index, &fields);
        }
    }

    /// One comparison after the other; the last constructor is what is left, or checked too.
    fn chain(&mut self, header: usize, number: usize, (from, to): (usize, usize), blocks: &[usize]) {
        let plan = self.plan;
        let checks_last = self.rng.chance(25);
        for (index, &block) in blocks.iter().enumerate().take(to).skip(from) {
            if index + 1 == to && !checks_last {
                return self.line(&format!("jump block{block}"));
            }
            let node_info = self.value(&format!("node_info {}", plan.types[number].constructors[index].node_info()));
            let next = self.block();
            let (op, targets) = match self.rng.below(3) {
                0 => ("ne", [next, block]),
                _ => ("eq", [block, next]),
            };
            let same = self.both(op, header, node_info);
            self.line(&format!("br_if v{same}, block{}, block{}", targets[0], targets[1]));
            self.label(next);
        }
        self.stop();
    }

    /// What is never reached.
    fn stop(&mut self) {
        match self.rng.below(5) {
            0 => self.effect("halt", &[]),
            1 => {
                let text = self.value("static static2");
                let node_info = self.text_row("panic");
                self.effect(&node_info, &[text]);
            }
            2 => self.effect("index_error", &[]),
            3 => {
                let text = self.value("text static3");
                self.effect("unavailable", &[text]);
            }
            _ => {}
        }
        self.line("unreachable");
    }
}
