//! What `array.new` and its like mean: each access is that of an array of this kind, and in range.

use crate::code::{CallSite, FuncCode, Op, RC_OBJECT, UNCHECKED};
use crate::machine::Machine;
use crate::value::Trap;
use cleave_ir::ArrayKind;
use cleave_ir::layout::{ARRAY_DATA, ARRAY_ELEMENT, ARRAY_SIZE, KIND_ARRAY, KIND_STRING};
use cleave_ir::rc::STRING_LENGTH;
use cleave_rt::base::{array, error, rc_string};

impl Machine<'_> {
    /// The number of elements of an array, which has to be of this kind.
    fn length_of(&self, array: u32, kind: ArrayKind, is_rc: bool) -> Result<u32, Trap> {
        let fits = if is_rc {
            self.count_of(array)?;
            self.array_kind(array)? == if kind == ArrayKind::Ref { KIND_ARRAY } else { KIND_STRING }
        } else {
            self.array_kind(array)? == KIND_ARRAY && self.memory.load32(array + ARRAY_ELEMENT)? == kind.element() as u32
        };
        if !fits {
            return Err(Trap::wrong(format!("{} has no elements of kind {}", self.name_of(array), kind.word())));
        }
        match (is_rc, kind) {
            (true, ArrayKind::Ref) => self.memory.load32(array + STRING_LENGTH),
            (true, _) => Ok(self.memory.load32(array + STRING_LENGTH)? / kind.stride()),
            _ => self.memory.load32(array + ARRAY_SIZE),
        }
    }

    pub(crate) fn array_len(&mut self, op: Op) -> Result<(), Trap> {
        let array = self.reference(op.b)?;
        let length = self.length_of(array, ArrayKind::unpack(op.imm), op.flags & RC_OBJECT != 0)?;
        self.set(op.a, u64::from(length));
        Ok(())
    }

    /// Kind and address of the element that an access names.
    fn element_of(&mut self, op: Op) -> Result<(ArrayKind, u32), Trap> {
        let (array, index) = (self.reference(op.b)?, self.get(op.c));
        let kind = ArrayKind::unpack(op.imm & !UNCHECKED);
        let length = self.length_of(array, kind, op.flags & RC_OBJECT != 0)?;
        if index >= u64::from(length) {
            if op.imm & UNCHECKED != 0 {
                return Err(Trap::wrong(format!("element {} of an array of {length}, unchecked", index as i64)));
            }
            error::index_error(self)?;
        }
        Ok((kind, array + ARRAY_DATA + index as u32 * kind.stride()))
    }

    pub(crate) fn array_get(&mut self, op: Op) -> Result<(), Trap> {
        let (kind, address) = self.element_of(op)?;
        let bits = self.load_element(kind, address)?;
        match kind {
            ArrayKind::Ref => self.set_ref(op.a, bits as u32),
            _ => self.set(op.a, bits),
        }
        Ok(())
    }

    pub(crate) fn array_set(&mut self, op: Op) -> Result<(), Trap> {
        let (kind, address) = self.element_of(op)?;
        let bits = if kind == ArrayKind::Ref { u64::from(self.reference(op.a)?) } else { self.get(op.a) };
        self.store_element(kind, address, bits, op.flags & RC_OBJECT != 0)
    }

    fn load_element(&self, kind: ArrayKind, address: u32) -> Result<u64, Trap> {
        Ok(match kind {
            ArrayKind::Ref => u64::from(self.memory.load32(address)?),
            ArrayKind::I64 | ArrayKind::F64 => self.memory.load64(address)?,
            ArrayKind::I32 => self.memory.load32(address)? as i32 as i64 as u64,
            ArrayKind::F32 => f64::from(f32::from_bits(self.memory.load32(address)?)).to_bits(),
            ArrayKind::U8 => u64::from(self.memory.load::<1>(address)?[0]),
        })
    }

    fn store_element(&mut self, kind: ArrayKind, address: u32, bits: u64, is_rc: bool) -> Result<(), Trap> {
        match kind {
            ArrayKind::Ref => {
                self.memory.store32(address, bits as u32)?;
                if is_rc { Ok(()) } else { self.remember_slot(address) }
            }
            ArrayKind::I64 | ArrayKind::F64 => self.memory.store64(address, bits),
            ArrayKind::I32 => self.memory.store32(address, bits as u32),
            ArrayKind::F32 => self.memory.store32(address, (f64::from_bits(bits) as f32).to_bits()),
            ArrayKind::U8 => self.memory.store(address, [bits as u8]),
        }
    }

    /// A new array; what is in it is not defined. References in registers are up to date again afterwards.
    fn new_elements(&mut self, kind: ArrayKind, size: i64, is_rc: bool) -> Result<u32, Trap> {
        if is_rc {
            let bytes = size.checked_mul(i64::from(kind.stride())).unwrap_or(-1);
            return match kind {
                ArrayKind::Ref => rc_string::new_array(self, size),
                _ if !(0..=i64::from(u32::MAX)).contains(&bytes) => error::heap_full(self),
                _ => cleave_rt::rc::new_string(self, bytes as u32),
            };
        }
        self.top().pc = self.pc;
        let sp = self.spill_frames()?;
        self.heap_to_record()?;
        let array = array::new_array(self, sp, kind.element() as u32, 0, 0, size)?;
        self.heap_from_record()?;
        self.base = self.top().base;
        self.unspill_top()?;
        Ok(array)
    }

    fn array_new(&mut self, op: Op, site: &CallSite) -> Result<(), Trap> {
        let (kind, is_rc) = (ArrayKind::unpack(u64::from(op.c)), op.flags & RC_OBJECT != 0);
        let size = self.get(site.args[0]) as i64;
        let array = self.new_elements(kind, size, is_rc)?;
        let bits =
            if kind == ArrayKind::Ref { u64::from(self.reference(site.args[1])?) } else { self.get(site.args[1]) };
        for index in 0..size as u32 {
            self.store_element(kind, array + ARRAY_DATA + index * kind.stride(), bits, is_rc)?;
        }
        self.set_ref(op.a, array);
        Ok(())
    }

    fn array_slice(&mut self, op: Op, site: &CallSite) -> Result<(), Trap> {
        let (kind, is_rc) = (ArrayKind::unpack(u64::from(op.c)), op.flags & RC_OBJECT != 0);
        let array = self.reference(site.args[0])?;
        let (from, to) = (self.get(site.args[1]), self.get(site.args[2]));
        let length = self.length_of(array, kind, is_rc)?;
        if from > to || to > u64::from(length) {
            error::index_error(self)?;
        }
        let slice = self.new_elements(kind, (to - from) as i64, is_rc)?;
        let array = self.reference(site.args[0])?;
        for index in 0..(to - from) as u32 {
            let source = array + ARRAY_DATA + (from as u32 + index) * kind.stride();
            let bits = self.load_element(kind, source)?;
            self.store_element(kind, slice + ARRAY_DATA + index * kind.stride(), bits, is_rc)?;
        }
        self.set_ref(op.a, slice);
        Ok(())
    }

    fn array_copy(&mut self, op: Op, site: &CallSite) -> Result<(), Trap> {
        let (kind, is_rc) = (ArrayKind::unpack(u64::from(op.c)), op.flags & RC_OBJECT != 0);
        let (to, from) = (self.reference(site.args[0])?, self.reference(site.args[2])?);
        let (at, start, count) = (self.get(site.args[1]), self.get(site.args[3]), self.get(site.args[4]));
        let lengths = [self.length_of(to, kind, is_rc)?, self.length_of(from, kind, is_rc)?];
        for (length, first) in lengths.into_iter().zip([at, start]) {
            let end = first.checked_add(count);
            if end.is_none_or(|end| end > u64::from(length)) {
                error::index_error(self)?;
            }
        }
        // All are read before one is written.
        let place = |array: u32, index: u64| array + ARRAY_DATA + index as u32 * kind.stride();
        let elements = (0..count).map(|index| self.load_element(kind, place(from, start + index)));
        let elements: Vec<u64> = elements.collect::<Result<_, _>>()?;
        for (index, bits) in (0..).zip(elements) {
            self.store_element(kind, place(to, at + index), bits, is_rc)?;
        }
        Ok(())
    }

    /// `array.new`, `array.slice`, `array.copy`.
    pub(crate) fn array_op(&mut self, code: &FuncCode, op: Op) -> Result<(), Trap> {
        let site = &code.sites[op.imm as usize];
        match op.op {
            cleave_ir::Opcode::ArrayNew => self.array_new(op, site),
            cleave_ir::Opcode::ArraySlice => self.array_slice(op, site),
            _ => self.array_copy(op, site),
        }
    }
}
