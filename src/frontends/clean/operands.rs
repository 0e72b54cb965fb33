//! Operands: how each kind of the instruction table is read, what is checked, and the words of its errors.
//!
//! Each kind appends what it read to the operand table of the module. Checks that need only the line itself are here
//! (ranges, types against counts, length of bit strings); whatever needs other lines belongs to later stages.

use cleave_diag::{Diagnostic, code};

use crate::ast::Symbol;
use crate::instr::{Opcode, Operand};
use crate::lex::LexError;
use crate::parse::{Fault, Parser, shown};

const MAX_OFFSET: u32 = 65535;
const MAX_COUNT: u32 = 1000;
/// The special kinds of thunks have negative argument counts down to this one.
const MIN_ARGS: i64 = -4;

type Read<T> = Result<T, Fault>;

impl Parser<'_, '_> {
    /// Reads one operand. The earlier operands of the line start at `first` in the operand table.
    #[inline]
    pub(crate) fn operand(&mut self, op: Opcode, kind: Operand, first: usize) -> Read<()> {
        let value = match kind {
            Operand::A | Operand::B | Operand::Depth => self.number(MAX_OFFSET)?,
            Operand::N | Operand::Arity => self.number(MAX_COUNT)?,
            Operand::D | Operand::L => self.label_operand()?,
            Operand::Layout => self.layout()?,
            Operand::Int => {
                let value = self.cursor.integer()?;
                self.wide(value as u64)
            }
            Operand::Args => match self.cursor.small() {
                Some(value) if value <= MAX_COUNT => value,
                Some(_) => return Err(LexError::Range.into()),
                None => self.long_number(MIN_ARGS, MAX_COUNT)?,
            },
            Operand::OptL => {
                if self.cursor.is_at_last() {
                    Symbol::ABSENT.0
                } else {
                    self.label_operand()?
                }
            }
            Operand::OptN => {
                if self.cursor.is_at_last() {
                    2
                } else {
                    self.number(MAX_COUNT)?
                }
            }
            Operand::Char => u32::from(self.cursor.character()?),
            Operand::Str => self.cursor.string(&mut self.module.strings)?,
            _ => return self.rare_operand(op, kind, first),
        };
        self.module.operands.push(value);
        Ok(())
    }

    /// The kinds that are too rare for the fast path.
    fn rare_operand(&mut self, op: Opcode, kind: Operand, first: usize) -> Read<()> {
        let value = match kind {
            Operand::Flag => self.number(1)?,
            Operand::Real => {
                let value = self.cursor.real()?;
                self.wide(value.to_bits())
            }
            Operand::Bool => match self.cursor.label()? {
                b"TRUE" => 1,
                b"FALSE" => 0,
                _ => return Err(LexError::Kind.into()),
            },
            Operand::Raw => self.raw()?,
            Operand::RefsRaw => return self.references_and_name(first),
            Operand::Bits => self.bits(op, first)?,
            Operand::Name => self.label_operand()?,
            Operand::Types => {
                let text = self.cursor.dense()?;
                self.module.symbols.intern(text).0
            }
            Operand::Big => {
                let text = self.cursor.big()?;
                self.module.symbols.intern(text).0
            }
            Operand::Fraction => {
                let text = self.cursor.fraction()?;
                self.module.symbols.intern(text).0
            }
            Operand::OptStr => {
                if !self.cursor.is_at_last() {
                    self.cursor.string(&mut self.module.strings)?;
                }
                return Ok(());
            }
            Operand::Rest => {
                while !self.cursor.is_at_line_end() {
                    self.cursor.at += 1;
                }
                return Ok(());
            }
            _ => unreachable!("`operand` reads the other kinds"),
        };
        self.module.operands.push(value);
        Ok(())
    }

    #[inline]
    fn label_operand(&mut self) -> Read<u32> {
        let name = self.cursor.label()?;
        Ok(self.module.symbols.intern(name).0)
    }

    fn wide(&mut self, bits: u64) -> u32 {
        self.module.wide.push(bits);
        self.module.wide.len() as u32 - 1
    }

    fn raw(&mut self) -> Read<u32> {
        let text = self.cursor.raw_string()?;
        Ok(self.module.strings.push(text))
    }

    #[inline]
    fn number(&mut self, most: u32) -> Read<u32> {
        match self.cursor.small() {
            Some(value) if value <= most => Ok(value),
            Some(_) => Err(LexError::Range.into()),
            None => self.long_number(0, most),
        }
    }

    /// A number that is not plain digits: with sign, base or too long, or no number at all.
    #[cold]
    fn long_number(&mut self, least: i64, most: u32) -> Read<u32> {
        let (is_negative, magnitude) = self.cursor.signed_integer()?;
        let value = i64::try_from(magnitude).map_err(|_| LexError::Range)?;
        let value = if is_negative { -value } else { value };
        if value < least || value > i64::from(most) {
            return Err(LexError::Range.into());
        }
        Ok(value as i32 as u32)
    }

    /// `.o` and `.d`: two counts, then a letter for each element of B.
    fn layout(&mut self) -> Read<u32> {
        let a = self.number(MAX_COUNT)?;
        self.cursor.skip_blanks();
        self.word = self.cursor.at;
        let b = self.number(MAX_COUNT)?;
        if b == 0 && self.cursor.is_at_last() {
            return Ok(self.module.layouts.intern(a, &[]).0);
        }
        self.cursor.skip_blanks();
        self.word = self.cursor.at;
        self.letters.clear();
        let mut words = 0u64;
        while !self.cursor.is_at_last() {
            let letter = self.cursor.peek().to_ascii_lowercase();
            if !matches!(letter, b'i' | b'b' | b'c' | b'r' | b'f' | b'p') {
                self.word = self.cursor.at;
                self.cursor.at += 1;
                return Err(LexError::Kind.into());
            }
            self.cursor.at += 1;
            words += if letter == b'f' { 2 } else { 1 };
            self.letters.push(letter);
        }
        if words != u64::from(b) {
            let message = format!("the types stand for {words} words, but the count is {b}");
            let label = format!("{words} words on B");
            let help = "each of i, b, c, r, p is one word and f is two, in 64-bit code";
            return Err(self.report_operand(code::LAYOUT_CONTRADICTS_ITSELF, message, label, help));
        }
        Ok(self.module.layouts.intern(a, &self.letters).0)
    }

    /// The end of `.record`: descriptors of nested records, then the name. The types, read before, are checked here.
    fn references_and_name(&mut self, first: usize) -> Read<()> {
        self.check_record_types(first)?;
        let name_at = self.module.operands.len();
        self.module.operands.push(0);
        loop {
            self.cursor.skip_blanks();
            self.word = self.cursor.at;
            if self.cursor.peek() == b'"' {
                self.module.operands[name_at] = self.raw()?;
                return Ok(());
            }
            if self.module.operands.len() - name_at > MAX_COUNT as usize {
                return Err(LexError::Range.into());
            }
            let reference = self.label_operand()?;
            self.module.operands.push(reference);
        }
    }

    fn check_record_types(&mut self, first: usize) -> Read<()> {
        let (types, a, b) = match self.module.operands[first..] {
            [_, types, a, b] => (Symbol(types), a, b),
            _ => unreachable!("`.record` has four operands before its references"),
        };
        let text = self.module.symbols.name(types);
        // Only nodes and words are counted; how brackets nest does not matter here.
        let (mut nodes, mut words, mut unknown) = (0u32, 0u32, None);
        for (index, &letter) in text.iter().enumerate() {
            match letter {
                b'a' | b'w' => nodes += 1,
                b'i' | b'c' | b'b' | b'r' | b'p' => words += 1,
                b'f' => words += 2,
                b'(' | b')' | b'{' | b'}' | b',' => {}
                // Marks of strict constructors and of unboxed list cells.
                b'd' | b'l' if index == 0 => {}
                b'R' if index == 1 && text[0] == b'l' => {}
                _ => unknown = unknown.or(Some(letter)),
            }
        }
        if unknown.is_none() && (nodes, words) == (a, b) {
            return Ok(());
        }
        let label = match unknown {
            Some(letter) => format!("`{}` is no field type", shown(&[letter])),
            None => format!("{nodes} nodes and {words} words"),
        };
        let message = format!("the field types of the record do not fit its counts {a} and {b}");
        let help = "a is a node; i, c, b, r, p are one word and f is two, in 64-bit code";
        self.word =
            crate::lex::word_span(self.cursor.bytes, self.module.file, self.line_start() as u32, 2).start as usize;
        let at = self.cursor.at;
        self.cursor.at = self.cursor.word_end(self.word);
        let fault = self.report_operand(code::LAYOUT_CONTRADICTS_ITSELF, message, label, help);
        self.cursor.at = at;
        Err(fault)
    }

    fn line_start(&self) -> usize {
        let before = &self.cursor.bytes[..self.cursor.at.min(self.cursor.bytes.len())];
        before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
    }

    /// The digits of `fill1` and its kin, one per word that may be replaced.
    fn bits(&mut self, op: Opcode, first: usize) -> Read<u32> {
        let text = self.cursor.label()?;
        if text.iter().any(|byte| !matches!(byte, b'0' | b'1')) {
            return Err(LexError::Kind.into());
        }
        let operand = |number: usize| self.module.operands[first + number] as usize;
        let expected = match op {
            Opcode::fill1 | Opcode::fill2 | Opcode::fillcp => operand(1) + 1,
            Opcode::fill3 => operand(1),
            Opcode::fill1_r | Opcode::fill2_r | Opcode::fillcp_u => operand(1) + operand(2) + 1,
            Opcode::fill3_r => operand(1) + operand(2),
            _ => unreachable!("{} has no bit string", op.name()),
        };
        if text.len() != expected {
            let message = format!("`{}` needs {expected} digits here", op.name());
            let label = format!("{} digits", text.len());
            let help = "one digit per argument, and one before them for the node itself except in fill3 and fill3_r";
            return Err(self.report_operand(code::BIT_STRING, message, label, help));
        }
        Ok(self.module.symbols.intern(text).0)
    }

    /// The message for an operand that could not be read.
    pub(crate) fn operand_error(
        &self,
        op: Opcode,
        number: usize,
        error: LexError,
        start: usize,
        end: usize,
    ) -> Diagnostic {
        let kind = op.info().operands[number];
        let name = op.name();
        let expected = describe(kind);
        let word_end = self.cursor.word_end(start);
        let span = self.span(start, word_end);
        let text = shown(&self.cursor.bytes[span.start as usize..span.end as usize]);
        let diagnostic = match error {
            LexError::Missing => Diagnostic::error(code::OPERAND_MISSING, format!("`{name}` needs {expected} here"))
                .at(self.span(start, start), "the line ends"),
            LexError::Kind => {
                let message = format!("`{name}` needs {expected} here, not `{text}`");
                Diagnostic::error(code::OPERAND_KIND, message).at(span, format!("not {expected}"))
            }
            LexError::Range => {
                let is_arity = kind == Operand::Arity;
                let code = if is_arity { code::IMPOSSIBLE_ARITY } else { code::OPERAND_RANGE };
                let what = if is_arity { "the arity" } else { "the operand" };
                let message = format!("{what} `{text}` of `{name}` is out of range");
                Diagnostic::error(code, message).at(span, range(kind))
            }
            LexError::Unterminated => {
                let message = format!("{expected} without its closing quote");
                return Diagnostic::error(code::STRING_UNTERMINATED, message)
                    .at(self.span(start, end), "starts here")
                    .help("strings end on the line where they begin; a quote inside is written \\\"");
            }
        };
        if kind == Operand::Real && error == LexError::Kind {
            return diagnostic.help("a real constant has a point or an exponent: 5.0, 5E0");
        }
        diagnostic.help(usage(op))
    }

    pub(crate) fn extra_error(&self, op: Opcode, start: usize, end: usize) -> Diagnostic {
        let name = op.name();
        let message = format!("too many operands for `{name}`");
        Diagnostic::error(code::OPERAND_EXTRA, message).at(self.span(start, end), "one too many").help(usage(op))
    }
}

/// How a line is written.
fn usage(op: Opcode) -> String {
    let mut text = format!("usage: {}", op.name());
    for &kind in op.info().operands {
        text.push(' ');
        text.push_str(match kind {
            Operand::A => "A-OFFSET",
            Operand::B => "B-OFFSET",
            Operand::N | Operand::Depth | Operand::Args => "COUNT",
            Operand::Arity => "ARITY",
            Operand::Flag => "0|1",
            Operand::D => "DESCRIPTOR",
            Operand::L if op == Opcode::dot_export => "LABEL…",
            Operand::L => "LABEL",
            Operand::OptL => "[LABEL]",
            Operand::OptN => "[COUNT]",
            Operand::Int => "INTEGER",
            Operand::Real => "REAL",
            Operand::Char => "'C'",
            Operand::Bool => "TRUE|FALSE",
            Operand::Str | Operand::Raw => "\"STRING\"",
            Operand::OptStr => "[\"STRING\"]",
            Operand::RefsRaw => "[DESCRIPTOR…] \"STRING\"",
            Operand::Bits => "BITS",
            Operand::Name => "NAME",
            Operand::Types => "TYPES",
            Operand::Big => "INTEGER",
            Operand::Fraction => "REAL",
            Operand::Layout => "A-COUNT B-COUNT [TYPES]",
            Operand::Rest => "…",
        });
    }
    text
}

/// An operand in words.
fn describe(kind: Operand) -> &'static str {
    match kind {
        Operand::A => "an offset on the A stack",
        Operand::B => "an offset on the B stack",
        Operand::N | Operand::OptN | Operand::Depth | Operand::Args => "a number",
        Operand::Arity => "an arity",
        Operand::Flag => "0 or 1",
        Operand::D => "a descriptor",
        Operand::L | Operand::OptL => "a label",
        Operand::Int | Operand::Big => "an integer",
        Operand::Real => "a real",
        Operand::Fraction => "a decimal fraction",
        Operand::Char => "a character constant",
        Operand::Bool => "TRUE or FALSE",
        Operand::Str | Operand::OptStr | Operand::Raw => "a string",
        Operand::RefsRaw => "a descriptor or a string",
        Operand::Bits => "a string of 0 and 1",
        Operand::Name => "a name",
        Operand::Types => "the field types",
        Operand::Layout => "two counts and the types of B",
        Operand::Rest => "text",
    }
}

/// The values that an operand may have.
fn range(kind: Operand) -> String {
    match kind {
        Operand::A | Operand::B | Operand::Depth => format!("must lie between 0 and {MAX_OFFSET}"),
        Operand::Args => format!("must lie between {MIN_ARGS} and {MAX_COUNT}"),
        Operand::Flag => "must be 0 or 1".to_string(),
        Operand::Int | Operand::Real => "does not fit in 64 bits".to_string(),
        Operand::Char | Operand::Str | Operand::OptStr => "character codes end at \\377".to_string(),
        Operand::RefsRaw => format!("at most {MAX_COUNT} nested records"),
        _ => format!("must lie between 0 and {MAX_COUNT}"),
    }
}
