//! Which data a function uses: a custom section, so that a program keeps those constants alone that it can reach.
//!
//! The linker says it in the sections `linking` and `reloc.*`: data symbols, and for each address in code or data the
//! symbol that it belongs to. The section `cleave.data` has, all as LEB128:
//!
//! ```text
//! pieces      count, then for each: address, length, uses
//! functions   count, then for each function that is defined here: uses
//! uses        count, then indices of pieces, each less the one before
//! ```
//! Bytes that are in no piece are padding. Addresses that are added to a symbol at run time stay within its piece.

use crate::leb::{read_leb, write_leb};
use std::collections::BTreeSet;
use std::ops::Range;

/// The name of the section.
const NAME: &[u8] = b"cleave.data";
const CODE: u8 = 10;
/// The number of the data section.
pub const SECTION: u8 = 11;
/// The kind of the symbol table among the parts of `linking`, and of data among symbols.
const SYMBOL_TABLE: u8 = 8;
const KIND_DATA: u8 = 1;
const KIND_SECTION: u8 = 3;
const UNDEFINED: usize = 0x10;
const EXPLICIT_NAME: usize = 0x40;
const ABSOLUTE: usize = 0x200;
/// Relocations that name an address of memory, and those that have an addend.
const MEMORY_ADDRESSES: [u8; 4] = [3, 4, 5, 11];
const WITH_ADDEND: [u8; 6] = [3, 4, 5, 8, 9, 11];

/// The data section without segments of zeros, which a linker that writes relocations does not leave out: memory is
/// zero at the start. They are the last.
pub fn without_zeros(body: &[u8]) -> Option<Vec<u8>> {
    let segments = items(&Section { id: SECTION, name: &[], body })?;
    let is_zero = |(_, bytes): &(usize, Range<usize>)| body[bytes.clone()].iter().all(|byte| *byte == 0);
    let count = segments.iter().take_while(|segment| !is_zero(segment)).count();
    let end = segments.get(count.checked_sub(1)?)?.1.end;
    let mut at = 0;
    read_leb(body, &mut at)?;
    let mut kept = Vec::new();
    write_leb(&mut kept, count);
    kept.extend_from_slice(body.get(at..end)?);
    segments[count..].iter().all(is_zero).then_some(kept)
}

struct Section<'a> {
    id: u8,
    /// Of a custom section.
    name: &'a [u8],
    body: &'a [u8],
}

fn sections(module: &[u8]) -> Option<Vec<Section<'_>>> {
    let mut sections = Vec::new();
    let mut at = 8;
    while at < module.len() {
        let id = module[at];
        at += 1;
        let size = read_leb(module, &mut at)?;
        let mut body = module.get(at..at + size)?;
        at += size;
        let mut name: &[u8] = &[];
        if id == 0 {
            let mut start = 0;
            let length = read_leb(body, &mut start)?;
            name = body.get(start..start + length)?;
            body = &body[start + length..];
        }
        sections.push(Section { id, name, body });
    }
    Some(sections)
}

/// Where the items of a section lie in it: the bodies of functions, or the bytes of data segments with the addresses.
fn items(section: &Section) -> Option<Vec<(usize, Range<usize>)>> {
    let body = section.body;
    let mut at = 0;
    let mut items = Vec::new();
    for _ in 0..read_leb(body, &mut at)? {
        let mut address = 0;
        if section.id == SECTION {
            // An active segment of memory 0: flags, `i32.const`, the address with a sign, `end`.
            let constant = (read_leb(body, &mut at)?, *body.get(at)?);
            at += 1;
            address = read_leb(body, &mut at)?;
            if constant != (0, 0x41) || body.get(at) != Some(&0x0b) {
                return None;
            }
            at += 1;
        }
        let size = read_leb(body, &mut at)?;
        items.push((address, at..at + size));
        at += size;
    }
    Some(items)
}

/// For each symbol its place in memory, if it is data with bytes in the module.
fn symbols(linking: &[u8], segments: &[(usize, Range<usize>)], bytes: &[u8]) -> Option<Vec<Option<Range<usize>>>> {
    let mut at = 0;
    read_leb(linking, &mut at)?;
    let mut symbols = Vec::new();
    while at < linking.len() {
        let kind = linking[at];
        at += 1;
        let size = read_leb(linking, &mut at)?;
        let end = at + size;
        if kind != SYMBOL_TABLE {
            at = end;
            continue;
        }
        for _ in 0..read_leb(linking, &mut at)? {
            let kind = *linking.get(at)?;
            at += 1;
            let flags = read_leb(linking, &mut at)?;
            let defined = flags & UNDEFINED == 0;
            let mut place = None;
            if kind != KIND_DATA {
                read_leb(linking, &mut at)?;
            }
            if kind == KIND_DATA || kind != KIND_SECTION && (defined || flags & EXPLICIT_NAME != 0) {
                let length = read_leb(linking, &mut at)?;
                at += length;
            }
            if kind == KIND_DATA && defined {
                let segment = read_leb(linking, &mut at)?;
                let (offset, size) = (read_leb(linking, &mut at)?, read_leb(linking, &mut at)?);
                let has_bytes = |range: &Range<usize>| bytes[range.clone()].iter().any(|byte| *byte != 0);
                let segment = segments.get(segment).filter(|_| flags & ABSOLUTE == 0 && size > 0);
                let segment = segment.filter(|(_, range)| has_bytes(range));
                place = segment.map(|(address, _)| address + offset..address + offset + size);
            }
            symbols.push(place);
        }
    }
    Some(symbols)
}

/// (offset in the section, symbol) of each address of memory.
fn relocations(body: &[u8]) -> Option<Vec<(usize, usize)>> {
    let mut at = 0;
    read_leb(body, &mut at)?;
    let mut found = Vec::new();
    for _ in 0..read_leb(body, &mut at)? {
        let kind = *body.get(at)?;
        at += 1;
        let (offset, symbol) = (read_leb(body, &mut at)?, read_leb(body, &mut at)?);
        if WITH_ADDEND.contains(&kind) {
            read_leb(body, &mut at)?;
        }
        if MEMORY_ADDRESSES.contains(&kind) {
            found.push((offset, symbol));
        }
    }
    Some(found)
}

/// The custom section for a module with relocations, its name included.
pub fn section(module: &[u8]) -> Option<Vec<u8>> {
    let sections = sections(module)?;
    let of_kind = |id: u8| sections.iter().find(|section| section.id == id);
    let named = |name: &[u8]| sections.iter().find(|section| section.name == name).map(|section| section.body);
    let (code, data) = (items(of_kind(CODE)?)?, items(of_kind(SECTION)?)?);
    let symbols = symbols(named(b"linking")?, &data, of_kind(SECTION)?.body)?;

    // Symbols that overlap are one piece.
    let mut places: Vec<Range<usize>> = symbols.iter().flatten().cloned().collect();
    places.sort_by_key(|place| (place.start, place.end));
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for place in places {
        match pieces.last_mut() {
            Some(last) if place.start < last.end => last.end = last.end.max(place.end),
            _ => pieces.push(place),
        }
    }
    let piece_at = |address: usize| pieces.partition_point(|piece| piece.start <= address).checked_sub(1);

    let mut function_uses = vec![BTreeSet::new(); code.len()];
    for (offset, symbol) in relocations(named(b"reloc.CODE")?)? {
        let function = code.partition_point(|(_, range)| range.end <= offset);
        // What has no bytes is zero at the start, and costs nothing.
        if let Some(place) = symbols.get(symbol)? {
            function_uses.get_mut(function)?.insert(piece_at(place.start)?);
        }
    }
    let mut piece_uses = vec![BTreeSet::new(); pieces.len()];
    for (offset, symbol) in named(b"reloc.DATA").map_or(Some(Vec::new()), relocations)? {
        let (address, range) = data.iter().find(|(_, range)| range.contains(&offset))?;
        let user = piece_at(address + offset - range.start)?;
        if let Some(place) = symbols.get(symbol)? {
            piece_uses[user].insert(piece_at(place.start)?);
        }
    }

    let mut out = Vec::new();
    write_leb(&mut out, NAME.len());
    out.extend_from_slice(NAME);
    write_leb(&mut out, pieces.len());
    for (piece, uses) in pieces.iter().zip(&piece_uses) {
        write_leb(&mut out, piece.start);
        write_leb(&mut out, piece.len());
        write_uses(&mut out, uses);
    }
    write_leb(&mut out, code.len());
    for uses in &function_uses {
        write_uses(&mut out, uses);
    }
    Some(out)
}

fn write_uses(out: &mut Vec<u8>, uses: &BTreeSet<usize>) {
    write_leb(out, uses.len());
    let mut before = 0;
    for &index in uses {
        write_leb(out, index - before);
        before = index;
    }
}
