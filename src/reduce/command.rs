//! The command that decides whether a candidate is interesting: run with the candidate's path, in a bounded time.

use crate::driver::temporary;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What stands for the path of the candidate in the command; without it the path is appended.
const PLACE: &str = "{}";
/// A candidate may make the command run longer than the whole program does, but not so many times longer.
const PATIENCE: u32 = 10;
/// The least time that every run gets.
const LEAST: Duration = Duration::from_secs(2);

/// Why the reduction cannot begin.
#[derive(Debug)]
pub enum Refused {
    /// The command cannot be started.
    NotStarted(io::Error),
    /// It does not find the whole program interesting: its status, nothing if it took too long or was ended by a
    /// signal.
    NotInteresting(Option<i32>),
    /// The candidate cannot be written.
    NotWritten(io::Error),
}

/// A command, and the file in which it finds candidates.
pub struct Test {
    nptrs: Vec<OsString>,
    folder: PathBuf,
    candidate: PathBuf,
    end: Instant,
    limit: Duration,
    /// Runs so far.
    pub runs: u64,
}

impl Drop for Test {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Test {
    /// Prepares the command for candidates with the name of `file`, and tries it on the whole program. It all ends
    /// after `time`.
    pub fn begin(nptrs: &[OsString], file: &Path, text: &[u8], time: Duration) -> Result<Test, Refused> {
        let folder = temporary::folder().map_err(Refused::NotWritten)?;
        let candidate = folder.join(file.file_name().unwrap_or("candidate".as_ref()));
        let mut nptrs = nptrs.to_vec();
        if !nptrs.iter().any(|word| word.to_string_lossy().contains(PLACE)) {
            nptrs.push(PLACE.into());
        }
        let begin = Instant::now();
        let mut test = Test { nptrs, folder, candidate, end: begin + time, limit: time, runs: 0 };
        match test.run(text)? {
            Some(0) => {}
            status => return Err(Refused::NotInteresting(status)),
        }
        test.limit = (begin.elapsed() * PATIENCE).max(LEAST);
        Ok(test)
    }

    /// True if the candidate is interesting. Nothing is, once the time is over.
    pub fn is_interesting(&mut self, text: &[u8]) -> bool {
        !self.is_over() && matches!(self.run(text), Ok(Some(0)))
    }

    pub fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    fn run(&mut self, text: &[u8]) -> Result<Option<i32>, Refused> {
        fs::write(&self.candidate, text).map_err(Refused::NotWritten)?;
        self.runs += 1;
        let path = self.candidate.to_string_lossy();
        let nptrs = self.nptrs.iter().map(|word| match word.to_str() {
            Some(word) => word.replace(PLACE, &path).into(),
            None => word.clone(),
        });
        let nptrs: Vec<OsString> = nptrs.collect();
        let mut command = Command::new(&nptrs[0]);
        command.args(&nptrs[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(Refused::NotStarted)?;
        let end = (Instant::now() + self.limit).min(self.end);
        let mut pause = Duration::from_micros(200);
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status.code()),
                Ok(None) if Instant::now() < end => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(10));
                }
                _ => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Ok(None);
                }
            }
        }
    }
}
