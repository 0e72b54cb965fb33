//! The records of captured functions, for traces: functions that recurse deeply wait there (`src/passes/stackless`),
//! and programs that are compiled with `--trace` tell how long each record is.
//!
//! ```text
//! | number | distance | bytes of the words | words … | number | …
//! ```

/// The section with the names of functions, by the numbers in records.
const SECTION: &str = "cleave.frames";
/// Where the next record is, and where those of one capture begin and end (`rt/abi/layout.rs`).
const CAPTURE_READ: usize = 72;
const CAPTURE_START: usize = 84;
const CAPTURE_END: usize = 88;
/// Bytes before the first record of a capture: the same for the one before.
const CAPTURE_HEADER: usize = 28;
/// Bytes of a record before its words.
const LEAD: usize = 12;

/// The names of a program, and its memory.
pub struct Captured<'p> {
    /// How far numbers are to be shifted.
    bits: usize,
    names: Vec<&'p str>,
    memory: &'p [u8],
}

impl<'p> Captured<'p> {
    pub fn of(wasm: &'p [u8], memory: &'p [u8]) -> Captured<'p> {
        let text = section(wasm).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
        let mut lines = text.split('\n');
        let bits = lines.next().and_then(|line| line.parse().ok()).unwrap_or(0);
        Captured { bits, names: lines.collect(), memory }
    }

    /// The functions that wait, innermost first.
    pub fn waiting(&self) -> impl Iterator<Item = &'p str> {
        let place = |address| self.word(address).unwrap_or(0);
        let (mut start, mut end, mut next) = (place(CAPTURE_START), place(CAPTURE_END), place(CAPTURE_READ));
        std::iter::from_fn(move || {
            while start != 0 && next == end {
                let header = start.checked_sub(CAPTURE_HEADER)?;
                (start, end, next) = (self.word(header)?, self.word(header + 4)?, self.word(header + 8)?);
            }
            let name = self.names.get(self.word(next).filter(|_| start != 0)? >> self.bits)?;
            next = next + LEAD + self.word(next + 8)?;
            Some(*name)
        })
    }

    fn word(&self, address: usize) -> Option<usize> {
        let bytes = self.memory.get(address..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes) as usize)
    }
}

/// The contents of the section.
fn section(wasm: &[u8]) -> Option<&[u8]> {
    // After the eight bytes that all modules begin with.
    let mut rest = wasm.get(8..)?;
    loop {
        let (id, size) = (take(&mut rest, 1)?[0], number(&mut rest)?);
        let mut content = take(&mut rest, size)?;
        if id == 0 {
            let length = number(&mut content)?;
            if take(&mut content, length)? == SECTION.as_bytes() {
                return Some(content);
            }
        }
    }
}

fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

/// A number in the form LEB128.
fn number(bytes: &mut &[u8]) -> Option<usize> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = take(bytes, 1)?[0];
        number |= usize::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 || shift > 28 {
            return Some(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames() {
        let wasm = b"\0asm\x01\0\0\0\x01\x01\0\0\x03\x01xy\0\x13\x0dcleave.frames1\nf\ng";
        assert_eq!(section(wasm), Some(&b"1\nf\ng"[..]));
        // One record of the first capture waits, and two of the second one.
        let mut words = [0_u32; 50];
        (words[18], words[21], words[22]) = (172, 172, 200);
        words[33..36].copy_from_slice(&[1, 0, 0]);
        words[36..39].copy_from_slice(&[132, 144, 132]);
        words[43..50].copy_from_slice(&[3, 4, 4, 99, 2, 0, 0]);
        let memory: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(Captured::of(wasm, &memory).waiting().collect::<Vec<_>>(), ["g", "g", "f"]);
        assert_eq!(Captured::of(wasm, &memory[..80]).waiting().count(), 0);
    }
}
