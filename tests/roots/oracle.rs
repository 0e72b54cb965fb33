//! Decides whether a placement of roots is right by trying all paths through the function, with every branch taken
//! both ways: no joins, no sets, no approximation.
//!
//! A *token* stands for an object. The machine runs original and rooted function in lock-step: the original's values
//! are tokens, the rooted one's are tokens that are fresh or stale, slots hold tokens or nothing. An instruction that
//! makes a reference makes a new token in both; an operand of the rooted function must be fresh and have the token
//! of the original's operand. What matters of a state at the start of a block are the values that are still live
//! there, the slots, and which tokens are equal, so there are finitely many and all are visited.

use cleave_ir::cfg::Cfg;
use cleave_ir::liveness::Liveness;
use cleave_ir::verify::is_safepoint;
use cleave_ir::{Block, Func, Inst, Module, Opcode, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Tokens below are of static nodes (by descriptor), which never move.
const FIRST_MOVING: u32 = 1000;
/// What an emptied slot holds.
const EMPTY: u32 = 999;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct State {
    block: Block,
    original: BTreeMap<Value, u32>,
    /// Token, and whether it is fresh.
    rooted: BTreeMap<Value, (u32, bool)>,
    slots: Vec<Option<u32>>,
}

/// The outcome of trying all paths.
#[derive(Debug)]
pub enum Verdict {
    /// Nothing is wrong in any of this many states.
    Right(usize),
    /// The first mistake found.
    Wrong(String),
    /// More states than one wants to visit.
    TooMany,
}

const MAX_STATES: usize = 3000;

/// Tries all paths. `rooted` must be structurally correct and have the shape of `original`.
pub fn explore(module: &Module, original: &Func, rooted: &Func) -> Verdict {
    let cfg = Cfg::compute(original);
    let is_ref = |func: &Func, v: Value| func.values[v] == Type::Ref;
    let machine = Machine {
        module,
        original,
        rooted,
        live_original: Liveness::compute(original, &cfg, |v| is_ref(original, v)),
        live_rooted: Liveness::compute(rooted, &Cfg::compute(rooted), |v| is_ref(rooted, v)),
        slots: slot_count(rooted),
    };
    let entry = original.entry_block();
    let mut state =
        State { block: entry, original: BTreeMap::new(), rooted: BTreeMap::new(), slots: vec![None; machine.slots] };
    for (i, &param) in original.params(entry).iter().enumerate() {
        if is_ref(original, param) {
            let token = FIRST_MOVING + i as u32;
            state.original.insert(param, token);
            state.rooted.insert(param, (token, true));
        }
    }
    let mut seen = BTreeSet::from([state.clone()]);
    let mut work = vec![state];
    while let Some(state) = work.pop() {
        match machine.block(state) {
            Err(message) => return Verdict::Wrong(message),
            Ok(next) => {
                for state in next {
                    if seen.insert(state.clone()) {
                        work.push(state);
                    }
                }
            }
        }
        if seen.len() > MAX_STATES {
            return Verdict::TooMany;
        }
    }
    Verdict::Right(seen.len())
}

/// Number of slots that a function mentions.
pub fn slot_count(func: &Func) -> usize {
    let insts = func.layout.iter().flat_map(|&b| &func.blocks[b].insts).map(|&i| &func.insts[i]);
    insts
        .map(|data| match data.op {
            Opcode::Spill | Opcode::Restore | Opcode::ClearSlot => data.imm as usize + 1,
            _ => data.aux as usize * usize::from(data.op.any(cleave_ir::Flags::SAFEPOINT)),
        })
        .max()
        .unwrap_or(0)
}

struct Machine<'a> {
    module: &'a Module,
    original: &'a Func,
    rooted: &'a Func,
    live_original: Liveness,
    live_rooted: Liveness,
    slots: usize,
}

impl Machine<'_> {
    /// Runs a block; the states at the starts of the following ones.
    fn block(&self, mut state: State) -> Result<Vec<State>, String> {
        let block = state.block;
        let mut originals = self.original.blocks[block].insts.iter();
        for &inst in &self.rooted.blocks[block].insts {
            let data = &self.rooted.insts[inst];
            let slot = data.imm as usize;
            match data.op {
                Opcode::Spill => state.slots[slot] = Some(self.fresh(&state, self.rooted.args(inst)[0])?),
                Opcode::ClearSlot => state.slots[slot] = Some(EMPTY),
                Opcode::Restore => {
                    let token = state.slots[slot].filter(|&token| token != EMPTY);
                    let token = token.ok_or_else(|| format!("restore from the empty slot s{slot}"))?;
                    state.rooted.insert(self.rooted.result(inst), (token, true));
                }
                _ => {
                    let old = *originals.next().ok_or("an instruction too many")?;
                    self.step(&mut state, old, inst)?;
                }
            }
        }
        let edges = self.original.blocks[block].edges.iter().zip(&self.rooted.blocks[block].edges);
        edges.map(|(old, new)| self.edge(&state, old, new)).collect()
    }

    fn fresh(&self, state: &State, value: Value) -> Result<u32, String> {
        match state.rooted.get(&value) {
            Some(&(token, fresh)) if fresh || token < FIRST_MOVING => Ok(token),
            Some(_) => Err(format!("{value} is stale")),
            None => Err(format!("{value} is not defined")),
        }
    }

    /// The operand `new` must be the object that `old` is.
    fn same(&self, state: &State, old: Value, new: Value) -> Result<(), String> {
        if self.rooted.values[new] != Type::Ref {
            return if old == new { Ok(()) } else { Err(format!("{new} instead of {old}")) };
        }
        let token = self.fresh(state, new)?;
        if state.original.get(&old) == Some(&token) { Ok(()) } else { Err(format!("{new} is not {old}")) }
    }

    /// An instruction that both functions have.
    fn step(&self, state: &mut State, old: Inst, new: Inst) -> Result<(), String> {
        for (&a, &b) in self.original.args(old).iter().zip(self.rooted.args(new)) {
            self.same(state, a, b)?;
        }
        let data = &self.rooted.insts[new];
        if is_safepoint(self.module, self.rooted, new) {
            let frame = data.aux as usize;
            if let Some(slot) = (0..frame).find(|&s| state.slots[s].is_none()) {
                return Err(format!("slot s{slot} of the frame is empty"));
            }
            state.slots[frame..].fill(None);
            state.rooted.values_mut().for_each(|(_, fresh)| *fresh = false);
        }
        for &result in self.rooted.results(new) {
            if self.rooted.values[result] == Type::Ref {
                let token = if data.op == Opcode::NodeRef { data.imm as u32 } else { next_token(state) };
                state.original.insert(result, token);
                state.rooted.insert(result, (token, true));
            }
        }
        Ok(())
    }

    fn edge(&self, state: &State, old: &cleave_ir::Edge, new: &cleave_ir::Edge) -> Result<State, String> {
        let target = old.block;
        let (old_args, new_args) = (self.original.edge_args(old), self.rooted.edge_args(new));
        for (&a, &b) in old_args.iter().zip(new_args) {
            self.same(state, a, b)?;
        }
        let mut next =
            State { block: target, original: BTreeMap::new(), rooted: BTreeMap::new(), slots: state.slots.clone() };
        for value in self.live_original.values(self.live_original.live_in(target)) {
            next.original.insert(value, *state.original.get(&value).ok_or("an undefined value")?);
        }
        for (&arg, &param) in old_args.iter().zip(self.original.params(target)) {
            if let Some(&token) = state.original.get(&arg) {
                next.original.insert(param, token);
            }
        }
        for value in self.live_rooted.values(self.live_rooted.live_in(target)) {
            next.rooted.insert(value, *state.rooted.get(&value).ok_or("an undefined value")?);
        }
        for (&arg, &param) in new_args.iter().zip(self.rooted.params(target)) {
            if self.rooted.values[param] == Type::Ref {
                next.rooted.insert(param, (self.fresh(state, arg)?, true));
            }
        }
        next.rename();
        Ok(next)
    }
}

fn next_token(state: &State) -> u32 {
    let used = state.original.values().chain(state.rooted.values().map(|(t, _)| t));
    used.chain(state.slots.iter().flatten()).copied().max().unwrap_or(0).max(FIRST_MOVING) + 1
}

impl State {
    /// Numbers the tokens in order of appearance, so that states that mean the same are equal.
    fn rename(&mut self) {
        let mut names: BTreeMap<u32, u32> = BTreeMap::new();
        let rooted = self.rooted.values_mut().map(|(token, _)| token);
        for token in self.original.values_mut().chain(rooted).chain(self.slots.iter_mut().flatten()) {
            if *token >= FIRST_MOVING {
                let name = FIRST_MOVING + names.len() as u32;
                *token = *names.entry(*token).or_insert(name);
            }
        }
    }
}
