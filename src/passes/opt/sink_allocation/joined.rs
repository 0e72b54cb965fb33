//! Cells that several branches fill, and that are used where these have joined: the nodes come there as parameters.

use super::{END, Place, rename};
use cleave_ir::cfg::Cfg;
use cleave_ir::{Block, Func, SecondaryMap, Type, Value};

/// What happens to a cell at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Event {
    Made,
    /// By the instruction of that number.
    Filled(usize),
    Used,
}

/// What holds of a cell at a place, on all ways there.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    NotMade,
    Empty,
    Full,
    /// Different things, on different ways.
    Mixed,
}

/// What happens to one cell, by block, in order.
pub struct Joined<'a> {
    cfg: &'a Cfg,
    events: SecondaryMap<Block, Vec<(u32, Event)>>,
}

impl<'a> Joined<'a> {
    /// None if the cell is used before it is full on some way, or filled more than once.
    pub fn new(func: &Func, cfg: &'a Cfg, made: Place, fills: &[Place], uses: &[Place]) -> Option<Joined<'a>> {
        if cfg.order.len() != func.layout.len() {
            return None;
        }
        let mut events: SecondaryMap<Block, Vec<(u32, Event)>> = SecondaryMap::new();
        events[made.0].push((made.1, Event::Made));
        for (number, fill) in fills.iter().enumerate() {
            events[fill.0].push((fill.1, Event::Filled(number)));
        }
        uses.iter().for_each(|place| events[place.0].push((place.1, Event::Used)));
        for &block in &cfg.order {
            events[block].sort_by_key(|event| event.0);
        }
        let joined = Joined { cfg, events };
        joined.is_filled_before_uses().then_some(joined)
    }

    fn is_filled_before_uses(&self) -> bool {
        let mut ends: SecondaryMap<Block, State> = SecondaryMap::new();
        loop {
            let (mut changed, mut is_right) = (false, true);
            for &block in &self.cfg.order {
                let mut state = State::NotMade;
                for &pred in &self.cfg.preds[block] {
                    state = match (state, ends[pred]) {
                        (State::NotMade, other) => other,
                        (one, other) if one == other || other == State::NotMade => one,
                        _ => State::Mixed,
                    };
                }
                for &(_, event) in &self.events[block] {
                    is_right &= match event {
                        Event::Made => true,
                        Event::Filled(_) => state == State::Empty,
                        Event::Used => state == State::Full,
                    };
                    state = match event {
                        Event::Made => State::Empty,
                        Event::Filled(_) => State::Full,
                        Event::Used => state,
                    };
                }
                changed |= std::mem::replace(&mut ends[block], state) != state;
            }
            if !changed {
                return is_right;
            }
        }
    }

    /// Blocks at whose beginning the full cell is needed.
    fn needed(&self, func: &Func) -> SecondaryMap<Block, bool> {
        let mut needed: SecondaryMap<Block, bool> = SecondaryMap::new();
        loop {
            let mut changed = false;
            for &block in self.cfg.order.iter().rev() {
                let is_needed = match self.events[block].first() {
                    Some(&(_, event)) => event == Event::Used,
                    None => func.successors(block).any(|to| needed[to]),
                };
                changed |= std::mem::replace(&mut needed[block], is_needed) != is_needed;
            }
            if !changed {
                return needed;
            }
        }
    }

    /// Uses the nodes `names`, which the instructions that filled the cell `value` build now. Calls `used` for each
    /// place where one is used.
    pub fn write(&self, func: &mut Func, value: Value, names: &[Value], mut used: impl FnMut(Value, Place)) {
        let needed = self.needed(func);
        let mut ends: SecondaryMap<Block, Option<Value>> = SecondaryMap::new();
        for &block in &self.cfg.order {
            let mut name = match &self.cfg.preds[block][..] {
                _ if !needed[block] => None,
                &[pred] => ends[pred],
                _ => Some(func.add_param(block, Type::Ref)),
            };
            for &(position, event) in &self.events[block] {
                match (event, name) {
                    (Event::Filled(number), _) => name = Some(names[number]),
                    (Event::Used, Some(name)) => {
                        rename(func, (block, position), value, name);
                        used(name, (block, position));
                    }
                    (Event::Made | Event::Used, _) => {}
                }
            }
            ends[block] = name;
        }
        for &block in &self.cfg.order {
            for number in 0..func.blocks[block].edges.len() {
                let to = func.blocks[block].edges[number].block;
                if let (true, Some(name)) = (needed[to] && self.cfg.preds[to].len() > 1, ends[block]) {
                    func.blocks[block].edges[number].args.push(name, &mut func.pool);
                    used(name, (block, END));
                }
            }
        }
    }
}
