//! C functions in WebAssembly: the objects beside those of machine code, from files to what the back end links.
//!
//! A module that names `name.o` with `.impobj` (or a library with `.implib`) may have `name.wasm` beside it, in its
//! `Clean System Files`, or in the folders of the command line. Which kind of file it is, and how it is made, says
//! `targets/wasm/c`. That there is none is no error: calls of its functions stop the program when they are reached.

use crate::driver::folders;
use crate::driver::output::reason;
use crate::driver::session::{Outcome, Session};
use cleave_clean::ast::{NativeNeed, ParsedModule};
use cleave_clean::ccall::{Kind, Signature};
use cleave_clean::{ForeignCall, Place};
use cleave_diag::{Diagnostic, code};
use cleave_ir::Module;
use cleave_ir::module::StaticData;
use cleave_wasm::c::{self, FuncType, Linked, Object, ValType};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// An object that was found.
pub struct File {
    name: String,
    bytes: Vec<u8>,
}

/// The objects that the modules of a program name, each once, in the order of the modules.
pub fn find(session: &mut Session, modules: &[ParsedModule]) -> Outcome<Vec<File>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for module in modules.iter().filter(|module| !module.natives.is_empty()) {
        let folders = folders::of_objects(session, module.file);
        for path in module.natives.iter().filter_map(|need| look_for(need, &folders)) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    let mut files = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        let bytes = fs::read(&path).map_err(|error| {
            let message = format!("`{name}` cannot be read: {}", reason(&error));
            session.fail(Diagnostic::error(code::FILE_UNREADABLE, message))
        })?;
        if c::is_program(&bytes) {
            // What an earlier build has written under the name of its module.
            session.notes.push(format!("`{name}` is a program, not an object of C: it is left alone"));
            continue;
        }
        // An input: no output may take its place.
        session.sources.add(name.clone(), bytes.clone());
        files.push(File { name, bytes });
    }
    Ok(files)
}

/// The file for an object or library. Names come from files that others wrote: they never lead out of the folders.
fn look_for(need: &NativeNeed, folders: &[PathBuf]) -> Option<PathBuf> {
    let name = std::str::from_utf8(&need.name).ok()?;
    let endings = if need.is_library { &[".a", ".so"][..] } else { &[".o"][..] };
    let stem = endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    if stem.is_empty() || stem.contains(['/', '\\', '\0']) {
        return None;
    }
    let file = format!("{stem}.wasm");
    folders.iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
}

/// Reads the objects.
pub fn parse<'f>(session: &mut Session, files: &'f [File]) -> Outcome<Vec<Object<'f>>> {
    let mut objects = Vec::new();
    for file in files {
        match Object::parse(&file.name, &file.bytes) {
            Ok(object) => objects.push(object),
            Err(error) => _ = failed(session, &error),
        }
    }
    session.check()?;
    Ok(objects)
}

/// The functions that programs can call.
pub fn function_names(objects: &[Object]) -> FxHashSet<String> {
    objects.iter().flat_map(Object::function_names).map(str::to_string).collect()
}

/// The object that has a function: the first.
fn definition<'o, 'a>(objects: &'o [Object<'a>], name: &str) -> Option<(&'o Object<'a>, &'o FuncType)> {
    objects.iter().find_map(|object| object.function(name).map(|ty| (object, ty)))
}

/// The file of each C function of an object that the program calls.
pub fn files_of(objects: &[Object], calls: &[ForeignCall]) -> FxHashMap<String, String> {
    let symbols = calls.iter().filter(|call| call.place == Place::Symbol);
    let files = symbols.filter_map(|call| {
        let (object, _) = definition(objects, &call.name)?;
        let file = Path::new(&object.name).file_name()?.to_string_lossy().into_owned();
        Some((call.name.clone(), file))
    });
    files.collect()
}

/// Compares the types of the calls with those of the functions.
pub fn check_types(session: &mut Session, objects: &[Object], calls: &[ForeignCall]) -> Outcome {
    for call in calls.iter().filter(|call| call.place == Place::Symbol) {
        let Some((object, ty)) = definition(objects, &call.name) else { continue };
        if Signature::parse(call.signature.as_bytes()).is_ok_and(|signature| fits(&signature, ty)) {
            continue;
        }
        let message = format!(
            "C function `{}` of `{}` has other types than the ccall in module `{}`",
            call.name, object.name, call.module
        );
        let has = format!("the ccall has \"{}\", the function {}", call.signature, shown(ty));
        let help = "I, p, s, A, S and results through pointers are i32 or i64, R is f64, r is f32";
        session.sink.report(Diagnostic::error(code::C_OBJECT, message).help(has).help(help));
    }
    session.check()
}

/// Can a function of this type be called with this signature? What it returns may be ignored, and may be missing.
fn fits(signature: &Signature, ty: &FuncType) -> bool {
    let is_word = |ty: &ValType| matches!(ty, ValType::I32 | ValType::I64);
    let fits = |kind: Kind, ty: &ValType| match kind {
        Kind::Real => *ty == ValType::F64,
        Kind::Float => *ty == ValType::F32,
        _ => is_word(ty),
    };
    let pointers = signature.through_pointers.iter().map(|_| Kind::Word);
    let kinds: Vec<Kind> = signature.arguments.iter().copied().chain(pointers).collect();
    let takes = kinds.len() == ty.params().len() && kinds.iter().zip(ty.params()).all(|(&kind, ty)| fits(kind, ty));
    let gives = match (signature.returned, ty.results()) {
        (_, []) | (None, [_]) => true,
        (Some(Kind::Real), [ty]) => matches!(ty, ValType::F32 | ValType::F64),
        (Some(_), [ty]) => is_word(ty),
        _ => false,
    };
    takes && gives
}

fn shown(ty: &FuncType) -> String {
    let list = |types: &[ValType]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match ty.results() {
        [] => format!("takes ({}) and returns nothing", list(ty.params())),
        results => format!("takes ({}) and returns {}", list(ty.params()), list(results)),
    }
}

/// Links the C functions that the program uses; `None` if it uses none.
pub fn link<'o>(session: &mut Session, objects: &'o [Object<'o>], module: &Module) -> Outcome<Option<Linked<'o>>> {
    let names = module.statics.values().filter_map(|data| match data {
        StaticData::Symbol { name, .. } => std::str::from_utf8(name).ok(),
        _ => None,
    });
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    if objects.is_empty() || names.is_empty() {
        return Ok(None);
    }
    let linked = Linked::new(objects, names, cleave_wasm::runtime_base());
    linked.map(Some).map_err(|error| failed(session, &error))
}

/// The message for something wrong with objects.
pub fn failed(session: &mut Session, error: &c::Error) -> crate::driver::session::Failed {
    const LISTED: usize = 10;
    let diagnostic = match error {
        c::Error::Undefined(symbols) => {
            let mut diagnostic = Diagnostic::error(code::MISSING_SYMBOL, error.to_string());
            for (symbol, object) in symbols.iter().skip(1).take(LISTED) {
                diagnostic = diagnostic.help(format!("`{symbol}`, which `{object}` needs, is missing, too"));
            }
            if symbols.len() > LISTED + 1 {
                diagnostic = diagnostic.help(format!("and {} more", symbols.len() - LISTED - 1));
            }
            diagnostic.help("link the C library into the object: clang --target=wasm32-wasi -nostartfiles -Wl,-r …")
        }
        _ => Diagnostic::error(code::C_OBJECT, error.to_string())
            .help("objects are made by clang --target=wasm32 -c NAME.c -o NAME.wasm, without -pthread and -fPIC"),
    };
    session.fail(diagnostic)
}
