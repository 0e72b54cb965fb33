//! The smallest user of the back end: a list is built and summed, in WebAssembly and as an executable.
//!
//! `cargo run --example minimal`. Which cells the collector has to find, and where they are when it moves them, is said
//! nowhere: that is found from the types of the values.

use cleave_compile::ir::{Builder, Callee, Desc, Func, FuncId, Module, Opcode, Shape, Signature, Type, libcalls, text};
use cleave_compile::{Native, Options, Wasm, compile};
use std::error::Error;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// A cell has one reference and one word, and nothing ever takes its place (`contiguous`); the end of a list has
/// neither, so that there is one for all.
const DATA: &str = "desc $End = constructor arity 0 tag 0 \"End\"
desc $Cell = record arity 0 tag 0 \"Cell\" fields 1, 1 \"ai\" contiguous";

/// `list(n)`: the list of the numbers from 1 to n.
fn list(end: Desc, cell: Desc) -> Func {
    let mut func = Func::new("list", Signature::new(&[Type::I64], &[Type::Ref]));
    let [entry, next, more, done] = std::array::from_fn(|_| func.new_block());
    let n = func.add_param(entry, Type::I64);
    let (i, tail) = (func.add_param(next, Type::I64), func.add_param(next, Type::Ref));
    let mut b = Builder::new(&mut func, entry);
    let empty = b.node(end);
    b.jump(next, &[n, empty]);
    b.switch_to(next);
    let is_done = b.op(Opcode::Eqz, &[i]);
    b.br_if(is_done, (done, &[]), (more, &[]));
    b.switch_to(more);
    let longer = b.build_node(cell, 0, &[tail, i]);
    let one = b.iconst64(1);
    let less = b.op(Opcode::Isub, &[i, one]);
    b.jump(next, &[less, longer]);
    b.switch_to(done);
    b.ret(&[tail]);
    func
}

/// `sum(list, total)`: the sum of a list, and total.
fn sum(end: Desc, cell: Shape, own: FuncId) -> Func {
    let mut func = Func::new("sum", Signature::new(&[Type::Ref, Type::I64], &[Type::I64]));
    let [entry, done, more] = std::array::from_fn(|_| func.new_block());
    let (list, total) = (func.add_param(entry, Type::Ref), func.add_param(entry, Type::I64));
    let mut b = Builder::new(&mut func, entry);
    let (header, of_end) = (b.op(Opcode::Header, &[list]), b.node_info(end, 0));
    let is_end = b.op(Opcode::Eq, &[header, of_end]);
    b.br_if(is_end, (done, &[]), (more, &[]));
    b.switch_to(done);
    b.ret(&[total]);
    b.switch_to(more);
    let (tail, number) = (b.get_of(Opcode::GetRef, cell, 0, list), b.get_of(Opcode::GetI64, cell, 0, list));
    let total = b.op(Opcode::Iadd, &[total, number]);
    b.tail_call(own, &[tail, total]);
    func
}

/// Prints the sum of a list.
fn start(list: FuncId, sum: FuncId, print: Callee) -> Func {
    let mut func = Func::new("main", Signature::default());
    let entry = func.new_block();
    let mut b = Builder::new(&mut func, entry);
    let (n, zero) = (b.iconst64(1000), b.iconst64(0));
    let numbers = b.call_value(list, &[n], Type::Ref);
    let total = b.call_value(sum, &[numbers, zero], Type::I64);
    b.call_extern(print, &[total]);
    b.ret(&[]);
    func
}

fn program() -> Result<Module, Box<dyn Error>> {
    let mut module = text::parse_module(DATA)?;
    let desc =
        |label| module.descs.iter().find(|(_, desc)| desc.label == label).map(|(id, _)| id).ok_or("no such data");
    let (end, cell) = (desc("End")?, desc("Cell")?);
    let list = module.funcs.push(list(end, cell));
    let own = module.funcs.next_key();
    let shape = module.shape(cell, 0);
    let sum = module.funcs.push(sum(end, shape, own));
    // What a module calls outside it declares: here a function that the runtime has for any language.
    let print = module.declare(&libcalls::PRINT_INT);
    let start = start(list, sum, module.callee(print));
    module.start = Some(module.funcs.push(start));
    Ok(module)
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let (module, options) = (program()?, Options::default());
    let wasm = compile(module.clone(), &Wasm::default(), &options)?;
    let ended = cleave_run::wasm(&wasm.bytes, &cleave_run::Options::default())?;
    println!("  in WebAssembly, status {}", ended.status);

    let native = compile(module, &Native::default(), &options)?;
    let file = std::env::temp_dir().join(format!("cleave-minimal-{}", std::process::id()));
    std::fs::write(&file, native.executable(true)?)?;
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755))?;
    let status = Command::new(&file).status();
    std::fs::remove_file(&file)?;
    println!("  as an executable, {}", status?);
    Ok(())
}
