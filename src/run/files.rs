//! Files for a program of ours in the embedded engine: the functions of WASI that it calls, on the files of the system.
//!
//! A program that `cleave run` starts opens what its executable would open: absolute paths, `..`, links to anywhere,
//! devices, names that are no UTF-8. A library for WASI confines programs to folders, which is what `--sandbox` is for;
//! it is used then, and for programs of others. Folders and failures look as WASI has them: descriptor 3 is the root,
//! 4 the current folder, and the runtime looks for the one to which a path belongs.

use std::ffi::{OsStr, OsString};
use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirEntryExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use wasmtime::{Caller, Extern, Linker};

const MODULE: &str = "wasi_snapshot_preview1";

/// Failures of WASI that the system does not know by a number.
const AGAIN: u32 = 6;
const BADF: u32 = 8;
const FAULT: u32 = 21;
const INVAL: u32 = 28;
const IO: u32 = 29;

type Wasi<T> = Result<T, u32>;

/// The number of WASI for a failure of the system.
fn number_of(error: &io::Error) -> u32 {
    let Some(number) = error.raw_os_error() else {
        return if error.kind() == io::ErrorKind::InvalidInput { INVAL } else { IO };
    };
    match number {
        libc::EACCES => 2,
        libc::EAGAIN => AGAIN,
        libc::EBADF => BADF,
        libc::EBUSY => 10,
        libc::EEXIST => 20,
        libc::EFBIG => 22,
        libc::EINVAL => INVAL,
        libc::EISDIR => 31,
        libc::ELOOP => 32,
        libc::EMFILE => 33,
        libc::EMLINK => 34,
        libc::ENAMETOOLONG => 37,
        libc::ENFILE => 41,
        libc::ENOENT => 44,
        libc::ENOMEM => 48,
        libc::ENOSPC => 51,
        libc::ENOSYS => 52,
        libc::ENOTDIR => 54,
        libc::ENOTEMPTY => 55,
        libc::ENOTSUP => 58,
        libc::EPERM => 63,
        libc::EPIPE => 64,
        libc::EROFS => 69,
        libc::ESPIPE => 70,
        libc::ETXTBSY => 74,
        libc::EXDEV => 75,
        _ => IO,
    }
}

fn check<T>(result: io::Result<T>) -> Wasi<T> {
    result.map_err(|error| number_of(&error))
}

/// Repeats what a signal has interrupted.
fn repeated<T>(mut action: impl FnMut() -> io::Result<T>) -> Wasi<T> {
    loop {
        match action() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return check(result),
        }
    }
}

/// Repeats a call until the file is ready for it: whoever shares a pipe with us may have made it one that never blocks.
fn ready<T>(file: &File, events: libc::c_short, mut action: impl FnMut() -> io::Result<T>) -> Wasi<T> {
    loop {
        match repeated(&mut action) {
            Err(AGAIN) => {
                let mut wanted = libc::pollfd { fd: file.as_raw_fd(), events, revents: 0 };
                // SAFETY: it lives during the call. Should waiting fail, the call itself says why.
                unsafe { libc::poll(&mut wanted, 1, -1) };
            }
            result => return result,
        }
    }
}

/// The memory of the program.
struct Guest<'m>(&'m mut [u8]);

impl Guest<'_> {
    fn bytes(&mut self, at: u32, length: u32) -> Wasi<&mut [u8]> {
        let start = at as usize;
        self.0.get_mut(start..start + length as usize).ok_or(FAULT)
    }
    fn word(&mut self, at: u32) -> Wasi<u32> {
        let bytes = self.bytes(at, 4)?;
        Ok(u32::from_le_bytes(bytes.try_into().map_err(|_| FAULT)?))
    }
    fn store(&mut self, at: u32, bytes: &[u8]) -> Wasi<()> {
        self.bytes(at, bytes.len() as u32)?.copy_from_slice(bytes);
        Ok(())
    }
    fn store_words(&mut self, at: u32, words: &[u64]) -> Wasi<()> {
        (at..).step_by(8).zip(words).try_for_each(|(at, word)| self.store(at, &word.to_le_bytes()))
    }
    /// The first piece of a list that has a length.
    fn piece(&mut self, pieces: u32, count: u32) -> Wasi<&mut [u8]> {
        for piece in (pieces..).step_by(8).take(count as usize) {
            let (at, length) = (self.word(piece)?, self.word(piece.checked_add(4).ok_or(FAULT)?)?);
            if length > 0 {
                return self.bytes(at, length);
            }
        }
        Ok(&mut [])
    }
}

/// A name in a folder.
struct Name {
    name: OsString,
    number: u64,
    kind: u64,
}

enum Entry {
    /// Standard input, output, or errors: not ours to close.
    Channel(ManuallyDrop<File>),
    File(File),
    /// A folder that paths start from, and its name.
    Start(&'static str),
    /// An open folder; its names are read when they are asked for.
    Folder(PathBuf, Option<Vec<Name>>),
}

/// Open files by descriptor.
pub struct Files(Vec<Option<Entry>>);

impl Files {
    fn new() -> Files {
        // SAFETY: the channels stay open as long as we run; `ManuallyDrop` never closes them.
        let channel = |fd| Some(Entry::Channel(ManuallyDrop::new(unsafe { File::from_raw_fd(fd) })));
        // A C library takes the last one that a path fits.
        let folders = ["/", "."].map(|name| Some(Entry::Start(name)));
        Files([0, 1, 2].map(channel).into_iter().chain(folders).collect())
    }

    fn entry(&mut self, fd: u32) -> Wasi<&mut Entry> {
        self.0.get_mut(fd as usize).and_then(Option::as_mut).ok_or(BADF)
    }

    fn file(&mut self, fd: u32) -> Wasi<&File> {
        match self.entry(fd)? {
            Entry::Channel(file) => Ok(file),
            Entry::File(file) => Ok(file),
            Entry::Start(_) | Entry::Folder(..) => Err(BADF),
        }
    }

    /// The path that a program means.
    fn path(&mut self, fd: u32, guest: &mut Guest, at: u32, length: u32) -> Wasi<PathBuf> {
        let Entry::Start(start) = self.entry(fd)? else { return Err(BADF) };
        let name = OsStr::from_bytes(guest.bytes(at, length)?);
        // What is below the root is given without a slash.
        Ok(if *start == "/" { PathBuf::from("/").join(name) } else { name.into() })
    }

    fn fd_write(&mut self, guest: &mut Guest, fd: u32, pieces: u32, count: u32, result: u32) -> Wasi<()> {
        let file = self.file(fd)?;
        let bytes = guest.piece(pieces, count)?;
        let done = ready(file, libc::POLLOUT, || (&*file).write(bytes))?;
        guest.store(result, &(done as u32).to_le_bytes())
    }

    fn fd_read(&mut self, guest: &mut Guest, fd: u32, pieces: u32, count: u32, result: u32) -> Wasi<()> {
        let file = self.file(fd)?;
        let bytes = guest.piece(pieces, count)?;
        let done = ready(file, libc::POLLIN, || (&*file).read(bytes))?;
        guest.store(result, &(done as u32).to_le_bytes())
    }

    fn fd_seek(&mut self, guest: &mut Guest, fd: u32, offset: i64, whence: u32, result: u32) -> Wasi<()> {
        let target = match whence {
            0 => SeekFrom::Start(u64::try_from(offset).map_err(|_| INVAL)?),
            1 => SeekFrom::Current(offset),
            2 => SeekFrom::End(offset),
            _ => return Err(INVAL),
        };
        let position = check(self.file(fd)?.seek(target))?;
        guest.store_words(result, &[position])
    }

    fn fd_close(&mut self, _: &mut Guest, fd: u32) -> Wasi<()> {
        self.entry(fd)?;
        self.0[fd as usize] = None;
        Ok(())
    }

    fn fd_filestat_get(&mut self, guest: &mut Guest, fd: u32, at: u32) -> Wasi<()> {
        let metadata = check(self.file(fd)?.metadata())?;
        guest.store_words(at, &record(&metadata))
    }

    /// Type and rights; what cannot seek and is a device is a terminal.
    fn fd_fdstat_get(&mut self, guest: &mut Guest, fd: u32, at: u32) -> Wasi<()> {
        const CHARACTER_DEVICE: u64 = 2;
        let (kind, rights) = match self.entry(fd)? {
            Entry::Start(_) | Entry::Folder(..) => (3, u64::MAX),
            Entry::Channel(_) | Entry::File(_) => {
                let file = self.file(fd)?;
                match file.is_terminal() {
                    true => (CHARACTER_DEVICE, 0),
                    false => (kind_of(check(file.metadata())?.file_type()), u64::MAX),
                }
            }
        };
        guest.store_words(at, &[kind, rights, rights])
    }

    fn fd_prestat_get(&mut self, guest: &mut Guest, fd: u32, at: u32) -> Wasi<()> {
        let Entry::Start(name) = self.entry(fd)? else { return Err(BADF) };
        guest.store_words(at, &[(name.len() as u64) << 32])
    }

    fn fd_prestat_dir_name(&mut self, guest: &mut Guest, fd: u32, at: u32, room: u32) -> Wasi<()> {
        let Entry::Start(name) = self.entry(fd)? else { return Err(BADF) };
        guest.store(at, name.as_bytes().get(..room as usize).unwrap_or(name.as_bytes()))
    }

    fn path_open(
        &mut self,
        guest: &mut Guest,
        fd: u32,
        _lookup: u32,
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
        let path = self.path(fd, guest, at, length)?;
        let writes = rights & WRITE != 0;
        let bits = [(1, libc::O_CREAT), (FOLDER, libc::O_DIRECTORY), (4, libc::O_EXCL), (8, libc::O_TRUNC)];
        let more = bits.into_iter().filter(|(bit, _)| creation & bit != 0).fold(0, |all, (_, more)| all | more);
        let mut options = OpenOptions::new();
        options.read(!writes || rights & READ != 0).write(writes);
        options.custom_flags(more | if flags & 1 != 0 { libc::O_APPEND } else { 0 });
        let file = repeated(|| options.open(&path))?;
        let entry = if creation & FOLDER != 0 { Entry::Folder(path, None) } else { Entry::File(file) };
        let free = self.0.iter().position(Option::is_none).unwrap_or(self.0.len());
        if free == self.0.len() {
            self.0.push(None);
        }
        self.0[free] = Some(entry);
        guest.store(result, &(free as u32).to_le_bytes())
    }

    fn path_filestat_get(
        &mut self,
        guest: &mut Guest,
        fd: u32,
        lookup: u32,
        path: u32,
        length: u32,
        at: u32,
    ) -> Wasi<()> {
        let path = self.path(fd, guest, path, length)?;
        let metadata = if lookup & 1 != 0 { std::fs::metadata(path) } else { std::fs::symlink_metadata(path) };
        guest.store_words(at, &record(&check(metadata)?))
    }

    fn path_create_directory(&mut self, guest: &mut Guest, fd: u32, at: u32, length: u32) -> Wasi<()> {
        check(std::fs::create_dir(self.path(fd, guest, at, length)?))
    }

    fn path_remove_directory(&mut self, guest: &mut Guest, fd: u32, at: u32, length: u32) -> Wasi<()> {
        check(std::fs::remove_dir(self.path(fd, guest, at, length)?))
    }

    fn path_unlink_file(&mut self, guest: &mut Guest, fd: u32, at: u32, length: u32) -> Wasi<()> {
        check(std::fs::remove_file(self.path(fd, guest, at, length)?))
    }

    fn path_rename(
        &mut self,
        guest: &mut Guest,
        fd: u32,
        at: u32,
        length: u32,
        new_fd: u32,
        new_at: u32,
        new_length: u32,
    ) -> Wasi<()> {
        let old = self.path(fd, guest, at, length)?;
        check(std::fs::rename(old, self.path(new_fd, guest, new_at, new_length)?))
    }

    /// An entry at a time, which is what our programs ask for.
    fn fd_readdir(&mut self, guest: &mut Guest, fd: u32, at: u32, room: u32, cookie: u64, result: u32) -> Wasi<()> {
        const HEADER: u32 = 24;
        let Entry::Folder(path, names) = self.entry(fd)? else { return Err(BADF) };
        if names.is_none() {
            *names = Some(check(names_of(path))?);
        }
        let used = match names.as_ref().and_then(|names| names.get(usize::try_from(cookie).ok()?)) {
            None => 0,
            Some(Name { name, number, kind }) => {
                let length = (name.len() as u32).min(room.checked_sub(HEADER).ok_or(INVAL)?);
                guest.store_words(at, &[cookie + 1, *number, u64::from(length) | kind << 32])?;
                guest.store(at + HEADER, &name.as_bytes()[..length as usize])?;
                HEADER + length
            }
        };
        guest.store(result, &used.to_le_bytes())
    }
}

/// All names in a folder, those of itself and the one above included.
fn names_of(path: &Path) -> io::Result<Vec<Name>> {
    let own = [".", ".."].map(|name| {
        let number = std::fs::metadata(path.join(name)).map_or(0, |metadata| metadata.ino());
        Name { name: name.into(), number, kind: 3 }
    });
    let mut names = Vec::from(own);
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        names.push(Name { name: entry.file_name(), number: entry.ino(), kind: entry.file_type().map_or(0, kind_of) });
    }
    Ok(names)
}

fn kind_of(kind: FileType) -> u64 {
    match () {
        () if kind.is_block_device() => 1,
        () if kind.is_char_device() => 2,
        () if kind.is_dir() => 3,
        () if kind.is_file() => 4,
        () if kind.is_symlink() => 7,
        () => 0,
    }
}

/// Device, number, type, links, size, times.
fn record(metadata: &Metadata) -> [u64; 8] {
    let ns = |seconds: i64, ns: i64| (seconds * 1_000_000_000 + ns) as u64;
    [
        metadata.dev(),
        metadata.ino(),
        kind_of(metadata.file_type()),
        metadata.nlink(),
        metadata.size(),
        ns(metadata.atime(), metadata.atime_nsec()),
        ns(metadata.mtime(), metadata.mtime_nsec()),
        ns(metadata.ctime(), metadata.ctime_nsec()),
    ]
}

macro_rules! functions {
    ($linker:ident $files:ident $($name:ident($($parameter:ident: $type:ty),*);)*) => {
        $(
            let files = Arc::clone(&$files);
            $linker.func_wrap(MODULE, stringify!($name), move |mut caller: Caller<'_, T>, $($parameter: $type),*| {
                let Some(memory) = caller.get_export("memory").and_then(Extern::into_memory) else { return FAULT };
                let guest = &mut Guest(memory.data_mut(&mut caller));
                let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
                files.$name(guest, $($parameter),*).err().unwrap_or(0)
            })?;
        )*
    };
}

/// Defines the functions, in place of those that are there.
pub fn add_to_linker<T: 'static>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    let files = Arc::new(Mutex::new(Files::new()));
    functions! { linker files
        fd_write(fd: u32, pieces: u32, count: u32, result: u32);
        fd_read(fd: u32, pieces: u32, count: u32, result: u32);
        fd_seek(fd: u32, offset: i64, whence: u32, result: u32);
        fd_close(fd: u32);
        fd_filestat_get(fd: u32, at: u32);
        fd_fdstat_get(fd: u32, at: u32);
        fd_prestat_get(fd: u32, at: u32);
        fd_prestat_dir_name(fd: u32, at: u32, room: u32);
        fd_readdir(fd: u32, at: u32, room: u32, cookie: u64, result: u32);
        path_open(fd: u32, lookup: u32, at: u32, length: u32, creation: u32, rights: u64, inherited: u64, flags: u32,
            result: u32);
        path_filestat_get(fd: u32, lookup: u32, path: u32, length: u32, at: u32);
        path_create_directory(fd: u32, at: u32, length: u32);
        path_remove_directory(fd: u32, at: u32, length: u32);
        path_unlink_file(fd: u32, at: u32, length: u32);
        path_rename(fd: u32, at: u32, length: u32, new_fd: u32, new_at: u32, new_length: u32);
    }
    Ok(())
}
