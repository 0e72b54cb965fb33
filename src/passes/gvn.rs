//! gvn
use crate::values::Scratch;
use cleave_ir::Func;
pub fn run(_func: &mut Func, _scratch: &mut Scratch) -> bool { false }
