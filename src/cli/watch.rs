//! `--watch`: the command runs again whenever a source changes. It runs as a process of its own, which is ended if it
//! still runs then.

use crate::cli::exit_code::FAILURE;
use crate::driver::output::write_stderr;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, SystemTime};

/// How long nothing is looked at between two looks.
const PAUSE: Duration = Duration::from_millis(150);

/// Endings of what programs are made of.
const ENDINGS: [&str; 9] = ["goo", "sam", "ir", "icl", "dcl", "abc", "expected", "json", "sh"];

/// So many files are watched.
const MOST: usize = 10_000;

/// Runs this command again and again, without its flag `--watch`.
pub fn run(mains: &[PathBuf], is_quiet: bool) -> i32 {
    let Ok(own) = std::env::current_exe() else { return FAILURE };
    let arguments: Vec<OsString> = std::env::args_os().skip(1).filter(|word| word != "--watch").collect();
    let folders: Vec<PathBuf> = mains.iter().map(|main| folder(main)).collect();
    loop {
        let before = times(&folders);
        let mut child = match Command::new(&own).args(&arguments).spawn() {
            Ok(child) => child,
            Err(error) => {
                write_stderr(&format!("cleave: {error}\n"));
                return FAILURE;
            }
        };
        let status = wait(&mut child, &folders, &before);
        if let (Some(status), false) = (status, is_quiet) {
            write_stderr(&format!("cleave: ended with status {status}; waiting for a change\n"));
        }
        while times(&folders) == before {
            std::thread::sleep(PAUSE);
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Waits until the process has ended, and gives its status, or until a file has changed.
fn wait(child: &mut Child, folders: &[PathBuf], before: &BTreeMap<PathBuf, SystemTime>) -> Option<i32> {
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status.code().unwrap_or(FAILURE));
        }
        if times(folders) != *before {
            return None;
        }
        std::thread::sleep(PAUSE);
    }
}

/// The folder in which a program lies.
fn folder(main: &Path) -> PathBuf {
    if main.is_dir() {
        return main.to_path_buf();
    }
    match main.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// When the sources in folders were changed.
fn times(folders: &[PathBuf]) -> BTreeMap<PathBuf, SystemTime> {
    let mut found = BTreeMap::new();
    let mut open: Vec<PathBuf> = folders.to_vec();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if !name.to_string_lossy().starts_with('.') && name != "target" && name != "node_modules" {
                    open.push(path);
                }
                continue;
            }
            let is_source = path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known));
            if let (true, Ok(time)) = (is_source, entry.metadata().and_then(|data| data.modified())) {
                found.insert(path, time);
            }
            if found.len() >= MOST {
                return found;
            }
        }
    }
    found
}
