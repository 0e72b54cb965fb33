//! Variables of Clean's run-time system, under the names by which objects of C know them.
//!
//! In an executable they are global symbols. The JIT gives their addresses to the objects that it loads.

use crate::clean::state::VARIABLES;

// A C `int` is the lower half; programs read and write either.
#[allow(non_upper_case_globals)]
#[cfg_attr(feature = "standalone", unsafe(no_mangle))]
static mut return_code: i64 = 0;
#[allow(non_upper_case_globals)]
#[cfg_attr(feature = "standalone", unsafe(no_mangle))]
static mut global_argc: i64 = 0;
#[allow(non_upper_case_globals)]
#[cfg_attr(feature = "standalone", unsafe(no_mangle))]
static mut global_argv: *const *const u8 = core::ptr::null();

/// Names of the variables, by their numbers.
pub const NAMES: [&str; VARIABLES] = ["return_code", "global_argc", "global_argv"];

/// The address of a variable.
pub fn address(which: usize) -> i64 {
    let places = [(&raw mut return_code) as usize, (&raw mut global_argc) as usize, (&raw mut global_argv) as usize];
    places.get(which).map_or(0, |&place| place as i64)
}

/// Gives all of them their first values. Of the arguments, `own` after the first are for the run-time system.
///
/// # Safety
/// The list must be as `Words` says, and no program may run.
pub unsafe fn set(arguments: *const *const u8, own: usize) {
    // SAFETY: one thread; the list ends with a null pointer, and has more than `own` elements.
    unsafe {
        let mut count = 0;
        while !arguments.is_null() && !(*arguments.add(count)).is_null() {
            count += 1;
        }
        let own = own.min(count.saturating_sub(1));
        if own > 0 {
            // The name of the program comes first again, as Clean's run-time system moves it.
            *arguments.add(own).cast_mut() = *arguments;
        }
        return_code = 0;
        global_argc = (count - own) as i64;
        global_argv = if count == 0 { arguments } else { arguments.add(own) };
    }
}
