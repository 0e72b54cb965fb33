//! Helps that types alone suggest, and what is said of functions of a class that there are not.

use super::Checker;
use super::behind::Behind;
use super::unknown::{foreign_member, is_printer, synonym};
use crate::built_in::{BUILTINS, PROCESS, STR};
use crate::hir::NodeId;
use crate::lex::Name;
use crate::program::{self, FEW, report, suggest, those};
use crate::syntax::{Expr, Ident};
use crate::types::{ClassId, Ty, TypeKind};
use cleave_diag::{Diagnostic, Span, code, nearest};

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
    /// A class with fields stands in a pattern, as if it were a variant.
    pub(super) fn class_as_pattern(&mut self, id: ClassId, span: Span) {
        let class = self.program.class(id);
        let text = self.names.text(class.name);
        let program::ClassKind::Object(fields) = &class.kind else { return };
        let fields: Vec<&str> = fields.iter().map(|field| self.names.text(field.name)).collect();
        let fields = fields.join(", ");
        self.report(span, || {
            let message = format!("the class `{text}` has fields, and no variants");
            let diagnostic = Diagnostic::error(code::INVALID_PATTERN, message).at(span, "");
            diagnostic.help(format!("a pattern names its fields, without the class: `let {{ {fields} }} = …`"))
        });
    }

    /// What to say of `this.name` in a function, if `name` is one, too.
    pub(super) fn function_behind_this(&self, span: Span) -> Option<String> {
        let named = self.body.exprs.iter().find_map(|(expr, _)| match expr {
            Expr::Field { object, field, .. } if self.body.span(*object) == span => Some(field.name),
            _ => None,
        });
        let class = self.program.class(self.class);
        let name =
            named.filter(|name| class.by_name.get(name).is_some_and(|&id| !self.program.member(id).is_method))?;
        let (own, text) = (self.names.text(class.name), self.names.text(name));
        Some(format!("the function of the class is `{own}.{text}`"))
    }

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
                let interface = if self.sink.is_full(object.file) { None } else { self.interface_with(member) };
                Some(match text {
                    "compare" => format!("a bound gives it one: `<{name}: Comparable<{name}>>`, of `std.interfaces`"),
                    _ if let Some(interface) = interface => {
                        format!("a bound gives it one: `<{name}: {interface}>`")
                    }
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
            TypeKind::Int | TypeKind::Bool | TypeKind::Text if matches!(text, "value" | "unwrap" | "get") => {
                Some(format!("this is the value itself: leave out `.{text}`"))
            }
            TypeKind::Int | TypeKind::Bool
                if foreign_member(if self.outside(ty) == Ty::INT { "int" } else { "bool" }, text, &[]).is_none() =>
            {
                let help = if self.outside(ty) == Ty::INT { "an `int`" } else { "a `bool`" };
                Some(format!("{help} has no fields and no methods: operators work on it, and functions of classes"))
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

    /// What an object has that is of the basic type which is wanted of it: a field, or a method without parameters.
    pub(super) fn giver(&mut self, found: Ty, wanted: Ty) -> Option<String> {
        let TypeKind::Class(id, _) = self.kind(found) else { return None };
        let wanted = self.outside(wanted);
        if !matches!(wanted, Ty::INT | Ty::BOOL | Ty::TEXT) {
            return None;
        }
        let class = self.program.class(id);
        let is_seen = |is_private: bool| !is_private || id == self.class;
        let fields: &[program::FieldInfo] =
            if let program::ClassKind::Object(fields) = &class.kind { fields } else { &[] };
        let fields = fields.iter().filter(|field| field.ty == wanted && is_seen(field.is_private));
        let mut givers: Vec<String> = fields.map(|field| format!("`.{}`", self.names.text(field.name))).collect();
        let methods = class.members.iter().map(|&id| self.program.member(id));
        let methods = methods.filter(|it| it.is_method && it.types.is_empty() && it.params.is_empty());
        let methods = methods.filter(|it| it.result == wanted && is_seen(it.is_private));
        givers.extend(methods.map(|method| format!("`.{}()`", self.names.text(method.name))));
        let wanted = self.show(wanted);
        (1..=FEW).contains(&givers.len()).then(|| format!("{} of it is `{wanted}`", givers.join(" or ")))
    }

    /// The interface without parameters that has a method of this name, if there is one.
    fn interface_with(&self, method: Name) -> Option<&str> {
        let in_scope = self.program.scopes[self.scope.module].values().map(|&id| self.program.class(id));
        let mut found = in_scope.filter(|class| {
            let is_interface = matches!(class.kind, program::ClassKind::Interface) && class.params.is_empty();
            is_interface && class.by_name.contains_key(&method)
        });
        let (Some(class), None) = (found.next(), found.next()) else { return None };
        Some(self.names.text(class.name))
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
        let is_interface = matches!(class.kind, program::ClassKind::Interface);
        let lacks_fields = text == "init" && matches!(class.kind, program::ClassKind::Space);
        let is_variant = text.starts_with(|letter: char| letter.is_ascii_uppercase());
        let what = if is_variant { "variant" } else { "function" };
        let is_printing = (id == PROCESS || id == BUILTINS) && is_printer(text);
        let is_near = nearest(text.as_bytes(), known.iter().map(|known| known.as_bytes())).is_some();
        let is_twice = self.program.twice.contains(&id);
        // Fields that were written as members are not known.
        let is_whole = !(text == "init" && self.program.half_read.contains(&id));
        if is_twice || !is_whole || self.program.nameless.contains(&Some(class.name)) && !is_near {
            return self.error_node(span);
        }
        report(self.sink, member.span, || {
            let message = format!("class `{name}` has no {what} `{text}`");
            let diagnostic = Diagnostic::error(code::UNKNOWN_MEMBER, message).at(member.span, "");
            let diagnostic = diagnostic.mistake(match lacks_fields {
                true => format!("fields of {name}"),
                false => format!("{what} {name}.{text}"),
            });
            if is_interface {
                let message = format!("`{name}` is an interface, which has no functions and no objects of its own");
                return Diagnostic { message, ..diagnostic }.help("a class that has the interface makes objects");
            }
            match is_printing {
                _ if lacks_fields && !is_near => {
                    let help = format!(
                        "objects have fields, behind the name of the class: `class {name}(val x: int) {{ … }}`"
                    );
                    diagnostic.help(help)
                }
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
                false if id == STR && foreign_member("Str", text, &[]).is_some() => {
                    foreign_member("Str", text, &[]).into_iter().fold(diagnostic, Diagnostic::help)
                }
                false if !is_near => those(diagnostic, &format!("`{name}` has"), &known),
                false => suggest(diagnostic, text, known.into_iter()),
            }
        });
        self.error_node(span)
    }

    /// What stands here is called.
    fn is_callee(&self, span: Span) -> bool {
        let calls =
            |(expr, _): &(Expr, Span)| matches!(expr, Expr::Call { callee, .. } if self.body.span(*callee) == span);
        self.body.exprs.iter().any(calls)
    }

    /// Says that values of a type have no such field or method.
    pub(super) fn no_field(&mut self, object: NodeId, ty: Ty, field: Ident, span: Span) -> NodeId {
        if self.program.unread.contains(&field.name) || self.method_over_field(Some(object), Ty::UNIT) {
            return self.error_node(span);
        }
        if let TypeKind::Class(class, _) = self.program.types.kind(ty)
            && let Some(member) = self.program.class(*class).by_name.get(&field.name)
            && self.program.misplaced.contains(member)
        {
            return self.error_node(span);
        }
        if let TypeKind::Class(class, _) = *self.program.types.kind(ty) {
            self.program.counts.fields.push((class, field.name));
        }
        let special = self.help_for_member(ty, self.hir.node(object).span, field.name);
        let is_shown = !self.sink.is_full(field.span.file);
        let nothing = is_shown.then(|| self.variable_of_nothing(object)).flatten();
        let messages = self.sink.diagnostics().len();
        let bound = is_shown.then(|| self.bind_for_member(object, field.name)).flatten();
        let exchanged = is_shown.then(|| self.exchanged_receiver(object, field.name, span)).flatten();
        let (receiver, sources) = (self.hir.node(object).span, self.sources);
        let (text, shown) = (self.names.text(field.name), self.show(ty));
        let mut known: Vec<&str> = Vec::new();
        let mut is_function = None;
        if let TypeKind::Class(class, _) = self.program.types.kind(ty) {
            let info = self.program.class(*class);
            if let Some(&member) = info.by_name.get(&field.name) {
                is_function = (!self.program.member(member).is_method).then(|| self.names.text(info.name));
            }
            let is_own = *class == self.class;
            let members = info.by_name.iter().map(|(name, &id)| (name, self.program.member(id)));
            let methods = members.filter(|(_, member)| member.is_method && (is_own || !member.is_private));
            known.extend(methods.map(|(name, _)| self.names.text(*name)));
            if let program::ClassKind::Object(fields) = &info.kind {
                let fields = fields.iter().filter(|field| is_own || !field.is_private);
                known.extend(fields.map(|field| self.names.text(field.name)));
            }
        }
        let is_param = matches!(self.program.types.kind(ty), TypeKind::Param(_));
        if is_param {
            for place in self.program.interfaces(ty) {
                let TypeKind::Class(class, _) = *self.program.types.kind(place) else { continue };
                known.extend(self.program.class(class).by_name.keys().map(|&name| self.names.text(name)));
            }
        }
        let unbound = match *self.program.types.kind(ty) {
            TypeKind::Param(param) if known.is_empty() => Some(param),
            _ => None,
        };
        known.sort_unstable();
        let is_near = nearest(text.as_bytes(), known.iter().map(|known| known.as_bytes())).is_some();
        if let TypeKind::Class(class, _) = self.program.types.kind(ty)
            && (is_function.is_none() && self.program.twice.contains(class)
                || self.program.nameless.contains(&Some(self.program.class(*class).name)) && !is_near)
        {
            return self.error_node(span);
        }
        // A field of a class that has none, as its objects are not there either.
        let without_fields = match *self.program.types.kind(ty) {
            TypeKind::Class(class, _) if is_shown && !is_near && !self.is_callee(span) => {
                let info = self.program.class(class);
                matches!(info.kind, program::ClassKind::Space).then(|| self.names.text(info.name))
            }
            _ => None,
        };
        let (is_tuple, is_today) = (self.tuple_parts(ty).is_some() && !self.is_today, self.is_today);
        report(self.sink, field.span, || {
            let message = format!("`{shown}` has no field or method `{text}`");
            let diagnostic = Diagnostic::error(code::UNKNOWN_MEMBER, message).at(field.span, "");
            let diagnostic = diagnostic.mistake(match unbound {
                _ if let Some(class) = without_fields => format!("fields of {class}"),
                Some(param) => format!("bound of {shown}, parameter {}", param.0),
                None => format!("member {shown}.{text}"),
            });
            match is_function {
                _ if exchanged.is_some() => exchanged.into_iter().fold(diagnostic, |it, (place, ty)| {
                    let (one, other) = (sources.text(place), sources.text(receiver));
                    let it = it.and(place, format!("this is `{ty}`, which has it"));
                    let it = it.help(format!("they stand in each other's place: `{one}.{text}({other})`"));
                    it.fix("exchange them", sources.exchange(receiver, place))
                }),
                _ if bound.is_some() => bound.into_iter().fold(diagnostic, |it, Behind { place, help }| {
                    place.into_iter().fold(it, |it, (place, label)| it.and(place, label)).help(help)
                }),
                _ if nothing.is_some() => nothing
                    .into_iter()
                    .fold(diagnostic, |it, (place, help)| it.and(place, "it is `unit` by this").help(help)),
                _ if special.is_some() => special.into_iter().fold(diagnostic, Diagnostic::help),
                _ if is_tuple => {
                    diagnostic.help("brackets make a tuple, which `val [a, b] = …` takes apart; `List.of` makes a list")
                }
                Some(class) => diagnostic.help(format!("the function of the class is `{class}.{text}`")),
                None => {
                    let foreign = foreign_member(&shown, text, &known).filter(|_| is_today && !is_near);
                    match foreign {
                        Some(help) => diagnostic.help(help),
                        None if is_near || !is_today => suggest(diagnostic, text, known.into_iter()),
                        None => those(diagnostic, "it has", &known),
                    }
                }
            }
        });
        self.exchanged_names(object, super::behind::Wanted::Member(field.name), messages);
        self.error_node(span)
    }
}
