//! Corners of the native code generator: many parameters and results, tail calls whose stack arguments grow and shrink,
//! huge tables, huge functions, many functions, the numbers at the edges.
//!
//! Each test is a program in IR text with the output that it must have, known from the way the text was made, or from
//! the IR interpreter. It is compiled and run in a process of its own: this one, started with `CHILD` set.

use cleave::driver::session::Target;
use cleave_ir::data_section::DataSectionOptions;
use cleave_tests::irtext::{Body, list};
use cleave_tests::lowering;
use cleave_tests::process::{self, AS_COMPILER, HAS_NATIVE, Output, announce_missing, compiler, difference, run};
use libtest_mimic::{Failed, Trial};
use std::fmt::Write as _;
use std::io::Read;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);
const CHILD: &str = "CLEAVE_NATIVE_CHILD";
/// Enough for the programs here, and too little for tail calls that are none.
const STACK: u64 = 1 << 20;

type Case = (&'static str, fn() -> (String, String));

const CASES: &[Case] = &[
    ("sixty-integers", || sixty(&["i64"])),
    ("sixty-mixed", || sixty(&["i64", "f64"])),
    ("sixty-of-four-types", || sixty(&["i64", "i32", "f64", "f64", "i64"])),
    ("tail-calls-of-all-sizes", tail_calls),
    ("tail-calls-through-tables", table_calls),
    ("huge-switch", huge_switch),
    ("large-function", large_function),
    ("many-functions", many_functions),
    ("deep-expression", deep_expression),
];

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    if std::env::var_os(CHILD).is_some() {
        std::process::exit(child());
    }
    let mut trials: Vec<Trial> = CASES
        .iter()
        .map(|&(name, case)| {
            Trial::test(name, move || {
                let (source, expected) = case();
                check(&source, &expected).map_err(Failed::from)
            })
        })
        .collect();
    trials.push(Trial::test("faults", || faults().map_err(Failed::from)));
    trials.push(Trial::test("numbers", || numbers().map_err(Failed::from)));
    if !HAS_NATIVE {
        announce_missing();
        trials = trials.into_iter().map(|trial| trial.with_ignored_flag(true)).collect();
    }
    libtest_mimic::run(&process::arguments(1.5), trials).exit();
}

/// Compiles the program on stdin and runs it.
fn child() -> i32 {
    let mut source = String::new();
    std::io::stdin().read_to_string(&mut source).expect("the source");
    let mut module = cleave_ir::text::parse_module(&source).unwrap_or_else(|error| panic!("{error}"));
    lowering::root(&mut module, cleave_passes::roots::Options::default());
    let data_section = lowering::lower(&mut module, Target::Native, DataSectionOptions::default());
    // Its own verifier would take most of the time.
    let options = cleave_native::Options { verify: source.len() < 1 << 20, ..cleave_native::Options::default() };
    let program = lowering::emit(module, data_section, &cleave_native::Native { options })
        .unwrap_or_else(|error| panic!("{error}"));
    let options =
        cleave_run::Options { args: vec!["program".into()], stack: Some(STACK), ..cleave_run::Options::default() };
    let ended = cleave_run::native(&program, &options);
    ended.expect("the program runs").status
}

fn execute(source: &str) -> Result<Output, String> {
    let mut command = Command::new("/proc/self/exe");
    command.env(CHILD, "1").env("RUST_BACKTRACE", "0");
    run(&mut command, source.as_bytes().to_vec(), LIMIT)
}

fn native(source: &str) -> Result<Vec<u8>, String> {
    let output = execute(source)?;
    if output.status != Some(0) {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("status {:?}: {}", output.status, message.lines().take(5).collect::<Vec<_>>().join("\n")));
    }
    Ok(output.stdout)
}

fn check(source: &str, expected: &str) -> Result<(), String> {
    difference("stdout", expected.as_bytes(), &native(source)?).map_or(Ok(()), Err)
}

const COUNT: usize = 60;

/// A function with sixty parameters and results of these types in turn, which gives them back in reverse order of each
/// type, increased by one; it is called twice, the second time with the results of the first, and by way of a function
/// that keeps all of them across another call.
fn sixty(types: &[&'static str]) -> (String, String) {
    let ty = |i: usize| types[i % types.len()];
    let mirror = |i: usize| {
        // The last place of the same type is the counterpart of the first one.
        let places: Vec<usize> = (0..COUNT).filter(|&k| ty(k) == ty(i)).collect();
        let at = places.iter().position(|&k| k == i).expect("its own type");
        places[places.len() - 1 - at]
    };
    let params = list((0..COUNT).map(|i| format!("v{i}: {}", ty(i))));
    let results = list((0..COUNT).map(|i| ty(i).to_string()));
    let mut turn = Body::after(COUNT);
    let one = [("i64", "iconst.i64 1"), ("i32", "iconst.i32 1"), ("f64", "fconst 1.0")];
    let values: Vec<String> = (0..COUNT)
        .map(|i| {
            let one = one.iter().find(|row| row.0 == ty(i)).expect("a constant").1;
            let one = turn.value(one);
            let add = if ty(i) == "f64" { "fadd" } else { "iadd" };
            turn.value(&format!("{add} v{}, {one}", mirror(i)))
        })
        .collect();
    let turn_text = format!("{}  ret {}\n", turn.text, values.join(", "));
    let args = list((0..COUNT).map(|i| format!("v{i}")));
    let mut keep = Body::after(COUNT);
    let first: Vec<String> = (0..COUNT).map(|i| format!("v{}", COUNT + i)).collect();
    keep.next += COUNT;
    keep.effect(&format!("{} = call @turn({args})", first.join(", ")));
    let zero = keep.int(0);
    keep.effect(&format!("call_rt print_int({zero})"));
    let second: Vec<String> = (0..COUNT).map(|i| format!("v{}", keep.next + i)).collect();
    keep.next += COUNT;
    keep.effect(&format!("{} = call @turn({})", second.join(", "), first.join(", ")));
    let mut sums = Vec::new();
    for (i, result) in second.iter().enumerate() {
        let add = if ty(i) == "f64" { "fadd" } else { "iadd" };
        sums.push(keep.value(&format!("{add} {result}, v{i}")));
    }
    let keep_text = format!("{}  ret {}\n", keep.text, sums.join(", "));
    let mut main = Body::default();
    let constants: Vec<String> = (0..COUNT)
        .map(|i| match ty(i) {
            "f64" => main.value(&format!("fconst {i}.0")),
            ty => main.value(&format!("iconst.{ty} {i}")),
        })
        .collect();
    let got: Vec<String> = (0..COUNT).map(|i| format!("v{}", main.next + i)).collect();
    main.next += COUNT;
    main.effect(&format!("{} = call @keep({})", got.join(", "), constants.join(", ")));
    (0..COUNT).for_each(|i| main.print(&got[i], ty(i)));
    let source = format!(
        "start @main\nfunc @main() {{\nblock0:\n{}  ret\n}}\nfunc @keep({params}) -> {results} {{\nblock0({params}):\n{keep_text}}}\n\
         func @turn({params}) -> {results} {{\nblock0({params}):\n{turn_text}}}\n",
        main.text
    );
    // Twice reversed, twice increased, and itself added.
    let expected = (0..COUNT).map(|i| format!("{} ", 2 * i + 2)).collect::<String>();
    (source, format!("0{expected}"))
}

/// Functions with 1, 40, 7, 25 and 2 parameters call each other in a circle 10^6 times: the area of the stack arguments
/// grows and shrinks, and the stack does not grow.
fn tail_calls() -> (String, String) {
    const SIZES: [usize; 5] = [1, 40, 7, 25, 2];
    const STEPS: i64 = 1_000_000;
    let mut source = String::from("start @main\nfunc @main() {\nblock0:\n");
    let mut main = Body::default();
    let (n, zero) = (main.int(STEPS), main.int(0));
    let result = main.value(&format!("call @f0({n}, {zero}, {zero})"));
    main.print(&result, "i64");
    let _ = writeln!(source, "{}  ret\n}}", main.text);
    for (i, &size) in SIZES.iter().enumerate() {
        let next = (i + 1) % SIZES.len();
        let params = list((0..size + 2).map(|k| format!("v{k}: i64")));
        // v0 counts, v1 is the sum, the others are added to it.
        let mut body = Body::after(size + 2);
        let mut sum = "v1".to_string();
        for k in 2..size + 2 {
            sum = body.value(&format!("iadd {sum}, v{k}"));
        }
        let one = body.int(1);
        let rest = body.value(&format!("isub v0, {one}"));
        let extra: Vec<String> = (0..SIZES[next]).map(|k| body.int(k as i64 + 1)).collect();
        let _ = writeln!(
            source,
            "func @f{i}({params}) -> i64 {{\nblock0({params}):\n  br_if v0, block1, block2\nblock1:\n{}  tail_call \
             @f{next}({rest}, {sum}, {})\nblock2:\n  ret v1\n}}",
            body.text,
            extra.join(", ")
        );
    }
    let mut sum = 0i64;
    let mut extra = 0i64;
    for step in 0..STEPS as usize {
        sum += extra;
        let next = SIZES[(step + 1) % SIZES.len()] as i64;
        extra = next * (next + 1) / 2;
    }
    (source, format!("{sum} "))
}

/// The same through a dispatch table, chosen by the count.
fn table_calls() -> (String, String) {
    const FUNCS: i64 = 50;
    const STEPS: i64 = 300_000;
    let mut source = format!(
        "table %t = (i64, f64, i64) -> (i64, f64) [{}]\nstart @main\n",
        list((0..FUNCS).map(|i| format!("@g{i}")))
    );
    let mut main = Body::default();
    let n = main.int(STEPS);
    let (real, zero) = (main.value("fconst 0.5"), main.int(0));
    let index = main.value("iconst.i32 7");
    main.effect(&format!("v{}, v{} = call_table %t({index}, {n}, {real}, {zero})", main.next, main.next + 1));
    let (a, b) = (format!("v{}", main.next), format!("v{}", main.next + 1));
    main.next += 2;
    main.print(&a, "i64");
    main.print(&b, "f64");
    let _ = writeln!(source, "func @main() {{\nblock0:\n{}  ret\n}}", main.text);
    for i in 0..FUNCS {
        let params = "v0: i64, v1: f64, v2: i64";
        let _ = writeln!(
            source,
            "func @g{i}({params}) -> i64, f64 {{\nblock0({params}):\n  v3 = eqz v0\n  br_if v3, block2, block1\nblock1:\n  \
             v4 = iconst.i64 1\n  v5 = isub v0, v4\n  v6 = iconst.i64 {FUNCS}\n  v7 = urem v5, v6\n  v8 = wrap v7\n  \
             v9 = iconst.i64 {i}\n  v10 = iadd v2, v9\n  v11 = fconst 1.0\n  v12 = fadd v1, v11\n  \
             tail_call_table %t(v8, v5, v12, v10)\nblock2:\n  ret v2, v1\n}}",
        );
    }
    let (mut sum, mut index) = (0, 7);
    for n in (1..=STEPS).rev() {
        sum += index;
        index = (n - 1) % FUNCS;
    }
    (source, format!("{sum} {STEPS} "))
}

/// A table with 5000 targets, asked for numbers inside and outside.
fn huge_switch() -> (String, String) {
    const TARGETS: i64 = 5000;
    let mut source = String::from("start @main\nfunc @main() {\nblock0:\n");
    let mut main = Body::default();
    let asked = [0, 1, 2499, TARGETS - 1, TARGETS, TARGETS + 1, 1 << 31, (1 << 32) - 1];
    for n in asked {
        let index = main.value(&format!("iconst.i32 {}", n as i32));
        let result = main.value(&format!("call @choose({index})"));
        main.print(&result, "i64");
    }
    let targets = list((1..=TARGETS + 1).map(|i| format!("block{i}")));
    let _ = writeln!(source, "{}  ret\n}}", main.text);
    let _ = writeln!(source, "func @choose(v0: i32) -> i64 {{\nblock0(v0: i32):\n  br_table v0, {targets}");
    for i in 0..=TARGETS {
        let _ = writeln!(source, "block{}:\n  v{} = iconst.i64 {}\n  ret v{}", i + 1, i + 1, i * i + 3, i + 1);
    }
    source.push_str("}\n");
    let expected = asked.iter().map(|&n| format!("{} ", n.min(TARGETS) * n.min(TARGETS) + 3)).collect();
    (source, expected)
}

/// One function of 200,000 instructions, with a block every thousand.
fn large_function() -> (String, String) {
    const BLOCKS: usize = 200;
    const STEPS: usize = 500;
    let mut body = Body::after(1);
    let mut value = "v0".to_string();
    let mut expected = 1i64;
    for block in 0..BLOCKS {
        for step in 0..STEPS {
            let n = (block * STEPS + step) as i64;
            let constant = body.int(n * 7 + 1);
            let op = ["iadd", "xor", "imul", "isub"][step % 4];
            value = body.value(&format!("{op} {value}, {constant}"));
            let constant = n * 7 + 1;
            expected = match op {
                "iadd" => expected.wrapping_add(constant),
                "xor" => expected ^ constant,
                "imul" => expected.wrapping_mul(constant | i64::from(constant == 0)),
                _ => expected.wrapping_sub(constant),
            };
        }
        let next = format!("v{}", body.next);
        body.next += 1;
        let _ = writeln!(body.text, "  jump block{}({value})\nblock{}({next}: i64):", block + 1, block + 1);
        value = next;
    }
    let source = format!(
        "start @main\nfunc @main() {{\nblock0:\n  v0 = iconst.i64 1\n  v1 = call @large(v0)\n  call_rt print_int(v1)\n  ret\n}}\n\
         func @large(v0: i64) -> i64 {{\nblock0(v0: i64):\n{}  ret {value}\n}}\n",
        body.text
    );
    (source, expected.to_string())
}

/// 20,000 functions, each of which calls the next.
fn many_functions() -> (String, String) {
    const FUNCS: i64 = 20_000;
    let mut source = String::from(
        "start @main\nfunc @main() {\nblock0:\n  v0 = iconst.i64 0\n  v1 = call @f0(v0)\n  call_rt print_int(v1)\n  ret\n}\n",
    );
    for i in 0..FUNCS {
        let next = if i + 1 == FUNCS { "ret v2".into() } else { format!("tail_call @f{}(v2)", i + 1) };
        let _ = writeln!(
            source,
            "func @f{i}(v0: i64) -> i64 {{\nblock0(v0: i64):\n  v1 = iconst.i64 {i}\n  v2 = iadd v0, v1\n  {next}\n}}"
        );
    }
    (source, (FUNCS * (FUNCS - 1) / 2).to_string())
}

/// A tree of 2^13 leaves whose values all live at once, and a chain of 30,000 operations.
fn deep_expression() -> (String, String) {
    const LEAVES: i64 = 1 << 13;
    let mut body = Body::after(1);
    let mut level: Vec<String> = (0..LEAVES)
        .map(|i| {
            let constant = body.int(i + 1);
            body.value(&format!("imul v0, {constant}"))
        })
        .collect();
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| body.value(&format!("iadd {}, {}", pair[0], pair[1]))).collect();
    }
    let mut value = level.remove(0);
    for _ in 0..30_000 {
        value = body.value(&format!("iadd v0, {value}"));
    }
    let source = format!(
        "start @main\nfunc @main() {{\nblock0:\n  v0 = iconst.i64 3\n  v1 = call @deep(v0)\n  call_rt print_int(v1)\n  ret\n}}\n\
         func @deep(v0: i64) -> i64 {{\nblock0(v0: i64):\n{}  ret {value}\n}}\n",
        body.text
    );
    (source, (3 * LEAVES * (LEAVES + 1) / 2 + 90_000).to_string())
}

/// Every operator on the numbers at the edges, against the interpreter.
fn numbers() -> Result<(), String> {
    const EDGES: [i64; 12] =
        [0, 1, -1, 2, -7, 63, 64, i64::MAX, i64::MIN, 0x8000_0000, 0xffff_ffff, 0x1234_5678_9abc_def0];
    let mut source = String::new();
    let mut main = Body::default();
    let wide = ["iadd", "isub", "imul", "and", "or", "xor", "shl", "sshr", "ushr", "rotl", "rotr", "umulhi"];
    let compare = ["eq", "ne", "slt", "sgt", "sle", "sge", "ult", "ugt", "ule", "uge"];
    let divide = ["sdiv", "srem", "udiv", "urem"];
    let real = ["fadd", "fsub", "fmul", "fdiv"];
    let real_compare = ["feq", "fne", "flt", "fgt", "fle", "fge"];
    let mut function = |name: &str, body: &str| {
        let params = "v0: i64, v1: i64";
        let _ = writeln!(source, "func @{name}({params}) -> i64 {{\nblock0({params}):\n{body}}}");
    };
    let mut names: Vec<(String, bool)> = Vec::new();
    for op in wide.iter().chain(&divide) {
        function(&format!("w_{op}"), &format!("  v2 = {op} v0, v1\n  ret v2\n"));
        names.push((format!("w_{op}"), divide.contains(op)));
        if *op != "umulhi" {
            let cut = "  v2 = wrap v0\n  v3 = wrap v1\n";
            function(&format!("n_{op}"), &format!("{cut}  v4 = {op} v2, v3\n  v5 = extend_s v4\n  ret v5\n"));
            names.push((format!("n_{op}"), divide.contains(op)));
        }
    }
    for op in compare {
        function(&format!("w_{op}"), &format!("  v2 = {op} v0, v1\n  v3 = extend_u v2\n  ret v3\n"));
        let cut = "  v2 = wrap v0\n  v3 = wrap v1\n";
        function(&format!("n_{op}"), &format!("{cut}  v4 = {op} v2, v3\n  v5 = select v4, v0, v1\n  ret v5\n"));
        function(
            &format!("b_{op}"),
            &format!(
                "  v2 = {op} v0, v1\n  v3 = eqz v2\n  br_if v3, block1, block2\nblock1:\n  ret v0\nblock2:\n  ret v1\n"
            ),
        );
        names.extend(["w", "n", "b"].map(|width| (format!("{width}_{op}"), false)));
    }
    for op in real {
        let text = "  v2 = int_to_real v0\n  v3 = int_to_real v1\n";
        function(op, &format!("{text}  v4 = {op} v2, v3\n  v5 = real_to_int v4\n  ret v5\n"));
        names.push((op.to_string(), false));
    }
    for op in real_compare {
        // Bits of any kind: not-a-number among them.
        let text = "  v2 = bits_real v0\n  v3 = bits_real v1\n";
        function(op, &format!("{text}  v4 = {op} v2, v3\n  v5 = eqz v4\n  v6 = extend_u v5\n  ret v6\n"));
        names.push((op.to_string(), false));
    }
    for op in ["fneg", "fabs", "ffloor", "fceil", "ftrunc", "fnearest"] {
        let text = "  v2 = int_to_real v0\n  v3 = fconst 4.0\n  v4 = fdiv v2, v3\n";
        function(op, &format!("{text}  v5 = {op} v4\n  v6 = real_bits v5\n  ret v6\n"));
        names.push((op.to_string(), false));
    }
    for op in ["clz", "popcnt"] {
        let text = format!("  v2 = {op} v0\n  v3 = wrap v1\n  v4 = {op} v3\n  v5 = extend_u v4\n");
        function(op, &format!("{text}  v6 = iadd v2, v5\n  ret v6\n"));
        names.push((op.to_string(), false));
    }
    for (name, divides) in &names {
        for x in EDGES {
            for y in EDGES {
                let narrow = name.starts_with("n_");
                let (a, b) = if narrow { (i64::from(x as i32), i64::from(y as i32)) } else { (x, y) };
                let least = if narrow { i64::from(i32::MIN) } else { i64::MIN };
                if *divides && (b == 0 || (name.ends_with("sdiv") && a == least && b == -1)) {
                    continue;
                }
                let (x, y) = (main.int(x), main.int(y));
                let result = main.value(&format!("call @{name}({x}, {y})"));
                main.print(&result, "i64");
            }
        }
        let newline = main.int(10);
        main.effect(&format!("call_rt print_char({newline})"));
    }
    let source = format!("start @main\nfunc @main() {{\nblock0:\n{}  ret\n}}\n{source}", main.text);
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("native-numbers.ir");
    std::fs::write(&file, &source).map_err(|error| error.to_string())?;
    let interpreted = run(compiler().arg("interp").arg(&file), Vec::new(), LIMIT)?;
    if interpreted.status != Some(0) {
        return Err(String::from_utf8_lossy(&interpreted.stderr).into_owned());
    }
    let native = native(&source)?;
    let (expected, found) = (String::from_utf8_lossy(&interpreted.stdout), String::from_utf8_lossy(&native));
    for ((name, _), (a, b)) in names.iter().zip(expected.lines().zip(found.lines())) {
        if a != b {
            return Err(format!("@{name}\ninterpreter: {a}\nnative:      {b}"));
        }
    }
    difference("stdout", &interpreted.stdout, &native).map_or(Ok(()), Err)
}

/// Divisions that fault: the message, the status, and what was printed before. Recursion without end likewise.
fn faults() -> Result<(), String> {
    let zero = "Integer division by zero.\n";
    let overflow = "Integer overflow in division.\n";
    let mut cases = Vec::new();
    for op in ["sdiv", "srem", "udiv", "urem"] {
        for cut in [false, true] {
            cases.push((op, cut, 7, 0, zero));
            if op == "sdiv" {
                cases.push((op, cut, if cut { i32::MIN.into() } else { i64::MIN }, -1, overflow));
            }
        }
    }
    for (op, cut, x, y, message) in cases {
        let divide = match cut {
            true => format!("  v2 = wrap v0\n  v3 = wrap v1\n  v4 = {op} v2, v3\n  v5 = extend_s v4\n  ret v5\n"),
            false => format!("  v2 = {op} v0, v1\n  ret v2\n"),
        };
        let source = format!(
            "start @main\nfunc @main() {{\nblock0:\n  v0 = iconst.i64 {x}\n  v1 = iconst.i64 {y}\n  call_rt print_int(v0)\n  \
             v2 = call @divide(v0, v1)\n  call_rt print_int(v2)\n  ret\n}}\n\
             func @divide(v0: i64, v1: i64) -> i64 {{\nblock0(v0: i64, v1: i64):\n{divide}}}\n"
        );
        ends(&source, &x.to_string(), message).map_err(|error| format!("{op} {x} {y}: {error}"))?;
    }
    let source = "start @main\nfunc @main() {\nblock0:\n  v0 = iconst.i64 1\n  call_rt print_int(v0)\n  v1 = call @f(v0)\n  ret\n}\n\
                  func @f(v0: i64) -> i64 {\nblock0(v0: i64):\n  v1 = call @f(v0)\n  v2 = iadd v0, v1\n  ret v2\n}\n";
    ends(source, "1", "Stack overflow.\n")?;
    // A defect of the compiler looks like one: the process is killed, and nothing is said of divisions.
    let source = "start @main\nfunc @main() {\nblock0:\n  unreachable\n}\n";
    let output = execute(source)?;
    match (output.status, &output.stderr[..]) {
        (None, b"") => Ok(()),
        (status, text) => Err(format!("unreachable: status {status:?}, {}", text.escape_ascii())),
    }
}

fn ends(source: &str, stdout: &str, stderr: &str) -> Result<(), String> {
    let output = execute(source)?;
    output.expect(255, stdout.as_bytes())?;
    difference("stderr", stderr.as_bytes(), &output.stderr).map_or(Ok(()), Err)
}
