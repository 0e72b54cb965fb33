//! Random programs in ABC with the conventions of Clean's compiler: typed, lazy, ending. They are the same for the same
//! number.
//!
//! A program has types (`types`), and functions over them with all entries that Clean's compiler writes (`entries`);
//! bodies are made by a simulation of both stacks (`code`, `values`, `words`, `arrays`, `bodies`). Recursion ends,
//! because every function hands on less of a number than it got; what real numbers give is kept finite, because the
//! sign of a NaN belongs to the processor.

mod arrays;
mod bodies;
pub mod clean;
mod code;
pub mod constant;
mod entries;
mod functions;
mod types;
mod values;
mod words;

use crate::roots::Rng;
use code::Code;
use functions::{Function, Kind, shape_of};
use std::fmt::Write as _;
use types::{BASES, Def, Field, INT, STRING, Ty, Types};
use values::Gen;

/// Functions for reals: what is too large or no number, and what is rounded.
const SUPPORT: &str = "\
.o 0 1 r
finite
\tpushR 1E300
\tpush_b 1
\tabsR
\tltR
\tjmp_true finite.1
\tpop_b 1
\tpushR 1.5
finite.1
.d 0 1 r
\trtn
.o 0 1 r
rounded
\tpushR 1E6
\tpush_b 1
\tabsR
\tltR
\tjmp_true rounded.1
\tpop_b 1
\tpushR 0.5
.d 0 1 r
\trtn
rounded.1
\tpushR 1048576.0
\tmulR
\tRtoI
\tItoR
\tpushR 1048576.0
\tpush_b 1
\tdivR
\tupdatepop_b 0 1
.d 0 1 r
\trtn
";

/// The name of a program's module.
pub fn name(number: u64) -> String {
    format!("p{number}")
}

/// The text of program `number`; it starts at the label `__NAME_Start`.
pub fn program(number: u64) -> String {
    let mut rng = Rng::new(number ^ 0x5eed_abc0);
    let types = Types::random(&mut rng);
    let functions = functions(&types, &mut rng);
    let name = name(number);
    let mut text = format!(
        ".comp 920 0101110100100\n.start __{name}_Start\n.endinfo\n.module m_program \"{name}\"\n\
         .impmod _system\n.impdesc e_system_dAP\n.implab e_system_nAP e_system_eaAP\n.impdesc e_system_dif\n\
         .implab e_system_nif e_system_eaif\n"
    );
    for part in 1..=6 {
        let _ = writeln!(text, ".impdesc d_S.{part}\n.implab n_S.{part} ea_S.{part}");
    }
    text += &types.declarations();
    let mut gen_ = Gen { rng: &mut rng, types: &types, functions: &functions, code: Code::default(), labels: 0 };
    let _ = write!(
        text,
        ".export __{name}_Start\n.o 0 0\n__{name}_Start\n\tbuild _ 0 nstart\n.d 1 0\n\tjmp _driver\n\
         .n 0 _\n.o 1 0\nnstart\n\tpush_node _cycle_in_spine 0\n"
    );
    text += &start(&mut gen_);
    text += &gen_.selectors();
    text += SUPPORT;
    for function in &functions {
        gen_.code = Code::default();
        text += &gen_.function(function);
    }
    text
}

/// The value of the program: a tuple of what can be printed.
fn start(own: &mut Gen<'_>) -> String {
    let printable = own.types.of(|_| true).into_iter().filter(|&ty| own.types.is_printable(ty)).collect::<Vec<Ty>>();
    let count = 3 + own.rng.below(4);
    own.code.calls = 12;
    for _ in 0..count {
        let ty = own.rng.pick(&printable);
        own.lazy(ty, 3);
    }
    own.code.line(format_args!("fillh _Tuple {count} {count}"));
    own.code.text.push_str(".d 1 0\n\trtn\n");
    std::mem::take(&mut own.code.text)
}

fn functions(types: &Types, rng: &mut Rng) -> Vec<Function> {
    let mut all: Vec<Function> = Vec::new();
    let mut add = |kind, parameters: Vec<Field>, held, shape| {
        let id = all.len() + 1;
        all.push(Function { id, kind, parameters, held, shape });
    };
    let strict_int = Field { ty: INT, strict: true };
    let any = |rng: &mut Rng| Ty(rng.below(types.all.len()));
    let random = |rng: &mut Rng, most: usize| -> Vec<Field> {
        (0..rng.below(most + 1)).map(|_| Field { ty: any(rng), strict: rng.chance(50) }).collect()
    };
    for at in 0..types.all.len() {
        let ty = Ty(at);
        add(Kind::Default(rng.chance(40)), Vec::new(), 0, shape_of(types, ty, false));
        match types.def(ty) {
            Def::Function(from, to) => {
                for _ in 0..1 + rng.below(2) {
                    let mut parameters = vec![strict_int];
                    parameters.extend(random(rng, 2));
                    parameters.push(Field { ty: *from, strict: rng.chance(50) });
                    add(Kind::Fueled, parameters, 0, shape_of(types, *to, rng.chance(50)));
                }
            }
            Def::Member(own, result) => {
                for _ in 0..1 + rng.below(2) {
                    // What the dictionary gives is lazy.
                    let mut parameters = vec![Field { ty: INT, strict: false }];
                    parameters.extend((0..rng.below(2)).map(|_| Field { ty: any(rng), strict: false }));
                    let held = parameters.len();
                    parameters.extend(own);
                    add(Kind::Member, parameters, held, shape_of(types, *result, true));
                }
            }
            _ => {}
        }
    }
    for _ in 0..6 + rng.below(8) {
        let kind = if rng.chance(20) { Kind::Loop } else { Kind::Fueled };
        let mut parameters = vec![strict_int];
        parameters.extend(random(rng, 4));
        let ty = if rng.chance(35) { rng.pick(&BASES).ty() } else { any(rng) };
        add(kind, parameters, 0, shape_of(types, ty, rng.chance(50)));
    }
    if rng.chance(50) {
        let ty = rng.pick(&[INT, STRING]);
        add(Kind::File, vec![strict_int], 0, shape_of(types, ty, false));
    }
    all
}
