//! ABC text to [`ParsedModule`]: the lines of a file, its header, and what makes a file complete.
//!
//! Place in the pipeline: first stage after loading; one call per file, independent of all others. Operands are read
//! by `operands`, words by `lex`.
//!
//! Every line is parsed by itself, so an error costs one line and the next is read as usual; at most twenty errors per
//! file are shown. A file that is no ABC text at all gives one error. No recursion, one pass, linear time; about 25
//! bytes are kept per line.

use cleave_diag::{Code, Diagnostic, FileId, Sink, Span, code};

use crate::ast::{Comp, Depend, NativeNeed, ParsedModule, Symbol};
use crate::file_check::refuse_whole_file;
use crate::instr::{ALL, Class, Control, Opcode};
use crate::lex::{Cursor, LexError};

/// The option digit of `.comp` that says that the module is for 64 bits.
const DIGIT_64_BIT: usize = 10;

/// The version of the language, and those that can be read, perhaps wrongly.
const VERSION: u64 = 920;
const VERSIONS: std::ops::RangeInclusive<u64> = 900..=999;

/// Parses a module. `name` is used if the file has no `.module`. Returns `None` if the file has errors, which are
/// in the sink then.
pub fn parse(file: FileId, name: &str, bytes: &[u8], sink: &mut Sink) -> Option<ParsedModule> {
    parse_with_imports(file, name, bytes, sink).ok()
}

/// As [`parse`]; of a module with errors the imports are returned, so that what is wrong with them can be said, too.
pub fn parse_with_imports(
    file: FileId,
    name: &str,
    bytes: &[u8],
    sink: &mut Sink,
) -> Result<ParsedModule, Vec<Depend>> {
    if let Some(diagnostic) = refuse_whole_file(file, bytes) {
        sink.report(diagnostic);
        return Err(Vec::new());
    }
    let mut parser = Parser {
        cursor: Cursor::new(bytes),
        file,
        module: ParsedModule::new(name.to_string(), file),
        sink,
        section: Section::Start,
        has_start: false,
        has_module: false,
        has_errors: false,
        word: 0,
        letters: Vec::new(),
    };
    parser.file();
    if parser.has_errors { Err(parser.module.depends) } else { Ok(parser.module) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Nothing read yet: only `.comp` may come.
    Start,
    /// Between `.comp` and `.endinfo`.
    Header,
    /// After `.endinfo`.
    Body,
    /// Further lines cannot be judged; stop.
    Abandoned,
}

/// An operand could not be read.
pub(crate) enum Fault {
    /// Not yet reported.
    Lex(LexError),
    Reported,
}

impl From<LexError> for Fault {
    fn from(error: LexError) -> Fault {
        Fault::Lex(error)
    }
}

pub(crate) struct Parser<'s, 'k> {
    pub(crate) cursor: Cursor<'s>,
    pub(crate) module: ParsedModule,
    file: FileId,
    sink: &'k mut Sink,
    section: Section,
    has_start: bool,
    has_module: bool,
    has_errors: bool,
    /// Where the operand that is being read starts.
    pub(crate) word: usize,
    /// Type letters of a layout, kept to be used again.
    pub(crate) letters: Vec<u8>,
}

impl<'s> Parser<'s, '_> {
    fn file(&mut self) {
        while !self.cursor.is_at_end() && self.section != Section::Abandoned {
            match self.cursor.peek() {
                b' ' | b'\t' => self.instruction(),
                b'.' => self.directive(),
                b'|' => self.cursor.skip_line(),
                _ if self.cursor.is_at_line_end() => self.cursor.skip_line(),
                _ => self.label(),
            }
        }
        self.check_end();
    }

    fn label(&mut self) {
        let start = self.cursor.at;
        let name = self.cursor.word();
        if self.section != Section::Body && !self.leave_header(start) {
            return;
        }
        self.cursor.skip_blanks();
        if name.is_empty() || (self.cursor.at == start + name.len() && !self.cursor.is_at_line_end()) {
            return self.bad_character();
        }
        let symbol = self.module.symbols.intern(name);
        let first = self.module.operands.len();
        self.module.operands.push(symbol.0);
        self.module.push_item(Opcode::label, start as u32, first);
        // An instruction may follow on the same line.
        self.instruction();
    }

    fn instruction(&mut self) {
        if self.cursor.is_at_last() {
            return self.cursor.skip_line();
        }
        let start = self.cursor.at;
        let name = self.cursor.word();
        if self.section != Section::Body && !self.leave_header(start) {
            return;
        }
        match Opcode::find(name) {
            Some(op) if op.info().class != Class::Directive => self.line(op, start),
            _ if name.is_empty() => self.bad_character(),
            found => self.unknown(start, name, found.is_some()),
        }
    }

    fn directive(&mut self) {
        let start = self.cursor.at;
        let name = self.cursor.word();
        let Some(op) = Opcode::find(name) else {
            if self.section != Section::Start || self.leave_header(start) {
                self.unknown(start, name, false);
            }
            return;
        };
        let belongs = match op {
            Opcode::dot_comp => self.section == Section::Start,
            Opcode::dot_start | Opcode::dot_depend | Opcode::dot_endinfo => self.section == Section::Header,
            Opcode::dot_impobj | Opcode::dot_implib => self.section != Section::Start,
            _ if is_ignored(op) => self.section != Section::Start,
            _ => self.section == Section::Body || self.leave_header(start),
        };
        if self.section == Section::Abandoned {
            return;
        }
        if !belongs {
            if self.section == Section::Start {
                self.leave_header(start);
            } else {
                self.misplaced(op, start);
                self.cursor.skip_line();
            }
            return;
        }
        self.line(op, start);
    }

    /// Called at a line that belongs after the header, before `.endinfo` was seen. False if the file is given up.
    #[cold]
    fn leave_header(&mut self, start: usize) -> bool {
        let span = self.span(start, self.cursor.at);
        if self.section == Section::Start {
            self.section = Section::Abandoned;
            self.report(|_| {
                Diagnostic::error(code::FILE_NOT_ABC, "this is not an ABC file: it does not begin with .comp")
                    .at(span, "the first line must be .comp")
                    .help("name the .abc file that the Clean compiler wrote")
            });
            return false;
        }
        self.section = Section::Body;
        self.report(|_| {
            Diagnostic::error(code::HEADER_ORDER, "the header of the module is not closed")
                .at(span, "this belongs after .endinfo")
                .help("put the line .endinfo before it")
        });
        true
    }

    /// Reads the operands of a line whose first word was read.
    #[inline]
    fn line(&mut self, op: Opcode, start: usize) {
        let first = self.module.operands.len();
        let operands = op.info().operands;
        for (number, &kind) in operands.iter().enumerate() {
            self.cursor.skip_blanks();
            self.word = self.cursor.at;
            if let Err(fault) = self.operand(op, kind, first) {
                return self.give_up_line(op, number, first, fault);
            }
        }
        // More labels may follow the first one.
        if op == Opcode::dot_export {
            return self.exports(start, first);
        }
        if !self.cursor.finish_line() {
            self.extra(op);
            return self.drop_line(first);
        }
        if op.info().class == Class::Directive && !self.keeps_item(op, start, first) {
            self.module.operands.truncate(first);
            return;
        }
        if op.info().class == Class::Fused {
            return self.expand(op, start, first);
        }
        self.module.push_item(op, start as u32, first);
    }

    #[cold]
    fn give_up_line(&mut self, op: Opcode, number: usize, first: usize, fault: Fault) {
        if let Fault::Lex(error) = fault {
            let (start, end) = (self.word, self.cursor.at);
            self.report(|parser| parser.operand_error(op, number, error, start, end));
        }
        self.drop_line(first);
        if op == Opcode::dot_comp {
            // Without its options the rest of the file has no meaning.
            self.section = Section::Abandoned;
        }
    }

    fn drop_line(&mut self, first: usize) {
        self.module.operands.truncate(first);
        self.cursor.skip_line();
    }

    /// `.export` with all its labels: one item per label.
    fn exports(&mut self, start: usize, mut first: usize) {
        loop {
            self.module.push_item(Opcode::dot_export, start as u32, first);
            if self.cursor.is_at_last() {
                return self.cursor.skip_line();
            }
            first = self.module.operands.len();
            self.word = self.cursor.at;
            match self.cursor.label() {
                Ok(name) => {
                    let symbol = self.module.symbols.intern(name);
                    self.module.operands.push(symbol.0);
                }
                Err(error) => return self.give_up_line(Opcode::dot_export, 0, first, Fault::Lex(error)),
            }
        }
    }

    /// Handles directives of the header and those that mean nothing to us; true if the line becomes an item.
    fn keeps_item(&mut self, op: Opcode, start: usize, first: usize) -> bool {
        let operand = |number: usize| self.module.operands[first + number];
        let span = Span::new(self.file, start as u32, self.cursor.word_end(start) as u32);
        match op {
            Opcode::dot_comp => {
                let (version, options) = (self.module.wide[operand(0) as usize], Symbol(operand(1)));
                self.header(version, options, span);
            }
            Opcode::dot_endinfo => self.section = Section::Body,
            Opcode::dot_start => {
                let symbol = Symbol(operand(0));
                if self.has_start {
                    self.misplaced(op, start);
                }
                self.has_start = true;
                let is_real = self.module.symbols.name(symbol) != b"_nostart_";
                self.module.start = is_real.then_some(symbol);
                self.module.start_span = span;
            }
            Opcode::dot_depend => {
                let name = self.module.strings.get(operand(0)).to_vec();
                let span = crate::lex::word_span(self.cursor.bytes, self.file, start as u32, 1);
                self.module.depends.push(Depend { name, span });
            }
            Opcode::dot_impobj | Opcode::dot_implib => {
                let name = self.module.strings.get(operand(0)).to_vec();
                self.module.natives.push(NativeNeed { name, is_library: op == Opcode::dot_implib, span });
            }
            Opcode::dot_module => {
                let name = String::from_utf8_lossy(self.module.strings.get(operand(1))).into_owned();
                if self.has_module {
                    self.misplaced(op, start);
                }
                self.has_module = true;
                self.module.name = name;
                return true;
            }
            _ => return !is_ignored(op),
        }
        false
    }

    /// The contents of `.comp`.
    fn header(&mut self, version: u64, options: Symbol, span: Span) {
        let options = self.module.symbols.text(options);
        self.section = Section::Header;
        let age = if version < VERSION { "older" } else { "newer" };
        if version != VERSION && VERSIONS.contains(&version) {
            let message = format!("this module has ABC version {version}, {age} than {VERSION}");
            let diagnostic = Diagnostic::warning(code::UNSUPPORTED_VERSION, message)
                .at(span, format!("version {VERSION} is known"))
                .help("if it is refused or misbehaves, compile it with a current Clean compiler");
            self.sink.report(diagnostic);
        }
        if !VERSIONS.contains(&version) {
            self.section = Section::Abandoned;
            self.report(|_| {
                Diagnostic::error(code::UNSUPPORTED_VERSION, format!("ABC version {version} is not supported"))
                    .at(span, format!("{age} than {VERSION}, the version that is known"))
                    .help("compile the module with a current Clean compiler")
            });
        } else if options.as_bytes().get(DIGIT_64_BIT) != Some(&b'1') {
            self.section = Section::Abandoned;
            self.report(|_| {
                Diagnostic::error(code::MODULE_IS_32_BIT, "this module was compiled for 32 bits")
                    .at(span, format!("digit {DIGIT_64_BIT} of the options, counted from 0, is not 1"))
                    .help("compile it with the 64-bit Clean compiler")
            });
        }
        self.module.comp = Comp { version: version as u32, options };
    }

    /// A file may break off between lines: the header must be closed, something must follow it, and code must end with
    /// an instruction that goes elsewhere.
    fn check_end(&mut self) {
        let end = self.cursor.bytes.len();
        let problem = match self.section {
            Section::Abandoned => return,
            Section::Start => {
                self.leave_header(end);
                return;
            }
            Section::Header => "the file ends before .endinfo",
            Section::Body if self.module.items.is_empty() => "the file ends after .endinfo: it has no contents",
            Section::Body => {
                let code = |&op: &Opcode| {
                    let info = op.info();
                    let is_stack = matches!(op, Opcode::dot_d | Opcode::dot_o | Opcode::label);
                    is_stack || (info.class != Class::Directive && op != Opcode::centry)
                };
                let last = self.module.items.iter().rev().map(|item| item.op).find(code);
                match last {
                    // A call may be to something that never returns: the stack simulation knows.
                    None => return,
                    Some(op) if op.info().control.ends_block() || op.info().control == Control::Call => return,
                    Some(_) => "the file ends in the middle of a function",
                }
            }
        };
        // With other errors in the file this one is likely to be a consequence.
        if !self.has_errors {
            let span = self.span(end, end);
            self.report(|_| {
                Diagnostic::error(code::FILE_TRUNCATED, problem)
                    .at(span, "more is expected here")
                    .help("the file seems to be cut off: compile the Clean module again")
            });
        }
    }

    #[cold]
    fn bad_character(&mut self) {
        let at = self.cursor.at;
        let byte = self.cursor.peek();
        let span = self.span(at, at + 1);
        self.report(|_| {
            let shown = if byte.is_ascii_graphic() { format!("`{}`", byte as char) } else { format!("0x{byte:02x}") };
            let message = format!("the character {shown} cannot stand here");
            Diagnostic::error(code::BAD_CHARACTER, message)
                .at(span, "no label, instruction or operand contains it")
                .help("brackets, commas and bytes above 126 occur only inside strings and character constants")
        });
        self.cursor.skip_line();
    }

    #[cold]
    fn unknown(&mut self, start: usize, name: &[u8], is_directive: bool) {
        let span = self.span(start, start + name.len());
        self.report(|_| {
            let shown = shown(name);
            if is_directive {
                return Diagnostic::error(code::UNKNOWN_INSTRUCTION, format!("`{shown}` is not an instruction"))
                    .at(span, "this is a directive")
                    .help("directives start in the first column");
            }
            let has_dot = name.starts_with(b".");
            let (code, what) = if has_dot {
                (code::UNKNOWN_DIRECTIVE, "directive")
            } else {
                (code::UNKNOWN_INSTRUCTION, "instruction")
            };
            let names = ALL.iter().filter(|&&op| op != Opcode::label && op.name().starts_with('.') == has_dot);
            let near = cleave_diag::nearest(name, names.map(|op| op.name().as_bytes()));
            let diagnostic = Diagnostic::error(code, format!("unknown {what} `{shown}`")).at(span, "not known");
            match near {
                Some(near) => diagnostic.help(format!("did you mean `{}`?", String::from_utf8_lossy(near))),
                None if has_dot => diagnostic.help("only directives start with a dot in the first column"),
                None => diagnostic.help("a line that starts with a blank is an instruction; labels start at once"),
            }
        });
        self.cursor.skip_line();
    }

    #[cold]
    fn misplaced(&mut self, op: Opcode, start: usize) {
        let span = self.span(start, self.cursor.word_end(start));
        self.report(|_| {
            let name = op.name();
            Diagnostic::error(code::HEADER_ORDER, format!("misplaced or repeated {name}"))
                .at(span, "not expected here")
                .help("order: .comp, .start, .depend lines, .endinfo, .module; each once except .depend")
        });
    }

    #[cold]
    fn extra(&mut self, op: Opcode) {
        let start = self.cursor.at;
        let end = self.cursor.word_end(start);
        self.word = start;
        self.report(|parser| parser.extra_error(op, start, end));
    }

    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        let length = self.cursor.bytes.len();
        Span::new(self.file, start.min(length) as u32, end.min(length) as u32)
    }

    /// Reports an error; the message is made only if it is shown.
    #[cold]
    pub(crate) fn report(&mut self, make: impl FnOnce(&Self) -> Diagnostic) {
        self.has_errors = true;
        if self.sink.is_full(self.file) {
            self.sink.count_hidden(self.file);
        } else {
            let diagnostic = make(self);
            self.sink.report(diagnostic);
        }
    }

    /// Reports an error about the operand that starts at `word` and was read up to here.
    #[cold]
    pub(crate) fn report_operand(&mut self, code: Code, message: String, label: String, help: &str) -> Fault {
        let span = self.span(self.word, self.cursor.at);
        self.report(|_| Diagnostic::error(code, message).at(span, label).help(help));
        Fault::Reported
    }
}

/// Directives that say nothing to us: profiling, and leftovers of older tools. They may stand anywhere.
fn is_ignored(op: Opcode) -> bool {
    use Opcode::*;
    matches!(op, dot_pb | dot_pd | dot_pe | dot_pl | dot_pld | dot_pn | dot_pt)
        || matches!(op, dot_code | dot_algtype | dot_n_string | dot_newlocallabel)
}

/// A name as it is shown in messages: long ones are cut.
pub(crate) fn shown(name: &[u8]) -> String {
    const LONGEST: usize = 60;
    let text = String::from_utf8_lossy(&name[..name.len().min(LONGEST)]).into_owned();
    if name.len() > LONGEST { text + "…" } else { text }
}
