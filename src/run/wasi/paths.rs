//! The functions of WASI on paths (`path_…`). A path starts from the folder of a descriptor.

use super::files::{Entry, Files, times};
use super::folder::Access;
use super::guest::{Guest, Wasi};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// In flags of a path: what it names if that is a link.
const FOLLOW: u32 = 1;

/// The bytes of a path in the memory of the program.
fn name(guest: &mut Guest, at: u32, length: u32) -> Wasi<OsString> {
    Ok(OsStr::from_bytes(guest.bytes(at, length)?).to_os_string())
}

impl Files {
    pub fn path_open(
        &mut self,
        guest: &mut Guest,
        fd: u32,
        lookup: u32,
        at: u32,
        length: u32,
        creation: u32,
        rights: u64,
        _inherited: u64,
        flags: u32,
        result: u32,
    ) -> Wasi<()> {
        const READ: u64 = 1 << 1;
        const WRITE: u64 = 1 << 6;
        const FOLDER: u32 = 2;
        let name = name(guest, at, length)?;
        let folder = self.folder(fd)?;
        let entry = if creation & FOLDER != 0 {
            Entry::Folder(folder.folder(&name)?, None)
        } else {
            let writes = rights & WRITE != 0;
            let set = |bits: u32, table: &[(u32, i32)]| {
                table.iter().filter(|(bit, _)| bits & bit != 0).fold(0, |all, (_, flag)| all | flag)
            };
            let mut system = set(creation, &[(1, libc::O_CREAT), (4, libc::O_EXCL), (8, libc::O_TRUNC)])
                | set(flags, &[(1, libc::O_APPEND), (4, libc::O_NONBLOCK)]);
            if lookup & FOLLOW == 0 {
                system |= libc::O_NOFOLLOW;
            }
            let access = Access { reads: !writes || rights & READ != 0, writes, flags: system };
            let file = folder.open(&name, access)?;
            // What turns out to be a folder is opened as one: paths may start from it.
            match file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
                true => Entry::Folder(folder.folder(&name)?, None),
                false => Entry::File(file),
            }
        };
        let number = self.add(entry);
        guest.store_word(result, number)
    }

    pub fn path_filestat_get(
        &mut self,
        guest: &mut Guest,
        fd: u32,
        lookup: u32,
        path: u32,
        length: u32,
        at: u32,
    ) -> Wasi<()> {
        let name = name(guest, path, length)?;
        let found = self.folder(fd)?.record(&name, lookup & FOLLOW != 0)?;
        guest.store_longs(at, &found)
    }

    pub fn path_filestat_set_times(
        &mut self,
        guest: &mut Guest,
        fd: u32,
        lookup: u32,
        path: u32,
        length: u32,
        accessed: u64,
        modified: u64,
        flags: u32,
    ) -> Wasi<()> {
        let name = name(guest, path, length)?;
        self.folder(fd)?.set_times(&name, lookup & FOLLOW != 0, times(accessed, modified, flags)?)
    }

    pub fn path_create_directory(&mut self, guest: &mut Guest, fd: u32, at: u32, length: u32) -> Wasi<()> {
        let name = name(guest, at, length)?;
        self.folder(fd)?.create_folder(&name)
    }

    pub fn path_remove_directory(&mut self, guest: &mut Guest, fd: u32, at: u32, length: u32) -> Wasi<()> {
        let name = name(guest, at, length)?;
        self.folder(fd)?.remove_folder(&name)
    }

    pub fn path_unlink_file(&mut self, guest: &mut Guest, fd: u32, at: u32, length: u32) -> Wasi<()> {
        let name = name(guest, at, length)?;
        self.folder(fd)?.remove_file(&name)
    }

    pub fn path_rename(
        &mut self,
        guest: &mut Guest,
        fd: u32,
        at: u32,
        length: u32,
        new_fd: u32,
        new_at: u32,
        new_length: u32,
    ) -> Wasi<()> {
        let (old, new) = (name(guest, at, length)?, name(guest, new_at, new_length)?);
        let (from, to) = (self.folder(fd)?, self.folder(new_fd)?);
        from.rename(&old, to, &new)
    }

    pub fn path_link(
        &mut self,
        guest: &mut Guest,
        fd: u32,
        _lookup: u32,
        at: u32,
        length: u32,
        new_fd: u32,
        new_at: u32,
        new_length: u32,
    ) -> Wasi<()> {
        let (old, new) = (name(guest, at, length)?, name(guest, new_at, new_length)?);
        let (from, to) = (self.folder(fd)?, self.folder(new_fd)?);
        from.link(&old, to, &new)
    }

    pub fn path_symlink(
        &mut self,
        guest: &mut Guest,
        content: u32,
        content_length: u32,
        fd: u32,
        at: u32,
        length: u32,
    ) -> Wasi<()> {
        let (content, link) = (name(guest, content, content_length)?, name(guest, at, length)?);
        self.folder(fd)?.symbolic_link(&content, &link)
    }

    pub fn path_readlink(
        &mut self,
        guest: &mut Guest,
        fd: u32,
        at: u32,
        length: u32,
        to: u32,
        room: u32,
        result: u32,
    ) -> Wasi<()> {
        let name = name(guest, at, length)?;
        let content = self.folder(fd)?.read_link(&name)?;
        let bytes = content.as_os_str().as_bytes();
        let bytes = bytes.get(..room as usize).unwrap_or(bytes);
        guest.store(to, bytes)?;
        guest.store_word(result, bytes.len() as u32)
    }
}
