//! The target `native`: machine code, executables by the system's linker, and the JIT behind `run --target native`.
//!
//! `link` makes executables, with `embedded` or a C compiler; `jit` maps and runs code, `executable`
//! runs what the JIT cannot load. Everything here is for x86-64
//! under Linux; elsewhere, and without the feature `native`, the target says that it is not built in.

#[cfg(all(feature = "native", target_arch = "x86_64", target_os = "linux"))]
mod embedded;
#[cfg(all(feature = "native", target_arch = "x86_64", target_os = "linux"))]
mod executable;
#[cfg(all(feature = "native", target_arch = "x86_64", target_os = "linux"))]
#[doc(hidden)]
pub mod ffi;
#[cfg(all(feature = "native", target_arch = "x86_64", target_os = "linux"))]
mod link;

#[cfg(all(feature = "native", target_arch = "x86_64", target_os = "linux"))]
pub use available::*;
#[cfg(not(all(feature = "native", target_arch = "x86_64", target_os = "linux")))]
pub use missing::*;

#[cfg(all(feature = "native", target_arch = "x86_64", target_os = "linux"))]
mod available {
    pub use crate::driver::native::executable::{link_for_run, run_executable};
    pub use crate::driver::native::ffi::libraries;
    pub use crate::driver::native::link::{Linker, c_compiler, find_linker, link};
    use crate::driver::session::{self, Level, Outcome, Session};
    use crate::driver::timing::Timing;
    use crate::driver::version::SOURCES;
    use crate::driver::{cache, panic_hook, run, trace};
    use crate::languages::frontend::Names;
    use cleave_diag::{Diagnostic, code};
    use cleave_interface::c::Header;
    use cleave_ir::{Location, Lowered, Module, RootStrategy, Target};
    use cleave_native::cache::{Cache, CacheFile};
    use cleave_native::library::Library;
    use cleave_native::{Effort, Line, Native};
    pub use cleave_native::{Program, RUNTIME, data_section_base, is_spaced};
    use cleave_run::{Ended, Error, Options};

    use rustc_hash::FxHashSet;
    use std::path::Path;
    use std::sync::Arc;

    pub const IS_AVAILABLE: bool = true;
    /// The version of the code generator.
    pub const CRANELIFT: Option<&str> = Some(cleave_native::CRANELIFT);
    /// The largest heap.
    pub const HEAP_MAX: u64 = (cleave_native::address_space::HEAP_END - cleave_native::address_space::START) as u64;

    /// The target for a program of high IR. It has a cache if the program is large enough, and nobody looks at what is
    /// left out for functions that are in it.
    pub fn target(session: &Session, module: &Module, is_watched: bool) -> Native {
        let session::Options { level, clif, asm, unverified, verify_each, .. } = session.options;
        let is_worth_it = !(clif || asm || is_watched) && module.funcs.len() >= cache::FEWEST_FUNCTIONS;
        let roots = session.root_options();
        let has_cache = is_worth_it && roots.strategy != RootStrategy::Chain;
        let words = format!("{roots:?} {} {}", session.options.count_cells, has_traces(session));
        let cache_file = |file: &Path| CacheFile::read(cache::read(file), SOURCES);
        let file = session.options.cache_file.as_deref().filter(|_| has_cache);
        let options = cleave_native::Options {
            effort: match level {
                Level::O0 => Effort::Least,
                Level::O1 => Effort::Some,
                Level::O2 => Effort::Most,
            },
            clif,
            asm,
            verify: cfg!(debug_assertions) && !unverified || verify_each,
            cache: file.map(|file| Arc::new(Cache::new(cache_file(file), words))),
            ..cleave_native::Options::default()
        };
        Native { options }
    }

    /// Run-time errors list the active functions, if their language has names for them.
    fn has_traces(session: &Session) -> bool {
        (session.options.trace || session.options.error_lines) && !session.options.strip
    }

    /// Machine code of a program; `names` is what traces call its functions, if there are any.
    pub fn compile(
        session: &mut Session,
        lowered: Lowered,
        mut target: Native,
        names: Option<&dyn Names>,
    ) -> Outcome<Program> {
        panic_hook::set_stage("native code");
        let names = names.filter(|_| has_traces(session));
        target.options.trace = names.map(|names| trace::list(names, lowered.module())).unwrap_or_default();
        let cache = session.options.cache_file.clone().zip(target.options.cache.clone());
        let compiled = session.timing.time("emit", || target.emit(lowered));
        let mut program = compiled.map_err(|error| {
            let message = format!("the code generator cannot take this program: {error}");
            session.fail(Diagnostic::error(code::TOO_MUCH, message).help("split the function or the program"))
        })?;
        if let Some(names) = names {
            name_lines(names, &mut program);
        }
        session.counts.set("code bytes", program.functions.iter().map(|function| function.code.len()).sum());
        if let Some((file, cache)) = cache {
            session.timing.time("cache", || keep(&mut program, &file, &cache));
            let old = program.functions.iter().filter(|function| function.is_old).count();
            session.counts.set("functions from the cache", old);
        }
        Ok(program)
    }

    /// What traces call the code of lines.
    fn name_lines(names: &dyn Names, program: &mut Program) {
        let lines = program.functions.iter().flat_map(|function| &function.lines).filter_map(|range| range.1);
        let lines: FxHashSet<Line> = lines.collect();
        let name = |&Line { file, line }: &Line| names.at(Location { file, column: 1, line });
        program.lines = lines.into_iter().filter_map(|line| Some((line, name(&line)?))).collect();
    }

    /// Keeps the functions of a program for the next build.
    fn keep(program: &mut Program, file: &Path, cache: &Cache) {
        if program.functions.iter().all(|function| function.is_old || function.stored.is_none()) {
            cache::touch(file);
        } else {
            let stored = program.functions.iter().filter_map(|function| {
                let (key, bytes) = function.stored.as_ref()?;
                Some((*key, if function.is_old { cache.bytes(*key) } else { &bytes[..] }))
            });
            // Without a cache the next build takes longer.
            let _ = cache::write(file, &CacheFile::write(stored, SOURCES));
        }
        program.functions.iter_mut().for_each(|function| function.stored = None);
    }

    /// Runs machine code in this process.
    pub fn run(program: &Program, options: &Options, timing: &mut Timing) -> Result<Ended, Error> {
        run::timed(cleave_run::native(program, options), timing)
    }

    /// The object file.
    pub fn object(session: &mut Session, program: &Program) -> Vec<u8> {
        panic_hook::set_stage("object file");
        let strip = session.options.strip;
        session.timing.time("object", || program.object(strip))
    }

    /// A library with the names of a header: an archive, or a shared one.
    pub fn library(session: &mut Session, program: &Program, header: &Header, is_shared: bool) -> Outcome<Vec<u8>> {
        panic_hook::set_stage("linking");
        let strip = session.options.strip;
        let functions = program.entries.iter().map(|entry| header.symbol(&entry.0)).collect();
        let library = Library { functions, services: header.services(), givers: header.givers() };
        let result = session.timing.time("link", || match is_shared {
            true => program.shared_library(&library, strip),
            false => program.archive(&library, strip),
        });
        result.map_err(|error| {
            session.fail(Diagnostic::error(code::LINK_FAILED, format!("the library cannot be linked: {error}")))
        })
    }

    /// CLIF or assembly, as the options of the session have asked for.
    pub fn listing(program: &Program, asm: bool) -> String {
        program.text(asm)
    }
}

#[cfg(not(all(feature = "native", target_arch = "x86_64", target_os = "linux")))]
mod missing {
    use crate::driver::ffi::{Call, Need};
    use crate::driver::session::{Outcome, Session};
    use crate::driver::timing::Timing;
    use crate::languages::frontend::Names;
    use cleave_ir::{Lowered, Module};
    use cleave_run::{Ended, Error, Options};

    pub const IS_AVAILABLE: bool = false;
    pub const CRANELIFT: Option<&str> = None;
    pub const HEAP_MAX: u64 = 0;

    /// No value of this type exists here: the command line has refused the target before.
    #[derive(Debug)]
    pub enum Program {}
    pub enum Linker {}

    pub fn data_section_base(_: &Module) -> u32 {
        unreachable!("the target is refused")
    }
    pub fn is_spaced(_: &Module) -> bool {
        unreachable!("the target is refused")
    }
    pub fn target(_: &Session, _: &Module, _: bool) -> cleave_wasm::Wasm<'static> {
        unreachable!("the target is refused")
    }
    pub fn compile(
        _: &mut Session,
        _: Lowered,
        _: cleave_wasm::Wasm<'static>,
        _: Option<&dyn Names>,
    ) -> Outcome<Program> {
        unreachable!("the target is refused")
    }
    pub fn object(_: &mut Session, program: &Program) -> Vec<u8> {
        match *program {}
    }
    pub fn listing(program: &Program, _: bool) -> String {
        match *program {}
    }
    pub fn library(_: &mut Session, program: &Program, _: &cleave_interface::c::Header, _: bool) -> Outcome<Vec<u8>> {
        match *program {}
    }
    pub fn c_compiler() -> Option<std::path::PathBuf> {
        None
    }
    pub fn find_linker(_: &mut Session) -> Outcome<Linker> {
        unreachable!("the target is refused")
    }
    pub fn link(_: &mut Session, _: &Linker, _: &[u8], _: &[Call], _: &[Need]) -> Outcome<Vec<u8>> {
        unreachable!("the target is refused")
    }
    pub fn libraries(_: &mut Session, _: &[Call], _: &[Need]) -> Outcome<Vec<std::ffi::OsString>> {
        unreachable!("the target is refused")
    }
    pub fn run(program: &Program, _: &Options, _: &mut Timing) -> Result<Ended, Error> {
        match *program {}
    }
    pub fn link_for_run(
        _: &mut Session,
        _: impl FnOnce(&mut Session) -> Vec<u8>,
        _: &[Call],
        _: &[Need],
    ) -> Outcome<Option<Vec<u8>>> {
        unreachable!("the target is refused")
    }
    pub fn run_executable(_: &[u8], _: &Options) -> Result<Ended, Error> {
        unreachable!("the target is refused")
    }
}
