//! Fields that the program overwrites.

use super::{Lowering, payload};
use crate::lower::emit::Emit;
use cleave_ir::rc;
use cleave_ir::{InstData, Opcode, Value};

impl Lowering<'_> {
    /// A word of a node gets another value.
    pub(super) fn overwrite(&mut self, data: &InstData, args: &[Value]) {
        let (ptrs, _) = payload(data);
        self.store(args[0], rc::word(ptrs, data.aux), args[1]);
    }

    /// The reference in a field: one more, or another in its place.
    pub(super) fn changing_field(&mut self, data: &InstData, args: &[Value], result: Value) {
        let place = rc::reference(data.aux);
        self.define(result, Opcode::LoadRef, u64::from(place), &args[..1]);
        match data.op {
            Opcode::ExchangeRef => self.store(args[0], place, args[1]),
            _ => self.retain(result),
        }
    }
}
