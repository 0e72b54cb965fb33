//! Merges the `.eh_frame` sections of all objects into one table: how debuggers find the caller of a function.
//!
//! ```text
//! common record:    | length | 0        | rules for several functions …                       (a CIE in DWARF)
//! function record:  | length | distance | address of the function | … its own rules …         (an FDE)
//! ```
//! `length` has 4 bytes; no compiler writes the longer form with 8. `distance` leads back from its own place to the
//! common record. Records of functions that the linker leaves out are dropped. All others move, so their distances are
//! written anew.

use super::Error;
use super::input::{How, SectionKind};
use super::resolve::{Linked, Target};

/// The merged table.
#[derive(Debug, Default)]
pub struct Frames {
    pub bytes: Vec<u8>,
    /// Places in `bytes` that get the distance from there to a target, once addresses are known: offset, target, and a
    /// number to add.
    pub distances: Vec<(u64, Target, i64)>,
}

/// Collects the records of all functions that stay.
pub fn live_entries(linked: &mut Linked) -> Result<Frames, Error> {
    let mut frames = Frames::default();
    for (number, object) in linked.objects.iter().enumerate() {
        for section in object.sections.iter().filter(|section| section.kind == SectionKind::Unwind) {
            let malformed = || Error::Malformed { file: object.file.into(), reason: "a broken .eh_frame".into() };
            let mut relocations: Vec<_> = section.relocations.iter().collect();
            relocations.sort_by_key(|relocation| relocation.offset);
            let mut commons: Vec<(usize, usize)> = Vec::new();
            let mut at = 0;
            while let Some(word) = word(section.bytes, at).filter(|word| *word != 0) {
                let end = at + 4 + word as usize;
                let record = section.bytes.get(at..end).ok_or_else(malformed)?;
                let back = self::word(record, 4).ok_or_else(malformed)? as usize;
                let first = relocations.partition_point(|relocation| relocation.offset < at as u64);
                let inside = relocations[first..].iter().take_while(|relocation| relocation.offset < end as u64);
                let mut targets = Vec::new();
                for relocation in inside {
                    let target = linked.target(number, relocation.symbol);
                    targets.push((relocation.offset - at as u64, relocation.how, target, relocation.addend));
                }
                let start = frames.bytes.len();
                let stays =
                    back == 0 || targets.iter().any(|&(offset, _, target, _)| offset == 8 && is_live(linked, target));
                if stays {
                    frames.bytes.extend_from_slice(record);
                    if back == 0 {
                        commons.push((at, start));
                    } else {
                        let common = (at + 4).checked_sub(back).ok_or_else(malformed)?;
                        let place = commons.iter().find(|place| place.0 == common).ok_or_else(malformed)?.1;
                        let distance = (start + 4 - place) as u32;
                        frames.bytes[start + 4..start + 8].copy_from_slice(&distance.to_le_bytes());
                    }
                    for (offset, how, target, addend) in targets {
                        let target = target.filter(|&target| how == How::Distance && is_live(linked, Some(target)));
                        let target = target.ok_or_else(|| Error::Unsupported {
                            file: object.file.into(),
                            what: "exceptions of another language".into(),
                        })?;
                        frames.distances.push((start as u64 + offset, target, addend));
                    }
                }
                at = end;
            }
        }
    }
    frames.bytes.extend_from_slice(&[0; 4]);
    Ok(frames)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn is_live(linked: &Linked, target: Option<Target>) -> bool {
    matches!(target, Some(Target::Place { object, section, .. }) if linked.live[object][section])
}
