//! Libcalls that print, evaluate or end the program; options of a run.

use crate::harness::*;
use Opcode::*;
use cleave_interp::{Outcome, missing_externs, run_program};

pub const CASES: &[Case] = &[Case { subjects: &[CallRt], run: print_graph }];

/// Entry of a thunk `n` that becomes `Cons n (thunk (n+1))`, or Nil beyond the last.
fn count_up(harness: &mut Harness, last: i64) -> ThunkInfo {
    let me = ThunkInfo::from_u32(harness.module.thunk_infos.len() as u32);
    harness.thunk("upto", 0, 1, |b, node| {
        let n = b.get(ArgI64, 0, 1, 0, node);
        b.effect(Blackhole, &[node]);
        let last = b.iconst64(last);
        let end = b.op(Sgt, &[n, last]);
        let (stop, go) = (b.func.new_block(), b.func.new_block());
        b.br_if(end, (stop, &[]), (go, &[]));
        b.switch_to(stop);
        b.fill_node(WellKnownDesc::Empty.desc(), 0, &[node]);
        b.ret(&[node]);
        b.switch_to(go);
        let one = b.iconst64(1);
        let next = b.op(Iadd, &[n, one]);
        let tail = b.build_thunk(me, &[next]);
        let head = b.op(BoxInt, &[n]);
        b.fill_node(WellKnownDesc::ListCell.desc(), 2, &[node, head, tail]);
        b.ret(&[node]);
    })
}

/// Printing evaluates in a nested loop of the interpreter.
fn print_graph(harness: &mut Harness) {
    let upto = count_up(harness, 5);
    harness.module.start = Some(harness.func("main", &[], &[], |b, _| {
        let one = b.iconst64(1);
        let list = b.build_thunk(upto, &[one]);
        b.call_extern(rt(&DRIVER), &[list]);
        b.ret(&[]);
    }));
    let outcome = run_program(&harness.module, Options::default());
    assert_eq!(String::from_utf8_lossy(&outcome.stdout), "[1,2,3,4,5]\n");
    assert_eq!((outcome.status, outcome.trap), (0, None));
    assert_eq!(outcome.collections, 0);
    let stressed = run_program(&harness.module, Options { stress: Some(1), ..Options::default() });
    assert_eq!(stressed.stdout, outcome.stdout);
    // One per thunk that is built; small integers are static. The first comes from `main`.
    assert!(stressed.collections >= 6, "{} collections", stressed.collections);
}

fn text(outcome: &Outcome) -> (String, String, i32) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&outcome.stdout), text(&outcome.stderr), outcome.status)
}

#[test]
fn output_survives_errors() {
    let mut harness = Harness::new();
    harness.module.start = Some(harness.func("main", &[], &[], |b, _| {
        let (n, zero) = (b.iconst64(42), b.iconst64(0));
        b.call_extern(rt(&libcalls::PRINT_INT), &[n]);
        b.op(Sdiv, &[n, zero]);
        b.ret(&[]);
    }));
    let outcome = run_program(&harness.module, Options::default());
    assert_eq!(text(&outcome), ("42".into(), "".into(), 136));
    assert_eq!(outcome.trap, Some(Trap::DivideByZero));
}

#[test]
fn halt_sets_the_status() {
    let mut harness = Harness::new();
    harness.module.start = Some(harness.func("main", &[], &[], |b, _| {
        b.call_rt(Libcall::Halt, &[]);
        b.unreachable();
    }));
    let outcome = run_program(&harness.module, Options::default());
    assert_eq!((outcome.status, outcome.trap), (255, None));
}

#[test]
fn heap_limit_is_kept() {
    let mut harness = Harness::new();
    harness.module.start = Some(harness.func("main", &[], &[], |b, _| {
        let head = b.func.new_block();
        let list = b.func.add_param(head, REF);
        let end = nil(b);
        b.jump(head, &[end]);
        b.switch_to(head);
        let longer = cons(b, list, list);
        b.jump(head, &[longer]);
    }));
    let outcome = run_program(&harness.module, Options { heap_limit: 4 << 20, ..Options::default() });
    assert_eq!(text(&outcome), ("".into(), "Heap full.\n".into(), 255));
    assert!(outcome.collections > 0);
}

#[test]
fn steps_are_limited() {
    let mut harness = Harness::new();
    harness.module.start = Some(harness.func("main", &[], &[], |b, _| {
        let head = b.func.new_block();
        b.jump(head, &[]);
        b.switch_to(head);
        b.jump(head, &[]);
    }));
    let outcome = run_program(&harness.module, Options { max_steps: 1000, ..Options::default() });
    assert_eq!((outcome.status, outcome.trap), (124, Some(Trap::StepLimit)));
    assert_eq!(outcome.steps, 1001);
}

#[test]
fn arguments_can_be_objects() {
    let mut harness = Harness::new();
    harness.func("main", &[REF, REF, REF], &[REF], |b, args| {
        let inst = b.call_extern(rt(&libcalls::CAT_STRING), &[args[0], args[0]]);
        let twice = result(b, inst);
        let list = cons(b, twice, args[2]);
        let list = cons(b, args[1], list);
        b.ret(&[list]);
    });
    for stress in [None, Some(1)] {
        harness.options.stress = stress;
        let shown = harness.run_with("main", |session| {
            vec![session.string(b"ab").expect("heap"), session.int(300).expect("heap"), session.nil()]
        });
        assert_eq!(shown, Ok(vec!["(Cons 300 (Cons \"abab\" Nil))".into()]));
    }
    assert!(matches!(harness.run("main", &[Val::I64(1)]), Err(Trap::Wrong(_))));
    assert!(matches!(harness.run("nothing", &[]), Err(Trap::Wrong(_))));
}

/// The runtime has what the ABI says, and an extern that it does not have is found before anything runs.
#[test]
fn externs_are_found() {
    let mut harness = Harness::new();
    harness.func("main", &[I64], &[], |b, args| {
        b.call_extern(rt(&libcalls::PRINT_INT), &[args[0]]);
        b.ret(&[]);
    });
    assert_eq!(missing_externs(&harness.module).next(), None);
    assert!(libcalls::ALL.iter().all(|row| cleave_rt::libcalls::NAMES.contains(&row.name)));

    static BEEP: LibcallSignature = libcall!("beep" (I64) -> () [EFFECT] "nobody has it");
    let beep = harness.module.declare(&BEEP);
    assert_eq!(missing_externs(&harness.module).next(), None);
    harness.func("loud", &[I64], &[], |b, args| {
        b.call_extern(Callee::of(beep, &BEEP), &[args[0]]);
        b.ret(&[]);
    });
    assert_eq!(missing_externs(&harness.module).next().map(|data| data.symbol()), Some("rt_beep".into()));
}

/// A front end names functions of the runtime without knowing which heap the module has.
#[test]
fn functions_of_the_runtime_are_those_of_the_heap() {
    for heap in [cleave_ir::heap::Heap::Gc, cleave_ir::heap::Heap::Rc] {
        let text = "start @main\nstatic0 = string \"text\"\nfunc @main() {\nblock0:\n  v0 = static static0\n  call_rt print_string(v0)\n  ret\n}\n";
        let mut module = cleave_ir::text::parse_module(text).expect("IR");
        module.heap = heap;
        let outcome = run_program(&module, Options::default());
        assert_eq!((outcome.status, &*outcome.stdout), (0, &b"text"[..]));
    }
}
