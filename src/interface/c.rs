//! A header for C and C++: what a library of machine code offers, with types that lie in memory as `layout` says.

use crate::import_groups::{self as imports, Group};
use crate::layout::{Abi, Layouts};
use crate::names::{Taken, snake};
use crate::spelled::spelled;
use cleave_ir::PrimaryMap;
use cleave_ir::interface::{Export, Interface, InterfaceKind, InterfaceType, InterfaceTypeData, Primitive};
use std::fmt::Write;

/// Longer names of types are cut (`spelled`).
const MOST_NAME: usize = 48;

const TEMPLATE: &str = include_str!("c/header.h");
const FUNCTIONS: &str = include_str!("c/functions.h");
const GIVEN: &str = include_str!("c/given.h");
const OBJECTS: &str = include_str!("c/objects.h");

/// Words of C and C++, which cannot be names.
const KEYWORDS: &str = " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t \
    char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue \
    decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if \
    inline int int16_t int32_t int64_t int8_t long mutable namespace new noexcept not not_eq nullptr operator or or_eq \
    private protected public register reinterpret_cast requires restrict return short signed size_t sizeof static \
    static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename typeof \
    uint16_t uint32_t uint64_t uint8_t union unsigned using virtual void volatile wchar_t while xor xor_eq linux unix \
    NULL ";

/// A library for C.
#[derive(Debug)]
pub struct Header<'h> {
    prefix: String,
    interface: &'h Interface,
    /// Symbols of the exports.
    functions: Vec<String>,
    /// What types of functions are called.
    values: PrimaryMap<InterfaceType, Option<String>>,
    /// What the host gives: the type of the structure without its end, and the function that takes it.
    given: Vec<(Group, String, String)>,
}

impl<'h> Header<'h> {
    /// That of a library of this name, with which all its names begin.
    pub fn new(name: &str, interface: &'h Interface) -> Header<'h> {
        let prefix = snake(name);
        let mut taken = Taken::default();
        for own in ["free", "error", "drop"] {
            taken.unique(format!("{prefix}_{own}"));
        }
        let setters: Vec<String> = imports::groups(interface)
            .iter()
            .map(|group| taken.unique(format!("{prefix}_set_{}", snake(&group.name))))
            .collect();
        let exports = interface.exports.iter();
        let functions = exports.map(|export| taken.unique(format!("{prefix}_{}", snake(&export.name)))).collect();
        let spelled = spelled(interface);
        let values = interface.types.iter().map(|(id, data)| {
            let rest = match data.kind {
                InterfaceKind::Function(..) => snake(&spelled[id]).strip_prefix("function")?.to_string(),
                _ => return None,
            };
            let named = |number: usize| {
                let number = if number == 1 { String::new() } else { number.to_string() };
                let name = format!("function{number}{rest}");
                let own = ["call", "new", "t"].map(|own| format!("{prefix}_{name}_{own}"));
                let is_free = own.iter().all(|own| !taken.has(own));
                is_free.then(|| {
                    own.into_iter().for_each(|own| _ = taken.unique(own));
                    name
                })
            };
            (1..).find_map(named)
        });
        let values = values.collect();
        let given = imports::groups(interface).into_iter().zip(setters).map(|(group, setter)| {
            let name = (1..)
                .map(|number| snake(&group.name) + &if number == 1 { String::new() } else { number.to_string() })
                .find(|name| !taken.has(&format!("{prefix}_{name}_t")))
                .unwrap_or_default();
            taken.unique(format!("{prefix}_{name}_t"));
            (group, name, setter)
        });
        let given = given.collect();
        Header { prefix, interface, functions, values, given }
    }

    /// The symbol of an entry.
    pub fn symbol(&self, entry: &str) -> String {
        let of_type = |name: &str, own: &str| {
            let number = name.parse().ok()?;
            let value = self.values.get(InterfaceType::from_u32(number))?.as_ref()?;
            Some(format!("{}_{value}_{own}", self.prefix))
        };
        if let Some(at) = self.interface.exports.iter().position(|export| export.name == entry) {
            return self.functions[at].clone();
        }
        let of_call = entry.strip_prefix("cabi_call_").and_then(|number| of_type(number, "call"));
        let of_new = || entry.strip_prefix("cabi_new_").and_then(|number| of_type(number, "new"));
        of_call.or_else(of_new).unwrap_or_else(|| format!("{}_drop", self.prefix))
    }

    /// The symbol of the function that frees results, and of that which gives the text of an error.
    pub fn services(&self) -> [String; 2] {
        ["free", "error"].map(|own| format!("{}_{own}", self.prefix))
    }

    /// The symbols of the functions that take those of the host, with the number of their first one and how many they
    /// are.
    pub fn givers(&self) -> Vec<(String, u32, u32)> {
        let mut first = 0;
        let giver = |(group, _, setter): &(Group, String, String)| {
            let (begin, count) = (first, group.functions.len() as u32);
            first += count;
            (setter.clone(), begin, count)
        };
        self.given.iter().map(giver).collect()
    }

    /// The text.
    pub fn text(&self) -> String {
        let layouts = Layouts::by(Abi::C, self.interface);
        let mut writer = Writer {
            header: self,
            layouts,
            taken: Taken::default(),
            names: PrimaryMap::new(),
            spelled: spelled(self.interface),
            first: PrimaryMap::new(),
            out: String::new(),
        };
        self.given.iter().for_each(|given| _ = writer.taken.unique(given.1.clone()));
        for (id, data) in &self.interface.types {
            writer.define(id, data);
        }
        for (group, name, setter) in &self.given {
            writer.given(group, name, setter);
        }
        for (export, name) in self.interface.exports.iter().zip(&self.functions) {
            writer.function(export, name);
        }
        let has_values = self.values.values().any(Option::is_some);
        let has_foreign = self.interface.types.values().any(|data| matches!(data.kind, InterfaceKind::Foreign(_)));
        let template = TEMPLATE.replace("{{VALUES}}\n", if has_values { FUNCTIONS } else { "" });
        let template = template.replace("{{GIVEN}}\n", if self.given.is_empty() { "" } else { GIVEN });
        let template = template.replace("{{OBJECTS}}\n", if has_foreign { OBJECTS } else { "" });
        let template = template.replace("{{DROP}}\n", if has_values { DROP } else { "" });
        let text = template.replace("NAME", &self.prefix.to_ascii_uppercase()).replace("name", &self.prefix);
        text.replace("{{FUNCTIONS}}\n", &writer.out)
    }
}

const DROP: &str =
    "/* The program has no more to do with a function that you have. */\nint name_drop(void *function);\n";

/// A name that is no word of the language, and that no other has.
fn identifier(taken: &mut Taken, name: &str) -> String {
    let name = snake(name);
    taken.unique(if KEYWORDS.contains(&format!(" {name} ")) { name + "_" } else { name })
}

struct Writer<'w> {
    header: &'w Header<'w>,
    layouts: Layouts,
    taken: Taken,
    /// How types are written, and what they are called in the names of others.
    names: PrimaryMap<InterfaceType, (String, String)>,
    /// What those are called that have no name of their own.
    spelled: PrimaryMap<InterfaceType, String>,
    /// The first type that is the same for others, wherever its values lie in the program.
    first: PrimaryMap<InterfaceType, (InterfaceType, InterfaceKind)>,
    out: String,
}

impl Writer<'_> {
    fn define(&mut self, id: InterfaceType, data: &InterfaceTypeData) {
        let mut kind = data.kind.clone();
        kind.parts_mut().for_each(|part| *part = self.first[*part].0);
        // Functions of two types are called by two symbols.
        let is_same = |known: &&(InterfaceType, InterfaceKind)| known.1 == kind && self.header.values[id].is_none();
        let known = self.first.values().find(is_same).map(|known| known.0);
        self.first.push((known.unwrap_or(id), kind));
        if let Some(known) = known {
            self.names.push(self.names[known].clone());
            return;
        }
        let part = |ty: &InterfaceType| self.names[*ty].1.clone();
        let maybe = |ty: &Option<InterfaceType>| ty.as_ref().map_or("none".to_string(), part);
        let name = match &data.kind {
            InterfaceKind::Primitive(primitive) => {
                let name = primitive.name().to_string();
                self.names.push((primitive_type(*primitive).to_string(), name));
                return;
            }
            InterfaceKind::String => "string".into(),
            InterfaceKind::List(element) => format!("list_{}", part(element)),
            InterfaceKind::Tuple(parts) => {
                format!("tuple_{}", parts.iter().map(part).collect::<Vec<_>>().join("_"))
            }
            InterfaceKind::Option(some) => format!("option_{}", part(some)),
            InterfaceKind::Result(good, bad) => format!("result_{}_{}", maybe(good), maybe(bad)),
            InterfaceKind::Record(name, _) | InterfaceKind::Variant(name, _) | InterfaceKind::Foreign(name) => {
                snake(name)
            }
            InterfaceKind::Function(params, results) => {
                let name = self.header.values[id].clone().expect("it has a name");
                self.value(&name, params, results);
                self.names.push((format!("{}_{name}_t", self.header.prefix), name));
                return;
            }
        };
        let name = if name.len() > MOST_NAME { snake(&self.spelled[id]) } else { name };
        let name = self.taken.unique(name);
        let full = format!("{}_{name}_t", self.header.prefix);
        let field = |ty: InterfaceType, name: &str| format!("{} {name};", self.names[ty].0);
        let body = match &data.kind {
            InterfaceKind::Primitive(_) | InterfaceKind::Function(..) => unreachable!("it has a name"),
            InterfaceKind::String => vec!["const char *data;".into(), "size_t length;".into()],
            InterfaceKind::Foreign(_) => vec!["void *object;".into(), "void (*drop)(void *object);".into()],
            InterfaceKind::List(element) => {
                vec![format!("const {} *data;", self.names[*element].0), "size_t length;".into()]
            }
            InterfaceKind::Tuple(parts) => numbered(parts, field),
            InterfaceKind::Record(_, fields) => {
                let mut taken = Taken::default();
                fields.iter().map(|(name, ty)| field(*ty, &identifier(&mut taken, name))).collect()
            }
            InterfaceKind::Option(some) => vec!["bool is_some;".into(), field(*some, "value")],
            InterfaceKind::Result(good, bad) => {
                let named = [("ok", good), ("err", bad)];
                let cases: Vec<String> = named.iter().filter_map(|(name, ty)| Some(field((**ty)?, name))).collect();
                std::iter::once("bool is_err;".into()).chain(union(cases)).collect()
            }
            InterfaceKind::Variant(_, cases) => {
                let tag = ["uint8_t", "uint16_t", "uint32_t"][self.layouts.get(id).discriminant as usize / 2];
                let mut taken = Taken::default();
                let names: Vec<String> = cases.iter().map(|case| identifier(&mut taken, &case.name)).collect();
                let list = names.iter().enumerate().map(|(number, case)| {
                    let constant = format!("{}_{name}_{case}", self.header.prefix).to_ascii_uppercase();
                    format!("    {} = {number}", constant.trim_end_matches('_'))
                });
                let _ = writeln!(self.out, "enum {{\n{}\n}};", list.collect::<Vec<_>>().join(",\n"));
                if cases.iter().all(|case| case.payload.is_empty()) {
                    let _ = writeln!(self.out, "typedef {tag} {full};\n");
                    self.names.push((full, name));
                    return;
                }
                let members = cases.iter().zip(&names).filter_map(|(case, name)| match &case.payload[..] {
                    [] => None,
                    [only] => Some(field(*only, name)),
                    parts => Some(format!("struct {{ {} }} {name};", numbered(parts, field).join(" "))),
                });
                std::iter::once(format!("{tag} tag;")).chain(union(members.collect())).collect()
            }
        };
        self.structure(&full, &body);
        self.names.push((full, name));
    }

    fn structure(&mut self, name: &str, body: &[String]) {
        let _ = writeln!(self.out, "typedef struct {{");
        for line in body {
            let _ = writeln!(self.out, "    {line}");
        }
        let _ = writeln!(self.out, "}} {name};\n");
    }

    /// The type of functions, and how one is called and made.
    fn value(&mut self, name: &str, params: &[InterfaceType], results: &[InterfaceType]) {
        let full = format!("{}_{name}", self.header.prefix);
        let named: Vec<(String, InterfaceType)> =
            params.iter().enumerate().map(|(at, &ty)| (format!("arg{}", at + 1), ty)).collect();
        let mut own = self.params(&named, "function");
        own.extend(results.first().map(|&ty| format!("{} *result", self.names[ty].0)));
        let rest: String = own.iter().map(|param| format!(", {param}")).collect();
        let _ = writeln!(
            self.out,
            "/* Functions, of the program or of yours: how one is called, and how one of yours becomes one of them. */\n\
             typedef struct {full} *{full}_t;\n\
             int {full}_call({full}_t function{rest});\n\
             int {full}_new(int (*call)(void *context{rest}), void *context, void (*drop)(void *context), {full}_t *result);\n"
        );
    }

    /// The structure of functions that the host gives, and what takes it.
    fn given(&mut self, group: &Group, name: &str, setter: &str) {
        let mut taken = Taken::default();
        let members = group.functions.iter().map(|&(number, _)| {
            let import = &self.header.interface.imports[number];
            let mut params = vec!["void *context".to_string()];
            params.extend(self.params(&import.params, "context"));
            params.extend(import.results.first().map(|&ty| format!("{} *result", self.names[ty].0)));
            format!("int (*{})({});", identifier(&mut taken, &import.name), params.join(", "))
        });
        let members: Vec<String> = members.collect();
        let full = format!("{}_{name}_t", self.header.prefix);
        let _ = writeln!(self.out, "/* What you give: functions that the program calls. */");
        self.structure(&full, &members);
        let _ = writeln!(self.out, "int {setter}(const {full} *functions, void *context);\n");
    }

    fn function(&mut self, export: &Export, symbol: &str) {
        let mut params = self.params(&export.params, "result");
        match &export.results[..] {
            [] => {}
            [only] => params.push(format!("{} *result", self.names[*only].0)),
            several => {
                let name = format!("{symbol}_result_t");
                let body = numbered(several, |ty, name| format!("{} {name};", self.names[ty].0));
                self.structure(&name, &body);
                params.push(format!("{name} *result"));
            }
        }
        let params = if params.is_empty() { "void".to_string() } else { params.join(", ") };
        let _ = writeln!(self.out, "/* `{}` */\nint {symbol}({params});\n", export.name.replace(['*', '\\'], "_"));
    }

    /// Parameters; none is called `other`.
    fn params(&self, all: &[(String, InterfaceType)], other: &str) -> Vec<String> {
        let mut taken = Taken::default();
        taken.unique(other.into());
        taken.unique("result".into());
        let mut params = Vec::new();
        for (name, ty) in all {
            let name = identifier(&mut taken, name);
            let data = &self.header.interface.types[*ty];
            let written = &self.names[*ty].0;
            match &data.kind {
                InterfaceKind::Primitive(_) | InterfaceKind::Function(..) => params.push(format!("{written} {name}")),
                InterfaceKind::Variant(_, cases) if cases.iter().all(|case| case.payload.is_empty()) => {
                    params.push(format!("{written} {name}"));
                }
                InterfaceKind::String | InterfaceKind::List(_) => {
                    let element = match data.kind {
                        InterfaceKind::List(element) => &self.names[element].0,
                        _ => "char",
                    };
                    let length = taken.unique(format!("{name}_length"));
                    params.push(format!("const {element} *{name}, size_t {length}"));
                }
                InterfaceKind::Foreign(_) => {
                    let drop = taken.unique(format!("{name}_drop"));
                    params.push(format!("void *{name}, void (*{drop})(void *object)"));
                }
                _ => params.push(format!("const {written} *{name}")),
            }
        }
        params
    }
}

fn numbered(parts: &[InterfaceType], field: impl Fn(InterfaceType, &str) -> String) -> Vec<String> {
    parts.iter().enumerate().map(|(number, &ty)| field(ty, &format!("f{number}"))).collect()
}

/// The lines of a union; none without members.
fn union(members: Vec<String>) -> Vec<String> {
    match members.is_empty() {
        true => Vec::new(),
        false => {
            let members = members.iter().map(|member| format!("    {member}"));
            std::iter::once("union {".into()).chain(members).chain(["} value;".into()]).collect()
        }
    }
}

fn primitive_type(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Bool => "bool",
        Primitive::S8 => "int8_t",
        Primitive::U8 => "uint8_t",
        Primitive::S16 => "int16_t",
        Primitive::U16 => "uint16_t",
        Primitive::S32 => "int32_t",
        Primitive::U32 | Primitive::Char => "uint32_t",
        Primitive::S64 => "int64_t",
        Primitive::U64 => "uint64_t",
        Primitive::F32 => "float",
        Primitive::F64 => "double",
    }
}
