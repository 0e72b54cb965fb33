//! The instructions of a function, with jumps that name instructions instead of distances.
//!
//! Code of Cranelift is instructions one after the other, with two things in between: after the jump of a `br_table`
//! its table, after the last instruction constants that are too large for instructions. Both are recognised by the
//! instruction that takes their address. How long a table is, is said by the comparison before it.

use crate::Relocation;
use iced_x86::{Code as Form, Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};

/// What an instruction has to do with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Nothing.
    Plain,
    /// A jump to this instruction.
    Jump(u32),
    /// The same on a condition, as the opcode numbers it.
    Branch(u8, u32),
    /// A jump through this table, which follows.
    Switch(u32),
    /// Takes the address of this table.
    TableAddress(u32),
    /// Reads a constant at this place of the code as it was.
    Constant(u32),
    /// Has a relocation, with this number.
    Symbol(u32),
    /// It is no longer there.
    Gone,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Item {
    pub what: Instruction,
    pub kind: Kind,
    /// Where its bytes were.
    pub start: u32,
    pub length: u32,
    /// `what` says more than the bytes.
    pub is_changed: bool,
    /// A call that moves the stack pointer to where it has to be at a call, and back.
    pub aligns: bool,
}

/// A table of jumps.
#[derive(Clone, Debug)]
pub struct Table {
    /// Instructions.
    pub targets: Vec<u32>,
}

/// A function.
#[derive(Debug)]
pub struct Code<'a> {
    pub bytes: &'a [u8],
    pub items: Vec<Item>,
    pub tables: Vec<Table>,
    /// Where constants begin in the bytes.
    pub constants: u32,
    /// The function does without its frame pointer, and keeps so many bytes on the stack meanwhile.
    pub frame: Option<u32>,
}

/// How far before the use of its index the length of a table is looked for.
const BOUND_DISTANCE: usize = 12;

impl<'a> Code<'a> {
    /// Reads a function; `None` if something in it is not understood.
    pub fn read(bytes: &'a [u8], relocations: &[Relocation]) -> Option<Code<'a>> {
        let mut code =
            Code { bytes, items: Vec::new(), tables: Vec::new(), constants: bytes.len() as u32, frame: None };
        let mut decoder = Decoder::new(64, bytes, DecoderOptions::NONE);
        let mut relocations = (0..).zip(relocations).peekable();
        // The table whose address was taken three instructions ago.
        let mut open: Option<(u32, usize)> = None;
        while decoder.can_decode() && (decoder.position() as u32) < code.constants {
            let what = for_any_register(decoder.decode());
            let (start, length) = (what.ip() as u32, what.len() as u32);
            if what.is_invalid() {
                return None;
            }
            let symbol = relocations.next_if(|(_, of)| of.offset < start + length);
            let kind = match (symbol, what.flow_control()) {
                (Some((number, of)), _) => {
                    let is_last = of.offset + 4 == start + length && of.addend == -4;
                    if of.offset < start || !is_last {
                        return None;
                    }
                    Kind::Symbol(number)
                }
                (None, FlowControl::UnconditionalBranch) => Kind::Jump(what.near_branch_target() as u32),
                (None, FlowControl::ConditionalBranch) => {
                    let condition = match bytes[start as usize..] {
                        [opcode @ 0x70..=0x7f, ..] | [0x0f, opcode @ 0x80..=0x8f, ..] => opcode & 15,
                        _ => return None,
                    };
                    Kind::Branch(condition, what.near_branch_target() as u32)
                }
                (None, FlowControl::IndirectBranch) => match open.take() {
                    Some((table, at)) if at == code.items.len() => Kind::Switch(table),
                    _ => Kind::Plain,
                },
                (
                    None,
                    FlowControl::Next
                    | FlowControl::Return
                    | FlowControl::IndirectCall
                    | FlowControl::Exception
                    | FlowControl::Interrupt,
                ) => {
                    if !what.is_ip_rel_memory_operand() {
                        Kind::Plain
                    } else if what.code() == Form::Lea_r64_m {
                        // Only tables have addresses.
                        let table = code.table(&what, &decoder)?;
                        open = Some((table, code.items.len() + 3));
                        Kind::TableAddress(table)
                    } else {
                        let place = what.memory_displacement64() as u32;
                        code.constants = code.constants.min(place);
                        Kind::Constant(place)
                    }
                }
                _ => return None,
            };
            code.items.push(Item { what, kind, start, length, is_changed: false, aligns: false });
            if let Kind::Switch(table) = kind {
                let end = start + length + 4 * code.tables[table as usize].targets.len() as u32;
                decoder.set_position(end as usize).ok()?;
                decoder.set_ip(u64::from(end));
            }
        }
        if relocations.next().is_some() || open.is_some() {
            return None;
        }
        code.resolve()?;
        Some(code)
    }

    /// The table whose address an instruction takes: `lea t, [table]; movsxd u, [t + index * 4]; add t, u; jmp t`.
    fn table(&mut self, lea: &Instruction, decoder: &Decoder) -> Option<u32> {
        let mut ahead = Decoder::new(64, self.bytes, DecoderOptions::NONE);
        ahead.set_position(decoder.position()).ok()?;
        ahead.set_ip(decoder.ip());
        let (load, add, jump) = (ahead.decode(), ahead.decode(), ahead.decode());
        let address = lea.op0_register();
        let is_table = load.code() == Form::Movsxd_r64_rm32
            && load.memory_base() == address
            && load.memory_index_scale() == 4
            && load.memory_displacement64() == 0
            && matches!(add.code(), Form::Add_r64_rm64 | Form::Add_rm64_r64)
            && add.op0_register() == address
            && add.op1_register() == load.op0_register()
            && jump.code() == Form::Jmp_rm64
            && jump.op0_register() == address
            && lea.memory_displacement64() == ahead.ip();
        if !is_table {
            return None;
        }
        let count = self.bound(load.memory_index())? as usize + 1;
        let start = ahead.position();
        let entries = self.bytes.get(start..start + 4 * count)?.chunks_exact(4);
        let distance = |entry: &[u8]| i32::from_le_bytes(entry.try_into().expect("four bytes"));
        let targets = entries.map(|entry| (start as u32).wrapping_add_signed(distance(entry))).collect();
        self.tables.push(Table { targets });
        Some(self.tables.len() as u32 - 1)
    }

    /// The greatest index of a table: `mov index, bound; …; cmp wanted, index; cmovb index, wanted`.
    fn bound(&self, index: Register) -> Option<u32> {
        let writes = |item: &Item| {
            item.what.op_count() > 0
                && item.what.op0_kind() == OpKind::Register
                && item.what.op0_register().full_register() == index
                && !matches!(item.what.code(), Form::Cmp_r32_rm32 | Form::Cmp_rm32_r32)
        };
        let mut back = self.items.iter().rev().take(BOUND_DISTANCE);
        let least = back.find(|item| writes(item))?;
        let wanted = least.what.op1_register();
        let narrow = index.full_register32();
        if least.what.code() != Form::Cmovb_r32_rm32 || least.what.op0_register() != narrow {
            return None;
        }
        let compare = back.next()?;
        let is_compare = matches!(compare.what.code(), Form::Cmp_r32_rm32 | Form::Cmp_rm32_r32)
            && compare.what.op0_register() == wanted
            && compare.what.op1_register() == narrow;
        let bound = back.find(|item| writes(item)).filter(|_| is_compare)?;
        (bound.what.code() == Form::Mov_r32_imm32).then(|| bound.what.immediate32())
    }

    /// Lets jumps name instructions.
    fn resolve(&mut self) -> Option<()> {
        let starts: Vec<u32> = self.items.iter().map(|item| item.start).collect();
        let find = |place: u32| starts.binary_search(&place).ok().map(|at| at as u32);
        for item in &mut self.items {
            match &mut item.kind {
                Kind::Jump(target) | Kind::Branch(_, target) => *target = find(*target)?,
                _ => {}
            }
        }
        for target in self.tables.iter_mut().flat_map(|table| &mut table.targets) {
            *target = find(*target)?;
        }
        Some(())
    }
}

/// Arithmetic on the accumulator and a constant as the same on any register, so that another one can take its place.
fn for_any_register(mut what: Instruction) -> Instruction {
    what.set_code(match what.code() {
        Form::Add_EAX_imm32 => Form::Add_rm32_imm32,
        Form::Add_RAX_imm32 => Form::Add_rm64_imm32,
        Form::Or_EAX_imm32 => Form::Or_rm32_imm32,
        Form::Or_RAX_imm32 => Form::Or_rm64_imm32,
        Form::Adc_EAX_imm32 => Form::Adc_rm32_imm32,
        Form::Adc_RAX_imm32 => Form::Adc_rm64_imm32,
        Form::Sbb_EAX_imm32 => Form::Sbb_rm32_imm32,
        Form::Sbb_RAX_imm32 => Form::Sbb_rm64_imm32,
        Form::And_EAX_imm32 => Form::And_rm32_imm32,
        Form::And_RAX_imm32 => Form::And_rm64_imm32,
        Form::Sub_EAX_imm32 => Form::Sub_rm32_imm32,
        Form::Sub_RAX_imm32 => Form::Sub_rm64_imm32,
        Form::Xor_EAX_imm32 => Form::Xor_rm32_imm32,
        Form::Xor_RAX_imm32 => Form::Xor_rm64_imm32,
        Form::Cmp_EAX_imm32 => Form::Cmp_rm32_imm32,
        Form::Cmp_RAX_imm32 => Form::Cmp_rm64_imm32,
        Form::Test_EAX_imm32 => Form::Test_rm32_imm32,
        Form::Test_RAX_imm32 => Form::Test_rm64_imm32,
        other => other,
    });
    what
}

impl Item {
    /// Control never gets to the next one.
    pub fn is_end(&self) -> bool {
        matches!(
            self.what.flow_control(),
            FlowControl::UnconditionalBranch
                | FlowControl::IndirectBranch
                | FlowControl::Return
                | FlowControl::Exception
        )
    }
    pub fn is_call(&self) -> bool {
        matches!(self.what.flow_control(), FlowControl::Call | FlowControl::IndirectCall)
    }
    /// Faults on some operands, or always: a division, and what is executed in the place of one by zero.
    pub fn may_fault(&self) -> bool {
        matches!(self.what.mnemonic(), Mnemonic::Div | Mnemonic::Idiv | Mnemonic::Ud2)
    }
    /// Leaves the function for another one in its place.
    pub fn is_tail_call(&self) -> bool {
        self.is_end()
            && matches!(self.what.flow_control(), FlowControl::UnconditionalBranch | FlowControl::IndirectBranch)
            && matches!(self.kind, Kind::Plain | Kind::Symbol(_))
    }
    /// Makes it another instruction.
    pub fn change(&mut self, what: Instruction) {
        self.what = what;
        self.is_changed = true;
    }
}
