//! Open files of a program by descriptor, and the functions of WASI on them (`fd_…`).
//!
//! Standard input, output and errors are 0, 1, 2; then come the folders that paths start from, then what the program
//! opens.

use super::folder::{Folder, Name, kind_of, record, repeated};
use super::guest::{AGAIN, BADF, Guest, INVAL, NOTSUP, Wasi, check};
use cleave_abi::layout::ANY_STATUS;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::time::{Duration, SystemTime};

/// Rights of a descriptor: all. What the system forbids, it forbids itself.
const ALL_RIGHTS: u64 = u64::MAX;
/// Flags of a descriptor.
const APPEND: u32 = 1;
const NONBLOCK: u32 = 4;

/// What a descriptor stands for.
pub enum Entry {
    /// Standard input, output, or errors: not ours to close.
    Channel(ManuallyDrop<File>),
    File(File),
    /// A folder that paths start from, and its name.
    Start(Folder, Vec<u8>),
    /// A folder that the program has opened; its names are read when they are asked for.
    Folder(Folder, Option<Vec<Name>>),
}

/// Open files by descriptor, and why something could not be written to standard output.
pub struct Files(Vec<Option<Entry>>, Option<i32>);

impl Files {
    /// With our channels, and these folders by their names.
    pub fn new(folders: Vec<(Folder, Vec<u8>)>) -> Files {
        // SAFETY: the channels stay open as long as we run; `ManuallyDrop` never closes them.
        let channel = |fd| Some(Entry::Channel(ManuallyDrop::new(unsafe { File::from_raw_fd(fd) })));
        let folders = folders.into_iter().map(|(folder, name)| Some(Entry::Start(folder, name)));
        Files([0, 1, 2].map(channel).into_iter().chain(folders).collect(), None)
    }

    pub fn entry(&mut self, fd: u32) -> Wasi<&mut Entry> {
        self.0.get_mut(fd as usize).and_then(Option::as_mut).ok_or(BADF)
    }

    /// Why something could not be written to standard output.
    pub fn take_lost(&mut self) -> Option<i32> {
        self.1.take()
    }

    /// The file of a descriptor that is no folder.
    pub fn file(&mut self, fd: u32) -> Wasi<&File> {
        match self.entry(fd)? {
            Entry::Channel(file) => Ok(file),
            Entry::File(file) => Ok(file),
            Entry::Start(..) | Entry::Folder(..) => Err(BADF),
        }
    }

    /// The folder of a descriptor.
    pub fn folder(&self, fd: u32) -> Wasi<&Folder> {
        match self.0.get(fd as usize).and_then(Option::as_ref) {
            Some(Entry::Start(folder, _) | Entry::Folder(folder, _)) => Ok(folder),
            _ => Err(BADF),
        }
    }

    /// Gives an entry the first free descriptor.
    pub fn add(&mut self, entry: Entry) -> u32 {
        let free = self.0.iter().position(Option::is_none).unwrap_or(self.0.len());
        if free == self.0.len() {
            self.0.push(None);
        }
        self.0[free] = Some(entry);
        free as u32
    }

    pub fn fd_write(&mut self, guest: &mut Guest, fd: u32, pieces: u32, count: u32, result: u32) -> Wasi<()> {
        // A program asks whether any status will do.
        if fd == ANY_STATUS {
            return Ok(());
        }
        let file = self.file(fd)?;
        let bytes = guest.piece(pieces, count)?;
        let mut problem = None;
        let done =
            ready(file, libc::POLLOUT, || (&*file).write(bytes).inspect_err(|error| problem = error.raw_os_error()));
        let is_lost = fd == 1 && done.is_err();
        if let Some(problem) = problem.filter(|_| is_lost) {
            self.1.get_or_insert(problem);
        }
        let done = done?;
        guest.store_word(result, done as u32)
    }

    pub fn fd_read(&mut self, guest: &mut Guest, fd: u32, pieces: u32, count: u32, result: u32) -> Wasi<()> {
        let file = self.file(fd)?;
        let bytes = guest.piece(pieces, count)?;
        let done = ready(file, libc::POLLIN, || (&*file).read(bytes))?;
        guest.store_word(result, done as u32)
    }

    pub fn fd_pwrite(
        &mut self,
        guest: &mut Guest,
        fd: u32,
        pieces: u32,
        count: u32,
        offset: u64,
        result: u32,
    ) -> Wasi<()> {
        let file = self.file(fd)?;
        let bytes = guest.piece(pieces, count)?;
        let done = repeated(|| file.write_at(bytes, offset))?;
        guest.store_word(result, done as u32)
    }

    pub fn fd_pread(
        &mut self,
        guest: &mut Guest,
        fd: u32,
        pieces: u32,
        count: u32,
        offset: u64,
        result: u32,
    ) -> Wasi<()> {
        let file = self.file(fd)?;
        let bytes = guest.piece(pieces, count)?;
        let done = repeated(|| file.read_at(bytes, offset))?;
        guest.store_word(result, done as u32)
    }

    pub fn fd_seek(&mut self, guest: &mut Guest, fd: u32, offset: i64, whence: u32, result: u32) -> Wasi<()> {
        let target = match whence {
            0 => SeekFrom::Start(u64::try_from(offset).map_err(|_| INVAL)?),
            1 => SeekFrom::Current(offset),
            2 => SeekFrom::End(offset),
            _ => return Err(INVAL),
        };
        let position = check(self.file(fd)?.seek(target))?;
        guest.store_longs(result, &[position])
    }

    pub fn fd_tell(&mut self, guest: &mut Guest, fd: u32, result: u32) -> Wasi<()> {
        let position = check(self.file(fd)?.stream_position())?;
        guest.store_longs(result, &[position])
    }

    pub fn fd_close(&mut self, _: &mut Guest, fd: u32) -> Wasi<()> {
        self.entry(fd)?;
        self.0[fd as usize] = None;
        Ok(())
    }

    /// One descriptor takes the place of another, which is closed.
    pub fn fd_renumber(&mut self, _: &mut Guest, from: u32, to: u32) -> Wasi<()> {
        self.entry(from)?;
        self.entry(to)?;
        if from != to {
            self.0[to as usize] = self.0[from as usize].take();
        }
        Ok(())
    }

    pub fn fd_filestat_get(&mut self, guest: &mut Guest, fd: u32, at: u32) -> Wasi<()> {
        let found = match self.entry(fd)? {
            Entry::Start(folder, _) | Entry::Folder(folder, _) => folder.record(".".as_ref(), true)?,
            Entry::Channel(_) | Entry::File(_) => record(&check(self.file(fd)?.metadata())?),
        };
        guest.store_longs(at, &found)
    }

    /// Type, flags and rights; what cannot seek and is a device is a terminal.
    pub fn fd_fdstat_get(&mut self, guest: &mut Guest, fd: u32, at: u32) -> Wasi<()> {
        const CHARACTER_DEVICE: u64 = 2;
        let (kind, flags, rights) = match self.entry(fd)? {
            Entry::Start(..) | Entry::Folder(..) => (3, 0, ALL_RIGHTS),
            Entry::Channel(_) | Entry::File(_) => {
                let file = self.file(fd)?;
                let flags = flags_of(file)?;
                match file.is_terminal() {
                    true => (CHARACTER_DEVICE, flags, 0),
                    false => (kind_of(check(file.metadata())?.file_type()), flags, ALL_RIGHTS),
                }
            }
        };
        guest.store_longs(at, &[kind | u64::from(flags) << 16, rights, rights])
    }

    pub fn fd_fdstat_set_flags(&mut self, _: &mut Guest, fd: u32, flags: u32) -> Wasi<()> {
        let mut wanted = 0;
        for (bit, flag) in [(APPEND, libc::O_APPEND), (NONBLOCK, libc::O_NONBLOCK)] {
            wanted |= if flags & bit != 0 { flag } else { 0 };
        }
        let number = self.file(fd)?.as_raw_fd();
        // SAFETY: the descriptor is open during the call.
        let before = unsafe { libc::fcntl(number, libc::F_GETFL) };
        let code_cache = before & !(libc::O_APPEND | libc::O_NONBLOCK);
        // SAFETY: as above.
        match before < 0 || unsafe { libc::fcntl(number, libc::F_SETFL, code_cache | wanted) } < 0 {
            true => check(Err(io::Error::last_os_error())),
            false => Ok(()),
        }
    }

    /// Rights only ever shrink, and here nothing asks for them.
    pub fn fd_fdstat_set_rights(&mut self, _: &mut Guest, fd: u32, _base: u64, _inherited: u64) -> Wasi<()> {
        self.entry(fd).map(|_| ())
    }

    pub fn fd_filestat_set_size(&mut self, _: &mut Guest, fd: u32, size: u64) -> Wasi<()> {
        check(self.file(fd)?.set_len(size))
    }

    pub fn fd_filestat_set_times(
        &mut self,
        _: &mut Guest,
        fd: u32,
        accessed: u64,
        modified: u64,
        flags: u32,
    ) -> Wasi<()> {
        check(self.file(fd)?.set_times(times(accessed, modified, flags)?))
    }

    pub fn fd_sync(&mut self, _: &mut Guest, fd: u32) -> Wasi<()> {
        check(self.file(fd)?.sync_all())
    }

    pub fn fd_datasync(&mut self, _: &mut Guest, fd: u32) -> Wasi<()> {
        check(self.file(fd)?.sync_data())
    }

    /// Advice that we do not need.
    pub fn fd_advise(&mut self, _: &mut Guest, fd: u32, _offset: u64, _length: u64, _advice: u32) -> Wasi<()> {
        self.file(fd).map(|_| ())
    }

    /// As most hosts: what cannot be promised on every file system is not supported.
    pub fn fd_allocate(&mut self, _: &mut Guest, fd: u32, _offset: u64, _length: u64) -> Wasi<()> {
        self.file(fd)?;
        Err(NOTSUP)
    }

    pub fn fd_prestat_get(&mut self, guest: &mut Guest, fd: u32, at: u32) -> Wasi<()> {
        let Entry::Start(_, name) = self.entry(fd)? else { return Err(BADF) };
        guest.store_longs(at, &[(name.len() as u64) << 32])
    }

    pub fn fd_prestat_dir_name(&mut self, guest: &mut Guest, fd: u32, at: u32, room: u32) -> Wasi<()> {
        let Entry::Start(_, name) = self.entry(fd)? else { return Err(BADF) };
        guest.store(at, name.get(..room as usize).unwrap_or(name))
    }

    /// Fills the room with entries; the last one may be cut. Room that is left says that there are no more.
    pub fn fd_readdir(&mut self, guest: &mut Guest, fd: u32, at: u32, room: u32, cookie: u64, result: u32) -> Wasi<()> {
        let (folder, names) = match self.entry(fd)? {
            Entry::Folder(folder, names) => (folder, names),
            Entry::Start(..) | Entry::Channel(_) | Entry::File(_) => return Err(BADF),
        };
        if names.is_none() || cookie == 0 {
            *names = Some(folder.names()?);
        }
        let first = usize::try_from(cookie).map_err(|_| INVAL)?;
        let mut bytes = Vec::new();
        for (index, entry) in names.iter().flatten().enumerate().skip(first) {
            if bytes.len() >= room as usize {
                break;
            }
            bytes.extend((index as u64 + 1).to_le_bytes());
            bytes.extend(entry.number.to_le_bytes());
            bytes.extend((entry.name.len() as u64 | entry.kind << 32).to_le_bytes());
            bytes.extend(entry.name.as_bytes());
        }
        bytes.truncate(room as usize);
        guest.store(at, &bytes)?;
        guest.store_word(result, bytes.len() as u32)
    }
}

/// The flags of an open file as WASI has them.
fn flags_of(file: &File) -> Wasi<u32> {
    // SAFETY: the descriptor is open during the call.
    let flags = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETFL) };
    if flags < 0 {
        return check(Err(io::Error::last_os_error()));
    }
    let bits = [(libc::O_APPEND, APPEND), (libc::O_NONBLOCK, NONBLOCK)];
    Ok(bits.into_iter().filter(|(flag, _)| flags & flag != 0).map(|(_, bit)| bit).sum())
}

/// The times that a program wants to set: given, or now.
pub fn times(accessed: u64, modified: u64, flags: u32) -> Wasi<std::fs::FileTimes> {
    let chosen = |ns: u64, given: u32, now: u32| match (flags & given != 0, flags & now != 0) {
        (true, true) => Err(INVAL),
        (true, false) => Ok(Some(SystemTime::UNIX_EPOCH + Duration::from_nanos(ns))),
        (false, true) => Ok(Some(SystemTime::now())),
        (false, false) => Ok(None),
    };
    let mut times = std::fs::FileTimes::new();
    if let Some(time) = chosen(accessed, 1, 2)? {
        times = times.set_accessed(time);
    }
    if let Some(time) = chosen(modified, 4, 8)? {
        times = times.set_modified(time);
    }
    Ok(times)
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
