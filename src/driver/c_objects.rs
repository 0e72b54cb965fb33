//! C objects for WebAssembly: finds the `.wasm` object files that a program needs, and reads them for the linker of the
//! back end.
//!
//! The command line names objects, and a module that names the object `name.o` (or a library) may have `name.wasm` in
//! one of the folders in which that is looked for. Which kind of file it is, and how it is made, says `targets/wasm/c`.
//! That a module has none is no error: calls of its functions stop the program when they are reached.

use crate::driver::ffi::{CType, Call, CallPlace, Need};
use crate::driver::input;
use crate::driver::session::{Outcome, Session};
use cleave_diag::{Diagnostic, code};
use cleave_ir::Module;
use cleave_ir::module::StaticData;
use cleave_wasm::c::{self, FuncType, Linked, Object, ValType};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};

/// An object that was found.
pub struct File {
    name: String,
    bytes: Vec<u8>,
}

/// The ending of objects.
pub const ENDING: &str = "wasm";

/// The objects of the command line, and then those that the modules of a program name, in the order of the modules.
/// Each comes once.
pub fn find(session: &mut Session, needs: &[Need]) -> Outcome<Vec<File>> {
    let given = session.options.natives.files.clone();
    let mut files = Vec::new();
    let mut known = FxHashSet::default();
    for (k, path) in given.iter().cloned().chain(needs.iter().filter_map(look_for)).enumerate() {
        if !known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            continue;
        }
        let name = path.display().to_string();
        let bytes = input::read(&path).map_err(|error| session.fail(input::unreadable(&path, &error)))?;
        if k >= given.len() && c::is_program(&bytes) {
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
fn look_for(need: &Need) -> Option<PathBuf> {
    // A dot at the end stands before the ending of the platform.
    let endings = if need.is_library { &[".a", ".so"][..] } else { &[".o", ".obj", "."][..] };
    let stem = endings.iter().find_map(|ending| need.name.strip_suffix(ending)).unwrap_or(&need.name);
    if stem.is_empty() || stem.contains(['/', '\\', '\0']) {
        return None;
    }
    let file = format!("{stem}.{ENDING}");
    need.folders.iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
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
pub fn files_of(objects: &[Object], calls: &[Call]) -> FxHashMap<String, String> {
    let symbols = calls.iter().filter(|call| call.place == CallPlace::Symbol);
    let files = symbols.filter_map(|call| {
        let (object, _) = definition(objects, &call.name)?;
        let file = Path::new(&object.name).file_name()?.to_string_lossy().into_owned();
        Some((call.name.clone(), file))
    });
    files.collect()
}

/// Compares the types of the calls with those of the functions.
pub fn check_types(session: &mut Session, objects: &[Object], calls: &[Call]) -> Outcome {
    for call in calls.iter().filter(|call| call.place == CallPlace::Symbol) {
        let Some((object, ty)) = definition(objects, &call.name) else { continue };
        if fits(call, ty) {
            check_elements(session, object, call);
            continue;
        }
        let message = format!(
            "C function `{}` of `{}` has other types than the call in module `{}`",
            call.name, object.name, call.module
        );
        let has = format!("the call has \"{}\", the function {}", call.signature, shown(ty));
        let help = "I, p, s, A, S and results through pointers are i32 or i64, R is f64, r is f32";
        session.sink.report(Diagnostic::error(code::C_OBJECT, message).help(has).help(help));
    }
    session.check()
}

/// Refuses a function that takes or returns arrays, and may take their integers for others.
fn check_elements(session: &mut Session, object: &Object, call: &Call) {
    let Some(demand) = call.demands.filter(|demand| !object.has_symbol(demand.symbol)) else { return };
    let message = format!(
        "C function `{}` of `{}` has arrays in the call of module `{}`, and may not know how wide integers are there",
        call.name, object.name, call.module
    );
    let has = format!("the call has \"{}\"", call.signature);
    session.sink.report(Diagnostic::error(code::C_OBJECT, message).help(has).help(demand.help));
}

/// Can a function of this type be called in this way? What it returns may be ignored, and may be missing.
fn fits(call: &Call, ty: &FuncType) -> bool {
    let is_word = |ty: &ValType| matches!(ty, ValType::I32 | ValType::I64);
    let fits = |takes: CType, ty: &ValType| match takes {
        CType::Double => *ty == ValType::F64,
        CType::Float => *ty == ValType::F32,
        CType::Word => is_word(ty),
    };
    let takes = call.takes.len() == ty.params().len() && call.takes.iter().zip(ty.params()).all(|(&c, ty)| fits(c, ty));
    let gives = match (call.returns, ty.results()) {
        (_, []) | (None, [_]) => true,
        (Some(CType::Double), [ty]) => matches!(ty, ValType::F32 | ValType::F64),
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
pub fn failed(session: &mut Session, error: &c::Error) -> crate::driver::session::ErrorReported {
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
