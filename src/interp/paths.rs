//! File system calls for C functions of interpreted programs, with the `errno` of Linux for failures.

use crate::host_env::ns_since_1970;
use cleave_rt::platform::{FileKind, FileStatus, Posix};
use std::fs::{self, FileType, Metadata};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// `EIO`, for whatever has no number of its own.
const OTHER: u32 = 5;

/// The number of an error.
pub fn number(error: Error) -> u32 {
    if cfg!(target_os = "linux")
        && let Some(number) = error.raw_os_error()
    {
        return number as u32;
    }
    match error.kind() {
        ErrorKind::NotFound => 2,
        ErrorKind::PermissionDenied => 13,
        ErrorKind::AlreadyExists => 17,
        ErrorKind::NotADirectory => 20,
        ErrorKind::IsADirectory => 21,
        ErrorKind::InvalidInput => 22,
        ErrorKind::DirectoryNotEmpty => 39,
        _ => OTHER,
    }
}

pub fn path_of(bytes: &[u8]) -> Posix<&Path> {
    std::str::from_utf8(bytes).map(Path::new).map_err(|_| 2)
}

pub fn kind_of(kind: FileType) -> FileKind {
    if kind.is_dir() {
        FileKind::Directory
    } else if kind.is_file() {
        FileKind::Regular
    } else if kind.is_symlink() {
        FileKind::Link
    } else {
        FileKind::Other
    }
}

pub fn status_of(data: &Metadata) -> FileStatus {
    let time = |time: std::io::Result<std::time::SystemTime>| time.map_or(0, ns_since_1970);
    FileStatus {
        device: 1,
        number: 0,
        links: 1,
        kind: kind_of(data.file_type()),
        size: data.len(),
        accessed_ns: time(data.accessed()),
        modified_ns: time(data.modified()),
        changed_ns: time(data.modified()),
    }
}

pub fn create_directory(path: &[u8]) -> Posix<()> {
    fs::create_dir(path_of(path)?).map_err(number)
}
pub fn remove_directory(path: &[u8]) -> Posix<()> {
    fs::remove_dir(path_of(path)?).map_err(number)
}
pub fn remove_file(path: &[u8]) -> Posix<()> {
    fs::remove_file(path_of(path)?).map_err(number)
}
pub fn rename(from: &[u8], to: &[u8]) -> Posix<()> {
    fs::rename(path_of(from)?, path_of(to)?).map_err(number)
}

/// Names and kinds of all entries of a folder, the folder itself and its parent first.
pub fn thunk_infos(path: &Path) -> Posix<Vec<(PathBuf, FileKind)>> {
    let mut found = vec![(PathBuf::from("."), FileKind::Directory), (PathBuf::from(".."), FileKind::Directory)];
    for entry in fs::read_dir(path).map_err(number)? {
        let entry = entry.map_err(number)?;
        found.push((entry.file_name().into(), kind_of(entry.file_type().map_err(number)?)));
    }
    Ok(found)
}
