//! The columns of the opcode table: operands, results, immediates, flags, memory, phases.

use crate::func::Phase;
use crate::types::Type;
use std::fmt::{self, Display, Formatter};

/// What the immediates of an instruction (`imm: u64`, `aux: u32`) mean and how they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImmKind {
    /// No immediate: both are 0.
    None,
    /// `imm` is a signed integer.
    Int,
    /// `imm` holds the bits of an f64.
    Float,
    /// `imm` is a `FuncId`; `aux` is the frame depth.
    Func,
    /// `imm` is the number of an `Extern` with its effects (`runtime.rs`); `aux` is the frame depth.
    Extern,
    /// `imm` is a `Table`; `aux` is the frame depth.
    Table,
    /// `aux` is the frame depth.
    Frame,
    /// `imm` is a `Desc`, `aux` the number of applied arguments.
    NodeInfo,
    /// `imm` is an `ThunkInfo`.
    ThunkInfo,
    /// `imm` is a `Static`.
    Static,
    /// `imm` is a `Desc`: its single static node, or its name.
    Desc,
    /// `imm` is a `Caf`, `aux` an index of its reference (or raw) fields.
    Caf,
    /// `imm` is the shape of a node or thunk (`Shape::pack`); `aux` the index of a field.
    Field,
    /// `imm` = references | words << 32: the shape of a node.
    Shape,
    /// `imm` is an unsigned byte offset.
    Offset,
    /// `imm` = stride | byte offset << 32 of an array element.
    Element,
    /// `imm` is an `ArrayKind`, `aux` 1 if the index is in range for sure.
    Elements,
    /// `imm` is a number of bytes; `aux` is the frame depth.
    Bytes,
    /// `imm` is a number of a frame slot.
    Slot,
}

impl ImmKind {
    /// How an instruction with this immediate is written, after its name; `operands` stands for the operands.
    pub fn syntax(self, operands: &str) -> String {
        let (before, behind) = match self {
            ImmKind::None => ("", ""),
            ImmKind::Int => ("NUMBER", ""),
            ImmKind::Float => ("REAL", ""),
            ImmKind::Func => return format!("@FUNCTION({operands}) [frame DEPTH]"),
            ImmKind::Extern => return format!("EXTERN({operands}) [frame DEPTH]"),
            ImmKind::Table => return format!("%TABLE({operands}) [frame DEPTH]"),
            ImmKind::Frame => ("", " [frame DEPTH]"),
            ImmKind::NodeInfo => ("$DESCRIPTOR/ARGUMENTS", ""),
            ImmKind::ThunkInfo => ("&THUNK", ""),
            ImmKind::Static => ("STATIC", ""),
            ImmKind::Desc => ("$DESCRIPTOR", ""),
            ImmKind::Caf => ("^CAF/NUMBER", ""),
            ImmKind::Field => ("", " [contiguous] (PTRS, NPTRS) FIELD"),
            ImmKind::Shape => ("", " (PTRS, NPTRS)"),
            ImmKind::Offset => ("", " +OFFSET"),
            ImmKind::Element => ("", " stride BYTES at OFFSET"),
            ImmKind::Elements => ("KIND [unchecked]", ""),
            ImmKind::Bytes => ("BYTES", " [frame DEPTH]"),
            ImmKind::Slot if operands.is_empty() => ("SLOT", ""),
            ImmKind::Slot => ("SLOT,", ""),
        };
        let blank = if before.is_empty() || operands.is_empty() { "" } else { " " };
        format!("{before}{blank}{operands}{behind}").trim_start().to_string()
    }
}

/// What an operand must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandRule {
    /// Of this type.
    Is(Type),
    /// i32 or i64.
    Int,
    /// Of any type.
    Any,
    /// The type of the last `int` or `any` operand.
    Same,
    /// i32, ref, or i64: an address of C, of which 32 bits count in WebAssembly.
    Addr,
    /// Any number of operands, whose types follow from the immediate.
    Rest,
}

/// One operand of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    /// What it is, where the type does not say it.
    pub name: Option<&'static str>,
    /// What types are allowed.
    pub rule: OperandRule,
}

impl Operand {
    fn parse(word: &'static str) -> Operand {
        if let Some(name) = word.strip_suffix("...") {
            return Operand { name: (!name.is_empty()).then_some(name), rule: OperandRule::Rest };
        }
        let (name, rule) = word.split_once(':').map_or((None, word), |(name, rule)| (Some(name), rule));
        let rule = match rule {
            "int" => OperandRule::Int,
            "any" => OperandRule::Any,
            "=" => OperandRule::Same,
            "addr" => OperandRule::Addr,
            name => OperandRule::Is(Type::from_name(name).expect("type in the opcode table")),
        };
        Operand { name, rule }
    }
}

impl Display for OperandRule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OperandRule::Is(ty) => ty.name(),
            OperandRule::Int => "int",
            OperandRule::Any => "any",
            OperandRule::Same => "same",
            OperandRule::Addr => "address",
            OperandRule::Rest => "...",
        })
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.name, self.rule) {
            (Some(name), OperandRule::Rest) => write!(f, "{name}..."),
            (Some(name), rule) => write!(f, "{name}: {rule}"),
            (None, rule) => rule.fmt(f),
        }
    }
}

/// How the result types follow from an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultRule {
    /// No result.
    None,
    /// One result of this type.
    One(Type),
    /// One result, of the first operand's type.
    SameAsFirst,
    /// One result, of the second operand's type.
    SameAsSecond,
    /// One result, of the type of elements of the kind in the immediate.
    Element,
    /// Results of the called function, libcall or table.
    Callee,
    /// The same, then a reference: the exception. Each goes to one of the targets.
    Handled,
    /// Three: 0, a result and nothing; or 1, an effect and a continuation.
    Outcome,
}

impl ResultRule {
    /// The types of an outcome.
    pub const OUTCOME: [Type; 3] = [Type::I32, Type::Ref, Type::Ref];
}

impl Display for ResultRule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ResultRule::None => "",
            ResultRule::One(ty) => ty.name(),
            ResultRule::SameAsFirst => "same as the first operand",
            ResultRule::SameAsSecond => "same as the second operand",
            ResultRule::Element => "that of an element",
            ResultRule::Callee => "those of what is called",
            ResultRule::Handled => "those of what is called, and the exception",
            ResultRule::Outcome => "i32, ref, ref",
        })
    }
}

macro_rules! result_rule {
    (none) => {
        ResultRule::None
    };
    (i32) => {
        ResultRule::One(crate::types::Type::I32)
    };
    (i64) => {
        ResultRule::One(crate::types::Type::I64)
    };
    (f64) => {
        ResultRule::One(crate::types::Type::F64)
    };
    (ref) => {
        ResultRule::One(crate::types::Type::Ref)
    };
    (same) => {
        ResultRule::SameAsFirst
    };
    (second) => {
        ResultRule::SameAsSecond
    };
    (element) => {
        ResultRule::Element
    };
    (call) => {
        ResultRule::Callee
    };
    (handled) => {
        ResultRule::Handled
    };
    (outcome) => {
        ResultRule::Outcome
    };
}
pub(super) use result_rule;

/// A set of bits with names.
macro_rules! bit_set {
    ($(#[$doc:meta])* $set:ident($bits:ty) { $( $(#[$member_doc:meta])* $member:ident = $bit:literal, $word:literal; )* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct $set($bits);

        impl $set {
            /// The empty set.
            pub const NONE: $set = $set(0);
            $( $(#[$member_doc])* pub const $member: $set = $set(1 << $bit); )*
            /// The members by name.
            pub const MEMBERS: &'static [($set, &'static str)] = &[$( ($set::$member, $word), )*];

            /// The members of both.
            pub const fn union(self, other: $set) -> $set {
                $set(self.0 | other.0)
            }
            /// The members that the other one lacks.
            pub const fn without(self, other: $set) -> $set {
                $set(self.0 & !other.0)
            }
            /// True if the two have something in common.
            pub const fn any(self, other: $set) -> bool {
                self.0 & other.0 != 0
            }
            /// True if all of this is in the other.
            pub const fn within(self, other: $set) -> bool {
                self.0 & !other.0 == 0
            }
            /// True if it has no member.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }
            /// The words of its members.
            pub fn words(self) -> impl Iterator<Item = &'static str> {
                Self::MEMBERS.iter().filter(move |member| member.0.any(self)).map(|member| member.1)
            }
        }

        impl Display for $set {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                self.words().enumerate().try_for_each(|(i, word)| write!(f, "{}{word}", if i == 0 { "" } else { ", " }))
            }
        }

        impl fmt::Debug for $set {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($set), "({})"), self)
            }
        }
    };
}

bit_set! {
    /// What is true of all instructions of an opcode. `call_rt` refines the effects by its libcall
    /// (`InstData::effects`).
    Flags(u32) {
        /// Stops the program for some operands.
        TRAPS = 0, "traps";
        /// Takes heap space, which a dominating heap check (`heap_full`, `collect`) must have made available once the
        /// IR is rooted.
        ALLOCATES = 1, "allocates";
        /// A collection may happen here: no reference survives it in a value.
        SAFEPOINT = 2, "safepoint";
        /// Ends its block, and stands nowhere else.
        TERMINATOR = 3, "terminator";
        /// Passes control to other code (call-like).
        CALL = 4, "call";
        /// Names the blocks where control goes on.
        BRANCH = 5, "branch";
        /// The operands may be exchanged.
        COMMUTATIVE = 6, "commutative";
        /// The result is 0 or 1.
        BOOLEAN = 7, "0 or 1";
        /// No operands; the value is an immediate of the program.
        CONSTANT = 8, "constant";
        /// The result refers to a static object, which never moves and needs no root.
        STATIC = 9, "static";
        /// The result is an object that did not exist before.
        FRESH = 10, "fresh";
        /// A reference that results is in head normal form.
        RESULT_EVALUATED = 11, "result in head normal form";
        /// The first operand is in head normal form from here on.
        FIRST_EVALUATED = 12, "operand in head normal form";
        /// Uses the first operand, if it is a reference, as a place in memory: its value may not take its place.
        USES_IDENTITY = 13, "operand is a cell";
        /// Overwrites the whole cell that is the first operand.
        FILLS = 14, "fills";
        /// The result is an address in an object if an operand is one, or refers to it.
        CARRIES_ADDRESS = 15, "carries addresses";
    }
}

impl Flags {
    /// What an instruction does besides computing its results and writing memory.
    pub const EFFECTS: Flags =
        Flags::TRAPS.union(Flags::ALLOCATES).union(Flags::SAFEPOINT).union(Flags::TERMINATOR).union(Flags::CALL);
}

bit_set! {
    /// Classes of memory, which instructions read and write. An access of one class never meets one of another, so
    /// that what is known of a class survives writes to all others.
    Memory(u16) {
        /// Raw words of nodes in head normal form.
        NPTRS = 0, "words";
        /// References of nodes in head normal form.
        PTRS = 1, "references";
        /// Headers of objects, and the arguments of thunks, which are there as long as the header says so.
        HEADERS = 2, "headers";
        /// Elements of arrays and strings.
        ELEMENTS = 3, "elements";
        /// Sizes of arrays and strings: never written after creation.
        SIZES = 4, "sizes";
        /// Storage of constant applicative forms.
        CAFS = 5, "CAFs";
        /// The frame on the shadow stack.
        FRAME = 6, "frame";
        /// Heap pointer and heap limit.
        LIMIT = 7, "heap limit";
        /// All that the program shares with the world: state of the runtime, files, memory of C.
        WORLD = 8, "world";
        /// Counts of references, and the memory of what has none.
        COUNTS = 9, "counts";
    }
}

impl Memory {
    /// All of a node or thunk.
    pub const NODES: Memory = Memory::NPTRS.union(Memory::PTRS).union(Memory::HEADERS);
    /// All that loads and stores reach.
    pub const OBJECTS: Memory = Memory::NODES.union(Memory::ELEMENTS).union(Memory::SIZES).union(Memory::CAFS);
    /// Every class.
    pub const ALL: Memory =
        Memory::OBJECTS.union(Memory::FRAME).union(Memory::LIMIT).union(Memory::WORLD).union(Memory::COUNTS);
}

bit_set! {
    /// Phases of the IR in which an opcode may occur.
    Phases(u8) {
        /// As front ends make it.
        HIGH = 0, "high";
        /// With places for references that survive a safepoint.
        ROOTED = 1, "rooted";
        /// As back ends take it.
        LOW = 2, "low";
    }
}

impl Phases {
    /// All three.
    pub const ANY: Phases = Phases::GRAPH.union(Phases::LOW);
    /// While nodes are nodes: high and rooted.
    pub const GRAPH: Phases = Phases::HIGH.union(Phases::ROOTED);

    /// The set with this phase alone.
    pub const fn of(phase: Phase) -> Phases {
        match phase {
            Phase::High => Phases::HIGH,
            Phase::Rooted => Phases::ROOTED,
            Phase::Low => Phases::LOW,
        }
    }
    /// True if the phase is in the set.
    pub const fn contains(self, phase: Phase) -> bool {
        self.any(Phases::of(phase))
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct OpcodeInfo {
    /// As the text form writes it; unique.
    pub name: &'static str,
    /// Operands, separated by blanks: a type (`i32 i64 f64 ref`, or a word for an `OperandRule`: `int any = addr`), or
    /// `name:type`; `name...` is any number of further operands.
    pub(super) operands: &'static str,
    /// Types of the values that it defines.
    pub result: ResultRule,
    /// What `imm` and `aux` mean.
    pub imm: ImmKind,
    /// What is true of all instances.
    pub flags: Flags,
    /// Classes of memory that an instance may read.
    pub reads: Memory,
    /// Classes of memory that an instance may write.
    pub writes: Memory,
    /// Phases in which it may occur.
    pub phases: Phases,
    /// Its meaning in a few words, for the documentation.
    pub doc: &'static str,
}

impl OpcodeInfo {
    /// The operands in order.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + use<> {
        self.operands.split_whitespace().map(Operand::parse)
    }
    /// How an instruction is written: results, name, immediates and operands, targets.
    pub fn syntax(&self) -> String {
        let operands: Vec<String> = self.operands().map(|operand| operand.to_string()).collect();
        let results = match self.result {
            ResultRule::None => "",
            ResultRule::Callee => "RESULTS = ",
            ResultRule::Handled => "RESULTS, EXCEPTION = ",
            ResultRule::Outcome => "PERFORMED, VALUE, CONTINUATION = ",
            _ => "RESULT = ",
        };
        let targets = match (self.flags.any(Flags::BRANCH), operands.is_empty()) {
            (false, _) => "",
            (true, true) => "TARGET",
            (true, false) => ", TARGETS",
        };
        let mut rest = self.imm.syntax(&operands.join(", "));
        if self.flags.any(Flags::BRANCH) {
            // Those that call are of high IR, which has no frames.
            rest = rest.replace(" [frame DEPTH]", "");
        }
        let text = format!("{results}{} {rest}{targets}", self.name);
        text.trim_end().to_string()
    }
    /// What it does besides computing: flags that are effects, memory it reads and writes.
    pub fn effects(&self) -> String {
        let flags = Flags::MEMBERS.iter().filter(|m| m.0.within(Flags::EFFECTS) && m.0.any(self.flags));
        let mut parts: Vec<String> = flags.map(|m| m.1.to_string()).collect();
        for (verb, memory) in [("reads", self.reads), ("writes", self.writes)] {
            match memory {
                Memory::NONE => {}
                Memory::ALL => parts.push(format!("{verb} everything")),
                Memory::OBJECTS => parts.push(format!("{verb} objects")),
                Memory::NODES => parts.push(format!("{verb} cells")),
                memory => parts.push(format!("{verb} {memory}")),
            }
        }
        parts.join(", ")
    }
}
