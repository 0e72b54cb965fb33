//! Files by path and descriptor: `stat`, `unlink`, `mkdir`, `open`, `read` and their relatives.
//!
//! WASI has no current folder. What `chdir` sets is put before relative paths here; what `getcwd` returns is built from
//! the variable PWD, or the root when that is missing.

use super::{environment, errno, memory};
use crate::clean::Context;
use crate::gc::object::data_of;
use crate::platform::path::{MAX_PATH, Path};
use crate::platform::{FileKind, FileStatus, OpenFlags, Outcome};

/// The path from the folder in which the program started.
pub fn resolve<C: Context>(c: &C, text: &[u8]) -> Result<Path, u32> {
    let mut path = Path::EMPTY;
    let folder = &c.clean().folder;
    let relative = text.first() != Some(&b'/');
    let fits = (!relative || folder.is_empty() || (path.push_all(folder.bytes()) && path.push_all(b"/")))
        && path.push_all(text);
    if text.is_empty() {
        Err(errno::ENOENT)
    } else if fits {
        Ok(path)
    } else {
        Err(errno::ENAMETOOLONG)
    }
}

/// The path that a C string names.
pub fn path_at<C: Context>(c: &C, address: u32) -> Result<Path, u32> {
    let mut buffer = [0; MAX_PATH];
    if memory::length_of(c, address) as usize >= MAX_PATH {
        return Err(errno::ENAMETOOLONG);
    }
    resolve(c, memory::read_text(c, address, &mut buffer))
}

/// The same for a string object.
fn path_in<C: Context>(c: &C, object: u32) -> Result<Path, u32> {
    path_at(c, data_of(c, object))
}

// -- status -----------------------------------------------------------------------------------------------------------

/// Bits of `st_mode` for the type of a file. Permissions are not known to WASI: what is usual is shown.
pub fn mode_of(kind: FileKind) -> u32 {
    match kind {
        FileKind::Regular => 0o100_644,
        FileKind::Directory => 0o040_755,
        FileKind::Link => 0o120_777,
        FileKind::CharacterDevice => 0o020_666,
        FileKind::BlockDevice => 0o060_660,
        FileKind::Other => 0o140_777,
    }
}

/// Bytes of `struct stat` of Linux on 64-bit processors.
const STAT_SIZE: u32 = 144;

fn store_status<C: Context>(c: &mut C, place: u32, status: &FileStatus) {
    c.fill(place, 0, STAT_SIZE);
    c.store_u64(place, status.device);
    c.store_u64(place + 8, status.number);
    c.store_u64(place + 16, status.links);
    c.store_u32(place + 24, mode_of(status.kind));
    c.store_u64(place + 48, status.size);
    c.store_u64(place + 56, 4096);
    c.store_u64(place + 64, status.size.div_ceil(512));
    for (offset, ns) in [(72, status.accessed_ns), (88, status.modified_ns), (104, status.changed_ns)] {
        c.store_u64(place + offset, ns / 1_000_000_000);
        c.store_u64(place + offset + 8, ns % 1_000_000_000);
    }
}

fn stat_with<C: Context>(c: &mut C, path: u32, place: u32, follow: bool) -> Outcome<i64, C> {
    let place = data_of(c, place);
    let found = path_in(c, path).and_then(|path| c.file_status(path.bytes(), follow));
    if let Ok(status) = &found {
        store_status(c, place, status);
    }
    errno::status(c, found)
}

/// `stat (string, string or array)`
pub fn stat<C: Context>(c: &mut C, path: u32, place: u32) -> Outcome<i64, C> {
    stat_with(c, path, place, true)
}

/// `lstat (string, string or array)`
pub fn lstat<C: Context>(c: &mut C, path: u32, place: u32) -> Outcome<i64, C> {
    stat_with(c, path, place, false)
}

/// `access (string, mode)`: permissions are not known, so what exists may be used.
pub fn access<C: Context>(c: &mut C, path: u32, _mode: i64) -> Outcome<i64, C> {
    let found = path_in(c, path).and_then(|path| c.file_status(path.bytes(), true));
    errno::status(c, found)
}

// -- changes ----------------------------------------------------------------------------------------------------------

pub fn unlink<C: Context>(c: &mut C, path: u32) -> Outcome<i64, C> {
    let result = path_in(c, path).and_then(|path| c.remove_file(path.bytes()));
    errno::status(c, result)
}

pub fn rmdir<C: Context>(c: &mut C, path: u32) -> Outcome<i64, C> {
    let result = path_in(c, path).and_then(|path| c.remove_directory(path.bytes()));
    errno::status(c, result)
}

/// Removes a file or an empty folder.
pub fn remove_path<C: Context>(c: &mut C, path: &Path) -> Result<(), u32> {
    match c.file_status(path.bytes(), false)?.kind {
        FileKind::Directory => c.remove_directory(path.bytes()),
        _ => c.remove_file(path.bytes()),
    }
}

pub fn remove<C: Context>(c: &mut C, path: u32) -> Outcome<i64, C> {
    let result = path_in(c, path).and_then(|path| remove_path(c, &path));
    errno::status(c, result)
}

pub fn mkdir<C: Context>(c: &mut C, path: u32, _mode: i64) -> Outcome<i64, C> {
    let result = path_in(c, path).and_then(|path| c.create_directory(path.bytes()));
    errno::status(c, result)
}

pub fn rename<C: Context>(c: &mut C, old: u32, new: u32) -> Outcome<i64, C> {
    let result = path_in(c, old).and_then(|old| {
        let new = path_in(c, new)?;
        c.rename(old.bytes(), new.bytes())
    });
    errno::status(c, result)
}

// -- the current folder -----------------------------------------------------------------------------------------------

/// Makes a folder the current one.
pub fn change_folder<C: Context>(c: &mut C, path: Path) -> Result<(), u32> {
    if c.file_status(path.bytes(), true)?.kind != FileKind::Directory {
        return Err(errno::ENOTDIR);
    }
    let mut folder = Path::EMPTY;
    if path.bytes().first() == Some(&b'/') {
        folder.push_all(b"/");
    }
    if !path.bytes().split(|byte| *byte == b'/').all(|component| folder.push_component(component)) {
        return Err(errno::ENAMETOOLONG);
    }
    c.clean_mut().folder = folder;
    Ok(())
}

pub fn chdir<C: Context>(c: &mut C, path: u32) -> Outcome<i64, C> {
    let result = path_in(c, path).and_then(|path| change_folder(c, path));
    errno::status(c, result)
}

/// The absolute path of one that was resolved.
fn absolute<C: Context>(c: &mut C, path: &[u8]) -> Result<Path, u32> {
    let mut whole = Path::EMPTY;
    whole.push_all(b"/");
    let mut fits = true;
    if path.first() != Some(&b'/') {
        let mut buffer = [0; MAX_PATH];
        if let Some(start) = environment::variable(c, b"PWD", &mut buffer) {
            fits = start.split(|byte| *byte == b'/').all(|component| whole.push_component(component));
        }
    }
    fits &= path.split(|byte| *byte == b'/').all(|component| whole.push_component(component));
    if fits { Ok(whole) } else { Err(errno::ENAMETOOLONG) }
}

/// The current folder as an absolute path.
pub fn current_folder<C: Context>(c: &mut C) -> Result<Path, u32> {
    let folder = c.clean().folder;
    absolute(c, folder.bytes())
}

/// `getcwd (string, room)`: the address of the characters, or the null pointer.
pub fn getcwd<C: Context>(c: &mut C, to: u32, room: i64) -> Outcome<i64, C> {
    let place = data_of(c, to);
    let result = current_folder(c).and_then(|path| {
        if path.bytes().len() as i64 >= room {
            return Err(errno::ERANGE);
        }
        memory::write_text(c, place, path.bytes());
        Ok(place)
    });
    errno::pointer(c, result)
}

/// `realpath (string, string)`: symbolic links stay.
pub fn realpath<C: Context>(c: &mut C, path: u32, to: u32) -> Outcome<i64, C> {
    let place = data_of(c, to);
    let result = path_in(c, path).and_then(|path| {
        c.file_status(path.bytes(), true)?;
        let path = absolute(c, path.bytes())?;
        memory::write_text(c, place, path.bytes());
        Ok(place)
    });
    errno::pointer(c, result)
}

// -- descriptors ------------------------------------------------------------------------------------------------------

/// `open (pointer, flags)`, with the flags of Linux.
pub fn open<C: Context>(c: &mut C, path: i64, flags: i64) -> Outcome<i64, C> {
    let opened = path_at(c, path as u32).and_then(|path| {
        let flags = OpenFlags {
            read: flags & 3 != 1,
            write: flags & 3 != 0,
            create: flags & 0o100 != 0,
            exclusive: flags & 0o200 != 0,
            truncate: flags & 0o1000 != 0,
            append: flags & 0o2000 != 0,
        };
        c.open_descriptor(path.bytes(), flags).map(i64::from)
    });
    errno::value(c, opened)
}

/// `open (string, flags)`
pub fn open_object<C: Context>(c: &mut C, path: u32, flags: i64) -> Outcome<i64, C> {
    let address = data_of(c, path);
    open(c, i64::from(address), flags)
}

pub fn close<C: Context>(c: &mut C, file: i64) -> Outcome<i64, C> {
    let closed = u32::try_from(file).map_err(drop).and_then(|file| c.close(file));
    errno::status(c, closed.map_err(|()| errno::EBADF))
}

/// Bytes moved at a time.
const PIECE: usize = 4096;

/// `read (descriptor, pointer, count)`
pub fn read<C: Context>(c: &mut C, file: i64, to: i64, count: i64) -> Outcome<i64, C> {
    let mut piece = [0; PIECE];
    let wanted = (count.max(0) as u64).min(PIECE as u64) as usize;
    let taken =
        u32::try_from(file).map_err(drop).and_then(|file| c.read(file, piece.get_mut(..wanted).unwrap_or_default()));
    if let Ok(length) = taken {
        c.write_bytes(to as u32, piece.get(..length).unwrap_or_default());
    }
    errno::value(c, taken.map(|length| length as i64).map_err(|()| errno::EBADF))
}

/// `write (descriptor, pointer, count)`
pub fn write<C: Context>(c: &mut C, file: i64, from: i64, count: i64) -> Outcome<i64, C> {
    let mut piece = [0; PIECE];
    let wanted = (count.max(0) as u64).min(PIECE as u64) as usize;
    let bytes = piece.get_mut(..wanted).unwrap_or_default();
    c.read_bytes(from as u32, bytes);
    // What was printed before comes first.
    if file == 1 {
        crate::base::console::flush(c);
    }
    let written = u32::try_from(file).map_err(drop).and_then(|file| c.write(file, bytes));
    errno::value(c, written.map(|length| length as i64).map_err(|()| errno::EBADF))
}

/// `write (descriptor, string, count)`
pub fn write_object<C: Context>(c: &mut C, from: u32, file: i64, count: i64) -> Outcome<i64, C> {
    let address = data_of(c, from);
    write(c, file, i64::from(address), count)
}
