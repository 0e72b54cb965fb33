//! Tests of `spill_around_calls`.

use cleave_ir::cfg::Cfg;
use cleave_ir::spill_around_calls::Waits;
use cleave_ir::{Type, Value, text};

/// A real of a loop before a call waits for it; what was never in a loop does not, nor what the loop calls with.
#[test]
fn reals_of_loops_wait_for_calls_behind_them() {
    let text = "func @g() {
block0:
  ret
}

func @f(v0: f64, v1: f64) -> f64 {
block0(v0: f64, v1: f64):
  jump block1(v0)
block1(v2: f64):
  v3 = fadd v2, v2
  v4 = flt v3, v2
  br_if v4, block1(v3), block2(v3)
block2(v9: f64):
  call @g()
  v5 = fadd v9, v1
  jump block3(v5)
block3(v6: f64):
  call @g()
  v7 = fadd v6, v6
  v8 = flt v7, v6
  br_if v8, block3(v7), block4
block4:
  ret v7
}
";
    let module = text::parse_module(text).expect("IR");
    let func = module.funcs.values().nth(1).expect("a second function");
    let waits = Waits::compute(func, &Cfg::compute(func), |value| func.values[value] == Type::F64, |_| false);
    assert_eq!(waits.values().collect::<Vec<_>>(), [Value::from_u32(9)]);
    assert!(func.insts.keys().all(|inst| waits.at(inst).is_empty() || waits.at(inst) == [Value::from_u32(9)]));
    assert!(
        Waits::compute(func, &Cfg::compute(func), |value| func.values[value] == Type::F64, |_| true)
            .values()
            .next()
            .is_none()
    );
}

/// A number that is alive during the evaluation of a thunk waits; not if a function is called meanwhile, too, nor
/// if a loop around the evaluation would store it in each round.
#[test]
fn other_numbers_wait_for_slow_paths() {
    let text = |rest: &str| {
        format!(
            "func @g() {{
block0:
  ret
}}

func @f(v0: i64, v1: ref, v2: i32) -> i64 phase=low {{
block0(v0: i64, v1: ref, v2: i32):
  v3 = iadd v0, v0
  v4 = shadow_pointer
  jump block1
block1:
  br_if v2, block2, block3
block2:
  v5 = enter_code v4, v1, v2
  {rest}
}}
"
        )
    };
    let waits = |rest: &str| {
        let module = text::parse_module(&text(rest)).expect("IR");
        let func = module.funcs.values().nth(1).expect("a second function");
        let may_wait = |value| func.values[value] == Type::I64;
        let mut values: Vec<_> = Waits::compute(func, &Cfg::compute(func), may_wait, |_| false).values().collect();
        values.dedup();
        values
    };
    assert_eq!(waits("jump block3\nblock3:\n  ret v3"), [Value::from_u32(3)]);
    assert_eq!(waits("jump block3\nblock3:\n  call @g()\n  ret v3"), []);
    assert_eq!(waits("jump block1\nblock3:\n  ret v3"), []);
}
