//! The command `wit`: what others call of a program.

use crate::cli::args::WitArgs;
use crate::cli::exit_code::{FAILURE, written};
use crate::cli::library::LibraryArgs;
use crate::cli::{check, emit, lints, main_module};
use crate::driver::exports;
use crate::driver::ffi::Symbols;
use crate::driver::output::write_stdout;
use crate::driver::pipeline::Stop;
use crate::driver::session::{Outcome, Session};
use crate::languages;
use cleave_ir::Module;
use std::path::Path;

/// The command `wit`.
pub fn run(session: &mut Session, args: &WitArgs) -> Outcome<i32> {
    session.options.exports =
        LibraryArgs { lib: true, exports: args.exports.clone(), npm: None, imports: Vec::new() }.exports();
    let main = main_module::of(session, &args.main)?;
    let module = read(session, &main)?;
    exports::check(session, &module)?;
    let text = cleave_interface::wit::world(&module.name, &module.interface);
    Ok(if written(write_stdout(text.as_bytes())) == 0 { 0 } else { FAILURE })
}

fn read(session: &mut Session, main: &Path) -> Outcome<Module> {
    if emit::is_ir(main) {
        let mut module = check::read_ir(session, main, Stop::Built)?;
        exports::restrict(session, &mut module)?;
        return Ok(module);
    }
    let loaded = languages::load(session, main)?;
    lints::apply(session)?;
    Ok(loaded.translate(session, Symbols::None)?.module)
}
