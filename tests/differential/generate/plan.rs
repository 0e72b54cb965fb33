//! The plan of a generated program: descriptors, entries, closures, functions with their signatures, all before the
//! first instruction, so that everything can name everything.

use super::super::link::name_externs;
use crate::roots::Rng;
use cleave_clean::externs::Runtime;
use cleave_ir::layout::{DescriptorKind, INLINE_SLOTS};
use cleave_ir::module::RecordData;
use cleave_ir::text::parse_module;
use cleave_ir::{
    Caf, Desc, DescData, Func, FuncId, Module, Signature, Static, StaticData, Table, TableData, ThunkInfo,
    ThunkInfoData, ThunkKind, Type,
};

const LIBRARY: &str = include_str!("library.ir");

/// A constructor or record of the program.
#[derive(Clone, Debug)]
pub struct NodeType {
    pub desc: Desc,
    /// Applied arguments in rows: references of a constructor, 0 for records.
    pub applied_args: u32,
    pub ptrs: u32,
    pub nptrs: Vec<Type>,
    /// Another type of the same shape, for `set_row`.
    pub stackless: Option<usize>,
}

impl NodeType {
    pub fn is_empty(&self) -> bool {
        self.ptrs == 0 && self.nptrs.is_empty()
    }
}

/// How the code of an entry ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The thunk is overwritten by a node of the type that it promises.
    Fill,
    /// It becomes a copy of an evaluated node.
    Copy,
    /// It becomes an indirection.
    Indirect,
}

/// A kind of thunk.
#[derive(Clone, Debug)]
pub struct EntryType {
    pub entry: ThunkInfo,
    pub ptrs: u32,
    pub nptrs: Vec<Type>,
    /// What evaluation gives, if that is always the same.
    pub gives: Option<usize>,
    pub ending: Ending,
    /// Fits in the smallest cell.
    pub is_small: bool,
}

/// What a selector takes from the node in its argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selected {
    Reference(u32),
    Word(u32),
}

#[derive(Clone, Debug)]
pub struct Selector {
    pub entry: ThunkInfo,
    pub of: usize,
    pub field: Selected,
}

/// A function with arguments missing.
#[derive(Clone, Debug)]
pub struct Closure {
    pub desc: Desc,
    pub arity: u32,
    /// Takes all arguments.
    pub code: FuncId,
    /// For each number of applied arguments.
    pub full: Vec<Option<FuncId>>,
}

/// A random function. Its first parameter counts down in self calls.
#[derive(Clone, Debug)]
pub struct FuncType {
    pub id: FuncId,
    pub params: Vec<Type>,
    pub results: Vec<Type>,
    /// Takes fuel at its start: may be called from everywhere.
    pub is_fuelled: bool,
}

/// What the library offers, by name.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    pub show: FuncId,
    pub burn: FuncId,
    pub print_word: FuncId,
    pub print_number: FuncId,
    pub upto: FuncId,
    pub sum: FuncId,
    pub sum_onto: FuncId,
    pub halves: FuncId,
    pub copied: FuncId,
    pub apply_on: FuncId,
    pub member_of: FuncId,
    pub from: ThunkInfo,
    pub map: ThunkInfo,
    pub split: ThunkInfo,
    pub first: ThunkInfo,
    pub second: ThunkInfo,
    pub budget: Caf,
    pub caf: Caf,
    pub pair: Desc,
    pub bar: Static,
    pub unknown: Static,
    /// `rule`, `module`: operands of the match error.
    pub names: [Static; 2],
    pub strings: [Static; 4],
}

/// What a program is about. Few things at a time meet more often. (Groce et al., "Swarm testing", 2012.)
#[derive(Clone, Copy, Debug)]
pub struct Features {
    pub objects: bool,
    pub closures: bool,
    pub lists: bool,
    /// Updates of nodes by their owner.
    pub updates: bool,
    /// Selectors, cycles and what is done by hand.
    pub special: bool,
}

impl Features {
    fn choose(rng: &mut Rng) -> Features {
        Features {
            objects: rng.chance(40),
            closures: rng.chance(30),
            lists: rng.chance(30),
            updates: rng.chance(50),
            special: rng.chance(50),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Plan {
    pub features: Features,
    pub nodes: Vec<NodeType>,
    pub thunk_infos: Vec<EntryType>,
    pub selectors: Vec<Selector>,
    pub closures: Vec<Closure>,
    pub funcs: Vec<FuncType>,
    /// Functions of one signature: indices in `funcs`.
    pub table: Table,
    pub in_table: Vec<usize>,
    /// Record whose unboxed elements an array holds.
    pub element: usize,
    pub library: Library,
}

/// The module with its declarations, and the plan of what is to be written into it.
pub fn make(rng: &mut Rng) -> (Module, Plan) {
    let mut module = parse_module(LIBRARY).expect("the library is correct");
    // All functions of the runtime, where generated code expects them.
    let mut declared = Module::new("");
    Runtime::declare(&mut declared);
    let read = module.clone();
    module.funcs.values_mut().for_each(|func| name_externs(func, &read, &mut declared));
    module.externs = declared.externs;
    let library = Library::find(&module);
    let features = Features::choose(rng);
    let nodes = nodes(rng, &mut module);
    let element = nodes.iter().rposition(|node| node.applied_args == 0 && !node.is_empty()).expect("there is a record");
    let funcs = functions(rng, &mut module);
    let (table, in_table) = table(rng, &mut module, &funcs);
    let mut plan = Plan {
        features,
        nodes,
        thunk_infos: Vec::new(),
        selectors: Vec::new(),
        closures: Vec::new(),
        funcs,
        table,
        in_table,
        element,
        library,
    };
    thunk_infos(rng, &mut module, &mut plan);
    selectors(rng, &mut module, &mut plan);
    if features.closures {
        closures(rng, &mut module, &mut plan);
    }
    (module, plan)
}

impl Library {
    fn find(module: &Module) -> Library {
        let func = |name: &str| module.funcs.iter().find(|f| f.1.name == name).expect("a function of the library").0;
        let entry = |name: &str| module.thunk_infos.iter().find(|e| e.1.label == name).expect("an entry").0;
        let caf = |name: &str| module.cafs.iter().find(|c| c.1.label == name).expect("a CAF").0;
        let object = |text: &[u8]| {
            let same = |data: &StaticData| matches!(data, StaticData::String(s) | StaticData::Text(s) if **s == *text);
            module.statics.iter().find(|s| same(s.1)).expect("a text of the library").0
        };
        Library {
            show: func("show"),
            burn: func("burn"),
            print_word: func("print_word"),
            print_number: func("print_number"),
            upto: func("upto"),
            sum: func("sum"),
            sum_onto: func("sum_onto"),
            halves: func("halves"),
            copied: func("copied"),
            apply_on: func("apply_on"),
            member_of: func("member_of"),
            from: entry("from"),
            map: entry("map"),
            split: entry("split"),
            first: entry("first"),
            second: entry("second"),
            budget: caf("budget"),
            caf: caf("caf"),
            pair: module.descs.iter().find(|d| d.1.label == "Pair").expect("a descriptor").0,
            bar: object(b" | "),
            unknown: object(b"?"),
            names: [object(b"rule"), object(b"module")],
            strings: [object(b""), object(b"a"), object(b"hello, world"), object(b"-17.5e3")],
        }
    }
}

fn descriptor(module: &mut Module, label: String, arity: u32, record: Option<RecordData>) -> Desc {
    let kind = if record.is_some() { DescriptorKind::Record } else { DescriptorKind::Constructor };
    module.descs.push(DescData {
        name: label.as_bytes().into(),
        label,
        kind,
        arity,
        record,
        tag: 0,
        apply: Vec::new(),
        method: None,
        callable: false,
        contiguous: false,
        immutable: false,
    })
}

fn nodes(rng: &mut Rng, module: &mut Module) -> Vec<NodeType> {
    let mut nodes = Vec::new();
    for name in ["A", "B"] {
        let desc = descriptor(module, name.into(), 0, None);
        nodes.push(NodeType { desc, applied_args: 0, ptrs: 0, nptrs: Vec::new(), stackless: None });
    }
    for i in 0..2 {
        let arity = 1 + rng.below(4) as u32;
        let desc = descriptor(module, format!("C{i}"), arity, None);
        nodes.push(NodeType { desc, applied_args: arity, ptrs: arity, nptrs: Vec::new(), stackless: None });
    }
    for i in 0..3 {
        // Every size up to what is split far beyond the cell.
        let ptrs = rng.pick(&[0, 1, 1, 2, 3, 5]);
        let least = usize::from(ptrs == 0);
        let count = least + rng.below(4 - least);
        let nptrs: Vec<Type> = (0..count).map(|_| rng.pick(&[Type::I64, Type::I64, Type::F64])).collect();
        for stackless in 0..2 {
            let letters = nptrs.iter().map(|&ty| if ty == Type::F64 { b'r' } else { b'i' });
            let types: Vec<u8> = std::iter::repeat_n(b'a', ptrs as usize).chain(letters).collect();
            let record = RecordData { ptrs, nptrs: count as u32, types: types.into(), nested: Vec::new() };
            let desc = descriptor(module, format!("R{i}{}", ["", "t"][stackless]), 0, Some(record));
            let other = if stackless == 0 { nodes.len() + 1 } else { nodes.len() - 1 };
            nodes.push(NodeType { desc, applied_args: 0, ptrs, nptrs: nptrs.clone(), stackless: Some(other) });
        }
    }
    nodes
}

/// Functions whose bodies follow; results are from few sets, so that tail calls find partners.
fn functions(rng: &mut Rng, module: &mut Module) -> Vec<FuncType> {
    const TYPES: [Type; 6] = [Type::I64, Type::I64, Type::F64, Type::I32, Type::Ref, Type::Ref];
    let some = |rng: &mut Rng, most: usize| (0..rng.below(most + 1)).map(|_| rng.pick(&TYPES)).collect::<Vec<_>>();
    let sets = [vec![Type::I64, Type::Ref], vec![Type::Ref], some(rng, 4)];
    let mut funcs = Vec::new();
    let count = 3 + rng.below(4);
    for i in 0..count {
        let mut params = vec![Type::I64];
        params.extend(some(rng, 4));
        let results = sets[rng.below(3)].clone();
        let id = module.funcs.push(Func::new(format!("f{i}"), Signature::new(&params, &results)));
        funcs.push(FuncType { id, params, results, is_fuelled: i == 0 || rng.chance(60) });
    }
    funcs
}

fn table(rng: &mut Rng, module: &mut Module, funcs: &[FuncType]) -> (Table, Vec<usize>) {
    // Fuelled functions of any one signature; a wrapper of them would hide the interesting calls.
    let fuelled: Vec<usize> = (0..funcs.len()).filter(|&i| funcs[i].is_fuelled).collect();
    let mut chosen = Vec::new();
    if !fuelled.is_empty() {
        let model = &funcs[rng.pick(&fuelled)];
        let same = |i: usize| funcs[i].params == model.params && funcs[i].results == model.results;
        chosen = fuelled.iter().copied().filter(|&i| same(i)).collect();
        let first = chosen[0];
        chosen.push(first);
    }
    let signature = match chosen.first() {
        Some(&i) => Signature::new(&funcs[i].params, &funcs[i].results),
        None => Signature::default(),
    };
    let ids = chosen.iter().map(|&i| funcs[i].id).collect();
    (module.tables.push(TableData { label: "t".into(), role: Default::default(), signature, funcs: ids }), chosen)
}

fn entry(module: &mut Module, label: String, kind: ThunkKind, ptrs: u32, nptrs: u32) -> ThunkInfo {
    let code = module.funcs.push(Func::new(format!("code.{label}"), Module::eval_signature()));
    module.thunk_infos.push(ThunkInfoData { label, kind, ptrs, nptrs, code, update: None, desc: None })
}

fn thunk_infos(rng: &mut Rng, module: &mut Module, plan: &mut Plan) {
    for i in 0..5 {
        // The first is small, and promises; the last is larger than the smallest cell.
        let (ptrs, count) = match i {
            0 => (1, 0),
            4 => (2 + rng.below(2) as u32, 1 + rng.below(2)),
            _ => (rng.below(3) as u32, rng.below(3)),
        };
        let nptrs: Vec<Type> = (0..count).map(|_| rng.pick(&[Type::I64, Type::I64, Type::F64])).collect();
        let ending = match i {
            0 => Ending::Fill,
            _ => rng.pick(&[Ending::Fill, Ending::Fill, Ending::Copy, Ending::Indirect]),
        };
        let gives = (ending == Ending::Fill).then(|| rng.below(plan.nodes.len()));
        let is_small = ptrs + 2 * count as u32 <= INLINE_SLOTS;
        let entry = entry(module, format!("e{i}"), ThunkKind::Plain, ptrs, count as u32);
        if rng.chance(20) {
            module.thunk_infos[entry].desc = Some(plan.nodes[0].desc);
        }
        plan.thunk_infos.push(EntryType { entry, ptrs, nptrs, gives, ending, is_small });
    }
}

fn selectors(rng: &mut Rng, module: &mut Module, plan: &mut Plan) {
    // Of nodes that some thunk promises, so that selection is lazy.
    let promised: Vec<usize> = plan.thunk_infos.iter().filter_map(|entry| entry.gives).collect();
    for i in 0..2 {
        let of = rng.pick(&promised);
        let node = &plan.nodes[of];
        let fields = node.ptrs as usize + node.nptrs.len();
        if fields == 0 {
            continue;
        }
        let number = rng.below(fields) as u32;
        let (kind, field) = if number < node.ptrs {
            let kind = if rng.chance(50) { ThunkKind::SelectRef } else { ThunkKind::SelectField };
            (kind(number as u16), Selected::Reference(number))
        } else {
            let word = number - node.ptrs;
            let boxed = if node.nptrs[word as usize] == Type::F64 { DescriptorKind::Real } else { DescriptorKind::Int };
            (ThunkKind::SelectWord(number as u16, boxed), Selected::Word(word))
        };
        let entry = entry(module, format!("s{i}"), kind, 1, 0);
        plan.selectors.push(Selector { entry, of, field });
    }
}

fn closures(rng: &mut Rng, module: &mut Module, plan: &mut Plan) {
    let ptrs = |n: u32| vec![Type::Ref; n as usize];
    for i in 0..2 + rng.below(2) {
        let arity = 1 + i as u32;
        let desc = descriptor(module, format!("F{i}"), arity, None);
        module.descs[desc].callable = true;
        let signature = Signature::new(&ptrs(arity), &[Type::Ref]);
        let code = module.funcs.push(Func::new(format!("c{i}"), signature));
        let mut full = Vec::new();
        for applied_args in 0..arity {
            let missing = arity - applied_args;
            // The last argument always has code; others may be added one by one.
            if missing > 1 && rng.chance(40) {
                module.descs[desc].apply.push(None);
                full.push(None);
                continue;
            }
            let signature = Signature::new(&ptrs(1 + missing), &[Type::Ref]);
            let id = module.funcs.push(Func::new(format!("c{i}.{applied_args}"), signature));
            module.descs[desc].apply.push(Some(id));
            full.push(Some(id));
        }
        plan.closures.push(Closure { desc, arity, code, full });
    }
}
