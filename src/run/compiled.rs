//! Cache of compiled modules between runs of the engine: a program that has not changed starts at once.
//!
//! ```text
//! MAGIC | SHA-256 of the module and of what follows | what the engine makes of it
//! ```
//! The engine takes only what it has written itself, in this version, for this machine and with these settings;
//! everything else that is not as it should be is as good as nothing.

use crate::code_cache::CodeCache;
use sha2::{Digest, Sha256};
use wasmtime::{Engine, Module};

/// Changes with the format.
const MAGIC: &[u8; 16] = b"cleave-kept 0003";

/// The module, compiled unless `kept` has it; then it is kept there.
pub fn module(engine: &Engine, wasm: &[u8], code_cache: Option<&dyn CodeCache>) -> wasmtime::Result<Module> {
    let Some(code_cache) = code_cache else { return Module::new(engine, wasm) };
    let bytes = code_cache.read();
    if let Some(made) = made(&bytes, wasm)
    // SAFETY: the bytes are as `seal` has written them, so that the engine has made them of this module.
    && let Ok(module) = unsafe { Module::deserialize(engine, made) }
    {
        return Ok(module);
    }
    let module = Module::new(engine, wasm)?;
    code_cache.write(&seal(&module.serialize()?, wasm));
    Ok(module)
}

/// The file for what the engine has made of a module.
fn seal(made: &[u8], wasm: &[u8]) -> Vec<u8> {
    [&MAGIC[..], &hash(wasm, made), made].concat()
}

/// What the engine has made of this module, if that is what the file holds.
fn made<'a>(file: &'a [u8], wasm: &[u8]) -> Option<&'a [u8]> {
    let (sum, made) = file.strip_prefix(MAGIC)?.split_first_chunk()?;
    (*sum == hash(wasm, made)).then_some(made)
}

/// The hash of a module and what the engine has made of it.
fn hash(wasm: &[u8], made: &[u8]) -> [u8; 32] {
    let length = (wasm.len() as u64).to_le_bytes();
    Sha256::new().chain_update(length).chain_update(wasm).chain_update(made).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Debug, Default)]
    struct Memory(Mutex<Vec<u8>>);

    impl CodeCache for Memory {
        fn read(&self) -> Vec<u8> {
            self.0.lock().expect("one thread").clone()
        }
        fn write(&self, bytes: &[u8]) {
            *self.0.lock().expect("one thread") = bytes.to_vec();
        }
    }

    #[test]
    fn other_modules_and_damaged_files_are_nothing() {
        let file = seal(b"made", b"module");
        assert_eq!(made(&file, b"module"), Some(&b"made"[..]));
        assert_eq!(made(&file, b"Module"), None);
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 0x10;
            assert_eq!(made(&damaged, b"module"), None, "byte {at}");
            assert_eq!(made(&file[..at], b"module"), None, "{at} bytes");
        }
    }

    #[test]
    fn a_module_is_compiled_once() {
        let (engine, memory) = (Engine::default(), Memory::default());
        let empty = b"\0asm\x01\0\0\0";
        // A custom section.
        let other = b"\0asm\x01\0\0\0\0\x02\x01a";
        module(&engine, empty, Some(&memory)).expect("a module");
        let first = memory.read();
        assert!(made(&first, empty).is_some());
        // What is not the engine's is compiled and written anew.
        memory.write(&seal(b"not of an engine", empty));
        module(&engine, empty, Some(&memory)).expect("a module");
        assert_eq!(memory.read(), first);
        module(&engine, other, Some(&memory)).expect("a module");
        assert!(made(&memory.read(), other).is_some());
    }
}
