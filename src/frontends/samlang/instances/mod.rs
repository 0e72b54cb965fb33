//! From checked bodies to the typed tree: functions and types are made for the types that they are used with, beginning
//! with `Main.main`. What nothing uses is not looked at.

mod bodies;
mod closures;
mod matches;
mod monos;

use crate::checked::Checked;
use crate::hir::Hir;
use crate::lex::Name;
use crate::types::ParamId;
use crate::world::{MemberId, World, report};
use bodies::Lower;
use cleave_diag::{Diagnostic, Sink, code};
use cleave_ir::PrimaryMap;
use cleave_strict::core_ir::{Closure, ClosureId, Function, FunctionId, Program, StrId};
use closures::Wrapped;
use monos::{Mono, Monos};
use rustc_hash::FxHashMap;

/// Bits of an integer.
const INT_BITS: u32 = 32;

/// A member with what its type parameters stand for.
type Key = (MemberId, Vec<Mono>);

pub struct Instances<'i> {
    checked: &'i Checked,
    monos: Monos<'i>,
    made: FxHashMap<Key, FunctionId>,
    waiting: Vec<(FunctionId, Key)>,
    functions: PrimaryMap<FunctionId, Option<Function>>,
    closures: PrimaryMap<ClosureId, Closure>,
    wrapped: FxHashMap<Wrapped, ClosureId>,
    texts: PrimaryMap<StrId, Box<[u8]>>,
    text_numbers: FxHashMap<Box<[u8]>, StrId>,
}

/// More types inside each other, or more functions, are no program: they come from recursion at ever larger types.
const MAX_DEPTH: u32 = 100;
const MAX_FUNCTIONS: usize = 200_000;

/// The typed tree of a program.
pub fn program(name: &str, checked: &Checked, sink: &mut Sink) -> Option<Program> {
    let mut instances = Instances {
        checked,
        monos: Monos::new(&checked.world, &checked.names),
        made: FxHashMap::default(),
        waiting: Vec::new(),
        functions: PrimaryMap::new(),
        closures: PrimaryMap::new(),
        wrapped: FxHashMap::default(),
        texts: PrimaryMap::new(),
        text_numbers: FxHashMap::default(),
    };
    let main = instances.instance(checked.world.main?, &[]);
    while let Some((id, (member, args))) = instances.waiting.pop() {
        let Some(hir) = &checked.bodies[member.0 as usize] else { continue };
        let depth = args.iter().map(|&arg| instances.monos.depth(arg)).max().unwrap_or(0);
        if depth > MAX_DEPTH || instances.functions.len() > MAX_FUNCTIONS {
            let span = checked.world.member(member).span.unwrap_or(hir.nodes[0].span);
            report(sink, span, || {
                let message = "recursion at ever larger types: this is used with too many, or too large ones";
                Diagnostic::error(code::POLYMORPHIC_RECURSION, message).at(span, "")
            });
            return None;
        }
        let function = instances.function(member, &args, hir);
        instances.functions[id] = Some(function);
    }
    instances.monos.complete();
    let functions = instances.functions.into_iter().map(|(_, function)| function.expect("all functions are made"));
    Some(Program {
        name: name.to_string(),
        int_bits: INT_BITS,
        types: instances.monos.types,
        bool_type: Monos::TRUTH,
        functions: functions.collect(),
        closures: instances.closures,
        texts: instances.texts,
        main,
    })
}

impl<'i> Instances<'i> {
    fn world(&self) -> &'i World {
        &self.checked.world
    }

    /// All type parameters of a member: of its class, if it is a method, and its own.
    fn params(&self, member: MemberId) -> Vec<ParamId> {
        let info = self.world().member(member);
        let class = &self.world().class(info.class).params;
        let class = if info.is_method { &class[..] } else { &[] };
        class.iter().chain(&info.params).copied().collect()
    }

    /// The function of a member for these types.
    fn instance(&mut self, member: MemberId, args: &[Mono]) -> FunctionId {
        let params = self.params(member);
        let mut key = Vec::with_capacity(args.len());
        for (&param, &arg) in params.iter().zip(args) {
            let is_bound = self.world().param(param).bound.is_some();
            key.push(if is_bound { arg } else { self.monos.canonical(arg) });
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

    fn function(&mut self, member: MemberId, args: &[Mono], hir: &'i Hir) -> Function {
        let name = self.world().full_name(member, &self.checked.names);
        let name = self.monos.named(name, args);
        let arguments: Vec<(ParamId, Mono)> = self.params(member).into_iter().zip(args.iter().copied()).collect();
        let root = hir.root.expect("bodies have an expression");
        let span = self.world().member(member).span.unwrap_or(hir.node(root).span);
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
        self.text(self.checked.names.bytes(name))
    }

    /// A place for a function that is made now.
    fn reserve(&mut self) -> FunctionId {
        self.functions.push(None)
    }
}
