//! Descriptors of data as strict languages have it, without the text form.

use crate::layout::DescriptorKind;
use crate::module::{Bytes, DescData, RecordData};
use crate::types::Type;

impl DescData {
    /// A constructor without fields: one static node (`Builder::node`). The label is unique in the module and is
    /// printed; the tag is the number of the constructor in its type.
    pub fn atom(label: &str, tag: u32) -> DescData {
        DescData {
            name: label.as_bytes().into(),
            label: label.into(),
            kind: DescriptorKind::Constructor,
            arity: 0,
            record: None,
            tag,
            apply: Vec::new(),
            method: None,
            callable: false,
            contiguous: false,
            immutable: false,
        }
    }

    /// A constructor with fields, whose nodes are one block: references, then words (`Builder::build_node`,
    /// `get_of`, with 0 arguments).
    ///
    /// ```
    /// use cleave_ir::{DescData, Module, Type};
    ///
    /// let mut module = Module::new("lists");
    /// let end = module.descs.push(DescData::atom("End", 0));
    /// let item = module.descs.push(DescData::record("Item", 1, &[Type::Ref, Type::I64]));
    /// assert_eq!(module.payload(item, 0), (1, 1));
    /// assert_eq!(module.payload(end, 0), (0, 0));
    /// ```
    ///
    /// # Panics
    /// If a reference comes after a word, or a field is of another type.
    pub fn record(label: &str, tag: u32, fields: &[Type]) -> DescData {
        let ptrs = fields.iter().take_while(|&&ty| ty == Type::Ref).count();
        let letter = |&ty: &Type| match ty {
            Type::I64 => b'i',
            Type::F64 => b'r',
            ty => panic!("a field of type {ty} behind references"),
        };
        let types: Bytes = vec![b'a'; ptrs].into_iter().chain(fields[ptrs..].iter().map(letter)).collect();
        let nptrs = (fields.len() - ptrs) as u32;
        DescData {
            kind: DescriptorKind::Record,
            record: Some(RecordData { ptrs: ptrs as u32, nptrs, types, nested: Vec::new() }),
            contiguous: true,
            ..DescData::atom(label, tag)
        }
    }
}
