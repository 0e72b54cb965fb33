//! The command `doctor`: what cleave finds on this machine, where it was looked for, and what that means.
//!
//! Nothing of it is needed to compile .abc files. Wrong is only what somebody has named and is not there: then the
//! status is 1.

use crate::cli::args::DoctorArgs;
use crate::driver::version;
use crate::driver::{native, output};
use crate::languages::clean;
use crate::languages::clean::folders::SYSTEM_FILES;
use crate::languages::clean::sources::Cocl;
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Engines that run what `cleave build` writes.
const ENGINES: &[&str] = &["wasmtime", "node", "deno", "bun"];
/// A program that does not say its version in this time is not waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// What was found, as text, and whether all of it is right.
pub fn report(args: &DoctorArgs) -> (String, bool) {
    let mut report = Report { text: String::new(), is_right: true };
    let clean = clean::Options::from_environment(args.clean_home.clone(), args.cocl.clone());
    report.row("cleave", version::VERSION);
    let cranelift = native::CRANELIFT.map(|version| format!(", with Cranelift {version}")).unwrap_or_default();
    report.row(
        "targets",
        &format!("{}{cranelift}", crate::driver::build_info::targets().trim_start_matches("targets: ")),
    );
    report.row("engine", crate::driver::build_info::engine().trim_start_matches("engine: "));
    report.installation(&clean);
    report.compiler(&clean, args.cocl.as_deref());
    let needless = "not found; only archives and unusual objects of C functions need it";
    let cc = native::c_compiler().map_or_else(|| needless.to_string(), |path| path.display().to_string());
    report.row("C compiler", &cc);
    for engine in ENGINES {
        let found = find(engine).map(|path| (program_version(&path), path));
        let text = match found {
            None => "not found".to_string(),
            Some((Some(version), path)) => format!("{version} ({})", path.display()),
            Some((None, path)) => format!("{}, which does not say its version", path.display()),
        };
        report.row(engine, &text);
    }
    (report.text, report.is_right)
}

struct Report {
    text: String,
    is_right: bool,
}

impl Report {
    fn row(&mut self, name: &str, text: &str) {
        let _ = writeln!(self.text, "{name:12}{text}");
    }

    /// What somebody has named, and is not there.
    fn wrong(&mut self, name: &str, text: &str) {
        self.row(name, &format!("WRONG: {text}"));
        self.is_right = false;
    }

    /// The folder of Clean, its libraries, CLEANPATH.
    fn installation(&mut self, clean: &clean::Options) {
        let lib = clean.home.as_ref().map(|home| home.join("lib"));
        match (&clean.home, &lib) {
            (Some(home), Some(lib)) if lib.is_dir() => {
                self.row("Clean", &home.display().to_string());
                let folders = folders_in(lib, Path::is_dir);
                let libraries: Vec<String> = folders.iter().filter_map(|folder| library(folder)).collect();
                let none = "none with modules".to_string();
                self.row("libraries", &if libraries.is_empty() { none } else { libraries.join(", ") });
            }
            (Some(home), _) => self.wrong("Clean", &format!("`{}` has no folder `lib`", home.display())),
            _ => self.row("Clean", "not known; CLEAN_HOME or --clean-home names the folder that holds `lib`"),
        }
        let Some(path) = &clean.path else { return };
        match path.iter().find(|folder| !folder.is_dir()) {
            Some(folder) => self.wrong("CLEANPATH", &format!("there is no folder `{}`", folder.display())),
            None => {
                let folders: Vec<String> = path.iter().map(|folder| folder.display().to_string()).collect();
                self.row("CLEANPATH", &folders.join(", "));
            }
        }
    }

    fn compiler(&mut self, clean: &clean::Options, named: Option<&Path>) {
        match (Cocl::find(clean), named) {
            (_, Some(named)) if !named.is_file() => {
                self.wrong("cocl", &format!("there is no file `{}`", named.display()));
            }
            (Some(cocl), _) => self.row("cocl", &cocl.program().display().to_string()),
            (None, _) => self.row("cocl", "not found; .abc files are used as they are, sources are not compiled"),
        }
    }
}

/// A library and how many modules of it are compiled; nothing for a folder without modules.
fn library(folder: &Path) -> Option<String> {
    let count = |folder: &Path, ending: &str| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().extension().is_some_and(|extension| extension == ending)).count()
    };
    let (mut modules, mut sources) = (0, 0);
    let mut rest = vec![folder.to_path_buf()];
    while let Some(folder) = rest.pop() {
        modules += count(&folder, "abc");
        sources += count(&folder, "icl");
        // Links could lead back.
        rest.extend(folders_in(&folder, |path| path.is_dir() && !path.is_symlink()));
    }
    let name = folder.file_name()?.to_string_lossy().into_owned();
    match (modules, sources) {
        (0, 0) => None,
        (0, _) => Some(format!("{name} (sources only, nothing in `{SYSTEM_FILES}`)")),
        (1, _) => Some(format!("{name} (1 module)")),
        _ => Some(format!("{name} ({modules} modules)")),
    }
}

/// The folders in a folder, by name; links are not followed.
fn folders_in(folder: &Path, is_folder: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| is_folder(path)).collect();
    folders.sort();
    folders
}

/// A program in PATH.
fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The first line that a program writes when it is asked for its version, without its name.
fn program_version(path: &Path) -> Option<String> {
    let mut command = Command::new(path);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let end = Instant::now() + PATIENCE;
    let status = loop {
        match child.try_wait().ok()? {
            Some(status) => break status,
            None if Instant::now() > end => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let mut text = String::new();
    child.stdout.take()?.take(4096).read_to_string(&mut text).ok()?;
    let name = path.file_name()?.to_string_lossy().into_owned();
    let line = text.lines().next()?.trim().trim_start_matches(&name).trim_start().trim_start_matches('v');
    (status.success() && !line.is_empty()).then(|| line.to_string())
}

/// Writes the report; the status says whether all that was named is there.
pub fn run(args: &DoctorArgs) -> i32 {
    let (text, is_right) = report(args);
    match output::write_stdout(text.as_bytes()) {
        Ok(()) if is_right => 0,
        _ => crate::cli::FAILURE,
    }
}
