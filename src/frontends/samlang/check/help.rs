//! Helps that types alone suggest, and what is said of functions of a class that there are not.

use super::Checker;
use super::unknown::{is_printer, synonym};
use crate::built_in::{BUILTINS, PROCESS};
use crate::hir::NodeId;
use crate::lex::Name;
use crate::program::{self, report, suggest};
use crate::syntax::Ident;
use crate::types::{ClassId, Ty, TypeKind};
use cleave_diag::{Diagnostic, Span, code, nearest};

/// So many members are all named where there is no such one.
const FEW: usize = 4;

/// What functions that make objects are called in other languages.
const MAKERS: [&str; 6] = ["new", "create", "make", "build", "construct", "constructor"];

/// A value where an `Option` or a `Result` of it is wanted, or one of these where its value is.
pub fn wrapped(wanted: &str, found: &str) -> Option<String> {
    let inside = |ty: &'_ str, class: &str| Some(ty.strip_prefix(class)?.strip_suffix('>')?.to_string());
    if inside(wanted, "Option<").is_some_and(|inside| inside == found) {
        return Some("`Option.Some(value)` makes one of it".to_string());
    }
    if let Some(parts) = inside(wanted, "Result<") {
        if parts.strip_prefix(found).is_some_and(|rest| rest.starts_with(", ")) {
            return Some("`Result.Ok(value)` makes one of it".to_string());
        }
        if parts.strip_suffix(found).is_some_and(|rest| rest.ends_with(", ")) {
            return Some("`Result.Error(value)` makes one of it".to_string());
        }
    }
    if inside(found, "Option<").is_some_and(|inside| inside == wanted) {
        let help = "`match value { Some(x) -> x, None -> … }` takes the value out; `value.unwrap()` ends the program without one";
        return Some(help.to_string());
    }
    let is_result = inside(found, "Result<")
        .is_some_and(|parts| parts.strip_prefix(wanted).is_some_and(|rest| rest.starts_with(", ")));
    is_result.then(|| "`match value { Ok(x) -> x, Error(e) -> … }` takes the value out".to_string())
}

impl Checker<'_> {
    /// What to say of a member that values of a type do not have, if the type says it.
    pub(super) fn help_for_member(&self, ty: Ty, object: Span, member: Name) -> Option<String> {
        if !self.is_today {
            return None;
        }
        let text = self.names.text(member);
        match self.kind(ty) {
            TypeKind::Param(param) => {
                let info = self.program.param(param);
                if info.bound.is_some() {
                    return None;
                }
                let name = self.names.text(info.name);
                Some(match text {
                    "compare" => format!("a bound gives it one: `<{name}: Comparable<{name}>>`, of `std.interfaces`"),
                    _ => format!("a type parameter has the methods of its bound, an interface: `<{name}: Interface>`"),
                })
            }
            TypeKind::Function(params, _) => {
                let parts = if params.is_empty() { "" } else { "…" };
                let text = self.sources.text(object);
                let name = text.rsplit('.').next().filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric()));
                Some(match name {
                    Some(name) => format!(
                        "this is a function: `({parts})` behind it gives a value, which may have it: `{name}({parts})` calls it"
                    ),
                    None => format!("this is a function: `({parts})` behind it gives a value, which may have it"),
                })
            }
            TypeKind::Class(class, _) if text == "init" => {
                let info = self.program.class(class);
                let is_object = matches!(info.kind, program::ClassKind::Object(_));
                let name = self.names.text(info.name);
                is_object.then(|| format!("the function of the class is `{name}.init`"))
            }
            _ => None,
        }
    }

    pub(super) fn no_member(&mut self, id: ClassId, member: Ident, span: Span) -> NodeId {
        if self.program.unread.contains(&member.name) {
            return self.error_node(span);
        }
        let class = self.program.class(id);
        let (name, text) = (self.names.text(class.name), self.names.text(member.name));
        let mut known: Vec<&str> = class
            .by_name
            .iter()
            .filter(|(_, member)| {
                let member = self.program.member(**member);
                !member.is_method && (!member.is_private || id == self.class)
            })
            .map(|(&name, _)| self.names.text(name))
            .collect();
        if let program::ClassKind::Enum(variants) = &class.kind {
            known.extend(variants.iter().map(|variant| self.names.text(variant.name)));
        }
        let is_field = match &class.kind {
            program::ClassKind::Object(fields) => fields.iter().any(|field| field.name == member.name),
            _ => false,
        };
        // Who may give all fields makes objects by their function.
        let is_makeable = match &class.kind {
            program::ClassKind::Object(fields) => id == self.class || fields.iter().all(|field| !field.is_private),
            _ => false,
        };
        known.extend((is_makeable && self.program.is_of_today(id)).then_some("init"));
        known.sort_unstable();
        let made = ["init", "empty", "of"].into_iter().find(|one| MAKERS.contains(&text) && known.contains(one));
        let meant = made.or_else(|| synonym(text, &known));
        let is_variant = text.starts_with(|letter: char| letter.is_ascii_uppercase());
        let what = if is_variant { "variant" } else { "function" };
        let is_printing = (id == PROCESS || id == BUILTINS) && is_printer(text);
        let few = known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ");
        let is_few = !known.is_empty() && known.len() <= FEW;
        let is_near = nearest(text.as_bytes(), known.iter().map(|known| known.as_bytes())).is_some();
        report(self.sink, member.span, || {
            let message = format!("class `{name}` has no {what} `{text}`");
            let diagnostic = Diagnostic::error(code::UNKNOWN_MEMBER, message).at(member.span, "");
            let diagnostic = diagnostic.mistake(format!("function {name}.{text}"));
            match is_printing {
                _ if is_field => {
                    let message = format!("`{text}` is a field: it belongs to an object of class `{name}`");
                    Diagnostic { message, ..diagnostic }.help(format!("`object.{text}`"))
                }
                false if matches!(text, "out" | "err") => diagnostic.help("`Process.println(text)` prints a line"),
                false if text.starts_with("read") && id == PROCESS => {
                    diagnostic.help("`System.readLine()` of `cleave.system` reads a line")
                }
                true => diagnostic.help(format!("`{name}.println(…)` writes a line")),
                false if meant.is_some_and(|_| !is_near) => {
                    let meant = meant.unwrap_or_default();
                    let diagnostic = diagnostic.fix(format!("write `{meant}`"), vec![(member.span, meant.to_string())]);
                    match meant {
                        "init" => diagnostic.help(format!("objects are made by `{name}.init(…)`")),
                        _ => diagnostic.help(format!("did you mean `{meant}`?")),
                    }
                }
                false if is_few && !is_near => diagnostic.help(format!("`{name}` has {few}")),
                false => suggest(diagnostic, text, known.into_iter()),
            }
        });
        self.error_node(span)
    }
}
