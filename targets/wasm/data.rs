//! Data segments of the program image: memory starts as zeros, so long runs of them are left out.

use cleave_ir::image::Image;

/// Runs of zeros longer than this are cheaper as a gap between two segments.
const MAX_ZEROS: usize = 16;

/// The parts of the image to write: (address, bytes).
pub fn segments(image: &Image) -> Vec<(u32, &[u8])> {
    let bytes = &image.bytes;
    let mut segments = Vec::new();
    let mut at = 0;
    while let Some(start) = bytes[at..].iter().position(|&b| b != 0).map(|skip| at + skip) {
        let mut end = start;
        let mut zeros = 0;
        for (i, &byte) in bytes.iter().enumerate().skip(start) {
            if byte != 0 {
                end = i + 1;
                zeros = 0;
            } else {
                zeros += 1;
                if zeros > MAX_ZEROS {
                    break;
                }
            }
        }
        segments.push((image.base + start as u32, &bytes[start..end]));
        at = end;
    }
    segments
}
