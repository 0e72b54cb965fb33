//! Arguments and environment of a program that the engine runs, byte for byte.
//!
//! The WASI library of the engine takes Unicode text only, but arguments may be any bytes, as file names are. So we
//! replace its four functions that give a program its arguments and environment.

use std::ffi::OsString;
use wasmtime::{Caller, Extern, Linker};
use wasmtime_wasi::p1::WasiP1Ctx;

const WASI: &str = "wasi_snapshot_preview1";
/// Numbers of WASI for success, and for an address outside of the memory.
const SUCCESS: i32 = 0;
const FAULT: i32 = 21;

/// Defines the functions for the arguments (the first is the program's name) and the variables, `NAME=value`.
pub fn add_to_linker(
    linker: &mut Linker<WasiP1Ctx>,
    arguments: &[OsString],
    environment: Vec<Vec<u8>>,
) -> wasmtime::Result<()> {
    let arguments = arguments.iter().map(|word| word.as_encoded_bytes().to_vec()).collect();
    for (what, words) in [("args", List::new(arguments)), ("environ", List::new(environment))] {
        let (count, length) = (words.ends.len() as u32, words.bytes.len() as u32);
        let sizes = move |mut caller: Caller<'_, WasiP1Ctx>, at: u32, to: u32| {
            written(&mut caller, &[(at, &count.to_le_bytes()), (to, &length.to_le_bytes())])
        };
        linker.func_wrap(WASI, &format!("{what}_sizes_get"), sizes)?;
        let get = move |mut caller: Caller<'_, WasiP1Ctx>, table: u32, to: u32| {
            written(&mut caller, &[(table, &words.addresses(to)), (to, &words.bytes)])
        };
        linker.func_wrap(WASI, &format!("{what}_get"), get)?;
    }
    Ok(())
}

/// Words as C has them, one behind the other, each with a NUL at its end.
struct List {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl List {
    fn new(words: Vec<Vec<u8>>) -> List {
        let mut list = List { bytes: Vec::new(), ends: Vec::new() };
        for word in words {
            list.bytes.extend(word);
            list.bytes.push(0);
            list.ends.push(list.bytes.len() as u32);
        }
        list
    }

    /// Where each word is if they are written to this address.
    fn addresses(&self, to: u32) -> Vec<u8> {
        let starts = std::iter::once(&0).chain(&self.ends).take(self.ends.len());
        starts.flat_map(|start| to.wrapping_add(*start).to_le_bytes()).collect()
    }
}

/// Writes to the memory of the program.
fn written(caller: &mut Caller<'_, WasiP1Ctx>, parts: &[(u32, &[u8])]) -> i32 {
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else { return FAULT };
    let mut write = |&(at, bytes): &(u32, &[u8])| memory.write(&mut *caller, at as usize, bytes).is_ok();
    if parts.iter().all(&mut write) { SUCCESS } else { FAULT }
}
