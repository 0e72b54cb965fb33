//! Translation of instructions that build, fill and take apart nodes.
//!
//! Two rules of the language matter here (`docs/abc.md#traps`). The offset of the node to fill counts from before the
//! arguments are popped. And fields of a unique node are loaded where the instruction stands, because a later
//! instruction may overwrite that node; the alias class of the loads keeps them there.

use super::Step;
use super::function::FunctionBuilder;
use crate::ast::{Line, Symbol};
use crate::index::Definition;
use crate::instr::Opcode as Abc;
use crate::link::Meaning;
use cleave_diag::{Diagnostic, code};
use cleave_ir::layout::{INLINE_SLOTS, OVERFLOW, SLOT};
use cleave_ir::{Desc, Opcode, ThunkInfo, Type, Value, WellKnownDesc};

impl FunctionBuilder<'_, '_> {
    /// Translates an instruction about nodes; false if it is none.
    pub fn node_instruction(&mut self, op: Abc, line: Line<'_>) -> Step<bool> {
        use Abc::*;
        match op {
            // -- building
            // -----------------------------------------------------------------------------------------------
            build => {
                let n = line.signed(1).unsigned_abs_or_one();
                let mut args = Vec::with_capacity(n as usize);
                self.pop_nodes(n, &mut args)?;
                let node = self.build_any(line, 0, line.symbol(2), n, 0, &args)?;
                self.push_a(node);
            }
            build_u => {
                let (ptrs, nptrs) = (line.n(1), line.n(2));
                let mut args = Vec::with_capacity((ptrs + nptrs) as usize);
                self.pop_nodes(ptrs, &mut args)?;
                self.pop_words(nptrs, &mut args)?;
                let node = self.build_any(line, 0, line.symbol(3), ptrs, nptrs, &args)?;
                self.push_a(node);
            }
            buildh => {
                let (desc, n) = (self.desc(line, 0)?, line.n(1));
                let mut args = Vec::with_capacity(n as usize);
                self.pop_nodes(n, &mut args)?;
                let node = self.hnf_node(desc, n, &args)?;
                self.push_a(node);
            }
            buildhr => {
                let desc = self.record(line, 0, 1)?;
                let mut args = Vec::new();
                self.pop_nodes(line.n(1), &mut args)?;
                self.pop_words(line.n(2), &mut args)?;
                let node = self.builder().build_node(desc, 0, &args);
                self.mark_hnf(node);
                self.push_a(node);
            }
            build_r => {
                let desc = self.record(line, 0, 1)?;
                let args = self.fields_at(line.n(1), line.n(2), line.n(3), line.n(4))?;
                let node = self.builder().build_node(desc, 0, &args);
                self.mark_hnf(node);
                self.push_a(node);
            }
            create => {
                let slots = line.n(0);
                let node = if slots <= 2 {
                    self.op(Opcode::BuildDummy, &[])
                } else {
                    let entry = self.program.large_cell(slots);
                    let zero = self.iconst(0);
                    let args = vec![zero; slots as usize];
                    let node = self.builder().build_thunk(entry, &args);
                    self.large_cells.push((node, 2 * slots));
                    node
                };
                self.push_a(node);
            }
            buildI | buildC | buildB => {
                let word = if op == buildI { line.int(0) } else { line.n(0) as i64 };
                let word = self.iconst(word);
                let boxing = match op {
                    buildI => Opcode::BoxInt,
                    buildC => Opcode::BoxChar,
                    _ => Opcode::BoxBool,
                };
                let node = self.op(boxing, &[word]);
                self.mark_hnf(node);
                self.push_a(node);
            }
            buildI_b | buildC_b | buildB_b => {
                let word = self.b(line.n(0))?;
                let word = self.as_word(word);
                let boxing = match op {
                    buildI_b => Opcode::BoxInt,
                    buildC_b => Opcode::BoxChar,
                    _ => Opcode::BoxBool,
                };
                let node = self.op(boxing, &[word]);
                self.mark_hnf(node);
                self.push_a(node);
            }
            buildR | buildR_b => {
                let real = if op == buildR {
                    self.builder().fconst(line.real(0).to_bits())
                } else {
                    let word = self.b(line.n(0))?;
                    self.as_real(word)
                };
                let node = self.builder().build_node(WellKnownDesc::Real.desc(), 0, &[real]);
                self.mark_hnf(node);
                self.push_a(node);
            }
            buildF_b => {
                let args = [self.b(line.n(0) + 1)?, self.b(line.n(0))?];
                let node = self.builder().build_node(WellKnownDesc::File.desc(), 0, &args);
                self.mark_hnf(node);
                self.push_a(node);
            }
            buildAC => {
                let text = self.program.ir.statics.push(cleave_ir::StaticData::String(line.string(0).into()));
                let node = self.builder().static_ref(text);
                self.mark_hnf(node);
                self.push_a(node);
            }

            // -- filling
            // ------------------------------------------------------------------------------------------------
            fill => {
                let n = line.signed(1).unsigned_abs_or_one();
                let target = self.a(line.n(3))?;
                let mut args = vec![target];
                self.pop_nodes(n, &mut args)?;
                self.fill_any(line, 0, line.symbol(2), n, 0, &args)?;
            }
            fill_u => {
                let target = self.a(line.n(4))?;
                let mut args = vec![target];
                self.pop_nodes(line.n(1), &mut args)?;
                let (ptrs, nptrs) = (line.n(1), line.n(2));
                self.pop_words(nptrs, &mut args)?;
                self.fill_any(line, 0, line.symbol(3), ptrs, nptrs, &args)?;
            }
            fillh => {
                let (desc, n) = (self.desc(line, 0)?, line.n(1));
                let target = self.a(line.n(2))?;
                let mut args = vec![target];
                self.pop_nodes(n, &mut args)?;
                self.check_held(desc, n)?;
                self.use_closure(desc, n);
                self.builder().fill_node(desc, n, &args);
            }
            fill_r if self.is_string(line) => self.shorten_string(line)?,
            fill_r => {
                let desc = self.record(line, 0, 1)?;
                let target = self.a(line.n(3))?;
                let mut args = vec![target];
                args.extend(self.fields_at(line.n(1), line.n(2), line.n(4), line.n(5))?);
                self.builder().fill_node(desc, 0, &args);
            }
            fillI | fillC | fillB => {
                let (word, known) = match op {
                    fillI => (line.int(0), WellKnownDesc::Int),
                    fillC => (line.n(0) as i64, WellKnownDesc::Char),
                    _ => (line.n(0) as i64, WellKnownDesc::Bool),
                };
                let target = self.a(line.n(1))?;
                let word = self.iconst(word);
                self.builder().fill_node(known.desc(), 0, &[target, word]);
            }
            fillI_b | fillC_b | fillB_b => {
                let known = match op {
                    fillI_b => WellKnownDesc::Int,
                    fillC_b => WellKnownDesc::Char,
                    _ => WellKnownDesc::Bool,
                };
                let word = self.b(line.n(0))?;
                let word = self.as_word(word);
                let target = self.a(line.n(1))?;
                self.builder().fill_node(known.desc(), 0, &[target, word]);
            }
            fillR | fillR_b => {
                let real = if op == fillR {
                    self.builder().fconst(line.real(0).to_bits())
                } else {
                    let word = self.b(line.n(0))?;
                    self.as_real(word)
                };
                let target = self.a(line.n(1))?;
                self.builder().fill_node(WellKnownDesc::Real.desc(), 0, &[target, real]);
            }
            fillF_b => {
                let nptrs = [self.b(line.n(0) + 1)?, self.b(line.n(0))?];
                let target = self.a(line.n(1))?;
                self.builder().fill_node(WellKnownDesc::File.desc(), 0, &[target, nptrs[0], nptrs[1]]);
            }
            fill_a => {
                let (source, target) = (self.a(line.n(0))?, self.a(line.n(1))?);
                if source != target {
                    self.effect(Opcode::FillCopy, &[target, source]);
                }
            }
            fillcp => self.update_thunk(line, line.symbol(2), (line.n(1), 0), line.n(3), 4)?,
            fillcp_u => self.update_thunk(line, line.symbol(3), (line.n(1), line.n(2)), line.n(4), 5)?,
            fill1 | fill2 => self.update_unique(line, line.n(1), 0, line.n(2), 3, true)?,
            fill1_r if self.is_array_size(line) => self.shorten_array(line)?,
            fill1_r | fill2_r => self.update_unique(line, line.n(1), line.n(2), line.n(3), 4, true)?,
            fill3 => self.move_unique(line, line.n(1), 0, line.n(2), 3)?,
            fill3_r => self.move_unique(line, line.n(1), line.n(2), line.n(3), 4)?,

            // -- taking apart
            // -------------------------------------------------------------------------------------------
            push_node | push_node_u => {
                let (ptrs, nptrs) = (line.n(1), if op == push_node_u { line.n(2) } else { 0 });
                self.open_thunk(line.symbol(0), ptrs, nptrs)?;
            }
            push_args | push_args_u => {
                let node = self.a(line.n(0))?;
                self.push_fields(node, (line.n(1), 0), (0, line.n(2)), (0, 0));
            }
            push_arg => {
                let node = self.a(line.n(0))?;
                let entry = self.func.entry_block();
                if self.func.params(entry).first() == Some(&node) && self.program.takes_thunk(self.key) {
                    let argument = self.builder().get(Opcode::ArgRef, 1, 0, 0, node);
                    self.push_a(argument);
                    return Ok(true);
                }
                self.push_fields(node, (line.n(1), 0), (line.n(2).saturating_sub(1), 1), (0, 0));
            }
            push_arg_b => self.push_numbered_argument(line.n(0))?,
            repl_args => {
                if line.n(1) > 0 {
                    let node = self.pop_a()?;
                    self.push_fields(node, (line.n(0), 0), (0, line.n(1)), (0, 0));
                }
            }
            repl_arg => {
                let node = self.pop_a()?;
                self.push_fields(node, (line.n(0), 0), (line.n(1).saturating_sub(1), 1), (0, 0));
            }
            push_r_args | push_r_args_u => {
                let node = self.a(line.n(0))?;
                let (ptrs, nptrs) = (line.n(1), line.n(2));
                self.push_fields(node, (ptrs, nptrs), (0, ptrs), (0, nptrs));
            }
            push_r_args_a => {
                let node = self.a(line.n(0))?;
                self.push_fields(node, (line.n(1), line.n(2)), (line.n(3).saturating_sub(1), line.n(4)), (0, 0));
            }
            push_r_args_b => {
                let node = self.a(line.n(0))?;
                if line.args[1..] == [1, 1, 1, 1] && self.reads_nodes_as_words() {
                    self.push_second_field(node);
                    return Ok(true);
                }
                self.push_fields(node, (line.n(1), line.n(2)), (0, 0), (line.n(3).saturating_sub(1), line.n(4)));
            }
            push_r_arg_u => {
                let node = self.a(line.n(0))?;
                let ptrs = (line.n(3).saturating_sub(1), line.n(4));
                let nptrs = (line.n(5).saturating_sub(1), line.n(6));
                self.push_fields(node, (line.n(1), line.n(2)), ptrs, nptrs);
            }
            repl_r_args => {
                let node = self.pop_a()?;
                let (ptrs, nptrs) = (line.n(0), line.n(1));
                self.push_fields(node, (ptrs, nptrs), (0, ptrs), (0, nptrs));
            }
            repl_r_args_a => {
                let node = self.pop_a()?;
                self.push_fields(node, (line.n(0), line.n(1)), (line.n(2).saturating_sub(1), line.n(3)), (0, 0));
            }
            pushI_a | pushC_a | pushB_a => {
                let word = self.boxed_word(line.n(0))?;
                self.push_b(word);
            }
            pushR_a => {
                let node = self.a(line.n(0))?;
                let real = self.builder().get(Opcode::GetF64, 0, 1, 0, node);
                self.push_b(real);
            }
            pushF_a => {
                let node = self.a(line.n(0))?;
                for index in 0..2 {
                    let word = self.builder().get(Opcode::GetI64, 0, 2, index, node);
                    self.push_b(word);
                }
            }
            push_array | pushA_a => {
                let node = self.a(line.n(0))?;
                let array = self.builder().get(Opcode::GetRef, 1, 0, 0, node);
                self.mark_hnf(array);
                self.push_a(array);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    // -- helpers ------------------------------------------------------------------------------------------------------

    /// A head normal form; without arguments it is the static node.
    pub fn hnf_node(&mut self, desc: Desc, applied_args: u32, args: &[Value]) -> Step<Value> {
        self.check_held(desc, applied_args)?;
        self.use_closure(desc, applied_args);
        let node = if applied_args == 0 && self.program.ir.payload(desc, 0) == (0, 0) {
            self.builder().node(desc)
        } else {
            self.builder().build_node(desc, applied_args, args)
        };
        self.mark_hnf(node);
        Ok(node)
    }

    /// A node of a function with arguments missing may be applied somewhere.
    fn use_closure(&mut self, desc: Desc, applied_args: u32) {
        let data = &self.program.ir.descs[desc];
        if data.callable && applied_args < data.arity {
            self.program.applied(desc);
        }
    }

    pub(super) fn check_held(&mut self, desc: Desc, applied_args: u32) -> Step {
        let data = &self.program.ir.descs[desc];
        let (label, arity) = (data.label.clone(), data.arity);
        if data.record.is_some() {
            return Err(self.conflict(
                format!("`{label}` is a record: a node of it has fields, not arguments"),
                "records are built by buildhr and build_r, and filled by fill_r",
            ));
        }
        if applied_args <= arity {
            return Ok(());
        }
        Err(self.conflict(
            format!("a node of `{label}` with {applied_args} arguments, but its arity is {arity}"),
            "the number of arguments must not exceed the arity of the descriptor",
        ))
    }

    /// The record descriptor in operand `k`; its payload must be what operands `at`, `at + 1` say.
    fn record(&mut self, line: Line<'_>, k: usize, at: usize) -> Step<Desc> {
        let desc = self.desc(line, k)?;
        let payload = self.program.ir.payload(desc, 0);
        if payload == (line.n(at), line.n(at + 1)) {
            return Ok(desc);
        }
        let label = self.program.ir.descs[desc].label.clone();
        let (ptrs, nptrs) = payload;
        Err(self.conflict(
            format!("`{label}` has {ptrs} node fields and {nptrs} words"),
            "the counts must be those of the .record directive",
        ))
    }

    fn fields_at(&mut self, ptrs: u32, nptrs: u32, a: u32, b: u32) -> Step<Vec<Value>> {
        let mut args = Vec::with_capacity((ptrs + nptrs) as usize);
        for i in 0..ptrs {
            args.push(self.a(a + i)?);
        }
        for i in 0..nptrs {
            args.push(self.b(b + i)?);
        }
        Ok(args)
    }

    /// The entry of a node-entry label.
    fn entry(&mut self, symbol: Symbol, ptrs: u32, nptrs: u32) -> Step<ThunkInfo> {
        let meaning = self.program.program.meaning(self.key.module, symbol);
        let Meaning::Defined(module, Definition::Function(index)) = meaning else {
            let span = self.span();
            let diagnostic = if meaning == Meaning::Undefined {
                self.program.program.undefined(self.key.module, symbol, span)
            } else {
                let text = self.module.text_of(symbol);
                Diagnostic::error(code::WRONG_KIND_OF_LABEL, format!("`{text}` is not a node entry"))
                    .at(span, "a label with .n is expected here")
            };
            return Err(self.program.report(span.file, || diagnostic));
        };
        let Some(entry) = self.program.entry_of(module, index) else {
            let text = self.module.text_of(symbol);
            return Err(self.fail(|span| {
                Diagnostic::error(code::WRONG_KIND_OF_LABEL, format!("`{text}` is not a node entry"))
                    .at(span, "a label with .n is expected here")
                    .help("the label must be preceded by .n or .nu")
            }));
        };
        let data = &self.program.ir.thunk_infos[entry];
        if (data.ptrs, data.nptrs) != (ptrs, nptrs) {
            let text = format!("`{}` takes {} nodes and {} words", data.label, data.ptrs, data.nptrs);
            return Err(self.conflict(text, "the counts must be those of its .n or .nu directive"));
        }
        Ok(entry)
    }

    fn build_any(
        &mut self,
        line: Line<'_>,
        d: usize,
        code: Symbol,
        ptrs: u32,
        nptrs: u32,
        args: &[Value],
    ) -> Step<Value> {
        if code == Symbol::HNF {
            let desc = self.desc(line, d)?;
            return self.hnf_node(desc, ptrs, args);
        }
        if code == Symbol::CYCLE_IN_SPINE || code == Symbol::RESERVE {
            return Ok(self.op(Opcode::BuildDummy, &[]));
        }
        let entry = self.entry(code, ptrs, nptrs)?;
        Ok(self.builder().build_thunk(entry, args))
    }

    pub(super) fn fill_any(
        &mut self,
        line: Line<'_>,
        d: usize,
        code: Symbol,
        ptrs: u32,
        nptrs: u32,
        args: &[Value],
    ) -> Step {
        if code == Symbol::HNF {
            let desc = self.desc(line, d)?;
            self.check_held(desc, ptrs)?;
            self.use_closure(desc, ptrs);
            self.builder().fill_node(desc, ptrs, args);
            return Ok(());
        }
        let entry = self.entry(code, ptrs, nptrs)?;
        let slots = ptrs + 2 * nptrs;
        if slots <= INLINE_SLOTS.max(self.cell_slots(args[0])) {
            self.builder().inst(Opcode::FillThunk, entry.as_u32() as u64, 0, args);
        } else {
            // The cell may be too small: words take two of our slots, and reused nodes have the least size.
            self.program.indirection_info();
            let thunk = self.builder().build_thunk(entry, &args[1..]);
            self.effect(Opcode::MakeIndirection, &[args[0], thunk]);
        }
        Ok(())
    }

    /// Payload slots of a cell that this function has made with `create n`.
    fn cell_slots(&self, cell: Value) -> u32 {
        self.large_cells.iter().find(|(value, _)| *value == cell).map_or(0, |&(_, slots)| slots)
    }

    /// `push_node`: takes a thunk apart and marks it as being evaluated.
    fn open_thunk(&mut self, mark: Symbol, ptrs: u32, nptrs: u32) -> Step {
        let node = self.a(0)?;
        let mut nodes = Vec::with_capacity(ptrs as usize);
        for index in 0..ptrs {
            nodes.push(self.builder().get(Opcode::ArgRef, ptrs, nptrs, index, node));
        }
        let mut raw = Vec::with_capacity(nptrs as usize);
        for index in 0..nptrs {
            raw.push(self.builder().get(Opcode::ArgI64, ptrs, nptrs, index, node));
        }
        // Code that overwrites parts of a thunk wants to find the others.
        if !mark.is_none() && !self.keeps_arguments() {
            self.effect(Opcode::Blackhole, &[node]);
        }
        for value in nodes.into_iter().rev() {
            self.push_a(value);
        }
        for value in raw.into_iter().rev() {
            self.push_b(value);
        }
        Ok(())
    }

    /// Pushes reference fields `refs` and words `words` (first, count) of an evaluated node; the first ends on top.
    pub(super) fn push_fields(&mut self, node: Value, shape: (u32, u32), ptrs: (u32, u32), nptrs: (u32, u32)) {
        let shape = (shape.0.max(ptrs.0 + ptrs.1), shape.1.max(nptrs.0 + nptrs.1));
        let nodes: Vec<Value> =
            (ptrs.0..ptrs.0 + ptrs.1).map(|i| self.builder().get(Opcode::GetRef, shape.0, shape.1, i, node)).collect();
        let raw: Vec<Value> = (nptrs.0..nptrs.0 + nptrs.1)
            .map(|i| self.builder().get(Opcode::GetI64, shape.0, shape.1, i, node))
            .collect();
        for value in nodes.into_iter().rev() {
            self.push_a(value);
        }
        for value in raw.into_iter().rev() {
            self.push_b(value);
        }
    }

    /// `push_arg_b`: argument `b[0]` of a node holding `b[1]` arguments, both known only at run time.
    fn push_numbered_argument(&mut self, k: u32) -> Step {
        let node = self.a(k)?;
        let (number, applied_args) = (self.pop_word()?, self.pop_word()?);
        let known = self.constant(number);
        if known == Some(1) {
            let value = self.builder().value(Opcode::LoadRef, SLOT as u64, 0, &[node]);
            self.push_a(value);
            return Ok(());
        }
        let result_block = self.new_block();
        let result = self.func.add_param(result_block, Type::Ref);
        let from = |this: &mut Self, base: Value, offset: u32| {
            let value = this.builder().value(Opcode::LoadRef, offset as u64, 0, &[base]);
            this.builder().jump(result_block, &[value]);
        };
        if known.is_none() {
            let one = self.iconst(1);
            let is_first = self.op(Opcode::Eq, &[number, one]);
            let (first, other) = self.branch(is_first);
            self.switch_to(first);
            from(self, node, SLOT);
            self.switch_to(other);
        }
        if known.is_none_or(|n| n == 2) {
            let two = self.iconst(2);
            let is_small = self.op(Opcode::Sle, &[applied_args, two]);
            let (small, large) = self.branch(is_small);
            self.switch_to(small);
            from(self, node, 2 * SLOT);
            self.switch_to(large);
        }
        let rest = self.builder().value(Opcode::LoadI32, OVERFLOW as u64, 0, &[node]);
        match known {
            Some(n) => from(self, rest, (n.max(2) as u32 - 2) * SLOT),
            None => {
                let index = self.op(Opcode::Wrap, &[number]);
                let two = self.builder().iconst32(2);
                let index = self.op(Opcode::Isub, &[index, two]);
                let shift = self.builder().iconst32(2);
                let offset = self.op(Opcode::Shl, &[index, shift]);
                let address = self.op(Opcode::Iadd, &[rest, offset]);
                from(self, address, 0);
            }
        }
        self.switch_to(result_block);
        self.push_a(result);
        Ok(())
    }
}

/// The number of arguments that `build` and `fill` pop: special kinds have one.
trait ArgumentCount {
    fn unsigned_abs_or_one(self) -> u32;
}
impl ArgumentCount for i32 {
    fn unsigned_abs_or_one(self) -> u32 {
        if self < 0 { 1 } else { self as u32 }
    }
}
