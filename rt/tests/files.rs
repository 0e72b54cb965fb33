//! Files and the console.

use crate::support::Image;
use cleave_rt::clean::{file, shared};
use cleave_rt::platform::Memory;
use cleave_rt::sys::host::{Exited, HostFile};

fn text_of(image: &Image, string: u32) -> Vec<u8> {
    let mut bytes = vec![0; image.c.load_u32(string + 4) as usize];
    image.c.read_bytes(string + 8, &mut bytes);
    bytes
}

fn with_file(name: &str, contents: &[u8]) -> Image {
    let mut image = Image::new().start();
    image.c.files.push(HostFile { name: name.as_bytes().to_vec(), contents: contents.to_vec() });
    image
}

fn open(image: &mut Image, name: &str, mode: i64) -> (i64, i64) {
    let name = image.string(name.as_bytes());
    let (success, number, position) = file::open(&mut image.c, name, mode).expect("opens");
    assert_eq!(position, -1);
    (success, number)
}

#[test]
fn console_input() {
    let mut image = Image::new().start();
    image.c.input = b"  -42 x +7.5e1rest\nline two\nlast".to_vec();
    let c = &mut image.c;
    assert_eq!(file::stdio(c), Ok((1, -1)));
    assert_eq!(file::read_int(c, 1, -1), Ok((1, -42, 1, -1)));
    assert_eq!(file::read_int(c, 1, -1), Ok((0, 0, 1, -1)));
    assert_eq!(file::read_char(c, 1), Ok(256 | i64::from(b'x')));
    assert_eq!(file::read_real(c, 1, -1), Ok((1, 75.0, 1, -1)));
    let sp = image.sp;
    for expected in [&b"rest\n"[..], b"line two\n", b"last", b""] {
        let (line, _, _) = file::read_line(&mut image.c, sp, 1, -1).expect("reads");
        assert_eq!(text_of(&image, line), expected);
    }
    let c = &mut image.c;
    assert_eq!(file::read_char(c, 1), Ok(0));
    assert_eq!(file::error(c, 1, -1), Ok((0, 1, -1)));
    assert_eq!(file::write_real(c, 0.1, 1, -1), Ok((1, -1)));
    assert_eq!(file::flush(c, 1, -1), Ok((1, 1, -1)));
    assert_eq!(c.output, b"0.1");
    assert_eq!(file::close(c, 1, -1), Ok(1));
    assert_eq!(file::close(c, 1, -1), Err(Exited(255)));
    assert_eq!(c.errors, b"IO error: fclose: file not open (stdio)\n");
}

#[test]
fn misuse_is_reported() {
    type Action = fn(&mut Image) -> bool;
    let cases: [(Action, &str); 6] = [
        (|i| file::end(&mut i.c, 1, -1).is_err(), "FEnd: not allowed for StdIO and StdErr"),
        (|i| file::read_char(&mut i.c, 0).is_err(), "FReadC: can't read from StdErr"),
        (|i| file::seek(&mut i.c, 1, -1, 0, 3).is_err(), "FSeek: invalid mode"),
        (|i| shared::read_char(&mut i.c, 1, 0).is_err(), "SFReadC: can't read from StdIO, use FReadC"),
        (
            |i| {
                let (_, n) = open(i, "f", 0);
                file::write_char(&mut i.c, 65, n).is_err()
            },
            "FWriteC: write to an input file",
        ),
        (
            |i| {
                open(i, "f", 0);
                let name = i.string(b"f");
                file::open(&mut i.c, name, 0).is_err()
            },
            "FOpen: file already open",
        ),
    ];
    for (action, message) in cases {
        let mut image = with_file("f", b"x");
        assert!(action(&mut image), "{message}");
        assert_eq!(String::from_utf8_lossy(&image.c.errors), format!("IO error: {message}\n"));
    }
}

#[test]
fn text_files() {
    let mut image = Image::new().start();
    assert_eq!(open(&mut image, "none", 0), (0, -1));
    let (success, number) = open(&mut image, "out", 1);
    assert_eq!(success, 1);
    let long = vec![b'z'; 10_000];
    for text in [&b"12 "[..], b"-7 1.5\n", &long, b"\nend"] {
        let string = image.string(text);
        file::write_string(&mut image.c, string, number, -1).expect("writes");
    }
    file::write_int(&mut image.c, i64::MIN, number, -1).expect("writes");
    let part = image.string(b"0123456789");
    file::write_substring(&mut image.c, part, 3, 4, number, -1).expect("writes");
    assert_eq!(file::position(&mut image.c, number, -1), Ok((3 + 7 + 10_000 + 4 + 20 + 4, number, -1)));
    assert_eq!(file::close(&mut image.c, number, -1), Ok(1));
    // Append, then read all of it back.
    let (_, number) = open(&mut image, "out", 2);
    file::write_char(&mut image.c, i64::from(b'!'), number).expect("writes");
    assert_eq!(file::reopen(&mut image.c, number, -1, 0), Ok((1, number, -1)));
    assert_eq!(file::read_int(&mut image.c, number, -1), Ok((1, 12, number, -1)));
    assert_eq!(file::read_int(&mut image.c, number, -1), Ok((1, -7, number, -1)));
    assert_eq!(file::read_real(&mut image.c, number, -1), Ok((1, 1.5, number, -1)));
    assert_eq!(file::read_char(&mut image.c, number), Ok(256 | 10));
    let sp = image.sp;
    let (line, _, _) = file::read_line(&mut image.c, sp, number, -1).expect("reads");
    assert_eq!(text_of(&image, line), [&long[..], b"\n"].concat());
    let (rest, _, _) = file::read_string(&mut image.c, sp, number, -1, 100).expect("reads");
    assert_eq!(text_of(&image, rest), b"end-92233720368547758083456!");
    assert_eq!(file::end(&mut image.c, number, -1), Ok((1, number, -1)));
    assert_eq!(file::seek(&mut image.c, number, -1, -3, 2), Ok((1, number, -1)));
    assert_eq!(file::read_char(&mut image.c, number), Ok(256 | i64::from(b'5')));
    assert_eq!(file::seek(&mut image.c, number, -1, -1, 1), Ok((1, number, -1)));
    assert_eq!(file::read_char(&mut image.c, number), Ok(256 | i64::from(b'5')));
    assert_eq!(file::end(&mut image.c, number, -1), Ok((0, number, -1)));
    let buffer = image.string(b"..........");
    assert_eq!(file::read_substring(&mut image.c, buffer, 2, 8, number, -1), Ok((buffer, 2, number, -1)));
    assert_eq!(text_of(&image, buffer), b"..6!......");
}

#[test]
fn data_files() {
    let mut image = Image::new().start();
    let (_, number) = open(&mut image, "d", 4);
    file::write_int(&mut image.c, -2, number, -1).expect("writes");
    file::write_real(&mut image.c, 0.1, number, -1).expect("writes");
    let lines = image.string(b"a\rb\r\nc\nd");
    file::write_string(&mut image.c, lines, number, -1).expect("writes");
    assert_eq!(file::close(&mut image.c, number, -1), Ok(1));
    let (_, number) = open(&mut image, "d", 3);
    assert_eq!(file::read_int(&mut image.c, number, -1), Ok((1, -2, number, -1)));
    assert_eq!(file::read_real(&mut image.c, number, -1), Ok((1, 0.1, number, -1)));
    let sp = image.sp;
    for expected in [&b"a\r"[..], b"b\r\n", b"c\n", b"d"] {
        let (line, _, _) = file::read_line(&mut image.c, sp, number, -1).expect("reads");
        assert_eq!(text_of(&image, line), expected);
    }
    assert_eq!(file::read_int(&mut image.c, number, -1), Ok((0, 0, number, -1)));
}

#[test]
fn shared_files() {
    let mut image = with_file("s", b"abc 12 3.5 x");
    let name = image.string(b"s");
    let (success, number, start) = shared::open(&mut image.c, name, 0).expect("opens");
    assert_eq!((success, start), (1, 0));
    let c = &mut image.c;
    let (_, a, _, after_a) = shared::read_char(c, number, start).expect("reads");
    let (_, b, _, after_b) = shared::read_char(c, number, after_a).expect("reads");
    // The first value is still where it was.
    let (_, again, _, _) = shared::read_char(c, number, start).expect("reads");
    assert_eq!((a, b, again), (97, 98, 97));
    let (_, _, _, after_c) = shared::read_char(c, number, after_b).expect("reads");
    let (_, twelve, _, after) = shared::read_int(c, number, after_c).expect("reads");
    let (_, real, _, after) = shared::read_real(c, number, after).expect("reads");
    assert_eq!((twelve, real, after), (12, 3.5, 10));
    assert_eq!(shared::end(c, number, after), Ok(0));
    assert_eq!(shared::end(c, number, 12), Ok(1));
    assert_eq!(shared::seek(c, number, after, -1, 2), Ok((1, number, 11)));
    assert_eq!(shared::position(c, number, 11), Ok(11));
    assert_eq!(shared::read_char(c, number, 11), Ok((1, i64::from(b'x'), number, 12)));
    assert_eq!(shared::read_char(c, number, 12), Ok((0, 0, number, 12)));
    // A unique file becomes shared at the position where it is.
    let mut image = with_file("u", b"0123");
    let (_, number) = open(&mut image, "u", 0);
    file::read_char(&mut image.c, number).expect("reads");
    assert_eq!(shared::share(&mut image.c, number, -1), Ok((number, -1)));
    assert_eq!(shared::read_char(&mut image.c, number, -1), Ok((1, i64::from(b'1'), number, 2)));
    assert_eq!(shared::read_char(&mut image.c, number, -1), Ok((1, i64::from(b'1'), number, 2)));
}

/// As the C library reads them, which prints infinities and NaN as these words.
#[test]
fn words_for_reals() {
    let mut image = with_file("w", b"inf -Infinity nan\n+INF2 ine one infinix 1e5");
    let (_, number) = open(&mut image, "w", 0);
    let c = &mut image.c;
    let mut next = || file::read_real(c, number, -1).expect("reads");
    assert_eq!(next(), (1, f64::INFINITY, number, -1));
    assert_eq!(next(), (1, f64::NEG_INFINITY, number, -1));
    let (found, value, ..) = next();
    assert!(found == 1 && value.is_nan());
    assert_eq!(next(), (1, f64::INFINITY, number, -1));
    assert_eq!(next(), (1, 2.0, number, -1));
    // What does not fit is used up with the first wrong letter.
    assert_eq!(next(), (0, 0.0, number, -1));
    assert_eq!(next(), (0, 0.0, number, -1));
    assert_eq!(file::read_char(&mut image.c, number), Ok(256 | i64::from(b'o')));
}

/// A data file that ends within a number: what is there is the value, which was not found.
#[test]
fn parts_of_numbers() {
    let mut image = with_file("d", &[1, 2, 3, 4, 255, 255]);
    let (_, number) = open(&mut image, "d", 3);
    let c = &mut image.c;
    assert_eq!(file::read_int(c, number, -1), Ok((1, 0x0403_0201, number, -1)));
    assert_eq!(file::read_int(c, number, -1), Ok((0, 0xffff, number, -1)));
    assert_eq!(file::end(c, number, -1), Ok((1, number, -1)));
}

/// A file that could not be opened can be closed, as in Clean; an open one only once.
#[test]
fn closing() {
    let mut image = with_file("f", b"x");
    let (success, none) = open(&mut image, "missing", 0);
    assert_eq!((success, none), (0, -1));
    assert_eq!(file::close(&mut image.c, none, -1), Ok(1));
    let (_, number) = open(&mut image, "f", 0);
    assert_eq!(file::close(&mut image.c, number, -1), Ok(1));
    assert_eq!(file::close(&mut image.c, number, -1), Err(Exited(255)));
    assert_eq!(image.c.errors, b"IO error: FClose: File not open\n");
}

/// New files get the number after the last one in use; only a full table is searched for a free place.
#[test]
fn numbers_and_their_limit() {
    let mut image = Image::new().start();
    let names: Vec<String> = (0..19).map(|index| format!("f{index}")).collect();
    let mut numbers: Vec<i64> = names[..17].iter().map(|name| open(&mut image, name, 1).1).collect();
    assert_eq!(numbers, (2..19).collect::<Vec<i64>>());
    file::close(&mut image.c, 5, -1).expect("closes");
    numbers.push(open(&mut image, "f17", 1).1);
    numbers.push(open(&mut image, "f18", 1).1);
    assert_eq!(numbers[17..], [19, 5]);
    let name = image.string(b"one more");
    assert_eq!(file::open(&mut image.c, name, 1), Err(Exited(255)));
    assert_eq!(image.c.errors, b"IO error: FOpen: too many files\n");
}

/// More than a buffer, in pieces smaller and larger than it, comes back as it was written.
#[test]
fn long_contents() {
    let mut image = Image::new().start();
    let (_, number) = open(&mut image, "long", 4);
    let mut expected = Vec::new();
    for (round, length) in [1, 16_383, 16_384, 16_385, 7, 70_000, 0, 300].into_iter().enumerate() {
        let text: Vec<u8> = (0..length).map(|at| (at * 7 + round) as u8).collect();
        let string = image.string(&text);
        file::write_string(&mut image.c, string, number, -1).expect("writes");
        file::write_char(&mut image.c, 65, number).expect("writes");
        expected.extend(text);
        expected.push(65);
    }
    assert_eq!(file::position(&mut image.c, number, -1), Ok((expected.len() as i64, number, -1)));
    assert_eq!(file::close(&mut image.c, number, -1), Ok(1));
    let (_, number) = open(&mut image, "long", 3);
    let sp = image.sp;
    let mut found = Vec::new();
    for count in [5, 16_384, 20_000, 1, 16_383, 1_000_000] {
        let (string, ..) = file::read_string(&mut image.c, sp, number, -1, count).expect("reads");
        found.extend(text_of(&image, string));
        if let Ok(byte @ 256..) = file::read_char(&mut image.c, number) {
            found.push(byte as u8);
        }
    }
    assert!(found == expected, "{} of {} bytes", found.len(), expected.len());
    assert_eq!(file::end(&mut image.c, number, -1), Ok((1, number, -1)));
}
