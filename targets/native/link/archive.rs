//! Archives (`.a`): which of their objects a program needs; and one of a single object.
//!
//! ```text
//! !<arch>\n | header of 60 bytes: name[16] … size[10] `\n | bytes, padded to an even length | header …
//! ```
//! The index of symbols is not read, because the objects say themselves what they define. An object is taken if it
//! defines a name that is needed and not yet defined. Then the names that it needs are needed, too. A weak reference
//! does not make a name needed.
//!
//! Source: System V ABI, chapter 7; the names are those of GNU `ar`.

use super::Error;
use super::input::File;
use super::input::{Meaning, Object};
use rustc_hash::{FxHashMap, FxHashSet};

const MAGIC: &[u8] = b"!<arch>\n";
const THIN: &[u8] = b"!<thin>\n";
const HEADER: usize = 60;

/// The members of an archive that are objects.
fn members<'a>(archive: &File<'a>) -> Result<Vec<&'a [u8]>, Error> {
    let malformed = |reason: &str| Error::Malformed { file: archive.name.into(), reason: reason.into() };
    if archive.bytes.starts_with(THIN) {
        let what = "the names of objects instead of objects (a thin archive)".into();
        return Err(Error::Unsupported { file: archive.name.into(), what });
    }
    let mut rest = archive.bytes.strip_prefix(MAGIC).ok_or_else(|| malformed("it is no archive"))?;
    let mut members = Vec::new();
    while !rest.is_empty() {
        let (header, bytes) = rest.split_at_checked(HEADER).ok_or_else(|| malformed("a header that is cut off"))?;
        let size = std::str::from_utf8(&header[48..58]).ok().and_then(|text| text.trim_end().parse::<usize>().ok());
        let size = size.filter(|&size| size <= bytes.len()).ok_or_else(|| malformed("a member that is cut off"))?;
        let (member, after) = bytes.split_at(size);
        // The index and the table of long names have other beginnings.
        if member.starts_with(b"\x7fELF") {
            members.push(member);
        }
        rest = &after[(size % 2).min(after.len())..];
    }
    Ok(members)
}

/// Adds to the objects what they need of archives, in the order in which it is asked for.
pub fn add_members<'a>(objects: &mut Vec<Object<'a>>, archives: &[File<'a>]) -> Result<(), Error> {
    let mut offered = Vec::new();
    let mut definitions: FxHashMap<&[u8], usize> = FxHashMap::default();
    for archive in archives {
        for bytes in members(archive)? {
            let object = Object::parse(&File { name: archive.name, bytes })?;
            for symbol in object.symbols.iter().filter(|symbol| symbol.is_global && is_defined(symbol.meaning)) {
                definitions.entry(symbol.name).or_insert(offered.len());
            }
            offered.push(Some(object));
        }
    }
    let mut defined: FxHashSet<&[u8]> = FxHashSet::default();
    for object in objects.iter() {
        let globals = object.symbols.iter().filter(|symbol| symbol.is_global && is_defined(symbol.meaning));
        defined.extend(globals.map(|symbol| symbol.name));
    }
    let mut at = 0;
    while at < objects.len() {
        let asked = objects[at].symbols.iter().filter(|symbol| symbol.meaning == Meaning::Undefined && !symbol.is_weak);
        let asked: Vec<&[u8]> = asked.map(|symbol| symbol.name).collect();
        for name in asked {
            let Some(&number) = definitions.get(name).filter(|_| !defined.contains(name)) else { continue };
            let Some(object) = offered[number].take() else { continue };
            let globals = object.symbols.iter().filter(|symbol| symbol.is_global && is_defined(symbol.meaning));
            defined.extend(globals.map(|symbol| symbol.name));
            objects.push(object);
        }
        at += 1;
    }
    Ok(())
}

/// The contents of an archive with one object, which defines these symbols.
pub fn write(name: &str, object: &[u8], symbols: &[&str]) -> Vec<u8> {
    // The index: how many symbols there are, for each the place of its object, their names.
    let names: usize = symbols.iter().map(|symbol| symbol.len() + 1).sum();
    let size = (4 + 4 * symbols.len() + names).next_multiple_of(2);
    let place = (MAGIC.len() + HEADER + size) as u32;
    let mut index = (symbols.len() as u32).to_be_bytes().to_vec();
    symbols.iter().for_each(|_| index.extend(place.to_be_bytes()));
    symbols.iter().for_each(|symbol| index.extend(symbol.bytes().chain([0])));
    index.resize(size, 0);
    let mut bytes = MAGIC.to_vec();
    // No time, no owner: the same input gives the same bytes.
    let mut member = |name: &str, mode: &str, contents: &[u8]| {
        let header = format!("{name:<16}{:<12}{:<6}{:<6}{mode:<8}{:<10}`\n", 0, 0, 0, contents.len());
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(contents);
        bytes.resize(bytes.len().next_multiple_of(2), b'\n');
    };
    member("/", "0", &index);
    member(&format!("{name}/"), "644", object);
    bytes
}

fn is_defined(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Place { .. } | Meaning::Absolute(_))
}
