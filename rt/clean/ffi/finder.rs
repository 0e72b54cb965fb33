//! The C part of Clean's library Directory: one search at a time, and the file that it has found.
//!
//! Names come as Clean strings that end with a NUL. Results are the library's error numbers.

use super::results::give;
use super::{directory, errno, memory, path, time};
use crate::clean::Context;
use crate::layout::*;
use crate::platform::path::Path;
use crate::platform::{FileKind, FileStatus, Outcome};

const NO_ERROR: i64 = 0;
/// What `findNextFileC` returns at the end.
const NO_MORE: i64 = 1;
const ALREADY_EXISTS: i64 = -5;
const NOT_YET_REMOVABLE: i64 = -9;

/// The library's number for an `errno`.
fn error_of(number: u32) -> i64 {
    match number {
        errno::ENOENT | errno::ENOTDIR => -2,
        errno::ENAMETOOLONG => -3,
        28 | 31 => -4,
        errno::EEXIST | 21 => ALREADY_EXISTS,
        1 | errno::EACCES | 30 => -6,
        errno::EINVAL => -7,
        18 => -8,
        39 => NOT_YET_REMOVABLE,
        _ => -1,
    }
}

fn outcome<C: Context, T>(result: Result<T, u32>) -> Outcome<i64, C> {
    Ok(result.map_or_else(error_of, |_| NO_ERROR))
}

fn path_of<C: Context>(c: &C, string: u32) -> Result<Path, u32> {
    path::path_at(c, string + STRING_DATA)
}

/// Remembers a name as a Clean string of C.
fn keep_name<C: Context>(c: &mut C, name: &[u8]) {
    let known = c.clean().finder.name;
    let place = memory::permanent(c, known, 8 + directory::NAME_MAX as u32 + 1);
    c.clean_mut().finder.name = place;
    if place != 0 {
        c.store_u64(place, name.len() as u64);
        memory::write_text(c, place + 8, name);
    }
}

/// `findFirstFileC (folder)`: opens the folder and finds the first entry. The name has no NUL at its end.
pub fn find_first<C: Context>(c: &mut C, string: u32) -> Outcome<i64, C> {
    let length = c.load_u32(string + STRING_LENGTH) as usize;
    let mut buffer = [0; crate::platform::path::MAX_PATH];
    let opened = match buffer.get_mut(..length) {
        None => Err(errno::ENAMETOOLONG),
        Some(bytes) => {
            c.read_bytes(string + STRING_DATA, bytes);
            let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(length);
            path::resolve(c, bytes.get(..length).unwrap_or_default())
        }
    };
    let opened = opened.and_then(|path| Ok((directory::open_at(c, &path)?, path)));
    match opened {
        Err(number) => {
            c.clean_mut().finder.folder = 0;
            Ok(error_of(number))
        }
        Ok((folder, path)) => {
            let finder = &mut c.clean_mut().finder;
            finder.folder = folder;
            finder.path = path;
            find_next(c, 0)
        }
    }
}

/// `findNextFileC (ignored)`
pub fn find_next<C: Context>(c: &mut C, _: i64) -> Outcome<i64, C> {
    let folder = c.clean().finder.folder;
    if folder == 0 {
        return Ok(NO_MORE);
    }
    let Ok(Some(_)) = directory::next(c, folder) else { return Ok(NO_MORE) };
    let mut name = [0; directory::NAME_MAX];
    let name = memory::read_text(c, directory::name_of(folder), &mut name);
    keep_name(c, name);
    let mut path = c.clean().finder.path;
    let fits = path.push_all(b"/") && path.push_all(name);
    let status = if fits { c.file_status(path.bytes(), false) } else { Err(errno::ENAMETOOLONG) };
    c.clean_mut().finder.status = status.unwrap_or(FileStatus::EMPTY);
    Ok(NO_ERROR)
}

/// `closeSearchC`
pub fn close_search<C: Context>(c: &mut C) -> Outcome<(), C> {
    let folder = c.clean().finder.folder;
    if folder != 0 {
        let _ = directory::close_at(c, folder);
        c.clean_mut().finder.folder = 0;
    }
    Ok(())
}

/// `findSingleFileC (path)`
pub fn find_single<C: Context>(c: &mut C, string: u32) -> Outcome<i64, C> {
    let found = path_of(c, string).and_then(|path| Ok((c.file_status(path.bytes(), false)?, path)));
    match found {
        Err(number) => Ok(error_of(number)),
        Ok((status, path)) => {
            keep_name(c, path.bytes().rsplit(|byte| *byte == b'/').next().unwrap_or_default());
            c.clean_mut().finder.status = status;
            Ok(NO_ERROR)
        }
    }
}

/// `closeSingleSearchC`
pub fn close_single<C: Context>(_: &mut C) -> Outcome<(), C> {
    Ok(())
}

/// Year, month, day, day of the week from Sunday 1, hours, minutes, seconds.
fn date_of(ns: u64) -> [i64; 7] {
    let date = time::break_down((ns / 1_000_000_000) as i64);
    [date.year + 1900, date.month + 1, date.day, date.week_day + 1, date.hour, date.minute, date.second].map(i64::from)
}

/// `getCommonFileInfoC (with name)`: name, size in two parts, time of the last change, is it a folder, is it read-only.
pub fn common_info<C: Context>(c: &mut C, with_name: i64) -> Outcome<(), C> {
    let finder = &c.clean().finder;
    let (status, name) = (finder.status, finder.name);
    let [year, month, day, week_day, hour, minute, second] = date_of(status.modified_ns);
    let name = if with_name != 0 { i64::from(name) } else { 0 };
    let folder = i64::from(status.kind == FileKind::Directory);
    give(c, &[name, status.size as i64, 0, year, month, day, week_day, hour, minute, second, folder, 0]);
    Ok(())
}

/// `getUnixFileInfoC`: mode, owner, group, time of the last access.
pub fn unix_info<C: Context>(c: &mut C) -> Outcome<(), C> {
    let status = c.clean().finder.status;
    let [year, month, day, week_day, hour, minute, second] = date_of(status.accessed_ns);
    give(c, &[i64::from(path::mode_of(status.kind)), 0, 0, year, month, day, week_day, hour, minute, second]);
    Ok(())
}

/// `getPlatformIdC`: Unix.
pub fn platform<C: Context>(_: &mut C, _: i64) -> Outcome<i64, C> {
    Ok(0)
}

/// `createDirectoryC (path)`
pub fn create<C: Context>(c: &mut C, string: u32) -> Outcome<i64, C> {
    outcome::<C, ()>(path_of(c, string).and_then(|path| c.create_directory(path.bytes())))
}

/// `fremoveC (path)`
pub fn remove<C: Context>(c: &mut C, string: u32) -> Outcome<i64, C> {
    let removed = path_of(c, string).and_then(|path| path::remove_path(c, &path));
    if removed == Err(errno::EEXIST) { Ok(NOT_YET_REMOVABLE) } else { outcome::<C, ()>(removed) }
}

/// `fmoveC (overwrite, from, to)`
pub fn rename<C: Context>(c: &mut C, from: u32, to: u32, overwrite: i64) -> Outcome<i64, C> {
    let (Ok(from), Ok(to)) = (path_of(c, from), path_of(c, to)) else { return Ok(error_of(errno::ENAMETOOLONG)) };
    if overwrite == 0 && c.file_status(to.bytes(), true).is_ok() {
        return Ok(ALREADY_EXISTS);
    }
    let mut moved = c.rename(from.bytes(), to.bytes());
    // A folder takes the place of a file only when that is gone.
    if overwrite != 0 && moved == Err(errno::ENOTDIR) {
        moved = path::remove_path(c, &to).and_then(|()| c.rename(from.bytes(), to.bytes()));
    }
    outcome::<C, ()>(moved)
}

/// `getCurrentDirectory_SE (string)`: fills the string, which takes the length of the path; 1 when it is too short.
pub fn current<C: Context>(c: &mut C, string: u32) -> Outcome<i64, C> {
    let room = c.load_u32(string + STRING_LENGTH) as usize;
    let Ok(path) = path::current_folder(c) else { return Ok(1) };
    let bytes = path.bytes();
    // As in C there must be room for a NUL.
    if bytes.len() >= room {
        return Ok(1);
    }
    c.write_bytes(string + STRING_DATA, bytes);
    c.store_u32(string + STRING_LENGTH, bytes.len() as u32);
    Ok(0)
}

/// `setCurrentDirectoryC (path)`
pub fn set_current<C: Context>(c: &mut C, string: u32) -> Outcome<i64, C> {
    outcome::<C, ()>(path_of(c, string).and_then(|path| path::change_folder(c, path)))
}
