//! Mutation test of the root checker (`cleave_ir::verify::gc`).
//!
//! Random functions get their roots from two placements of our own and from the compiler's pass; all of them must be
//! accepted. Then each is broken in every way that `cleave_tests::roots::mutate` knows. A mutant is either rejected or
//! it must be equivalent, for one of these reasons, each of which is computed:
//! - *dead code*: it equals the correct function once spills that are never read and restores and parameters that are
//!   never used are removed from both (`trim`);
//! - *same objects*: it differs in what a slot or a value is called, but holds the same object in every state.
//!
//! In both cases all paths through the mutant are tried (`oracle`), and nothing may be wrong in any state that can be
//! reached. The oracle knows nothing of joins, sets and dominance, which the checker is made of.

use cleave_ir::text::print_func;
use cleave_ir::verify::gc::{check_space, check_translation};
use cleave_ir::verify::verify_func;
use cleave_ir::{Func, Module};
use cleave_passes::context::ModuleContext;
use cleave_passes::roots::{LATE_OPTIONS, LateOptions, Limits, chain, each_call, late, lazy};
use cleave_tests::roots::Rng;
use cleave_tests::roots::generate::{generate, library};
use cleave_tests::roots::mutate::mutants;
use cleave_tests::roots::oracle::{Verdict, explore};
use cleave_tests::roots::place;
use cleave_tests::roots::trim::trimmed;
use cleave_tests::selection::size;
use std::collections::BTreeMap;

/// Functions per placement in an ordinary run and in a thorough one; the issue asks for 50 functions and 500 mutants in
/// all.
const FUNCTIONS: u64 = 10;
const MORE_FUNCTIONS: u64 = 40;

type Placement = fn(&Module, &Func, &mut Rng) -> Func;

const PLACEMENTS: [(&str, Placement); 8] = [
    ("per call", place::per_call),
    ("memory", place::memory),
    ("each-call pass", |module, original, _| {
        let mut func = original.clone();
        each_call(&mut func, &ModuleContext::of(module), &mut Default::default());
        func
    }),
    ("lazy pass", |module, original, _| {
        let mut func = original.clone();
        lazy(&mut func, &ModuleContext::of(module), Limits::default(), &mut Default::default());
        func
    }),
    ("chain pass", |module, original, _| {
        let mut func = original.clone();
        chain(&mut func, &ModuleContext::of(module), &mut Default::default());
        func.roots = None;
        func
    }),
    ("late pass", |module, original, _| {
        let mut func = original.clone();
        late(&mut func, &ModuleContext::of(module), LateOptions::default(), Limits::default(), &mut Default::default());
        func
    }),
    // These may keep a value longer.
    ("far values", |module, original, _| {
        let mut func = original.clone();
        late(
            &mut func,
            &ModuleContext::of(module),
            LateOptions::default(),
            Limits { work: 0, far: 0 },
            &mut Default::default(),
        );
        func
    }),
    ("late pass without steps", |module, original, rng| {
        let mut func = original.clone();
        let off = LATE_OPTIONS.iter().filter(|_| rng.chance(30));
        let steps = off.fold(LateOptions::default(), |steps, row| steps.without(row.0));
        late(&mut func, &ModuleContext::of(module), steps, Limits::default(), &mut Default::default());
        func
    }),
];

#[derive(Default)]
struct Count {
    mutants: usize,
    rejected: usize,
    /// Rejected although no path goes wrong: what is lost at joins.
    strict: usize,
    dead_code: usize,
    same_objects: usize,
}

#[test]
fn every_mistake_is_found() {
    let module = library();
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    for (name, place) in PLACEMENTS {
        let mut functions = 0;
        let mut seed = 0;
        while functions < size(FUNCTIONS, MORE_FUNCTIONS) {
            seed += 1;
            let mut rng = Rng::new(seed);
            let original = generate(&mut rng, &format!("f{seed}"));
            verified(&module, &original, seed);
            let rooted = place(&module, &original, &mut rng);
            match explore(&module, &original, &rooted) {
                Verdict::TooMany => continue,
                Verdict::Wrong(message) => panic!("{name} {seed}: {message}\n{}", both(&module, &original, &rooted)),
                Verdict::Right(_) => {}
            }
            if let Err(errors) = check_translation(&module, &original, &rooted) {
                panic!("{name} {seed}: {}\n{}", errors[0], both(&module, &original, &rooted));
            }
            // Our own placements of all that is live; the others keep what they like.
            if name.contains("pass")
                && let Err(errors) = check_space(&module, &original, &rooted)
            {
                panic!("{name} {seed}: {}\n{}", errors[0], both(&module, &original, &rooted));
            }
            functions += 1;
            break_it(&module, &original, &rooted, &mut counts);
        }
    }
    println!("{:30} mutants rejected (strict) | equivalent: dead code, same objects", "");
    let mut total = Count::default();
    for (kind, count) in &counts {
        print_line(kind, count);
        total.mutants += count.mutants;
        total.rejected += count.rejected;
        total.strict += count.strict;
        total.dead_code += count.dead_code;
        total.same_objects += count.same_objects;
    }
    print_line("all", &total);
    assert_eq!(total.mutants, total.rejected + total.dead_code + total.same_objects);
    assert!(total.rejected >= 5000, "too few mutants that matter");
    // A checker that rejects everything proves nothing.
    assert!(total.strict * 20 < total.rejected, "the checker is too strict");
}

fn print_line(kind: &str, c: &Count) {
    let Count { mutants, rejected, strict, dead_code, same_objects } = c;
    println!("{kind:30} {mutants:7} {rejected:8} {strict:8} | {dead_code:22} {same_objects:13}");
}

fn verified(module: &Module, func: &Func, seed: u64) {
    if let Err(errors) = verify_func(module, func) {
        panic!("seed {seed}: {}\n{}", errors[0], print_func(module, func));
    }
}

fn break_it(module: &Module, original: &Func, rooted: &Func, counts: &mut BTreeMap<&'static str, Count>) {
    let correct = trimmed(module, original, rooted);
    for mutant in mutants(module, rooted) {
        let count = counts.entry(mutant.kind).or_default();
        count.mutants += 1;
        let verdict = explore(module, original, &mutant.func);
        let right = matches!(verdict, Verdict::Right(_));
        if check_translation(module, original, &mutant.func).is_err() {
            count.rejected += 1;
            count.strict += usize::from(right);
        } else if !right {
            let text = both(module, original, &mutant.func);
            panic!("accepted: {} ({}): {verdict:?}\n{text}", mutant.kind, mutant.detail);
        } else if trimmed(module, original, &mutant.func) == correct {
            count.dead_code += 1;
        } else {
            count.same_objects += 1;
        }
    }
}

fn both(module: &Module, original: &Func, rooted: &Func) -> String {
    format!("{}\n{}", print_func(module, original), print_func(module, rooted))
}
