//! Mistakes in lines: what a wrong compiler would write. Most mutants are still text that the parser accepts; what is
//! wrong with them is their meaning.

use crate::mutate::seeds::{self, Seeds};
use crate::mutate::{Choices, Seed};
use cleave_clean::instr::ALL;

/// Numbers at the edges of what operands may be.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "7",
    "8",
    "15",
    "16",
    "31",
    "32",
    "33",
    "63",
    "64",
    "99",
    "100",
    "255",
    "256",
    "257",
    "999",
    "1000",
    "1001",
    "4095",
    "65534",
    "65535",
    "65536",
    "-1",
    "-2",
    "-3",
    "-4",
    "-5",
    "2147483647",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
];
const LAYOUT_LETTERS: &[u8] = b"ibcrfp";
const REALS: &[&str] = &["0.0", "-0.0", "1e308", "1e-320", "0.1", "12345678901234567890.5"];

/// Makes up to six mistakes in one module of a program.
pub fn mutate(program: &Seed, seeds: &Seeds, choices: &mut Choices) -> Seed {
    let mut mutant = program.clone();
    // Most often the main module: everything in it is reachable.
    let victim = if choices.chance(60) { 0 } else { choices.below(mutant.modules.len()) };
    let text = std::mem::take(&mut mutant.modules[victim].text);
    let mut lines: Vec<Vec<u8>> = seeds::lines(&text).map(<[u8]>::to_vec).collect();
    let most = choices.pick(&[1, 6]);
    let count = 1 + choices.below(most);
    for _ in 0..count {
        mistake(&mut lines, seeds, choices);
    }
    let mut text = lines.join(&b'\n');
    text.push(b'\n');
    if choices.chance(3) {
        super::bytes::mutate(&mut text, choices);
    }
    mutant.modules[victim].text = text;
    mutant
}

fn mistake(lines: &mut Vec<Vec<u8>>, seeds: &Seeds, choices: &mut Choices) {
    if lines.is_empty() {
        return;
    }
    let at = somewhere(lines, choices);
    let other = somewhere(lines, choices);
    match choices.below(20) {
        0 | 1 => drop(lines.remove(at)),
        2 | 3 => {
            let line = lines[at].clone();
            lines.insert(at, line);
        }
        4 => lines.swap(at, other),
        5 if at + 1 < lines.len() => lines.swap(at, at + 1),
        6 => {
            let line = lines[other].clone();
            lines.insert(at, line);
        }
        7 => {
            let end = (at + 1 + choices.below(12)).min(lines.len());
            lines.drain(at..end);
        }
        8 => move_range(lines, at, other, choices),
        9..=11 => change_number(&mut lines[at], choices),
        12 | 13 => exchange_operand(lines, at, other, choices),
        14 => change_opcode(lines, at, other, choices),
        15 | 16 => change_layout(lines, at, choices),
        17 => insert_layout(lines, at, choices),
        18 => splice(lines, at, seeds, choices),
        _ => rename(lines, at, other, choices),
    }
}

/// A line, rarely one of the imports that most modules begin with.
fn somewhere(lines: &[Vec<u8>], choices: &mut Choices) -> usize {
    let at = choices.below(lines.len());
    if lines[at].starts_with(b".imp") && choices.chance(90) { choices.below(lines.len()) } else { at }
}

/// Moves up to twenty lines to another place.
fn move_range(lines: &mut Vec<Vec<u8>>, at: usize, to: usize, choices: &mut Choices) {
    let end = (at + 1 + choices.below(20)).min(lines.len());
    let moved: Vec<Vec<u8>> = lines.drain(at..end).collect();
    let to = to.min(lines.len());
    lines.splice(to..to, moved);
}

/// Start and end of each word; a text in quotes is one word.
fn words(line: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < line.len() {
        if line[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let quoted = line[at] == b'"';
        let is_end = |byte: &u8| if quoted { *byte == b'"' } else { byte.is_ascii_whitespace() };
        let end =
            line[at + 1..].iter().position(is_end).map_or(line.len(), |place| at + 1 + place + usize::from(quoted));
        found.push((at, end));
        at = end;
    }
    found
}

fn is_label(line: &[u8]) -> bool {
    line.first().is_some_and(|&first| !first.is_ascii_whitespace() && first != b'.' && first != b'|')
}

fn replace(line: &mut Vec<u8>, (start, end): (usize, usize), with: &[u8]) {
    line.splice(start..end, with.iter().copied());
}

/// Another number in place of an operand that is one.
fn change_number(line: &mut Vec<u8>, choices: &mut Choices) {
    let all = words(line);
    let number = |&(start, end): &(usize, usize)| std::str::from_utf8(&line[start..end]).ok()?.parse::<i64>().ok();
    let numbers: Vec<((usize, usize), i64)> = all.iter().filter_map(|word| Some((*word, number(word)?))).collect();
    if numbers.is_empty() {
        // An operand of another kind becomes a number, seldom.
        if all.len() > 1 && choices.chance(10) {
            let place = all[1 + choices.below(all.len() - 1)];
            let list = if choices.chance(20) { REALS } else { NUMBERS };
            let with = choices.pick(list);
            replace(line, place, with.as_bytes());
        }
        return;
    }
    let (place, value) = numbers[choices.below(numbers.len())];
    let with = match choices.below(4) {
        0 => value.wrapping_add(1).to_string(),
        1 => value.wrapping_sub(1).to_string(),
        2 => choices.below(8).to_string(),
        _ => choices.pick(NUMBERS).to_string(),
    };
    replace(line, place, with.as_bytes());
}

/// An operand of another line in place of one of this line.
fn exchange_operand(lines: &mut [Vec<u8>], at: usize, other: usize, choices: &mut Choices) {
    let operands = |line: &[u8]| words(line).into_iter().skip(usize::from(!is_label(line))).collect::<Vec<_>>();
    let (mine, others) = (operands(&lines[at]), operands(&lines[other]));
    if mine.is_empty() || others.is_empty() {
        return;
    }
    let (start, end) = others[choices.below(others.len())];
    let with = lines[other][start..end].to_vec();
    replace(&mut lines[at], mine[choices.below(mine.len())], &with);
}

/// Another instruction with the same operands.
fn change_opcode(lines: &mut [Vec<u8>], at: usize, other: usize, choices: &mut Choices) {
    if is_label(&lines[at]) {
        return;
    }
    let Some(&place) = words(&lines[at]).first() else { return };
    let with = if choices.chance(50) && !is_label(&lines[other]) {
        let Some(&(start, end)) = words(&lines[other]).first() else { return };
        lines[other][start..end].to_vec()
    } else {
        ALL[choices.below(ALL.len())].info().name.as_bytes().to_vec()
    };
    replace(&mut lines[at], place, &with);
}

fn is_layout(line: &[u8]) -> bool {
    line.starts_with(b".o ") || line.starts_with(b".d ")
}

/// The next `.o` or `.d` says something else.
fn change_layout(lines: &mut [Vec<u8>], at: usize, choices: &mut Choices) {
    let Some(line) = lines[at..].iter_mut().find(|line| is_layout(line)) else { return };
    if choices.chance(30) {
        return change_number(line, choices);
    }
    let (a, b) = (choices.below(6), choices.below(5));
    let dot = if choices.chance(80) { line[1] } else { choices.pick(b"od") };
    *line = layout(dot, a, b, choices);
}

fn insert_layout(lines: &mut Vec<Vec<u8>>, at: usize, choices: &mut Choices) {
    let (dot, a, b) = (choices.pick(b"od"), choices.below(4), choices.below(3));
    let line = layout(dot, a, b, choices);
    lines.insert(at, line);
}

fn layout(dot: u8, a: usize, b: usize, choices: &mut Choices) -> Vec<u8> {
    let mut line = format!(".{} {a} {b}", char::from(dot)).into_bytes();
    for index in 0..b {
        line.push(if index == 0 { b' ' } else { b',' });
        line.push(choices.pick(LAYOUT_LETTERS));
    }
    // Clean writes the letters without commas.
    if choices.chance(90) {
        line.retain(|&byte| byte != b',');
    }
    line
}

/// Some lines of another program, often a whole function.
fn splice(lines: &mut Vec<Vec<u8>>, at: usize, seeds: &Seeds, choices: &mut Choices) {
    let donor = seeds.choose_text(choices);
    let mut start = choices.below(donor.len());
    if choices.chance(70) {
        let mark = b"\n.o ";
        // The line that is cut off first ends right before it.
        start += donor[start..].windows(mark.len()).position(|window| window == mark).unwrap_or(0);
    }
    let count = 1 + choices.below(30);
    let donated = seeds::lines(seeds::cut(donor, start, count)).map(<[u8]>::to_vec);
    lines.splice(at..at, donated);
}

/// A label becomes another one, in one line or everywhere.
fn rename(lines: &mut [Vec<u8>], at: usize, other: usize, choices: &mut Choices) {
    let labels: Vec<usize> = (0..lines.len()).filter(|&index| is_label(&lines[index])).collect();
    if labels.is_empty() {
        return;
    }
    let nearest = |at: usize| labels[labels.partition_point(|&label| label < at).min(labels.len() - 1)];
    let (from, to) = (lines[nearest(at)].clone(), lines[nearest(other)].clone());
    if choices.chance(50) {
        lines[nearest(at)] = to;
        return;
    }
    for line in lines.iter_mut().filter(|line| !is_label(line)) {
        for word in words(line).into_iter().rev() {
            if line[word.0..word.1] == from[..] {
                replace(line, word, &to);
            }
        }
    }
}
