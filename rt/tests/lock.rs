//! The lock of libraries: never two threads at once, also while the thread that owns it gives it up.

use cleave_rt::sys::native::lock::{self, Taken};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

const CALLS: u32 = 100_000;

/// Whether another thread gets it, which gives it back.
fn elsewhere() -> bool {
    let take = || lock::take().map(lock::release).is_some();
    thread::scope(|scope| scope.spawn(take).join().expect("it does not panic"))
}

fn taken() -> Taken {
    lock::take().expect("nobody has it")
}

/// One test, because there is one lock in a process, and one owner, once.
#[test]
fn one_thread_at_a_time() {
    // The owner has it while another thread ends that; and nobody has it twice.
    let own = taken();
    assert!(lock::take().is_none());
    lock::release(own);
    let own = taken();
    assert!(!elsewhere());
    assert!(!elsewhere());
    assert!(lock::take().is_none());
    lock::release(own);
    // It is everybody's now.
    assert!(elsewhere());
    let own = taken();
    assert!(!elsewhere());
    assert!(lock::take().is_none());
    lock::release(own);

    let (start, inside, done) = (Barrier::new(2), AtomicBool::new(false), AtomicU32::new(0));
    let calls = || {
        start.wait();
        for _ in 0..CALLS {
            if let Some(own) = lock::take() {
                assert!(!inside.swap(true, Ordering::Relaxed), "two threads are inside");
                done.fetch_add(1, Ordering::Relaxed);
                assert!(inside.swap(false, Ordering::Relaxed), "two threads were inside");
                lock::release(own);
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(calls);
        calls();
    });
    assert!(done.into_inner() > 0 && elsewhere());
}
