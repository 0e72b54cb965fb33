//! The promise of `docs/trust.md` for one module: what `check` accepts and what is right under `--checked` does the
//! same everywhere; what is not stops with an error of the program and its place.
//!
//! The interpreter on the IR as it came says what is right. Here the same is asked of what was compiled, interpreted as
//! low IR; `Judged::compiled` is for engines.

use crate::differential::oracle::{self, End, HEAP, Observed, STDIN, interpret};
use crate::lowering;
use cleave::driver::pipeline::{self, Stop};
use cleave::driver::session::{Level, Options, Session as CompilerSession, Target};
use cleave::languages;
use cleave_interp::{Program, Session, Trap, data_section_options, missing_externs};
use cleave_ir::{Flags, Func, Module, Opcode, Phase, Value, demands, verify};

/// Steps before the passes, which make none slower by more than `SLACK`.
const STEPS: u64 = 300_000;
const MAX_OUTPUT: usize = 1 << 20;
const SLACK: u64 = 50;

/// What becomes of a mutant.
pub enum Judgement {
    /// The verifier has errors.
    Refused,
    /// No program, or one whose meaning the documents do not say.
    NotJudged,
    /// It takes too many steps, or too much memory.
    Endless,
    Judged(Judged),
}

/// A program that was run.
pub struct Judged {
    /// It has made a mistake that `--checked` finds.
    pub is_wrong: bool,
    /// Rooted modules, and what they must do.
    pub compiled: Vec<(Module, Observed)>,
}

/// Numbers that are addresses: they may be asked whether they are equal, and say which text is meant.
fn are_only_compared(module: &Module, func: &Func) -> bool {
    use Opcode::*;
    let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
    let mut addresses: Vec<Value> = Vec::new();
    for &inst in insts.clone() {
        if matches!(func.insts[inst].op, Header | NodeInfoAddr | ThunkInfoAddr | TextAddr | NameAddr | DescInfoAddr) {
            addresses.extend_from_slice(func.results(inst));
        }
    }
    let is_address = |value: &Value| addresses.contains(value);
    let edges = func.layout.iter().flat_map(|&block| &func.blocks[block].edges);
    !edges.flat_map(|edge| func.edge_args(edge)).any(is_address)
        && insts.clone().all(|&inst| {
            let data = &func.insts[inst];
            let args = func.args(inst);
            match data.op {
                // Only whether they are equal, not which of them is greater.
                Eq | Ne => args.iter().all(is_address) || !args.iter().any(is_address),
                CallRt => {
                    let text = demands::text_operand(&module.externs[data.external().0].name);
                    !args.iter().enumerate().any(|(number, arg)| is_address(arg) && Some(number) != text)
                }
                _ => !args.iter().any(is_address),
            }
        })
}

/// Asks what may be a thunk, in a module that does not say so: passes evaluate earlier or later.
fn sees_thunks(module: &Module, func: &Func) -> bool {
    if module.observes_identity || module.thunk_infos.is_empty() {
        return false;
    }
    let insts = || func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
    let evaluated = insts().filter(|&&inst| func.insts[inst].op.any(Flags::RESULT_EVALUATED));
    let evaluated: Vec<Value> = evaluated.flat_map(|&inst| func.results(inst)).copied().collect();
    insts().any(|&inst| match func.insts[inst].op {
        Opcode::Header => !evaluated.contains(&func.args(inst)[0]),
        op => op == Opcode::IsHnf,
    })
}

/// Programs whose meaning is said by the documents: nothing that is the front end's duty alone.
pub fn is_judged(module: &Module) -> bool {
    use Opcode::*;
    let machine_like = |op: Opcode| {
        matches!(op, RefAddr | AddrRef | Alloc | HeapFull | Collect | OpenHole | MoveHole | FillHole) || op.is_access()
    };
    let is_said = |func: &Func| {
        let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
        func.phase == Phase::High
            && !insts.clone().any(|&inst| machine_like(func.insts[inst].op))
            && are_only_compared(module, func)
            && !sees_thunks(module, func)
            && insts.clone().filter(|&&inst| func.insts[inst].op == CallRt).all(|&inst| {
                let name = &*module.externs[func.insts[inst].external().0].name;
                !matches!(name, "new_array" | "replicate" | "collect" | "check_division")
                    && !(name.starts_with("rc_") && (name.contains("element") || name.contains("exchange")))
                    && !(name.starts_with("rc_") && name.contains("word"))
            })
    };
    module.start.is_some()
        && module.entries.is_empty()
        && module.exchange.is_none()
        && !module.keeps_rc_stats
        && module.phase() == Phase::High
        && missing_externs(module).next().is_none()
        && module.funcs.values().all(is_said)
}

/// Runs a module as it came.
fn reference(module: &Module) -> Option<(Observed, Option<Trap>)> {
    let options = cleave_interp::Options {
        max_steps: STEPS,
        heap_limit: HEAP,
        max_output: MAX_OUTPUT,
        max_registers: 1 << 20,
        stdin: STDIN.to_vec(),
        ..Default::default()
    };
    let module = &*cleave_interp::expanded(module);
    let program = Program::new(module, data_section_options(&options));
    let outcome = Session::new(&program, options).ok()?.run_program();
    let end = match &outcome.trap {
        // A result that has itself as a part is printed without an end.
        _ if outcome.lost.is_some() => End::Endless,
        None => End::Status(outcome.status),
        Some(Trap::Exit(status)) => End::Status(*status),
        Some(Trap::DivideByZero) => End::DivideByZero,
        Some(Trap::IntegerOverflow) => End::Overflow,
        Some(Trap::StackOverflow | Trap::StepLimit) => End::Endless,
        Some(trap @ (Trap::Wrong(_) | Trap::Paused)) => End::Broken(trap.to_string()),
    };
    Some((Observed { stdout: outcome.stdout, stderr: outcome.stderr, end }, outcome.trap))
}

/// Compiles a module; nothing if it has something that its heap has not.
fn rooted(module: &Module, options: Options) -> Option<Module> {
    let mut session = CompilerSession::new(options);
    Some(pipeline::compile_ir(&mut session, module.clone(), Stop::Rooted, &[]).ok()?.into_ir())
}

/// Interprets what a module has become, as low IR.
fn lowered(rooted: &Module) -> Observed {
    let mut low = rooted.clone();
    let data_section = lowering::lower(&mut low, Target::Wasm, oracle::data_section_options());
    interpret(&low, Some(data_section), None, STEPS * SLACK, &mut Vec::new())
}

/// Judges a module; an error says what differs. `number` chooses the levels of optimisation.
pub fn judge(module: &Module, number: u64) -> Result<Judgement, String> {
    if verify::verify_module(module).is_err()
        || !verify::declarations::externs(module, &languages::runtime()).is_empty()
    {
        return Ok(Judgement::Refused);
    }
    if !is_judged(module) {
        return Ok(Judgement::NotJudged);
    }
    let level = |number: u64| [Level::O0, Level::O1, Level::O2][(number % 3) as usize];
    let options =
        |level, checked| Options { level, checked, verify_each: number.is_multiple_of(4), ..Options::default() };
    let Some(checked) = rooted(module, options(level(number), true)) else { return Ok(Judgement::Refused) };
    let Some((expected, trap)) = reference(module) else { return Ok(Judgement::NotJudged) };
    if expected.end == End::Endless || expected.stderr.ends_with(b"full.\n") {
        return Ok(Judgement::Endless);
    }
    let found = lowered(&checked);
    if let Some(Trap::Wrong(mistake)) = trap {
        if mistake.place.is_none() {
            return Err(format!("an error without its place: {}", mistake.message));
        }
        let said = String::from_utf8_lossy(&found.stderr);
        let is_found = said.contains("Run Time Error: ") && said.contains(" in @");
        if found.end != End::Status(255) || !is_found {
            return Err(format!("`{}` is not found under --checked: {found}", mistake.message));
        }
        return Ok(Judgement::Judged(Judged { is_wrong: true, compiled: vec![(checked, found)] }));
    }
    if found != expected {
        return Err(format!("checked, {:?}: expected {expected}\nfound {found}", level(number)));
    }
    let plain = level(number / 3);
    let unchecked = rooted(module, options(plain, false)).ok_or("refused without --checked alone")?;
    let found = lowered(&unchecked);
    if found != expected {
        return Err(format!("{plain:?}: expected {expected}\nfound {found}"));
    }
    let compiled = vec![(checked, expected.clone()), (unchecked, expected)];
    Ok(Judgement::Judged(Judged { is_wrong: false, compiled }))
}
