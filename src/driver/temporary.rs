//! Temporary files and folders with random names.
//!
//! Everybody may write to a folder like `/tmp`. Somebody who knew the name in advance could put a link there, and we
//! would overwrite the file it leads to. So names are random, and a file that exists is never opened.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// How often another name is tried.
const TRIES: usize = 16;

/// Random letters: the keys of a hasher come from the system.
fn random() -> String {
    format!("{:016x}", RandomState::new().hash_one(()))
}

/// Makes something under a random name, under another one if it is there already.
pub fn make<T>(name: impl Fn(&str) -> PathBuf, create: impl Fn(&Path) -> io::Result<T>) -> io::Result<(T, PathBuf)> {
    let mut tries = TRIES;
    loop {
        let path = name(&random());
        tries -= 1;
        match create(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && tries > 0 => {}
            result => return result.map(|made| (made, path)),
        }
    }
}

/// A new hidden file in the folder of `target`, to be renamed to it.
pub fn file_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    let name = target.file_name().unwrap_or_default();
    let hidden = |random: &str| {
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{random}.tmp"));
        // A long name would become too long.
        if hidden.len() > NAME_MAX {
            hidden = format!(".cleave.{random}.tmp").into();
        }
        target.with_file_name(hidden)
    };
    make(hidden, |path| OpenOptions::new().write(true).create_new(true).open(path))
}

/// Bytes in the name of a file on all usual file systems.
pub const NAME_MAX: usize = 255;

/// A new folder among the temporary files, for us alone.
pub fn folder() -> io::Result<PathBuf> {
    let root = std::env::temp_dir();
    let name = |random: &str| root.join(format!("cleave-{random}"));
    make(name, create_private).map(|made| made.1)
}

#[cfg(unix)]
fn create_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}
#[cfg(not(unix))]
fn create_private(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}
