//! `opendir`, `readdir`, `closedir`.
//!
//! A DIR is a block of the C memory: the host's descriptor, the cookie of the next entry, and room for one
//! `struct dirent` of Linux, which is overwritten by each `readdir`.

use super::{errno, memory, path};
use crate::clean::Context;
use crate::gc::object::data_of;
use crate::platform::path::Path;
use crate::platform::{FileKind, Outcome};

const COOKIE: u32 = 8;
const ENTRY: u32 = 16;
/// Offset of the name in `struct dirent`.
const ENTRY_NAME: u32 = 19;
/// Bytes of `struct dirent`.
const ENTRY_SIZE: u32 = 280;
/// Longest name.
pub const NAME_MAX: usize = 255;

/// Opens a folder for reading; 0 and `errno` if that fails.
pub fn open_at<C: Context>(c: &mut C, path: &Path) -> Result<u32, u32> {
    let descriptor = c.open_directory(path.bytes())?;
    let block = memory::allocate(c, ENTRY + ENTRY_SIZE);
    if block == 0 {
        let _ = c.close(descriptor);
        return Err(errno::ENOMEM);
    }
    c.store_u32(block, descriptor);
    Ok(block)
}

pub fn opendir<C: Context>(c: &mut C, name: u32) -> Outcome<i64, C> {
    let address = data_of(c, name);
    let opened = path::path_at(c, address).and_then(|path| open_at(c, &path));
    errno::pointer(c, opened)
}

/// The next entry into the block; the length of its name, or nothing at the end.
pub fn next<C: Context>(c: &mut C, block: u32) -> Result<Option<u32>, u32> {
    let (descriptor, cookie) = (c.load_u32(block), c.load_u64(block + COOKIE));
    let mut name = [0; NAME_MAX];
    let Some(entry) = c.directory_entry(descriptor, cookie, &mut name)? else { return Ok(None) };
    let length = entry.length.min(NAME_MAX);
    c.store_u64(block + COOKIE, entry.next);
    c.store_u64(block + ENTRY, entry.number);
    c.store_u64(block + ENTRY + 8, entry.next);
    let kind = match entry.kind {
        FileKind::Regular => 8,
        FileKind::Directory => 4,
        FileKind::Link => 10,
        FileKind::CharacterDevice => 2,
        FileKind::BlockDevice => 6,
        FileKind::Other => 0,
    };
    // Length of the record and type share a word.
    c.store_u32(block + ENTRY + 16, ENTRY_SIZE | kind << 16);
    memory::write_text(c, block + ENTRY + ENTRY_NAME, name.get(..length).unwrap_or_default());
    Ok(Some(length as u32))
}

/// Address of the name that `next` has found.
pub fn name_of(block: u32) -> u32 {
    block + ENTRY + ENTRY_NAME
}

pub fn readdir<C: Context>(c: &mut C, directory: i64) -> Outcome<i64, C> {
    let found = next(c, directory as u32).map(|entry| if entry.is_some() { directory as u32 + ENTRY } else { 0 });
    errno::pointer(c, found)
}

pub fn close_at<C: Context>(c: &mut C, block: u32) -> Result<(), u32> {
    let descriptor = c.load_u32(block);
    memory::release(c, block);
    c.close(descriptor).map_err(|()| errno::EBADF)
}

pub fn closedir<C: Context>(c: &mut C, directory: i64) -> Outcome<i64, C> {
    let closed = close_at(c, directory as u32);
    errno::status(c, closed)
}
