//! Tests of the ABC parser: what it accepts, and the one message for each thing that it does not.

use cleave_diag::{Code, Diagnostic, FileId, Sink, SourceMap, code, short};

use cleave_clean::ast::{BWord, ParsedModule, Symbol};
use cleave_clean::instr::{ALL, Class, Opcode, Operand};
use cleave_clean::lex::{line_span, word_span};
use cleave_clean::parse;

const HEADER: &str = ".comp 920 0101110100100\n.start _nostart_\n.endinfo\n.module m_t \"t\"\n";

fn parse_bytes(bytes: &[u8]) -> (Option<ParsedModule>, Sink) {
    let mut sink = Sink::new();
    let module = parse(FileId(0), "from_file", bytes, &mut sink);
    assert_eq!(module.is_none(), sink.has_errors());
    (module, sink)
}

/// Parses lines after the usual header; they must be right.
fn good(body: &[u8]) -> ParsedModule {
    let (module, sink) = parse_bytes(&[HEADER.as_bytes(), body].concat());
    module.unwrap_or_else(|| panic!("{:?}", sink.diagnostics()))
}

/// The errors of lines after the usual header.
fn bad(body: &str) -> Vec<Diagnostic> {
    parse_bytes(format!("{HEADER}{body}").as_bytes()).1.diagnostics().to_vec()
}

/// The codes, and the text under each error, of a whole file.
fn errors_of(bytes: &[u8]) -> Vec<(Code, String)> {
    let (_, sink) = parse_bytes(bytes);
    let text = |diagnostic: &Diagnostic| {
        let span = diagnostic.primary.as_ref().expect("all parser errors have a place").span;
        String::from_utf8_lossy(&bytes[span.start as usize..span.end as usize]).into_owned()
    };
    sink.diagnostics().iter().map(|diagnostic| (diagnostic.code, text(diagnostic))).collect()
}

fn assert_error(line: &str, code: Code, under: &str) {
    let bytes = format!("{HEADER}\trtn\n{line}\n\trtn\n");
    let errors = errors_of(bytes.as_bytes());
    assert_eq!(errors, [(code, under.to_string())], "{line}");
    let (_, sink) = parse_bytes(bytes.as_bytes());
    assert!(!sink.diagnostics()[0].help.is_empty(), "{line}: no help");
}

/// Opcodes without the `.module` of the header.
fn opcodes(module: &ParsedModule) -> Vec<Opcode> {
    module.items.iter().skip(1).map(|item| item.op).collect()
}

#[test]
fn header_fields() {
    let text = b".comp 920 0101110100100\n.start __m_Start\n.depend \"a b\" \"time\"\n.depend \"c\"\n.impobj \"x.o\"\n\
        .implib \"y\"\n.endinfo\n.module m_main \"main\" \"time\"\n";
    let (module, _) = parse_bytes(text);
    let module = module.expect("correct");
    assert_eq!((module.name.as_str(), module.comp.version), ("main", 920));
    assert_eq!(module.comp.options, "0101110100100");
    assert_eq!(module.start.map(|start| module.text_of(start)).as_deref(), Some("__m_Start"));
    let depends: Vec<&[u8]> = module.depends.iter().map(|depend| depend.name.as_slice()).collect();
    assert_eq!(depends, [b"a b".as_slice(), b"c"]);
    let span = module.depends[1].span;
    assert_eq!(&text[span.start as usize..span.end as usize], b"\"c\"");
    assert_eq!(module.natives.len(), 2);
    assert!(!module.natives[0].is_library && module.natives[1].is_library);
    assert_eq!(module.items.len(), 1);
    assert_eq!((module.line(0).name(0), module.line(0).string(1)), (b"m_main".as_slice(), b"main".as_slice()));
    assert_eq!(good(b"").start, None);
    let nameless = parse_bytes(b".comp 920 0101110100100\n.endinfo\n.impdesc D\n").0.expect("correct");
    assert_eq!(nameless.name, "from_file");
}

#[test]
fn labels_of_all_characters() {
    let name = br##"aZ09@#$%^&*-+/=<>\_~.?'"|`!:{};"##;
    let body = [b".o 0 0\n".as_slice(), name, b"\n\tjmp ", name, b"\n"].concat();
    let module = good(&body);
    assert_eq!(opcodes(&module), [Opcode::dot_o, Opcode::label, Opcode::jmp]);
    assert_eq!(module.line(2).name(0), name);
    assert_eq!(module.line(2).symbol(0), module.line(3).symbol(0));
    assert_eq!(module.symbols.find(name), Some(module.line(2).symbol(0)));
}

#[test]
fn label_and_instruction_on_one_line() {
    let module = good(b"x\tpush_a 3 | c\ny | only a comment\nz  rtn");
    assert_eq!(opcodes(&module), [Opcode::label, Opcode::push_a, Opcode::label, Opcode::label, Opcode::rtn]);
    assert_eq!(module.line(2).n(0), 3);
}

#[test]
fn comments_only_where_a_word_may_start() {
    let body = b"|whole\n|| debug\n   | after blanks\n\t\n\tpushC '|' | c\n\tbuildAC \"a|b\"|c\n\tpush_a 1|c\n\
        \tcreate | c\n.implab n_x | c\n.export a b | c\n.n 0 _ | c\n\tpushI 5 |\n\tjmp y|z\n";
    let module = good(body);
    use Opcode::*;
    assert_eq!(
        opcodes(&module),
        [pushC, buildAC, push_a, create, dot_implab, dot_export, dot_export, dot_n, pushI, jmp]
    );
    assert_eq!(module.line(1).n(0), u32::from(b'|'));
    assert_eq!(module.line(2).string(0), b"a|b");
    assert_eq!(module.line(4).n(0), 2);
    assert_eq!(module.line(5).symbol(1), Symbol::ABSENT);
    assert_eq!(module.line(8).symbol(2), Symbol::ABSENT);
    assert_eq!(module.line(10).name(0), b"y|z");
    assert_error("\tjmp |x", code::OPERAND_MISSING, "");
}

#[test]
fn integers() {
    let cases: [(&str, i64); 12] = [
        ("0", 0),
        ("-5", -5),
        ("+7", 7),
        ("0x10", 16),
        ("-0xff", -255),
        ("0o17", 15),
        ("9223372036854775807", i64::MAX),
        ("-9223372036854775808", i64::MIN),
        ("18446744073709551615", -1),
        ("0xFFFFFFFFFFFFFFFF", -1),
        ("00012", 12),
        ("0000000000000000000000012", 12),
    ];
    for (text, value) in cases {
        let module = good(format!("\tpushI {text}\n\trtn\n").as_bytes());
        assert_eq!(module.line(1).int(0), value, "{text}");
    }
    assert_error("\tpushI 18446744073709551616", code::OPERAND_RANGE, "18446744073709551616");
    assert_error("\tpushI -9223372036854775809", code::OPERAND_RANGE, "-9223372036854775809");
    for text in ["abc", "12x", "-", "0x", "0o8", "1.5", "'a'", "\"1\"", "--1"] {
        assert_error(&format!("\tpushI {text}"), code::OPERAND_KIND, text);
    }
}

#[test]
fn reals() {
    let cases = [
        ("0.0", 0.0),
        ("-1.25", -1.25),
        ("+2.5", 2.5),
        ("1E10", 1e10),
        ("1.5e-3", 1.5e-3),
        ("1.0E+2", 100.0),
        ("1.7976931348623157E308", f64::MAX),
        ("5E-324", 5e-324),
        ("1E9999", f64::INFINITY),
        ("-1E9999", f64::NEG_INFINITY),
        ("1E99999999999999999999999", f64::INFINITY),
        ("0x10", 16.0),
        ("-0x1", -1.0),
        ("3.", 3.0),
    ];
    for (text, value) in cases {
        let module = good(format!("\tpushR {text}\n\trtn\n").as_bytes());
        assert_eq!(module.line(1).real(0), value, "{text}");
    }
    let zero = good(b"\tpushR -0.0\n\trtn\n");
    assert_eq!(zero.line(1).real(0).to_bits(), (-0.0f64).to_bits());
    for text in ["5", "abc", ".5", "1.0x", "1E", "1.0E+", "nan", "inf", "1.0.0"] {
        assert_error(&format!("\tpushR {text}"), code::OPERAND_KIND, text);
    }
}

#[test]
fn characters_and_booleans() {
    let cases: [(&[u8], u8); 12] = [
        (b"'a'", b'a'),
        (b"'\"'", b'"'),
        (b"' '", b' '),
        (b"'('", b'('),
        (b"'\\''", b'\''),
        (b"'\\\\'", b'\\'),
        (b"'\\n'", b'\n'),
        (b"'\\000'", 0),
        (b"'\\377'", 255),
        (b"'\\7'", 7),
        (b"'\\b'", 8),
        (b"'\xe9'", 0xe9),
    ];
    for (text, value) in cases {
        let module = good(&[b"\teqC_b ", text, b" 2\n\trtn\n"].concat());
        assert_eq!((module.line(1).n(0), module.line(1).n(1)), (u32::from(value), 2), "{text:?}");
    }
    assert_error("\tpushC 'ab'", code::STRING_UNTERMINATED, "'a");
    assert_error("\tpushC 'a", code::STRING_UNTERMINATED, "'a");
    assert_error("\tpushC '", code::STRING_UNTERMINATED, "'");
    assert_error("\tpushC '''", code::OPERAND_KIND, "'''");
    assert_error("\tpushC '\\400'", code::OPERAND_RANGE, "'\\400'");
    assert_error("\tpushC 65", code::OPERAND_KIND, "65");
    let module = good(b"\tpushB TRUE\n\tpushB FALSE\n\trtn\n");
    assert_eq!((module.line(1).n(0), module.line(2).n(0)), (1, 0));
    assert_error("\tpushB true", code::OPERAND_KIND, "true");
}

#[test]
fn strings_with_and_without_escapes() {
    let module = good(b"\tbuildAC \"a\\n\\\"\\\\\\0011\\x\xe9\\377\"\n\tbuildAC \"\"\n\trtn\n");
    assert_eq!(module.line(1).string(0), b"a\n\"\\\x011x\xe9\xff");
    assert_eq!(module.line(2).string(0), b"");
    // The operator /\ ends its name with a backslash: the names of descriptors have no escapes.
    let module = good(b".desc d1 n1 l1 2 0 \"/\\\"\n.record r a 1 0 \"x\\ny\"\n.string x_1 \"a\\nb\"\n");
    assert_eq!(module.line(1).string(5), b"/\\");
    assert_eq!(module.line(2).string(4), b"x\\ny");
    assert_eq!(module.line(3).string(1), b"a\nb");
    assert_error("\tbuildAC \"abc", code::STRING_UNTERMINATED, "\"abc");
    assert_error("\tbuildAC \"abc\\", code::STRING_UNTERMINATED, "\"abc\\");
    assert_error("\tbuildAC \"abc\\777\"", code::OPERAND_RANGE, "\"abc\\777\"");
    assert_error("\tbuildAC abc", code::OPERAND_KIND, "abc");
    assert_error(".desc d n l 1 0 \"abc", code::STRING_UNTERMINATED, "\"abc");
}

#[test]
fn line_ends() {
    let text = format!("{HEADER}x\n\tpush_a 1\n\n\tbuildAC \"s\"\n\tpushI 1\n.d 1 1 i\n\trtn");
    let unix = parse_bytes(text.as_bytes()).0.expect("no final line break");
    let dos = parse_bytes(text.replace('\n', "\r\n").as_bytes()).0.expect("CR LF");
    let dos_end = parse_bytes(format!("{}\r", text.replace('\n', "\r\n")).as_bytes()).0.expect("CR at the end");
    for other in [&dos, &dos_end] {
        assert_eq!(opcodes(&unix), opcodes(other));
        assert_eq!(unix.operands, other.operands);
    }
    // A CR elsewhere is no line end.
    assert_error("\tpush_a 1\r 2", code::OPERAND_EXTRA, "\r");
}

#[test]
fn layouts() {
    let module =
        good(b".o 2 0\n.d 1 3 if\n.d 1 3 i F\n.o 1 3 I f\n.o 0 5 bcrpi\n.o 2 0 | c\n.d 1 0\n.o 0 2 ii|c\n\trtn\n");
    let ids: Vec<u32> = module.lines().skip(1).take(8).map(|line| line.layout_id().0).collect();
    assert_eq!(ids, [0, 1, 1, 1, 2, 0, 3, 4]);
    assert_eq!((module.line(1).layout().a, module.line(1).layout().b), (2, [].as_slice()));
    let with_file = module.line(2).layout();
    assert_eq!((with_file.a, with_file.b), (1, [BWord::Int, BWord::FileNumber, BWord::FilePosition].as_slice()));
    use BWord::*;
    assert_eq!(module.line(5).layout().b, [Bool, Char, Real, Address, Int]);
    assert_error(".o 1 1", code::LAYOUT_CONTRADICTS_ITSELF, "");
    assert_error(".o 1 2 r", code::LAYOUT_CONTRADICTS_ITSELF, "r");
    assert_error(".o 1 1 ii", code::LAYOUT_CONTRADICTS_ITSELF, "ii");
    assert_error(".o 1 0 i", code::LAYOUT_CONTRADICTS_ITSELF, "i");
    assert_error(".o 1 1 f", code::LAYOUT_CONTRADICTS_ITSELF, "f");
    assert_error(".o 1 1 a", code::OPERAND_KIND, "a");
    assert_error(".o 1", code::OPERAND_MISSING, "");
    assert_error(".o 1 x", code::OPERAND_KIND, "x");
    assert_error(".o 1001 0", code::OPERAND_RANGE, "1001");
    assert_error(".o -1 0", code::OPERAND_RANGE, "-1");
}

#[test]
fn directives_with_their_operands() {
    let module = good(
        b".desc d1 n1 _add_arg 2 1 \"D\"\n.descexp d2 _hnf l2 0 0 \"E\"\n.descn d3 n3 4 0 \"F\"\n.desc0 d4 1500 \"G\"\n\
        .descs d5 n5 _ 10 0 \"H\"\n.record r1 d{i(a,a)}cf 2 4 r2 r3 \"R\"\n.caf v1 1 2\n.n -2 _ ea\n.n 3 d1 _\n\
        .nu 1 2 _ ea2\n.a 2 a1\n.ai 0 _ i1\n.implab n e\n.impmod M\n.inline x(y\n.end\n.keep 3 4\n.pb \"x\"\n.pe\n\
        .code 1 2 3\n.newlocallabel q\n",
    );
    use Opcode::*;
    let expected = [
        dot_desc,
        dot_descexp,
        dot_descn,
        dot_desc0,
        dot_descs,
        dot_record,
        dot_caf,
        dot_n,
        dot_n,
        dot_nu,
        dot_a,
        dot_ai,
        dot_implab,
        dot_impmod,
        dot_inline,
        dot_end,
        dot_keep,
    ];
    assert_eq!(opcodes(&module), expected);
    let line = |number: usize| module.line(number + 1);
    assert_eq!((line(0).symbol(2), line(0).n(3), line(0).n(4)), (Symbol::ADD_ARG, 2, 1));
    assert_eq!((line(1).symbol(1), line(1).string(5)), (Symbol::HNF, b"E".as_slice()));
    assert_eq!((line(2).n(2), line(2).string(4)), (4, b"F".as_slice()));
    assert_eq!((line(3).n(1), line(3).string(2)), (1500, b"G".as_slice()));
    assert_eq!((line(4).label(2), line(4).n(3), line(4).string(5)), (None, 10, b"H".as_slice()));
    let references: Vec<String> = line(5).record_ptrs().map(|symbol| module.text_of(symbol)).collect();
    assert_eq!((line(5).name(1), line(5).string(4)), (b"d{i(a,a)}cf".as_slice(), b"R".as_slice()));
    assert_eq!(references, ["r2", "r3"]);
    assert_eq!((line(7).signed(0), line(7).label(1), line(7).name(2)), (-2, None, b"ea".as_slice()));
    assert_eq!((line(8).symbol(2), line(9).n(1)), (Symbol::NONE, 2));
    assert_eq!((line(16).n(0), line(16).n(1)), (3, 4));
}

#[test]
fn header_errors() {
    assert_eq!(errors_of(b"")[0].0, code::FILE_EMPTY);
    assert_eq!(errors_of(b" \r\n\n")[0].0, code::FILE_EMPTY);
    assert_eq!(errors_of(b"\x7fELF\x00\x01"), [(code::FILE_NOT_ABC, String::new())]);
    for text in
        ["hello\nworld\n", "module m\nimport StdEnv\n", "\tpush_a 1\n", ".start x\n", "| only a comment\n", "\u{e9}"]
    {
        let errors = errors_of(text.as_bytes());
        assert_eq!(errors.len(), 1, "{text:?}");
        assert_eq!(errors[0].0, code::FILE_NOT_ABC, "{text:?}");
    }
    let wrong = |text: &str| errors_of(text.as_bytes()).iter().map(|error| error.0).collect::<Vec<Code>>();
    assert_eq!(wrong(".comp 920 0101110100000\n.start _\n.endinfo\n"), [code::MODULE_IS_32_BIT]);
    assert_eq!(wrong(".comp 920 010111010\n.endinfo\n"), [code::MODULE_IS_32_BIT]);
    assert_eq!(wrong(".comp 92 0101110100100\n\tfoo\n"), [code::UNSUPPORTED_VERSION]);
    assert_eq!(wrong(".comp 920\n\tfoo\n"), [code::OPERAND_MISSING]);
    assert_eq!(wrong(".comp 920 0101110100100\n.start x\n"), [code::FILE_TRUNCATED]);
    assert_eq!(wrong(".comp 920 0101110100100\n.start x\n.endinfo\n"), [code::FILE_TRUNCATED]);
    assert_eq!(wrong(".comp 920 0101110100100\n.start x\n.module m_m \"m\"\n\trtn\n"), [code::HEADER_ORDER]);
    assert_error(".comp 920 0101110100100", code::HEADER_ORDER, ".comp");
    assert_error(".depend \"x\"", code::HEADER_ORDER, ".depend");
    assert_error(".module m \"m\"", code::HEADER_ORDER, ".module");
}

#[test]
fn broken_off_files() {
    let ends_badly = |body: &str| {
        let errors = bad(body);
        errors.len() == 1 && errors[0].code == code::FILE_TRUNCATED
    };
    for body in ["x\n", ".o 1 0\nx\n", "x\n\tpush_a 1\n", ".d 1 0\n", "\tjmp_true x\n.export y\n", "x\n.o 0 0\n"] {
        assert!(ends_badly(body), "{body:?}");
    }
    for body in ["", ".impdesc d\n", "\trtn\n", "\thalt\n.export y\n", "\tjmp x", "\tjsr x\n", "x\n\tjmp_eval"] {
        assert!(parse_bytes(format!("{HEADER}{body}").as_bytes()).0.is_some(), "{body:?}");
    }
    // Broken off within a line: the operand is missing.
    assert_eq!(bad("x\n\tpush_a")[0].code, code::OPERAND_MISSING);
    assert_eq!(bad("x\n\tpus")[0].code, code::UNKNOWN_INSTRUCTION);
}

#[test]
fn unknown_words() {
    assert_error("\tpush_c 1", code::UNKNOWN_INSTRUCTION, "push_c");
    assert_error(".descc d", code::UNKNOWN_DIRECTIVE, ".descc");
    assert_error(".", code::UNKNOWN_DIRECTIVE, ".");
    assert_error("\t.d 1 0", code::UNKNOWN_INSTRUCTION, ".d");
    assert_error("\tlabel x", code::UNKNOWN_INSTRUCTION, "label");
    assert!(bad("\tpussh_a 1\n")[0].help[0].contains("`push_a`"));
    assert!(bad(".impdsec 1\n")[0].help[0].contains("`.impdesc`"));
    assert!(bad("\tsome_label_here\n")[0].help[0].contains("labels start"));
    assert!(bad("\t.d 1 0\n")[0].help[0].contains("first column"));
}

#[test]
fn operand_errors() {
    assert_error("\tpush_a", code::OPERAND_MISSING, "");
    assert_error("\tbuild _ 0", code::OPERAND_MISSING, "");
    assert_error("\tjmp", code::OPERAND_MISSING, "");
    assert_error("\tpush_a 1 2", code::OPERAND_EXTRA, "2");
    assert_error("\trtn 1", code::OPERAND_EXTRA, "1");
    assert_error("\trtn (", code::OPERAND_EXTRA, "(");
    assert_error("\tpush_a x", code::OPERAND_KIND, "x");
    assert_error("\tpush_a \"x\"", code::OPERAND_KIND, "\"x\"");
    assert_error("\tpush_a 1(", code::OPERAND_EXTRA, "(");
    assert_error("\tjmp (x)", code::OPERAND_KIND, "(x)");
    assert_error("\tpush_a -1", code::OPERAND_RANGE, "-1");
    assert_error("\tpush_a 65536", code::OPERAND_RANGE, "65536");
    assert_error("\tpush_a 99999999999999999999", code::OPERAND_RANGE, "99999999999999999999");
    assert_error("\tpush_a 4294967296", code::OPERAND_RANGE, "4294967296");
    assert_error("\tbuild _ -5 n", code::OPERAND_RANGE, "-5");
    assert_error("\tbuildh _ -1", code::OPERAND_RANGE, "-1");
    assert_error(".desc d n l -1 0 \"x\"", code::IMPOSSIBLE_ARITY, "-1");
    assert_error(".desc d n l 1001 0 \"x\"", code::IMPOSSIBLE_ARITY, "1001");
    assert_error(".desc d n l 1 2 \"x\"", code::OPERAND_RANGE, "2");
    assert_error(".desc d n l 1 0", code::OPERAND_MISSING, "");
    assert_error(".export", code::OPERAND_MISSING, "");
    assert_error(".export a (", code::OPERAND_KIND, "(");
    assert_error("x(", code::BAD_CHARACTER, "(");
    assert_error("(x", code::BAD_CHARACTER, "(");
    assert_error("\t[", code::BAD_CHARACTER, "[");
    assert_error(".record r ab 1 2 \"x\"", code::LAYOUT_CONTRADICTS_ITSELF, "ab");
    assert_error(".record r aq 1 1 \"x\"", code::LAYOUT_CONTRADICTS_ITSELF, "aq");
    assert_error(".record r a 1 0 s", code::OPERAND_MISSING, "");
    let module = good(b"\tbuild _ -4 n\n\tpush_a 65535\n\tbuildh _ 1000\n\tpush_a 0x10\n\trtn\n");
    assert_eq!((module.line(1).signed(1), module.line(4).n(0)), (-4, 16));
}

#[test]
fn bit_strings() {
    good(b"\tfill1 D 2 2 001\n\tfill3 D 3 5 100\n\tfill2_r R 3 4 2 00100000\n\tfill3_r R 3 0 6 110\n\trtn\n");
    assert_error("\tfill1 D 2 2 01", code::BIT_STRING, "01");
    assert_error("\tfill3 D 3 5 1000", code::BIT_STRING, "1000");
    assert_error("\tfill2_r R 1 1 2 0101", code::BIT_STRING, "0101");
    assert_error("\tfill1 D 2 2 0a1", code::OPERAND_KIND, "0a1");
}

#[test]
fn at_most_twenty_errors_per_file() {
    let (_, sink) = parse_bytes(format!("{HEADER}{}", "\tfoo\n".repeat(1000)).as_bytes());
    assert_eq!((sink.diagnostics().len(), sink.error_count()), (20, 1000));
    assert_eq!(sink.hidden().map(|hidden| hidden.count).collect::<Vec<u32>>(), [980]);
}

#[test]
fn errors_say_where() {
    let text = format!("{HEADER}\tbuildAC \"\u{e9}\"\n\tpush_a x\n");
    let mut bytes = text.into_bytes();
    let at = bytes.windows(2).position(|pair| pair == "\u{e9}".as_bytes()).expect("is in the text");
    bytes.splice(at..at + 2, [0xe9]);
    let mut map = SourceMap::new();
    let file = map.add("m.abc", bytes.clone());
    let mut sink = Sink::new();
    parse(file, "m", &bytes, &mut sink);
    let expected = "m.abc:6:9: error[E0206]: `push_a` needs an offset on the A stack here, not `x`";
    assert_eq!(short(&sink.diagnostics()[0], &map), expected);
}

#[test]
fn spans_of_words_and_lines() {
    let text = b"  push_arg 1 22 3 | c\nl|x\tbuildAC \"a b\" | d\n\teqC_b ' ' 1\n";
    let part =
        |span: cleave_diag::Span| std::str::from_utf8(&text[span.start as usize..span.end as usize]).expect("text");
    let word = |offset: u32, number: usize| part(word_span(text, FileId(0), offset, number));
    assert_eq!([word(2, 0), word(2, 1), word(2, 2)], ["push_arg", "1", "22"]);
    assert_eq!([word(22, 0), word(26, 0), word(26, 1)], ["l|x", "buildAC", "\"a b\""]);
    assert_eq!(word(46, 1), "' '");
    assert_eq!(word(46, 9), "");
    assert_eq!(part(line_span(text, FileId(0), 2)), "push_arg 1 22 3");
    assert_eq!(part(line_span(text, FileId(0), 26)), "buildAC \"a b\"");
}

/// A sample of every kind of operand, and with it of every row of the table.
#[test]
fn every_instruction_parses() {
    for &op in ALL {
        if op.info().class == Class::Directive {
            continue;
        }
        let mut line = format!("\t{}", op.name());
        for &kind in op.info().operands {
            line.push(' ');
            line.push_str(match kind {
                Operand::D | Operand::L | Operand::OptL | Operand::Name => "x",
                Operand::Int | Operand::Big => "7",
                Operand::Real | Operand::Fraction => "7.0",
                Operand::Char => "'7'",
                Operand::Bool => "TRUE",
                Operand::Str | Operand::Raw | Operand::OptStr => "\"7\"",
                Operand::Bits if op == Opcode::fill3 => "1",
                Operand::Bits if matches!(op, Opcode::fill1_r | Opcode::fill2_r | Opcode::fillcp_u) => "111",
                Operand::Bits => "11",
                Operand::Rest => "any thing",
                _ => "1",
            });
        }
        let module = good(format!("{line}\n\trtn\n").as_bytes());
        if op.info().class == Class::Fused {
            assert_eq!(cleave_clean::index::word_at(&module, module.items[1].offset), Some(op), "{line}");
            continue;
        }
        let parsed = module.line(1);
        assert_eq!(parsed.op, op);
        let stored = op.info().operands.iter().filter(|&&kind| kind != Operand::Rest).count();
        assert_eq!(parsed.args.len(), stored, "{line}");
    }
}

/// Any single byte changed, dropped or repeated, and any end: no panic, and an error or a module.
#[test]
fn damaged_files_do_no_harm() {
    let text = format!(
        "{HEADER}.desc d1 n1 l1 2 0 \"/\\\"\n.record r a 1 0 \"x\"\n.o 1 1 i\nf\n\tpushC '\\n'\n\tpushR 1.5E3\n\
        \tfill1 D 2 2 001\n\tbuildAC \"a\\001\"\n.d 1 2 f\n\tjmp f | c\n"
    );
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        parse_bytes(&bytes[..at]);
        parse_bytes(&[&bytes[..at], &bytes[at + 1..]].concat());
        for new in [0, b'\n', b'\r', b' ', b'"', b'\'', b'\\', b'|', b'.', b'-', b'9', b'x', b'(', 0xff] {
            parse_bytes(&[&bytes[..at], &[new], &bytes[at + 1..]].concat());
            parse_bytes(&[&bytes[..at], &[new], &bytes[at..]].concat());
        }
    }
}

/// All files below the folder in `CLEAVE_TEST_ABC` parse; prints the speed on all of them in one file.
#[test]
fn real_modules_parse() {
    let Some(root) = std::env::var_os("CLEAVE_TEST_ABC") else { return };
    let mut folders = vec![std::path::PathBuf::from(root)];
    let (mut count, mut bodies) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("readable folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "abc") {
                let bytes = std::fs::read(&path).expect("readable file");
                let (module, sink) = parse_bytes(&bytes);
                assert!(module.is_some(), "{}: {:#?}", path.display(), sink.diagnostics());
                count += 1;
                let lines = bytes.split_inclusive(|&byte| byte == b'\n');
                bodies.extend(lines.skip_while(|line| !line.starts_with(b".module")).skip(1).flatten());
            }
        }
    }
    assert!(count > 0, "no .abc file");
    const BIG: usize = 40_000_000;
    let big = [HEADER.as_bytes(), &bodies.repeat(BIG.div_ceil(bodies.len()))].concat();
    let lines = big.iter().filter(|&&byte| byte == b'\n').count();
    let start = std::time::Instant::now();
    let (module, sink) = parse_bytes(&big);
    let seconds = start.elapsed().as_secs_f64();
    let module = module.unwrap_or_else(|| panic!("{:#?}", sink.diagnostics()));
    let kept = module.items.capacity() * 12 + module.operands.capacity() * 4 + module.wide.capacity() * 8;
    println!("{count} files; {lines} lines in {seconds:.3} s: {:.1} million lines/s", lines as f64 / seconds / 1e6);
    println!("{:.1} bytes per line for items, operands and constants", kept as f64 / lines as f64);
}
