//! Translation of evaluation, calls, returns, jumps and CAFs.

use super::function::FunctionBuilder;
use super::{FunctionKey, Step};
use crate::ast::{BWord, LayoutId, Line, Symbol};
use crate::externs::Runtime;
use crate::index::Definition;
use crate::instr::Opcode as Abc;
use crate::link::Meaning;
use crate::system;
use crate::types::layout_types;
use cleave_diag::{Diagnostic, code};
use cleave_ir::{Caf, Inst, Opcode, Signature, Type, Value};

/// The position word of unique files.
const UNIQUE_POSITION: i64 = -1;

impl FunctionBuilder<'_, '_> {
    /// Translates an instruction that passes control on, or works on CAFs; false if it is none.
    pub fn control_instruction(&mut self, op: Abc, line: Line<'_>) -> Step<bool> {
        match op {
            Abc::jsr_eval => {
                let node = self.a(line.n(0))?;
                if !self.is_hnf(node) {
                    let value = self.op(Opcode::Eval, &[node]);
                    self.mark_hnf(value);
                    self.replace_a(node, value);
                }
            }
            Abc::jsr => self.call(line.symbol(0))?,
            Abc::jmp => {
                if self.demanded.is_some() {
                    self.tail_call(line.symbol(0))?;
                } else if self.is_libcall(line.symbol(0)) {
                    self.tail_libcall(line.symbol(0))?;
                } else {
                    self.jump_local(line.symbol(0))?;
                }
            }
            Abc::jmp_true => {
                let word = self.pop_b()?;
                let condition = self.as_condition(word);
                self.branch_local(condition, true, line.symbol(0))?;
            }
            Abc::jmp_false => {
                let word = self.pop_b()?;
                let condition = self.as_condition(word);
                self.branch_local(condition, false, line.symbol(0))?;
            }
            Abc::exit_false => {
                let word = self.pop_b()?;
                let condition = self.as_condition(word);
                let (go_on, exit) = self.branch(condition);
                self.switch_to(exit);
                self.never_returning(line.symbol(0))?;
                self.switch_to(go_on);
            }
            Abc::rtn => self.ret()?,
            Abc::jmp_eval => {
                self.expect_frame(1)?;
                let node = self.pop_a()?;
                if self.is_hnf(node) {
                    self.builder().ret(&[node]);
                } else {
                    self.effect(Opcode::TailEval, &[node]);
                }
                self.dead();
            }
            Abc::jmp_eval_upd => {
                self.expect_frame(2)?;
                let args = [self.pop_a()?, self.pop_a()?];
                self.program.updates();
                self.effect(Opcode::TailUpdate, &args);
                self.dead();
            }
            Abc::jsr_ap | Abc::jmp_ap if line.n(0) == 0 => {
                return Err(
                    self.conflict("an application to no arguments".into(), "the number of arguments is at least 1")
                );
            }
            Abc::jsr_ap => {
                let mut args = Vec::new();
                self.pop_nodes(line.n(0) + 1, &mut args)?;
                self.program.applied_to(line.n(0));
                let value = self.op(Opcode::Apply, &args);
                self.mark_hnf(value);
                self.push_a(value);
            }
            Abc::jmp_ap => {
                self.expect_frame(line.n(0) as usize + 1)?;
                let mut args = Vec::new();
                self.pop_nodes(line.n(0) + 1, &mut args)?;
                self.program.applied_to(line.n(0));
                self.effect(Opcode::TailApply, &args);
                self.dead();
            }
            Abc::jsr_i => self.instance_call(false)?,
            Abc::jmp_i => self.instance_call(true)?,
            Abc::testcaf => {
                let caf = self.program.caf(self.key.module, line.symbol(0), self.item)?;
                let inst = self.builder().caf(Opcode::CafState, caf, 0, &[]);
                let state = self.func.result(inst);
                self.push_narrow(state);
            }
            Abc::pushcaf => self.push_caf(line)?,
            Abc::fillcaf => {
                let caf = self.caf_value(line)?;
                for i in 0..line.n(1) {
                    let value = self.a(i)?;
                    self.builder().caf(Opcode::SetCafRef, caf, i, &[value]);
                }
                for i in 0..line.n(2) {
                    let value = self.b(i)?;
                    let op = if self.func.values[value] == Type::F64 { Opcode::SetCafF64 } else { Opcode::SetCafI64 };
                    self.builder().caf(op, caf, i, &[value]);
                }
                self.builder().caf(Opcode::SetCafState, caf, 0, &[]);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn is_libcall(&mut self, symbol: Symbol) -> bool {
        matches!(self.program.program.meaning(self.key.module, symbol), Meaning::Runtime(_))
    }

    /// The frame must be exactly `nodes` nodes.
    fn expect_frame(&mut self, nodes: usize) -> Step {
        let (a, b) = (self.stacks.a.len(), self.stacks.b.len());
        if a < nodes {
            self.a(nodes as u32 - 1)?;
        }
        if (a, b) == (nodes, 0) {
            return Ok(());
        }
        Err(self.conflict(
            format!("the frame has {a} nodes and {b} words, and must be {nodes} nodes here"),
            "arguments of the function must be removed before it is left",
        ))
    }

    // -- calls --------------------------------------------------------------------------------------------------------

    /// `jsr`: the `.d` before it says what is passed, the `.o` after it what comes back.
    fn call(&mut self, symbol: Symbol) -> Step {
        match self.program.program.meaning(self.key.module, symbol) {
            Meaning::Runtime(libcall) => {
                let layout = self.take_demanded()?;
                let layout = self.module.layouts.get(layout);
                let (nodes, nptrs) = (layout.a, layout.b.len() as u32);
                if libcall.never_returns() || !system::results(libcall).is_empty() {
                    let offered = self.offered_after()?;
                    let types = layout_types(self.module.layouts.get(offered));
                    let expected = system::results(libcall);
                    if !libcall.never_returns() && (types.len() != expected.len()) {
                        return Err(self.libcall_conflict(symbol, "returns", system::results(libcall)));
                    }
                }
                self.libcall(libcall, nodes, nptrs)
            }
            Meaning::Defined(module, Definition::Function(index)) => {
                let demanded = self.take_demanded()?;
                let offered = self.offered_after()?;
                let results = layout_types(self.module.layouts.get(offered));
                let key = FunctionKey { module, index, extra: false };
                let callee = self.program.function(key, &results);
                self.check_arguments(key, demanded)?;
                let signature = self.program.ir.funcs[callee].signature.clone();
                if signature.results.as_slice() != results.as_slice() {
                    let text = self.module.text_of(symbol);
                    return Err(self.results_conflict(
                        key,
                        format!("`{text}` does not return what the .o after this call says"),
                        "the .o after a call must agree with the .d before the rtn of the function",
                    ));
                }
                let args = self.pop_arguments(demanded, &signature)?;
                let inst = self.builder().call(callee, &args, &signature.results);
                self.push_results(inst);
                Ok(())
            }
            meaning => Err(self.not_code(symbol, meaning)),
        }
    }

    fn not_code(&mut self, symbol: Symbol, meaning: Meaning) -> super::Stop {
        let span = self.span();
        let diagnostic = if meaning == Meaning::Undefined {
            self.program.program.undefined(self.key.module, symbol, span)
        } else {
            let text = self.module.text_of(symbol);
            match meaning {
                Meaning::Defined(_, Definition::Local(_)) => {
                    Diagnostic::error(code::JUMP_INTO_FUNCTION, format!("`{text}` is not a function"))
                        .at(span, "a call needs a label with .o")
                }
                _ => Diagnostic::error(code::WRONG_KIND_OF_LABEL, format!("`{text}` is not code"))
                    .at(span, "a function label is expected here"),
            }
        };
        self.program.report(span.file, || diagnostic)
    }

    /// The `.d` of a call must agree with the `.o` of the function.
    fn check_arguments(&mut self, key: FunctionKey, demanded: LayoutId) -> Step {
        let label = &self.program.program.module_index(key.module).functions[key.index as usize];
        let theirs = self.program.module(key.module).layouts.get(label.layout);
        let ours = self.module.layouts.get(demanded);
        let real = |word: &BWord| *word == BWord::Real;
        if ours.a == theirs.a && ours.b.iter().map(real).eq(theirs.b.iter().map(real)) {
            return Ok(());
        }
        let item = label.item as usize;
        let (a, b) = (theirs.a, theirs.b.len());
        let there = self.program.span(key.module, item);
        Err(self.fail(|span| {
            Diagnostic::error(
                code::LAYOUT_CONFLICT,
                "the .d before this call and the .o of the function contradict each other",
            )
            .at(span, "called here")
            .and(there, format!("takes {a} nodes and {b} words"))
            .help("both directives must give the same counts and kinds")
        }))
    }

    fn libcall_conflict(&mut self, symbol: Symbol, what: &str, types: &[Type]) -> super::Stop {
        let text = self.module.text_of(symbol);
        let nodes = types.iter().filter(|&&ty| ty == Type::Ref).count();
        self.conflict(
            format!("`{text}` {what} {nodes} nodes and {} words", types.len() - nodes),
            "the directives around a call of the run-time system must agree with it",
        )
    }

    fn pop_arguments(&mut self, layout: LayoutId, signature: &Signature) -> Step<Vec<Value>> {
        let layout = self.module.layouts.get(layout);
        let (nodes, nptrs) = (layout.a, layout.b.len() as u32);
        let mut args = Vec::with_capacity(signature.params.len());
        self.pop_nodes(nodes, &mut args)?;
        self.pop_words(nptrs, &mut args)?;
        for (arg, &ty) in args.iter_mut().zip(&signature.params) {
            *arg = self.as_type(*arg, ty);
        }
        Ok(args)
    }

    /// Pushes results: nodes first, then words, each top first.
    fn push_results(&mut self, inst: Inst) {
        for value in self.results_of(inst).into_iter().rev() {
            if self.func.values[value] == Type::Ref {
                self.push_a(value);
            } else {
                self.push_b(value);
            }
        }
    }

    /// Calls a libcall with nodes and words from the tops of the stacks.
    pub fn libcall(&mut self, libcall: Runtime, nodes: u32, nptrs: u32) -> Step {
        let params = system::params(libcall);
        let expected = params.iter().filter(|&&ty| ty == Type::Ref).count();
        if expected != nodes as usize || params.len() != (nodes + nptrs) as usize {
            return Err(self.conflict(
                format!("this libcall takes {expected} nodes and {} words", params.len() - expected),
                "the .d before a call of the run-time system must agree with it",
            ));
        }
        let mut args = Vec::with_capacity(params.len());
        self.pop_nodes(nodes, &mut args)?;
        self.pop_words(nptrs, &mut args)?;
        for (arg, &ty) in args.iter_mut().zip(params) {
            *arg = self.as_type(*arg, ty);
        }
        match libcall {
            Runtime::ReadFC => self.read_character(args[0]),
            Runtime::WriteFC => {
                self.builder().call_extern(libcall.callee(), &args[..2]);
                self.push_unique_file(args[1]);
            }
            _ => {
                let inst = self.builder().call_extern(libcall.callee(), &args);
                if libcall.never_returns() {
                    self.builder().unreachable();
                    self.dead();
                } else {
                    self.push_results(inst);
                }
            }
        }
        Ok(())
    }

    /// A unique file that an operation returns is the one that it was given.
    fn push_unique_file(&mut self, number: Value) {
        let position = self.iconst(UNIQUE_POSITION);
        self.push_b(position);
        self.push_b(number);
    }

    /// Success, character, file.
    fn read_character(&mut self, number: Value) {
        let inst = self.builder().call_extern(Runtime::ReadFC.callee(), &[number]);
        let found = self.func.result(inst);
        let (mask, eight) = (self.iconst(255), self.iconst(8));
        let character = self.op(Opcode::And, &[found, mask]);
        let success = self.op(Opcode::Ushr, &[found, eight]);
        self.push_unique_file(number);
        self.push_b(character);
        self.push_b(success);
    }

    /// `jmp` to a libcall: its arguments are the tops of the stacks (a cell for the result may lie below them).
    fn tail_libcall(&mut self, symbol: Symbol) -> Step {
        self.demanded = None;
        let Meaning::Runtime(libcall) = self.program.program.meaning(self.key.module, symbol) else {
            unreachable!("checked by the caller");
        };
        let params = system::params(libcall);
        let nodes = params.iter().filter(|&&ty| ty == Type::Ref).count() as u32;
        self.libcall(libcall, nodes, params.len() as u32 - nodes)?;
        if libcall.never_returns() {
            return Ok(());
        }
        let values: Vec<Value> = if system::results(libcall).is_empty() {
            Vec::new()
        } else {
            self.stacks.a.iter().rev().chain(self.stacks.b.iter().rev()).copied().collect()
        };
        let types: Vec<Type> = values.iter().map(|&v| self.func.values[v]).collect();
        if types.as_slice() != self.func.signature.results.as_slice() {
            return Err(self.libcall_conflict(symbol, "returns", system::results(libcall)));
        }
        self.builder().ret(&values);
        self.dead();
        Ok(())
    }

    fn tail_call(&mut self, symbol: Symbol) -> Step {
        match self.program.program.meaning(self.key.module, symbol) {
            Meaning::Runtime(_) => self.tail_libcall(symbol),
            Meaning::Defined(module, Definition::Function(index)) => {
                let demanded = self.take_demanded()?;
                let layout = self.module.layouts.get(demanded);
                let (a, b) = (layout.a as usize, layout.b.len());
                let (have_a, have_b) = (self.stacks.a.len(), self.stacks.b.len());
                let key = FunctionKey { module, index, extra: have_a == a + 1 && have_b == b };
                self.check_arguments(key, demanded)?;
                if !key.extra && (have_a, have_b) != (a, b) {
                    return Err(self.conflict(
                        format!("the frame has {have_a} nodes and {have_b} words, the .d says {a} and {b}"),
                        "a tail call passes the whole frame",
                    ));
                }
                self.tail_call_key(key)
            }
            meaning => Err(self.not_code(symbol, meaning)),
        }
    }

    /// Control goes to code that never returns, with whatever is on the stacks.
    fn never_returning(&mut self, symbol: Symbol) -> Step {
        match self.program.program.meaning(self.key.module, symbol) {
            Meaning::Runtime(libcall) if libcall.never_returns() && libcall.signature().params.is_empty() => {
                self.builder().call_extern(libcall.callee(), &[]);
                self.builder().unreachable();
                Ok(())
            }
            meaning => Err(self.not_code(symbol, meaning)),
        }
    }

    /// `rtn`: the frame holds the results; hand-written code of StdEnv sometimes leaves more
    /// below (`docs/abc.md#others`).
    fn ret(&mut self) -> Step {
        let (a, b) = if self.demanded.is_none() && self.module.is_optimised() {
            // The optimiser of the ABC interpreter loses the .d before some of its fused instructions.
            (self.stacks.a.len() as u32, self.stacks.b.len() as u32)
        } else {
            let layout = self.take_demanded()?;
            let layout = self.module.layouts.get(layout);
            (layout.a, layout.b.len() as u32)
        };
        let mut values = Vec::with_capacity((a + b) as usize);
        self.pop_nodes(a, &mut values)?;
        self.pop_words(b, &mut values)?;
        let results = self.func.signature.results.clone();
        if values.len() != results.len() {
            return Err(self.returns_otherwise());
        }
        for (value, &ty) in values.iter_mut().zip(&results) {
            *value = self.as_type(*value, ty);
            if self.func.values[*value] != ty {
                return Err(self.returns_otherwise());
            }
        }
        self.builder().ret(&values);
        self.dead();
        Ok(())
    }

    fn returns_otherwise(&mut self) -> super::Stop {
        self.results_conflict(
            self.key,
            "this rtn returns something else than what is said of the function elsewhere".into(),
            "every .d before a rtn of a function, and every .o after a call of it, must be the same",
        )
    }

    /// `jsr_i`, `jmp_i`: a class member through a closure, its arguments in strict layout.
    fn instance_call(&mut self, tail: bool) -> Step {
        let demanded = self.take_demanded()?;
        let params = layout_types(self.module.layouts.get(demanded));
        if params.first() != Some(&Type::Ref) {
            return Err(self.conflict(
                "there is no closure among the arguments".into(),
                "the .d before jsr_i and jmp_i has the closure on top of the A stack",
            ));
        }
        let results: Vec<Type> = if tail {
            self.func.signature.results.to_vec()
        } else {
            let offered = self.offered_after()?;
            layout_types(self.module.layouts.get(offered)).to_vec()
        };
        let signature = Signature { params, results: results.as_slice().into() };
        let args = self.pop_arguments(demanded, &signature)?;
        let table = self.program.instance_table(&signature);
        if tail {
            self.builder().inst(Opcode::TailCallMethod, table.as_u32() as u64, 0, &args);
            self.dead();
        } else {
            let inst = self.builder().call_method(table, &args, &results);
            self.push_results(inst);
        }
        Ok(())
    }

    /// The CAF of an instruction that gives the size of its value, too.
    fn caf_value(&mut self, line: Line<'_>) -> Step<Caf> {
        let caf = self.program.caf(self.key.module, line.symbol(0), self.item)?;
        let data = &self.program.ir.cafs[caf];
        if line.n(1) <= data.ptrs && line.n(2) <= data.nptrs {
            return Ok(caf);
        }
        let (ptrs, nptrs) = (data.ptrs, data.nptrs);
        let what = format!("`{}` has {ptrs} nodes and {nptrs} words", self.module.text_of(line.symbol(0)));
        Err(self.conflict(what, "the counts must not exceed those of the .caf directive"))
    }

    /// `pushcaf`: the first node and the first word end on top. The kinds of the words are those that the function
    /// returns, since a CAF function returns just its value.
    fn push_caf(&mut self, line: Line<'_>) -> Step {
        let caf = self.caf_value(line)?;
        let (ptrs, nptrs) = (line.n(1), line.n(2));
        for i in (0..ptrs).rev() {
            let inst = self.builder().caf(Opcode::CafRef, caf, i, &[]);
            let value = self.func.result(inst);
            self.push_a(value);
        }
        let results = self.func.signature.results.clone();
        for i in (0..nptrs).rev() {
            let real = results.get((ptrs + i) as usize) == Some(&Type::F64);
            let op = if real { Opcode::CafF64 } else { Opcode::CafI64 };
            let inst = self.builder().caf(op, caf, i, &[]);
            let value = self.func.result(inst);
            self.push_b(value);
        }
        Ok(())
    }
}
