//! C functions of native programs: the objects and libraries that modules and the command line name, as files and as
//! arguments of a linker, and what its complaints mean to the programmer.
//!
//! What modules name is looked for in the folders that their language has for it; libraries then among those of the
//! system. Whichever module names something, it counts for all. What a module names and is not found is no error by
//! itself: its functions may be elsewhere, as in the C library, in the runtime, or in a file of the command line. A
//! program that calls no machine code needs nothing.

use crate::driver::ffi::{Call, CallPlace, Need};
use crate::driver::session::{Outcome, Session};
use cleave_diag::{Diagnostic, code};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Something that a linker is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// An object or a library, by its absolute path.
    File(PathBuf),
    /// A library that is not found, by its name without `lib`: a C compiler may know where it is.
    Library(String),
}

/// Who asks for an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asker {
    CommandLine,
    Module(String),
}

/// What the linker is given for C functions.
#[derive(Default)]
pub struct Needs {
    /// After the objects of the program, each with the first that asks for it.
    pub inputs: Vec<(Input, Asker)>,
    /// Name of each function, and the module that calls it.
    functions: Vec<(String, String)>,
    /// What is nowhere, and the module that asks for it.
    absent: Vec<(String, String)>,
}

/// Where libraries are, besides the folder of the C library that we use ourselves.
const FOLDERS: [&str; 6] =
    ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"];

/// The folder of the C library that this process uses.
fn own_folder() -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| line.ends_with("/libc.so.6"))?;
    Path::new(&line[line.find('/')?..]).parent().map(Path::to_path_buf)
}

/// A library of the system, by the name of its file.
pub fn system_file(name: &str) -> Option<PathBuf> {
    let folders = own_folder().into_iter().chain(FOLDERS.map(PathBuf::from));
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The name of a library, without what is around it in the name of a file.
pub fn bare(name: &str) -> &str {
    name.strip_prefix("lib").unwrap_or(name).trim_end_matches(".so").trim_end_matches(".a")
}

/// The file of an object or library, as an absolute path: the linker works in another folder.
fn file(Need { name, is_library, folders, .. }: &Need) -> Option<PathBuf> {
    let names = match is_library {
        true => {
            let endings = [".a", ".so"].into_iter().flat_map(|end| [format!("{name}{end}"), format!("lib{name}{end}")]);
            std::iter::once(name.clone()).chain(endings).collect()
        }
        // A dot at the end stands before the ending of the platform, and that of another one for it.
        false => match (name.strip_suffix('.'), name.strip_suffix(".obj")) {
            (Some(stem), _) => vec![format!("{stem}.o")],
            (_, Some(stem)) => vec![name.clone(), format!("{stem}.o")],
            _ => vec![name.clone(), format!("{name}.o")],
        },
    };
    let mut files = folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name)));
    files.find(|file| file.is_file()).and_then(|file| std::path::absolute(file).ok())
}

/// Does a name lead out of the folders that are searched?
pub fn leads_out(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    parts.any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
}

/// The needs of a program.
pub fn needs(session: &mut Session, calls: &[Call], named: &[Need]) -> Outcome<Needs> {
    let mut needs = Needs::default();
    let symbols = calls.iter().filter(|call| call.place == CallPlace::Symbol);
    needs.functions.extend(symbols.map(|call| (call.name.clone(), call.module.clone())));
    if needs.functions.is_empty() {
        return Ok(needs);
    }
    for path in &session.options.natives.files {
        needs.add(Input::File(std::path::absolute(path).unwrap_or_else(|_| path.clone())), Asker::CommandLine);
    }
    let mut folders_of_line = session.options.folders.clone();
    folders_of_line.push(PathBuf::new());
    for name in &session.options.natives.libraries {
        let files = [".so", ".a"].map(|end| format!("lib{name}{end}"));
        let here = folders_of_line.iter().flat_map(|folder| files.iter().map(|file| folder.join(file)));
        let found = here.filter(|file| file.is_file()).find_map(|file| std::path::absolute(file).ok());
        needs.add(found.map_or_else(|| Input::Library(name.clone()), Input::File), Asker::CommandLine);
    }
    for need in named {
        let Need { name, is_library, module, span, .. } = need;
        if !session.options.natives.allow_paths && leads_out(name) {
            let what = if *is_library { "library" } else { "object" };
            let message = format!("module `{module}` names the {what} `{name}` by a path");
            let help = "--allow-paths permits it; or name the file alone, and its folder with -L";
            let label = "outside of the folders that are searched";
            return Err(session.fail(Diagnostic::error(code::NATIVE_PATH, message).at(*span, label).help(help)));
        }
        let asker = Asker::Module(module.clone());
        match file(need) {
            Some(file) => needs.add(Input::File(file), asker),
            None if *is_library => needs.add(Input::Library(bare(name).into()), asker),
            None => needs.lack(name, module),
        }
    }
    Ok(needs)
}

/// The shared libraries of a program, as the system's loader takes them, for the program that runs in this process.
pub fn libraries(session: &mut Session, calls: &[Call], named: &[Need]) -> Outcome<Vec<OsString>> {
    let inputs = needs(session, calls, named)?.inputs.into_iter();
    let library = |(input, _)| match input {
        Input::File(file) => file.into_os_string(),
        Input::Library(name) => format!("lib{name}.so").into(),
    };
    Ok(inputs.map(library).collect())
}

impl Needs {
    fn add(&mut self, input: Input, asker: Asker) {
        if !self.inputs.iter().any(|known| known.0 == input) {
            self.inputs.push((input, asker));
        }
    }

    /// Something that a module names is nowhere.
    pub fn lack(&mut self, name: &str, module: &str) {
        let absent = (name.to_string(), module.to_string());
        if !self.absent.contains(&absent) {
            self.absent.push(absent);
        }
    }

    /// True if the program calls C functions by their symbols.
    pub fn has_functions(&self) -> bool {
        !self.functions.is_empty()
    }

    /// Arguments for a C compiler, after the objects of the program.
    pub fn arguments(&self, compiler: &Path) -> Vec<OsString> {
        let argument = |(input, asker): &(Input, Asker)| match input {
            Input::File(file) => Some(file.clone().into_os_string()),
            // What a module names may be needed by nobody.
            Input::Library(name) if *asker != Asker::CommandLine && !is_known(compiler, name) => None,
            Input::Library(name) => Some(format!("-l{name}").into()),
        };
        let mut arguments: Vec<OsString> = self.inputs.iter().filter_map(argument).collect();
        if !arguments.is_empty() {
            // Archives may need each other.
            arguments.insert(0, "-Wl,--start-group".into());
            arguments.push("-Wl,--end-group".into());
        }
        if self.has_functions() {
            arguments.extend(["-Wl,--as-needed", "-lm"].map(OsString::from));
        }
        arguments
    }

    /// What the complaint of a linker is about: functions that are undefined, or a library that is nowhere. Nothing if
    /// it is something else.
    pub fn explain(&self, complaint: &str) -> Option<Diagnostic> {
        let undefined: Vec<&str> = complaint.lines().filter_map(undefined_symbol).collect();
        let libraries: Vec<&str> = complaint.lines().filter_map(missing_library).collect();
        self.missing_functions(&undefined).or_else(|| libraries.iter().find_map(|name| self.missing_library(name)))
    }

    /// The message for a library that is nowhere, if the command line or a module names it.
    pub fn missing_library(&self, name: &str) -> Option<Diagnostic> {
        let (_, asker) = self.inputs.iter().find(|(input, _)| *input == Input::Library(name.into()))?;
        let message = match asker {
            Asker::CommandLine => format!("library `{name}` (-l {name}) was not found"),
            Asker::Module(module) => format!("library `{name}`, which module `{module}` names, was not found"),
        };
        Some(Diagnostic::error(code::LINK_FAILED, message).help(WHERE))
    }

    /// The message for functions that no object and no library has; nothing if the program calls none of them.
    pub fn missing_functions(&self, undefined: &[&str]) -> Option<Diagnostic> {
        const LISTED: usize = 10;
        let missing = self.functions.iter().filter(|(name, _)| undefined.contains(&name.as_str()));
        let mut shown: Vec<String> = Vec::new();
        for (name, module) in missing {
            let caller = if module.is_empty() { "the program".into() } else { format!("module `{module}`") };
            let text = format!("C function `{name}`, which {caller} calls, ");
            if !shown.contains(&text) {
                shown.push(text);
            }
        }
        let message = shown.first()?.clone() + "is in no object or library that the linker was given";
        let mut diagnostic = Diagnostic::error(code::MISSING_SYMBOL, message);
        for other in shown[1..].iter().take(LISTED) {
            diagnostic = diagnostic.help(format!("{other}is missing, too"));
        }
        if shown.len() > LISTED + 1 {
            diagnostic = diagnostic.help(format!("and {} more: --list-ccalls names all", shown.len() - LISTED - 1));
        }
        for (object, module) in &self.absent {
            diagnostic = diagnostic.help(format!("`{object}`, which module `{module}` needs, was not found"));
        }
        Some(diagnostic.help(WHERE))
    }
}

/// Does a C compiler find a library? Of files that it does not find it says the name alone.
fn is_known(compiler: &Path, name: &str) -> bool {
    [".so", ".a"].iter().any(|end| {
        let file = format!("lib{name}{end}");
        let output = Command::new(compiler).arg(format!("-print-file-name={file}")).output();
        output.is_ok_and(|output| output.status.success() && output.stdout.trim_ascii() != file.as_bytes())
    })
}

const WHERE: &str = "objects (.impobj) and libraries (.implib) are looked for beside the module, in the folders of -L and \
                     where modules are searched; -l NAME and --object FILE add others";

/// The library that a line of a linker does not find, as in `cannot find -lx: No such file or directory`.
pub fn missing_library(line: &str) -> Option<&str> {
    let (_, tail) = line.split_once("find -l").or_else(|| line.split_once("find library -l"))?;
    tail.split([':', ' ']).next().filter(|name| !name.is_empty())
}

/// The symbol that a line of a linker calls undefined: its last word, as in ``undefined reference to `f'``.
pub fn undefined_symbol(line: &str) -> Option<&str> {
    let (_, tail) = line.split_once("undefined ")?;
    tail.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').rfind(|word| !word.is_empty())
}
