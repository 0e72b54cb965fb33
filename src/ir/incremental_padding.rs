//! Padding in the data section of a large program for incremental builds, so that a change in one module moves little
//! of what belongs to others: addresses are part of the code, and functions of an earlier build can be used again only
//! if theirs are the same.
//!
//! What belongs to one module lies together, and its bytes are rounded up to a *room* of a quarter of the next power of
//! two: an eighth of the data section is empty in the mean. A module that outgrows its room moves those after it.

use crate::entity::{FuncId, Static, ThunkInfo};
use crate::layout::THUNK_INFO_SIZE;
use crate::module::Module;
use crate::opcode::ImmKind;
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;

/// The smallest room.
const LEAST: u32 = 64;

/// So many bytes with the room after them.
pub fn room(bytes: u32) -> u32 {
    bytes.next_multiple_of((bytes.next_power_of_two() / 4).max(LEAST))
}

/// The module in a label.
pub fn owner(label: &str) -> &str {
    label.split_once('.').map_or(label, |(owner, _)| owner)
}

/// Offsets of the thunk infos from their start, by entry, and the bytes of all. Those of a module are together, in
/// the order in which modules come first.
pub fn entry_offsets(module: &Module) -> (Vec<u32>, u32) {
    let mut owners: Vec<Vec<ThunkInfo>> = Vec::new();
    let mut known: FxHashMap<&str, usize> = FxHashMap::default();
    for (entry, data) in module.thunk_infos.iter() {
        let number = *known.entry(owner(&data.label)).or_insert(owners.len());
        if number == owners.len() {
            owners.push(Vec::new());
        }
        owners[number].push(entry);
    }
    let (mut offsets, mut end) = (vec![0; module.thunk_infos.len()], 0);
    for thunk_infos in owners {
        for (at, &entry) in (0..).zip(&thunk_infos) {
            offsets[entry.index()] = end + at * THUNK_INFO_SIZE;
        }
        end += room(thunk_infos.len() as u32 * THUNK_INFO_SIZE);
    }
    (offsets, room(end))
}

/// For each static object the function that names it first; `None` for those that only others refer to.
pub fn first_users(module: &Module) -> SecondaryMap<Static, Option<FuncId>> {
    let mut users = SecondaryMap::with_default(None);
    for (id, func) in module.funcs.iter() {
        for data in func.layout.iter().flat_map(|&block| &func.blocks[block].insts).map(|&inst| &func.insts[inst]) {
            if data.op.info().imm == ImmKind::Static {
                users[Static::from_u32(data.imm as u32)].get_or_insert(id);
            }
        }
    }
    users
}
