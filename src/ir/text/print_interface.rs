//! Prints interfaces; `parse_interface` shows what that looks like.

use super::print::{List, Name, Quoted, desc_name, func_name, table_name};
use crate::interface::{Case, FieldIn, ImportKind, InterfaceKind, InterfaceType, NodeLayout, Representation};
use crate::module::Module;
use std::fmt::{self, Write};

pub(super) fn write_interface(module: &Module, out: &mut String) -> fmt::Result {
    for (id, data) in &module.interface.types {
        write!(out, "{id} = ")?;
        write_kind(&data.kind, out)?;
        match &data.representation {
            Representation::Scalar(ty, 0) => write!(out, " {ty}")?,
            Representation::Scalar(ty, shift) => write!(out, " {ty} shifted {shift}")?,
            Representation::Nodes(nodes) => {
                write!(out, " [{}]", List(nodes.iter().map(|layout| node(module, layout))))?;
            }
            Representation::Closure(Some(table)) => write!(out, " method {}", table_name(module, *table))?,
            representation => {
                if let Representation::Array(kind) = data.unboxed() {
                    write!(out, " array {}", kind.word())?;
                }
                if let Representation::Boxed(layout, _) = representation {
                    write!(out, " in {}", node(module, layout))?;
                }
            }
        }
        out.push('\n');
    }
    if module.interface.claimed {
        out.push_str("claimed\n");
    }
    for export in &module.interface.exports {
        let (func, name) = (func_name(module, None, export.func), Quoted(export.name.as_bytes()));
        let waits = if export.waits { " async" } else { "" };
        writeln!(out, "export {func} as {name} {}{waits}", signature(&export.params, &export.results))?;
    }
    for import in &module.interface.imports {
        let (name, from) = (Quoted(import.name.as_bytes()), Quoted(import.from.as_bytes()));
        let signature = signature(&import.params, &import.results);
        let what = match &import.kind {
            ImportKind::Effect(effect) => node(module, effect),
            ImportKind::Function(func) => func_name(module, None, *func).to_string(),
        };
        write!(out, "import {what} as {name} from {from} {signature}")?;
        if let Some(raises) = import.raises {
            write!(out, " raises {raises}")?;
        }
        out.push('\n');
    }
    if let Some(buffer) = module.exchange {
        let label = module.cafs.get(buffer.caf).map_or("<unknown>", |caf| &caf.label);
        writeln!(out, "exchange {} {}", Name('^', label), buffer.bytes)?;
    }
    for entry in &module.entries {
        write!(out, "entry {} as {}", func_name(module, None, entry.func), Quoted(entry.name.as_bytes()))?;
        let (params, result) = &entry.narrow;
        if !params.is_empty() || *result {
            write!(out, " narrow [{}]{}", List(params.iter()), if *result { " result" } else { "" })?;
        }
        out.push('\n');
    }
    Ok(())
}

fn signature(params: &[(String, InterfaceType)], results: &[InterfaceType]) -> String {
    let params = params.iter().map(|(name, ty)| format!("{}: {ty}", Quoted(name.as_bytes())));
    format!("({}) -> ({})", List(params), List(results.iter()))
}

fn node(module: &Module, node: &NodeLayout) -> String {
    let fields = node.fields.iter().map(|field| match field {
        FieldIn::Ref(number) => format!("ref {number}"),
        FieldIn::Word(number) => format!("word {number}"),
    });
    format!("{}/{}({})", desc_name(module, node.desc), node.applied_args, List(fields))
}

fn write_kind(kind: &InterfaceKind, out: &mut String) -> fmt::Result {
    match kind {
        InterfaceKind::Primitive(primitive) => out.write_str(primitive.name()),
        InterfaceKind::String => out.write_str("string"),
        InterfaceKind::Foreign(name) => write!(out, "foreign {}", Quoted(name.as_bytes())),
        InterfaceKind::List(element) => write!(out, "list {element}"),
        InterfaceKind::Tuple(parts) => write!(out, "tuple [{}]", List(parts.iter())),
        InterfaceKind::Record(name, fields) => {
            let fields = fields.iter().map(|(name, ty)| format!("{} {ty}", Quoted(name.as_bytes())));
            write!(out, "record {} [{}]", Quoted(name.as_bytes()), List(fields))
        }
        InterfaceKind::Variant(name, cases) => {
            let case = |case: &Case| format!("{} ({})", Quoted(case.name.as_bytes()), List(case.payload.iter()));
            write!(out, "variant {} [{}]", Quoted(name.as_bytes()), List(cases.iter().map(case)))
        }
        InterfaceKind::Option(some) => write!(out, "option {some}"),
        InterfaceKind::Result(good, bad) => write!(out, "result ({}) ({})", List(good.iter()), List(bad.iter())),
        InterfaceKind::Function(params, results) => {
            write!(out, "function ({}) ({})", List(params.iter()), List(results.iter()))
        }
    }
}
