//! Paths and folders by WASI preview 1: what C functions ask for, with the numbers of Linux for failures.

use super::refused;
use super::wasm::wasi as base;
use crate::platform::errno;
use crate::platform::{DirectoryEntry, FileKind, FileStatus, OpenFlags, Posix};

mod wasi {
    pub use super::base::{
        CREATE, FIRST_PREOPEN, LOOKUP_FOLLOW, RIGHT_READ, RIGHT_SEEK, RIGHT_STAT, RIGHT_TELL, RIGHT_WRITE, TRUNCATE,
        fd_prestat_dir_name, fd_prestat_get, path_open,
    };

    #[link(wasm_import_module = "wasi_snapshot_preview1")]
    unsafe extern "C" {
        pub fn path_filestat_get(
            directory: u32,
            lookup: u32,
            path: *const u8,
            length: usize,
            stat: *mut [u64; 8],
        ) -> u32;
        pub fn path_create_directory(directory: u32, path: *const u8, length: usize) -> u32;
        pub fn path_remove_directory(directory: u32, path: *const u8, length: usize) -> u32;
        pub fn path_unlink_file(directory: u32, path: *const u8, length: usize) -> u32;
        pub fn path_rename(
            directory: u32,
            path: *const u8,
            length: usize,
            new_directory: u32,
            new_path: *const u8,
            new_length: usize,
        ) -> u32;
        pub fn fd_readdir(directory: u32, to: *mut u8, room: usize, cookie: u64, used: *mut usize) -> u32;
    }
    pub const DIRECTORY: u32 = 2;
    pub const EXCLUSIVE: u32 = 4;
    pub const APPEND: u32 = 1;
    pub const RIGHT_READ_DIRECTORY: u64 = 1 << 14;
}

/// The number of Linux for one of WASI.
fn linux(number: u32) -> u32 {
    match number {
        2 | 76 => errno::EACCES,
        6 => 11,
        8 => errno::EBADF,
        10 => 16,
        20 => errno::EEXIST,
        22 => 27,
        28 => errno::EINVAL,
        31 => 21,
        32 => 40,
        33 => 24,
        34 => 31,
        37 => errno::ENAMETOOLONG,
        41 => 23,
        44 => errno::ENOENT,
        48 => errno::ENOMEM,
        51 => 28,
        52 => errno::ENOSYS,
        54 => errno::ENOTDIR,
        55 => 39,
        58 => 95,
        63 => 1,
        64 => 32,
        69 => 30,
        70 => 29,
        74 => 26,
        75 => 18,
        _ => 5,
    }
}

fn check(result: u32) -> Posix<()> {
    if result == 0 { Ok(()) } else { Err(linux(result)) }
}

fn kind_of(number: u64) -> FileKind {
    match number {
        1 => FileKind::BlockDevice,
        2 => FileKind::CharacterDevice,
        3 => FileKind::Directory,
        4 => FileKind::Regular,
        7 => FileKind::Link,
        _ => FileKind::Other,
    }
}

/// Nothing outside of the preopened folders can be reached.
fn place_of(path: &[u8]) -> Posix<(u32, &[u8])> {
    preopened(path).ok_or(errno::EACCES)
}

/// The same for what the host has said of a path.
fn check_path(path: &[u8], result: u32) -> Posix<()> {
    refused::note_failure(result, path);
    check(result)
}

pub fn file_status(path: &[u8], follow_links: bool) -> Posix<FileStatus> {
    let (directory, below) = place_of(path)?;
    let mut stat = [0; 8];
    // SAFETY: all pointers live during the call; `stat` has the 64 bytes of a filestat.
    check_path(path, unsafe {
        wasi::path_filestat_get(
            directory,
            if follow_links { wasi::LOOKUP_FOLLOW } else { 0 },
            below.as_ptr(),
            below.len(),
            &mut stat,
        )
    })?;
    let [device, number, kind, links, size, accessed_ns, modified_ns, changed_ns] = stat;
    let kind = kind_of(kind & 255);
    Ok(FileStatus { device, number, links, kind, size, accessed_ns, modified_ns, changed_ns })
}

pub fn create_directory(path: &[u8]) -> Posix<()> {
    let (directory, below) = place_of(path)?;
    // SAFETY: the path lives during the call.
    check_path(path, unsafe { wasi::path_create_directory(directory, below.as_ptr(), below.len()) })
}

pub fn remove_directory(path: &[u8]) -> Posix<()> {
    let (directory, below) = place_of(path)?;
    // SAFETY: the path lives during the call.
    check_path(path, unsafe { wasi::path_remove_directory(directory, below.as_ptr(), below.len()) })
}

pub fn remove_file(path: &[u8]) -> Posix<()> {
    let (directory, below) = place_of(path)?;
    // SAFETY: the path lives during the call.
    check_path(path, unsafe { wasi::path_unlink_file(directory, below.as_ptr(), below.len()) })
}

pub fn rename(from: &[u8], to: &[u8]) -> Posix<()> {
    let ((old_directory, old), (new_directory, new)) = (place_of(from)?, place_of(to)?);
    // SAFETY: the paths live during the call.
    check(unsafe { wasi::path_rename(old_directory, old.as_ptr(), old.len(), new_directory, new.as_ptr(), new.len()) })
}

fn open(path: &[u8], creation: u32, rights: u64, inherited: u64, flags: u32) -> Posix<u32> {
    let (directory, below) = place_of(path)?;
    let mut file = 0;
    // SAFETY: all pointers live during the call.
    check_path(path, unsafe {
        wasi::path_open(
            directory,
            wasi::LOOKUP_FOLLOW,
            below.as_ptr(),
            below.len(),
            creation,
            rights,
            inherited,
            flags,
            &mut file,
        )
    })?;
    Ok(file)
}

pub fn open_descriptor(path: &[u8], flags: OpenFlags) -> Posix<u32> {
    let mut rights = wasi::RIGHT_SEEK | wasi::RIGHT_TELL | wasi::RIGHT_STAT;
    let mut creation = 0;
    for (wanted, right) in [(flags.read, wasi::RIGHT_READ), (flags.write, wasi::RIGHT_WRITE)] {
        rights |= if wanted { right } else { 0 };
    }
    let bits = [(flags.create, wasi::CREATE), (flags.exclusive, wasi::EXCLUSIVE), (flags.truncate, wasi::TRUNCATE)];
    for (wanted, bit) in bits {
        creation |= if wanted { bit } else { 0 };
    }
    open(path, creation, rights, 0, if flags.append { wasi::APPEND } else { 0 })
}

pub fn open_directory(path: &[u8]) -> Posix<u32> {
    open(path, wasi::DIRECTORY, wasi::RIGHT_READ_DIRECTORY | wasi::RIGHT_STAT, 0, 0)
}

/// Bytes of an entry before its name.
const ENTRY_HEADER: usize = 24;

pub fn directory_entry(directory: u32, cookie: u64, name: &mut [u8]) -> Posix<Option<DirectoryEntry>> {
    let mut buffer = [0u8; ENTRY_HEADER + 256];
    let mut used = 0;
    // SAFETY: the buffer has the room that is given.
    check(unsafe { wasi::fd_readdir(directory, buffer.as_mut_ptr(), buffer.len(), cookie, &mut used) })?;
    if used < ENTRY_HEADER {
        return Ok(None);
    }
    let number = |at: usize| {
        let bytes = buffer.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
        u64::from_le_bytes(bytes.unwrap_or_default())
    };
    let (next, inode, sizes) = (number(0), number(8), number(16));
    let length = (sizes as u32 as usize).min(buffer.len() - ENTRY_HEADER).min(name.len());
    for (to, from) in name.iter_mut().zip(buffer.iter().skip(ENTRY_HEADER)).take(length) {
        *to = *from;
    }
    Ok(Some(DirectoryEntry { next, number: inode, kind: kind_of(sizes >> 32 & 255), length }))
}

/// The preopened directory whose name is the longest prefix of a path, and the path from there. A path that is nowhere
/// is refused.
pub fn preopened(path: &[u8]) -> Option<(u32, &[u8])> {
    let found = longest_prefix(path);
    if found.is_none() {
        refused::note(path);
    }
    found
}

fn longest_prefix(path: &[u8]) -> Option<(u32, &[u8])> {
    let mut best = None;
    let mut best_length = 0;
    let mut file = wasi::FIRST_PREOPEN;
    loop {
        let mut prestat = [0; 2];
        let mut name = [0; crate::platform::path::MAX_PATH];
        // SAFETY: `prestat` has the eight bytes of a prestat; the name is read only if it fits.
        unsafe {
            if wasi::fd_prestat_get(file, &mut prestat) != 0 {
                return best;
            }
            let length = (prestat[1] as usize).min(name.len());
            if wasi::fd_prestat_dir_name(file, name.as_mut_ptr(), length) == 0
                && let Some(rest) = path_below(name.get(..length).unwrap_or_default(), path)
                && (best.is_none() || length > best_length)
            {
                best_length = length;
                best = Some((file, rest));
            }
        }
        file += 1;
    }
}

/// The rest of a path below a directory, if it is there. `.` holds all relative paths.
fn path_below<'a>(directory: &[u8], path: &'a [u8]) -> Option<&'a [u8]> {
    let name = directory.strip_suffix(b"\0").unwrap_or(directory);
    if name == b"." || name.is_empty() {
        let relative = path.strip_prefix(b"./").unwrap_or(path);
        return (relative.first() != Some(&b'/')).then_some(relative);
    }
    let rest = path.strip_prefix(name.strip_suffix(b"/").unwrap_or(name))?;
    match rest {
        // The directory itself.
        b"" | b"/" => Some(b"."),
        _ => rest.strip_prefix(b"/"),
    }
}
