//! Bindings for JavaScript whose program runs in a Worker: all functions give promises.
//!
//! ```text
//! lib.mjs ── name, arguments ─▶ lib.worker.mjs: the functions as without a Worker (`javascript`)
//!         ◀── value, or error ──
//! ```
//! Arguments and results are copied from thread to thread. So what is a reference there, a function or an object of the
//! host, cannot be among them.

use crate::javascript::{Library, exported_name, function_names, quoted, url};
use crate::names::Taken;
use crate::resources;
use cleave_ir::interface::{Interface, InterfaceType};
use std::fmt::Write;

const FRONT: &str = include_str!("js/worker.mjs");
const SIDE: &str = include_str!("js/worker_side.mjs");

/// The name of the first function that takes or gives what stays in its thread.
pub fn stays_in_thread(interface: &Interface) -> Option<&str> {
    let stays = |ty: InterfaceType| {
        let mut inside = vec![ty];
        while let Some(ty) = inside.pop() {
            if resources::is_resource(interface, ty) {
                return true;
            }
            inside.extend(resources::parts(&interface.types[ty].kind));
        }
        false
    };
    let used = |export: &&cleave_ir::interface::Export| {
        export.params.iter().map(|param| param.1).chain(export.results.iter().copied()).any(stays)
    };
    interface.exports.iter().find(used).map(|export| &*export.name)
}

impl Library<'_> {
    /// The module that others import; `worker` is the file of the other one.
    pub fn front(&self, worker: &str) -> String {
        let one_line = self.wasm.replace(char::is_control, "_");
        let mut out = FRONT.replace("{{WASM}}", &one_line).replace("{{WORKER}}", &url(worker));
        let names = function_names(self.interface);
        for (export, name) in self.interface.exports.iter().zip(&names) {
            let _ = writeln!(out, "const {name} = (...args) => call({}, args);", quoted(&export.name));
        }
        let _ = write!(out, "export {{ end as {},", self.end_name());
        for (export, name) in self.interface.exports.iter().zip(names) {
            let _ = write!(out, " {name} as {},", exported_name(export));
        }
        out + " };\n"
    }

    /// The module that runs in the Worker.
    pub fn worker(&self) -> String {
        let mut out = self.module() + "\nconst functions = {";
        for (export, name) in self.interface.exports.iter().zip(function_names(self.interface)) {
            let _ = write!(out, " {}: {name},", quoted(&export.name));
        }
        out + " };\n" + SIDE
    }

    /// What ends the Worker, as others import it.
    pub(crate) fn end_name(&self) -> String {
        let mut taken = Taken::default();
        self.interface.exports.iter().for_each(|export| _ = taken.unique(exported_name(export)));
        taken.unique("terminate".into())
    }
}
