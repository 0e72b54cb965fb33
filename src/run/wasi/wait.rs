//! Clocks of WASI, waiting for times and files, and random bytes.

use super::files::Files;
use super::guest::{Guest, INVAL, Wasi, check};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsRawFd;

/// The clock of the system for a number of WASI.
fn clock(number: u32) -> Wasi<libc::clockid_t> {
    match number {
        0 => Ok(libc::CLOCK_REALTIME),
        1 => Ok(libc::CLOCK_MONOTONIC),
        2 => Ok(libc::CLOCK_PROCESS_CPUTIME_ID),
        3 => Ok(libc::CLOCK_THREAD_CPUTIME_ID),
        _ => Err(INVAL),
    }
}

fn nanoseconds(ask: impl Fn(&mut libc::timespec) -> libc::c_int) -> Wasi<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    match ask(&mut time) {
        0 => Ok((time.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec as u64)),
        _ => check(Err(io::Error::last_os_error())),
    }
}

fn now(number: u32) -> Wasi<u64> {
    let clock = clock(number)?;
    // SAFETY: the structure lives during the call.
    nanoseconds(|time| unsafe { libc::clock_gettime(clock, time) })
}

/// What a program waits for.
enum Wait {
    /// Nanoseconds from now.
    Time(u64),
    /// A descriptor, and the events of `poll`.
    File(u32, libc::c_short),
}

impl Files {
    pub fn clock_res_get(&mut self, guest: &mut Guest, number: u32, result: u32) -> Wasi<()> {
        let clock = clock(number)?;
        // SAFETY: the structure lives during the call.
        let resolution = nanoseconds(|time| unsafe { libc::clock_getres(clock, time) })?;
        guest.store_longs(result, &[resolution])
    }

    pub fn clock_time_get(&mut self, guest: &mut Guest, number: u32, _precision: u64, result: u32) -> Wasi<()> {
        guest.store_longs(result, &[now(number)?])
    }

    pub fn random_get(&mut self, guest: &mut Guest, at: u32, length: u32) -> Wasi<()> {
        let bytes = guest.bytes(at, length)?;
        check(File::open("/dev/urandom").and_then(|mut source| source.read_exact(bytes)))
    }

    /// Waits until one of the subscriptions has something to tell, and says which have.
    pub fn poll_oneoff(&mut self, guest: &mut Guest, from: u32, to: u32, count: u32, result: u32) -> Wasi<()> {
        const SUBSCRIPTION: u32 = 48;
        const EVENT: u32 = 32;
        // More than a program can have files open.
        if count == 0 || count > 1 << 16 {
            return Err(INVAL);
        }
        let mut waits = Vec::new();
        for index in 0..count {
            let at = from.checked_add(index * SUBSCRIPTION).filter(|at| *at < u32::MAX - SUBSCRIPTION).ok_or(INVAL)?;
            let (data, kind) = (guest.long(at)?, guest.bytes(at + 8, 1)?[0]);
            let wait = match kind {
                0 => {
                    let (number, mut ns) = (guest.word(at + 16)?, guest.long(at + 24)?);
                    let is_absolute = guest.word(at + 40)? & 1 != 0;
                    if is_absolute {
                        ns = ns.saturating_sub(now(number)?);
                    } else {
                        clock(number)?;
                    }
                    Wait::Time(ns)
                }
                1 => Wait::File(guest.word(at + 16)?, libc::POLLIN),
                2 => Wait::File(guest.word(at + 16)?, libc::POLLOUT),
                _ => return Err(INVAL),
            };
            waits.push((data, kind, wait));
        }
        let mut files = Vec::new();
        for (_, _, wait) in &waits {
            if let Wait::File(fd, events) = *wait {
                files.push(libc::pollfd { fd: self.file(fd)?.as_raw_fd(), events, revents: 0 });
            }
        }
        let shortest = waits.iter().filter_map(|wait| if let Wait::Time(ns) = wait.2 { Some(ns) } else { None }).min();
        // Rounded up: nobody is woken before the time.
        let limit = shortest.map_or(-1, |ns| i32::try_from(ns.div_ceil(1_000_000)).unwrap_or(i32::MAX));
        // SAFETY: the list lives during the call.
        let ready = unsafe { libc::poll(files.as_mut_ptr(), files.len() as libc::nfds_t, limit) };
        if ready < 0 {
            return check(Err(io::Error::last_os_error()));
        }
        let (mut told, mut file) = (0, files.iter());
        for (data, kind, wait) in waits {
            let happened = match wait {
                Wait::Time(ns) => ready == 0 && Some(ns) == shortest,
                Wait::File(..) => file.next().is_some_and(|file| file.revents != 0),
            };
            if happened {
                // Available bytes are not known; one is enough to try.
                let bytes = u64::from(kind != 0);
                guest.store_longs(to + told * EVENT, &[data, u64::from(kind) << 16, bytes, 0])?;
                told += 1;
            }
        }
        guest.store_word(result, told)
    }
}
