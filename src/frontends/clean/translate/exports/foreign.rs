//! Objects of the host: values of types of which the command line says that they are the host's (`:: Element`). What is
//! in them nobody in the program knows. Each is a node around the cell of the object: a thunk may become a copy of the
//! node, and the cell, of which the host is told when it dies, is still one.

use super::types::{Cannot, Crossing};
use crate::declarations::{Body, Foreign};
use cleave_diag::{Diagnostic, code, nearest};
use cleave_ir::interface::{FieldIn, InterfaceKind, InterfaceTypeData, NodeLayout, Representation};
use cleave_ir::layout::DescriptorKind;
use cleave_ir::{DescData, RecordData};

impl Crossing<'_, '_> {
    /// The type, if the command line says that it is the host's.
    pub fn foreign(&mut self, name: &str) -> Option<Result<InterfaceTypeData, Cannot>> {
        let is_said = self.foreign.iter().any(|foreign| foreign.name == name);
        is_said.then(|| match self.definition(name).map(|found| found.1.into_owned()) {
            Some(known) if !known.parameters.is_empty() => self.cannot(format!("`{name}`, which has parameters")),
            Some(known) if !matches!(known.body, Body::Abstract) => {
                self.cannot(format!("`{name}`, which is no abstract type, so that its values are the program's"))
            }
            _ => Ok(self.object(name)),
        })
    }

    fn object(&mut self, name: &str) -> InterfaceTypeData {
        let record = RecordData { ptrs: 1, nptrs: 0, types: b"a"[..].into(), nested: Vec::new() };
        let desc = self.builder.ir.descs.push(DescData {
            name: name.as_bytes().into(),
            kind: DescriptorKind::Record,
            record: Some(record),
            ..DescData::atom(&format!("export.{name}"), 0)
        });
        let node = NodeLayout { desc, applied_args: 0, fields: vec![FieldIn::Ref(0)] };
        let representation = Representation::Boxed(node, Box::new(Representation::Foreign));
        InterfaceTypeData { kind: InterfaceKind::Foreign(name.into()), representation }
    }

    /// A type that no function has is another one than was meant.
    pub fn unused(&self) -> Option<Diagnostic> {
        let is_used = |foreign: &&Foreign| {
            let mut kinds = self.interface.types.values().map(|data| &data.kind);
            kinds.any(|kind| matches!(kind, InterfaceKind::Foreign(name) if *name == foreign.name))
        };
        let Foreign { name, span } = self.foreign.iter().find(|foreign| !is_used(foreign))?;
        let message = format!("no function that is exported takes or gives a `{name}`");
        let diagnostic = Diagnostic::error(code::CANNOT_EXPORT, message).at(*span, "");
        let of_modules = self.declarations.iter().flat_map(|declared| &declared.types);
        let mut known = of_modules.filter(|known| matches!(known.body, Body::Abstract)).map(|known| &*known.name);
        Some(match nearest(name.as_bytes(), known.by_ref().map(str::as_bytes)) {
            Some(near) => diagnostic.help(format!("did you mean `{}`?", String::from_utf8_lossy(near))),
            None => diagnostic.help("leave it out"),
        })
    }
}
