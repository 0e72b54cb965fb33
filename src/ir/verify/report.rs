//! Errors of the verifier and their positions, and what its checkers ask of calls.

use crate::call_target::CallTarget;
use crate::entity::{Block, Caf, Desc, Extern, FuncId, Inst, Static, Table, ThunkInfo};
use crate::func::Func;
use crate::module::Module;
use crate::opcode::Flags;
use crate::text::InstDisplay;
use crate::types::Type;
use std::fmt;

/// What is said of an instruction for immediates in a module without them.
pub const NO_IMMEDIATES: &str = "the module does not say that references may be immediates (`immediates`)";

/// A thing that a module has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Item {
    /// The head of a function.
    Func(FuncId),
    /// A function from outside.
    Extern(Extern),
    /// A descriptor.
    Desc(Desc),
    /// The entry of thunks.
    ThunkInfo(ThunkInfo),
    /// A static object.
    Static(Static),
    /// A constant applicative form.
    Caf(Caf),
    /// A table of functions.
    Table(Table),
    /// A type of the interface, an export, an entry: by number.
    Type(u32),
    /// A function that others call with data.
    Export(u32),
    /// A function of the host.
    Import(u32),
    /// A function that the host calls with numbers.
    Entry(u32),
    /// The buffer in which data is exchanged.
    Exchange,
    /// The start function.
    Start,
    /// The entry of cells under evaluation.
    Cycle,
}

/// Where an error is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Location {
    /// In its head, or in the function as a whole.
    Func,
    /// In the parameters or the end of a block.
    Block(Block),
    /// In an instruction.
    Inst(Block, Inst),
    /// In no function: in another item of the module.
    Item(Item),
}

/// A broken rule. Always our fault, never the user's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// Name of the function, or empty if the error is in another item of the module.
    pub func: String,
    /// Where in that function, or in the module.
    pub at: Location,
    /// Text of the instruction, if the error is in one.
    pub inst: String,
    /// One line, without the place.
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.func.is_empty() {
            write!(f, "@{}", self.func)?;
            match self.at {
                Location::Func | Location::Item(_) => {}
                Location::Block(block) => write!(f, ", {block}")?,
                Location::Inst(block, _) => write!(f, ", {block}, `{}`", self.inst)?,
            }
            write!(f, ": ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for VerifyError {}

/// More errors than this are of no help.
pub(super) const MAX_ERRORS: usize = 50;

/// The errors found so far in one function.
pub(crate) struct Sink<'a> {
    module: &'a Module,
    func: &'a Func,
    pub errors: Vec<VerifyError>,
}

impl<'a> Sink<'a> {
    pub fn new(module: &'a Module, func: &'a Func) -> Self {
        Sink { module, func, errors: Vec::new() }
    }
    /// Nothing more is kept: whoever looks for more to say need not.
    pub fn is_full(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }
    pub fn push(&mut self, at: Location, message: String) {
        if self.is_full() {
            return;
        }
        let inst = match at {
            Location::Inst(block, inst) => InstDisplay::new(self.module, self.func, block, inst).to_string(),
            _ => String::new(),
        };
        self.errors.push(VerifyError { func: self.func.name.clone(), at, inst, message });
    }
    pub fn finish(self) -> Result<(), Vec<VerifyError>> {
        if self.errors.is_empty() { Ok(()) } else { Err(self.errors) }
    }
}

/// The signature-bearing function that a call names; see the header for functions that are not in their module.
pub(crate) fn callee<'a>(module: &'a Module, func: &'a Func, id: FuncId) -> Option<&'a Func> {
    let callee = module.funcs.get(id)?;
    Some(if callee.entry.is_none() && callee.name.is_empty() { func } else { callee })
}

/// True if a collection may happen during this instruction. (The checker must not ask the passes.)
pub fn is_safepoint(module: &Module, func: &Func, inst: Inst) -> bool {
    let data = &func.insts[inst];
    data.op.any(Flags::SAFEPOINT)
        && match CallTarget::of(data.op.mere_call(), data.imm) {
            Some(CallTarget::Func(called)) => callee(module, func, called).is_none_or(|f| f.may_gc),
            Some(CallTarget::Extern(_, effects)) => effects.may_gc(),
            Some(CallTarget::Table(_) | CallTarget::Method(_) | CallTarget::Closure) => true,
            // Others become calls of functions that may collect, or do so already.
            Some(CallTarget::Thunk | CallTarget::Entry) | None => true,
        }
}

/// Types as they are written in messages.
pub(crate) fn type_list(types: &[Type]) -> String {
    format!("({})", types.iter().map(|t| t.name()).collect::<Vec<_>>().join(", "))
}
