//! One thread at a time in a library: a lock that is cheap for the thread that calls first, and fails if it is taken.
//!
//! An atomic exchange is a third of what a short call costs. So the lock is biased: the first thread that calls owns
//! it, and says with plain writes that it is inside. The first call of another thread ends that for good; from then on
//! all threads exchange `IS_TAKEN`.
//!
//! ```text
//! owner         IS_INSIDE = true;  is it still mine?
//! who ends it   OWNER = ENDS;  barrier;  OWNER = SHARED;  IS_TAKEN;  is the owner inside?
//! ```
//! The barrier is one of the kernel (`membarrier`), on every processor that runs a thread of this process: after it
//! either the owner sees `ENDS`, or everybody sees that the owner is inside. Where the kernel has none, nobody ever
//! owns the lock.

use super::faults::thread;
use super::os;
use core::ffi::c_long;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering, compiler_fence};

/// The thread that owns the lock, or one of these.
static OWNER: AtomicUsize = AtomicUsize::new(NOBODY);
const NOBODY: usize = 0;
const SHARED: usize = 1;
const ENDS: usize = 2;

/// Written by the owner alone.
static IS_INSIDE: AtomicBool = AtomicBool::new(false);
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// How the lock was taken.
#[derive(Clone, Copy)]
pub struct Taken(&'static AtomicBool);

/// Takes the lock, unless somebody has it.
pub fn take() -> Option<Taken> {
    if OWNER.load(Ordering::Relaxed) == thread() {
        // This thread already has it: it drops an object, or handles a signal.
        if IS_INSIDE.load(Ordering::Relaxed) {
            return None;
        }
        IS_INSIDE.store(true, Ordering::Relaxed);
        // The processor may still look first; the barrier of the other thread is for that.
        compiler_fence(Ordering::SeqCst);
        if OWNER.load(Ordering::Acquire) == thread() {
            return Some(Taken(&IS_INSIDE));
        }
        IS_INSIDE.store(false, Ordering::Release);
    }
    take_shared()
}

/// Gives it back.
pub fn release(taken: Taken) {
    taken.0.store(false, Ordering::Release);
}

#[cold]
fn take_shared() -> Option<Taken> {
    match OWNER.load(Ordering::Acquire) {
        SHARED => {}
        NOBODY => {
            let owner = if barrier(REGISTER) { thread() } else { SHARED };
            // If another thread has been faster, the lock is its own.
            let _ = OWNER.compare_exchange(NOBODY, owner, Ordering::AcqRel, Ordering::Acquire);
            return take();
        }
        _ => {
            OWNER.store(ENDS, Ordering::SeqCst);
            // The child of a process that has called has what that has said to the kernel. If not, nobody knows whether
            // the owner is inside.
            let is_known = barrier(EVERYWHERE) || barrier(REGISTER) && barrier(EVERYWHERE);
            if !is_known {
                return None;
            }
            OWNER.store(SHARED, Ordering::Release);
        }
    }
    if IS_TAKEN.swap(true, Ordering::Acquire) {
        return None;
    }
    let taken = Taken(&IS_TAKEN);
    if IS_INSIDE.load(Ordering::Acquire) {
        release(taken);
        return None;
    }
    Some(taken)
}

const MEMBARRIER: c_long = 324;
const EVERYWHERE: c_long = 1 << 3;
const REGISTER: c_long = 1 << 4;

fn barrier(command: c_long) -> bool {
    os::call(MEMBARRIER, command, 0, 0).is_ok()
}
