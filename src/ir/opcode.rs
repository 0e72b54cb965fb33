//! The opcode table: every instruction of the IR, its operands, its immediate, its effects. Printer, parser, verifier,
//! builder, passes and all back ends read this one table; the columns are explained in `opcode/columns.rs`. What a
//! number instruction gives is in `arithmetic.rs`, the exact meaning of all others in `src/interp/step.rs`.
//!
//! The rows are in groups, each of which is an enum too: a `match` over one of these has to name them all, so that a
//! new row is a list of compile errors (`docs/ir.md` shows the one of `popcnt`).

mod columns;
mod questions;
pub use columns::{Flags, ImmKind, Memory, OpcodeInfo, Operand, OperandRule, Phases, ResultRule};
pub use questions::table;

macro_rules! opcodes {
    ($( $(#[$about:meta])* $group:ident { $(
        $variant:ident $name:literal [$ops:literal] $result:tt $imm:ident ($($flag:ident)*) [$($read:ident)*] [$($write:ident)*] $phases:ident $doc:literal;
    )* } )*) => {
        /// Operation of an instruction.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Opcode { $($( #[doc = $doc] $variant, )*)* }

        /// The group of an opcode, with what it is there.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Group { $( $(#[$about])* $group($group), )* }

        $(
            $(#[$about])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            #[repr(u8)]
            pub enum $group { $( #[doc = $doc] $variant = Opcode::$variant as u8, )* }

            impl $group {
                /// All of the group, in the order of the table.
                pub const ALL: &'static [$group] = &[$( $group::$variant, )*];
                /// The row of the table.
                #[inline]
                pub const fn opcode(self) -> Opcode {
                    match self { $( $group::$variant => Opcode::$variant, )* }
                }
                /// The member that an opcode is, if it is one.
                #[inline]
                pub const fn of(op: Opcode) -> Option<$group> {
                    match op {
                        $( Opcode::$variant => Some($group::$variant), )*
                        _ => None,
                    }
                }
            }
        )*

        impl Opcode {
            /// In the order of the table.
            pub const ALL: &'static [Opcode] = &[$($( Opcode::$variant, )*)*];
            const TABLE: &'static [OpcodeInfo] = &[$($( OpcodeInfo {
                name: $name, operands: $ops, result: columns::result_rule!($result), imm: ImmKind::$imm,
                flags: Flags::NONE $(.union(Flags::$flag))*,
                reads: Memory::NONE $(.union(Memory::$read))*, writes: Memory::NONE $(.union(Memory::$write))*,
                phases: Phases::$phases, doc: $doc,
            }, )*)*];
            /// The row of this opcode.
            #[inline]
            pub const fn info(self) -> &'static OpcodeInfo { &Self::TABLE[self as usize] }
            /// Its group, in which a `match` names all that there is.
            #[inline]
            pub const fn group(self) -> Group {
                match self { $($( Opcode::$variant => Group::$group($group::$variant), )*)* }
            }
        }
    };
}

// Opcode, its name, [operands], results, immediate, (flags), [memory it reads], [memory it writes], phases, meaning.
opcodes! {
    /// Immediates of the program.
    Constant {
        Iconst32 "iconst.i32" [""] i32 Int (CONSTANT) [] [] ANY "32-bit integer constant";
        Iconst64 "iconst.i64" [""] i64 Int (CONSTANT) [] [] ANY "64-bit integer constant";
        Fconst "fconst" [""] f64 Float (CONSTANT) [] [] ANY "real constant, written as its decimal value or `0x` bits";
        NodeInfoAddr "node_info" [""] i32 NodeInfo (CONSTANT) [] [] ANY "header word of a node of a descriptor with n arguments (address of a node info | 1)";
        ThunkInfoAddr "thunk_info" [""] i32 ThunkInfo (CONSTANT) [] [] ANY "header word of a thunk (thunk info address)";
        StaticRef "static" [""] ref Static (CONSTANT STATIC RESULT_EVALUATED) [] [] ANY "reference to a static string object";
        TextAddr "text" [""] i32 Static (CONSTANT) [] [] ANY "address of a static text block (length, bytes), or of a symbol (address, text block)";
        StaticNode "static_node" [""] ref Static (CONSTANT STATIC RESULT_EVALUATED) [] [] ANY "reference to a static node with fields";
        NodeRef "node" [""] ref Desc (CONSTANT STATIC RESULT_EVALUATED) [] [] ANY "reference to the static node of a descriptor without arguments";
        NameAddr "name" [""] i32 Desc (CONSTANT) [] [] ANY "address of the text block with a descriptor's name";
        DescInfoAddr "descinfo" [""] i32 Desc (CONSTANT) [] [] ANY "address of a descriptor's DescriptorInfo (kind word of record arrays)";
        CafAddr "caf_addr" [""] i32 Caf (CONSTANT) [] [] LOW "address of the storage of a CAF: state word, raw words";
        CafRefAddr "caf_ref_addr" [""] i32 Caf (CONSTANT) [] [] LOW "address of a stored reference of a CAF";
    }
    /// Integers to integers; what each gives is in `arithmetic.rs`.
    Integer {
        Iadd "iadd" ["int ="] same None (COMMUTATIVE CARRIES_ADDRESS) [] [] ANY "wrapping addition";
        Isub "isub" ["int ="] same None (CARRIES_ADDRESS) [] [] ANY "wrapping subtraction";
        Imul "imul" ["int ="] same None (COMMUTATIVE) [] [] ANY "wrapping multiplication";
        Sdiv "sdiv" ["int ="] same None (TRAPS) [] [] ANY "signed division truncating to zero; traps for 0 and MIN/-1";
        Srem "srem" ["int ="] same None (TRAPS) [] [] ANY "remainder with the sign of the dividend; traps for 0; MIN rem -1 is 0";
        Udiv "udiv" ["int ="] same None (TRAPS) [] [] ANY "unsigned division; traps for 0";
        Urem "urem" ["int ="] same None (TRAPS) [] [] ANY "unsigned remainder; traps for 0";
        And "and" ["int ="] same None (COMMUTATIVE) [] [] ANY "bitwise and";
        Or "or" ["int ="] same None (COMMUTATIVE CARRIES_ADDRESS) [] [] ANY "bitwise or";
        Xor "xor" ["int ="] same None (COMMUTATIVE) [] [] ANY "bitwise exclusive or";
        Shl "shl" ["int ="] same None () [] [] ANY "shift left, count modulo the width";
        Sshr "sshr" ["int ="] same None () [] [] ANY "arithmetic shift right, count modulo the width";
        Ushr "ushr" ["int ="] same None () [] [] ANY "logical shift right, count modulo the width";
        Rotl "rotl" ["int ="] same None () [] [] ANY "rotate left";
        Rotr "rotr" ["int ="] same None () [] [] ANY "rotate right";
        Clz "clz" ["int"] same None () [] [] ANY "number of leading zero bits";
        Popcnt "popcnt" ["int"] same None () [] [] ANY "number of one bits";
        Umulhi "umulhi" ["i64 i64"] i64 None (COMMUTATIVE) [] [] ANY "high word of the unsigned 128-bit product";
        Eqz "eqz" ["int"] i32 None (BOOLEAN) [] [] ANY "1 if zero";
        ExtendU "extend_u" ["i32"] i64 None (CARRIES_ADDRESS) [] [] ANY "zero extension";
        ExtendS "extend_s" ["i32"] i64 None (CARRIES_ADDRESS) [] [] ANY "sign extension";
        Wrap "wrap" ["i64"] i32 None (CARRIES_ADDRESS) [] [] ANY "low 32 bits";
    }
    /// Of two integers.
    Comparison {
        Eq "eq" ["int ="] i32 None (BOOLEAN COMMUTATIVE) [] [] ANY "1 if equal, else 0";
        Ne "ne" ["int ="] i32 None (BOOLEAN COMMUTATIVE) [] [] ANY "not equal";
        Slt "slt" ["int ="] i32 None (BOOLEAN) [] [] ANY "signed less";
        Sgt "sgt" ["int ="] i32 None (BOOLEAN) [] [] ANY "signed greater";
        Sle "sle" ["int ="] i32 None (BOOLEAN) [] [] ANY "signed less or equal";
        Sge "sge" ["int ="] i32 None (BOOLEAN) [] [] ANY "signed greater or equal";
        Ult "ult" ["int ="] i32 None (BOOLEAN) [] [] ANY "unsigned less";
        Ugt "ugt" ["int ="] i32 None (BOOLEAN) [] [] ANY "unsigned greater";
        Ule "ule" ["int ="] i32 None (BOOLEAN) [] [] ANY "unsigned less or equal";
        Uge "uge" ["int ="] i32 None (BOOLEAN) [] [] ANY "unsigned greater or equal";
    }
    /// From or to reals; what each gives is in `arithmetic.rs`.
    Real {
        Fadd "fadd" ["f64 f64"] f64 None () [] [] ANY "IEEE addition";
        Fsub "fsub" ["f64 f64"] f64 None () [] [] ANY "IEEE subtraction";
        Fmul "fmul" ["f64 f64"] f64 None () [] [] ANY "IEEE multiplication";
        Fdiv "fdiv" ["f64 f64"] f64 None () [] [] ANY "IEEE division";
        Fneg "fneg" ["f64"] f64 None () [] [] ANY "sign change";
        Fabs "fabs" ["f64"] f64 None () [] [] ANY "absolute value";
        Fsqrt "fsqrt" ["f64"] f64 None () [] [] ANY "square root";
        Ffloor "ffloor" ["f64"] f64 None () [] [] ANY "round down";
        Fceil "fceil" ["f64"] f64 None () [] [] ANY "round up";
        Ftrunc "ftrunc" ["f64"] f64 None () [] [] ANY "round to zero";
        Fnearest "fnearest" ["f64"] f64 None () [] [] ANY "round to nearest, ties to even";
        IntToReal "int_to_real" ["i64"] f64 None () [] [] ANY "signed integer to nearest real";
        RealToInt "real_to_int" ["f64"] i64 None () [] [] ANY "integral real to integer; NaN and out of range give the least integer";
        RealBits "real_bits" ["f64"] i64 None () [] [] ANY "the 64 bits of a real";
        BitsReal "bits_real" ["i64"] f64 None () [] [] ANY "the real with these bits";
    }
    /// Of two reals.
    RealComparison {
        Feq "feq" ["f64 f64"] i32 None (BOOLEAN) [] [] ANY "IEEE equality";
        Fne "fne" ["f64 f64"] i32 None (BOOLEAN) [] [] ANY "IEEE inequality (true for NaN)";
        Flt "flt" ["f64 f64"] i32 None (BOOLEAN) [] [] ANY "less (false for NaN)";
        Fgt "fgt" ["f64 f64"] i32 None (BOOLEAN) [] [] ANY "greater (false for NaN)";
        Fle "fle" ["f64 f64"] i32 None (BOOLEAN) [] [] ANY "less or equal (false for NaN)";
        Fge "fge" ["f64 f64"] i32 None (BOOLEAN) [] [] ANY "greater or equal (false for NaN)";
    }
    /// Fields of nodes and arguments of thunks.
    Field {
        GetRef "get.ref" ["node:ref"] ref Field (FIRST_EVALUATED) [PTRS] [] GRAPH "reference field of a head normal form";
        GetI64 "get.i64" ["node:ref"] i64 Field (FIRST_EVALUATED) [NPTRS] [] GRAPH "raw word of a head normal form";
        GetF64 "get.f64" ["node:ref"] f64 Field (FIRST_EVALUATED) [NPTRS] [] GRAPH "real word of a head normal form";
        SetRef "set.ref" ["node:ref value:ref"] none Field (FIRST_EVALUATED USES_IDENTITY) [] [PTRS] GRAPH "overwrite a reference field of a head normal form";
        SetI64 "set.i64" ["node:ref value:i64"] none Field (FIRST_EVALUATED USES_IDENTITY) [] [NPTRS] GRAPH "overwrite a raw word of a head normal form";
        SetF64 "set.f64" ["node:ref value:f64"] none Field (FIRST_EVALUATED USES_IDENTITY) [] [NPTRS] GRAPH "overwrite a real word of a head normal form";
        ArgRef "arg.ref" ["thunk:ref"] ref Field (USES_IDENTITY) [HEADERS] [] GRAPH "reference argument of a thunk";
        ArgI64 "arg.i64" ["thunk:ref"] i64 Field (USES_IDENTITY) [HEADERS] [] GRAPH "raw argument of a thunk";
        ArgF64 "arg.f64" ["thunk:ref"] f64 Field (USES_IDENTITY) [HEADERS] [] GRAPH "real argument of a thunk";
    }
    /// Nodes and thunks as a whole.
    Cell {
        BuildNode "build" ["fields..."] ref NodeInfo (ALLOCATES RESULT_EVALUATED FRESH) [] [] GRAPH "new head normal form: references, then raw words";
        BuildThunk "build_thunk" ["arguments..."] ref ThunkInfo (ALLOCATES FRESH) [] [] GRAPH "new thunk: references, then raw words";
        BuildDummy "build_dummy" [""] ref None (ALLOCATES FRESH) [] [] GRAPH "new empty cell with the blackhole info, to be filled later";
        FillNode "fill" ["cell:ref fields..."] none NodeInfo (ALLOCATES FIRST_EVALUATED USES_IDENTITY FILLS) [] [NODES] GRAPH "overwrite a cell by a head normal form; allocates the overflow block of split shapes";
        FillThunk "fill_thunk" ["cell:ref arguments..."] none ThunkInfo (USES_IDENTITY FILLS) [] [NODES] GRAPH "overwrite a cell by a thunk (it must be large enough)";
        FillCopy "fill_copy" ["cell:ref node:ref"] none None (FIRST_EVALUATED USES_IDENTITY FILLS) [NODES] [NODES] GRAPH "overwrite a cell by the contents of the cell of a head normal form";
        MakeIndirection "make_indirection" ["thunk:ref value:ref"] none None (USES_IDENTITY FILLS) [] [NODES] GRAPH "turn a thunk into an indirection to a value";
        SetNodeInfo "set_node_info" ["node:ref"] none NodeInfo (FIRST_EVALUATED USES_IDENTITY) [] [HEADERS] GRAPH "overwrite the header of a node by another of the same shape";
        Blackhole "blackhole" ["thunk:ref"] none None (USES_IDENTITY) [] [HEADERS] GRAPH "make the header of a thunk the blackhole info; its arguments are dead from here on for the collector";
    }
    /// Numbers as nodes, and in references.
    Boxed {
        BoxInt "box.int" ["value:i64"] ref None (ALLOCATES RESULT_EVALUATED) [] [] GRAPH "boxed integer: a static node when small, else a new node";
        SmallInt "small_int" [""] ref Int (CONSTANT STATIC RESULT_EVALUATED) [] [] GRAPH "the static node of a small integer";
        BoxChar "box.char" ["value:i64"] ref None (STATIC RESULT_EVALUATED) [] [] GRAPH "boxed character: a static node";
        BoxBool "box.bool" ["value:i64"] ref None (STATIC RESULT_EVALUATED) [] [] GRAPH "boxed boolean: a static node";
        IntRef "int_ref" ["value:i64"] ref None (STATIC RESULT_EVALUATED) [] [] GRAPH "an immediate: the integer in the reference itself, without an object; it must fit (`fits_int`)";
        RefInt "ref_int" ["immediate:ref"] i64 None () [] [] GRAPH "the integer of an immediate";
        IsInt "is_int" ["object:ref"] i32 None (BOOLEAN) [] [] GRAPH "1 if a reference is an immediate, 0 if it leads to an object";
        FitsInt "fits_int" ["value:i64"] i32 None (BOOLEAN) [] [] GRAPH "1 if an integer fits in an immediate: from -2³⁰ to 2³⁰ - 1";
    }
    /// Evaluation, and calls by what an object says.
    Evaluation {
        Eval "eval" ["node:ref"] ref Frame (SAFEPOINT CALL RESULT_EVALUATED) [ALL] [ALL] HIGH "evaluate to head normal form; the result is the same node";
        Enter "enter" ["thunk:ref"] ref Frame (SAFEPOINT CALL RESULT_EVALUATED USES_IDENTITY) [ALL] [ALL] GRAPH "evaluate a node that is known to be a thunk";
        Apply "apply" ["closure:ref argument:ref arguments..."] ref Frame (SAFEPOINT CALL RESULT_EVALUATED FIRST_EVALUATED) [ALL] [ALL] HIGH "apply a closure: if these are just the arguments that it lacks, call the code of its node info, else add them one by one";
        Update "update" ["node:ref cell:ref"] ref Frame (SAFEPOINT CALL RESULT_EVALUATED) [ALL] [ALL] HIGH "evaluate a node and overwrite a cell by its value, by its update function if it is a thunk that has one; the result is the cell";
        CallMethod "call_method" ["node:ref arguments..."] call Table (SAFEPOINT CALL FIRST_EVALUATED) [ALL] [ALL] HIGH "call the function that the descriptor of a node has for this table";
        TailEval "tail_eval" ["node:ref"] none None (TERMINATOR CALL) [ALL] [ALL] HIGH "return the node evaluated: `ret` if it is in head normal form, else a tail call of its entry";
        TailEnter "tail_enter" ["thunk:ref"] none None (TERMINATOR CALL USES_IDENTITY) [ALL] [ALL] GRAPH "tail call of the entry of a node known to be a thunk";
        TailApply "tail_apply" ["closure:ref argument:ref arguments..."] none None (TERMINATOR CALL FIRST_EVALUATED) [ALL] [ALL] HIGH "`apply` in place of this function";
        TailUpdate "tail_update" ["node:ref cell:ref"] none None (TERMINATOR CALL) [ALL] [ALL] HIGH "`update` in place of this function";
        TailCallMethod "tail_call_method" ["node:ref arguments..."] none Table (TERMINATOR CALL FIRST_EVALUATED) [ALL] [ALL] HIGH "`call_method` in place of this function";
    }
    /// Calls with a handler, and what they handle: `expand-exceptions` makes calls, tests and branches of them.
    Handling {
        // exceptions
        TryCall "try_call" ["arguments..."] handled Func (SAFEPOINT CALL TERMINATOR BRANCH) [ALL] [ALL] HIGH "call a function; go to the first target with its results, or to the second one with the exception that it has raised";
        TryCallTable "try_call_table" ["index:i32 arguments..."] handled Table (SAFEPOINT CALL TERMINATOR BRANCH) [ALL] [ALL] HIGH "the same through a dispatch table";
        TryCallMethod "try_call_method" ["node:ref arguments..."] handled Table (SAFEPOINT CALL TERMINATOR BRANCH FIRST_EVALUATED) [ALL] [ALL] HIGH "the same by the descriptor of a node";
        TryApply "try_apply" ["closure:ref argument:ref arguments..."] handled None (SAFEPOINT CALL TERMINATOR BRANCH FIRST_EVALUATED) [ALL] [ALL] HIGH "the same of a closure, as `apply`";
        Raise "raise" ["exception:ref"] none None (TERMINATOR) [] [] HIGH "leave this function, and those that wait for it, up to the innermost call with a handler";
        // effects
        HandleCall "handle_call" ["arguments..."] outcome Func (SAFEPOINT CALL) [ALL] [ALL] HIGH "call a function that returns one reference, and handle its effects: 0, the result, and nothing; or, where it has performed one, 1, what was performed, and the continuation";
        HandleCallTable "handle_call_table" ["index:i32 arguments..."] outcome Table (SAFEPOINT CALL) [ALL] [ALL] HIGH "the same through a dispatch table";
        HandleCallMethod "handle_call_method" ["node:ref arguments..."] outcome Table (SAFEPOINT CALL FIRST_EVALUATED) [ALL] [ALL] HIGH "the same by the descriptor of a node";
        HandleApply "handle_apply" ["closure:ref argument:ref arguments..."] outcome None (SAFEPOINT CALL FIRST_EVALUATED) [ALL] [ALL] HIGH "the same of a closure, as `apply`";
        Perform "perform" ["effect:ref"] ref None (SAFEPOINT CALL) [ALL] [ALL] HIGH "perform an effect: the innermost handler gets it, and this function goes on when the continuation is resumed, with the value that is given then";
        Resume "resume" ["continuation:ref value:ref"] outcome None (SAFEPOINT CALL FIRST_EVALUATED) [ALL] [ALL] HIGH "go on where the effect was performed, with a value, and handle further effects: as of `handle_call`; stops the program if the continuation has been resumed before";
        Discontinue "discontinue" ["continuation:ref exception:ref"] outcome None (SAFEPOINT CALL FIRST_EVALUATED) [ALL] [ALL] HIGH "the same, but raise an exception where the effect was performed";
    }
    /// Sizes of arrays and strings.
    Size {
        ArraySize "array_size" ["array:ref"] i64 None () [SIZES] [] GRAPH "number of elements of an array object";
        StringSize "string_size" ["string:ref"] i64 None () [SIZES] [] GRAPH "number of characters of a string object";
    }
    /// Elements of arrays and strings.
    Element {
        ElemRef "elem.ref" ["array:ref index:i64"] ref Element () [ELEMENTS] [] GRAPH "reference in an element of an array";
        ElemI64 "elem.i64" ["array:ref index:i64"] i64 Element () [ELEMENTS] [] GRAPH "raw word in an element";
        ElemF64 "elem.f64" ["array:ref index:i64"] f64 Element () [ELEMENTS] [] GRAPH "real in an element";
        ElemU8 "elem.u8" ["array:ref index:i64"] i64 Element () [ELEMENTS] [] GRAPH "byte in an element, zero extended";
        ElemI32 "elem.i32" ["array:ref index:i64"] i64 Element () [ELEMENTS] [] GRAPH "32-bit integer in an element, sign extended";
        ElemF32 "elem.f32" ["array:ref index:i64"] f64 Element () [ELEMENTS] [] GRAPH "32-bit real in an element, widened";
        SetElemRef "set_elem.ref" ["array:ref index:i64 value:ref"] none Element () [] [ELEMENTS] GRAPH "overwrite a reference of an element";
        SetElemI64 "set_elem.i64" ["array:ref index:i64 value:i64"] none Element () [] [ELEMENTS] GRAPH "overwrite a raw word of an element";
        SetElemF64 "set_elem.f64" ["array:ref index:i64 value:f64"] none Element () [] [ELEMENTS] GRAPH "overwrite a real of an element";
        SetElemU8 "set_elem.u8" ["array:ref index:i64 value:i64"] none Element () [] [ELEMENTS] GRAPH "overwrite a byte element";
        SetElemI32 "set_elem.i32" ["array:ref index:i64 value:i64"] none Element () [] [ELEMENTS] GRAPH "overwrite a 32-bit integer element";
        SetElemF32 "set_elem.f32" ["array:ref index:i64 value:f64"] none Element () [] [ELEMENTS] GRAPH "overwrite a 32-bit real element";
    }
    /// Arrays by the kind of their elements: `expand-arrays` makes rows of `Element` and calls of them.
    Array {
        ArrayNew "array.new" ["size:i64 value:any"] ref Elements (SAFEPOINT CALL RESULT_EVALUATED) [ALL] [ALL] HIGH "new array of so many elements, all of this value; a negative or huge size stops with `Heap full.`";
        ArrayGet "array.get" ["array:ref index:i64"] element Elements (TRAPS) [ELEMENTS] [] HIGH "element of an array; stops as `index_error` does if there is none of this index";
        ArraySet "array.set" ["array:ref index:i64 value:any"] none Elements (TRAPS) [ELEMENTS] [ELEMENTS] HIGH "overwrite an element of an array; stops as `index_error` does if there is none of this index";
        ArrayLen "array.len" ["array:ref"] i64 Elements () [SIZES] [] HIGH "number of elements of an array";
        ArraySlice "array.slice" ["array:ref from:i64 to:i64"] ref Elements (SAFEPOINT CALL RESULT_EVALUATED) [ALL] [ALL] HIGH "new array of the elements from an index on, before another; stops as `index_error` does unless 0 ≤ from ≤ to ≤ length";
        ArrayCopy "array.copy" ["to:ref at:i64 from:ref start:i64 count:i64"] none Elements (SAFEPOINT CALL) [ALL] [ALL] HIGH "overwrite elements of an array, from an index on, by elements of another or the same one, as they were before; stops as `index_error` does if one is missing";
    }
    /// The storage of constant applicative forms.
    Storage {
        CafState "caf_state" [""] i32 Caf () [CAFS] [] GRAPH "nonzero once the CAF has its value";
        CafRef "caf.ref" [""] ref Caf () [CAFS] [] GRAPH "stored reference of that number";
        CafI64 "caf.i64" [""] i64 Caf () [CAFS] [] GRAPH "stored raw word of that number";
        CafF64 "caf.f64" [""] f64 Caf () [CAFS] [] GRAPH "stored real word of that number";
        SetCafState "set_caf_state" [""] none Caf () [] [CAFS] GRAPH "mark the CAF as evaluated";
        SetCafRef "set_caf.ref" ["value:ref"] none Caf () [] [CAFS] GRAPH "store a reference of that number";
        SetCafI64 "set_caf.i64" ["value:i64"] none Caf () [] [CAFS] GRAPH "store a raw word of that number";
        SetCafF64 "set_caf.f64" ["value:f64"] none Caf () [] [CAFS] GRAPH "store a real word of that number";
        PeekCafRef "peek_caf.ref" [""] ref Caf () [CAFS] [] ROOTED "`caf.ref` of what the storage keeps alive: nobody counts it";
    }
    /// Room in the heap, and references in the frame.
    Root {
        Collect "collect" [""] none Bytes (SAFEPOINT CALL) [ALL] [ALL] GRAPH "collect until this many bytes are available, or stop with `Heap full.`";
        Spill "spill" ["value:ref"] none Slot () [] [FRAME] ROOTED "store a reference in a slot of the frame";
        Restore "restore" [""] ref Slot () [FRAME] [] ROOTED "load a reference from a slot of the frame";
        ClearSlot "clear" [""] none Slot () [] [FRAME] ROOTED "empty a slot of the frame: the collector sees nothing there";
    }
    /// Counted references.
    Count {
        Retain "retain" ["object:ref"] none None () [] [COUNTS] ROOTED "one more reference to an object";
        Release "release" ["object:ref"] none None () [] [COUNTS] ROOTED "one reference less; an object without references is freed, with what it alone refers to";
        UnpackRelease "unpack_release" ["node:ref fields..."] none Shape () [] [COUNTS] ROOTED "`release` of a node of this shape; the listed references, read from its fields, are kept: each is one more reference from here on";
        Reset "reset" ["node:ref fields..."] i32 Shape () [] [COUNTS] ROOTED "as `unpack_release`, but a node without references is not freed: it is the resulting token, otherwise that is 0";
        ResetOrAlloc "reset_or_alloc" ["node:ref fields..."] i32 Shape (ALLOCATES) [] [COUNTS] ROOTED "as `reset`, but the token is new memory where it would be 0";
        Reuse "reuse" ["token:i32 fields..."] ref NodeInfo (ALLOCATES RESULT_EVALUATED FRESH) [] [COUNTS] ROOTED "as `build`, in the memory of the token if it is not 0";
        FreeToken "free_token" ["token:i32"] none Shape () [] [COUNTS] ROOTED "free the memory of a token for a node of this shape, unless it is 0";
        GetRetained "get_retained.ref" ["node:ref"] ref Field () [PTRS] [COUNTS] ROOTED "reference field of a node that may be overwritten later: one more reference to what is there";
        ExchangeRef "exchange.ref" ["node:ref value:ref"] ref Field () [PTRS] [PTRS COUNTS] ROOTED "overwrite a reference field of a node: takes over a reference, and gives back the one that was there";
        OpenHole "open_hole" ["node:ref"] i64 Field () [] [COUNTS] GRAPH "take over a new node, to write a reference field of it later: the *hole*; its field holds a static node till then";
        MoveHole "move_hole" ["hole:i64 node:ref"] i64 Field () [] [COUNTS] GRAPH "write a new node into a hole; a field of that node is the hole now";
        FillHole "fill_hole" ["hole:i64 object:ref"] ref None (RESULT_EVALUATED) [] [COUNTS] GRAPH "write a reference into a hole, and give back the node that was opened first";
    }
    /// What reads at an address.
    Load {
        Header "header" ["object:ref"] i32 None () [HEADERS] [] ANY "header word of an object";
        IsHnf "is_hnf" ["node:ref"] i32 None () [HEADERS] [] ANY "nonzero (bit 0 of the header) if the node is in head normal form";
        LoadI32 "load.i32" ["address:addr"] i32 Offset (USES_IDENTITY) [OBJECTS] [] ANY "load 4 bytes";
        LoadI64 "load.i64" ["address:addr"] i64 Offset (USES_IDENTITY) [OBJECTS] [] ANY "load 8 bytes, any alignment";
        LoadF64 "load.f64" ["address:addr"] f64 Offset (USES_IDENTITY) [OBJECTS] [] ANY "load a real, any alignment";
        LoadRef "load.ref" ["address:addr"] ref Offset (USES_IDENTITY) [OBJECTS] [] ANY "load a reference";
        LoadU8 "load.u8" ["address:addr"] i32 Offset (USES_IDENTITY) [OBJECTS] [] ANY "load a byte, zero extended";
        LoadU16 "load.u16" ["address:addr"] i32 Offset (USES_IDENTITY) [OBJECTS] [] ANY "load 2 bytes, zero extended";
        LoadF32 "load.f32" ["address:addr"] f64 Offset (USES_IDENTITY) [OBJECTS] [] ANY "load a 32-bit real, widened";
    }
    /// What writes at an address.
    Store {
        StoreI32 "store.i32" ["address:addr value:i32"] none Offset (USES_IDENTITY) [] [OBJECTS] ANY "store 4 bytes";
        StoreI64 "store.i64" ["address:addr value:i64"] none Offset (USES_IDENTITY) [] [OBJECTS] ANY "store 8 bytes, any alignment";
        StoreF64 "store.f64" ["address:addr value:f64"] none Offset (USES_IDENTITY) [] [OBJECTS] ANY "store a real, any alignment";
        StoreRef "store.ref" ["address:addr value:ref"] none Offset (USES_IDENTITY) [] [OBJECTS] ANY "store a reference";
        StoreU8 "store.u8" ["address:addr value:i32"] none Offset (USES_IDENTITY) [] [OBJECTS] ANY "store the low byte";
        StoreF32 "store.f32" ["address:addr value:f64"] none Offset (USES_IDENTITY) [] [OBJECTS] ANY "store as a 32-bit real";
    }
    /// Choice, addresses, the heap pointer, the shadow stack.
    Machine {
        Select "select" ["condition:i32 then:any else:="] second None () [] [] ANY "`then` if the condition is not zero, `else` otherwise";
        RefAddr "ref_addr" ["object:ref"] i32 None (USES_IDENTITY CARRIES_ADDRESS) [] [] ANY "the address of an object as a number; meaningless after the next safepoint";
        AddrRef "addr_ref" ["address:i32"] ref None (STATIC RESULT_EVALUATED CARRIES_ADDRESS) [] [] ANY "the object at a static address (small integers, characters, booleans)";
        HeapFull "heap_full" [""] i32 Bytes () [LIMIT] [] ANY "nonzero if fewer than this many bytes are left before the heap limit";
        Alloc "alloc" [""] ref Bytes (ALLOCATES FRESH) [] [] ANY "bump the heap pointer; cannot fail after a dominating heap check";
        ShadowPointer "shadow_pointer" [""] i32 None () [] [] LOW "the shadow-stack pointer that this function was called with";
        SetShadowPointer "set_shadow_pointer" ["shadow_pointer:i32"] none None () [] [ALL] LOW "a captured function goes on: its own shadow-stack pointer, before anything that depends on it";
        StackLimit "stack_limit" [""] i32 None () [ALL] [] LOW "the shadow-stack pointer below which functions are captured; 0 while they leave their records and return";
        SetStackLimit "set_stack_limit" ["limit:i32"] none None () [] [ALL] LOW "changes what `stack_limit` is";
    }
    /// What calls in low IR.
    Call {
        Call "call" ["arguments..."] call Func (SAFEPOINT CALL) [ALL] [ALL] ANY "call a function";
        CallRt "call_rt" ["arguments..."] call Extern (SAFEPOINT CALL RESULT_EVALUATED) [ALL] [ALL] ANY "call an extern: a function of the runtime";
        CallTable "call_table" ["index:i32 arguments..."] call Table (SAFEPOINT CALL) [ALL] [ALL] ANY "call a function of a dispatch table by its index";
        EnterCode "enter_code" ["shadow_pointer:i32 thunk:ref header:i32"] ref None (SAFEPOINT CALL) [ALL] [ALL] LOW "call the node entry that a thunk header names: shadow-stack pointer, thunk, its header";
        TailCall "tail_call" ["arguments..."] none Func (TERMINATOR CALL) [ALL] [ALL] ANY "call a function in place of this one";
        TailCallTable "tail_call_table" ["index:i32 arguments..."] none Table (TERMINATOR CALL) [ALL] [ALL] ANY "tail call through a dispatch table";
        TailEnterCode "tail_enter_code" ["shadow_pointer:i32 thunk:ref header:i32"] none None (TERMINATOR CALL) [ALL] [ALL] LOW "tail call of the node entry that a thunk header names";
    }
    /// Ends of blocks in low IR, besides tail calls.
    Terminator {
        Jump "jump" [""] none None (TERMINATOR BRANCH) [] [] ANY "go to a block";
        BrIf "br_if" ["condition:i32"] none None (TERMINATOR BRANCH) [] [] ANY "first target if the condition is not zero, the second otherwise";
        BrTable "br_table" ["index:i32"] none None (TERMINATOR BRANCH) [] [] ANY "target number `index`, the last one when out of range";
        Return "ret" ["results..."] none None (TERMINATOR) [] [] ANY "return from the function";
        Unreachable "unreachable" [""] none None (TERMINATOR) [] [] ANY "control never gets here";
    }
}
