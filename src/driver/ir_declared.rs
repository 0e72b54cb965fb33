//! Signatures of IR that are declared wrong: a function all of whose `ret` give something else than its head says, a
//! table whose functions all have another signature; and constants of another type than all their uses want. The text
//! is checked again with what they say, and what makes several messages go is said once (`cleave_strict::blame`).

use crate::driver::session::Session;
use crate::driver::{interpret, ir_params};
use cleave_diag::{Diagnostic, FileId, Sink, Span, code};
use cleave_ir::verify::{Item, Location};
use cleave_ir::{Func, Opcode, Type, text};
use cleave_strict::blame::{self, Declared};
use std::path::Path;

/// Longer texts are not read again.
const LONGEST: usize = 64 << 10;
/// Bytes that all trials read together, at most: a fiftieth of a second, which who types does not notice.
const MOST_READ: usize = 1 << 20;

/// A declaration that may be wrong, and the text with another one.
struct Candidate {
    declared: Declared,
    /// Of a constant: the types that it has and should have.
    constant: Option<[Type; 2]>,
    text: String,
}

/// The instructions for constants, and what they make.
const CONSTANTS: [(&str, Type); 3] = [("iconst.i32", Type::I32), ("iconst.i64", Type::I64), ("fconst", Type::F64)];

/// Says which declaration is wrong, and what is wrong without that.
pub fn find(session: &mut Session, file: FileId, path: &Path, content: &str, before: &Sink) {
    let errors = session.sink.error_count();
    if content.len() > LONGEST || errors < before.error_count() + 2 {
        return;
    }
    let now = session.sink.clone();
    let mut trials = Vec::new();
    let most = MOST_READ / content.len().max(1);
    let mut tried = candidates(file, content, most);
    tried.extend(constants(file, content, &now, most.saturating_sub(tried.len())));
    let params = ir_params::candidates(file, content, &now, most.saturating_sub(tried.len()));
    tried.extend(params.into_iter().map(|(declared, text)| Candidate { declared, constant: None, text }));
    for Candidate { declared, constant, text } in tried {
        session.sink = before.clone();
        // Its messages are what counts.
        let _ = interpret::checked(session, file, path, content, &text);
        let trial = std::mem::take(&mut session.sink);
        if let Some(gone) = blame::gone(&now, &trial, declared.place, 2) {
            trials.push((trial.error_count(), declared, (trial, gone, constant)));
        }
    }
    session.sink = match blame::best(trials) {
        Some((declared, (mut rest, gone, Some(types)))) => {
            rest.report(of_constant(&declared, types, &gone));
            rest
        }
        Some((declared, (mut rest, gone, None))) => {
            rest.report(of_head(&declared, &gone, content));
            rest
        }
        None => now,
    };
}

/// The first ones, `most` at most: each has the whole text.
fn candidates(file: FileId, content: &str, most: usize) -> Vec<Candidate> {
    let (module, lines) = match text::parse_module_partly(content) {
        Ok((module, lines)) => (module, lines),
        Err(refused) => match refused.partly {
            Some(partly) => (partly.module, partly.lines),
            None => return Vec::new(),
        },
    };
    // Where a line is, and its text.
    let line = |number: u32| {
        let start: usize = content.split_inclusive('\n').take((number as usize).checked_sub(1)?).map(str::len).sum();
        Some((start, content[start..].lines().next()?))
    };
    let mut found = Vec::new();
    // `own` is what stands in the line there; `written` goes to its place, and means `wanted`.
    let mut add = |what, (start, own): (usize, &str), from: usize, written: String, wanted: String| {
        if found.len() == most {
            return;
        }
        let from = start + from;
        let place = Span::new(file, from as u32, (from + own.trim_end().len()) as u32);
        let text = format!("{}{written}{}", &content[..from], &content[from + own.len()..]);
        let has = own.trim_start_matches("->").trim();
        let has = if has.is_empty() { "nothing" } else { has }.to_string();
        found.push(Candidate { declared: Declared::with_type(what, place, has, wanted), constant: None, text });
    };
    for (id, func) in &module.funcs {
        let (Some((start, head)), Some(given)) = (line(lines.line(id, Location::Func)), returned(func)) else {
            continue;
        };
        if let Some((from, to)) = results(head).filter(|_| given[..] != func.signature.results[..]) {
            let names: Vec<&str> = given.iter().map(|ty| ty.name()).collect();
            let what = format!("the result of `@{}`", func.name);
            let (written, wanted) = match &names[..] {
                [] => (String::new(), "nothing".to_string()),
                names => (format!("-> {} ", names.join(", ")), names.join(", ")),
            };
            add(what, (start, &head[from..to]), from, written, wanted);
        }
    }
    for (id, table) in &module.tables {
        let mut signatures = table.funcs.iter().filter_map(|&func| Some(&module.funcs.get(func)?.signature));
        let Some(first) = signatures.next().filter(|&first| *first != table.signature) else { continue };
        let old = table.signature.to_string();
        if signatures.all(|other| other == first)
            && let Some((start, head)) = lines.item(Item::Table(id)).and_then(line)
            && let Some(from) = head.find(&old)
        {
            add(format!("`%{}`", table.label), (start, &old), from, first.to_string(), first.to_string());
        }
    }
    found
}

/// Constants in lines `v0 = iconst.i64 1` that stand in at least two lines with messages, as each of the other types.
fn constants(file: FileId, content: &str, now: &Sink, most: usize) -> Vec<Candidate> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '~';
    let places = now.diagnostics().iter().filter_map(|one| Some(one.primary.as_ref()?.span.start as usize));
    let blamed: Vec<&str> = places.filter_map(|start| content.get(start..)?.lines().next()).collect();
    let is_in = |name: &str, line: &str| line.split(|c| !is_name(c)).any(|word| word == name);
    let is_used = |name: &str| blamed.iter().filter(|line| is_in(name, line)).take(2).count() == 2;
    let mut found = Vec::new();
    let mut start = 0;
    for line in content.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let Some((name, rest)) = line.split_once('=') else { continue };
        let (name, from) = (name.trim(), at + line.len() - rest.trim_start().len());
        let word = rest.trim_start().split(' ').next().unwrap_or_default();
        let Some(&(_, has)) = CONSTANTS.iter().find(|row| row.0 == word).filter(|_| is_used(name)) else { continue };
        for (other, wanted) in CONSTANTS.into_iter().filter(|row| row.1 != has) {
            // Each is a copy of the text.
            if found.len() >= most {
                return found;
            }
            let place = Span::new(file, from as u32, (from + word.len()) as u32);
            let text = format!("{}{other}{}", &content[..from], &content[from + word.len()..]);
            let declared = Declared::with_type(format!("`{name}`"), place, word.to_string(), other.to_string());
            found.push(Candidate { declared, constant: Some([has, wanted]), text });
        }
    }
    found
}

/// What is said of a head. It is not the type alone that is written there, and `nothing` is no type.
fn of_head(declared: &Declared, gone: &[Span], content: &str) -> Diagnostic {
    let message = Diagnostic { fixes: Vec::new(), ..declared.message(code::IR_INVALID, gone) };
    let Declared { what, place, has, wanted, .. } = declared;
    let what = what.trim_start_matches("the result of ");
    let (text, help, edit) = match (&has[..], &wanted[..]) {
        (has, "nothing") => {
            let text = format!("{what} is declared to give `{has}`, but gives nothing");
            let end = place.end + u32::from(content[place.end as usize..].starts_with(' '));
            (text, format!("leave out `-> {has}`"), (Span { end, ..*place }, String::new()))
        }
        ("nothing", wanted) => {
            let text = format!("{what} is declared to give nothing, but gives `{wanted}`");
            (text, format!("write `-> {wanted}`"), (*place, format!("-> {wanted} ")))
        }
        _ => return message,
    };
    let mut diagnostic =
        Diagnostic { message: text, help: vec![format!("{help}: that is right for all uses")], ..message };
    let is_shown = |label: &cleave_diag::Label| !label.text.contains("nothing");
    if let Some(label) = diagnostic.primary.as_mut().filter(|_| has == "nothing") {
        label.text = "here its type would be".into();
    }
    for label in diagnostic.secondary.iter_mut().filter(|label| !is_shown(label)) {
        label.text = "does not fit that".into();
    }
    diagnostic.fix(help, vec![edit])
}

/// What is said of a constant instead of the messages at its uses.
fn of_constant(declared: &Declared, [has, wanted]: [Type; 2], gone: &[Span]) -> Diagnostic {
    const SHOWN: usize = 3;
    let Declared { what, place, wanted: other, .. } = declared;
    let message = format!("{what} is `{has}`, but is used as `{wanted}`");
    let diagnostic = Diagnostic::error(code::IR_INVALID, message).at(*place, "");
    let uses = gone.iter().take(SHOWN);
    let diagnostic = uses.fold(diagnostic, |it, &span| it.and(span, format!("does not fit `{has}`")));
    diagnostic.help(format!("is `{other}` meant? It is right for all uses"))
}

/// What all `ret` of a function give, if it is the same.
fn returned(func: &Func) -> Option<Vec<Type>> {
    let last = func.layout.iter().filter_map(|&block| func.blocks[block].insts.last().copied());
    let mut types = last
        .filter(|&inst| func.insts[inst].op == Opcode::Return)
        .map(|inst| func.args(inst).iter().map(|&value| func.values[value]).collect::<Vec<Type>>());
    let first = types.next()?;
    types.all(|other| other == first).then_some(first)
}

/// Where the results stand in the head of a function, with `->`, or where they would.
fn results(head: &str) -> Option<(usize, usize)> {
    let from = head.find(')')? + 1;
    let from = from + (head[from..].len() - head[from..].trim_start().len());
    let Some(types) = head[from..].strip_prefix("->") else { return Some((from, from)) };
    let mut to = from + 2;
    for word in types.split_inclusive([' ', ',']) {
        let name = word.trim_matches([' ', ',']);
        if !name.is_empty() && Type::from_name(name).is_none() {
            break;
        }
        to += word.len();
    }
    Some((from, to))
}
