//! Bindings for JavaScript: an ES module with a function for each export, and its declarations for TypeScript.
//!
//! The module is a template (`js/library.mjs`), which knows how each kind of type is passed, then the types of the
//! program, with sizes and offsets (`layout`), then its functions. Names are those of the program.

use crate::layout::{Flat, Layout, Layouts, MAX_FLAT_PARAMS};
use crate::names::Taken;
use crate::{callbacks, foreign, handles, javascript_imports as imported, javascript_waiting as waiting};
use cleave_ir::EntityRef;
use cleave_ir::interface::{Case, Export, Interface, InterfaceKind, InterfaceType, Primitive};
use std::fmt::Write;

const TEMPLATE: &str = include_str!("js/library.mjs");

/// Words that no function can be called by, besides the names of the template.
pub(crate) const RESERVED: &str = " arguments await break case catch class const continue debugger default delete do else enum \
     eval export extends false finally for function if implements import in instanceof interface let new null package private \
     protected public return static super switch this throw true try typeof var void while with yield ";

/// The instance is there before the first call, which somebody waits for. What fails now fails again then, and is said.
const BEGIN: &str = "
try {
  begin();
} catch {
  exports = undefined;
}
";

/// What the bindings of a program need to know.
#[derive(Clone, Copy, Debug)]
pub struct Library<'l> {
    /// The file name of the `.wasm`, in the same folder.
    pub wasm: &'l str,
    /// What it exports.
    pub interface: &'l Interface,
    /// Nothing of the runtime is in it: functions are called as they are.
    pub is_bare: bool,
}

impl Library<'_> {
    /// The ES module.
    pub fn module(&self) -> String {
        if self.is_bare {
            return self.bare();
        }
        let layouts = Layouts::of(self.interface);
        let one_line = self.wasm.replace(char::is_control, "_");
        let mut out = String::new();
        for id in self.interface.types.keys() {
            let _ = writeln!(out, "const {} = {};", type_name(id), constructor(id, self.interface, &layouts));
        }
        let names = function_names(self.interface);
        out.push_str(&imported::lines(self.interface));
        if waiting::waits(self.interface) {
            out.push_str(&waiting::prelude(self.interface, &layouts));
        }
        for (export, name) in self.interface.exports.iter().zip(&names) {
            let function = if export.waits { waiting::function } else { function };
            out.push_str(&function(export, self.interface, &layouts, name));
        }
        if foreign::has_some(self.interface) {
            let _ = writeln!(out, "host({}, forget);", quoted(foreign::FORGET));
        }
        for (id, data) in &self.interface.types {
            let InterfaceKind::Function(params, results) = &data.kind else { continue };
            let called = Called { name: callbacks::name(id), has_number: true, function: "(0, theirs[number])".into() };
            out.push_str(&called.callback(params, results, self.interface, &layouts));
        }
        out.push_str(&imported::functions(self.interface, &layouts));
        for call in handles::calls(self.interface) {
            out.push_str(&function(&call, self.interface, &layouts, &format!("{}_", call.name)));
        }
        out.push_str(BEGIN);
        out.push_str("\nexport {");
        for (export, name) in self.interface.exports.iter().zip(names) {
            let _ = write!(out, " {name} as {},", exported_name(export));
        }
        out.push_str(" };\n");
        template(&out).replace("{{WASM}}", &one_line).replace("{{URL}}", &url(self.wasm)) + "\n" + &out
    }

    /// Functions of numbers, without anything else. Those that give nothing signed are converted.
    fn bare(&self) -> String {
        let head = TEMPLATE.find("\n/** An error").unwrap_or_default();
        let url = url(self.wasm);
        let mut out = TEMPLATE[..head].replace("{{WASM}}", self.wasm).replace("{{URL}}", &url);
        out.push_str("const { exports } = new WebAssembly.Instance(module);\n");
        let names = function_names(self.interface);
        for (export, name) in self.interface.exports.iter().zip(&names) {
            let call = format!("exports[{}]", quoted(&export.name));
            let is_plain = |ty: &InterfaceType| {
                use Primitive::*;
                matches!(self.interface.types[*ty].kind, InterfaceKind::Primitive(S8 | S16 | S32 | S64 | F32 | F64))
            };
            let types = export.params.iter().map(|param| &param.1).chain(&export.results);
            let _ = match types.clone().all(is_plain) {
                true => writeln!(out, "const {name} = {call};"),
                false => {
                    let args: Vec<String> = (0..export.params.len()).map(|at| format!("a{at}")).collect();
                    let results = export.results.first().map(|&ty| self.interface.types[ty].kind.clone());
                    let (before, after) = match results {
                        Some(InterfaceKind::Primitive(Primitive::Bool)) => ("!!", ""),
                        Some(InterfaceKind::Primitive(Primitive::U8 | Primitive::U16 | Primitive::U32)) => {
                            ("", " >>> 0")
                        }
                        Some(InterfaceKind::Primitive(Primitive::U64)) => ("BigInt.asUintN(64, ", ")"),
                        _ => ("", ""),
                    };
                    let args = args.join(", ");
                    writeln!(out, "const {name} = ({args}) => {before}{call}({args}){after};")
                }
            };
        }
        out.push_str("export {");
        for (export, name) in self.interface.exports.iter().zip(names) {
            let _ = write!(out, " {name} as {},", exported_name(export));
        }
        out.push_str(" };\n");
        out
    }

    /// Functions of numbers can be called as they are, if nothing of the runtime is there.
    pub fn can_be_bare(interface: &Interface) -> bool {
        let is_number = |ty: InterfaceType| match interface.types[ty].kind {
            InterfaceKind::Primitive(primitive) => primitive != Primitive::Char,
            _ => false,
        };
        let number_only = |export: &Export| {
            export.params.iter().all(|param| is_number(param.1)) && export.results.iter().all(|&ty| is_number(ty))
        };
        interface.imports.is_empty() && interface.exports.iter().all(number_only)
    }
}

/// The template, as far as these functions need it, without comments.
fn template(functions: &str) -> String {
    // What comes first is always needed, and its first line is for those who find the file.
    let (first, rest) = TEMPLATE.split_once("\n// Room for arguments.\n").unwrap_or((TEMPLATE, ""));
    let mut definitions: Vec<String> = Vec::new();
    for line in rest.lines().filter(|line| !line.starts_with("//") && !line.is_empty()) {
        match definitions.last_mut() {
            Some(last) if !line.starts_with("const ") && !line.starts_with("function ") => *last += line,
            _ => definitions.push(line.to_string()),
        }
        definitions.last_mut().into_iter().for_each(|last| last.push('\n'));
    }
    let mut needed = String::new();
    // They use those before them.
    for definition in definitions.iter().rev() {
        let name = definition.split(|letter: char| !is_letter(letter)).nth(1).unwrap_or_default();
        let is_it = |word: &str| word == name;
        if [functions, &needed].iter().any(|text| text.split(|letter: char| !is_letter(letter)).any(is_it)) {
            needed.insert_str(0, definition);
        }
    }
    let code = |(at, line): &(usize, &str)| *at == 0 || !line.trim().starts_with("//");
    let first: Vec<&str> = first.lines().enumerate().filter(code).map(|(_, line)| line).collect();
    format!("{}\n\n{needed}", first.join("\n"))
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
}

/// As others import it: `Class.member` is `Class_member`.
pub(crate) fn exported_name(export: &Export) -> String {
    identifier(&export.name)
}

pub(crate) fn identifier(name: &str) -> String {
    let name: String = name.chars().map(|letter| if is_letter(letter) { letter } else { '_' }).collect();
    if name.starts_with(|letter: char| letter.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// Names of their own inside of the module: the template has some already.
pub(crate) fn function_names(interface: &Interface) -> Vec<String> {
    let mut taken = Taken::default();
    interface.exports.iter().map(|export| taken.unique(format!("{}_", exported_name(export)))).collect()
}

pub(crate) fn type_name(id: InterfaceType) -> String {
    format!("type{}", id.index())
}

fn letters(flat: &[Flat]) -> String {
    let letter = |flat: &Flat| match flat {
        Flat::I32 => 'i',
        Flat::I64 => 'l',
        Flat::F32 => 'f',
        Flat::F64 => 'd',
    };
    flat.iter().map(letter).collect()
}

/// How the template makes a type.
fn constructor(id: InterfaceType, interface: &Interface, layouts: &Layouts) -> String {
    let (data, layout) = (&interface.types[id], layouts.get(id));
    let (size, flat) = (layout.size, quoted(&letters(&layout.flat)));
    let parts = |parts: &[InterfaceType], offsets: &[u32], names: &[String]| {
        let names = names.iter().map(|name| format!("{}, ", quoted(name))).chain(std::iter::repeat(String::new()));
        let part = |((part, offset), name)| format!("[{name}{}, {offset}]", type_name(part));
        let parts = parts.iter().copied().zip(offsets).zip(names).map(part);
        parts.collect::<Vec<_>>().join(", ")
    };
    match &data.kind {
        InterfaceKind::Primitive(primitive) => number(*primitive),
        InterfaceKind::String => "string()".into(),
        InterfaceKind::Foreign(_) => "foreign()".into(),
        InterfaceKind::Function(..) => {
            let InterfaceKind::Function(params, _) = &data.kind else { unreachable!("it is one") };
            let args: Vec<String> = (0..params.len()).map(|at| format!("a{at}")).collect();
            let (args, all) =
                (args.join(", "), std::iter::once("own".into()).chain(args).collect::<Vec<_>>().join(", "));
            format!("callable((own) => ({args}) => cabi_call_{}_({all}))", id.as_u32())
        }
        InterfaceKind::List(element) => format!("list({})", type_name(*element)),
        InterfaceKind::Tuple(all) => format!("tuple({size}, {flat}, {})", parts(all, &layout.offsets[0], &[])),
        InterfaceKind::Record(_, fields) => {
            let (names, all): (Vec<String>, Vec<InterfaceType>) = fields.iter().cloned().unzip();
            format!("record({size}, {flat}, {})", parts(&all, &layout.offsets[0], &names))
        }
        InterfaceKind::Variant(_, cases) if is_single(&data.kind) => {
            let names: Vec<String> = cases.iter().map(|case| quoted(&case.name)).collect();
            format!("enumeration({}, {})", layout.discriminant, names.join(", "))
        }
        InterfaceKind::Variant(_, cases) => variant(layout, layouts, "tagged", cases),
        InterfaceKind::Option(some) => {
            let cases = [("none", Vec::new()), ("some", vec![*some])];
            let form = if is_option(interface, *some) { "tagged" } else { "optional" };
            variant(layout, layouts, form, &cases.map(|(name, payload)| Case { name: name.into(), payload }))
        }
        InterfaceKind::Result(good, bad) => {
            let cases = [("ok", Vec::from_iter(*good)), ("err", Vec::from_iter(*bad))];
            variant(layout, layouts, "tagged", &cases.map(|(name, payload)| Case { name: name.into(), payload }))
        }
    }
}

/// Something that may be nothing itself needs a tag.
pub(crate) fn is_option(interface: &Interface, ty: InterfaceType) -> bool {
    matches!(interface.types[ty].kind, InterfaceKind::Option(_))
}

fn variant(layout: &Layout, layouts: &Layouts, form: &str, cases: &[Case]) -> String {
    let case = |(case, offsets): (&Case, &Vec<u32>)| match &case.payload[..] {
        [] => format!("[{}]", quoted(&case.name)),
        [only] => format!("[{}, {}, {}]", quoted(&case.name), type_name(*only), offsets[0]),
        several => {
            let inner = layouts.sequence(several);
            let parts = several.iter().zip(&inner.offsets[0]).map(|(&ty, at)| format!("[{}, {at}]", type_name(ty)));
            let parts = parts.collect::<Vec<_>>().join(", ");
            let tuple = format!("tuple({}, {}, {parts})", inner.size, quoted(&letters(&inner.flat)));
            format!("[{}, {tuple}, {}]", quoted(&case.name), offsets[0])
        }
    };
    let cases: Vec<String> = cases.iter().zip(&layout.offsets).map(case).collect();
    let (size, flat, bytes) = (layout.size, quoted(&letters(&layout.flat)), layout.discriminant);
    format!("variant({size}, {flat}, {bytes}, ...{form}, {})", cases.join(", "))
}

fn number(primitive: Primitive) -> String {
    let (name, size) = (primitive.name(), primitive.bytes());
    match primitive {
        Primitive::Bool => "bool()".into(),
        Primitive::Char => "char()".into(),
        Primitive::F32 => "real(4, \"f\")".into(),
        Primitive::F64 => "real(8, \"d\")".into(),
        Primitive::S64 => format!("long(\"s64\", \"BigInt64\", {}n, {}n)", i64::MIN, i64::MAX),
        Primitive::U64 => format!("long(\"u64\", \"BigUint64\", 0n, {}n)", u64::MAX),
        Primitive::S8 | Primitive::S16 | Primitive::S32 => {
            let most = (1_i64 << (8 * size - 1)) - 1;
            format!("whole({size}, \"{name}\", {}, {most})", -most - 1)
        }
        Primitive::U8 | Primitive::U16 | Primitive::U32 => {
            format!("whole({size}, \"{name}\", 0, {})", (1_u64 << (8 * size)) - 1)
        }
    }
}

/// WebAssembly takes it as one number.
fn is_single(kind: &InterfaceKind) -> bool {
    match kind {
        InterfaceKind::Primitive(_) | InterfaceKind::Function(..) | InterfaceKind::Foreign(_) => true,
        InterfaceKind::Variant(_, cases) => cases.iter().all(|case| case.payload.is_empty()),
        _ => false,
    }
}

/// A function that calls one of the program.
fn function(export: &Export, interface: &Interface, layouts: &Layouts, name: &str) -> String {
    let given = layouts.sequence(&export.results);
    let (args, passed) = arguments(export, interface, layouts);
    let call = format!("begin()[{}]({passed})", quoted(&export.name));
    let result = match result_type(export, layouts) {
        None => call,
        Some(ty) if given.flat.len() == 1 => format!("return {ty}.lift({call})"),
        Some(ty) => format!("return take({}, {ty}, {call})", quoted(&export.name)),
    };
    // Where something may wait, an error of the program ends that, too.
    let fail = if waiting::waits(interface) { "failed" } else { "fail" };
    format!(
        "\nfunction {name}({args}) {{\n  try {{\n    {result};\n  }} catch (error) {{\n    {fail}(error{});\n  }}\n}}\n",
        shown_arguments(export)
    )
}

/// What an error in the arguments says of them: the function, then types, names and values.
pub(crate) fn shown_arguments(export: &Export) -> String {
    let is_call = export.name.starts_with("cabi_call_");
    let mut out = format!(", {}", if is_call { "\"function of the program\"".into() } else { quoted(&export.name) });
    for (at, (name, ty)) in export.params.iter().enumerate().skip(usize::from(is_call)) {
        let name = if is_call { "" } else { name };
        let _ = write!(out, ", [{}, {}, a{at}]", type_name(*ty), quoted(name));
    }
    out
}

/// The names of a function's arguments, and how they are passed on.
pub(crate) fn arguments(export: &Export, interface: &Interface, layouts: &Layouts) -> (String, String) {
    let params: Vec<InterfaceType> = export.params.iter().map(|param| param.1).collect();
    let taken = layouts.sequence(&params);
    let args: Vec<String> = (0..params.len()).map(|at| format!("a{at}")).collect();
    let is_plain = |ty: &InterfaceType| is_single(&interface.types[*ty].kind);
    let passed = match params.iter().all(is_plain) && params.len() <= MAX_FLAT_PARAMS {
        true => {
            let is_handle = |at: usize| at == 0 && export.name.starts_with("cabi_call_");
            let args = params.iter().zip(&args).enumerate().map(|(at, (&ty, arg))| match is_handle(at) {
                true => format!("handleOf({arg})"),
                false => format!("{}.one({arg})", type_name(ty)),
            });
            args.collect::<Vec<_>>().join(", ")
        }
        false => {
            let size = if taken.flat.len() > MAX_FLAT_PARAMS { taken.size } else { 0 };
            let types = params.iter().zip(&taken.offsets[0]).map(|(&ty, at)| format!("[{}, {at}]", type_name(ty)));
            let types = types.collect::<Vec<_>>().join(", ");
            format!("...pass({size}, [{types}], [{}])", args.join(", "))
        }
    };
    (args.join(", "), passed)
}

/// The type of all that a function gives.
pub(crate) fn result_type(export: &Export, layouts: &Layouts) -> Option<String> {
    let given = layouts.sequence(&export.results);
    match &export.results[..] {
        [] => None,
        [only] => Some(type_name(*only)),
        several => {
            let parts = several.iter().zip(&given.offsets[0]);
            let parts: Vec<String> = parts.map(|(&ty, at)| format!("[{}, {at}]", type_name(ty))).collect();
            Some(format!("tuple({}, \"\", {})", given.size, parts.join(", ")))
        }
    }
}

/// A function of JavaScript that the program calls.
pub(crate) struct Called {
    /// As the module imports it.
    pub(crate) name: String,
    /// Which one it is comes before its arguments.
    pub(crate) has_number: bool,
    /// How it is written.
    pub(crate) function: String,
}

impl Called {
    /// The function that the program calls; arguments and result are flat values, as far as the canonical ABI passes
    /// them so.
    fn callback(
        &self,
        params: &[InterfaceType],
        results: &[InterfaceType],
        interface: &Interface,
        layouts: &Layouts,
    ) -> String {
        let (mut names, before, args) = self.arguments(params, interface, layouts);
        let given = layouts.sequence(results);
        let after = match results {
            [] => String::new(),
            [only] if given.flat.len() == 1 => format!("return {}.one(value);", type_name(*only)),
            all => {
                names.push("to".into());
                format!("refresh(); {}.store(value, to);", type_name(all[0]))
            }
        };
        self.written(&names.join(", "), &before, &format!("{}({args})", self.function), &after)
    }

    /// The names of its parameters, what it does first, and the arguments for JavaScript.
    pub(crate) fn arguments(
        &self,
        params: &[InterfaceType],
        interface: &Interface,
        layouts: &Layouts,
    ) -> (Vec<String>, String, String) {
        let taken = if self.has_number { layouts.after_handle(params) } else { layouts.sequence(params) };
        let mut names = Vec::from_iter(self.has_number.then(|| "number".to_string()));
        let mut args = Vec::new();
        let mut before = String::new();
        if taken.flat.len() > MAX_FLAT_PARAMS {
            names = vec!["at".to_string()];
            before.push_str("refresh(); ");
            if self.has_number {
                before.push_str("const number = view.getInt32(at, true); ");
            }
            let parts = params.iter().zip(&taken.offsets[0]);
            args.extend(parts.map(|(&ty, offset)| format!("{}.load(at + {offset})", type_name(ty))));
        } else {
            for &ty in params {
                let first = names.len();
                names.extend((0..layouts.get(ty).flat.len()).map(|at| format!("b{}", first + at)));
                args.push(format!("{}.lift({})", type_name(ty), names[first..].join(", ")));
            }
            if !params.iter().all(|&ty| is_single(&interface.types[ty].kind)) {
                before.push_str("refresh(); ");
            }
        }
        (names, before, args.join(", "))
    }

    /// The function that the program calls.
    pub(crate) fn written(&self, names: &str, before: &str, call: &str, after: &str) -> String {
        // A function that is a value has no name of its own: what it gives is told from what it throws.
        let is_value = self.has_number && !after.is_empty();
        let (known, caught) = match is_value {
            true => ("let by;\n  ", "by ? misfitted(error, by) : thrown(error);"),
            false => ("", "thrown(error);"),
        };
        let after = if is_value { format!("by = theirs[number];\n    {after}") } else { after.to_string() };
        format!(
            "host({}, ({names}) => {{\n  const from = exports;\n  {known}try {{\n    {before}const value = {call};\n    \
             if (exports != from) failedMeanwhile(from);\n    {after}\n  }} catch (error) {{\n    {caught}\n  }}\n}});\n",
            quoted(&self.name)
        )
    }
}

/// A string of JavaScript.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            _ if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') => {
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            _ => out.push(letter),
        }
    }
    out + "\""
}

/// A file name as a relative URL.
pub(crate) fn url(name: &str) -> String {
    let mut out = String::from("./");
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ => _ = write!(out, "%{byte:02X}"),
        }
    }
    out
}
