//! Positions, the limit per file, and the three forms of a message.

use cleave_diag::{Diagnostic, FileId, Hidden, Severity, Sink, SourceMap, Span, code};
use cleave_diag::{human, human_remark, json, short, short_remark};

fn map_with(name: &str, bytes: &[u8]) -> (SourceMap, FileId) {
    let mut map = SourceMap::new();
    let file = map.add(name, bytes.to_vec());
    (map, file)
}

/// The span of the first occurrence of `part`.
fn find(map: &SourceMap, file: FileId, part: &[u8]) -> Span {
    let bytes = &map.file(file).bytes;
    let at = bytes.windows(part.len()).position(|window| window == part).expect("part is in the file");
    Span::new(file, at as u32, (at + part.len()) as u32)
}

fn sample(map: &SourceMap, file: FileId) -> Diagnostic {
    Diagnostic::error(code::UNKNOWN_INSTRUCTION, "unknown instruction `pussh_a`")
        .at(find(map, file, b"pussh_a"), "not known")
        .help("did you mean `push_a`?")
}

#[test]
fn spans_are_small() {
    assert_eq!(size_of::<Span>(), 12);
}

#[test]
fn positions_count_characters() {
    let (map, file) = map_with("m", b"ab\n\xe9x\r\n\xc3\xa9y\tz\n\nend");
    let at = |offset: u32| {
        let position = map.position(Span::new(file, offset, offset));
        (position.line, position.column)
    };
    assert_eq!([at(0), at(1), at(2), at(3)], [(1, 1), (1, 2), (1, 3), (2, 1)]);
    // A byte outside UTF-8 is one character, and so are two bytes that make one.
    assert_eq!([at(4), at(9), at(10), at(11)], [(2, 2), (3, 2), (3, 3), (3, 4)]);
    assert_eq!([at(13), at(16), at(999)], [(4, 1), (5, 3), (5, 4)]);
    let (empty, file) = map_with("m", b"");
    assert_eq!(empty.position(Span::new(file, 7, 9)).line, 1);
}

#[test]
fn human_form_shows_place_and_help() {
    let (map, file) = map_with("dir/m.abc", b"f\n\tbuildAC \"\xe9\"\n\tpussh_a 1\n");
    let text = human(&sample(&map, file), &map, false);
    let expected = "\
error[E0203]: unknown instruction `pussh_a`
 --> dir/m.abc:3:2
  |
3 |     pussh_a 1
  |     ^^^^^^^ not known
  |
  = help: did you mean `push_a`?";
    assert_eq!(text, expected);
    assert!(human(&sample(&map, file), &map, true).contains('\u{1b}'));
}

#[test]
fn human_form_survives_bytes_and_long_lines() {
    let (map, file) = map_with("m.abc", b"\tx \"\xff\xfe\x1b[31m\xc3\xa9\" pussh_a\n");
    let text = human(&sample(&map, file), &map, false);
    assert!(text.contains("m.abc:1:15"), "{text}");
    assert!(text.contains("\u{fffd}\u{fffd}\u{fffd}[31m\u{e9}"), "{text}");
    let marker = text.lines().find(|line| line.contains('^')).expect("a line that underlines");
    let source = text.lines().find(|line| line.contains("31m")).expect("the source line");
    let column = |line: &str, part: &str| line[..line.find(part).expect("present")].chars().count();
    assert_eq!(column(marker, "^^^^^^^ "), column(source, "pussh_a"));
    // The drawing crate and our own count agree at every byte.
    for at in 0..map.file(file).bytes.len() as u32 {
        let diagnostic = Diagnostic::error(code::BAD_CHARACTER, "m").at(Span::new(file, at, at + 1), "");
        let text = human(&diagnostic, &map, false);
        let place = short(&diagnostic, &map).replace(": error[E0201]: m", "");
        // Inside a character the position is that of its first byte or the next.
        assert!(
            text.contains(&format!("{place}\n")) || map.file(file).bytes[at as usize] == 0xa9,
            "{at} {place}\n{text}"
        );
    }

    let long = [b"\t".as_slice(), &b"y".repeat(1_000_000), b" pussh_a ", &b"z".repeat(1_000_000), b"\n"].concat();
    let (map, file) = map_with("m.abc", &long);
    let text = human(&sample(&map, file), &map, false);
    assert!(text.len() < 2_000 && text.contains("m.abc:1:1000003"), "{} bytes", text.len());
    let wide = Diagnostic::error(code::BAD_CHARACTER, "m").at(Span::new(file, 1, 1_000_001), "wide");
    assert!(human(&wide, &map, false).len() < 2_000);
}

#[test]
fn several_labels_and_files() {
    let (mut map, first) = map_with("a.abc", b"one\ntwo two\nthree\n");
    let second = map.add("b.abc", b"four\n".to_vec());
    let diagnostic = Diagnostic::error(code::DEFINED_TWICE, "label `two` defined twice")
        .at(Span::new(first, 8, 11), "again here")
        .and(Span::new(first, 4, 7), "first here")
        .and(find(&map, second, b"four"), "and seen there")
        .and(find(&map, first, b"three"), "");
    let text = human(&diagnostic, &map, false);
    for part in ["a.abc:2:5", "b.abc:1:1", "a.abc:3:1", "again here", "first here", "and seen there", "three"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn spans_at_and_beyond_the_end() {
    for bytes in [b"".as_slice(), b"x", b"x\n", b"x\r\n", b"\xff"] {
        let (map, file) = map_with("m.abc", bytes);
        for (start, end) in [(0, 0), (0, 1), (1, 1), (1, 0), (2, 9), (900, 901), (u32::MAX, u32::MAX), (0, u32::MAX)] {
            let diagnostic = Diagnostic::error(code::FILE_TRUNCATED, "m").at(Span::new(file, start, end), "here");
            assert!(human(&diagnostic, &map, false).contains("m.abc:"));
            assert!(short(&diagnostic, &map).starts_with("m.abc:"));
            assert!(json(&diagnostic, &map).ends_with('}'));
        }
    }
}

#[test]
fn without_a_place() {
    let map = SourceMap::new();
    let diagnostic = Diagnostic::error(code::FILE_NOT_FOUND, "no file `x.abc`").help("name the .abc file");
    assert_eq!(short(&diagnostic, &map), "error[E0101]: no file `x.abc`");
    assert!(human(&diagnostic, &map, false).contains("help: name the .abc file"));
    let warning = Diagnostic::warning(code::MODULE_WRONG_NAME, "odd");
    assert_eq!(short(&warning, &map), "warning[E0110]: odd");
}

#[test]
fn short_form() {
    let (map, file) = map_with("m.abc", b"f\n\t\"\xe9\" pussh_a 1\n");
    assert_eq!(short(&sample(&map, file), &map), "m.abc:2:6: error[E0203]: unknown instruction `pussh_a`");
}

#[test]
fn json_form() {
    let (map, file) = map_with("a\"b.abc", b"f\n\tpussh_a 1\n");
    let text = json(&sample(&map, file), &map);
    assert!(!text.contains('\n'));
    let expected = "{\"version\":1,\"code\":\"E0203\",\"level\":\"error\",\
        \"message\":\"unknown instruction `pussh_a`\",\"spans\":[{\"file\":\"a\\\"b.abc\",\"start\":3,\"end\":10,\
        \"line\":2,\"column\":2,\"end_line\":2,\"end_column\":9,\"primary\":true,\"label\":\"not known\"}],\
        \"help\":[\"did you mean `push_a`?\"],\
        \"fixes\":[{\"title\":\"write `push_a`\",\"draft\":false,\
        \"edits\":[{\"file\":\"a\\\"b.abc\",\"start\":3,\"end\":10,\"text\":\"push_a\"}]}],\
        \"rendered\":\"error[E0203]: ";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn twenty_errors_per_file() {
    let (mut map, first) = map_with("a.abc", b"x\n");
    let second = map.add("b.abc", b"y\n".to_vec());
    let error = |file| Diagnostic::error(code::UNKNOWN_INSTRUCTION, "m").at(Span::new(file, 0, 1), "");
    let mut sink = Sink::new();
    assert!(!sink.has_errors());
    for _ in 0..25 {
        sink.report(error(first));
    }
    sink.report(error(second));
    sink.report(Diagnostic { severity: Severity::Warning, ..error(first) });
    sink.count_hidden(first);
    assert!(sink.is_full(first) && !sink.is_full(second));
    assert_eq!((sink.diagnostics().len(), sink.error_count()), (22, 27));
    let hidden: Vec<Hidden> = sink.hidden().collect();
    assert_eq!(hidden, [Hidden { file: first, severity: Severity::Error, count: 6 }]);
    assert_eq!(human_remark(hidden[0], &map), "a.abc: … and 6 more errors");
    let one = Hidden { file: second, severity: Severity::Error, count: 1 };
    assert_eq!(short_remark(one, &map), "b.abc: … and 1 more error");
}

#[test]
fn twenty_warnings_are_shown_and_all_are_kept() {
    let (map, file) = map_with("a.abc", b"x\n");
    let warning = Diagnostic::warning(code::MODULE_WRONG_NAME, "m");
    let mut sink = Sink::new();
    sink.report(warning.clone());
    for _ in 0..23 {
        sink.report(warning.clone().at(Span::new(file, 0, 1), ""));
    }
    let (shown, left_out) = sink.shown();
    assert_eq!((sink.diagnostics().len(), shown.len()), (24, 21));
    assert_eq!(left_out, [Hidden { file, severity: Severity::Warning, count: 3 }]);
    assert_eq!(human_remark(left_out[0], &map), "a.abc: … and 3 more warnings");
}

#[test]
fn merged_sinks_keep_the_limit() {
    let error = |file| Diagnostic::error(code::UNKNOWN_INSTRUCTION, "m").at(Span::new(FileId(file), 0, 0), "");
    let sink_with = |file: u32, count: usize| {
        let mut sink = Sink::new();
        (0..count).for_each(|_| sink.report(error(file)));
        sink
    };
    let mut all = sink_with(0, 15);
    all.merge(sink_with(1, 30));
    all.merge(sink_with(0, 15));
    assert_eq!((all.diagnostics().len(), all.error_count()), (40, 60));
    assert_eq!(all.hidden().map(|hidden| hidden.count).collect::<Vec<u32>>(), [10, 10]);
    let mut warned = Sink::new();
    warned.merge(Sink::new());
    assert!(!warned.has_errors());
}

#[test]
fn issue_0003_label_that_ends_inside_a_character() {
    // Two bytes of one character, and one that belongs to none; the label holds the first byte only.
    let (map, file) = map_with("m", b"\xd3\xbb\xbf\n");
    for (start, end) in [(0, 1), (1, 2), (0, 3), (2, 3)] {
        let diagnostic = Diagnostic::error(code::BAD_CHARACTER, "x").at(Span::new(file, start, end), "here");
        assert!(human(&diagnostic, &map, false).contains("1 | \u{4fb}\u{fffd}"));
    }
}

#[test]
fn one_mistake_is_one_message() {
    let (map, file) = map_with("a", b"ab ab ab ab ab ab\nab\n");
    let unknown = |at: u32| {
        let span = Span::new(file, at, at + 2);
        let diagnostic = Diagnostic::error(code::UNKNOWN_VARIABLE, "there is no `ab`").at(span, "").mistake("ab");
        diagnostic.fix("write `abc`", vec![(span, "abc".into())])
    };
    let mut sink = Sink::new();
    // The first place is the one that is shown as such, whatever the order.
    for at in [3, 0, 6, 9, 12] {
        sink.report(unknown(at));
    }
    sink.report(unknown(15).mistake("another"));
    assert_eq!((sink.diagnostics().len(), sink.error_count()), (2, 2));
    let first = &sink.diagnostics()[0];
    assert_eq!(first.primary.as_ref().map(|label| label.span.start), Some(0));
    let places: Vec<u32> = first.secondary.iter().map(|label| label.span.start).collect();
    assert_eq!((places, first.more), (vec![3, 6, 9], 1));
    assert_eq!(first.help, ["and 1 more use of it"]);
    // One edit mends all.
    assert_eq!(first.fixes[0].edits.len(), 5);
    sink.report(unknown(18));
    assert!(human(&sink.diagnostics()[0], &map, false).contains("and 2 more uses of it"));
}
