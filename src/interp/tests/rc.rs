//! Counted references: what is freed when, memory that is used again, and what is stopped.

use crate::harness::*;
use Opcode::*;

pub const CASES: &[Case] = &[
    Case { subjects: &[Retain, Release, UnpackRelease], run: last_reference },
    Case { subjects: &[Reset, Reuse, FreeToken], run: tokens },
    Case { subjects: &[ResetOrAlloc, Reuse], run: renewed },
    Case { subjects: &[GetRetained, ExchangeRef], run: overwritten },
    Case { subjects: &[PeekCafRef], run: stored },
    Case { subjects: &[OpenHole, MoveHole, FillHole], run: holes },
];

/// A program on the reference-counted heap; `@main` is rooted, so that nothing is counted but what it says.
fn program(harness: &mut Harness, body: &str) {
    let text = format!(
        "desc $End = constructor arity 0 tag 0 \"End\"
desc $Item = record arity 0 tag 1 \"Item\" fields 1, 1 \"ai\"
caf ^kept ptrs 1 nptrs 0
heap rc

func @main() -> i64 phase=rooted gc_leaf {{
block0:
  v0 = node $End
  v1 = iconst.i64 1
  v2 = iconst.i64 2
{body}}}
"
    );
    harness.module = cleave_ir::text::parse_module(&text).expect("IR");
}

/// Runs it; the result, cells taken, used again, not used again, given back.
fn counts(harness: &Harness) -> (String, [u64; 4]) {
    let program = Program::new(&harness.module, data_section_options(&harness.options));
    let mut session = Session::new(&program, harness.options.clone()).expect("a session");
    let results = session.call("main", &[]).expect("a result");
    let result = results.into_iter().map(|value| session.show(value).expect("text")).collect();
    let counters = session.counters();
    (result, [counters.allocations, counters.reuses, counters.failed_reuses, counters.frees])
}

/// An object lives as long as somebody refers to it; one that is dropped leaves the field that is kept.
fn last_reference(harness: &mut Harness) {
    let nodes = "  v3 = build $Item/0 v0, v1
  v4 = build $Item/0 v3, v2
";
    program(harness, &format!("{nodes}  release v4\n  v5 = get.i64 v4 (1, 1) 0\n  ret v5\n"));
    harness.expect_error(&[], "freed");
    let kept = "  retain v4
  release v4
  v5 = get.ref v4 (1, 1) 0
  unpack_release v4, v5 (1, 1)
  v6 = get.i64 v5 (1, 1) 0
  release v5
  ret v6
";
    program(harness, &format!("{nodes}{kept}"));
    assert_eq!(counts(harness), ("1".into(), [2, 0, 0, 2]));
}

/// A node that nobody else refers to is a token, which becomes a node or is given back; otherwise there is none.
fn tokens(harness: &mut Harness) {
    let node = "  v3 = build $Item/0 v0, v1\n";
    let reuse = "  v4 = reset v3 (1, 1)
  v5 = reuse $Item/0 v4, v0, v2
  v6 = get.i64 v5 (1, 1) 0
  release v5
  ret v6
";
    program(harness, &format!("{node}{reuse}"));
    assert_eq!(counts(harness), ("2".into(), [1, 1, 0, 1]));
    program(harness, &format!("{node}  v4 = reset v3 (1, 1)\n  free_token v4 (1, 1)\n  ret v1\n"));
    assert_eq!(counts(harness), ("1".into(), [1, 0, 0, 1]));
    // Two references: the first node stays, and there is nothing to give back; then there is one.
    let shared = "  retain v3
  v4 = reset v3 (1, 1)
  free_token v4 (1, 1)
  v5 = get.i64 v3 (1, 1) 0
  v6 = reset v3 (1, 1)
  v7 = reuse $Item/0 v6, v0, v2
  release v7
  ret v5
";
    program(harness, &format!("{node}{shared}"));
    assert_eq!(counts(harness), ("1".into(), [1, 1, 1, 1]));
}

/// As a reset, but there is memory in any case.
fn renewed(harness: &mut Harness) {
    let shared = "  v3 = build $Item/0 v0, v1
  retain v3
  v4 = reset_or_alloc v3 (1, 1)
  v5 = reuse $Item/0 v4, v0, v2
  v6 = get.i64 v3 (1, 1) 0
  v7 = get.i64 v5 (1, 1) 0
  v8 = isub v7, v6
  release v3
  release v5
  ret v8
";
    program(harness, shared);
    let (result, [taken, .., failed, freed]) = counts(harness);
    assert_eq!((&result[..], taken, failed, freed), ("1", 2, 1, 2));
}

/// A field gets another node: what was there is ours, and what was read before lives on because it was counted.
fn overwritten(harness: &mut Harness) {
    let exchanged = "  v3 = build $Item/0 v0, v1
  v4 = build $Item/0 v3, v2
  v5 = build $Item/0 v0, v2
  v6 = get_retained.ref v4 (1, 1) 0
  v7 = exchange.ref v4, v5 (1, 1) 0
  release v7
  v8 = get.i64 v6 (1, 1) 0
";
    let stale = exchanged.replace("get_retained.ref", "get.ref");
    program(harness, &format!("{stale}  release v4\n  ret v8\n"));
    harness.expect_error(&[], "freed");
    program(harness, &format!("{exchanged}  release v6\n  release v4\n  ret v8\n"));
    assert_eq!(counts(harness), ("1".into(), [3, 0, 0, 3]));
}

/// What static storage keeps alive can be looked at without being counted; once it has been released, it is gone.
fn stored(harness: &mut Harness) {
    let kept = "  v3 = build $Item/0 v0, v1
  set_caf.ref ^kept/0 v3
  v4 = peek_caf.ref ^kept/0
";
    program(harness, &format!("{kept}  v5 = get.i64 v4 (1, 1) 0\n  ret v5\n"));
    assert_eq!(counts(harness), ("1".into(), [1, 0, 0, 0]));
    program(harness, &format!("{kept}  release v4\n  v5 = get.i64 v4 (1, 1) 0\n  ret v5\n"));
    harness.expect_error(&[], "freed");
}

/// Three nodes, the first one first: the node that was opened comes back whole. No hole is filled twice.
fn holes(harness: &mut Harness) {
    let nodes = "  v3 = build $Item/0 v0, v1
  v4 = open_hole v3 (1, 1) 0
  v5 = build $Item/0 v0, v2
  v6 = move_hole v4, v5 (1, 1) 0
  v7 = iconst.i64 40
  v8 = build $Item/0 v0, v7
  v9 = fill_hole v6, v8
";
    let sum = "  v10 = get.ref v9 (1, 1) 0
  v11 = get.ref v10 (1, 1) 0
  v12 = get.i64 v9 (1, 1) 0
  v13 = get.i64 v10 (1, 1) 0
  v14 = get.i64 v11 (1, 1) 0
  v15 = shl v13, v12
  v16 = iadd v14, v15
  release v9
  ret v16
";
    program(harness, &format!("{nodes}{sum}"));
    assert_eq!(counts(harness), ("44".into(), [3, 0, 0, 3]));
    program(harness, &format!("{nodes}  v10 = fill_hole v6, v0\n  ret v1\n"));
    harness.expect_error(&[], "no hole");
}
