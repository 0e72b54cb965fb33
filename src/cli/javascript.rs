//! Names of the files of a JavaScript build: the loader, its TypeScript declarations, the WebAssembly module.
//!
//! The loader finds the program beside itself, so both are in one folder. TypeScript looks for the declarations of
//! `x.mjs` in `x.d.mts` and for those of `x.js` in `x.d.ts`, nowhere else.

use crate::cli::args::BuildArgs;
use crate::cli::emit::{self, EmitKind};
use crate::driver::output::Destination;
use cleave_wasm::js::Loader;
use std::path::{Path, PathBuf};

/// What `--emit js` or an output with the ending of a module asks for.
#[derive(Debug)]
pub struct Plan {
    module: Destination,
    wasm: PathBuf,
    trace: bool,
}

/// The plan for these arguments, if they ask for a loader; a message if it cannot be.
pub fn plan(args: &BuildArgs) -> Result<Option<Plan>, String> {
    let output = args.output.as_deref().map(Destination::parse);
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
        _ => Ok(Some(Plan { module, wasm, trace: args.compile.trace })),
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

    /// The files to write beside the program whose main module has this name.
    pub fn files(&self, main: &str) -> Vec<(Destination, Vec<u8>)> {
        let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let (name, wasm) = (text(self.wasm.file_stem()), text(self.wasm.file_name()));
        let loader = Loader { name: &name, wasm: &wasm, trace: self.trace.then_some(main) };
        let mut files = vec![(self.module.clone(), loader.module().into_bytes())];
        if let Destination::File(path) = &self.module {
            let ending = if path.extension().is_some_and(|extension| extension == "mjs") { "d.mts" } else { "d.ts" };
            files.push((Destination::File(path.with_extension(ending)), loader.declarations().into_bytes()));
        }
        files
    }
}
