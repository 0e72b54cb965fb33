//! What is asked of opcodes: answers that follow from the table, or name all members of a group.

use super::{Comparison, Count, Element, Field, Flags, Handling, ImmKind, Integer, Memory, Opcode, OpcodeInfo};
use crate::arrays::ArrayKind;

impl Element {
    /// What the elements are.
    pub const fn kind(self) -> ArrayKind {
        match self {
            Element::ElemRef | Element::SetElemRef => ArrayKind::Ref,
            Element::ElemI64 | Element::SetElemI64 => ArrayKind::I64,
            Element::ElemF64 | Element::SetElemF64 => ArrayKind::F64,
            Element::ElemU8 | Element::SetElemU8 => ArrayKind::U8,
            Element::ElemI32 | Element::SetElemI32 => ArrayKind::I32,
            Element::ElemF32 | Element::SetElemF32 => ArrayKind::F32,
        }
    }
}

impl Field {
    /// True for an argument of a thunk, which is there as long as the header says so.
    pub const fn is_of_thunk(self) -> bool {
        match self {
            Field::ArgRef | Field::ArgI64 | Field::ArgF64 => true,
            Field::GetRef | Field::GetI64 | Field::GetF64 | Field::SetRef | Field::SetI64 | Field::SetF64 => false,
        }
    }
    /// True for references, false for words.
    pub const fn is_ref(self) -> bool {
        match self {
            Field::GetRef | Field::SetRef | Field::ArgRef => true,
            Field::GetI64 | Field::GetF64 | Field::SetI64 | Field::SetF64 | Field::ArgI64 | Field::ArgF64 => false,
        }
    }
    /// Of a write, the read that gives back what it has written.
    pub const fn read_back(self) -> Option<Opcode> {
        match self {
            Field::SetRef => Some(Opcode::GetRef),
            Field::SetI64 => Some(Opcode::GetI64),
            Field::SetF64 => Some(Opcode::GetF64),
            Field::GetRef | Field::GetI64 | Field::GetF64 | Field::ArgRef | Field::ArgI64 | Field::ArgF64 => None,
        }
    }
}

/// Calls: plain, with a handler of exceptions, with one of effects, in place of the function.
const CALL_FORMS: [[Option<Opcode>; 4]; 8] = {
    use Opcode::*;
    [
        [Some(Call), Some(TryCall), Some(HandleCall), Some(TailCall)],
        [Some(CallTable), Some(TryCallTable), Some(HandleCallTable), Some(TailCallTable)],
        [Some(CallMethod), Some(TryCallMethod), Some(HandleCallMethod), Some(TailCallMethod)],
        [Some(Apply), Some(TryApply), Some(HandleApply), Some(TailApply)],
        [Some(Update), None, None, Some(TailUpdate)],
        [Some(Eval), None, None, Some(TailEval)],
        [Some(Enter), None, None, Some(TailEnter)],
        [Some(EnterCode), None, None, Some(TailEnterCode)],
    ]
};

/// By opcode.
type OtherForms = [Option<Opcode>; Opcode::ALL.len()];

/// Another form of each call that has one.
const fn other_forms(from: usize, to: usize) -> OtherForms {
    let mut forms = [None; Opcode::ALL.len()];
    let mut row = 0;
    while row < CALL_FORMS.len() {
        if let Some(op) = CALL_FORMS[row][from] {
            forms[op as usize] = CALL_FORMS[row][to];
        }
        row += 1;
    }
    forms
}

/// The rows in order, for documents and tests.
pub fn table() -> impl Iterator<Item = (Opcode, &'static OpcodeInfo)> {
    Opcode::ALL.iter().map(|&op| (op, op.info()))
}

impl Opcode {
    /// As the text form writes it.
    pub const fn name(self) -> &'static str {
        self.info().name
    }
    /// Column *flags* of its row.
    pub const fn flags(self) -> Flags {
        self.info().flags
    }
    /// True if it has one of these flags.
    pub const fn any(self, flags: Flags) -> bool {
        self.flags().any(flags)
    }
    /// The classes of memory that instances may read.
    pub const fn reads(self) -> Memory {
        self.info().reads
    }
    /// The classes of memory that instances may write.
    pub const fn writes(self) -> Memory {
        self.info().writes
    }
    /// The call that a call with a handler makes.
    pub const fn handled_call(self) -> Option<Opcode> {
        const CALLS: OtherForms = other_forms(1, 0);
        CALLS[self as usize]
    }
    /// The call that a call with a handler of effects makes.
    pub const fn delimited_call(self) -> Option<Opcode> {
        const CALLS: OtherForms = other_forms(2, 0);
        CALLS[self as usize]
    }
    /// Of a branch on this comparison, the number of the edge along which its operands are equal.
    pub const fn edge_of_equality(self) -> Option<usize> {
        match Comparison::of(self) {
            Some(Comparison::Eq) => Some(0),
            Some(Comparison::Ne) => Some(1),
            Some(Comparison::Slt | Comparison::Sgt | Comparison::Sle | Comparison::Sge) => None,
            Some(Comparison::Ult | Comparison::Ugt | Comparison::Ule | Comparison::Uge) | None => None,
        }
    }
    /// The integer that a constant with this immediate is, sign extended.
    pub const fn integer(self, imm: u64) -> Option<i64> {
        if matches!(self, Opcode::Iconst64) {
            return Some(imm as i64);
        }
        if matches!(self, Opcode::Iconst32) { Some(imm as i32 as i64) } else { None }
    }
    /// The same call of a closure as one of a function by its name.
    pub const fn by_name(self) -> Option<Opcode> {
        let [closure, func] = [CALL_FORMS[3], CALL_FORMS[0]];
        let mut form = 0;
        while form < closure.len() {
            if matches!(closure[form], Some(op) if op as u8 == self as u8) {
                return func[form];
            }
            form += 1;
        }
        None
    }
    /// The call that comes back here in place of a tail call.
    pub const fn without_tail(self) -> Option<Opcode> {
        const CALLS: OtherForms = other_forms(3, 0);
        CALLS[self as usize]
    }
    /// The tail call in place of a call that comes back here.
    pub const fn as_tail(self) -> Option<Opcode> {
        const CALLS: OtherForms = other_forms(0, 3);
        CALLS[self as usize]
    }
    /// What it calls, and how: the mere call, if it is one with a handler of exceptions or of effects.
    pub const fn mere_call(self) -> Opcode {
        match (self.handled_call(), self.delimited_call()) {
            (Some(call), _) | (None, Some(call)) => call,
            (None, None) => self,
        }
    }
    /// True for what performs effects or handles them.
    pub const fn is_of_effects(self) -> bool {
        match Handling::of(self) {
            Some(Handling::Perform | Handling::Resume | Handling::Discontinue) => true,
            Some(Handling::HandleCall | Handling::HandleCallTable) => true,
            Some(Handling::HandleCallMethod | Handling::HandleApply) => true,
            Some(Handling::TryCall | Handling::TryCallTable | Handling::TryCallMethod | Handling::TryApply) => false,
            Some(Handling::Raise) | None => false,
        }
    }
    /// True if it ends its block.
    pub const fn is_terminator(self) -> bool {
        self.any(Flags::TERMINATOR)
    }
    /// True if instances may be removed when their results are unused.
    pub const fn is_removable(self) -> bool {
        self.writes().is_empty() && !self.any(Flags::EFFECTS.without(Flags::ALLOCATES))
    }
    /// True if the value depends on the operands and immediates alone: such instructions may be removed, repeated,
    /// moved and merged.
    pub const fn is_pure(self) -> bool {
        self.reads().is_empty() && self.writes().is_empty() && !self.any(Flags::EFFECTS)
    }
    /// True for instructions without operands whose value is an immediate of the program: equal ones are
    /// interchangeable, and repeating one costs nothing.
    pub const fn is_constant(self) -> bool {
        self.any(Flags::CONSTANT)
    }
    /// True if the result refers to a static object, which never moves and needs no root.
    pub const fn is_static_ref(self) -> bool {
        self.any(Flags::STATIC)
    }
    /// True for divisions and remainders of integers, which stop the program for some divisors.
    pub const fn is_division(self) -> bool {
        Integer::of(self).is_some() && self.any(Flags::TRAPS)
    }
    /// True for `update`, whether it comes back here or not.
    pub const fn is_update(self) -> bool {
        matches!(self, Opcode::Update | Opcode::TailUpdate)
    }
    /// True if it releases its first operand.
    pub const fn is_release(self) -> bool {
        match Count::of(self) {
            Some(Count::Release | Count::UnpackRelease | Count::Reset | Count::ResetOrAlloc) => true,
            Some(Count::Retain | Count::Reuse | Count::FreeToken | Count::GetRetained | Count::ExchangeRef) => false,
            Some(Count::OpenHole | Count::MoveHole | Count::FillHole) | None => false,
        }
    }
    /// True if the result is a token: the memory of a dead node, or 0.
    pub const fn is_reset(self) -> bool {
        matches!(self, Opcode::Reset | Opcode::ResetOrAlloc)
    }
    /// True for what opens, moves and fills holes.
    pub const fn is_of_holes(self) -> bool {
        self.makes_hole() || matches!(self, Opcode::FillHole)
    }
    /// True if the result is a hole.
    pub const fn makes_hole(self) -> bool {
        matches!(self, Opcode::OpenHole | Opcode::MoveHole)
    }
    /// True for loads and stores: at an address, the first operand, plus an offset.
    pub const fn is_access(self) -> bool {
        matches!(self.info().imm, ImmKind::Offset)
    }
    /// True if all that it does is to read something of the node that is its first operand.
    pub const fn only_reads_node(self) -> bool {
        !self.reads().is_empty() && self.reads().within(Memory::NODES) && self.writes().is_empty()
    }
    /// True if all that it writes is in the cell that is its first operand.
    pub const fn only_writes_cell(self) -> bool {
        !self.writes().is_empty() && self.writes().within(Memory::NODES)
    }
    /// True if its first operand, a node in head normal form, may be a thunk afterwards.
    pub const fn may_unevaluate(self) -> bool {
        self.writes().any(Memory::HEADERS) && !self.any(Flags::FIRST_EVALUATED.union(Flags::CALL))
    }
}
