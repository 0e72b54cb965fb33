//! The debugger for pages: a line of words is a command, and the answer is the whole state as JSON.
//!
//! ```text
//! state [CALL [CELLS]]      where the program is; the variables are those of that call
//! forward STEP [N]          STEP is a word of `Step`: into, over, line, out, change, …
//! backward STEP [N]
//! time N                    to the state of that time
//! break LINE FILE           stop there
//! clear N
//! ```
//! `State` in `playground/compiler` has the fields of an answer; an object with `error` alone says what was wrong.

use super::json::{array, literal, object, or_null};
use crate::cli::args::{Cli, Command};
use crate::cli::step;
use crate::driver::interpret;
use crate::driver::session::{ErrorReported, Session};
use clap::{CommandFactory, FromArgMatches};
use cleave_diag::json;
use cleave_interp::Program;
use cleave_interp::debug::{Debugger, Object, ObjectKind, Shown, Step, Stop, Where};
use cleave_ir::Location;
use std::collections::BTreeSet;
use std::ffi::OsString;

/// Calls that are listed, and bytes of output: a page shows no more.
const CALLS: usize = 100;
const OUTPUT: usize = 100_000;
/// Cells that are listed unless another number is asked for.
const CELLS: usize = 300;
/// Instructions after which a program that does not stop is interrupted, so that the page can be told.
const PATIENCE: u64 = 20_000_000;

const STEPS: [(&str, Step); 11] = [
    ("inst", Step::Instruction),
    ("into", Step::Into),
    ("over", Step::Over),
    ("line", Step::Line),
    ("out", Step::Out),
    ("alloc", Step::Allocation),
    ("release", Step::Release),
    ("write", Step::Write),
    ("change", Step::Change),
    ("collect", Step::Collection),
    ("end", Step::End),
];

/// A program that is being debugged.
pub struct Conversation {
    session: Session,
    debugger: Debugger<'static>,
    stop: Stop,
    call: usize,
    cells: usize,
}

impl Conversation {
    /// Starts with the words of a command line. The program is never given back: whoever lets go of the conversation
    /// lets go of the memory that it is in. If it cannot start, messages are on stderr, and this is the exit code.
    pub fn start(args: impl IntoIterator<Item = OsString>) -> Result<Conversation, i32> {
        let matches = Cli::command().try_get_matches_from(args);
        let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches)).map_err(|error| {
            let _ = error.print();
            crate::cli::USAGE
        })?;
        let Command::Step(args) = cli.command else { return Err(crate::cli::USAGE) };
        let mut session = Session::new(step::options(&args));
        let opened = step::open(&mut session, &args).and_then(|(module, data_section, options)| {
            let program = Program::with_data_section(Box::leak(Box::new(module)), data_section);
            step::debugger(&mut session, Box::leak(Box::new(program)), options)
        });
        let text = |diagnostic| format!("{}\n", json(diagnostic, &session.sources));
        let messages: String = session.sink.diagnostics().iter().map(text).collect();
        crate::driver::output::write_stderr(&messages);
        let mut debugger = opened.map_err(|ErrorReported| crate::cli::FAILURE)?;
        debugger.set_patience(PATIENCE);
        Ok(Conversation { session, debugger, stop: Stop::Stepped, call: 0, cells: CELLS })
    }

    /// Does what a line asks for.
    pub fn answer(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        match self.obey(&words) {
            Some(()) => self.state(),
            None => object(&[("error", literal(&format!("there is no command `{}`", words.join(" "))))]),
        }
    }

    fn obey(&mut self, words: &[&str]) -> Option<()> {
        let number = |index: usize| words.get(index).and_then(|word| word.parse().ok());
        match words {
            ["state", ..] => {
                self.call = number(1).unwrap_or(0);
                self.cells = number(2).unwrap_or(CELLS);
            }
            [direction @ ("forward" | "backward"), step, ..] => {
                let step = STEPS.iter().find(|(word, _)| word == step)?.1;
                self.call = 0;
                for _ in 0..number(2).unwrap_or(1) {
                    self.stop = match *direction {
                        "forward" => self.debugger.forward(step),
                        _ => self.debugger.backward(step),
                    };
                    if self.stop != Stop::Stepped {
                        break;
                    }
                }
            }
            ["time", time] => {
                self.call = 0;
                self.stop = self.debugger.go_to_time(time.parse().ok()?);
            }
            ["break", line, file @ ..] => {
                let name = file.join(" ");
                let file = self.session.sources.files().position(|(_, file)| file.name == name)?;
                self.debugger.set_breakpoint(Where::Line(u16::try_from(file).ok()?, line.parse().ok()?));
            }
            ["clear", _] => {
                self.debugger.clear_breakpoint(number(1)?);
            }
            _ => return None,
        }
        Some(())
    }

    fn state(&mut self) -> String {
        let stdout = tail(self.debugger.stdout());
        let debugger = &self.debugger;
        let heap = debugger.heap(self.cells);
        let calls = debugger.activations(CALLS).into_iter().map(|call| {
            let [file, line, column] = self.place(call.at);
            object(&[("function", literal(&call.function)), ("file", file), ("line", line), ("column", column)])
        });
        let variables = debugger.variables(self.call).into_iter().map(|variable| {
            let text = literal(&debugger.text(&variable.value));
            object(&[("name", literal(&variable.name)), ("text", text), ("cell", cell_of(&variable.value))])
        });
        let roots = heap.roots.iter().map(|root| {
            object(&[
                ("name", literal(&root.name)),
                ("call", or_null(root.activation)),
                ("cell", root.object.to_string()),
            ])
        });
        let events = debugger
            .events()
            .iter()
            .map(|event| object(&[("kind", literal(event.kind.word())), ("cell", or_null(event.object))]));
        let breakpoints = debugger.breakpoints().map(|(number, point)| {
            let file = match point.wanted {
                Where::Line(file, _) => self.file(file),
                Where::Function(_) => "null".into(),
            };
            object(&[("number", number.to_string()), ("file", file), ("line", or_null(point.line))])
        });
        let ended = debugger.ended().map(|ended| {
            let message = ended.trap.as_ref().map_or_else(String::new, interpret::describe);
            object(&[("status", interpret::status(ended).to_string()), ("message", literal(&message))])
        });
        // What was just given back is seen once more.
        let touched: BTreeSet<u32> = debugger.events().iter().filter_map(|event| event.object).collect();
        let freed = touched.into_iter().filter_map(|cell| debugger.object(cell));
        let freed: Vec<Object> = freed.filter(|cell| cell.kind == ObjectKind::Free).collect();
        let cells = heap.objects.iter().chain(&freed).enumerate();
        let cells = cells.map(|(number, cell)| self.cell(cell, number < heap.named));
        object(&[
            ("stop", literal(stop_word(self.stop))),
            ("time", debugger.time().to_string()),
            ("ended", or_null(ended)),
            ("depth", debugger.depth().to_string()),
            ("calls", array(calls)),
            ("call", self.call.to_string()),
            ("variables", array(variables)),
            ("instruction", literal(&debugger.instruction(self.call).unwrap_or_default())),
            ("roots", array(roots)),
            ("cells", array(cells)),
            ("cut", heap.is_cut.to_string()),
            ("events", array(events)),
            ("collections", debugger.collections().to_string()),
            ("breakpoints", array(breakpoints)),
            ("stdout", literal(&stdout)),
            ("stderr", literal(&tail(debugger.stderr()))),
        ])
    }

    fn cell(&self, cell: &Object, is_named: bool) -> String {
        let fields = cell
            .fields
            .iter()
            .map(|field| object(&[("text", literal(&self.debugger.text(field))), ("cell", cell_of(field))]));
        let text = match (&cell.text, cell.kind) {
            (Some(bytes), _) => literal(&String::from_utf8_lossy(&bytes[..bytes.len().min(80)])),
            (None, ObjectKind::Basic) => literal(&self.debugger.object_text(cell)),
            _ => "null".into(),
        };
        object(&[
            ("address", cell.address.to_string()),
            ("kind", literal(cell.kind.word())),
            ("name", literal(&cell.name)),
            ("count", or_null(cell.count)),
            ("named", is_named.to_string()),
            ("static", cell.is_static.to_string()),
            ("fields", array(fields)),
            ("text", text),
            ("more", cell.more.to_string()),
        ])
    }

    /// File, line and column; null if the place is not known.
    fn place(&self, at: Location) -> [String; 3] {
        if !at.is_known() {
            return std::array::from_fn(|_| "null".into());
        }
        [self.file(at.file), at.line.to_string(), at.column.to_string()]
    }

    fn file(&self, number: u16) -> String {
        let file = self.session.sources.files().nth(number.into());
        file.map_or_else(|| "null".into(), |(_, file)| literal(&file.name))
    }
}

fn stop_word(stop: Stop) -> &'static str {
    match stop {
        Stop::Stepped => "stepped",
        Stop::Breakpoint(_) => "breakpoint",
        Stop::Ended => "ended",
        Stop::Beginning => "beginning",
        Stop::Limit => "limit",
    }
}

fn cell_of(value: &Shown) -> String {
    match value {
        Shown::Object(address) => address.to_string(),
        _ => "null".into(),
    }
}

/// The end of some output.
fn tail(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(OUTPUT)..]).into_owned()
}
