//! `ccall`: calls of C functions (`crate::ccall`).
//!
//! The arguments are taken from the stacks, nodes for the A stack and words for the B stack, each in the order of the
//! signature from the top; what is passed through lies below and stays. Results come back with the first on top. A call
//! of a function that does not exist is no error of the program: it stops the program when it is reached.

use super::Step;
use super::function::FunctionBuilder;
use crate::ast::Line;
use crate::ccall::{self, Kind, Signature};
use cleave_diag::{Diagnostic, code};
use cleave_ir::{Service, StaticData, Type, Value};

/// A C function that a program calls.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ForeignCall {
    pub name: String,
    pub signature: String,
    /// Module that calls it.
    pub module: String,
    /// Objects and libraries of machine code that the module asks for.
    pub libraries: Vec<String>,
    /// Whether the function exists here.
    pub covered: bool,
}

impl FunctionBuilder<'_, '_> {
    pub fn ccall(&mut self, line: Line<'_>) -> Step {
        let (name, text) = (line.name(0).to_vec(), line.string(1).to_vec());
        let signature = match Signature::parse(&text) {
            Ok(signature) => signature,
            Err(what) => return Err(self.wrong_signature(&text, what)),
        };
        let (nodes, words) = signature.taken();
        let (below_nodes, below_words) = (nodes + signature.passed_nodes, words + signature.passed_words);
        // What is passed through must be there.
        if below_nodes > 0 {
            self.a(below_nodes as u32 - 1)?;
        }
        if below_words > 0 {
            self.b(below_words as u32 - 1)?;
        }
        let service = ccall::find(&name, &signature);
        let call = self.note_call(&name, &text, service.is_some());
        let Some(service) = service else {
            self.missing_function(&call);
            return Ok(());
        };
        let mut args = Vec::with_capacity(nodes + words);
        self.pop_nodes(nodes as u32, &mut args)?;
        self.pop_words(words as u32, &mut args)?;
        for (arg, &ty) in args.iter_mut().zip(service.info().params) {
            *arg = self.as_type(*arg, ty);
        }
        let inst = self.builder().call_rt(service, &args);
        let returned = self.results_of(inst).first().copied();
        self.push_c_results(&signature, returned);
        Ok(())
    }

    /// Fetches the results, strings last, because making them may collect and changes what C has left.
    fn push_c_results(&mut self, signature: &Signature, returned: Option<Value>) {
        let mut values = Vec::new();
        if signature.returned.is_some() {
            let value = returned.unwrap_or_else(|| self.iconst(0));
            values.push(value);
        }
        for index in 0..signature.through_pointers.len() {
            let index = self.builder().iconst32(index as i32);
            let inst = self.builder().call_rt(Service::CResult, &[index]);
            values.push(self.func.result(inst));
        }
        let kinds: Vec<Kind> = signature.results().collect();
        for (value, kind) in values.iter_mut().zip(&kinds) {
            match kind {
                Kind::String => {
                    let inst = self.builder().call_rt(Service::CString, &[*value]);
                    *value = self.func.result(inst);
                }
                Kind::Real => *value = self.as_real(*value),
                _ => {}
            }
        }
        for value in values.into_iter().rev() {
            if self.func.values[value] == Type::Ref {
                self.push_a(value);
            } else {
                self.push_b(value);
            }
        }
    }

    fn note_call(&mut self, name: &[u8], signature: &[u8], covered: bool) -> ForeignCall {
        let call = ForeignCall {
            name: String::from_utf8_lossy(name).into_owned(),
            signature: String::from_utf8_lossy(signature).into_owned(),
            module: self.module.name.clone(),
            libraries: self.module.natives.iter().map(|n| String::from_utf8_lossy(&n.name).into_owned()).collect(),
            covered,
        };
        self.program.foreign_calls.push(call.clone());
        call
    }

    /// Stops the program with a message that names function and library.
    fn missing_function(&mut self, call: &ForeignCall) {
        let mut text = format!("Run time error, C function '{}' ", call.name);
        if ccall::is_known(call.name.as_bytes()) {
            text += &format!("with the types \"{}\" ", call.signature);
        }
        text += &format!("called in module '{}' ", call.module);
        if !call.libraries.is_empty() {
            text += &format!("(library {}) ", call.libraries.join(", "));
        }
        text += "does not exist on this target";
        let text = self.program.ir.statics.push(StaticData::Text(text.into_bytes().into()));
        let mut builder = self.builder();
        let text = builder.text(text);
        builder.call_rt(Service::CMissing, &[text]);
        builder.unreachable();
        self.dead();
    }

    fn wrong_signature(&mut self, text: &[u8], what: String) -> super::Stop {
        let shown = String::from_utf8_lossy(text).into_owned();
        self.fail(|span| {
            Diagnostic::error(code::CCALL_SIGNATURE, format!("wrong types of a C function: \"{shown}\""))
                .at(span, what)
                .help("write arguments:results, as in \"Is:I\"; a third part names what is passed through")
        })
    }
}
