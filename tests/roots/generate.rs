//! Random functions of the high phase, as they are just before roots are placed: any control flow (also irreducible),
//! block parameters, all kinds of safepoints, leaf calls, static nodes, tail calls, several results.

use super::Rng;
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::text::parse_module;
use cleave_ir::{
    Block, Builder, Desc, Func, FuncId, Libcall, Module, Opcode, SecondaryMap, Signature, ThunkInfo, WellKnownDesc,
};
use cleave_ir::{Callee, Extern, LibcallSignature, Table, Type, Value, libcalls};

/// What the generated functions call.
const LIBRARY: &str = r#"module "library"
desc $K = constructor arity 2 tag 0 "K"
table %t = (ref) -> (ref) [@one]
thunk_info &n = plain ptrs 1 nptrs 0 code @one
func @one(v0: ref) -> ref {
block0(v0: ref):
  ret v0
}
func @pair(v0: ref) -> ref, ref {
block0(v0: ref):
  ret v0, v0
}
func @leaf(v0: ref) -> ref gc_leaf {
block0(v0: ref):
  ret v0
}
"#;

const ONE: u32 = 0;
const PAIR: u32 = 1;
const LEAF: u32 = 2;

/// What they call of the runtime: a safepoint and one that is none.
const CALLED: [&LibcallSignature; 2] = [&libcalls::CAT_STRING, &libcalls::CMP_STRING];

fn callee(number: usize) -> Callee<'static> {
    Callee::of(Extern::from_u32((Libcall::ALL.len() + number) as u32), CALLED[number])
}

/// The module that generated functions belong to.
pub fn library() -> Module {
    let mut module = parse_module(LIBRARY).expect("the library is correct");
    for (number, row) in CALLED.into_iter().enumerate() {
        assert_eq!(module.declare(row), callee(number).id);
    }
    module
}

/// Values that may be used at a point, by type.
#[derive(Clone, Debug, Default)]
struct Available {
    ptrs: Vec<Value>,
    ints: Vec<Value>,
}

impl Available {
    fn add(&mut self, func: &Func, value: Value) {
        match func.values[value] {
            Type::Ref => self.ptrs.push(value),
            _ => self.ints.push(value),
        }
    }
    /// Old references as likely as new ones, so that many live long.
    fn reference(&self, rng: &mut Rng) -> Value {
        rng.pick(&self.ptrs)
    }
    fn int(&self, rng: &mut Rng) -> Value {
        rng.pick(&self.ints)
    }
}

/// A function `(ref, ref, i32) -> ref`.
pub fn generate(rng: &mut Rng, name: &str) -> Func {
    let signature = Signature::new(&[Type::Ref, Type::Ref, Type::I32], &[Type::Ref]);
    let mut func = Func::new(name, signature);
    let targets = graph(rng, &mut func);
    let entry = func.entry_block();
    for ty in [Type::Ref, Type::Ref, Type::I32] {
        func.add_param(entry, ty);
    }
    for i in 1..targets.len() {
        let block = Block::from_u32(i as u32);
        for _ in 0..rng.below(3) {
            let ty = if rng.chance(85) { Type::Ref } else { Type::I32 };
            func.add_param(block, ty);
        }
    }
    // The edges come first, so that dominators are known; their arguments follow with the code.
    for (i, list) in targets.iter().enumerate() {
        for &target in list {
            func.add_edge(Block::from_u32(i as u32), target, &[]);
        }
    }
    let cfg = Cfg::compute(&func);
    let dom = DomTree::compute(&cfg);
    let mut at_end: SecondaryMap<Block, Available> = SecondaryMap::new();
    for &block in &cfg.order {
        let mut available = dom.idom(block).map(|b| at_end[b].clone()).unwrap_or_default();
        for i in 0..func.params(block).len() {
            let param = func.params(block)[i];
            available.add(&func, param);
        }
        for _ in 0..rng.below(6) {
            instruction(rng, &mut func, block, &mut available);
        }
        finish(rng, &mut func, block, &available);
        at_end[block] = available;
    }
    func
}

/// Targets of each block. Every block has an earlier predecessor, so all are reachable; further edges go anywhere but
/// to the entry.
fn graph(rng: &mut Rng, func: &mut Func) -> Vec<Vec<Block>> {
    let count = 1 + rng.below(8);
    let mut targets: Vec<Vec<Block>> = vec![Vec::new(); count];
    for i in 0..count {
        let block = func.new_block();
        if i > 0 {
            let from = (0..i).filter(|&b| targets[b].len() < 2).collect::<Vec<_>>();
            let from =
                if rng.chance(60) { *from.last().expect("the block before has no target") } else { rng.pick(&from) };
            targets[from].push(block);
        }
    }
    if count > 1 {
        for _ in 0..rng.below(count + 1) {
            let from = rng.below(count);
            if targets[from].len() < 3 {
                targets[from].push(Block::from_u32(1 + rng.below(count - 1) as u32));
            }
        }
    }
    targets
}

fn instruction(rng: &mut Rng, func: &mut Func, block: Block, available: &mut Available) {
    let (a, b, n) = (available.reference(rng), available.reference(rng), available.int(rng));
    let mut build = Builder::new(func, block);
    let constructor = Desc::from_u32(WellKnownDesc::ALL.len() as u32);
    let inst = match rng.below(16) {
        0..=3 => build.call(FuncId::from_u32(ONE), &[a], &[Type::Ref]),
        4 => build.call(FuncId::from_u32(PAIR), &[a], &[Type::Ref, Type::Ref]),
        5 => build.call(FuncId::from_u32(LEAF), &[a], &[Type::Ref]),
        6 => build.call_table(Table::from_u32(0), &[n, a], &[Type::Ref]),
        7 => build.call_extern(callee(0), &[a, b]),
        8 => build.call_extern(callee(1), &[a, b]),
        9 => build.inst(Opcode::Collect, 16, 0, &[]),
        10 => build.inst(Opcode::Enter, 0, 0, &[a]),
        11 => build.inst(Opcode::NodeRef, u64::from(WellKnownDesc::Empty.desc().as_u32()), 0, &[]),
        12 => build.inst(Opcode::Select, 0, 0, &[n, a, b]),
        13 => build.field(Opcode::GetRef, 2, 0, 1, &[a]),
        14 => build.inst(Opcode::BuildThunk, u64::from(ThunkInfo::from_u32(0).as_u32()), 0, &[a]),
        _ => build.inst(Opcode::BuildNode, u64::from(constructor.as_u32()), 2, &[a, b]),
    };
    for i in 0..func.results(inst).len() {
        let result = func.results(inst)[i];
        if func.values[result] != Type::I64 {
            available.add(func, result);
        }
    }
}

/// The terminator, and the arguments of the edges.
fn finish(rng: &mut Rng, func: &mut Func, block: Block, available: &Available) {
    let edges = std::mem::take(&mut func.blocks[block].edges);
    for edge in &edges {
        let types: Vec<Type> = func.params(edge.block).iter().map(|&p| func.values[p]).collect();
        let args: Vec<Value> = types
            .iter()
            .map(|&ty| if ty == Type::Ref { available.reference(rng) } else { available.int(rng) })
            .collect();
        func.add_edge(block, edge.block, &args);
    }
    let condition = available.int(rng);
    let value = available.reference(rng);
    let mut build = Builder::new(func, block);
    match edges.len() {
        0 => match rng.below(5) {
            0 => build.tail_call(FuncId::from_u32(ONE), &[value]),
            1 => build.effect(Opcode::TailEnter, &[value]),
            2 => {
                build.inst(Opcode::TailCallTable, 0, 0, &[condition, value]);
            }
            _ => build.ret(&[value]),
        },
        1 => build.effect(Opcode::Jump, &[]),
        2 => build.effect(Opcode::BrIf, &[condition]),
        _ => build.effect(Opcode::BrTable, &[condition]),
    }
}
