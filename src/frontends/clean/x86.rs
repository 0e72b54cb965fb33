//! Disassembler for the x86-64 machine code that libraries of Clean write with `instruction`: moves between registers
//! and memory, and conversions of short reals.
//!
//! Everything else is not recognised, and the code as a whole then has no meaning. Source: Intel 64 and IA-32
//! Architectures Software Developer's Manual, volume 2, chapters 2 to 4.

/// Number of a register, as instructions encode it.
pub type Register = u8;

/// Widths of integers in memory, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    One = 1,
    Two = 2,
    Four = 4,
    Eight = 8,
}

/// An address: base + index × scale + offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    pub base: Register,
    /// Register, and the logarithm of its factor.
    pub index: Option<(Register, u8)>,
    pub offset: i32,
}

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// A register from another one: all of it, or its lower half with zeros above.
    Copy {
        to: Register,
        from: Register,
        width: Width,
    },
    /// A register from memory; `signed` extends with the sign, to 64 bits or, if `to_half`, to 32 with zeros above.
    Load {
        to: Register,
        from: Address,
        width: Width,
        signed: bool,
        to_half: bool,
    },
    /// Memory from the lowest bytes of a register.
    Store {
        to: Address,
        from: Register,
        width: Width,
    },
    LoadReal {
        to: Register,
        from: Address,
    },
    StoreReal {
        to: Address,
        from: Register,
    },
    /// A short real from memory becomes a real.
    LoadWidened {
        to: Register,
        from: Address,
    },
    /// A real becomes a short one.
    Narrow {
        to: Register,
        from: Register,
    },
    /// A short real to memory.
    StoreNarrow {
        to: Address,
        from: Register,
    },
}

/// The instructions of a piece of code; `None` if one of them is not known.
pub fn decode(code: &[u8]) -> Option<Vec<Action>> {
    let mut bytes = Bytes { rest: code };
    let mut actions = Vec::new();
    while !bytes.rest.is_empty() {
        actions.push(bytes.action()?);
    }
    Some(actions)
}

struct Bytes<'c> {
    rest: &'c [u8],
}

/// The bytes in front of an instruction.
#[derive(Clone, Copy, Default)]
struct Prefixes {
    /// 0x66, 0xf2, 0xf3.
    legacy: Option<u8>,
    /// 0 without.
    rex: u8,
}

/// The register of an instruction, and its other operand.
#[derive(Clone, Copy)]
struct Operands {
    register: Register,
    other: Operand,
}

#[derive(Clone, Copy)]
enum Operand {
    Register(Register),
    Memory(Address),
}

impl Prefixes {
    fn is_wide(self) -> bool {
        self.rex & 8 != 0
    }
    /// The width of the operands of most instructions.
    fn width(self) -> Option<Width> {
        match self.legacy {
            None if self.is_wide() => Some(Width::Eight),
            None => Some(Width::Four),
            Some(0x66) if !self.is_wide() => Some(Width::Two),
            Some(_) => None,
        }
    }
}

impl Bytes<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn action(&mut self) -> Option<Action> {
        let mut prefixes = Prefixes::default();
        let mut byte = self.byte()?;
        if matches!(byte, 0x66 | 0xf2 | 0xf3) {
            prefixes.legacy = Some(byte);
            byte = self.byte()?;
        }
        if byte & 0xf0 == 0x40 {
            prefixes.rex = byte;
            byte = self.byte()?;
        }
        if byte == 0x0f {
            let byte = self.byte()?;
            let operands = self.operands(prefixes)?;
            return extended(byte, prefixes, operands);
        }
        let Operands { register, other } = self.operands(prefixes)?;
        Some(match (byte, other) {
            (0x8b, Operand::Memory(from)) if prefixes.legacy.is_none() => {
                Action::Load { to: register, from, width: prefixes.width()?, signed: false, to_half: false }
            }
            (0x8b, Operand::Register(from)) if prefixes.legacy.is_none() => {
                Action::Copy { to: register, from, width: prefixes.width()? }
            }
            (0x89, Operand::Memory(to)) => Action::Store { to, from: register, width: prefixes.width()? },
            (0x89, Operand::Register(to)) if prefixes.legacy.is_none() => {
                Action::Copy { to, from: register, width: prefixes.width()? }
            }
            // Without the prefix, four of the numbers are those of second bytes.
            (0x88, Operand::Memory(to)) if prefixes.legacy.is_none() && (register < 4 || prefixes.rex != 0) => {
                Action::Store { to, from: register, width: Width::One }
            }
            (0x63, Operand::Memory(from)) if prefixes.legacy.is_none() && prefixes.is_wide() => {
                Action::Load { to: register, from, width: Width::Four, signed: true, to_half: false }
            }
            _ => return None,
        })
    }

    /// The byte that names two operands, and what belongs to it.
    fn operands(&mut self, prefixes: Prefixes) -> Option<Operands> {
        let byte = self.byte()?;
        let bit = |n: u8| (prefixes.rex >> n & 1) << 3;
        let register = (byte >> 3 & 7) | bit(2);
        let (mode, low) = (byte >> 6, byte & 7);
        if mode == 3 {
            return Some(Operands { register, other: Operand::Register(low | bit(0)) });
        }
        let (mut base, mut index) = (low | bit(0), None);
        if low == 4 {
            let byte = self.byte()?;
            base = (byte & 7) | bit(0);
            let number = (byte >> 3 & 7) | bit(1);
            index = (number != 4).then_some((number, byte >> 6));
        }
        let offset = match mode {
            // A constant address, or one that depends on where the code lies.
            0 if base & 7 == 5 => return None,
            0 => 0,
            1 => i32::from(self.byte()? as i8),
            _ => i32::from_le_bytes([self.byte()?, self.byte()?, self.byte()?, self.byte()?]),
        };
        Some(Operands { register, other: Operand::Memory(Address { base, index, offset }) })
    }
}

/// An instruction of two bytes, the first of which is 0x0f.
fn extended(byte: u8, prefixes: Prefixes, operands: Operands) -> Option<Action> {
    let Operands { register, other } = operands;
    Some(match (byte, prefixes.legacy, other) {
        (0xb6 | 0xb7 | 0xbe | 0xbf, None, Operand::Memory(from)) => {
            let width = if byte & 1 == 0 { Width::One } else { Width::Two };
            let signed = byte & 8 != 0;
            Action::Load { to: register, from, width, signed, to_half: signed && !prefixes.is_wide() }
        }
        (0x10, Some(0xf2), Operand::Memory(from)) => Action::LoadReal { to: register, from },
        (0x11, Some(0xf2), Operand::Memory(to)) => Action::StoreReal { to, from: register },
        (0x5a, Some(0xf3), Operand::Memory(from)) => Action::LoadWidened { to: register, from },
        (0x5a, Some(0xf2), Operand::Register(from)) => Action::Narrow { to: register, from },
        (0x11, Some(0xf3), Operand::Memory(to)) => Action::StoreNarrow { to, from: register },
        _ => return None,
    })
}
