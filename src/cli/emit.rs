//! The table of `--emit`: kinds of output, their default names, and what each needs of the pipeline.

use crate::driver::input::STDIN;
use crate::driver::output::Destination;
use crate::driver::pipeline;
use crate::driver::session::Target;
use crate::languages;
use cleave_diag::{Diagnostic, code};
use cleave_passes::table::{self, PASSES};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A kind of output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EmitKind {
    /// The typed tree of a strict language.
    Core,
    /// IR in text form at a point of the pipeline (see `pipeline::Wanted`).
    Ir(String),
    /// The call graph: as text, or for Graphviz if the file is a `.dot`.
    Calls {
        is_dot: bool,
    },
    Wat,
    Wasm,
    /// The loader for JavaScript, with declarations and program.
    Js,
    /// Cranelift's IR, assembly, object file, executable: of the target `native`.
    Clif,
    Asm,
    Obj,
    Exe,
    /// C99 of a program whose references are counted.
    C,
    /// A kind that the design names but this version does not have.
    Missing(&'static str),
}

/// Kinds of later versions.
const MISSING: &[&str] = &["ast", "map", "deps"];

/// `KIND[=PATH]`.
#[derive(Clone, Debug)]
pub struct EmitArg {
    pub kind: EmitKind,
    pub path: Option<Destination>,
}

impl std::str::FromStr for EmitArg {
    type Err = String;

    fn from_str(text: &str) -> Result<EmitArg, String> {
        let (kind, path) = match text.split_once('=') {
            Some((_, "")) => return Err("the path after `=` is missing".into()),
            Some((kind, path)) => (kind, Some(Destination::parse(path.as_ref()))),
            None => (text, None),
        };
        let kind = match kind {
            "core" | "tree" => EmitKind::Core,
            "ir" => EmitKind::Ir(pipeline::OPTIMISED.to_string()),
            "calls" => EmitKind::Calls { is_dot: path.as_ref().is_some_and(Destination::is_dot) },
            "wat" => EmitKind::Wat,
            "wasm" => EmitKind::Wasm,
            "js" => EmitKind::Js,
            "clif" => EmitKind::Clif,
            "asm" => EmitKind::Asm,
            "obj" => EmitKind::Obj,
            "exe" => EmitKind::Exe,
            "c" => EmitKind::C,
            other => match other.strip_prefix("ir:") {
                Some(point) if is_point(point) => EmitKind::Ir(cleave_passes::former_names::current(point).to_string()),
                Some(point) => {
                    let names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
                    return Err(format!(
                        "there is no pass `{point}`; passes: {}, {}",
                        pipeline::BUILD,
                        names.join(", ")
                    ));
                }
                None => match MISSING.iter().find(|name| **name == other) {
                    Some(name) => EmitKind::Missing(name),
                    None => return Err(format!("there is no kind `{other}`; kinds: {KINDS}")),
                },
            },
        };
        Ok(EmitArg { kind, path })
    }
}

/// Kinds of this version, for messages.
pub const KINDS: &str = "core, ir, ir:PASS, calls, c, wat, wasm, js, clif, asm, obj, exe";

fn is_point(name: &str) -> bool {
    name == pipeline::BUILD || table::find(name).is_some()
}

impl EmitKind {
    /// The point of the pipeline whose text this is.
    pub fn point(&self) -> Option<&str> {
        match self {
            EmitKind::Core => Some(pipeline::CORE),
            EmitKind::Ir(point) => Some(point),
            EmitKind::Calls { is_dot: false } => Some(pipeline::CALLS),
            EmitKind::Calls { is_dot: true } => Some(pipeline::CALLS_DOT),
            _ => None,
        }
    }

    /// Why a program has no such text.
    pub fn nothing_to_show(&self) -> Diagnostic {
        let (message, help) = match self {
            EmitKind::Ir(point) => (
                format!("the pass `{point}` does not run with these options"),
                "it belongs to another level of -O, or was left out",
            ),
            EmitKind::Calls { .. } => (
                "rooted IR says no longer which functions may collect".to_string(),
                "give high IR, or the program that it was made of",
            ),
            _ => (
                "programs of this language have no typed tree".to_string(),
                "--emit ir:build shows what the front end makes",
            ),
        };
        Diagnostic::error(code::NOT_BUILT_IN, message).help(help)
    }

    /// The target that has this kind, if only one does.
    pub fn target(&self) -> Option<Target> {
        match self {
            EmitKind::Wat | EmitKind::Wasm | EmitKind::Js => Some(Target::Wasm),
            EmitKind::Clif | EmitKind::Asm | EmitKind::Obj | EmitKind::Exe => Some(Target::Native),
            EmitKind::Core | EmitKind::Ir(_) | EmitKind::Calls { .. } | EmitKind::C | EmitKind::Missing(_) => None,
        }
    }
}

impl EmitArg {
    /// Where this goes if the main module is in the file `main`.
    pub fn destination(&self, main: &Path) -> Destination {
        self.path.clone().unwrap_or_else(|| Destination::File(default_name(main, &self.kind)))
    }
}

/// Where `-o` names the only result: `-`, or a file with the ending of the only kind asked for, as in
/// `--emit ir -o main.ir`. The ending of a text chooses its kind where none is asked for.
pub fn take_output(kinds: &mut Vec<EmitArg>, output: &mut Option<OsString>) {
    if kinds.is_empty() {
        let ending = output.as_deref().and_then(|name| Path::new(name).extension()?.to_str());
        let kind = match ending {
            Some("c") => Some(EmitKind::C),
            Some("ir") => Some(EmitKind::Ir(pipeline::OPTIMISED.to_string())),
            Some("wat") => Some(EmitKind::Wat),
            _ => None,
        };
        kinds.extend(kind.map(|kind| EmitArg { kind, path: None }));
    }
    let [EmitArg { kind, path: path @ None }] = &mut kinds[..] else { return };
    let Some(name) = output.as_deref().map(Path::new) else { return };
    if *kind == EmitKind::Js {
        return;
    }
    let ending = default_name(Path::new(STDIN), kind).extension().map(OsStr::to_os_string);
    if name == Path::new(STDIN) || (ending.is_some() && name.extension() == ending.as_deref()) {
        *path = output.take().map(|name| Destination::parse(&name));
    }
}

/// A file of IR in text form.
pub fn is_ir(main: &Path) -> bool {
    main.extension().is_some_and(|extension| extension == "ir")
}

/// The ending of a main module, or of IR.
fn is_source(extension: &OsStr) -> bool {
    extension == "ir" || languages::ALL.iter().flat_map(|one| one.extensions()).any(|ending| extension == *ending)
}

/// MAIN with the ending of a kind, in the current folder.
pub fn default_name(main: &Path, kind: &EmitKind) -> PathBuf {
    let mut name = match main.extension() {
        _ if main == Path::new(STDIN) => "main".into(),
        Some(extension) if is_source(extension) => main.file_stem().unwrap_or_default().to_os_string(),
        _ => main.file_name().unwrap_or_default().to_os_string(),
    };
    match kind {
        EmitKind::Ir(point) if point != pipeline::OPTIMISED => name.push(format!(".{point}.ir")),
        EmitKind::Ir(_) => name.push(".ir"),
        EmitKind::Core => name.push(".core"),
        EmitKind::Calls { .. } => name.push(".calls"),
        EmitKind::Wat => name.push(".wat"),
        EmitKind::Js => name.push(".mjs"),
        EmitKind::Wasm | EmitKind::Missing(_) => name.push(".wasm"),
        EmitKind::Clif => name.push(".clif"),
        EmitKind::Asm => name.push(".s"),
        EmitKind::Obj => name.push(".o"),
        EmitKind::C => name.push(".c"),
        EmitKind::Exe => {}
    }
    PathBuf::from(name)
}
