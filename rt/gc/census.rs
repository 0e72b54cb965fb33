//! What a program on the counted heap that was built to count has done so far.

use cleave_contract::counted::*;

/// Numbers of cells and references.
#[derive(Clone, Copy, Debug)]
pub struct Census {
    /// How often each event happened.
    pub events: [u64; EVENTS as usize],
    /// Bytes of the cells in use.
    pub bytes: u64,
    /// The most cells at one time.
    pub peak_cells: u64,
    /// The most bytes in cells at one time.
    pub peak_bytes: u64,
}

impl Census {
    /// Before the program.
    pub const NOTHING: Census = Census { events: [0; EVENTS as usize], bytes: 0, peak_cells: 0, peak_bytes: 0 };

    /// Cells in use.
    pub fn alive(&self) -> u64 {
        self.events[EVENT_NEW as usize] - self.events[EVENT_FREE as usize]
    }

    /// One event, with the bytes of the cell.
    pub fn note(&mut self, event: u32, bytes: u32) {
        self.events[event as usize] += 1;
        match event {
            EVENT_NEW => {
                self.bytes += u64::from(bytes);
                self.peak_cells = self.peak_cells.max(self.alive());
                self.peak_bytes = self.peak_bytes.max(self.bytes);
            }
            EVENT_FREE => self.bytes -= u64::from(bytes),
            _ => {}
        }
    }
}
