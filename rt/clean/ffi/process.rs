//! The end of a program that asks for it, C functions that are missing, and clocks.

use super::errno;
use crate::base::report;
use crate::base::{console, error};
use crate::clean::Context;
use crate::gc::object::data_of;
use crate::platform::Outcome;

const NS_PER_S: u64 = 1_000_000_000;

/// `exit`: ends the program, with all output written.
pub fn exit<C: Context>(c: &mut C, status: i64) -> Outcome<i64, C> {
    report::finish(c);
    Err(c.exit(status as u32 & 255))
}

/// The libcall `c_missing`: a C function that does not exist here has been reached. The text block names it.
pub fn missing<C: Context>(c: &mut C, text: u32) -> Outcome<(), C> {
    console::flush(c);
    let length = c.load_u32(text);
    console::message_memory(c, text + 4, length);
    error::fail_with(c, b"\n")
}

/// `clock`: microseconds of a clock that never goes back. WASI does not count the processor's time.
pub fn clock<C: Context>(c: &mut C) -> Outcome<i64, C> {
    Ok((c.clock_ns() / 1000) as i64)
}

fn seconds<C: Context>(c: &mut C) -> i64 {
    (c.wall_clock_ns() / NS_PER_S) as i64
}

/// `time (pointer or 0)`
pub fn time<C: Context>(c: &mut C, place: i64) -> Outcome<i64, C> {
    let now = seconds(c);
    if place != 0 {
        c.store_u64(place as u32, now as u64);
    }
    Ok(now)
}

/// Stores seconds and a part of a second, two words.
fn store_time<C: Context>(c: &mut C, place: u32, ns: u64, unit: u64) {
    c.store_u64(place, ns / NS_PER_S);
    c.store_u64(place + 8, ns % NS_PER_S / unit);
}

/// `clock_gettime (clock, pointer)`
pub fn clock_gettime<C: Context>(c: &mut C, clock: i64, place: i64) -> Outcome<i64, C> {
    let ns = match clock {
        0 | 5 => c.wall_clock_ns(),
        1..=4 | 6 | 7 => c.clock_ns(),
        _ => return errno::value(c, Err(errno::EINVAL)),
    };
    store_time(c, place as u32, ns, 1);
    Ok(0)
}

/// `gettimeofday (pointer, ignored)`
pub fn gettimeofday<C: Context>(c: &mut C, place: i64, _zone: i64) -> Outcome<i64, C> {
    let ns = c.wall_clock_ns();
    store_time(c, place as u32, ns, 1000);
    Ok(0)
}

/// `gettimeofday (string or array, ignored)`
pub fn gettimeofday_object<C: Context>(c: &mut C, object: u32, zone: i64) -> Outcome<i64, C> {
    let place = data_of(c, object);
    gettimeofday(c, i64::from(place), zone)
}
