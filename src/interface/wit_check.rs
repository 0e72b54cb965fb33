//! Does a program fit a world in WIT? It exports all that the world does, of the same types, and imports nothing else.
//! What the program has is what `wit` writes, so that both are read by the same rules.

use crate::wit;
use crate::wit_read::{WitError, WitFunction, WitType, World, world};
use cleave_ir::interface::Interface;
use std::collections::BTreeMap;

/// Compares a program with a world of a text; gives all that is wrong, or what is wrong with the text.
pub fn check(name: &str, interface: &Interface, text: &str, wanted: Option<&str>) -> Result<Vec<WitError>, WitError> {
    let wanted = world(text, wanted)?;
    // It may be too large, and is text of ours otherwise.
    let own = world(&wit::world(name, interface), None).map_err(|error| WitError { at: 0, ..error })?;
    let World { exports, imports } = wanted;
    let mut wrong = Vec::new();
    for (name, function) in &exports {
        let found = match own.exports.get(name) {
            None => missing("exports", name, &own.exports),
            Some(own) => {
                different(function, own).map(|what| format!("`{name}` is another function in the program: {what}"))
            }
        };
        wrong.extend(found.map(|message| WitError { at: function.at, message }));
    }
    for (name, function) in &own.imports {
        let found = match imports.get(name) {
            None => Some((0, format!("the program imports `{name}`, and the world does not"))),
            Some(known) => different(known, function)
                .map(|what| (known.at, format!("`{name}` is another function in the program: {what}"))),
        };
        wrong.extend(found.map(|(at, message)| WitError { at, message }));
    }
    wrong.sort_by_key(|error| error.at);
    Ok(wrong)
}

/// The interfaces that a world imports, with their functions and whether these are `async`.
pub fn imports(text: &str, wanted: Option<&str>) -> Result<Vec<(String, Vec<(String, bool)>)>, WitError> {
    let mut all: BTreeMap<String, Vec<(String, bool)>> = BTreeMap::new();
    for (name, function) in world(text, wanted)?.imports {
        // What belongs to a resource has another point in its name, and no class has it.
        if let Some((interface, name)) = name.split_once('.') {
            all.entry(interface.into()).or_default().push((name.into(), function.is_async));
        }
    }
    Ok(all.into_iter().collect())
}

fn missing(does: &str, name: &str, known: &BTreeMap<String, WitFunction>) -> Option<String> {
    let known: Vec<&str> = known.keys().map(|name| &**name).collect();
    Some(format!("the program {does} no `{name}`: it has {}", known.join(", ")))
}

/// How the second function differs from the first one.
fn different(wanted: &WitFunction, own: &WitFunction) -> Option<String> {
    if wanted.is_async != own.is_async {
        return Some(if own.is_async { "it is `async`" } else { "it is not `async`" }.into());
    }
    if wanted.params.len() != own.params.len() {
        return Some(format!("it has {} instead of {}", parameters(own), parameters(wanted)));
    }
    for (at, (wanted, own)) in wanted.params.iter().zip(&own.params).enumerate() {
        if wanted.0 != own.0 {
            return Some(format!("parameter {} is called `{}`, not `{}`", at + 1, own.0, wanted.0));
        }
        if wanted.1 != own.1 {
            return Some(format!("the parameter `{}` is {}, not {}", own.0, shown(&own.1), shown(&wanted.1)));
        }
    }
    let result = |function: &WitFunction| function.result.as_ref().map_or("nothing".to_string(), shown);
    (wanted.result != own.result).then(|| format!("its result is {}, not {}", result(own), result(wanted)))
}

fn parameters(function: &WitFunction) -> String {
    let count = function.params.len();
    if count == 1 { "1 parameter".to_string() } else { format!("{count} parameters") }
}

/// Most letters of a type in a message.
const MOST_SHOWN: usize = 200;

fn shown(ty: &WitType) -> String {
    let mut text = written(ty);
    if text.len() > MOST_SHOWN {
        let end = (0..MOST_SHOWN).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
        text.truncate(end);
        text.push('…');
    }
    format!("`{text}`")
}

fn written(ty: &WitType) -> String {
    let list = |all: Vec<String>| all.join(", ");
    match ty {
        WitType::Name(name, args) if args.is_empty() => name.clone(),
        WitType::Name(name, args) => format!("{name}<{}>", list(args.iter().map(written).collect())),
        WitType::Record(fields) => {
            let fields = fields.iter().map(|(name, ty)| format!("{name}: {}", written(ty)));
            format!("record {{ {} }}", list(fields.collect()))
        }
        WitType::Variant(cases) => {
            let case = |(name, ty): &(String, Option<WitType>)| match ty {
                Some(ty) => format!("{name}({})", written(ty)),
                None => name.clone(),
            };
            format!("variant {{ {} }}", list(cases.iter().map(case).collect()))
        }
        WitType::Enum(names) => format!("enum {{ {} }}", list(names.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cleave_ir::PrimaryMap;
    use cleave_ir::interface::{Export, InterfaceKind, InterfaceTypeData, Primitive, Representation};
    use cleave_ir::{FuncId, Type};

    /// `parse: func(text: string, n: s32) -> list<point>`, with `record point { x: s32 }`.
    fn interface() -> Interface {
        let mut types = PrimaryMap::new();
        let mut ty =
            |kind| types.push(InterfaceTypeData { kind, representation: Representation::Scalar(Type::I32, 0) });
        let (string, number) = (ty(InterfaceKind::String), ty(InterfaceKind::Primitive(Primitive::S32)));
        let point = ty(InterfaceKind::Record("Point".into(), vec![("x".into(), number)]));
        let points = ty(InterfaceKind::List(point));
        let export = Export {
            name: "parse".into(),
            func: FuncId::from_u32(0),
            params: vec![("text".into(), string), ("n".into(), number)],
            results: vec![points],
            waits: false,
        };
        Interface { types, exports: vec![export], ..Interface::default() }
    }

    fn checked(text: &str) -> Vec<String> {
        match check("prog", &interface(), text, None) {
            Ok(wrong) => wrong.into_iter().map(|error| error.message).collect(),
            Err(error) => vec![format!("{}: {}", error.at, error.message)],
        }
    }

    #[test]
    fn a_program_fits_a_world() {
        let text = "package my:app@1.0.0;\n// Points.\nworld app {\n  use shapes.{place};\n  \
                    @since(version = 1.0.0)\n  export parse: func(text: string, n: s32) -> list<place>;\n}\n\
                    interface shapes { type number = s32; record dot { x: number, } use more.{dot as _dot}; \
                    type place = dot; }\ninterface more { type dot = bool; }\n";
        // `_dot` is no name.
        assert_eq!(checked(text)[0].split(": ").last(), Some("a name is expected here, not `_dot`"));
        assert_eq!(checked(&text.replace(" as _dot", " as other")), Vec::<String>::new());
        assert_eq!(checked("world w { }"), Vec::<String>::new());
    }

    #[test]
    fn what_differs_is_said() {
        let world = |line: &str| format!("world w {{ record p {{ x: s32 }}\n  export {line}; }}");
        for (line, message) in [
            ("parse: func(text: string, n: s32) -> list<p>", ""),
            ("parse: func(text: string, n: s64) -> list<p>", "the parameter `n` is `s32`, not `s64`"),
            ("parse: func(text: string) -> list<p>", "it has 2 parameters instead of 1 parameter"),
            ("parse: func(text: string, m: s32) -> list<p>", "parameter 2 is called `n`, not `m`"),
            (
                "parse: func(text: string, n: s32) -> option<p>",
                "is `list<record { x: s32 }>`, not `option<record { x: s32 }>`",
            ),
            ("parse: func(text: string, n: s32)", "its result is `list<record { x: s32 }>`, not nothing"),
            ("parse: async func(text: string, n: s32) -> list<p>", "it is not `async`"),
            ("other: func()", "the program exports no `other`: it has parse"),
            ("parse: func(text: string, n: q)", "there is no type `q`"),
            ("parse: func(text string)", "`:` is expected here, not `string`"),
            ("api", "there is no interface `api` in this file"),
        ] {
            let found = checked(&world(line)).join("\n");
            assert!(found.contains(message) && found.is_empty() == message.is_empty(), "{line}: {found}");
        }
        let large: String = (1..40).map(|n| format!("type t{n} = tuple<t{0}, t{0}>; ", n - 1)).collect();
        let large = format!("world a {{ type t0 = s32; {large} export f: func(x: t39); }}");
        for (text, message) in [
            ("interface a {}", "there is no world"),
            ("world a {} world b {}", "there are several worlds: a, b"),
            ("world a { type t = list<t>; export f: func(x: t); }", "the type `t` contains itself"),
            ("world a { include b; }", "`include` is not known here"),
            ("world a {", "not the end of the file"),
            (&large, "types are too large, written out"),
            (&format!("world a {{ type t = {}; }}", "list<".repeat(100_000)), "too many types inside of each other"),
        ] {
            let found = checked(text).join("\n");
            assert!(found.contains(message), "{found}");
        }
    }
}
