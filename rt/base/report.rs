//! What a program says about itself when it ends: times (`-t`) and statistics (`--stats`).

use crate::base::Context;
use crate::base::console;
use crate::base::decimal::Line;
use crate::base::stream;
use crate::gc::heap;

/// Flushes all output and shows what the options ask for. Files of the program are the host's to close.
pub fn finish<C: Context>(c: &mut C) {
    flush(c);
    let options = c.base().options;
    if options.show_times {
        show_times(c);
    }
    if options.statistics {
        show_statistics(c);
    }
}

/// Writes everything that is buffered.
pub fn flush<C: Context>(c: &mut C) {
    console::flush(c);
    stream::flush_all(c);
}

fn show_times<C: Context>(c: &mut C) {
    let total = c.clock_ns().wrapping_sub(c.base().start_ns);
    let collecting = c.gc().statistics.gc_ns;
    let mut line = Line::new();
    line.push_all(b"Execution: ");
    push_seconds(&mut line, total.saturating_sub(collecting));
    line.push_all(b"  Garbage collection: ");
    push_seconds(&mut line, collecting);
    line.push_all(b"  Total: ");
    push_seconds(&mut line, total);
    line.push(b'\n');
    console::message(c, line.bytes());
}

/// Seconds with two decimals.
fn push_seconds(line: &mut Line, ns: u64) {
    let hundredths = ns / 10_000_000;
    line.push_unsigned(hundredths / 100);
    line.push(b'.');
    line.push(b'0' + (hundredths / 10 % 10) as u8);
    line.push(b'0' + (hundredths % 10) as u8);
}

fn show_statistics<C: Context>(c: &mut C) {
    heap::update_statistics(c);
    let s = c.gc().statistics;
    let items: [(u64, &[u8]); 10] = [
        (s.collections, b" collections, "),
        (s.allocated_bytes, b" bytes allocated, "),
        (s.copied_bytes, b" copied, "),
        (s.live_after_last, b" live after the last, "),
        (s.heap_peak, b" peak, "),
        (s.reservations, b" reservations, "),
        (s.minor_collections, b" collections of the nursery, "),
        (s.gc_ns / 1000, b" us collecting, "),
        (s.longest_ns / 1000, b" the longest, "),
        (s.shortest_ns / 1000, b" the shortest\n"),
    ];
    let mut line = Line::new();
    line.push_all(b"cleave: ");
    for (number, text) in items {
        line.push_unsigned(number);
        line.push_all(text);
    }
    console::message(c, line.bytes());
}
