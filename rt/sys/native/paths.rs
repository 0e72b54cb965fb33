//! Paths and folders by calls of the kernel, whose numbers for failures are those that programs get.

use super::os;
use crate::platform::errno;
use crate::platform::path::MAX_PATH;
use crate::platform::{DirectoryEntry, FileKind, FileStatus, OpenFlags, Posix};
use core::ffi::c_long;

const OPEN: c_long = 2;
const STAT: c_long = 4;
const LSTAT: c_long = 6;
const LSEEK: c_long = 8;
const RENAME: c_long = 82;
const MKDIR: c_long = 83;
const RMDIR: c_long = 84;
const UNLINK: c_long = 87;
const GETDENTS: c_long = 217;

const WRITE_ONLY: c_long = 1;
const BOTH: c_long = 2;
const CREATE: c_long = 0o100;
const EXCLUSIVE: c_long = 0o200;
const TRUNCATE: c_long = 0o1000;
const APPEND: c_long = 0o2000;
const DIRECTORY: c_long = 0o200000;
const CLOSE_ON_EXEC: c_long = 0o2000000;

/// A path with a NUL after it.
fn terminated(path: &[u8]) -> Posix<[u8; MAX_PATH + 1]> {
    let mut name = [0; MAX_PATH + 1];
    match name.get_mut(..path.len()).filter(|_| path.len() <= MAX_PATH) {
        Some(place) => place.copy_from_slice(path),
        None => return Err(errno::ENAMETOOLONG),
    }
    Ok(name)
}

fn call(number: c_long, path: &[u8], second: c_long, third: c_long) -> Posix<u32> {
    let name = terminated(path)?;
    os::call(number, name.as_ptr() as c_long, second, third)
}

/// Type in the mode of a file.
fn kind_of(mode: u64) -> FileKind {
    match mode & 0o170000 {
        0o020000 => FileKind::CharacterDevice,
        0o040000 => FileKind::Directory,
        0o060000 => FileKind::BlockDevice,
        0o100000 => FileKind::Regular,
        0o120000 => FileKind::Link,
        _ => FileKind::Other,
    }
}

pub fn file_status(path: &[u8], follow_links: bool) -> Posix<FileStatus> {
    // st_dev, st_ino, st_nlink, st_mode and st_uid, st_gid, st_rdev, st_size, st_blksize, st_blocks, three times.
    let mut stat = [0u64; 18];
    call(if follow_links { STAT } else { LSTAT }, path, stat.as_mut_ptr() as c_long, 0)?;
    let time = |seconds: u64, nanoseconds: u64| seconds.wrapping_mul(1_000_000_000).wrapping_add(nanoseconds);
    let [
        device,
        number,
        links,
        mode,
        _,
        _,
        size,
        _,
        _,
        accessed,
        accessed_ns,
        modified,
        modified_ns,
        changed,
        changed_ns,
        ..,
    ] = stat;
    Ok(FileStatus {
        device,
        number,
        links,
        kind: kind_of(mode),
        size,
        accessed_ns: time(accessed, accessed_ns),
        modified_ns: time(modified, modified_ns),
        changed_ns: time(changed, changed_ns),
    })
}

pub fn create_directory(path: &[u8]) -> Posix<()> {
    call(MKDIR, path, 0o777, 0).map(drop)
}

pub fn remove_directory(path: &[u8]) -> Posix<()> {
    call(RMDIR, path, 0, 0).map(drop)
}

pub fn remove_file(path: &[u8]) -> Posix<()> {
    call(UNLINK, path, 0, 0).map(drop)
}

pub fn rename(from: &[u8], to: &[u8]) -> Posix<()> {
    let to = terminated(to)?;
    call(RENAME, from, to.as_ptr() as c_long, 0).map(drop)
}

pub fn open_descriptor(path: &[u8], flags: OpenFlags) -> Posix<u32> {
    let mut bits = match (flags.read, flags.write) {
        (_, false) => 0,
        (false, true) => WRITE_ONLY,
        (true, true) => BOTH,
    };
    let others =
        [(flags.create, CREATE), (flags.exclusive, EXCLUSIVE), (flags.truncate, TRUNCATE), (flags.append, APPEND)];
    for (wanted, bit) in others {
        bits |= if wanted { bit } else { 0 };
    }
    call(OPEN, path, bits | CLOSE_ON_EXEC, 0o666)
}

pub fn open_directory(path: &[u8]) -> Posix<u32> {
    call(OPEN, path, DIRECTORY | CLOSE_ON_EXEC, 0)
}

/// Bytes of an entry before its name: number, place of the next one, length of the entry, type.
const ENTRY_HEADER: usize = 19;

pub fn directory_entry(directory: u32, cookie: u64, name: &mut [u8]) -> Posix<Option<DirectoryEntry>> {
    let mut buffer = [0u8; ENTRY_HEADER + 264];
    os::call(LSEEK, directory.into(), cookie as c_long, 0)?;
    let used = os::call(GETDENTS, directory.into(), buffer.as_mut_ptr() as c_long, buffer.len() as c_long)?;
    if (used as usize) < ENTRY_HEADER {
        return Ok(None);
    }
    let number = |at: usize| {
        let bytes = buffer.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
        u64::from_le_bytes(bytes.unwrap_or_default())
    };
    let kind = buffer.get(18).copied().unwrap_or_default();
    let text = buffer.get(ENTRY_HEADER..).unwrap_or_default();
    let length = text.iter().position(|byte| *byte == 0).unwrap_or(text.len()).min(name.len());
    for (to, from) in name.iter_mut().zip(text).take(length) {
        *to = *from;
    }
    // The type is that of a mode, without the lower bits.
    let kind = kind_of(u64::from(kind) << 12);
    Ok(Some(DirectoryEntry { next: number(8), number: number(0), kind, length }))
}
