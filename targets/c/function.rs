//! One function: blocks become labels, their parameters variables that are set before a jump. An instruction becomes a
//! statement, or a part of the only one that uses it, if it comes to the same.

use crate::expression::Expression;
use crate::{Program, Unsupported, Used, comment, declared, letter, names};
use cleave_ir::libcalls::PRINT_TEXT;
use cleave_ir::{Block, Edge, Func, FuncId, Inst, Opcode, SecondaryMap, Value};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Longer expressions get a variable of their own, and so do lines of declarations.
pub const WIDTH: usize = 96;

/// Prototype and definition of a function.
pub fn emit(program: &Program, id: FuncId, used: &mut Used) -> Result<(String, String), Unsupported> {
    let func = &program.module.funcs[id];
    let mut function = Function {
        program,
        func,
        used,
        defs: SecondaryMap::new(),
        users: SecondaryMap::new(),
        places: SecondaryMap::new(),
        uses: SecondaryMap::new(),
        kinds: SecondaryMap::with_default(' '),
        source_names: SecondaryMap::new(),
        inlined: SecondaryMap::new(),
        pending: Vec::new(),
        has_read: false,
        variables: BTreeSet::new(),
        labels: BTreeSet::new(),
        out: String::new(),
        depth: 1,
    };
    function.look();
    for (number, &block) in func.layout.iter().enumerate() {
        function.block(block, func.layout.get(number + 1).copied())?;
    }
    Ok(function.finish(id))
}

pub struct Function<'p, 'm> {
    pub program: &'p Program<'m>,
    pub func: &'p Func,
    pub used: &'p mut Used,
    /// What defines a value.
    pub defs: SecondaryMap<Value, Option<Inst>>,
    /// Instructions that have a value as operand.
    pub users: SecondaryMap<Value, Vec<Inst>>,
    /// The last block that uses it.
    pub places: SecondaryMap<Value, Option<Block>>,
    /// How often it is an operand, or given to a block.
    pub uses: SecondaryMap<Value, u32>,
    /// The letters of the types of values in C.
    pub kinds: SecondaryMap<Value, char>,
    source_names: SecondaryMap<Value, Option<String>>,
    /// Values that are no variables.
    pub inlined: SecondaryMap<Value, Option<Expression>>,
    /// Those of them in this block that have not been used yet.
    pub pending: Vec<Value>,
    /// An expression that looks at cells was used.
    pub has_read: bool,
    pub variables: BTreeSet<Value>,
    /// Blocks that something jumps to.
    pub labels: BTreeSet<Block>,
    pub out: String,
    pub depth: usize,
}

/// What an edge gives, each with the parameter that gets it.
fn given<'f>(func: &'f Func, edge: &'f Edge) -> impl Iterator<Item = (Value, Value)> + 'f {
    func.edge_args(edge).iter().copied().zip(func.params(edge.block).iter().copied())
}

impl Function<'_, '_> {
    /// Counts uses, and finds what types of C values have.
    fn look(&mut self) {
        let func = self.func;
        for (value, &ty) in func.values.iter() {
            self.kinds[value] = letter(ty);
        }
        for named in func.source.iter().flat_map(|source| &source.names) {
            self.source_names[named.value] = Some(names::plain(&named.name));
        }
        let params = func.params(func.entry_block());
        func.holes.iter().for_each(|&number| self.kinds[params[number as usize]] = 'h');
        for &block in &func.layout {
            for &inst in &func.blocks[block].insts {
                func.results(inst).iter().for_each(|&result| self.defs[result] = Some(inst));
                for &arg in func.args(inst) {
                    self.users[arg].push(inst);
                    self.uses[arg] += 1;
                    self.places[arg] = Some(block);
                }
                let op = func.insts[inst].op;
                if op.is_reset() {
                    self.kinds[func.result(inst)] = 'r';
                } else if op.makes_hole() {
                    self.kinds[func.result(inst)] = 'h';
                }
            }
        }
        let edges =
            || func.layout.iter().flat_map(|&block| func.blocks[block].edges.iter().map(move |edge| (block, edge)));
        // What is only handed around in a loop is used by nobody.
        let mut wanted: SecondaryMap<Value, bool> = SecondaryMap::new();
        self.uses.iter().for_each(|(value, &uses)| wanted[value] = uses > 0);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (arg, param) in edges().flat_map(|(_, edge)| given(func, edge)) {
                if self.kinds[arg] == 'h' && self.kinds[param] != 'h' {
                    (self.kinds[param], changed) = ('h', true);
                }
                if wanted[param] && !wanted[arg] {
                    (wanted[arg], changed) = (true, true);
                }
            }
        }
        for (block, edge) in edges() {
            for (arg, _) in given(func, edge).filter(|&(_, param)| wanted[param]) {
                self.uses[arg] += 1;
                self.places[arg] = Some(block);
            }
        }
    }

    /// Puts the parts together.
    fn finish(self, id: FuncId) -> (String, String) {
        let func = self.func;
        let params = func.params(func.entry_block());
        let list: Vec<_> = params.iter().map(|&p| format!("{}{}", declared(self.kinds[p]), self.name(p))).collect();
        let list = if list.is_empty() { "void".into() } else { list.join(", ") };
        let results = match func.signature.results[..] {
            [] => "void ".into(),
            [one] => declared(letter(one)).to_string(),
            _ => format!("results_{} ", self.results()),
        };
        let prototype = format!("{results}{}({list})", self.program.funcs.of(id));
        let mut out = format!("/* {}", comment(&func.name));
        let borrowed: Vec<_> =
            func.borrows.iter().filter_map(|&i| params.get(i as usize)).map(|&p| self.name(p)).collect();
        if !borrowed.is_empty() {
            let _ = write!(out, ", which borrows {}", borrowed.join(", "));
        }
        let _ = write!(out, " */\nstatic {prototype}\n{{\n");
        for letter in ['w', 'b', 'd', 'r', 'h'] {
            let variables = self.variables.iter().filter(|&&v| self.kinds[v] == letter && !params.contains(&v));
            let star = if letter == 'r' { "*" } else { "" };
            let mut line = String::new();
            for name in variables.map(|&value| format!("{star}{}", self.name(value))) {
                if line.len() + name.len() > WIDTH {
                    let _ = writeln!(out, "{line};");
                    line.clear();
                }
                match line.is_empty() {
                    true => _ = write!(line, "    {}{name}", declared(letter).trim_end_matches('*')),
                    false => _ = write!(line, ", {name}"),
                }
            }
            if !line.is_empty() {
                let _ = writeln!(out, "{line};");
            }
        }
        for &param in params.iter().filter(|&&param| self.uses[param] == 0) {
            let _ = writeln!(out, "    (void){};", self.name(param));
        }
        for line in self.out.lines() {
            let label = line.strip_suffix(':').filter(|label| label.starts_with("block"));
            if label.is_none_or(|label| self.labels.iter().any(|block| block.to_string() == label)) {
                let _ = writeln!(out, "{line}");
            }
        }
        out.push_str("}\n");
        (prototype, out)
    }

    pub fn results(&self) -> String {
        self.func.signature.results.iter().map(|&ty| letter(ty)).collect()
    }

    // -- values -------------------------------------------------------------------------------------------------------

    /// The variable of a value.
    pub fn name(&self, value: Value) -> String {
        match &self.source_names[value] {
            Some(name) => format!("{name}_{}", value.as_u32()),
            None => value.to_string(),
        }
    }

    /// A value where it is used.
    pub fn value(&mut self, value: Value) -> String {
        let Some(inlined) = &self.inlined[value] else { return self.name(value) };
        self.has_read |= inlined.reads;
        self.pending.retain(|&other| other != value);
        if inlined.is_condition { format!("(uint32_t){}", inlined.text) } else { inlined.text.clone() }
    }

    /// A value where C asks whether it is 0.
    pub fn condition(&mut self, value: Value) -> String {
        let text = self.value(value);
        let is_condition = self.inlined[value].as_ref().is_some_and(|inlined| inlined.is_condition);
        if is_condition { text.trim_start_matches("(uint32_t)").into() } else { text }
    }

    /// A cell where one of its members is wanted.
    pub fn cell(&mut self, value: Value) -> String {
        let text = self.value(value);
        if text.starts_with('&') { format!("({text})") } else { text }
    }

    /// A constant integer.
    pub fn number(&self, value: Value) -> Option<u64> {
        let data = &self.func.insts[self.defs[value]?];
        matches!(data.op, Opcode::Iconst64 | Opcode::Iconst32).then_some(data.imm)
    }

    pub fn is_print_text(&self, inst: Inst) -> bool {
        self.func.insts[inst].op == Opcode::CallRt && self.callee(inst) == PRINT_TEXT.name
    }

    /// The name of what `call_rt` calls.
    pub fn callee(&self, inst: Inst) -> &str {
        &self.program.module.externs[self.func.insts[inst].external().0].name
    }
}
