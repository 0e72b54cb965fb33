//! The shape of the code for the patterns that decide how fast programs are.

use crate::harness::{data_section, emit, parse, wat};
use cleave_ir::WellKnownDesc;

/// No moves in a loop whose variables are not alive together with their next values.
#[test]
fn loops_do_not_shuffle() {
    let source = "func @sum(v0: i64) -> i64 phase=low gc_leaf {
block0(v0: i64):
  v1 = iconst.i64 0
  jump block1(v0, v1)
block1(v2: i64, v3: i64):
  v4 = eqz v2
  br_if v4, block2, block3
block2:
  ret v3
block3:
  v5 = iadd v3, v2
  v6 = iconst.i64 1
  v7 = isub v2, v6
  jump block1(v7, v5)
}";
    let expected = "\
(local i64)
i64.const 0
local.set 1
loop ;; label = @1
  local.get 0
  i64.eqz
  if ;; label = @2
    local.get 1
    return
  end
  local.get 0
  i64.const 1
  i64.sub
  local.get 1
  local.get 0
  i64.add
  local.set 1
  local.set 0
  br 0 (;@1;)
end
unreachable";
    assert_eq!(wat(source, "sum"), expected);
}

/// Evaluation of a node: test, slow path, and on with the same local.
#[test]
fn evaluation() {
    let source = "func @head(v0: ref) -> i64 phase=low {
block0(v0: ref):
  v1 = is_hnf v0
  br_if v1, block2(v0), block1
block1:
  v2 = shadow_pointer
  v3 = header v0
  v4 = enter_code v2, v0, v3
  jump block2(v4)
block2(v5: ref):
  v6 = load.i64 v5 +4
  ret v6
}";
    let expected = "\
local.get 1
i32.load
i32.const 1
i32.and
i32.eqz
if ;; label = @1
  local.get 0
  local.get 1
  local.get 1
  i32.load
  call $cleave.enter
  local.set 1
end
local.get 1
i64.load offset=4 align=4";
    assert_eq!(wat(source, "head"), expected);
}

/// Heap check, allocation and filling.
#[test]
fn allocation() {
    let source = "func @cons(v0: ref, v1: ref) -> ref phase=low {
block0(v0: ref, v1: ref):
  v2 = heap_full 24
  br_if v2, block1, block2(v0, v1)
block1:
  v3 = shadow_pointer
  v4 = iconst.i32 8
  v5 = isub v3, v4
  store.ref v5, v0 +0
  store.ref v5, v1 +4
  v6 = iconst.i32 24
  call_rt collect(v5, v6)
  v7 = load.ref v5 +0
  v8 = load.ref v5 +4
  jump block2(v7, v8)
block2(v9: ref, v10: ref):
  v11 = alloc 12
  v12 = alloc 12
  v13 = node_info $_Cons/2
  store.i32 v11, v13 +0
  store.ref v11, v9 +4
  store.ref v11, v12 +8
  v14 = node_info $_Cons/2
  store.i32 v12, v14 +0
  store.ref v12, v10 +4
  store.ref v12, v10 +8
  ret v11
}";
    let expected = "\
(local i32)
global.get 3
i32.const 24
i32.add
global.get 4
i32.gt_u
if ;; label = @1
  local.get 0
  i32.const 8
  i32.sub
  i32.const 24
  local.get 1
  local.get 2
  call 11
  local.set 2
  local.set 1
end
global.get 3
global.get 3
i32.const 24
i32.add
global.set 3
local.tee 3
i32.const ROW
i32.store
local.get 3
local.get 1
i32.store offset=4
local.get 3
local.get 3
i32.const 12
i32.add
i32.store offset=8
local.get 3
i32.const ROW
i32.store offset=12
local.get 3
local.get 2
i32.store offset=16
local.get 3
local.get 2
i32.store offset=20
local.get 3";
    let node_info = data_section(&parse(source)).node_info(WellKnownDesc::ListCell.desc(), 2).to_string();
    assert_eq!(wat(source, "cons").replace(&node_info, "ROW"), expected);
}

/// A program has the constants of the runtime that it can reach, and no others: tables of logarithms, names of days.
#[test]
fn constants_of_the_runtime() {
    let logarithm = "extern ln(f64) -> (f64) [pure]
func @log(v0: f64) -> f64 phase=low {
block0(v0: f64):
  v1 = call_rt ln(v0)
  ret v1
}";
    let data = |source: &str| {
        let wasm = emit(&parse(source)).unwrap_or_else(|e| panic!("{e}"));
        let mut bytes = Vec::new();
        for payload in wasmparser::Parser::new(0).parse_all(&wasm) {
            if let wasmparser::Payload::DataSection(section) = payload.expect("a module") {
                section.into_iter().for_each(|data| bytes.extend_from_slice(data.expect("a segment").data));
            }
        }
        bytes
    };
    let (without, with) = (data(""), data(logarithm));
    let has = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(has(&without, "Heap full.") && !has(&without, "Sunday") && !has(&with, "Sunday"));
    // The table of logarithms alone has 4 kB.
    assert!(with.len() > without.len() + 3000, "{} and {} bytes", with.len(), without.len());
}

/// The results of a call are the operands of another instruction, in their order: no locals. In another order they are.
#[test]
fn several_results_stay_on_the_stack() {
    let source = "func @pair(v0: i64) -> i64, i64 phase=low gc_leaf {
block0(v0: i64):
  ret v0, v0
}
func @three(v0: i64, v1: i64, v2: i64) -> i64 phase=low gc_leaf {
block0(v0: i64, v1: i64, v2: i64):
  v3 = isub v1, v2
  ret v3
}
func @same(v0: i64) -> i64 phase=low gc_leaf {
block0(v0: i64):
  v1, v2 = call @pair(v0)
  v3 = call @three(v0, v1, v2)
  ret v3
}
func @other(v0: i64) -> i64 phase=low gc_leaf {
block0(v0: i64):
  v1, v2 = call @pair(v0)
  v3 = call @three(v0, v2, v1)
  ret v3
}
func @twice(v0: i64) -> i64 phase=low gc_leaf {
block0(v0: i64):
  v1, v2 = call @pair(v0)
  v3 = call @three(v0, v1, v2)
  v4 = isub v3, v2
  ret v4
}";
    let same = "local.get 0\nlocal.get 0\ncall $pair\ncall $three";
    assert_eq!(wat(source, "same"), same);
    assert!(wat(source, "other").contains("local.set"), "{}", wat(source, "other"));
    assert!(wat(source, "twice").contains("local.set"), "{}", wat(source, "twice"));
}

/// What is called at most places has a number of one byte.
#[test]
fn popular_functions_come_first() {
    let many: String = (0..200)
        .map(|n| format!("func @f{n}(v0: i64) -> i64 phase=low gc_leaf {{\nblock0(v0: i64):\n  ret v0\n}}\n"))
        .collect();
    let calls: String = (1..=10).map(|n| format!("  v{n} = call @f150(v{})\n", n - 1)).collect();
    let source =
        format!("{many}func @main(v0: i64) -> i64 phase=low gc_leaf {{\nblock0(v0: i64):\n{calls}  ret v10\n}}");
    let module = parse(&source);
    let bytes = emit(&module).expect("it compiles");
    let text = wasmprinter::print_bytes(bytes).expect("it is valid");
    let number = |name: &str| {
        let at = text.find(&format!("(func ${name} (;")).expect("the function") + name.len() + 10;
        text[at..].split(';').next().and_then(|number| number.parse::<u32>().ok()).expect("its number")
    };
    assert!(number("f150") < number("f0") && number("f0") < number("f149"), "{} {}", number("f150"), number("f0"));
    assert!(number("f150") < 128 && number("f149") >= 128);
    assert_eq!(crate::harness::Program::new(&source).ints("main", &[7]), [7]);
}
