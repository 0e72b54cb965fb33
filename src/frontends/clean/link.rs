//! Name resolution across modules: the modules of one program, and what every name in them refers to.
//!
//! A name is first what its own module defines, then what another module exports, then a libcall of the runtime.
//! Module 0 is our own `_system` (`system.abc`); the user's is not linked.

use crate::ast::{ParsedModule, Symbol};
use crate::externs::Runtime;
use crate::index::{Definition, ModuleIndex, span_of};
use crate::system;
use cleave_diag::{Diagnostic, Sink, Span, code};
use cleave_ir::Desc;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Number of a module in its program.
pub type ModuleId = u32;

/// What a name means. Definitions carry the module that they are in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    Defined(ModuleId, Definition),
    /// One of the descriptors that every program has.
    Known(Desc),
    Runtime(Runtime),
    Undefined,
}

/// All modules of a program, indexed.
pub struct Program {
    pub modules: Rc<Vec<ParsedModule>>,
    pub indexes: Rc<Vec<ModuleIndex>>,
    exports: FxHashMap<Vec<u8>, (ModuleId, Symbol)>,
    /// Per module and symbol, once asked.
    cache: Vec<Vec<Option<Meaning>>>,
}

impl Program {
    /// Links modules; the first must be our system module. Names are looked up only when they are used.
    pub fn link(modules: Vec<ParsedModule>, indexes: Vec<ModuleIndex>, sink: &mut Sink) -> Program {
        let cache = modules.iter().map(|m| vec![None; m.symbols.len()]).collect();
        let mut program =
            Program { modules: Rc::new(modules), indexes: Rc::new(indexes), exports: FxHashMap::default(), cache };
        let (modules, indexes) = (program.modules.clone(), program.indexes.clone());
        for id in 0..modules.len() {
            let (module, index) = (&modules[id], &indexes[id]);
            for (n, _) in index.exported.iter().enumerate().filter(|(_, exported)| **exported) {
                let symbol = Symbol(n as u32);
                if index.definition(symbol) == Definition::None
                    || system::known_descriptor(module.name_of(symbol)).is_some()
                {
                    continue;
                }
                let name = module.name_of(symbol).to_vec();
                if let Some(&(other, first)) = program.exports.get(&name) {
                    let text = String::from_utf8_lossy(&name).into_owned();
                    sink.report(
                        Diagnostic::error(code::EXPORTED_TWICE, format!("label `{text}` is exported by two modules"))
                            .at(program.definition_span(id as u32, symbol), "second definition")
                            .and(program.definition_span(other, first), "first definition"),
                    );
                    continue;
                }
                program.exports.insert(name, (id as ModuleId, symbol));
            }
        }
        program
    }

    pub fn module(&self, id: ModuleId) -> &ParsedModule {
        &self.modules[id as usize]
    }
    pub fn module_index(&self, id: ModuleId) -> &ModuleIndex {
        &self.indexes[id as usize]
    }

    fn definition_span(&self, id: ModuleId, symbol: Symbol) -> Span {
        let item = match self.module_index(id).definition(symbol) {
            Definition::Function(n) => self.module_index(id).functions[n as usize].item,
            Definition::Local(i) | Definition::Descriptor(i) | Definition::Caf(i) | Definition::Text(i) => i,
            Definition::None => 0,
        };
        span_of(self.module(id), item as usize)
    }

    /// The meaning of a symbol in a module.
    pub fn meaning(&mut self, id: ModuleId, symbol: Symbol) -> Meaning {
        if let Some(meaning) = self.cache[id as usize][symbol.0 as usize] {
            return meaning;
        }
        let meaning = self.look_up(id, symbol);
        self.cache[id as usize][symbol.0 as usize] = Some(meaning);
        meaning
    }

    fn look_up(&self, id: ModuleId, symbol: Symbol) -> Meaning {
        let name = self.module(id).name_of(symbol);
        // Our system module declares the known descriptors for their names; they exist already.
        if let Some(known) = system::known_descriptor(name) {
            return Meaning::Known(known);
        }
        match self.module_index(id).definition(symbol) {
            Definition::None => {}
            definition => return Meaning::Defined(id, definition),
        }
        if let Some(&(other, symbol)) = self.exports.get(name) {
            return Meaning::Defined(other, self.module_index(other).definition(symbol));
        }
        system::libcall(name).map_or(Meaning::Undefined, Meaning::Runtime)
    }

    /// The message for a name without meaning.
    pub fn undefined(&self, id: ModuleId, symbol: Symbol, span: Span) -> Diagnostic {
        let name = self.module(id).name_of(symbol);
        let text = self.module(id).text_of(symbol);
        for (other, module) in self.modules.iter().enumerate() {
            if other as ModuleId == id {
                continue;
            }
            if let Some(there) = module.symbols.find(name)
                && self.indexes[other].definition(there) != Definition::None
            {
                return Diagnostic::error(
                    code::NOT_EXPORTED,
                    format!("label `{text}` is not exported by module `{}`", module.name),
                )
                .at(span, "used here")
                .and(self.definition_span(other as ModuleId, there), "defined here")
                .help("only labels named by .export or .descexp are visible in other modules");
            }
        }
        let diagnostic = Diagnostic::error(code::UNDEFINED_LABEL, format!("undefined label `{text}`"))
            .at(span, "defined neither here nor by an imported module");
        let own = self.module_index(id).defined().map(|symbol| self.module(id).name_of(symbol));
        let mut candidates: Vec<&[u8]> = self.exports.keys().map(Vec::as_slice).chain(own).collect();
        candidates.sort_unstable();
        if let Some(reason) = system::foreign_label(name) {
            return diagnostic.help(reason);
        }
        match cleave_diag::nearest(name, candidates) {
            Some(near) => {
                diagnostic.help(format!("a label with a similar name is `{}`", String::from_utf8_lossy(near)))
            }
            None => diagnostic.help("a module may be missing: its .depend line tells the driver to load it"),
        }
    }
}
