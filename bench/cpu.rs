//! Processor time: what a busy machine does not stretch. Only on Linux; elsewhere it is unknown.

/// Of this process so far, in seconds.
pub fn own() -> Option<f64> {
    system::own()
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod system {
    /// The number of the clock of the process.
    const PROCESS: i32 = 2;

    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
    }

    pub fn own() -> Option<f64> {
        let mut time = [0; 2];
        // SAFETY: the C function writes seconds and nanoseconds, two words.
        let status = unsafe { clock_gettime(PROCESS, &mut time) };
        (status == 0).then_some(time[0] as f64 + time[1] as f64 / 1e9)
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
mod system {
    pub fn own() -> Option<f64> {
        None
    }
}
