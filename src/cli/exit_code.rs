//! Exit codes of the command line: success, errors in the input, wrong usage.

use crate::driver::output::{reason, write_stderr};

/// The input is wrong.
pub const FAILURE: i32 = 1;
/// The command line is wrong.
pub const USAGE: i32 = 2;

/// The exit code for what goes to stdout: a closed pipe is no error.
pub fn written(result: std::io::Result<()>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            write_stderr(&format!("cleave: stdout cannot be written: {}\n", reason(&error)));
            FAILURE
        }
    }
}
