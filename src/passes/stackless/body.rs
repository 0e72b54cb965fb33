//! Makes it possible to capture a function: after each call that may have to be captured it looks whether that
//! happened, and at its entry it finds the place where it goes on.
//!
//! ```text
//! f: v                             entry: v
//!    …                                br_if pointer < limit, slow, old(v)
//!    x = call g(pointer − 4, v)    slow:
//!    y = iadd x, v        ──▶         br_if pointer, full, resume
//!    …                             full:
//!                                     call begin(pointer, 0, v);  ret 0
//!                                  resume:
//!                                     set pointer pointer();  br_table point() [back, …]
//!                                  back:
//!                                     v2, x2 = restore();  jump behind(v2, x2)
//!                                  old: v
//!                                     …
//!                                     x = call g(pointer − 4, v)
//!                                     br_if limit, behind(v, x), save
//!                                  save:
//!                                     call save(1, 4, v);  ret 0
//!                                  behind: v, x
//!                                     y = iadd x, v
//! ```
//! The limit is 0 while functions leave their records, and so are references that they return. A function that goes
//! on in its middle gets the pointer 0, so that one test at the entry serves both; one that left its record at its
//! entry is called again. `ssa` finds the parameters of `behind`, and of all other blocks that need some.
//!
//! Those parameters keep engines from leaving values where they are across a call. So functions can be made twice: once
//! without `resume`, and once with it alone.

use super::charge;
use super::frames::{cheap, depth, pointer_place};
use super::graph::{Graph, callee};
use super::helpers::{CHUNK, Helpers, Kind, load_results, sorted, types_of, zero};

use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::layout::SLOT;
use cleave_ir::liveness::Liveness;
use cleave_ir::peel;
use cleave_ir::ssa::{self, Definition};
use cleave_ir::{
    Block, Builder, Edge, EntitySet, Func, FuncId, Inst, Location, Opcode, SecondaryMap, Type, Value, ValueList,
};

/// Memory that functions use one after the other.
#[derive(Default)]
pub struct Scratch {
    cfg: Cfg,
    dom: DomTree,
    liveness: Liveness,
    ssa: ssa::Scratch,
}

/// So many results of functions that leave are made where they leave; more of them by a function.
const FEW_RESULTS: usize = 1;

/// Values of a function times its calls, for which sets of live values are made: 64 MB for each kind of set.
const MOST_BITS: usize = 1 << 29;

/// A call after which a function may be captured: it ends a block, and the rest is in another one.
struct Site {
    block: Block,
    call: Inst,
    behind: Block,
}

/// What a function is when it can be captured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// All of it.
    Whole,
    /// It never goes on in its middle: another function does.
    First,
    /// That function: it always goes on in its middle, and calls this one rather than to return.
    Rest(FuncId),
}

/// Makes it possible to capture a function; `number` is that of its records for its entry. The first part and the rest
/// of a function are both made from the function itself, so they agree about records. The rest of an iteration is there
/// twice, or loops are entered in their middle.
pub fn make_resumable(
    func: &mut Func,
    role: Role,
    number: u32,
    copies_loops: bool,
    graph: &Graph,
    helpers: &mut Helpers,
    scratch: &mut Scratch,
) {
    let sites = split(func, graph);
    let Scratch { cfg, dom, liveness, ssa } = scratch;
    cfg.recompute(func);
    liveness.recompute(func, cfg, |_| true);
    let mut again = cheap(func);
    let mut is_made_again = SecondaryMap::new();
    if role != Role::First {
        is_made_again = make_again(func, cfg, liveness, &sites, &mut again);
    }
    func.set_location(Location::NONE);
    let resume = enter(func, role, number, sites.len(), helpers);

    let mut entries: Vec<Block> = sites.iter().map(|site| site.behind).collect();
    let mut copies = peel::Copies::default();
    if role != Role::First && copies_loops {
        copies = peel::run(func, cfg, dom, liveness, &is_made_again, &mut entries);
    }
    let mut copied: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
    copies.blocks.iter().for_each(|&copy| copied[copies.of[copy].expect("a copy")].push(copy));
    let mut definitions = std::mem::take(&mut copies.definitions);
    let mut targets = Vec::with_capacity(sites.len());
    let mut leaving_blocks: EntitySet<Block> = EntitySet::new();
    for ((at, site), entry) in (1..).zip(&sites).zip(entries) {
        let results = results_of(func, site.call, graph);
        let mut words: Vec<Value> = liveness.values(liveness.live_in(site.behind)).collect();
        words.retain(|word| again[*word].is_none() && !results.contains(word));
        let words = sorted(func, words);
        let distance = depth(func, &again, func.args(site.call)[pointer_place(func, site.call)]);
        let mut shared = None;
        for &block in std::iter::once(&site.block).chain(&copied[site.block]) {
            let leaving = shared.unwrap_or_else(|| func.new_block());
            let call = *func.blocks[block].insts.last().expect("the block ends with a call");
            if shared.is_none() {
                save_at(func, leaving, call, number + at, distance, &words, helpers);
                // All that is used there lives behind the call, too, unless it is a distance.
                copies.of[leaving] = Some(site.behind);
                leaving_blocks.insert(leaving);
            }
            shared = distance.map(|_| leaving);
            leave(func, block, leaving, graph);
        }
        if role == Role::First {
            continue;
        }
        let back = func.new_block();
        let mut builder = Builder::new(func, back);
        let types: Vec<Type> = results.iter().map(|&result| builder.func.values[result]).collect();
        let (restored, given) = restore(&mut builder, &words, &types, helpers);
        builder.jump(entry, &[]);
        let pairs = words.iter().zip(restored).chain(results.iter().zip(given));
        definitions.extend(pairs.map(|(&of, value)| Definition { block: back, of, value }));
        targets.push(back);
    }
    if role != Role::First {
        targets.into_iter().for_each(|target| func.add_edge(resume, target, &[]));
        ssa::repair(func, &definitions, liveness, &copies.of, cfg, dom, ssa);
    }
    if let Role::Rest(returns) = role {
        func.layout.retain(|&block| cfg.is_reachable(block));
        for block in func.layout.clone() {
            let last = *func.blocks[block].insts.last().expect("a block has a terminator");
            // What leaves because it is captured is not done.
            if func.insts[last].op == Opcode::Return && !leaving_blocks.contains(block) {
                let results = func.args(last).to_vec();
                func.blocks[block].insts.pop();
                let mut builder = Builder::new(func, block);
                let pointer = builder.op(Opcode::ShadowPointer, &[]);
                builder.tail_call(returns, &[&[pointer], &results[..]].concat());
            }
        }
    }
}

/// Makes the entry of a function. Gives the block that ends with the choice of a place to go on at; its edges are not
/// there yet.
fn enter(func: &mut Func, role: Role, number: u32, sites: usize, helpers: &mut Helpers) -> Block {
    let old = func.entry_block();
    let given: Vec<Type> = func.signature.params.to_vec();
    let entry = func.new_entry();
    let params: Vec<Value> = given.iter().map(|&ty| func.add_param(entry, ty)).collect();
    let mut resume = entry;
    let mut builder = Builder::new(func, entry);
    if !matches!(role, Role::Rest(_)) {
        let full = builder.func.new_block();
        let below = if role == Role::Whole { builder.func.new_block() } else { full };
        let pointer = builder.op(Opcode::ShadowPointer, &[]);
        let limit = builder.op(Opcode::StackLimit, &[]);
        let is_below = builder.op(Opcode::Ult, &[pointer, limit]);
        builder.br_if(is_below, (below, &[]), (old, &params));
        if role == Role::Whole {
            resume = builder.func.new_block();
            builder.switch_to(below);
            let pointer = builder.op(Opcode::ShadowPointer, &[]);
            builder.br_if(pointer, (full, &[]), (resume, &[]));
        }
        builder.switch_to(full);
        let pointer = builder.op(Opcode::ShadowPointer, &[]);
        let words = sorted(builder.func, params);
        let lead = [pointer, builder.iconst32(number as i32)];
        save(&mut builder, Kind::Begin, &lead, &words, helpers);
    }
    if role != Role::First {
        builder.switch_to(resume);
        let [pointer, point] = helpers.points();
        let pointer = builder.call_value(pointer, &[], Type::I32);
        builder.effect(Opcode::SetShadowPointer, &[pointer]);
        if sites == 1 {
            builder.inst(Opcode::Jump, 0, 0, &[]);
        } else {
            let point = builder.call_value(point, &[], Type::I32);
            builder.inst(Opcode::BrTable, 0, 0, &[point]);
        }
    }
    resume
}

/// Ends a block with the record of the function.
fn save(builder: &mut Builder, kind: Kind, lead: &[Value], words: &[Value], helpers: &mut Helpers) {
    let (first, later) = words.split_at(words.len().min(CHUNK));
    let types = types_of(builder.func, first);
    builder.call(helpers.get(kind, &types), &[lead, first].concat(), &[]);
    for words in later.chunks(CHUNK) {
        let types = types_of(builder.func, words);
        builder.call(helpers.get(Kind::More, &types), words, &[]);
    }
    let results = builder.func.signature.results.clone();
    if results.len() > FEW_RESULTS {
        return builder.tail_call(helpers.get(Kind::Zeros, &results), &[]);
    }
    let zeros: Vec<Value> = results.iter().map(|&ty| zero(builder, ty)).collect();
    builder.ret(&zeros);
}

/// What the record of the function holds, and the results of what it has called.
fn restore(
    builder: &mut Builder,
    words: &[Value],
    results: &[Type],
    helpers: &mut Helpers,
) -> (Vec<Value>, Vec<Value>) {
    let mut restored = Vec::with_capacity(words.len());
    for words in words.chunks(CHUNK) {
        let types = types_of(builder.func, words);
        restored.extend(helpers.given(builder, Kind::Restore, &types));
    }
    (restored, helpers.given(builder, Kind::Results, results))
}

/// The record that a function leaves after a call. The distance is how far the pointer of the callee is below its own,
/// if that is a constant.
fn save_at(
    func: &mut Func,
    block: Block,
    call: Inst,
    number: u32,
    distance: Option<u32>,
    words: &[Value],
    helpers: &mut Helpers,
) {
    let passed = func.args(call)[pointer_place(func, call)];
    let mut builder = Builder::new(func, block);
    let number = builder.iconst32(number as i32);
    let distance = match distance {
        Some(distance) => builder.iconst32(distance as i32),
        None => {
            let pointer = builder.op(Opcode::ShadowPointer, &[]);
            builder.op(Opcode::Isub, &[pointer, passed])
        }
    };
    save(&mut builder, Kind::Save, &[number, distance], words, helpers);
}

/// After the call at the end of a block: goes on behind it, or leaves.
fn leave(func: &mut Func, block: Block, leaving: Block, graph: &Graph) {
    let call = *func.blocks[block].insts.last().expect("the block ends with a call");
    let behind = func.blocks[block].edges[0].block;
    func.blocks[block].edges.clear();
    let mut builder = Builder::new(func, block);
    let is_done = is_done(&mut builder, call, graph);
    builder.br_if(is_done, (behind, &[]), (leaving, &[]));
    func.blocks[leaving].is_cold = true;
}

/// Not 0 if a call has been done: a reference is 0 only in the place of a result.
fn is_done(builder: &mut Builder, call: Inst, graph: &Graph) -> Value {
    let results = builder.func.results(call);
    if graph.gives_flag(&builder.func.insts[call]) {
        return *results.last().expect("there is a flag");
    }
    match results.iter().find(|&&result| builder.func.values[result] == Type::Ref) {
        Some(&result) => builder.op(Opcode::RefAddr, &[result]),
        None => builder.op(Opcode::StackLimit, &[]),
    }
}

/// What a call gives, but for the flag.
fn results_of(func: &Func, call: Inst, graph: &Graph) -> Vec<Value> {
    let results = func.results(call);
    results[..results.len() - usize::from(graph.gives_flag(&func.insts[call]))].to_vec()
}

/// Is it a call that returns, perhaps without having been done?
fn may_capture(func: &Func, inst: Inst, graph: &Graph) -> bool {
    callee(&func.insts[inst]).is_some_and(|(callee, returns)| returns && graph.is_deep(callee))
}

/// How many such calls some blocks have.
fn sites_in(func: &Func, blocks: &[Block], graph: &Graph) -> usize {
    let insts = blocks.iter().flat_map(|&block| &func.blocks[block].insts);
    insts.filter(|&&inst| may_capture(func, inst, graph)).count()
}

/// How many such calls a function has, where control gets to.
pub fn sites(func: &Func, graph: &Graph) -> usize {
    match sites_in(func, &func.layout, graph) {
        0 => 0,
        _ => sites_in(func, &Cfg::compute(func).order, graph),
    }
}

/// Would more than `most` be made for a function: words of records and slots that are emptied, at all its calls
/// together, and instructions that are copied?
pub fn makes_more(func: &Func, most: usize, graph: &Graph, scratch: &mut Scratch) -> bool {
    // A quarter of the values live across a call at most, in the mean of functions as large as that.
    let size = func.values.len() * sites_in(func, &func.layout, graph);
    if size <= 4 * most || size > MOST_BITS {
        return size > MOST_BITS;
    }
    let mut func = func.clone();
    let sites = split(&mut func, graph);
    let Scratch { cfg, dom, liveness, .. } = scratch;
    let worth = charge::worth(&func, cfg, liveness);
    let again = cheap(&func);
    let made_at = |site: &Site| {
        let words = liveness.values(liveness.live_in(site.behind)).filter(|&word| again[word].is_none());
        let pointer = func.args(site.call)[pointer_place(&func, site.call)];
        let empty = depth(&func, &again, pointer).map_or(0, |depth| worth.saturating_sub(depth) / SLOT);
        words.count() + empty as usize
    };
    let made: usize = sites.iter().map(made_at).sum();
    let entries: Vec<Block> = sites.iter().map(|site| site.behind).collect();
    made > most || made + peel::copied(&func, cfg, dom, &entries) > most
}

/// How many instructions of loops would be there twice.
pub fn copied(func: &Func, graph: &Graph, scratch: &mut Scratch) -> usize {
    let Scratch { cfg, dom, .. } = scratch;
    cfg.recompute(func);
    if !cfg.has_loops {
        return 0;
    }
    let mut func = func.clone();
    let entries: Vec<Block> = split(&mut func, graph).iter().map(|site| site.behind).collect();
    cfg.recompute(&func);
    peel::copied(&func, cfg, dom, &entries)
}

/// Ends blocks after such calls, those that control reaches.
fn split(func: &mut Func, graph: &Graph) -> Vec<Site> {
    let reachable = Cfg::compute(func).order;
    split_after(func, &reachable, |func, inst| may_capture(func, inst, graph))
}

/// Ends some blocks after each of their instructions of a kind.
fn split_after(func: &mut Func, blocks: &[Block], is_last: impl Fn(&Func, Inst) -> bool) -> Vec<Site> {
    let mut sites = Vec::new();
    for &first in blocks {
        let insts = func.blocks[first].insts.iter().enumerate();
        let ends: Vec<usize> = insts.filter(|&(_, &inst)| is_last(func, inst)).map(|(at, _)| at + 1).collect();
        if ends.is_empty() {
            continue;
        }
        let first_site = sites.len();
        let mut block = first;
        for &end in &ends {
            let (call, behind) = (func.blocks[first].insts[end - 1], func.new_block());
            sites.push(Site { block, call, behind });
            block = behind;
        }
        func.blocks[block].edges = std::mem::take(&mut func.blocks[first].edges);
        // From the end: each instruction moves once.
        for (site, &end) in sites[first_site..].iter().zip(&ends).rev() {
            func.blocks[site.behind].insts = func.blocks[first].insts.split_off(end);
            // For the analyses; `leave` puts an instruction in front of it.
            func.blocks[site.block].edges.push(Edge { block: site.behind, args: ValueList::new() });
        }
        func.blocks[first].insts.shrink_to_fit();
    }
    for site in &sites {
        debug_assert_eq!(func.blocks[site.block].insts.last(), Some(&site.call));
    }
    sites
}

/// Cheap values that live across a site are made again in each block that uses them: so they need not be kept. Tells
/// which.
fn make_again(
    func: &mut Func,
    cfg: &Cfg,
    liveness: &Liveness,
    sites: &[Site],
    again: &mut SecondaryMap<Value, Option<Inst>>,
) -> SecondaryMap<Value, bool> {
    let mut crosses: SecondaryMap<Value, bool> = SecondaryMap::new();
    let mut any = false;
    for site in sites {
        for value in liveness.values(liveness.live_in(site.behind)).filter(|&value| again[value].is_some()) {
            (crosses[value], any) = (true, true);
        }
    }
    if !any {
        return crosses;
    }
    let mut made: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    for &block in &cfg.order {
        let mut new: Vec<Inst> = Vec::new();
        let mut used: Vec<Value> = Vec::new();
        let here: Vec<Inst> = func.blocks[block].insts.clone();
        for &inst in &here {
            func.results(inst).iter().filter(|&&result| crosses[result]).for_each(|&result| {
                made[result] = Some(result);
                used.push(result);
            });
            if func.args(inst).iter().any(|&arg| crosses[arg]) {
                let mut args = func.args(inst).to_vec();
                args.iter_mut().filter(|arg| crosses[**arg]).for_each(|arg| {
                    *arg = repeat(func, *arg, again, &mut made, &mut used, &mut new);
                });
                func.set_args(inst, &args);
            }
        }
        for at in 0..func.blocks[block].edges.len() {
            let edge = &func.blocks[block].edges[at];
            if func.edge_args(edge).iter().any(|&arg| crosses[arg]) {
                let mut args = func.edge_args(edge).to_vec();
                args.iter_mut().filter(|arg| crosses[**arg]).for_each(|arg| {
                    *arg = repeat(func, *arg, again, &mut made, &mut used, &mut new);
                });
                func.blocks[block].edges[at].args = ValueList::from_slice(&args, &mut func.pool);
            }
        }
        func.blocks[block].insts.splice(0..0, new);
        used.into_iter().for_each(|value| made[value] = None);
    }
    crosses
}

fn repeat(
    func: &mut Func,
    value: Value,
    again: &mut SecondaryMap<Value, Option<Inst>>,
    made: &mut SecondaryMap<Value, Option<Value>>,
    used: &mut Vec<Value>,
    new: &mut Vec<Inst>,
) -> Value {
    if let Some(made) = made[value] {
        return made;
    }
    let inst = again[value].expect("a cheap value");
    let args: Vec<Value> =
        func.args(inst).to_vec().into_iter().map(|arg| repeat(func, arg, again, made, used, new)).collect();
    let (op, imm, aux) = (func.insts[inst].op, func.insts[inst].imm, func.insts[inst].aux);
    let copy = func.make_inst(op, imm, aux, &args, &[func.values[value]]);
    new.push(copy);
    // Operands of such instructions are exchanged for copies, too.
    again[func.result(copy)] = Some(copy);
    made[value] = Some(func.result(copy));
    used.push(value);
    func.result(copy)
}

/// A function that cannot be captured goes on with what it calls, if that was.
pub fn make_root(func: &mut Func, graph: &Graph, trampoline: FuncId) {
    let is_deep = |func: &Func, inst: Inst| callee(&func.insts[inst]).is_some_and(|(callee, _)| graph.is_deep(callee));
    let blocks = func.layout.clone();
    for Site { block, call, behind } in split_after(func, &blocks, is_deep) {
        func.blocks[block].edges.clear();
        if let Some(op) = func.insts[call].op.without_tail() {
            func.insts[call].op = op;
            let results: Vec<Value> = func.signature.results.to_vec().iter().map(|&ty| func.new_value(ty)).collect();
            func.insts[call].results = ValueList::from_slice(&results, &mut func.pool);
            let ret = func.make_inst(Opcode::Return, 0, 0, &results, &[]);
            func.blocks[behind].insts.push(ret);
        }
        let old = results_of(func, call, graph);
        let types = types_of(func, &old);
        let new: Vec<Value> = types.iter().map(|&ty| func.new_value(ty)).collect();
        let all = [&new, &func.results(call)[old.len()..]].concat();
        func.insts[call].results = ValueList::from_slice(&all, &mut func.pool);
        func.blocks[behind].params = ValueList::from_slice(&old, &mut func.pool);
        let captured = func.new_block();
        let passed = func.args(call)[pointer_place(func, call)];
        func.set_location(Location::NONE);
        let mut builder = Builder::new(func, block);
        let is_done = is_done(&mut builder, call, graph);
        builder.br_if(is_done, (behind, &new), (captured, &[]));
        builder.func.blocks[captured].is_cold = true;
        builder.switch_to(captured);
        builder.call(trampoline, &[passed], &[]);
        let results = load_results(&mut builder, &types);
        builder.jump(behind, &results);
    }
}
