//! Random programs as front ends of strict languages make them, for both heaps: data of contiguous and immutable
//! descriptors with references and words, functions that build, map and fold it by recursion, closures, members of
//! classes, boxed numbers, strings and arrays of all kinds.
//!
//! `types` decides what there is · `writer` is the state of writing one function as IR text · `steps`, `objects` and
//! `branches`, `arrays`, `exceptions` and `effects` are what stands in functions · `recursion` are the functions that
//! call themselves · here the module is put together.
//!
//! All programs end: functions call those after them, and themselves with less; what closures and members do calls no
//! function. Nothing is undefined: only new cells are written, and equal nodes are never told apart.

mod arrays;
mod branches;
mod effects;
mod exceptions;
mod objects;
mod recursion;
mod steps;
mod types;
mod writer;

use crate::roots::Rng;
use cleave_ir::text::parse_module;
use cleave_ir::{Heap, Module};
use std::fmt::Write as _;
use types::{Constructor, Fixed, Form, Gives, Plan, Role, Ty};
use writer::{Writer, list};

/// The program of a number on a heap.
pub fn program(seed: u64, heap: Heap) -> Module {
    let text = text(seed, heap);
    parse_module(&text).unwrap_or_else(|error| panic!("the generator makes wrong text: {error}\n{text}"))
}

/// The same as text.
pub fn text(seed: u64, heap: Heap) -> String {
    let rng = &mut Rng::new(seed);
    let mut plan = types::make(rng, heap);
    plan.raises = seed / 4 % 3 == 2;
    plan.performs = matches!(seed / 4 % 6, 1 | 5);
    plan.immediates = seed / 4 % 4 == 1;
    fixed(rng, &mut plan);
    let plan = &plan;
    let mut funcs = String::new();
    for (number, func) in plan.funcs.iter().enumerate() {
        let mut writer = Writer::begin(rng, plan, &func.name, &func.params, &func.results, &func.attributes);
        writer.body(number);
        funcs += &writer.end();
    }
    for number in 0..plan.types.len() {
        funcs += &show(rng, plan, number);
    }
    closures(rng, plan, &mut funcs);
    members(rng, plan, &mut funcs);
    funcs += &main(rng, plan);
    let mut out = format!("module \"strict-{seed}\"\nheap {}\nstart @main\n", heap.word());
    if rng.chance(10) {
        out += "observes_identity\n";
    }
    if plan.immediates {
        out += "immediates\n";
        funcs += IMMEDIATES;
    }
    items(rng, plan, &mut out);
    out + LIBRARY + &arrays::loops(plan) + &funcs
}

/// Words and reals on the console. The sign of a NaN depends on the machine; more than the 15 digits show.
const LIBRARY: &str = "
func @print_word(v0: i64) {
block0(v0: i64):
  call_rt print_int(v0)
  v1 = iconst.i64 32
  call_rt print_char(v1)
  ret
}

func @print_number(v0: f64) {
block0(v0: f64):
  v1 = feq v0, v0
  br_if v1, block1, block2
block1:
  call_rt print_real(v0)
  v2 = real_bits v0
  v3 = iconst.i64 1023
  v4 = and v2, v3
  tail_call @print_word(v4)
block2:
  v5 = text static3
  call_rt print_text(v5)
  ret
}
";

/// Integers as immediates, or as nodes.
const IMMEDIATES: &str = "
func @immediate(v0: i64) -> ref {
block0(v0: i64):
  v1 = fits_int v0
  br_if v1, block1, block2
block1:
  v2 = int_ref v0
  ret v2
block2:
  v3 = box.int v0
  ret v3
}

func @integer(v0: ref) -> i64 {
block0(v0: ref):
  v1 = is_int v0
  br_if v1, block1, block2
block1:
  v2 = ref_int v0
  ret v2
block2:
  v3 = get.i64 v0 (0, 1) 0
  ret v3
}
";

/// Strings and static nodes.
fn fixed(rng: &mut Rng, plan: &mut Plan) {
    for text in ["", "abc", "hello, world"] {
        plan.fixed.push(Fixed { ty: Ty::Text, text: format!("string \"{text}\"") });
    }
    // A text, and a string that is written: nobody finds them by their types.
    let hidden = Ty::Narrow;
    plan.fixed.push(Fixed { ty: hidden, text: "text \"a text of forty bytes, which nobody has\"".into() });
    plan.fixed.push(Fixed { ty: hidden, text: "string \"forty bytes, some of which are written,\"".into() });
    if !plan.is_rc() {
        plan.fixed.push(Fixed { ty: Ty::Number, text: format!("node $REAL/0 [] [{}]", 2.5f64.to_bits()) });
        plan.fixed.push(Fixed { ty: Ty::Int, text: "node $INT/0 [] [123456789]".into() });
    }
    for round in 0..6 {
        let (ty, constructors) = match round % 3 {
            2 => {
                let class = rng.below(plan.classes.len());
                (Ty::Object(class), &plan.classes[class].objects)
            }
            _ => {
                let number = rng.below(plan.types.len());
                (Ty::Data(number), &plan.types[number].constructors)
            }
        };
        let constructor = &constructors[rng.below(constructors.len())];
        if let Some(text) = fixed_node(rng, plan, constructor) {
            plan.fixed.push(Fixed { ty, text });
        }
    }
    for closure in &plan.closures {
        let applied_args: Option<Vec<String>> =
            closure.applied_args.iter().map(|&ty| fixed_field(rng, plan, ty)).collect();
        if closure.gives == Gives::Int
            && let Some(applied_args) = applied_args
            && !applied_args.is_empty()
        {
            let (ty, count) = (Ty::Closure(closure.missing, Gives::Int), applied_args.len());
            let text = format!("node ${}/{count} [{}] []", closure.label, applied_args.join(", "));
            plan.fixed.push(Fixed { ty, text });
            break;
        }
    }
}

/// A node of constants, if there are some for its fields.
fn fixed_node(rng: &mut Rng, plan: &Plan, constructor: &Constructor) -> Option<String> {
    if constructor.form == Form::Atom {
        return None;
    }
    let (ptrs, nptrs) = constructor.fields.split_at(constructor.ptrs());
    let ptrs: Vec<String> = ptrs.iter().map(|&ty| fixed_field(rng, plan, ty)).collect::<Option<_>>()?;
    let word = |ty: &Ty| if *ty == Ty::Real { 0.75f64.to_bits().to_string() } else { "41".into() };
    let nptrs: Vec<String> = nptrs.iter().map(word).collect();
    Some(format!("node {} [{}] [{}]", constructor.node_info(), ptrs.join(", "), nptrs.join(", ")))
}

fn fixed_field(rng: &mut Rng, plan: &Plan, ty: Ty) -> Option<String> {
    let atom = |constructors: &[Constructor]| {
        let found = constructors.iter().find(|constructor| constructor.form == Form::Atom);
        found.map(|constructor| format!("node ${}", constructor.label))
    };
    let known = |ty| (0..plan.fixed.len()).rfind(|&i| plan.fixed[i].ty == ty).map(|number| format!("static{number}"));
    match ty {
        Ty::Int if rng.chance(70) => Some(format!("int {}", rng.pick(&[0, 1, -1, 255]))),
        Ty::Letter => Some(format!("char {}", 65 + rng.below(26))),
        Ty::Truth => Some(format!("bool {}", rng.below(2))),
        Ty::Closure(1, Gives::Int) => Some("node $last".into()),
        Ty::Data(number) => known(ty).or_else(|| atom(&plan.types[number].constructors)),
        Ty::Object(class) => known(ty).or_else(|| atom(&plan.classes[class].objects)),
        ty => known(ty),
    }
}

fn words_of(contiguous: bool, immutable: bool) -> String {
    format!("{}{}", if contiguous { " contiguous" } else { "" }, if immutable { " immutable" } else { "" })
}

fn descriptor(rng: &mut Rng, constructor: &Constructor, number: usize) -> String {
    let Constructor { label, form, fields, contiguous, immutable, .. } = constructor;
    let kind = match (form, fields.len()) {
        (Form::Atom, _) => rng.pick(&["constructor", "constructor", "nil"]),
        (Form::Arguments, 2) => rng.pick(&["constructor", "tuple", "cons"]),
        (Form::Arguments, _) => rng.pick(&["constructor", "tuple"]),
        (Form::Record, 2) => rng.pick(&["record", "record", "unboxed_cons"]),
        (Form::Record, _) => "record",
    };
    let arity = if *form == Form::Arguments { fields.len() } else { 0 };
    let mut line = format!("desc ${label} = {kind} arity {arity} tag {number} \"{label}\"");
    if *form == Form::Record {
        let letter = |ty: &Ty| match ty {
            Ty::Word => 'i',
            Ty::Real => 'r',
            _ => 'a',
        };
        let (ptrs, letters) = (constructor.ptrs(), fields.iter().map(letter).collect::<String>());
        let _ = write!(line, " fields {ptrs}, {} \"{letters}\"", fields.len() - ptrs);
        if rng.chance(10) {
            line += " nested [$REAL]";
        }
    }
    line + &words_of(*contiguous, *immutable)
}

/// Descriptors, tables, static nodes.
fn items(rng: &mut Rng, plan: &Plan, out: &mut String) {
    for (number, data) in plan.types.iter().enumerate() {
        for (index, constructor) in data.constructors.iter().enumerate().filter(|found| !found.1.is_known) {
            *out += &descriptor(rng, constructor, index);
            if data.has_members {
                let _ = write!(out, " method %m{number} @member.m{number}.{index}");
            }
            *out += "\n";
        }
        if data.has_members {
            let _ = writeln!(out, "table %m{number} = method (ref) -> (i64) []");
        }
    }
    if let Some(cell) = &plan.cell {
        *out += &descriptor(rng, cell, 0);
        *out += "\n";
    }
    for closure in &plan.closures {
        let (label, arity) = (&closure.label, closure.applied_args.len() + closure.missing as usize);
        let code = |applied_args: usize| {
            if closure.has_code[applied_args] { format!("@{label}.{applied_args}") } else { "none".into() }
        };
        let codes: Vec<String> = (0..arity).map(code).collect();
        let nptrs = words_of(false, closure.immutable);
        let line = format!("desc ${label} = constructor arity {arity} tag 0 \"{label}\"{nptrs} callable");
        let _ = writeln!(out, "{line} apply [{}]", codes.join(", "));
    }
    for (number, class) in plan.classes.iter().enumerate() {
        let types = |types: &[Ty]| types.iter().map(|ty| ty.ir()).collect::<Vec<_>>().join(", ");
        let params = [vec![Ty::Object(number)], class.params.clone()].concat();
        let (params, results) = (types(&params), types(&class.results));
        let _ = writeln!(out, "table %c{number} = method ({params}) -> ({results}) []");
        for (index, object) in class.objects.iter().enumerate() {
            let line = descriptor(rng, object, index);
            let _ = writeln!(out, "{line} method %c{number} @member.c{number}.{index}");
        }
    }
    let _ = writeln!(out, "table %t = (i64, ref) -> (i64) [@t0, @t1]");
    if !plan.is_rc() || plan.raises {
        *out += "caf ^g ptrs 1 nptrs 2\n";
    }
    for (number, fixed) in plan.fixed.iter().enumerate() {
        let _ = writeln!(out, "static{number} = {}", fixed.text);
    }
}

/// Shows data while there is fuel; what is left of that is the result.
fn show(rng: &mut Rng, plan: &Plan, number: usize) -> String {
    let params = [Ty::Data(number), Ty::Word];
    let mut writer = Writer::begin(rng, plan, &format!("show{number}"), &params, &[Ty::Word], "");
    writer.calls = 0;
    let zero = writer.word(0);
    let empty = writer.both("sle", 1, zero);
    let (out, on) = (writer.block(), writer.block());
    writer.line(&format!("br_if v{empty}, block{out}, block{on}"));
    writer.label(out);
    writer.line("ret v1");
    writer.label(on);
    let one = writer.word(1);
    let less = writer.both("isub", 1, one);
    writer.switch(0, number, &mut |this, index, _| {
        let scope = this.scope.len();
        let constructor = &plan.types[number].constructors[index];
        let letter = this.word(65 + index as i64);
        this.effect("print_char", &[letter]);
        let mut fuel = less;
        for (field, &ty) in constructor.fields.iter().enumerate() {
            let value = this.get(constructor, 0, field);
            match ty {
                Ty::Data(other) => fuel = this.value(&format!("call @show{other}(v{value}, v{fuel})")),
                ty => this.print(value, ty),
            }
        }
        this.scope.truncate(scope);
        this.line(&format!("ret v{fuel}"));
    });
    writer.end()
}

/// The code of closures, and what the dispatch tables call: the applied arguments are in the closure.
fn closures(rng: &mut Rng, plan: &Plan, out: &mut String) {
    for closure in &plan.closures {
        let (label, arity) = (&closure.label, closure.applied_args.len() + closure.missing as usize);
        let params = [closure.applied_args.clone(), vec![Ty::Int; closure.missing as usize]].concat();
        let results = match closure.gives {
            Gives::Int => [Ty::Int],
            Gives::Closure => [Ty::Closure(1, Gives::Int)],
        };
        let mut writer = Writer::begin(rng, plan, &format!("{label}.code"), &params, &results, "");
        (writer.is_last, writer.calls, writer.level) = (true, 0, plan.funcs.len());
        if label == "last" {
            writer.line("ret v0");
        } else {
            let count = writer.rng.below(4);
            writer.steps(count, 1);
            writer.leave(&results);
        }
        *out += &writer.end();
        for applied_args in (0..arity).filter(|&applied_args| closure.has_code[applied_args]) {
            let params = vec![Ty::Int; 1 + arity - applied_args];
            let mut writer = Writer::begin(rng, plan, &format!("{label}.{applied_args}"), &params, &results, "");
            let mut args: Vec<usize> = (0..applied_args)
                .map(|field| writer.value(&format!("get.ref v0 ({applied_args}, 0) {field}")))
                .collect();
            args.extend(1..params.len());
            writer.line(&format!("tail_call @{label}.code({})", list(&args)));
            *out += &writer.end();
        }
    }
}

/// The members of objects, and of data.
fn members(rng: &mut Rng, plan: &Plan, out: &mut String) {
    for (number, class) in plan.classes.iter().enumerate() {
        let params = [vec![Ty::Object(number)], class.params.clone()].concat();
        for (index, object) in class.objects.iter().enumerate() {
            let name = format!("member.c{number}.{index}");
            let mut writer = Writer::begin(rng, plan, &name, &params, &class.results, "");
            (writer.is_last, writer.calls, writer.level) = (true, 0, plan.funcs.len());
            for field in 0..object.fields.len() {
                let value = writer.get(object, 0, field);
                writer.scope.push((value, object.fields[field]));
            }
            let count = writer.rng.below(4);
            writer.steps(count, 1);
            writer.leave(&class.results);
            *out += &writer.end();
        }
    }
    for (number, data) in plan.types.iter().enumerate().filter(|found| found.1.has_members) {
        for (index, constructor) in data.constructors.iter().enumerate() {
            let name = format!("member.m{number}.{index}");
            let mut writer = Writer::begin(rng, plan, &name, &[Ty::Data(number)], &[Ty::Word], "");
            (writer.is_last, writer.calls) = (true, 0);
            let mut sum = writer.word(index as i64);
            for (field, &ty) in constructor.fields.iter().enumerate() {
                let value = writer.get(constructor, 0, field);
                if let Some(word) = writer.number_of(value, ty) {
                    sum = writer.both("iadd", sum, word);
                }
            }
            writer.line(&format!("ret v{sum}"));
            *out += &writer.end();
        }
    }
}

/// Calls all functions and shows what they give.
fn main(rng: &mut Rng, plan: &Plan) -> String {
    let mut writer = Writer::begin(rng, plan, "main", &[], &[], "");
    (writer.level, writer.calls) = (plan.funcs.len(), 0);
    if !plan.is_rc() || plan.raises {
        let (node, word, real) = (writer.make(Ty::Int), writer.make(Ty::Word), writer.make(Ty::Real));
        writer.line(&format!("set_caf.ref ^g/0 v{node}"));
        writer.line(&format!("set_caf.i64 ^g/0 v{word}"));
        writer.line(&format!("set_caf.f64 ^g/1 v{real}"));
        if writer.rng.chance(50) {
            writer.line("set_caf_state ^g/0");
        }
    }
    writer.steps(2, 1);
    for (number, func) in plan.funcs.iter().enumerate() {
        // Now and then far more.
        let most = if writer.rng.chance(8) { 300 } else { 24 };
        let recurses = matches!(func.role, Role::Build(_));
        for _ in 0..1 + usize::from(recurses) {
            let args = writer.arguments(number, most);
            let results = writer.results(&func.results, &format!("call @{}({})", func.name, list(&args)));
            for (value, &ty) in results.into_iter().zip(&func.results) {
                writer.print(value, ty);
            }
            let bar = writer.word(10);
            writer.effect("print_char", &[bar]);
        }
    }
    if plan.is_rc() && plan.raises {
        // Nothing is alive at the end.
        let none = writer.value("node $_Nil");
        writer.line(&format!("set_caf.ref ^g/0 v{none}"));
    }
    writer.line("ret ");
    writer.end()
}
