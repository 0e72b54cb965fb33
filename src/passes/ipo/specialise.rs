//! Specialises functions and thunks to the closures that are passed to them: the `map` that always gets this function,
//! the overloaded function that always gets that instance.
//!
//! ```text
//! v1 = node $plus                          v1 = node $plus
//! v2 = call @sum(v1, v0)          ─▶      v2 = call @sum.1(v1, v0)       (a copy of sum, called for $plus only)
//! v3 = build $times/1 v2                   v3 = build $times/1 v2
//! v4 = build_thunk &map v3, v0             v4 = build_thunk &map.2 v3, v0
//! ```
//! An argument is *wanted* if the function applies it, or calls the class member that it is, or passes it on to where
//! it is wanted: found backwards, over the whole program. Sites that pass a node of known descriptor there share one
//! copy per combination of descriptors. If what is applied lies in an argument, as the members of a class lie in
//! instances for lists and tuples, the argument is wanted *whole*: static nodes get copies of their own. Copies are
//! visited in their turn, so that recursive functions, the thunks that they build and the functions that they hand the
//! closure to are copied along.
//!
//! `propagate` comes next: in a copy all call sites agree, and what goes through tables becomes direct. Where they
//! agree without copies, none is made. Sizes: `MAX_WEIGHT` per function, `MAX_COPIES` of each, `MAX_GROWTH` of the
//! module.
//!
//! Source of the idea: K. Cooper, M. Hall and K. Kennedy, *A methodology for procedure cloning*, 1993; for
//! dictionaries: M. Jones, *Dictionary-free overloading by partial evaluation*, 1994.

use crate::analysis::lattice::Fact;
use crate::analysis::values::{Defs, Scratch};
use crate::ipo::arguments::ProgramFacts;
use crate::ipo::inline::weight;
use cleave_ir::{
    CallTarget, Desc, EntityRef, Func, FuncId, ImmKind, Inst, InstData, Module, Opcode, SecondaryMap, Static,
    ThunkInfo, Value,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Largest function that is copied, in instructions except constants and jumps.
const MAX_WEIGHT: usize = 120;
/// Copies of one function or entry.
const MAX_COPIES: u32 = 12;
/// By how much copies may let the module grow, in percent.
const MAX_GROWTH: usize = 15;
/// Rounds over the program to find what is wanted: how many functions a closure is passed through, at least.
const WANTED_ROUNDS: usize = 4;

/// What is copied.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Target {
    Func(FuncId),
    Thunk(ThunkInfo),
}

impl Target {
    /// What an instruction gives arguments to, and the operand that is the first one.
    fn of(data: &InstData) -> Option<(Target, usize)> {
        if let Some(callee) = data.called_func() {
            return Some((Target::Func(callee), 0));
        }
        data.built_thunk().map(|(info, first)| (Target::Thunk(info), first))
    }
}

/// How much of an argument is wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Want {
    Nothing,
    /// It holds something that is applied.
    Whole,
    /// It is applied.
    NodeInfo,
}

/// For which arguments: number, and what is known of it.
type Closures = SmallVec<[(u32, Closure); 2]>;

/// What copies are made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Closure {
    /// This static node.
    Node(Static),
    /// Nodes of this descriptor that hold so many arguments.
    NodeInfo(Desc, u32),
}

/// Makes copies in the whole module; true if there are any.
pub fn run(module: &mut Module, scratch: &mut Scratch) -> bool {
    if !module.is_closed() {
        return false;
    }
    let mut known = ProgramFacts::new(module);
    let wanted = Search::new(&known).run(module, &known, &mut scratch.defs);
    if !wanted.any {
        return false;
    }
    known.solve(module);
    let total: usize = module.funcs.values().map(weight).sum();
    let mut pass = Specialise {
        known,
        wanted,
        copies: FxHashMap::default(),
        count: FxHashMap::default(),
        origins: FxHashMap::default(),
        budget: total * MAX_GROWTH / 100 + 200,
        made: 0,
    };
    let mut list: Vec<FuncId> = module.funcs.keys().collect();
    while !list.is_empty() {
        let before = module.funcs.len();
        for id in list.drain(..) {
            pass.visit(module, id);
        }
        pass.known.solve(module);
        list.extend((before..module.funcs.len()).map(FuncId::new));
    }
    pass.made > 0
}

/// Which arguments are wanted, numbered as in `ProgramFacts::passed`.
struct Wanted {
    args: Vec<Want>,
    any: bool,
    /// Entries whose headers are compared by address.
    named: SecondaryMap<ThunkInfo, bool>,
}

/// How it is found out: a function is looked at again when more is wanted where it passes something.
struct Search {
    wanted: Wanted,
    /// Functions that call a function, and that build thunks of an entry, of those that were looked at.
    callers: SecondaryMap<FuncId, SmallVec<[FuncId; 4]>>,
    builders: SecondaryMap<ThunkInfo, SmallVec<[FuncId; 4]>>,
    is_queued: SecondaryMap<FuncId, bool>,
    /// Values of a function that are wanted.
    work: Vec<(Value, Want)>,
}

impl Search {
    fn new(known: &ProgramFacts) -> Search {
        Search {
            wanted: Wanted { args: vec![Want::Nothing; known.passed.len()], any: false, named: SecondaryMap::new() },
            callers: SecondaryMap::new(),
            builders: SecondaryMap::new(),
            is_queued: SecondaryMap::with_default(true),
            work: Vec::new(),
        }
    }

    fn run(mut self, module: &Module, known: &ProgramFacts, defs: &mut Defs) -> Wanted {
        for round in 0..WANTED_ROUNDS {
            let mut any = false;
            for (id, func) in module.funcs.iter() {
                if std::mem::take(&mut self.is_queued[id]) {
                    any = true;
                    self.function(module, known, id, func, defs, round == 0);
                }
            }
            if !any {
                break;
            }
        }
        self.wanted
    }

    /// Looks at one function.
    fn function(
        &mut self,
        module: &Module,
        known: &ProgramFacts,
        id: FuncId,
        func: &Func,
        defs: &mut Defs,
        is_new: bool,
    ) {
        let note = |list: &mut SmallVec<[FuncId; 4]>| {
            if is_new && list.last() != Some(&id) {
                list.push(id);
            }
        };
        // Closures that are applied or passed on.
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            let data = &func.insts[inst];
            let args = func.args(inst);
            let (first, args) = match Target::of(data) {
                Some((Target::Func(callee), skip)) => {
                    note(&mut self.callers[callee]);
                    (known.of_func[callee], &args[skip..])
                }
                Some((Target::Thunk(info), skip)) => {
                    note(&mut self.builders[info]);
                    (known.of_entry[info], &args[skip..])
                }
                None => {
                    if let Some(CallTarget::Closure | CallTarget::Method(_)) = data.call_target() {
                        self.work.push((args[0], Want::NodeInfo));
                    } else if data.op.info().imm == ImmKind::ThunkInfo {
                        self.wanted.named[data.thunk_info()] = true;
                    }
                    continue;
                }
            };
            let wanted = &self.wanted.args[first as usize..][..args.len()];
            let wanted = args.iter().zip(wanted).filter(|arg| *arg.1 != Want::Nothing);
            self.work.extend(wanted.map(|(&arg, &want)| (arg, want)));
        }
        if !self.work.is_empty() {
            defs.compute(func);
            self.trace(module, known, id, func, defs);
        }
    }

    /// Follows wanted values up to parameters.
    fn trace(&mut self, module: &Module, known: &ProgramFacts, id: FuncId, func: &Func, defs: &Defs) {
        let mut seen: SmallVec<[(Value, Want); 16]> = SmallVec::new();
        while let Some((value, want)) = self.work.pop() {
            if seen.contains(&(value, want)) || seen.len() > 64 {
                continue;
            }
            seen.push((value, want));
            let Some(inst) = defs.get(value) else {
                if let Some(at) = func.params(func.entry_block()).iter().position(|&param| param == value)
                    && self.wanted.want(known.of_func[id] + at as u32, want)
                {
                    self.callers[id].iter().for_each(|&caller| self.is_queued[caller] = true);
                }
                for edge in func.layout.iter().flat_map(|&block| &func.blocks[block].edges) {
                    let params = func.params(edge.block);
                    let passed = params.iter().zip(func.edge_args(edge)).filter(|p| *p.0 == value);
                    self.work.extend(passed.map(|p| (*p.1, want)));
                }
                continue;
            };
            let op = func.insts[inst].op;
            if op == Opcode::Eval || op == Opcode::GetRef {
                let want = if op == Opcode::Eval { want } else { Want::Whole };
                self.work.push((func.args(inst)[0], want));
            }
            if op == Opcode::ArgRef
                && let Some((entry, at)) = known.own_argument(module, id, func, inst)
                && self.wanted.want(at, want)
            {
                self.builders[entry].iter().for_each(|&builder| self.is_queued[builder] = true);
            }
        }
    }
}

impl Wanted {
    /// True if it is news.
    fn want(&mut self, at: u32, want: Want) -> bool {
        self.any = true;
        let before = self.args[at as usize];
        self.args[at as usize] = before.max(want);
        before < want
    }
}

struct Specialise {
    known: ProgramFacts,
    wanted: Wanted,
    copies: FxHashMap<(Target, Closures), Target>,
    /// Number of copies of each original.
    count: FxHashMap<Target, u32>,
    /// What a copy is a copy of.
    origins: FxHashMap<Target, Target>,
    /// Instructions that copies may still add.
    budget: usize,
    made: u32,
}

impl Specialise {
    /// Lets the sites of a function use copies.
    fn visit(&mut self, module: &mut Module, id: FuncId) {
        let sites = self.sites(module, id);
        if sites.is_empty() {
            return;
        }
        self.known.look_at(module, id, &module.funcs[id]);
        for (inst, target) in sites {
            let func = &module.funcs[id];
            let skip = usize::from(func.insts[inst].op == Opcode::FillThunk);
            let args: SmallVec<[Value; 8]> = func.args(inst)[skip..].into();
            let Some(copy) = self.copy_for(module, target, &args) else { continue };
            let (first, number) = match copy {
                Target::Func(id) => (self.known.of_func[id], id.as_u32()),
                Target::Thunk(entry) => (self.known.of_entry[entry], entry.as_u32()),
            };
            module.funcs[id].insts[inst].imm = u64::from(number);
            if self.known.pass(first, &args) {
                match copy {
                    Target::Func(id) => self.known.again(id),
                    Target::Thunk(entry) => self.known.reread(entry),
                }
            }
        }
    }

    /// Calls and thunks of a function with arguments that are wanted.
    fn sites(&self, module: &Module, id: FuncId) -> SmallVec<[(Inst, Target); 8]> {
        let func = &module.funcs[id];
        let mut sites = SmallVec::new();
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            let Some((target, _)) = Target::of(&func.insts[inst]) else { continue };
            let (first, count) = self.range(module, target);
            if self.wanted.args[first..first + count].iter().any(|&want| want != Want::Nothing) {
                sites.push((inst, target));
            }
        }
        sites
    }

    /// Where the arguments of a target are numbered.
    fn range(&self, module: &Module, target: Target) -> (usize, usize) {
        match target {
            Target::Func(id) => (self.known.of_func[id] as usize, module.funcs[id].signature.params.len()),
            Target::Thunk(entry) => {
                let data = &module.thunk_infos[entry];
                (self.known.of_entry[entry] as usize, (data.ptrs + data.nptrs) as usize)
            }
        }
    }

    /// The copy of a target for the closures among these arguments, made if it is worth it.
    fn copy_for(&mut self, module: &mut Module, target: Target, args: &[Value]) -> Option<Target> {
        let (first, _) = self.range(module, target);
        let mut closures = Closures::new();
        for (index, &arg) in args.iter().enumerate() {
            let at = first + index;
            let (want, passed, fact) = (self.wanted.args[at], self.known.passed[at], self.known.values[arg]);
            let closure = match fact {
                Fact::Node(object, ..) if want != Want::Nothing && passed != fact => Closure::Node(object),
                _ if want == Want::NodeInfo && passed.node_info().is_none() => match fact.node_info() {
                    Some((desc, applied_args)) => Closure::NodeInfo(desc, applied_args),
                    None => continue,
                },
                _ => continue,
            };
            closures.push((index as u32, closure));
        }
        if closures.is_empty() {
            return None;
        }
        let origin = self.origins.get(&target).copied().unwrap_or(target);
        if let Some(&copy) = self.copies.get(&(target, closures.clone())) {
            return Some(copy);
        }
        let source = match target {
            Target::Func(id) => id,
            Target::Thunk(entry) if !self.wanted.named[entry] => self.known.code_of(module, entry)?,
            _ => return None,
        };
        let size = weight(&module.funcs[source]);
        let count = self.count.entry(origin).or_default();
        if size > MAX_WEIGHT || size > self.budget || *count == MAX_COPIES {
            return None;
        }
        *count += 1;
        self.budget -= size;
        self.made += 1;
        let copy = self.copy(module, target, source);
        self.origins.insert(copy, origin);
        self.copies.insert((target, closures), copy);
        Some(copy)
    }

    fn copy(&mut self, module: &mut Module, target: Target, source: FuncId) -> Target {
        let mut func = module.funcs[source].clone();
        // The pass runs more than once: its own number tells each copy from all others.
        let number = module.funcs.len();
        func.name = format!("{}.{number}", func.name);
        let code = module.funcs.push(func);
        let copy = match target {
            Target::Func(_) => Target::Func(code),
            Target::Thunk(entry) => {
                let mut data = module.thunk_infos[entry].clone();
                data.label = format!("{}.{number}", data.label);
                data.code = code;
                let copy = module.thunk_infos.push(data);
                self.known.add_entry(module, entry, copy);
                Target::Thunk(copy)
            }
        };
        self.known.add_func(module, code, matches!(copy, Target::Thunk(_)));
        // The same is wanted of the copy.
        let (from, count) = self.range(module, target);
        let (to, _) = self.range(module, copy);
        self.wanted.args.resize(self.known.passed.len(), Want::Nothing);
        self.wanted.args.copy_within(from..from + count, to);
        copy
    }
}
