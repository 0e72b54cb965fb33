//! Reads a module in text form. Two walks over its parts: the first collects names and signatures, so that items may
//! refer to later ones, the second reads the items. An error ends its line, or where a function begins all of it; the
//! rest is read on, so that all errors are found.

use super::cursor::{Parse, Parser, perhaps};
use super::error::ParseError;
use super::former_words::{VERSION, current_word};
use super::lex::{self, Part, TokenKind};
use super::lines::LineMap;
use super::partly::Refused;
use super::print::DESCRIPTOR_KINDS;
use crate::cell_sizes::CellSizes;
use crate::entity::{FuncId, Static, Table, ThunkInfo};
use crate::func::Func;
use crate::heap::Heap;
use crate::layout::DescriptorKind;
use crate::module::{
    CafData, DescData, Module, RecordData, StaticData, StaticField, StaticNode, TableData, TableRole, ThunkInfoData,
    ThunkKind,
};
use crate::rc;
use crate::types::{Signature, Type};
use crate::verify::Item;

/// Reads a module.
pub fn parse_module(text: &str) -> Result<Module, ParseError> {
    parse_module_with_lines(text).map(|(module, _)| module)
}

/// Reads a module and tells the line of everything in its functions; or says what is wrong first.
pub fn parse_module_with_lines(text: &str) -> Result<(Module, LineMap), ParseError> {
    parse_module_with_errors(text).map_err(|errors| errors.into_iter().next().expect("something is wrong"))
}

/// Reads a module and tells the line of everything in its functions; or says all that is wrong, by lines.
pub fn parse_module_with_errors(text: &str) -> Result<(Module, LineMap), Vec<ParseError>> {
    parse_module_partly(text).map_err(|refused| refused.errors)
}

/// The same; besides what is wrong there is what can be looked at further.
pub fn parse_module_partly(text: &str) -> Result<(Module, LineMap), Refused> {
    let mut parser = Parser::new();
    for part in lex::known_parts(text) {
        parser.collect(&part);
    }
    let mut module = Module::new("");
    for (number, part) in lex::known_parts(text).enumerate() {
        parser.begin(&part);
        parser.is_first = number == 0;
        parser.items(&mut module);
    }
    module.externs = std::mem::take(&mut parser.externs);
    module.suit_externs_to_heap();
    if !parser.errors.is_empty() {
        return Err(parser.refused(module));
    }
    Ok((module, parser.lines))
}

/// Words that begin an item.
const ITEMS: [&str; 20] = [
    "version",
    "module",
    "extern",
    "desc",
    "thunk_info",
    "caf",
    "table",
    "start",
    "blackhole",
    "observes_identity",
    "immediates",
    "heap",
    "cells",
    "func",
    "static0",
    "type0",
    "export",
    "import",
    "entry",
    "exchange",
];

impl<'a> Parser<'a> {
    /// First walk: names in order, signatures of functions and tables.
    fn collect(&mut self, part: &Part<'a>) {
        self.begin(&lex::first_line(part));
        let collected = self.collect_item().and_then(|()| match part.is_closed {
            true => Ok(()),
            false => {
                // What stands in place of the `}` has no message of its own.
                let lines = part.text.trim_end().bytes().filter(|&byte| byte == b'\n').count();
                let line = part.line + lines as u32;
                self.unclosed.insert(line);
                let last = part.text.trim_end().lines().next_back().unwrap_or_default();
                let column = last.chars().take_while(|c| c.is_whitespace()).count() as u32 + 1;
                let message = format!(
                    "the function that begins in line {} is not closed: a `}}` is missing behind this",
                    part.line
                );
                Err(ParseError { line, column, message, is_of_name: false, is_unclosed: true })
            }
        });
        if let Err(error) = collected {
            self.report(error);
        }
    }

    fn collect_item(&mut self) -> Parse<()> {
        match *self.peek() {
            TokenKind::Ident("desc") => {
                self.advance();
                self.declare('$')?;
            }
            TokenKind::Ident("caf") => {
                self.advance();
                self.declare('^')?;
            }
            TokenKind::Ident(word) if current_word(word) == "thunk_info" => {
                self.advance();
                self.declare('&')?;
            }
            TokenKind::Ident("extern") => {
                self.advance();
                self.declare_extern()?;
                self.end_of_line()?;
            }
            TokenKind::Ident("table") => {
                self.advance();
                self.declare('%')?;
                let signature = self.punct('=').and_then(|()| self.table_role()).and_then(|_| self.signature());
                self.table_signatures.push(signature.clone().unwrap_or_else(|_| Signature::new(&[], &[])));
                signature?;
            }
            TokenKind::Ident("func") => {
                let position = self.at;
                self.advance();
                self.declare('@')?;
                self.at = position;
                let header = self.header();
                let id = FuncId::from_u32(self.func_signatures.len() as u32);
                let is_open = matches!(self.peek(), TokenKind::Punct('{') | TokenKind::Ident(_));
                let is_type = matches!(*self.peek(), TokenKind::Ident(word) if Type::from_name(word).is_some());
                if header.is_err() || !is_open || is_type {
                    self.unknown_heads.insert(id);
                    // What runs into the name is no part of it.
                    self.has_unread |=
                        !self.tokens.get(position + 2).is_some_and(|token| token.kind == TokenKind::Punct('('));
                }
                let none = || Signature::new(&[], &[]);
                self.func_signatures.push(header.as_ref().map_or_else(|_| none(), |header| header.signature.clone()));
                if let Err(error) = header {
                    self.report(error);
                }
            }
            TokenKind::Ident(text) if Self::numbered(text, "static").is_some() => {
                let count = self.counts.entry('s').or_insert(0);
                let wanted = *count;
                *count += 1;
                if Self::numbered(text, "static") != Some(wanted)
                    && !std::mem::replace(&mut self.is_misnumbered[0], true)
                {
                    let wanted = Static::from_u32(wanted);
                    return self.error(format!("static objects are numbered in order: {wanted} comes next"));
                }
            }
            TokenKind::Ident(text) => {
                let is_known = ITEMS.contains(&current_word(text)) || Self::numbered(text, "type").is_some();
                let defines = self.tokens.iter().any(|token| matches!(token.kind, TokenKind::Name(..)));
                self.has_unread |= !is_known && defines;
                self.is_misnumbered[0] |= !is_known;
            }
            TokenKind::Name(..) | TokenKind::Punct('(') => self.has_unread = true,
            _ => {}
        }
        Ok(())
    }

    /// `$T/2 [static0, node $Empty, int 3, char 97, bool 1] [7]`: row, references, raw words.
    fn static_node(&mut self) -> Parse<StaticNode> {
        let desc = self.desc()?;
        self.punct('/')?;
        let applied_args = self.u32()?;
        let ptrs = self.list('[', ']', |p| {
            let position = p.position();
            let word = p.ident("a static object, `node`, `int`, `char` or `bool`")?;
            Ok(match word {
                "node" => StaticField::Node(p.desc()?),
                "int" => StaticField::Int(p.integer()? as i64),
                "char" => StaticField::Char(p.integer()? as u8),
                "bool" => StaticField::Bool(p.integer()? != 0),
                _ => match Self::numbered(word, "static").filter(|&n| n < p.static_count()) {
                    Some(number) => StaticField::Object(Static::from_u32(number)),
                    None if p.is_misnumbered[0] => return p.error_at(position, ""),
                    None => return p.error_at(position, format!("`{word}` is no static object")),
                },
            })
        })?;
        let nptrs = self.list('[', ']', |p| p.integer())?;
        Ok(StaticNode { desc, applied_args, ptrs: ptrs.into(), nptrs: nptrs.into() })
    }

    fn items(&mut self, module: &mut Module) {
        loop {
            self.skip_newlines();
            if matches!(self.peek(), TokenKind::End) {
                return;
            }
            let is_function = *self.peek() == TokenKind::Ident("func");
            if let Err(error) = self.item(module) {
                self.report(error);
                self.skip_line();
                while is_function && !matches!(self.peek(), TokenKind::Punct('}') | TokenKind::End) {
                    self.skip_newlines();
                    if *self.peek() != TokenKind::Punct('}') {
                        self.skip_line();
                    }
                }
                self.skip_line();
            }
        }
    }

    fn item(&mut self, module: &mut Module) -> Parse<()> {
        let position = self.at;
        let line = self.line();
        let word = match *self.peek() {
            TokenKind::Ident(word) => word,
            _ => return self.error(format!("expected an item, found {}{}", self.peek().describe(), self.item_hint())),
        };
        self.advance();
        match current_word(word) {
            "version" => {
                if !self.is_first {
                    return self.error_at(position, "the version is the first line of a module");
                }
                let (position, version) = (self.position(), self.u32()?);
                if version != VERSION {
                    let message =
                        format!("version {version} of the IR is unknown: this compiler reads version {VERSION}");
                    return self.error_at(position, message);
                }
            }
            "module" => {
                let name = self.string("the name of the module, a string")?;
                module.name = String::from_utf8_lossy(&name).into_owned();
            }
            "desc" => {
                let id = self.desc()?;
                let TokenKind::Name(_, label) = self.tokens[self.at - 1].kind.clone() else { unreachable!() };
                let data = self.desc_data(label.into_owned())?;
                self.lines.items.insert(Item::Desc(id), line);
                if module.descs.is_valid(id) {
                    module.descs[id] = data
                } else {
                    // One before it may be wrong, or refer to what could not be read.
                    let is_wrong = self.has_unread || !self.errors.is_empty();
                    assert!(id == module.descs.push(data) || is_wrong, "descriptors are read in their order");
                }
            }
            "caf" => {
                let label = self.raw_name('^')?;
                let (ptrs, nptrs) = self.ptrs_and_nptrs()?;
                let id = module.cafs.push(CafData { label, ptrs, nptrs });
                self.lines.items.insert(Item::Caf(id), line);
            }
            "table" => {
                let label = self.raw_name('%')?;
                self.punct('=')?;
                let role = self.table_role()?;
                let signature = self.signature()?;
                let funcs = self.list('[', ']', Self::func_id)?;
                let id = module.tables.push(TableData { label, role, signature, funcs });
                self.lines.items.insert(Item::Table(id), line);
            }
            "thunk_info" => {
                let label = self.raw_name('&')?;
                self.punct('=')?;
                let entry = self.entry_data(label)?;
                let id = module.thunk_infos.push(entry);
                self.lines.items.insert(Item::ThunkInfo(id), line);
            }
            "start" => {
                if module.start.is_some() {
                    return self.error_at(position, "the module has a start function already");
                }
                module.start = Some(self.func_id()?);
                self.lines.items.insert(Item::Start, line);
            }
            "blackhole" => {
                if module.blackhole_info.is_some() {
                    return self.error_at(position, "the module has the info of blackholes already");
                }
                module.blackhole_info = Some(ThunkInfo::from_u32(self.name('&')?));
                self.lines.items.insert(Item::Cycle, line);
            }
            // Read in the first walk.
            "extern" => {
                while !matches!(self.peek(), TokenKind::Newline | TokenKind::End) {
                    self.advance();
                }
            }
            "observes_identity" => module.observes_identity = true,
            "claimed" => module.interface.claimed = true,
            "immediates" => module.immediates = true,
            "export" => {
                self.export_item(module)?;
                self.lines.items.insert(Item::Export(module.interface.exports.len() as u32 - 1), line);
            }
            "import" => {
                self.import_item(module)?;
                self.lines.items.insert(Item::Import(module.interface.imports.len() as u32 - 1), line);
            }
            "entry" => {
                self.entry_item(module)?;
                self.lines.items.insert(Item::Entry(module.entries.len() as u32 - 1), line);
            }
            "exchange" => {
                self.exchange_item(module)?;
                self.lines.items.insert(Item::Exchange, line);
            }
            text if Self::numbered(text, "type").is_some() => {
                self.interface_type_item(Self::numbered(text, "type").unwrap_or_default(), module)?;
                self.lines.items.insert(Item::Type(module.interface.types.len() as u32 - 1), line);
            }
            "heap" => {
                let position = self.position();
                let word = self.ident("`gc` or `rc`")?;
                let Ok(heap) = word.parse::<Heap>() else {
                    return self.error_at(position, format!("`{word}` is not a kind of heap"));
                };
                module.heap = heap;
            }
            "cells" => {
                let position = self.position();
                if self.eat_word("fixed") {
                    module.cell_sizes.fix();
                    return self.end_of_line();
                }
                let bytes = self.u32()?;
                self.word("in")?;
                let widened = self.u32()?;
                if !CellSizes::can_widen(bytes, widened) {
                    return self.error_at(position, format!("cells of {bytes} bytes cannot have {widened}"));
                }
                module.cell_sizes.widen(rc::class_of(bytes), rc::class_of(widened));
            }
            "cyclic" => match self.eat_word("arrays") {
                true => module.cycles.arrays = true,
                false => {
                    let desc = self.desc()?;
                    module.cycles.insert(desc);
                }
            },
            "func" => {
                self.at = position;
                let func = self.func()?;
                module.funcs.push(func);
            }
            text if Self::numbered(text, "static").is_some() => {
                self.punct('=')?;
                let data = match self.ident("`string`, `text`, `node` or `symbol`")? {
                    "string" => StaticData::String(self.string("a string")?),
                    "text" => StaticData::Text(self.string("the text, a string")?),
                    "node" => StaticData::Node(self.static_node()?),
                    "symbol" => {
                        let name = self.string("the name of the symbol, a string")?;
                        self.word("missing")?;
                        StaticData::Symbol { name, missing: self.string("a string")? }
                    }
                    _ => {
                        return self
                            .error_at(self.at - 1, "a static object is a `string`, a `text`, a `node` or a `symbol`");
                    }
                };
                let id = module.statics.push(data);
                self.lines.items.insert(Item::Static(id), line);
            }
            _ => {
                let meant = match word {
                    "define" | "def" | "fn" | "fun" | "function" | "proc" => {
                        ": a function is written `func @f(v0: i64) -> i64 {`".into()
                    }
                    "declare" => ": a function from outside is written `extern f(i64) -> (i64) [pure]`".into(),
                    _ => perhaps("", word, ITEMS.map(str::as_bytes)),
                };
                return self.error_at(position, format!("unknown item `{word}`{meant}"));
            }
        }
        self.end_of_line()
    }

    /// What comes before the signature of a table: `apply 2`, `instance`, `update` or nothing.
    fn table_role(&mut self) -> Parse<TableRole> {
        Ok(if self.eat_word("apply") {
            let position = self.position();
            let missing = self.u32()?;
            self.room(position, missing, 0)?;
            TableRole::Apply(missing)
        } else if self.eat_word("method") {
            TableRole::Method
        } else if self.eat_word("update") {
            TableRole::Update
        } else {
            TableRole::Plain
        })
    }

    /// `func @f(v0: ref, i64) -> ref`.
    fn descriptor_kind(&mut self) -> Parse<DescriptorKind> {
        let position = self.at;
        let name = self.ident("a kind of descriptor")?;
        match DESCRIPTOR_KINDS.iter().find(|(_, n)| *n == name) {
            Some(&(kind, _)) => Ok(kind),
            None => {
                let meant = perhaps("", name, DESCRIPTOR_KINDS.iter().map(|(_, name)| name.as_bytes()));
                let hint = if meant.is_empty() { ": data are `constructor`, or `record` with fields" } else { &meant };
                self.error_at(position, format!("`{name}` is not a kind of descriptor{hint}"))
            }
        }
    }

    fn desc_data(&mut self, label: String) -> Parse<DescData> {
        self.punct('=')?;
        let kind = self.descriptor_kind()?;
        self.word("arity")?;
        let position = self.position();
        let arity = self.u32()?;
        self.room(position, arity, 0)?;
        self.word("tag")?;
        let tag = self.u32()?;
        let name = self.string("the name that is printed, a string as `\"Item\"`")?;
        let mut record = None;
        if self.eat_word("fields") {
            let (ptrs, nptrs) = self.payload()?;
            let types = self.string("the letters of the fields, a string as `\"ai\"`")?;
            let nested = if self.eat_word("nested") { self.list('[', ']', Self::desc)? } else { Vec::new() };
            record = Some(RecordData { ptrs, nptrs, types, nested });
        }
        let contiguous = self.eat_word("contiguous");
        let immutable = self.eat_word("immutable");
        let callable = self.eat_word("callable");
        let mut apply = Vec::new();
        if self.eat_word("apply") {
            apply = self.list('[', ']', |p| if p.eat_word("none") { Ok(None) } else { p.func_id().map(Some) })?;
        }
        let mut method = None;
        if self.eat_word("method") {
            method = Some((Table::from_u32(self.name('%')?), self.func_id()?));
        }
        Ok(DescData { name, label, kind, arity, record, tag, apply, method, callable, contiguous, immutable })
    }

    /// `refs 2 words 1`.
    fn ptrs_and_nptrs(&mut self) -> Parse<(u32, u32)> {
        let position = self.position();
        self.word("ptrs")?;
        let ptrs = self.u32()?;
        self.word("nptrs")?;
        let nptrs = self.u32()?;
        self.room(position, ptrs, nptrs)?;
        Ok((ptrs, nptrs))
    }

    fn entry_data(&mut self, label: String) -> Parse<ThunkInfoData> {
        let position = self.at;
        let kind = match self.ident("a kind of thunk")? {
            "plain" => ThunkKind::Plain,
            "indirection" => ThunkKind::Indirection,
            word @ ("select_ref" | "select_field" | "select_word") => {
                let field = self.u32()?;
                let Ok(field) = u16::try_from(field) else { return self.error_at(position, "no such field") };
                match word {
                    "select_ref" => ThunkKind::SelectRef(field),
                    "select_field" => ThunkKind::SelectField(field),
                    _ => ThunkKind::SelectWord(field, self.descriptor_kind()?),
                }
            }
            word => return self.error_at(position, format!("`{word}` is not a kind of thunk")),
        };
        let (ptrs, nptrs) = self.ptrs_and_nptrs()?;
        self.word("code")?;
        let code = self.func_id()?;
        let update = if self.eat_word("update") { Some(self.func_id()?) } else { None };
        let desc = if self.eat_word("desc") { Some(self.desc()?) } else { None };
        Ok(ThunkInfoData { label, kind, ptrs, nptrs, code, update, desc })
    }

    fn func_id(&mut self) -> Parse<FuncId> {
        self.name('@').map(FuncId::from_u32)
    }

    fn func(&mut self) -> Parse<Func> {
        let before = self.mistakes;
        let (func, lines) = super::parse_func::parse(self)?;
        self.lines.funcs.push(lines);
        Ok(self.readable(func, before))
    }
}
