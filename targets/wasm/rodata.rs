//! The constants of the runtime that a program can reach.
//!
//! The runtime module says in a custom section which pieces of its data each function uses, and each piece
//! (`rt/examples/prebuild/data.rs` writes it from the linker's relocations). What no function that is kept leads to is
//! left out: a program that computes no logarithm has no table for it. A module without the section keeps all data.

use crate::Error;
use crate::link_runtime::{Reachable, Runtime};
use std::ops::Range;
use wasmparser::{BinaryReader, DataKind, Operator};

/// The name of the section.
pub const SECTION: &str = "cleave.data";

/// A segment of its own costs about this many bytes: shorter gaps are kept.
const SHORT_GAP: u32 = 8;

/// Bytes that are used as a whole.
struct Piece {
    address: u32,
    length: u32,
    uses: Vec<u32>,
}

/// What uses what.
pub struct Uses {
    pieces: Vec<Piece>,
    /// For each function that the module defines.
    functions: Vec<Vec<u32>>,
}

impl Uses {
    /// Reads the section; `offset` is its place in the module, for errors.
    pub fn read(section: &[u8], offset: usize) -> wasmparser::Result<Uses> {
        let mut reader = BinaryReader::new(section, offset);
        let count = reader.read_var_u32()?;
        let mut pieces = Vec::new();
        for _ in 0..count {
            let (address, length) = (reader.read_var_u32()?, reader.read_var_u32()?);
            pieces.push(Piece { address, length, uses: list(&mut reader)? });
        }
        let count = reader.read_var_u32()?;
        let mut functions = Vec::new();
        for _ in 0..count {
            functions.push(list(&mut reader)?);
        }
        Ok(Uses { pieces, functions })
    }

    /// The places of all pieces that are reachable, by address.
    fn places(&self, functions: &[bool]) -> Vec<Range<u32>> {
        let mut kept = vec![false; self.pieces.len()];
        let of_functions = self.functions.iter().zip(functions).filter(|(_, kept)| **kept);
        let mut stack: Vec<u32> = of_functions.flat_map(|(uses, _)| uses).copied().collect();
        while let Some(piece) = stack.pop() {
            if !std::mem::replace(&mut kept[piece as usize], true) {
                stack.extend(&self.pieces[piece as usize].uses);
            }
        }
        let mut places: Vec<Range<u32>> = Vec::new();
        for (piece, _) in self.pieces.iter().zip(&kept).filter(|(_, kept)| **kept) {
            let end = piece.address + piece.length;
            match places.last_mut() {
                Some(last) if piece.address - last.end <= SHORT_GAP => last.end = end,
                _ => places.push(piece.address..end),
            }
        }
        places
    }
}

/// Indices, each less the one before.
fn list(reader: &mut BinaryReader) -> wasmparser::Result<Vec<u32>> {
    let mut index = 0;
    let count = reader.read_var_u32()?;
    (0..count)
        .map(|_| {
            index += reader.read_var_u32()?;
            Ok(index)
        })
        .collect()
}

/// (address, bytes) of what a program needs of the runtime's data.
pub fn kept<'a>(runtime: &Runtime<'a>, reachable: &Reachable) -> Result<Vec<(u32, &'a [u8])>, Error> {
    let mut segments = Vec::new();
    for data in &runtime.data {
        let address = match &data.kind {
            DataKind::Active { offset_expr, .. } => match offset_expr.get_operators_reader().read() {
                Ok(Operator::I32Const { value }) => value as u32,
                _ => return Err(Error::Runtime("a data segment has no constant address".into())),
            },
            DataKind::Passive => return Err(Error::Runtime("a data segment is passive".into())),
        };
        segments.push((address, data.data));
    }
    let Some(uses) = &runtime.data_uses else { return Ok(segments) };
    let mut with_bodies = reachable.functions.clone();
    reachable.emptied.iter().for_each(|&function| with_bodies[function as usize] = false);
    let places = uses.places(with_bodies.get(runtime.imports.len()..).unwrap_or_default());
    // A short gap between two pieces may be one between segments, too.
    Ok(segments
        .into_iter()
        .flat_map(|(start, bytes)| {
            let end = start + bytes.len() as u32;
            let inside = move |place: &Range<u32>| (place.start.max(start), place.end.min(end));
            let places: Vec<_> = places.iter().map(inside).filter(|(from, to)| from < to).collect();
            places.into_iter().map(move |(from, to)| (from, &bytes[(from - start) as usize..(to - start) as usize]))
        })
        .collect())
}
