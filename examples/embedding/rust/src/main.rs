//! Calls functions of `sales.sam` as a component, in wasmtime. In this folder:
//!
//!     cleave wit ../sales.sam > sales.wit
//!     cleave build ../sales.sam --lib --target component
//!     cargo run -- sales.wasm

use wasmtime::component::{Component, Linker, bindgen};
use wasmtime::{Engine, Result, Store};

// Makes a structure for the world, and one for each record, of what `cleave wit` prints.
bindgen!({ path: "sales.wit" });

/// A new instance: after an error nobody can call one any more.
fn instantiate(engine: &Engine, component: &Component) -> Result<(Store<()>, Sales)> {
    let mut store = Store::new(engine, ());
    let sales = Sales::instantiate(&mut store, component, &Linker::new(engine))?;
    Ok((store, sales))
}

fn main() -> Result<()> {
    let file = std::env::args().nth(1).expect("the name of a component");
    let engine = Engine::default();
    let component = Component::from_file(&engine, file)?;
    let (mut store, program) = instantiate(&engine, &component)?;
    let sale = |customer: &str, pieces, price| Sale { customer: customer.into(), pieces, price };
    let sales = [sale("Ada", 2, 30), sale("Grace", 1, 75), sale("Barbara", 5, 4)];
    let summary = program.call_summary(&mut store, &sales)?;
    println!("{}", summary.text);
    if let Some(Sale { customer, pieces, price }) = summary.largest {
        println!("the largest: {customer}, {pieces} of {price}");
    }
    if program.call_mean(&mut store, &[]).is_err() {
        // What the program says of it nobody hears.
        println!("error: the program has ended");
    }
    let (mut store, program) = instantiate(&engine, &component)?;
    println!("mean: {}", program.call_mean(&mut store, &sales)?);
    Ok(())
}
