//! The bytes of a function body, with the peepholes that need to see only the instruction before: a read of the local
//! just written becomes a `tee`, a negated comparison the opposite one, a conversion part of a load or store.

use wasm_encoder::{InstructionSink, MemArg};

/// Single-byte opcodes that the peepholes replace.
mod byte {
    pub const LOCAL_GET: u8 = 0x20;
    pub const LOCAL_SET: u8 = 0x21;
    pub const LOCAL_TEE: u8 = 0x22;
    pub const I32_LOAD: u8 = 0x28;
    pub const I64_LOAD: u8 = 0x29;
    pub const I32_LOAD8_U: u8 = 0x2d;
    pub const I32_LOAD16_U: u8 = 0x2f;
    pub const I64_LOAD8_U: u8 = 0x31;
    pub const I64_LOAD16_U: u8 = 0x33;
    pub const I64_LOAD32_S: u8 = 0x34;
    pub const I64_LOAD32_U: u8 = 0x35;
    pub const I32_EQZ: u8 = 0x45;
    pub const I32_WRAP: u8 = 0xa7;
    pub const F32_DEMOTE: u8 = 0xb6;
}

/// Code of one function under construction.
#[derive(Default)]
pub struct Code {
    pub bytes: Vec<u8>,
    /// Start of the last instruction.
    last: usize,
}

/// The address operand of a load or store.
pub fn memory(offset: u64, align: u32) -> MemArg {
    MemArg { offset, align, memory_index: 0 }
}

/// The comparison that is true when the given one is false. Orders of reals have none: NaN fails both.
fn opposite(compare: u8) -> Option<u8> {
    // Offsets in the runs `eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u`.
    const OPPOSITE: [u8; 10] = [1, 0, 8, 9, 6, 7, 4, 5, 2, 3];
    match compare {
        0x46..=0x4f => Some(0x46 + OPPOSITE[compare as usize - 0x46]),
        0x51..=0x5a => Some(0x51 + OPPOSITE[compare as usize - 0x51]),
        0x61 => Some(0x62),
        0x62 => Some(0x61),
        _ => None,
    }
}

impl Code {
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.last = usize::MAX;
    }

    /// Where the next instruction goes.
    pub fn sink(&mut self) -> InstructionSink<'_> {
        self.last = self.bytes.len();
        InstructionSink::new(&mut self.bytes)
    }

    fn last(&self) -> Option<u8> {
        self.bytes.get(self.last).copied()
    }

    pub fn local_get(&mut self, local: u32) {
        let start = self.last;
        if self.last() == Some(byte::LOCAL_SET) {
            // Compare with the encoding of the read itself.
            let end = self.bytes.len();
            self.sink().local_get(local);
            let same = end - start == self.bytes.len() - end && self.bytes[start + 1..end] == self.bytes[end + 1..];
            if same {
                self.bytes.truncate(end);
                self.bytes[start] = byte::LOCAL_TEE;
                self.last = start;
            }
            return;
        }
        self.sink().local_get(local);
        debug_assert_eq!(self.last(), Some(byte::LOCAL_GET));
    }

    pub fn local_set(&mut self, local: u32) {
        self.sink().local_set(local);
    }
    pub fn local_tee(&mut self, local: u32) {
        self.sink().local_tee(local);
    }
    pub fn drop(&mut self) {
        self.sink().drop();
    }

    /// Reverses the sense of the condition on the stack.
    pub fn negate(&mut self) {
        match self.last() {
            Some(byte::I32_EQZ) => {
                self.bytes.truncate(self.last);
                self.last = usize::MAX;
            }
            Some(compare) if opposite(compare).is_some() => {
                self.bytes[self.last] = opposite(compare).unwrap_or(compare)
            }
            _ => {
                self.sink().i32_eqz();
            }
        }
    }

    pub fn extend(&mut self, signed: bool) {
        let wide = match self.last() {
            Some(byte::I32_LOAD) => Some(if signed { byte::I64_LOAD32_S } else { byte::I64_LOAD32_U }),
            Some(byte::I32_LOAD8_U) => Some(byte::I64_LOAD8_U),
            Some(byte::I32_LOAD16_U) => Some(byte::I64_LOAD16_U),
            _ => None,
        };
        if let Some(load) = wide {
            self.bytes[self.last] = load;
        } else if signed {
            self.sink().i64_extend_i32_s();
        } else {
            self.sink().i64_extend_i32_u();
        }
    }

    pub fn wrap(&mut self) {
        if self.last() == Some(byte::I64_LOAD) {
            self.bytes[self.last] = byte::I32_LOAD;
        } else {
            self.sink().i32_wrap_i64();
        }
    }

    /// True, and the conversion is gone, if the operand of a store was cut to 32 bits just now.
    pub fn take_wrap(&mut self) -> bool {
        self.take(byte::I32_WRAP)
    }

    pub fn demote(&mut self) {
        self.sink().f32_demote_f64();
        debug_assert_eq!(self.last(), Some(byte::F32_DEMOTE));
    }

    fn take(&mut self, op: u8) -> bool {
        let found = self.last() == Some(op);
        if found {
            self.bytes.truncate(self.last);
            self.last = usize::MAX;
        }
        found
    }
}
