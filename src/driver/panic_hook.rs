//! The panic hook: the message about a bug of cleave, and its exit code.
//!
//! The pipeline says what it is doing with [`set_stage`]; a panic then names the stage. Nothing here may panic, and
//! nothing may fail because stderr is closed.

use crate::driver::version::VERSION;
use std::io::Write;
use std::sync::Mutex;

/// Exit code of a bug of ours.
pub const BUG: i32 = 101;

static STAGE: Mutex<String> = Mutex::new(String::new());

/// Names what is being done, for the message of a panic.
pub fn set_stage(stage: &str) {
    if let Ok(mut current) = STAGE.lock() {
        current.clear();
        current.push_str(stage);
    }
}

/// Installs the hook. With RUST_BACKTRACE set the usual backtrace follows.
pub fn install_hook() {
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let message = payload.downcast_ref::<&str>().copied();
        let message =
            message.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("(no message)");
        let stage = STAGE.try_lock().map(|stage| stage.clone()).unwrap_or_default();
        report(message, &stage, info.location().map(ToString::to_string).as_deref());
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            let _ = writeln!(std::io::stderr(), "{}", std::backtrace::Backtrace::force_capture());
        }
    }));
}

/// Writes the message of a bug.
pub fn report(message: &str, stage: &str, place: Option<&str>) {
    let mut text = format!("\ncleave: internal error: {message}\n");
    if !stage.is_empty() {
        text.push_str(&format!("  while:   {stage}\n"));
    }
    if let Some(place) = place {
        text.push_str(&format!("  at:      {place}\n"));
    }
    text.push_str(&format!("  version: {}\n", VERSION));
    text.push_str(
        "This is a bug in cleave, not in your program. Please report it with this message, the command line and the\n\
         modules of the program. `--verify-each` may name the pass that is wrong; `-O0` or `--disable-pass PASS` may avoid it.\n",
    );
    let _ = std::io::stderr().write_all(text.as_bytes());
}
