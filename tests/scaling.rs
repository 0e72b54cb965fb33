//! The work of the compiler grows with a program, not with its square: programs of two sizes, at each level, for both
//! targets. Only ratios of processor time are compared: of one thread, so that other tests may run meanwhile. Memory
//! grows with what the work touches. An ordinary run takes a sixth of the ways, and programs of half the size.
#![cfg(target_os = "linux")]

use cleave::driver::pipeline::{self, Stop};
use cleave::driver::session::{Level, Options, Session, Target};
use cleave::languages;
use cleave_ir::text::parse_module;
use cleave_ir::verify::verify_module;
use cleave_tests::selection::{fewer, thorough_share};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Parts of the smaller program, and how often the larger one has as many. Four times the work takes four times as
/// long; work that grows with the square takes sixteen times as long.
const PARTS: u64 = 4_000;
const TIMES: usize = 4;
const MOST: f64 = 9.0;
/// The clock counts hundredths of a second.
const BLUR: f64 = 0.08;

/// What a program has many of.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Nodes that are alive during one call.
    Nodes,
    /// Calls; each leaves a node that is alive during all later ones.
    Calls,
    /// Numbers that are alive at the same time.
    Numbers,
    /// Joins of two ways; each adds to a list and one of many numbers that are used at the end.
    Joins,
    /// Functions that are applied as values.
    Closures,
    /// Cases of one choice.
    Cases,
    /// Cases of one choice that all go on at the same place.
    Alternatives,
    /// Functions that `Start` does not reach, with closures of theirs, for `--keep-all`.
    Unreached,
    /// Blocks of one function, in IR as text, which is read and verified: each leaves, or goes on with the next.
    Blocks,
    /// Variables of one function of samlang, whose types must have an interface and are unknown until the end of it.
    Bounds,
    /// Slots of one block, in IR as text, that are restored without having been spilled: errors of the verifier.
    Restores,
}

const HEAD: &str = ".comp 920 0101110100100\n.start __large_Start\n.endinfo\n.module m_large \"large\"\n.impmod _system\n\
                    .implab _cycle_in_spine\n.impdesc _Nil\n.impdesc _Cons\n.implab _driver\n";
const START: &str = ".export __large_Start\n.o 0 0\n__large_Start\n\tbuild _ 0 nStart\n.d 1 0\n\tjmp _driver\n.n 0 _\n.o 1 0\n\
                     nStart\n\tpush_node _cycle_in_spine 0\n";
const END: &str = "\tfillI_b 0 0\n\tpop_b 1\n.d 1 0\n\trtn\n";
const RETURN: &str = ".d 0 1 i\n\trtn\n";

fn text_of_blocks(parts: usize) -> String {
    let mut text = String::from("start @main\nfunc @main() {\nblock0:\n  v0 = iconst.i64 0\n  jump block1(v0)\n");
    for k in 1..=parts {
        let (v, next) = (k * 4, k + 1);
        write!(text, "block{k}(v{v}: i64):\n  v{} = iconst.i64 1\n  v{} = iadd v{v}, v{}\n", v + 1, v + 2, v + 1)
            .and_then(|()| writeln!(text, "  v{} = eq v{}, v0", v + 3, v + 2))
            .and_then(|()| writeln!(text, "  br_if v{}, block{}, block{next}(v{})", v + 3, parts + 2, v + 2))
            .expect("writing to a string");
    }
    let (last, v) = (parts + 1, (parts + 1) * 4);
    write!(text, "block{last}(v{v}: i64):\n  jump block{}\nblock{}:\n  ret\n}}\n", last + 1, last + 1)
        .expect("writing to a string");
    text
}

fn text_of_bounds(parts: usize) -> String {
    let mut text = String::from("import { Map } from std.map;\nimport { Int } from std.boxed;\nclass Main {\n");
    text += "  function main(): unit = {\n";
    (0..parts).for_each(|k| _ = writeln!(text, "    let map{k} = Map.empty();"));
    (0..parts).for_each(|k| _ = writeln!(text, "    let _ = map{k}.insert(Int.init(1), 2);"));
    text + "    Process.println(\"done\")\n  }\n}\n"
}

fn program(kind: Kind, parts: usize) -> String {
    match kind {
        Kind::Blocks => return text_of_blocks(parts),
        Kind::Bounds => return text_of_bounds(parts),
        Kind::Restores => return text_of_restores(parts),
        _ => {}
    }
    let mut text = String::from(HEAD);
    let each = |text: &mut String, line: &dyn Fn(usize) -> String| {
        (0..parts).for_each(|n| text.push_str(&line(n)));
    };
    if let Kind::Closures = kind {
        each(&mut text, &|n| format!(".desc d{n} _hnf l{n} 1 0 \"f{n}\"\n"));
        let _ = writeln!(text, "{START}\tpushI 0");
        each(&mut text, &|n| format!("\tbuildI {n}\n\tbuildh d{n} 0\n\tjsr_ap 1\n\tpushI_a 0\n\tpop_a 1\n\taddI\n"));
        text.push_str(END);
        let body =
            "\tpop_a 1\n\tjsr_eval 0\n\tpushI_a 0\n\tincI\n\tbuildI_b 0\n\tupdatepop_a 0 1\n\tpop_b 1\n.d 1 0\n\trtn\n";
        each(&mut text, &|n| format!(".o 2 0\nl{n}\n{body}"));
        return text;
    }
    if let Kind::Unreached = kind {
        return unreached_functions(text, parts);
    }
    let _ = write!(text, "{START}\tpushI 7\n.d 0 1 i\n\tjsr work\n.o 0 1 i\n{END}.o 0 1 i\nwork\n");
    let sum = |_: usize| "\tpushI_a 0\n\tpop_a 1\n\taddI\n".to_string();
    match kind {
        Kind::Nodes => {
            each(&mut text, &|n| format!("\tpush_b 0\n\tpushI {}\n\tmulI\n\tbuildI_b 0\n\tpop_b 1\n", 2 * n + 3));
            text.push_str(".d 0 1 i\n\tjsr count\n.o 0 1 i\n");
            each(&mut text, &sum);
        }
        Kind::Calls => {
            let call = ".d 0 1 i\n\tjsr count\n.o 0 1 i\n";
            each(&mut text, &|_| format!("\tpush_b 0\n\tbuildI_b 0\n\tpop_b 1\n{call}"));
            each(&mut text, &sum);
        }
        Kind::Numbers => {
            each(&mut text, &|n| format!("\tpush_b 0\n\tpushI {}\n\tmulI\n", 2 * n + 3));
            each(&mut text, &|_| "\taddI\n".into());
        }
        Kind::Joins => {
            text.push_str("\tbuildh _Nil 0\n");
            each(&mut text, &|n| {
                let grow = "\tpush_b 0\n\tbuildI_b 0\n\tpop_b 1\n\tbuildh _Cons 2\n";
                let test = format!("\teqI_b {} 0\n\tjmp_false else.{n}\n", 4 * n + 5);
                format!("{test}\tincI\n{grow}\tjmp join.{n}\nelse.{n}\n\tpushI 3\n\taddI\n{grow}join.{n}\n\tpush_b 0\n")
            });
            each(&mut text, &|_| "\taddI\n".into());
            text.push_str("\tpop_a 1\n");
        }
        Kind::Cases => {
            each(&mut text, &|n| format!("\teqI_b {n} 0\n\tjmp_true case.{n}\n"));
            let _ = write!(text, "\tpop_b 1\n\tpushI -1\n{RETURN}");
            each(&mut text, &|n| format!("case.{n}\n\tpop_b 1\n\tpushI {}\n{RETURN}", n * 7 % 1000));
        }
        Kind::Alternatives => {
            each(&mut text, &|n| format!("\teqI_b {} 0\n\tjmp_true case.{n}\n", 3 * n));
            text.push_str("\tpushI -1\n\tjmp join\n");
            each(&mut text, &|n| format!("case.{n}\n\tpushI {}\n\tpush_b 1\n\taddI\n\tjmp join\n", n * 7 % 1000));
            text.push_str("join\n\tupdatepop_b 0 1\n");
        }
        Kind::Closures | Kind::Unreached | Kind::Blocks | Kind::Bounds | Kind::Restores => unreachable!("made above"),
    }
    // Counts up to 20.
    let _ =
        write!(text, "{RETURN}.o 0 1 i\ncount\n\tpushI 20\n\tpush_b 1\n\tltI\n\tjmp_true done\n\tpush_b 0\n\tdecI\n");
    let _ = write!(text, "\tupdatepop_b 0 1\n.d 0 1 i\n\tjmp count\ndone\n\tincI\n{RETURN}");
    text
}

/// Functions that make closures of two arguments, apply one to both, and call an instance. Each closure has a lazy
/// entry, an apply entry and an instance entry.
fn unreached_functions(mut text: String, parts: usize) -> String {
    for n in 0..parts {
        let _ = writeln!(text, ".desc d{n} _hnf l{n} 2 0 \"f{n}\"");
    }
    let _ = write!(text, "{START}\tpushI 7\n{END}");
    for n in 0..parts {
        let first = "\tupdatepop_a 0 1\n.d 1 0\n\trtn\n";
        let _ = write!(text, ".o 2 0\ni{n}\n\tpop_a 2\n\tpushI {n}\n{RETURN}");
        let _ = write!(text, ".ai 0 a{n} i{n}\n.o 2 0\nl{n}\n{first}.o 2 0\na{n}\n{first}");
        let make = "\tbuildI 1\n\tbuildI 2\n\tbuildh d";
        let _ = write!(text, ".o 0 0\napply{n}\n{make}{n} 0\n\tjsr_ap 2\n.d 1 0\n\trtn\n");
        let _ = write!(
            text,
            ".o 0 0\ncall{n}\n{make}{n} 0\n\tpop_a 1\n\tbuildh d{n} 0\n.d 2 0\n\tjsr_i 1\n.o 0 1 i\n{RETURN}"
        );
    }
    text
}

fn text_of_restores(parts: usize) -> String {
    let head = "func @f(v0: ref) -> ref phase=rooted {\nblock0(v0: ref):\n";
    let lines = (1..=8 * parts).map(|k| format!("  v{k} = restore s{}\n", k % 1000));
    format!("{head}{}  ret v0\n}}\n", lines.collect::<String>())
}

/// Processor time of this thread so far, in seconds.
fn processor_time() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/stat").expect("the system is Linux");
    let fields: Vec<&str> = text.rsplit_once(')').expect("a name").1.split_whitespace().collect();
    (fields[11].parse::<f64>().expect("a number") + fields[12].parse::<f64>().expect("a number")) / 100.0
}

/// The time in which one thread compiles a program.
fn time(file: &Path, kind: Kind, target: Target, level: Level) -> f64 {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    alone.install(|| {
        let begin = processor_time();
        compile(file, kind, target, level);
        processor_time() - begin
    })
}

fn compile(file: &Path, kind: Kind, target: Target, level: Level) {
    if let Kind::Blocks = kind {
        let text = fs::read_to_string(file).expect("written above");
        let module = parse_module(&text).expect("IR that is right");
        assert!(verify_module(&module).is_ok());
        return;
    }
    if let Kind::Restores = kind {
        let text = fs::read_to_string(file).expect("written above");
        assert!(verify_module(&parse_module(&text).expect("IR that can be read")).is_err());
        return;
    }
    let keep_all = matches!(kind, Kind::Unreached);
    let mut session = Session::new(Options { target, level, unverified: true, keep_all, ..Options::default() });
    let loaded = languages::load(&mut session, file);
    if let Kind::Bounds = kind {
        assert!(loaded.is_ok(), "{}: {:?}", file.display(), session.sink.diagnostics());
        return;
    }
    let compiled = loaded.and_then(|loaded| pipeline::compile(&mut session, loaded, Stop::Code, &[]));
    assert!(compiled.is_ok(), "{}: {:?}", file.display(), session.sink.diagnostics());
}

fn write_program(kind: Kind, parts: usize) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scaling").join(format!("{kind:?}{parts}"));
    fs::create_dir_all(&folder).expect("a folder of our own");
    let file = folder.join(if let Kind::Bounds = kind { "Large.sam" } else { "large.abc" });
    fs::write(&file, program(kind, parts)).expect("a file of our own");
    file
}

/// Engines take functions of 50,000 variables; their work, too, grows with the square of a function.
#[test]
fn functions_of_webassembly_stay_small() {
    let kinds = [Kind::Calls, Kind::Nodes, Kind::Numbers];
    for kind in kinds.into_iter().take(fewer(3, 3) as usize) {
        let file = write_program(kind, 60_000);
        let mut session = Session::new(Options { level: Level::O0, unverified: true, ..Options::default() });
        let loaded = languages::load(&mut session, &file);
        let compiled = loaded.and_then(|loaded| pipeline::compile(&mut session, loaded, Stop::Code, &[]));
        let wasm = compiled.unwrap_or_else(|_| panic!("{kind:?}: {:?}", session.sink.diagnostics())).wasm;
        for part in wasmparser::Parser::new(0).parse_all(&wasm) {
            if let wasmparser::Payload::CodeSectionEntry(body) = part.expect("a valid module") {
                let bytes = body.range().len();
                assert!(bytes < 1 << 17, "{kind:?}: a function of {bytes} bytes");
            }
        }
    }
}

/// Compiles programs of one kind in some of the ways.
fn work_grows_with_the_program(kind: Kind) {
    let parts = fewer(PARTS, 2) as usize;
    let share = if thorough_share() == Some(1) { 1 } else { 3 };
    // CI takes both.
    let one_target = thorough_share().is_none();
    let (small, large) = (write_program(kind, parts), write_program(kind, TIMES * parts));
    for (way, target) in [Target::Wasm, Target::Native].into_iter().enumerate() {
        for (place, level) in [Level::O0, Level::O1, Level::O2].into_iter().enumerate() {
            // Each kind at one level for each target, another one for each.
            let number = kind as usize;
            if !(number + way + place).is_multiple_of(share) || one_target && number % 2 != way {
                continue;
            }
            let (few, many) = (time(&small, kind, target, level), time(&large, kind, target, level));
            let found = format!("{kind:?} {target:?} {level:?}: {few:.2} s, {many:.2} s");
            println!("{found}");
            assert!(many <= MOST * (few + BLUR / MOST) + BLUR, "{found}");
        }
    }
}

#[test]
fn nodes() {
    work_grows_with_the_program(Kind::Nodes);
}

#[test]
fn calls() {
    work_grows_with_the_program(Kind::Calls);
}

#[test]
fn numbers() {
    work_grows_with_the_program(Kind::Numbers);
}

#[test]
fn joins() {
    work_grows_with_the_program(Kind::Joins);
}

#[test]
fn closures() {
    work_grows_with_the_program(Kind::Closures);
}

#[test]
fn cases() {
    work_grows_with_the_program(Kind::Cases);
}

#[test]
fn alternatives() {
    work_grows_with_the_program(Kind::Alternatives);
}

#[test]
fn unreached() {
    work_grows_with_the_program(Kind::Unreached);
}

#[test]
fn blocks() {
    work_grows_with_the_program(Kind::Blocks);
}

#[test]
fn bounds() {
    work_grows_with_the_program(Kind::Bounds);
}

#[test]
fn restores() {
    work_grows_with_the_program(Kind::Restores);
}
