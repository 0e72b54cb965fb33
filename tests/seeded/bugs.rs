//! The list of deliberate bugs, and sources that have them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A deliberate mistake.
#[derive(Clone, Debug)]
pub struct Bug {
    pub name: String,
    pub what: String,
    /// It was made once.
    pub is_real: bool,
    /// Test programs that will hardly miss it, perhaps with a part of the names of tests.
    pub hints: Vec<Hint>,
    pub patches: Vec<Patch>,
}

/// Tests that will hardly miss a bug.
#[derive(Clone, Debug)]
pub struct Hint {
    pub program: String,
    pub tests: Option<String>,
}

/// A piece of source, and what looks like it until the bug is chosen.
#[derive(Clone, Debug)]
pub struct Patch {
    pub file: String,
    old: String,
    both: String,
}

/// Stands in a patch for "this bug is chosen".
const CONDITION: &str = "SEEDED";

/// What a crate with bugs has besides: the variable is read once.
const MODULE: &str = r#"
#[doc(hidden)]
pub mod seeded_bugs {
    //! Which of the deliberate bugs is on.

    extern crate std;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Not looked for yet: 0; no bug: 1.
    static CHOSEN: AtomicU64 = AtomicU64::new(0);

    #[inline]
    pub fn is_on(hash: u64) -> bool {
        let chosen = CHOSEN.load(Ordering::Relaxed);
        hash == if chosen != 0 { chosen } else { choose() }
    }

    #[cold]
    fn choose() -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325;
        let name = std::env::var("CLEAVE_SEED").unwrap_or_default();
        for byte in name.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        let chosen = if name.is_empty() { 1 } else { hash };
        CHOSEN.store(chosen, Ordering::Relaxed);
        chosen
    }
}
"#;

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests is a folder of the workspace").to_path_buf()
}

/// The list in `bugs.txt`.
pub fn bugs() -> Vec<Bug> {
    let mut bugs: Vec<Bug> = Vec::new();
    let (mut file, mut lines) = (String::new(), include_str!("bugs.txt").lines());
    while let Some(line) = lines.next() {
        let Some((word, rest)) = line.split_once(' ').or(Some((line, ""))) else { continue };
        if word == "bug" {
            let (name, what) = rest.split_once(": ").expect("`bug NAME: what is wrong`");
            let (name, what) = (name.into(), what.into());
            bugs.push(Bug { name, what, is_real: false, hints: Vec::new(), patches: Vec::new() });
            continue;
        }
        let Some(bug) = bugs.last_mut() else { continue };
        match word {
            "real" => bug.is_real = true,
            "in" => file = rest.into(),
            "by" => bug.hints = rest.split(' ').map(hint).collect(),
            "old" => {
                let mut text = |end| lines.by_ref().take_while(|line| *line != end).collect::<Vec<_>>().join("\n");
                let (old, both) = (text("both"), text("end"));
                bug.patches.push(Patch { file: file.clone(), old, both });
            }
            "" => {}
            _ => panic!("bugs.txt: `{line}`"),
        }
    }
    bugs
}

fn hint(word: &str) -> Hint {
    let (program, tests) = word.split_once(':').map_or((word, None), |(program, tests)| (program, Some(tests.into())));
    Hint { program: program.into(), tests }
}

impl Bug {
    /// The number that stands for the bug in the sources: the FNV-1a hash of its name.
    pub fn hash(&self) -> u64 {
        let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        self.name.bytes().fold(0xcbf2_9ce4_8422_2325, step)
    }
}

/// The files that have bugs, by their path from the root, with all of these bugs.
pub fn patched(root: &Path, bugs: &[Bug]) -> Result<BTreeMap<String, String>, String> {
    let mut places: BTreeMap<&str, Vec<(usize, &Patch, String)>> = BTreeMap::new();
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let read = |file: &str| fs::read_to_string(root.join(file)).map_err(|error| format!("{file}: {error}"));
    for bug in bugs {
        let condition = format!("crate::seeded_bugs::is_on({:#x})", bug.hash());
        if !bug.patches.iter().any(|patch| patch.both.contains(CONDITION)) {
            return Err(format!("`{}` has no {CONDITION}", bug.name));
        }
        for patch in &bug.patches {
            if !texts.contains_key(&patch.file) {
                texts.insert(patch.file.clone(), read(&patch.file)?);
            }
            let text = &texts[&patch.file];
            let at = match text.matches(&patch.old).count() {
                1 => text.find(&patch.old).expect("it is there once"),
                count => {
                    let Patch { file, old, .. } = patch;
                    return Err(format!("`{}`: the old text is found {count} times in {file}:\n{old}", bug.name));
                }
            };
            places.entry(&patch.file).or_default().push((at, patch, patch.both.replace(CONDITION, &condition)));
        }
    }
    for (file, mut patches) in places {
        patches.sort_by_key(|patch| patch.0);
        let text = texts.get_mut(file).expect("each file was read");
        // From the end, so that the places before stay.
        let mut end = text.len();
        for (at, patch, both) in patches.into_iter().rev() {
            if at + patch.old.len() > end {
                return Err(format!("two bugs of {file} are at the same place:\n{}", patch.old));
            }
            text.replace_range(at..at + patch.old.len(), &both);
            end = at;
        }
    }
    let mut roots: Vec<String> = texts.keys().map(|file| crate_root(root, file)).collect();
    roots.sort();
    roots.dedup();
    for file in roots {
        let text = match texts.remove(&file) {
            Some(text) => text,
            None => read(&file)?,
        };
        texts.insert(file, text + MODULE);
    }
    Ok(texts)
}

/// The root of the crate that a source belongs to.
fn crate_root(root: &Path, file: &str) -> String {
    let folders = Path::new(file).ancestors().skip(1);
    let folder = folders.into_iter().find(|folder| root.join(folder).join("Cargo.toml").is_file());
    let folder = folder.expect("the root of the workspace is a package");
    let roots = [folder.join("lib.rs"), folder.join("src/lib.rs")];
    let found = roots.iter().find(|path| root.join(path).is_file()).expect("bugs are in libraries");
    found.to_string_lossy().into_owned()
}
