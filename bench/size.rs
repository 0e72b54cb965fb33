//! Sizes of compiled programs: everything, and without the names of functions.

use crate::SizeArgs;
use crate::child;
use crate::input::{Scratch, programs};
use crate::json::Json;
use crate::machine::Machine;
use crate::report::{Table, publish};
use anyhow::Result;
use cleave::driver::modules;
use cleave::driver::pipeline::{self, Stop};
use cleave::driver::session::{Level, Options, Session};
use std::fs;
use std::path::Path;

/// A program that prints one word: what every program pays for.
pub const HELLO: &str = "\
.comp 920 0101110100100
.start __hello_Start
.endinfo
.module m_hello \"hello\"
.impmod _system
.impdesc _STRING_
.implab _driver
.export __hello_Start
.o 0 0
__hello_Start
	buildAC \"Hello\"
.d 1 0
	jmp _driver
";

pub fn main(args: &SizeArgs) -> Result<()> {
    let machine = Machine::new(false);
    let scratch = Scratch::new()?;
    let hello = scratch.path.join("hello.abc");
    fs::write(&hello, HELLO)?;
    let mut files = vec![("hello".to_string(), hello)];
    files.extend(programs(&[])?.into_iter().map(|program| (program.name, program.abc)));
    let mut table = Table::new("Bytes of WebAssembly", &["program", "bytes", "stripped", "functions"]);
    let mut list = Vec::new();
    for (name, path) in files {
        let (wasm, measured) = child::compile(&path, Level::O2, &[])?;
        let stripped = stripped_size(&path)?;
        let functions = measured.get("functions");
        table.rows.push(vec![name.clone(), wasm.len().to_string(), stripped.to_string(), functions.to_string()]);
        list.push(Json::object([
            ("program", Json::text(name)),
            ("bytes", Json::Integer(wasm.len() as u64)),
            ("stripped_bytes", Json::Integer(stripped as u64)),
            ("functions", Json::Number(functions)),
        ]));
    }
    table.notes.push("Functions: those of the program, without the runtime.".to_string());
    let json = Json::object([
        ("version", Json::Integer(1)),
        ("kind", Json::text("size")),
        ("machine", machine.json()),
        ("programs", Json::List(list)),
    ]);
    publish("Sizes", &machine.line(), &[table], &json, &args.output)
}

fn stripped_size(path: &Path) -> Result<usize> {
    let mut session = Session::new(Options { strip: true, ..Options::default() });
    let loaded = modules::load(&mut session, path);
    let compiled = loaded.and_then(|loaded| pipeline::compile(&mut session, loaded, Stop::Code, &[]));
    compiled.map(|compiled| compiled.wasm.len()).map_err(|_| anyhow::anyhow!("{} does not compile", path.display()))
}
