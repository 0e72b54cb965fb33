//! Effects, in every third program: boxed integers are performed where they are made, and calls of what returns one
//! reference get a handler, which answers, performs the effect again, raises it in the continuation, or forgets that.

use super::types::Ty;
use super::writer::{Writer, list};

impl Writer<'_> {
    /// The start function: effects that it does not handle end the program.
    fn is_start(&self) -> bool {
        self.level == self.plan.funcs.len() && !self.is_last
    }

    /// The answer to an effect, instead of what was to be performed, now and then.
    pub fn performed(&mut self, ty: Ty, value: usize) -> usize {
        let performs = self.plan.performs && ty == Ty::Int && !self.is_start() && self.rng.chance(20);
        if performs { self.value(&format!("perform v{value}")) } else { value }
    }

    /// Performs an effect at the end of a function, perhaps.
    pub fn performs(&mut self) {
        if self.plan.performs && !self.is_start() && self.rng.chance(40) {
            let effect = self.operand(Ty::Int);
            let answer = self.value(&format!("perform v{effect}"));
            self.scope.push((answer, Ty::Int));
        }
    }

    /// Makes a call one with a handler of effects, perhaps; then its result is in scope.
    pub fn delimited(&mut self, types: &[Ty], call: &str) -> Option<Vec<usize>> {
        let &[ty] = types else { return None };
        let is_call = ["call @", "call_table", "call_method", "apply"].iter().any(|start| call.starts_with(start));
        let is_start = self.is_start();
        if !self.plan.performs || !is_call || ty.ir() != "ref" || !self.rng.chance(if is_start { 97 } else { 40 }) {
            return None;
        }
        let [head, answer, done, join] = [(); 4].map(|()| self.block());
        let first = [(); 3].map(|()| self.name());
        self.line(&format!("{} = handle_{call}", list(&first)));
        self.line(&format!("jump block{head}({})", list(&first)));
        let [performed, value, continuation] = [(); 3].map(|()| self.name());
        self.out += &format!("block{head}(v{performed}: i32, v{value}: ref, v{continuation}: ref):\n");
        self.line(&format!("br_if v{performed}, block{answer}, block{done}"));
        self.label(answer);
        let scope = self.scope.len();
        self.scope.push((value, Ty::Int));
        match self.rng.below(10) {
            0 => {
                let result = self.operand(ty);
                self.line(&format!("jump block{join}(v{result})"));
            }
            way => {
                let (op, answer) = match way {
                    1 | 4 if self.plan.raises => ("discontinue", self.operand(Ty::Int)),
                    2 | 3 if !is_start => ("resume", self.value(&format!("perform v{value}"))),
                    _ => ("resume", self.operand(Ty::Int)),
                };
                let next = [(); 3].map(|()| self.name());
                self.line(&format!("{} = {op} v{continuation}, v{answer}", list(&next)));
                self.line(&format!("jump block{head}({})", list(&next)));
            }
        }
        self.scope.truncate(scope);
        self.label(done);
        self.line(&format!("jump block{join}(v{value})"));
        Some(self.label_with(join, types))
    }
}
