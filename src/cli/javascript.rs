//! The files of a JavaScript build: the loader, or the functions of a library; TypeScript declarations; the WebAssembly
//! module.
//!
//! The loader finds the program beside itself, so both are in one folder. TypeScript looks for the declarations of
//! `x.mjs` in `x.d.mts` and for those of `x.js` in `x.d.ts`, nowhere else.

use crate::cli::args::BuildArgs;
use crate::cli::emit::{self, EmitKind};
use crate::driver::json::Value;
use crate::driver::output::{Destination, reason};
use crate::driver::pipeline::Compiled;
use crate::driver::session::{Outcome, Session};
use cleave_diag::{Diagnostic, code};
use cleave_interface::javascript::Library;
use cleave_interface::javascript_worker;
use cleave_wasm::js::Loader;
use std::path::{Path, PathBuf};

const PACKAGE: &str = "package.json";

/// What `--emit js` or an output with the ending of a module asks for.
#[derive(Debug)]
pub struct Plan {
    module: Destination,
    wasm: PathBuf,
    trace: bool,
    /// The program runs in a Worker.
    worker: bool,
    /// The folder of a package; and again, if it has no package.json.
    folder: Option<PathBuf>,
    package: Option<PathBuf>,
}

/// The plan for these arguments, if they ask for a loader.
pub fn plan(session: &mut Session, args: &BuildArgs) -> Outcome<Option<Plan>> {
    let plan = planned(args);
    if session.options.component && (!matches!(plan, Ok(None)) || args.emit.iter().any(|it| it.kind == EmitKind::Wat)) {
        let message = "a component is written as it is, neither as text nor with functions for JavaScript";
        let help = "the package @bytecodealliance/jco makes functions of it, and `wasm-tools print` text";
        return Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)));
    }
    // With `--trace` more is said.
    if matches!(plan, Ok(Some(_))) && !args.compile.strip && !args.compile.trace {
        (session.options.error_lines, session.options.lines_section) = (true, true);
    }
    plan.map_err(|message| {
        let help = "with `-o DIR/NAME.mjs` all files are written to the same folder";
        session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message).help(help))
    })
}

fn planned(args: &BuildArgs) -> Result<Option<Plan>, String> {
    let plan = without_worker(args)?;
    let is_library = args.library.exports().is_library() || emit::is_ir(&args.main);
    if args.library.worker && (plan.is_none() || !is_library) {
        return Err("--worker is for functions that JavaScript calls: --lib -o NAME.mjs, or --npm".into());
    }
    Ok(plan)
}

fn without_worker(args: &BuildArgs) -> Result<Option<Plan>, String> {
    let package = args.library.npm.as_ref().map(|folder| {
        let file = emit::default_name(&args.main, &EmitKind::Wasm).with_extension("mjs");
        Destination::File(folder.join(file.file_name().unwrap_or_default()))
    });
    let output = package.or_else(|| args.output.as_deref().map(Destination::parse));
    let emit = args.emit.iter().find(|emit| emit.kind == EmitKind::Js);
    if let Some(Destination::File(path)) = &output
        && is_module(path)
    {
        let module = emit.and_then(|emit| emit.path.clone()).unwrap_or(Destination::File(path.clone()));
        return checked(args, module, path.with_extension("wasm"));
    }
    let Some(emit) = emit else { return Ok(None) };
    let wasm = match (&output, &emit.path) {
        (Some(Destination::Stdout), _) => {
            return Err("a loader needs its program in a file, not on stdout".into());
        }
        (Some(Destination::File(path)), _) => path.clone(),
        (None, Some(Destination::File(path))) => path.with_extension("wasm"),
        (None, _) => emit::default_name(&args.main, &EmitKind::Wasm),
    };
    let module = emit.path.clone().unwrap_or_else(|| Destination::File(wasm.with_extension("mjs")));
    checked(args, module, wasm)
}

fn checked(args: &BuildArgs, module: Destination, wasm: PathBuf) -> Result<Option<Plan>, String> {
    match &module {
        Destination::File(path) if path.parent() != wasm.parent() => {
            Err("a loader and its program must be in the same folder".into())
        }
        Destination::File(path) if *path == wasm => Err("a loader and its program need different names".into()),
        _ => {
            let package = args.library.npm.clone().filter(|folder| !folder.join(PACKAGE).exists());
            let folder = args.library.npm.clone();
            let worker = args.library.worker;
            Ok(Some(Plan { module, wasm, trace: args.compile.trace, worker, folder, package }))
        }
    }
}

fn is_module(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "mjs" || extension == "js")
}

impl Plan {
    /// Where the program goes.
    pub fn wasm(&self) -> Destination {
        Destination::File(self.wasm.clone())
    }

    /// The files to write beside a program. The folder of a package is made.
    pub fn files(&self, session: &mut Session, program: &Compiled) -> Outcome<Vec<(Destination, Vec<u8>)>> {
        if let Some(folder) = &self.folder
            && let Err(error) = std::fs::create_dir_all(folder)
        {
            let message = format!("the folder `{}` cannot be made: {}", folder.display(), reason(&error));
            return Err(session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message)));
        }
        let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let (name, wasm) = (text(self.wasm.file_stem()), text(self.wasm.file_name()));
        let worker = self.worker.then(|| text(self.wasm.with_extension("worker.mjs").file_name()));
        let mut in_worker = None;
        let (module, declarations) = match program.interface.exports.is_empty() {
            true => {
                let has_lines = self.trace || !program.wasm_lines.is_empty();
                let trace = has_lines.then_some(program.name.as_str());
                let captures = program.captures;
                let loader = Loader { name: &name, wasm: &wasm, trace, frames: self.trace, captures };
                (loader.module(), loader.declarations())
            }
            false => {
                let interface = &program.interface;
                let is_bare = Library::can_be_bare(interface) && cleave_wasm::is_bare(&program.wasm);
                let library = Library { wasm: &wasm, interface, is_bare };
                if let Some(name) = self.worker.then(|| javascript_worker::stays_in_thread(interface)).flatten() {
                    let message = format!(
                        "`{name}` cannot be called in a Worker: a function or an object of the host is \
                                           among its arguments or results, and stays in its thread"
                    );
                    let help = "leave out `--worker`, or name the functions to export by `--export`";
                    return Err(session.fail(Diagnostic::error(code::CANNOT_CROSS, message).help(help)));
                }
                in_worker = worker.as_ref().map(|_| library.worker());
                let module = worker.as_ref().map_or_else(|| library.module(), |worker| library.front(worker));
                (module, library.declarations(self.worker))
            }
        };
        let mut files = vec![(self.module.clone(), module.into_bytes())];
        if let Destination::File(path) = &self.module {
            let ending = if path.extension().is_some_and(|extension| extension == "mjs") { "d.mts" } else { "d.ts" };
            files.push((Destination::File(path.with_extension(ending)), declarations.into_bytes()));
        }
        if let (Some(name), Some(text)) = (&worker, in_worker) {
            files.push((Destination::File(self.wasm.with_file_name(name)), text.into_bytes()));
        }
        if let Some(folder) = &self.package {
            let name = cleave_interface::names::kebab(&name);
            files.push((
                Destination::File(folder.join(PACKAGE)),
                package(&name, &self.module, &wasm, worker.as_deref()).into_bytes(),
            ));
        }
        Ok(files)
    }
}

/// What npm wants to know.
fn package(name: &str, module: &Destination, wasm: &str, worker: Option<&str>) -> String {
    let Destination::File(path) = module else { return String::new() };
    let file = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (module, types) = (file(path), file(&path.with_extension("d.mts")));
    let [name, module, types, wasm] = [name, &module, &types, wasm].map(|text| Value::from(text).to_string());
    let worker = worker.map_or(String::new(), |file| format!(", {}", Value::from(file)));
    let relative = |quoted: &str| format!("\"./{}", &quoted[1..]);
    let (here, declared) = (relative(&module), relative(&types));
    format!(
        "{{\n  \"name\": {name},\n  \"version\": \"0.1.0\",\n  \"type\": \"module\",\n  \"exports\": {{ \".\": {{ \"types\": \
         {declared}, \"default\": {here} }} }},\n  \"files\": [{module}, {types}, {wasm}{worker}]\n}}\n"
    )
}
