//! Processor time: what a busy machine does not stretch. Only on Linux; elsewhere it is unknown.

/// Of this process so far, in seconds.
pub fn own() -> Option<f64> {
    system::own()
}

/// Of all child processes that have ended, in seconds.
pub fn children() -> Option<f64> {
    system::children()
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod system {
    /// The number of the clock of the process.
    const PROCESS: i32 = 2;
    const CHILDREN: i32 = -1;
    /// Words of `struct rusage`: user time and system time, each in seconds and microseconds, and 14 counters.
    const USAGE_WORDS: usize = 18;

    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
        fn getrusage(who: i32, usage: *mut [i64; USAGE_WORDS]) -> i32;
    }

    pub fn own() -> Option<f64> {
        let mut time = [0; 2];
        // SAFETY: the C function writes seconds and nanoseconds, two words.
        let status = unsafe { clock_gettime(PROCESS, &mut time) };
        (status == 0).then_some(time[0] as f64 + time[1] as f64 / 1e9)
    }

    pub fn children() -> Option<f64> {
        let mut usage = [0; USAGE_WORDS];
        // SAFETY: the C function writes a structure of this many words.
        let status = unsafe { getrusage(CHILDREN, &mut usage) };
        let seconds = (usage[0] + usage[2]) as f64 + (usage[1] + usage[3]) as f64 / 1e6;
        (status == 0).then_some(seconds)
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
mod system {
    pub fn own() -> Option<f64> {
        None
    }
    pub fn children() -> Option<f64> {
        None
    }
}
