//! The host environment of an interpreted program: console, arguments, environment variables, files, folders.

use crate::paths;
use cleave_rt::platform::errno::EBADF;
use cleave_rt::platform::{DirectoryEntry, FileIdentity, FileKind, FileStatus, Io, OpenFlags, OpenMode, Posix, Whence};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Descriptors of the console.
const STDIN: u32 = 0;
const STDOUT: u32 = 1;
const STDERR: u32 = 2;
const FIRST_FILE: u32 = 3;
/// All files are on one device.
const DEVICE: u64 = 1;

/// What passes between two questions for the time in a program that is repeated.
const TICK_NS: u64 = 1_000_000;

/// What a descriptor stands for.
enum Open {
    File(File),
    /// Names and kinds of the entries.
    Directory(Vec<(PathBuf, FileKind)>),
}

/// Nanoseconds from 1970 to a time; 0 before that.
pub fn ns_since_1970(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}

/// `ENOSPC`.
const NO_SPACE: i32 = 28;

/// What a program can see and change outside of its memory.
pub struct HostEnv {
    pub stdin: Vec<u8>,
    pub(crate) consumed: usize,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Write to the real console instead of the two vectors.
    pub pass_through: bool,
    /// Bytes in the two vectors at most.
    pub max_output: usize,
    /// Program name and arguments.
    pub args: Vec<Vec<u8>>,
    /// `NAME=value` of each variable.
    pub environment: Vec<Vec<u8>>,
    /// Why something was not written to the real console.
    pub(crate) lost: Option<i32>,
    files: Vec<Option<Open>>,
    /// Every path ever opened or asked about; its position identifies the file.
    paths: Vec<PathBuf>,
    start: Instant,
    /// The program is repeated: its clock is a counter of questions.
    pub(crate) ticks: Option<u64>,
}

impl HostEnv {
    pub fn new(stdin: Vec<u8>, args: Vec<Vec<u8>>, pass_through: bool) -> HostEnv {
        HostEnv {
            stdin,
            consumed: 0,
            stdout: Vec::new(),
            lost: None,
            stderr: Vec::new(),
            pass_through,
            max_output: usize::MAX,
            args,
            environment: Vec::new(),
            files: Vec::new(),
            paths: Vec::new(),
            start: Instant::now(),
            ticks: None,
        }
    }

    pub fn clock_ns(&mut self) -> u64 {
        self.tick().unwrap_or_else(|| self.start.elapsed().as_nanos() as u64)
    }
    pub fn wall_clock_ns(&mut self) -> u64 {
        self.tick().unwrap_or_else(|| ns_since_1970(SystemTime::now()))
    }
    fn tick(&mut self) -> Option<u64> {
        let ticks = self.ticks.as_mut()?;
        *ticks += 1;
        Some(*ticks * TICK_NS)
    }

    fn file(&mut self, file: u32) -> Io<&mut File> {
        match self.files.get_mut(file.wrapping_sub(FIRST_FILE) as usize) {
            Some(Some(Open::File(file))) => Ok(file),
            _ => Err(()),
        }
    }

    /// Writes what the real console has not got yet, and tells why something is lost.
    pub(crate) fn flush_lost(&mut self) -> Option<i32> {
        let flushed = if self.pass_through { std::io::stdout().flush() } else { Ok(()) };
        self.lost.take().or(flushed.err().and_then(|error| error.raw_os_error()))
    }

    pub fn write(&mut self, file: u32, bytes: &[u8]) -> Io<usize> {
        match file {
            STDOUT if self.pass_through => {
                std::io::stdout().write_all(bytes).map_err(|error| self.lost = self.lost.or(error.raw_os_error()))?;
            }
            STDERR if self.pass_through => {
                // On a terminal both come in the order in which they were written.
                std::io::stdout().flush().map_err(drop)?;
                std::io::stderr().write_all(bytes).map_err(drop)?;
            }
            STDOUT | STDERR if self.stdout.len() + self.stderr.len() + bytes.len() > self.max_output => {
                self.lost = self.lost.or(Some(NO_SPACE));
                return Err(());
            }
            STDOUT => self.stdout.extend_from_slice(bytes),
            STDERR => self.stderr.extend_from_slice(bytes),
            _ => return self.file(file)?.write(bytes).map_err(drop),
        }
        Ok(bytes.len())
    }

    pub fn read(&mut self, file: u32, bytes: &mut [u8]) -> Io<usize> {
        if file != STDIN {
            return self.file(file)?.read(bytes).map_err(drop);
        }
        if self.pass_through && self.stdin.is_empty() {
            // Whoever is asked sees the question first.
            std::io::stdout().flush().map_err(drop)?;
            return std::io::stdin().read(bytes).map_err(drop);
        }
        let rest = &self.stdin[self.consumed..];
        let count = rest.len().min(bytes.len());
        bytes[..count].copy_from_slice(&rest[..count]);
        self.consumed += count;
        Ok(count)
    }

    pub fn open(&mut self, path: &[u8], mode: OpenMode) -> Io<(u32, FileIdentity)> {
        let path = PathBuf::from(std::str::from_utf8(path).map_err(drop)?);
        let mut options = OpenOptions::new();
        match mode {
            OpenMode::Read => options.read(true),
            OpenMode::Write => options.write(true).read(true).create(true).truncate(true),
            OpenMode::Update => options.write(true).read(true),
        };
        let file = options.open(&path).map_err(drop)?;
        // As in C a folder can be opened for reading, which then fails.
        if mode != OpenMode::Read && file.metadata().map_err(drop)?.is_dir() {
            return Err(());
        }
        let identity = FileIdentity { device: DEVICE, number: self.number_of(&path).map_err(drop)? };
        Ok((self.descriptor(Open::File(file)), identity))
    }

    /// The number that identifies a file, whatever path leads to it.
    fn number_of(&mut self, path: &Path) -> std::io::Result<u64> {
        let path = path.canonicalize()?;
        let known = self.paths.iter().position(|known| *known == path);
        Ok(1 + known.unwrap_or_else(|| {
            self.paths.push(path);
            self.paths.len() - 1
        }) as u64)
    }

    pub fn file_status(&mut self, path: &[u8], follow_links: bool) -> Posix<FileStatus> {
        let path = paths::path_of(path)?;
        let data = if follow_links { path.metadata() } else { path.symlink_metadata() };
        let status = paths::status_of(&data.map_err(paths::number)?);
        Ok(FileStatus { device: DEVICE, number: self.number_of(path).unwrap_or(0), ..status })
    }

    /// A descriptor that was free.
    fn descriptor(&mut self, open: Open) -> u32 {
        let free = self.files.iter().position(|f| f.is_none()).unwrap_or_else(|| {
            self.files.push(None);
            self.files.len() - 1
        });
        self.files[free] = Some(open);
        FIRST_FILE + free as u32
    }

    pub fn close(&mut self, file: u32) -> Io<()> {
        let place = self.files.get_mut(file.wrapping_sub(FIRST_FILE) as usize).ok_or(())?;
        place.take().map(drop).ok_or(())
    }

    pub fn open_descriptor(&mut self, path: &[u8], flags: OpenFlags) -> Posix<u32> {
        let mut options = OpenOptions::new();
        options.read(flags.read).write(flags.write && !flags.append).append(flags.write && flags.append);
        if flags.write {
            options.truncate(flags.truncate).create(flags.create).create_new(flags.create && flags.exclusive);
        }
        let file = options.open(paths::path_of(path)?).map_err(paths::number)?;
        Ok(self.descriptor(Open::File(file)))
    }

    pub fn open_directory(&mut self, path: &[u8]) -> Posix<u32> {
        let thunk_infos = paths::thunk_infos(paths::path_of(path)?)?;
        Ok(self.descriptor(Open::Directory(thunk_infos)))
    }

    /// The cookie is the index of the entry.
    pub fn directory_entry(&self, directory: u32, cookie: u64, name: &mut [u8]) -> Posix<Option<DirectoryEntry>> {
        let open = self.files.get(directory.wrapping_sub(FIRST_FILE) as usize).and_then(Option::as_ref);
        let Some(Open::Directory(thunk_infos)) = open else { return Err(EBADF) };
        let Some((path, kind)) = thunk_infos.get(cookie as usize) else { return Ok(None) };
        let text = path.to_string_lossy();
        let length = text.len().min(name.len());
        name[..length].copy_from_slice(&text.as_bytes()[..length]);
        Ok(Some(DirectoryEntry { next: cookie + 1, number: cookie + 1, kind: *kind, length }))
    }

    pub fn seek(&mut self, file: u32, offset: i64, whence: Whence) -> Io<u64> {
        let to = match whence {
            Whence::Start => SeekFrom::Start(u64::try_from(offset).map_err(drop)?),
            Whence::Current => SeekFrom::Current(offset),
            Whence::End => SeekFrom::End(offset),
        };
        self.file(file)?.seek(to).map_err(drop)
    }
}
