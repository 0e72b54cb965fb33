//! Statistics at the end of a program: times (`-t`), statistics (`--stats`), and what it counted.
//!
//! A large part of the smallest programs: what is written several times is written by a function that is not copied.

use crate::base::Context;
use crate::base::console;
use crate::base::decimal::Line;
use crate::base::stream;
use crate::gc::heap;

/// Flushes all output and shows what the options ask for. Files of the program are the host's to close.
pub fn finish<C: Context>(c: &mut C) {
    flush(c);
    c.show_reports();
    if c.gc().options.count_cells {
        c.show_rc_stats();
    }
}

/// Options are known: from now on time is measured if they ask for that.
pub fn start<C: Context>(c: &mut C) {
    let options = c.base().options;
    // Both show how long collections took.
    c.gc_mut().options.measure |= options.show_times || options.statistics;
    if options.show_times || options.statistics {
        let now = c.clock_ns();
        c.base_mut().start_ns = now;
        let now = c.processor_ns();
        c.base_mut().start_processor_ns = now;
    }
}

/// What the options ask for.
pub fn show<C: Context>(c: &mut C) {
    let options = c.base().options;
    if options.show_times {
        show_times(c);
    }
    if options.statistics {
        show_statistics(c);
    }
}

/// False if there is nothing to flush.
#[inline(always)]
pub fn may_have_output<C: Context>(c: &C) -> bool {
    let base = c.base();
    base.stdout.used != 0 || base.files_used > stream::FIRST_FILE
}

/// Writes everything that is buffered.
pub fn flush<C: Context>(c: &mut C) {
    console::flush(c);
    c.flush_files();
}

#[inline(never)]
fn show_times<C: Context>(c: &mut C) {
    let total = c.clock_ns().wrapping_sub(c.base().start_ns);
    let collecting = c.gc().statistics.gc_ns;
    let mut line = Line::new();
    push_seconds(&mut line, b"Execution: ", total.saturating_sub(collecting));
    push_seconds(&mut line, b"  Garbage collection: ", collecting);
    push_seconds(&mut line, b"  Total: ", total);
    line.push(b'\n');
    console::message(c, line.bytes());
}

/// Words, and seconds with two decimals.
#[inline(never)]
fn push_seconds(line: &mut Line, words: &[u8], ns: u64) {
    let hundredths = ns / 10_000_000;
    push_item(line, words, hundredths / 100);
    line.push(b'.');
    line.push(b'0' + (hundredths / 10 % 10) as u8);
    line.push(b'0' + (hundredths % 10) as u8);
}

/// Words, and a number.
#[inline(never)]
fn push_item(line: &mut Line, words: &[u8], number: u64) {
    line.push_all(words);
    line.push_unsigned(number);
}

#[inline(never)]
fn show_statistics<C: Context>(c: &mut C) {
    heap::update_statistics(c);
    let s = c.gc().statistics;
    let mut line = Line::new();
    push_item(&mut line, b"cleave: ", s.collections);
    push_item(&mut line, b" collections, ", s.allocated_bytes);
    push_item(&mut line, b" bytes allocated, ", s.copied_bytes);
    push_item(&mut line, b" copied, ", s.live_after_last);
    push_item(&mut line, b" live after the last, ", s.heap_peak);
    push_item(&mut line, b" peak, ", s.reservations);
    push_item(&mut line, b" reservations, ", s.minor_collections);
    console::message(c, line.bytes());
    let (processor, collecting) = (c.processor_ns().wrapping_sub(c.base().start_processor_ns), c.gc().pauses.total());
    let mut line = Line::new();
    push_item(&mut line, b" collections of the nursery, ", collecting / 1000);
    push_item(&mut line, b" us collecting, ", s.longest_ns / 1000);
    push_item(&mut line, b" the longest, ", s.shortest_ns / 1000);
    push_item(&mut line, b" the shortest, ", s.percentile_99_ns / 1000);
    push_item(&mut line, b" at most for 99 of 100, of ", processor / 1000);
    line.push_all(b" us in all\n");
    console::message(c, line.bytes());
}

/// Writes the table to stderr.
pub fn show_rc_stats<C: Context>(c: &mut C) {
    crate::rc::free_all(c);
    for (number, what) in c.gc().rc_stats.rows() {
        let mut digits = Line::new();
        digits.push_unsigned(number);
        let mut line = Line::new();
        (digits.bytes().len()..10).for_each(|_| line.push(b' '));
        line.push_all(digits.bytes());
        line.push_all(b"  ");
        line.push_all(what.as_bytes());
        line.push(b'\n');
        console::message(c, line.bytes());
    }
}
