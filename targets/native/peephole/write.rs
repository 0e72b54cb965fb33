//! Encodes instructions to bytes: jumps are short where that reaches, and everything that depends on places is filled
//! in anew.

use super::code::{Code, Item, Kind};
use super::frame::{RELEASE, RESERVE, distance};
use crate::Relocation;
use iced_x86::{Encoder, OpKind};

/// A function anew.
pub struct Polished {
    pub code: Vec<u8>,
    pub relocations: Vec<Relocation>,
    /// Without a frame pointer: from where on the return address is so many bytes below the frame address, which is the
    /// stack pointer plus this number.
    pub frame: Vec<(u32, u32)>,
    /// Where calls and instructions that may fault begin, and where they were before.
    pub stops: Vec<(u32, u32)>,
}

/// `sub rsp, 8` and `add rsp, 8`, around calls that align the stack pointer.
const DOWN: [u8; 4] = [0x48, 0x83, 0xec, 8];
const UP: [u8; 4] = [0x48, 0x83, 0xc4, 8];
/// Constants keep their place in units of so many bytes.
const CONSTANT_ALIGNMENT: usize = 64;
/// How far the stack pointer is below the frame address at the entry, and what calls move it by.
const ENTRY: u32 = 8;
const PAD: u32 = 8;

/// The bytes of a function; `None` if an instruction has no form with its operands, which is a mistake of a pass.
pub fn write(code: &Code, relocations: &[Relocation]) -> Option<Polished> {
    let (changed, spans) = encode(code)?;
    let bytes_of = |at: usize| -> &[u8] {
        let item = &code.items[at];
        match spans[at] {
            Some((start, length)) => &changed[start..start + length],
            None => &code.bytes[item.start as usize..(item.start + item.length) as usize],
        }
    };
    let (places, is_long) = place(code, |at| bytes_of(at).len());
    let end = places[code.items.len()] as usize;
    let constants = code.constants as usize;
    let length_of_constants = code.bytes.len() - constants;
    let mut new_constants = end;
    while length_of_constants > 0 && new_constants % CONSTANT_ALIGNMENT != constants % CONSTANT_ALIGNMENT {
        new_constants += 1;
    }
    let mut out = Vec::with_capacity(new_constants + length_of_constants);
    let mut new_relocations = Vec::with_capacity(relocations.len());
    let mut frame = Frame { rows: Vec::new(), body: code.frame, now: ENTRY };
    let mut stops = Vec::new();
    for (at, item) in code.items.iter().enumerate() {
        debug_assert_eq!(out.len() as u32, places[at]);
        let to_place = |from: usize, to: u32| to.wrapping_sub(from as u32).to_le_bytes();
        if item.aligns {
            out.extend(DOWN);
            frame.moves(PAD, out.len());
        }
        if item.kind != Kind::Gone && (item.is_call() || item.may_fault()) {
            stops.push((out.len() as u32, item.start));
        }
        match item.kind {
            Kind::Gone => {}
            Kind::Jump(target) | Kind::Branch(_, target) => {
                let to = places[target as usize];
                if is_long[at] {
                    match item.kind {
                        Kind::Branch(condition, _) => out.extend([0x0f, 0x80 | condition]),
                        _ => out.push(0xe9),
                    }
                    out.extend(to_place(out.len() + 4, to));
                } else if places[at + 1] != places[at] {
                    out.push(if let Kind::Branch(condition, _) = item.kind { 0x70 | condition } else { 0xeb });
                    out.push(to_place(out.len() + 1, to)[0]);
                }
            }
            Kind::Plain | Kind::Switch(_) => {
                out.extend_from_slice(bytes_of(at));
                frame.passes(item, out.len());
                if let Kind::Switch(table) = item.kind {
                    let start = out.len();
                    for &target in &code.tables[table as usize].targets {
                        out.extend(to_place(start, places[target as usize]));
                    }
                }
            }
            Kind::Symbol(number) => {
                let old = &relocations[number as usize];
                let offset = out.len() as u32 + (old.offset - item.start);
                out.extend_from_slice(bytes_of(at));
                new_relocations.push(Relocation { offset, ..*old });
                frame.passes(item, out.len());
            }
            Kind::TableAddress(table) => {
                out.extend_from_slice(bytes_of(at));
                let switch = |item: &Item| item.kind == Kind::Switch(table);
                let behind = code.items[at..].iter().position(switch).expect("the jump of a table follows its address");
                let place = places[at + behind] + code.items[at + behind].length;
                let end = out.len();
                out[end - 4..].copy_from_slice(&to_place(end, place));
            }
            Kind::Constant(place) => {
                out.extend_from_slice(bytes_of(at));
                let end = out.len();
                let operand = item.displacement();
                let to = (new_constants + (place as usize - constants)) as u32;
                out[end - operand..end - operand + 4].copy_from_slice(&to_place(end, to));
            }
        }
        if item.aligns {
            out.extend(UP);
            frame.moves(PAD.wrapping_neg(), out.len());
        }
    }
    if length_of_constants > 0 {
        out.resize(new_constants, 0);
        out.extend_from_slice(&code.bytes[constants..]);
    }
    Some(Polished { code: out, relocations: new_relocations, frame: frame.rows, stops })
}

/// Where the return address is, while code is written.
struct Frame {
    rows: Vec<(u32, u32)>,
    /// Bytes on the stack between entry and end, of functions without frame pointer.
    body: Option<u32>,
    now: u32,
}

impl Frame {
    /// The stack pointer was moved down.
    fn moves(&mut self, bytes: u32, place: usize) {
        self.now = self.now.wrapping_add(bytes);
        if self.body.is_some() && self.rows.last().is_none_or(|row| row.1 != self.now) {
            self.rows.push((place as u32, self.now));
        }
    }

    /// An instruction ends at this place.
    fn passes(&mut self, item: &Item, place: usize) {
        let Some(body) = self.body else { return };
        if let Some(bytes) = distance(item, RESERVE) {
            self.moves(bytes, place);
        } else if let Some(bytes) = distance(item, RELEASE) {
            self.moves(bytes.wrapping_neg(), place);
        } else if item.is_end() {
            self.moves((ENTRY + body).wrapping_sub(self.now), place);
        }
    }
}

impl Item {
    /// How far before its end an instruction has the distance to a constant.
    fn displacement(&self) -> usize {
        4 + match self.what.op_count() {
            0 => 0,
            count => match self.what.op_kind(count - 1) {
                OpKind::Immediate8 | OpKind::Immediate8to32 | OpKind::Immediate8to64 => 1,
                OpKind::Immediate32 | OpKind::Immediate32to64 => 4,
                _ => 0,
            },
        }
    }
}

/// The bytes of instructions that were changed, and which belong to each.
fn encode(code: &Code) -> Option<(Vec<u8>, Vec<Option<(usize, usize)>>)> {
    let mut encoder = Encoder::new(64);
    let mut bytes = Vec::new();
    let mut spans = Vec::with_capacity(code.items.len());
    for item in &code.items {
        if !item.is_changed || item.kind == Kind::Gone {
            spans.push(None);
            continue;
        }
        let encoded = encoder.encode(&item.what, 0);
        debug_assert!(encoded.is_ok(), "{encoded:?}: {:?}", item.what);
        spans.push(Some((bytes.len(), encoded.ok()?)));
        bytes.extend(encoder.take_buffer());
    }
    Some((bytes, spans))
}

/// Where each instruction begins, and which jumps must be long. Short ones grow until all reach.
fn place(code: &Code, length: impl Fn(usize) -> usize) -> (Vec<u32>, Vec<bool>) {
    let count = code.items.len();
    let mut is_long = vec![false; count];
    let mut places = vec![0u32; count + 1];
    let lengths: Vec<u32> = (0..count)
        .map(|at| {
            let item = &code.items[at];
            let pads = if item.aligns { (DOWN.len() + UP.len()) as u32 } else { 0 };
            let table = match item.kind {
                Kind::Switch(table) => 4 * code.tables[table as usize].targets.len() as u32,
                _ => 0,
            };
            match item.kind {
                Kind::Gone | Kind::Jump(_) | Kind::Branch(..) => 0,
                _ => length(at) as u32 + pads + table,
            }
        })
        .collect();
    loop {
        let mut at = 0;
        for number in 0..count {
            places[number] = at;
            at += match code.items[number].kind {
                Kind::Jump(target) if leads_on(code, number, target as usize) => 0,
                Kind::Jump(_) => {
                    if is_long[number] {
                        5
                    } else {
                        2
                    }
                }
                Kind::Branch(..) => {
                    if is_long[number] {
                        6
                    } else {
                        2
                    }
                }
                _ => lengths[number],
            };
        }
        places[count] = at;
        let mut grown = false;
        for number in 0..count {
            if let Kind::Jump(target) | Kind::Branch(_, target) = code.items[number].kind
                && !is_long[number]
                && places[number] != places[number + 1]
            {
                let distance = i64::from(places[target as usize]) - i64::from(places[number] + 2);
                if i8::try_from(distance).is_err() {
                    (is_long[number], grown) = (true, true);
                }
            }
        }
        if !grown {
            return (places, is_long);
        }
    }
}

/// A jump to what follows anyway.
fn leads_on(code: &Code, at: usize, target: usize) -> bool {
    target > at && code.items[at + 1..target].iter().all(|item| item.kind == Kind::Gone)
}
