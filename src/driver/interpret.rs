//! Programs and functions in the IR interpreter: `run --interp`, `interp`; and reading IR text.

use crate::driver::input;
use crate::driver::session::{self, Outcome, Target};
use crate::driver::{ir_constants, ir_declared, ir_places, pipeline, rc_report, trace};
use crate::languages;
use crate::languages::frontend::Names;
use cleave_diag::{Diagnostic, FileId, Span, code};
use cleave_interp::debug::Ended as Ending;
use cleave_interp::{Options, Program, RcStats, Session, Trap, Val};
use cleave_ir::verify::{self, Location, VerifyError};
use cleave_ir::{FuncId, Heap, Module, Opcode, Phase, Type, Value, text};
use cleave_passes::memory;
use cleave_passes::rc_insertion::Unsupported;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::Path;

/// More that a heap refuses is not listed.
const MOST_REFUSED: usize = 20;

/// How an interpreted program ended.
pub struct Ended {
    pub status: i32,
    pub collections: u64,
    /// Instructions of the IR that it executed.
    pub steps: u64,
    /// With `count_opcodes`: spills, restores and emptied slots, as often as they were executed.
    pub executed: Vec<(&'static str, u64)>,
    /// Of a program that counts its references: how often it did what.
    pub cells: Option<RcStats>,
    /// Why something that the program wrote to standard output is lost, as the system numbers it.
    pub lost: Option<i32>,
    /// An error of the program or of the IR, in words.
    pub message: Option<String>,
    /// The functions that were active then, as the lines of a text.
    pub trace: String,
}

/// Runs a program on the real stdin, stdout and stderr; `names` are for its errors.
pub fn run(module: &Module, mut options: Options, names: Option<&dyn Names>) -> Ended {
    options.pass_through = true;
    let outcome = outcome(module, options);
    let message = outcome.trap.as_ref().map(describe);
    let status = status_of(outcome.trap.as_ref(), outcome.status);
    let count = |op: Opcode| outcome.executed.get(op as usize).map(|&count| (op.name(), count));
    let executed = [Opcode::Spill, Opcode::Restore, Opcode::ClearSlot].into_iter().filter_map(count).collect();
    let is_rc = module.heap.counts() && module.funcs.values().any(|func| func.phase == Phase::Rooted);
    let lost = outcome.lost;
    let is_error = trace::is_error(outcome.trap.as_ref(), status);
    let trace = if is_error { trace::of_interpreted(names, &outcome.active) } else { String::new() };
    Ended {
        trace,
        status,
        lost,
        collections: outcome.collections,
        steps: outcome.steps,
        executed,
        cells: is_rc.then_some(outcome.counters),
        message,
    }
}

/// Runs a program without input, and keeps what it writes.
pub fn captured(module: &Module) -> cleave_interp::Outcome {
    outcome(module, Options::default())
}

/// With the data section that a target gets: low IR contains its addresses.
fn outcome(module: &Module, options: Options) -> cleave_interp::Outcome {
    let module = &*cleave_interp::expanded(module);
    let program = Program::with_data_section(
        module,
        pipeline::build_data_section(module, Target::Wasm, cleave_interp::data_section_options(&options)),
    );
    match Session::new(&program, options) {
        Ok(session) => session.run_program(),
        Err(trap) => cleave_interp::Outcome::not_started(trap),
    }
}

/// The status of a program that was looked at.
pub fn status(ended: &Ending) -> i32 {
    status_of(ended.trap.as_ref(), ended.status)
}

/// As of the compiled program, whatever the machine says of its faults.
pub fn status_of(trap: Option<&Trap>, status: i32) -> i32 {
    match trap {
        Some(Trap::DivideByZero | Trap::IntegerOverflow | Trap::StackOverflow) => 255,
        _ => status,
    }
}

/// In the words that the compiled program uses.
pub fn describe(trap: &Trap) -> String {
    match trap {
        Trap::DivideByZero => "Integer division by zero.".into(),
        Trap::IntegerOverflow => "Integer overflow in division.".into(),
        Trap::StackOverflow => "Stack overflow.".into(),
        other => format!("cleave: {other}"),
    }
}

/// Calls a function with arguments in text form; gives its results in text form, or says why there are none, with the
/// functions that were active, if they have `names`.
pub fn call(
    module: &Module,
    name: &str,
    arguments: &[String],
    names: Option<&dyn Names>,
) -> Result<Vec<String>, String> {
    let found = module.funcs.iter().find(|(_, func)| func.name == name);
    let (id, func) = found.ok_or(format!("there is no function @{name}"))?;
    let types = &func.signature.params;
    if types.len() != arguments.len() {
        return Err(format!("@{name} takes {} arguments: {}", types.len(), func.signature));
    }
    let values: Result<Vec<Val>, String> = types.iter().zip(arguments).map(|(ty, text)| value(*ty, text)).collect();
    let values = values?;
    let options = Options::default();
    let (module, id) = cleave_interp::expanded_for(module, id);
    let (module, name) = (&*module, &module.funcs[id].name);
    let program = Program::with_data_section(
        module,
        pipeline::build_data_section(module, Target::Wasm, cleave_interp::data_section_options(&options)),
    );
    let mut session = Session::new(&program, options).map_err(|trap| describe(&trap))?;
    let results = session.call(name, &values).map_err(|trap| {
        // What the program itself has said of its error is all that there is to say.
        let said = String::from_utf8_lossy(&session.take_output()).into_owned();
        let message = match &trap {
            Trap::Exit(_) if !said.is_empty() => said,
            Trap::Exit(_) => trap.to_string(),
            trap => format!("{said}{}", describe(trap)),
        };
        let is_error = trace::is_error(Some(&trap), trap.status());
        let trace = if is_error { trace::of_interpreted(names, &session.active()) } else { String::new() };
        format!("{}\n{trace}", message.trim_end()).trim_end().to_string()
    })?;
    Ok(results.iter().map(ToString::to_string).collect())
}

fn value(ty: Type, text: &str) -> Result<Val, String> {
    let wrong = || format!("`{text}` is no {ty}");
    match ty {
        Type::I32 => text.parse().map(Val::I32).map_err(|_| wrong()),
        Type::I64 => text.parse().map(Val::I64).map_err(|_| wrong()),
        Type::F64 => text.parse().map(Val::F64).map_err(|_| wrong()),
        Type::Ref => Err("references cannot be given as arguments".into()),
    }
}

/// Reads IR from a file (`-`: stdin) and checks it.
pub fn read_ir(session: &mut session::Session, path: &Path) -> Outcome<Module> {
    let given = session.given.take().filter(|_| path == Path::new(input::STDIN));
    let bytes = given.map_or_else(|| input::read_given(path), Ok).map_err(|error| {
        let unreadable = input::unreadable(path, &error);
        let is_folder = error.kind() == std::io::ErrorKind::IsADirectory;
        session.fail(if is_folder { unreadable.help("name a file of IR") } else { unreadable })
    })?;
    let file = session.sources.add(input::shown(path), bytes);
    ir_of(session, file, path)
}

/// The IR in a file that has been read, once it is checked.
pub fn ir_of(session: &mut session::Session, file: FileId, path: &Path) -> Outcome<Module> {
    let content = String::from_utf8(session.sources.file(file).bytes.clone());
    let Ok(content) = content else {
        let diagnostic = Diagnostic::error(code::IR_SYNTAX, "this is no text").at(Span::new(file, 0, 0), "");
        return Err(session.fail(diagnostic));
    };
    let before = session.sink.clone();
    let module = checked(session, file, path, &content, &content);
    if module.is_err() {
        ir_declared::find(session, file, path, &content, &before);
    }
    module
}

/// The IR of a text once it is checked; what is wrong with it is said at the lines of `content`, from which it differs
/// within a line.
pub fn checked(
    session: &mut session::Session,
    file: FileId,
    path: &Path,
    content: &str,
    text: &str,
) -> Outcome<Module> {
    let (mut module, lines, unread, headless) = match text::parse_module_partly(text) {
        Ok((module, lines)) => (module, lines, BTreeSet::new(), BTreeSet::new()),
        Err(text::Refused { errors, partly }) => {
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            let is_other = languages::ALL.iter().any(|language| language.extensions().contains(&ending));
            // A text in another language has as many errors as lines.
            for error in errors.into_iter().take(if is_other { 1 } else { usize::MAX }) {
                let start = offset(content, error.line, error.column);
                let rest = &content[start..];
                let word = rest.find(|c: char| !c.is_alphanumeric() && !"_.@$&^%~".contains(c)).unwrap_or(rest.len());
                let end = start + word.max(rest.chars().next().map_or(0, char::len_utf8));
                let mistake = error.is_of_name.then(|| error.message.clone());
                let mut diagnostic = Diagnostic { mistake, ..Diagnostic::error(code::IR_SYNTAX, error.message) };
                if is_other {
                    diagnostic = Diagnostic::error(code::IR_SYNTAX, "this is no IR in text form");
                    diagnostic = diagnostic.help(format!(
                        "`cleave run` and `cleave build` take .{ending} files; `cleave run --interp high` interprets them"
                    ));
                }
                session.sink.report(diagnostic.at(Span::new(file, start as u32, end as u32), ""));
            }
            // What can be read is verified all the same.
            let Some(partly) = partly.filter(|_| !is_other) else { return Err(session::ErrorReported) };
            (partly.module, partly.lines, partly.unread, partly.headless)
        }
    };
    let mut wrong = match verify::verify_module(&module) {
        Ok(()) => verify::declarations::externs(&module, &languages::runtime()),
        Err(errors) => errors,
    };
    let is_new = |new: &VerifyError| !matches!(new.at, Location::Item(_)) || wrong.iter().all(|old| old.at != new.at);
    let shapes: Vec<VerifyError> = verify::shapes::check(&module).into_iter().filter(is_new).collect();
    wrong.extend(shapes);
    let line_at = |line: u32| {
        let start = offset(content, line, 1);
        let line = content[start..].lines().next().unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        Span::new(file, (start + indent) as u32, (start + line.trim_end().len()) as u32)
    };
    let at = |diagnostic: Diagnostic, line: Option<u32>, func: &str| {
        let Some(line) = line else { return diagnostic };
        diagnostic.at(line_at(line), if func.is_empty() { String::new() } else { format!("in @{func}") })
    };
    let by_name: FxHashMap<&str, FuncId> = module.funcs.iter().map(|(id, func)| (&*func.name, id)).collect();
    // One message for a line, and for a value: the others follow from it.
    let mut told: BTreeSet<(String, String)> = BTreeSet::new();
    // What wrong instructions result in: whoever takes that may be wrong because of them alone.
    let mut doubtful: BTreeSet<(&str, Value)> = BTreeSet::new();
    let mut last = None;
    for error in wrong.iter().filter(|error| !unread.contains(&error.func)) {
        let id = by_name.get(&*error.func).copied();
        let (line, message) = (lines.of_error(id, error), lines.message(id, error));
        let func = id.map(|id| &module.funcs[id]);
        let (takes, makes) = match (func, error.at) {
            (Some(func), Location::Inst(_, inst)) => (func.args(inst), func.results(inst)),
            _ => Default::default(),
        };
        let called = match (func, error.at) {
            (Some(func), Location::Inst(_, inst)) => ir_places::called(&func.insts[inst]),
            _ => None,
        };
        let values = values_of(&error.message).map(|value| (error.func.clone(), value.to_string()));
        let values: Vec<_> = values.collect();
        let is_same_line = line.is_some() && line == last && !error.func.is_empty();
        let is_told = is_same_line
            || ir_places::follows(&module, func, error, &wrong, &headless)
            || called.is_some_and(|called| headless.contains(&module.funcs[called].name))
            || values.iter().any(|value| told.contains(value))
            || takes.iter().any(|&value| doubtful.contains(&(&*error.func, value)))
            || numbers_of(&error.message).any(|value| doubtful.contains(&(&*error.func, value)));
        told.extend(values);
        doubtful.extend(makes.iter().map(|&value| (&*error.func, value)));
        last = line.or(last);
        if is_told {
            continue;
        }
        if let (Some(id), Some(constant)) = (id, func.and_then(|func| ir_constants::wrong(&module, func, error))) {
            let (place, place_of_use) = (lines.line(id, constant.at), lines.line(id, error.at));
            let message = lines.message(Some(id), &VerifyError { message: constant.message(), ..error.clone() });
            let (place, text) = (line_at(place), session.sources.text(line_at(place)));
            session.sink.report(constant.diagnostic(message, place, &text, line_at(place_of_use)));
            continue;
        }
        // What the module does not say is one mistake, wherever it is needed.
        let is_of_module = message == verify::NO_IMMEDIATES;
        let mistake = is_of_module.then(|| message.clone());
        let diagnostic = Diagnostic { mistake, ..Diagnostic::error(code::IR_INVALID, message) };
        let help = "a line `immediates` before the functions says so";
        let diagnostic = if is_of_module { diagnostic.help(help) } else { diagnostic };
        let diagnostic = at(diagnostic, line, &error.func);
        let diagnostic = match id {
            Some(id) => {
                ir_places::mark(diagnostic, (&module, &lines), (id, &module.funcs[id]), error, |it, line, text| {
                    it.and(line_at(line), text)
                })
            }
            None => match ir_places::descriptor(&module, &lines, error) {
                Some((line, text)) => diagnostic.and(line_at(line), text),
                None => diagnostic,
            },
        };
        session.sink.report(diagnostic);
    }
    session.check()?;
    // What the heap refuses, all of it: whoever goes on is told of the first alone.
    let heap = session.options.memory.unwrap_or(module.heap);
    let refused = if heap.counts() { refused_by(heap, &module) } else { Vec::new() };
    for refused in refused.into_iter().take(MOST_REFUSED) {
        let func = by_name.get(&*refused.func).copied();
        let line = func.map(|id| lines.line(id, refused.at)).filter(|&line| line > 0);
        let diagnostic = rc_report::refused(&refused);
        session.sink.report(at(diagnostic, line, &refused.func));
    }
    session.check()?;
    let mut starts = content.split_inclusive('\n').scan(0, |end, line| {
        let start = *end;
        *end += line.len();
        Some((start, line.trim_end().len()))
    });
    let mut next = 1;
    for (id, func) in &module.funcs {
        let line = lines.line(id, Location::Func);
        let Some((start, length)) = line.checked_sub(next).and_then(|skipped| starts.nth(skipped as usize)) else {
            continue;
        };
        next = line + 1;
        session.ir_functions.insert(func.name.clone(), Span::new(file, start as u32, (start + length) as u32));
    }
    if session.options.locations || session.options.error_lines {
        lines.locate(&mut module, &session.sources.file(file).name);
    }
    Ok(module)
}

/// The values that a message of the verifier names.
fn values_of(message: &str) -> impl Iterator<Item = &str> {
    let words = message.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.strip_prefix('v').is_some_and(|number| number.parse::<u32>().is_ok()))
}

fn numbers_of(message: &str) -> impl Iterator<Item = Value> {
    values_of(message).filter_map(|value| Some(Value::from_u32(value[1..].parse().ok()?)))
}

/// What a heap refuses of a module that may be written for the other one.
fn refused_by(heap: Heap, module: &Module) -> Vec<Unsupported> {
    let mut module = module.clone();
    module.heap = heap;
    module.suit_externs_to_heap();
    memory::of(heap).check_all(&module)
}

/// Byte offset of a line and column, both from 1.
fn offset(text: &str, line: u32, column: u32) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    let rest = &text[start..];
    let within: usize = rest.chars().take(column.saturating_sub(1) as usize).map(char::len_utf8).sum();
    (start + within).min(text.len())
}
