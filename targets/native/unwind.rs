//! `.eh_frame` of an object: how debuggers and profilers find the caller of a function, in the form of DWARF.
//!
//! All functions begin alike, with `push rbp; mov rbp, rsp` (`isa.rs` asks for it), and within a function the frame is
//! described by rbp. So one rule with two steps serves all. As in the tables of other compilers that describe no
//! epilogues, the few instructions after rbp has been restored are not covered. A function that begins otherwise gets
//! no entry. Sources: Linux Standard Base 5.0, chapter 10.6; DWARF 4, section 6.4; System V ABI for x86-64, figure
//! 3.36.

/// `push rbp; mov rbp, rsp`.
const PROLOGUE: [u8; 4] = [0x55, 0x48, 0x89, 0xe5];

/// What all functions share: version 1, augmentation `zR`, alignment factors 1 and -8, return address in column 16,
/// addresses as 4 signed bytes relative to their place; on entry the frame address is rsp + 8, the return address
/// below.
const COMMON: [u8; 24] = [20, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0];
/// After `push`: frame address rsp + 16, and rbp is saved there; after `mov`: relative to rbp.
const STEPS: [u8; 9] = [0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0];
/// Bytes of an entry.
const ENTRY: usize = 28;

/// The table, without the addresses of the functions.
#[derive(Debug)]
pub struct Frames {
    pub bytes: Vec<u8>,
    /// Where the distance to which offset of the code belongs.
    pub addresses: Vec<(u32, u32)>,
}

/// The table of functions that are given by offset and code.
pub fn frames<'a>(functions: impl Iterator<Item = (u32, &'a [u8])>) -> Frames {
    let mut frames = Frames { bytes: COMMON.to_vec(), addresses: Vec::new() };
    for (offset, code) in functions.filter(|(_, code)| code.starts_with(&PROLOGUE)) {
        let start = frames.bytes.len();
        let bytes = &mut frames.bytes;
        bytes.extend_from_slice(&(ENTRY as u32 - 4).to_le_bytes());
        // Distance back to `COMMON` from here.
        bytes.extend_from_slice(&(start as u32 + 4).to_le_bytes());
        frames.addresses.push((start as u32 + 8, offset));
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&(code.len() as u32).to_le_bytes());
        // No augmentation data.
        bytes.push(0);
        bytes.extend_from_slice(&STEPS);
        bytes.resize(start + ENTRY, 0);
    }
    frames
}
