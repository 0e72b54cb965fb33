//! Source map: offsets in the code with the source positions that they came from.

use cleave_ir::Location;

/// Bytes of functions of the IR.
#[derive(Default)]
pub struct Placed {
    pub bytes: Vec<u8>,
    /// Where they came from: from this byte on, up to the next entry. Each function that has a source begins and
    /// ends with an entry, so that others inherit nothing from it.
    pub places: Vec<(usize, Location)>,
}

impl Placed {
    pub fn append(&mut self, bytes: &[u8], places: &[(usize, Location)]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.places.extend(places.iter().map(|&(at, place)| (start + at, place)));
    }
}
