//! Random strict programs as IR text: lists, trees and pairs that are built, taken apart, shared, dropped and passed
//! through recursive functions and loops. All of them end, and `@test` returns a number that depends on everything.

use std::fmt::Write;

/// A small generator of random numbers (xorshift).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    List,
    Tree,
    Pair,
}

const KINDS: [Kind; 3] = [Kind::List, Kind::Tree, Kind::Pair];

const PRELUDE: &str = r#"module "random"
desc $Nil = constructor arity 0 tag 0 "Nil"
desc $Cons = record arity 0 tag 1 "Cons" fields 1, 1 "ai"
desc $Leaf = constructor arity 0 tag 0 "Leaf"
desc $Node = record arity 0 tag 1 "Node" fields 2, 1 "aai"
desc $Pair = record arity 0 tag 0 "Pair" fields 2, 0 "aa"

func @list(v0: ref) -> i64 {
block0(v0: ref):
  v1 = header v0
  v2 = node_info $Nil/0
  v3 = eq v1, v2
  br_if v3, block1, block2
block1:
  v4 = iconst.i64 7
  ret v4
block2:
  v5 = get.i64 v0 (1, 1) 0
  v6 = get.ref v0 (1, 1) 0
  v7 = call @list(v6)
  v8 = iconst.i64 31
  v9 = imul v7, v8
  v10 = iadd v9, v5
  ret v10
}

func @tree(v0: ref) -> i64 {
block0(v0: ref):
  v1 = header v0
  v2 = node_info $Leaf/0
  v3 = eq v1, v2
  br_if v3, block1, block2
block1:
  v4 = iconst.i64 5
  ret v4
block2:
  v5 = get.i64 v0 (2, 1) 0
  v6 = get.ref v0 (2, 1) 0
  v7 = get.ref v0 (2, 1) 1
  v8 = call @tree(v6)
  v9 = call @tree(v7)
  v10 = iconst.i64 13
  v11 = imul v8, v10
  v12 = iadd v11, v9
  v13 = iadd v12, v5
  ret v13
}

func @pair(v0: ref) -> i64 {
block0(v0: ref):
  v1 = get.ref v0 (2, 0) 0
  v2 = get.ref v0 (2, 0) 1
  v3 = call @list(v1)
  v4 = call @tree(v2)
  v5 = ixor v3, v4
  ret v5
}
"#;

struct Signature {
    params: Vec<Kind>,
    result: Kind,
}

/// A value in scope.
#[derive(Clone)]
struct Named {
    name: usize,
    kind: Kind,
}

struct Writer<'a> {
    rng: &'a mut Rng,
    signatures: &'a [Signature],
    out: String,
    values: usize,
    blocks: usize,
    calls: usize,
    fuel: usize,
    ints: Vec<usize>,
}

/// A module with `functions` random functions, each of which may ask for updates in place.
pub fn module(rng: &mut Rng, functions: usize) -> String {
    let kind = |rng: &mut Rng| KINDS[rng.below(3)];
    let signatures: Vec<Signature> = (0..functions)
        .map(|_| {
            let count = 1 + rng.below(3);
            Signature { params: (0..count).map(|_| kind(rng)).collect(), result: kind(rng) }
        })
        .collect();
    let mut text = PRELUDE.replace("ixor", "xor");
    for number in 0..functions {
        text.push_str(&function(rng, &signatures, number));
    }
    text.push_str(&start(rng, &signatures));
    text
}

fn function(rng: &mut Rng, signatures: &[Signature], number: usize) -> String {
    let own = &signatures[number];
    let count = own.params.len();
    let params: String = (1..=count).map(|i| format!(", v{i}: ref")).collect();
    let fip = if rng.chance(60) { " fip" } else { "" };
    let mut writer = Writer {
        rng,
        signatures,
        out: String::new(),
        values: count + 1,
        blocks: 1,
        calls: 0,
        fuel: 0,
        ints: Vec::new(),
    };
    let scope: Vec<Named> = own.params.iter().enumerate().map(|(i, &kind)| Named { name: i + 1, kind }).collect();
    let _ = write!(writer.out, "\nfunc @f{number}(v0: i64{params}) -> ref{fip} {{\nblock0(v0: i64{params}):\n");
    let empty = writer.value("eqz v0");
    let (base, rest) = (writer.block(), writer.block());
    writer.line(&format!("br_if v{empty}, block{base}, block{rest}"));
    writer.label(base);
    let simple = writer.simple(own.result, &scope);
    writer.line(&format!("ret v{simple}"));
    writer.label(rest);
    let one = writer.value("iconst.i64 1");
    writer.fuel = writer.value(&format!("isub v0, v{one}"));
    writer.ints = vec![0, one];
    writer.tail(own.result, &scope, 4);
    writer.out.push_str("}\n");
    writer.out
}

fn start(rng: &mut Rng, signatures: &[Signature]) -> String {
    let mut writer =
        Writer { rng, signatures, out: String::new(), values: 0, blocks: 1, calls: 0, fuel: 0, ints: Vec::new() };
    writer.out.push_str("\nfunc @test() -> i64 {\nblock0:\n");
    let fuel = 2 + writer.rng.below(5);
    writer.fuel = writer.value(&format!("iconst.i64 {fuel}"));
    writer.ints = vec![writer.fuel];
    let mut sum = writer.value("iconst.i64 0");
    let mut scope = Vec::new();
    for (number, signature) in signatures.iter().enumerate() {
        let args: Vec<usize> = signature.params.iter().map(|&kind| writer.expression(kind, &scope, 3)).collect();
        let args: String = args.iter().map(|arg| format!(", v{arg}")).collect();
        let fuel = writer.fuel;
        let made = writer.value(&format!("call @f{number}(v{fuel}{args})"));
        let hash = match signature.result {
            Kind::List => "list",
            Kind::Tree => "tree",
            Kind::Pair => "pair",
        };
        let hash = writer.value(&format!("call @{hash}(v{made})"));
        let seventeen = writer.value("iconst.i64 17");
        let scaled = writer.value(&format!("imul v{sum}, v{seventeen}"));
        sum = writer.value(&format!("iadd v{scaled}, v{hash}"));
        if writer.rng.chance(50) {
            scope.push(Named { name: made, kind: signature.result });
        }
    }
    writer.line(&format!("ret v{sum}"));
    writer.out.push_str("}\n");
    writer.out
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "  {text}");
    }
    fn value(&mut self, text: &str) -> usize {
        let name = self.values;
        self.values += 1;
        let _ = writeln!(self.out, "  v{name} = {text}");
        name
    }
    fn block(&mut self) -> usize {
        self.blocks += 1;
        self.blocks - 1
    }
    fn label(&mut self, block: usize) {
        let _ = writeln!(self.out, "block{block}:");
    }
    fn int(&mut self) -> usize {
        let known = self.rng.below(self.ints.len());
        match self.rng.chance(30) {
            true => {
                let n = self.rng.below(100);
                self.value(&format!("iconst.i64 {n}"))
            }
            false => self.ints[known],
        }
    }

    /// Something in scope, or a small new thing.
    fn simple(&mut self, kind: Kind, scope: &[Named]) -> usize {
        let known: Vec<usize> = scope.iter().filter(|named| named.kind == kind).map(|named| named.name).collect();
        if !known.is_empty() && self.rng.chance(80) {
            return known[self.rng.below(known.len())];
        }
        match kind {
            Kind::List => self.value("node $Nil"),
            Kind::Tree => self.value("node $Leaf"),
            Kind::Pair => {
                let (list, tree) = (self.simple(Kind::List, scope), self.simple(Kind::Tree, scope));
                self.value(&format!("build $Pair/0 v{list}, v{tree}"))
            }
        }
    }

    fn call(&mut self, kind: Kind, scope: &[Named], depth: usize) -> Option<String> {
        let fitting: Vec<usize> = (0..self.signatures.len()).filter(|&f| self.signatures[f].result == kind).collect();
        if fitting.is_empty() || self.calls >= 2 {
            return None;
        }
        self.calls += 1;
        let number = fitting[self.rng.below(fitting.len())];
        let kinds = self.signatures[number].params.clone();
        let args: Vec<usize> = kinds.iter().map(|&kind| self.expression(kind, scope, depth)).collect();
        let args: String = args.iter().map(|arg| format!(", v{arg}")).collect();
        Some(format!("@f{number}(v{}{args})", self.fuel))
    }

    /// A value of a kind; code may come to stand in other blocks.
    fn expression(&mut self, kind: Kind, scope: &[Named], depth: usize) -> usize {
        if depth == 0 {
            return self.simple(kind, scope);
        }
        match self.rng.below(10) {
            0 | 1 => self.simple(kind, scope),
            2..=4 => match kind {
                Kind::List => {
                    let (head, tail) = (self.int(), self.expression(kind, scope, depth - 1));
                    self.value(&format!("build $Cons/0 v{tail}, v{head}"))
                }
                Kind::Tree => {
                    let left = self.expression(kind, scope, depth - 1);
                    let right = self.expression(kind, scope, depth - 1);
                    let key = self.int();
                    self.value(&format!("build $Node/0 v{left}, v{right}, v{key}"))
                }
                Kind::Pair => {
                    let list = self.expression(Kind::List, scope, depth - 1);
                    let tree = self.expression(Kind::Tree, scope, depth - 1);
                    self.value(&format!("build $Pair/0 v{list}, v{tree}"))
                }
            },
            5 => match self.call(kind, scope, depth - 1) {
                Some(call) => self.value(&format!("call {call}")),
                None => self.simple(kind, scope),
            },
            6 => {
                let (first, second) = (self.simple(kind, scope), self.simple(kind, scope));
                let int = self.int();
                let condition = self.value(&format!("wrap v{int}"));
                self.value(&format!("select v{condition}, v{first}, v{second}"))
            }
            7 => {
                // Something that nobody wants.
                let other = KINDS[self.rng.below(3)];
                self.expression(other, scope, depth - 1);
                self.expression(kind, scope, depth - 1)
            }
            _ => {
                let join = self.block();
                self.branch(scope, |writer, scope| {
                    let value = writer.expression(kind, scope, depth - 1);
                    writer.line(&format!("jump block{join}(v{value})"));
                });
                let name = self.values;
                self.values += 1;
                let _ = writeln!(self.out, "block{join}(v{name}: ref):");
                name
            }
        }
    }

    /// Both ways of a branch: on a number, or on the constructor of something, whose fields are in scope then.
    fn branch(&mut self, scope: &[Named], mut way: impl FnMut(&mut Self, &[Named])) {
        let (yes, no) = (self.block(), self.block());
        let ints = self.ints.clone();
        let matched: Vec<Named> = scope.to_vec();
        let subject = matched.get(self.rng.below(matched.len() + 1)).cloned();
        let mut inner = scope.to_vec();
        match subject {
            Some(Named { name, kind: kind @ (Kind::List | Kind::Tree) }) => {
                let header = self.value(&format!("header v{name}"));
                let atom = if kind == Kind::List { "Nil" } else { "Leaf" };
                let row = self.value(&format!("node_info ${atom}/0"));
                let test = self.value(&format!("eq v{header}, v{row}"));
                self.line(&format!("br_if v{test}, block{yes}, block{no}"));
                self.label(yes);
                way(self, scope);
                self.label(no);
                let shape = if kind == Kind::List { "(1, 1)" } else { "(2, 1)" };
                let int = self.value(&format!("get.i64 v{name} {shape} 0"));
                self.ints.push(int);
                for field in 0..if kind == Kind::List { 1 } else { 2 } {
                    if self.rng.chance(85) {
                        let value = self.value(&format!("get.ref v{name} {shape} {field}"));
                        inner.push(Named { name: value, kind });
                    }
                }
                // What was matched is as a rule not used any more.
                if self.rng.chance(70) {
                    inner.retain(|named| named.name != name);
                }
            }
            other => {
                if let Some(Named { name, .. }) = other {
                    let list = self.value(&format!("get.ref v{name} (2, 0) 0"));
                    let tree = self.value(&format!("get.ref v{name} (2, 0) 1"));
                    inner.push(Named { name: list, kind: Kind::List });
                    inner.push(Named { name: tree, kind: Kind::Tree });
                }
                let int = self.int();
                let one = self.value("iconst.i64 1");
                let bit = self.value(&format!("and v{int}, v{one}"));
                let test = self.value(&format!("eqz v{bit}"));
                self.line(&format!("br_if v{test}, block{yes}, block{no}"));
                self.label(yes);
                way(self, &inner);
                self.label(no);
            }
        }
        way(self, &inner);
        self.ints = ints;
    }

    /// The end of a function: a value is returned, or another function called in its place.
    fn tail(&mut self, kind: Kind, scope: &[Named], depth: usize) {
        if depth > 1 && self.rng.chance(60) {
            let calls = self.calls;
            self.branch(scope, |writer, scope| {
                writer.calls = calls;
                writer.tail(kind, scope, depth - 1);
            });
            return;
        }
        if self.rng.chance(50)
            && let Some(call) = self.call(kind, scope, 1)
        {
            self.line(&format!("tail_call {call}"));
            return;
        }
        let value = self.expression(kind, scope, depth);
        self.line(&format!("ret v{value}"));
    }
}
