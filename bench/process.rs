//! Runs a command to its end: output, time, processor time, largest memory. A command that does not end is killed.
//!
//! Processor time and memory are those of this one process, from the system call that waits for it; where that is
//! missing they are unknown. The memory of a new process counts from that of the process that starts it, so
//! the bench itself stays small: compilers and engines run in processes of their own.

use anyhow::{Context, Result, bail};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What a process left after.
pub struct Ended {
    pub stdout: Vec<u8>,
    pub stderr: String,
    /// Nothing if a signal ended it.
    pub status: Option<i32>,
    pub total_s: f64,
    pub cpu_s: Option<f64>,
    /// Largest resident memory.
    pub resident_bytes: Option<u64>,
}

impl Ended {
    pub fn is_success(&self) -> bool {
        self.status == Some(0)
    }

    /// How it ended, for messages.
    pub fn end(&self) -> String {
        self.status.map_or_else(|| "a signal".to_string(), |status| format!("status {status}"))
    }
}

/// Runs a command without input; kills it after `limit`.
pub fn run(command: &mut Command, limit: Duration) -> Result<Ended> {
    run_with(command, Stdio::null(), limit)
}

/// The same with input.
pub fn run_with(command: &mut Command, stdin: Stdio, limit: Duration) -> Result<Ended> {
    let begin = Instant::now();
    let piped = command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let id = child.id();
    let (ended, waiting) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let out = scope.spawn(|| read_all(out));
        let err = scope.spawn(|| read_all(err));
        let watch = scope.spawn(move || {
            let late = waiting.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
            if late {
                system::kill(id);
            }
            late
        });
        let usage = wait(&mut child);
        let total_s = begin.elapsed().as_secs_f64();
        let _ = ended.send(());
        let is_late = watch.join().unwrap_or(false);
        let stdout = out.join().unwrap_or_default();
        let stderr = String::from_utf8_lossy(&err.join().unwrap_or_default()).into_owned();
        if is_late {
            bail!("{:?} did not end within {} s", command.get_program(), limit.as_secs());
        }
        let Usage { status, cpu_s, resident_bytes } = usage?;
        Ok(Ended { stdout, stderr, status, total_s, cpu_s, resident_bytes })
    })
}

fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

/// What the system says of a process that has ended: fields as in `Ended`.
pub struct Usage {
    pub status: Option<i32>,
    pub cpu_s: Option<f64>,
    pub resident_bytes: Option<u64>,
}

/// Waits for the end of a process.
pub fn wait(child: &mut Child) -> Result<Usage> {
    system::wait(child)
}

#[cfg(target_os = "linux")]
mod system {
    use super::{Child, Result, Usage};
    use anyhow::bail;

    pub fn kill(process: u32) {
        // SAFETY: the number is that of our child; it stays taken until `wait` has seen its end.
        unsafe { libc::kill(process as libc::pid_t, libc::SIGKILL) };
    }

    pub fn wait(child: &mut Child) -> Result<Usage> {
        let mut status = 0;
        // SAFETY: a structure of numbers, for which zeros are values.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        loop {
            // SAFETY: both results are written to variables of ours.
            let id = unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage) };
            if id > 0 {
                break;
            }
            let error = std::io::Error::last_os_error();
            if error.kind() != std::io::ErrorKind::Interrupted {
                bail!("cannot wait for a process: {error}");
            }
        }
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        Ok(Usage {
            status: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
            cpu_s: Some(seconds(usage.ru_utime) + seconds(usage.ru_stime)),
            resident_bytes: Some(usage.ru_maxrss as u64 * 1024),
        })
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::{Child, Result, Usage};

    /// Without a way to end a process by its number, it is waited for.
    pub fn kill(_: u32) {}

    pub fn wait(child: &mut Child) -> Result<Usage> {
        Ok(Usage { status: child.wait()?.code(), cpu_s: None, resident_bytes: None })
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Result<Ended> {
        run(Command::new("sh").arg("-c").arg(script), limit)
    }

    #[test]
    fn outputs_and_status() {
        let ended = shell("echo out; echo err >&2; exit 3", Duration::from_secs(60)).expect("it ends");
        assert_eq!((ended.stdout.as_slice(), ended.stderr.as_str(), ended.status), (&b"out\n"[..], "err\n", Some(3)));
        assert!(ended.resident_bytes.is_some_and(|bytes| bytes > 100_000));
        assert_eq!(shell("kill -9 $$", Duration::from_secs(60)).expect("it ends").status, None);
    }

    #[test]
    fn endless_processes_are_killed() {
        let begin = Instant::now();
        assert!(shell("exec sleep 600", Duration::from_millis(50)).is_err());
        assert!(begin.elapsed() < Duration::from_secs(300));
    }
}
