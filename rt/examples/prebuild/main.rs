//! Builds the runtime as a Wasm module and as an object for x86-64 Linux, and stores both, with the hash of their
//! sources, in `rt/prebuilt`.
//!
//! ```text
//! cargo run -p cleave-rt --features std --example prebuild
//! ```
//! Needs the Rust targets `wasm32-unknown-unknown` and `x86_64-unknown-linux-gnu`. The object is the one of a static
//! library: everything is optimised as a whole, and it refers to the C library alone. The module contains no path of
//! this machine: panics carry no location that survives, and all sections but names and target features are removed.
//! One is added: which data each function uses (`data.rs`).

mod data;
mod leb;

use leb::{read_leb, write_leb};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The machine stack of the runtime comes first in memory, so that its statics start at `RUNTIME_STACK_TOP`.
const STACK: u32 = cleave_rt::layout::RUNTIME_STACK_TOP;

fn main() {
    if let Err(message) = run() {
        eprintln!("prebuild: {message}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let module = build(&folder)?;
    let bytes = std::fs::read(&module).map_err(|e| format!("{}: {e}", module.display()))?;
    let bytes = keep_sections(&bytes)?;
    let hash = cleave_rt::prebuilt::hash_of_sources(&folder).map_err(|e| e.to_string())?;
    let prebuilt = folder.join("prebuilt");
    std::fs::create_dir_all(&prebuilt).map_err(|e| e.to_string())?;
    std::fs::write(prebuilt.join("rt.wasm"), &bytes).map_err(|e| e.to_string())?;
    std::fs::write(prebuilt.join("rt.hash"), format!("{hash:016x}\n")).map_err(|e| e.to_string())?;
    let object = build_native(&folder)?;
    std::fs::write(prebuilt.join("rt-x86_64-linux.o"), &object).map_err(|e| e.to_string())?;
    println!("rt.wasm: {} bytes, rt-x86_64-linux.o: {} bytes, sources {hash:016x}", bytes.len(), object.len());
    Ok(())
}

fn build(folder: &Path) -> Result<PathBuf, String> {
    let workspace = folder.parent().ok_or("no workspace")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from);
    let link_arguments = [
        format!("-zstack-size={STACK}"),
        "--stack-first".into(),
        "--export=__heap_base".into(),
        "--export=__data_end".into(),
        "--export=__stack_pointer".into(),
        // Sections that say where code and data hold addresses.
        "--emit-relocs".into(),
    ];
    let mut flags = vec![
        "-Ctarget-cpu=mvp".to_string(),
        "-Ctarget-feature=+bulk-memory,+sign-ext,+mutable-globals,+nontrapping-fptoint".to_string(),
        format!("--remap-path-prefix={}=cleave", workspace.display()),
    ];
    flags.extend(link_arguments.iter().map(|argument| format!("-Clink-arg={argument}")));
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(workspace)
        .args(["rustc", "-p", "cleave-rt", "--lib", "--crate-type", "cdylib", "--target", "wasm32-unknown-unknown"])
        .args(["--profile", "rt"])
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        .env("CARGO_TARGET_DIR", &target)
        .status()
        .map_err(|e| format!("cargo: {e}"))?;
    if !status.success() {
        return Err("the build failed (is the target there? `rustup target add wasm32-unknown-unknown`)".into());
    }
    Ok(target.join("wasm32-unknown-unknown/rt/cleave_rt.wasm"))
}

/// The runtime as one object file.
fn build_native(folder: &Path) -> Result<Vec<u8>, String> {
    const TARGET: &str = "x86_64-unknown-linux-gnu";
    let workspace = folder.parent().ok_or("no workspace")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from);
    let flags =
        [format!("--remap-path-prefix={}=cleave", workspace.display()), "-Crelocation-model=pic".into()].join("\u{1f}");
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(workspace)
        .args(["rustc", "-p", "cleave-rt", "--lib", "--crate-type", "staticlib", "--target", TARGET])
        .args(["--profile", "rt-native", "--features", "standalone"])
        .env("CARGO_ENCODED_RUSTFLAGS", flags)
        .env("CARGO_TARGET_DIR", &target)
        .status()
        .map_err(|e| format!("cargo: {e}"))?;
    if !status.success() {
        return Err("the native build failed".into());
    }
    let library = target.join(TARGET).join("rt-native/libcleave_rt.a");
    let bytes = std::fs::read(&library).map_err(|e| format!("{}: {e}", library.display()))?;
    member(&bytes, "cleave_rt-").ok_or("no object of this crate in the library".into())
}

/// The member of an archive whose name begins so. A header has 60 bytes: the name (or `/` and its place in the member
/// `//`), numbers, at 48 the length; members are padded to even lengths.
fn member(archive: &[u8], prefix: &str) -> Option<Vec<u8>> {
    let mut at = archive.starts_with(b"!<arch>\n").then_some(8)?;
    let mut names: &[u8] = &[];
    while let Some(header) = archive.get(at..at + 60) {
        let field = |from: usize, to: usize| std::str::from_utf8(&header[from..to]).unwrap_or_default().trim();
        let length = field(48, 58).parse::<usize>().ok()?;
        let body = archive.get(at + 60..at + 60 + length)?;
        match field(0, 16) {
            "//" => names = body,
            name => {
                let place = name.strip_prefix('/').and_then(|place| place.parse::<usize>().ok());
                let name = place.map_or(name.as_bytes(), |place| names.get(place..).unwrap_or_default());
                if name.starts_with(prefix.as_bytes()) {
                    return Some(body.to_vec());
                }
            }
        }
        at += 60 + length.next_multiple_of(2);
    }
    None
}

/// The module without custom sections other than `name` and `target_features`, and with the one of `data`.
fn keep_sections(module: &[u8]) -> Result<Vec<u8>, String> {
    let bad = || "not a Wasm module".to_string();
    let mut kept = module.get(..8).ok_or_else(bad)?.to_vec();
    let mut at = 8;
    while at < module.len() {
        let start = at;
        let id = module[at];
        at += 1;
        let size = read_leb(module, &mut at).ok_or_else(bad)?;
        let body = at;
        at = body.checked_add(size).filter(|end| *end <= module.len()).ok_or_else(bad)?;
        if id == 0 {
            let mut name_at = body;
            let length = read_leb(module, &mut name_at).ok_or_else(bad)?;
            let name = module.get(name_at..name_at + length).ok_or_else(bad)?;
            if name == b"name" {
                let section = readable_names(&module[name_at + length..at]).ok_or_else(bad)?;
                kept.push(0);
                let mut body = vec![4];
                body.extend_from_slice(b"name");
                body.extend_from_slice(&section);
                write_leb(&mut kept, body.len());
                kept.extend_from_slice(&body);
                continue;
            }
            if name != b"target_features" {
                continue;
            }
        }
        if id == data::SECTION {
            let section = data::without_zeros(&module[body..at]).ok_or_else(bad)?;
            kept.push(id);
            write_leb(&mut kept, section.len());
            kept.extend_from_slice(&section);
            continue;
        }
        kept.extend_from_slice(&module[start..at]);
    }
    let section = data::section(module).ok_or("the sections with relocations are not as expected")?;
    kept.push(0);
    write_leb(&mut kept, section.len());
    kept.extend_from_slice(&section);
    Ok(kept)
}

/// A name section with function names only, demangled: a hash in them would depend on where this was built.
fn readable_names(section: &[u8]) -> Option<Vec<u8>> {
    let mut at = 0;
    while at < section.len() {
        let kind = section[at];
        at += 1;
        let size = read_leb(section, &mut at)?;
        let end = at + size;
        if kind == 1 {
            let count = read_leb(section, &mut at)?;
            let mut body = Vec::new();
            write_leb(&mut body, count);
            for _ in 0..count {
                write_leb(&mut body, read_leb(section, &mut at)?);
                let length = read_leb(section, &mut at)?;
                let name = readable(&String::from_utf8_lossy(section.get(at..at + length)?));
                at += length;
                write_leb(&mut body, name.len());
                body.extend_from_slice(name.as_bytes());
            }
            let mut names = vec![1];
            write_leb(&mut names, body.len());
            names.extend_from_slice(&body);
            return Some(names);
        }
        at = end;
    }
    Some(Vec::new())
}

/// `_ZN9cleave_rt4heap7collect17h0123…E` becomes `rt::heap::collect`; what does not look like that keeps its last
/// words.
fn readable(symbol: &str) -> String {
    let Some(mut rest) = symbol.strip_prefix("_ZN") else {
        // The newer mangling: the identifiers, without the structure around them.
        let words = symbol.strip_prefix("_R").map(identifiers).unwrap_or_default();
        return if words.is_empty() { symbol.to_string() } else { words.join("::") };
    };
    let mut parts = Vec::new();
    while let Some(end) = rest.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0) {
        let Ok(length) = rest[..end].parse::<usize>() else { break };
        let Some(part) = rest.get(end..end + length) else { break };
        parts.push(part.replace("$LT$", "<").replace("$GT$", ">").replace("$u20$", " ").replace("..", "::"));
        rest = &rest[end + length..];
    }
    // The last part is the hash.
    parts.pop();
    parts.join("::").replace("cleave_rt", "rt")
}

fn identifiers(symbol: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = symbol;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        rest = &rest[start..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let length = rest[..end].parse::<usize>().unwrap_or(0);
        let skipped = usize::from(rest[end..].starts_with('_'));
        match rest.get(end + skipped..end + skipped + length) {
            Some(word) if length > 0 => {
                words.push(word.to_string());
                rest = &rest[end + skipped + length..];
            }
            _ => rest = &rest[end..],
        }
    }
    words
}
