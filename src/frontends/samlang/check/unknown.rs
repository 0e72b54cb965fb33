//! What is said of a variable that is not there: by what it is in other languages, or what was perhaps meant.

use super::Checker;
use crate::built_in::BUILTINS;
use crate::hir::NodeId;
use crate::lex::Name;
use crate::parse::foreign::NEW;
use crate::program::{report, suggest};
use crate::syntax::{Expr, ExprId};
use crate::types::{ClassId, Ty};
use cleave_diag::{Diagnostic, Span, code, nearest};

/// Functions that print in other languages.
pub fn is_printer(name: &str) -> bool {
    matches!(name, "print" | "printf" | "puts" | "putStrLn" | "putStr" | "echo" | "console" | "printLine" | "writeLine")
}

/// Methods of other languages, and what they are called here.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("iter", &["forEach", "foreach", "each"]),
    ("length", &["size", "len", "count"]),
    ("size", &["length", "len", "count"]),
    ("fold", &["reduce", "foldl", "foldLeft", "inject"]),
    ("foldRight", &["reduceRight", "foldr"]),
    ("cons", &["push", "prepend", "add", "unshift"]),
    ("push", &["add", "append"]),
    ("insert", &["put", "set", "add"]),
    ("contains", &["includes", "member", "has", "elem"]),
    ("exists", &["some", "any"]),
    ("forAll", &["every", "all"]),
    ("first", &["head"]),
    ("rest", &["tail"]),
    ("bind", &["flatMap", "concatMap", "andThen"]),
    ("append", &["concat", "extend"]),
    ("nil", &["empty"]),
    ("compare", &["compareTo", "cmp"]),
    ("join", &["concat", "intercalate", "implode"]),
    ("value", &["toInt", "toBool", "intValue", "unwrap", "get"]),
    ("Error", &["Err", "Failure", "Left"]),
    ("Ok", &["Success", "Right"]),
    ("Some", &["Just"]),
    ("None", &["Nothing", "Null"]),
];

/// What a name of other languages is called here, if that is known.
pub fn synonym(text: &str, known: &[&str]) -> Option<&'static str> {
    let is_it = |synonym: &&(&str, &[&str])| synonym.1.contains(&text) && known.contains(&synonym.0);
    SYNONYMS.iter().find(is_it).map(|synonym| synonym.0)
}

/// What to say of a field or method of other languages, of a type that has only these.
pub fn foreign_member(ty: &str, text: &str, known: &[&str]) -> Option<String> {
    let is_text = matches!(text, "toString" | "toStr" | "to_string" | "str");
    let is_length = matches!(text, "length" | "size" | "len" | "count");
    match ty {
        "int" if is_text => return Some("`Str.fromInt(n)` makes a string of a number".into()),
        "bool" if is_text => return Some("`if value { \"true\" } else { \"false\" }` makes a string of it".into()),
        "Str" if matches!(text, "concat" | "append" | "plus" | "add") => return Some("`::` joins strings".into()),
        "Str" if matches!(text, "println" | "print") => return Some("`Process.println(text)` prints a line".into()),
        "Str"
            if matches!(
                text,
                "split" | "trim" | "contains" | "startsWith" | "endsWith" | "replace" | "repeat" | "charAt"
            ) =>
        {
            return Some(format!("`Strings.{text}(text, …)` of `cleave.strings` does that"));
        }
        "Str" if matches!(text, "substring" | "substr" | "slice") => {
            return Some("`Strings.slice(text, start, end)` of `cleave.strings` is a part of it".into());
        }
        "Str" if matches!(text, "toUpperCase" | "toUpper" | "upper" | "upcase") => {
            return Some("`Strings.toUpper(text)` of `cleave.strings` does that".into());
        }
        "Str" if matches!(text, "toLowerCase" | "toLower" | "lower" | "downcase") => {
            return Some("`Strings.toLower(text)` of `cleave.strings` does that".into());
        }
        "Str" if matches!(text, "indexOf" | "find" | "index" | "search") => {
            return Some("`Strings.find(text, part, start)` of `cleave.strings` does that".into());
        }
        "Str" if matches!(text, "lines" | "words" | "padLeft" | "padRight" | "compare" | "join") => {
            return Some(format!("`Strings.{text}(text, …)` of `cleave.strings` does that"));
        }
        "List<Str>" if text == "join" => {
            return Some("`Strings.join(list, \", \")` of `cleave.strings` does that".into());
        }
        _ if matches!(text, "getOrElse" | "unwrapOr" | "orElse" | "withDefault" | "fromMaybe")
            && ty.starts_with("Option<") =>
        {
            return Some("`value.valueMap(default, (x) -> x)` is its value, or else the default".into());
        }
        "Str" if matches!(text, "parseInt" | "toInteger" | "asInt" | "parse" | "toNumber") => {
            return Some("`text.toInt()` reads a number".into());
        }
        "List<int>" if text == "sum" => return Some("`list.fold((sum, x) -> sum + x, 0)` adds them".into()),
        _ if ty.starts_with("List<") && matches!(text, "get" | "at" | "nth" | "charAt") => {
            return Some("a list is read from its beginning: `first()`, `rest()`; a `Vec` has `get(i)`".into());
        }
        "Str" if is_length => return Some("`Strings.length(text)` of `cleave.strings` counts its bytes".into()),
        _ => {}
    }
    let found = synonym(text, known).map(|name| format!("did you mean `{name}`?"));
    let is_option =
        || ty.starts_with("Option<").then(|| "`value.map((x) -> …)` looks into it, `match` too".to_string());
    found.or_else(is_option)
}

/// What to say of `Class.member` of other languages, whose class is not there.
pub fn foreign_static(class: &str, member: &str) -> Option<(String, &'static str)> {
    let help = match (class, member) {
        ("System", "out" | "err") | ("Console", "log" | "WriteLine" | "Write") => {
            "`Process.println(text)` prints a line"
        }
        ("Integer" | "Int" | "Long" | "Number", "parseInt" | "valueOf" | "parse" | "fromString" | "from") => {
            "`text.toInt()` reads a number"
        }
        ("Integer" | "Int" | "String" | "Number", "toString" | "valueOf" | "fromInt" | "from" | "of" | "format") => {
            "`Str.fromInt(n)` makes a string of a number"
        }
        ("Math", _) => "there is no such library: `if a < b { b } else { a }` is the larger of two numbers",
        _ => return None,
    };
    Some((format!("there is no `{class}.{member}`"), help))
}

impl Checker<'_> {
    /// A name that is no variable here.
    pub(super) fn unknown_variable(&mut self, name: Name, span: Span) -> NodeId {
        if self.program.unread.contains(&name) {
            return self.error_node(span);
        }
        if self.lacks_names {
            return self.error_node(span);
        }
        self.program.counts.names.push((self.member, name));
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
        let variables = self.env.iter().map(|known| self.names.bytes(known.0));
        let is_near = nearest(text.as_bytes(), variables).is_some();
        let field = self.body.exprs.iter().find_map(|(expr, _)| match expr {
            Expr::Field { object, field, .. } if self.body.span(*object) == span => Some(field.name),
            _ => None,
        });
        let meant = self.meant_class(text, field).filter(|_| !is_near);
        // It is perhaps the one whose name was taken.
        let is_unexplained = is_member.is_none() && !is_field && !is_built_in && meant.is_none() && !is_printer(text);
        if self.has_taken && !is_near && is_unexplained {
            return self.error_node(span);
        }
        let method = self.method_as_function(name, span);
        // These look around, which is not done for what nobody reads.
        let is_shown = !self.sink.is_full(span.file);
        let function = if is_shown && !is_near { self.function_of_other(name, span) } else { None };
        let scope = self.program.scopes[self.scope.module].keys();
        let has_list = text == "nil" && scope.into_iter().any(|&name| self.names.text(name) == "List");
        // With one argument too many the first one is the object.
        let own_count = class.by_name.get(&name).map(|&id| self.program.member(id).types.len() + 1);
        let is_of_other = method.is_some() && own_count == self.args_behind(span).map(<[ExprId]>::len);
        let known: Vec<&str> = self.env.iter().map(|known| self.names.text(known.0)).collect();
        self.new = (text == "new").then_some(span).or(self.new);
        let part = if is_near || !is_unexplained || !is_shown { None } else { self.part_of_tuple(name) };
        if let Some((local, _)) = part {
            self.hir.locals[local.0 as usize].ty = Ty::ERROR;
        }
        let place = self.body.root.map_or(0, |root| self.body.span(root).start);
        report(self.sink, span, || {
            let diagnostic =
                Diagnostic::error(code::UNKNOWN_VARIABLE, format!("there is no variable `{text}`")).at(span, "");
            let diagnostic = diagnostic.mistake(format!("variable {text} of {place}"));
            match is_member {
                Some(true) if is_of_other => diagnostic.help(method.unwrap_or_default()),
                Some(true) => diagnostic.help(format!("the method of this object is `this.{text}`")),
                Some(false) => diagnostic.help(format!("the function of this class is `{own}.{text}`")),
                None if is_field => {
                    let diagnostic = diagnostic.help(format!("the field of this object is `this.{text}`"));
                    diagnostic.fix(format!("write `this.{text}`"), vec![(span, format!("this.{text}"))])
                }
                None if is_today && (is_printer(text) || text == "println") => {
                    diagnostic.help("`Process.println(…)` writes a line")
                }
                None if is_today && text == "panic" => diagnostic.help("`Process.panic(…)` ends the program"),
                None if is_today && matches!(text, "intToString" | "toString" | "show" | "str") => {
                    diagnostic.help("`Str.fromInt(n)` makes a string of a number")
                }
                None if is_today && matches!(text, "stringToInt" | "parseInt" | "atoi") => {
                    diagnostic.help("`text.toInt()` reads a number")
                }
                None if is_printer(text) => diagnostic.help("`Builtins.println(…)` writes a line"),
                None if is_built_in => diagnostic.help(format!("the function that is built in is `Builtins.{text}`")),
                None if meant.is_some() => {
                    diagnostic.help(format!("did you mean the class `{}`?", meant.unwrap_or_default()))
                }
                None if method.is_some() => diagnostic.help(method.unwrap_or_default()),
                None if self.unborn.contains(&name) => diagnostic.help(format!(
                    "a variable is not known inside its own value: what calls itself is a function of a class, \
                     `function {text}(…): … = …`, called as `{own}.{text}(…)`"
                )),
                None if text == "new" => diagnostic.help(NEW),
                None if text == "not" => diagnostic.help("the other truth value is `!condition`"),
                None if matches!(text, "nil" | "empty") && has_list => diagnostic.help("an empty list is `List.nil()`"),
                None if function.is_some() => diagnostic.help(function.unwrap_or_default()),
                None if matches!(text, "null" | "nil" | "undefined") => {
                    let none = if is_today { "`Option.None()` is none" } else { "`Option.none()` is none" };
                    diagnostic.help(format!("a value that may be missing is an `Option` of `std.option`; {none}"))
                }
                None if let Some((_, help)) = part => diagnostic.help(help),
                None => suggest(diagnostic, text, known.into_iter()),
            }
        });
        self.error_node(span)
    }

    /// The class whose name is the same but for its capital letters, if it has the function that stands behind it.
    fn meant_class(&self, text: &str, member: Option<Name>) -> Option<String> {
        let (scope, member) = (&self.program.scopes[self.scope.module], member?);
        let has_it = |id: ClassId| {
            let own = self.program.class(id).by_name.get(&member);
            own.is_some_and(|&own| !self.program.member(own).is_method)
                || self.variant_number(id, member).is_some()
                || self.names.text(member) == "init"
        };
        let same = scope.iter().filter(|&(&name, &id)| self.names.text(name).eq_ignore_ascii_case(text) && has_it(id));
        same.map(|(&name, _)| self.names.text(name)).min().map(str::to_string)
    }

    /// The arguments of the call of what stands here.
    fn args_behind(&self, span: Span) -> Option<&[ExprId]> {
        self.body.exprs.iter().find_map(|(expr, _)| match expr {
            Expr::Call { callee, args } if self.body.span(*callee) == span => Some(&args[..]),
            _ => None,
        })
    }

    /// What to say of a function of another class that is called without it.
    fn function_of_other(&self, name: Name, span: Span) -> Option<String> {
        self.args_behind(span)?;
        let mut classes: Vec<_> = self.program.scopes[self.scope.module].values().copied().collect();
        classes.sort_unstable();
        let mut with_it = classes.into_iter().filter(|&id| {
            let found = self.program.class(id).by_name.get(&name).map(|&id| self.program.member(id));
            found.is_some_and(|it| !it.is_method && !it.is_private)
        });
        let (Some(class), None) = (with_it.next(), with_it.next()) else { return None };
        let (class, text) = (self.names.text(self.program.class(class).name), self.names.text(name));
        Some(format!("a function stands behind its class: `{class}.{text}(…)`"))
    }

    /// What to say of a method that is called as a function.
    fn method_as_function(&self, name: Name, span: Span) -> Option<String> {
        let args = self.args_behind(span)?;
        let mut classes: Vec<_> = self.program.scopes[self.scope.module].values().copied().collect();
        classes.sort_unstable();
        let has_it = |&id: &ClassId| {
            let method = self.program.class(id).by_name.get(&name);
            method.is_some_and(|&id| self.program.member(id).is_method && !self.program.member(id).is_private)
        };
        classes.into_iter().find(has_it)?;
        let object = match args.first().map(|&arg| self.body.expr(arg)) {
            Some(Expr::Variable(name)) => self.names.text(*name),
            Some(Expr::This) => "this",
            _ => "object",
        };
        let (text, rest) = (self.names.text(name), if args.len() > 1 { "…" } else { "" });
        Some(format!("`{text}` is a method: `{object}.{text}({rest})`"))
    }
}
