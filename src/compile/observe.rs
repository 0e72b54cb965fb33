//! The trait for observers of the pipeline: printed IR, timing, statistics, and the stage in messages of panics.

use crate::options::Verify;
use cleave_ir::{Module, text, verify};
use cleave_passes::manager;
use cleave_passes::table::Pass;
use std::fmt::Write;
use std::time::Duration;

/// Something that happens.
#[derive(Clone, Copy)]
pub enum Step<'a> {
    /// These passes run next, together.
    Passes(&'a [&'static Pass]),
    /// The IR is verified, at the beginning or after the pass of this name.
    Verification(Option<&'static str>),
}

/// Looks on. Every method may be left out.
pub trait Observer {
    /// True if it wants to see the module after each pass. Otherwise passes run together, which is faster.
    fn watches(&self) -> bool {
        false
    }
    /// Something happens next.
    fn before(&mut self, _: Step) {}
    /// A pass has run; called only for an observer that watches.
    fn after(&mut self, _: &'static Pass, _: &Module) {}
    /// A list of passes has run in this time: what each has done, and what was counted.
    fn finished(&mut self, _: Duration, _: &[manager::Report], _: &[(&'static str, usize)]) {}
}

/// Does not look.
#[derive(Clone, Copy, Debug)]
pub struct Quiet;

impl Observer for Quiet {}

/// An observer between us and the passes: verifies after each if that is wanted.
pub(crate) struct Verifying<'o> {
    pub observer: &'o mut dyn Observer,
    pub verify: Verify,
}

impl manager::Observer for Verifying<'_> {
    fn watches(&self) -> bool {
        self.verify == Verify::EachPass || self.observer.watches()
    }
    fn before(&mut self, passes: &[&'static Pass]) {
        self.observer.before(Step::Passes(passes));
    }
    fn after(&mut self, pass: &'static Pass, module: &Module) {
        if self.verify == Verify::EachPass {
            self.observer.before(Step::Verification(Some(pass.name)));
            verify_after(pass.name, module);
        }
        if self.observer.watches() {
            self.observer.after(pass, module);
        }
    }
}

/// Panics if the IR breaks a rule: the pass is wrong.
fn verify_after(pass: &str, module: &Module) {
    if let Err(errors) = verify::verify_module(module) {
        panic!("{}", report(pass, module, &errors));
    }
}

/// What a panic says about wrong IR, with the function.
pub fn report(stage: &str, module: &Module, errors: &[verify::VerifyError]) -> String {
    let mut message = format!("the IR is wrong after `{stage}`:");
    for error in errors.iter().take(5) {
        let _ = write!(message, "\n  {error}");
    }
    let wrong = errors.first().map(|error| error.func.as_str()).unwrap_or_default();
    if let Some(func) = module.funcs.values().find(|func| func.name == wrong) {
        let _ = write!(message, "\n\n{}", text::print_func(module, func));
    }
    message
}
