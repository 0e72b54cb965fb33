//! Functions that others call, and functions of others: which they are, and what their types look like there.

use super::mono_types::{INT_BITS, MonoType, MonoTypeKind, MonoTypes};
use crate::built_in::ARRAY;
use crate::program::{ClassInfo, ClassKind, MemberId, report, suggest};
use crate::syntax::Member;
use crate::typed_program::TypedProgram;
use crate::types::ClassId;
use cleave_diag::{Diagnostic, FileId, Sink, Span, code};
use cleave_strict::core_ir::{FunctionId, Type};
use cleave_strict::imports::ImportedClass;
use cleave_strict::interface::{Cannot, Crossing, Export, Exports, Import, Interface, Language, Origin, Shape};

/// The class whose functions are exported by their names alone.
const MAIN: &str = "Main";
/// Longer types are not shown whole.
const MOST_SHOWN: usize = 160;

/// The functions that are exported.
pub fn find(typed: &TypedProgram, exports: &Exports, main: FileId, sink: &mut Sink) -> Vec<MemberId> {
    let program = &typed.program;
    let ids = (0..program.members.len() as u32).map(MemberId);
    let of_main_module = |id: &MemberId| {
        let class = program.class(program.member(*id).class);
        class.source.0 == 0 && class.span.is_some() && !class.is_private && !program.member(*id).is_private
    };
    let is_interface = |id: &MemberId| matches!(program.class(program.member(*id).class).kind, ClassKind::Interface);
    let public: Vec<MemberId> = ids.filter(|id| of_main_module(id) && !is_interface(id)).collect();
    let names = match exports {
        Exports::None => return Vec::new(),
        Exports::Public => {
            let is_one = |id: &MemberId| !program.member(*id).is_method && name(typed, *id) != "main";
            return public.into_iter().filter(is_one).collect();
        }
        Exports::Named(names) => names,
    };
    let mut found = Vec::new();
    for wanted in names {
        let is_it = |id: &&MemberId| name(typed, **id) == *wanted || full_name(typed, **id) == *wanted;
        let diagnostic = match public.iter().find(is_it) {
            Some(&id) if !program.member(id).is_method => {
                if !found.contains(&id) {
                    found.push(id);
                }
                continue;
            }
            Some(&id) => {
                let message = format!("`{wanted}` cannot be exported: it is a method, which needs an object");
                let diagnostic = Diagnostic::error(code::CANNOT_EXPORT, message).help("write a function that calls it");
                diagnostic.at(program.member(id).span.unwrap_or(Span::new(main, 0, 0)), "")
            }
            None => {
                let message = format!("there is no public function `{wanted}` in the main module to export");
                let diagnostic = Diagnostic::error(code::CANNOT_EXPORT, message).at(Span::new(main, 0, 0), "");
                let names: Vec<String> = public.iter().map(|&id| name(typed, id)).collect();
                suggest(diagnostic, wanted, names.iter().map(String::as_str))
            }
        };
        sink.report(diagnostic);
    }
    found
}

fn full_name(typed: &TypedProgram, id: MemberId) -> String {
    typed.program.full_name(id, &typed.names)
}

fn name(typed: &TypedProgram, id: MemberId) -> String {
    let full = full_name(typed, id);
    match full.split_once('.') {
        Some((MAIN, name)) => name.to_string(),
        _ => full,
    }
}

/// The functions that come from the host: those of the classes that are named. Errors go to the sink.
pub fn imported(
    typed: &TypedProgram,
    classes: &[ImportedClass],
    main: FileId,
    sink: &mut Sink,
) -> Vec<(MemberId, Origin)> {
    let program = &typed.program;
    let mut found: Vec<(MemberId, Origin)> = Vec::new();
    for imported in classes {
        let ImportedClass { class, from, .. } = imported;
        let is_own = |info: &&ClassInfo| info.span.is_some() && !matches!(info.kind, ClassKind::Interface);
        let named = |info: &&ClassInfo| imported.is(typed.names.text(info.name));
        let Some(info) = program.classes.iter().filter(is_own).find(named) else {
            if imported.is_of_world() {
                continue;
            }
            let message = format!("there is no class `{class}` whose functions could be imported");
            let diagnostic = Diagnostic::error(code::CANNOT_IMPORT, message).at(Span::new(main, 0, 0), "");
            let names = program.classes.iter().filter(is_own).map(|info| typed.names.text(info.name));
            sink.report(suggest(diagnostic, class, names));
            continue;
        };
        let functions = info.members.iter().copied().filter(|&id| {
            let member = program.member(id);
            !member.is_method && !member.is_private && typed.bodies[id.0 as usize].is_some()
        });
        let functions = functions.filter_map(|id| {
            let wait = imported.wait(typed.names.text(program.member(id).name))?;
            Some((id, Origin { from: from.clone(), wait }))
        });
        let before = found.len();
        for function in functions {
            // What the command line says goes before what a world says.
            if found.iter().all(|known| known.0 != function.0) {
                found.push(function);
            }
        }
        if found.len() == before && !imported.is_of_world() {
            let message = format!("the class `{class}` has no public functions that could be imported");
            let span = info.span.unwrap_or(Span::new(main, 0, 0));
            sink.report(Diagnostic::error(code::CANNOT_IMPORT, message).at(span, ""));
        }
    }
    found
}

/// The types of the functions that are exported, and of those that come from the host. Errors go to the sink.
pub fn interface(
    types: &mut MonoTypes,
    typed: &TypedProgram,
    functions: &[FunctionId],
    imports: &[(MemberId, Origin, FunctionId)],
    sink: &mut Sink,
) -> Interface {
    let mut crossing = Crossing::new(types);
    for (&id, &function) in typed.exports.iter().zip(functions) {
        let export = signature(&mut crossing, typed, (id, function), name(typed, id), None, sink);
        crossing.interface.exports.extend(export);
    }
    for (id, origin, function) in imports {
        let name = typed.names.text(typed.program.member(*id).name).to_string();
        let function = signature(&mut crossing, typed, (*id, *function), name, Some(origin), sink);
        crossing.interface.imports.extend(function.map(|function| Import { function, origin: origin.clone() }));
    }
    crossing.interface
}

fn signature(
    crossing: &mut Crossing<MonoTypes>,
    typed: &TypedProgram,
    (id, function): (MemberId, FunctionId),
    name: String,
    origin: Option<&Origin>,
    sink: &mut Sink,
) -> Option<Export> {
    let is_import = origin.is_some();
    // While the program waits nothing of it can be called.
    let waits = origin.is_some_and(|origin| origin.wait);
    let info = typed.program.member(id);
    let member = syntax(typed, id)?;
    let diagnostic = if is_import { Cannot::of_import } else { Cannot::diagnostic };
    if let Some(param) = member.type_params.first() {
        let span = param.name.span;
        report(sink, span, || {
            let text = typed.names.text(param.name.name);
            let what = if is_import { "imported" } else { "exported" };
            let message = format!("`{name}` cannot be {what}: it has the type parameter `{text}`");
            let help = match is_import {
                true => "types of functions of the host are known: leave it out",
                false => "write a function that calls it, with types that others know, or make it private",
            };
            Diagnostic::error(code::CANNOT_CROSS, message).at(span, "").help(help)
        });
        return None;
    }
    let mut export = Export { name, function, params: Vec::new(), results: Vec::new() };
    for (number, (param, &ty)) in member.params.iter().zip(&info.types).enumerate() {
        let ty = crossing.language.of(&typed.program.types, ty, &[]);
        let known = param.name.map(|ident| typed.names.text(ident.name).to_string());
        let text = known.clone().unwrap_or_else(|| format!("{}", number + 1));
        match if waits { crossing.of_import(ty) } else { crossing.of(ty) } {
            Ok(ty) => export.params.push((known.unwrap_or_else(|| format!("arg{}", number + 1)), ty)),
            Err(cannot) => {
                let span = param.ty.as_ref().map_or(param.span, |ty| ty.span);
                let whole = format!("the argument `{text}`");
                report(sink, span, || diagnostic(&cannot, &export.name, &whole, span));
            }
        }
    }
    let result = crossing.language.of(&typed.program.types, info.result, &[]);
    let given = match crossing.result(result) {
        Ok(Some(_)) if waits => crossing.of_import(result).map(Some),
        other => other,
    };
    match given {
        Ok(result) => export.results.extend(result),
        Err(cannot) => {
            let span = member.result.span;
            report(sink, span, || diagnostic(&cannot, &export.name, "the result", span));
        }
    }
    Some(export)
}

fn syntax(typed: &TypedProgram, id: MemberId) -> Option<&Member> {
    let info = typed.program.member(id);
    typed.program.class_syntax(info.class)?.members.get(info.source)
}

impl MonoTypes<'_> {
    /// What a class looks like.
    fn class_shape(&mut self, mono: MonoType, class: ClassId) -> Shape<MonoType> {
        let program = self.program;
        let info = program.class(class);
        if program.tuples.contains(&class) {
            return Shape::Tuple(self.parts(mono, 0));
        }
        let name = self.written(mono);
        match &info.kind {
            ClassKind::Space => Shape::Foreign(name),
            ClassKind::Interface => Shape::Other(format!("`{name}`, which has no values")),
            ClassKind::Object(fields) => {
                let fields = fields.iter().map(|field| self.names.text(field.name).to_string());
                Shape::Record(name, fields.zip(self.parts(mono, 0)).collect())
            }
            ClassKind::Enum(variants) => {
                let variants = variants.iter().enumerate().map(|(number, variant)| {
                    (self.names.text(variant.name).to_string(), self.parts(mono, number as u32))
                });
                let cases: Vec<(String, Vec<MonoType>)> = variants.collect();
                let of_library = self.names.text(info.name);
                match &cases[..] {
                    [(none, one), (some, two)] => match (of_library, &**none, &one[..], &**some, &two[..]) {
                        ("Option", "None", [], "Some", &[value]) => Shape::Option(value),
                        ("Result", "Ok", &[good], "Error", &[bad]) => Shape::Result(good, bad),
                        _ => Shape::Variant(name, cases),
                    },
                    _ => Shape::Variant(name, cases),
                }
            }
        }
    }

    /// A type as programs write it; of a long one the beginning.
    fn written(&self, mono: MonoType) -> String {
        let mut text = String::new();
        self.write(mono, &mut text);
        text
    }

    fn write(&self, mono: MonoType, text: &mut String) {
        let list = |open: &str, parts: &[MonoType], close: &str, text: &mut String| {
            text.push_str(open);
            for (at, &part) in parts.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                self.write(part, text);
            }
            text.push_str(close);
        };
        match self.kind(mono) {
            _ if text.len() > MOST_SHOWN => text.push('…'),
            MonoTypeKind::Class(class, args) if !args.is_empty() => {
                text.push_str(self.names.text(self.program.class(*class).name));
                list("<", args, ">", text);
            }
            MonoTypeKind::Function(params, result) => {
                list("(", params, ") -> ", text);
                self.write(*result, text);
            }
            MonoTypeKind::Tuple(parts) => list("[", parts, "]", text),
            MonoTypeKind::Text if self.program.is_today => text.push_str("Str"),
            _ => text.push_str(&self.shown(mono)),
        }
    }
}

impl Language for MonoTypes<'_> {
    type Type = MonoType;

    fn shape(&mut self, mono: MonoType) -> Shape<MonoType> {
        match self.kind(mono).clone() {
            MonoTypeKind::Unit => Shape::Unit,
            MonoTypeKind::Bool => Shape::Bool,
            MonoTypeKind::Int | MonoTypeKind::TokenKind => Shape::Int,
            MonoTypeKind::Text => Shape::Text,
            MonoTypeKind::Tuple(parts) => Shape::Tuple(parts.to_vec()),
            MonoTypeKind::Class(ARRAY, _) | MonoTypeKind::Reference => Shape::Other("an array".into()),
            MonoTypeKind::Function(params, result) => Shape::Function(params.to_vec(), result),
            MonoTypeKind::Class(class, _) => self.class_shape(mono, class),
        }
    }

    fn tree_type(&mut self, mono: MonoType) -> Type {
        MonoTypes::tree_type(self, mono)
    }

    fn show(&self, mono: MonoType) -> String {
        self.written(mono)
    }

    const INT_BITS: u32 = INT_BITS;
}
