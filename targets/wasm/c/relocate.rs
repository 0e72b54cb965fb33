//! Bodies and data with the indices and addresses of the merged module.
//!
//! Indices in objects are padded to five bytes, so values are written in place. Three instructions become calls of
//! functions of ours (`trampolines`): those that set the stack pointer, ask for the size of memory, and let it grow.

use super::Error;
use super::link::{Linked, LinkerSymbol, Meaning, Target};
use cleave_ir::layout::PAGE;
use std::ops::Range;
use wasmparser::{BlockType, Operator, RelocationEntry, RelocationType};

/// Where things are in the merged module.
pub struct Indices {
    /// The first C function, the first function that stands for an absent one.
    pub functions: u32,
    pub absent: u32,
    /// Functions of the host.
    pub hosts: Vec<u32>,
    /// The types of each object.
    pub types: Vec<Vec<u32>>,
    /// Place of the first C function in the function table.
    pub table: u32,
    /// Globals: the stack pointer, and the end of the heap in pages.
    pub stack_pointer: u32,
    pub heap_top: u32,
    /// The heap of C.
    pub heap: Range<u32>,
    /// Functions of ours that stand for instructions.
    pub set_stack: u32,
    pub memory_size: u32,
    pub memory_grow: u32,
}

impl Indices {
    /// The index of a function.
    pub fn target(&self, linked: &Linked, target: Target) -> u32 {
        match target {
            Target::Function(object, index) => {
                let position = linked.functions.binary_search(&(object, index)).unwrap_or_default();
                self.functions + position as u32
            }
            Target::Host(number) => self.hosts[number as usize],
            Target::Absent(number) => self.absent + number,
        }
    }

    fn linker_symbol(&self, linked: &Linked, symbol: LinkerSymbol) -> u32 {
        match symbol {
            LinkerSymbol::HeapBase => self.heap.start,
            // What the first pages of the heap are, not what they may become.
            LinkerSymbol::HeapEnd => self.heap.start + super::trampolines::FIRST_PAGES * PAGE,
            LinkerSymbol::StaticsStart => linked.statics.0,
            LinkerSymbol::StaticsEnd => linked.statics.1,
            LinkerSymbol::StackLow => linked.stack.0,
            LinkerSymbol::StackHigh => linked.stack.1,
            LinkerSymbol::ReturnCode => linked.return_code.unwrap_or(0),
        }
    }

    /// The value of a relocation.
    fn value(&self, linked: &Linked, object: u32, entry: &RelocationEntry) -> Option<u32> {
        match entry.ty {
            RelocationType::TypeIndexLeb => return self.types[object as usize].get(entry.index as usize).copied(),
            RelocationType::TableNumberLeb => return Some(0),
            _ => {}
        }
        let takes_address = matches!(entry.ty, RelocationType::TableIndexSleb | RelocationType::TableIndexI32);
        Some(match linked.meaning(object, entry.index)? {
            Meaning::Call(Target::Absent(_)) if takes_address => 0,
            Meaning::Call(target) if takes_address => self.table + linked.table.binary_search(&target).ok()? as u32,
            Meaning::Call(target) => self.target(linked, target),
            Meaning::Data(place, offset) => {
                linked.address(place).wrapping_add(offset).wrapping_add(entry.addend as u32)
            }
            Meaning::Linker(symbol) => self.linker_symbol(linked, symbol).wrapping_add(entry.addend as u32),
            Meaning::Null => entry.addend as u32,
            Meaning::StackPointer => self.stack_pointer,
        })
    }
}

/// Writes a value where a relocation says, in the form that it says.
fn write(bytes: &mut [u8], entry: &RelocationEntry, value: u32) {
    let Some(place) = bytes.get_mut(entry.offset as usize..entry.offset as usize + entry.ty.extent()) else { return };
    let is_signed = matches!(entry.ty, RelocationType::MemoryAddrSleb | RelocationType::TableIndexSleb);
    if let Ok(word) = <&mut [u8; 4]>::try_from(&mut *place) {
        *word = value.to_le_bytes();
        return;
    }
    let wide = if is_signed { i64::from(value as i32) } else { i64::from(value) };
    let last = place.len() - 1;
    for (group, byte) in place.iter_mut().enumerate() {
        *byte = (wide >> (7 * group)) as u8 & 0x7f | if group < last { 0x80 } else { 0 };
    }
}

/// The relocated bytes of a segment.
pub fn segment(linked: &Linked, indices: &Indices, place: (u32, u32)) -> Vec<u8> {
    let segment = &linked.objects[place.0 as usize].segments[place.1 as usize];
    let mut bytes = segment.bytes.to_vec();
    for entry in &segment.relocations {
        let value = indices.value(linked, place.0, entry).expect("checked by the linker");
        write(&mut bytes, entry, value);
    }
    bytes
}

/// The relocated body of a function, as the code section has it, without its length.
pub fn body(linked: &Linked, indices: &Indices, place: (u32, u32)) -> Result<Vec<u8>, Error> {
    let object = &linked.objects[place.0 as usize];
    let function = &object.functions[place.1 as usize - object.imports.len()];
    let wrong = |why: String| Error::NotAnObject { object: object.name.clone(), why };
    let mut bytes = function.body.as_bytes().to_vec();
    for entry in &function.relocations {
        let value = indices.value(linked, place.0, entry).expect("checked by the linker");
        write(&mut bytes, entry, value);
    }
    let start = function.body.range().start;
    let mut out = Vec::with_capacity(bytes.len());
    let mut copied = 0;
    let mut operators = function.body.get_operators_reader().map_err(|e| wrong(e.message().to_string()))?;
    while !operators.eof() {
        let from = operators.original_position() - start;
        let operator = operators.read().map_err(|e| wrong(e.message().to_string()))?;
        let range = from..operators.original_position() - start;
        let instead = match operator {
            Operator::GlobalSet { .. } => indices.set_stack,
            Operator::MemorySize { .. } => indices.memory_size,
            Operator::MemoryGrow { .. } => indices.memory_grow,
            _ => {
                check(&operator, &range, &function.relocations).map_err(wrong)?;
                continue;
            }
        };
        out.extend_from_slice(&bytes[copied..range.start]);
        wasm_encoder::InstructionSink::new(&mut out).call(instead);
        copied = range.end;
    }
    out.extend_from_slice(&bytes[copied..]);
    Ok(out)
}

/// An index that no relocation changes would mean something else in the merged module.
fn check(operator: &Operator, range: &Range<usize>, relocations: &[RelocationEntry]) -> Result<(), String> {
    let wanted = match operator {
        Operator::Call { .. } | Operator::ReturnCall { .. } => RelocationType::FunctionIndexLeb,
        Operator::CallIndirect { .. }
        | Operator::ReturnCallIndirect { .. }
        | Operator::Block { blockty: BlockType::FuncType(_) }
        | Operator::Loop { blockty: BlockType::FuncType(_) }
        | Operator::If { blockty: BlockType::FuncType(_) } => RelocationType::TypeIndexLeb,
        Operator::GlobalGet { .. } => RelocationType::GlobalIndexLeb,
        Operator::RefFunc { .. }
        | Operator::TableGet { .. }
        | Operator::TableSet { .. }
        | Operator::TableGrow { .. }
        | Operator::TableSize { .. }
        | Operator::TableFill { .. }
        | Operator::TableCopy { .. }
        | Operator::TableInit { .. }
        | Operator::ElemDrop { .. }
        | Operator::MemoryInit { .. }
        | Operator::DataDrop { .. } => return Err("it works with tables or passive segments".into()),
        _ => return Ok(()),
    };
    let from = relocations.partition_point(|entry| (entry.offset as usize) < range.start);
    let own = relocations[from..].iter().take_while(|entry| (entry.offset as usize) < range.end);
    match own.into_iter().any(|entry| entry.ty == wanted) {
        true => Ok(()),
        false => Err("an index in its code has no relocation".into()),
    }
}
