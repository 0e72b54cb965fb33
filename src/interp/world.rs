//! The outside world of a program that is interpreted: console, arguments, files.

use cleave_rt::system::{FileIdentity, Io, OpenMode, Whence};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Descriptors of the console.
const STDIN: u32 = 0;
const STDOUT: u32 = 1;
const STDERR: u32 = 2;
const FIRST_FILE: u32 = 3;

/// What a program can see and change outside of its memory.
pub struct World {
    pub stdin: Vec<u8>,
    pub(crate) consumed: usize,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Write to the real console instead of the two vectors.
    pub pass_through: bool,
    /// Program name and arguments.
    pub args: Vec<String>,
    files: Vec<Option<(File, PathBuf)>>,
    /// Every path ever opened; its position identifies the file.
    paths: Vec<PathBuf>,
    start: Instant,
}

impl World {
    pub fn new(stdin: Vec<u8>, args: Vec<String>, pass_through: bool) -> World {
        World {
            stdin,
            consumed: 0,
            stdout: Vec::new(),
            stderr: Vec::new(),
            pass_through,
            args,
            files: Vec::new(),
            paths: Vec::new(),
            start: Instant::now(),
        }
    }

    pub fn clock_ns(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    fn file(&mut self, file: u32) -> Io<&mut File> {
        match self.files.get_mut(file.wrapping_sub(FIRST_FILE) as usize) {
            Some(Some((file, _))) => Ok(file),
            _ => Err(()),
        }
    }

    pub fn write(&mut self, file: u32, bytes: &[u8]) -> Io<usize> {
        match file {
            STDOUT if self.pass_through => std::io::stdout().write_all(bytes).map_err(drop)?,
            STDERR if self.pass_through => std::io::stderr().write_all(bytes).map_err(drop)?,
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
        if file.metadata().map_err(drop)?.is_dir() {
            return Err(());
        }
        let path = path.canonicalize().map_err(drop)?;
        let number = self.paths.iter().position(|p| *p == path).unwrap_or_else(|| {
            self.paths.push(path.clone());
            self.paths.len() - 1
        });
        let free = self.files.iter().position(|f| f.is_none()).unwrap_or_else(|| {
            self.files.push(None);
            self.files.len() - 1
        });
        self.files[free] = Some((file, path));
        Ok((FIRST_FILE + free as u32, FileIdentity { device: 1, number: number as u64 }))
    }

    pub fn close(&mut self, file: u32) -> Io<()> {
        self.file(file)?;
        self.files[(file - FIRST_FILE) as usize] = None;
        Ok(())
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
