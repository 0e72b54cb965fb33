//! Data segments of the program image, without what memory or code provides: memory starts as zeros, so long runs of
//! them are left out, and the tables of small integers, characters and booleans are written by a loop at the start
//! (`glue::start`), which takes a hundred bytes instead of eight thousand.

use cleave_ir::image::Image;
use cleave_ir::layout::{SLOT, SMALL_INT_MAX, SMALL_INT_MIN, STATIC_NODE_SIZE};

/// Runs of zeros longer than this are cheaper as a gap between two segments.
const MAX_ZEROS: usize = 16;

/// Static nodes in a row: one header, consecutive raw words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Series {
    pub address: u32,
    pub count: u32,
    pub header: u32,
    pub first: i64,
}

impl Series {
    fn end(&self) -> u32 {
        self.address + self.count * STATIC_NODE_SIZE
    }
}

/// What is to be in memory when the program starts.
pub struct Contents<'a> {
    /// (address, bytes)
    pub segments: Vec<(u32, &'a [u8])>,
    pub series: Vec<Series>,
}

/// Divides the image into series and segments.
pub fn contents(image: &Image) -> Contents<'_> {
    let small_ints = (SMALL_INT_MAX - SMALL_INT_MIN + 1) as u32;
    let tables = [(image.small_ints, small_ints, SMALL_INT_MIN), (image.chars, 256, 0), (image.bools, 2, 0)];
    let mut series: Vec<Series> =
        tables.into_iter().filter_map(|(address, count, first)| series(image, address, count, first)).collect();
    series.sort_unstable_by_key(|s| s.address);
    let mut segments = Vec::new();
    let mut at = image.base;
    for series in &series {
        split(image, at, series.address, &mut segments);
        at = series.end();
    }
    split(image, at, image.base + image.bytes.len() as u32, &mut segments);
    Contents { segments, series }
}

/// The nodes at an address, if the image really has there what a loop would write.
fn series(image: &Image, address: u32, count: u32, first: i64) -> Option<Series> {
    let start = address.checked_sub(image.base)? as usize;
    let nodes = image.bytes.get(start..start + (count * STATIC_NODE_SIZE) as usize)?;
    let header = u32::from_le_bytes(nodes[..SLOT as usize].try_into().ok()?);
    let expected =
        (0..i64::from(count)).flat_map(|i| header.to_le_bytes().into_iter().chain((first + i).to_le_bytes()));
    nodes.iter().copied().eq(expected).then_some(Series { address, count, header, first })
}

/// Segments for the addresses `from..to`.
fn split<'a>(image: &'a Image, from: u32, to: u32, segments: &mut Vec<(u32, &'a [u8])>) {
    let base = from;
    let bytes = &image.bytes[(from - image.base) as usize..(to - image.base) as usize];
    let mut at = 0;
    while let Some(start) = bytes[at..].iter().position(|&b| b != 0).map(|skip| at + skip) {
        let mut end = start;
        for (i, &byte) in bytes.iter().enumerate().skip(start) {
            if byte != 0 {
                end = i + 1;
            } else if i - end >= MAX_ZEROS {
                break;
            }
        }
        segments.push((base + start as u32, &bytes[start..end]));
        at = end;
    }
}
