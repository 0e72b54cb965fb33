//! Loops with several entries get a single one: a dispatcher in front of them.
//!
//! WebAssembly has structured control flow only, and machine code and IR have not. Hardly any program has such a loop,
//! so this runs only for functions that `stackify` cannot structure.
//!
//! ```text
//! p ─▶ a ⇄ b ◀─ q     ──▶     p ─▶ door a ─┐            ┌─▶ a ─▶ inner door b ─▶ dispatch
//!                             q ─▶ door b ─┴▶ dispatch ─┴─▶ b ─▶ inner door a ─▶ dispatch
//! ```
//! Edges to an entry go to its door instead, which tells the dispatcher the number of the entry: one door for the edges
//! from outside, another for those from inside, so that the dispatcher alone is where the loop begins. If there is an
//! entry, the *head*, without which little of the loop is a loop, edges from inside to all others stay: then each
//! iteration passes the dispatcher once, and what is left is looked at in its turn. Its
//! parameters are those of the entry that it goes on to: it has as many of each type as the entry with the most of
//! them, and a door passes zeros for the others. Parameters of several entries that are one variable, which edges pass
//! to each other, share one of them if they can, so that nothing moves. So nothing is copied, and a function grows by
//! two blocks for each entry and one for each such loop.
//!
//! Values need no repair. If a block outside of the loop dominates one inside, it dominates all entries, because from
//! each of them there is a way to that block within the loop; hence it dominates the dispatcher. And what dominated a
//! block within the loop still does: each entry is reached from outside, so a way that is new only skips what could be
//! skipped.
//!
//! Loops inside of loops are looked at afterwards, without the blocks by which the outer loop is entered (Steensgaard's
//! nesting).

use cleave_ir::union_find::UnionFind;
use cleave_ir::{Block, Builder, Edge, EntityRef, Func, Opcode, Type, Value};
use rustc_hash::FxHashMap;

const NONE: u32 = u32::MAX;

/// Makes the control flow of a function reducible.
pub fn run(func: &mut Func) {
    let mut preds: Vec<Vec<Block>> = vec![Vec::new(); func.blocks.len()];
    let reachable = cleave_ir::cfg::Cfg::compute(func).order;
    for &block in &reachable {
        for edge in &func.blocks[block].edges {
            preds[edge.block.index()].push(block);
        }
    }
    let mut search = Search::default();
    let mut inner = Search::default();
    let mut variables = variables(func, &reachable);
    let mut regions = vec![reachable];
    while let Some(region) = regions.pop() {
        search.run(func, &region);
        for component in std::mem::take(&mut search.components) {
            let number = search.component[component[0].index()];
            let is_outside = |pred: &Block| search.component.get(pred.index()).is_none_or(|&c| c != number);
            let is_entry = |block: &Block| preds[block.index()].iter().any(is_outside);
            let entries: Vec<Block> = component.iter().copied().filter(is_entry).collect();
            let head = if let [only] = entries[..] {
                Some(only)
            } else {
                let head = choose_head(func, &component, &entries, &preds, &mut inner);
                dispatch(func, &entries, head, &mut variables, &mut preds, &is_outside);
                head
            };
            // What is left has no way back to the head; without one, entries are reached through the dispatcher alone.
            regions.push(component.into_iter().filter(|&block| Some(block) != head).collect());
        }
    }
}

/// So many entries are tried as the head.
const MOST_TRIED: usize = 8;

/// An entry without which no loop with more than half of the blocks is left, among those that are reached from most.
fn choose_head(
    func: &Func,
    component: &[Block],
    entries: &[Block],
    preds: &[Vec<Block>],
    search: &mut Search,
) -> Option<Block> {
    let mut order = entries.to_vec();
    order.sort_by_key(|entry| std::cmp::Reverse(preds[entry.index()].len()));
    order.into_iter().take(MOST_TRIED).find(|&head| {
        let rest: Vec<Block> = component.iter().copied().filter(|&block| block != head).collect();
        search.run(func, &rest);
        let mut left = search.components.drain(..);
        left.all(|inner| 2 * inner.len() <= component.len())
    })
}

/// Classes of values that edges pass to each other.
fn variables(func: &Func, blocks: &[Block]) -> UnionFind {
    let mut classes = UnionFind::new(func.values.len());
    for edge in blocks.iter().flat_map(|&block| &func.blocks[block].edges) {
        for (&param, &arg) in func.params(edge.block).iter().zip(func.edge_args(edge)) {
            classes.union(param.as_u32(), arg.as_u32());
        }
    }
    classes
}

/// Parameters that the entries of a loop share.
#[derive(Default)]
struct Shared {
    params: Vec<(Type, Value)>,
    of_type: [Vec<usize>; 4],
    of_variable: FxHashMap<(u32, Type), Vec<usize>>,
}

impl Shared {
    /// Where the parameters of an entry, each with its variable, are among them; more of them are made for what finds
    /// no place.
    fn places(&mut self, func: &mut Func, dispatcher: Block, own: &[(Type, u32)]) -> Vec<usize> {
        let mut is_taken = vec![false; self.params.len()];
        let mut places: Vec<Option<usize>> = Vec::with_capacity(own.len());
        for &(ty, variable) in own {
            let known = self.of_variable.get(&(variable, ty));
            let place = known.and_then(|known| known.iter().copied().find(|&place| !is_taken[place]));
            place.into_iter().for_each(|place| is_taken[place] = true);
            places.push(place);
        }
        let mut free =
            self.of_type.clone().map(|all| all.into_iter().filter(|&place| !is_taken[place]).rev().collect());
        let mut others = |func: &mut Func, ty: Type, variable: u32| {
            let free: &mut Vec<usize> = &mut free[ty as usize];
            free.pop().unwrap_or_else(|| {
                let place = self.params.len();
                self.params.push((ty, func.add_param(dispatcher, ty)));
                self.of_type[ty as usize].push(place);
                self.of_variable.entry((variable, ty)).or_default().push(place);
                place
            })
        };
        let all = own.iter().zip(places);
        all.map(|(&(ty, variable), place)| place.unwrap_or_else(|| others(func, ty, variable))).collect()
    }
}

/// Puts a dispatcher in front of the entries of a loop.
fn dispatch(
    func: &mut Func,
    entries: &[Block],
    head: Option<Block>,
    variables: &mut UnionFind,
    preds: &mut Vec<Vec<Block>>,
    is_outside: &dyn Fn(&Block) -> bool,
) {
    let dispatcher = func.new_block();
    let number = func.add_param(dispatcher, Type::I32);
    let own: Vec<Vec<(Type, u32)>> = entries
        .iter()
        .map(|&entry| {
            let params = func.params(entry).iter();
            params.map(|&value| (func.values[value], variables.find(value.as_u32()))).collect()
        })
        .collect();
    let mut shared = Shared::default();
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    // The entry with the most parameters says whose the places are.
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(own[at].len()));
    for at in order {
        places[at] = shared.places(func, dispatcher, &own[at]);
    }
    let shared = shared.params;
    for (at, &entry) in entries.iter().enumerate() {
        let all = std::mem::replace(&mut preds[entry.index()], vec![dispatcher]);
        let (outer, mut inner): (Vec<Block>, Vec<Block>) = all.iter().partition(|pred| is_outside(pred));
        if head.is_some_and(|head| head != entry) {
            preds[entry.index()].append(&mut inner);
        }
        for preds in [outer, inner].into_iter().filter(|preds| !preds.is_empty()) {
            let door = func.new_block();
            let own: Vec<Value> = own[at].iter().map(|&(ty, _)| func.add_param(door, ty)).collect();
            let mut builder = Builder::new(func, door);
            let mut args = vec![builder.iconst32(at as i32)];
            let mut given: Vec<Option<Value>> = vec![None; shared.len()];
            places[at].iter().zip(own).for_each(|(&place, value)| given[place] = Some(value));
            for (value, &(ty, _)) in given.into_iter().zip(&shared) {
                args.push(value.unwrap_or_else(|| zero(&mut builder, ty)));
            }
            builder.jump(dispatcher, &args);
            for pred in preds {
                let leads_here = |edge: &&mut Edge| edge.block == entry;
                func.blocks[pred].edges.iter_mut().filter(leads_here).for_each(|edge| edge.block = door);
            }
        }
    }
    let op = if entries.len() == 2 { Opcode::BrIf } else { Opcode::BrTable };
    func.append(dispatcher, op, 0, 0, &[number], &[]);
    let mut targets: Vec<usize> = (0..entries.len()).collect();
    if op == Opcode::BrIf {
        // The first target is that of a number other than zero.
        targets.reverse();
    }
    for at in targets {
        let args: Vec<Value> = places[at].iter().map(|&place| shared[place].1).collect();
        func.add_edge(dispatcher, entries[at], &args);
    }
    // Only blocks of the loop are asked for their predecessors later.
    preds.resize(func.blocks.len(), Vec::new());
}

fn zero(builder: &mut Builder, ty: Type) -> Value {
    match ty {
        Type::I32 => builder.iconst32(0),
        Type::I64 => builder.iconst64(0),
        Type::F64 => builder.fconst(0),
        Type::Ref => {
            let address = builder.iconst32(0);
            builder.op(Opcode::AddrRef, &[address])
        }
    }
}

/// Strongly connected components of a region, after Tarjan, without recursion.
#[derive(Default)]
struct Search {
    /// Blocks of the region.
    inside: Vec<bool>,
    /// By block: order of the visit, and the least such number that is reached.
    number: Vec<u32>,
    low: Vec<u32>,
    /// The component of each block. Numbers are not used again.
    component: Vec<u32>,
    next_component: u32,
    /// Those with a way around.
    components: Vec<Vec<Block>>,
}

impl Search {
    fn run(&mut self, func: &Func, region: &[Block]) {
        let blocks = func.blocks.len();
        self.inside.resize(blocks, false);
        self.number.resize(blocks, NONE);
        self.low.resize(blocks, NONE);
        self.component.resize(blocks, NONE);
        for block in region {
            self.inside[block.index()] = true;
            (self.number[block.index()], self.component[block.index()]) = (NONE, NONE);
        }
        let mut count = 0;
        let (mut open, mut path) = (Vec::new(), Vec::new());
        for &root in region {
            if self.number[root.index()] != NONE {
                continue;
            }
            path.push((root, 0));
            while let Some(top) = path.last_mut() {
                let (block, edge) = *top;
                let at = block.index();
                if edge == 0 {
                    (self.number[at], self.low[at]) = (count, count);
                    count += 1;
                    open.push(block);
                }
                top.1 += 1;
                if let Some(to) = func.blocks[block].edges.get(edge).map(|edge| edge.block) {
                    let to_at = to.index();
                    if !self.inside[to_at] {
                        continue;
                    }
                    if self.number[to_at] == NONE {
                        path.push((to, 0));
                    } else if self.component[to_at] == NONE {
                        self.low[at] = self.low[at].min(self.number[to_at]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    self.low[parent.index()] = self.low[parent.index()].min(self.low[at]);
                }
                if self.low[at] == self.number[at] {
                    self.close(func, block, &mut open);
                }
            }
        }
        region.iter().for_each(|block| self.inside[block.index()] = false);
    }

    /// The blocks on the stack down to this one are a component.
    fn close(&mut self, func: &Func, root: Block, open: &mut Vec<Block>) {
        let start = open.iter().rposition(|&block| block == root).expect("an open block");
        let members = open.split_off(start);
        for block in &members {
            self.component[block.index()] = self.next_component;
        }
        self.next_component += 1;
        let loops_itself = func.blocks[root].edges.iter().any(|edge| edge.block == root);
        if members.len() > 1 || loops_itself {
            self.components.push(members);
        }
    }
}
