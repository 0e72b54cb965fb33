//! From checked bodies to the typed tree: functions and types are made for the types that they are used with, beginning
//! with `Main.main` and what is exported. What nothing uses is not looked at.

mod arrays;
mod bodies;
mod closures;
mod compared;
mod decision_tree;
pub mod exports;
mod mono_types;

use crate::hir::Hir;
use crate::lex::Name;
use crate::program::{MemberId, Program, report};
use crate::typed_program::TypedProgram;
use crate::types::ParamId;
use bodies::Lower;
use cleave_diag::{Diagnostic, Sink, code};
use cleave_ir::PrimaryMap;
use cleave_strict::core_ir::{self, Closure, ClosureId, Function, FunctionId, StrId};
use cleave_strict::interface::Origin;
use closures::Wrapped;
use mono_types::{INT_BITS, MonoType, MonoTypes};
use rustc_hash::{FxHashMap, FxHashSet};

/// A member with what its type parameters stand for.
type Key = (MemberId, Vec<MonoType>);

pub struct Monomorphizer<'i> {
    typed: &'i TypedProgram,
    mono_types: MonoTypes<'i>,
    made: FxHashMap<Key, FunctionId>,
    waiting: Vec<(FunctionId, Key)>,
    functions: PrimaryMap<FunctionId, Option<Function>>,
    closures: PrimaryMap<ClosureId, Closure>,
    wrapped: FxHashMap<Wrapped, ClosureId>,
    texts: PrimaryMap<StrId, Box<[u8]>>,
    text_numbers: FxHashMap<Box<[u8]>, StrId>,
    /// Parameters whose values are compared: what they stand for counts as a whole.
    compared: FxHashSet<ParamId>,
}

/// More types inside each other, or more functions, are no program: they come from recursion at ever larger types.
const MAX_DEPTH: u32 = 100;
const MAX_FUNCTIONS: usize = 200_000;

/// The typed tree of a program.
pub fn program(name: &str, typed: &TypedProgram, sink: &mut Sink) -> Option<core_ir::Program> {
    let mut monomorphizer = Monomorphizer {
        typed,
        mono_types: MonoTypes::new(&typed.program, &typed.names),
        made: FxHashMap::default(),
        waiting: Vec::new(),
        functions: PrimaryMap::new(),
        closures: PrimaryMap::new(),
        wrapped: FxHashMap::default(),
        texts: PrimaryMap::new(),
        text_numbers: FxHashMap::default(),
        compared: compared::all(typed),
    };
    let main = typed.program.main.map(|main| monomorphizer.instance(main, &[]));
    let exports = typed.exports.iter().map(|&id| monomorphizer.instance(id, &[])).collect::<Vec<_>>();
    while let Some((id, (member, args))) = monomorphizer.waiting.pop() {
        let Some(hir) = &typed.bodies[member.0 as usize] else { continue };
        let depth = args.iter().map(|&arg| monomorphizer.mono_types.depth(arg)).max().unwrap_or(0);
        if depth > MAX_DEPTH || monomorphizer.functions.len() > MAX_FUNCTIONS {
            let span = typed.program.member(member).span.unwrap_or(hir.nodes[0].span);
            report(sink, span, || {
                let message = "recursion at ever larger types: this is used with too many, or too large ones";
                Diagnostic::error(code::POLYMORPHIC_RECURSION, message).at(span, "")
            });
            return None;
        }
        let function = monomorphizer.function(member, &args, hir);
        monomorphizer.functions[id] = Some(function);
    }
    let used = |(id, origin): &(MemberId, Origin)| {
        monomorphizer.made.get(&(*id, Vec::new())).map(|&function| (*id, origin.clone(), function))
    };
    let imports: Vec<_> = typed.imports.iter().filter_map(used).collect();
    let interface = exports::interface(&mut monomorphizer.mono_types, typed, &exports, &imports, sink);
    if sink.has_errors() {
        return None;
    }
    monomorphizer.mono_types.complete();
    let functions = monomorphizer.functions.into_iter().map(|(_, function)| {
        let function = function.expect("all functions are made");
        let is_library = typed.program.library_files.contains(&function.span.file);
        Function { is_library, ..function }
    });
    Some(core_ir::Program {
        name: name.to_string(),
        int_bits: INT_BITS,
        types: monomorphizer.mono_types.types,
        bool_type: MonoTypes::TRUTH,
        functions: functions.collect(),
        closures: monomorphizer.closures,
        texts: monomorphizer.texts,
        main,
        interface,
    })
}

impl<'i> Monomorphizer<'i> {
    fn program(&self) -> &'i Program {
        &self.typed.program
    }

    /// All type parameters of a member: of its class, if it is a method, and its own.
    fn params(&self, member: MemberId) -> Vec<ParamId> {
        let info = self.program().member(member);
        let class = &self.program().class(info.class).params;
        let class = if info.is_method { &class[..] } else { &[] };
        class.iter().chain(&info.params).copied().collect()
    }

    /// The function of a member for these types.
    fn instance(&mut self, member: MemberId, args: &[MonoType]) -> FunctionId {
        let params = self.params(member);
        let mut key = Vec::with_capacity(args.len());
        for (&param, &arg) in params.iter().zip(args) {
            let is_bound = self.program().param(param).bound.is_some() || self.compared.contains(&param);
            key.push(if is_bound { arg } else { self.mono_types.canonical(arg) });
        }
        let key = (member, key);
        if let Some(&id) = self.made.get(&key) {
            return id;
        }
        let id = self.functions.push(None);
        self.made.insert(key.clone(), id);
        self.waiting.push((id, key));
        id
    }

    fn function(&mut self, member: MemberId, args: &[MonoType], hir: &'i Hir) -> Function {
        let name = self.program().full_name(member, &self.typed.names);
        let name = self.mono_types.named(name, args);
        let arguments: Vec<(ParamId, MonoType)> = self.params(member).into_iter().zip(args.iter().copied()).collect();
        let root = hir.root.expect("bodies have an expression");
        let span = self.program().member(member).span.unwrap_or(hir.node(root).span);
        let mut lower = Lower::new(self, hir, arguments, Function::new(name, span));
        lower.params(&hir.params);
        lower.finish(root)
    }

    /// The string of a literal.
    fn text(&mut self, text: &[u8]) -> StrId {
        if let Some(&id) = self.text_numbers.get(text) {
            return id;
        }
        let id = self.texts.push(text.into());
        self.text_numbers.insert(text.into(), id);
        id
    }

    fn literal(&mut self, name: Name) -> StrId {
        self.text(self.typed.names.bytes(name))
    }

    /// A place for a function that is made now.
    fn reserve(&mut self) -> FunctionId {
        self.functions.push(None)
    }
}
