//! Programs of the benchmark folder, and large programs made of many copies of small ones.

use crate::machine::workspace;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// One benchmark program.
#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    pub abc: PathBuf,
    pub expected: Vec<u8>,
    /// Lines of the .abc file.
    pub lines: usize,
}

/// The folder of all programs with known output.
pub fn corpus() -> PathBuf {
    workspace().join("tests/corpus")
}

/// The benchmark programs in the order of their names; only those named by `wanted`, if it names any.
pub fn programs(wanted: &[String]) -> Result<Vec<Program>> {
    let folder = corpus().join("bench");
    let mut found = Vec::new();
    for path in abc_files(&folder)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if wanted.is_empty() || wanted.contains(&name) {
            let expected = fs::read(path.with_extension("expected"))?;
            let lines = line_count(&fs::read(&path)?);
            found.push(Program { name, abc: path, expected, lines });
        }
    }
    if let Some(missing) = wanted.iter().find(|name| !found.iter().any(|program| program.name == **name)) {
        bail!("there is no benchmark program `{missing}` in {}", folder.display());
    }
    Ok(found)
}

/// The .abc files of a folder in the order of their names.
pub fn abc_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("no folder {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "abc"));
    files.sort();
    Ok(files)
}

pub fn line_count(text: &[u8]) -> usize {
    text.split(|&byte| byte == b'\n').count() - usize::from(text.last() == Some(&b'\n'))
}

/// A folder for files of one invocation, removed at its end.
pub struct Scratch {
    pub path: PathBuf,
}

impl Large {
    /// Changes a number in one of the modules, so that this module has to be compiled again.
    pub fn change(&self) -> Result<()> {
        let folder = self.main.parent().expect("it is in a folder");
        for path in abc_files(folder)? {
            let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
            let place = text.match_indices("\tpushI ").map(|(at, word)| at + word.len());
            let number = |at: usize| text[at..].lines().next().and_then(|word| word.parse::<i64>().ok());
            if let Some((at, old)) = place.filter_map(|at| Some((at, number(at)?))).next() {
                let end = at + text[at..].find('\n').unwrap_or(text.len() - at);
                fs::write(&path, format!("{}{}{}", &text[..at], old ^ 1024, &text[end..]))?;
                return Ok(());
            }
        }
        bail!("no module in {} has a number", folder.display());
    }
}

impl Scratch {
    pub fn new() -> Result<Scratch> {
        let path = std::env::temp_dir().join(format!("cleave-bench-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Scratch { path })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A program that was made for measuring the compiler.
pub struct Large {
    pub main: PathBuf,
    pub lines: usize,
    pub modules: usize,
}

/// Writes a program of at least `lines` lines into `folder`: copies of the programs of the corpus that are one module,
/// each copy under another module name, and a main module that calls the start rule of each copy. So everything that
/// the original programs reach is reached here.
pub fn make_large(folder: &Path, lines: usize) -> Result<Large> {
    fs::create_dir_all(folder)?;
    let mut sources = Vec::new();
    for directory in [corpus(), corpus().join("bench")] {
        for path in abc_files(&directory)? {
            sources.extend(Source::read(&path)?);
        }
    }
    if sources.is_empty() {
        bail!("no programs in {}", corpus().display());
    }
    let mut total = 0;
    let mut starts = Vec::new();
    while total < lines {
        let source = &sources[starts.len() % sources.len()];
        let name = format!("{}_{}", source.name, starts.len() / sources.len());
        fs::write(folder.join(format!("{name}.abc")), source.renamed(&name))?;
        total += source.lines;
        starts.push(name);
    }
    let main = main_module(&starts);
    let path = folder.join("all.abc");
    fs::write(&path, &main)?;
    Ok(Large { main: path, lines: total + line_count(main.as_bytes()), modules: starts.len() + 1 })
}

/// A program of the corpus whose only module it is.
struct Source {
    name: String,
    text: Vec<u8>,
    lines: usize,
}

impl Source {
    /// Nothing if the program has other modules, or no start rule that its name tells.
    fn read(path: &Path) -> Result<Option<Source>> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read(path)?;
        let start = format!(".export __{name}_Start");
        let has = |wanted: &str| text.split(|&byte| byte == b'\n').any(|line| line.starts_with(wanted.as_bytes()));
        let lines = line_count(&text);
        Ok((!has(".depend") && has(&start)).then_some(Source { name, text, lines }))
    }

    /// The text with another module name. Symbols carry it as `__NAME_`, `m_NAME`, `e_NAME_`.
    fn renamed(&self, name: &str) -> Vec<u8> {
        let mut text = Vec::with_capacity(self.text.len() + 4096);
        for line in self.text.split_inclusive(|&byte| byte == b'\n') {
            // Texts of characters stay as they are.
            let literal = line.iter().position(|&byte| byte == b'"').unwrap_or(line.len());
            let (code, literal) = line.split_at(literal);
            let code = String::from_utf8_lossy(code);
            let mut code = code.replace(&format!("__{}_", self.name), &format!("__{name}_"));
            code = code.replace(&format!("e_{}_", self.name), &format!("e_{name}_"));
            let is_module = code.starts_with(".module ");
            let itself = format!("m_{}", self.name);
            if is_module {
                code = format!(".module m_{name} \"{name}\"\n");
            } else if code.split_whitespace().any(|word| word == itself) {
                code = code.replace(&itself, &format!("m_{name}"));
            }
            text.extend_from_slice(code.as_bytes());
            text.extend_from_slice(if is_module { b"" } else { literal });
        }
        text
    }
}

fn main_module(starts: &[String]) -> String {
    let mut text = String::from(".comp 920 0101110100100\n.start __all_Start\n");
    for name in starts {
        text.push_str(&format!(".depend \"{name}\"\n"));
    }
    text.push_str(".endinfo\n.module m_all \"all\"\n.impmod _system\n.implab _driver\n");
    for name in starts {
        text.push_str(&format!(".impmod {name}\n.implab __{name}_Start\n"));
    }
    text.push_str(".export __all_Start\n.o 0 0\n__all_Start\n");
    for name in starts {
        text.push_str(&format!(".d 0 0\n\tjsr __{name}_Start\n.o 0 0\n"));
    }
    text.push_str("\tbuildI 42\n.d 1 0\n\tjmp _driver\n");
    text
}
