//! Random functions against a direct evaluation: arithmetic, memory, allocation, calls of functions with effects,
//! arbitrary control flow with arguments on all edges. Loops that run too long are not tried.

use crate::harness::{Program, emit, parse};
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Block, Builder, EntityRef, Func, FuncId, Module, Opcode, Phase, Signature, Type, Value};
use wasmtime::Val;

/// Functions that the random ones call: `note` folds its operand into a cell and returns the old contents, `pair`
/// has two results and reads that cell.
const CALLEES: &str = "func @note(v0: i64) -> i64 phase=low gc_leaf {
block0(v0: i64):
  v1 = iconst.i32 8192
  v2 = load.i64 v1 +0
  v3 = iconst.i64 31
  v4 = imul v2, v3
  v5 = iadd v4, v0
  store.i64 v1, v5 +0
  ret v2
}
func @pair(v0: i64) -> i64, i64 phase=low gc_leaf {
block0(v0: i64):
  v1 = iconst.i32 8192
  v2 = load.i64 v1 +0
  v3 = iconst.i64 1
  v4 = iadd v0, v3
  ret v4, v2
}";
const NOTE: u32 = 0;
const PAIR: u32 = 1;
const CELL: usize = 8192;
/// Scratch memory of the random functions: a few words from here on.
const SCRATCH: u32 = 8208;
const MEMORY: usize = 16384;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        // Xorshift; the high bits are the good ones.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) as usize) % n
    }
    fn choose<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// The control flow of a function: targets and terminator of each block.
fn skeleton(random: &mut Random) -> Vec<(Opcode, Vec<usize>)> {
    let count = 3 + random.below(12);
    // Mostly forward edges, so that most functions are reducible and end.
    let target = |random: &mut Random, from: usize| {
        if random.below(5) == 0 || from + 1 >= count {
            1 + random.below(count - 1)
        } else {
            from + 1 + random.below((count - from - 1).min(4))
        }
    };
    let shape = |random: &mut Random, from| match random.below(10) {
        _ if from + 1 == count => (Opcode::Return, 0),
        0 => (Opcode::Return, 0),
        1..=3 => (Opcode::Jump, 1),
        4..=8 => (Opcode::BrIf, 2),
        _ => (Opcode::BrTable, 1 + random.below(4)),
    };
    (0..count)
        .map(|from| {
            let (op, edges) = shape(random, from);
            (op, (0..edges).map(|_| target(random, from)).collect())
        })
        .collect()
}

struct Generator<'a> {
    random: &'a mut Random,
    builder: Builder<'a>,
    /// Values that dominate the current position.
    available: Vec<Value>,
}

impl Generator<'_> {
    fn value(&mut self, ty: Type) -> Value {
        let builder = &self.builder;
        let of_type: Vec<Value> = self.available.iter().copied().filter(|&v| builder.func.values[v] == ty).collect();
        if of_type.is_empty() || self.random.below(6) == 0 {
            return match ty {
                Type::I64 => self.builder.iconst64(self.random.below(7) as i64 - 3),
                Type::I32 => self.builder.iconst32(self.random.below(3) as i32),
                _ => self.alloc(),
            };
        }
        // Recent values are used more often.
        let n = of_type.len();
        let back = self.random.below(n).min(self.random.below(n));
        of_type[n - 1 - back]
    }

    /// An allocation that is surely needed.
    fn alloc(&mut self) -> Value {
        let cell = self.builder.value(Opcode::Alloc, 8, 0, &[]);
        let zero = self.builder.iconst64(0);
        self.builder.inst(Opcode::StoreI64, 0, 0, &[cell, zero]);
        cell
    }

    fn inst(&mut self) {
        use Opcode::*;
        let op = match self.random.below(24) {
            0..=7 => self.random.choose(&[Iadd, Isub, Imul, Xor, And, Slt, Eq, Ne, Uge]),
            8..=9 => self.random.choose(&[Eqz, ExtendU, Wrap, ExtendS]),
            10..=12 => LoadI64,
            13..=15 => StoreI64,
            16 => Select,
            17 => Alloc,
            18 => HeapFull,
            19..=20 => RefAddr,
            21..=22 => Call,
            _ => Sdiv,
        };
        let result = match op {
            Eqz => {
                let ty = self.random.choose(&[Type::I64, Type::I32]);
                let a = self.value(ty);
                self.builder.op(op, &[a])
            }
            ExtendU | ExtendS => {
                let a = self.value(Type::I32);
                self.builder.op(op, &[a])
            }
            Wrap => {
                let a = self.value(Type::I64);
                self.builder.op(op, &[a])
            }
            LoadI64 | StoreI64 => {
                let base = if self.random.below(3) == 0 {
                    self.value(Type::Ref)
                } else {
                    self.builder.iconst32(SCRATCH as i32)
                };
                let offset = self.random.below(3) as u64 * 4;
                if op == StoreI64 {
                    let value = self.value(Type::I64);
                    self.builder.inst(op, offset, 0, &[base, value]);
                    return;
                }
                self.builder.value(op, offset, 0, &[base])
            }
            Select => {
                let (a, b, c) = (self.value(Type::I32), self.value(Type::I64), self.value(Type::I64));
                self.builder.op(op, &[a, b, c])
            }
            Alloc => self.alloc(),
            HeapFull => self.builder.value(op, 8, 0, &[]),
            RefAddr => {
                let a = self.value(Type::Ref);
                self.builder.op(op, &[a])
            }
            Call => {
                let a = self.value(Type::I64);
                let (callee, results) = if self.random.below(3) == 0 { (PAIR, 2) } else { (NOTE, 1) };
                let call = self.builder.call(FuncId::from_u32(callee), &[a], &[Type::I64; 2][..results]);
                self.available.extend_from_slice(self.builder.func.results(call));
                return;
            }
            _ => {
                let ty = if op == Sdiv { Type::I64 } else { self.random.choose(&[Type::I64, Type::I64, Type::I32]) };
                let a = self.value(ty);
                let b = if op == Sdiv { self.builder.iconst64(3) } else { self.value(ty) };
                self.builder.op(op, &[a, b])
            }
        };
        self.available.push(result);
    }
}

/// True if some loop has several entries.
fn is_irreducible(func: &Func) -> bool {
    let cfg = Cfg::compute(func);
    let dom = DomTree::compute(&cfg);
    let enters = |pred, block| cfg.is_back_edge(pred, block) && !dom.dominates(block, pred);
    cfg.order.iter().any(|&block| cfg.preds[block].iter().any(|&pred| enters(pred, block)))
}

const TYPES: [Type; 4] = [Type::I64, Type::I64, Type::I32, Type::Ref];

/// A random function.
fn function(random: &mut Random, name: String) -> Func {
    let shape = skeleton(random);
    let mut func = Func::new(name, Signature::new(&[Type::I64; 3], &[Type::I64; 2]));
    (func.phase, func.may_gc, func.takes_stack_pointer) = (Phase::Low, false, false);
    let blocks: Vec<Block> = shape.iter().map(|_| func.new_block()).collect();
    for (from, (op, targets)) in shape.iter().enumerate() {
        func.append(blocks[from], *op, 0, 0, &[], &[]);
        for &to in targets {
            func.add_edge(blocks[from], blocks[to], &[]);
        }
    }
    let cfg = Cfg::compute(&func);
    let dom = DomTree::compute(&cfg);
    // The same blocks again, with contents.
    for &block in &blocks {
        func.blocks[block].insts.clear();
        func.blocks[block].edges.clear();
        let params = if block == blocks[0] {
            vec![Type::I64; 3]
        } else {
            (0..random.below(5)).map(|_| random.choose(&TYPES)).collect()
        };
        for ty in params {
            func.add_param(block, ty);
        }
    }
    let mut defined: Vec<Vec<Value>> = vec![Vec::new(); blocks.len()];
    for &block in &cfg.order {
        let mut available = dom.idom(block).map_or_else(Vec::new, |d| defined[d.index()].clone());
        available.extend_from_slice(func.params(block));
        let mut generator = Generator { random, builder: Builder::new(&mut func, block), available };
        for _ in 0..generator.random.below(9) {
            generator.inst();
        }
        let (op, targets) = &shape[block.index()];
        let operands: Vec<Value> = match op {
            Opcode::BrIf | Opcode::BrTable => vec![generator.value(Type::I32)],
            Opcode::Return => vec![generator.value(Type::I64), generator.value(Type::I64)],
            _ => vec![],
        };
        let mut edges = Vec::new();
        for &to in targets {
            let types: Vec<Type> =
                generator.builder.func.params(blocks[to]).iter().map(|&p| generator.builder.func.values[p]).collect();
            edges.push((blocks[to], types.into_iter().map(|ty| generator.value(ty)).collect::<Vec<_>>()));
        }
        generator.builder.inst(*op, 0, 0, &operands);
        for (to, args) in edges {
            generator.builder.func.add_edge(block, to, &args);
        }
        defined[block.index()] = generator.available;
    }
    func
}

/// Direct evaluation.
struct Machine {
    memory: Vec<u8>,
    heap: u32,
}

impl Machine {
    fn load(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.memory[at..at + 8].try_into().expect("eight bytes"))
    }
    fn store(&mut self, at: usize, value: u64) {
        self.memory[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }

    /// Results, or nothing after too many blocks.
    fn run(&mut self, func: &Func, args: &[i64]) -> Option<Vec<u64>> {
        let mut values = vec![0u64; func.values.len()];
        let mut block = func.entry_block();
        for (&param, &arg) in func.params(block).iter().zip(args) {
            values[param.index()] = arg as u64;
        }
        for _ in 0..500 {
            let mut edge = 0;
            for &inst in &func.blocks[block].insts {
                let data = &func.insts[inst];
                let arg: Vec<u64> = func.args(inst).iter().map(|v| values[v.index()]).collect();
                let wide = func.args(inst).first().is_some_and(|&v| func.values[v] == Type::I64);
                // 32-bit values are kept zero-extended.
                let cut = |n: u64| if wide { n } else { u64::from(n as u32) };
                let signed = |n: u64| if wide { n as i64 } else { i64::from(n as i32) };
                let result = match data.op {
                    Opcode::Iconst64 => data.imm,
                    Opcode::Iconst32 => u64::from(data.imm as u32),
                    Opcode::Iadd => cut(arg[0].wrapping_add(arg[1])),
                    Opcode::Isub => cut(arg[0].wrapping_sub(arg[1])),
                    Opcode::Imul => cut(arg[0].wrapping_mul(arg[1])),
                    Opcode::Sdiv => (arg[0] as i64 / arg[1] as i64) as u64,
                    Opcode::Xor => arg[0] ^ arg[1],
                    Opcode::And => arg[0] & arg[1],
                    Opcode::Slt => u64::from(signed(arg[0]) < signed(arg[1])),
                    Opcode::Eq => u64::from(arg[0] == arg[1]),
                    Opcode::Ne => u64::from(arg[0] != arg[1]),
                    Opcode::Uge => u64::from(arg[0] >= arg[1]),
                    Opcode::Eqz => u64::from(arg[0] == 0),
                    Opcode::ExtendU | Opcode::RefAddr => arg[0],
                    Opcode::ExtendS => arg[0] as i32 as i64 as u64,
                    Opcode::Wrap => u64::from(arg[0] as u32),
                    Opcode::Select => arg[if arg[0] != 0 { 1 } else { 2 }],
                    Opcode::LoadI64 => self.load(arg[0] as usize + data.imm as usize),
                    Opcode::StoreI64 => {
                        self.store(arg[0] as usize + data.imm as usize, arg[1]);
                        continue;
                    }
                    Opcode::Alloc => {
                        self.heap += data.imm as u32;
                        u64::from(self.heap) - data.imm
                    }
                    Opcode::HeapFull => 1,
                    Opcode::Call => {
                        let old = self.load(CELL);
                        if data.imm == u64::from(PAIR) {
                            values[func.results(inst)[1].index()] = old;
                            arg[0].wrapping_add(1)
                        } else {
                            self.store(CELL, old.wrapping_mul(31).wrapping_add(arg[0]));
                            old
                        }
                    }
                    Opcode::Jump => continue,
                    Opcode::BrIf => {
                        edge = usize::from(arg[0] == 0);
                        continue;
                    }
                    Opcode::BrTable => {
                        edge = (arg[0] as usize).min(func.blocks[block].edges.len() - 1);
                        continue;
                    }
                    Opcode::Return => return Some(arg),
                    op => unreachable!("{}", op.name()),
                };
                values[func.result_of(inst)] = result;
            }
            let edge = &func.blocks[block].edges[edge];
            let passed: Vec<u64> = func.edge_args(edge).iter().map(|v| values[v.index()]).collect();
            for (&param, value) in func.params(edge.block).iter().zip(passed) {
                values[param.index()] = value;
            }
            block = edge.block;
        }
        None
    }
}

trait ResultIndex {
    fn result_of(&self, inst: cleave_ir::Inst) -> usize;
}
impl ResultIndex for Func {
    fn result_of(&self, inst: cleave_ir::Inst) -> usize {
        self.result(inst).index()
    }
}

const ARGS: [[i64; 3]; 4] = [[0, 0, 0], [1, -1, 2], [3, 7, -5], [i64::MIN, 1, 100]];

fn module(random: &mut Random) -> Module {
    let mut module = parse(CALLEES);
    while module.funcs.len() < 40 {
        let name = format!("f{}", module.funcs.len());
        module.funcs.push(function(random, name));
    }
    module
}

fn compare(seed: u64) -> usize {
    let module = module(&mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
    let mut program = Program::of(&module);
    let mut machine = Machine { memory: vec![0; MEMORY], heap: 0 };
    let mut runs = 0;
    for func in module.funcs.values().filter(|f| f.name.starts_with('f')) {
        for args in ARGS {
            let (memory, heap) = (machine.memory.clone(), machine.heap);
            // Heap and cells overlap beyond this.
            let Some(expected) = machine.run(func, &args).filter(|_| machine.heap < 8000) else {
                (machine.memory, machine.heap) = (memory, heap);
                continue;
            };
            let args = args.map(Val::I64);
            let actual = program.call(&func.name, &args);
            let text = || cleave_ir::text::print_func(&module, func);
            assert_eq!(actual, expected, "seed {seed}, {args:?}\n{}", text());
            assert!(program.memory(0, MEMORY) == machine.memory, "seed {seed}, {args:?}: memory\n{}", text());
            runs += 1;
        }
    }
    runs
}

#[test]
fn random_functions() {
    let runs: usize = (0..40).map(compare).sum();
    // Most of them end, so the comparison is not empty.
    assert!(runs > 3000, "{runs}");
}

/// Every reachable block is written exactly once, in functions of irreducible control flow, too.
#[test]
fn random_control_flow_is_emitted() {
    const MARK: i64 = 0x71_2345_0000;
    let mut random = Random(77);
    let mut irreducible = 0;
    for _ in 0..300 {
        let mut func = Func::new("f", Signature::default());
        (func.phase, func.may_gc, func.takes_stack_pointer) = (Phase::Low, false, false);
        let shape = skeleton(&mut random);
        let blocks: Vec<Block> = shape.iter().map(|_| func.new_block()).collect();
        for (from, (op, targets)) in shape.iter().enumerate() {
            let mut builder = Builder::new(&mut func, blocks[from]);
            let at = builder.iconst32(SCRATCH as i32);
            let mark = builder.iconst64(MARK + from as i64);
            builder.effect(Opcode::StoreI64, &[at, mark]);
            let operands = match op {
                Opcode::BrIf | Opcode::BrTable => vec![builder.iconst32(0)],
                _ => vec![],
            };
            builder.inst(*op, 0, 0, &operands);
            for &to in targets {
                func.add_edge(blocks[from], blocks[to], &[]);
            }
        }
        let cfg = Cfg::compute(&func);
        irreducible += usize::from(is_irreducible(&func));
        let mut module = parse("");
        module.funcs.push(func);
        let wasm = emit(&module).unwrap_or_else(|error| panic!("{error}"));
        for (number, &block) in blocks.iter().enumerate() {
            let mut constant = Vec::new();
            wasm_encoder::Encode::encode(&(MARK + number as i64), &mut constant);
            let count = wasm.windows(constant.len()).filter(|bytes| *bytes == constant).count();
            assert_eq!(count, usize::from(cfg.is_reachable(block)), "{block} of {shape:?}");
        }
    }
    assert!(irreducible > 5, "{irreducible}");
}
