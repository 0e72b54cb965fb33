//! Instructions that look at addresses, descriptors and thunks as the machine sees them, and those that have a meaning
//! only on the machine that Clean was made for.
//!
//! Addresses are those of our memory image (`ir/layout.rs`), and so is what code finds there: an instruction such as
//! `get_thunk_desc` gives what its name says, but code that adds offsets of Clean's native descriptors to an address
//! and loads from there finds something else (`docs/abc.md#code-that-looks-at-memory`). Loads take the addresses of C,
//! too. Machine code that `binary` does not know, addresses of native functions where there are none, and addresses of
//! code that is no node entry mean nothing here: the program stops when it reaches them, with a message that names
//! instruction, function and module, so that programs which never do so work.

use super::Step;
use super::function::FunctionBuilder;
use crate::ast::{Line, Symbol};
use crate::ccall;
use crate::externs::Runtime;
use crate::index::Definition;
use crate::instr::Opcode as Abc;
use crate::link::Meaning;
use cleave_ir::layout::{
    DESCRIPTOR_FLAGS, DESCRIPTOR_TYPES, KIND_SELECT_WORD, KIND_SPLIT, NODE_INFO_ARGS, NODE_INFO_DESCRIPTOR,
    NODE_INFO_SIZE, NODE_INFO_WORD, SLOT, TAG_HNF, THUNK_INFO_DESCRIPTOR, THUNK_INFO_SELECTOR,
};
use cleave_ir::{Caf, CafData, Opcode, StaticData, Value, WellKnownDesc};

/// What is loaded from an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    Unsigned8,
    Signed8,
    Unsigned16,
    Signed16,
    Unsigned32,
    Signed32,
    Word,
}

impl FunctionBuilder<'_, '_> {
    /// Translates an instruction of the kinds above; false if it is none.
    pub fn machine_instruction(&mut self, op: Abc, line: Line<'_>) -> Step<bool> {
        match op {
            // -- addresses
            // ----------------------------------------------------------------------------------------------
            Abc::push_a_b => {
                self.program.ir.observes_identity = true;
                let node = self.a(line.n(0))?;
                // The mask takes nothing away, since addresses are multiples of the slot size: it makes an ordinary
                // number of the address, which may be kept over a collection, although it means nothing then.
                let address = self.op(Opcode::RefAddr, &[node]);
                let mask = self.builder().iconst32(-(SLOT as i32));
                let number = self.op(Opcode::And, &[address, mask]);
                self.push_narrow(number);
            }
            Abc::pushL => {
                self.program.ir.observes_identity = true;
                self.push_label(line.symbol(0))?;
            }
            Abc::pushLc => self.push_c_address(line.name(0)),
            Abc::load_i | Abc::load_si32 | Abc::load_si16 | Abc::load_ui8 | Abc::push_r_arg_t => {
                let piece = match op {
                    Abc::load_i => Piece::Word,
                    Abc::load_si32 => Piece::Signed32,
                    Abc::load_si16 => Piece::Signed16,
                    _ => Piece::Unsigned8,
                };
                let offset = if op == Abc::push_r_arg_t { 0 } else { line.int(0) };
                let address = self.pop_pointer(offset)?;
                let value = self.load_piece(address, piece);
                self.push_b(value);
            }
            Abc::load_module_name => {
                let address = self.pop_address(0)?;
                let name = self.builder().value(Opcode::LoadI32, 0, 0, &[address]);
                self.push_narrow(name);
            }

            // -- descriptors and thunks
            // ---------------------------------------------------------------------------------
            Abc::get_node_arity => {
                let node = self.a(line.n(0))?;
                let applied_args = self.node_info_u16(node, NODE_INFO_ARGS);
                self.push_narrow(applied_args);
            }
            Abc::get_desc_arity_offset => {
                let size = self.iconst(i64::from(NODE_INFO_SIZE));
                self.push_b(size);
            }
            Abc::get_desc_flags_b => {
                let header = self.pop_address(0)?;
                let info = self.descriptor_info(header);
                let flags = self.builder().value(Opcode::LoadU8, DESCRIPTOR_FLAGS as u64, 0, &[info]);
                self.push_narrow(flags);
            }
            Abc::get_desc0_number => {
                let header = self.pop_address(0)?;
                let info = self.descriptor_info(header);
                let number = self.builder().value(Opcode::LoadI32, DESCRIPTOR_TYPES as u64, 0, &[info]);
                self.push_narrow(number);
            }
            Abc::get_thunk_arity => self.thunk_arity()?,
            Abc::get_thunk_desc => {
                self.program.ir.observes_identity = true;
                let entry = self.pop_address(0)?;
                let header = self.builder().value(Opcode::LoadI32, THUNK_INFO_DESCRIPTOR as u64, 0, &[entry]);
                self.push_narrow(header);
            }
            Abc::push_t_r_a => {
                let node = self.a(line.n(0))?;
                let header = self.op(Opcode::Header, &[node]);
                let info = self.descriptor_info(header);
                let types = self.builder().value(Opcode::LoadI32, DESCRIPTOR_TYPES as u64, 0, &[info]);
                let length = self.builder().iconst32(SLOT as i32);
                let characters = self.op(Opcode::Iadd, &[types, length]);
                self.push_narrow(characters);
            }
            Abc::push_r_arg_D => {
                // Header words follow the zero byte after the types, from the next multiple of their size on.
                let address = self.pop_address(i64::from(SLOT) - 1)?;
                let index = self.pop_address(0)?;
                let mask = self.builder().iconst32(-(SLOT as i32));
                let aligned = self.op(Opcode::And, &[address, mask]);
                let shift = self.builder().iconst32(SLOT.trailing_zeros() as i32);
                let offset = self.op(Opcode::Shl, &[index, shift]);
                let place = self.op(Opcode::Iadd, &[aligned, offset]);
                let header = self.builder().value(Opcode::LoadI32, 0, 0, &[place]);
                self.push_narrow(header);
            }
            Abc::repl_args_b => {
                let (arity, count) = (self.pop_word()?, self.pop_word()?);
                let (Some(arity), Some(count)) = (self.constant(arity), self.constant(count)) else { return Ok(false) };
                let node = self.pop_a()?;
                self.push_fields(node, (arity as u32, 0), (0, count as u32), (0, 0));
            }

            // -- finalizers
            // -----------------------------------------------------------------------------------------------
            Abc::push_finalizers => {
                let caf = self.finalizers();
                let inst = self.builder().caf(Opcode::CafState, caf, 0, &[]);
                let is_set = self.func.result(inst);
                let (set, unset) = self.branch(is_set);
                let done = self.new_block();
                let list = self.func.add_param(done, cleave_ir::Type::Ref);
                self.switch_to(set);
                let inst = self.builder().caf(Opcode::CafRef, caf, 0, &[]);
                let stored = self.func.result(inst);
                self.builder().jump(done, &[stored]);
                self.switch_to(unset);
                let nil = self.builder().node(WellKnownDesc::Empty.desc());
                self.builder().jump(done, &[nil]);
                self.switch_to(done);
                self.push_a(list);
            }
            Abc::set_finalizers => {
                let list = self.a(0)?;
                let caf = self.finalizers();
                self.builder().caf(Opcode::SetCafRef, caf, 0, &[list]);
                self.builder().caf(Opcode::SetCafState, caf, 0, &[]);
            }

            Abc::instruction => self.machine_code()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Pops a word that is an address (or a small number), and adds to it.
    fn pop_address(&mut self, offset: i64) -> Step<Value> {
        let word = self.pop_b()?;
        let address = match self.narrow[word].expand() {
            Some(address) => address,
            None => {
                let word = self.as_word(word);
                self.op(Opcode::Wrap, &[word])
            }
        };
        if offset == 0 {
            return Ok(address);
        }
        let offset = self.builder().iconst32(offset as i32);
        Ok(self.op(Opcode::Iadd, &[address, offset]))
    }

    /// Pops an address of anything, in our image or C's memory, and adds to it. All 64 bits of it count, unless it is
    /// known to have 32.
    fn pop_pointer(&mut self, offset: i64) -> Step<Value> {
        let word = self.b(0)?;
        if self.narrow[word].is_some() {
            return self.pop_address(offset);
        }
        let word = self.pop_word()?;
        if offset == 0 {
            return Ok(word);
        }
        let offset = self.iconst(offset);
        Ok(self.op(Opcode::Iadd, &[word, offset]))
    }

    /// What is at an address, as a word.
    pub fn load_piece(&mut self, address: Value, piece: Piece) -> Value {
        let op = match piece {
            Piece::Word => return self.builder().value(Opcode::LoadI64, 0, 0, &[address]),
            Piece::Unsigned8 | Piece::Signed8 => Opcode::LoadU8,
            Piece::Unsigned16 | Piece::Signed16 => Opcode::LoadU16,
            Piece::Unsigned32 | Piece::Signed32 => Opcode::LoadI32,
        };
        let mut value = self.builder().value(op, 0, 0, &[address]);
        let unused = match piece {
            Piece::Signed8 => 24,
            Piece::Signed16 => 16,
            _ => 0,
        };
        if unused > 0 {
            let width = self.builder().iconst32(unused);
            let high = self.op(Opcode::Shl, &[value, width]);
            value = self.op(Opcode::Sshr, &[high, width]);
        }
        if matches!(piece, Piece::Signed8 | Piece::Signed16 | Piece::Signed32) {
            return self.op(Opcode::ExtendS, &[value]);
        }
        self.zero_extended(value)
    }

    fn push_signed(&mut self, value: Value) {
        let wide = self.op(Opcode::ExtendS, &[value]);
        self.push_b(wide);
    }

    /// `push_r_args_b k 1 1 1 1` on a record of a node and a word, or on one of two nodes, whose second is read as a
    /// number: library code compares nodes so (`docs/abc.md#code-that-looks-at-memory`). Only the latter fit in the
    /// cell.
    pub fn push_second_field(&mut self, node: Value) {
        let done = self.new_block();
        let word = self.func.add_param(done, cleave_ir::Type::I64);
        let header = self.op(Opcode::Header, &[node]);
        let tag = self.builder().iconst32(TAG_HNF as i32);
        let node_info = self.op(Opcode::Isub, &[header, tag]);
        let info = self.builder().value(Opcode::LoadI32, NODE_INFO_WORD as u64, 0, &[node_info]);
        let mask = self.builder().iconst32(KIND_SPLIT as i32);
        let is_split = self.op(Opcode::And, &[info, mask]);
        let (split, inline) = self.branch(is_split);
        self.switch_to(split);
        let value = self.builder().get(Opcode::GetI64, 1, 1, 0, node);
        self.builder().jump(done, &[value]);
        self.switch_to(inline);
        let address = self.builder().value(Opcode::LoadI32, 2 * SLOT as u64, 0, &[node]);
        let value = self.op(Opcode::ExtendU, &[address]);
        self.builder().jump(done, &[value]);
        self.switch_to(done);
        self.push_b(word);
    }

    /// The DescriptorInfo of a header word in head normal form.
    fn descriptor_info(&mut self, header: Value) -> Value {
        let tag = self.builder().iconst32(TAG_HNF as i32);
        let node_info = self.op(Opcode::Isub, &[header, tag]);
        self.builder().value(Opcode::LoadI32, NODE_INFO_DESCRIPTOR as u64, 0, &[node_info])
    }

    /// `get_thunk_arity`: the count of the `.n` directive (negative for special kinds), or a + b + 256 b of a `.nu`.
    fn thunk_arity(&mut self) -> Step {
        let entry = self.pop_address(0)?;
        let info = self.builder().value(Opcode::LoadI32, 0, 0, &[entry]);
        let mask = self.builder().iconst32(15);
        let kind = self.op(Opcode::And, &[info, mask]);
        let select_word = self.builder().iconst32(KIND_SELECT_WORD as i32);
        let is_select_word = self.op(Opcode::Eq, &[kind, select_word]);
        let count = self.builder().value(Opcode::LoadI32, THUNK_INFO_SELECTOR as u64, 0, &[entry]);
        let width = self.builder().iconst32(24);
        let high = self.op(Opcode::Sshr, &[count, width]);
        let zero = self.builder().iconst32(0);
        let is_special = self.op(Opcode::Slt, &[high, zero]);
        let count = self.op(Opcode::Select, &[is_special, high, count]);
        let three = self.builder().iconst32(-3);
        let count = self.op(Opcode::Select, &[is_select_word, three, count]);
        self.push_signed(count);
        Ok(())
    }

    /// `pushL`: the address of a node entry is the header word of its thunks, that of a descriptor the header word of
    /// its nodes without arguments, that of a text its text block.
    fn push_label(&mut self, symbol: Symbol) -> Step {
        let text = self.module.text_of(symbol);
        match self.program.program.meaning(self.key.module, symbol) {
            Meaning::Defined(module, Definition::Function(index)) => match self.program.entry_of(module, index) {
                Some(entry) => {
                    let header = self.builder().value(Opcode::ThunkInfoAddr, entry.as_u32() as u64, 0, &[]);
                    self.push_narrow(header);
                }
                None => self.unavailable(&format!("the address of the code of `{text}`")),
            },
            Meaning::Defined(module, Definition::Text(item)) => {
                let text = self.program.text_at(module, item);
                let address = self.builder().text(text);
                self.push_narrow(address);
            }
            Meaning::Known(_) | Meaning::Defined(_, Definition::Descriptor(_)) => {
                let desc = self.program.descriptor(self.key.module, symbol, self.item)?;
                let header = self.builder().node_info(desc, 0);
                self.push_narrow(header);
            }
            // Some libraries write so for `pushLc`.
            Meaning::Undefined if ccall::variable(text.as_bytes()).is_some() => self.push_c_address(text.as_bytes()),
            _ => self.unavailable(&format!("the address of `{text}`")),
        }
        Ok(())
    }

    /// Ends the program with a message, if it comes here.
    pub fn unavailable(&mut self, what: &str) {
        let message = self.unavailable_text(what) + "\n";
        let text = self.program.ir.statics.push(StaticData::Text(message.into_bytes().into()));
        let text = self.builder().text(text);
        self.builder().call_extern(Runtime::Unavailable.callee(), &[text]);
        self.builder().unreachable();
        self.dead();
    }

    /// What a program says that needs what there is not.
    pub fn unavailable_text(&self, what: &str) -> String {
        let (function, module) = (&self.func.name, &self.module.name);
        format!("Run time error, {what} in `{function}` of module `{module}` does not exist on this target")
    }

    /// Storage for the list of finalizers. They are kept, as natively, but nothing runs them: what they would call is
    /// native code.
    fn finalizers(&mut self) -> Caf {
        let cafs = &mut self.program.ir.cafs;
        let make = || cafs.push(CafData { label: "_system.finalizer_list".into(), ptrs: 1, nptrs: 0 });
        *self.program.finalizers.get_or_insert_with(make)
    }
}
