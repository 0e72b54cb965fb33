//! Reads interfaces: types, exports, imports, entries and the exchange buffer.
//!
//! ```text
//! type0 = s32 i32
//! type1 = list type0 [$End/0(), $Item/0(word 0, ref 0)]
//! type2 = list type0 array i64 in $Box/1(ref 0)
//! type3 = variant "shape" ["dot" (), "line" (type0, type0)] [$Dot/0(), $Line/0(word 0, word 1)]
//! export @sum as "sum" ("numbers": type1) -> (type0)
//! import $Ask/0(ref 0) as "ask" from "./net.mjs" ("question": type1) -> (type0) raises type4
//! import @now as "now" from "clock" () -> (type0)
//! ```

use super::cursor::{Parse, Parser};
use crate::arrays::ArrayKind;
use crate::entity::{FuncId, Table};
use crate::interface::{
    Case, Entry, ExchangeBuffer, Export, FieldIn, Import, ImportKind, InterfaceKind, InterfaceType, InterfaceTypeData,
    NodeLayout, Primitive, Representation,
};
use crate::module::Module;
use cranelift_entity::EntityRef;

impl Parser<'_> {
    /// The module that an extern comes from.
    pub(super) fn import_module(&mut self) -> Parse<Box<str>> {
        let position = self.at;
        match String::from_utf8(self.string("a string")?.to_vec()) {
            Ok(name) if !name.is_empty() => Ok(name.into()),
            _ => self.error_at(position, "the name of a module is some UTF-8 text"),
        }
    }

    fn text(&mut self) -> Parse<String> {
        let position = self.position();
        let bytes = self.string("a string")?;
        String::from_utf8(bytes.into()).or_else(|_| self.error_at(position, "a name is UTF-8 text"))
    }

    fn interface_type(&mut self, module: &Module) -> Parse<InterfaceType> {
        let position = self.position();
        let word = self.ident("a type of the interface, as `type0`")?;
        match Self::numbered(word, "type").filter(|&n| (n as usize) < module.interface.types.len()) {
            Some(number) => Ok(InterfaceType::from_u32(number)),
            None if self.is_misnumbered[1] => self.error_at(position, ""),
            None => self.error_at(position, format!("`{word}` is no type of the interface that was declared before")),
        }
    }

    fn at_most_one(&mut self, module: &Module) -> Parse<Option<InterfaceType>> {
        let position = self.position();
        let types = self.list('(', ')', |p| p.interface_type(module))?;
        if types.len() > 1 {
            return self.error_at(position, "one type at most");
        }
        Ok(types.first().copied())
    }

    /// `type0 = …`, after the first word, whose number is this.
    pub(super) fn interface_type_item(&mut self, number: u32, module: &mut Module) -> Parse<()> {
        if number as usize != module.interface.types.len() && !std::mem::replace(&mut self.is_misnumbered[1], true) {
            let next = InterfaceType::new(module.interface.types.len());
            let error =
                self.error_at::<()>(self.position() - 1, format!("types are numbered in order: {next} comes next"));
            error.err().into_iter().for_each(|error| self.report(error));
        }
        let count = module.interface.types.len();
        let read = self.interface_type_data(module);
        // One that cannot be read has its number all the same.
        if read.is_err() && module.interface.types.len() == count {
            let (kind, representation) = (InterfaceKind::String, Representation::String);
            module.interface.types.push(InterfaceTypeData { kind, representation });
        }
        read
    }

    fn interface_type_data(&mut self, module: &mut Module) -> Parse<()> {
        self.punct('=')?;
        let position = self.position();
        let word = self.ident("a type of the interface")?;
        let kind = match word {
            "string" => InterfaceKind::String,
            "foreign" => InterfaceKind::Foreign(self.text()?),
            "list" => InterfaceKind::List(self.interface_type(module)?),
            "tuple" => InterfaceKind::Tuple(self.list('[', ']', |p| p.interface_type(module))?),
            "option" => InterfaceKind::Option(self.interface_type(module)?),
            "result" => InterfaceKind::Result(self.at_most_one(module)?, self.at_most_one(module)?),
            "function" => {
                let params = self.list('(', ')', |p| p.interface_type(module))?;
                InterfaceKind::Function(params, self.at_most_one(module)?.into_iter().collect())
            }
            "record" => {
                let name = self.text()?;
                InterfaceKind::Record(name, self.list('[', ']', |p| Ok((p.text()?, p.interface_type(module)?)))?)
            }
            "variant" => {
                let name = self.text()?;
                let cases = self.list('[', ']', |p| {
                    Ok(Case { name: p.text()?, payload: p.list('(', ')', |p| p.interface_type(module))? })
                })?;
                InterfaceKind::Variant(name, cases)
            }
            _ => match Primitive::ALL.iter().find(|primitive| primitive.name() == word) {
                Some(&primitive) => InterfaceKind::Primitive(primitive),
                None => return self.error_at(position, format!("`{word}` is no type of an interface")),
            },
        };
        let representation = if matches!(kind, InterfaceKind::Foreign(_)) {
            self.boxed(Representation::Foreign)?
        } else if matches!(kind, InterfaceKind::Function(..)) {
            let table = if self.eat_word("method") { Some(Table::from_u32(self.name('%')?)) } else { None };
            Representation::Closure(table)
        } else if kind == InterfaceKind::String {
            self.boxed(Representation::String)?
        } else if self.eat_word("array") {
            let position = self.position();
            let word = self.ident("the kind of the elements")?;
            match ArrayKind::from_word(word) {
                Some(kind) => self.boxed(Representation::Array(kind))?,
                None => return self.error_at(position, format!("`{word}` is no kind of elements")),
            }
        } else if *self.peek() == super::lex::TokenKind::Punct('[') {
            Representation::Nodes(self.list('[', ']', Self::node)?)
        } else {
            let ty = self.ty()?;
            let shift = if self.eat_word("shifted") { self.u32()?.min(255) as u8 } else { 0 };
            Representation::Scalar(ty, shift)
        };
        module.interface.types.push(InterfaceTypeData { kind, representation });
        Ok(())
    }

    /// A string, an array or a cell for an object of the host, or that in a node.
    fn boxed(&mut self, held: Representation) -> Parse<Representation> {
        if self.eat_word("in") { Ok(Representation::Boxed(self.node()?, Box::new(held))) } else { Ok(held) }
    }

    fn node(&mut self) -> Parse<NodeLayout> {
        let desc = self.desc()?;
        self.punct('/')?;
        let applied_args = self.u32()?;
        let fields = self.list('(', ')', |p| match p.ident("`ref` or `word`")? {
            "ref" => p.u32().map(FieldIn::Ref),
            "word" => p.u32().map(FieldIn::Word),
            _ => p.error_at(p.position() - 1, "a field is `ref` or `word` with its number"),
        })?;
        Ok(NodeLayout { desc, applied_args, fields })
    }

    fn exported(&mut self) -> Parse<(FuncId, String)> {
        let func = FuncId::from_u32(self.name('@')?);
        self.word("as")?;
        Ok((func, self.text()?))
    }

    /// `export @f as "name" ("x": type0) -> (type0)`, after the first word.
    pub(super) fn export_item(&mut self, module: &mut Module) -> Parse<()> {
        let (func, name) = self.exported()?;
        let (params, results) = self.interface_signature(module)?;
        let waits = self.eat_word("async");
        module.interface.exports.push(Export { name, func, params, results, waits });
        Ok(())
    }

    /// `("x": type0) -> (type0)`
    fn interface_signature(&mut self, module: &Module) -> Parse<(Vec<(String, InterfaceType)>, Vec<InterfaceType>)> {
        let params = self.list('(', ')', |p| {
            let name = p.text()?;
            p.punct(':')?;
            Ok((name, p.interface_type(module)?))
        })?;
        self.punct('>')?;
        Ok((params, self.list('(', ')', |p| p.interface_type(module))?))
    }

    /// `import $Ask/0(ref 0) as "ask" from "./net.mjs" ("x": type0) -> (type0)`, or `import @f as …`, after the first
    /// word.
    pub(super) fn import_item(&mut self, module: &mut Module) -> Parse<()> {
        let kind = match self.peek() {
            super::lex::TokenKind::Name('@', _) => ImportKind::Function(FuncId::from_u32(self.name('@')?)),
            _ => ImportKind::Effect(self.node()?),
        };
        self.word("as")?;
        let name = self.text()?;
        self.word("from")?;
        let from = self.text()?;
        let (params, results) = self.interface_signature(module)?;
        let raises = if self.eat_word("raises") { Some(self.interface_type(module)?) } else { None };
        module.interface.imports.push(Import { name, from, kind, params, results, raises });
        Ok(())
    }

    /// `entry @f as "name"`, after the first word.
    pub(super) fn entry_item(&mut self, module: &mut Module) -> Parse<()> {
        let (func, name) = self.exported()?;
        let mut narrow = (Vec::new(), false);
        if self.eat_word("narrow") {
            narrow = (self.list('[', ']', Self::u32)?, self.eat_word("result"));
        }
        module.entries.push(Entry { name, func, narrow });
        Ok(())
    }

    /// `exchange ^c 65536`, after the first word.
    pub(super) fn exchange_item(&mut self, module: &mut Module) -> Parse<()> {
        module.exchange = Some(ExchangeBuffer { caf: self.caf()?, bytes: self.u32()? });
        Ok(())
    }
}
