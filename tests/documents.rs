//! The parts of `docs` that are made of the source: the tables of opcodes and of passes. And the examples in IR, which
//! are verified and, if they say what they print, run.
//!
//! `BLESS=1 cargo test -p cleave-tests --test tidy documents` writes the tables anew.

use super::{files, root};
use cleave_ir::opcode::Phases;
use cleave_ir::verify::verify_module;
use cleave_ir::{Heap, Opcode, Type, libcalls};
use cleave_passes::memory;
use cleave_passes::table::{self, Group};
use std::fmt::Write;
use std::fs;

/// Compares a part of a document, between two marks, with what it should be.
fn expect(file: &str, part: &str, wanted: &str) {
    let path = root().join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let (begin, end) = (format!("<!-- begin {part} -->\n"), format!("<!-- end {part} -->"));
    let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("{file} has no mark `{part}`"));
    let (given, after) = rest.split_once(&end).unwrap_or_else(|| panic!("{file}: `{part}` has no end"));
    if given == wanted {
        return;
    }
    assert!(
        std::env::var_os("BLESS").is_some(),
        "{file}: the part `{part}` is stale: BLESS=1 cargo test -p cleave-tests --test tidy documents"
    );
    fs::write(&path, format!("{before}{begin}{wanted}{end}{after}")).expect("a document");
}

/// Text as the cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[test]
fn opcodes_are_documented() {
    let mut text = String::from("| instruction | meaning | effects | phases |\n| --- | --- | --- | --- |\n");
    for op in Opcode::ALL {
        let info = op.info();
        let phases: Vec<&str> = [(Phases::HIGH, "h"), (Phases::ROOTED, "r"), (Phases::LOW, "l")]
            .into_iter()
            .filter(|(phase, _)| info.phases.any(*phase))
            .map(|(_, letter)| letter)
            .collect();
        let (syntax, effects) = (cell(&info.syntax()), cell(&info.effects()));
        _ = writeln!(text, "| `{syntax}` | {} | {effects} | {} |", cell(info.doc), phases.join(" "));
    }
    expect("docs/ir.md", "opcodes", &text);
}

#[test]
fn functions_of_the_runtime_are_documented() {
    let mut text = String::from("| function | types | effects | what it does |\n| --- | --- | --- | --- |\n");
    for row in libcalls::ALL {
        let types = |types: &[Type]| types.iter().map(|ty| ty.name()).collect::<Vec<_>>().join(", ");
        let effects: Vec<&str> = row.effects.words().collect();
        let effects = if effects.is_empty() { "pure".to_string() } else { effects.join(", ") };
        let (params, results) = (types(row.params), types(row.results));
        _ = writeln!(text, "| `{}` | ({params}) → ({results}) | {effects} | {} |", row.name, cell(row.doc));
    }
    expect("docs/ir.md", "externs", &text);
}

#[test]
fn passes_are_documented() {
    let text = fs::read_to_string(root().join("docs/passes.md")).expect("docs/passes.md");
    let picture = fs::read_to_string(root().join("docs/passes.svg")).expect("docs/passes.svg");
    let mut wanted = String::from("| pass | what it does | from → to | level |\n| --- | --- | --- | --- |\n");
    for pass in table::PASSES {
        let levels = match pass.group {
            Group::Optimisation => match (table::BASIC.contains(&pass.name), table::FULL.contains(&pass.name)) {
                (true, true) => "1, 2",
                (true, false) => "1",
                (false, true) => "2",
                (false, false) => "on request",
            },
            Group::Lowering => "all",
        };
        let (from, to) = (pass.from.word(), pass.to.word());
        let phases = if from == to { from.to_string() } else { format!("{from} → {to}") };
        _ = writeln!(wanted, "| [`{0}`](#{0}) | {1} | {phases} | {levels} |", pass.name, cell(pass.description));
        assert!(text.contains(&format!("\n### {}\n", pass.name)), "docs/passes.md does not explain `{}`", pass.name);
        let shown = picture.contains(&format!(">{}<", pass.name));
        assert!(shown, "docs/passes.svg does not show `{}`", pass.name);
    }
    expect("docs/passes.md", "passes", &wanted);
    let count = table::PASSES.iter().filter(|pass| pass.group == Group::Optimisation).count();
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    assert!(readme.contains(&format!("| {count} passes over one IR")), "README.md: there are {count} optimisations");
    let order = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" · ");
    let wanted = format!(
        "- `-O1`: {}\n- `-O2`: {}\n- then, at every level: {} · {}\n- the same on the reference-counted heap: {} · {}\n",
        order(table::BASIC),
        order(table::FULL),
        order(memory::of(Heap::Gc).rooting()),
        order(table::LOWERING),
        order(memory::of(Heap::Rc).rooting()),
        order(table::LOWERING)
    );
    expect("docs/passes.md", "order", &wanted);
}

#[test]
fn examples_in_ir_are_correct() {
    let mut count = 0;
    for (file, text) in files(&["md"]) {
        for block in text.split("\n```ir\n").skip(1) {
            let (ir, _) = block.split_once("\n```").unwrap_or_else(|| panic!("{file}: an example has no end"));
            let module = cleave_ir::text::parse_module(ir).unwrap_or_else(|error| panic!("{file}: {error:?}\n{ir}"));
            verify_module(&module).unwrap_or_else(|errors| panic!("{file}: {errors:?}\n{ir}"));
            if let Some(wanted) = ir.lines().find_map(|line| line.strip_prefix("; prints ")) {
                let outcome = cleave_interp::run_program(&module, cleave_interp::Options::default());
                assert_eq!(String::from_utf8_lossy(&outcome.stdout), wanted, "{file}: {:?}\n{ir}", outcome.trap);
            }
            count += 1;
        }
    }
    assert!(count > 0, "there is no example");
}

/// Code in a document after "From `FILE`:" stands in that file, perhaps indented otherwise.
#[test]
fn excerpts_are_in_the_source() {
    let stripped =
        |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    let mut count = 0;
    for (file, text) in files(&["md"]) {
        for part in text.split("From\n`").chain(text.split("From `")).filter(|part| part.contains("`:\n\n```rust\n")) {
            let Some((source, rest)) = part.split_once("`:\n\n```rust\n") else { continue };
            if source.contains('`') {
                continue;
            }
            let (code, _) = rest.split_once("\n```").unwrap_or_else(|| panic!("{file}: an excerpt has no end"));
            let whole =
                fs::read_to_string(root().join(source)).unwrap_or_else(|error| panic!("{file}: {source}: {error}"));
            assert!(stripped(&whole).contains(&stripped(code)), "{file}: {source} does not contain\n{code}");
            count += 1;
        }
    }
    assert!(count > 0, "there is no excerpt");
}

/// Every public function of samlang's library stands in the page of its language, with its type.
#[test]
fn functions_of_the_samlang_library_are_documented() {
    let read = |page: &str| fs::read_to_string(root().join(page)).expect("the page exists");
    let pages = [("library/samlang/2021/", "docs/samlang-2021.md"), ("library/samlang/", "docs/samlang.md")];
    let mut count = 0;
    for (file, text) in files(&["sam"]) {
        let is_hidden = text.lines().any(|line| line.starts_with("private class ") && !line.contains('<'));
        let Some((_, page)) = pages.iter().find(|(folder, _)| file.starts_with(folder)).filter(|_| !is_hidden) else {
            continue;
        };
        let whole = read(page);
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let is_member = line.trim().starts_with("function ") || line.trim().starts_with("method ");
            if !is_member || file.ends_with("/vec.sam") {
                continue;
            }
            let signature = signature(&lines[at..]);
            let is_there = whole.lines().any(|documented| documented.trim() == signature);
            assert!(is_there, "{file}: {page} does not have `{signature}`");
            count += 1;
        }
    }
    assert!(count > 0, "there is no library");
}

/// What stands before the body of a member that begins on the first line, on one line.
fn signature(lines: &[&str]) -> String {
    let mut whole = String::new();
    for line in lines {
        whole.push_str(line.trim());
        let has_body = whole.contains(" = ") || whole.ends_with(" =");
        let is_whole = whole.contains("): ") && !whole.ends_with(['<', '(', ',']);
        if has_body || is_whole && whole.matches('<').count() == whole.replace("->", "").matches('>').count() {
            break;
        }
        if whole.ends_with(',') {
            whole.push(' ');
        }
    }
    whole.split(" = ").next().unwrap_or_default().trim_end_matches(" =").to_string()
}

/// Each folder of example programs has a list with a line for each of them, which is also what the playground shows.
#[test]
fn examples_are_listed() {
    for folder in ["examples/goopea", "examples/samlang", "playground/page/examples"] {
        let place = root().join(folder);
        let list = fs::read_to_string(place.join("README.md")).unwrap_or_else(|error| panic!("{folder}: {error}"));
        let entries = fs::read_dir(&place).unwrap_or_else(|error| panic!("{folder}: {error}"));
        let programs = entries.flatten().map(|entry| entry.path()).filter(|path| {
            path.extension()
                .and_then(|ending| ending.to_str())
                .is_some_and(|ending| ["goo", "sam", "ir"].contains(&ending))
        });
        for program in programs {
            let [name, stem] =
                [program.file_name(), program.file_stem()].map(|name| name.unwrap_or_default().to_string_lossy());
            let begin = format!("- [{stem}]({name}): ");
            assert!(
                list.lines().any(|line| line.starts_with(&begin)),
                "{folder}/README.md: a line `{begin}…` is missing"
            );
        }
    }
}
