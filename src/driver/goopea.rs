//! GOOPEA: a program is one file, with those that it includes.

use crate::driver::foreign::{Need, Symbols};
use crate::driver::frontend::{Frontend, Loaded, Translated};
use crate::driver::output::reason;
use crate::driver::pipeline::BUILD;
use crate::driver::session::{Failed, Outcome, Session};
use cleave_diag::{Diagnostic, code};
use cleave_goopea::Files;
use cleave_strict::tree::Program;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The ending of sources.
const EXTENSION: &str = "goo";

/// The language.
pub struct Goopea;

/// A program without errors.
struct Checked(Program);

/// The files of the system.
struct OnDisk;

impl Files for OnDisk {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        std::fs::read(path).map_err(|error| reason(&error))
    }
}

/// The file that is meant: it may be named without its ending.
fn file_of(main: &Path) -> PathBuf {
    if main.extension().is_some_and(|extension| extension == EXTENSION) {
        return main.to_path_buf();
    }
    let mut name = main.as_os_str().to_os_string();
    name.push(".");
    name.push(EXTENSION);
    name.into()
}

impl Frontend for Goopea {
    fn extensions(&self) -> &'static [&'static str] {
        &[EXTENSION]
    }

    fn is_there(&self, _: &Session, main: &Path) -> bool {
        file_of(main).is_file()
    }

    fn load(&self, session: &mut Session, main: &Path) -> Outcome<Box<dyn Loaded>> {
        let path = file_of(main);
        let shown = path.display().to_string();
        let bytes = std::fs::read(&path).map_err(|error| {
            session.fail(match error.kind() {
                ErrorKind::NotFound => Diagnostic::error(code::FILE_NOT_FOUND, format!("there is no file `{shown}`")),
                ErrorKind::IsADirectory => Diagnostic::error(code::FILE_IS_DIRECTORY, format!("`{shown}` is a folder")),
                _ => Diagnostic::error(code::FILE_UNREADABLE, format!("`{shown}` cannot be read: {}", reason(&error))),
            })
        })?;
        let file = session.sources.add(shown, bytes);
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Session { sources, sink, .. } = session;
        let program = cleave_goopea::read(&name, file, &path, &mut OnDisk, sources, sink);
        Ok(Box::new(Checked(program.ok_or(Failed)?)))
    }
}

impl Loaded for Checked {
    fn module_count(&self) -> usize {
        1
    }

    fn needs(&self, _: &Session) -> Vec<Need> {
        Vec::new()
    }

    fn translate(self: Box<Self>, session: &mut Session, _: Symbols<'_>) -> Outcome<Translated> {
        let Session { timing, options, .. } = session;
        let module = timing.time(BUILD, || cleave_goopea::translate(&self.0, options.print));
        Ok(Translated { module, calls: Vec::new(), names: None })
    }
}
