//! Dates as text, and their fields.

use cleave_rt::base::decimal::Buffer;
use cleave_rt::clean::ffi::time::{BrokenDown, DAY, break_down, format, seconds_of};

fn show(pattern: &str, seconds: i64) -> String {
    let mut text = Buffer::<2048>::new();
    format(&mut text, pattern.as_bytes(), &break_down(seconds));
    String::from_utf8_lossy(text.bytes()).into_owned()
}

/// Worked out with the C library.
#[test]
fn dates() {
    let cases = [
        (0, "Thu Jan  1 00:00:00 1970", "001 4 00 00 01 1970"),
        (951_782_400, "Tue Feb 29 00:00:00 2000", "060 2 09 09 09 2000"),
        (1_230_768_000, "Thu Jan  1 00:00:00 2009", "001 4 00 00 01 2009"),
        (1_735_689_599, "Tue Dec 31 23:59:59 2024", "366 2 52 53 01 2025"),
        (-1, "Wed Dec 31 23:59:59 1969", "365 3 52 52 01 1970"),
        (-2_208_988_800, "Mon Jan  1 00:00:00 1900", "001 1 00 01 01 1900"),
        (4_107_542_400, "Mon Mar  1 00:00:00 2100", "060 1 09 09 09 2100"),
    ];
    for (seconds, text, numbers) in cases {
        assert_eq!(show("%c", seconds), text);
        assert_eq!(show("%j %w %U %W %V %G", seconds), numbers, "{text}");
        assert_eq!(seconds_of(&break_down(seconds)), seconds);
    }
}

#[test]
fn every_day_follows_the_last() {
    let mut last = break_down(-40_000 * DAY);
    for day in -39_999..40_000 {
        let date = break_down(day * DAY);
        let next_month = date.day == 1 && (last.month + 1) % 12 == date.month && last.day >= 28;
        assert!(next_month || (date.day == last.day + 1 && date.month == last.month), "{last:?} {date:?}");
        assert_eq!(date.week_day, (last.week_day + 1) % 7);
        assert_eq!(seconds_of(&date), day * DAY);
        last = date;
    }
}

#[test]
fn fields_out_of_range() {
    // 14 months, 40 days, 25 hours, -61 minutes from 1999-12-31.
    let date = BrokenDown { year: 99, month: 11 + 14, day: 31 + 40, hour: 25, minute: -61, ..BrokenDown::default() };
    let mut text = Buffer::<2048>::new();
    format(&mut text, b"%F %T", &break_down(seconds_of(&date)));
    assert_eq!(text.bytes(), b"2001-04-12 23:59:00");
}

#[test]
fn hours() {
    for (hour, text) in [(0, "12 AM"), (1, "01 AM"), (12, "12 PM"), (13, "01 PM"), (23, "11 PM")] {
        assert_eq!(show("%I %p", hour * 3600), text);
    }
    assert_eq!(show("100%% %Q %", 0), "100% %Q %");
}
