//! Nodes, thunks and elements: where fields are, and the instructions that build and overwrite cells.
//! Drawings of all objects are in `cleave_ir::layout`.

use crate::code::{FuncCode, IN_OVERFLOW, Layout, Op, RC_OBJECT, Reg};
use crate::machine::Machine;
use crate::memory::no_immediate;
use crate::value::Trap;
use cleave_ir::layout::{
    FieldOffset, IMMEDIATE_MAX, IMMEDIATE_MIN, INFO_KIND, KIND_ARRAY, KIND_CONTIGUOUS, KIND_STRING, MIN_OBJECT,
    OVERFLOW, PROGRAM_OLD_START, SLOT, SMALL_INT_MAX, SMALL_INT_MIN, STATIC_NODE_SIZE, Shape, TAG_HNF, THUNK_INFO_WORD,
    immediate, immediate_value, is_immediate,
};
use cleave_ir::{Opcode, ThunkKind, Type, rc};

impl Machine<'_> {
    /// Address of a field of a head normal form: in the cell, or in the block that its third word names.
    #[inline(always)]
    pub(crate) fn field(&self, code: &FuncCode, op: Op) -> Result<u32, Trap> {
        let cell = self.reference(op.b)?;
        if op.flags & RC_OBJECT != 0 {
            self.count_of(cell)?;
        }
        self.check_shape(cell, code.infos[self.pc as usize])?;
        let base = if op.imm & IN_OVERFLOW != 0 { self.memory.load32(cell.wrapping_add(OVERFLOW))? } else { cell };
        Ok(base.wrapping_add(op.imm as u32))
    }

    /// Address of an argument of a thunk.
    #[inline(always)]
    pub(crate) fn argument(&self, code: &FuncCode, op: Op) -> Result<u32, Trap> {
        let thunk = self.reference(op.b)?;
        self.check_thunk(thunk, code.infos[self.pc as usize])?;
        Ok(thunk.wrapping_add(op.imm as u32))
    }

    /// Address of an element: object + offset + index × stride, where the offset includes the array's header. An
    /// index out of range has no meaning; here it stops the run.
    #[inline(always)]
    pub(crate) fn element(&self, op: Op) -> Result<u32, Trap> {
        let object = self.reference(op.b)?;
        let (stride, offset) = (op.imm as u32, (op.imm >> 32) as u32);
        let size = match op.flags & RC_OBJECT != 0 {
            true => {
                self.count_of(object)?;
                self.check_kind(object, if op.op == Opcode::ElemRef { KIND_ARRAY } else { KIND_STRING })?;
                rc::STRING_LENGTH
            }
            false => SLOT,
        };
        let (index, size) = (self.get(op.c), self.memory.load32(object.wrapping_add(size))?);
        if op.flags & RC_OBJECT == 0 {
            self.check_element(object, op.op, stride, offset)?;
        }
        // On the reference-counted heap these are bytes, but of arrays of references.
        let are_bytes = op.flags & RC_OBJECT != 0 && op.op != Opcode::ElemRef;
        let size = if are_bytes { size / stride.max(1) } else { size };
        if index >= size as u64 {
            return Err(Trap::wrong(format!("element {} of an array of {size}", index as i64)));
        }
        Ok(object.wrapping_add(offset).wrapping_add((index as u32).wrapping_mul(stride)))
    }

    /// Address of a slot of the frame on the shadow stack.
    #[inline(always)]
    pub(crate) fn slot(&mut self, op: Op) -> Result<u32, Trap> {
        let distance = SLOT * (op.imm as u32 + 1);
        self.top().sp.checked_sub(distance).ok_or(Trap::StackOverflow)
    }

    /// Writes header and payload.
    #[inline(always)]
    pub(crate) fn write(&mut self, layout: &Layout, cell: u32, rest: u32) -> Result<(), Trap> {
        self.memory.store32(cell, layout.header)?;
        if layout.rest != 0 {
            self.memory.store32(cell + OVERFLOW, rest)?;
            if layout.zero_slot {
                self.memory.store32(cell + SLOT, 0)?;
            }
        }
        for store in &layout.stores {
            let at = store.offset + if store.in_overflow { rest } else { cell };
            match store.ty {
                Type::Ref => self.memory.store32(at, self.reference(store.reg)?)?,
                _ => self.memory.store64(at, self.get(store.reg))?,
            }
        }
        Ok(())
    }

    /// `build`, `build_thunk`: a new cell, and after it the overflow block if its shape is split.
    #[inline(always)]
    pub(crate) fn build(&mut self, code: &FuncCode, op: Op) -> Result<(), Trap> {
        let layout = &code.layouts[op.imm as usize];
        if op.op == Opcode::BuildThunk {
            self.check_selected(layout)?;
        }
        let cell = self.allocate(code, layout.cell + layout.rest)?;
        self.write(layout, cell, cell + layout.cell)?;
        self.set_ref(op.a, cell);
        Ok(())
    }

    /// The collector does what a thunk says that is not plain: it needs an object for that.
    #[inline(always)]
    fn check_selected(&self, layout: &Layout) -> Result<(), Trap> {
        if !self.program.module.immediates {
            return Ok(());
        }
        let is_plain = self.program.entry_at(layout.header).is_some_and(|data| data.kind == ThunkKind::Plain);
        match layout.stores.first() {
            Some(store) if !is_plain && store.ty == Type::Ref => no_immediate(self.reference(store.reg)?),
            _ => Ok(()),
        }
    }

    /// `build_dummy`: header only; the collector must not look at the slots, and the blackhole info says there are
    /// none.
    pub(crate) fn build_dummy(&mut self, code: &FuncCode, op: Op) -> Result<(), Trap> {
        let cell = self.allocate(code, MIN_OBJECT)?;
        self.memory.store32(cell, op.imm as u32)?;
        self.set_ref(op.a, cell);
        Ok(())
    }

    /// `fill`, `fill_thunk`: the cell stays where it is; a split shape gets a new overflow block.
    pub(crate) fn fill(&mut self, code: &FuncCode, op: Op) -> Result<(), Trap> {
        let layout = &code.layouts[op.imm as usize];
        if op.op == Opcode::FillThunk {
            self.check_selected(layout)?;
        }
        // The allocation comes first: it may move the cell.
        let rest = if layout.rest != 0 { self.allocate(code, layout.rest)? } else { 0 };
        let cell = self.reference(op.b)?;
        self.check_overwritten(cell)?;
        if layout.cell > MIN_OBJECT {
            let room = self.node_bytes(cell)?;
            if layout.cell > room {
                return Err(Trap::wrong(format!("{} bytes written over a cell of {room}", layout.cell)));
            }
        }
        self.write(layout, cell, rest)?;
        self.remember(cell)
    }

    /// After a cell of high or rooted code has been overwritten: as the barrier of low code does.
    pub(crate) fn remember(&mut self, cell: u32) -> Result<(), Trap> {
        if cell >= self.old_start()? {
            cleave_rt::gc::remembered::remember(self, cell)?;
        }
        Ok(())
    }
    /// The same for an element of an array.
    pub(crate) fn remember_slot(&mut self, slot: u32) -> Result<(), Trap> {
        if slot >= self.old_start()? {
            cleave_rt::gc::remembered::remember_slot(self, slot)?;
        }
        Ok(())
    }
    fn old_start(&self) -> Result<u32, Trap> {
        self.memory.load32(self.program.data_section.program + PROGRAM_OLD_START)
    }

    /// Bytes of the cell of a node or thunk, as the collector sees it: a blackholed thunk has no arguments left.
    fn node_bytes(&self, cell: u32) -> Result<u32, Trap> {
        let header = self.memory.load32(cell)?;
        if header & TAG_HNF != 0 {
            let info = self.memory.load32(header - TAG_HNF)?;
            return Ok(if info & INFO_KIND == KIND_CONTIGUOUS { SLOT + SLOT * (info >> 18) } else { MIN_OBJECT });
        }
        let slots = self.memory.load32(header.wrapping_add(THUNK_INFO_WORD))? >> 18;
        Ok(SLOT + SLOT * slots)
    }

    /// `fill_copy`: header and two slots; an overflow block is shared from now on.
    pub(crate) fn fill_cell(&mut self, to: Reg, from: Reg) -> Result<(), Trap> {
        let (to, from) = (self.reference(to)?, self.reference(from)?);
        let header = self.memory.load32(from)?;
        if header & TAG_HNF == 0 {
            return Err(Trap::wrong("fill_copy from a thunk"));
        }
        if self.memory.load32(header - TAG_HNF)? & INFO_KIND == KIND_CONTIGUOUS {
            return Err(Trap::wrong("fill_copy from a contiguous node"));
        }
        self.check_overwritten(to)?;
        let cell: [u8; MIN_OBJECT as usize] = self.memory.load(from)?;
        self.memory.store(to, cell)?;
        self.remember(to)
    }

    /// `blackhole`: whoever enters the thunk before it is filled has found a cycle.
    pub(crate) fn blackhole(&mut self, op: Op) -> Result<(), Trap> {
        let thunk = self.reference(op.b)?;
        if self.is_hnf(thunk)? {
            return Err(Trap::wrong(format!("{} is no thunk", self.name_of(thunk))));
        }
        self.memory.store32(thunk, op.imm as u32)
    }

    /// `make_indirection`: the header becomes the indirection entry, slot 0 the target.
    pub(crate) fn make_indirection(&mut self, op: Op) -> Result<(), Trap> {
        let (thunk, target) = (self.reference(op.b)?, self.reference(op.c)?);
        let Some(entry) = self.program.indirection else {
            return Err(Trap::wrong("make_indirection in a module without indirection entry"));
        };
        no_immediate(target)?;
        self.check_overwritten(thunk)?;
        self.memory.store32(thunk, entry)?;
        self.memory.store32(thunk + SLOT, target)?;
        self.remember(thunk)
    }

    /// `int_ref`: an integer that fits.
    #[inline(always)]
    pub(crate) fn immediate(&self, op: Op) -> Result<u32, Trap> {
        let value = self.get(op.b) as i64;
        match (IMMEDIATE_MIN..=IMMEDIATE_MAX).contains(&value) {
            true => Ok(immediate(value)),
            false => Err(Trap::wrong(format!("{value} does not fit in an immediate"))),
        }
    }

    /// `ref_int`.
    #[inline(always)]
    pub(crate) fn integer(&self, op: Op) -> Result<i64, Trap> {
        let reference = self.reference(op.b)?;
        match is_immediate(reference) {
            true => Ok(immediate_value(reference)),
            false => Err(Trap::wrong(format!("{} is no immediate", self.name_of(reference)))),
        }
    }

    /// `box.int`.
    #[inline(always)]
    pub(crate) fn box_int(&mut self, code: &FuncCode, op: Op) -> Result<(), Trap> {
        let value = self.get(op.b) as i64;
        if (SMALL_INT_MIN..=SMALL_INT_MAX).contains(&value) {
            let index = (value - SMALL_INT_MIN) as u32;
            self.set_ref(op.a, self.program.data_section.small_ints + index * STATIC_NODE_SIZE);
            return Ok(());
        }
        let cell = self.allocate(code, MIN_OBJECT)?;
        self.memory.store32(cell, self.program.int_header)?;
        self.memory.store64(cell + SLOT, value as u64)?;
        self.set_ref(op.a, cell);
        Ok(())
    }

    /// Reference field of a node of this shape, for callers outside of compiled code.
    pub(crate) fn place_of(&self, cell: u32, place: FieldOffset) -> Result<u32, Trap> {
        Ok(match place {
            FieldOffset::Cell(offset) => cell + offset,
            FieldOffset::Overflow(offset) => self.memory.load32(cell + OVERFLOW)? + offset,
        })
    }
    pub(crate) fn reference_field(&self, cell: u32, shape: Shape, index: u32) -> Result<u32, Trap> {
        self.memory.load32(self.place_of(cell, shape.reference(index))?)
    }
    pub(crate) fn word_field(&self, cell: u32, shape: Shape, index: u32) -> Result<u64, Trap> {
        self.memory.load64(self.place_of(cell, shape.word(index))?)
    }
}
