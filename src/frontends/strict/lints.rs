//! What lints of strict languages say. The front ends find the places.

use cleave_diag::{Code, Diagnostic, Span, code};

/// A value that nobody looks at; `edit` is what stands instead of its name.
pub fn unused_variable(name: &str, span: Span, edit: Option<String>) -> Diagnostic {
    let diagnostic = unused(code::UNUSED_VARIABLE, "variable", name, span);
    match edit {
        Some(text) => {
            let help = format!("write `{text}` if nobody needs the value");
            diagnostic.help(help).fix("remove the unused name", vec![(span, text)])
        }
        None => diagnostic,
    }
}

/// A parameter of which nothing depends; `instead` says what to do.
pub fn unused_parameter(name: &str, span: Span, instead: &str) -> Diagnostic {
    unused(code::UNUSED_PARAMETER, "parameter", name, span).help(instead)
}

/// A test has this name: `test`, and then a new word.
pub fn is_test_name(name: &str) -> bool {
    name.strip_prefix("test").is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_lowercase()))
}

/// A function that nothing leads to; `extent` is all of it.
pub fn unused_function(what: &str, name: &str, span: Span, extent: Option<Span>) -> Diagnostic {
    let diagnostic = unused(code::UNUSED_FUNCTION, what, name, span);
    let edit = |extent| vec![(extent, String::new())];
    extent.into_iter().fold(diagnostic, |it, extent| it.draft(format!("remove the unused {what}"), edit(extent)))
}

/// Adds to the message that there is no main function the one whose name is nearly that.
pub fn misspelt_main(diagnostic: Diagnostic, name: &str, main: &str, span: Span) -> Diagnostic {
    // A draft: others may call it by the name that it has.
    let draft = vec![(span, "main".to_string())];
    diagnostic.help(format!("did you mean `{main}` by `{name}`?")).draft("call it `main`", draft)
}

/// An import that the module does not use; `extent` is what goes with it.
pub fn unused_import(name: &str, span: Span, extent: Span) -> Diagnostic {
    let diagnostic = unused(code::UNUSED_IMPORT, "import", name, span);
    diagnostic.fix("remove the unused import", vec![(extent, String::new())])
}

/// The same name imported again.
pub fn duplicate_import(name: &str, span: Span, first: Span, extent: Span) -> Diagnostic {
    let diagnostic = Diagnostic::warning(code::DUPLICATE_IMPORT, format!("`{name}` is imported twice")).at(span, "");
    diagnostic.and(first, "the first time").fix("remove the second import", vec![(extent, String::new())])
}

/// A case that is a variable with the name of another one.
pub fn misleading_shadowing(name: &str, span: Span, first: Span) -> Diagnostic {
    let message = format!("this `{name}` fits every value: it is not the `{name}` from before");
    let diagnostic = Diagnostic::warning(code::MISLEADING_SHADOWING, message).at(span, "").and(first, "that one");
    diagnostic.help("give the variable of this case another name")
}

/// `1 / 0`
pub fn division_by_zero(span: Span, result: &str) -> Diagnostic {
    Diagnostic::warning(code::DIVISION_BY_ZERO, "the divisor is always zero").at(span, "").help(result)
}

/// A comparison or a condition that always has the same result.
pub fn constant_comparison(span: Span, what: &str, result: bool) -> Diagnostic {
    let message = format!("this {what} is always {result}");
    Diagnostic::warning(code::CONSTANT_COMPARISON, message).at(span, "")
}

/// What is never evaluated.
pub fn unreachable_code(span: Span, end: Span) -> Diagnostic {
    let diagnostic = Diagnostic::warning(code::UNREACHABLE_CODE, "this is never reached").at(span, "");
    diagnostic.and(end, "here the program ends")
}

fn unused(code: Code, what: &str, name: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(code, format!("the {what} `{name}` is never used")).at(span, "")
}
