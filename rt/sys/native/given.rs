//! Functions of C that a program imports: the host gives them once for all, in structures, each with a context. They
//! stay when an instance is gone.
//!
//! ```text
//! lib_set_net ── structure, context, edx: number of the first, ecx: how many ──▶ cleave_library_give
//! ```
//! The compiler makes the symbols, and numbers the functions (`targets/native/library.rs`).

use super::library::{FAILED, FINE, locked, say};
use super::os;
use core::cell::UnsafeCell;

/// A function, and what it gets before its arguments.
#[derive(Clone, Copy)]
#[repr(C)]
struct Given {
    function: usize,
    context: usize,
}

const NONE: Given = Given { function: 0, context: 0 };

struct Table {
    start: usize,
    count: usize,
}

struct Cell(UnsafeCell<Table>);
// SAFETY: who looks at it has the lock of the library.
unsafe impl Sync for Cell {}
static TABLE: Cell = Cell(UnsafeCell::new(Table { start: 0, count: 0 }));

impl Table {
    /// Makes room for so many; false if there is none.
    fn grow(&mut self, count: usize) -> bool {
        if count <= self.count {
            return true;
        }
        let new = os::allocate(count * size_of::<Given>());
        if new == 0 {
            return false;
        }
        let places = new as *mut Given;
        for at in 0..count {
            // SAFETY: there is room for so many, and the old table has those below its count.
            unsafe {
                places.add(at).write(if at < self.count { (self.start as *const Given).add(at).read() } else { NONE })
            };
        }
        if self.start != 0 {
            os::release(self.start);
        }
        (self.start, self.count) = (new, count);
        true
    }
}

/// The host gives functions, or takes them away: a structure of NULL.
///
/// # Safety
/// The caller is code of the compiler. The structure of the host has so many functions.
#[unsafe(no_mangle)]
unsafe extern "C" fn cleave_library_give(functions: *const usize, context: usize, first: u32, count: u32) -> u32 {
    locked(|| {
        // SAFETY: the lock is taken.
        let table = unsafe { &mut *TABLE.0.get() };
        let (first, count) = (first as usize, count as usize);
        if !table.grow(first + count) {
            say(b"There is not enough memory for functions of the host.");
            return FAILED;
        }
        for at in 0..count {
            // SAFETY: the table has grown, and the caller says what the structure has.
            unsafe {
                let function = if functions.is_null() { 0 } else { functions.add(at).read() };
                (table.start as *mut Given).add(first + at).write(Given { function, context });
            }
        }
        FINE
    })
}

/// The address of a function that the host has given, or 0; its context is written to the first register.
///
/// # Safety
/// The caller is code of the compiler, in a call of a library.
#[unsafe(no_mangle)]
unsafe extern "C" fn cleave_library_given(number: u64, registers: *mut usize) -> u64 {
    // SAFETY: the lock is taken, and the registers are in the buffer.
    unsafe {
        let table = &*TABLE.0.get();
        if number as usize >= table.count {
            return 0;
        }
        let given = (table.start as *const Given).add(number as usize).read();
        registers.write(given.context);
        given.function as u64
    }
}
