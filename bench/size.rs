//! Sizes of compiled programs: the files, and the code in them: for both targets, and as Clean's code generator makes
//! it.
//!
//! Every file holds a runtime, which is not counted as code: ours are the functions of the program, Clean's is all code
//! of its file, less that of a program that only prints a word.

use crate::args::SizeArgs;
use crate::child;
use crate::input::{Scratch, programs};
use crate::json::Json;
use crate::machine::Machine;
use crate::report::{Table, publish};
use crate::stats::geometric_mean;
use anyhow::{Context, Result};
use cleave::driver::native;
use cleave::driver::pipeline::{self, Stop};
use cleave::driver::session::{Options, Session, Target};
use cleave::languages;
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

/// Code of a program in bytes: WebAssembly, machine code, Clean's machine code.
#[derive(Clone, Copy, Default)]
struct Code {
    wasm: usize,
    native: Option<usize>,
    clean: Option<usize>,
}

pub fn main(args: &SizeArgs) -> Result<()> {
    let machine = Machine::new(false);
    let scratch = Scratch::new()?;
    let hello = scratch.path.join("hello.abc");
    fs::write(&hello, HELLO)?;
    let mut files = vec![("hello".to_string(), hello)];
    files.extend(programs(&[])?.into_iter().map(|program| (program.name, program.abc)));
    let mut table =
        Table::new("Bytes of files", &["program", "wasm", "stripped", "executable", "stripped", "functions"]);
    let mut codes = Vec::new();
    let mut list = Vec::new();
    for (name, path) in files {
        let wasm = built(Target::Wasm, false, &path)?;
        let stripped = built(Target::Wasm, true, &path)?.bytes.len();
        let functions = wasm.functions as f64;
        let mut row = vec![name.clone(), wasm.bytes.len().to_string(), stripped.to_string()];
        let mut json = vec![
            ("program", Json::text(&name)),
            ("bytes", Json::Integer(wasm.bytes.len() as u64)),
            ("stripped_bytes", Json::Integer(stripped as u64)),
            ("functions", Json::Number(functions)),
        ];
        let mut code = Code { wasm: wasm.code, ..Code::default() };
        if native::IS_AVAILABLE {
            let executable = built(Target::Native, false, &path)?;
            let stripped = built(Target::Native, true, &path)?.bytes.len();
            row.extend([executable.bytes.len().to_string(), stripped.to_string()]);
            json.push(("executable_bytes", Json::Integer(executable.bytes.len() as u64)));
            json.push(("stripped_executable_bytes", Json::Integer(stripped as u64)));
            code.native = Some(executable.code);
        } else {
            row.extend(["-", "-"].map(str::to_string));
        }
        if let Some(clean) = args.clean.clean() {
            let executable = fs::read(clean.build(&path, &scratch.path, &name)?)?;
            code.clean = Some(machine_code(&executable).context("sections of Clean's executable")?);
        }
        row.push(functions.to_string());
        table.rows.push(row);
        json.push(("wasm_code_bytes", Json::Integer(code.wasm as u64)));
        let optional = |size: Option<usize>| size.map_or(Json::Null, |size| Json::Integer(size as u64));
        json.extend([("native_code_bytes", optional(code.native)), ("clean_code_bytes", optional(code.clean))]);
        codes.push((name, code));
        list.push(Json::Object(json.into_iter().map(|(key, value)| (key.to_string(), value)).collect()));
    }
    table.notes.push("Functions: those of the program, without the runtime.".to_string());
    let json = Json::object([
        ("version", Json::Integer(2)),
        ("kind", Json::text("size")),
        ("machine", machine.json()),
        ("programs", Json::List(list)),
    ]);
    publish("Sizes", &machine.line(), &[table, code_table(&codes)], &json, &args.output)
}

/// Code of the programs; of Clean's what is beyond the first one.
fn code_table(codes: &[(String, Code)]) -> Table {
    let head = ["program", "wasm", "native", "clean", "wasm / clean", "native / clean"];
    let mut table = Table::new("Bytes of code, without runtime", &head);
    let Some((_, hello)) = codes.first() else { return table };
    let (mut wasm_ratios, mut native_ratios) = (Vec::new(), Vec::new());
    for (name, code) in &codes[1..] {
        let (wasm, native) = (Some(code.wasm as f64), code.native.map(|size| size as f64));
        let clean = code.clean.zip(hello.clean).map(|(size, base)| size.saturating_sub(base) as f64);
        let mut row = vec![name.clone()];
        row.extend([wasm, native, clean].map(|size| size.map_or("-".to_string(), |size| size.to_string())));
        for (size, ratios) in [(wasm, &mut wasm_ratios), (native, &mut native_ratios)] {
            let ratio = size.zip(clean).map(|(size, clean)| size / clean);
            row.push(ratio.map_or("-".to_string(), |ratio| format!("{ratio:.2}")));
            ratios.extend(ratio);
        }
        table.rows.push(row);
    }
    if !wasm_ratios.is_empty() {
        let (wasm, native) = (geometric_mean(&wasm_ratios), geometric_mean(&native_ratios));
        table.notes.push(format!("Geometric means of the ratios: WebAssembly {wasm:.2}, machine code {native:.2}."));
    }
    table
}

/// A number of WebAssembly, and where the next word begins.
fn number(wasm: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let (mut value, mut shift) = (0usize, 0);
    loop {
        let byte = *wasm.get(at)?;
        at += 1;
        value |= usize::from(byte & 0x7f).checked_shl(shift)?;
        shift += 7;
        if byte & 0x80 == 0 {
            return Some((value, at));
        }
    }
}

/// Bytes of the first functions of a module.
fn wasm_code(wasm: &[u8], functions: usize) -> Option<usize> {
    const CODE: u8 = 10;
    let mut at = 8;
    while let Some(&section) = wasm.get(at) {
        let (size, start) = number(wasm, at + 1)?;
        at = start + size;
        if section == CODE {
            let (_, mut body) = number(wasm, start)?;
            let mut bytes = 0;
            for _ in 0..functions {
                let (size, start) = number(wasm, body)?;
                body = start + size;
                bytes += size;
            }
            return Some(bytes);
        }
    }
    None
}

/// Bytes of the sections of an ELF file that hold code.
fn machine_code(elf: &[u8]) -> Option<usize> {
    const EXECUTABLE: u64 = 4;
    let word = |at: usize| Some(u64::from_le_bytes(elf.get(at..at + 8)?.try_into().ok()?));
    let half = |at: usize| Some(usize::from(u16::from_le_bytes(elf.get(at..at + 2)?.try_into().ok()?)));
    let (table, size, count) = (word(40)? as usize, half(58)?, half(60)?);
    let headers = (0..count).map(|number| table + number * size);
    let code = headers.filter(|at| word(at + 8).is_some_and(|flags| flags & EXECUTABLE != 0));
    code.map(|at| Some(word(at + 32)? as usize)).sum()
}

/// A compiled program.
struct Built {
    bytes: Vec<u8>,
    functions: usize,
    /// Bytes of the code of its functions.
    code: usize,
}

fn built(target: Target, strip: bool, path: &Path) -> Result<Built> {
    let mut session = Session::new(Options { target, strip, ..Options::default() });
    let loaded = languages::load(&mut session, path);
    let built = loaded.and_then(|loaded| {
        let compiled = pipeline::compile(&mut session, loaded, Stop::Code, &[])?;
        // Those of the program come before those of the runtime.
        let count = compiled.functions;
        Ok((child::program_bytes(&mut session, compiled)?, count))
    });
    let (bytes, count) = built.map_err(|_| anyhow::anyhow!("{} does not compile", path.display()))?;
    let code = match target {
        Target::Wasm | Target::Component => wasm_code(&bytes, count).context("sections of WebAssembly")?,
        Target::Native => session.counts.get("code bytes").context("bytes of code")? as usize,
    };
    Ok(Built { bytes, functions: session.counts.get("functions").unwrap_or(0) as usize, code })
}
