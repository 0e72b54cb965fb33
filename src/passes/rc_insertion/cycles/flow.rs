//! Reads a program: which references flow into each other, and what is made, read and overwritten.

use super::{Class, EXCHANGES, Graph, Kind, Place, calls};
use cleave_ir::module::{StaticData, TableRole};
use cleave_ir::{
    Block, Caf, Desc, EntityRef, Func, FuncId, Inst, LibcallSignature, Opcode, Static, Table, Type, Value, libcalls,
};

impl Graph<'_> {
    /// Reads all functions; false if references go to something unknown, or come from there.
    pub(super) fn collect(&mut self) -> bool {
        let module = self.module;
        for (id, func) in &module.funcs {
            let mut types = func.signature.params.iter().chain(&*func.signature.results);
            if func.entry.is_none() && types.any(|&ty| ty == Type::Ref) {
                return false;
            }
            self.harmless.clear();
            let makes_none = |op: Opcode| op.is_static_ref() && op != Opcode::AddrRef || op == Opcode::BoxInt;
            for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
                if makes_none(func.insts[inst].op) {
                    self.harmless.insert(func.result(inst));
                }
            }
            for &block in &func.layout {
                let data = &func.blocks[block];
                if !data.insts.iter().all(|&inst| self.inst(id, func, inst)) {
                    return false;
                }
                for edge in &data.edges {
                    self.flow(id, func, func.edge_args(edge), edge.block);
                }
            }
        }
        true
    }

    fn flow(&mut self, id: FuncId, func: &Func, args: &[Value], block: Block) {
        for (&arg, &param) in args.iter().zip(func.params(block)) {
            // Holes are words.
            if matches!(func.values[arg], Type::Ref | Type::I64) {
                self.unify(self.value(id, arg), self.value(id, param));
            }
        }
    }

    fn inst(&mut self, id: FuncId, func: &Func, inst: Inst) -> bool {
        use Opcode::*;
        let (data, args, results) = (&func.insts[inst], func.args(inst), func.results(inst));
        let of = |graph: &Graph, value: Value| graph.value(id, value);
        let field = || {
            let shape = data.field_shape();
            Place::Field(shape.ptrs, shape.nptrs, data.aux)
        };
        match data.op {
            GetRef | GetRetained => self.access(of(self, args[0]), field(), of(self, results[0])),
            SetRef | ExchangeRef => {
                self.write(of(self, args[0]), field(), args[1]);
                for &value in args[1..].iter().chain(results) {
                    self.access(of(self, args[0]), field(), of(self, value));
                }
            }
            BuildNode => {
                let object = self.node(data.desc(), data.aux);
                let (ptrs, nptrs) = self.module.descs[data.desc()].payload(data.aux);
                for (&arg, number) in args.iter().zip(0..ptrs) {
                    if let Some(field) = self.field(object, Place::Field(ptrs, nptrs, number)) {
                        self.unify(field, of(self, arg));
                    }
                }
                self.add(of(self, results[0]), object);
            }
            NodeRef => self.static_node(of(self, results[0]), data.desc(), 0),
            StaticNode => {
                if let StaticData::Node(node) = &self.module.statics[Static::from_u32(data.imm as u32)] {
                    self.static_node(of(self, results[0]), node.desc, node.applied_args);
                }
            }
            StaticRef | SmallInt | BoxInt | BoxChar | BoxBool | IntRef => {}
            Select => self.unify_all(id, &[args[1], args[2], results[0]]),
            OpenHole | MoveHole | FillHole => {
                let hole = args[0];
                if data.op == FillHole {
                    self.access(of(self, hole), Place::Hole, of(self, args[1]));
                } else {
                    let (node, filled) = (*args.last().expect("a node"), self.class());
                    if data.op == MoveHole {
                        self.access(of(self, hole), Place::Hole, of(self, node));
                    }
                    self.access(of(self, node), field(), filled);
                    self.access(of(self, node), Place::Hole, filled);
                    self.unify(of(self, hole), of(self, node));
                }
                self.unify(of(self, results[0]), of(self, hole));
            }
            CafRef => {
                let stored = self.storage(Caf::from_u32(data.imm as u32), data.aux);
                self.unify(stored, of(self, results[0]));
            }
            SetCafRef => {
                let stored = self.storage(Caf::from_u32(data.imm as u32), data.aux);
                self.unify(stored, of(self, args[0]));
            }
            Call | TailCall => self.call(id, FuncId::from_u32(data.imm as u32), args, results, data.op == TailCall),
            CallTable | TailCallTable => {
                let table = Table::from_u32(data.imm as u32);
                let (role, funcs) = (self.module.tables[table].role, &self.module.tables[table].funcs);
                let is_tail = data.op == TailCallTable;
                if role == TableRole::Method {
                    self.method_call(id, table, &args[1..], results, is_tail);
                } else {
                    funcs.iter().for_each(|&callee| self.call(id, callee, &args[1..], results, is_tail));
                }
                return !funcs.is_empty();
            }
            Return => {
                for (&arg, number) in args.iter().zip(0..) {
                    self.unify(of(self, arg), self.results[id.index()] + number);
                }
            }
            CallRt => return self.runtime(id, func, inst),
            _ => return results.iter().all(|&result| func.values[result] != Type::Ref),
        }
        true
    }

    fn unify_all(&mut self, id: FuncId, values: &[Value]) {
        for pair in values.windows(2) {
            self.unify(self.value(id, pair[0]), self.value(id, pair[1]));
        }
    }

    /// Static nodes lead to static nodes alone, which nobody overwrites. But they may have functions.
    fn static_node(&mut self, class: Class, desc: Desc, held: u32) {
        if self.module.descs[desc].method.is_some() {
            let object = self.node(desc, held);
            self.add(class, object);
        }
    }

    /// A reference is overwritten. By what leads to nothing it can be without any cycle.
    fn write(&mut self, class: Class, place: Place, value: Value) {
        if !self.harmless.contains(value) {
            self.writes.push((class, place));
        }
    }

    fn call(&mut self, id: FuncId, callee: FuncId, args: &[Value], results: &[Value], is_tail: bool) {
        let func = &self.module.funcs[callee];
        if let Some(entry) = func.entry {
            for (&arg, &param) in args.iter().zip(func.params(entry)) {
                self.unify(self.value(id, arg), self.value(callee, param));
            }
        }
        for number in 0..func.signature.results.len() {
            let given = self.results[callee.index()] + number as u32;
            if is_tail {
                self.unify(given, self.results[id.index()] + number as u32);
            } else if let Some(&result) = results.get(number) {
                self.unify(given, self.value(id, result));
            }
        }
    }

    /// The first argument is the node that has the function.
    fn method_call(&mut self, id: FuncId, table: Table, args: &[Value], results: &[Value], is_tail: bool) {
        let node = self.value(id, args[0]);
        for (&arg, number) in args.iter().zip(0..) {
            self.access(node, Place::Parameter(table, number), self.value(id, arg));
        }
        for number in 0..self.module.tables[table].signature.results.len() as u32 {
            let result = match results.get(number as usize) {
                Some(&result) if !is_tail => self.value(id, result),
                _ => self.results[id.index()] + number,
            };
            self.access(node, Place::Result(table, number), result);
        }
    }

    /// The call of a function of the runtime, or outside.
    fn runtime(&mut self, id: FuncId, func: &Func, inst: Inst) -> bool {
        let (module, args, results) = (self.module, func.args(inst), func.results(inst));
        let calls = |rows: &[&LibcallSignature]| calls(module, func, inst, rows);
        let inner = |graph: &mut Graph, array: Value| {
            let array = graph.value(id, array);
            if !calls(&[&libcalls::RC_INNER_ELEMENT, &libcalls::RC_INNER_EXCHANGE]) {
                return array;
            }
            let inner = graph.class();
            graph.access(array, Place::Element, inner);
            inner
        };
        if calls(&[&libcalls::RC_NEW_ARRAY]) {
            let array = self.object(Kind::Array);
            self.add(self.value(id, results[0]), array);
        } else if calls(&[&libcalls::RC_ELEMENT, &libcalls::RC_INNER_ELEMENT]) {
            let array = inner(self, args[0]);
            self.access(array, Place::Element, self.value(id, results[0]));
        } else if calls(&EXCHANGES) {
            let array = inner(self, args[1]);
            self.write(array, Place::Element, args[0]);
            for value in [args[0], results[0]] {
                self.access(array, Place::Element, self.value(id, value));
            }
        } else {
            // All others take and give strings.
            let called = &module.externs[func.insts[inst].external().0];
            let mut types = called.params.iter().chain(&*called.results);
            let is_known = called.from.is_none() && libcalls::find(&called.name).is_some();
            return is_known || types.all(|&ty| ty != Type::Ref);
        }
        true
    }
}
