//! C99 from rooted IR of the reference-counted heap: one function of C for each function of the IR, with the retains
//! and releases that `rc-insertion` has placed, and a runtime of its own (`runtime.c`) of which nothing else knows.
//!
//! It shares no code with the other targets behind the IR, and needs no engine: a second opinion on what a program
//! does, and a way to any processor that has a C compiler.
//!
//! ```
//! let source = "
//! heap rc
//! start @main
//! func @main() phase=rooted {
//! block0:
//!   v0 = iconst.i64 42
//!   call_rt print_int(v0)
//!   ret
//! }";
//! let module = cleave_ir::text::parse_module(source)?;
//! let program = cleave_c::emit(&module)?;
//! assert!(program.contains("print_int(UINT64_C(42));"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod expression;
mod function;
mod names;
mod statements;

use cleave_ir::layout::Shape;
use cleave_ir::{Desc, EntityRef, FuncId, ImmKind, Module, Opcode, Static, StaticData, Type};
use names::Names;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Write};

const RUNTIME: &str = include_str!("runtime.c");

/// Something that has no form in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// The function where it is; empty for the program as a whole.
    pub func: String,
    /// What it is.
    pub what: String,
}

impl std::error::Error for Unsupported {}

impl Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.func.is_empty() {
            true => write!(f, "{}", self.what),
            false => write!(f, "{} in the function `{}`", self.what, self.func),
        }
    }
}

/// What functions have used: it is written before them.
#[derive(Default)]
struct Used {
    /// Constructors of cells.
    kinds: BTreeSet<Desc>,
    /// Constructors without fields whose static cells are referred to.
    statics: BTreeSet<Desc>,
    texts: BTreeSet<Static>,
    /// Lists of results, as the letters of their types.
    results: BTreeSet<String>,
}

/// What functions need to know of the program.
struct Program<'m> {
    module: &'m Module,
    funcs: Names,
    kinds: Names,
    /// Of each size class the fields of its cells: those of the largest node that lies in one.
    capacities: BTreeMap<u32, u32>,
}

impl Program<'_> {
    /// Fields of the cells of nodes with this payload.
    fn capacity(&self, ptrs: u32, nptrs: u32) -> u32 {
        let class = self.module.cell_sizes.class(ptrs, nptrs);
        self.capacities.get(&class).copied().unwrap_or_default()
    }

    fn capacity_of(&self, shape: Shape) -> u32 {
        self.capacity(shape.ptrs, shape.nptrs)
    }
}

/// A program as a file of C.
pub fn emit(module: &Module) -> Result<String, Unsupported> {
    let fail = |what: &str| Unsupported { func: String::new(), what: what.into() };
    if !module.heap.counts() {
        return Err(fail("only programs whose references are counted become C (--memory=rc)"));
    }
    if module.immediates {
        return Err(fail("references that may be integers have no form in C"));
    }
    let start = module.start.filter(|_| module.entries.is_empty());
    let start = start.ok_or_else(|| fail("a library has no start, and only programs become C"))?;
    let funcs = Names::new("f_", module.funcs.values().map(|func| func.name.as_str()));
    let kinds = Names::new("k_", module.descs.values().map(|desc| desc.label.as_str()));
    let reached = reached(module, start);
    let mut capacities = BTreeMap::new();
    for data in reached.iter().flat_map(|&id| module.funcs[id].insts.values()) {
        let (ptrs, nptrs) = if data.op == Opcode::BuildNode || data.op == Opcode::Reuse {
            module.payload(data.desc(), data.aux)
        } else if data.op.info().imm == ImmKind::Shape {
            (data.field_shape().ptrs, data.field_shape().nptrs)
        } else {
            continue;
        };
        let capacity: &mut u32 = capacities.entry(module.cell_sizes.class(ptrs, nptrs)).or_default();
        *capacity = (*capacity).max(ptrs + nptrs);
    }
    let program = Program { module, funcs, kinds, capacities };
    let mut used = Used::default();
    let (mut prototypes, mut bodies) = (String::new(), String::new());
    for id in reached {
        let (prototype, body) = function::emit(&program, id, &mut used)?;
        let _ = writeln!(prototypes, "static {prototype};");
        let _ = write!(bodies, "\n{body}");
    }
    let most = program.capacities.values().copied().max().unwrap_or_default();
    let mut out = String::new();
    let _ = writeln!(out, "/* The program {}, made by Cleave. */\n", comment(&module.name));
    let _ = write!(out, "#define MOST_FIELDS {most}\n\n{RUNTIME}");
    declarations(&program, &used, &mut out);
    let _ = write!(out, "\n{prototypes}{bodies}");
    let _ = write!(out, "\nint main(void)\n{{\n    {}();\n    return 0;\n}}\n", program.funcs.of(start));
    Ok(out)
}

/// The functions that the program can get to, by number.
fn reached(module: &Module, start: FuncId) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        let func = &module.funcs[id];
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            if let Some(callee) = func.insts[inst].called_func().filter(|&callee| found.insert(callee)) {
                open.push(callee);
            }
        }
    }
    found
}

/// Constructors, static cells, texts and lists of results.
fn declarations(program: &Program, used: &Used, out: &mut String) {
    let kinds: Vec<_> = used.kinds.union(&used.statics).map(|desc| program.kinds.of(*desc)).collect();
    if !kinds.is_empty() {
        let _ = writeln!(out, "\nenum {{ {} }};", kinds.join(", "));
    }
    for &desc in &used.statics {
        let name = program.kinds.of(desc);
        let _ = writeln!(out, "static cell {} = {{ .kind = {name}, .is = {{ STATIC_COUNT }} }};", static_cell(name));
    }
    for &text in &used.texts {
        if let StaticData::Text(bytes) = &program.module.statics[text] {
            let _ = writeln!(out, "static const char text{}[] = {};", text.index(), literal(bytes));
        }
    }
    for results in &used.results {
        let fields: Vec<_> =
            results.chars().enumerate().map(|(i, letter)| format!("{}r{i};", declared(letter))).collect();
        let _ = writeln!(out, "typedef struct {{ {} }} results_{results};", fields.join(" "));
    }
}

/// The static cell of a constructor without fields.
fn static_cell(kind: &str) -> String {
    kind.replacen("k_", "s_", 1)
}

/// A type in the name of a list of results.
fn letter(ty: Type) -> char {
    match ty {
        Type::I32 => 'b',
        Type::I64 => 'w',
        Type::F64 => 'd',
        Type::Ref => 'r',
    }
}

/// What stands before a name of this type in a declaration.
fn declared(letter: char) -> &'static str {
    match letter {
        'b' => "uint32_t ",
        'w' => "uint64_t ",
        'd' => "double ",
        'h' => "hole ",
        _ => "cell *",
    }
}

/// A string of C. Digits behind a byte in octal belong to nothing else: there are always three.
fn literal(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' | b'?' => text.extend(['\\', char::from(byte)]),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => _ = write!(text, "\\{byte:03o}"),
        }
    }
    text + "\""
}

/// Text that ends no comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace(|c: char| c.is_control(), " ")
}
