//! Reduces ABC text: functions, lines, then numbers become smaller. What the parser refuses is not tried.

use super::leave_out;
use cleave_diag::{FileId, Sink};

/// The lines of a text without their ends.
pub fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n')
}

fn join(lines: &[Vec<u8>]) -> Vec<u8> {
    let mut text = lines.join(&b'\n');
    text.push(b'\n');
    text
}

/// The smallest text found for which `test` holds, as it does for `text`. Lines are left out, whatever they say.
pub fn leave_out_lines(text: &[u8], mut test: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut kept: Vec<Vec<u8>> = lines(text).map(<[u8]>::to_vec).collect();
    leave_out(&mut kept, |rest| test(&join(rest)));
    join(&kept)
}

/// The smallest module found that the parser accepts and for which `test` holds.
pub fn reduce(text: &[u8], mut test: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut best = text.to_vec();
    let mut keeps = |text: &[u8]| is_accepted(text) && test(text);
    loop {
        let before = best.clone();
        best = without_functions(&best, &mut keeps);
        best = leave_out_lines(&best, &mut keeps);
        smaller_numbers(&mut best, &mut keeps);
        if best == before {
            return best;
        }
    }
}

pub fn is_accepted(text: &[u8]) -> bool {
    let mut sink = Sink::new();
    cleave_clean::parse(FileId(0), "main", text, &mut sink).is_some()
}

/// Leaves out whole functions: from an `.o` to the next that follows code which does not go on.
fn without_functions(text: &[u8], mut keeps: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut functions: Vec<Vec<Vec<u8>>> = vec![Vec::new()];
    let mut ended = false;
    for line in lines(text) {
        if ended && line.starts_with(b".") {
            functions.push(Vec::new());
        }
        let word = line.trim_ascii_start().split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
        ended = [&b"rtn"[..], b"jmp", b"jmp_eval", b"halt"].contains(&word);
        if let Some(last) = functions.last_mut() {
            last.push(line.to_vec());
        }
    }
    leave_out(&mut functions, |rest| keeps(&join(&rest.concat())));
    join(&functions.concat())
}

/// Constants become 0, or half as large.
fn smaller_numbers(text: &mut Vec<u8>, mut keeps: impl FnMut(&[u8]) -> bool) {
    let mut kept: Vec<Vec<u8>> = lines(text).map(<[u8]>::to_vec).collect();
    for at in 0..kept.len() {
        let Ok(line) = std::str::from_utf8(&kept[at]) else { continue };
        let Some((head, number)) = line.rsplit_once(['\t', ' ']) else { continue };
        let Ok(number) = number.parse::<i64>() else { continue };
        if !head.trim_start().starts_with(|c: char| c.is_ascii_lowercase()) {
            continue;
        }
        let lead = line[..head.len() + 1].to_string();
        let mut now = number;
        for smaller in [0, number / 2, now - now.signum()] {
            if smaller.unsigned_abs() >= now.unsigned_abs() {
                continue;
            }
            let old = std::mem::replace(&mut kept[at], format!("{lead}{smaller}").into_bytes());
            if keeps(&join(&kept)) {
                now = smaller;
            } else {
                kept[at] = old;
            }
        }
    }
    *text = join(&kept);
}
