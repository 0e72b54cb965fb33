//! Where elements of arrays lie: after the header, and each within the bytes of its own. On the reference-counted heap
//! arrays of numbers are strings, and have no elements of several fields: stride and offset follow from the opcode.

use crate::layout::{ARRAY_DATA, SLOT, STRING_DATA};
use crate::opcode::Element;
use crate::rc;

/// What is wrong with the stride and the byte offset of an access. Which array it is, only running shows.
pub(super) fn misplaced(access: Element, stride: u32, offset: u32, counts: bool) -> Option<String> {
    let bytes = u64::from(access.kind().stride());
    if bytes == 1 {
        let starts: &[u32] = if counts { &[rc::STRING_DATA] } else { &[STRING_DATA, ARRAY_DATA] };
        return match starts.contains(&offset) {
            false => Some(format!("the bytes of a string begin at {}, those of an array at {ARRAY_DATA}", starts[0])),
            true => (stride != 1).then(|| format!("bytes follow each other at a stride of 1, not {stride}")),
        };
    }
    if counts {
        return (offset != rc::STRING_DATA || u64::from(stride) != bytes).then(|| {
            let begin = rc::STRING_DATA;
            format!("on the reference-counted heap elements of {bytes} bytes have stride {bytes} and begin at {begin}")
        });
    }
    let Some(within) = offset.checked_sub(ARRAY_DATA) else {
        return Some(format!("the elements of an array begin at {ARRAY_DATA}, after its header"));
    };
    if !within.is_multiple_of(SLOT) || !stride.is_multiple_of(SLOT) {
        return Some(format!("stride and offset are multiples of {SLOT}"));
    }
    (u64::from(within) + bytes > u64::from(stride)).then(|| {
        format!("{bytes} bytes at {offset} are not within an element of {stride} bytes, which begins at {ARRAY_DATA}")
    })
}
