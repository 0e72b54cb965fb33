//! Clean: from the name of a main module to high IR.
//!
//! `modules` loads the modules of a program; `main_module`, `folders`, `sources` and `missing` find them, compile them
//! and say what is missing; `exports` finds what a library exports; `names` has the names for traces; `options` what
//! the command line says of all this.

mod exports;
pub mod folders;
mod main_module;
#[doc(hidden)]
pub mod missing;
mod modules;
#[doc(hidden)]
pub mod names;
pub mod options;
pub mod sources;

use crate::driver::ffi::{CType, Call, CallPlace, Demand, Need, Symbols};
use crate::driver::pipeline::BUILD;
use crate::driver::session::{ErrorReported, Outcome, Session};
use crate::languages::frontend::{Frontend, Loaded, Translated};
use cleave_clean::ccall::{self, PassedAs, Signature};
use cleave_clean::{ForeignCall, TranslateOptions};
use cleave_ir::LibcallSignature;
pub use modules::Modules;
pub use options::Options;
use std::path::Path;

/// Programs of Clean, as its compiler's ABC assembly.
pub struct Clean;

impl Frontend for Clean {
    fn name(&self) -> &'static str {
        "Clean"
    }

    fn editor_name(&self) -> &'static str {
        "abc"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["abc", "icl"]
    }

    fn runtime(&self) -> &'static [&'static LibcallSignature] {
        cleave_clean::externs::Runtime::ROWS
    }

    fn is_there(&self, session: &Session, main: &Path) -> bool {
        modules::is_there(session, main)
    }

    fn has_exports(&self) -> bool {
        true
    }

    fn ignores_lost_output(&self) -> bool {
        // As the C library does, whose status Clean's programs pass on.
        true
    }

    fn load(&self, session: &mut Session, main: &Path) -> Outcome<Box<dyn Loaded>> {
        Ok(Box::new(modules::load(session, main)?))
    }
}

impl Loaded for Modules {
    fn module_count(&self) -> usize {
        self.modules.len()
    }

    fn needs(&self, session: &Session) -> Vec<Need> {
        let of_module = |module: &cleave_clean::ast::ParsedModule| {
            let folders = folders::of_objects(session, module.file, &self.searched);
            let need = |need: &cleave_clean::ast::NativeNeed| Need {
                name: String::from_utf8_lossy(&need.name).into_owned(),
                is_library: need.is_library,
                module: module.name.clone(),
                span: need.span,
                folders: folders.clone(),
            };
            module.natives.iter().map(need).collect::<Vec<_>>()
        };
        self.modules.iter().filter(|module| !module.natives.is_empty()).flat_map(of_module).collect()
    }

    fn translate(self: Box<Self>, session: &mut Session, c_functions: Symbols<'_>) -> Outcome<Translated> {
        let exports = exports::find(session, &self)?;
        let Modules { modules, indexes, main, .. } = *self;
        let options = TranslateOptions {
            check_indices: session.options.check_indices,
            keep_all: session.options.keep_all,
            library: session.options.library,
            c_symbols: match c_functions {
                Symbols::None => cleave_clean::Symbols::None,
                Symbols::Machine => cleave_clean::Symbols::Machine,
                Symbols::Objects(names) => cleave_clean::Symbols::Objects(names),
            },
            exports: exports.as_ref(),
            sources: None,
        };
        let names = session.options.trace.then(|| names::Names::of(&modules));
        let Session { timing, sink, sources, options: wanted, .. } = session;
        let options = TranslateOptions { sources: wanted.locations.then_some(&*sources), ..options };
        let translated = timing.time(BUILD, || cleave_clean::translate(modules, indexes, main, options, sink));
        let cleave_clean::Translated { module, foreign_calls } = translated.ok_or(ErrorReported)?;
        Ok(Translated {
            module,
            calls: foreign_calls.into_iter().map(call).collect(),
            names: names.map(|names| Box::new(names) as _),
        })
    }
}

/// Arrays hold integers of 64 bits, which Clean's own header calls `long`.
const ELEMENTS: Demand = Demand {
    symbol: ccall::KNOWS_ELEMENTS,
    help: "they have 64 bits, and `long` has 32 in WebAssembly: compile with the Clean.h that `cleave header` writes",
};

/// A call as the driver knows it.
fn call(call: ForeignCall) -> Call {
    // Calls with wrong types have been refused.
    let types = Signature::parse(call.signature.as_bytes()).ok();
    let ty = |kind: &PassedAs| match kind {
        PassedAs::Real => CType::Double,
        PassedAs::Float => CType::Float,
        _ => CType::Word,
    };
    let takes = types
        .iter()
        .flat_map(|types| types.arguments.iter().map(ty).chain(types.through_pointers.iter().map(|_| CType::Word)));
    Call {
        takes: takes.collect(),
        demands: types.as_ref().filter(|types| types.has_integers).map(|_| ELEMENTS),
        returns: types.as_ref().and_then(|types| types.returned.as_ref()).map(ty),
        name: call.name,
        signature: call.signature,
        module: call.module,
        libraries: call.libraries,
        place: match call.place {
            cleave_clean::CallPlace::Runtime => CallPlace::Runtime,
            cleave_clean::CallPlace::Symbol => CallPlace::Symbol,
            cleave_clean::CallPlace::Nowhere => CallPlace::Nowhere,
        },
    }
}
