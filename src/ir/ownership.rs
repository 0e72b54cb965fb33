//! What instructions do with counted references: which operands they take over, and whose their results are. The rest
//! of counting follows from it: what `rc-insertion` inserts, and what the verifier expects.

use crate::func::InstData;
use crate::opcode::{Cell, Count, Flags, Group, Machine, Opcode, ResultRule, Storage, Terminator};
use crate::types::Type;
use cleave_abi::Effects;

/// The references among the operands that an instruction takes over. It looks at the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// None.
    Nothing,
    /// All.
    All,
    /// The first operand.
    First,
    /// All but the first operand.
    ButFirst,
    /// Those that the called function owns.
    ByCallee,
}

/// Whose a reference is that an instruction results in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultOwner {
    /// The function's own.
    Own,
    /// Nobody's: nothing counts references to static objects.
    Static,
    /// That of the first operand, which holds it.
    Inside,
    /// That of static storage.
    Storage,
    /// That of the operand that was chosen.
    Choice,
}

impl InstData {
    /// The operands that it takes over.
    pub fn taken(&self) -> Taken {
        match self.op.group() {
            Group::Cell(Cell::BuildNode) | Group::Terminator(Terminator::Return) => Taken::All,
            Group::Storage(Storage::SetCafRef) => Taken::All,
            Group::Count(Count::Reuse | Count::OpenHole | Count::MoveHole | Count::FillHole) => Taken::All,
            Group::Count(Count::ExchangeRef) => Taken::ButFirst,
            Group::Call(_) if self.op == Opcode::CallRt => {
                if self.effects().all(Effects::CONSUMES) {
                    Taken::First
                } else {
                    Taken::Nothing
                }
            }
            Group::Call(_) | Group::Evaluation(_) => Taken::ByCallee,
            // Counts are told apart where they are inserted and checked.
            Group::Count(Count::Retain | Count::Release | Count::UnpackRelease | Count::GetRetained) => Taken::Nothing,
            Group::Count(Count::Reset | Count::ResetOrAlloc | Count::FreeToken) => Taken::Nothing,
            Group::Terminator(Terminator::Jump | Terminator::BrIf | Terminator::BrTable) => Taken::Nothing,
            Group::Terminator(Terminator::Unreachable) => Taken::Nothing,
            Group::Storage(Storage::CafState | Storage::CafRef | Storage::CafI64 | Storage::CafF64) => Taken::Nothing,
            Group::Storage(Storage::SetCafState | Storage::SetCafI64 | Storage::SetCafF64) => Taken::Nothing,
            Group::Storage(Storage::PeekCafRef) => Taken::Nothing,
            // All but nodes, and what is told apart here, is of the other heap or of numbers, or gone by then.
            Group::Cell(Cell::BuildThunk | Cell::BuildDummy | Cell::FillNode | Cell::FillThunk) => Taken::Nothing,
            Group::Cell(Cell::FillCopy | Cell::MakeIndirection | Cell::SetNodeInfo | Cell::Blackhole) => Taken::Nothing,
            Group::Constant(_) | Group::Integer(_) | Group::Comparison(_) | Group::Real(_) => Taken::Nothing,
            Group::RealComparison(_) | Group::Field(_) | Group::Boxed(_) | Group::Handling(_) => Taken::Nothing,
            Group::Size(_) | Group::Element(_) | Group::Array(_) | Group::Root(_) => Taken::Nothing,
            Group::Load(_) | Group::Store(_) | Group::Machine(_) => Taken::Nothing,
        }
    }
}

impl Opcode {
    /// Whose its result is; asked of results that are references alone.
    pub const fn result_owner(self) -> ResultOwner {
        if self.any(Flags::STATIC) {
            return ResultOwner::Static;
        }
        match self.group() {
            Group::Field(_) | Group::Element(_) if matches!(self.info().result, ResultRule::One(Type::Ref)) => {
                ResultOwner::Inside
            }
            Group::Storage(Storage::PeekCafRef) => ResultOwner::Storage,
            Group::Machine(Machine::Select) => ResultOwner::Choice,
            Group::Storage(Storage::CafState | Storage::CafRef | Storage::CafI64 | Storage::CafF64) => ResultOwner::Own,
            Group::Storage(Storage::SetCafState | Storage::SetCafRef) => ResultOwner::Own,
            Group::Storage(Storage::SetCafI64 | Storage::SetCafF64) => ResultOwner::Own,
            Group::Machine(Machine::RefAddr | Machine::AddrRef | Machine::HeapFull | Machine::Alloc) => {
                ResultOwner::Own
            }
            Group::Machine(Machine::ShadowPointer | Machine::SetShadowPointer) => ResultOwner::Own,
            Group::Machine(Machine::StackLimit | Machine::SetStackLimit) => ResultOwner::Own,
            Group::Constant(_) | Group::Integer(_) | Group::Comparison(_) | Group::Real(_) => ResultOwner::Own,
            Group::RealComparison(_) | Group::Field(_) | Group::Element(_) | Group::Cell(_) => ResultOwner::Own,
            Group::Boxed(_) | Group::Evaluation(_) | Group::Handling(_) | Group::Size(_) => ResultOwner::Own,
            Group::Array(_) | Group::Root(_) | Group::Count(_) | Group::Load(_) => ResultOwner::Own,
            Group::Store(_) | Group::Call(_) | Group::Terminator(_) => ResultOwner::Own,
        }
    }
}
