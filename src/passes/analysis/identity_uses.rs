//! Identity uses: which references are used as objects in memory, not as values: the program fills them, reads the
//! arguments of an unevaluated thunk, or takes their address. Wherever a thunk is not used as a cell, its value may
//! take its place.
//!
//! Values of a function that may be the same object (what an edge passes and the parameter that gets it, a node before
//! and after its evaluation) are one class. A class is a cell if one of its values is, here or in a function that it is
//! passed to: found backwards over the call graph, from a graph of "this parameter is passed on as that one" that is
//! made in one walk over the program. What is passed to the runtime counts as a cell, but for the arguments
//! of closures.

use cleave_ir::{
    CallTarget, Effects, Flags, Func, FuncId, Inst, Module, Opcode, PrimaryMap, SecondaryMap, Table, TableData, Type,
    UnionFind, Value,
};

/// The parameters that are used as cells.
pub(crate) struct IdentityUses {
    uses_identity: Vec<bool>,
    /// Number of the first parameter of each function and table.
    of_func: SecondaryMap<FuncId, u32>,
    of_table: SecondaryMap<Table, u32>,
}

impl IdentityUses {
    pub fn find(module: &Module, classes: &mut Classes) -> IdentityUses {
        let mut cells =
            IdentityUses { uses_identity: Vec::new(), of_func: SecondaryMap::new(), of_table: SecondaryMap::new() };
        for (id, func) in &module.funcs {
            cells.of_func[id] = cells.add(func.signature.params.len());
        }
        for (id, table) in &module.tables {
            cells.of_table[id] = cells.add(table.signature.params.len());
        }
        let mut passed: Vec<(u32, u32)> = Vec::new();
        cells.tables(&module.tables, &mut passed);
        for (id, func) in &module.funcs {
            let Some(entry) = func.entry else { continue };
            let first = cells.of_func[id];
            let params = func.params(entry);
            if params.iter().all(|&param| func.values[param] != Type::Ref) {
                continue;
            }
            cells.classes(func, classes);
            // At most a few parameters: each reference that is passed on looks through them.
            for at in 0..classes.passed.len() {
                let (callee, arg) = classes.passed[at];
                let class = classes.classes.find(arg.as_u32());
                for (index, &param) in params.iter().enumerate() {
                    if func.values[param] == Type::Ref && classes.classes.find(param.as_u32()) == class {
                        passed.push((callee, first + index as u32));
                    }
                }
            }
            for (index, &param) in params.iter().enumerate() {
                cells.uses_identity[first as usize + index] =
                    func.values[param] == Type::Ref && classes.is_marked(param);
            }
        }
        cells.propagate(passed);
        cells
    }

    fn add(&mut self, count: usize) -> u32 {
        let first = self.uses_identity.len() as u32;
        self.uses_identity.resize(self.uses_identity.len() + count, false);
        first
    }

    /// What goes through a table goes to all of its functions.
    fn tables(&self, tables: &PrimaryMap<Table, TableData>, passed: &mut Vec<(u32, u32)>) {
        for (id, table) in tables {
            for &func in &table.funcs {
                let params = 0..table.signature.params.len() as u32;
                passed.extend(params.map(|index| (self.of_func[func] + index, self.of_table[id] + index)));
            }
        }
    }

    /// Calls `visit` with the number of the parameter and the value for each reference that a call passes.
    fn each_argument(&self, func: &Func, inst: Inst, mut visit: impl FnMut(u32, Value)) {
        let (data, args) = (&func.insts[inst], func.args(inst));
        let (first, args) = match data.call_target() {
            Some(CallTarget::Func(callee)) => (self.of_func[callee], args),
            Some(CallTarget::Table(table)) => (self.of_table[table], &args[1..]),
            Some(CallTarget::Method(table)) => (self.of_table[table], args),
            Some(CallTarget::Extern(..) | CallTarget::Closure | CallTarget::Thunk | CallTarget::Entry) | None => return,
        };
        for (index, &arg) in args.iter().enumerate() {
            if func.values[arg] == Type::Ref {
                visit(first + index as u32, arg);
            }
        }
    }

    /// From parameters that are cells to those that are passed on as them.
    fn propagate(&mut self, mut passed: Vec<(u32, u32)>) {
        passed.sort_unstable();
        passed.dedup();
        let mut work: Vec<u32> =
            (0..self.uses_identity.len() as u32).filter(|&param| self.uses_identity[param as usize]).collect();
        while let Some(param) = work.pop() {
            let start = passed.partition_point(|pair| pair.0 < param);
            for &(_, from) in passed[start..].iter().take_while(|pair| pair.0 == param) {
                if !std::mem::replace(&mut self.uses_identity[from as usize], true) {
                    work.push(from);
                }
            }
        }
    }

    /// Computes the classes of a function and marks those that are cells.
    pub fn mark(&self, func: &Func, classes: &mut Classes) {
        self.classes(func, classes);
        for at in 0..classes.passed.len() {
            let (param, arg) = classes.passed[at];
            if self.uses_identity[param as usize] {
                classes.mark(arg);
            }
        }
    }

    /// The classes of a function, those marked that the function itself uses as cells, and what it passes on.
    fn classes(&self, func: &Func, classes: &mut Classes) {
        classes.start(func);
        for &block in &func.layout {
            for &inst in &func.blocks[block].insts {
                classes.inst(func, inst);
                self.each_argument(func, inst, |param, arg| classes.passed.push((param, arg)));
            }
            for edge in &func.blocks[block].edges {
                for (&param, &arg) in func.params(edge.block).iter().zip(func.edge_args(edge)) {
                    if func.values[param] == Type::Ref {
                        classes.join(param, arg);
                    }
                }
            }
        }
        while let Some(value) = classes.cells.pop() {
            classes.mark(value);
        }
    }
}

/// The value that an instruction uses as a cell.
fn cell_of(func: &Func, inst: Inst) -> Option<Value> {
    let first = *func.args(inst).first()?;
    let uses_identity = func.insts[inst].op.any(Flags::USES_IDENTITY);
    (uses_identity && func.values[first] == Type::Ref).then_some(first)
}

/// Classes of values, some of which are marked.
#[derive(Default)]
pub(crate) struct Classes {
    classes: UnionFind,
    marked: Vec<bool>,
    /// Values of one function that are used as cells.
    cells: Vec<Value>,
    /// References that one function passes on: number of the parameter, and what it gets.
    passed: Vec<(u32, Value)>,
}

impl Classes {
    fn start(&mut self, func: &Func) {
        self.classes.reset(func.values.len());
        self.marked.clear();
        self.marked.resize(func.values.len(), false);
        self.passed.clear();
    }

    fn inst(&mut self, func: &Func, inst: Inst) {
        let args = func.args(inst);
        let data = &func.insts[inst];
        if data.op == Opcode::Eval || data.op == Opcode::Enter {
            self.join(func.result(inst), args[0]);
        } else if data.op == Opcode::Select && func.values[args[1]] == Type::Ref {
            self.join(func.result(inst), args[1]);
            self.join(func.result(inst), args[2]);
        }
        match data.call_target() {
            // A closure refers to its new argument as to any value.
            Some(CallTarget::Extern(_, effects)) if effects.all(Effects::STORES) => self.cells.extend(args.first()),
            Some(CallTarget::Thunk) if !data.op.is_update() => {}
            // What the functions of closures do with their arguments is not followed.
            Some(CallTarget::Extern(..) | CallTarget::Closure | CallTarget::Thunk) => {
                self.cells.extend(args.iter().filter(|&&arg| func.values[arg] == Type::Ref))
            }
            Some(CallTarget::Func(_) | CallTarget::Table(_) | CallTarget::Method(_) | CallTarget::Entry) | None => {}
        }
        self.cells.extend(cell_of(func, inst));
    }

    fn join(&mut self, a: Value, b: Value) {
        self.classes.union(a.as_u32(), b.as_u32());
    }
    fn mark(&mut self, value: Value) {
        let root = self.classes.find(value.as_u32());
        self.marked[root as usize] = true;
    }
    /// True if a value of its class was marked.
    pub fn is_marked(&mut self, value: Value) -> bool {
        let root = self.classes.find(value.as_u32());
        self.marked[root as usize]
    }
}
