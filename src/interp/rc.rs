//! Counted references: what the instructions of the reference-counted heap mean, and the checks that find code which
//! breaks its rules. A cell that is free has the count 0 and holds poison: whoever reads, retains or releases it is
//! stopped.

use crate::code::{Dying, End, FuncCode, Op};
use crate::machine::Machine;
use crate::memory::no_immediate;
use crate::value::Trap;
use cleave_ir::layout::{SLOT, TAG_HNF, is_immediate};
use cleave_ir::rc::*;
use cleave_ir::{Opcode, Type, WellKnownDesc};
use cleave_rt::rc::{free, free_object, object_bytes, references, take};

impl Machine<'_> {
    /// The number of references to an object, which must not have been freed.
    pub(crate) fn count_of(&self, object: u32) -> Result<u32, Trap> {
        no_immediate(object)?;
        match self.memory.load32(object.wrapping_add(COUNT))? {
            0 => Err(Trap::wrong(format!("the object at {object:#x} is used after it was freed"))),
            count => Ok(count),
        }
    }

    fn set_count(&mut self, object: u32, count: u32) -> Result<(), Trap> {
        self.memory.store32(object + COUNT, count)
    }

    /// A cell of a class, with a count of one.
    pub(crate) fn take_cell(&mut self, class: u32) -> Result<u32, Trap> {
        let cell = take(self, class)?;
        self.counters.note(EVENT_NEW, class_bytes(class));
        self.set_count(cell, 1)?;
        Ok(cell)
    }

    fn free_cell(&mut self, cell: u32, class: u32) {
        self.counters.note(EVENT_FREE, class_bytes(class));
        free(self, cell, class);
    }

    pub(crate) fn retain(&mut self, op: Op) -> Result<(), Trap> {
        let object = self.reference(op.b)?;
        self.retain_object(object)
    }

    /// What the storage has is one more reference.
    pub(crate) fn caf_rc(&mut self, op: Op) -> Result<(), Trap> {
        match self.memory.load32(op.imm as u32)? {
            0 => Err(Trap::wrong("a reference of a CAF is read before it is set")),
            object => {
                self.retain_object(object)?;
                self.set_ref(op.a, object);
                Ok(())
            }
        }
    }

    /// The storage takes over a reference, and releases what it had.
    pub(crate) fn set_caf_rc(&mut self, op: Op) -> Result<(), Trap> {
        let old = self.memory.load32(op.imm as u32)?;
        self.memory.store32(op.imm as u32, self.reference(op.b)?)?;
        if old == 0 { Ok(()) } else { self.release_object(old) }
    }

    pub(crate) fn retain_object(&mut self, object: u32) -> Result<(), Trap> {
        if is_immediate(object) {
            return Ok(());
        }
        self.counters.note(EVENT_RETAIN, 0);
        let count = self.count_of(object)?;
        self.set_count(object, count + 1)
    }

    pub(crate) fn release(&mut self, op: Op) -> Result<(), Trap> {
        let object = self.reference(op.b)?;
        self.release_object(object)
    }

    /// One reference less: without the last one an object is freed, and with it what it alone refers to.
    fn release_object(&mut self, object: u32) -> Result<(), Trap> {
        let mut open = vec![object];
        while let Some(object) = open.pop() {
            if is_immediate(object) {
                continue;
            }
            self.counters.note(EVENT_RELEASE, 0);
            let count = self.count_of(object)?;
            if count > 1 {
                self.set_count(object, count - 1)?;
                continue;
            }
            let header = self.memory.load32(object)?;
            let info = self.info_of(header)?;
            let (first, count) = references(self, object, info);
            for index in 0..count {
                open.push(self.memory.load32(first + index * SLOT)?);
            }
            let bytes = object_bytes(self, object, info);
            self.counters.note(EVENT_FREE, bytes);
            free_object(self, object, info);
        }
        Ok(())
    }

    /// References and slots of the nodes with this header.
    fn payload_of(&self, header: u32) -> Result<(u32, u32), Trap> {
        let info = self.info_of(header)?;
        Ok((info >> 4 & cleave_ir::layout::MAX_SLOTS, info >> 18))
    }

    /// The info word of objects with this header.
    fn info_of(&self, header: u32) -> Result<u32, Trap> {
        if header & TAG_HNF == 0 {
            return Err(Trap::wrong(format!("the header {header:#x} is released")));
        }
        self.memory.load32(header & !TAG_HNF)
    }

    /// An extern is called: its operands are alive. What it takes over: the object, its bytes, and its count.
    pub(crate) fn check_operands(
        &self,
        types: &[Type],
        args: &[u64],
        takes: bool,
    ) -> Result<Option<(u32, u32, u32)>, Trap> {
        let ptrs = types.iter().zip(args).filter(|(ty, _)| **ty == Type::Ref);
        // Where an immediate will not do has been asked before.
        let mut objects = ptrs.map(|(_, &object)| object as u32).filter(|&object| !is_immediate(object));
        objects.try_for_each(|object| self.count_of(object).map(drop))?;
        let object = args.first().map(|&object| object as u32);
        let Some(object) = object.filter(|&object| takes && !is_immediate(object)) else { return Ok(None) };
        let info = self.info_of(self.memory.load32(object)?)?;
        Ok(Some((object, object_bytes(self, object, info), self.count_of(object)?)))
    }

    /// An extern has made a string, perhaps of one that it has taken over.
    pub(crate) fn note_string(&mut self, string: u32, taken: Option<(u32, u32, u32)>) -> Result<(), Trap> {
        if let Some((object, bytes, count)) = taken {
            if object == string {
                return Ok(());
            }
            self.counters.note(EVENT_RELEASE, 0);
            if count == 1 {
                self.counters.note(EVENT_FREE, bytes);
            }
        }
        let info = self.info_of(self.memory.load32(string)?)?;
        let bytes = object_bytes(self, string, info);
        self.counters.note(EVENT_NEW, bytes);
        Ok(())
    }

    /// `drop`, `reset`, `renew`.
    pub(crate) fn let_die(&mut self, code: &FuncCode, op: Op) -> Result<(), Trap> {
        let dying = &code.dying[op.imm as usize];
        let node = self.reference(op.b)?;
        let count = self.count_of(node)?;
        self.counters.note(EVENT_RELEASE, 0);
        if count > 1 {
            self.set_count(node, count - 1)?;
            for &(kept, _) in &dying.kept {
                let kept = self.reference(kept)?;
                self.retain_object(kept)?;
            }
            if dying.end != End::Freed {
                self.counters.note(EVENT_FAILED_REUSE, 0);
            }
            let token = if dying.end == End::Memory { self.take_cell(dying.class)? } else { 0 };
            return self.set_token(op, dying, token);
        }
        let (ptrs, slots) = self.payload_of(self.memory.load32(node)?)?;
        if (ptrs, class(slots, 0)) != (dying.ptrs, dying.class) {
            return Err(Trap::wrong("a node of another shape is released"));
        }
        for index in 0..ptrs {
            let field = self.memory.load32(node + reference(index))?;
            match dying.kept.iter().find(|kept| kept.1 == index) {
                Some(&(kept, _)) if self.reference(kept)? != field => {
                    return Err(Trap::wrong("what is kept is not in the field"));
                }
                Some(_) => {}
                None => self.release_object(field)?,
            }
        }
        if dying.end == End::Freed {
            self.free_cell(node, dying.class);
        }
        self.set_token(op, dying, node)
    }

    fn set_token(&mut self, op: Op, dying: &Dying, token: u32) -> Result<(), Trap> {
        if dying.end != End::Freed {
            self.set(op.a, u64::from(token));
        }
        Ok(())
    }

    /// A node of the reference-counted heap in this memory, or in new one.
    pub(crate) fn build_rc(&mut self, code: &FuncCode, op: Op, token: u32) -> Result<(), Trap> {
        let layout = &code.layouts[op.imm as usize];
        let cell = match token {
            0 => self.take_cell(layout.cell)?,
            token => {
                self.counters.note(EVENT_REUSE, 0);
                self.count_of(token)?;
                token
            }
        };
        self.write(layout, cell, 0)?;
        self.set_ref(op.a, cell);
        Ok(())
    }

    /// A boxed value: always a new node.
    pub(crate) fn box_rc(&mut self, op: Op) -> Result<(), Trap> {
        let (desc, bits) = match op.op {
            Opcode::BoxChar => (WellKnownDesc::Char, self.get(op.b) & 0xff),
            Opcode::BoxBool => (WellKnownDesc::Bool, self.get(op.b) & 1),
            Opcode::SmallInt => (WellKnownDesc::Int, op.imm),
            _ => (WellKnownDesc::Int, self.get(op.b)),
        };
        let cell = self.take_cell(class(0, 1))?;
        let header = self.program.data_section.node_info(desc.desc(), 0);
        self.memory.store32(cell, header)?;
        self.memory.store64(cell + word(0, 0), bits)?;
        self.set_ref(op.a, cell);
        Ok(())
    }

    pub(crate) fn get_retained(&mut self, code: &FuncCode, op: Op) -> Result<(), Trap> {
        let object = self.memory.load32(self.field(code, op)?)?;
        self.retain_object(object)?;
        self.set_ref(op.a, object);
        Ok(())
    }

    pub(crate) fn exchange(&mut self, code: &FuncCode, op: Op) -> Result<(), Trap> {
        let place = self.changeable(code, op)?;
        let (old, new) = (self.memory.load32(place)?, self.reference(op.c)?);
        if !is_immediate(new) {
            self.count_of(new)?;
        }
        self.memory.store32(place, new)?;
        self.set_ref(op.a, old);
        Ok(())
    }

    pub(crate) fn reuse(&mut self, code: &FuncCode, op: Op) -> Result<(), Trap> {
        self.build_rc(code, op, self.get(op.b) as u32)
    }

    /// A hole is two addresses: that of the node that was opened first above that of the field to be filled. Until
    /// then there is 0, so that none is filled twice.
    pub(crate) fn open_hole(&mut self, op: Op) -> Result<(), Trap> {
        let node = self.reference(op.b)?;
        let field = self.make_hole(node, op)?;
        self.set(op.a, u64::from(node) << 32 | u64::from(field));
        Ok(())
    }

    pub(crate) fn move_hole(&mut self, op: Op) -> Result<(), Trap> {
        let (hole, node) = (self.get(op.b), self.reference(op.c)?);
        let field = self.make_hole(node, op)?;
        self.write_hole(hole, node)?;
        self.set(op.a, hole >> 32 << 32 | u64::from(field));
        Ok(())
    }

    pub(crate) fn fill_hole(&mut self, op: Op) -> Result<(), Trap> {
        let (hole, object) = (self.get(op.b), self.reference(op.c)?);
        self.write_hole(hole, object)?;
        self.set_ref(op.a, (hole >> 32) as u32);
        Ok(())
    }

    fn make_hole(&mut self, node: u32, op: Op) -> Result<u32, Trap> {
        let field = node + op.imm as u32;
        self.memory.store32(field, 0)?;
        Ok(field)
    }

    fn write_hole(&mut self, hole: u64, object: u32) -> Result<(), Trap> {
        match self.memory.load32(hole as u32)? {
            0 => self.memory.store32(hole as u32, object),
            _ => Err(Trap::wrong(format!("the field at {:#x} is no hole", hole as u32))),
        }
    }

    /// Memory that nobody has taken goes back.
    pub(crate) fn discard(&mut self, op: Op) -> Result<(), Trap> {
        let token = self.get(op.b) as u32;
        if token != 0 {
            self.count_of(token)?;
            self.free_cell(token, op.imm as u32);
        }
        Ok(())
    }
}
