//! One function from low IR to the bytes of a Wasm function body: the order of the steps, the walk over the structure,
//! and the hand-over to the families of instructions (`number`, `memory`, `call`).

mod call;
pub mod code;
mod divide;
mod memory;
mod number;

use crate::Error;
use crate::env::Env;
use crate::irreducible;
use crate::isel::{Folded, Node};
use crate::locals::Locals;
use crate::source_map::Placed;
use crate::stackify::{Op, Structure};
use crate::treeify::{Item, Trees};
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::opcode::Machine;
use cleave_ir::spill_around_calls::Waits;
use cleave_ir::{Block, Func, Group, Inst, Location, Opcode, Value};
use code::Code;
use wasm_encoder::{BlockType, Encode, ValType};

/// Working memory, kept from function to function.
#[derive(Default)]
pub struct Scratch {
    cfg: Cfg,
    dom: DomTree,
    folded: Folded,
    trees: Trees,
    locals: Locals,
    structure: Structure,
    code: Code,
    body: Vec<u8>,
}

/// The most locals, parameters included, that engines accept.
const MAX_LOCALS: u32 = 50_000;
/// Parameters and results of a function. Engines accept 1000; the shadow stack and the index of a table need some.
const MAX_SIGNATURE: usize = 990;
/// Bytes of a function. Engines accept 7 654 321.
const MAX_BODY: usize = 7_600_000;

/// State of the walk over one function.
pub struct Lower<'a> {
    env: &'a Env<'a>,
    func: &'a Func,
    folded: &'a Folded,
    trees: &'a Trees,
    locals: &'a mut Locals,
    structure: &'a Structure,
    code: &'a mut Code,
    /// Locals for the second use of an operand inside one instruction: two of each type.
    scratch: [[Option<u32>; 2]; 3],
    /// Reals that wait for the end of calls, and the locals where they do.
    waits: Waits,
    waiting: Vec<u32>,
    /// Parameters that a moving edge has pushed and not yet stored.
    moving: Vec<Value>,
    /// Where instructions came from: from this byte of the code on.
    places: Vec<(usize, Location)>,
}

/// Appends the body of `func` to `out`, preceded by its size.
pub fn function(env: &Env, mut func: Func, scratch: &mut Scratch, out: &mut Placed) -> Result<(), Error> {
    if structured(env, &func, scratch, out)? {
        return Ok(());
    }
    irreducible::run(&mut func);
    let done = structured(env, &func, scratch, out)?;
    assert!(done, "@{}: the control flow stays irreducible", func.name);
    Ok(())
}

/// The same; false, and nothing is appended, if the control flow is irreducible.
fn structured(env: &Env, func: &Func, scratch: &mut Scratch, out: &mut Placed) -> Result<bool, Error> {
    if func.signature.params.len().max(func.signature.results.len()) > MAX_SIGNATURE {
        return Err(Error::TooManyLocals(func.name.clone()));
    }
    let Scratch { cfg, dom, folded, trees, locals, structure, code, body } = scratch;
    cfg.recompute(func);
    dom.recompute(cfg);
    folded.run(func, cfg);
    trees.run(func, cfg, folded);
    locals.run(func, cfg, folded, trees, func.lowered_signature().hidden() as u32, env.most_live);
    let has_moves = |block, edge| locals.has_moves(trees, block, edge);
    if structure.run(func, cfg, dom, &has_moves, &|block| func.is_cold(block)).is_err() {
        return Ok(false);
    }
    code.clear();
    let mut lower = Lower {
        env,
        func,
        folded,
        trees,
        locals,
        structure,
        code,
        scratch: [[None; 2]; 3],
        waits: Waits::compute(func, cfg, |value| func.values[value] == cleave_ir::Type::F64, |_| false),
        waiting: Vec::new(),
        moving: Vec::new(),
        places: Vec::new(),
    };
    lower.run();
    let places = lower.places;
    if locals.count > MAX_LOCALS {
        return Err(Error::TooManyLocals(func.name.clone()));
    }
    body.clear();
    locals.declared.len().encode(body);
    for (count, ty) in &locals.declared {
        count.encode(body);
        ty.encode(body);
    }
    if body.len() + code.bytes.len() > MAX_BODY {
        return Err(Error::TooLarge(func.name.clone()));
    }
    (body.len() + code.bytes.len()).encode(&mut out.bytes);
    out.bytes.extend_from_slice(body);
    if let Some(source) = &func.source {
        out.places.push((out.bytes.len(), source.start));
    }
    out.append(&code.bytes, &places);
    if func.source.is_some() {
        out.places.push((out.bytes.len(), Location::NONE));
    }
    Ok(true)
}

impl Lower<'_> {
    fn run(&mut self) {
        let structure = self.structure;
        for (at, &op) in structure.ops.iter().enumerate() {
            match op {
                Op::Body(block) => self.body(block, structure.ops.get(at + 1)),
                Op::Edge(block, edge) => self.edge(block, edge as usize),
                _ => self.control(op),
            }
        }
        self.code.sink().end();
    }

    fn body(&mut self, block: Block, next: Option<&Op>) {
        for item in self.trees.body(block) {
            self.item(item);
        }
        // A condition is reversed by its instruction, by the structure, or by both, that is, not at all.
        if let Some(Op::If { negate, .. } | Op::BrIf { negate, .. }) = next {
            let terminator = self.func.terminator(block).expect("a condition has a branch");
            if self.folded.node(terminator).negate != *negate {
                self.code.negate();
            }
        }
    }

    fn control(&mut self, op: Op) {
        let depths = &self.structure.depths;
        let mut sink = self.code.sink();
        match op {
            Op::Block => sink.block(BlockType::Empty),
            Op::Loop => sink.loop_(BlockType::Empty),
            Op::If { .. } => sink.if_(BlockType::Empty),
            Op::Else => sink.else_(),
            Op::End => sink.end(),
            Op::Br(depth) => sink.br(depth),
            Op::BrIf { depth, .. } => sink.br_if(depth),
            Op::BrTable { start, end } => {
                let (default, depths) =
                    depths[start as usize..end as usize].split_last().expect("a table has a default");
                sink.br_table(depths.iter().copied(), *default)
            }
            Op::Return => sink.return_(),
            Op::Unreachable => sink.unreachable(),
            Op::Body(_) | Op::Edge(..) => unreachable!("no control"),
        };
    }

    fn item(&mut self, item: Item) {
        match item {
            Item::Inst(inst) => self.inst(inst),
            Item::Get(value) | Item::GetLast(value) => self.code.local_get(self.locals.of(value)),
            Item::Set(value) => self.code.local_set(self.locals.of(value)),
            Item::Tee(value) => self.code.local_tee(self.locals.of(value)),
            Item::Drop => self.code.drop(),
        }
    }

    /// All arguments are pushed before the first parameter is written: a parallel move.
    fn edge(&mut self, block: Block, edge: usize) {
        let trees = self.trees;
        for arg in trees.edge(block, edge) {
            let stays = trees.plain_read(arg).is_some_and(|v| self.locals.of(v) == self.locals.of(arg.param));
            if !stays {
                for item in trees.slice(arg.start, arg.end) {
                    self.item(item);
                }
                self.moving.push(arg.param);
            }
        }
        while let Some(param) = self.moving.pop() {
            self.code.local_set(self.locals.of(param));
        }
    }

    fn inst(&mut self, inst: Inst) {
        let place = self.func.location(inst);
        if place.is_known() {
            self.places.push((self.code.bytes.len(), place));
        }
        let node = self.folded.node(inst);
        match node.op.group() {
            Group::Field(_) | Group::Cell(_) | Group::Boxed(_) | Group::Evaluation(_) => self.not_low(node.op),
            Group::Handling(_) | Group::Size(_) | Group::Element(_) | Group::Array(_) => self.not_low(node.op),
            Group::Storage(_) | Group::Root(_) | Group::Count(_) => self.not_low(node.op),
            Group::Constant(op) => self.constant(op, node),
            Group::Integer(op) => self.integer(op, inst),
            Group::Comparison(comparison) => self.comparison(comparison, node),
            Group::Real(op) => self.real(op),
            Group::RealComparison(comparison) => self.real_comparison(comparison),
            Group::Load(op) => self.load(op, node),
            Group::Store(op) => self.store(op, node),
            Group::Machine(op) => self.machine(op, node),
            Group::Call(_) => {
                self.spill(inst);
                self.call(node);
                self.reload(inst);
            }
            Group::Terminator(_) => unreachable!("the structure encodes {}", node.op.name()),
        }
    }

    fn not_low(&self, op: Opcode) -> ! {
        panic!("{} of @{} is not low", op.name(), self.func.name)
    }

    fn machine(&mut self, op: Machine, node: &Node) {
        use Machine::*;
        match op {
            Select => {
                if node.negate {
                    self.code.negate();
                }
                self.code.sink().select();
            }
            // The old heap pointer stays on the stack.
            Alloc => {
                let pointer = self.env.pointer;
                let mut sink = self.code.sink();
                sink.global_get(pointer).global_get(pointer).i32_const(node.imm as i32).i32_add().global_set(pointer);
            }
            HeapFull => {
                let mut sink = self.code.sink();
                sink.global_get(self.env.pointer).i32_const(node.imm as i32).i32_add();
                sink.global_get(self.env.limit).i32_gt_u();
            }
            // An address inside an object: operand and distance.
            RefAddr => _ = self.code.sink().i32_const(node.imm as i32).i32_add(),
            AddrRef => unreachable!("it is an alias"),
            ShadowPointer => {
                debug_assert!(self.func.takes_stack_pointer, "@{} takes no shadow-stack pointer", self.func.name);
                self.code.local_get(0);
            }
            SetShadowPointer => self.code.local_set(0),
            StackLimit => _ = self.code.sink().global_get(self.env.stack_limit()),
            SetStackLimit => _ = self.code.sink().global_set(self.env.stack_limit()),
        }
    }

    /// A local for the second use of a value inside one instruction; `which` of the two of this type.
    fn scratch(&mut self, ty: ValType, which: usize) -> u32 {
        let of_type = match ty {
            ValType::I32 => 0,
            ValType::I64 => 1,
            _ => 2,
        };
        *self.scratch[of_type][which].get_or_insert_with(|| self.locals.scratch(ty))
    }
}
