use cleave_ir::verify::*; use cleave_tests::roots::{Rng,generate::*}; use cleave_ir::text::*; use cleave_passes::roots;
#[test] fn speed() {
 let mut m = library(); let mut rng = Rng::new(1);
 for i in 0..20000 { let f = generate(&mut rng, &format!("f{i}")); m.funcs.push(f); }
 let n: usize = m.funcs.values().map(|f| f.inst_count()).sum();
 let t = std::time::Instant::now(); verify_module(&m).unwrap(); println!("{n} insts verify high {:?}", t.elapsed());
 let t = std::time::Instant::now(); let s = print_module(&m); println!("print {} bytes {:?}", s.len(), t.elapsed());
 let t = std::time::Instant::now(); let m2 = parse_module(&s).unwrap(); println!("parse {:?}", t.elapsed());
 assert!(print_module(&m2)==s);
 let o = m.clone();
 let t = std::time::Instant::now(); roots::run(&mut m, Default::default()); println!("roots {:?}", t.elapsed());
 let n: usize = m.funcs.values().map(|f| f.inst_count()).sum();
 let t = std::time::Instant::now(); verify_module(&m).unwrap(); println!("{n} insts verify rooted {:?}", t.elapsed());
 let t = std::time::Instant::now(); for (id,f) in &m.funcs { gc::check_translation(&m,&o.funcs[id],f).unwrap(); } println!("translation {:?}", t.elapsed());
}
