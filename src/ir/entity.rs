//! Entities: typed 32-bit indices. Nothing in the IR refers to anything by pointer; `Display` of an entity is exactly
//! its text form.

macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);
        cranelift_entity::entity_impl!($name, $prefix);
    };
}
pub(crate) use entity;

entity!(/// An SSA value of one function.
    Value, "v");
entity!(/// An instruction of one function.
    Inst, "inst");
entity!(/// A basic block of one function.
    Block, "block");
entity!(/// A function of the module.
    FuncId, "fn");
entity!(/// A descriptor: constructor, function symbol, record or basic type.
    Desc, "desc");
entity!(/// A node entry: what a thunk header names.
    ThunkInfo, "entry");
entity!(/// A static object of the data section: string constant, text block.
    Static, "static");
entity!(/// Storage of a constant applicative form.
    Caf, "caf");
entity!(/// A dispatch table: functions of one signature, called by index.
    Table, "table");
entity!(/// A function of the runtime that the module calls.
    Extern, "extern");

impl Extern {
    /// The same as `from_u32`, for constants.
    pub const fn numbered(number: u32) -> Extern {
        Extern(number)
    }
    /// The same as `as_u32`, for constants.
    pub const fn number(self) -> u32 {
        self.0
    }
}
