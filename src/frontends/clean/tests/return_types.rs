//! Tests of return type inference on small programs, by the kind of evidence.

use cleave_clean::index::{Definition, ModuleIndex};
use cleave_clean::link::Program;
use cleave_clean::parse;
use cleave_clean::return_types::{LabelResults, Reason};
use cleave_diag::{FileId, Sink};
use cleave_ir::Type;
use std::fmt::Write;

/// The labels `names` of a program whose modules have these bodies: `a` for a node, `i`, `r` for words, then the
/// letter of the reason; `open`; `!` if the label never returns.
fn results(bodies: &[&str], names: &str) -> String {
    let mut sink = Sink::new();
    let modules: Vec<_> = bodies
        .iter()
        .enumerate()
        .map(|(number, body)| {
            let text = format!(
                ".comp 920 0101110100100\n.start _nostart_\n.endinfo\n.module m_m{number} \"m{number}\"\n{body}"
            );
            parse(FileId(number as u32), "m", text.as_bytes(), &mut sink).expect("correct")
        })
        .collect();
    let indexes = modules.iter().map(|module| ModuleIndex::build(module, &mut sink)).collect();
    let mut program = Program::link(modules, indexes, &mut sink);
    assert!(!sink.has_errors(), "{:?}", sink.diagnostics());
    let known = LabelResults::infer(&mut program);
    let mut text = String::new();
    for name in names.split(' ') {
        let at = (0..bodies.len() as u32).find_map(|module| {
            let symbol = program.module(module).symbols.find(name.as_bytes())?;
            match program.module_index(module).definition(symbol) {
                Definition::Function(index) => Some((module, index)),
                _ => None,
            }
        });
        let (module, index) = at.unwrap_or_else(|| panic!("no function {name}"));
        let mut found = String::from("open");
        if let Some(evidence) = known.evidence(module, index) {
            let letter = |ty: &Type| match ty {
                Type::Ref => 'a',
                Type::F64 => 'r',
                _ => 'i',
            };
            found = known.shape(evidence.shape).iter().map(letter).collect();
            found += match evidence.reason {
                Reason::Code => " code",
                Reason::Entry => " entry",
                Reason::Call => " call",
                Reason::Unreached => " unreached",
            };
        }
        let never = if known.may_return(module, index) { "" } else { "!" };
        write!(text, "{name}: {found}{never}, ").expect("text");
    }
    text.trim_end_matches(", ").to_string()
}

#[test]
fn code_decides_along_tail_calls_and_falls() {
    let body =
        ".o 1 0\nf\n.d 1 0\n\tjmp g\n.o 1 0\ng\n\tpop_a 1\n.o 0 0\nh\n\tpushI 1\n\tpushR 1.5\n.d 0 2 ri\n\trtn\n";
    assert_eq!(results(&[body], "f g h"), "f: ri code, g: ri code, h: ri code");
}

#[test]
fn applications_and_evaluations_return_a_node() {
    let body = ".o 2 0\nf\n\tjmp_ap 1\n.o 1 0\ng\n\tjmp_eval\n.o 2 0\nh\n\tjmp_eval_upd\n";
    assert_eq!(results(&[body], "f g h"), "f: a code, g: a code, h: a code");
}

/// The program of the header: what is known of `ea` is known of `s`, and from there of `i`.
#[test]
fn a_call_tells_about_code_that_ends_in_a_member() {
    let body = ".o 4 0\ni\n\trepl_args 1 1\n.d 4 0\n\tjmp s\n.o 1 0\nn\n\tpush_node _ 4\n.d 4 0\n\tjsr ea\n.o 1 0\n\
        \tfill_a 0 1\n\tpop_a 1\n.d 1 0\n\trtn\n.o 4 0\nea\n\tjsr_eval 0\n.o 4 0\ns\n.d 4 0\n\tjmp_i 3\n";
    assert_eq!(results(&[body], "i ea s"), "i: a call, ea: a call, s: a call");
}

#[test]
fn a_call_in_another_module_tells_about_exported_labels_only() {
    let member = ".o 1 0\nf\n.d 1 0\n\tjmp_i 1\n";
    let caller = ".o 1 0\ng\n.d 1 0\n\tjsr f\n.o 0 1 r\n\tbuildR_b 0\n\tpop_b 1\n.d 1 0\n\trtn\n";
    let exported = format!(".export f\n{member}");
    assert_eq!(results(&[&exported, caller], "f"), "f: r call");
    assert_eq!(results(&[member, caller], "f"), "f: open");
}

#[test]
fn entries_return_a_node() {
    let lazy = ".desc d n l 1 0 \"f\"\n.n 1 d\n.o 1 0\nn\n.d 1 0\n\tjmp_i 1\n.o 2 0\nl\n.d 2 0\n\tjmp_i 1\n";
    assert_eq!(results(&[lazy], "n l"), "n: a entry, l: a entry");
    let apply = ".desc d n l 2 0 \"f\"\n.a 0 a\n.o 2 0\nl\n\trepl_args 1 1\n.o 2 0\nx\n\tpop_a 1\n.d 1 0\n\tjmp_i 0\n\
        .o 2 0\na\n.d 2 0\n\tjmp_i 1\n.n 2 d ea\n.o 1 0\nn\n\tpush_node _ 2\n.o 2 0\nea\n.d 3 0\n\tjmp_i 1\n";
    assert_eq!(results(&[apply], "l x a n ea"), "l: a entry, x: a entry, a: a entry, n: a entry, ea: a entry");
}

/// A label that never returns joins nobody, and has what its neighbours have if nobody else says anything.
#[test]
fn what_never_returns_may_be_left_to_by_anybody() {
    let body = ".o 0 0\nf\n\tpushI 1\n\tpushB TRUE\n\tjmp_true m\n\tpop_b 1\n.d 0 0\n\tjmp stop\nm\n.d 0 1 i\n\trtn\n\
        .o 0 0\ng\n\tbuildI 1\n\tpushB TRUE\n\tjmp_true m2\n\tpop_a 1\n.d 0 0\n\tjmp stop\nm2\n.d 1 0\n\trtn\n\
        .o 0 0\nstop\n\thalt\n.o 0 0\nloop\n.d 0 0\n\tjmp loop\n";
    assert_eq!(results(&[body], "f g stop loop"), "f: i code, g: a code, stop: i code!, loop: open!");
    let unreached = ".o 0 0\nf\n\thalt\n.d 0 1 r\n\trtn\n";
    assert_eq!(results(&[unreached], "f"), "f: r unreached!");
}

/// Wrong code, maybe dead, must not change what correct code returns.
#[test]
fn contradictions_stay_where_they_are() {
    let body = ".o 0 0\nwrong\n\tpushI 1\n\tpushB TRUE\n\tjmp_true m\n\tpop_b 1\n.d 0 0\n\tjmp right\nm\n.d 0 1 i\n\
        \trtn\n.o 0 0\nright\n\tpushB TRUE\n\tjmp_true m2\n.d 0 0\n\tjmp end\nm2\n.d 0 0\n\tjmp end\n.o 0 0\nend\n\
        \tbuildI 1\n.d 1 0\n\trtn\n";
    assert_eq!(results(&[body], "wrong right end"), "wrong: i code, right: a code, end: a code");
}

/// A long chain is one class, found without recursion and in linear time.
#[test]
fn long_chains() {
    let mut body = String::new();
    for n in 0..100_000 {
        write!(body, ".o 1 0\nf{n}\n.d 1 0\n\tjmp f{}\n", n + 1).expect("text");
    }
    body += ".o 1 0\nf100000\n.d 1 0\n\tjmp_i 0\n.o 0 0\ng\n\tbuildI 1\n.d 1 0\n\tjsr f0\n.o 0 1 i\n.d 0 1 i\n\trtn\n";
    assert_eq!(results(&[&body], "f0 f50000 f100000"), "f0: i call, f50000: i call, f100000: i call");
}
