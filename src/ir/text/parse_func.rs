//! Reads one function; the types of results are in `parse_types`.

use super::cursor::{Parse, Parser};
use super::lex::{TokenKind, VALUE_SIGIL, shortened};
use super::lines::FuncLines;
use super::opcodes;
use super::parse_header::Header;
use crate::entity::{Block, Inst, Value};
use crate::func::{BlockData, Edge, Func, InstData, pack};
use crate::layout::Shape;
use crate::opcode::{Flags, ImmKind, Opcode};
use crate::types::{Signature, Type};
use crate::value_list::ValueList;
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Larger entity numbers are refused: the tables are dense.
pub(super) const MAX_NUMBER: u32 = 1 << 24;

/// What is known of a value number.
#[derive(Clone, Copy)]
pub(super) struct KnownValue {
    pub(super) ty: Option<Type>,
    pub(super) defined: bool,
    /// Token of the definition, or of the first mention.
    pub(super) position: usize,
}

pub(super) struct FuncParser<'p, 'a> {
    pub(super) p: &'p mut Parser<'a>,
    pub(super) func: Func,
    pub(super) lines: FuncLines,
    pub(super) values: Vec<Option<KnownValue>>,
    /// Token of the first mention of each block, and whether it has been written.
    pub(super) blocks: Vec<Option<(usize, bool)>>,
    /// Numbers of values and blocks are smaller: gaps are allowed, but a short text does not ask for much memory.
    pub(super) most: u32,
    /// Numbers of values that have names, and the number of the next one: above all that the text has.
    pub(super) names: FxHashMap<String, u32>,
    pub(super) next_name: Option<u32>,
    /// Results that have the type of an operand that was not known when they were read.
    pub(super) pending: Vec<(Value, Value)>,
    /// A line cannot be read that may define values and blocks which are not known.
    pub(super) has_unread: bool,
    /// A call that gives more than it has names for: where, and what it gives.
    pub(super) short_call: Option<(usize, String)>,
    /// Where instructions stand whose results have no names.
    pub(super) unnamed: Vec<(usize, Opcode)>,
    /// The type of a value depends on a signature that may be wrong.
    pub(super) is_unsure: bool,
    /// So many mistakes were met before this function.
    pub(super) before: usize,
}

type Values = SmallVec<[Value; 8]>;

pub(super) fn parse<'a>(p: &mut Parser<'a>) -> Parse<(Func, FuncLines)> {
    let before = p.mistakes;
    let lines = FuncLines { header: p.line(), ..FuncLines::default() };
    let header = p.header();
    let is_read = header.is_ok();
    let Header { name, signature } = header.unwrap_or_else(|error| {
        p.report(error);
        p.skip_line();
        p.headless.insert(String::new());
        Header { name: String::new(), signature: Signature::new(&[], &[]) }
    });
    let func = Func::new(name, signature);
    let most = most_numbers(p);
    let (values, blocks, pending) = (Vec::new(), Vec::new(), Vec::new());
    let (names, next_name) = (FxHashMap::default(), None);
    let (has_unread, is_unsure, short_call) = (false, false, None);
    let mut parser = FuncParser {
        p,
        func,
        lines,
        values,
        blocks,
        most,
        names,
        next_name,
        pending,
        has_unread,
        is_unsure,
        short_call,
        unnamed: Vec::new(),
        before,
    };
    if is_read && let Err(error) = parser.flags() {
        parser.p.report(error);
        parser.p.skip_line();
        // Results may stand in what cannot be read.
        parser.p.headless.insert(parser.func.name.clone());
    }
    parser.p.skip_newlines();
    while !matches!(parser.p.peek(), TokenKind::Punct('}') | TokenKind::End) {
        let start = parser.p.position();
        if let Err(error) = parser.block() {
            parser.skip(start, error);
            // Lines that stand in no block are only wrong because of the one before them.
            while !matches!(parser.p.peek(), TokenKind::Punct('}') | TokenKind::End)
                && !parser.number("block").is_ok_and(|block| block.is_some())
            {
                parser.p.skip_line();
                parser.p.skip_newlines();
            }
        }
    }
    parser.p.advance();
    parser.finish()
}

/// What the numbers of a function may be, by the length of its text: passes leave gaps, but not that many.
fn most_numbers(p: &Parser) -> u32 {
    const LEAST: u32 = 4096;
    const GAPS: u32 = 256;
    u32::try_from(p.tokens.len()).unwrap_or(u32::MAX).saturating_mul(GAPS).saturating_add(LEAST).min(MAX_NUMBER)
}

impl<'a> FuncParser<'_, 'a> {
    // -- entities -----------------------------------------------------------------------------------------------------

    fn number(&self, prefix: &str) -> Parse<Option<u32>> {
        let TokenKind::Ident(text) = *self.p.peek() else { return Ok(None) };
        match Parser::numbered(text, prefix) {
            // Slots have a limit of their own.
            Some(n) if n >= if prefix == "s" { MAX_NUMBER } else { self.most } => {
                self.p.error(format!("the number of `{}` is too large", shortened(text)))
            }
            number => Ok(number),
        }
    }

    /// Does a value come next?
    fn is_value(&self) -> Parse<bool> {
        Ok(matches!(self.p.peek(), TokenKind::Name(VALUE_SIGIL, _)) || self.number("v")?.is_some())
    }

    fn try_value(&mut self) -> Parse<Option<Value>> {
        let n = match self.p.peek() {
            TokenKind::Name(VALUE_SIGIL, name) => {
                let name = name.clone();
                self.named(&name)?
            }
            _ => match self.number("v")? {
                Some(n) => n,
                None => return Ok(None),
            },
        };
        let index = n as usize;
        if index >= self.values.len() {
            self.values.resize(index + 1, None);
        }
        let position = self.p.position();
        self.values[index].get_or_insert(KnownValue { ty: None, defined: false, position });
        self.p.advance();
        Ok(Some(Value::from_u32(n)))
    }

    pub(super) fn value(&mut self) -> Parse<Value> {
        match self.try_value()? {
            Some(value) => Ok(value),
            None => self.p.expected("a value"),
        }
    }

    pub(super) fn known(&mut self, value: Value) -> &mut KnownValue {
        self.values[value.index()].as_mut().expect("value was mentioned")
    }

    fn try_block(&mut self) -> Parse<Option<Block>> {
        let Some(n) = self.number("block")? else { return Ok(None) };
        if n as usize >= self.blocks.len() {
            self.blocks.resize(n as usize + 1, None);
        }
        let position = self.p.position();
        self.blocks[n as usize].get_or_insert((position, false));
        while self.func.blocks.len() <= n as usize {
            self.func.blocks.push(BlockData::default());
        }
        self.p.advance();
        Ok(Some(Block::from_u32(n)))
    }

    // -- blocks -------------------------------------------------------------------------------------------------------

    fn block(&mut self) -> Parse<()> {
        let (position, line) = (self.p.position(), self.p.line());
        let Some(block) = self.try_block()? else {
            let found = self.p.peek().describe();
            // The parameters of the function may stand there.
            self.has_unread = true;
            let is_value = self.is_value()?;
            return self.p.error(format!("expected a block or `}}`, found {found}{}", self.p.block_hint(is_value)));
        };
        let mention = self.blocks[block.index()].as_mut().expect("block was mentioned");
        if mention.1 {
            // Another one was meant for one of them.
            self.has_unread = true;
            let first = self.lines.blocks[block];
            return self.p.error_at(position, format!("{block} is defined twice: first in line {first}"));
        }
        mention.1 = true;
        self.lines.blocks[block] = line;
        self.func.entry.get_or_insert(block);
        self.func.layout.push(block);
        if let Err(error) = self.block_header(block) {
            // An instruction behind the name of a block: these two are exchanged, and the block is another one.
            // Or it stands in the place of an instruction, before operands.
            let is_exchanged = matches!(self.p.tokens[position + 1].kind, TokenKind::Ident(word)
                if opcodes::named(word).is_some() || Self::is_operand(word) && !self.ends_with_colon(position));
            if is_exchanged && let Some(mention) = &mut self.blocks[block.index()] {
                mention.1 = false;
                self.func.layout.pop();
            }
            self.skip(position, error);
        }
        loop {
            self.p.skip_newlines();
            if let Some(error) = self.jump_without_word() {
                self.skip(self.p.position(), error);
                continue;
            }
            let next_block = self.number("block")?.is_some();
            if next_block || matches!(self.p.peek(), TokenKind::Punct('}') | TokenKind::End) {
                return Ok(());
            }
            let start = self.p.position();
            if let Err(error) = self.inst(block).and_then(|()| self.end_of_inst()) {
                self.skip(start, error);
            }
        }
    }

    fn end_of_inst(&mut self) -> Parse<()> {
        let is_list = |kind: &TokenKind| match kind {
            TokenKind::Ident(text) => ["v", "block"].iter().any(|prefix| Parser::numbered(text, prefix).is_some()),
            TokenKind::Name(sigil, _) => *sigil == VALUE_SIGIL,
            _ => false,
        };
        let before = &self.p.tokens[self.p.at.saturating_sub(1)].kind;
        let target = self.p.at.saturating_sub(1);
        if let Some(message) = self.p.loose_arguments(target) {
            return self.p.error_at(target, message);
        }
        if is_list(before) && is_list(self.p.peek()) {
            return self.p.expected("`,` or the end of the line");
        }
        self.p.end_of_line()
    }

    fn inst(&mut self, block: Block) -> Parse<()> {
        let line = self.p.line();
        let mut results: SmallVec<[(Value, Option<Type>); 4]> = SmallVec::new();
        if self.is_value()? {
            loop {
                // First the form: without a `=` nothing is defined.
                self.p.is_defined_here()?;
                let value = self.definition()?;
                let ty = if self.p.eat(':') { Some(self.p.ty()?) } else { None };
                results.push((value, ty));
                if !self.p.eat(',') {
                    break;
                }
            }
            self.p.punct('=')?;
        }
        let position = self.p.position();
        let TokenKind::Ident(name) = *self.p.peek() else {
            if matches!(self.p.peek(), TokenKind::Name('%', _)) {
                return self.p.expected("an instruction");
            }
            let (found, hint) = (self.p.peek().describe(), self.p.instruction_hint());
            return self.p.error(format!("expected an instruction, found {found}{hint}"));
        };
        self.p.advance();
        let Some(op) = opcodes::named(name) else {
            let types = self.types_ahead();
            let message = self.p.unknown_instruction(name, &types);
            return self.p.unknown_at(position, message);
        };
        let mut args = Values::new();
        let (imm, aux) = self.operands(op, block, &mut args)?;
        self.result_types(op, imm, &args, &results)?;
        if results.is_empty() && self.gives_result(op, imm) {
            self.unnamed.push((position, op));
        }
        let pool = &mut self.func.pool;
        let list = results.iter().map(|&(value, _)| value).collect::<Values>();
        let data = InstData {
            op,
            aux,
            imm,
            args: ValueList::from_slice(&args, pool),
            results: ValueList::from_slice(&list, pool),
        };
        let inst: Inst = self.func.insts.push(data);
        self.func.blocks[block].insts.push(inst);
        self.lines.insts.push(line);
        Ok(())
    }

    /// Operands, targets and immediates.
    fn operands(&mut self, op: Opcode, block: Block, args: &mut Values) -> Parse<(u64, u32)> {
        let kind = op.info().imm;
        let (mut imm, mut aux) = (0, 0);
        match kind {
            ImmKind::Int => imm = self.p.integer()?,
            ImmKind::Float => imm = self.real()?,
            ImmKind::Func => imm = self.p.name('@')?.into(),
            ImmKind::Table => imm = self.p.name('%')?.into(),
            ImmKind::Extern => imm = self.p.external()?,
            ImmKind::NodeInfo => {
                imm = self.p.desc()?.as_u32().into();
                if !self.p.eat('/') {
                    let found = self.p.peek().describe();
                    let hint = "the number of arguments stands behind a descriptor, `$Item/0`";
                    return self.p.error(format!("expected `/`, found {found}: {hint}"));
                }
                aux = self.p.u32()?;
            }
            ImmKind::ThunkInfo => imm = self.p.name('&')?.into(),
            ImmKind::Desc => imm = self.p.desc()?.as_u32().into(),
            ImmKind::Static => match self.number("static")? {
                Some(n) if n < self.p.static_count() => {
                    self.p.advance();
                    imm = n.into();
                }
                Some(_) if self.p.is_misnumbered[0] => return self.p.error(""),
                Some(n) => return self.p.error(format!("static{n} is not defined")),
                None => {
                    let hint = match *self.p.peek() {
                        TokenKind::Number(text) => format!(": did you mean `static{text}`?"),
                        _ => String::new(),
                    };
                    let found = self.p.peek().describe();
                    return self.p.error(format!("expected a static object, found {found}{hint}"));
                }
            },
            ImmKind::Caf => {
                imm = self.p.caf()?.as_u32().into();
                if self.p.eat('/') {
                    aux = self.p.u32()?;
                }
            }
            ImmKind::Slot => match self.number("s")? {
                Some(n) => {
                    self.p.advance();
                    self.p.eat(',');
                    imm = n.into();
                }
                None => return self.p.expected("a slot"),
            },
            ImmKind::Bytes => imm = self.p.integer()?,
            ImmKind::Elements => {
                let kind = self.kind_of_elements(op)?;
                imm = kind.pack();
                aux = u32::from(self.p.eat_word("unchecked"));
            }
            ImmKind::None | ImmKind::Frame | ImmKind::Field | ImmKind::Shape | ImmKind::Offset | ImmKind::Element => {}
        }
        if matches!(kind, ImmKind::Func | ImmKind::Table | ImmKind::Extern) {
            if !self.p.eat('(') {
                let found = self.p.peek().describe();
                return self.p.error(format!("expected `(`, found {found}: arguments stand in parentheses"));
            }
            self.value_list(args)?;
            self.p.punct(')')?;
        } else {
            self.operands_and_edges(op, block, args)?;
        }
        match kind {
            ImmKind::Field | ImmKind::Shape => {
                let contiguous = kind == ImmKind::Field && self.p.eat_word("contiguous");
                self.p.shape()?;
                let (ptrs, nptrs) = self.p.payload()?;
                imm = Shape { ptrs, nptrs, contiguous }.pack();
                self.p.punct(')')?;
                if kind == ImmKind::Field {
                    aux = self.p.u32()?;
                }
            }
            ImmKind::Offset => imm = self.p.integer()?,
            ImmKind::Element => {
                self.p.word("stride")?;
                let stride = self.p.u32()?;
                self.p.word("at")?;
                imm = pack(stride, self.p.u32()?);
            }
            ImmKind::Func | ImmKind::Extern | ImmKind::Table | ImmKind::Frame | ImmKind::Bytes
                if self.p.eat_word("frame") =>
            {
                aux = self.p.u32()?;
            }
            _ => {}
        }
        while op.any(Flags::BRANCH) && matches!(kind, ImmKind::Func | ImmKind::Table) && self.p.eat(',') {
            if !self.edge(block)? {
                return self.p.expected("a block");
            }
        }
        Ok((imm, aux))
    }

    /// Values with commas in between, perhaps none.
    fn value_list(&mut self, list: &mut Values) -> Parse<()> {
        let Some(first) = self.try_value()? else { return Ok(()) };
        list.push(first);
        while self.p.eat(',') {
            list.push(self.value()?);
        }
        Ok(())
    }

    /// A target with its arguments; false if there is none.
    fn edge(&mut self, block: Block) -> Parse<bool> {
        let Some(target) = self.try_block()? else { return Ok(false) };
        let mut list = Values::new();
        if self.p.eat('(') {
            self.value_list(&mut list)?;
            self.p.punct(')')?;
        }
        let edge_args = ValueList::from_slice(&list, &mut self.func.pool);
        self.func.blocks[block].edges.push(Edge { block: target, args: edge_args });
        Ok(true)
    }

    /// Values and targets with commas in between, perhaps none.
    fn operands_and_edges(&mut self, op: Opcode, block: Block, args: &mut Values) -> Parse<()> {
        let mut first = true;
        loop {
            // It would be a target of the end of the block.
            if !op.is_terminator() && self.number("block")?.is_some() {
                let (found, name) = (self.p.peek().describe(), op.name());
                return self.p.error(format!("expected a value, found {found}: `{name}` has no target"));
            }
            let behind_target = self.p.at.saturating_sub(2);
            if !(first || args.is_empty() && op != Opcode::Jump)
                && let Some(message) = self.p.loose_arguments(behind_target)
            {
                return self.p.error_at(behind_target, message);
            }
            if let Some(value) = self.try_value()? {
                args.push(value);
            } else if self.edge(block)? {
            } else if first {
                return match *self.p.peek() {
                    TokenKind::Ident(word) if word != "frame" => self.unknown_operand(word),
                    TokenKind::Number(text) => self.number_as_operand(text),
                    TokenKind::Name(..) | TokenKind::Str(_) | TokenKind::Punct(',' | '{' | '}' | ':' | '=') => {
                        self.p.expected("a value")
                    }
                    TokenKind::Punct('(') if self.p.is_value_in_parentheses() => {
                        self.p.error("expected a value, found `(`: operands stand without parentheses")
                    }
                    _ => Ok(()),
                };
            } else if let TokenKind::Ident(word) = *self.p.peek() {
                return self.unknown_operand(word);
            } else if let TokenKind::Number(text) = *self.p.peek() {
                return self.number_as_operand(text);
            } else {
                return self.p.expected("a value or a block");
            }
            first = false;
            if !self.p.eat(',') {
                return Ok(());
            }
        }
    }
}
