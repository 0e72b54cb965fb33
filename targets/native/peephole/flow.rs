//! Basic blocks of a function, and liveness of registers.

use super::code::{Code, Kind};
use super::effects::Registers;
use std::ops::Range;

/// Instructions that run one after the other.
#[derive(Debug)]
pub struct Block {
    pub items: Range<usize>,
    /// Blocks that may follow.
    pub next: Vec<u32>,
    /// The only block that it may follow, if there is just one.
    pub before: Option<u32>,
    pub is_reachable: bool,
}

/// The blocks of a function, in their order.
#[derive(Debug)]
pub struct Flow {
    pub blocks: Vec<Block>,
}

impl Flow {
    /// `None` if control could leave the code at its end.
    pub fn of(code: &Code) -> Option<Flow> {
        let items = &code.items;
        let mut begins = vec![false; items.len() + 1];
        begins[0] = true;
        for (at, item) in items.iter().enumerate() {
            let mut to = |target: u32| begins[target as usize] = true;
            match item.kind {
                Kind::Jump(target) | Kind::Branch(_, target) => to(target),
                Kind::Switch(table) => code.tables[table as usize].targets.iter().for_each(|&target| to(target)),
                _ => {}
            }
            if item.is_end() || matches!(item.kind, Kind::Branch(..)) {
                begins[at + 1] = true;
            }
        }
        begins[items.len()] = true;
        let starts: Vec<usize> = (0..=items.len()).filter(|&at| begins[at]).collect();
        let block_of = |item: u32| starts.binary_search(&(item as usize)).expect("a block begins there") as u32;
        let mut blocks = Vec::with_capacity(starts.len());
        for (number, pair) in (0..).zip(starts.windows(2)) {
            let last = &items[pair[1] - 1];
            let mut next = match last.kind {
                Kind::Jump(target) | Kind::Branch(_, target) => vec![block_of(target)],
                Kind::Switch(table) => {
                    let targets = &code.tables[table as usize].targets;
                    let mut next: Vec<u32> = targets.iter().map(|&target| block_of(target)).collect();
                    next.sort_unstable();
                    next.dedup();
                    next
                }
                _ => Vec::new(),
            };
            if !last.is_end() && !next.contains(&(number + 1)) {
                next.push(number + 1);
            }
            blocks.push(Block { items: pair[0]..pair[1], next, before: None, is_reachable: false });
        }
        let mut flow = Flow { blocks };
        flow.reach()?;
        Some(flow)
    }

    /// Finds what can be reached, and the blocks with one before them.
    fn reach(&mut self) -> Option<()> {
        let mut count = vec![0u32; self.blocks.len()];
        let mut work = vec![0u32];
        self.blocks.first_mut()?.is_reachable = true;
        // Control comes into the first block from outside.
        count[0] = 1;
        while let Some(number) = work.pop() {
            for next in self.blocks[number as usize].next.clone() {
                let block = self.blocks.get_mut(next as usize)?;
                count[next as usize] += 1;
                block.before = (count[next as usize] == 1).then_some(number);
                if !std::mem::replace(&mut block.is_reachable, true) {
                    work.push(next);
                }
            }
        }
        Some(())
    }

    /// Drops what nothing leads to: what fills the space before constants, and blocks that became empty.
    pub fn drop_unreachable(&self, code: &mut Code) {
        for block in self.blocks.iter().filter(|block| !block.is_reachable) {
            code.items[block.items.clone()].iter_mut().for_each(|item| item.kind = Kind::Gone);
        }
    }

    /// The registers that are read before they are written, after each block.
    pub fn live_after(&self, code: &Code, registers: &mut Registers) -> Vec<u16> {
        // Of each block: what it reads first, and what it does not write.
        let mut through: Vec<(u16, u16)> = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            let (mut reads, mut keeps) = (0, !0);
            for item in code.items[block.items.clone()].iter().rev() {
                let effects = registers.of(item);
                reads = reads & !effects.writes | effects.reads;
                keeps &= !effects.writes;
            }
            through.push((reads, keeps));
        }
        let mut after = vec![0u16; self.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (number, block) in self.blocks.iter().enumerate().rev().filter(|(_, block)| block.is_reachable) {
                let before = |&next: &u32| {
                    let (reads, keeps) = through[next as usize];
                    after[next as usize] & keeps | reads
                };
                let live = block.next.iter().map(before).fold(0, |all, live| all | live);
                changed |= live != after[number];
                after[number] = live;
            }
        }
        after
    }
}
