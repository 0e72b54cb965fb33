//! Options of a run: build-time flags, then the environment variable `CLEAVE_RTS`, then arguments.
//!
//! Arguments come first on the command line and end with the first that is no option of the runtime:
//! `-h SIZE -s SIZE -b -sc -nr -t -nt -gc -ngc -st -nst -gcm -gcc -gci SIZE -gcf N`. Sizes take a suffix k or
//! m. The variable takes the same, and `--gc=generational|copying|incremental --nursery=SIZE --gc-stress=N --stats
//! --poison --measure --heap=SIZE --stack=SIZE --engine-stack=SIZE --force-stackless
//! --flush=line|block --no-rts-options` (arguments are then all the program's own).

use crate::base::Context;
use crate::base::console;
use crate::base::error::FAILURE;
use crate::base::report;
use crate::base::state::{Flush, Options};
use crate::gc;
use crate::layout::*;
use crate::platform::{Memory, Outcome};

/// Options of the heap, and the others.
pub type Both<'a> = (&'a mut gc::state::Options, &'a mut Options);

/// What an option needs from the word after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parsed {
    Done,
    /// A value follows; the message says that it is missing.
    Needs(Value, &'static [u8]),
    /// Not an option of the runtime.
    Unknown,
    /// A value that cannot be read.
    Bad(&'static [u8]),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Heap,
    Stack,
    Initial,
    Nursery,
    Factor,
    Stress,
    Ignored,
    EngineStack,
}

/// What a word without a value says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Switch {
    BasicValues(bool),
    ShowTimes(bool),
    ShowCollections(bool),
    ShowStacks(bool),
    NoResult,
    /// Marking or copying in the old part: there is one way.
    Nothing,
    Statistics,
    Poison,
    Measure,
    ForceStackless,
    IgnoreOptions,
    Stress,
    Collector(Collector),
    Flush(Flush),
}

/// Who collects the traced heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Collector {
    Generational,
    Copying,
    Incremental,
}

/// Words that are followed by a value, with the message if it is missing.
const BEFORE_VALUES: [(&[u8], Value, &[u8]); 4] = [
    (b"-h", Value::Heap, b"Heapsize missing\n"),
    (b"-s", Value::Stack, b"Stacksize missing\n"),
    (b"-gci", Value::Initial, b"Initial heap size missing\n"),
    (b"-gcf", Value::Factor, b"Next heap size factor missing\n"),
];

const SHORT: [(&[u8], Switch); 11] = [
    (b"-b", Switch::BasicValues(true)),
    (b"-sc", Switch::BasicValues(false)),
    (b"-t", Switch::ShowTimes(true)),
    (b"-nt", Switch::ShowTimes(false)),
    (b"-gc", Switch::ShowCollections(true)),
    (b"-ngc", Switch::ShowCollections(false)),
    (b"-st", Switch::ShowStacks(true)),
    (b"-nst", Switch::ShowStacks(false)),
    (b"-nr", Switch::NoResult),
    (b"-gcm", Switch::Nothing),
    (b"-gcc", Switch::Nothing),
];

const LONG: [(&[u8], Switch); 12] = [
    (b"--stats", Switch::Statistics),
    (b"--poison", Switch::Poison),
    (b"--measure", Switch::Measure),
    (b"--force-stackless", Switch::ForceStackless),
    // Its former name.
    (b"--stack-stress", Switch::ForceStackless),
    (b"--no-rts-options", Switch::IgnoreOptions),
    (b"--gc-stress", Switch::Stress),
    (b"--gc=copying", Switch::Collector(Collector::Copying)),
    (b"--gc=generational", Switch::Collector(Collector::Generational)),
    (b"--gc=incremental", Switch::Collector(Collector::Incremental)),
    (b"--flush=line", Switch::Flush(Flush::Line)),
    (b"--flush=block", Switch::Flush(Flush::Block)),
];

/// Beginnings of words whose end is a value.
const WITH_VALUES: [(&[u8], Value); 6] = [
    (b"--gc-stress=", Value::Stress),
    // Former versions asked for a status that the engine takes; programs find out now.
    (b"--failure-status=", Value::Ignored),
    (b"--heap=", Value::Heap),
    (b"--stack=", Value::Stack),
    (b"--engine-stack=", Value::EngineStack),
    (b"--nursery=", Value::Nursery),
];

const DIGIT_EXPECTED: &[u8] = b"Digit expected in argument\n";
const ERROR_IN_ARGUMENT: &[u8] = b"Error in argument\n";

/// Sets the options that the program was built with.
pub fn apply_flags((heap, options): Both, flags: u32, heap_max: u32) {
    options.basic_values |= flags & PROGRAM_FLAG_BASIC != 0;
    options.no_result |= flags & PROGRAM_FLAG_NO_RESULT != 0;
    options.ignore_options |= flags & PROGRAM_FLAG_NO_OPTIONS != 0;
    options.show_times |= flags & PROGRAM_FLAG_TIMES != 0;
    heap.show_gc |= flags & PROGRAM_FLAG_SHOW_GC != 0;
    heap.cycles = flags & PROGRAM_FLAG_CYCLES != 0;
    heap.count_cells = flags & PROGRAM_FLAG_COUNT_CELLS != 0;
    if heap_max != 0 {
        heap.heap_limit = u64::from(heap_max);
    }
}

/// One word that may be an option; the long ones only where `long` says so.
pub fn apply_word(both: Both, word: &[u8], long: bool) -> Parsed {
    if let Some((_, value, missing)) = BEFORE_VALUES.iter().find(|row| row.0 == word) {
        return Parsed::Needs(*value, missing);
    }
    let mut switches = SHORT.iter().chain(if long { &LONG[..] } else { &[] });
    if let Some((_, switch)) = switches.find(|row| row.0 == word) {
        apply_switch(both, *switch);
        return Parsed::Done;
    }
    let values: &[(&[u8], Value)] = if long { &WITH_VALUES } else { &[] };
    match values.iter().find_map(|row| Some((row.1, word.strip_prefix(row.0)?))) {
        Some((value, text)) => apply_value(both, value, text),
        None => Parsed::Unknown,
    }
}

fn apply_switch((heap, options): Both, switch: Switch) {
    match switch {
        Switch::BasicValues(basic) => options.basic_values = basic,
        Switch::ShowTimes(show) => options.show_times = show,
        Switch::ShowCollections(show) => heap.show_gc = show,
        Switch::ShowStacks(show) => options.show_stacks = show,
        Switch::NoResult => options.no_result = true,
        Switch::Nothing => {}
        Switch::Statistics => options.statistics = true,
        Switch::Poison => heap.poison = true,
        Switch::Measure => heap.measure = true,
        Switch::ForceStackless => options.force_stackless = true,
        Switch::IgnoreOptions => options.ignore_options = true,
        Switch::Stress => heap.gc_stress = 1,
        Switch::Collector(collector) => {
            heap.copying = collector == Collector::Copying;
            heap.incremental = collector == Collector::Incremental;
        }
        Switch::Flush(flush) => options.flush = flush,
    }
}

pub fn apply_value((heap, options): Both, value: Value, text: &[u8]) -> Parsed {
    match parse_size(text) {
        Err(message) => return Parsed::Bad(message),
        Ok(size) => match value {
            Value::Heap => heap.heap_limit = size,
            Value::Stack => options.stack_size = size,
            Value::Initial => heap.initial_heap = size,
            Value::Nursery => heap.nursery = size,
            Value::Factor => {}
            Value::Stress => heap.gc_stress = size.min(u64::from(u32::MAX)) as u32,
            Value::Ignored => {}
            Value::EngineStack => options.engine_stack = size,
        },
    }
    Parsed::Done
}

/// A decimal number with an optional suffix k, m or g.
pub fn parse_size(text: &[u8]) -> Result<u64, &'static [u8]> {
    let mut size = 0u64;
    let mut rest = text;
    while let Some((digit @ b'0'..=b'9', after)) = rest.split_first() {
        size = size.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
        rest = after;
    }
    if rest.len() == text.len() {
        return Err(DIGIT_EXPECTED);
    }
    match rest {
        b"" => Ok(size),
        b"k" | b"K" => Ok(size.saturating_mul(1 << 10)),
        b"m" | b"M" => Ok(size.saturating_mul(1 << 20)),
        b"g" | b"G" => Ok(size.saturating_mul(1 << 30)),
        _ => Err(ERROR_IN_ARGUMENT),
    }
}

/// Reads the options of this run into the state. Uses memory where the heap will begin, which nobody needs yet.
pub fn read<C: Context>(c: &mut C) -> Outcome<(), C> {
    let scratch = (c.program(PROGRAM_HEAP_BASE) + 7) & !7;
    read_environment(c, scratch)?;
    if !c.base().options.ignore_options {
        read_arguments(c, scratch)?;
    }
    report::start(c);
    Ok(())
}

/// Longest word that can be an option.
const WORD: usize = 64;

fn read_arguments<C: Context>(c: &mut C, scratch: u32) -> Outcome<(), C> {
    let (count, bytes) = c.arguments_size();
    let text = scratch + 4 * count;
    if count < 2 || !c.grow_to(u64::from(text) + u64::from(bytes)) || !c.load_arguments(scratch, text) {
        return Ok(());
    }
    let mut index = 1;
    while index < count {
        let mut buffer = [0; WORD];
        let word = load_word(c, c.load_u32(scratch + 4 * index), &mut buffer, 0);
        let parsed = apply_word(c.options_mut(), word, false);
        let parsed = match parsed {
            Parsed::Needs(value, missing) => {
                index += 1;
                if index >= count {
                    Parsed::Bad(missing)
                } else {
                    let word = load_word(c, c.load_u32(scratch + 4 * index), &mut buffer, 0);
                    apply_value(c.options_mut(), value, word)
                }
            }
            other => other,
        };
        match parsed {
            Parsed::Unknown => break,
            Parsed::Bad(message) => return refuse(c, message),
            _ => index += 1,
        }
    }
    c.base_mut().own_arguments = index - 1;
    Ok(())
}

fn read_environment<C: Context>(c: &mut C, scratch: u32) -> Outcome<(), C> {
    const NAME: &[u8] = b"CLEAVE_RTS=";
    let (count, bytes) = c.environment_size();
    let text = scratch + 4 * count;
    if count == 0 || !c.grow_to(u64::from(text) + u64::from(bytes)) || !c.load_environment(scratch, text) {
        return Ok(());
    }
    for index in 0..count {
        let mut buffer = [0; WORD];
        let start = c.load_u32(scratch + 4 * index);
        let word = load_word(c, start, &mut buffer, 0);
        if word.starts_with(NAME) {
            return read_variable(c, start + NAME.len() as u32);
        }
    }
    Ok(())
}

/// Words separated by blanks, up to a NUL.
fn read_variable<C: Context>(c: &mut C, start: u32) -> Outcome<(), C> {
    let mut next = start;
    let mut waiting = None;
    loop {
        while c.load_u8(next) == u32::from(b' ') {
            next += 1;
        }
        if c.load_u8(next) == 0 {
            return match waiting {
                Some((_, missing)) => refuse(c, missing),
                None => Ok(()),
            };
        }
        let mut buffer = [0; WORD];
        let word = load_word(c, next, &mut buffer, b' ');
        next += word.len() as u32;
        let options = c.options_mut();
        let parsed = match waiting.take() {
            Some((value, _)) => apply_value(options, value, word),
            None => apply_word(options, word, true),
        };
        match parsed {
            Parsed::Needs(value, missing) => waiting = Some((value, missing)),
            Parsed::Bad(message) => return refuse(c, message),
            Parsed::Unknown => return refuse(c, ERROR_IN_ARGUMENT),
            Parsed::Done => {}
        }
    }
}

/// The text at an address up to a NUL or another end, or as much of it as the buffer holds.
#[inline(never)]
fn load_word<'a, M: Memory>(m: &M, start: u32, buffer: &'a mut [u8; WORD], end: u8) -> &'a [u8] {
    let mut length = 0;
    for place in buffer.iter_mut() {
        let byte = m.load_u8(start + length as u32) as u8;
        if byte == 0 || byte == end {
            break;
        }
        *place = byte;
        length += 1;
    }
    buffer.get(..length).unwrap_or_default()
}

#[cold]
fn refuse<T, C: Context>(c: &mut C, message: &[u8]) -> Outcome<T, C> {
    console::put(c, message);
    console::flush(c);
    Err(c.exit(FAILURE))
}
