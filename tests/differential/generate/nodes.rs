//! Steps with nodes and thunks: building, filling, taking apart, updating, evaluating, selecting.
//!
//! Selectors and indirections disappear in collections. So whether a node is evaluated, its header and its identity are
//! looked at only where a collection cannot change the answer: thunks that were just built, evaluated nodes, and nodes
//! of this function.

use super::code::{Code, Kind};
use super::plan::{EntryType, Selected};
use crate::roots::Rng;
use cleave_ir::Opcode::*;
use cleave_ir::layout::{MIN_OBJECT, SLOT};
use cleave_ir::{Desc, Opcode, Type, Value, WellKnownDesc};

impl Code<'_> {
    pub fn node_step(&mut self) {
        let has = self.plan.features;
        match self.rng.below(28) {
            0..=2 => self.build_step(),
            3..=5 => self.thunk_step(),
            6 | 7 => self.box_step(),
            8..=10 => self.evaluate_step(),
            11 | 12 => self.read_step(),
            13..=16 if has.updates => self.update_step(),
            17 if has.updates => self.identity_step(),
            18 => self.fill_step(),
            19..=21 if has.special => self.select_step(),
            22 if has.special => self.cycle_step(),
            23 if has.special => self.raw_step(),
            24 if has.special => self.enter_step(),
            25 => self.unbox_step(),
            26 => self.copy_step(),
            _ => self.evaluate_step(),
        }
    }

    fn payload(&mut self, ptrs: u32, nptrs: &[Type]) -> Vec<Value> {
        let mut args: Vec<Value> = (0..ptrs).map(|_| self.reference()).collect();
        args.extend(nptrs.iter().map(|&ty| self.operand(ty)));
        args
    }

    /// A node of a type of the plan.
    pub fn build_type(&mut self, number: usize) -> Value {
        let node = &self.plan.nodes[number];
        if node.is_empty() {
            return self.build().node(node.desc);
        }
        let args = self.payload(node.ptrs, &node.nptrs);
        self.build().build_node(node.desc, node.applied_args, &args)
    }

    fn build_step(&mut self) {
        let number = self.rng.below(self.plan.nodes.len());
        let value = self.build_type(number);
        let is_empty = self.plan.nodes[number].is_empty();
        self.add_ref(value, if is_empty { Kind::Node(number) } else { Kind::Own(number) });
    }

    fn kind_of(&self, entry: &EntryType) -> Kind {
        entry.gives.map_or(Kind::Any, Kind::Lazy)
    }

    fn thunk_step(&mut self) {
        let plan = self.plan;
        let entry = self.rng.pick(&plan.thunk_infos.iter().collect::<Vec<_>>());
        let args = self.payload(entry.ptrs, &entry.nptrs);
        let thunk = if entry.is_small && self.rng.chance(30) {
            // A cell that something may refer to before it is filled.
            let cell = self.op(BuildDummy, &[]);
            if self.rng.chance(30) {
                self.add(cell);
                let other = self.rng.below(plan.nodes.len());
                let node = self.build_type(other);
                self.add_ref(node, Kind::Node(other));
            }
            let operands: Vec<Value> = std::iter::once(cell).chain(args).collect();
            self.emit(FillThunk, u64::from(entry.entry.as_u32()), 0, &operands);
            cell
        } else {
            self.build().build_thunk(entry.entry, &args)
        };
        if self.rng.chance(20) {
            let (header, node_info) = (self.op(Header, &[thunk]), self.build().thunk_info_addr(entry.entry));
            let op = self.rng.pick(&[Eq, Ne]);
            let same = self.op(op, &[header, node_info]);
            self.add(same);
        }
        if self.rng.chance(10) {
            let evaluated = self.op(IsHnf, &[thunk]);
            self.add(evaluated);
        }
        self.add_ref(thunk, self.kind_of(entry));
    }

    fn box_step(&mut self) {
        match self.rng.below(6) {
            0 | 1 => {
                let word = self.word();
                let value = self.op(BoxInt, &[word]);
                self.add_ref(value, Kind::Int);
            }
            2 => {
                let n = self.rng.pick(&[-128i64, -1, 0, 7, 255]);
                let mut value = self.value(SmallInt, n as u64, 0, &[]);
                if self.rng.chance(40) {
                    let address = self.op(RefAddr, &[value]);
                    value = self.op(AddrRef, &[address]);
                }
                self.add_ref(value, Kind::Int);
            }
            3 => {
                let (word, mask) = (self.word(), self.const64(255));
                let letter = self.op(And, &[word, mask]);
                let value = self.op(BoxChar, &[letter]);
                self.add(value);
            }
            4 => {
                let narrow = self.narrow();
                let truth = self.op(Eqz, &[narrow]);
                let word = self.op(ExtendU, &[truth]);
                let value = self.op(BoxBool, &[word]);
                self.add(value);
            }
            _ => {
                let real = self.real();
                let value = self.build().build_node(WellKnownDesc::Real.desc(), 0, &[real]);
                self.add_ref(value, Kind::Real);
            }
        }
    }

    fn unbox_step(&mut self) {
        if let Some((node, kind)) = self.find(|kind| matches!(kind, Kind::Int | Kind::Real)) {
            let op = if kind == Kind::Int { GetI64 } else { GetF64 };
            let value = self.get(op, (0, 1), 0, node);
            self.add(value);
        }
    }

    fn evaluate_step(&mut self) {
        if let Some((thunk, Kind::Lazy(number))) = self.find(|kind| matches!(kind, Kind::Lazy(_)))
            && self.rng.chance(70)
        {
            let node = self.op(Eval, &[thunk]);
            return self.add_ref(node, Kind::Node(number));
        }
        let node = self.reference();
        let value = self.op(Eval, &[node]);
        let evaluated = self.op(IsHnf, &[value]);
        if self.rng.chance(30) {
            self.add(evaluated);
        }
        self.add(value);
    }

    /// Takes fields out of a node.
    pub fn read_step(&mut self) {
        let Some((node, number)) = self.find_node() else { return };
        self.read_field(node, number);
    }

    pub fn read_field(&mut self, node: Value, number: usize) {
        let data = &self.plan.nodes[number];
        let shape = (data.ptrs, data.nptrs.len() as u32);
        let field = self.rng.below(data.ptrs as usize + data.nptrs.len()) as u32;
        let value = if field < data.ptrs {
            self.get(GetRef, shape, field, node)
        } else {
            let op = if data.nptrs[(field - data.ptrs) as usize] == Type::F64 { GetF64 } else { GetI64 };
            self.get(op, shape, field - data.ptrs, node)
        };
        self.add(value);
    }

    /// Overwrites a part of a node that nobody else knows.
    fn update_step(&mut self) {
        let (node, number) = match self.find_own() {
            Some(own) => own,
            None => {
                let number = 2 + self.rng.below(self.plan.nodes.len() - 2);
                let node = self.build_type(number);
                self.add_ref(node, Kind::Own(number));
                (node, number)
            }
        };
        let data = &self.plan.nodes[number];
        let shape = (data.ptrs, data.nptrs.len() as u32);
        if self.rng.chance(40) {
            self.read_field(node, number);
        }
        if let (Some(stackless), true) = (data.stackless, self.rng.chance(20)) {
            self.emit(SetNodeInfo, u64::from(self.plan.nodes[stackless].desc.as_u32()), 0, &[node]);
            self.scope.ptrs.retain(|r| r.0 != node);
            return self.add_ref(node, Kind::Own(stackless));
        }
        let field = self.rng.below(data.ptrs as usize + data.nptrs.len()) as u32;
        let (get, index) = if field < data.ptrs {
            let value = self.reference();
            self.field(SetRef, shape, field, &[node, value]);
            (GetRef, field)
        } else {
            let word = field - data.ptrs;
            let ty = data.nptrs[word as usize];
            let value = self.operand(ty);
            let (get, set) = if ty == Type::F64 { (GetF64, SetF64) } else { (GetI64, SetI64) };
            self.field(set, shape, word, &[node, value]);
            (get, word)
        };
        // The same again, or another field.
        if self.rng.chance(60) {
            let value = self.get(get, shape, index, node);
            self.add(value);
            if self.rng.chance(50) {
                self.print(value);
            }
        } else if self.rng.chance(50) {
            self.read_field(node, number);
        }
    }

    /// A cell that is filled later, with other things in between; or a node of one's own that is filled anew.
    fn fill_step(&mut self) {
        let number = 2 + self.rng.below(self.plan.nodes.len() - 2);
        let node = &self.plan.nodes[number];
        let own = self.find_own().filter(|_| self.rng.chance(40));
        let cell = match own {
            Some((cell, _)) => cell,
            None => self.op(BuildDummy, &[]),
        };
        if own.is_none() && self.rng.chance(50) {
            self.number_step();
        }
        let args = self.payload(node.ptrs, &node.nptrs);
        let operands: Vec<Value> = std::iter::once(cell).chain(args).collect();
        self.build().fill_node(node.desc, node.applied_args, &operands);
        // It may have become its own field, and so be known to itself.
        let kind = if operands[1..].contains(&cell) { Kind::Node(number) } else { Kind::Own(number) };
        self.scope.ptrs.retain(|r| r.0 != cell);
        self.add_ref(cell, kind);
    }

    /// A lazy selection from a lazy node.
    fn select_step(&mut self) {
        let plan = self.plan;
        if plan.selectors.is_empty() {
            return;
        }
        let selector = &plan.selectors[self.rng.below(plan.selectors.len())];
        let wanted = |kind| matches!(kind, Kind::Lazy(i) | Kind::Node(i) | Kind::Own(i) if i == selector.of);
        let node = match self.find(wanted) {
            Some((node, _)) => {
                self.escape(node);
                node
            }
            None => {
                let promising = plan.thunk_infos.iter().find(|entry| entry.gives == Some(selector.of));
                let entry = promising.expect("selectors are of promised nodes");
                let args = self.payload(entry.ptrs, &entry.nptrs);
                let thunk = self.build().build_thunk(entry.entry, &args);
                self.add_ref(thunk, Kind::Lazy(selector.of));
                thunk
            }
        };
        let thunk = self.build().build_thunk(selector.entry, &[node]);
        self.add_ref(thunk, Kind::Any);
        if let (Selected::Word(word), true) = (selector.field, self.rng.chance(30)) {
            let value = self.op(Eval, &[thunk]);
            let is_real = plan.nodes[selector.of].nptrs[word as usize] == Type::F64;
            self.add_ref(value, if is_real { Kind::Real } else { Kind::Int });
        }
    }

    /// Nodes that contain each other.
    fn cycle_step(&mut self) {
        let Some(number) = (0..self.plan.nodes.len()).rev().find(|&i| self.plan.nodes[i].ptrs > 0) else { return };
        let node = &self.plan.nodes[number];
        let cell = self.op(BuildDummy, &[]);
        let mut args = self.payload(node.ptrs, &node.nptrs);
        let place = self.rng.below(node.ptrs as usize);
        if self.rng.chance(50) {
            args[place] = cell;
        } else {
            let entry = &self.plan.thunk_infos[0];
            args[place] = self.build().build_thunk(entry.entry, &[cell]);
        }
        args.insert(0, cell);
        self.build().fill_node(node.desc, node.applied_args, &args);
        self.add_ref(cell, Kind::Node(number));
    }

    /// Whether two nodes are the same one.
    fn identity_step(&mut self) {
        let (Some((a, _)), Some((b, number))) = (self.find_own(), self.find_own()) else { return };
        let addresses = [self.op(RefAddr, &[a]), self.op(RefAddr, &[b])];
        let same = self.op(Eq, &addresses);
        self.add(same);
        let data = &self.plan.nodes[number];
        let (header, node_info) = (self.op(Header, &[b]), self.build().node_info(data.desc, data.applied_args));
        let of_type = self.op(Eq, &[header, node_info]);
        self.add(of_type);
    }

    /// Evaluation in its parts.
    fn enter_step(&mut self) {
        let node = self.reference();
        self.escape_all();
        let (slow, join) = (self.new_block(), self.new_block());
        let value = self.func.add_param(join, Type::Ref);
        let evaluated = self.op(IsHnf, &[node]);
        self.build().br_if(evaluated, (join, &[node]), (slow, &[]));
        self.goto(slow);
        let entered = self.op(Enter, &[node]);
        self.build().jump(join, &[entered]);
        self.goto(join);
        self.add(value);
    }

    /// A node made by hand: heap check, bump, stores; and read by hand.
    fn raw_step(&mut self) {
        let ptrs = [self.reference(), self.reference()];
        let word = self.word();
        let ints = self.rng.chance(50);
        if self.rng.chance(50) {
            self.escape_all();
            let bytes = u64::from(MIN_OBJECT);
            let full = self.value(HeapFull, bytes, 0, &[]);
            let (slow, on) = (self.new_block(), self.new_block());
            self.build().br_if(full, (slow, &[]), (on, &[]));
            self.goto(slow);
            self.emit(Collect, bytes, 0, &[]);
            self.build().jump(on, &[]);
            self.goto(on);
        }
        let node = self.value(Alloc, u64::from(MIN_OBJECT), 0, &[]);
        let (desc, applied_args): (Desc, u32) =
            if ints { (WellKnownDesc::Int.desc(), 0) } else { (self.plan.library.pair, 2) };
        let node_info = self.build().node_info(desc, applied_args);
        self.emit(StoreI32, 0, 0, &[node, node_info]);
        if ints {
            // By its reference, or by its address as C would have it.
            let base = match self.rng.below(3) {
                0 => {
                    let address = self.op(RefAddr, &[node]);
                    self.op(ExtendU, &[address])
                }
                _ => node,
            };
            self.emit(StoreI64, u64::from(SLOT), 0, &[base, word]);
            let further = |rng: &mut Rng, bytes: usize| u64::from(SLOT) + rng.below(bytes) as u64;
            let (far, middle, near) = (further(self.rng, 8), further(self.rng, 7), further(self.rng, 5));
            let value = match self.rng.below(6) {
                0 => self.value(LoadI64, u64::from(SLOT), 0, &[base]),
                1 => self.value(LoadI32, near, 0, &[base]),
                2 => self.value(LoadU16, middle, 0, &[base]),
                3 => self.value(LoadU8, far, 0, &[base]),
                4 => self.value(LoadF64, u64::from(SLOT), 0, &[base]),
                _ => self.value(LoadF32, u64::from(SLOT), 0, &[base]),
            };
            self.add(value);
            self.add_ref(node, Kind::Int);
        } else {
            for (i, value) in ptrs.into_iter().enumerate() {
                self.emit(StoreRef, u64::from(SLOT) * (i as u64 + 1), 0, &[node, value]);
            }
            let value = self.value(LoadRef, 2 * u64::from(SLOT), 0, &[node]);
            self.add(value);
            self.add(node);
        }
    }

    /// A cell that becomes a copy of an evaluated node.
    fn copy_step(&mut self) {
        let node = self.reference();
        let cell = self.op(BuildDummy, &[]);
        let value = self.op(Eval, &[node]);
        self.emit(FillCopy, 0, 0, &[cell, value]);
        self.add(cell);
    }

    /// The code of an entry: reads the arguments, marks the thunk, computes, and overwrites the thunk.
    pub fn entry_arguments(&mut self, thunk: Value, ptrs: u32, nptrs: &[Type]) {
        let shape = (ptrs, nptrs.len() as u32);
        for i in 0..ptrs {
            let value = self.get(ArgRef, shape, i, thunk);
            self.add(value);
        }
        for (i, &ty) in nptrs.iter().enumerate() {
            let op: Opcode = if ty == Type::F64 { ArgF64 } else { ArgI64 };
            let value = self.get(op, shape, i as u32, thunk);
            self.add(value);
        }
        self.emit(Blackhole, 0, 0, &[thunk]);
    }
}
