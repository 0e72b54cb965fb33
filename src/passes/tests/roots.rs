//! The work of `late` grows with the function, not with its square.

use cleave_ir::text::parse_module;
use cleave_passes::lower::lower_eval;
use cleave_passes::roots::{Options, RootStrategy, Statistics, gc_leaf, run};
use std::fmt::Write;
use std::time::Instant;

/// A list built by so many calls, with an evaluation after each, and another value that lives through all of them.
fn place(groups: u32, strategy: RootStrategy) -> Statistics {
    let mut text = String::from(
        "module \"large\"\nextern cycle_in_spine() -> () [noreturn]\nthunk_info &cycle = plain ptrs 0 nptrs 0 code @cycle\nblackhole &cycle\n\
         func @cycle(v0: ref) -> ref {\nblock0(v0: ref):\n  call_rt cycle_in_spine()\n  unreachable\n}\n\
         func @new(v0: ref) -> ref {\nblock0(v0: ref):\n  v1 = build $_Cons/2 v0, v0\n  ret v1\n}\n\
         func @large(v0: ref, v1: ref) -> ref {\nblock0(v0: ref, v1: ref):\n",
    );
    let mut last = 1;
    for _ in 0..groups {
        let n = last;
        let lines = [
            format!("v{} = call @new(v{n})", n + 1),
            format!("v{} = eval v{}", n + 2, n + 1),
            format!("v{} = build $_Cons/2 v{}, v{n}", n + 3, n + 2),
            format!("v{} = build $_Cons/2 v{}, v{}", n + 4, n + 2, n + 3),
        ];
        for line in lines {
            writeln!(text, "  {line}").expect("a string");
        }
        last = n + 4;
    }
    writeln!(text, "  v{} = build $_Cons/2 v0, v{last}\n  ret v{}\n}}", last + 1, last + 1).expect("a string");
    let mut module = parse_module(&text).expect("the module is correct");
    gc_leaf::run(&mut module);
    lower_eval::run(&mut module);
    run(&mut module, Options { strategy, ..Options::default() })
}

#[test]
fn large_functions() {
    for strategy in [RootStrategy::Late, RootStrategy::Lazy, RootStrategy::Chain] {
        let small = place(2_500, strategy);
        let begin = Instant::now();
        let large = place(25_000, strategy);
        let time = begin.elapsed();
        assert!(time.as_secs() < 20, "{strategy:?}: {time:?} for 100,000 instructions");
        assert!(large.spills < 11 * small.spills && large.restores < 11 * small.restores, "{strategy:?}: {large:?}");
        assert_eq!(large.slots, small.slots, "{strategy:?}");
    }
}
