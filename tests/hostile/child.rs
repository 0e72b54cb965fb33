//! A child process with limits, and what it used: processor time and the largest resident memory.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Who waits for something that never comes uses no processor time. It is this much of the limit of processor time, and
/// no less than `LEAST_PATIENCE`: other work may have most of the machine.
const PATIENCE: u32 = 16;
const LEAST_PATIENCE: Duration = Duration::from_secs(300);

/// What a child may use before it is a finding.
pub struct Limits {
    pub seconds: f64,
    pub megabytes: u64,
}

/// What it used.
pub struct Used {
    pub seconds: f64,
    pub megabytes: u64,
    /// None: ended by a signal.
    pub status: Option<i32>,
    pub stderr: Vec<u8>,
}

/// Runs a command with input. The system ends it at twice its time; of memory it refuses more than the limit and what
/// engines reserve without using it.
pub fn run(command: &mut Command, input: &[u8], limits: &Limits, reserves: bool) -> Result<Used, String> {
    let seconds = (2.0 * limits.seconds).ceil() as u64 + 1;
    let bytes = (limits.megabytes << 20) + if reserves { 64 << 30 } else { 2 << 30 };
    let limit = move || {
        for (resource, most) in [(libc::RLIMIT_CPU, seconds), (libc::RLIMIT_AS, bytes), (libc::RLIMIT_CORE, 0)] {
            let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
            // SAFETY: the structure is alive during the call.
            if unsafe { libc::setrlimit(resource, &limit) } != 0 {
                return Err(std::io::Error::last_os_error());
            }
        }
        Ok(())
    };
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    // SAFETY: between fork and exec only `setrlimit` is called.
    let mut child = unsafe { command.pre_exec(limit) }.spawn().map_err(|error| error.to_string())?;
    let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
    let input = input.to_vec();
    let writer = thread::spawn(move || drop(stdin.map(|mut pipe| pipe.write_all(&input))));
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stderr.map(|pipe| pipe.take(1 << 20).read_to_end(&mut bytes));
        bytes
    });
    let (ended, id) = (Arc::new(AtomicBool::new(false)), child.id() as libc::pid_t);
    let guard = Arc::clone(&ended);
    let patience = LEAST_PATIENCE.max(Duration::from_secs_f64(limits.seconds) * PATIENCE);
    let watch = thread::spawn(move || {
        let begin = Instant::now();
        while !guard.load(Ordering::Relaxed) {
            if begin.elapsed() > patience {
                // SAFETY: a signal to the child, which nobody has waited for yet.
                unsafe { libc::kill(id, libc::SIGKILL) };
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
    });
    let (mut status, mut usage) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: both places are alive during the call; nobody else waits for this child.
    let usage = unsafe {
        if libc::wait4(id, &mut status, 0, usage.as_mut_ptr()) < 0 {
            return Err(std::io::Error::last_os_error().to_string());
        }
        usage.assume_init()
    };
    ended.store(true, Ordering::Relaxed);
    let _ = watch.join();
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let _ = writer.join();
    Ok(Used {
        seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        megabytes: usage.ru_maxrss as u64 >> 10,
        status: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        stderr: reader.join().unwrap_or_default(),
    })
}
