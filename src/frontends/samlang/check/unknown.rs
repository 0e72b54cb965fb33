//! What is said of a variable that is not there: by what it is in other languages, or what was perhaps meant.

use super::Checker;
use crate::built_in::BUILTINS;
use crate::hir::NodeId;
use crate::lex::Name;
use crate::parse::foreign::NEW;
use crate::program::{report, suggest};
use cleave_diag::{Diagnostic, Span, code};

/// Functions that print in other languages.
pub fn is_printer(name: &str) -> bool {
    matches!(name, "print" | "printf" | "puts" | "putStrLn" | "putStr" | "echo" | "console" | "printLine" | "writeLine")
}

impl Checker<'_> {
    /// A name that is no variable here.
    pub(super) fn unknown_variable(&mut self, name: Name, span: Span) -> NodeId {
        if self.program.unread.contains(&name) {
            return self.error_node(span);
        }
        let text = self.names.text(name);
        let class = self.program.class(self.class);
        let own = self.names.text(class.name);
        let is_member = class.by_name.get(&name).map(|&id| self.program.member(id).is_method);
        let is_field = match &class.kind {
            crate::program::ClassKind::Object(fields) => fields.iter().any(|field| field.name == name),
            _ => false,
        };
        let continued = self.body.continued.0.iter().rev().find(|place| place.end <= span.start).copied();
        if let Some(place) = continued.filter(|_| self.unborn.contains(&name)) {
            self.report(place, || {
                let help = "a `-` at the beginning of a line goes on with the line before";
                Diagnostic::error(code::SYNTAX, "`;` is missing behind the statement").at(place, "").help(help)
            });
            return self.error_node(span);
        }
        let is_built_in = self.program.class(BUILTINS).by_name.contains_key(&name);
        let is_today = self.is_today;
        let known: Vec<&str> = self.env.iter().map(|known| self.names.text(known.0)).collect();
        self.new = (text == "new").then_some(span).or(self.new);
        report(self.sink, span, || {
            let diagnostic =
                Diagnostic::error(code::UNKNOWN_VARIABLE, format!("there is no variable `{text}`")).at(span, "");
            match is_member {
                Some(true) => diagnostic.help(format!("the method of this object is `this.{text}`")),
                Some(false) => diagnostic.help(format!("the function of this class is `{own}.{text}`")),
                None if is_field => diagnostic.help(format!("the field of this object is `this.{text}`")),
                None if is_today && (is_printer(text) || text == "println") => {
                    diagnostic.help("`Process.println(…)` writes a line")
                }
                None if is_today && text == "panic" => diagnostic.help("`Process.panic(…)` ends the program"),
                None if is_today && text == "intToString" => {
                    diagnostic.help("`Str.fromInt(n)` makes a string of a number")
                }
                None if is_today && text == "stringToInt" => diagnostic.help("`text.toInt()` reads a number"),
                None if is_printer(text) => diagnostic.help("`Builtins.println(…)` writes a line"),
                None if is_built_in => diagnostic.help(format!("the function that is built in is `Builtins.{text}`")),
                None if self.unborn.contains(&name) => diagnostic.help(format!(
                    "a `val` is not known inside its own value: what calls itself is a function of a class, \
                     `function {text}(…): … = …`, called as `{own}.{text}(…)`"
                )),
                None if text == "new" => diagnostic.help(NEW),
                None if matches!(text, "null" | "nil" | "undefined") => {
                    let none = if is_today { "`Option.None()` is none" } else { "`Option.none()` is none" };
                    diagnostic.help(format!("a value that may be missing is an `Option` of `std.option`; {none}"))
                }
                None => suggest(diagnostic, text, known.into_iter()),
            }
        });
        self.error_node(span)
    }
}
