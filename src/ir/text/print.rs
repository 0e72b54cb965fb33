//! Writes modules, functions and single instructions in text form. Never panics: it prints faulty IR in error messages.

use crate::call_target::CallTarget;
use crate::entity::{Block, Caf, Desc, FuncId, Inst, Static, Table, ThunkInfo, Value};
use crate::func::{Func, Phase};
use crate::layout::{DescriptorKind, Shape};
use crate::module::{DescData, Module, StaticData, StaticField, StaticNode, TableRole, ThunkKind, WellKnownDesc};
use crate::opcode::{ImmKind, Opcode, ResultRule};
use crate::runtime::ExternData;
use crate::source::Location;
use crate::types::Type;
use cleave_abi::{Effects, libcalls};
use std::fmt::{self, Display, Formatter, Write};

/// The whole module.
pub fn print_module(module: &Module) -> String {
    let mut out = String::new();
    write_module(module, &mut out).expect("writing to a string");
    out
}

/// The whole module with the version of the text form: what goes into a file.
pub fn print_file(module: &Module) -> String {
    format!("version {}\n{}", super::former_words::VERSION, print_module(module))
}

/// One function. The module gives the names of what it refers to.
pub fn print_func(module: &Module, func: &Func) -> String {
    let mut out = String::new();
    write_func(module, func, &mut out).expect("writing to a string");
    out
}

/// One instruction without its line's indentation.
pub struct InstDisplay<'a> {
    module: &'a Module,
    func: &'a Func,
    block: Block,
    inst: Inst,
}

impl<'a> InstDisplay<'a> {
    /// The block gives the targets of a terminator.
    pub fn new(module: &'a Module, func: &'a Func, block: Block, inst: Inst) -> Self {
        InstDisplay { module, func, block, inst }
    }
}

/// A name after its sigil, quoted if need be.
pub(super) struct Name<'a>(pub char, pub &'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let plain = !self.1.is_empty() && self.1.bytes().all(super::lex::is_name_byte);
        if plain { write!(f, "{}{}", self.0, self.1) } else { write!(f, "{}{}", self.0, Quoted(self.1.as_bytes())) }
    }
}

/// Bytes in quotes with escapes.
pub(super) struct Quoted<'a>(pub &'a [u8]);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for &byte in self.0 {
            match byte {
                b'"' | b'\\' => write!(f, "\\{}", byte as char)?,
                b' '..=b'~' => f.write_char(byte as char)?,
                _ => write!(f, "\\{byte:02x}")?,
            }
        }
        f.write_char('"')
    }
}

/// Items with commas in between.
pub(super) struct List<I>(pub I);

impl<I: Iterator<Item = T> + Clone, T: Display> Display for List<I> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.clone().enumerate() {
            write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

fn values(values: &[Value]) -> List<impl Iterator<Item = &Value> + Clone> {
    List(values.iter())
}

pub(super) fn func_name<'a>(module: &'a Module, func: Option<&'a Func>, id: FuncId) -> Name<'a> {
    match (module.funcs.get(id), func) {
        // A function that was taken out of its module calls itself.
        (Some(f), Some(own)) if f.name.is_empty() && f.entry.is_none() => Name('@', &own.name),
        (Some(f), _) => Name('@', &f.name),
        (None, _) => Name('@', "<unknown>"),
    }
}
pub(super) fn desc_name(module: &Module, id: Desc) -> Name<'_> {
    Name('$', module.descs.get(id).map_or("<unknown>", |d| &d.label))
}
fn entry_name(module: &Module, id: ThunkInfo) -> Name<'_> {
    Name('&', module.thunk_infos.get(id).map_or("<unknown>", |e| &e.label))
}
fn caf_name(module: &Module, id: Caf) -> Name<'_> {
    Name('^', module.cafs.get(id).map_or("<unknown>", |c| &c.label))
}
pub(super) fn table_name(module: &Module, id: Table) -> Name<'_> {
    Name('%', module.tables.get(id).map_or("<unknown>", |t| &t.label))
}

pub(super) const DESCRIPTOR_KINDS: [(DescriptorKind, &str); 15] = [
    (DescriptorKind::Constructor, "constructor"),
    (DescriptorKind::Int, "int"),
    (DescriptorKind::Char, "char"),
    (DescriptorKind::Bool, "bool"),
    (DescriptorKind::Real, "real"),
    (DescriptorKind::File, "file"),
    (DescriptorKind::String, "string"),
    (DescriptorKind::Array, "array"),
    (DescriptorKind::BoxedArray, "boxed_array"),
    (DescriptorKind::Empty, "nil"),
    (DescriptorKind::ListCell, "cons"),
    (DescriptorKind::Tuple, "tuple"),
    (DescriptorKind::Record, "record"),
    (DescriptorKind::UnboxedListCell, "unboxed_cons"),
    (DescriptorKind::Foreign, "foreign"),
];

fn kind_name(kind: DescriptorKind) -> &'static str {
    DESCRIPTOR_KINDS[kind as usize].1
}

fn desc_line(module: &Module, desc: &DescData) -> Result<String, fmt::Error> {
    let mut out = String::new();
    let (label, kind) = (Name('$', &desc.label), kind_name(desc.kind));
    write!(out, "desc {label} = {kind} arity {} tag {} {}", desc.arity, desc.tag, Quoted(&desc.name))?;
    if let Some(record) = &desc.record {
        write!(out, " fields {}, {} {}", record.ptrs, record.nptrs, Quoted(&record.types))?;
        if !record.nested.is_empty() {
            write!(out, " nested [{}]", List(record.nested.iter().map(|&d| desc_name(module, d))))?;
        }
    }
    if desc.contiguous {
        out.push_str(" contiguous");
    }
    if desc.immutable {
        out.push_str(" immutable");
    }
    if desc.callable {
        out.push_str(" callable");
    }
    if !desc.apply.is_empty() {
        let code = desc.apply.iter().map(|&code| match code {
            Some(func) => func_name(module, None, func).to_string(),
            None => "none".into(),
        });
        write!(out, " apply [{}]", List(code))?;
    }
    if let Some((table, func)) = desc.method {
        write!(out, " method {} {}", table_name(module, table), func_name(module, None, func))?;
    }
    Ok(out)
}

fn write_static_node(module: &Module, id: Static, node: &StaticNode, out: &mut String) -> fmt::Result {
    let field = |&field: &StaticField| match field {
        StaticField::Object(object) => object.to_string(),
        StaticField::Node(desc) => format!("node {}", desc_name(module, desc)),
        StaticField::Int(n) => format!("int {n}"),
        StaticField::Char(char) => format!("char {char}"),
        StaticField::Bool(truth) => format!("bool {}", u8::from(truth)),
    };
    let (ptrs, nptrs) = (List(node.ptrs.iter().map(field)), List(node.nptrs.iter().map(|&word| word as i64)));
    writeln!(out, "{id} = node {}/{} [{ptrs}] [{nptrs}]", desc_name(module, node.desc), node.applied_args)
}

/// The externs that are called, without those of the runtime contract.
fn write_externs(module: &Module, out: &mut String) -> fmt::Result {
    let called = module.called_externs().into_iter().map(|id| &module.externs[id]);
    let mut listed = called.filter(|data| data.from.is_some() || libcalls::find(&data.name).is_none());
    listed.try_for_each(|data| writeln!(out, "extern {}{data}", data.name))
}

/// Types and effects of an extern, as after its name.
impl Display for ExternData {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "({}) -> ({})", List(self.params.iter()), List(self.results.iter()))?;
        if self.effects == Effects::PURE {
            f.write_str(" [pure]")?;
        } else {
            write!(f, " [{}]", List(self.effects.words()))?;
        }
        match &self.from {
            Some(module) => write!(f, " from {}", Quoted(module.as_bytes())),
            None => Ok(()),
        }
    }
}

fn write_module(module: &Module, out: &mut String) -> fmt::Result {
    writeln!(out, "module {}", Quoted(module.name.as_bytes()))?;
    let fresh = Module::new("");
    for (id, desc) in &module.descs {
        let line = desc_line(module, desc)?;
        let known = (id.as_u32() as usize) < WellKnownDesc::ALL.len();
        if !known || desc_line(&fresh, &fresh.descs[id])? != line {
            writeln!(out, "{line}")?;
        }
    }
    write_externs(module, out)?;
    for (id, data) in &module.statics {
        match data {
            StaticData::String(bytes) => writeln!(out, "{id} = string {}", Quoted(bytes))?,
            StaticData::Text(bytes) => writeln!(out, "{id} = text {}", Quoted(bytes))?,
            StaticData::Node(node) => write_static_node(module, id, node, out)?,
            StaticData::Symbol { name, missing } => {
                writeln!(out, "{id} = symbol {} missing {}", Quoted(name), Quoted(missing))?
            }
        }
    }
    for caf in module.cafs.values() {
        writeln!(out, "caf {} ptrs {} nptrs {}", Name('^', &caf.label), caf.ptrs, caf.nptrs)?;
    }
    for table in module.tables.values() {
        let funcs = List(table.funcs.iter().map(|&f| func_name(module, None, f)));
        let role = match table.role {
            TableRole::Plain => String::new(),
            TableRole::Apply(missing) => format!("apply {missing} "),
            TableRole::Method => "method ".into(),
            TableRole::Update => "update ".into(),
        };
        writeln!(out, "table {} = {role}{} [{funcs}]", Name('%', &table.label), table.signature)?;
    }
    for entry in module.thunk_infos.values() {
        write!(out, "thunk_info {} = ", Name('&', &entry.label))?;
        match entry.kind {
            ThunkKind::Plain => out.push_str("plain"),
            ThunkKind::Indirection => out.push_str("indirection"),
            ThunkKind::SelectRef(n) => write!(out, "select_ref {n}")?,
            ThunkKind::SelectField(n) => write!(out, "select_field {n}")?,
            ThunkKind::SelectWord(n, kind) => write!(out, "select_word {n} {}", kind_name(kind))?,
        }
        let code = func_name(module, None, entry.code);
        write!(out, " ptrs {} nptrs {} code {code}", entry.ptrs, entry.nptrs)?;
        if let Some(update) = entry.update {
            write!(out, " update {}", func_name(module, None, update))?;
        }
        if let Some(desc) = entry.desc {
            write!(out, " desc {}", desc_name(module, desc))?;
        }
        out.push('\n');
    }
    super::print_interface::write_interface(module, out)?;
    if let Some(start) = module.start {
        writeln!(out, "start {}", func_name(module, None, start))?;
    }
    if let Some(entry) = module.blackhole_info {
        writeln!(out, "blackhole {}", entry_name(module, entry))?;
    }
    if module.observes_identity {
        out.push_str("observes_identity\n");
    }
    if module.immediates {
        out.push_str("immediates\n");
    }
    if module.heap != Default::default() {
        writeln!(out, "heap {}", module.heap.word())?;
    }
    if module.cell_sizes.is_fixed() && module.heap.counts() {
        out.push_str("cells fixed\n");
    }
    for (bytes, widened) in module.cell_sizes.bytes() {
        writeln!(out, "cells {bytes} in {widened}")?;
    }
    for &desc in module.cycles.descs() {
        writeln!(out, "cyclic {}", desc_name(module, desc))?;
    }
    if module.cycles.arrays {
        out.push_str("cyclic arrays\n");
    }
    for func in module.funcs.values() {
        out.push('\n');
        write_func(module, func, out)?;
    }
    Ok(())
}

fn typed<'a>(func: &'a Func, list: &'a [Value]) -> List<impl Iterator<Item = String> + Clone + 'a> {
    List(list.iter().map(|&v| match func.values.get(v) {
        Some(ty) => format!("{v}: {ty}"),
        None => format!("{v}: <unknown>"),
    }))
}

/// Column of the comments that say where instructions came from.
const COMMENTS: usize = 40;

/// Ends a line, which began at `start`, with its place in the source where that is known and not the one before.
fn write_location(module: &Module, at: Location, last: &mut Location, start: usize, out: &mut String) -> fmt::Result {
    let file = module.source.as_ref().and_then(|source| source.files.get(usize::from(at.file)));
    if let Some(file) = file.filter(|_| at.is_known() && *last != at) {
        *last = at;
        let gap = COMMENTS.saturating_sub(out[start..].chars().count()).max(1);
        write!(out, "{:gap$}; {file}:{}:{}", "", at.line, at.column)?;
    }
    out.push('\n');
    Ok(())
}

fn write_func(module: &Module, func: &Func, out: &mut String) -> fmt::Result {
    let params: &[Value] = func.entry.filter(|&b| func.blocks.is_valid(b)).map_or(&[], |b| func.params(b));
    let start = out.len();
    write!(out, "func {}(", Name('@', &func.name))?;
    if params.iter().map(|&v| func.values.get(v).copied()).eq(func.signature.params.iter().map(|&t| Some(t))) {
        write!(out, "{})", typed(func, params))?;
    } else {
        write!(out, "{})", List(func.signature.params.iter()))?;
    }
    if !func.signature.results.is_empty() {
        write!(out, " -> {}", List(func.signature.results.iter()))?;
    }
    match func.phase {
        Phase::High => {}
        Phase::Rooted => out.push_str(" phase=rooted"),
        Phase::Low => out.push_str(" phase=low"),
    }
    if !func.may_gc {
        out.push_str(if func.takes_stack_pointer { " gc_leaf stack_pointer" } else { " gc_leaf" });
    }
    if let Some(strategy) = func.roots {
        write!(out, " roots={}", strategy.word())?;
    }
    if func.fip {
        out.push_str(" fip");
    }
    if !func.borrows.is_empty() {
        write!(out, " borrows [{}]", List(func.borrows.iter()))?;
    }
    if !func.holes.is_empty() {
        write!(out, " holes [{}]", List(func.holes.iter()))?;
    }
    out.push_str(" {");
    let mut last = Location::NONE;
    write_location(module, func.source.as_ref().map_or(last, |source| source.start), &mut last, start, out)?;
    for &block in &func.layout {
        if !func.blocks.is_valid(block) {
            writeln!(out, "; {block} does not exist")?;
            continue;
        }
        write!(out, "{block}")?;
        if !func.params(block).is_empty() {
            let params = func.params(block).iter().map(|&param| {
                let typed = typed(func, &[param]).to_string();
                match func.borrowed.iter().find(|borrowed| borrowed.0 == param) {
                    Some((_, Some(borrow_source))) => format!("{typed} borrowed {borrow_source}"),
                    Some(_) => format!("{typed} borrowed"),
                    None => typed,
                }
            });
            write!(out, "({})", List(params))?;
        }
        out.push_str(":\n");
        for &inst in &func.blocks[block].insts {
            let start = out.len();
            write!(out, "  {}", InstDisplay::new(module, func, block, inst))?;
            write_location(module, func.location(inst), &mut last, start, out)?;
        }
    }
    out.push_str("}\n");
    Ok(())
}

/// Type of result `i` as it follows from the rest of the instruction.
fn derived_type(module: &Module, func: &Func, inst: Inst, i: usize) -> Option<Type> {
    let data = &func.insts[inst];
    let arg = |n: usize| func.args(inst).get(n).and_then(|&v| func.values.get(v)).copied();
    match data.op.info().result {
        ResultRule::None => None,
        ResultRule::One(ty) => (i == 0).then_some(ty),
        ResultRule::SameAsFirst => arg(0).filter(|_| i == 0),
        ResultRule::SameAsSecond => arg(1).filter(|_| i == 0),
        ResultRule::Element => (i == 0).then(|| data.array_kind().ty()),
        ResultRule::Outcome => ResultRule::OUTCOME.get(i).copied(),
        rule @ (ResultRule::Callee | ResultRule::Handled) => {
            let types: &[Type] = match CallTarget::of(data.op.mere_call(), data.imm) {
                Some(CallTarget::Func(callee)) => &crate::verify::callee(module, func, callee)?.signature.results,
                Some(CallTarget::Extern(id, _)) => &module.externs.get(id)?.results,
                Some(CallTarget::Table(table) | CallTarget::Method(table)) => {
                    &module.tables.get(table)?.signature.results
                }
                Some(CallTarget::Closure | CallTarget::Thunk | CallTarget::Entry) | None => &[Type::Ref],
            };
            let is_exception = rule == ResultRule::Handled && i == types.len();
            types.get(i).copied().or(is_exception.then_some(Type::Ref))
        }
    }
}

impl Display for InstDisplay<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let InstDisplay { module, func, block, inst } = *self;
        let Some(data) = func.insts.get(inst) else { return write!(f, "; {inst} does not exist") };
        for (i, &result) in func.results(inst).iter().enumerate() {
            write!(f, "{}{result}", if i == 0 { "" } else { ", " })?;
            let ty = func.values.get(result).copied();
            if ty != derived_type(module, func, inst, i) {
                write!(f, ": {}", ty.map_or("<unknown>", Type::name))?;
            }
        }
        if !func.results(inst).is_empty() {
            f.write_str(" = ")?;
        }
        let info = data.op.info();
        f.write_str(info.name)?;
        let args = func.args(inst);
        let number = data.imm as u32;
        // Immediates that stand before the operands.
        match info.imm {
            ImmKind::Int => write!(f, " {}", data.imm as i64)?,
            ImmKind::Float => {
                let real = f64::from_bits(data.imm);
                if real.is_finite() { write!(f, " {real:?}")? } else { write!(f, " {:#x}", data.imm)? }
            }
            ImmKind::Func => {
                write!(f, " {}({})", func_name(module, Some(func), FuncId::from_u32(number)), values(args))?
            }
            ImmKind::Extern => {
                let name = module.externs.get(data.external().0).map_or("<unknown>", |data| &data.name);
                write!(f, " {name}({})", values(args))?;
            }
            ImmKind::Table => write!(f, " {}({})", table_name(module, Table::from_u32(number)), values(args))?,
            ImmKind::NodeInfo => write!(f, " {}/{}", desc_name(module, data.desc()), data.aux)?,
            ImmKind::ThunkInfo => write!(f, " {}", entry_name(module, data.thunk_info()))?,
            ImmKind::Static => write!(f, " {}", Static::from_u32(number))?,
            ImmKind::Desc => write!(f, " {}", desc_name(module, data.desc()))?,
            ImmKind::Caf => {
                write!(f, " {}", caf_name(module, Caf::from_u32(number)))?;
                let is_whole = data.op == Opcode::CafState || data.op == Opcode::SetCafState;
                if data.aux != 0 || !is_whole && data.op != Opcode::CafAddr {
                    write!(f, "/{}", data.aux)?;
                }
            }
            ImmKind::Slot => write!(f, " s{}{}", data.imm, if args.is_empty() { "" } else { "," })?,
            ImmKind::Bytes => write!(f, " {}", data.imm)?,
            ImmKind::Elements => {
                write!(f, " {}{}", data.array_kind().word(), if data.aux == 0 { "" } else { " unchecked" })?;
            }
            ImmKind::None | ImmKind::Frame | ImmKind::Field | ImmKind::Shape | ImmKind::Offset | ImmKind::Element => {}
        }
        if !args.is_empty() && !matches!(info.imm, ImmKind::Func | ImmKind::Extern | ImmKind::Table) {
            write!(f, " {}", values(args))?;
        }
        match info.imm {
            ImmKind::Field => {
                let Shape { ptrs, nptrs, contiguous } = data.field_shape();
                write!(f, "{} ({ptrs}, {nptrs}) {}", if contiguous { " contiguous" } else { "" }, data.aux)?;
            }
            ImmKind::Shape => {
                let Shape { ptrs, nptrs, .. } = data.field_shape();
                write!(f, " ({ptrs}, {nptrs})")?;
            }
            ImmKind::Offset => write!(f, " +{}", data.imm)?,
            ImmKind::Element => {
                let (stride, offset) = data.element();
                write!(f, " stride {stride} at {offset}")?;
            }
            ImmKind::Func | ImmKind::Extern | ImmKind::Table | ImmKind::Frame | ImmKind::Bytes if data.aux != 0 => {
                write!(f, " frame {}", data.aux)?;
            }
            _ => {}
        }
        if func.blocks.get(block).is_none_or(|b| b.insts.last() != Some(&inst)) {
            return Ok(());
        }
        for (i, edge) in func.blocks[block].edges.iter().enumerate() {
            let is_first = i == 0 && args.is_empty() && !matches!(info.imm, ImmKind::Func | ImmKind::Table);
            write!(f, "{}{}", if is_first { " " } else { ", " }, edge.block)?;
            if !func.edge_args(edge).is_empty() {
                write!(f, "({})", values(func.edge_args(edge)))?;
            }
        }
        Ok(())
    }
}
