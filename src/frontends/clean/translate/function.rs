//! Translates the body of one function label: walks its items, keeps the simulated stacks, makes blocks at local
//! labels.
//!
//! Jumps inside a function only go forward (`docs/abc.md#jumps-and-functions`), so when a label is reached all its
//! predecessors are known: slots that hold the same value on every way in keep it, the others become block parameters.
//! The resulting SSA form has no useless parameters.

use super::state::{Registers, Stacks};
use super::{FunctionKey, ProgramBuilder, Step, Stop};
use crate::ast::{LayoutId, ParsedModule, Symbol};
use crate::index::{Definition, ModuleIndex};
use crate::instr::{Class, Opcode as Abc};
use crate::types::layout_types;
use crate::unsupported::refusal;
use cleave_diag::{Diagnostic, Span, code};
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{Block, Builder, Func, FuncId, Inst, Location, Opcode, SecondaryMap, Type, Value, ValueList};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A way into a local label: edge `edge` of `block`, with the stacks there.
struct Incoming {
    block: Block,
    edge: usize,
    stacks: Stacks,
    item: usize,
}

pub(crate) struct FunctionBuilder<'p, 's> {
    pub program: &'p mut ProgramBuilder<'s>,
    pub key: FunctionKey,
    pub module: &'p ParsedModule,
    index: &'p ModuleIndex,
    pub func: Func,
    pub block: Block,
    pub stacks: Stacks,
    /// The 32-bit value that a word was extended from.
    pub narrow: SecondaryMap<Value, PackedOption<Value>>,
    /// Values known to be in head normal form wherever they are available.
    hnf: SecondaryMap<Value, bool>,
    /// Empty cells of more than two slots that this function has made.
    pub large_cells: Vec<(Value, u32)>,
    /// Number of the current item.
    pub item: usize,
    pub demanded: Option<LayoutId>,
    /// Whether control reaches the current item.
    live: bool,
    /// Ways into local labels that are further on.
    pending: FxHashMap<Symbol, Vec<Incoming>>,
    /// What machine code finds in registers.
    pub registers: Registers,
}

impl ProgramBuilder<'_> {
    /// Builds the body of `func`, the label `key`.
    pub fn build_function(&mut self, key: FunctionKey, id: FuncId) {
        let modules: Rc<Vec<ParsedModule>> = self.program.modules.clone();
        let indexes = self.program.indexes.clone();
        let mut func = std::mem::take(&mut self.ir.funcs[id]);
        let item = indexes[key.module as usize].functions[key.index as usize].item as usize;
        func.source = self.source_of(&modules[key.module as usize], item);
        let block = func.new_block();
        let mut stacks = Stacks::default();
        for &ty in &func.signature.params.clone() {
            let value = func.add_param(block, ty);
            if ty == Type::Ref { stacks.a.push(value) } else { stacks.b.push(value) }
        }
        stacks.a.reverse();
        stacks.b.reverse();
        // While the body is built its signature stays in the module, for calls of itself.
        self.ir.funcs[id].signature = func.signature.clone();
        self.ir.funcs[id].name.clone_from(&func.name);
        let index = &indexes[key.module as usize];
        let mut builder = FunctionBuilder {
            program: self,
            key,
            module: &modules[key.module as usize],
            index,
            func,
            block,
            stacks,
            narrow: SecondaryMap::new(),
            hnf: SecondaryMap::new(),
            large_cells: Vec::new(),
            item: index.functions[key.index as usize].item as usize,
            demanded: None,
            live: true,
            pending: FxHashMap::default(),
            registers: Registers::default(),
        };
        builder.begin_registers();
        if builder.body().is_err() && builder.program.is_lenient {
            builder.leave_out(block);
        }
        let mut func = builder.func;
        func.set_location(Location::NONE);
        self.ir.funcs[id] = func;
    }
}

impl<'p> FunctionBuilder<'p, '_> {
    fn body(&mut self) -> Step {
        let module = self.module;
        let index = self.index;
        loop {
            self.item += 1;
            if self.item == module.items.len() {
                break;
            }
            let line = module.line(self.item);
            match line.op {
                Abc::label => match index.definition(line.symbol(0)) {
                    Definition::Function(next) => {
                        if self.live {
                            self.fall_into(next)?;
                        }
                        break;
                    }
                    _ => {
                        self.local_label(line.symbol(0))?;
                        self.begin_registers();
                    }
                },
                Abc::dot_d => self.demanded = Some(line.layout_id()),
                op if op.info().class == Class::Directive => {}
                _ if !self.live => {}
                _ => self.located().instruction(line)?,
            }
        }
        let pending = self.pending.drain().map(|(symbol, incoming)| (incoming[0].item, symbol));
        if let Some((item, symbol)) = pending.min() {
            self.item = item;
            return Err(self.bad_jump(symbol));
        }
        Ok(())
    }

    /// Gives up what was built of this function: it stops the program if it is reached after all.
    fn leave_out(&mut self, entry: Block) {
        let params = self.func.params(entry).len();
        let (name, signature) = (std::mem::take(&mut self.func.name), std::mem::take(&mut self.func.signature));
        let types = signature.params.clone();
        self.func = Func::new(name, signature);
        self.block = self.func.new_block();
        for ty in types.into_iter().take(params) {
            self.func.add_param(self.block, ty);
        }
        self.unavailable("code with a wrong stack");
    }

    // -- making instructions ------------------------------------------------------------------------------------------

    pub fn builder(&mut self) -> Builder<'_> {
        Builder { func: &mut self.func, block: self.block }
    }
    pub fn op(&mut self, op: Opcode, args: &[Value]) -> Value {
        self.builder().op(op, args)
    }
    pub fn effect(&mut self, op: Opcode, args: &[Value]) {
        self.builder().effect(op, args);
    }
    pub fn iconst(&mut self, n: i64) -> Value {
        self.builder().iconst64(n)
    }
    /// The value of a 64-bit constant, if `value` is one.
    pub fn constant(&self, value: Value) -> Option<i64> {
        // Constants are made right before their use in ABC code: look at the end of the block only.
        let insts = &self.func.blocks[self.block].insts;
        insts.iter().rev().take(8).find(|&&i| self.func.results(i).first() == Some(&value)).and_then(|&i| {
            let data = &self.func.insts[i];
            (data.op == Opcode::Iconst64).then_some(data.imm as i64)
        })
    }
    pub fn results_of(&self, inst: Inst) -> Vec<Value> {
        self.func.results(inst).to_vec()
    }

    /// True if thunks of this module keep their arguments while they are evaluated.
    pub fn keeps_arguments(&self) -> bool {
        self.index.has_partial_fills
    }
    /// True if `push_r_args_b` of this module may be applied to records of two nodes.
    pub fn reads_nodes_as_words(&self) -> bool {
        self.index.has_records_of_two_nodes
    }
    /// True if the module has machine code.
    pub fn has_machine_code(&self) -> bool {
        self.index.has_machine_code
    }
    /// The item of the label of this function.
    pub fn first_item(&self) -> usize {
        self.index.functions[self.key.index as usize].item as usize
    }
    pub fn is_hnf(&self, value: Value) -> bool {
        self.hnf[value]
    }
    pub fn mark_hnf(&mut self, value: Value) {
        self.hnf[value] = true;
    }
    /// `new` is the same node as `old`, evaluated: use it everywhere from here on.
    pub fn replace_a(&mut self, old: Value, new: Value) {
        for slot in self.stacks.a.iter_mut().filter(|slot| **slot == old) {
            *slot = new;
        }
    }

    // -- messages -----------------------------------------------------------------------------------------------------

    pub fn span(&self) -> Span {
        crate::index::span_of(self.module, self.item)
    }
    pub fn fail(&mut self, make: impl FnOnce(Span) -> Diagnostic) -> Stop {
        let span = self.span();
        self.program.report_code(span.file, || make(span))
    }
    pub fn conflict(&mut self, what: String, help: &str) -> Stop {
        self.fail(|span| Diagnostic::error(code::LAYOUT_CONFLICT, what).at(span, "here").help(help))
    }
    pub fn unsupported(&mut self, op: Abc) -> Stop {
        let refusal = refusal(op).unwrap_or_else(|| panic!("`{}` is neither translated nor refused", op.name()));
        self.fail(|span| {
            let message = format!("unsupported instruction `{}`", op.name());
            let diagnostic = Diagnostic::error(code::UNSUPPORTED_INSTRUCTION, message).at(span, refusal.reason);
            match refusal.help {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            }
        })
    }
    fn bad_jump(&mut self, symbol: Symbol) -> Stop {
        let text = self.module.text_of(symbol);
        let undefined = self.index.definition(symbol) == Definition::None;
        if undefined {
            let span = self.span();
            let diagnostic = self.program.program.undefined(self.key.module, symbol, span);
            return self.program.report(span.file, || diagnostic);
        }
        self.fail(|span| {
            Diagnostic::error(code::JUMP_INTO_FUNCTION, format!("jump to `{text}`, which is in another function"))
                .at(span, "jumps without .d stay inside their function and go forward")
                .help("a tail call needs a .d directive before it, and a target with .o")
        })
    }

    // -- control flow -------------------------------------------------------------------------------------------------

    /// Ends the current block with its terminator already made; no code follows until a label.
    pub fn dead(&mut self) {
        self.live = false;
        self.demanded = None;
    }
    pub fn switch_to(&mut self, block: Block) {
        self.block = block;
    }
    /// A block of our own that is no label.
    pub fn new_block(&mut self) -> Block {
        self.func.new_block()
    }

    /// Records that the last edge of the current block goes to a local label.
    fn pend(&mut self, symbol: Symbol) {
        let incoming = Incoming {
            block: self.block,
            edge: self.func.blocks[self.block].edges.len() - 1,
            stacks: self.stacks.clone(),
            item: self.item,
        };
        self.pending.entry(symbol).or_default().push(incoming);
    }

    /// `jmp` to a local label.
    pub fn jump_local(&mut self, symbol: Symbol) -> Step {
        self.check_local(symbol)?;
        self.effect(Opcode::Jump, &[]);
        let here = self.block;
        self.func.add_edge(here, here, &[]);
        self.pend(symbol);
        self.dead();
        Ok(())
    }

    /// Branch to a local label if `condition` is not zero (`on` true) or zero; control goes on otherwise.
    pub fn branch_local(&mut self, condition: Value, on: bool, symbol: Symbol) -> Step {
        self.check_local(symbol)?;
        self.effect(Opcode::BrIf, &[condition]);
        let here = self.block;
        let next = self.func.new_block();
        if on {
            self.func.add_edge(here, here, &[]);
            self.pend(symbol);
            self.func.add_edge(here, next, &[]);
        } else {
            self.func.add_edge(here, next, &[]);
            self.func.add_edge(here, here, &[]);
            self.pend(symbol);
        }
        self.block = next;
        Ok(())
    }

    fn check_local(&mut self, symbol: Symbol) -> Step {
        match self.index.definition(symbol) {
            Definition::Local(item) if item as usize > self.item => Ok(()),
            _ => Err(self.bad_jump(symbol)),
        }
    }

    /// Two-way branch to blocks of our own.
    pub fn branch(&mut self, condition: Value) -> (Block, Block) {
        let (then, otherwise) = (self.func.new_block(), self.func.new_block());
        self.builder().br_if(condition, (then, &[]), (otherwise, &[]));
        (then, otherwise)
    }

    /// Reaches a local label.
    fn local_label(&mut self, symbol: Symbol) -> Step {
        let mut incoming = self.pending.remove(&symbol).unwrap_or_default();
        if self.live {
            if incoming.is_empty() {
                return Ok(());
            }
            self.effect(Opcode::Jump, &[]);
            let here = self.block;
            self.func.add_edge(here, here, &[]);
            incoming.push(Incoming { block: here, edge: 0, stacks: std::mem::take(&mut self.stacks), item: self.item });
        }
        self.demanded = None;
        if incoming.is_empty() {
            return Ok(());
        }
        self.live = true;
        let block = self.func.new_block();
        for way in &incoming {
            self.func.blocks[way.block].edges[way.edge].block = block;
        }
        self.block = block;
        if incoming.len() == 1 {
            self.stacks = incoming.pop().map(|way| way.stacks).unwrap_or_default();
            return Ok(());
        }
        self.merge(block, incoming, symbol)
    }

    fn merge(&mut self, block: Block, mut incoming: Vec<Incoming>, symbol: Symbol) -> Step {
        let depth = |way: &Incoming| (way.stacks.a.len(), way.stacks.b.len());
        if let Some(other) = incoming.iter().find(|way| depth(way) != depth(&incoming[0])) {
            let text = self.module.text_of(symbol);
            let (a, b) = depth(&incoming[0]);
            let (a2, b2) = depth(other);
            let first = crate::index::span_of(self.module, incoming[0].item);
            let second = crate::index::span_of(self.module, other.item);
            return Err(self.program.report_code(first.file, || {
                Diagnostic::error(code::LAYOUT_CONFLICT, format!("stack depths differ at label `{text}`"))
                    .at(second, format!("comes with {a2} nodes and {b2} words"))
                    .and(first, format!("comes with {a} nodes and {b} words"))
                    .help("all ways to a label must have the same stack depths")
            }));
        }
        let mut merged = incoming[0].stacks.clone();
        for slot in 0..merged.a.len() {
            let first = merged.a[slot];
            if incoming.iter().all(|way| way.stacks.a[slot] == first) {
                continue;
            }
            let hnf = incoming.iter().all(|way| self.hnf[way.stacks.a[slot]]);
            let param = self.func.add_param(block, Type::Ref);
            for way in &incoming {
                self.push_edge_arg(way.block, way.edge, way.stacks.a[slot]);
            }
            merged.a[slot] = param;
            self.hnf[param] = hnf;
        }
        for slot in 0..merged.b.len() {
            let first = merged.b[slot];
            if incoming.iter().all(|way| way.stacks.b[slot] == first) {
                continue;
            }
            let ty = self.func.values[first];
            let mixed = incoming.iter().any(|way| self.func.values[way.stacks.b[slot]] != ty);
            let ty = if mixed { Type::I64 } else { ty };
            let param = self.func.add_param(block, ty);
            for way in &mut incoming {
                let mut value = way.stacks.b[slot];
                if self.func.values[value] != ty {
                    // The conversion goes before the terminator that is already there.
                    let inst = self.func.make_inst(Opcode::RealBits, 0, 0, &[value], &[Type::I64]);
                    let insts = &mut self.func.blocks[way.block].insts;
                    insts.insert(insts.len() - 1, inst);
                    value = self.func.result(inst);
                }
                self.push_edge_arg(way.block, way.edge, value);
            }
            merged.b[slot] = param;
        }
        self.stacks = merged;
        Ok(())
    }

    fn push_edge_arg(&mut self, block: Block, edge: usize, value: Value) {
        let mut args: ValueList = std::mem::take(&mut self.func.blocks[block].edges[edge].args);
        args.push(value, &mut self.func.pool);
        self.func.blocks[block].edges[edge].args = args;
    }

    /// Runs into the function label `next`: a tail call with the current frame.
    fn fall_into(&mut self, next: u32) -> Step {
        let label = &self.index.functions[next as usize];
        let types = layout_types(self.module.layouts.get(label.layout));
        let nodes = types.iter().filter(|&&ty| ty == Type::Ref).count();
        let extra = self.stacks.a.len() == nodes + 1;
        let key = FunctionKey { module: self.key.module, index: next, extra };
        if !extra && self.stacks.a.len() != nodes || self.stacks.b.len() != types.len() - nodes {
            let (a, b) = (self.stacks.a.len(), self.stacks.b.len());
            let text = self.module.text_of(label.symbol);
            return Err(self.conflict(
                format!("the code above `{text}` has {a} nodes and {b} words, which is not what its .o declares"),
                "code that runs into a function must leave the frame that the function declares",
            ));
        }
        self.tail_call_key(key)
    }

    /// Tail call of a label with the whole frame.
    pub fn tail_call_key(&mut self, key: FunctionKey) -> Step {
        let hint = self.func.signature.results.clone();
        let callee = self.program.function(key, &hint);
        let signature = self.program.ir.funcs[callee].signature.clone();
        let mut args = Vec::with_capacity(signature.params.len());
        let nodes = self.stacks.a.len() as u32;
        let nptrs = self.stacks.b.len() as u32;
        self.pop_nodes(nodes, &mut args)?;
        self.pop_words(nptrs, &mut args)?;
        for (arg, &ty) in args.iter_mut().zip(&signature.params) {
            *arg = self.as_type(*arg, ty);
        }
        if signature.results == self.func.signature.results {
            self.builder().tail_call(callee, &args);
        } else {
            self.call_without_return(key, callee, &args)?;
        }
        self.dead();
        Ok(())
    }

    /// A callee with other results than ours can only be one that never returns.
    fn call_without_return(&mut self, key: FunctionKey, callee: FuncId, args: &[Value]) -> Step {
        let results = self.program.ir.funcs[callee].signature.results.clone();
        if self.program.results.may_return(key.module, key.index) {
            let name = self.program.ir.funcs[callee].name.clone();
            return Err(self.results_conflict(
                key,
                format!("tail call of `{name}`, which returns other results than this function"),
                "functions that end in each other return the same",
            ));
        }
        let mut builder = self.builder();
        builder.call(callee, args, &results);
        builder.unreachable();
        Ok(())
    }

    /// Something contradicts what the label `key` returns; the message shows what says that, too.
    pub fn results_conflict(&mut self, key: FunctionKey, what: String, help: &str) -> Stop {
        let span = self.span();
        let diagnostic = Diagnostic::error(code::LAYOUT_CONFLICT, what).at(span, "here");
        let diagnostic = self.program.says_results(key.module, key.index, diagnostic).help(help);
        self.program.report_code(span.file, || diagnostic)
    }

    /// The layout of the last `.d`, which is used up.
    pub fn take_demanded(&mut self) -> Step<LayoutId> {
        match self.demanded.take() {
            Some(layout) => Ok(layout),
            None => Err(self.fail(|span| {
                Diagnostic::error(code::LAYOUT_MISSING, "layout directive missing")
                    .at(span, "must be preceded by .d")
                    .help("write .d with the number of nodes and words that are passed")
            })),
        }
    }

    /// The layout of the `.o` that follows a call.
    pub fn offered_after(&mut self) -> Step<LayoutId> {
        let following = self.module.items[self.item + 1..].iter();
        let found = following
            .take_while(|item| item.op != Abc::label && item.op.info().class == Class::Directive)
            .find(|item| item.op == Abc::dot_o)
            .map(|&item| self.module.view(item).layout_id());
        match found {
            Some(layout) => Ok(layout),
            None => Err(self.fail(|span| {
                Diagnostic::error(code::LAYOUT_MISSING, "layout directive missing")
                    .at(span, "must be followed by .o")
                    .help("write .o with the number of nodes and words that the call returns")
            })),
        }
    }
}
