//! Mistakes in bytes: what a damaged file looks like.

use crate::mutate::Choices;

/// Words at which readers of text go wrong.
const WORDS: &[&[u8]] = &[
    b"",
    b" ",
    b"\t",
    b"\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"\x0b",
    b"\x0c",
    b"\x80",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\"",
    b"\"\"",
    b"\\",
    b"\\0",
    b"\\377",
    b"\\400",
    b"'",
    b"''",
    b"'\\''",
    b"|",
    b";",
    b":",
    b".",
    b"..",
    b"_",
    b"-",
    b"+",
    b"0",
    b"-0",
    b"-1",
    b"65535",
    b"65536",
    b"2147483648",
    b"-2147483649",
    b"4294967295",
    b"4294967296",
    b"9223372036854775807",
    b"-9223372036854775808",
    b"18446744073709551616",
    b"1e309",
    b"1e-400",
    b"nan",
    b"inf",
    b".o 0 0",
    b".d 0 0",
    b".record",
    b".descs",
    b".desc",
    b".n",
    b".a",
    b".comp",
    b".endinfo",
    b".module",
    b"0x10",
];

/// Makes up to eight mistakes in a text.
pub fn mutate(text: &mut Vec<u8>, choices: &mut Choices) {
    for _ in 0..1 + choices.below(8) {
        let at = choices.below(text.len() + 1);
        let end = (at + choices.below(12)).min(text.len());
        match choices.below(8) {
            0 => drop(text.drain(at..end)),
            1 if at < text.len() => text[at] ^= 1 << choices.below(8),
            2 if at < text.len() => text[at] = choices.below(256) as u8,
            3 => insert(text, at, at, choices.pick(WORDS)),
            4 => insert(text, at, end, choices.pick(WORDS)),
            5 => {
                let copy = text[at..end].to_vec();
                let times = 1 + choices.below(40);
                insert(text, at, at, &copy.repeat(times));
            }
            6 if choices.chance(10) => text.truncate(at),
            _ => {
                // A whole word, where one stands.
                let is_end = |byte: &u8| byte.is_ascii_whitespace();
                let begin = text[..at].iter().rposition(is_end).map_or(0, |place| place + 1);
                let finish = text[at..].iter().position(is_end).map_or(text.len(), |place| at + place);
                insert(text, begin, finish, choices.pick(WORDS));
            }
        }
    }
}

fn insert(text: &mut Vec<u8>, start: usize, end: usize, with: &[u8]) {
    text.splice(start..end, with.iter().copied());
}
