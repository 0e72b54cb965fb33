//! Projects of samlang: a folder with a file `sconfig.json`, which says where modules are looked for and which of them
//! are programs.

use crate::driver::input;
use crate::driver::json::Value;
use crate::driver::output::reason;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

const FILE: &str = "sconfig.json";

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
        let value = std::str::from_utf8(bytes).ok().and_then(Value::parse);
        let Some(value @ Value::Object(_)) = value else { return Err(wrong("it is no object of JSON")) };
        let names = |field: &str| -> Result<Vec<String>, String> {
            let Some(list) = value.get(&[field]) else { return Ok(Vec::new()) };
            let Value::List(items) = list else { return Err(wrong(&format!("`{field}` is no list"))) };
            let name = |item: &Value| item.as_text().map(str::to_string);
            items
                .iter()
                .map(|item| name(item).ok_or_else(|| wrong(&format!("`{field}` is no list of strings"))))
                .collect()
        };
        let root = match value.get(&["sourceDirectory"]) {
            None => folder.to_path_buf(),
            Some(Value::Text(name)) if name == "." => folder.to_path_buf(),
            Some(Value::Text(name)) if !folder.join(name).is_dir() => {
                return Err(wrong(&format!("there is no folder `{name}`, which `sourceDirectory` names")));
            }
            Some(Value::Text(name)) => folder.join(name),
            Some(_) => return Err(wrong("`sourceDirectory` is no string")),
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

    /// What to say of a program that is named, and is not there.
    pub fn no_program(&self, name: &str) -> String {
        let file = self.root.join(name.split('.').collect::<PathBuf>().with_extension("sam"));
        let message = format!("`{FILE}` names the program `{name}`, and there is no file `{}`", file.display());
        match input::similar(&file) {
            Some(near) => format!("{message}; did you mean `{near}`?"),
            None => message,
        }
    }

    /// The file of a module by its name.
    pub fn module(&self, name: &str) -> Option<PathBuf> {
        self.file(&name.split('.').collect::<PathBuf>().with_extension("sam"))
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
