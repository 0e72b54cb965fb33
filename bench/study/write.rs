//! The files of the study: three or more for each section, and the summary that is made of them.
//!
//! `SECTION.json` has every sample (these files are not checked in), `SECTION.md` the tables, the charts have names of
//! their own. The remarks of
//! people are in `remarks.md` beside the sources of the study, a part for each section; the summary puts each part
//! before the tables of its section, so that numbers can be measured again without losing what is said about them.

use crate::json::Json;
use crate::machine::workspace;
use crate::report::Table;
use crate::study::{Section, Study};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// What a section has to show.
pub struct Report {
    pub tables: Vec<Table>,
    /// Names without their ending, and SVG.
    pub charts: Vec<(String, String)>,
    pub json: Json,
}

const REMARKS: &str = "bench/study/remarks.md";
const SUMMARY: &str = "study.md";
const COMMAND: &str = "cargo run --release -p cleave-bench -- study";

/// True if the folder has the results of a section.
pub fn is_finished(folder: &Path, section: Section) -> bool {
    let found = folder.join(format!("{}.md", section.name())).exists();
    if found {
        println!("{section}: kept as it is in {}.", folder.display());
    }
    found
}

/// Prints the tables of a section and writes its files. The file whose presence says that the section is finished
/// comes last.
pub fn section(study: &Study, section: Section, report: &Report) -> Result<()> {
    let machine = study.machine.line();
    let mut text = format!("{machine}\n\n");
    for (name, svg) in &report.charts {
        write(&study.out, &format!("{name}.svg"), svg)?;
        text.push_str(&format!("![{name}]({name}.svg)\n\n"));
    }
    for table in &report.tables {
        println!("{}", table.plain());
        text.push_str(&table.markdown().replacen("## ", "### ", 1));
        text.push('\n');
    }
    let json = Json::object([
        ("version", Json::Integer(1)),
        ("kind", Json::text(format!("study {section}"))),
        ("machine", study.machine.json()),
        ("results", report.json.clone()),
    ]);
    write(&study.out, &format!("{section}.json"), &format!("{json}\n"))?;
    write(&study.out, &format!("{section}.md"), &text)
}

/// Makes the summary of the sections that the folder has.
pub fn summary(folder: &Path) -> Result<()> {
    let remarks = fs::read_to_string(workspace().join(REMARKS)).unwrap_or_default();
    let mut text = format!("# Study\n\nMade by `{COMMAND}`.\n\n");
    push(&mut text, part(&remarks, "summary"));
    for section in Section::ALL {
        let Ok(tables) = fs::read_to_string(folder.join(format!("{section}.md"))) else { continue };
        let (first, rest) = section.name().split_at(1);
        text.push_str(&format!("## {}{rest}\n\n", first.to_uppercase()));
        push(&mut text, part(&remarks, section.name()));
        text.push_str(&tables);
    }
    write(folder, SUMMARY, &text)?;
    println!("Written: {}", folder.join(SUMMARY).display());
    Ok(())
}

/// The text under the heading `## NAME`.
fn part<'a>(remarks: &'a str, name: &str) -> &'a str {
    let parts = remarks.split("\n## ").skip(1);
    let found = parts.filter_map(|part| part.split_once('\n')).find(|part| part.0.trim() == name);
    found.map_or("", |part| part.1.trim())
}

fn push(text: &mut String, part: &str) {
    if !part.is_empty() {
        text.push_str(part);
        text.push_str("\n\n");
    }
}

fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_by_section() {
        let remarks = "# Remarks\n\nHow.\n\n## size\n\nSmall.\n\n### More\n\n## nursery\n";
        assert_eq!(part(remarks, "size"), "Small.\n\n### More");
        assert_eq!(part(remarks, "nursery"), "");
        assert_eq!(part(remarks, "passes"), "");
    }

    #[test]
    fn there_are_remarks_for_every_section() {
        let remarks = fs::read_to_string(workspace().join(REMARKS)).expect("the file of remarks");
        for name in Section::ALL.map(Section::name).iter().chain(&["summary"]) {
            assert!(remarks.contains(&format!("\n## {name}\n")), "{REMARKS}: no part `{name}`");
        }
    }
}
