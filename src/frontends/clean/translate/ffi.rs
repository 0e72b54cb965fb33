//! Translation of `ccall`, calls of C functions (`crate::ccall`).
//!
//! The arguments are taken from the stacks, nodes for the A stack and words for the B stack, each in the order of the
//! signature from the top; what is passed through lies below and stays. Results come back with the first on top. A call
//! of a function that does not exist is no error of the program: it stops the program when it is reached.

use super::function::FunctionBuilder;
use super::{Step, Symbols};
use crate::ast::Line;
use crate::ccall::{self, CallPlace, ForeignCall, PassedAs, Signature};
use crate::externs::Runtime;
use cleave_diag::{Diagnostic, code};
use cleave_ir::layout::ElementKind;
use cleave_ir::{Opcode, StaticData, Type, Value};

impl FunctionBuilder<'_, '_> {
    pub fn ccall(&mut self, line: Line<'_>) -> Step {
        let (name, text) = (line.name(0).to_vec(), line.string(1).to_vec());
        let signature = match Signature::parse(&text) {
            Ok(signature) => signature,
            Err(what) => return Err(self.wrong_signature(&text, what)),
        };
        let (nodes, nptrs) = signature.taken();
        // What is passed through is not looked for: it makes no difference, and libraries count it wrong.
        if nodes > 0 {
            self.a(nodes as u32 - 1)?;
        }
        if nptrs > 0 {
            self.b(nptrs as u32 - 1)?;
        }
        // The heap of objects in WebAssembly is their own, and so is what they give to Clean; all else is as without
        // them.
        let (has_symbols, gives_way) = match self.program.options.c_symbols {
            Symbols::None => (false, false),
            Symbols::Machine => (true, !ccall::is_own(&name)),
            Symbols::Objects(names) => {
                let defined = std::str::from_utf8(&name).is_ok_and(|name| names.contains(name));
                (defined, defined && ccall::is_allocator(&name))
            }
        };
        let libcall = ccall::find(&name, &signature).filter(|_| !gives_way);
        let place = match libcall {
            Some(_) => CallPlace::Runtime,
            None if has_symbols && signature.is_callable() && ccall::is_symbol(&name) => CallPlace::Symbol,
            None => CallPlace::Nowhere,
        };
        let call = self.note_call(&name, &text, place);
        if place == CallPlace::Symbol {
            return self.call_symbol(&call, &signature);
        }
        let Some(libcall) = libcall else {
            self.missing_function(&call);
            return Ok(());
        };
        let mut args = Vec::with_capacity(nodes + nptrs);
        self.pop_nodes(nodes as u32, &mut args)?;
        self.pop_words(nptrs as u32, &mut args)?;
        for (arg, &ty) in args.iter_mut().zip(libcall.signature().params) {
            *arg = self.as_type(*arg, ty);
        }
        let inst = self.builder().call_extern(libcall.callee(), &args);
        if libcall == Runtime::CExit {
            // Libraries say of it that it returns anything.
            self.builder().unreachable();
            self.dead();
            return Ok(());
        }
        let returned = self.results_of(inst).first().copied();
        self.push_c_results(&signature, returned, false);
        Ok(())
    }

    /// Calls a C function by its symbol: arguments one by one, in order, then the function.
    fn call_symbol(&mut self, call: &ForeignCall, signature: &Signature) -> Step {
        let (nodes, nptrs) = signature.taken();
        let (mut taken_nodes, mut taken_words) = (Vec::new(), Vec::new());
        self.pop_nodes(nodes as u32, &mut taken_nodes)?;
        self.pop_words(nptrs as u32, &mut taken_words)?;
        let (mut nodes, mut nptrs) = (taken_nodes.into_iter(), taken_words.into_iter());
        for kind in &signature.arguments {
            let next = if kind.is_node() { nodes.next() } else { nptrs.next() };
            let value = next.expect("as many as the signature has");
            let libcall = match kind {
                PassedAs::Word | PassedAs::Int => Runtime::CWord,
                PassedAs::Real => Runtime::CReal,
                PassedAs::Float => Runtime::CFloat,
                PassedAs::Data => Runtime::CData,
                PassedAs::String => Runtime::CLend,
                PassedAs::Integers | PassedAs::Reals => unreachable!("arrays of this kind are results"),
            };
            let value = self.as_type(value, libcall.signature().params[0]);
            self.builder().call_extern(libcall.callee(), &[value]);
        }
        for _ in &signature.through_pointers {
            self.builder().call_extern(Runtime::CPointer.callee(), &[]);
        }
        let symbol = self.symbol(call, Self::missing_text(call));
        let returns_real = signature.returned == Some(PassedAs::Real);
        let libcall = if returns_real { Runtime::CCallReal } else { Runtime::CCall };
        let about = format!("Run time error, C function '{}' called in module '{}' ", call.name, call.module);
        let about = self.program.ir.statics.push(StaticData::Text(about.into_bytes().into()));
        let about = self.builder().text(about);
        let inst = self.builder().call_extern(libcall.callee(), &[symbol, about]);
        let returned = self.func.result(inst);
        self.push_c_results(signature, Some(returned), true);
        Ok(())
    }

    /// `pushLc`: the address of a variable of Clean's run-time system, or of a function or variable of machine code.
    pub fn push_c_address(&mut self, name: &[u8]) {
        let call = |builder: &mut Self, libcall: Runtime, operand| {
            let inst = builder.builder().call_extern(libcall.callee(), &[operand]);
            let address = builder.func.result(inst);
            builder.push_b(address);
        };
        let what = |name| format!("the address of the native function or variable `{}`", String::from_utf8_lossy(name));
        if let Some(number) = ccall::variable(name) {
            let number = self.builder().iconst32(number as i32);
            call(self, Runtime::CVariable, number);
        } else if matches!(self.program.options.c_symbols, Symbols::Machine) && ccall::is_symbol(name) {
            let symbol = self.note_call(name, b"", CallPlace::Symbol);
            let missing = self.unavailable_text(&what(name));
            let symbol = self.symbol(&symbol, missing);
            call(self, Runtime::CAddress, symbol);
        } else {
            self.unavailable(&what(name));
        }
    }

    /// A place for the address of a symbol of machine code, with the message for a program that lacks it.
    fn symbol(&mut self, call: &ForeignCall, missing: String) -> Value {
        let symbol = StaticData::Symbol { name: call.name.as_bytes().into(), missing: missing.into_bytes().into() };
        let symbol = self.program.ir.statics.push(symbol);
        self.builder().text(symbol)
    }

    /// A Clean array of the elements at an address.
    fn c_array(&mut self, address: Value, kind: ElementKind) -> Value {
        let inst = self.builder().call_extern(Runtime::CArraySize.callee(), &[address]);
        let size = self.func.result(inst);
        let mut builder = self.builder();
        let (kind, none) = (builder.iconst32(kind as i32), builder.iconst32(0));
        let inst = builder.call_extern(Runtime::NewArray.callee(), &[kind, none, none, size]);
        let array = self.func.result(inst);
        self.builder().call_extern(Runtime::CArrayFill.callee(), &[array, address]);
        array
    }

    /// Fetches the results, then gives the arguments back; strings are made last, because that may collect and changes
    /// what C has left.
    /// A C `int` is narrow where it comes from a symbol: what is in the upper half of its word means nothing.
    fn push_c_results(&mut self, signature: &Signature, returned: Option<Value>, of_symbol: bool) {
        let mut values = Vec::new();
        if signature.returned.is_some() {
            let value = returned.unwrap_or_else(|| self.iconst(0));
            values.push(value);
        }
        for index in 0..signature.through_pointers.len() {
            let index = self.builder().iconst32(index as i32);
            let inst = self.builder().call_extern(Runtime::CResult.callee(), &[index]);
            values.push(self.func.result(inst));
        }
        let kinds: Vec<PassedAs> = signature.results().collect();
        if of_symbol && signature.taken().0 > 0 {
            self.give_back(&mut values, &kinds);
        }
        for (value, kind) in values.iter_mut().zip(&kinds) {
            match kind {
                PassedAs::String => {
                    let libcall = if of_symbol { Runtime::CSymbolString } else { Runtime::CString };
                    let inst = self.builder().call_extern(libcall.callee(), &[*value]);
                    *value = self.func.result(inst);
                }
                PassedAs::Integers => *value = self.c_array(*value, ElementKind::Int),
                PassedAs::Reals => *value = self.c_array(*value, ElementKind::Real),
                PassedAs::Real => *value = self.as_real(*value),
                PassedAs::Int if of_symbol => {
                    let low = self.op(Opcode::Wrap, &[*value]);
                    *value = self.op(Opcode::ExtendS, &[low]);
                }
                PassedAs::Word | PassedAs::Int | PassedAs::Float | PassedAs::Data => {}
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

    /// Ends what C sees of its arguments; results that lie there are copied before.
    fn give_back(&mut self, values: &mut [Value], kinds: &[PassedAs]) {
        for (value, kind) in values.iter_mut().zip(kinds).filter(|(_, kind)| kind.is_node()) {
            let is_array = self.builder().iconst32(i32::from(*kind != PassedAs::String));
            let inst = self.builder().call_extern(Runtime::CKeep.callee(), &[*value, is_array]);
            *value = self.func.result(inst);
        }
        self.builder().call_extern(Runtime::CGiveBack.callee(), &[]);
    }

    fn note_call(&mut self, name: &[u8], signature: &[u8], place: CallPlace) -> ForeignCall {
        let call = ForeignCall {
            name: String::from_utf8_lossy(name).into_owned(),
            signature: String::from_utf8_lossy(signature).into_owned(),
            module: self.module.name.clone(),
            libraries: self
                .module
                .natives
                .iter()
                .map(|need| String::from_utf8_lossy(&need.name).into_owned())
                .collect(),
            place,
        };
        self.program.foreign_calls.push(call.clone());
        call
    }

    /// Stops the program with a message that names function and library.
    fn missing_function(&mut self, call: &ForeignCall) {
        let text = Self::missing_text(call).into_bytes().into();
        let text = self.program.ir.statics.push(StaticData::Text(text));
        let mut builder = self.builder();
        let text = builder.text(text);
        builder.call_extern(Runtime::CMissing.callee(), &[text]);
        builder.unreachable();
        self.dead();
    }

    fn missing_text(call: &ForeignCall) -> String {
        let mut text = format!("Run time error, C function '{}' ", call.name);
        if ccall::is_known(call.name.as_bytes()) {
            text += &format!("with the types \"{}\" ", call.signature);
        }
        text += &format!("called in module '{}' ", call.module);
        if !call.libraries.is_empty() {
            text += &format!("(library {}) ", call.libraries.join(", "));
        }
        text + "does not exist on this target"
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
