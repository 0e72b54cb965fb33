//! Every function of the corpus, at each optimisation level: the verifier after every pass, and the root checker with
//! its comparison of each rooted function with the one it was made from. One named test per program and level.

use cleave::driver::pipeline::{self, Stop};
use cleave::driver::session::{Level, Options, Session};
use cleave::languages;
use cleave_filetests::execute;
use cleave_ir::Phase;
use cleave_tests::samples::{self, Sample};
use libtest_mimic::{Arguments, Failed, Trial};

const LEVELS: [(&str, Level); 3] = [("O0", Level::O0), ("O1", Level::O1), ("O2", Level::O2)];

fn main() {
    let mut trials = Vec::new();
    for sample in samples::all() {
        for (name, level) in LEVELS {
            let test = sample.clone();
            let name = format!("{name}/{}", sample.name);
            trials.push(Trial::test(name, move || verified(&test, level).map_err(Failed::from)));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn verified(sample: &Sample, level: Level) -> Result<(), String> {
    let mut session = Session::new(Options { level, verify_each: true, ..Options::default() });
    let loaded = languages::load(&mut session, &sample.path);
    let compiled = loaded.and_then(|loaded| pipeline::compile(&mut session, loaded, Stop::High, &[]));
    let compiled = compiled.map_err(|_| {
        let messages = session.sink.diagnostics().iter().map(|diagnostic| format!("{diagnostic:?}"));
        messages.collect::<Vec<_>>().join("\n")
    })?;
    let mut module = compiled.into_ir();
    let passes = ["lower-apply", "osr-loops", "lower-eval", "gc-leaf", "roots", "lower"].map(String::from);
    execute::passes(&mut module, &passes)?;
    if module.funcs.is_empty() || module.phase() != Phase::Low {
        return Err("no function, or not all of them were lowered".into());
    }
    Ok(())
}
