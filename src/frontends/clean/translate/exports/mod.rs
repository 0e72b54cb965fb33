//! Functions that others call, of programs that are libraries: for each a function in IR that takes and gives nodes, as
//! a curried call would, and the types of its data (`cleave_ir::interface`).
//!
//! `types` says how data lie in nodes, `foreign` how objects of the host do, `fits` compares a type with what the
//! labels of a function declare. The types are those of sources or of the command line, so they are claimed: values
//! are checked as they leave the program.

mod fits;
mod foreign;
mod types;

use super::ProgramBuilder;
use crate::ast::Symbol;
use crate::declarations::{Exports, Wanted};
use crate::instr::Opcode as Abc;
use crate::link::{Meaning, ModuleId};
use cleave_diag::{Diagnostic, code, nearest};
use cleave_ir::interface::{Export, InterfaceType};
use cleave_ir::{Builder, Opcode, Signature, Type, Value};
use types::{Cannot, Crossing};

impl ProgramBuilder<'_> {
    /// Makes the functions that others call.
    pub fn exports(&mut self, main: ModuleId, exports: &Exports) {
        let mut crossing = Crossing::new(self, exports);
        for wanted in &exports.functions {
            if let Err(diagnostic) = crossing.export(main, wanted) {
                crossing.builder.sink.report(*diagnostic);
            }
        }
        if let (Some(diagnostic), false) = (crossing.unused(), crossing.builder.sink.has_errors()) {
            crossing.builder.sink.report(diagnostic);
        }
        let mut interface = crossing.interface;
        interface.claimed = true;
        self.ir.interface = interface;
    }

    /// The item of the descriptor of a function of a module.
    fn function_item(&self, module: ModuleId, name: &str) -> Option<u32> {
        let parsed = self.module(module);
        let is_it = |&item: &u32| {
            let line = parsed.line(item as usize);
            let is_function = || line.label(1).is_some() && ![Symbol::HNF, Symbol::ADD_ARG].contains(&line.symbol(2));
            let is_constant = || line.n(3) == 0 && line.label(1).is_some_and(|entry| entry != Symbol::HNF);
            matches!(line.op, Abc::dot_desc | Abc::dot_descexp)
                && line.string(5) == name.as_bytes()
                && (if line.n(3) == 0 { is_constant() } else { is_function() })
        };
        self.program.module_index(module).descriptors.iter().copied().find(is_it)
    }
}

impl Crossing<'_, '_> {
    fn export(&mut self, main: ModuleId, wanted: &Wanted) -> Result<(), Box<Diagnostic>> {
        let Some(item) = self.builder.function_item(main, &wanted.name) else {
            return Err(Box::new(self.no_function(main, wanted)));
        };
        let Wanted { name, span, ty } = wanted;
        let refuse = |cannot: Cannot, whole: &str| Err(Box::new(cannot.diagnostic(name, whole, *span)));
        if ty.is_overloaded {
            let message = format!("`{name}` cannot be exported: it is overloaded");
            let help = "write a function for one type that calls it";
            return Err(Box::new(Diagnostic::error(code::CANNOT_EXPORT, message).at(*span, "").help(help)));
        }
        let mut params = Vec::with_capacity(ty.params.len());
        for (number, param) in ty.params.iter().enumerate() {
            match self.of(&param.ty) {
                Ok(id) => params.push((format!("arg{}", number + 1), id)),
                Err(cannot) => return refuse(cannot, &format!("argument {}", number + 1)),
            }
        }
        let results: Vec<InterfaceType> = match self.result(&ty.result.ty) {
            Ok(id) => Vec::from_iter(id),
            Err(cannot) => return refuse(cannot, "the result"),
        };
        self.fits(main, item, wanted)?;
        let func = self.wrapper(main, item, name);
        self.interface.exports.push(Export { name: name.clone(), func, params, results, waits: false });
        Ok(())
    }

    fn no_function(&self, main: ModuleId, wanted: &Wanted) -> Diagnostic {
        let module = self.builder.module(main);
        let message = format!("module `{}` has no function `{}` that can be exported", module.name, wanted.name);
        let diagnostic = Diagnostic::error(code::CANNOT_EXPORT, message).at(wanted.span, "");
        let index = self.builder.program.module_index(main);
        let lines = index.descriptors.iter().map(|&item| module.line(item as usize));
        let names: Vec<&[u8]> = lines.filter(|line| line.op == Abc::dot_descexp).map(|line| line.string(5)).collect();
        match nearest(wanted.name.as_bytes(), names) {
            Some(near) => diagnostic.help(format!("did you mean `{}`?", String::from_utf8_lossy(near))),
            None => diagnostic.help("the ABC file names the functions that the definition module declares"),
        }
    }

    /// A function that applies the closure to nodes; or that makes the thunk of a constant, and evaluates it.
    fn wrapper(&mut self, main: ModuleId, item: u32, name: &str) -> cleave_ir::FuncId {
        let desc = self.builder.descriptor_at(main, item);
        let arity = self.builder.ir.descs[desc].arity;
        let entry = match arity {
            0 => {
                let symbol = self.builder.module(main).line(item as usize).symbol(1);
                match self.builder.program.meaning(main, symbol) {
                    Meaning::Defined(module, crate::index::Definition::Function(index)) => {
                        self.builder.entry_of(module, index)
                    }
                    _ => None,
                }
            }
            _ => {
                self.builder.applied(desc);
                self.builder.applied_to(arity);
                None
            }
        };
        let id = self.builder.add_function(format!("export.{name}"), Signature::ptrs(arity));
        let func = &mut self.builder.ir.funcs[id];
        let block = func.new_block();
        let params: Vec<Value> = (0..arity).map(|_| func.add_param(block, Type::Ref)).collect();
        let mut b = Builder::new(func, block);
        let result = match entry {
            Some(entry) => {
                let thunk = b.build_thunk(entry, &[]);
                b.op(Opcode::Eval, &[thunk])
            }
            None if arity == 0 => b.node(desc),
            None => {
                let closure = b.node(desc);
                let args: Vec<Value> = std::iter::once(closure).chain(params).collect();
                b.apply(&args)
            }
        };
        b.ret(&[result]);
        id
    }
}
