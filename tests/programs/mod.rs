//! Random programs in high IR for differential tests: what the interpreter prints for one must not change when passes
//! have worked on it. They call each other, build, fill, evaluate and update nodes, print, divide (and may trap).
//!
//! Every program is valid, ends (loops and recursion count down), and obeys what the passes may rely on: fields are read
//! of nodes of known shape only, and only nodes that the function built itself are updated.

use crate::roots::Rng;
use cleave_ir::layout::DescriptorKind;
use cleave_ir::module::RecordData;
use cleave_ir::{
    Block, Builder, Caf, CafData, Desc, DescData, Entry, EntryData, EntryKind, Func, FuncId, Module, Opcode, Service,
    Signature, Type, Value,
};

/// Functions besides the entry codes and the start.
const FUNCS: usize = 6;
const DEPTH: usize = 3;
/// The shape of `$P`: one reference, one word.
const P: (u32, u32) = (1, 1);

/// What is known of a reference in scope.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// Anything, evaluated or not.
    Any,
    /// A node of `$P`.
    Pair,
    /// The same, built by this function.
    Own,
    /// A boxed integer.
    Int,
}

/// Values in scope.
#[derive(Clone, Default)]
struct Scope {
    words: Vec<Value>,
    truths: Vec<Value>,
    reals: Vec<Value>,
    refs: Vec<(Value, Kind)>,
}

struct Names {
    pair: Desc,
    nullary: [Desc; 2],
    entries: Vec<Entry>,
    funcs: Vec<FuncId>,
    /// Functions from a word and a reference to an evaluated node.
    nodes: Vec<FuncId>,
    caf: Caf,
}

/// A random program.
pub fn program(seed: u64) -> Module {
    let mut rng = Rng::new(seed);
    let mut module = Module::new("random");
    let pair = descriptor(&mut module, "P", DescriptorKind::Record, Some(P));
    let nullary = ["A", "B"].map(|name| descriptor(&mut module, name, DescriptorKind::Constructor, None));
    let caf = module.cafs.push(CafData { label: "c".into(), refs: 1, words: 1 });
    let work = Signature::new(&[Type::I64, Type::I64, Type::I64, Type::Ref], &[Type::I64, Type::Ref]);
    let funcs: Vec<FuncId> = (0..FUNCS).map(|i| module.funcs.push(Func::new(format!("f{i}"), work.clone()))).collect();
    let give = Signature::new(&[Type::I64, Type::Ref], &[Type::Ref]);
    let nodes = (0..3).map(|i| module.funcs.push(Func::new(format!("g{i}"), give.clone()))).collect();
    let mut names = Names { pair, nullary, entries: Vec::new(), funcs, nodes, caf };
    for i in 0..3 {
        let code = module.funcs.push(Func::new(format!("n{i}"), Module::eval_signature()));
        let entry = EntryData {
            label: format!("t{i}"),
            kind: EntryKind::Plain,
            refs: 1,
            words: 1,
            code,
            update: None,
            desc: None,
        };
        names.entries.push(module.entries.push(entry));
    }
    for i in 0..FUNCS {
        let func = &mut module.funcs[names.funcs[i]];
        // Some are as small as operators and wrappers are.
        let size = rng.pick(&[0, 1, 2, 4, 4]);
        Generator { rng: &mut rng, names: &names, level: i, func, size }.function();
    }
    for i in 0..names.nodes.len() {
        let func = &mut module.funcs[names.nodes[i]];
        let size = rng.pick(&[0, 1, 3]);
        Generator { rng: &mut rng, names: &names, level: FUNCS - 1, func, size }.give(i);
    }
    for i in 0..3 {
        let code = module.entries[names.entries[i]].code;
        let func = &mut module.funcs[code];
        Generator { rng: &mut rng, names: &names, level: FUNCS - 2 + i.min(1), func, size: 2 }.entry();
    }
    let start = start(&mut rng, &names);
    module.start = Some(module.funcs.push(start));
    module
}

fn descriptor(module: &mut Module, label: &str, kind: DescriptorKind, shape: Option<(u32, u32)>) -> Desc {
    module.descs.push(DescData {
        name: label.as_bytes().into(),
        label: label.into(),
        kind,
        arity: 0,
        record: shape.map(|(refs, words)| RecordData { refs, words, types: b"ai"[..].into(), nested: Vec::new() }),
        number: 0,
        apply: Vec::new(),
        instance: None,
        appliable: false,
    })
}

/// Calls the first functions with several arguments and prints their results.
fn start(rng: &mut Rng, names: &Names) -> Func {
    let mut func = Func::new("main", Signature::default());
    let block = func.new_block();
    let mut b = Builder::new(&mut func, block);
    for _ in 0..3 {
        let node = b.node(names.nullary[rng.below(2)]);
        let fuel = b.iconst64(rng.below(6) as i64);
        let args = [b.iconst64(rng.below(9) as i64 - 4), b.iconst64(rng.pick(&[0, 1, -1, i64::MIN, 255, 1 << 33]))];
        let callee = names.funcs[rng.below(2)];
        let call = b.call(callee, &[fuel, args[0], args[1], node], &[Type::I64, Type::Ref]);
        let results = b.func.results(call).to_vec();
        b.call_rt(Service::PrintInt, &[results[0]]);
        let node = b.inst(Opcode::Eval, 0, 0, &[results[1]]);
        let node = b.func.result(node);
        let header = b.op(Opcode::Header, &[node]);
        let row = b.row(names.pair, 0);
        let is_pair = b.op(Opcode::Eq, &[header, row]);
        let (yes, on) = (b.func.new_block(), b.func.new_block());
        b.br_if(is_pair, (yes, &[]), (on, &[]));
        b.switch_to(yes);
        let word = b.get(Opcode::GetI64, P.0, P.1, 0, node);
        b.call_rt(Service::PrintInt, &[word]);
        b.jump(on, &[]);
        b.switch_to(on);
    }
    b.ret(&[]);
    func
}

struct Generator<'a> {
    rng: &'a mut Rng,
    names: &'a Names,
    /// Functions with a higher number may be called.
    level: usize,
    func: &'a mut Func,
    /// Instructions of a stretch.
    size: usize,
}

impl Generator<'_> {
    fn function(mut self) {
        let block = self.func.new_block();
        for ty in self.func.signature.params.clone() {
            self.func.add_param(block, ty);
        }
        let params = self.func.params(block).to_vec();
        let mut scope = Scope { words: params[..3].to_vec(), refs: vec![(params[3], Kind::Any)], ..Scope::default() };
        let depth = if self.size < 2 { 0 } else { DEPTH };
        self.body(block, &mut scope, depth, params[0]);
    }

    /// Reads the arguments, marks the thunk, computes and overwrites the thunk by the result.
    fn entry(mut self) {
        let block = self.func.new_block();
        let thunk = self.func.add_param(block, Type::Ref);
        let mut b = Builder::new(self.func, block);
        let node = b.get(Opcode::ArgRef, P.0, P.1, 0, thunk);
        let word = b.get(Opcode::ArgI64, P.0, P.1, 0, thunk);
        b.effect(Opcode::Blackhole, &[thunk]);
        let mut scope = Scope { words: vec![word], refs: vec![(node, Kind::Any)], ..Scope::default() };
        let end = self.stretch(block, &mut scope, 1);
        if self.rng.chance(50) {
            let (word, node) = (self.word(end, &mut scope), self.reference(end, &mut scope));
            Builder::new(self.func, end).fill_node(self.names.pair, 0, &[thunk, node, word]);
        } else {
            let node = self.reference(end, &mut scope);
            let mut b = Builder::new(self.func, end);
            let node = b.value(Opcode::Eval, 0, 0, &[node]);
            b.effect(Opcode::FillCopy, &[thunk, node]);
        }
        Builder::new(self.func, end).ret(&[thunk]);
    }

    /// Evaluates a node, itself or through the next such function.
    fn give(mut self, number: usize) {
        let block = self.func.new_block();
        let word = self.func.add_param(block, Type::I64);
        let node = self.func.add_param(block, Type::Ref);
        let mut scope = Scope { words: vec![word], refs: vec![(node, Kind::Any)], ..Scope::default() };
        let end = self.stretch(block, &mut scope, 1);
        let (word, node) = (self.word(end, &mut scope), self.reference(end, &mut scope));
        let next = self.names.nodes.get(number + 1).copied().filter(|_| self.rng.chance(50));
        let mut b = Builder::new(self.func, end);
        match next {
            Some(next) => b.tail_call(next, &[word, node]),
            None => b.effect(Opcode::TailEval, &[node]),
        }
    }

    /// A stretch of code and a way out of the function.
    fn body(&mut self, block: Block, scope: &mut Scope, depth: usize, fuel: Value) {
        let block = self.stretch(block, scope, depth);
        let (a, c, node) = (self.word(block, scope), self.word(block, scope), self.reference(block, scope));
        if self.level + 1 < FUNCS && self.rng.chance(35) {
            let less = self.less(block, fuel);
            let callee = self.callee();
            return Builder::new(self.func, block).tail_call(callee, &[less, a, c, node]);
        }
        if self.rng.chance(40) {
            // Round again while there is fuel.
            let (again, end) = (self.func.new_block(), self.func.new_block());
            let mut b = Builder::new(self.func, block);
            let zero = b.iconst64(0);
            let more = b.op(Opcode::Sgt, &[fuel, zero]);
            b.br_if(more, (again, &[]), (end, &[]));
            let less = self.less(again, fuel);
            let own = self.names.funcs[self.level];
            Builder::new(self.func, again).tail_call(own, &[less, c, a, node]);
            return Builder::new(self.func, end).ret(&[a, node]);
        }
        Builder::new(self.func, block).ret(&[a, node]);
    }

    fn less(&mut self, block: Block, fuel: Value) -> Value {
        let mut b = Builder::new(self.func, block);
        let one = b.iconst64(1);
        b.op(Opcode::Isub, &[fuel, one])
    }
    fn callee(&mut self) -> FuncId {
        let first = self.level + 1;
        self.names.funcs[first + self.rng.below(FUNCS - first)]
    }

    /// Instructions, branches and loops from `block` on; returns where it ends.
    fn stretch(&mut self, mut block: Block, scope: &mut Scope, depth: usize) -> Block {
        for _ in 0..self.size {
            block = match self.rng.below(20) {
                0..=2 if depth > 0 => self.branch(block, scope, depth - 1),
                3 if depth > 0 => self.repeat(block, scope, depth - 1),
                4..=6 if self.level + 1 < FUNCS => self.call(block, scope),
                7..=8 => self.recognise(block, scope, depth),
                9..=12 => self.node(block, scope),
                _ => self.arithmetic(block, scope),
            };
        }
        block
    }

    // -- values in scope -----------------------------------------------------------------------------------------------

    fn word(&mut self, block: Block, scope: &mut Scope) -> Value {
        if scope.words.is_empty() || self.rng.chance(30) {
            let n = self.rng.pick(&[0, 0, 1, 1, 2, 8, -1, 7, i64::MAX]);
            let value = Builder::new(self.func, block).iconst64(n);
            scope.words.push(value);
        }
        // Rather the latest ones.
        let last = scope.words.len() - 1;
        scope.words[last - self.rng.below(scope.words.len().min(5))]
    }
    fn truth(&mut self, block: Block, scope: &mut Scope) -> Value {
        if scope.truths.is_empty() || self.rng.chance(60) {
            let (x, y) = (self.word(block, scope), self.word(block, scope));
            let op = self.rng.pick(&[Opcode::Eq, Opcode::Ne, Opcode::Slt, Opcode::Sge, Opcode::Ult, Opcode::Ugt]);
            let real = (!scope.reals.is_empty() && self.rng.chance(30)).then(|| self.rng.pick(&scope.reals));
            let mut b = Builder::new(self.func, block);
            let mut value = match real {
                Some(real) => b.op(Opcode::Flt, &[real, scope.reals[0]]),
                None => b.op(op, &[x, y]),
            };
            // As the front end does it: through a word.
            match self.rng.below(5) {
                3 => value = b.op(Opcode::Eqz, &[value]),
                0 => {
                    let word = b.op(Opcode::ExtendU, &[value]);
                    scope.words.push(word);
                    value = b.op(Opcode::Wrap, &[word]);
                }
                1 => {
                    let word = b.op(Opcode::ExtendU, &[value]);
                    let zero = b.iconst64(0);
                    value = b.op(Opcode::Ne, &[word, zero]);
                }
                2 => {
                    let word = b.op(Opcode::ExtendU, &[value]);
                    value = b.op(Opcode::Eqz, &[word]);
                }
                _ => {}
            }
            scope.truths.push(value);
        }
        scope.truths[self.rng.below(scope.truths.len())]
    }
    fn reference(&mut self, block: Block, scope: &mut Scope) -> Value {
        if scope.refs.is_empty() || self.rng.chance(10) {
            let desc = self.names.nullary[self.rng.below(2)];
            scope.refs.push((Builder::new(self.func, block).node(desc), Kind::Any));
        }
        let last = scope.refs.len() - 1;
        scope.refs[last - self.rng.below(scope.refs.len().min(4))].0
    }
    fn of_kind(&mut self, scope: &Scope, kinds: &[Kind]) -> Option<Value> {
        let fitting: Vec<Value> = scope.refs.iter().filter(|r| kinds.contains(&r.1)).map(|r| r.0).collect();
        (!fitting.is_empty()).then(|| self.rng.pick(&fitting))
    }

    // -- steps -----------------------------------------------------------------------------------------------------------

    fn arithmetic(&mut self, block: Block, scope: &mut Scope) -> Block {
        use Opcode::*;
        let (x, y) = (self.word(block, scope), self.word(block, scope));
        let choice = self.rng.below(12);
        let (truth, node) = (self.truth(block, scope), self.reference(block, scope));
        let callee = self.names.funcs[(self.level + 1 + self.rng.below(2)).min(FUNCS - 1)];
        let op = self.rng.pick(&[Iadd, Isub, Imul, And, Or, Xor, Shl, Sshr, Ushr, Rotl, Umulhi, Iadd, Isub]);
        let division = self.rng.pick(&[Sdiv, Srem, Udiv, Urem]);
        let real_op = self.rng.pick(&[Fadd, Fsub, Fmul]);
        let mut b = Builder::new(self.func, block);
        match choice {
            0 => {
                let real = b.op(IntToReal, &[x]);
                scope.reals.push(real);
            }
            1 if !scope.reals.is_empty() => {
                let (r, s) = (scope.reals[0], scope.reals[scope.reals.len() - 1]);
                let real = b.op(real_op, &[r, s]);
                scope.reals.push(real);
                let less = b.op(Flt, &[s, real]);
                let not = b.op(Eqz, &[less]);
                scope.truths.extend([less, not]);
                let word = b.op(RealToInt, &[real]);
                scope.words.push(word);
            }
            2 if self.rng.chance(20) => scope.words.push(b.op(division, &[x, y])),
            3 => {
                b.call_rt(Service::PrintInt, &[x]);
            }
            4 => scope.words.push(b.op(Select, &[truth, x, y])),
            5 => {
                let not = b.op(Eqz, &[truth]);
                scope.truths.push(not);
            }
            6 => scope.words.push(b.op(ExtendU, &[truth])),
            7 => {
                let state = b.value(CafState, self.names.caf.as_u32() as u64, 0, &[]);
                scope.truths.push(state);
                if self.rng.chance(50) {
                    b.caf(SetCafI64, self.names.caf, 0, &[x]);
                    b.caf(SetCafState, self.names.caf, 0, &[]);
                }
                let word = b.value(CafI64, self.names.caf.as_u32() as u64, 0, &[]);
                scope.words.push(word);
            }
            8 if self.level + 1 < FUNCS => {
                // Something that others may change, before and after a call.
                let before = b.value(CafI64, self.names.caf.as_u32() as u64, 0, &[]);
                let (evaluated, zero) = (b.op(IsHnf, &[node]), b.iconst64(0));
                b.call(callee, &[zero, x, y, node], &[Type::I64, Type::Ref]);
                let after = b.value(CafI64, self.names.caf.as_u32() as u64, 0, &[]);
                let change = b.op(Isub, &[before, after]);
                let still = b.op(IsHnf, &[node]);
                let evaluated = [b.op(ExtendU, &[evaluated]), b.op(ExtendU, &[still])];
                for word in [change, evaluated[0], evaluated[1]] {
                    b.call_rt(Service::PrintInt, &[word]);
                }
            }
            _ => scope.words.push(b.op(op, &[x, y])),
        }
        block
    }

    fn node(&mut self, block: Block, scope: &mut Scope) -> Block {
        let (word, node) = (self.word(block, scope), self.reference(block, scope));
        let pair = self.of_kind(scope, &[Kind::Pair, Kind::Own]);
        let own = self.of_kind(scope, &[Kind::Own]);
        let boxed = self.of_kind(scope, &[Kind::Int]);
        let entry = self.rng.pick(&self.names.entries);
        let choice = self.rng.below(13);
        let mut b = Builder::new(self.func, block);
        match (choice, pair, own, boxed) {
            (0, ..) => scope.refs.push((b.build_node(self.names.pair, 0, &[node, word]), Kind::Own)),
            (1, ..) => scope.refs.push((b.build_thunk(entry, &[node, word]), Kind::Any)),
            (2, ..) => scope.refs.push((b.op(Opcode::BoxInt, &[word]), Kind::Int)),
            (3 | 4, ..) => scope.refs.push((b.value(Opcode::Eval, 0, 0, &[node]), Kind::Any)),
            (5, ..) => {
                let cell = b.value(Opcode::BuildCell, 0, 0, &[]);
                b.fill_node(self.names.pair, 0, &[cell, node, word]);
                scope.refs.push((cell, Kind::Own));
            }
            (6 | 7, Some(pair), ..) => {
                scope.words.push(b.get(Opcode::GetI64, P.0, P.1, 0, pair));
                scope.refs.push((b.get(Opcode::GetRef, P.0, P.1, 0, pair), Kind::Any));
            }
            (8, Some(pair), Some(own), _) => {
                scope.words.push(b.get(Opcode::GetI64, P.0, P.1, 0, pair));
                b.field(Opcode::SetI64, P.0, P.1, 0, &[own, word]);
                let read = [pair, own].map(|node| b.get(Opcode::GetI64, P.0, P.1, 0, node));
                for word in read {
                    b.call_rt(Service::PrintInt, &[word]);
                }
            }
            (9, Some(pair), Some(own), _) => {
                scope.refs.push((b.get(Opcode::GetRef, P.0, P.1, 0, pair), Kind::Any));
                b.field(Opcode::SetRef, P.0, P.1, 0, &[own, node]);
                let read = [pair, own].map(|of| b.get(Opcode::GetRef, P.0, P.1, 0, of));
                scope.refs.extend(read.map(|read| (read, Kind::Any)));
                // Identity, before anything moves.
                for read in read {
                    let addresses = [read, node].map(|of| b.op(Opcode::RefAddr, &[of]));
                    let same = b.op(Opcode::Eq, &addresses);
                    let same = b.op(Opcode::ExtendU, &[same]);
                    b.call_rt(Service::PrintInt, &[same]);
                }
            }
            (10 | 11, ..) => {
                let evaluated = b.op(Opcode::IsHnf, &[node]);
                scope.words.push(b.op(Opcode::ExtendU, &[evaluated]));
            }
            (_, _, _, Some(boxed)) => scope.words.push(b.get(Opcode::GetI64, 0, 1, 0, boxed)),
            _ => {}
        }
        block
    }

    fn call(&mut self, block: Block, scope: &mut Scope) -> Block {
        if self.rng.chance(30) {
            let (word, node) = (self.word(block, scope), self.reference(block, scope));
            let callee = self.rng.pick(&self.names.nodes);
            let call = Builder::new(self.func, block).call(callee, &[word, node], &[Type::Ref]);
            scope.refs.push((self.func.result(call), Kind::Any));
            return block;
        }
        let args = [self.word(block, scope), self.word(block, scope), self.word(block, scope)];
        let node = self.reference(block, scope);
        let (callee, fuel) = (self.callee(), self.rng.below(3) as i64);
        let mut b = Builder::new(self.func, block);
        let fuel = b.iconst64(fuel);
        let call = b.call(callee, &[fuel, args[0], args[1], node], &[Type::I64, Type::Ref]);
        let results = b.func.results(call);
        scope.words.push(results[0]);
        scope.refs.push((results[1], Kind::Any));
        block
    }

    /// Compares the header of a node with a row; where it matches, fields are read.
    fn recognise(&mut self, block: Block, scope: &mut Scope, depth: usize) -> Block {
        let node = self.reference(block, scope);
        let other = self.rng.chance(30);
        let mut b = Builder::new(self.func, block);
        let node = if other { node } else { b.value(Opcode::Eval, 0, 0, &[node]) };
        let header = b.op(Opcode::Header, &[node]);
        let row = b.row(self.names.pair, 0);
        let matches = b.op(Opcode::Eq, &[header, row]);
        let (yes, no, join) = (b.func.new_block(), b.func.new_block(), b.func.new_block());
        b.br_if(matches, (yes, &[]), (no, &[]));
        let mut inner = scope.clone();
        inner.refs.push((node, Kind::Pair));
        self.join(yes, &mut inner, join, depth.saturating_sub(1));
        self.join(no, &mut scope.clone(), join, 0);
        self.joined(join, scope)
    }

    fn branch(&mut self, block: Block, scope: &mut Scope, depth: usize) -> Block {
        let truth = self.truth(block, scope);
        let join = self.func.new_block();
        let ways = if self.rng.chance(15) { 3 } else { 2 };
        let blocks: Vec<Block> = (0..ways).map(|_| self.func.new_block()).collect();
        let mut b = Builder::new(self.func, block);
        if ways == 2 {
            b.br_if(truth, (blocks[0], &[]), (blocks[1], &[]));
        } else {
            b.effect(Opcode::BrTable, &[truth]);
            blocks.iter().for_each(|&to| b.func.add_edge(block, to, &[]));
        }
        for way in blocks {
            self.join(way, &mut scope.clone(), join, depth);
        }
        self.joined(join, scope)
    }

    /// Code of one way, then the jump to the join with a word and a reference.
    fn join(&mut self, way: Block, scope: &mut Scope, join: Block, depth: usize) {
        let end = if self.rng.chance(40) { way } else { self.stretch(way, scope, depth) };
        let args = [self.word(end, scope), self.reference(end, scope)];
        Builder::new(self.func, end).jump(join, &args);
    }
    fn joined(&mut self, join: Block, scope: &mut Scope) -> Block {
        let word = self.func.add_param(join, Type::I64);
        let node = self.func.add_param(join, Type::Ref);
        if self.rng.chance(70) {
            scope.words.push(word);
            scope.refs.push((node, Kind::Any));
            return join;
        }
        // A test of the parameter and nothing else, with another join behind it.
        let mut b = Builder::new(self.func, join);
        let truth = b.op(Opcode::Eqz, &[word]);
        let (yes, no, next) = (b.func.new_block(), b.func.new_block(), b.func.new_block());
        b.br_if(truth, (yes, &[]), (no, &[]));
        for way in [yes, no] {
            self.join(way, &mut scope.clone(), next, 0);
        }
        scope.words.push(self.func.add_param(next, Type::I64));
        scope.refs.push((self.func.add_param(next, Type::Ref), Kind::Any));
        next
    }

    /// A loop that counts down from a small number.
    fn repeat(&mut self, block: Block, scope: &mut Scope, depth: usize) -> Block {
        let (word, node) = (self.word(block, scope), self.reference(block, scope));
        let times = self.rng.below(4) as i64;
        let (header, body, after) = (self.func.new_block(), self.func.new_block(), self.func.new_block());
        let mut b = Builder::new(self.func, block);
        let times = b.iconst64(times);
        b.jump(header, &[times, word, node]);
        let count = self.func.add_param(header, Type::I64);
        let word = self.func.add_param(header, Type::I64);
        let node = self.func.add_param(header, Type::Ref);
        let mut b = Builder::new(self.func, header);
        let zero = b.iconst64(0);
        let done = b.op(Opcode::Eq, &[count, zero]);
        b.br_if(done, (after, &[]), (body, &[]));
        let mut inner = scope.clone();
        inner.words.push(word);
        inner.refs.push((node, Kind::Any));
        let end = self.stretch(body, &mut inner, depth);
        let (next_word, next_node) = (self.word(end, &mut inner), self.reference(end, &mut inner));
        let less = self.less(end, count);
        Builder::new(self.func, end).jump(header, &[less, next_word, next_node]);
        scope.words.push(word);
        scope.refs.push((node, Kind::Any));
        after
    }
}
