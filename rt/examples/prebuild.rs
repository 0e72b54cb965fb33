//! Builds the runtime as a Wasm module and stores it, with the hash of its sources, in `rt/prebuilt`.
//!
//! ```text
//! cargo run -p cleave-rt --features std --example prebuild
//! ```
//! Needs the Rust target `wasm32-unknown-unknown`. The module contains no path of this machine: panics carry no
//! location that survives, and all sections but names and target features are removed.

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
    println!("rt.wasm: {} bytes, sources {hash:016x}", bytes.len());
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

/// The module without custom sections other than `name` and `target_features`.
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
            if name != b"name" && name != b"target_features" {
                continue;
            }
        }
        kept.extend_from_slice(&module[start..at]);
    }
    Ok(kept)
}

fn read_leb(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut value = 0usize;
    for shift in (0..35).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}
