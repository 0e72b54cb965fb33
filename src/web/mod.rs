//! The interface of the compiler when it is WebAssembly itself (`playground/compiler`): what web pages call.
//!
//! It is a reactor of WASI: its host gives it arguments and files, calls `_initialize` once, and then one of the
//! functions that are exported here. A panic prints its message and traps; the host then throws the instance away.
//! `debugger` is a conversation: its instance lives until the host lets go of it. `json` writes what they answer.

pub mod debugger;
mod json;

use crate::driver::pipeline::BUILD;
use crate::driver::version::{SOURCES, VERSION};
use crate::languages;
use cleave_diag::code;
use cleave_passes::table::PASSES;
use json::{array, literal, object};

/// Version, languages, passes and codes, as one object of JSON. `About` in `playground/compiler` has its fields.
pub fn about() -> String {
    let endings = languages::ALL.iter().flat_map(|language| language.extensions()).chain(&["ir"]);
    let endings = endings.map(|ending| literal(ending));
    let built = object(&[
        ("name", literal(BUILD)),
        ("description", literal("as the front end made it")),
        ("group", literal("front end")),
        ("phase", literal("high")),
    ]);
    let passes = PASSES.iter().map(|pass| {
        object(&[
            ("name", literal(pass.name)),
            ("description", literal(pass.description)),
            ("group", literal(pass.group.title())),
            ("phase", literal(pass.to.word())),
        ])
    });
    let codes = code::TABLE.iter().map(|row| {
        let code = row.code.to_string();
        object(&[("code", literal(&code)), ("title", literal(row.title)), ("explanation", literal(row.text))])
    });
    object(&[
        ("version", literal(VERSION)),
        ("sources", literal(SOURCES)),
        ("extensions", array(endings)),
        ("passes", array(std::iter::once(built).chain(passes))),
        ("codes", array(codes)),
    ])
}

#[cfg(target_family = "wasm")]
mod exports {
    use super::debugger::Conversation;
    use crate::driver::output;
    use std::cell::RefCell;

    /// The command line: arguments from the host in, exit code out.
    #[unsafe(no_mangle)]
    extern "C" fn cleave_main() -> i32 {
        crate::cli::main(std::env::args_os())
    }

    /// Writes what `about` says to stdout.
    #[unsafe(no_mangle)]
    extern "C" fn cleave_about() -> i32 {
        i32::from(output::write_stdout(super::about().as_bytes()).is_err())
    }

    /// Reads a question of an editor from stdin, an object as in its protocol, and writes the answer to stdout.
    #[unsafe(no_mangle)]
    extern "C" fn cleave_editor() -> i32 {
        let question = std::io::read_to_string(std::io::stdin()).unwrap_or_default();
        i32::from(output::write_stdout(crate::cli::lsp::answer(&question).as_bytes()).is_err())
    }

    thread_local! {
        static CONVERSATION: RefCell<Option<Conversation>> = const { RefCell::new(None) };
    }

    /// Starts the debugger with the arguments of `cleave step`, and writes where the program is to stdout. What is
    /// wrong with the program is on stderr.
    #[unsafe(no_mangle)]
    extern "C" fn cleave_debug() -> i32 {
        match Conversation::start(std::env::args_os()) {
            Err(status) => status,
            Ok(mut conversation) => {
                let answer = conversation.answer("state");
                CONVERSATION.set(Some(conversation));
                i32::from(output::write_stdout(answer.as_bytes()).is_err())
            }
        }
    }

    /// Reads a command from stdin, a line, and writes the answer to stdout.
    #[unsafe(no_mangle)]
    extern "C" fn cleave_debug_command() -> i32 {
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line);
        CONVERSATION.with_borrow_mut(|conversation| match conversation {
            Some(conversation) if read.is_ok() => {
                i32::from(output::write_stdout(conversation.answer(&line).as_bytes()).is_err())
            }
            _ => 1,
        })
    }
}
