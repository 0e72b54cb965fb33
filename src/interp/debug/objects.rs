//! Decodes heap objects and raw words, for the debugger.

use super::data::{Object, ObjectKind, Shown};
use super::debugger::Debugger;
use crate::machine::Machine;
use crate::value::Trap;
use cleave_ir::layout::*;
use cleave_ir::memory::{self, Count};
use cleave_ir::source::{DebugType, FieldPlace};
use cleave_ir::{Module, Shape, Type, rc};

/// Elements of an array, and bytes of a string, that are listed.
const MOST_ELEMENTS: u32 = 1000;

impl Shown {
    /// A reference: a cell, or the integer of an immediate.
    pub(super) fn reference(reference: u32) -> Shown {
        match is_immediate(reference) {
            true => Shown::Int(immediate_value(reference)),
            false => Shown::Object(reference),
        }
    }

    /// The bits of a value that is no reference.
    pub(super) fn of(module: &Module, ty: Type, bits: u64, meaning: DebugType) -> Shown {
        match (meaning, ty) {
            (DebugType::Shifted(shift), _) => Shown::Int(bits as i64 >> shift),
            (DebugType::Narrow, _) => Shown::Int((bits as i32).into()),
            (DebugType::Truth, _) => Shown::Truth(bits != 0),
            (DebugType::Character, _) => Shown::Character(bits as u8),
            (DebugType::Nullary(number), _) => {
                let nullary_constructors =
                    module.source.as_ref().and_then(|source| source.nullary_constructors.get(number as usize));
                match nullary_constructors
                    .and_then(|nullary_constructors| nullary_constructors.get(bits as u32 as usize))
                {
                    Some(name) => Shown::Nullary(name.to_string()),
                    None => Shown::Int(bits as i64),
                }
            }
            (DebugType::Plain, Type::F64) => Shown::Real(f64::from_bits(bits)),
            (DebugType::Plain, Type::Ref) => Shown::reference(bits as u32),
            (DebugType::Plain, Type::I32 | Type::I64) => Shown::Int(bits as i64),
        }
    }
}

impl Debugger<'_> {
    /// The cell at an address; nothing if no cell can be there.
    pub fn object(&self, address: u32) -> Option<Object> {
        self.machine().object(address).ok()
    }
}

impl Machine<'_> {
    /// A reference of the program; its cell may have been freed since it was used last.
    pub(super) fn shown_reference(&self, address: u32) -> Shown {
        if is_immediate(address) {
            return Shown::reference(address);
        }
        let is_free =
            self.count_place(address).is_some_and(|count| self.memory.load32(address + count.offset) == Ok(0));
        if is_free || self.memory.load32(address).is_err() { Shown::Gone } else { Shown::Object(address) }
    }

    /// The count of a cell that has one: static objects of basic values are the same on all heaps.
    fn count_place(&self, address: u32) -> Option<Count> {
        memory::of(self.program.module.heap).count().filter(|_| address >= self.program.data_section.heap_base)
    }

    pub(super) fn object(&self, address: u32) -> Result<Object, Trap> {
        let header = self.memory.load32(address)?;
        let is_static = address < self.program.data_section.heap_base;
        let mut object = Object {
            address,
            kind: ObjectKind::Node,
            name: String::new(),
            count: None,
            is_static,
            fields: Vec::new(),
            text: None,
            more: 0,
        };
        if let Some(count) = self.count_place(address) {
            let count = self.memory.load32(address + count.offset)?;
            // Low IR says in it, too, what may be on a cycle.
            object.count = Some(count & !rc::BUFFERED);
            if count == 0 {
                object.kind = ObjectKind::Free;
                return Ok(object);
            }
        }
        if header & TAG_HNF == 0 {
            self.thunk(header, &mut object)?
        } else {
            self.node(header, &mut object)?
        }
        Ok(object)
    }

    fn thunk(&self, header: u32, object: &mut Object) -> Result<(), Trap> {
        let Some(data) = self.program.entry_at(header) else {
            return Err(Trap::wrong(format!("no cell has the header {header:#x}")));
        };
        object.name.clone_from(&data.label);
        let is_cycle = |entry| self.program.data_section.thunk_info(entry) == header;
        object.kind = if self.program.indirection == Some(header) {
            ObjectKind::Indirection
        } else if self.program.module.blackhole_info.is_some_and(is_cycle) {
            ObjectKind::Blackhole
        } else {
            ObjectKind::Thunk
        };
        if object.kind == ObjectKind::Blackhole {
            return Ok(());
        }
        let ptrs = if object.kind == ObjectKind::Indirection { 1 } else { data.ptrs };
        for index in 0..ptrs {
            object.fields.push(Shown::reference(self.memory.load32(object.address + thunk_reference(index))?));
        }
        for index in 0..data.nptrs {
            let bits = self.memory.load64(object.address + thunk_word(ptrs, index))?;
            object.fields.push(Shown::Int(bits as i64));
        }
        Ok(())
    }

    fn node(&self, header: u32, object: &mut Object) -> Result<(), Trap> {
        let module = self.program.module;
        let Some((desc, applied_args)) = self.program.row_at(header) else {
            return Err(Trap::wrong(format!("no cell has the header {header:#x}")));
        };
        let data = &module.descs[desc];
        object.name = String::from_utf8_lossy(&data.name).into_owned();
        let address = object.address;
        match data.kind {
            DescriptorKind::String => {
                object.kind = ObjectKind::String;
                let (length, bytes) = memory::of(module.heap).string();
                let length = self.memory.load32(address + length)?;
                let listed = length.min(MOST_ELEMENTS);
                object.more = length - listed;
                object.text = Some(self.memory.slice(address + bytes, listed)?.to_vec());
                return Ok(());
            }
            DescriptorKind::Array => return self.array(object),
            DescriptorKind::Int | DescriptorKind::Char | DescriptorKind::Bool | DescriptorKind::Real => {
                object.kind = ObjectKind::Basic;
                let at = if self.count_place(address).is_some() { rc::word(0, 0) } else { SLOT };
                let bits = self.memory.load64(address + at)?;
                let (ty, meaning) = match data.kind {
                    DescriptorKind::Char => (Type::I32, DebugType::Character),
                    DescriptorKind::Bool => (Type::I32, DebugType::Truth),
                    DescriptorKind::Real => (Type::F64, DebugType::Plain),
                    _ => (Type::I64, DebugType::Plain),
                };
                object.fields.push(Shown::of(module, ty, bits, meaning));
                return Ok(());
            }
            _ => {}
        }
        let shape = module.shape(desc, applied_args);
        let known = module.source.as_ref().map_or(&[][..], |source| &source.fields[desc]);
        if applied_args == 0 && known.len() as u32 == shape.ptrs + shape.nptrs {
            for &field in known {
                object.fields.push(self.field_of(address, shape, field)?);
            }
            return Ok(());
        }
        let letters: Vec<u8> = data.record.iter().flat_map(|record| record.types.iter().copied()).collect();
        let mut nptrs = letters.into_iter().filter(|letter| !letter.is_ascii_uppercase() && *letter != b'a');
        for index in 0..shape.ptrs {
            object.fields.push(self.field_of(address, shape, FieldPlace::Reference(index))?);
        }
        for index in 0..shape.nptrs {
            let letter = nptrs.next();
            let meaning = match letter {
                Some(b'b') => DebugType::Truth,
                Some(b'c') => DebugType::Character,
                _ => DebugType::Plain,
            };
            let shown = self.field_of(address, shape, FieldPlace::Word(index, meaning))?;
            object.fields.push(match (letter, shown) {
                (Some(b'r'), Shown::Int(bits)) => Shown::Real(f64::from_bits(bits as u64)),
                (_, shown) => shown,
            });
        }
        Ok(())
    }

    fn field_of(&self, address: u32, shape: Shape, field: FieldPlace) -> Result<Shown, Trap> {
        let model = memory::of(self.program.module.heap);
        Ok(match field {
            FieldPlace::Reference(index) => {
                Shown::reference(self.memory.load32(self.place_of(address, model.reference(shape, index))?)?)
            }
            FieldPlace::Word(index, meaning) => {
                let bits = self.memory.load64(self.place_of(address, model.word(shape, index))?)?;
                Shown::of(self.program.module, Type::I64, bits, meaning)
            }
        })
    }

    fn array(&self, object: &mut Object) -> Result<(), Trap> {
        object.kind = ObjectKind::Array;
        let size = self.memory.load32(object.address + ARRAY_SIZE)?;
        let kind = self.memory.load32(object.address + ARRAY_ELEMENT)?;
        let data = object.address + ARRAY_DATA;
        let listed = size.min(MOST_ELEMENTS);
        object.more = size - listed;
        let (ptrs, nptrs) = match kind {
            0 => (1, 0),
            1 | 2 => (0, 1),
            3..=6 => (0, 0),
            descriptor => {
                let sizes = self.memory.load32(descriptor + DESCRIPTOR_SIZES)?;
                (sizes & 0xffff, sizes >> 16)
            }
        };
        for index in 0..listed {
            let element = data + index * (4 * ptrs + 8 * nptrs);
            object.fields.push(match kind {
                2 => Shown::Real(f64::from_bits(self.memory.load64(element)?)),
                3 => Shown::Truth(self.memory.load::<1>(data + index)?[0] != 0),
                4 => Shown::Int((self.memory.load32(data + 4 * index)? as i32).into()),
                5 => Shown::Real(f32::from_bits(self.memory.load32(data + 4 * index)?).into()),
                _ => {
                    for number in 0..ptrs {
                        object.fields.push(Shown::reference(self.memory.load32(element + 4 * number)?));
                    }
                    for number in 0..nptrs {
                        let word = self.memory.load64(element + 4 * ptrs + 8 * number)?;
                        object.fields.push(Shown::Int(word as i64));
                    }
                    continue;
                }
            });
        }
        Ok(())
    }
}
