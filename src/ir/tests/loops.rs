//! Tests of `loops`.

use cleave_ir::cfg::Cfg;
use cleave_ir::loops::Loops;
use cleave_ir::text;

#[test]
fn inner_loops_are_deeper() {
    let text = "func @f(v0: i64) -> i64 {
block0(v0: i64):
  jump block1(v0)
block1(v1: i64):
  jump block2(v1)
block2(v2: i64):
  v3 = iconst.i64 1
  v4 = isub v2, v3
  br_if v4, block2(v4), block3
block3:
  br_if v1, block1(v4), block4
block4:
  ret v1
}
";
    let module = text::parse_module(text).expect("IR");
    let func = module.funcs.values().next().expect("a function");
    let loops = Loops::compute(&Cfg::compute(func));
    let depths: Vec<u32> = func.layout.iter().map(|&block| loops.depth(block)).collect();
    assert_eq!(depths, [0, 1, 2, 1, 0]);
}
