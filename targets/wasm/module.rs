//! Puts the module together.
//!
//! Functions in order: imports of the runtime that are used, and those of C | functions of the IR, and among them the
//! most called of all others | dispatchers, wrappers and trampolines | functions of the runtime | C functions.
//! Globals: those of the runtime | heap pointer, heap limit, limit of the shadow stack | those of C. All indices are
//! fixed before a body is encoded (`Plan`).

mod order;
mod sections;

use crate::c::plan::CPlan;
use crate::c::trampolines::Trampoline;
use crate::c::{Linked, Target};
use crate::env::{Cases, Demand, Env, UNUSED};
use crate::generated::Generated;
use crate::link_runtime::{Reachable, Relocation, Runtime, Wanted};
use crate::locals::val_type;
use crate::lower::{self, Scratch};
use crate::signatures::{Types, func_type, ir_type};
use crate::source_map::Placed;
use crate::{Error, Options, c, data, dispatch, names, trampolines, validate};
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::{EntityRef, Extern, Func, FuncId, Module, Signature, Table};
use order::{Order, Other};
use rayon::prelude::*;
use std::borrow::Cow;
use wasm_encoder::{CodeSection, DataCountSection, Encode, Function, FunctionSection, Section, SectionId, ValType};

/// The function of `env` that calls C functions.
const CALL_C: &str = "cleave_call_c";
/// Functions that one task encodes.
const CHUNK: usize = 64;
/// Bytes before the contents of a section: its kind, and its size.
const MOST_OF_HEADER: usize = 6;

/// Exports of the runtime that the merged module passes on if they exist.
const OPTIONAL_EXPORTS: [&str; 4] = ["rt_embedded", "rt_flush", "rt_refused", STATISTICS];
/// The one of them for options that ask for numbers.
const STATISTICS: &str = "rt_statistics";

/// All indices of the merged module.
struct Plan<'a> {
    module: &'a Module,
    /// What hosts take the functions of the entries for.
    hosts: &'a [Signature],
    /// Functions of numbers only: nothing of the runtime is needed, and no memory.
    is_bare: bool,
    runtime: Runtime<'a>,
    reachable: Reachable,
    env: Env<'a>,
    /// Imports of the runtime that are kept.
    imports: Vec<usize>,
    /// Functions from outside that the program calls: imported after all others; and their types.
    hosted: Vec<Extern>,
    hosted_types: Vec<u32>,
    order: Order,
    relocation: Relocation,
    types: Types,
    function_types: Vec<u32>,
    segments: Vec<(u32, &'a [u8])>,
    /// Indices of the functions that the host calls.
    entries: Vec<u32>,
    /// Those of `_start`, and of what C functions want at the end.
    start: u32,
    end: u32,
    c: Option<CPlan<'a>>,
}

impl<'a> Plan<'a> {
    fn new(
        module: &'a Module,
        demand: &Demand,
        hosts: &'a [Signature],
        data_section: &'a StaticDataSection,
        options: &Options,
        runtime: &'a [u8],
        linked: Option<&'a Linked<'a>>,
    ) -> Result<Self, Error> {
        let is_bare = linked.is_none() && !module.entries.is_empty() && demand.is_nothing(module);
        let runtime = if is_bare { Runtime::default() } else { Runtime::parse(runtime)? };
        let main = || runtime.function("rt_main").ok_or_else(|| Error::Runtime("`rt_main` is missing".into()));
        let mut roots = if is_bare { Vec::new() } else { vec![main()?] };
        let wanted = Wanted { incremental: options.incremental, options: options.takes_options(module) };
        let exports = OPTIONAL_EXPORTS.iter().filter(|&&name| wanted.options || name != STATISTICS);
        roots.extend(exports.filter_map(|name| runtime.function(name)));
        let demanded = module.externs.keys().filter(|id| demand.externs[id.number() as usize] > 0);
        let (hosted, used): (Vec<Extern>, Vec<Extern>) = demanded.partition(|&id| module.externs[id].from.is_some());
        for &id in &used {
            let data = &module.externs[id];
            let function = runtime.function(&data.symbol());
            roots.push(function.ok_or_else(|| Error::MissingExtern(data.name.to_string()))?);
        }
        let reachable = runtime.needed(module, wanted, &roots)?;
        let is_ours = |i: usize| runtime.imports[i].module == "env";
        let imports: Vec<usize> =
            (0..runtime.imports.len()).filter(|&i| reachable.functions[i] && !is_ours(i)).collect();

        let is_inline = |t: Table| dispatch::is_inline(&module.tables[t].funcs, demand.tables[t.as_u32() as usize]);
        let demanded = module.tables.keys().filter(|&t| demand.tables[t.as_u32() as usize] > 0 && !is_inline(t));
        let mut generated = Vec::from_iter((!is_bare).then_some(Generated::Enter));
        generated.extend(demanded.map(Generated::Table));
        generated.extend(
            used.iter().copied().filter(|&id| trampolines::is_wrapped(&module.externs[id])).map(Generated::Wrapper),
        );
        let is_called_back = |id: &Extern| trampolines::is_called_back(&module.externs[*id]);
        let host_calls: Vec<Extern> = hosted.iter().copied().filter(is_called_back).collect();
        generated.extend(host_calls.iter().copied().map(Generated::HostCall));
        generated.extend(demand.umulhi.then_some(Generated::Umulhi));
        generated.extend([Generated::Main, Generated::Eval].into_iter().filter(|_| !is_bare));
        generated.extend(linked.into_iter().flat_map(Trampoline::all).map(Generated::C));
        let calls_c = runtime.imports.iter().zip(&reachable.functions).any(|(i, &kept)| kept && i.name == CALL_C);
        generated.extend((calls_c && linked.is_none()).then_some(Generated::NoC));
        let is_direct = |number: usize| {
            let entry = &module.entries[number];
            module.captures.is_none() && trampolines::is_direct(entry, &module.funcs[entry.func], &hosts[number])
        };
        generated.extend((0..module.entries.len()).filter(|&number| !is_direct(number)).map(Generated::Entry));
        generated.extend([Generated::End, Generated::Start].into_iter().filter(|_| !is_bare));

        let globals = runtime.globals.len() as u32;
        let c = linked.map(|linked| CPlan::new(linked, data_section, &runtime, &imports));
        let first_function = (imports.len() + c.as_ref().map_or(0, |c| c.imports.len()) + hosted.len()) as u32;
        let env = Env {
            data_section,
            most_live: options.most_live,
            pointer: globals,
            limit: globals + 1,
            // After those of C.
            entry_stack: (!module.entries.is_empty()).then_some(globals + if linked.is_some() { 5 } else { 3 }),
            first_function,
            functions: vec![UNUSED; module.funcs.len()],
            trampoline: None,
            enter: UNUSED,
            enter_inline: None,
            inline: Vec::new(),
            umulhi: UNUSED,
            tables: vec![UNUSED; module.tables.len()],
            externs: vec![UNUSED; module.externs.len()],
            host_calls,
        };
        let kept = (runtime.imports.len()..reachable.functions.len()).filter(|&f| reachable.functions[f]);
        let kept = kept.map(|function| function as u32);
        let order = Order::new(module, demand, &runtime, first_function as usize, &used, &generated, kept);
        let relocation = Relocation { functions: vec![UNUSED; reachable.functions.len()], types: Vec::new() };
        let mut plan = Plan {
            module,
            hosts,
            is_bare,
            runtime,
            reachable,
            env,
            imports,
            hosted,
            hosted_types: Vec::new(),
            order,
            relocation,
            types: Types::default(),
            function_types: Vec::new(),
            segments: data::segments(data_section),
            entries: Vec::new(),
            start: UNUSED,
            end: UNUSED,
            c,
        };
        plan.number(&used)?;
        plan.intern(demand);
        Ok(plan)
    }

    /// Gives every function its index.
    fn number(&mut self, used: &[Extern]) -> Result<(), Error> {
        for (index, &import) in self.imports.iter().enumerate() {
            self.relocation.functions[import] = index as u32;
        }
        let first_hosted = self.env.first_function - self.hosted.len() as u32;
        for (&id, index) in self.hosted.iter().zip(first_hosted..) {
            self.env.externs[id.number() as usize] = index;
        }
        let first_late = self.env.first_function + (self.order.early.len() + self.order.funcs.len()) as u32;
        for (&func, index) in self.order.funcs.iter().zip(first_late - self.order.funcs.len() as u32..) {
            self.env.functions[func.index()] = index;
        }
        self.env.trampoline = self.module.captures.as_ref().map(|captures| self.env.function(captures.trampoline));
        self.entries = self.module.entries.iter().map(|entry| self.env.function(entry.func)).collect();
        let (mut main, mut eval, mut end, mut call_c) = (UNUSED, UNUSED, UNUSED, UNUSED);
        let early = self.order.early.iter().zip(self.env.first_function..);
        for (&other, index) in early.chain(self.order.late.iter().zip(first_late..)) {
            let generated = match other {
                Other::Generated(generated) => generated,
                Other::Runtime(function) => {
                    self.relocation.functions[function as usize] = index;
                    continue;
                }
            };
            match generated {
                Generated::Enter => self.env.enter = index,
                Generated::Table(table) => self.env.tables[table.as_u32() as usize] = index,
                Generated::Wrapper(id) | Generated::HostCall(id) => self.env.externs[id.number() as usize] = index,
                Generated::Umulhi => self.env.umulhi = index,
                Generated::Main => main = index,
                Generated::Eval => eval = index,
                Generated::C(trampolines) => {
                    let indices = &mut self.c.as_mut().expect("there is C glue").indices;
                    match trampolines {
                        Trampoline::Call => call_c = index,
                        Trampoline::SetStack => indices.set_stack = index,
                        Trampoline::MemorySize => indices.memory_size = index,
                        Trampoline::MemoryGrow => indices.memory_grow = index,
                        Trampoline::Absent(0) => indices.absent = index,
                        Trampoline::Absent(_) => {}
                    }
                }
                Generated::NoC => call_c = index,
                Generated::End => end = index,
                Generated::Start => self.start = index,
                Generated::Entry(number) => self.entries[number] = index,
            }
        }
        self.end = end;
        for (i, import) in self.runtime.imports.iter().enumerate().filter(|(_, import)| import.module == "env") {
            self.relocation.functions[i] = match import.name {
                "cleave_main" => main,
                "cleave_eval" => eval,
                "cleave_end" => end,
                CALL_C => call_c,
                name => return Err(Error::Runtime(format!("unknown import `env.{name}`"))),
            };
        }
        if let Some(c) = &mut self.c {
            c.indices.functions = first_late + self.order.late.len() as u32;
        }
        for &id in used.iter().filter(|&&id| !trampolines::is_wrapped(&self.module.externs[id])) {
            self.env.externs[id.number() as usize] = self.extern_function(id);
        }
        Ok(())
    }

    /// Index of the function of the runtime for an extern that is used.
    fn extern_function(&self, id: Extern) -> u32 {
        self.runtime_function(&self.module.externs[id].symbol()).expect("checked when the plan was made")
    }
    fn runtime_function(&self, name: &str) -> Option<u32> {
        self.runtime.function(name).map(|function| self.relocation.functions[function as usize])
    }

    /// Collects the types of all functions, in order of their indices.
    fn intern(&mut self, demand: &Demand) {
        let mut types = std::mem::take(&mut self.types);
        for (ty, &used) in self.reachable.types.iter().enumerate() {
            let index = if used {
                let (params, results) = func_type(&self.runtime.types[ty], &mut self.relocation);
                types.get(params, results)
            } else {
                UNUSED
            };
            self.relocation.types.push(index);
        }
        for &id in &self.hosted {
            let (params, results) = trampolines::import_type(&self.module.externs[id]);
            self.hosted_types.push(types.get(params, results));
        }
        let mut all = Vec::new();
        let Order { early, funcs, late } = std::mem::take(&mut self.order);
        let mut of_others = |others: &[Other], types: &mut Types, all: &mut Vec<u32>| {
            all.extend(others.iter().map(|&other| match other {
                Other::Generated(generated) => {
                    let ty = generated.ty(self.module, self.hosts, self.c.as_ref(), &mut self.relocation);
                    types.get(ty.0, ty.1)
                }
                Other::Runtime(function) => self.relocation.types[self.runtime.type_of(function) as usize],
            }));
        };
        of_others(&early, &mut types, &mut all);
        for &func in &funcs {
            let (params, results) = ir_type(&self.module.funcs[func]);
            all.push(types.get(params, results));
        }
        of_others(&late, &mut types, &mut all);
        self.order = Order { early, funcs, late };
        let word = ValType::I32;
        // Types of blocks come after those of functions, though they share them.
        let mut cases = |targets: &[FuncId], sites: u32, params: Vec<ValType>, results: Vec<ValType>| {
            (sites > 0 && dispatch::is_inline(targets, sites)).then(|| {
                let all: Vec<ValType> = params.iter().copied().chain([word]).collect();
                let choose = types.get(all.clone(), params.clone());
                let (either, call) = (types.get(params, results.clone()), types.get(all, results));
                Cases { targets: targets.to_vec(), either, choose, call }
            })
        };
        self.env.enter_inline = cases(&dispatch::thunk_targets(self.module), demand.enters, vec![word; 2], vec![word]);
        for (id, table) in self.module.tables.iter() {
            let results = table.signature.results.iter().map(|&ty| val_type(ty)).collect();
            let sites = demand.tables[id.as_u32() as usize];
            self.env.inline.push(cases(&table.funcs, sites, dispatch::target_params(table), results));
        }
        if let Some(c) = &mut self.c {
            all.extend(c.intern(&mut types, &mut self.relocation));
        }
        self.types = types;
        self.function_types = all;
    }

    fn generate(&self, generated: Generated) -> Function {
        let env = &self.env;
        match generated {
            Generated::Enter => dispatch::enter(env, self.module),
            Generated::Table(table) => dispatch::table(env, &self.module.tables[table]),
            Generated::Wrapper(id) => trampolines::wrapper(env, &self.module.externs[id], self.extern_function(id)),
            Generated::HostCall(id) => {
                let first = env.first_function - self.hosted.len() as u32;
                let at = self.hosted.iter().position(|hosted| *hosted == id).expect("it is one of them");
                trampolines::host_call(env, &self.module.externs[id], first + at as u32)
            }
            Generated::Umulhi => trampolines::umulhi(),
            Generated::Main => {
                let start = self.module.start.expect("checked in `emit`");
                trampolines::main(env, &self.module.funcs[start], env.function(start))
            }
            Generated::Eval => trampolines::eval(env),
            Generated::C(trampolines) => {
                let c = self.c.as_ref().expect("there is C glue");
                trampolines.generate(c.linked, &c.indices)
            }
            Generated::NoC => Trampoline::absent(),
            Generated::Entry(number) => {
                let entry = &self.module.entries[number];
                trampolines::entry(env, entry, &self.module.funcs[entry.func], &self.hosts[number])
            }
            Generated::End => trampolines::calls(&self.c_targets(|linked| &linked.endings)),
            Generated::Start => {
                let main = self.runtime_function("rt_main").expect("checked in `new`");
                let constructors = self.c_targets(|linked| &linked.constructors);
                let end = self.c.is_some().then_some(self.end);
                trampolines::start(env, &constructors, main, end)
            }
        }
    }

    /// Indices of some C functions.
    fn c_targets(&self, list: impl Fn(&'a Linked<'a>) -> &'a [Target]) -> Vec<u32> {
        self.c.as_ref().map_or_else(Vec::new, |c| c.targets(list(c.linked)).collect())
    }

    /// Names of all functions in order of their indices; none for those that are parts of others.
    fn names(&self) -> Vec<Option<Cow<'_, str>>> {
        let other = |&other: &Other| match other {
            Other::Generated(generated) => Some(generated.name(self.module)),
            Other::Runtime(f) => {
                Some(self.runtime.names.get(&f).map_or_else(|| format!("rt.{f}").into(), |&name| name.into()))
            }
        };
        let func = |&func: &FuncId| {
            let func = &self.module.funcs[func];
            (!func.is_outlined).then_some(Cow::from(func.name.as_str()))
        };
        let Order { early, funcs, late } = &self.order;
        let imports = self.imports.iter().map(|&i| Some(self.runtime.imports[i].name.into()));
        let hosted = self.hosted.iter().map(|&id| Some(Cow::from(&*self.module.externs[id].name)));
        let hosts = self.c.iter().flat_map(|c| c.host_names().map(|name| Some(Cow::from(name))));
        let c_functions = self.c.iter().flat_map(|c| c.names().map(|name| Some(Cow::from(name))));
        let ours = early.iter().map(other).chain(funcs.iter().map(func)).chain(late.iter().map(other));
        imports.chain(hosts).chain(hosted).chain(ours).chain(c_functions).collect()
    }

    /// Bodies of functions that do not come from the IR.
    fn bodies(&mut self, others: &[Other]) -> Result<CodeSection, Error> {
        let mut section = CodeSection::new();
        for &other in others {
            match other {
                Other::Generated(generated) => {
                    section.function(&self.generate(generated));
                }
                Other::Runtime(function) => {
                    let body = self.runtime.body(function, &self.reachable, &mut self.relocation, &mut section);
                    body.map_err(|e| Error::Runtime(e.to_string()))?;
                }
            }
        }
        Ok(section)
    }

    /// Appends the section of code: bodies of the functions of the IR are made in chunks. Functions are dropped as soon
    /// as they are encoded: together they are the largest thing that a compilation holds.
    fn code(&mut self, mut funcs: Vec<Func>, parallel: bool, wasm: Vec<u8>) -> Result<Placed, Error> {
        let order = std::mem::take(&mut self.order);
        let env = &self.env;
        let encode = |scratch: &mut Scratch, chunk: Vec<Func>| {
            let mut bodies = Placed::default();
            chunk.into_iter().try_for_each(|func| lower::function(env, func, scratch, &mut bodies)).map(|()| bodies)
        };
        let mut funcs = order.funcs.iter().map(|func| std::mem::take(&mut funcs[func.index()]));
        let chunks =
            std::iter::from_fn(|| Some(Vec::from_iter(funcs.by_ref().take(CHUNK))).filter(|it| !it.is_empty()));
        let chunks: Result<Vec<Placed>, Error> = if parallel && rayon::current_num_threads() > 1 {
            Vec::from_iter(chunks).into_par_iter().map_init(Scratch::default, encode).collect()
        } else {
            let mut scratch = Scratch::default();
            chunks.map(|chunk| encode(&mut scratch, chunk)).collect()
        };
        let chunks = chunks?;
        let count = order.funcs.len() as u32;
        let early = self.bodies(&order.early)?;
        let mut late = self.bodies(&order.late)?;
        self.order = order;
        if let Some(c) = &self.c {
            c.code(&mut late)?;
        }
        let mut number = Vec::new();
        (early.len() + count + late.len()).encode(&mut number);
        let [early, late] = [early, late].map(|section| contents(&section));
        let [early, late] = [early?, late?];
        let size =
            number.len() + early.len() + chunks.iter().map(|chunk| chunk.bytes.len()).sum::<usize>() + late.len();
        let mut code = Placed { bytes: wasm, places: Vec::new() };
        code.bytes.reserve(size + MOST_OF_HEADER);
        code.bytes.push(SectionId::Code as u8);
        size.encode(&mut code.bytes);
        code.bytes.extend_from_slice(&number);
        code.bytes.extend_from_slice(&early);
        chunks.into_iter().for_each(|chunk| code.append(&chunk.bytes, &chunk.places));
        code.bytes.extend_from_slice(&late);
        Ok(code)
    }
}

/// What a section of code holds, without its size and count.
fn contents(section: &CodeSection) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    section.encode(&mut bytes);
    let mut skip = wasmparser::BinaryReader::new(&bytes, 0);
    skip.read_var_u32().and_then(|_| skip.read_var_u32()).map_err(|e| Error::Runtime(e.to_string()))?;
    let start = skip.original_position();
    bytes.drain(..start);
    Ok(bytes)
}

/// Emits a module with the given runtime. The bodies of the functions are gone afterwards.
pub fn emit(
    module: &mut Module,
    hosts: &[Signature],
    data_section: &StaticDataSection,
    options: &Options,
    runtime: &[u8],
    linked: Option<&Linked>,
) -> Result<Placed, Error> {
    if module.start.is_none() {
        return Err(Error::NoStart);
    }
    let demand = Demand::of(module);
    let funcs: Vec<Func> = module.funcs.values_mut().map(Func::take).collect();
    let module = &*module;
    let mut plan = Plan::new(module, &demand, hosts, data_section, options, runtime, linked)?;
    let mut wasm = wasm_encoder::Module::HEADER.to_vec();
    plan.types.section.append_to(&mut wasm);

    if !plan.is_bare {
        plan.import_section().append_to(&mut wasm);
    }
    let mut functions = FunctionSection::new();
    for &ty in &plan.function_types {
        functions.function(ty);
    }
    functions.append_to(&mut wasm);
    if let Some(tables) = plan.tables()? {
        tables.append_to(&mut wasm);
    }
    if !plan.is_bare {
        plan.memory().append_to(&mut wasm);
        plan.globals()?.append_to(&mut wasm);
    }
    plan.exports(options).append_to(&mut wasm);
    if plan.has_table() {
        plan.elements()?.append_to(&mut wasm);
    }
    let data = plan.data()?;
    if plan.runtime.uses_data_count {
        DataCountSection { count: data.len() }.append_to(&mut wasm);
    }
    let mut placed = plan.code(funcs, options.parallel, wasm)?;
    let wasm = &mut placed.bytes;
    if !plan.is_bare {
        data.append_to(wasm);
    }
    if !options.strip {
        if options.names {
            names::functions(&module.name, &plan.names()).append_to(wasm);
        }
        names::about(wasm, options.traces.then_some(module));
    }
    let first_of_c = plan.c.as_ref().map_or(u32::MAX, |c| c.indices.functions);
    let name = |index: u32| plan.names()[index as usize].as_deref().unwrap_or("helper").to_string();
    validate::check(wasm, plan.env.first_function, first_of_c, name).map_err(|(index, why)| {
        let linked = plan.c.as_ref().expect("the function is one of C").linked;
        let (object, _) = linked.functions[(index - first_of_c) as usize];
        c::Error::NotAnObject { object: linked.objects[object as usize].name.clone(), why }
    })?;
    Ok(placed)
}
