use std::time::Instant;
use wasmtime::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let wasm = std::fs::read(&args[1]).unwrap();
    let mut config = Config::new();
    config.async_stack_size(1 << 30); config.max_wasm_stack(512 << 20);
    config.wasm_branch_hinting(args.get(2).is_some_and(|s| s == "hint"));
    let engine = Engine::new(&config).unwrap();
    let compiled = Module::new(&engine, &wasm).unwrap();
    let mut linker: Linker<usize> = Linker::new(&engine);
    let m = "wasi_snapshot_preview1";
    let sizes = |mut c: Caller<'_, usize>, a: u32, b: u32| { let mem = c.get_export("memory").unwrap().into_memory().unwrap(); for at in [a, b] { mem.write(&mut c, at as usize, &[0; 4]).unwrap(); } 0u32 };
    linker.func_wrap(m, "args_sizes_get", sizes).unwrap();
    linker.func_wrap(m, "environ_sizes_get", sizes).unwrap();
    linker.func_wrap(m, "args_get", |_: u32, _: u32| 0u32).unwrap();
    linker.func_wrap(m, "environ_get", |_: u32, _: u32| 0u32).unwrap();
    linker.func_wrap(m, "clock_time_get", |_: u32, _: u64, _: u32| 0u32).unwrap();
    linker.func_wrap(m, "fd_write", |mut c: Caller<'_, usize>, _: u32, p: u32, n: u32, w: u32| {
        let mem = c.get_export("memory").unwrap().into_memory().unwrap();
        let mut t = 0; for i in 0..n { let d = mem.data(&c); t += u32::from_le_bytes(d[(p + i * 8 + 4) as usize..][..4].try_into().unwrap()); }
        mem.write(&mut c, w as usize, &t.to_le_bytes()).unwrap(); *c.data_mut() += t as usize; 0u32 }).unwrap();
    linker.define_unknown_imports_as_traps(&compiled).unwrap();
    let h = std::thread::Builder::new().stack_size(1 << 30).spawn(move || {
        let mut best = f64::MAX;
        for _ in 0..5 {
            let mut store = Store::new(&engine, 0usize);
            let i = linker.instantiate(&mut store, &compiled).unwrap();
            let f = i.get_typed_func::<(), ()>(&mut store, "_start").unwrap();
            let t = Instant::now();
            let r = f.call(&mut store, ());
            if let Err(e) = r { println!("{e:?}"); }
            best = best.min(t.elapsed().as_secs_f64());
        }
        println!("{:.1} ms", best * 1000.0);
    }).unwrap();
    h.join().unwrap();
}
