//! What holds of the interface of a module: types that describe data of the module, functions that take and give them.

use super::report::Item;
use crate::entity::{FuncId, Table};
use crate::interface::{
    Entry, Export, FieldIn, Import, ImportKind, InterfaceKind, InterfaceType, InterfaceTypeData, NodeLayout, Primitive,
    Representation,
};
use crate::module::{Module, TableRole};
use crate::types::Type;
use cranelift_entity::EntityRef;

/// Hands what is wrong to `error`.
pub(super) fn interface(module: &Module, error: &mut dyn FnMut(Item, String)) {
    for (id, data) in &module.interface.types {
        if let Err(message) = described(module, id, data) {
            error(Item::Type(id.as_u32()), format!("{id}: {message}"));
        }
    }
    for (number, export) in module.interface.exports.iter().enumerate() {
        if let Err(message) = exported(module, export) {
            error(Item::Export(number as u32), format!("export \"{}\": {message}", export.name));
        }
    }
    for (number, import) in module.interface.imports.iter().enumerate() {
        let before = &module.interface.imports[..number];
        let checked = match before.iter().find(|other| is_same(&other.kind, &import.kind)) {
            Some(other) => Err(format!("what it stands for is the import \"{}\" already", other.name)),
            None => imported(module, import),
        };
        if let Err(message) = checked {
            error(Item::Import(number as u32), format!("import \"{}\": {message}", import.name));
        }
    }
    for (number, entry) in module.entries.iter().enumerate() {
        let before = &module.entries[..number];
        let checked = if before.iter().any(|other| other.name == entry.name) {
            Err("there are two of this name".to_string())
        } else {
            called_with_numbers(module, entry)
        };
        if let Err(message) = checked {
            error(Item::Entry(number as u32), format!("entry \"{}\": {message}", entry.name));
        }
    }
    if let Some(buffer) = module.exchange {
        let message = match module.cafs.get(buffer.caf) {
            None => Some(format!("{} does not exist", buffer.caf)),
            Some(data) if data.nptrs < 3 => Some(format!("^{} has no three words", data.label)),
            Some(_) if buffer.bytes > MOST_BYTES => Some(format!("at most {MOST_BYTES} bytes")),
            Some(_) => None,
        };
        message.into_iter().for_each(|message| error(Item::Exchange, format!("exchange: {message}")));
    }
}

/// The buffer leaves room for a heap.
const MOST_BYTES: u32 = 1 << 30;

fn described(module: &Module, id: InterfaceType, data: &InterfaceTypeData) -> Result<(), String> {
    let cases = data.cases();
    if let Some(part) = cases.iter().flatten().find(|part| part.index() >= id.index()) {
        return Err(format!("{part} is not declared before it"));
    }
    if let InterfaceKind::Function(params, results) = &data.kind {
        return function(module, id, params, results, &data.representation);
    }
    let names: Vec<&String> = match &data.kind {
        InterfaceKind::Record(_, fields) if fields.is_empty() => return Err("a record has a field at least".into()),
        InterfaceKind::Tuple(parts) if parts.is_empty() => return Err("a tuple has a part at least".into()),
        InterfaceKind::Variant(_, cases) if cases.is_empty() => return Err("a variant has a case at least".into()),
        InterfaceKind::Record(_, fields) => fields.iter().map(|field| &field.0).collect(),
        InterfaceKind::Variant(_, cases) => cases.iter().map(|case| &case.name).collect(),
        _ => Vec::new(),
    };
    if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
        return Err(format!("\"{}\" is there twice", names[twice]));
    }
    if let Representation::Boxed(node, held) = &data.representation {
        if !matches!(node.fields[..], [FieldIn::Ref(_)]) || matches!(**held, Representation::Boxed(..)) {
            return Err("a string, an array or an object of the host lies in one reference of one node".into());
        }
        check_node(module, node, 1)?;
    }
    let is_boxed = matches!(data.representation, Representation::Boxed(..));
    match (&data.kind, data.unboxed()) {
        (InterfaceKind::String, Representation::String) => Ok(()),
        (InterfaceKind::Foreign(_), Representation::Foreign) if is_boxed || module.thunk_infos.is_empty() => Ok(()),
        (InterfaceKind::Foreign(_), Representation::Foreign) => {
            Err("no thunk may become an object of the host, and this module has thunks: it lies in a node".into())
        }
        (InterfaceKind::Foreign(_), _) | (_, Representation::Foreign) => {
            Err("objects of the host are cells of their own".into())
        }
        (InterfaceKind::List(element), Representation::Array(kind)) => {
            let element = &module.interface.types[*element];
            match element.ir_type() == kind.ty() && !matches!(element.representation, Representation::Scalar(_, 1..)) {
                true => Ok(()),
                false => Err(format!("elements of the array are no {}", kind.word())),
            }
        }
        (InterfaceKind::Primitive(primitive), Representation::Scalar(ty, shift)) => scalar(*primitive, *ty, *shift),
        (InterfaceKind::Primitive(primitive), Representation::Nodes(nodes)) => match &nodes[..] {
            [node] if matches!(node.fields[..], [FieldIn::Word(_)]) => {
                check_node(module, node, 1)?;
                scalar(*primitive, if primitive.is_real() { Type::F64 } else { Type::I64 }, 0)
            }
            _ => Err("a number lies in one word of one node".into()),
        },
        (InterfaceKind::Variant(..), Representation::Scalar(Type::I32, 0)) if cases.iter().all(Vec::is_empty) => Ok(()),
        (InterfaceKind::String, _) | (_, Representation::String) => Err("strings are string objects".into()),
        (_, Representation::Array(_)) => Err("only a list is an array".into()),
        (_, Representation::Scalar(..) | Representation::Boxed(..) | Representation::Closure(_)) => {
            Err("it lies in nodes".into())
        }
        (kind, Representation::Nodes(nodes)) => {
            if nodes.len() != cases.len() {
                return Err(format!("{} kinds of nodes for {} cases", nodes.len(), cases.len()));
            }
            for (number, (node, case)) in nodes.iter().zip(&cases).enumerate() {
                let is_list = matches!(kind, InterfaceKind::List(_)) && number == 1;
                check_node(module, node, case.len() + usize::from(is_list))?;
                for (part, field) in case.iter().zip(&node.fields) {
                    let ty = module.interface.types[*part].ir_type();
                    if (ty == Type::Ref) != matches!(field, FieldIn::Ref(_)) {
                        return Err(format!("{part} is {ty} in the module, and lies in a {}", place(*field)));
                    }
                }
                if is_list && !matches!(node.fields[1], FieldIn::Ref(_)) {
                    return Err("the rest of a list is a reference".into());
                }
            }
            Ok(())
        }
    }
}

fn function(
    module: &Module,
    id: InterfaceType,
    params: &[InterfaceType],
    results: &[InterfaceType],
    representation: &Representation,
) -> Result<(), String> {
    let mut parts = params.iter().chain(results);
    if let Some(part) = parts.clone().find(|part| part.index() >= id.index()) {
        return Err(format!("{part} is not declared before it"));
    }
    let Representation::Closure(table) = representation else { return Err("functions are closures".into()) };
    if results.len() > 1 {
        return Err("a function gives one value at most".into());
    }
    if let Some(table) = table {
        return method(module, params, results, *table);
    }
    if params.is_empty() {
        return Err("a function that `apply` takes has a parameter at least".into());
    }
    if let Some(part) = parts.find(|part| module.interface.types[**part].ir_type() != Type::Ref) {
        return Err(format!("{part} is no reference: closures take and give references"));
    }
    if module.heap.counts() {
        return Err("closures for `apply` are of the garbage-collected heap: name the table of a `method`".into());
    }
    Ok(())
}

/// The functions of the table take and give what the type says. Where that is nothing they may give a number.
fn method(module: &Module, params: &[InterfaceType], results: &[InterfaceType], table: Table) -> Result<(), String> {
    let Some(table) = module.tables.get(table) else { return Err(format!("{table} does not exist")) };
    let ir_type = |ty: &InterfaceType| module.interface.types[*ty].ir_type();
    let taken: Vec<Type> = std::iter::once(Type::Ref).chain(params.iter().map(ir_type)).collect();
    let given: Vec<Type> = results.iter().map(ir_type).collect();
    let signature = &table.signature;
    let gives_nothing = given.is_empty() && matches!(signature.results[..], [] | [Type::I32]);
    if table.role != TableRole::Method {
        return Err(format!("%{} is no table of methods", table.label));
    }
    if signature.params[..] != taken[..] || signature.results[..] != given[..] && !gives_nothing {
        let (found, wanted) = (super::report::type_list(&signature.params), super::report::type_list(&taken));
        return Err(format!("%{} takes {found}, not {wanted}, or gives something else", table.label));
    }
    Ok(())
}

fn place(field: FieldIn) -> &'static str {
    match field {
        FieldIn::Ref(_) => "reference",
        FieldIn::Word(_) => "word",
    }
}

fn scalar(primitive: Primitive, ty: Type, shift: u8) -> Result<(), String> {
    let fits = match ty {
        Type::F64 => primitive.is_real(),
        Type::Ref => false,
        Type::I32 => !primitive.is_real() && primitive.bytes() <= 4,
        Type::I64 => !primitive.is_real(),
    };
    if !fits {
        return Err(format!("{} is no {ty}", primitive.name()));
    }
    match shift {
        0 => Ok(()),
        1..32 if ty == Type::I64 => Ok(()),
        _ => Err("only an i64 is shifted, by less than 32 bits".into()),
    }
}

/// Fields of a node that a message names.
const SHOWN: usize = 4;

fn check_node(module: &Module, node: &NodeLayout, count: usize) -> Result<(), String> {
    let Some(desc) = module.descs.get(node.desc) else { return Err(format!("{} does not exist", node.desc)) };
    let (ptrs, nptrs) = desc.payload(node.applied_args);
    let number = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    if node.fields.len() != count {
        let (given, parts) = (number(node.fields.len(), "field"), number(count, "part"));
        return Err(format!("${}: {given} for {parts}", desc.label));
    }
    if count != (ptrs + nptrs) as usize {
        return Err(format!("${}: a node has {}, not {count}", desc.label, number((ptrs + nptrs) as usize, "field")));
    }
    for (number, field) in node.fields.iter().enumerate() {
        let (at, most) = match field {
            FieldIn::Ref(at) => (at, ptrs),
            FieldIn::Word(at) => (at, nptrs),
        };
        let is_twice = node.fields[..number].contains(field);
        if *at >= most || is_twice {
            let named = |field: &FieldIn| match field {
                FieldIn::Ref(at) => format!("`ref {at}`"),
                FieldIn::Word(at) => format!("`word {at}`"),
            };
            let all = (0..ptrs).map(FieldIn::Ref).chain((0..nptrs).map(FieldIn::Word));
            let all: Vec<String> = all.take(SHOWN).map(|field| named(&field)).collect();
            let (label, named, all) = (&desc.label, named(field), all.join(", "));
            return Err(match is_twice {
                true => format!("${label}: {named} stands there twice: its fields are {all}"),
                false => format!("`${label}/{}` has no {named}: its fields are {all}", node.applied_args),
            });
        }
    }
    Ok(())
}

/// Two imports are one for the program.
fn is_same(one: &ImportKind, other: &ImportKind) -> bool {
    match (one, other) {
        (ImportKind::Effect(one), ImportKind::Effect(other)) => one.desc == other.desc,
        (one, other) => one == other,
    }
}

fn exported(module: &Module, export: &Export) -> Result<(), String> {
    called(module, export.func, &export.params, &export.results)
}

/// The function takes and gives what the interface says.
fn called(
    module: &Module,
    func: FuncId,
    params: &[(String, InterfaceType)],
    results: &[InterfaceType],
) -> Result<(), String> {
    let Some(func) = module.funcs.get(func) else { return Err(format!("{func} does not exist")) };
    let types = &module.interface.types;
    let mut used = params.iter().map(|param| param.1).chain(results.iter().copied());
    if let Some(unknown) = used.find(|&ty| !types.is_valid(ty)) {
        return Err(format!("{unknown} does not exist"));
    }
    let params = params.iter().map(|param| types[param.1].ir_type());
    if !params.clone().eq(func.signature.params.iter().copied()) {
        let list = super::report::type_list(&params.collect::<Vec<_>>());
        return Err(format!("@{} takes {}, not {list}", func.name, super::report::type_list(&func.signature.params)));
    }
    let results: Vec<Type> = results.iter().map(|&ty| types[ty].ir_type()).collect();
    if !results.is_empty() && results[..] != func.signature.results[..] {
        let (found, wanted) = (super::report::type_list(&func.signature.results), super::report::type_list(&results));
        return Err(format!("@{} returns {found}, not {wanted}", func.name));
    }
    Ok(())
}

fn imported(module: &Module, import: &Import) -> Result<(), String> {
    let types = &module.interface.types;
    let params = import.params.iter().map(|param| param.1);
    let mut used = params.clone().chain(import.results.iter().copied()).chain(import.raises);
    if let Some(unknown) = used.find(|&ty| !types.is_valid(ty)) {
        return Err(format!("{unknown} does not exist"));
    }
    if import.results.len() > 1 {
        return Err("it gives one value at most".into());
    }
    if import.raises.is_some_and(|ty| types[ty].kind != InterfaceKind::String) {
        return Err("what it raises is made of a text".into());
    }
    let effect = match &import.kind {
        ImportKind::Effect(effect) => effect,
        ImportKind::Function(func) => {
            if import.raises.is_some() {
                return Err("only what is performed raises something".into());
            }
            called(module, *func, &import.params, &import.results)?;
            let given = &module.funcs[*func].signature.results;
            return match import.results.is_empty() && given.contains(&Type::Ref) {
                true => Err(format!("@{} gives a reference, and the host nothing", module.funcs[*func].name)),
                false => Ok(()),
            };
        }
    };
    check_node(module, effect, import.params.len())?;
    for (ty, field) in params.zip(&effect.fields) {
        let data = &types[ty];
        if (data.ir_type() == Type::Ref) != matches!(field, FieldIn::Ref(_)) {
            return Err(format!("{ty} is {} in the module, and lies in a {}", data.ir_type(), place(*field)));
        }
    }
    Ok(())
}

fn called_with_numbers(module: &Module, entry: &Entry) -> Result<(), String> {
    let Some(func) = module.funcs.get(entry.func) else { return Err(format!("{} does not exist", entry.func)) };
    let signature = &func.signature;
    if signature.results.len() > 1 || signature.params.iter().chain(&signature.results).any(|&ty| ty == Type::Ref) {
        return Err("it takes numbers, and returns one or nothing".into());
    }
    let is_real = |at: &u32| signature.params.get(*at as usize) == Some(&Type::F64);
    if !entry.narrow.0.iter().all(is_real) || entry.narrow.1 && signature.results[..] != [Type::F64] {
        return Err("only an f64 is narrow for the host".into());
    }
    Ok(())
}
