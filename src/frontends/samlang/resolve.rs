//! Types as they are written, and the function with which a program begins.

use crate::built_in::STR;
use crate::collect_items::{ItemCollector, Scope};
use crate::did_you_mean::NamePlace;
use crate::lex::Name;
use crate::program::report;
use crate::syntax::{TypeSyntax, TypeSyntaxKind};
use crate::types::{ClassId, ParamId, Ty};
use cleave_diag::{Diagnostic, Span, code, nearest};
use cleave_strict::lints::misspelt_main;

impl ItemCollector<'_> {
    /// The type that is written.
    pub fn resolve(&mut self, syntax: &TypeSyntax, scope: &Scope) -> Ty {
        self.named(syntax, scope, false)
    }

    pub fn named(&mut self, syntax: &TypeSyntax, scope: &Scope, is_bound: bool) -> Ty {
        let span = syntax.span;
        match &syntax.kind {
            TypeSyntaxKind::Unit => Ty::UNIT,
            TypeSyntaxKind::Bool => Ty::BOOL,
            TypeSyntaxKind::Int => Ty::INT,
            TypeSyntaxKind::Text => Ty::TEXT,
            TypeSyntaxKind::Tuple(parts) => {
                let parts: Vec<Ty> = parts.iter().map(|part| self.resolve(part, scope)).collect();
                self.program.tuple(&parts)
            }
            TypeSyntaxKind::Function(params, result) => {
                let params: Vec<Ty> = params.iter().map(|param| self.resolve(param, scope)).collect();
                let result = self.resolve(result, scope);
                self.program.types.function(&params, result)
            }
            TypeSyntaxKind::Named(name, args) => {
                let class = self.program.scopes[scope.module].get(name).copied();
                // While bodies are checked, the tree is not at hand, but all bounds are known.
                let params = class.map_or(&[][..], |id| &self.program.class(id).params);
                let syntax = class.and_then(|id| self.program.class_syntax(id));
                let has_bound = |at: usize| {
                    params.get(at).is_some_and(|&param| self.program.param(param).bound.is_some())
                        || syntax.is_some_and(|class| class.params.get(at).is_some_and(|param| param.bound.is_some()))
                };
                let bounds: Vec<bool> = (0..args.len()).map(has_bound).collect();
                let args = args.iter().zip(bounds);
                let args: Vec<Ty> = args.map(|(arg, has_bound)| self.argument(arg, scope, has_bound)).collect();
                // The innermost of several parameters of a name is an error already.
                if let Some(&(_, param)) = scope.params.iter().rev().find(|param| param.0 == *name) {
                    if !args.is_empty() {
                        self.type_count(span, *name, &[], args.len());
                        return Ty::ERROR;
                    }
                    return self.program.types.param(param);
                }
                let Some(&id) = self.program.scopes[scope.module].get(name) else {
                    self.unknown_class(*name, span, scope, NamePlace::Type);
                    return Ty::ERROR;
                };
                let params = self.program.class(id).params.clone();
                if params.len() != args.len() {
                    // Where a class declares no parameters, that is what is wrong, not each use.
                    if !params.is_empty() || self.program.reported.insert((span.file, *name)) {
                        self.type_count(span, *name, &params, args.len());
                    }
                    return Ty::ERROR;
                }
                if id == STR {
                    return Ty::TEXT;
                }
                if self.program.is_interface(id) && !is_bound {
                    let text = self.names.text(*name);
                    report(self.sink, span, || {
                        let message = format!("the interface `{text}` is no type of values");
                        let help = format!("a type parameter with a bound takes what has it: `<T: {text}>`");
                        Diagnostic::error(code::WRONG_FORM, message).at(span, "").help(help)
                    });
                    return Ty::ERROR;
                }
                let ty = self.program.types.class(id, &args);
                if !args.is_empty() {
                    self.applied.push((id, args, span));
                }
                ty
            }
        }
    }

    pub fn type_count(&mut self, span: Span, name: Name, params: &[ParamId], found: usize) {
        let (text, wanted) = (self.names.text(name), params.len());
        let params: Vec<&str> = params.iter().map(|&param| self.names.text(self.program.param(param).name)).collect();
        report(self.sink, span, || {
            let message = match wanted {
                0 => format!("`{text}` takes no type arguments"),
                1 => format!("`{text}` takes one type argument, not {found}"),
                _ => format!("`{text}` takes {wanted} type arguments, not {found}"),
            };
            let diagnostic = Diagnostic::error(code::TYPE_ARGUMENT_COUNT, message).at(span, "");
            let diagnostic = match found {
                0 => diagnostic.mistake(format!("no arguments of {text}")),
                _ => diagnostic,
            };
            match wanted {
                0 => diagnostic,
                _ => diagnostic.help(format!("it is declared with `<{}>`", params.join(", "))),
            }
        });
    }

    /// A function whose name is nearly `main`.
    fn near_main(&self, class: ClassId) -> Option<(Name, Span)> {
        let members = self.program.class(class).members.iter().map(|&id| self.program.member(id));
        let mut values = members.filter(|it| !it.is_method && it.types.is_empty() && it.params.is_empty());
        let near = values.find(|it| nearest(b"main", [self.names.bytes(it.name)]).is_some())?;
        Some((near.name, near.span?))
    }

    pub fn main(&mut self, (class, main): (Name, Name)) {
        let Some(module) = self.program.modules.first() else { return };
        let file = module.file;
        let found = self.program.scopes[0].get(&class).copied().filter(|&id| self.program.class(id).source.0 == 0);
        let member = found.and_then(|id| self.program.class(id).by_name.get(&main).copied());
        let method = member.filter(|&id| self.program.member(id).is_method);
        // Modules of a project need not be programs: whoever makes one of this says so.
        if found.is_none() && self.program.is_today {
            return;
        }
        // Where not all can be read, it may be there.
        if member.is_none() && self.sink.has_errors() {
            return;
        }
        let Some(member) = member.filter(|_| method.is_none()) else {
            let start = Span::new(file, 0, 0);
            let class = found.and_then(|id| self.program.class(id).span);
            let near = found.and_then(|id| self.near_main(id)).filter(|_| method.is_none());
            let near = near.map(|(name, span)| (self.names.text(name), span));
            let at = method.and_then(|id| self.program.member(id).span).or(class).unwrap_or(start);
            return report(self.sink, at, || {
                let (message, help) = match method {
                    Some(_) => ("`Main.main` is a method, which needs an object", "make it a `function`"),
                    None => {
                        ("there is no function `Main.main`", "a program is `class Main { function main(): unit = … }`")
                    }
                };
                // Of a part of a program, too, a method of this name is none of its functions.
                let why = if method.is_some() { code::MAIN_PARAMETERS } else { code::MISSING_MAIN };
                let diagnostic = Diagnostic::error(why, message);
                match near {
                    Some((near, span)) => misspelt_main(diagnostic.at(span, ""), near, "main", span),
                    None => diagnostic.at(at, "").help(help),
                }
            });
        };
        let info = self.program.member(member);
        if (!info.types.is_empty() || !info.params.is_empty())
            && let Some(span) = info.span
        {
            return report(self.sink, span, || {
                let (message, help) = match info.types.is_empty() {
                    true => ("`Main.main` has type parameters, for which nothing stands", "leave them out"),
                    false => (
                        "`Main.main` has parameters, which nobody would give it",
                        "leave them out; `System.arguments()` of `cleave.system` gives the words behind the program",
                    ),
                };
                Diagnostic::error(code::MAIN_PARAMETERS, message).at(span, "").help(help)
            });
        }
        let (result, span) = (info.result, info.span);
        self.program.main = Some(member);
        if let Some(span) = span.filter(|_| result != Ty::UNIT && !self.program.types.has_error(result)) {
            let (ty, is_today) = (self.program.show(result, self.names), self.program.is_today);
            let message = format!("nobody sees the result of `Main.main`, which is `{ty}`");
            let class = if is_today { "Process" } else { "Builtins" };
            let help = format!("a program prints with `{class}.println`; its main is `function main(): unit`");
            let diagnostic = Diagnostic::warning(code::MAIN_RESULT, message).at(span, "").help(help);
            self.program.unseen_result = Some(diagnostic);
        }
    }
}
