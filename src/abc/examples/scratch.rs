use cleave_abc::*;
use cleave_diag::*;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut bad = 0;
    for main in &args {
        let mut map = SourceMap::new();
        let mut sink = Sink::new();
        let mut modules = vec![];
        let mut indexes = vec![];
        let mut names: Vec<String> = vec!["_system".into()];
        let f = map.add(system::FILE_NAME, system::SOURCE.as_bytes().to_vec());
        let m = parse(f, "_system", system::SOURCE.as_bytes(), &mut sink).unwrap();
        indexes.push(ModuleIndex::build(&m, &mut sink));
        modules.push(m);
        let dir = std::path::Path::new(main).parent().unwrap().to_owned();
        let mut work = vec![main.clone()];
        let mut first = true;
        while let Some(path) = work.pop() {
            let Ok(bytes) = std::fs::read(&path) else { println!("missing {path}"); continue };
            let f = map.add(path.clone(), bytes.clone());
            let name = std::path::Path::new(&path).file_stem().unwrap().to_str().unwrap().to_string();
            if !first && names.contains(&name) { continue }
            first = false;
            names.push(name.clone());
            let Some(m) = parse(f, &name, &bytes, &mut sink) else { break };
            for d in &m.depends { let n = String::from_utf8(d.name.clone()).unwrap(); if n != "_system" && !names.contains(&n) {
                let mut p = dir.join(format!("{n}.abc"));
                if !p.exists() { p = std::path::PathBuf::from(format!("{}/{n}.abc", std::env::var("STDENV").unwrap_or_default())); }
                work.push(p.to_str().unwrap().into()); } }
            indexes.push(ModuleIndex::build(&m, &mut sink));
            modules.push(m);
        }
        let r = if sink.has_errors() { None } else { build(modules, indexes, 1, BuildOptions::default(), &mut sink) };
        for d in sink.diagnostics().iter().take(5) { println!("{}", human(d, &map, false)); }
        match r { Some(mut m) => {
            let chk = |m: &cleave_ir::Module, what: &str| { if let Err(es) = cleave_ir::verify::verify_module(m) { println!("{main}: {what}: {} errors", es.len()); for e in es.iter().take(3) { println!("   {e:?}"); } } };
            chk(&m, "front");
            if std::env::var("OPT").is_ok() { }
            cleave_passes::leaf::run(&mut m);
            cleave_passes::expand::run(&mut m);
            chk(&m, "expand");
            let before = m.clone();
            let st = cleave_passes::roots::run(&mut m, Default::default());
            chk(&m, "rooted");
            for (id, f) in m.funcs.iter() { if let Err(es) = cleave_ir::verify::translation::check_translation(&m, &before.funcs[id], f) { println!("{main}: translation {}: {:?}", f.name, es[0]); } }
            let image = cleave_ir::image::Image::build(&m, cleave_wasm::runtime_base(), Default::default());
            cleave_passes::lower::run(&mut m, &image);
            chk(&m, "low");
            let _ = st;
            if let Ok(dir) = std::env::var("OUT") {
                match cleave_wasm::emit(&m, &image, &cleave_wasm::Options::default()) {
                    Ok(bytes) => std::fs::write(format!("{dir}/{}.wasm", std::path::Path::new(main).file_stem().unwrap().to_str().unwrap()), bytes).unwrap(),
                    Err(e) => println!("{main}: emit {e:?}"),
                }
            }
 if std::env::var("V").is_ok() { println!("{main}: ok {} funcs {} insts", m.funcs.len(), m.funcs.values().map(|f| f.inst_count()).sum::<usize>()); } }
            None => { bad += 1; println!("{main}: FAILED") } }
    }
    println!("{} programs, {bad} failed", args.len());
}
