//! Projects of samlang: a folder with a file `sconfig.json`, which says where modules are looked for and which of them
//! are programs.

use crate::driver::input;
use crate::driver::json::Value;
use crate::driver::output::reason;
use cleave_diag::nearest;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

const FILE: &str = "sconfig.json";

/// What such a file may say.
const FIELDS: [&str; 4] = ["sourceDirectory", "entryPoints", "ignores", "__dangerously_allow_libdef_shadowing__"];

/// Why a module that is there cannot be imported.
pub const IGNORED: &str = "`ignores` in `sconfig.json` takes it out of the project";

#[derive(Debug, Default)]
pub struct Project {
    /// The folder of all modules.
    pub root: PathBuf,
    /// Names of modules that are programs.
    pub entry_points: Vec<String>,
    /// Modules whose path has one of these in it are not there.
    pub ignores: Vec<String>,
    /// Its own modules go before those of the library.
    pub shadows: bool,
}

impl Project {
    /// The project that a folder belongs to: the file stands there, or in a folder around it.
    pub fn around(folder: &Path) -> Result<Option<Project>, String> {
        let Some(whole) = whole(folder) else { return Ok(None) };
        let is_absolute = folder.is_absolute();
        for folder in whole.ancestors() {
            let path = folder.join(FILE);
            match input::read(&path) {
                Ok(bytes) => {
                    let mut project = Project::read(folder, &bytes)?;
                    if !is_absolute {
                        project.root = near(project.root);
                    }
                    return Ok(Some(project));
                }
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
                Err(error) => return Err(format!("`{}` cannot be read: {}", path.display(), reason(&error))),
            }
        }
        Ok(None)
    }

    fn read(folder: &Path, bytes: &[u8]) -> Result<Project, String> {
        let path = folder.join(FILE);
        let wrong = |what: &str| format!("`{}` is no configuration of a project: {what}", path.display());
        let Ok(text) = std::str::from_utf8(bytes) else { return Err(wrong("it is no text in UTF-8")) };
        let value = match Value::parse_or_place(text) {
            Ok(value) => value,
            Err(at) => return Err(wrong(&format!("{}: {}", position(text, at), no_json(text, at)))),
        };
        let Value::Object(fields) = &value else { return Err(wrong("it is no object of JSON, `{ … }`")) };
        for (number, (name, _)) in fields.iter().enumerate() {
            let quoted = format!("\"{name}\"");
            let at = || position(text, text.rfind(&quoted).unwrap_or_default());
            if fields[..number].iter().any(|field| field.0 == *name) {
                return Err(wrong(&format!("{}: the field `{name}` stands there twice", at())));
            }
            if FIELDS.contains(&&name[..]) {
                continue;
            }
            let longer = FIELDS.iter().find(|field| field.starts_with(&name[..])).map(|field| field.as_bytes());
            if let Some(near) = longer.or_else(|| nearest(name.as_bytes(), FIELDS.iter().map(|field| field.as_bytes())))
            {
                let near = String::from_utf8_lossy(near);
                return Err(wrong(&format!("{}: there is no field `{name}`: did you mean `{near}`?", at())));
            }
        }
        let wrong = |field: &str, what: &str| {
            let at = text.find(&format!("\"{field}\"")).unwrap_or_default();
            wrong(&format!("{}: {what}", position(text, at)))
        };
        let names = |field: &str| -> Result<Vec<String>, String> {
            let Some(list) = value.get(&[field]) else { return Ok(Vec::new()) };
            let Value::List(items) = list else { return Err(wrong(field, &format!("`{field}` is no list"))) };
            let name = |item: &Value| item.as_text().map(str::to_string);
            items
                .iter()
                .map(|item| name(item).ok_or_else(|| wrong(field, &format!("`{field}` is no list of strings"))))
                .collect()
        };
        const SOURCES: &str = "sourceDirectory";
        let root = match value.get(&[SOURCES]) {
            None => folder.to_path_buf(),
            Some(Value::Text(name)) if name == "." => folder.to_path_buf(),
            Some(Value::Text(name)) if !folder.join(name).is_dir() => {
                return Err(wrong(SOURCES, &format!("there is no folder `{name}`, which `{SOURCES}` names")));
            }
            Some(Value::Text(name)) => folder.join(name),
            Some(_) => return Err(wrong(SOURCES, &format!("`{SOURCES}` is no string"))),
        };
        let shadows = value.get(&["__dangerously_allow_libdef_shadowing__"]) == Some(&Value::Bool(true));
        Ok(Project { root, entry_points: names("entryPoints")?, ignores: names("ignores")?, shadows })
    }

    /// The file of a module, unless it is ignored.
    pub fn file(&self, path: &Path) -> Option<PathBuf> {
        let text = path.to_string_lossy();
        let is_ignored = self.ignores.iter().any(|ignored| text.contains(&ignored[..]));
        (!is_ignored).then(|| self.root.join(path))
    }

    /// What to say where no program is named.
    pub fn no_entry_points() -> String {
        format!("`{FILE}` names no programs: `\"entryPoints\": [\"Main\"]` names the module `Main`")
    }

    /// What to say of a program that is named, and is not there.
    pub fn no_program(&self, name: &str) -> String {
        let file = self.root.join(name.split('.').collect::<PathBuf>().with_extension("sam"));
        let message = format!("`{FILE}` names the program `{name}`, and there is no file `{}`", file.display());
        match input::similar(&file, |_| false) {
            Some(near) => format!("{message}; did you mean `{near}`?"),
            None => message,
        }
    }

    /// The file of a module by its name.
    pub fn module(&self, name: &str) -> Option<PathBuf> {
        self.file(&name.split('.').collect::<PathBuf>().with_extension("sam"))
    }
}

/// Where a byte of the file is.
fn position(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or(text);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("line {line}, column {column}")
}

/// Why this is no JSON from there on.
fn no_json(text: &str, at: usize) -> &'static str {
    let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
    let before = before.trim_end();
    match rest.trim_start().chars().next() {
        None if text.trim().is_empty() => "the file is empty",
        None => "something is still open at the end of the file",
        Some('/' | '#') => "JSON has no comments",
        Some('}' | ']') if before.ends_with(',') => "no comma stands before the end of an object or a list",
        Some('\'') => "strings stand between `\"`",
        Some('"') => "a comma is missing",
        Some(_) if before.ends_with('{') || before.ends_with(',') => "the name of a field stands between `\"`",
        Some(_) if before.ends_with('}') && !before.is_empty() => "nothing stands behind the object",
        Some(_) => "this is no JSON",
    }
}

/// A folder with all folders around it. One that an editor names stays as it is, links included: its open files have
/// such names.
pub fn whole(folder: &Path) -> Option<PathBuf> {
    if folder.is_absolute() && !folder.components().any(|part| part == Component::ParentDir) {
        return Some(folder.to_path_buf());
    }
    std::fs::canonicalize(if folder == Path::new("") { Path::new(".") } else { folder }).ok()
}

/// The path from the current folder on, if it is inside of that.
pub fn near(path: PathBuf) -> PathBuf {
    let current = std::env::current_dir().and_then(std::fs::canonicalize);
    match current.ok().and_then(|current| path.strip_prefix(current).ok().map(Path::to_path_buf)) {
        Some(inside) => inside,
        None => path,
    }
}
