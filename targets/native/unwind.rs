//! `.eh_frame` of an object: how debuggers and profilers find the caller of a function, in the form of DWARF.
//!
//! Most functions have no frame pointer (`polish`), and say where they move the stack pointer. The others begin
//! alike, with `push rbp; mov rbp, rsp` (`isa.rs` asks for it), and within the function the frame is described by
//! rbp: one rule with two steps serves them all. As in the tables of other compilers that describe no epilogues,
//! the few instructions after rbp has been restored are not covered. Sources: Linux Standard Base 5.0, chapter
//! 10.6; DWARF 4, sections 6.4 and 7.23; System V ABI for x86-64, figure 3.36.

use crate::Function;

/// `push rbp; mov rbp, rsp`.
const PROLOGUE: [u8; 4] = [0x55, 0x48, 0x89, 0xe5];

/// How far the frame of a function ends above its stack pointer, in eighths of the bytes: 0 if it has a frame pointer,
/// 1 if that is 8 bytes, and 16 at calls; elsewhere it is the same at all calls and faults, which are not at its
/// borders.
pub fn frame_of(function: &Function) -> u32 {
    const AT_ENTRY: u32 = 8;
    const AT_CALLS: u32 = 16;
    if function.code.starts_with(&PROLOGUE) {
        return 0;
    }
    let most = function.frame.iter().map(|row| row.1).max().unwrap_or(AT_ENTRY);
    debug_assert!(function.frame.iter().all(|row| row.1 == most || row.1 == AT_ENTRY));
    if most == AT_CALLS { 1 } else { most / 8 }
}

/// What all functions share: version 1, augmentation `zR`, alignment factors 1 and -8, return address in column 16,
/// addresses as 4 signed bytes relative to their place; on entry the frame address is rsp + 8, the return address
/// below.
const COMMON: [u8; 24] = [20, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0];
/// After `push`: frame address rsp + 16, and rbp is saved there; after `mov`: relative to rbp.
const STEPS: [u8; 9] = [0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0];
/// Bytes of an entry before its rules: length, distance to `COMMON`, address, length of the code, no further data.
const HEAD: usize = 17;
/// Entries are as long as multiples of this.
const ENTRY_ALIGNMENT: usize = 4;

/// The table, without the addresses of the functions.
#[derive(Debug)]
pub struct Frames {
    pub bytes: Vec<u8>,
    /// Where the distance to which offset of the code belongs.
    pub addresses: Vec<(u32, u32)>,
}

/// The table of functions, which are given with their offsets.
pub fn frames<'a>(functions: impl Iterator<Item = (u32, &'a Function)>) -> Frames {
    let mut frames = Frames { bytes: COMMON.to_vec(), addresses: Vec::new() };
    for (offset, function) in functions {
        let start = frames.bytes.len();
        let bytes = &mut frames.bytes;
        // The length of the entry, which is not known yet.
        bytes.extend_from_slice(&[0; 4]);
        // Distance back to `COMMON` from here.
        bytes.extend_from_slice(&(start as u32 + 4).to_le_bytes());
        frames.addresses.push((start as u32 + 8, offset));
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&(function.code.len() as u32).to_le_bytes());
        bytes.push(0);
        debug_assert_eq!(bytes.len(), start + HEAD);
        if function.code.starts_with(&PROLOGUE) {
            bytes.extend_from_slice(&STEPS);
        } else {
            rows(bytes, &function.frame);
        }
        bytes.resize(start + (bytes.len() - start).next_multiple_of(ENTRY_ALIGNMENT), 0);
        let length = (bytes.len() - start - 4) as u32;
        bytes[start..start + 4].copy_from_slice(&length.to_le_bytes());
    }
    frames
}

/// Says from where on the frame address is how far above the stack pointer.
fn rows(bytes: &mut Vec<u8>, rows: &[(u32, u32)]) {
    const ADVANCE: u8 = 0x40;
    const ADVANCE_4: u8 = 0x04;
    const OFFSET: u8 = 0x0e;
    let mut place = 0;
    for &(offset, mut distance) in rows {
        match u8::try_from(offset - place) {
            Ok(step) if step < ADVANCE => bytes.push(ADVANCE | step),
            _ => {
                bytes.push(ADVANCE_4);
                bytes.extend_from_slice(&(offset - place).to_le_bytes());
            }
        }
        place = offset;
        bytes.push(OFFSET);
        // Seven bits in each byte, the lowest first.
        while distance >= 0x80 {
            bytes.push(distance as u8 | 0x80);
            distance >>= 7;
        }
        bytes.push(distance as u8);
    }
}
