//! The commands of the stepper: their words, and what each does.

use super::show;
use cleave_diag::{FileId, SourceMap, nearest};
use cleave_interp::debug::{Debugger, Shown, Step, Stop, Where};
use std::io::{BufRead, Result, Write};

/// A command: its word, a short one, its operands, and what it does.
struct Word {
    name: &'static str,
    short: &'static str,
    operands: &'static str,
    help: &'static str,
}

const fn word(name: &'static str, short: &'static str, operands: &'static str, help: &'static str) -> Word {
    Word { name, short, operands, help }
}

const WORDS: &[Word] = &[
    word("step", "s", "[N]", "to the next place of the source, into calls"),
    word("over", "o", "[N]", "the same, but calls are one step"),
    word("line", "l", "[N]", "to the next line; calls are one step"),
    word("out", "u", "[N]", "until the function has returned"),
    word("inst", "i", "[N]", "to the next instruction of the IR"),
    word("alloc", "a", "[N]", "until a cell was taken from the heap, or used again"),
    word("release", "r", "[N]", "until a reference was given up, or a cell"),
    word("write", "w", "[N]", "until a cell was overwritten"),
    word("change", "x", "[N]", "until a cell is new, gone, used again or overwritten"),
    word("collect", "g", "[N]", "until garbage was collected"),
    word("run", "c", "", "to the next breakpoint, or the end"),
    word("back", "b", "[STEP] [N]", "back to where such a step ended before: back, back over, back alloc 3, back run"),
    word("restart", "", "", "back to the beginning"),
    word("goto", "", "TIME", "to the state of that time, forwards or backwards"),
    word("break", "k", "[FILE:]LINE | FUNCTION", "stop there; without operand: list the breakpoints"),
    word("clear", "", "N", "take a breakpoint away"),
    word("print", "p", "NAME | #CELL", "show a variable, a value of the IR (v7), or a cell"),
    word("vars", "v", "", "show the variables of this call"),
    word("stack", "t", "[N]", "show the innermost calls"),
    word("frame", "f", "N", "look at another call: 0 is the innermost"),
    word("heap", "h", "[N]", "draw the cells that live, at most N"),
    word("where", "", "", "show where the program is"),
    word("source", "", "[N]", "show the source around, N lines on each side"),
    word("ir", "", "", "show the next instruction"),
    word("output", "", "", "show everything that the program has printed"),
    word("counts", "", "", "show how often cells were allocated, reused, freed"),
    word("help", "?", "[COMMAND]", "list the commands, or explain one"),
    word("quit", "q", "", "leave"),
];

/// Cells that `heap` draws, and calls that `stack` shows.
const CELLS: usize = 40;
const CALLS: usize = 20;
/// Lines around the place that `source` shows.
const AROUND: u32 = 4;

/// A conversation.
pub struct Terminal<'t, 'p> {
    pub(super) debugger: Debugger<'p>,
    pub(super) sources: &'t SourceMap,
    pub(super) out: &'t mut dyn Write,
    is_terminal: bool,
    /// The call that is looked at.
    pub(super) frame: usize,
    /// Bytes of the program's output that were shown.
    pub(super) shown: [usize; 2],
}

impl<'t, 'p> Terminal<'t, 'p> {
    pub fn new(
        debugger: Debugger<'p>,
        sources: &'t SourceMap,
        out: &'t mut dyn Write,
        is_terminal: bool,
    ) -> Terminal<'t, 'p> {
        Terminal { debugger, sources, out, is_terminal, frame: 0, shown: [0, 0] }
    }

    /// Until `quit`, or the end of the input.
    pub fn talk(&mut self, input: &mut dyn BufRead) -> Result<()> {
        if self.is_terminal {
            writeln!(self.out, "`help` lists the commands, `quit` ends; an empty line repeats the last command.")?;
        }
        self.place()?;
        let mut last = String::new();
        loop {
            if self.is_terminal {
                write!(self.out, "> ")?;
            }
            self.out.flush()?;
            let mut bytes = Vec::new();
            if input.read_until(b'\n', &mut bytes)? == 0 {
                return if self.is_terminal { writeln!(self.out) } else { Ok(()) };
            }
            let line = String::from_utf8_lossy(&bytes).trim().to_string();
            if !self.is_terminal && !line.is_empty() && !line.starts_with("//") {
                writeln!(self.out, "> {line}")?;
            }
            let line = match line.as_str() {
                "" if self.is_terminal => last.clone(),
                _ => line,
            };
            if line.is_empty() || line.starts_with("//") {
                continue;
            }
            if !self.perform(&line)? {
                return Ok(());
            }
            last = line;
        }
    }

    /// Does what a line says; false if that was to leave.
    fn perform(&mut self, line: &str) -> Result<bool> {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        let operands: Vec<&str> = words.collect();
        let Some(word) = find(name) else {
            self.unknown(name)?;
            return Ok(true);
        };
        let most = match word.name {
            "back" => 2,
            _ if word.operands.is_empty() => 0,
            _ => 1,
        };
        if operands.len() > most {
            self.usage(word)?;
            return Ok(true);
        }
        let operand = operands.first().copied();
        match word.name {
            "quit" => return Ok(false),
            "help" => self.help(operand)?,
            "back" => self.back(word, &operands)?,
            "run" => self.forward(Step::End, 1)?,
            "restart" => {
                while self.debugger.backward(Step::End) != Stop::Beginning {}
                self.arrived(Stop::Beginning)?;
            }
            "goto" => match operand.and_then(|text| text.parse().ok()) {
                Some(time) => {
                    let stop = self.debugger.go_to_time(time);
                    self.arrived(stop)?;
                }
                None => self.usage(word)?,
            },
            "break" => self.set_breakpoint(word, operand)?,
            "clear" => match operand.and_then(|text| text.parse::<usize>().ok()) {
                Some(number) if number > 0 && self.debugger.clear_breakpoint(number - 1) => {}
                Some(number) => writeln!(self.out, "there is no breakpoint {number}; `break` lists them")?,
                None => self.usage(word)?,
            },
            "print" => match operand {
                Some(name) => self.print(name)?,
                None => self.usage(word)?,
            },
            "vars" => self.variables()?,
            "frame" => match operand.and_then(|text| text.parse().ok()) {
                Some(number) if number < self.debugger.depth() => {
                    self.frame = number;
                    self.place()?;
                }
                Some(number) => {
                    let depth = self.debugger.depth();
                    writeln!(self.out, "there is no call {number}: the stack has {depth}, counted from 0")?;
                }
                None => self.usage(word)?,
            },
            "where" => self.place()?,
            "ir" => match self.debugger.instruction(self.frame) {
                Some(text) => writeln!(self.out, "  {text}")?,
                None => writeln!(self.out, "the program has ended")?,
            },
            "output" => self.all_output()?,
            "counts" => self.counts()?,
            "stack" | "heap" | "source" => match (word.name, number(operand)) {
                (_, Err(())) => self.usage(word)?,
                ("stack", Ok(most)) => self.stack(most.unwrap_or(CALLS))?,
                ("heap", Ok(most)) => self.heap(most.unwrap_or(CELLS))?,
                (_, Ok(around)) => {
                    self.source(around.map_or(AROUND, |around| around.try_into().unwrap_or(u32::MAX)))?
                }
            },
            name => match (step_of(name), number(operand)) {
                (Some(step), Ok(times)) => self.forward(step, times.unwrap_or(1))?,
                _ => self.usage(word)?,
            },
        }
        Ok(true)
    }

    fn forward(&mut self, step: Step, times: usize) -> Result<()> {
        if self.debugger.ended().is_some() {
            return writeln!(self.out, "the program has ended; `back` goes back, `restart` to the beginning");
        }
        let mut stop = Stop::Stepped;
        for _ in 0..times {
            stop = self.debugger.forward(step);
            if stop != Stop::Stepped {
                break;
            }
        }
        self.arrived(stop)
    }

    fn back(&mut self, word: &Word, operands: &[&str]) -> Result<()> {
        let (step, times) = match *operands {
            [] => (Some(Step::Into), Some(1)),
            [one] => match one.parse() {
                Ok(times) => (Some(Step::Into), Some(times)),
                Err(_) => (find(one).and_then(|word| step_of(word.name)), Some(1)),
            },
            [one, times] => (find(one).and_then(|word| step_of(word.name)), times.parse::<usize>().ok()),
            _ => (None, None),
        };
        let (Some(step), Some(times)) = (step, times) else { return self.usage(word) };
        let mut stop = Stop::Stepped;
        for _ in 0..times {
            stop = self.debugger.backward(step);
            if stop != Stop::Stepped {
                break;
            }
        }
        self.arrived(stop)
    }

    fn set_breakpoint(&mut self, word: &Word, operand: Option<&str>) -> Result<()> {
        let Some(text) = operand else { return self.breakpoints() };
        let (file, line) = match text.rsplit_once(':') {
            Some((file, line)) => (Some(file), line),
            None => (None, text),
        };
        let wanted = match (line.parse::<u32>(), file) {
            (Ok(line), file) => {
                let Some(file) = self.file(file) else {
                    return writeln!(self.out, "the program has no file `{}`", file.unwrap_or_default());
                };
                Where::Line(file, line)
            }
            (Err(_), _) => Where::Function(text.to_string()),
        };
        let is_line = matches!(wanted, Where::Line(..));
        match self.debugger.set_breakpoint(wanted) {
            Some(_) => self.breakpoints(),
            None if is_line => writeln!(self.out, "there is no code at line {line}, nor soon after it"),
            None => {
                let module = self.debugger.program().module;
                let names = module.funcs.values().map(|func| func.name.as_bytes());
                write!(self.out, "there is no function `{text}`")?;
                match nearest(text.as_bytes(), names) {
                    Some(name) => writeln!(self.out, "; did you mean `{}`?", String::from_utf8_lossy(name)),
                    None => writeln!(self.out, "; {}", word.operands),
                }
            }
        }
    }

    /// The number of a file of the program, by the end of its name; without a name the one that is shown, or the first.
    fn file(&self, name: Option<&str>) -> Option<u16> {
        let Some(name) = name else {
            let at = self.debugger.activation(self.frame).map(|activation| activation.at);
            return Some(at.filter(|at| at.is_known()).map_or(0, |at| at.file));
        };
        let is_it = |file: &str| file == name || file.ends_with(&format!("/{name}"));
        let found = self.sources.files().find(|(_, file)| is_it(&file.name));
        found.and_then(|(FileId(number), _)| u16::try_from(number).ok())
    }

    fn print(&mut self, name: &str) -> Result<()> {
        if let Some(digits) = name.strip_prefix('#') {
            let address = u32::from_str_radix(digits, 16).ok();
            return match address.and_then(|address| self.debugger.object(address)) {
                Some(object) => self.object(&object),
                None => writeln!(self.out, "there is no cell `{name}`"),
            };
        }
        match self.debugger.variable(self.frame, name) {
            Some(value) => {
                let text = show::value(&self.debugger, &value);
                writeln!(self.out, "{name} = {text}")?;
                match value {
                    Shown::Object(address) => match self.debugger.object(address) {
                        Some(object) => self.object(&object),
                        None => Ok(()),
                    },
                    _ => Ok(()),
                }
            }
            None => {
                let known = self.debugger.variables(self.frame);
                write!(self.out, "`{name}` is not known here")?;
                match nearest(name.as_bytes(), known.iter().map(|variable| variable.name.as_bytes())) {
                    Some(name) => writeln!(self.out, "; did you mean `{}`?", String::from_utf8_lossy(name)),
                    None => writeln!(self.out, "; `vars` lists what is"),
                }
            }
        }
    }

    fn unknown(&mut self, name: &str) -> Result<()> {
        write!(self.out, "there is no command `{name}`")?;
        match nearest(name.as_bytes(), WORDS.iter().map(|word| word.name.as_bytes())) {
            Some(name) => writeln!(self.out, "; did you mean `{}`?", String::from_utf8_lossy(name)),
            None => writeln!(self.out, "; `help` lists them"),
        }
    }

    fn usage(&mut self, word: &Word) -> Result<()> {
        writeln!(self.out, "`{}` is used as: {} {}", word.name, word.name, word.operands)
    }

    fn help(&mut self, name: Option<&str>) -> Result<()> {
        let Some(name) = name else {
            for word in WORDS {
                writeln!(
                    self.out,
                    "  {:<2} {:<30} {}",
                    word.short,
                    format!("{} {}", word.name, word.operands),
                    word.help
                )?;
            }
            return writeln!(self.out, "  A step with a number N is done N times.");
        };
        match find(name) {
            Some(word) => {
                let short = if word.short.is_empty() { String::new() } else { format!(" (short: {})", word.short) };
                writeln!(self.out, "{} {}{short}: {}", word.name, word.operands, word.help)
            }
            None => self.unknown(name),
        }
    }
}

fn find(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name == name || !word.short.is_empty() && word.short == name)
}

fn number(operand: Option<&str>) -> std::result::Result<Option<usize>, ()> {
    operand.map(|text| text.parse().map_err(drop)).transpose()
}

/// The step that a command makes.
fn step_of(name: &str) -> Option<Step> {
    Some(match name {
        "step" => Step::Into,
        "over" => Step::Over,
        "line" => Step::Line,
        "out" => Step::Out,
        "inst" => Step::Instruction,
        "alloc" => Step::Allocation,
        "release" => Step::Release,
        "write" => Step::Write,
        "change" => Step::Change,
        "collect" => Step::Collection,
        "run" => Step::End,
        _ => return None,
    })
}
