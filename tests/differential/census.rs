//! What of the IR generated programs have: a table of everything there is, for each heap, and how many programs have
//! it. The lists come from the types of the IR: a new variant or a new field does not compile here before it has a row.
//! What no front end writes, and what others test, is in a list of exceptions with its reason (`exceptions`).

mod exceptions;

use cleave_ir::heap::HEAPS;
use cleave_ir::layout::DescriptorKind;
use cleave_ir::module::{CafData, DescData, RecordData, StaticData, StaticField, TableData, ThunkInfoData, ThunkKind};
use cleave_ir::{
    Effects, ExternData, Func, Heap, Libcall, LibcallSignature, Module, Opcode, Phase, RootStrategy, TableRole, Type,
    WellKnownDesc, libcalls,
};
use exceptions::{Exception, exceptions};
use std::collections::{BTreeMap, BTreeSet};

/// A function that gives the word of a variant, and the list of all words.
macro_rules! nptrs {
    ($function:ident, $all:ident: $of:ty { $($pattern:pat => $word:literal,)* }) => {
        fn $function(value: &$of) -> &'static str {
            match value {
                $($pattern => $word,)*
            }
        }
        const $all: &[&str] = &[$($word),*];
    };
}

nptrs! { kind_word, KINDS: DescriptorKind {
    DescriptorKind::Constructor => "constructor",
    DescriptorKind::Int => "int",
    DescriptorKind::Char => "char",
    DescriptorKind::Bool => "bool",
    DescriptorKind::Real => "real",
    DescriptorKind::File => "file",
    DescriptorKind::String => "string",
    DescriptorKind::Array => "array",
    DescriptorKind::BoxedArray => "boxed_array",
    DescriptorKind::Empty => "nil",
    DescriptorKind::ListCell => "cons",
    DescriptorKind::Tuple => "tuple",
    DescriptorKind::Record => "record",
    DescriptorKind::UnboxedListCell => "unboxed_cons",
} }
nptrs! { role_word, ROLES: TableRole {
    TableRole::Plain => "plain",
    TableRole::Apply(_) => "apply",
    TableRole::Method => "method",
    TableRole::Update => "update",
} }
nptrs! { entry_word, ENTRIES: ThunkKind {
    ThunkKind::Plain => "plain",
    ThunkKind::Indirection => "indirection",
    ThunkKind::SelectRef(_) => "select_ref",
    ThunkKind::SelectField(_) => "select_field",
    ThunkKind::SelectWord(..) => "select_word",
} }
nptrs! { static_word, STATICS: StaticData {
    StaticData::String(_) => "string",
    StaticData::Text(_) => "text",
    StaticData::Node(_) => "node",
    StaticData::Symbol { .. } => "symbol",
} }
nptrs! { static_field_word, STATIC_FIELDS: StaticField {
    StaticField::Object(_) => "object",
    StaticField::Node(_) => "node",
    StaticField::Int(_) => "int",
    StaticField::Char(_) => "char",
    StaticField::Bool(_) => "bool",
} }
nptrs! { phase_word, PHASES: Phase {
    Phase::High => "high",
    Phase::Rooted => "rooted",
    Phase::Low => "low",
} }

/// What a node is, for the attributes of its descriptor.
const NODES: [&str; 4] = ["atom", "record", "constructor", "closure"];
const NUMBERS: [Type; 2] = [Type::I64, Type::F64];

/// What a front end may call on a heap.
fn is_callable(row: &LibcallSignature, heap: Heap) -> bool {
    let is_own = Libcall::ALL.iter().any(|libcall| libcall.signature().name == row.name);
    let has_refs = row.params.iter().chain(row.results).any(|&ty| ty == Type::Ref);
    match heap {
        _ if is_own => {
            [libcalls::HALT.name, libcalls::ADD_ARGUMENT.name].contains(&row.name) && (heap == Heap::Gc || !has_refs)
        }
        Heap::Gc => !row.effects.all(Effects::RC),
        Heap::Rc => row.effects.all(Effects::RC) || !row.effects.may_gc() && !has_refs,
    }
}

/// All rows of the table for a heap.
fn all(heap: Heap) -> Vec<String> {
    let mut rows: BTreeSet<String> = BTreeSet::new();
    let mut add =
        |of: &str, nptrs: &mut dyn Iterator<Item = &str>| rows.extend(nptrs.map(|word| format!("{of} {word}")));
    add("kind", &mut KINDS.iter().copied());
    add("known", &mut WellKnownDesc::ALL.iter().map(|known| known.label()));
    add("table", &mut ROLES.iter().copied());
    add("thunk_info", &mut ENTRIES.iter().chain(&["update", "desc", "small", "large"]).copied());
    add("static", &mut STATICS.iter().copied());
    add("static field", &mut STATIC_FIELDS.iter().copied());
    add("phase", &mut PHASES.iter().copied());
    add("roots", &mut RootStrategy::ALL.iter().map(|strategy| strategy.word()));
    add("function", &mut ["gc_leaf", "fip", "borrows", "borrowed", "holes"].into_iter());
    add("module", &mut ["start", "blackhole", "observes_identity", "immediates", "counts cells"].into_iter());
    add("desc", &mut ["apply", "apply none", "method", "callable", "nested", "tag", "arity"].into_iter());
    add("caf", &mut ["ptrs", "nptrs"].into_iter());
    add("effect", &mut Effects::WORDS.iter().map(|(_, word)| *word).chain(["pure", "from"]));
    add("extern", &mut libcalls::ALL.iter().filter(|row| is_callable(row, heap)).map(|row| row.name));
    let high = Opcode::ALL.iter().filter(|op| op.info().phases.contains(Phase::High));
    add("opcode", &mut high.map(|op| op.name()));
    for place in ["parameter", "result", "block parameter", "table parameter", "table result", "select"] {
        add(place, &mut Type::ALL.iter().map(|ty| ty.name()));
    }
    for node in NODES {
        // A closure grows by copies of other shapes.
        let contiguous: &[&str] =
            if node == "closure" { &["not contiguous"] } else { &["contiguous", "not contiguous"] };
        for contiguous in contiguous {
            add(&format!("{node} {contiguous}"), &mut ["immutable", "not immutable"].into_iter());
        }
    }
    add("record", &mut NUMBERS.iter().map(|ty| ty.name()));
    for node in ["record", "constructor", "closure"] {
        add(node, &mut ["static"].into_iter());
    }
    add("results", &mut ["0", "1", "2", "more"].into_iter());
    rows.into_iter().collect()
}

/// Rows of the table, and how many programs have each.
#[derive(Default)]
pub struct Table {
    counts: BTreeMap<(&'static str, String), u64>,
}

impl Table {
    /// Counts a program.
    pub fn add(&mut self, module: &Module) {
        let mut found = BTreeSet::new();
        items(module, &mut |row| {
            found.insert(row);
        });
        for row in found {
            *self.counts.entry((module.heap.word(), row)).or_default() += 1;
        }
    }

    /// What fewer programs have than a limit, though no exception says so, and exceptions that are none.
    pub fn wrong(&self, least: u64) -> Vec<String> {
        let exceptions = exceptions();
        let mut wrong = Vec::new();
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for heap in HEAPS {
            let rows = all(heap);
            for row in &rows {
                let count = self.counts.get(&(heap.word(), row.clone())).copied().unwrap_or(0);
                let exception = exceptions.iter().find(|exception| exception.is_for(heap, row));
                match exception {
                    Some(exception) if count == 0 => {
                        used.insert(exception.row);
                    }
                    Some(Exception { reason, .. }) if count > 0 => {
                        wrong.push(format!("{}: {row}: in {count} programs, though {reason}", heap.word()));
                    }
                    _ if count < least => wrong.push(format!("{}: {row}: in {count} programs", heap.word())),
                    _ => {}
                }
            }
            let made = self.counts.keys().filter(|(own, row)| *own == heap.word() && !rows.contains(row));
            wrong.extend(made.map(|(heap, row)| format!("{heap}: {row}: is made, and not in the table")));
        }
        let unused = exceptions.iter().filter(|exception| !used.contains(exception.row));
        wrong.extend(unused.map(|exception| format!("the exception `{}` is none", exception.row)));
        wrong
    }
}

/// Says each row that a module has.
fn items(module: &Module, say: &mut dyn FnMut(String)) {
    let Module {
        name: _,
        funcs,
        externs,
        descs,
        thunk_infos,
        statics,
        cafs,
        tables,
        start,
        blackhole_info,
        observes_identity,
        immediates,
        heap: _,
        cell_sizes: _,
        cycles,
        keeps_rc_stats,
        captures: _,
        source: _,
        interface: _,
        entries: _,
        exchange: _,
    } = module;
    let nptrs = [
        ("start", start.is_some()),
        ("blackhole", blackhole_info.is_some()),
        ("observes_identity", *observes_identity),
        ("immediates", *immediates),
        ("counts cells", *keeps_rc_stats),
        ("cyclic", !cycles.is_empty()),
    ];
    nptrs.into_iter().filter(|word| word.1).for_each(|(word, _)| say(format!("module {word}")));
    for desc in descs.values().skip(WellKnownDesc::ALL.len()) {
        descriptor(desc, say);
    }
    for ThunkInfoData { label: _, kind, ptrs, nptrs, code: _, update, desc } in thunk_infos.values() {
        say(format!("thunk_info {}", entry_word(kind)));
        say(format!(
            "thunk_info {}",
            if ptrs + 2 * nptrs <= cleave_ir::layout::INLINE_SLOTS { "small" } else { "large" }
        ));
        update.iter().for_each(|_| say("thunk_info update".into()));
        desc.iter().for_each(|_| say("thunk_info desc".into()));
    }
    for data in statics.values() {
        say(format!("static {}", static_word(data)));
        if let StaticData::Node(node) = data {
            node.ptrs.iter().for_each(|field| say(format!("static field {}", static_field_word(field))));
            say(format!("{} static", node_word(&module.descs[node.desc], node.applied_args)));
        }
    }
    for CafData { label: _, ptrs, nptrs } in cafs.values() {
        let counts = [("ptrs", ptrs), ("nptrs", nptrs)];
        counts.into_iter().filter(|count| *count.1 > 0).for_each(|(word, _)| say(format!("caf {word}")));
    }
    for TableData { label: _, role, signature, funcs: _ } in tables.values() {
        say(format!("table {}", role_word(role)));
        signature.params.iter().for_each(|ty| say(format!("table parameter {}", ty.name())));
        signature.results.iter().for_each(|ty| say(format!("table result {}", ty.name())));
    }
    for id in module.called_externs() {
        let ExternData { name, params: _, results: _, effects, from } = &externs[id];
        if libcalls::find(name).is_some() {
            say(format!("extern {name}"));
        }
        effects.words().for_each(|word| say(format!("effect {word}")));
        if *effects == Effects::PURE {
            say("effect pure".into());
        }
        from.iter().for_each(|_| say("effect from".into()));
    }
    funcs.values().for_each(|func| function(module, func, say));
}

/// What the nodes of a descriptor are that hold so many arguments.
fn node_word(desc: &DescData, applied_args: u32) -> &'static str {
    match (&desc.record, desc.callable) {
        (_, true) => "closure",
        (Some(_), _) => "record",
        (None, _) if applied_args == 0 => "atom",
        (None, _) => "constructor",
    }
}

fn descriptor(desc: &DescData, say: &mut dyn FnMut(String)) {
    let DescData { name: _, kind: _, label: _, arity, record, tag: number, apply, method, callable, .. } = desc;
    // Said for nodes, where they are made.
    let DescData { contiguous: _, immutable: _, .. } = desc;
    if let Some(RecordData { ptrs: _, nptrs: _, types: _, nested }) = record
        && !nested.is_empty()
    {
        say("desc nested".into());
    }
    let nptrs = [
        ("arity", *arity > 0),
        ("tag", *number > 0),
        ("apply", apply.iter().any(Option::is_some)),
        ("apply none", apply.iter().any(Option::is_none)),
        ("method", method.is_some()),
        ("callable", *callable),
    ];
    nptrs.into_iter().filter(|word| word.1).for_each(|(word, _)| say(format!("desc {word}")));
}

/// A node of a descriptor is made.
fn node(module: &Module, id: cleave_ir::Desc, applied_args: u32, say: &mut dyn FnMut(String)) {
    let desc = &module.descs[id];
    say(format!("kind {}", kind_word(&desc.kind)));
    if let Some(known) = WellKnownDesc::ALL.into_iter().find(|known| known.desc() == id) {
        return say(format!("known {}", known.label()));
    }
    let (contiguous, immutable) = (if desc.contiguous { "" } else { "not " }, if desc.immutable { "" } else { "not " });
    say(format!("{} {contiguous}contiguous {immutable}immutable", node_word(desc, applied_args)));
}

fn function(module: &Module, func: &Func, say: &mut dyn FnMut(String)) {
    let Func {
        name: _,
        signature,
        phase,
        may_gc,
        takes_stack_pointer: _,
        is_outlined: _,
        roots,
        fip,
        borrows,
        borrowed,
        holes,
        entry: _,
        blocks: _,
        layout,
        insts: _,
        values,
        pool: _,
        source: _,
    } = func;
    say(format!("phase {}", phase_word(phase)));
    roots.iter().for_each(|strategy| say(format!("roots {}", strategy.word())));
    let nptrs = [
        ("gc_leaf", !may_gc),
        ("fip", *fip),
        ("borrows", !borrows.is_empty()),
        ("borrowed", !borrowed.is_empty()),
        ("holes", !holes.is_empty()),
    ];
    nptrs.into_iter().filter(|word| word.1).for_each(|(word, _)| say(format!("function {word}")));
    signature.params.iter().for_each(|ty| say(format!("parameter {}", ty.name())));
    signature.results.iter().for_each(|ty| say(format!("result {}", ty.name())));
    say(match signature.results.len() {
        many @ 0..=2 => format!("results {many}"),
        _ => "results more".into(),
    });
    for &block in layout {
        if block != func.entry_block() {
            func.params(block).iter().for_each(|&param| say(format!("block parameter {}", values[param].name())));
        }
        for &inst in &func.blocks[block].insts {
            instruction(module, func, inst, say);
        }
    }
}

fn instruction(module: &Module, func: &Func, inst: cleave_ir::Inst, say: &mut dyn FnMut(String)) {
    let data = &func.insts[inst];
    say(format!("opcode {}", data.op.name()));
    match data.op {
        Opcode::BuildNode | Opcode::FillNode => {
            node(module, data.desc(), data.aux, say);
            let types = func.args(inst).iter().map(|&arg| func.values[arg]).filter(|ty| NUMBERS.contains(ty));
            types.for_each(|ty| say(format!("record {}", ty.name())));
        }
        Opcode::NodeRef => node(module, data.desc(), 0, say),
        Opcode::BoxInt | Opcode::SmallInt => node(module, WellKnownDesc::Int.desc(), 0, say),
        Opcode::BoxChar => node(module, WellKnownDesc::Char.desc(), 0, say),
        Opcode::BoxBool => node(module, WellKnownDesc::Bool.desc(), 0, say),
        Opcode::StaticRef => node(module, WellKnownDesc::String.desc(), 0, say),
        Opcode::CallRt if module.externs[data.external().0].name == libcalls::NEW_ARRAY.name => {
            node(module, WellKnownDesc::Array.desc(), 0, say);
        }
        Opcode::Select => say(format!("select {}", func.values[func.args(inst)[1]].name())),
        _ => {}
    }
}
