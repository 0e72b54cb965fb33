//! Steps that divide or leave the control flow: branches, loops, recognition of nodes, calls of all kinds, ways out.

use super::code::{Code, Kind, Scope};
use super::plan::FuncType;
use cleave_clean::externs::Runtime;
use cleave_ir::Opcode::*;
use cleave_ir::{Block, Libcall, Type, Value, WellKnownDesc};

impl Code<'_> {
    /// Steps, branches and loops.
    pub fn stretch(&mut self, depth: usize) {
        let has = self.plan.features;
        for _ in 0..self.size {
            match self.rng.below(30) {
                0..=2 if depth > 0 => self.branch(depth - 1),
                3 if depth > 0 => self.repeat(depth - 1),
                4..=6 => self.call_step(),
                7 | 8 => self.recognise(depth),
                9 | 10 if has.closures => self.closure_step(),
                11 | 12 if has.lists => self.list_step(),
                13..=16 if has.objects => self.object_step(),
                9..=20 => self.node_step(),
                21..=23 => self.print_step(),
                24 if self.rng.chance(20) => self.failure(),
                _ => self.number_step(),
            }
        }
    }

    /// Runs a piece of code in a block of its own, whose end jumps to `join` with a word and a reference.
    fn way(&mut self, block: Block, join: Block, depth: usize, extra: Option<(Value, Kind)>) {
        let outer: Scope = self.scope.clone();
        let came_from = self.block;
        self.goto(block);
        if let Some((value, kind)) = extra {
            self.add_ref(value, kind);
            if let Kind::Node(number) = kind
                && !self.plan.nodes[number].is_empty()
            {
                self.read_field(value, number);
            }
        }
        if self.rng.chance(60) {
            let size = std::mem::replace(&mut self.size, 2);
            self.stretch(depth);
            self.size = size;
        }
        let args = [self.word(), self.reference()];
        self.build().jump(join, &args);
        self.goto(came_from);
        self.scope = outer;
    }

    fn joined(&mut self, join: Block) {
        let (word, node) = (self.func.add_param(join, Type::I64), self.func.add_param(join, Type::Ref));
        self.goto(join);
        if self.rng.chance(70) {
            self.add(word);
            return self.add(node);
        }
        // A test of the parameter and nothing else, with another join after it.
        let truth = self.op(Eqz, &[word]);
        let (yes, no, next) = (self.new_block(), self.new_block(), self.new_block());
        self.build().br_if(truth, (yes, &[]), (no, &[]));
        self.way(yes, next, 0, None);
        self.way(no, next, 0, None);
        let params = [Type::I64, Type::Ref].map(|ty| self.func.add_param(next, ty));
        self.goto(next);
        params.into_iter().for_each(|param| self.add(param));
    }

    fn branch(&mut self, depth: usize) {
        let truth = self.truth();
        self.escape_all();
        let join = self.new_block();
        let ways = self.rng.pick(&[1, 2, 2, 2, 2, 3, 4]);
        let mut blocks: Vec<Block> = (0..ways).map(|_| self.new_block()).collect();
        if ways == 2 {
            self.build().br_if(truth, (blocks[0], &[]), (blocks[1], &[]));
        } else {
            self.emit(BrTable, 0, 0, &[truth]);
            // The same target may come twice.
            blocks.push(blocks[0]);
            for &to in &blocks {
                self.func.add_edge(self.block, to, &[]);
            }
            blocks.pop();
        }
        for way in blocks {
            self.way(way, join, depth, None);
        }
        self.joined(join);
    }

    /// A loop that counts down from a small number; perhaps with a way out in the middle, or back to its start.
    fn repeat(&mut self, depth: usize) {
        let (word, node) = (self.word(), self.reference());
        self.escape_all();
        let times = self.rng.below(5) as i64;
        let times = self.const64(times);
        let (header, body, after) = (self.new_block(), self.new_block(), self.new_block());
        self.build().jump(header, &[times, word, node]);
        let [count, word, node] = [Type::I64, Type::I64, Type::Ref].map(|ty| self.func.add_param(header, ty));
        let results = [Type::I64, Type::Ref].map(|ty| self.func.add_param(after, ty));
        self.goto(header);
        let zero = self.const64(0);
        let done = self.op(Eq, &[count, zero]);
        self.build().br_if(done, (after, &[word, node]), (body, &[]));
        let outer = self.scope.clone();
        self.goto(body);
        self.add(word);
        self.add(node);
        let size = std::mem::replace(&mut self.size, 2);
        self.stretch(depth);
        let less = self.less(count);
        for _ in 0..self.rng.below(3) {
            let (truth, go_on) = (self.truth(), self.new_block());
            let (word, node) = (self.word(), self.reference());
            self.escape_all();
            if self.rng.chance(50) {
                self.build().br_if(truth, (after, &[word, node]), (go_on, &[]));
            } else {
                self.build().br_if(truth, (go_on, &[]), (header, &[less, word, node]));
            }
            self.goto(go_on);
            self.stretch(0);
        }
        self.size = size;
        let (next_word, next_node) = (self.word(), self.reference());
        self.build().jump(header, &[less, next_word, next_node]);
        self.scope = outer;
        self.goto(after);
        results.into_iter().for_each(|value| self.add(value));
        if self.rng.chance(30) {
            self.add(count);
            self.add(word);
        }
    }

    pub fn less(&mut self, count: Value) -> Value {
        let one = self.const64(1);
        self.op(Isub, &[count, one])
    }

    /// Compares the header of a node with a row; where it matches, fields are read.
    fn recognise(&mut self, depth: usize) {
        let node = self.reference();
        self.escape_all();
        let node = self.op(Eval, &[node]);
        let header = self.op(Header, &[node]);
        let (yes, no, join) = (self.new_block(), self.new_block(), self.new_block());
        let number = self.rng.below(self.plan.nodes.len() + 2);
        let (node_info, kind) = match self.plan.nodes.get(number) {
            Some(data) => (self.build().node_info(data.desc, data.applied_args), Kind::Node(number)),
            None => (self.build().node_info(WellKnownDesc::Int.desc(), 0), Kind::Int),
        };
        if self.rng.chance(70) {
            let matches = self.op(Eq, &[header, node_info]);
            self.build().br_if(matches, (yes, &[]), (no, &[]));
        } else {
            let differs = self.op(Ne, &[node_info, header]);
            self.build().br_if(differs, (no, &[]), (yes, &[]));
        }
        let depth = depth.saturating_sub(1);
        self.way(yes, join, depth, Some((node, kind)));
        self.way(no, join, 0, None);
        self.joined(join);
    }

    // -- calls --------------------------------------------------------------------------------------------------------

    fn may_call(&self, number: usize) -> bool {
        self.plan.funcs[number].is_fuelled || number >= self.level
    }

    /// A small number of rounds.
    fn rounds(&mut self) -> Value {
        if self.rng.chance(60) {
            let n = self.rng.below(4) as i64;
            return self.const64(n);
        }
        let (word, mask) = (self.word(), self.const64(3));
        self.op(And, &[word, mask])
    }

    fn arguments(&mut self, func: &FuncType) -> Vec<Value> {
        let mut args = vec![self.rounds()];
        args.extend(self.operands(&func.params[1..]));
        args
    }

    pub fn call_step(&mut self) {
        let plan = self.plan;
        if !plan.in_table.is_empty() && self.rng.chance(25) {
            let func = &plan.funcs[plan.in_table[0]];
            let index = self.table_index();
            let mut args = vec![index];
            args.extend(self.arguments(func));
            let inst = self.build().call_table(plan.table, &args, &func.results);
            return self.add_results(inst);
        }
        let number = self.rng.below(plan.funcs.len());
        if self.may_call(number) {
            let func = &plan.funcs[number];
            let args = self.arguments(func);
            let inst = self.build().call(func.id, &args, &func.results);
            self.add_results(inst);
        }
    }

    fn add_results(&mut self, inst: cleave_ir::Inst) {
        for value in self.func.results(inst).to_vec() {
            self.add(value);
        }
    }

    fn table_index(&mut self) -> Value {
        let narrow = self.narrow();
        let size = self.const32(self.plan.in_table.len() as i32);
        self.op(Urem, &[narrow, size])
    }

    /// Partial and full applications.
    fn closure_step(&mut self) {
        let plan = self.plan;
        if let Some((closure, Kind::Closure(missing))) = self.find(|kind| matches!(kind, Kind::Closure(_)))
            && self.rng.chance(65)
        {
            let count = 1 + self.rng.below(missing as usize) as u32;
            let mut args = vec![closure];
            args.extend((0..count).map(|_| self.reference()));
            let result = if missing > 1 && count == 1 && self.rng.chance(30) {
                {
                    let inst = self.build().call_rt(Libcall::AddArgument, &args);
                    self.func.result(inst)
                }
            } else if count == 1 && self.rng.chance(25) {
                let inst = self.build().call(plan.library.apply_on, &args, &[Type::Ref]);
                self.func.result(inst)
            } else {
                self.build().apply(&args)
            };
            let kind = if missing > count { Kind::Closure(missing - count) } else { Kind::Any };
            return self.add_ref(result, kind);
        }
        let closure = &plan.closures[self.rng.below(plan.closures.len())];
        let applied_args = self.rng.below(closure.arity as usize) as u32;
        let args: Vec<Value> = (0..applied_args).map(|_| self.reference()).collect();
        let mut build = self.build();
        let node = if applied_args == 0 {
            build.node(closure.desc)
        } else {
            build.build_node(closure.desc, applied_args, &args)
        };
        self.add_ref(node, Kind::Closure(closure.arity - applied_args));
    }

    /// Lists of the library: strict, lazy, mapped, split; summed in two ways.
    fn list_step(&mut self) {
        let library = self.plan.library;
        if let Some((list, _)) = self.find(|kind| kind == Kind::List)
            && self.rng.chance(70)
        {
            let result = match self.rng.below(7) {
                0 => self.build().call(library.sum, &[list], &[Type::I64]),
                1 => {
                    let word = self.word();
                    self.build().call(library.sum_onto, &[word, list], &[Type::I64])
                }
                2 => {
                    let libcall = self.rng.pick(&[Runtime::PrintGraph, Runtime::EvalToNormalForm]);
                    self.libcall(libcall, &[list]);
                    return;
                }
                3 => {
                    let word = self.word();
                    let mapped = self.build().build_thunk(library.map, &[list, word]);
                    return self.add_ref(mapped, Kind::List);
                }
                4 => {
                    let inst = self.build().call(library.copied, &[list], &[Type::Ref]);
                    let copy = self.func.result(inst);
                    return self.add_ref(copy, Kind::List);
                }
                5 => {
                    let word = self.word();
                    self.build().call(library.member_of, &[word], &[Type::I64])
                }
                _ => {
                    let pair = self.build().build_thunk(library.split, &[list]);
                    let half = self.rng.pick(&[library.first, library.second]);
                    let half = self.build().build_thunk(half, &[pair]);
                    return self.add_ref(half, Kind::List);
                }
            };
            return self.add_results(result);
        }
        let (first, length) = (self.const64(1), self.rng.below(12) as i64);
        let last = self.const64(length);
        let list = if self.rng.chance(50) {
            let inst = self.build().call(library.upto, &[first, last], &[Type::Ref]);
            self.func.result(inst)
        } else {
            self.build().build_thunk(library.from, &[first, last])
        };
        self.add_ref(list, Kind::List);
    }

    /// Stops the program, on a way that is rarely taken.
    fn failure(&mut self) {
        let (word, rare) = (self.word(), self.const64(7));
        let stops = self.op(Eq, &[word, rare]);
        self.escape_all();
        let (stop, on) = (self.new_block(), self.new_block());
        self.build().br_if(stops, (stop, &[]), (on, &[]));
        self.goto(stop);
        let libcall = self.rng.pick(&[
            None,
            Some(Runtime::CycleInSpine),
            Some(Runtime::MatchError),
            Some(Runtime::SelectorError),
            Some(Runtime::TypeError),
            Some(Runtime::IndexError),
        ]);
        let mut args = Vec::new();
        if libcall == Some(Runtime::MatchError) {
            for text in self.plan.library.names {
                let address = self.build().text(text);
                args.push(self.op(ExtendU, &[address]));
            }
        }
        self.build().call_extern(libcall.map_or(Libcall::Halt.callee(), Runtime::callee), &args);
        self.build().unreachable();
        self.goto(on);
    }

    // -- the end of a function ----------------------------------------------------------------------------------------

    /// A stretch of code and a way out of the function, perhaps back to its start.
    pub fn body(&mut self, own: usize, count: Value, depth: usize) {
        self.stretch(depth);
        let plan = self.plan;
        let func = &plan.funcs[own];
        if self.rng.chance(35) {
            let (again, end) = (self.new_block(), self.new_block());
            let zero = self.const64(0);
            let more = self.op(Sgt, &[count, zero]);
            self.escape_all();
            self.build().br_if(more, (again, &[]), (end, &[]));
            self.goto(again);
            let scope = self.scope.clone();
            let mut args = vec![self.less(count)];
            args.extend(self.operands(&func.params[1..]));
            self.build().tail_call(func.id, &args);
            self.scope = scope;
            self.goto(end);
        }
        self.leave(&func.results.clone());
    }

    /// Returns, or leaves by a tail call.
    pub fn leave(&mut self, results: &[Type]) {
        let plan = self.plan;
        let fitting: Vec<usize> =
            (0..plan.funcs.len()).filter(|&i| plan.funcs[i].results == results && self.may_call(i)).collect();
        if !fitting.is_empty() && self.rng.chance(30) {
            let func = &plan.funcs[self.rng.pick(&fitting)];
            let args = self.arguments(func);
            return self.build().tail_call(func.id, &args);
        }
        if let Some(&first) = plan.in_table.first()
            && plan.funcs[first].results == results
            && self.rng.chance(30)
        {
            let mut args = vec![self.table_index()];
            args.extend(self.arguments(&plan.funcs[first]));
            self.emit(TailCallTable, u64::from(plan.table.as_u32()), 0, &args);
            return;
        }
        if results == [Type::Ref] {
            match self.rng.below(4) {
                0 => {
                    let node = self.reference();
                    return self.build().effect(TailEval, &[node]);
                }
                1 => {
                    let entry = &plan.thunk_infos[0];
                    let node = self.reference();
                    let thunk = self.build().build_thunk(entry.entry, &[node]);
                    return self.build().effect(TailEnter, &[thunk]);
                }
                _ => {}
            }
            // Code of closures may end with a call of this function: it owes them an evaluated node.
            let node = self.reference();
            let value = self.op(Eval, &[node]);
            return self.build().ret(&[value]);
        }
        let values = self.operands(results);
        self.build().ret(&values);
    }

    /// Returns values that are always there: for the end of the fuel.
    pub fn give_up(&mut self, results: &[Type]) {
        let values: Vec<Value> = results
            .iter()
            .map(|&ty| match ty {
                Type::I64 => self.const64(0),
                Type::I32 => self.const32(0),
                Type::F64 => self.build().fconst(0),
                Type::Ref => {
                    let desc = self.plan.nodes[0].desc;
                    self.build().node(desc)
                }
            })
            .collect();
        self.build().ret(&values);
    }

    /// Goes on only if there is fuel; gives the block for the other case.
    pub fn burn(&mut self) -> Block {
        let burn = self.plan.library.burn;
        let inst = self.build().call(burn, &[], &[Type::I32]);
        let some = self.func.result(inst);
        let (on, empty) = (self.new_block(), self.new_block());
        self.build().br_if(some, (on, &[]), (empty, &[]));
        self.goto(on);
        empty
    }
}
