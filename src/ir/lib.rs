//! The mid-level SSA IR that all front ends produce and all back ends consume.
//!
//! Pipeline: front end → *high* → passes → roots → *rooted* → lower → *low* → targets. This crate knows no front end
//! and no target. Invariants: entities are indices, never pointers; nothing recurses over the IR; one opcode table.
//!
//! ```
//! use cleave_ir::{Builder, Func, Module, Opcode, Signature, Type, text, verify};
//!
//! let mut double = Func::new("double", Signature::new(&[Type::I64], &[Type::I64]));
//! let block = double.new_block();
//! let n = double.add_param(block, Type::I64);
//! let mut b = Builder::new(&mut double, block);
//! let sum = b.op(Opcode::Iadd, &[n, n]);
//! b.ret(&[sum]);
//!
//! let mut module = Module::new("example");
//! module.funcs.push(double);
//! verify::verify_module(&module).expect("it keeps the rules");
//! let printed = text::print_module(&module);
//! assert!(printed.contains("v1 = iadd v0, v0"));
//! assert!(text::parse_module(&printed).is_ok());
//! ```
//!
//! # Phases
//! * **high**: nodes are built, filled and evaluated by `build`, `fill`, `eval`; references live anywhere. Allocation
//!   needs no heap check yet. Just before the roots pass `eval` becomes a test and an `enter`, and every stretch of
//!   allocations is preceded by `heap_full n` with a branch to a block that does `collect n`.
//! * **rooted**: no reference crosses a safepoint (`Flags::SAFEPOINT`) in a value. It is spilled to a slot of the
//!   frame before and restored after. The `aux` of a safepoint (written `frame k`) is the number of slots, 0..k, that
//!   the collector sees during it: all of them must hold a reference or be empty, and those that were in the frame of
//!   an earlier safepoint keep their (updated) contents. Slots at k and above are lost there. Static references need no
//!   slot.
//! * **low**: the layout is explicit. `get`, `build`, … are loads and stores; `spill` and `restore` are accesses
//!   relative to `shadow_pointer`, a hidden first parameter of functions, which calls pass explicitly
//!   (`lowered_signature`). Functions in tables and node entries always take it.

#![warn(missing_docs)]

pub mod arithmetic;
pub mod arrays;
pub mod builder;
pub mod call_target;
mod captures;
mod cell_sizes;
pub mod cfg;
mod constant_value;
mod cycles;
pub mod data_section;
pub mod demands;
mod descriptors;
mod dispatch;
pub mod dom;
mod effects;
pub mod entity;
pub mod expand_arrays;
pub mod expand_exceptions;
mod externs_of_heap;
mod free_name;
pub mod func;
pub mod heap;
pub mod incremental_padding;
pub mod interface;
pub mod layout;
pub mod live_intervals;
pub mod liveness;
pub mod loops;
pub mod lowered_signature;
pub mod memory;
pub mod module;
pub mod opcode;
mod ownership;
pub mod peel;
pub mod raises;

mod reference_writers;
pub mod runtime;
pub mod source;
pub mod spill_around_calls;
pub mod ssa;
mod stop_with_name;
pub mod strategy;
pub mod target;
pub mod text;
pub mod types;
pub mod union_find;
mod value_list;
pub mod verify;
mod written_fields;

pub use arrays::ArrayKind;
pub use builder::Builder;
pub use call_target::CallTarget;
pub use captures::Captures;
pub use cell_sizes::CellSizes;
pub use cleave_abi::rc;
pub use cleave_abi::{self as abi, Effects, LibcallSignature, libcalls};
pub use constant_value::ConstantValue;
pub use cycles::Cycles;
pub use entity::{Block, Caf, Desc, Extern, FuncId, Inst, Static, Table, ThunkInfo, Value};
pub use func::{BlockData, Edge, Func, InstData, Phase, pack};
pub use heap::Heap;
pub use layout::Shape;
pub use module::{
    CafData, DescData, LAZY_RECORD, Module, RecordData, StaticData, StaticField, StaticNode, TableData, TableRole,
    ThunkInfoData, ThunkKind, WellKnownDesc,
};
pub use opcode::{Flags, Group, ImmKind, Memory, Opcode};
pub use ownership::{ResultOwner, Taken};
pub use reference_writers::ReferenceWriters;
pub use runtime::{Callee, ExternData, Libcall};
pub use source::Location;
pub use strategy::RootStrategy;
pub use target::{Lowered, Target};
pub use types::{Signature, Type};
pub use union_find::UnionFind;
pub use value_list::{ValueList, ValuePool};
pub use written_fields::WrittenFields;

// What users of the IR need of the entity library.
pub use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, packed_option};
