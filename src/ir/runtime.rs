//! What a module calls outside of itself: externs, functions of the runtime that `call_rt` names.
//!
//! A module declares them in `Module::externs`, each with name, types and effects; the linked runtime exports
//! `rt_<name>` (the calling rules: `LibcallSignature`). Every module has those that the compiler itself calls,
//! `Libcall::ALL`, first and in this order. A front end declares the others that its programs need: the signatures in
//! `libcalls`, which any language may use, and rows of its own:
//!
//! ```
//! use cleave_ir::{Builder, Func, Module, Signature, libcalls};
//! let mut module = Module::new("seven");
//! let print_int = module.declare(&libcalls::PRINT_INT);
//! let mut main = Func::new("main", Signature::new(&[], &[]));
//! let block = main.new_block();
//! let mut b = Builder::new(&mut main, block);
//! let seven = b.iconst64(7);
//! b.call_extern(module.callee(print_int), &[seven]);
//! b.ret(&[]);
//! ```
//!
//! In IR text an extern is an item of the module; those of `libcalls` need none:
//!
//! ```text
//! extern print_point(ref, i64) -> () [effect]       ; effects: pure, or some of `Effects::WORDS`
//! ```
//!
//! A program may also call functions that are not of the runtime: an extern `from` a module. Whoever runs the program
//! supplies it: WebAssembly imports it from the module of that name, machine code is linked with a symbol of that name.
//!
//! ```text
//! extern beep(i64) -> () [effect] from "env"
//! ```
//!
//! A `call_rt` carries the effects of its extern beside the number, so that a pass over one function needs no module;
//! the verifier compares them with the declaration.

use crate::entity::Extern;
use crate::types::Type;
use cleave_abi::{Effects, LibcallSignature, libcalls};
use std::borrow::Cow;

/// A declaration: what callers know of a function of the runtime.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternData {
    /// As IR text calls it.
    pub name: Cow<'static, str>,
    /// Without the shadow-stack pointer.
    pub params: Cow<'static, [Type]>,
    /// At most `RESULT_CELLS`.
    pub results: Cow<'static, [Type]>,
    /// What a call does besides computing its results.
    pub effects: Effects,
    /// The module that WebAssembly imports the function from; nothing for a function of the runtime.
    pub from: Option<Box<str>>,
}

impl ExternData {
    /// The symbol of the function for a linker: functions of the runtime have a prefix.
    pub fn symbol(&self) -> String {
        match self.from {
            Some(_) => self.name.to_string(),
            None => format!("rt_{}", self.name),
        }
    }
}

impl From<&'static LibcallSignature> for ExternData {
    fn from(row: &'static LibcallSignature) -> Self {
        let LibcallSignature { name, params, results, effects, doc: _ } = *row;
        ExternData { name: name.into(), params: params.into(), results: results.into(), effects, from: None }
    }
}

/// What a call of an extern is made of: its number, its effects and the types of its results.
#[derive(Clone, Copy, Debug)]
pub struct Callee<'r> {
    /// Its number in the module.
    pub id: Extern,
    /// Those of the declaration.
    pub effects: Effects,
    /// Types of the values that the call defines.
    pub results: &'r [Type],
}

impl Callee<'static> {
    /// A row that was declared as `id`.
    pub const fn of(id: Extern, row: &'static LibcallSignature) -> Self {
        Callee { id, effects: row.effects, results: row.results }
    }
}

impl Callee<'_> {
    /// The immediate of a `call_rt`.
    pub const fn imm(&self) -> u64 {
        pack_extern(self.id, self.effects)
    }
}

/// The immediate of a `call_rt`: the number of the extern, its effects in the upper half.
pub const fn pack_extern(id: Extern, effects: Effects) -> u64 {
    id.number() as u64 | (effects.0 as u64) << 32
}
/// Number and effects in the immediate of a `call_rt`.
pub const fn unpack_extern(imm: u64) -> (Extern, Effects) {
    (Extern::numbered(imm as u32), Effects((imm >> 32) as u16))
}

macro_rules! compiler_libcalls {
    ($( $variant:ident $row:ident; )*) => {
        /// The externs that the compiler itself calls: they exist in every module, with the numbers of this list.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum Libcall { $( #[doc = concat!("`libcalls::", stringify!($row), "`.")] $variant, )* }
        impl Libcall {
            /// In the order of their numbers.
            pub const ALL: &'static [Libcall] = &[$( Libcall::$variant, )*];
            /// What the ABI says about it.
            pub const fn signature(self) -> &'static LibcallSignature {
                match self { $( Libcall::$variant => &libcalls::$row, )* }
            }
        }
    };
}

compiler_libcalls! {
    Collect COLLECT;
    Remember REMEMBER;
    RememberSlot REMEMBER_SLOT;
    AllocObject ALLOC_OBJECT;
    ReleaseLast RELEASE_LAST;
    ReleaseCyclic RELEASE_CYCLIC;
    CountCells COUNT_CELLS;
    CheckDivision CHECK_DIVISION;
    Halt HALT;
    AddArgument ADD_ARGUMENT;
    StackLimit STACK_LIMIT;
    CaptureBegin CAPTURE_BEGIN;
    CaptureEnd CAPTURE_END;
    CaptureNext CAPTURE_NEXT;
    StackOverflow STACK_OVERFLOW;
}

impl Libcall {
    /// Its number, the same in every module.
    pub const fn id(self) -> Extern {
        Extern::numbered(self as u32)
    }
    /// For the builder.
    pub const fn callee(self) -> Callee<'static> {
        Callee::of(self.id(), self.signature())
    }
    /// The libcall with the number of an extern, if it is one.
    pub fn from_extern(id: Extern) -> Option<Libcall> {
        Libcall::ALL.get(id.number() as usize).copied()
    }
    /// True if calls are on slow paths.
    pub const fn is_rare(self) -> bool {
        use Libcall::*;
        matches!(self, Collect | Remember | RememberSlot | AllocObject | ReleaseLast | ReleaseCyclic)
    }
}
