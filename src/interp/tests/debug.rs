//! Stepping: forwards, backwards, to events and breakpoints.

use cleave_interp::debug::{Debugger, EventKind, Shown, Step, Stop, Where};
use cleave_interp::{Options, Program, Trap, data_section_options};
use cleave_ir::Module;

/// The sum of the numbers up to 3 by recursion, through cells of a list.
const TEXT: &str = "\
desc $Cons = record arity 0 tag 0 \"Cons\" fields 1, 1 \"ai\" contiguous
start @main
func @main() {
block0:
  v0 = iconst.i64 3
  v1 = call @build(v0)
  v2 = call @sum(v1)
  call_rt print_int(v2)
  ret
}
func @build(v0: i64) -> ref {
block0(v0: i64):
  v1 = iconst.i64 0
  v2 = eq v0, v1
  br_if v2, block1, block2
block1:
  v3 = node $_Nil
  ret v3
block2:
  v4 = iconst.i64 1
  v5 = isub v0, v4
  v6 = call @build(v5)
  v7 = build $Cons/0 v6, v0
  ret v7
}
func @sum(v0: ref) -> i64 {
block0(v0: ref):
  v1 = header v0
  v2 = node_info $Cons/0
  v3 = eq v1, v2
  br_if v3, block1, block2
block1:
  v4 = get.ref v0 contiguous (1, 1) 0
  v5 = get.i64 v0 contiguous (1, 1) 0
  v6 = call @sum(v4)
  v7 = iadd v5, v6
  ret v7
block2:
  v8 = iconst.i64 0
  ret v8
}
";

fn module(text: &str, is_located: bool) -> Module {
    let (mut module, lines) = cleave_ir::text::parse_module_with_lines(text).unwrap_or_else(|e| panic!("{e}"));
    cleave_ir::verify::verify_module(&module).unwrap_or_else(|errors| panic!("{}", errors[0]));
    if is_located {
        lines.locate(&mut module, "test.ir");
    }
    module
}

fn with<T>(text: &str, is_located: bool, work: impl FnOnce(&mut Debugger) -> T) -> T {
    let module = module(text, is_located);
    let options = Options { heap_limit: 1 << 20, ..Options::default() };
    let program = Program::new(&module, data_section_options(&options));
    work(&mut Debugger::new(&program, options).unwrap_or_else(|trap| panic!("{trap}")))
}

/// All that can be seen of a state.
fn state(debugger: &mut Debugger) -> String {
    let calls: Vec<String> = (0..debugger.depth())
        .map(|number| format!("{:?} {:?}", debugger.activation(number), debugger.variables(number)))
        .collect();
    let (time, place) = (debugger.time(), debugger.location());
    let heap = debugger.heap(100);
    let printed = debugger.stdout().to_vec();
    format!("{time} {place:?} {calls:?} {heap:?} {:?} {printed:?}", debugger.events())
}

/// Back and forth by each kind of step: a state is the same whenever one comes to it.
#[test]
fn there_and_back() {
    for is_located in [true, false] {
        for step in Step::ALL {
            with(TEXT, is_located, |debugger| {
                let mut states = vec![state(debugger)];
                while debugger.forward(step) != Stop::Ended {
                    states.push(state(debugger));
                }
                let end = debugger.time();
                while let Some(known) = states.pop() {
                    let stop = debugger.backward(step);
                    // From the end, the last step back leads to the beginning, which no such step may have ended in.
                    if stop == Stop::Beginning {
                        assert!(states.is_empty() || !matches!(step, Step::Instruction | Step::Into), "{step:?}");
                        break;
                    }
                    if !matches!(step, Step::Over | Step::Line | Step::Out) {
                        assert_eq!(state(debugger), known, "{step:?}");
                    }
                }
                assert_ne!(debugger.forward(Step::End), Stop::Stepped);
                assert_eq!(debugger.time(), end, "{step:?}");
                assert_eq!(debugger.stdout(), b"6");
            });
        }
    }
}

#[test]
fn a_call_is_one_step() {
    with(TEXT, true, |debugger| {
        assert_eq!((debugger.location().line, debugger.depth()), (6, 1));
        debugger.forward(Step::Over);
        assert_eq!((debugger.location().line, debugger.depth()), (7, 1));
        let list = debugger.variable(0, "v1").unwrap_or(Shown::Gone);
        assert_eq!(debugger.text(&list), "Cons(Cons(Cons(Nil, 1), 2), 3)");
        debugger.backward(Step::Over);
        assert_eq!((debugger.location().line, debugger.depth()), (6, 1));
        debugger.forward(Step::Into);
        assert_eq!((debugger.location().line, debugger.depth()), (14, 2));
        debugger.forward(Step::Out);
        assert_eq!((debugger.location().line, debugger.depth()), (7, 1));
    });
}

#[test]
fn events() {
    with(TEXT, true, |debugger| {
        for size in 1..=3 {
            assert_eq!(debugger.forward(Step::Allocation), Stop::Stepped);
            let event = debugger.events()[0];
            assert_eq!(event.kind, EventKind::Allocated);
            let object = debugger.object(event.object.unwrap_or(0)).map(|object| (object.name, object.fields.len()));
            assert_eq!(object, Some(("Cons".into(), 2)));
            assert_eq!(debugger.heap(10).objects.len(), size, "the new cell and those in it");
        }
        assert_eq!(debugger.forward(Step::Change), Stop::Ended);
        assert_eq!(debugger.ended().map(|ended| ended.status), Some(0));
        assert_eq!(debugger.backward(Step::Allocation), Stop::Stepped);
        assert_eq!(debugger.depth(), 2);
    });
}

#[test]
fn breakpoints() {
    with(TEXT, true, |debugger| {
        assert_eq!(debugger.set_breakpoint(Where::Function("nobody".into())), None);
        assert_eq!(debugger.set_breakpoint(Where::Line(0, 1000)), None);
        let sum = debugger.set_breakpoint(Where::Function("sum".into())).unwrap_or(9);
        let line = debugger.set_breakpoint(Where::Line(0, 36)).unwrap_or(9);
        for (number, depths) in [(sum, [2, 3, 4, 5].as_slice()), (line, &[4, 3, 2])] {
            for &depth in depths {
                assert_eq!((debugger.forward(Step::End), debugger.depth()), (Stop::Breakpoint(number), depth));
            }
        }
        for depth in [3, 4] {
            assert_eq!((debugger.backward(Step::End), debugger.depth()), (Stop::Breakpoint(line), depth));
        }
        assert_eq!((debugger.backward(Step::End), debugger.depth()), (Stop::Breakpoint(sum), 5));
        assert!(debugger.clear_breakpoint(sum) && !debugger.clear_breakpoint(sum));
        assert_eq!(debugger.backward(Step::End), Stop::Beginning);
        let known: Vec<usize> = debugger.breakpoints().map(|(number, _)| number).collect();
        assert_eq!(known, [line]);
    });
}

/// A fault shows where it happened; one can go back from there.
#[test]
fn a_fault() {
    let text = TEXT.replace("v7 = iadd v5, v6", "v7 = sdiv v5, v6");
    with(&text, true, |debugger| {
        assert_eq!(debugger.forward(Step::End), Stop::Ended);
        assert_eq!(debugger.ended().and_then(|ended| ended.trap.clone()), Some(Trap::DivideByZero));
        assert_eq!((debugger.location().line, debugger.depth()), (36, 4));
        assert_eq!(debugger.variable(0, "v5"), Some(Shown::Int(1)));
        assert_eq!(debugger.backward(Step::Into), Stop::Stepped);
        assert_eq!((debugger.location().line, debugger.depth()), (36, 4));
        assert_eq!(debugger.ended(), None);
    });
}

/// A program that never ends can be left.
#[test]
fn patience() {
    let text = "start @main\nfunc @main() {\nblock0:\n  jump block1\nblock1:\n  jump block1\n}\n";
    with(text, true, |debugger| {
        debugger.set_patience(1000);
        assert_eq!(debugger.forward(Step::End), Stop::Limit);
        let time = debugger.time();
        assert_eq!(debugger.forward(Step::Allocation), Stop::Limit);
        assert!(time >= 1000 && debugger.time() >= time + 1000);
        assert_eq!(debugger.forward(Step::Into), Stop::Stepped);
    });
}

/// Cells are taken, shared, used again and given back.
const COUNTED: &str = "\
desc $End = constructor arity 0 tag 0 \"End\"
desc $Item = record arity 0 tag 1 \"Item\" fields 1, 1 \"ai\"
desc $Wide = record arity 0 tag 2 \"Wide\" fields 2, 1 \"aai\"
heap rc
start @main
func @main() phase=rooted gc_leaf {
block0:
  v0 = node $End
  v1 = iconst.i64 1
  v2 = build $Item/0 v0, v1
  v3 = build $Item/0 v2, v1
  v4 = build $Wide/0 v3, v0, v1
  v5 = build $Item/0 v0, v1
  release v5
  v6 = get.ref v4 (2, 1) 0
  retain v6
  release v4
  v7 = build $Item/0 v0, v1
  v8 = reset v7 (1, 1)
  v9 = reuse $Item/0 v8, v6, v1
  v10 = get.ref v9 (1, 1) 0
  unpack_release v9, v10 (1, 1)
  v11 = get.ref v10 (1, 1) 0
  unpack_release v10, v11 (1, 1)
  release v11
  ret
}
";

/// On the reference-counted heap as many cells are shown as were taken and not given back, whoever knows of them.
#[test]
fn cells_that_live() {
    with(COUNTED, true, |debugger| {
        let mut sizes = Vec::new();
        loop {
            let heap = debugger.heap(100);
            let cells = heap.objects.len() as u64;
            assert_eq!(cells, debugger.counters().alive(), "at {}: {heap:?}", debugger.time());
            sizes.push((cells, heap.named));
            if debugger.forward(Step::Instruction) == Stop::Ended {
                break;
            }
        }
        assert!(sizes.contains(&(4, 4)), "{sizes:?}");
        assert_eq!(debugger.counters().alive(), 0);
        while debugger.counters().alive() < 3 {
            debugger.backward(Step::Instruction);
        }
        assert!(debugger.heap(2).is_cut);
        assert_eq!(debugger.heap(2).objects.len(), 2);
    });
}
