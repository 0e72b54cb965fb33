//! Paths of files, in place: the runtime has no allocator.

/// Bytes of the longest path.
pub const MAX_PATH: usize = 1024;

/// A path without NUL.
#[derive(Clone, Copy)]
pub struct Path {
    length: usize,
    bytes: [u8; MAX_PATH],
}

impl Path {
    pub const EMPTY: Path = Path { length: 0, bytes: [0; MAX_PATH] };

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
    /// Appends; false when that makes the path too long.
    pub fn push_all(&mut self, bytes: &[u8]) -> bool {
        let end = self.length + bytes.len();
        let Some(place) = self.bytes.get_mut(self.length..end) else { return false };
        place.copy_from_slice(bytes);
        self.length = end;
        true
    }
    /// Appends a component; `..` takes away the last one if there is one.
    pub fn push_component(&mut self, component: &[u8]) -> bool {
        let last = self.bytes().rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        if component.is_empty() || component == b"." {
            return true;
        }
        if component == b".." && !last.is_empty() && last != b".." {
            self.length -= last.len();
            if self.length > 1 {
                self.length -= 1;
            }
            return true;
        }
        (self.length == 0 || self.bytes() == b"/" || self.push_all(b"/")) && self.push_all(component)
    }
}
