//! What file tests ask for: passes by name, and runs of single functions in the interpreter.

use cleave_interp::{Options, Program, Session, Trap, Val, data_section_options};
use cleave_ir::data_section::{DataSectionOptions, StaticDataSection};
use cleave_ir::layout::RUNTIME_STACK_TOP;
use cleave_ir::verify::gc::check_space;
use cleave_ir::verify::verify_module;
use cleave_ir::{Module, Phase, Type};
use cleave_passes::context::Context;
use cleave_passes::{manager, roots, table};

/// Runs passes in order; the module must be correct before and after each.
pub fn passes(module: &mut Module, names: &[String]) -> Result<(), String> {
    verified(module, "before all passes")?;
    // Where the interpreter puts it: lowered code names addresses.
    let lay_out = |module: &Module| StaticDataSection::build(module, RUNTIME_STACK_TOP, DataSectionOptions::default());
    let mut context = Context { osr_loops: true, deep_recursion: true, ..Context::new(&lay_out) };
    if let Some(name) = names.iter().find(|name| name.starts_with("roots")) {
        context.roots = root_options(name)?;
    }
    for name in names {
        let word = name.split(':').next().unwrap_or_default();
        let pass = table::find(word).ok_or_else(|| format!("unknown pass `{name}`"))?;
        let is_rooting = pass.to == Phase::Rooted && pass.from != pass.to && pass.name != table::RC_INSERTION;
        let original = is_rooting.then(|| module.clone());
        manager::run(module, &[pass], &mut context, &mut ());
        for (id, original) in original.iter().flat_map(|original| &original.funcs) {
            check_space(module, original, &module.funcs[id]).map_err(|e| format!("roots: {}", e[0]))?;
        }
        verified(module, &format!("after {name}"))?;
    }
    Ok(())
}

/// `roots`, `roots:late`, `roots:late:no-hoist:no-sink`: strategy and steps that are left out.
fn root_options(name: &str) -> Result<roots::Options, String> {
    let mut options = roots::Options::default();
    let mut words = name.split(':').skip(1);
    if let Some(word) = words.next() {
        options.strategy = roots::RootStrategy::from_word(word).ok_or_else(|| format!("no strategy `{word}`"))?;
    }
    for word in words {
        let step =
            word.strip_prefix("no-").and_then(roots::LateOptions::find).ok_or_else(|| format!("no step `{word}`"))?;
        options.steps = options.steps.without(step);
    }
    Ok(options)
}

fn verified(module: &Module, when: &str) -> Result<(), String> {
    verify_module(module).map_err(|e| format!("{when}: {}", e[0]))
}

/// Runs all lines of the form `run[interp]: @f(1, 2.5, nil, "text") == result, result`. A result is the text that the
/// interpreter shows, or `trap: …` with a part of its message. An integer for a reference is boxed. With `gc-stress`
/// rooted code collects at every safepoint and reservation; a file in which that never happens tests nothing. With
/// `stack-stress` functions of low code are captured at each call.
pub fn runs(module: &Module, lines: &[String]) -> Result<(), String> {
    let mut stressed = false;
    let mut collections = 0;
    for line in lines {
        let (engines, rest) = line.strip_prefix("run[").and_then(|l| l.split_once("]: ")).ok_or("bad run line")?;
        let (call, wanted) = rest.split_once(" == ").ok_or_else(|| format!("no `==` in `{line}`"))?;
        for engine in engines.split(',').map(str::trim) {
            let (stress, deep_recursion) = match engine {
                "interp" => (None, false),
                "gc-stress" => (Some(1), false),
                "stack-stress" => (None, true),
                _ => {
                    return Err(format!(
                        "unknown engine `{engine}` in `{line}`: there are `interp`, `gc-stress` and `stack-stress`"
                    ));
                }
            };
            // In the high phase there are no roots yet.
            let stress = stress.filter(|_| module.phase() != Phase::High);
            stressed |= stress.is_some();
            let found = interpret(module, call.trim(), stress, deep_recursion, &mut collections)?;
            let wanted = wanted.trim();
            let fine = match wanted.strip_prefix("trap: ") {
                Some(part) => found.strip_prefix("trap: ").is_some_and(|message| message.contains(part)),
                None => found == wanted,
            };
            if !fine {
                return Err(format!("{engine}, phase {:?}: {call} is `{found}`, not `{wanted}`", module.phase()));
            }
        }
    }
    if stressed && collections == 0 { Err("no collection under stress".into()) } else { Ok(()) }
}

fn interpret(
    module: &Module,
    call: &str,
    stress: Option<u32>,
    force_stackless: bool,
    collections: &mut u64,
) -> Result<String, String> {
    let (name, args) = call.split_once('(').ok_or_else(|| format!("no call: `{call}`"))?;
    let name = name.trim().strip_prefix('@').ok_or("the name of a function starts with `@`")?;
    let args = args.strip_suffix(')').ok_or("the call is not closed")?;
    let func = module.funcs.values().find(|f| f.name == name).ok_or_else(|| format!("no function @{name}"))?;
    let args: Vec<&str> = args.split(',').map(str::trim).filter(|a| !a.is_empty()).collect();
    if args.len() != func.signature.params.len() {
        return Err(format!("@{name} has the signature {}", func.signature));
    }
    let options =
        Options { stress, force_stackless, heap_limit: 16 << 20, max_steps: 10_000_000, ..Options::default() };
    let program = Program::new(module, data_section_options(&options));
    let mut session = Session::new(&program, options).map_err(|t| t.to_string())?;
    let mut values = Vec::new();
    for (text, &ty) in args.iter().zip(&func.signature.params) {
        values.push(argument(&mut session, text, ty).ok_or_else(|| format!("`{text}` is no {ty}"))?);
    }
    let result = session.call(name, &values);
    *collections += session.collections();
    match result {
        Ok(results) => {
            let shown: Result<Vec<String>, Trap> = results.iter().map(|&r| session.show(r)).collect();
            shown.map(|list| list.join(", ")).map_err(|t| t.to_string())
        }
        Err(trap) => Ok(format!("trap: {trap}")),
    }
}

fn argument(session: &mut Session, text: &str, ty: Type) -> Option<Val> {
    Some(match ty {
        Type::I32 => Val::I32(text.parse().ok()?),
        Type::I64 => Val::I64(text.parse().ok()?),
        Type::F64 => Val::F64(text.parse().ok()?),
        Type::Ref if text == "nil" => session.nil(),
        Type::Ref => match text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
            Some(string) => session.string(string.as_bytes()).ok()?,
            None => session.int(text.parse().ok()?).ok()?,
        },
    })
}
