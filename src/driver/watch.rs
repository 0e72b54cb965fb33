//! What happens with the IR between passes: verification, `--print-after`, and the texts for `--emit ir:PASS`.

use crate::driver::crash;
use crate::driver::output::write_stderr;
use crate::driver::pipeline::BUILD;
use crate::driver::session::Options;
use cleave_ir::{Module, text, verify};
use cleave_passes::manager::Observer;
use cleave_passes::table::Pass;
use std::fmt::Write;

/// Watches one compilation.
pub struct Watch {
    verify: bool,
    print_after: Vec<String>,
    points: Vec<String>,
    /// The text at each point that was passed, in the order of `points`; a later visit replaces an earlier one.
    pub snapshots: Vec<(String, String)>,
}

impl Watch {
    pub fn new(options: &Options, points: &[String]) -> Watch {
        Watch {
            // Debug builds of the compiler verify unless they are measured.
            verify: options.verify_each || cfg!(debug_assertions) && !options.unverified,
            print_after: options.print_after.clone(),
            points: points.to_vec(),
            snapshots: Vec::new(),
        }
    }

    /// The module is there; no pass has run yet.
    pub fn built(&mut self, module: &Module) {
        self.look(BUILD, module);
    }

    /// The IR is at a point: before all passes, or after one.
    fn look(&mut self, pass: &str, module: &Module) {
        if self.verify {
            verify_after(pass, module);
        }
        if self.print_after.iter().any(|name| name == pass) {
            write_stderr(&format!("; after {pass}\n{}", text::print_module(module)));
        }
        self.keep(pass, module);
    }

    /// Keeps the text of the IR if this point was asked for.
    pub fn keep(&mut self, point: &str, module: &Module) {
        if !self.points.iter().any(|name| name == point) {
            return;
        }
        let snapshot = text::print_module(module);
        match self.snapshots.iter_mut().find(|kept| kept.0 == point) {
            Some(kept) => kept.1 = snapshot,
            None => self.snapshots.push((point.to_string(), snapshot)),
        }
    }
}

impl Observer for Watch {
    fn watches(&self) -> bool {
        self.verify || !self.print_after.is_empty() || self.points.iter().any(|point| !point.is_empty())
    }
    fn before(&mut self, passes: &[&'static Pass]) {
        let names: Vec<&str> = passes.iter().map(|pass| pass.name).collect();
        crash::set_stage(&format!("pass {}", names.join(", ")));
    }
    fn after(&mut self, pass: &'static Pass, module: &Module) {
        self.look(pass.name, module);
    }
}

/// Panics if the IR breaks a rule: the pass is wrong, or the front end.
fn verify_after(pass: &str, module: &Module) {
    crash::set_stage(&format!("verification after {pass}"));
    let Err(errors) = verify::verify_module(module) else { return };
    let mut message = format!("the IR is wrong after `{pass}`:");
    for error in errors.iter().take(5) {
        let _ = write!(message, "\n  {error}");
    }
    let wrong = errors.first().map(|error| error.func.as_str()).unwrap_or_default();
    if let Some(func) = module.funcs.values().find(|func| func.name == wrong) {
        let _ = write!(message, "\n\n{}", text::print_func(module, func));
    }
    panic!("{message}");
}
