//! Calls: tail calls, tables, several results, thunks, libcalls.

use crate::harness::{Program, data_section, emit, emit_with, parse};
use cleave_ir::{Lowered, Target};
use cleave_wasm::{Error, Options, Wasm};

/// Ten million tail calls between two functions need no stack.
#[test]
fn tail_calls_between_functions() {
    let mut program = Program::new(
        "func @even(v0: i64) -> i64 phase=low gc_leaf {
block0(v0: i64):
  v1 = eqz v0
  br_if v1, block1, block2
block1:
  v2 = iconst.i64 1
  ret v2
block2:
  v3 = iconst.i64 1
  v4 = isub v0, v3
  tail_call @odd(v4)
}
func @odd(v0: i64) -> i64 phase=low gc_leaf {
block0(v0: i64):
  v1 = eqz v0
  br_if v1, block1, block2
block1:
  v2 = iconst.i64 0
  ret v2
block2:
  v3 = iconst.i64 1
  v4 = isub v0, v3
  tail_call @even(v4)
}",
    );
    assert_eq!(program.ints("even", &[10_000_001]), [0]);
}

#[test]
fn tables() {
    let mut program = Program::new(
        "table %t = (i64, i64) -> (i64) [@add, @sub, @add]
func @add(v0: i64, v1: i64) -> i64 phase=low {
block0(v0: i64, v1: i64):
  v2 = iadd v0, v1
  ret v2
}
func @sub(v0: i64, v1: i64) -> i64 phase=low {
block0(v0: i64, v1: i64):
  v2 = shadow_pointer
  v3 = extend_u v2
  v4 = isub v0, v1
  v5 = iadd v4, v3
  ret v5
}
func @f(v0: i32, v1: i64, v2: i64) -> i64 phase=low {
block0(v0: i32, v1: i64, v2: i64):
  v3 = shadow_pointer
  v4 = iconst.i32 8
  v5 = isub v3, v4
  v6 = call_table %t(v0, v5, v1, v2)
  ret v6
}
func @g(v0: i32, v1: i64, v2: i64) -> i64 phase=low {
block0(v0: i32, v1: i64, v2: i64):
  v3 = shadow_pointer
  tail_call_table %t(v0, v3, v1, v2)
}",
    );
    let mut call = |name: &str, n: i32| {
        program.try_call(name, &[1008i32.into(), n.into(), 50i64.into(), 8i64.into()]).map(|r| r[0])
    };
    assert_eq!([call("f", 0), call("f", 1), call("f", 2)], [Ok(58), Ok(1042), Ok(58)]);
    assert_eq!([call("g", 0), call("g", 1)], [Ok(58), Ok(1050)]);
    assert!(call("f", 3).is_err());
    assert!(call("g", -1).is_err());
}

/// Call sites choose among one, two or a few functions; many are left to a dispatcher. The functions take a real, too,
/// and have two results.
#[test]
fn tables_of_all_sizes() {
    for size in [1u32, 2, 3, 8, 9, 30] {
        let names: Vec<String> = (0..size).map(|n| format!("@t{n}")).collect();
        let mut source = format!("table %t = (f64, i64) -> (i64, f64) [{}]\n", names.join(", "));
        for n in 0..size {
            source.push_str(&format!(
                "func @t{n}(v0: f64, v1: i64) -> i64, f64 phase=low {{
block0(v0: f64, v1: i64):
  v2 = shadow_pointer
  v3 = extend_u v2
  v4 = iconst.i64 {n}
  v5 = imul v1, v4
  v6 = iadd v5, v3
  ret v6, v0
}}
"
            ));
        }
        source.push_str(
            "func @f(v0: i32, v1: i64) -> i64 phase=low {
block0(v0: i32, v1: i64):
  v2 = shadow_pointer
  v3 = int_to_real v1
  v4, v5 = call_table %t(v0, v2, v3, v1)
  v6 = real_to_int v5
  v7 = isub v4, v6
  ret v7
}
func @g(v0: i32, v1: i64) -> i64, f64 phase=low {
block0(v0: i32, v1: i64):
  v2 = shadow_pointer
  v3 = int_to_real v1
  tail_call_table %t(v0, v2, v3, v1)
}",
        );
        let mut program = Program::new(&source);
        for n in 0..size {
            let args = [1008i32.into(), (n as i32).into(), 50i64.into()];
            assert_eq!(program.call("f", &args), [u64::from(n) * 50 + 1008 - 50], "{n} of {size}");
            assert_eq!(program.call("g", &args), [u64::from(n) * 50 + 1008, 50f64.to_bits()], "{n} of {size}");
        }
    }
}

/// Parameters that do not fit in registers, called in all ways: each argument arrives in its place, whole.
#[test]
fn parameters_beyond_registers() {
    let list = "v0: i32, v1: ref, v2: i64, v3: i32, v4: ref, v5: f64, v6: i64, v7: ref";
    let types = "i32, ref, i64, i32, ref, f64, i64, ref";
    let sum = |collects: &str, name: &str| {
        format!(
            "func @{name}({list}) -> i64 phase=low{collects} {{
block0({list}):
  v8 = ref_addr v1
  v9 = ref_addr v4
  v10 = ref_addr v7
  v11 = extend_s v0
  v12 = extend_u v8
  v13 = extend_s v3
  v14 = extend_u v9
  v15 = real_to_int v5
  v17 = extend_u v10
  v18 = iconst.i64 10
  v19 = iadd v11, v12
  v20 = imul v19, v18
  v21 = iadd v20, v2
  v22 = imul v21, v18
  v23 = iadd v22, v13
  v24 = imul v23, v18
  v25 = iadd v24, v14
  v26 = imul v25, v18
  v27 = iadd v26, v15
  v28 = imul v27, v18
  v29 = iadd v28, v6
  v30 = imul v29, v18
  v31 = iadd v30, v17
  ret v31
}}
"
        )
    };
    let caller = |name: &str, call: &str| {
        format!(
            "func @{name}(v0: i64) -> i64 phase=low {{
block0(v0: i64):
  v1 = shadow_pointer
  v2 = iconst.i32 -1
  v3 = iconst.i32 2
  v4 = addr_ref v3
  v5 = iconst.i32 -3
  v6 = iconst.i32 4
  v7 = addr_ref v6
  v8 = int_to_real v0
  v9 = iconst.i64 -6000000000006
  v10 = iconst.i32 7
  v11 = addr_ref v10
  v12 = iconst.i32 1
  {call}
}}
"
        )
    };
    let args = "v2, v4, v0, v5, v7, v8, v9, v11";
    let source = [
        format!("table %t = ({types}) -> (i64) [@sum, @sum]\n"),
        sum("", "sum"),
        sum(" gc_leaf", "leaf"),
        caller("call", &format!("v13 = call @sum(v1, {args})\n  ret v13")),
        caller("tail", &format!("tail_call @sum(v1, {args})")),
        caller("leafs", &format!("v13 = call @leaf({args})\n  ret v13")),
        caller("table", &format!("v13 = call_table %t(v12, v1, {args})\n  ret v13")),
        caller("tail_table", &format!("tail_call_table %t(v12, v1, {args})")),
    ];
    let wanted = [-1 + 2, 9, -3, 4, 9, -6_000_000_000_006, 7].into_iter().fold(0i64, |sum, digit| sum * 10 + digit);
    for mut program in [Program::new(&source.concat()), Program::packed(&source.concat())] {
        for name in ["call", "tail", "leafs", "table", "tail_table"] {
            assert_eq!(program.call(name, &[1008i32.into(), 9i64.into()]), [wanted as u64], "{name}");
        }
    }
}

#[test]
fn several_results_in_any_order() {
    let mut program = Program::new(
        "func @three(v0: i64) -> i64, f64, i32 phase=low gc_leaf {
block0(v0: i64):
  v1 = int_to_real v0
  v2 = wrap v0
  ret v0, v1, v2
}
func @f(v0: i64) -> i32, i64, f64 phase=low gc_leaf {
block0(v0: i64):
  v1, v2, v3 = call @three(v0)
  v4, v5, v6 = call @three(v1)
  ret v6, v1, v2
}",
    );
    assert_eq!(program.call("f", &[7i64.into()]), [7, 7, 7f64.to_bits()]);
}

/// A thunk in static memory is entered through its header.
#[test]
fn thunks() {
    let mut program = Program::new(
        "caf ^cell ptrs 4 nptrs 0
thunk_info &a = plain ptrs 0 nptrs 0 code @ca
thunk_info &b = plain ptrs 0 nptrs 0 code @cb
func @ca(v0: ref) -> ref phase=low {
block0(v0: ref):
  v1 = node_info $INT/0
  store.i32 v0, v1 +0
  ret v0
}
func @cb(v0: ref) -> ref phase=low {
block0(v0: ref):
  v1 = shadow_pointer
  v2 = thunk_info &a
  tail_enter_code v1, v0, v2
}
func @header_of_a(v0: i64) -> i32 phase=low gc_leaf {
block0(v0: i64):
  v1 = thunk_info &a
  ret v1
}
func @f() -> i32, i32 phase=low {
block0:
  v0 = caf_ref_addr ^cell/0
  v1 = addr_ref v0
  v2 = thunk_info &b
  store.i32 v0, v2 +0
  v3 = header v1
  v4 = shadow_pointer
  v5 = enter_code v4, v1, v3
  v6 = header v5
  v7 = node_info $INT/0
  v8 = eq v6, v7
  v9 = ref_addr v5
  v10 = eq v9, v0
  ret v8, v10
}",
    );
    assert_eq!(program.call("f", &[1000i32.into()]), [1, 1]);
}

#[test]
fn a_program_prints() {
    let program = Program::new(
        "static0 = text \"Hello\\0a\"
start @go
func @go() phase=low {
block0:
  v0 = text static0
  call_rt print_text(v0)
  v1 = iconst.i64 -42
  call_rt print_int(v1)
  v2 = fconst 0.5
  call_rt print_real(v2)
  ret
}",
    );
    assert_eq!(program.run(), "Hello\n-420.5");
}

/// Results of a libcall that come through memory.
#[test]
fn a_libcall_with_two_results() {
    let program = Program::new(
        "start @go
func @go() phase=low {
block0:
  v0 = iconst.i64 1
  v1 = iconst.i64 5
  v2 = iconst.i64 16
  v3, v4 = call_rt divide_long(v0, v1, v2)
  call_rt print_int(v3)
  v5 = iconst.i64 32
  call_rt print_char(v5)
  call_rt print_int(v4)
  ret
}",
    );
    // 2^64 + 5 divided by 16.
    assert_eq!(program.run(), format!("5 {}", (1u64 << 60)));
}

/// A runtime without a libcall that the program calls.
#[test]
fn a_missing_libcall_is_named() {
    let module = parse(
        "start @go
func @go() phase=low {
block0:
  v0 = iconst.i64 1
  call_rt print_int(v0)
  ret
}",
    );
    // A module that exports an empty `rt_main` (type 0) and nothing else.
    let mut runtime = wasm_encoder::Module::new();
    let mut types = wasm_encoder::TypeSection::new();
    types.ty().function([wasm_encoder::ValType::I32], []);
    let mut functions = wasm_encoder::FunctionSection::new();
    functions.function(0);
    let mut exports = wasm_encoder::ExportSection::new();
    exports.export("rt_main", wasm_encoder::ExportKind::Func, 0);
    let mut code = wasm_encoder::CodeSection::new();
    let mut body = wasm_encoder::Function::new([]);
    body.instructions().end();
    code.function(&body);
    runtime.section(&types).section(&functions).section(&exports).section(&code);
    let result = {
        let (data_section, runtime) = (data_section(&module), runtime.finish());
        let target = Wasm { runtime: Some(&runtime), ..Wasm::default() };
        target.emit(Lowered::new(module, data_section, &target)).map(|artifact| artifact.bytes)
    };
    assert_eq!(result, Err(Error::MissingExtern("print_int".into())));
}

/// Same input, same bytes, on one thread or many; and only what is used of the runtime.
#[test]
fn output_is_deterministic_and_small() {
    let module = parse(
        "static0 = text \"Hello\\0a\"
start @go
func @go() phase=low {
block0:
  v0 = text static0
  call_rt print_text(v0)
  ret
}",
    );
    let bytes = emit(&module).expect("emitted");
    assert_eq!(bytes, emit(&module).expect("emitted"));
    let serial = Options { parallel: false, ..Options::default() };
    let parallel = Options { parallel: true, ..Options::default() };
    let bytes = emit_with(&module, serial).expect("emitted");
    assert_eq!(bytes, emit_with(&module, parallel).expect("emitted"));
    let stripped = Options { strip: true, ..Options::default() };
    let small = emit_with(&module, stripped).expect("emitted").len();
    assert!(small < bytes.len());
    assert!(bytes.len() < 40_000, "{} bytes", bytes.len());
}

/// Engines accept 1000 parameters; more than a function may have is an error with its name, not invalid output.
#[test]
fn issue_0003_too_many_parameters() {
    let params: Vec<String> = (0..1200).map(|index| format!("v{index}: i64")).collect();
    let params = params.join(", ");
    let module = parse(&format!("func @f({params}) -> i64 phase=low gc_leaf {{\nblock0({params}):\n  ret v0\n}}\n"));
    assert_eq!(emit(&module), Err(Error::TooManyLocals("f".into())));
}

/// A result that is converted and passed to two parameters of a block: it must not take the local of another argument,
/// which stays where it is.
#[test]
fn issue_0004_an_argument_that_stays() {
    let mut program = Program::new(
        "func @four() -> i64, i32, i64, i64 phase=low gc_leaf {
block0:
  v0 = iconst.i64 1
  v1 = iconst.i32 2
  v2 = iconst.i64 3
  v3 = iconst.i64 4
  ret v0, v1, v2, v3
}
func @f(v0: i32) -> i32, i32, i32 phase=low gc_leaf {
block0(v0: i32):
  br_if v0, block1, block2
block1:
  v1, v2, v3, v4 = call @four()
  v5 = wrap v3
  v6 = wrap v4
  jump block3(v2, v5, v5)
block2:
  v7 = iconst.i32 0
  jump block3(v7, v7, v7)
block3(v8: i32, v9: i32, v10: i32):
  ret v8, v9, v10
}
func @g(v0: i32) -> i32, i32, i32, i32 phase=low gc_leaf {
block0(v0: i32):
  br_if v0, block1, block2
block1:
  v1, v2, v3, v4 = call @four()
  v5 = iadd v2, v2
  v6 = wrap v3
  jump block3(v2, v5, v6, v6)
block2:
  v7 = iconst.i32 0
  jump block3(v7, v7, v7, v7)
block3(v8: i32, v9: i32, v10: i32, v11: i32):
  ret v8, v9, v10, v11
}",
    );
    assert_eq!(program.call("f", &[wasmtime::Val::I32(1)]), [2, 3, 3]);
    assert_eq!(program.call("g", &[wasmtime::Val::I32(1)]), [2, 4, 3, 3]);
}
