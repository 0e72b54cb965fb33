//! What a library of Clean exports: functions of the main module, with the types that its sources or the command line
//! say. ABC files have no types, so the definition modules beside them are read.

use crate::driver::session::{Outcome, Session};
use crate::languages::clean::Modules;
use crate::languages::clean::folders::SYSTEM_FILES;
use cleave_clean::ast::ParsedModule;
use cleave_clean::declarations::{self, Declarations, Exports, Foreign, Function, FunctionType, Wanted, Wrong};
use cleave_diag::{Diagnostic, Span, code};
use cleave_strict::Exports as Asked;
use std::fs;
use std::path::{Path, PathBuf};

/// A source that holds what the command line says.
const OPTION: &str = "<--export>";

/// What is exported. Nothing if the program is no library.
pub fn find(session: &mut Session, modules: &Modules) -> Outcome<Option<Exports>> {
    let asked = session.options.exports.clone();
    if !asked.is_library() {
        return Ok(None);
    }
    let mut declarations = Vec::new();
    let main = &modules.modules[modules.main as usize];
    for ending in ["dcl", "icl"] {
        declarations.extend(read(session, main, ending));
    }
    let others = modules.modules.iter().enumerate().skip(1).filter(|(id, _)| *id != modules.main as usize);
    for (_, module) in others {
        declarations.extend(read(session, module, "dcl"));
    }
    let own: Vec<Function> = declarations
        .iter()
        .filter(|declared| declared.module == main.name)
        .flat_map(|declared| declared.functions.clone())
        .collect();
    let (asked, foreign) = without_types(session, asked);
    let mut wanted: Vec<Wanted> = Vec::new();
    match asked {
        Asked::None => {}
        Asked::Public => {
            let dcl = declarations.first().filter(|declared| declared.module == main.name && declared.is_definition);
            let Some(dcl) = dcl else { return Err(no_definition_module(session, main)) };
            for function in dcl.functions.clone() {
                wanted.extend(typed(session, function));
            }
        }
        Asked::Named(texts) => texts.iter().for_each(|text| wanted.extend(named(session, text, &own, main))),
    }
    for (at, again) in wanted.iter().enumerate() {
        if wanted[..at].iter().any(|first| first.name == again.name) {
            let message = format!("`{}` is exported twice", again.name);
            session
                .sink
                .report(Diagnostic::error(code::CANNOT_EXPORT, message).at(again.span, "").help("name it once"));
        }
    }
    session.check()?;
    Ok(Some(Exports { declarations, functions: wanted, foreign }))
}

/// What is named without the types that are the host's: if there are only such, all that is public.
fn without_types(session: &mut Session, asked: Asked) -> (Asked, Vec<Foreign>) {
    let Asked::Named(texts) = asked else { return (asked, Vec::new()) };
    let (mut names, mut types) = (Vec::new(), Vec::new());
    for text in texts {
        let file = session.sources.add(OPTION, text.as_bytes().to_vec());
        match declarations::foreign(file, &text) {
            Some(Ok(foreign)) => types.push(foreign),
            Some(Err(Wrong { span, message })) => {
                let diagnostic = Diagnostic::error(code::CANNOT_EXPORT, message).at(span, "");
                session.sink.report(diagnostic.help("write `:: Element`"));
            }
            None => names.push(text),
        }
    }
    (if names.is_empty() { Asked::Public } else { Asked::Named(names) }, types)
}

/// The source of a module, if there is one.
fn read(session: &mut Session, module: &ParsedModule, ending: &str) -> Option<Declarations> {
    let abc = PathBuf::from(&session.sources.file(module.file).name);
    let stem = abc.file_stem()?;
    let folder = abc.parent().unwrap_or(Path::new(""));
    let above = folder.ends_with(SYSTEM_FILES).then(|| folder.parent()).flatten();
    let file = Path::new(stem).with_extension(ending);
    let found = [above, Some(folder)].into_iter().flatten().map(|folder| folder.join(&file));
    let (path, bytes) = found.into_iter().find_map(|path| fs::read(&path).ok().map(|bytes| (path, bytes)))?;
    // Names are ASCII; what else stands in comments may be in any encoding.
    let text: String = bytes.iter().map(|&byte| if byte.is_ascii() { char::from(byte) } else { '?' }).collect();
    let file = session.sources.add(path.display().to_string(), bytes);
    Some(Declarations { is_definition: ending == "dcl", ..declarations::read(&module.name, file, &text) })
}

/// A function with the type of its source.
fn typed(session: &mut Session, function: Function) -> Option<Wanted> {
    match function.ty {
        Ok(ty) => Some(Wanted { name: function.name, span: function.span, ty }),
        Err(wrong) => {
            session.sink.report(diagnostic(wrong));
            None
        }
    }
}

fn diagnostic(wrong: Wrong) -> Diagnostic {
    let help = "types are written as in Clean: name :: !String [Int] -> Bool";
    Diagnostic::error(code::CANNOT_EXPORT, wrong.message).at(wrong.span, "").help(help)
}

/// What `--export` names, with its type or that of the source.
fn named(session: &mut Session, text: &str, own: &[Function], main: &ParsedModule) -> Option<Wanted> {
    let file = session.sources.add(OPTION, text.as_bytes().to_vec());
    let (name, span, ty): (String, Span, Option<FunctionType>) = match declarations::function(file, text) {
        Ok(found) => found,
        Err(wrong) => {
            session.sink.report(diagnostic(wrong));
            return None;
        }
    };
    if let Some(ty) = ty {
        return Some(Wanted { name, span, ty });
    }
    if let Some(known) = own.iter().find(|function| function.name == name) {
        return typed(session, known.clone());
    }
    let message = format!("the type of `{name}` is not known: ABC files have none");
    let help = format!(
        "give it: --export '{name} :: !String -> [Int]'; or put `{}.dcl` beside the ABC file, if it declares `{name}`",
        main.name
    );
    session.sink.report(Diagnostic::error(code::CANNOT_EXPORT, message).at(span, "").help(help));
    None
}

fn no_definition_module(session: &mut Session, main: &ParsedModule) -> crate::driver::session::ErrorReported {
    let message = format!("what module `{}` exports is not known: there is no `{}.dcl`", main.name, main.name);
    let help = "say it: --export 'name :: !String -> [Int]'";
    session.fail(Diagnostic::error(code::CANNOT_EXPORT, message).help(help))
}
