//! The opcode table: every instruction of the IR, its immediate, its effects. Printer, parser, verifier, builder and
//! passes derive from this one table. The exact meaning of each row is in `src/interp/step.rs`.

use crate::types::Type;

/// What the immediates of an instruction (`imm: u64`, `aux: u32`) mean and how they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImmKind {
    None,
    /// `imm` is a signed integer.
    Int,
    /// `imm` holds the bits of an f64.
    Float,
    /// `imm` is a `FuncId`; `aux` is the frame depth.
    Func,
    /// `imm` is a `Service` number; `aux` is the frame depth.
    Service,
    /// `imm` is a `Table`; `aux` is the frame depth.
    Table,
    /// `aux` is the frame depth.
    Frame,
    /// `imm` is a `Desc`, `aux` the number of held arguments.
    Row,
    /// `imm` is an `Entry`.
    Entry,
    /// `imm` is a `Static`.
    Static,
    /// `imm` is a `Desc`: its single static node, or its name.
    Desc,
    /// `imm` is a `Caf`, `aux` an index of its reference (or raw) fields.
    Caf,
    /// `imm` = references | words << 32: the shape of a node or thunk; `aux` the index of a field.
    Field,
    /// `imm` is an unsigned byte offset.
    Offset,
    /// `imm` = stride | byte offset << 32 of an array element.
    Element,
    /// `imm` is a number of bytes; `aux` is the frame depth.
    Bytes,
    /// `imm` is a number of a frame slot.
    Slot,
}

/// Memory that an instruction reads or writes. Accesses of different classes never meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AliasClass {
    None,
    /// Header and payload of cells: an HNF's fields change only by `set_*` and `fill_*`.
    Heap,
    /// Elements of arrays and strings.
    Array,
    /// Sizes of arrays and strings, rows and entry records: never written after creation.
    Constant,
    ShadowStack,
    /// Storage of CAFs.
    Static,
    /// Everything (calls).
    All,
}

/// Effects of an opcode. `call_rt` refines these by its service (`Service::effects`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flags(pub u16);

impl Flags {
    /// No effect and no dependence on memory: may be removed, duplicated, moved and merged.
    pub const PURE: Flags = Flags(0);
    pub const READS: Flags = Flags(1);
    pub const WRITES: Flags = Flags(2);
    pub const TRAPS: Flags = Flags(4);
    /// Takes heap space, which a dominating heap check (`heap_full`, `collect`) must have made available once the IR is rooted.
    pub const ALLOCATES: Flags = Flags(8);
    /// A collection may happen here: no reference survives it in a value.
    pub const SAFEPOINT: Flags = Flags(16);
    pub const TERMINATOR: Flags = Flags(32);
    /// Passes control to other code (call-like).
    pub const CALL: Flags = Flags(64);

    pub const fn union(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
    pub const fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }
}

/// Phases in which an opcode may occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phases(pub u8);
impl Phases {
    pub const HIGH: Phases = Phases(1);
    pub const ROOTED: Phases = Phases(2);
    pub const LOW: Phases = Phases(4);
}

macro_rules! flags {
    ($($f:ident)*) => { Flags(0 $(| Flags::$f.0)*) };
}
macro_rules! phases {
    (all) => {
        7
    };
    (high) => {
        3
    };
    (early) => {
        1
    };
    (rooted) => {
        2
    };
    (low) => {
        4
    };
}
macro_rules! result_rule {
    (none) => {
        ResultRule::None
    };
    (i32) => {
        ResultRule::One(Type::I32)
    };
    (i64) => {
        ResultRule::One(Type::I64)
    };
    (f64) => {
        ResultRule::One(Type::F64)
    };
    (ref) => {
        ResultRule::One(Type::Ref)
    };
    (same) => {
        ResultRule::SameAsFirst
    };
    (second) => {
        ResultRule::SameAsSecond
    };
    (call) => {
        ResultRule::Callee
    };
}

/// How the result types follow from an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultRule {
    None,
    One(Type),
    SameAsFirst,
    SameAsSecond,
    /// Results of the called function, service or table.
    Callee,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct OpcodeInfo {
    pub name: &'static str,
    /// Operand types, separated by blanks: `i32 i64 f64 ref`; `int` i32 or i64; `any`; `=` same type as the last
    /// `int` or `any`; `addr` i32, ref, or i64, an address of C, of which 32 bits count in WebAssembly; `...` any number of further operands (their types follow from the immediate).
    pub operands: &'static str,
    pub result: ResultRule,
    pub imm: ImmKind,
    pub flags: Flags,
    pub alias: AliasClass,
    pub phases: u8,
    pub doc: &'static str,
}

macro_rules! opcodes {
    ($( $variant:ident $name:literal [$ops:literal] $result:tt $imm:ident ($($flag:ident)*) $alias:ident $phase:ident $doc:literal; )*) => {
        /// Operation of an instruction.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Opcode { $( #[doc = $doc] $variant, )* }

        impl Opcode {
            pub const ALL: &'static [Opcode] = &[$( Opcode::$variant, )*];
            const TABLE: &'static [OpcodeInfo] = &[$( OpcodeInfo {
                name: $name, operands: $ops, result: result_rule!($result), imm: ImmKind::$imm,
                flags: flags!($($flag)*), alias: AliasClass::$alias, phases: phases!($phase), doc: $doc,
            }, )*];
            /// The row of this opcode.
            #[inline]
            pub const fn info(self) -> &'static OpcodeInfo { &Self::TABLE[self as usize] }
        }
    };
}

opcodes! {
    // -- constants ------------------------------------------------------------------------------------------------
    Iconst32 "iconst.i32" [""] i32 Int () None all "32-bit integer constant";
    Iconst64 "iconst.i64" [""] i64 Int () None all "64-bit integer constant";
    Fconst "fconst" [""] f64 Float () None all "real constant, written as its decimal value or `0x` bits";
    RowAddr "row" [""] i32 Row () None all "header word of a node of a descriptor with n arguments (row address | 1)";
    EntryAddr "entry" [""] i32 Entry () None all "header word of a thunk (entry record address)";
    StaticRef "static" [""] ref Static () None all "reference to a static string object";
    TextAddr "text" [""] i32 Static () None all "address of a static text block (length, bytes), or of a symbol (address, text block)";
    StaticNode "static_node" [""] ref Static () None all "reference to a static node with fields";
    NodeRef "node" [""] ref Desc () None all "reference to the static node of a descriptor without arguments";
    NameAddr "name" [""] i32 Desc () None all "address of the text block with a descriptor's name";
    DescInfoAddr "descinfo" [""] i32 Desc () None all "address of a descriptor's DescriptorInfo (kind word of record arrays)";
    // -- integers -------------------------------------------------------------------------------------------------
    Iadd "iadd" ["int ="] same None () None all "wrapping addition";
    Isub "isub" ["int ="] same None () None all "wrapping subtraction";
    Imul "imul" ["int ="] same None () None all "wrapping multiplication";
    Sdiv "sdiv" ["int ="] same None (TRAPS) None all "signed division truncating to zero; traps for 0 and MIN/-1";
    Srem "srem" ["int ="] same None (TRAPS) None all "remainder with the sign of the dividend; traps for 0; MIN rem -1 is 0";
    Udiv "udiv" ["int ="] same None (TRAPS) None all "unsigned division; traps for 0";
    Urem "urem" ["int ="] same None (TRAPS) None all "unsigned remainder; traps for 0";
    And "and" ["int ="] same None () None all "bitwise and";
    Or "or" ["int ="] same None () None all "bitwise or";
    Xor "xor" ["int ="] same None () None all "bitwise exclusive or";
    Shl "shl" ["int ="] same None () None all "shift left, count modulo the width";
    Sshr "sshr" ["int ="] same None () None all "arithmetic shift right, count modulo the width";
    Ushr "ushr" ["int ="] same None () None all "logical shift right, count modulo the width";
    Rotl "rotl" ["int ="] same None () None all "rotate left";
    Rotr "rotr" ["int ="] same None () None all "rotate right";
    Clz "clz" ["int"] same None () None all "number of leading zero bits";
    Umulhi "umulhi" ["i64 i64"] i64 None () None all "high word of the unsigned 128-bit product";
    Eq "eq" ["int ="] i32 None () None all "1 if equal, else 0";
    Ne "ne" ["int ="] i32 None () None all "not equal";
    Slt "slt" ["int ="] i32 None () None all "signed less";
    Sgt "sgt" ["int ="] i32 None () None all "signed greater";
    Sle "sle" ["int ="] i32 None () None all "signed less or equal";
    Sge "sge" ["int ="] i32 None () None all "signed greater or equal";
    Ult "ult" ["int ="] i32 None () None all "unsigned less";
    Ugt "ugt" ["int ="] i32 None () None all "unsigned greater";
    Ule "ule" ["int ="] i32 None () None all "unsigned less or equal";
    Uge "uge" ["int ="] i32 None () None all "unsigned greater or equal";
    Eqz "eqz" ["int"] i32 None () None all "1 if zero";
    ExtendU "extend_u" ["i32"] i64 None () None all "zero extension";
    ExtendS "extend_s" ["i32"] i64 None () None all "sign extension";
    Wrap "wrap" ["i64"] i32 None () None all "low 32 bits";
    Select "select" ["i32 any ="] second None () None all "second operand if the first is not zero, else the third";
    // -- reals ----------------------------------------------------------------------------------------------------
    Fadd "fadd" ["f64 f64"] f64 None () None all "IEEE addition";
    Fsub "fsub" ["f64 f64"] f64 None () None all "IEEE subtraction";
    Fmul "fmul" ["f64 f64"] f64 None () None all "IEEE multiplication";
    Fdiv "fdiv" ["f64 f64"] f64 None () None all "IEEE division";
    Fneg "fneg" ["f64"] f64 None () None all "sign change";
    Fabs "fabs" ["f64"] f64 None () None all "absolute value";
    Fsqrt "fsqrt" ["f64"] f64 None () None all "square root";
    Ffloor "ffloor" ["f64"] f64 None () None all "round down";
    Fceil "fceil" ["f64"] f64 None () None all "round up";
    Ftrunc "ftrunc" ["f64"] f64 None () None all "round to zero";
    Fnearest "fnearest" ["f64"] f64 None () None all "round to nearest, ties to even";
    Feq "feq" ["f64 f64"] i32 None () None all "IEEE equality";
    Fne "fne" ["f64 f64"] i32 None () None all "IEEE inequality (true for NaN)";
    Flt "flt" ["f64 f64"] i32 None () None all "less (false for NaN)";
    Fgt "fgt" ["f64 f64"] i32 None () None all "greater (false for NaN)";
    Fle "fle" ["f64 f64"] i32 None () None all "less or equal (false for NaN)";
    Fge "fge" ["f64 f64"] i32 None () None all "greater or equal (false for NaN)";
    IntToReal "int_to_real" ["i64"] f64 None () None all "signed integer to nearest real";
    RealToInt "real_to_int" ["f64"] i64 None () None all "integral real to integer; NaN and out of range give the least integer";
    RealBits "real_bits" ["f64"] i64 None () None all "the 64 bits of a real";
    BitsReal "bits_real" ["i64"] f64 None () None all "the real with these bits";
    // -- nodes ----------------------------------------------------------------------------------------------------
    Header "header" ["ref"] i32 None (READS) Heap all "header word of an object";
    IsHnf "is_hnf" ["ref"] i32 None (READS) Heap all "nonzero (bit 0 of the header) if the node is in head normal form";
    RefAddr "ref_addr" ["ref"] i32 None () None all "the address of an object as a number; meaningless after the next safepoint";
    AddrRef "addr_ref" ["i32"] ref None () None all "the object at a static address (small integers, characters, booleans)";
    GetRef "get.ref" ["ref"] ref Field (READS) Heap high "reference field of a head normal form";
    GetI64 "get.i64" ["ref"] i64 Field (READS) Heap high "raw word of a head normal form";
    GetF64 "get.f64" ["ref"] f64 Field (READS) Heap high "real word of a head normal form";
    SetRef "set.ref" ["ref ref"] none Field (WRITES) Heap high "overwrite a reference field of a head normal form";
    SetI64 "set.i64" ["ref i64"] none Field (WRITES) Heap high "overwrite a raw word";
    SetF64 "set.f64" ["ref f64"] none Field (WRITES) Heap high "overwrite a real word";
    SetRow "set_row" ["ref"] none Row (WRITES) Heap high "overwrite the header of a node by another of the same shape";
    ArgRef "arg.ref" ["ref"] ref Field (READS) Heap high "reference argument of a thunk";
    ArgI64 "arg.i64" ["ref"] i64 Field (READS) Heap high "raw argument of a thunk";
    ArgF64 "arg.f64" ["ref"] f64 Field (READS) Heap high "real argument of a thunk";
    Blackhole "blackhole" ["ref"] none None (WRITES) Heap high "make the header of a thunk the cycle entry; its arguments are dead from here on for the collector";
    BuildNode "build" ["..."] ref Row (ALLOCATES) Heap high "new head normal form: references, then raw words";
    BuildThunk "build_thunk" ["..."] ref Entry (ALLOCATES) Heap high "new thunk: references, then raw words";
    BuildCell "build_cell" [""] ref None (ALLOCATES) Heap high "new empty cell with the cycle entry, to be filled later";
    BoxInt "box.int" ["i64"] ref None (ALLOCATES) Heap high "boxed integer: a static node when small, else a new node";
    SmallInt "small_int" [""] ref Int () None high "the static node of a small integer";
    BoxChar "box.char" ["i64"] ref None () None high "boxed character: a static node";
    BoxBool "box.bool" ["i64"] ref None () None high "boxed boolean: a static node";
    FillNode "fill" ["ref ..."] none Row (WRITES ALLOCATES) Heap high "overwrite the first operand by a head normal form; allocates the rest block of split shapes";
    FillThunk "fill_thunk" ["ref ..."] none Entry (WRITES) Heap high "overwrite the first operand by a thunk (the cell must be large enough)";
    FillCopy "fill_copy" ["ref ref"] none None (READS WRITES) Heap high "overwrite the first operand by the cell of the second, a head normal form";
    MakeIndirection "make_indirection" ["ref ref"] none None (WRITES) Heap high "turn the first operand, a thunk, into an indirection to the second";
    // -- evaluation and calls -------------------------------------------------------------------------------------
    Eval "eval" ["ref"] ref Frame (READS WRITES SAFEPOINT CALL) All early "evaluate to head normal form; the result is the same node";
    Enter "enter" ["ref"] ref Frame (READS WRITES SAFEPOINT CALL) All high "evaluate a node that is known to be a thunk";
    Call "call" ["..."] call Func (READS WRITES SAFEPOINT CALL) All all "call a function";
    CallRt "call_rt" ["..."] call Service (READS WRITES SAFEPOINT CALL) All all "call a service of the runtime";
    CallTable "call_table" ["i32 ..."] call Table (READS WRITES SAFEPOINT CALL) All all "call function number `operand 0` of a dispatch table";
    // -- arrays and strings ---------------------------------------------------------------------------------------
    ArraySize "array_size" ["ref"] i64 None (READS) Constant high "number of elements of an array object";
    StringSize "string_size" ["ref"] i64 None (READS) Constant high "number of characters of a string object";
    ElemRef "elem.ref" ["ref i64"] ref Element (READS) Array high "reference in element `operand 1`";
    ElemI64 "elem.i64" ["ref i64"] i64 Element (READS) Array high "raw word in an element";
    ElemF64 "elem.f64" ["ref i64"] f64 Element (READS) Array high "real in an element";
    ElemU8 "elem.u8" ["ref i64"] i64 Element (READS) Array high "byte in an element, zero extended";
    ElemI32 "elem.i32" ["ref i64"] i64 Element (READS) Array high "32-bit integer in an element, sign extended";
    ElemF32 "elem.f32" ["ref i64"] f64 Element (READS) Array high "32-bit real in an element, widened";
    SetElemRef "set_elem.ref" ["ref i64 ref"] none Element (WRITES) Array high "overwrite a reference of an element";
    SetElemI64 "set_elem.i64" ["ref i64 i64"] none Element (WRITES) Array high "overwrite a raw word of an element";
    SetElemF64 "set_elem.f64" ["ref i64 f64"] none Element (WRITES) Array high "overwrite a real of an element";
    SetElemU8 "set_elem.u8" ["ref i64 i64"] none Element (WRITES) Array high "overwrite a byte element";
    SetElemI32 "set_elem.i32" ["ref i64 i64"] none Element (WRITES) Array high "overwrite a 32-bit integer element";
    SetElemF32 "set_elem.f32" ["ref i64 f64"] none Element (WRITES) Array high "overwrite a 32-bit real element";
    // -- constant applicative forms -------------------------------------------------------------------------------
    CafState "caf_state" [""] i32 Caf (READS) Static high "nonzero once the CAF has its value";
    CafRef "caf.ref" [""] ref Caf (READS) Static high "stored reference `aux`";
    CafI64 "caf.i64" [""] i64 Caf (READS) Static high "stored raw word `aux`";
    CafF64 "caf.f64" [""] f64 Caf (READS) Static high "stored real word `aux`";
    SetCafState "set_caf_state" [""] none Caf (WRITES) Static high "mark the CAF as evaluated";
    SetCafRef "set_caf.ref" ["ref"] none Caf (WRITES) Static high "store a reference";
    SetCafI64 "set_caf.i64" ["i64"] none Caf (WRITES) Static high "store a raw word";
    SetCafF64 "set_caf.f64" ["f64"] none Caf (WRITES) Static high "store a real word";
    // -- roots and heap -------------------------------------------------------------------------------------------
    HeapFull "heap_full" [""] i32 Bytes (READS) None all "nonzero if fewer than this many bytes are left before the heap limit";
    Collect "collect" [""] none Bytes (READS WRITES SAFEPOINT CALL) All high "collect until this many bytes are available, or stop with `Heap full.`";
    Alloc "alloc" [""] ref Bytes (ALLOCATES) None all "bump the heap pointer; cannot fail after a dominating heap check";
    Spill "spill" ["ref"] none Slot (WRITES) ShadowStack rooted "store a reference in a slot of the frame";
    Restore "restore" [""] ref Slot (READS) ShadowStack rooted "load a reference from a slot of the frame";
    ClearSlot "clear" [""] none Slot (WRITES) ShadowStack rooted "empty a slot of the frame: the collector sees nothing there";
    // -- machine-like ---------------------------------------------------------------------------------------------
    LoadI32 "load.i32" ["addr"] i32 Offset (READS) Heap all "load 4 bytes";
    LoadI64 "load.i64" ["addr"] i64 Offset (READS) Heap all "load 8 bytes, any alignment";
    LoadF64 "load.f64" ["addr"] f64 Offset (READS) Heap all "load a real, any alignment";
    LoadRef "load.ref" ["addr"] ref Offset (READS) Heap all "load a reference";
    LoadU8 "load.u8" ["addr"] i32 Offset (READS) Heap all "load a byte, zero extended";
    LoadU16 "load.u16" ["addr"] i32 Offset (READS) Heap all "load 2 bytes, zero extended";
    LoadF32 "load.f32" ["addr"] f64 Offset (READS) Heap all "load a 32-bit real, widened";
    StoreI32 "store.i32" ["addr i32"] none Offset (WRITES) Heap all "store 4 bytes";
    StoreI64 "store.i64" ["addr i64"] none Offset (WRITES) Heap all "store 8 bytes, any alignment";
    StoreF64 "store.f64" ["addr f64"] none Offset (WRITES) Heap all "store a real, any alignment";
    StoreRef "store.ref" ["addr ref"] none Offset (WRITES) Heap all "store a reference";
    StoreU8 "store.u8" ["addr i32"] none Offset (WRITES) Heap all "store the low byte";
    StoreF32 "store.f32" ["addr f64"] none Offset (WRITES) Heap all "store as a 32-bit real";
    CafAddr "caf_addr" [""] i32 Caf () None low "address of the storage of a CAF: state word, raw words";
    CafRefAddr "caf_ref_addr" [""] i32 Caf () None low "address of reference `aux` of a CAF";
    EnterCode "enter_code" ["i32 ref i32"] ref None (READS WRITES SAFEPOINT CALL) All low "call the node entry that a thunk header names: shadow-stack pointer, thunk, its header";
    TailEnterCode "tail_enter_code" ["i32 ref i32"] none None (TERMINATOR CALL) All low "the same as a tail call";
    ShadowPointer "shadow_pointer" [""] i32 None () None low "the shadow-stack pointer that this function was called with";
    // -- terminators ----------------------------------------------------------------------------------------------
    Jump "jump" [""] none None (TERMINATOR) None all "go to a block";
    BrIf "br_if" ["i32"] none None (TERMINATOR) None all "first target if not zero, else the second";
    BrTable "br_table" ["i32"] none None (TERMINATOR) None all "target number `operand`, the last one when out of range";
    Return "ret" ["..."] none None (TERMINATOR) None all "return the operands";
    TailCall "tail_call" ["..."] none Func (TERMINATOR CALL) All all "call a function in place of this one";
    TailCallTable "tail_call_table" ["i32 ..."] none Table (TERMINATOR CALL) All all "tail call through a dispatch table";
    TailEval "tail_eval" ["ref"] none None (TERMINATOR CALL) All early "return the node evaluated: `ret` if it is in head normal form, else a tail call of its entry";
    TailEnter "tail_enter" ["ref"] none None (TERMINATOR CALL) All high "tail call of the entry of a node known to be a thunk";
    Unreachable "unreachable" [""] none None (TERMINATOR) None all "control never gets here";
}

impl Opcode {
    pub const fn name(self) -> &'static str {
        self.info().name
    }
    pub const fn flags(self) -> Flags {
        self.info().flags
    }
    pub const fn is_terminator(self) -> bool {
        self.flags().has(Flags::TERMINATOR)
    }
    /// True if instances may be removed when their results are unused.
    pub const fn is_removable(self) -> bool {
        !self
            .flags()
            .has(Flags(Flags::WRITES.0 | Flags::TRAPS.0 | Flags::SAFEPOINT.0 | Flags::TERMINATOR.0 | Flags::CALL.0))
    }
    /// True if the result refers to a static object, which never moves and needs no root.
    pub const fn is_static_ref(self) -> bool {
        use Opcode::*;
        matches!(self, StaticRef | StaticNode | NodeRef | SmallInt | BoxChar | BoxBool | AddrRef)
    }
    /// True for loads and stores: at an address, the first operand, plus an offset.
    pub fn is_access(self) -> bool {
        self.info().imm == ImmKind::Offset
    }
    /// True if the value depends on the operands and immediates alone.
    pub const fn is_pure(self) -> bool {
        self.flags().0 == 0
    }
}
