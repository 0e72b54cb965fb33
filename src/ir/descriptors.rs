//! Descriptors of data as strict languages have it, without the text form.

use crate::entity::FuncId;
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

    /// A function whose closures `apply` calls. They hold so many references (`Builder::build_node` with `held`
    /// arguments, `Builder::node` for 0, and `Builder::get` of the shape `(held, 0)`). The code gets the closure and
    /// then as many arguments as it lacks, all of them references, and returns a reference.
    ///
    /// ```
    /// use cleave_ir::{Builder, DescData, Func, Module, Opcode, Signature, Type, libcalls, verify};
    ///
    /// let mut module = Module::new("closures");
    /// let mut add = Func::new("add", Signature::new(&[Type::Ref, Type::Ref], &[Type::Ref]));
    /// let entry = add.new_block();
    /// let (own, right) = (add.add_param(entry, Type::Ref), add.add_param(entry, Type::Ref));
    /// let mut b = Builder::new(&mut add, entry);
    /// let left = b.get(Opcode::GetRef, 1, 0, 0, own);
    /// let numbers = [left, right].map(|boxed| b.get(Opcode::GetI64, 0, 1, 0, boxed));
    /// let sum = b.op(Opcode::Iadd, &numbers);
    /// let boxed = b.op(Opcode::BoxInt, &[sum]);
    /// b.ret(&[boxed]);
    /// let code = module.funcs.push(add);
    /// let adder = module.descs.push(DescData::closure("adder", 1, 1, code));
    /// # let print = module.declare(&libcalls::PRINT_INT);
    /// # let mut main = Func::new("main", Signature::default());
    /// # let entry = main.new_block();
    /// # let mut b = Builder::new(&mut main, entry);
    /// # let number = b.iconst64(21);
    /// # let boxed = b.op(Opcode::BoxInt, &[number]);
    ///
    /// let half = b.build_node(adder, 1, &[boxed]);
    /// let sum = b.apply(&[half, boxed]);
    /// # let sum = b.get(Opcode::GetI64, 0, 1, 0, sum);
    /// # b.call_extern(module.callee(print), &[sum]);
    /// # b.ret(&[]);
    /// # module.start = Some(module.funcs.push(main));
    /// # verify::verify_module(&module).expect("it keeps the rules");
    /// ```
    ///
    /// # Panics
    /// If no argument is missing: what is called without arguments has no closures of this kind.
    pub fn closure(label: &str, held: u32, missing: u32, code: FuncId) -> DescData {
        assert!(missing > 0, "a closure lacks an argument");
        let mut apply = vec![None; held as usize];
        apply.push(Some(code));
        DescData { arity: held + missing, apply, callable: true, immutable: true, ..DescData::atom(label, 0) }
    }
}
