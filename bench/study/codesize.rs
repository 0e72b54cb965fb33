//! How many bytes of a file are code: the code section of WebAssembly, the section `.text` of an ELF executable.

/// Nothing if the file is neither.
pub fn of(bytes: &[u8]) -> Option<u64> {
    match bytes.get(..4)? {
        b"\0asm" => wasm(bytes.get(8..)?),
        b"\x7fELF" => elf(bytes),
        _ => None,
    }
}

/// The bodies of the first functions of a file of WebAssembly: those of the program come before those of the runtime.
pub fn of_functions(bytes: &[u8], count: usize) -> Option<u64> {
    let (_, mut bodies) = leb128(code_section(bytes.get(8..)?)?)?;
    let before = bodies.len();
    for _ in 0..count {
        let (size, rest) = leb128(bodies)?;
        bodies = rest.get(size as usize..)?;
    }
    Some((before - bodies.len()) as u64)
}

/// Number of the code section.
const CODE: u8 = 10;

fn wasm(sections: &[u8]) -> Option<u64> {
    code_section(sections).map(|code| code.len() as u64)
}

fn code_section(mut sections: &[u8]) -> Option<&[u8]> {
    loop {
        let (&id, rest) = sections.split_first()?;
        let (size, rest) = leb128(rest)?;
        let content = rest.get(..size as usize)?;
        if id == CODE {
            return Some(content);
        }
        sections = &rest[content.len()..];
    }
}

fn leb128(mut bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        bytes = rest;
        value |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some((value, bytes));
        }
    }
    None
}

/// Of 64 bits, little endian.
fn elf(bytes: &[u8]) -> Option<u64> {
    let number = |at: usize, size: usize| {
        let bytes = bytes.get(at..at.checked_add(size)?)?;
        Some(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    };
    let (table, entry, count) = (number(0x28, 8)? as usize, number(0x3a, 2)? as usize, number(0x3c, 2)? as usize);
    let names = number(0x3e, 2)? as usize;
    let section = |index: usize| table.checked_add(index * entry);
    let name_table = number(section(names)? + 0x18, 8)? as usize;
    for index in 0..count {
        let at = section(index)?;
        let name = name_table.checked_add(number(at, 4)? as usize)?;
        if bytes.get(name..)?.starts_with(b".text\0") {
            return number(at + 0x20, 8);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn code_of_files() {
        let module = b"\0asm\x01\0\0\0\x01\x02ab\x0a\x86\x00\x02\x02ab\x01c\x00\x03def";
        assert_eq!(super::of(module), Some(6));
        assert_eq!(super::of_functions(module, 1), Some(3));
        assert_eq!(super::of_functions(module, 2), Some(5));
        assert_eq!(super::of_functions(module, 3), None);
        assert_eq!(super::of(b"\0asm\x01\0\0\0\x0a\x09a"), None);
        assert_eq!(super::of(b"text"), None);
        let own = std::env::current_exe().and_then(std::fs::read).expect("the test is a file");
        if own.starts_with(b"\x7fELF") {
            assert!(super::of(&own).is_some_and(|size| size > 10_000 && size < own.len() as u64));
        }
    }
}
