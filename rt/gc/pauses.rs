//! How long collections took: a histogram, from which the time is found that 99 of 100 did not exceed.
//!
//! Eight steps for each power of two, from 128 ns on: what is found is at most an eighth too long.

/// The bits of a time that are not looked at.
const FINEST: u32 = 7;
/// Steps for each power of two, as a power of two.
const STEPS: u32 = 3;
/// The last step is for everything from about 40 minutes on.
const LENGTH: usize = 280;

/// Collections by the time that they took.
#[derive(Clone, Copy, Debug)]
pub struct Pauses {
    counts: [u32; LENGTH],
    total_ns: u64,
}

impl Pauses {
    pub const NONE: Pauses = Pauses { counts: [0; LENGTH], total_ns: 0 };

    /// Notes one of so many nanoseconds.
    pub fn note(&mut self, ns: u64) {
        self.total_ns = self.total_ns.saturating_add(ns);
        if let Some(count) = self.counts.get_mut(step(ns).min(LENGTH - 1)) {
            *count += 1;
        }
    }

    /// All of them together, in nanoseconds.
    pub fn total(&self) -> u64 {
        self.total_ns
    }

    /// What at least 99 of 100 did not exceed, in nanoseconds; the longest of all took `longest`.
    pub fn percentile_99(&self, longest: u64) -> u64 {
        let all: u64 = self.counts.iter().map(|count| u64::from(*count)).sum();
        let mut left = all - all / 100;
        for (step, count) in self.counts.iter().enumerate() {
            left = left.saturating_sub((*count).into());
            if left == 0 {
                return end(step).min(longest);
            }
        }
        longest
    }
}

fn step(ns: u64) -> usize {
    let units = ns >> FINEST;
    let octave = (units | 1).ilog2().saturating_sub(STEPS);
    ((u64::from(octave) << STEPS) + (units >> octave)) as usize
}

/// The least time that belongs to the next step.
fn end(step: usize) -> u64 {
    let (step, steps) = (step as u64 + 1, 1 << STEPS);
    if step == LENGTH as u64 {
        return u64::MAX;
    }
    let octave = (step >> STEPS).saturating_sub(1);
    (step - octave * steps) << octave << FINEST
}
