//! The programs that mutants are made of: those of the corpus, whole, and pieces of them.

use crate::mutate::Choices;
use std::fs;
use std::path::{Path, PathBuf};

/// The text of a module, and its name as others import it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    pub name: String,
    pub text: Vec<u8>,
}

/// A program: the main module first, then all others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seed {
    pub modules: Vec<Source>,
}

#[derive(Clone, Debug, Default)]
pub struct Seeds {
    pub programs: Vec<Seed>,
    /// Programs by size, small ones several times: they cost less and mutations hit what matters.
    order: Vec<usize>,
}

/// Lines of a program up to which it is chosen once more often, and so on.
const SIZES: [usize; 4] = [1500, 1000, 600, 350];

impl Seeds {
    /// Reads the corpus of this package.
    pub fn corpus() -> Seeds {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
        let mut seeds = Seeds::default();
        for sub in ["", "bench", "errors", "variants/desc-exl", "variants/ou", "variants/sa"] {
            for path in abc_files(&folder.join(sub)) {
                seeds.programs.extend(read(&path, &folder));
            }
        }
        assert!(!seeds.programs.is_empty(), "no programs in {}", folder.display());
        for (index, program) in seeds.programs.iter().enumerate() {
            let lines: usize = program.modules.iter().map(|module| lines(&module.text).count()).sum();
            let times = 1 + SIZES.iter().filter(|&&size| lines <= size).count();
            seeds.order.extend(std::iter::repeat_n(index, times * times));
        }
        seeds
    }

    pub fn choose(&self, choices: &mut Choices) -> &Seed {
        &self.programs[self.order[choices.below(self.order.len())]]
    }

    /// The text of any module.
    pub fn choose_text(&self, choices: &mut Choices) -> &[u8] {
        let program = self.choose(choices);
        &program.modules[choices.below(program.modules.len())].text
    }

    /// The header of a module and some lines of it: parsing looks at each line alone, so a piece is as good as all.
    pub fn piece(&self, choices: &mut Choices) -> Vec<u8> {
        let text = self.choose_text(choices);
        let mark = b"\n.module";
        let header = text.windows(mark.len()).position(|window| window == mark).unwrap_or(0);
        let header = header + text[header + 1..].iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 2);
        let mut piece = text[..header].to_vec();
        let body = &text[header.min(text.len())..];
        piece.extend_from_slice(cut(body, choices.below(body.len().max(1)), 1 + choices.below(40)));
        // The last function has to end.
        piece.extend_from_slice(choices.pick(&[b"", b"\thalt\n", b"\thalt\n"]));
        piece
    }
}

/// Up to `count` lines of a text, from the first one that begins behind `at`.
pub fn cut(text: &[u8], at: usize, count: usize) -> &[u8] {
    let Some(start) = text[at.min(text.len())..].iter().position(|&byte| byte == b'\n') else { return text };
    let rest = &text[at + start + 1..];
    let ends = rest.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(end, _)| end + 1);
    &rest[..ends.take(count).last().unwrap_or(rest.len())]
}

/// The lines of a text without their ends.
pub fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n')
}

fn abc_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "abc")).collect();
    files.sort();
    files
}

/// A program with all modules that it names. Nothing if it has no start rule.
fn read(path: &Path, folder: &Path) -> Option<Seed> {
    let name = path.file_stem()?.to_string_lossy().into_owned();
    let text = fs::read(path).ok()?;
    if lines(&text).any(|line| line.starts_with(b".start _nostart_")) {
        return None;
    }
    let mut modules = vec![Source { name, text }];
    let mut next = 0;
    while next < modules.len() {
        for import in imports(&modules[next].text) {
            if modules.iter().all(|module| module.name != import) {
                let beside = path.with_file_name(format!("{import}.abc"));
                let text = fs::read(beside).or_else(|_| fs::read(folder.join(format!("{import}.abc")))).ok()?;
                modules.push(Source { name: import, text });
            }
        }
        next += 1;
    }
    Some(Seed { modules })
}

fn imports(text: &[u8]) -> Vec<String> {
    let names = lines(text).filter_map(|line| line.strip_prefix(b".depend \""));
    names.map(|rest| String::from_utf8_lossy(rest.split(|&byte| byte == b'"').next().unwrap_or(rest)).into()).collect()
}
