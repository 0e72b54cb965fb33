//! What a copying collection does for cells that it has not met and that wait for the host (`foreign.rs`).

use crate::gc::Context;
use crate::gc::context::Keeper;
use crate::gc::copy::Copier;

impl<const HOLES: bool> Keeper for Copier<HOLES> {
    const IN_HOLES: bool = HOLES;

    fn keep<C: Context>(&mut self, c: &mut C, object: u32, free: u32) -> (u32, u32) {
        let copied = self.forward_other(c, object, free);
        (copied.object(), copied.free())
    }
}
