//! What a program says about itself when it ends: times (`-t`), statistics (`--stats`), and what it counted.

use crate::base::Context;
use crate::base::console;
use crate::base::decimal::Line;
use crate::base::stream;
use crate::gc::heap;
use cleave_contract::counted::*;

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
    if c.gc().options.count_cells {
        show_census(c);
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

/// Writes the table to stderr.
fn show_census<C: Context>(c: &mut C) {
    let census = c.gc().census;
    let event = |event: u32| census.events[event as usize];
    let rows: [(u64, &[u8]); 9] = [
        (event(EVENT_NEW), b"cells allocated"),
        (event(EVENT_REUSE), b"cells reused: nodes in the memory of dead ones"),
        (event(EVENT_FAILED_REUSE), b"reuses that failed: something else referred to the node"),
        (event(EVENT_FREE), b"cells freed"),
        (event(EVENT_RETAIN), b"references retained"),
        (event(EVENT_RELEASE), b"references released"),
        (census.peak_cells, b"cells at most at one time"),
        (census.peak_bytes, b"bytes in them at most"),
        (census.alive(), b"cells alive at the end"),
    ];
    for (number, what) in rows {
        let mut digits = Line::new();
        digits.push_unsigned(number);
        let mut line = Line::new();
        (digits.bytes().len()..10).for_each(|_| line.push(b' '));
        line.push_all(digits.bytes());
        line.push_all(b"  ");
        line.push_all(what);
        line.push(b'\n');
        console::message(c, line.bytes());
    }
}
