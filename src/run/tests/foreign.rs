//! Programs of other compilers get nothing that was not granted: no variables, no files, no memory beyond the heap.
//! Each says by its status what it got.

#![cfg(all(feature = "engine", unix))]

use cleave_run::Options;
use std::path::PathBuf;
use wasm_encoder::*;

const WASI: &str = "wasi_snapshot_preview1";
/// What the program under test says if a function of WASI has succeeded.
const SUCCESS: i32 = 0;
/// Numbers of WASI for a descriptor that is none, and for a path that leaves its folder.
const NO_DESCRIPTOR: i32 = 8;
const NOT_PERMITTED: i32 = 63;

/// A command that imports a function of WASI (number 1, behind `proc_exit`), has 64 KiB of memory with this text at
/// address 0, and runs this code, whose result is its status.
fn program(import: (&str, &[ValType]), text: &[u8], code: impl FnOnce(&mut InstructionSink)) -> Vec<u8> {
    let mut module = Module::new();
    let mut types = TypeSection::new();
    types.ty().function([ValType::I32], []);
    types.ty().function(import.1.iter().copied(), [ValType::I32]);
    types.ty().function([], []);
    module.section(&types);
    let mut imports = ImportSection::new();
    imports.import(WASI, "proc_exit", EntityType::Function(0));
    imports.import(WASI, import.0, EntityType::Function(1));
    module.section(&imports);
    let mut functions = FunctionSection::new();
    functions.function(2);
    module.section(&functions);
    let mut memories = MemorySection::new();
    memories.memory(MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None });
    module.section(&memories);
    let mut exports = ExportSection::new();
    exports.export("memory", ExportKind::Memory, 0).export("_start", ExportKind::Func, 2);
    module.section(&exports);
    let mut bodies = CodeSection::new();
    let mut body = Function::new([]);
    let mut sink = body.instructions();
    code(&mut sink);
    sink.call(0).unreachable().end();
    bodies.function(&body);
    module.section(&bodies);
    let mut data = DataSection::new();
    data.active(0, &ConstExpr::i32_const(0), text.iter().copied());
    module.section(&data);
    module.finish()
}

fn status(wasm: &[u8], options: &Options) -> i32 {
    let options = Options { args: vec!["program".into()], ..options.clone() };
    cleave_run::wasm(wasm, &options).expect("it is a program").status
}

/// The number of variables.
fn counts_variables() -> Vec<u8> {
    let word = MemArg { offset: 0, align: 2, memory_index: 0 };
    program(("environ_sizes_get", &[ValType::I32, ValType::I32]), b"", |code| {
        code.i32_const(64).i32_const(68).call(1).drop().i32_const(64).i32_load(word);
    })
}

#[test]
fn variables_are_granted() {
    let wasm = counts_variables();
    assert_eq!(status(&wasm, &Options::default()), 0);
    let environment = vec![b"A=1".to_vec(), b"B=".to_vec()];
    assert_eq!(status(&wasm, &Options { environment, ..Options::default() }), 2);
}

/// How opening a path for reading below the first folder ends.
fn opens(path: &str) -> Vec<u8> {
    use ValType::{I32, I64};
    program(("path_open", &[I32, I32, I32, I32, I32, I64, I64, I32, I32]), path.as_bytes(), |code| {
        code.i32_const(3).i32_const(1).i32_const(0).i32_const(path.len() as i32).i32_const(0);
        code.i64_const(1 << 1).i64_const(0).i32_const(0).i32_const(1024).call(1);
    })
}

#[test]
fn files_are_granted() {
    let folder = std::env::temp_dir().join(format!("cleave-foreign-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("in")).expect("a folder of our own");
    std::fs::write(folder.join("in/file"), "text").expect("a file of our own");
    std::fs::write(folder.join("secret"), "text").expect("a file of our own");
    std::os::unix::fs::symlink("../secret", folder.join("in/link")).expect("a link of our own");
    std::os::unix::fs::symlink("/etc", folder.join("in/far")).expect("a link of our own");
    let granted = |folders: Vec<(PathBuf, String)>| Options { folders: Some(folders), ..Options::default() };
    let inside = granted(vec![(folder.join("in"), ".".into())]);
    assert_eq!(status(&opens("etc/hostname"), &Options::default()), NO_DESCRIPTOR);
    assert_eq!(status(&opens("file"), &granted(Vec::new())), NO_DESCRIPTOR);
    assert_eq!(status(&opens("file"), &inside), SUCCESS);
    for path in ["../secret", "link", "far/passwd", "/etc/passwd", "../in/../secret"] {
        assert_eq!(status(&opens(path), &inside), NOT_PERMITTED, "{path}");
    }
    std::fs::remove_dir_all(&folder).expect("a folder of our own");
}

/// Takes a MiB after the other; says how many it has got.
#[test]
fn memory_is_limited() {
    let wasm = program(("environ_sizes_get", &[ValType::I32, ValType::I32]), b"", |code| {
        code.block(BlockType::Empty).loop_(BlockType::Empty);
        code.i32_const(16).memory_grow(0).i32_const(-1).i32_eq().br_if(1).br(0).end().end();
        code.memory_size(0).i32_const(16).i32_div_u();
    });
    let heap = |bytes| Options { heap: Some(bytes), ..Options::default() };
    assert_eq!(status(&wasm, &heap(10 << 20)), 9, "less than 10 MiB and a page");
    assert_eq!(status(&wasm, &heap(64 << 20)), 63);
}
