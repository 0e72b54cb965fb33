use std::time::Instant;
#[path = "../tests/emit/harness.rs"]
#[allow(dead_code)]
mod harness;
#[path = "../tests/emit/random.rs"]
#[allow(dead_code)]
mod random;
fn main() {
    let n: usize = std::env::args().nth(1).map_or(20000, |s| s.parse().unwrap());
    let module = random::big(n);
    let insts: usize = module.funcs.values().map(|f| f.inst_count()).sum();
    let image = harness::image(&module);
    for parallel in [false, false, false, true] {
        let t = Instant::now();
        let wasm = cleave_wasm::emit(&module, &image, &cleave_wasm::Options { parallel, ..Default::default() }).unwrap();
        let e = t.elapsed();
        println!("{} funcs {insts} insts {} bytes {:?} {:.0} insts/s", module.funcs.len(), wasm.len(), e, insts as f64 / e.as_secs_f64());
        if parallel { let mut v = wasmparser::Validator::new(); let t = Instant::now(); let _ = v.validate_all(&wasm); println!("validate {:?}", t.elapsed()); }
    }
}
