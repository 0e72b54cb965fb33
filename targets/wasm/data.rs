//! Data segments of the program image: memory starts as zeros, so long runs of them are left out.

use cleave_ir::data_section::StaticDataSection;

/// Runs of zeros longer than this are cheaper as a gap between two segments.
const MAX_ZEROS: usize = 16;

/// (address, bytes) of what is not zero in the data section.
pub fn segments(data_section: &StaticDataSection) -> Vec<(u32, &[u8])> {
    let mut segments = Vec::new();
    let bytes = data_section.bytes.as_slice();
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
        segments.push((data_section.base + start as u32, &bytes[start..end]));
        at = end;
    }
    segments
}
