//! The frames that stackless clones keep in memory, for traces: functions that recurse deeply go on there
//! (`src/passes/stackless`), and programs that are compiled with `--trace` tell where they are, and whose.
//!
//! ```text
//! | … what lives on | function | bytes of the frame | return point |  ◀ the end of the last one is at END
//! ```

/// The section with the names of functions, by the numbers in frames.
const SECTION: &str = "cleave.frames";
/// Where the end of the last frame is.
const END: usize = 0;
/// Bytes from the end of a frame back to what it says of itself.
const SIZE: usize = 8;
const FUNCTION: usize = 12;

/// The names of a program, and its memory.
pub struct StacklessClones<'p> {
    names: Vec<&'p str>,
    memory: &'p [u8],
}

impl<'p> StacklessClones<'p> {
    pub fn of(wasm: &'p [u8], memory: &'p [u8]) -> StacklessClones<'p> {
        let names = section(wasm).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
        StacklessClones { names: names.split('\n').collect(), memory }
    }

    /// The functions that wait for a stackless clone, innermost first.
    pub fn waiting(&self) -> impl Iterator<Item = &'p str> {
        let mut end = self.word(END).unwrap_or(0);
        std::iter::from_fn(move || {
            let bytes = self.word(end.checked_sub(SIZE)?).filter(|&bytes| bytes != 0)?;
            let name = self.names.get(self.word(end.checked_sub(FUNCTION)?)?)?;
            end = end.checked_sub(bytes)?;
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
        let wasm = b"\0asm\x01\0\0\0\x01\x01\0\0\x03\x01xy\0\x11\x0dcleave.frames\nfg";
        assert_eq!(section(wasm), Some(&b"\nfg"[..]));
        // The frame at the bottom has 12 bytes from 8 on; that of function 1 is after it.
        let words = [36_u32, 0, 0, 0, 0, 99, 1, 16, 5];
        let memory: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(StacklessClones::of(wasm, &memory).waiting().collect::<Vec<_>>(), ["fg"]);
        assert_eq!(StacklessClones::of(wasm, &memory[..24]).waiting().count(), 0);
    }
}
