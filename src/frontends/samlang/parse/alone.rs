//! What is said of names with a capital letter that stand alone, where only variables do.

use crate::dialect::OldForm;
use crate::lex::{Names, Token, TokenKind};
use crate::library_variants;
use crate::syntax::{Class, Form, Ident, Module};
use cleave_diag::{Diagnostic, Sink, Span, code};

/// Says that a variable begins with a small letter, unless its name is that of a variant, and nothing of its uses.
pub(super) fn capital_variable(
    variable: Ident,
    module: &mut Module,
    old: &mut Vec<(OldForm, Span)>,
    bytes: &[u8],
    names: &Names,
    sink: &mut Sink,
) {
    let text = names.text(variable.name);
    let is_known = module.classes.iter().any(|class| match &class.form {
        Form::Enum(variants) => variants.iter().any(|variant| variant.name.name == variable.name),
        _ => false,
    });
    // A module that is imported may have such a variant.
    let is_alone = module.imports.iter().all(|import| library_variants::is_module(&import.module));
    let is_use = |(form, span): &(OldForm, Span)| {
        *form == OldForm::BareVariant && bytes[span.start as usize..span.end as usize] == *text.as_bytes()
    };
    if is_known || library_variants::alone(text, &[]).is_some() || !is_alone && !old.iter().any(is_use) {
        return;
    }
    old.retain(|one| !is_use(one));
    module.unread.insert(variable.name);
    let mut words = text.split('_').filter(|word| !word.is_empty());
    let is_large = !text.contains(|letter: char| letter.is_ascii_lowercase());
    let first = words.next().unwrap_or_default();
    let small = match is_large {
        true => words.fold(first.to_ascii_lowercase(), |it, word| it + &word[..1] + &word[1..].to_ascii_lowercase()),
        false => text[..1].to_ascii_lowercase() + &text[1..],
    };
    sink.report_in(variable.span.file, || {
        let message = format!("`{text}` begins with a capital letter, as classes and variants do");
        let diagnostic = Diagnostic::error(code::SYNTAX, message).at(variable.span, "");
        diagnostic.help(format!("names of variables begin with a small letter: `let {small} = …`"))
    });
}

/// What to say of a class or a variant of this module that stands alone.
pub(super) fn of_module(classes: &[Class], text: &str, names: &Names) -> Option<(String, String)> {
    let is_it = |ident: &Ident| names.text(ident.name) == text;
    if classes.iter().any(|class| is_it(&class.name) && matches!(class.form, Form::Object(_))) {
        let message = format!("the class `{text}` is no function");
        return Some((message, format!("its objects are made by `{text}.init(…)`")));
    }
    classes.iter().find_map(|class| {
        let Form::Enum(variants) = &class.form else { return None };
        let variant = variants.iter().find(|variant| is_it(&variant.name))?;
        let (class, fields) = (names.text(class.name.name), if variant.fields.is_empty() { "" } else { "…" });
        let message = format!("the variant `{text}` stands behind its class");
        Some((message, format!("write `{class}.{text}({fields})`")))
    })
}

/// What to say of a variable of this file whose name begins with a capital letter.
pub(super) fn variable(text: &str, tokens: &[Token], names: &Names) -> Option<(String, String)> {
    let small = text[..1].to_ascii_lowercase() + &text[1..];
    let name = names.find(&small)?;
    tokens.iter().any(|token| token.kind == TokenKind::Lower(name)).then(|| {
        let help = format!("did you mean `{small}`? a variant is written `Class.{text}(…)`");
        (format!("`{text}` alone is no value"), help)
    })
}

/// What to say of a name with a capital letter that stands alone, and is no variant.
pub(super) fn foreign_name(text: &str, imports: &[&str]) -> Option<(String, String)> {
    let truth = text.to_ascii_lowercase();
    if matches!(&truth[..], "true" | "false") {
        return Some((format!("there is no `{text}`"), format!("did you mean `{truth}`?")));
    }
    let known = match text {
        "Just" => Some("`Option.Some(…)` of `std.option` holds a value"),
        "Nothing" | "Null" => Some("`Option.None()` of `std.option` holds no value; `List.nil()` is an empty list"),
        "Str" => Some("`Str.fromInt(n)` makes a string of a number"),
        "Err" | "Failure" | "Left" => Some("`Result.Error(…)` of `std.result` holds what went wrong"),
        "Right" | "Success" => Some("`Result.Ok(…)` of `std.result` holds what went well"),
        _ => None,
    };
    if let Some(help) = known.filter(|_| !imports.contains(&text)) {
        return Some((format!("there is no variant `{text}`"), help.to_string()));
    }
    if !imports.contains(&text) && text != "Vec" {
        return None;
    }
    let help = match text {
        "List" => "`List.of(2).cons(1)` makes one".to_string(),
        "Vec" => "`Vec.of(1)` or `Vec.empty<int>()` makes one".to_string(),
        "Map" | "Set" => format!("`{text}.empty()` makes one"),
        _ => format!("a function of the class is `{text}.name(…)`"),
    };
    Some((format!("the class `{text}` is no function"), help))
}
