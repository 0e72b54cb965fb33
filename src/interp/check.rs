//! What no verifier can know, asked at every access: that a node has the shape that the instruction says, that an array
//! has such elements, that something may be written over.

use crate::code::{FuncCode, Op};
use crate::machine::{Demands, Machine};
use crate::value::Trap;
use cleave_ir::Opcode;
use cleave_ir::layout::{
    ARRAY_DATA, ARRAY_ELEMENT, DESCRIPTOR_SIZES, ElementKind, INFO_KIND, KIND_ARRAY, KIND_STRING, MAX_SLOTS, SLOT,
    STRING_DATA, TAG_HNF, THUNK_INFO_WORD, immediate_value, is_immediate,
};

/// References and words of an info word.
fn payload(info: u32) -> (u32, u32) {
    let (ptrs, slots) = (info >> 4 & MAX_SLOTS, info >> 18);
    (ptrs, slots.saturating_sub(ptrs) / 2)
}

impl Machine<'_> {
    /// What an object is, for messages.
    pub(crate) fn name_of(&self, object: u32) -> String {
        if is_immediate(object) {
            return format!("the immediate {}", immediate_value(object));
        }
        let Ok(header) = self.memory.load32(object) else { return format!("address {object:#x}") };
        if header & TAG_HNF == 0 {
            return match self.program.entry_at(header) {
                Some(info) => format!("a thunk of &{}", info.label),
                None => "what is no object".into(),
            };
        }
        match self.program.row_at(header) {
            Some((desc, applied_args)) => {
                format!("a node of ${}/{applied_args}", self.program.module.descs[desc].label)
            }
            None => "what is no object".into(),
        }
    }

    /// The info word of a head normal form; 0 for everything else.
    fn info_if_hnf(&self, object: u32) -> Result<u32, Trap> {
        let header = self.memory.load32(object)?;
        if header & TAG_HNF == 0 { Ok(0) } else { self.memory.load32(header - TAG_HNF) }
    }

    /// A node has this info word.
    #[inline(always)]
    pub(crate) fn check_shape(&self, node: u32, info: u32) -> Result<(), Trap> {
        let header = self.memory.load32(node)?;
        if header & TAG_HNF != 0 && self.memory.load32(header - TAG_HNF)? == info {
            Ok(())
        } else {
            self.other_shape(node, info)
        }
    }
    #[cold]
    fn other_shape(&self, node: u32, info: u32) -> Result<(), Trap> {
        let (ptrs, nptrs) = payload(info);
        let contiguous = if info & INFO_KIND == cleave_ir::layout::KIND_CONTIGUOUS { "contiguous " } else { "" };
        Err(Trap::wrong(format!("{} has not the shape {contiguous}({ptrs}, {nptrs})", self.name_of(node))))
    }

    /// A thunk has as many references and slots as this info word says.
    #[inline(always)]
    pub(crate) fn check_thunk(&self, thunk: u32, info: u32) -> Result<(), Trap> {
        let header = self.memory.load32(thunk)?;
        if header & TAG_HNF == 0 && self.memory.load32(header.wrapping_add(THUNK_INFO_WORD))? >> 4 == info >> 4 {
            return Ok(());
        }
        let (ptrs, nptrs) = payload(info);
        Err(Trap::wrong(format!("{} is no thunk with the arguments ({ptrs}, {nptrs})", self.name_of(thunk))))
    }

    /// The fields of the node may be changed.
    pub(crate) fn changeable(&self, code: &FuncCode, op: Op) -> Result<u32, Trap> {
        let place = self.field(code, op)?;
        let node = self.reference(op.b)?;
        let row = self.program.row_at(self.memory.load32(node)?);
        let immutable = row.is_some_and(|(desc, held)| self.program.module.descs[desc].is_immutable(held));
        if immutable || node < self.program.data_section.heap_base {
            return Err(Trap::wrong(format!("{} is never written over", self.name_of(node))));
        }
        Ok(place)
    }

    /// A cell of the heap may become something else; arrays and strings stay what they are.
    pub(crate) fn check_overwritten(&self, cell: u32) -> Result<(), Trap> {
        let info = self.info_if_hnf(cell)?;
        let is_array = info != 0 && matches!(info & INFO_KIND, KIND_ARRAY | KIND_STRING);
        if is_array || cell < self.program.data_section.heap_base {
            return Err(Trap::wrong(format!("{} is never written over", self.name_of(cell))));
        }
        Ok(())
    }

    /// What code of thunks and closures gives is a head normal form.
    #[inline(always)]
    pub(crate) fn check_evaluated(&self, value: u32) -> Result<(), Trap> {
        if is_immediate(value) || self.is_hnf(value)? {
            return Ok(());
        }
        Err(Trap::wrong(format!("{} is the result of an evaluation", self.name_of(value))))
    }

    /// What a function of the runtime is given is a string, or an array.
    pub(crate) fn check_kind(&self, object: u32, kind: u32) -> Result<(), Trap> {
        if self.array_kind(object)? == kind {
            Ok(())
        } else {
            Err(Trap::wrong(format!("{} is another kind of object than the function works on", self.name_of(object))))
        }
    }

    /// What else a function of the runtime takes for granted.
    #[inline(always)]
    pub(crate) fn check_demands(&self, demands: Demands, args: &[u64]) -> Result<(), Trap> {
        if (0..args.len()).any(|operand| demands.objects >> operand & 1 != 0 && is_immediate(args[operand] as u32)) {
            return Err(Trap::wrong("an immediate is used as an object"));
        }
        if let Some(operand) = demands.text {
            let address = args[operand] as u32;
            if self.program.texts.binary_search(&address).is_err() {
                return Err(Trap::wrong(format!("{address:#x} is the address of no text")));
            }
        }
        if let Some(operand) = demands.closure {
            let closure = args[operand] as u32;
            let header = self.memory.load32(closure)?;
            let row = self.program.row_at(header).filter(|_| header & TAG_HNF != 0);
            let descs = &self.program.module.descs;
            if !row.is_some_and(|(desc, held)| descs[desc].callable && held < descs[desc].arity) {
                return Err(Trap::wrong(format!("{} lacks no argument", self.name_of(closure))));
            }
        }
        if demands.overwrites_string {
            let counts = self.program.module.heap.counts();
            let size = if counts { cleave_ir::rc::STRING_LENGTH } else { cleave_ir::layout::ARRAY_SIZE };
            let length = |string: u32| self.memory.load32(string + size);
            let (to, index, from) = (length(args[0] as u32)?, args[1], length(args[2] as u32)?);
            if from > to || index > u64::from(to - from) {
                return Err(Trap::wrong("the string has no room for the other one there"));
            }
        }
        Ok(())
    }

    /// `KIND_ARRAY` or `KIND_STRING`.
    #[inline(always)]
    pub(crate) fn array_kind(&self, object: u32) -> Result<u32, Trap> {
        match self.info_if_hnf(object)? & INFO_KIND {
            kind @ (KIND_ARRAY | KIND_STRING) => Ok(kind),
            _ => Err(Trap::wrong(format!("{} is neither array nor string", self.name_of(object)))),
        }
    }

    /// An array has elements with such a field.
    #[inline(always)]
    pub(crate) fn check_element(&self, array: u32, op: Opcode, stride: u32, offset: u32) -> Result<(), Trap> {
        use Opcode::*;
        let is_string = self.array_kind(array)? == KIND_STRING;
        let within = offset.wrapping_sub(ARRAY_DATA);
        let fits = if is_string {
            matches!(op, ElemU8 | SetElemU8) && offset == STRING_DATA
        } else {
            let kind = self.memory.load32(array + ARRAY_ELEMENT)?;
            let named = match op {
                ElemRef | SetElemRef => kind == ElementKind::Ref as u32 && stride == SLOT,
                ElemI64 | ElemF64 | SetElemI64 | SetElemF64 => {
                    (kind == ElementKind::Int as u32 || kind == ElementKind::Real as u32) && stride == 2 * SLOT
                }
                ElemU8 | SetElemU8 => kind == ElementKind::Bool as u32 && stride == 1,
                _ => (kind == ElementKind::Int32 as u32 || kind == ElementKind::Real32 as u32) && stride == SLOT,
            };
            named && within == 0 || kind > ElementKind::Char as u32 && self.is_field(kind, op, stride, within)?
        };
        if fits { Ok(()) } else { Err(Trap::wrong(format!("{} has no such elements", self.name_of(array)))) }
    }

    /// The elements are records of this descriptor, and have such a field there.
    fn is_field(&self, descriptor: u32, op: Opcode, stride: u32, within: u32) -> Result<bool, Trap> {
        let sizes = self.memory.load32(descriptor + DESCRIPTOR_SIZES)?;
        let (refs, words) = ((sizes & 0xffff) * SLOT, (sizes >> 16) * 2 * SLOT);
        Ok(stride == refs + words
            && match op {
                Opcode::ElemRef | Opcode::SetElemRef => within.is_multiple_of(SLOT) && within < refs,
                Opcode::ElemI64 | Opcode::ElemF64 | Opcode::SetElemI64 | Opcode::SetElemF64 => {
                    within >= refs && (within - refs).is_multiple_of(2 * SLOT) && within < refs + words
                }
                _ => false,
            })
    }
}
