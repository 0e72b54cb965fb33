//! Calendar time: `gmtime`, `mktime`, `strftime` and their relatives. WASI knows no time zone, so local time is UTC.
//!
//! The proleptic Gregorian calendar is computed in eras of 400 years that begin in March, so that the leap day is the
//! last day of a year (Hinnant, "chrono-compatible low-level date algorithms").

use super::memory;
use crate::base::decimal::Buffer;
use crate::clean::Context;
use crate::gc::object::data_of;
use crate::platform::Outcome;

pub const DAY: i64 = 86_400;
const DAYS_PER_ERA: i64 = 146_097;

/// Fields of `struct tm`: all are 32-bit numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BrokenDown {
    pub second: i32,
    pub minute: i32,
    pub hour: i32,
    pub day: i32,
    /// From 0.
    pub month: i32,
    /// Since 1900.
    pub year: i32,
    /// From Sunday, 0.
    pub week_day: i32,
    /// From 0.
    pub year_day: i32,
    pub is_summer: i32,
}

/// Bytes of `struct tm`: the nine fields, the offset of the zone and the address of its name.
const BROKEN_DOWN_SIZE: u32 = 56;
/// Bytes of the text that `asctime` gives.
const TEXT_SIZE: u32 = 64;

const DAYS: [&[u8]; 7] = [b"Sunday", b"Monday", b"Tuesday", b"Wednesday", b"Thursday", b"Friday", b"Saturday"];
const MONTHS: [&[u8]; 12] = [
    b"January",
    b"February",
    b"March",
    b"April",
    b"May",
    b"June",
    b"July",
    b"August",
    b"September",
    b"October",
    b"November",
    b"December",
];

/// Days from 1970-01-01 to a day; the month counts from 0 and may be any number.
fn days_of_date(year: i64, month: i64, day: i64) -> i64 {
    let year = year + month.div_euclid(12);
    let month = month.rem_euclid(12);
    // Years begin in March.
    let year = if month < 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (month + 10) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * DAYS_PER_ERA + day_of_era - 719_468
}

/// Seconds since 1970 as a date.
pub fn break_down(seconds: i64) -> BrokenDown {
    let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    let shifted = days + 719_468;
    let era = shifted.div_euclid(DAYS_PER_ERA);
    let day_of_era = shifted.rem_euclid(DAYS_PER_ERA);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12;
    let year = era * 400 + year_of_era + i64::from(month < 2);
    BrokenDown {
        second: (rest % 60) as i32,
        minute: (rest / 60 % 60) as i32,
        hour: (rest / 3600) as i32,
        day: day as i32,
        month: month as i32,
        year: (year - 1900) as i32,
        week_day: (days + 4).rem_euclid(7) as i32,
        year_day: (days - days_of_date(year, 0, 1)) as i32,
        is_summer: 0,
    }
}

/// Seconds since 1970 of a date whose fields may be out of range.
pub fn seconds_of(date: &BrokenDown) -> i64 {
    let days = days_of_date(i64::from(date.year) + 1900, i64::from(date.month), i64::from(date.day));
    days * DAY + i64::from(date.hour) * 3600 + i64::from(date.minute) * 60 + i64::from(date.second)
}

fn load<C: Context>(c: &C, address: u32) -> BrokenDown {
    let field = |index: u32| c.load_u32(address + 4 * index) as i32;
    BrokenDown {
        second: field(0),
        minute: field(1),
        hour: field(2),
        day: field(3),
        month: field(4),
        year: field(5),
        week_day: field(6),
        year_day: field(7),
        is_summer: field(8),
    }
}

fn store<C: Context>(c: &mut C, address: u32, date: &BrokenDown) {
    let fields = [
        date.second,
        date.minute,
        date.hour,
        date.day,
        date.month,
        date.year,
        date.week_day,
        date.year_day,
        date.is_summer,
    ];
    for (index, field) in fields.into_iter().enumerate() {
        c.store_u32(address + 4 * index as u32, field as u32);
    }
}

/// `gmtime`, `localtime (array that holds the time)`: the result is overwritten by the next call.
pub fn gmtime<C: Context>(c: &mut C, time: u32) -> Outcome<i64, C> {
    let address = data_of(c, time);
    gmtime_at(c, i64::from(address))
}

/// The same with a pointer.
pub fn gmtime_at<C: Context>(c: &mut C, address: i64) -> Outcome<i64, C> {
    let date = break_down(c.load_u64(address as u32) as i64);
    let known = c.clean().broken_down;
    let place = memory::permanent(c, known, BROKEN_DOWN_SIZE);
    c.clean_mut().broken_down = place;
    if place != 0 {
        store(c, place, &date);
    }
    Ok(i64::from(place))
}

/// `mktime`, `timegm (array that holds the date)`: the fields are brought into their ranges.
pub fn mktime<C: Context>(c: &mut C, date: u32) -> Outcome<i64, C> {
    let address = data_of(c, date);
    let seconds = seconds_of(&load(c, address));
    store(c, address, &break_down(seconds));
    Ok(seconds)
}

/// `asctime (array that holds the date)`: the text is overwritten by the next call.
pub fn asctime<C: Context>(c: &mut C, date: u32) -> Outcome<i64, C> {
    let address = data_of(c, date);
    let date = load(c, address);
    text_of(c, &date)
}

/// `ctime (array that holds the time)`
pub fn ctime<C: Context>(c: &mut C, time: u32) -> Outcome<i64, C> {
    let address = data_of(c, time);
    let date = break_down(c.load_u64(address) as i64);
    text_of(c, &date)
}

fn text_of<C: Context>(c: &mut C, date: &BrokenDown) -> Outcome<i64, C> {
    let mut text = Text::new();
    format(&mut text, b"%a %b %e %T %Y\n", date);
    let known = c.clean().time_text;
    let place = memory::permanent(c, known, TEXT_SIZE);
    c.clean_mut().time_text = place;
    if place != 0 {
        memory::write_text(c, place, text.bytes());
    }
    Ok(i64::from(place))
}

/// Longest result of `strftime`.
const LONGEST: usize = 2048;
type Text = Buffer<LONGEST>;

/// `strftime (string, room, format, array that holds the date)`: the length, or 0 when there is too little room.
pub fn strftime<C: Context>(c: &mut C, to: u32, pattern: u32, date: u32, room: i64) -> Outcome<i64, C> {
    let (to, pattern, date) = (data_of(c, to), data_of(c, pattern), data_of(c, date));
    let mut buffer = [0; 512];
    let pattern = memory::read_text(c, pattern, &mut buffer);
    let date = load(c, date);
    let mut text = Text::new();
    format(&mut text, pattern, &date);
    let text = text.bytes();
    if text.len() as i64 >= room {
        return Ok(0);
    }
    memory::write_text(c, to, text);
    Ok(text.len() as i64)
}

fn padded(text: &mut Text, value: i64, width: usize, pad: u8) {
    if value < 0 {
        text.push(b'-');
    }
    let mut digits = Buffer::<20>::new();
    digits.push_unsigned(value.unsigned_abs());
    for _ in digits.bytes().len()..width {
        text.push(pad);
    }
    text.push_all(digits.bytes());
}

/// Year and week of ISO 8601: a week belongs to the year that holds its Thursday.
fn iso_week(date: &BrokenDown) -> (i64, i64) {
    let monday_based = (i64::from(date.week_day) + 6) % 7;
    let thursday = break_down(seconds_of(date) + (3 - monday_based) * DAY);
    (i64::from(thursday.year) + 1900, i64::from(thursday.year_day) / 7 + 1)
}

/// The conversions of C in the locale C. Unknown ones are copied.
pub fn format(text: &mut Text, pattern: &[u8], date: &BrokenDown) {
    let name = |names: &[&'static [u8]], index: i32| {
        let found = usize::try_from(index).ok().and_then(|index| names.get(index).copied());
        found.unwrap_or(b"?")
    };
    let short = |name: &'static [u8]| name.get(..3).unwrap_or(name);
    let (day_name, month_name) = (name(&DAYS, date.week_day), name(&MONTHS, date.month));
    let year = i64::from(date.year) + 1900;
    let hour12 = (i64::from(date.hour) + 11).rem_euclid(12) + 1;
    let (week_day, year_day) = (i64::from(date.week_day), i64::from(date.year_day));
    let mut rest = pattern.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            text.push(byte);
            continue;
        }
        let mut letter = rest.next();
        // Modifiers choose other forms in other locales only.
        if matches!(letter, Some(b'E' | b'O')) {
            letter = rest.next();
        }
        match letter {
            Some(b'a') => text.push_all(short(day_name)),
            Some(b'A') => text.push_all(day_name),
            Some(b'b' | b'h') => text.push_all(short(month_name)),
            Some(b'B') => text.push_all(month_name),
            Some(b'c') => format(text, b"%a %b %e %T %Y", date),
            Some(b'C') => padded(text, year.div_euclid(100), 2, b'0'),
            Some(b'd') => padded(text, i64::from(date.day), 2, b'0'),
            Some(b'D' | b'x') => format(text, b"%m/%d/%y", date),
            Some(b'e') => padded(text, i64::from(date.day), 2, b' '),
            Some(b'F') => format(text, b"%Y-%m-%d", date),
            Some(b'g') => padded(text, iso_week(date).0.rem_euclid(100), 2, b'0'),
            Some(b'G') => padded(text, iso_week(date).0, 1, b'0'),
            Some(b'H') => padded(text, i64::from(date.hour), 2, b'0'),
            Some(b'I') => padded(text, hour12, 2, b'0'),
            Some(b'j') => padded(text, year_day + 1, 3, b'0'),
            Some(b'k') => padded(text, i64::from(date.hour), 2, b' '),
            Some(b'l') => padded(text, hour12, 2, b' '),
            Some(b'm') => padded(text, i64::from(date.month) + 1, 2, b'0'),
            Some(b'M') => padded(text, i64::from(date.minute), 2, b'0'),
            Some(b'n') => text.push(b'\n'),
            Some(b'p') => text.push_all(if date.hour < 12 { b"AM" } else { b"PM" }),
            Some(b'P') => text.push_all(if date.hour < 12 { b"am" } else { b"pm" }),
            Some(b'r') => format(text, b"%I:%M:%S %p", date),
            Some(b'R') => format(text, b"%H:%M", date),
            Some(b's') => padded(text, seconds_of(date), 1, b'0'),
            Some(b'S') => padded(text, i64::from(date.second), 2, b'0'),
            Some(b't') => text.push(b'\t'),
            Some(b'T' | b'X') => format(text, b"%H:%M:%S", date),
            Some(b'u') => padded(text, (week_day + 6) % 7 + 1, 1, b'0'),
            Some(b'U') => padded(text, (year_day + 7 - week_day) / 7, 2, b'0'),
            Some(b'V') => padded(text, iso_week(date).1, 2, b'0'),
            Some(b'w') => padded(text, week_day, 1, b'0'),
            Some(b'W') => padded(text, (year_day + 7 - (week_day + 6) % 7) / 7, 2, b'0'),
            Some(b'y') => padded(text, year.rem_euclid(100), 2, b'0'),
            Some(b'Y') => padded(text, year, 1, b'0'),
            Some(b'z') => text.push_all(b"+0000"),
            Some(b'Z') => text.push_all(b"GMT"),
            Some(b'%') => text.push(b'%'),
            Some(other) => text.push_all(&[b'%', other]),
            None => text.push(b'%'),
        }
    }
}
