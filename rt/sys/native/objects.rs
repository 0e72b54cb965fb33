//! Objects of a host in C that a program of a library has: a table of their addresses and of the functions that drop
//! them. The program knows numbers, which it gives back when it has an object no more (`gc/foreign.rs`).
//!
//! An object is dropped on the stack of the host at the end of an outermost call, or when results are freed: never
//! while the program runs. What a call has read of its arguments is the host's again if the call fails; then
//! everything else that the program had is dropped. What was lent to the host stays until results are freed.

use super::library::say;
use super::running::RUN;
use super::{os, stack};
use crate::base::error::FAILURE;
use core::cell::UnsafeCell;

/// A function of C that drops an object.
type Drop = unsafe extern "C" fn(usize);

/// What is known of an object. Numbers of others count from 1; 0 is none.
#[derive(Clone, Copy)]
#[repr(C)]
struct Object {
    address: usize,
    drop: usize,
    state: State,
    /// The next free place, or the next one that is to be dropped.
    next: u32,
    /// The next one that the call at hand has read, and that is lent.
    read: u32,
    lent: u32,
}

/// What becomes of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
struct State {
    is_used: bool,
    is_read: bool,
    is_lent: bool,
    is_dead: bool,
}

const FREE: State = State { is_used: false, is_read: false, is_lent: false, is_dead: false };

struct Table {
    start: usize,
    room: u32,
    /// Places that were ever used.
    count: u32,
    free: u32,
    dead: u32,
    read: u32,
    lent: u32,
    /// What comes now is an argument of the call at hand.
    is_reading: bool,
}

struct Cell(UnsafeCell<Table>);
// SAFETY: who looks at it has the lock of the library.
unsafe impl Sync for Cell {}
static TABLE: Cell =
    Cell(UnsafeCell::new(Table { start: 0, room: 0, count: 0, free: 0, dead: 0, read: 0, lent: 0, is_reading: false }));

const FIRST_ROOM: u32 = 64;
const MOST_ROOM: u32 = 1 << 30;

fn table() -> &'static mut Table {
    // SAFETY: the lock is taken, and no reference is kept across a call that gives another one.
    unsafe { &mut *TABLE.0.get() }
}

impl Table {
    fn object(&mut self, number: u32) -> &mut Object {
        debug_assert!(number != 0 && number <= self.count);
        // SAFETY: numbers come from `keep`, so the place is there.
        unsafe { &mut *((self.start as *mut Object).add(number as usize - 1)) }
    }

    /// A free place.
    fn take(&mut self) -> Option<u32> {
        if self.free != 0 {
            let number = self.free;
            self.free = self.object(number).next;
            return Some(number);
        }
        if self.count == self.room {
            let room = if self.room == 0 { FIRST_ROOM } else { self.room * 2 };
            let new = if room > MOST_ROOM { 0 } else { os::allocate(room as usize * size_of::<Object>()) };
            if new == 0 {
                return None;
            }
            // SAFETY: the old table has so many objects, and the new one has room for them.
            unsafe {
                if self.start != 0 {
                    let (from, to) = (self.start as *const Object, new as *mut Object);
                    core::ptr::copy_nonoverlapping(from, to, self.count as usize);
                    os::release(self.start);
                }
            }
            (self.start, self.room) = (new, room);
        }
        self.count += 1;
        Some(self.count)
    }

    fn give_back(&mut self, number: u32) {
        let next = core::mem::replace(&mut self.free, number);
        let object = self.object(number);
        (object.state, object.next) = (FREE, next);
    }

    /// Nobody has it any more, but perhaps the host, to whom it is lent.
    fn dies(&mut self, number: u32) {
        let next = self.dead;
        let object = self.object(number);
        object.state.is_dead = true;
        if !object.state.is_lent && !object.state.is_read {
            object.next = next;
            self.dead = number;
        }
    }
}

/// The program gets an object: its number. The program ends if there is no memory.
///
/// # Safety
/// The caller is code of the compiler, in a call of a library.
#[unsafe(no_mangle)]
unsafe extern "C" fn cleave_library_keep(address: usize, drop: usize) -> u64 {
    let table = table();
    let Some(number) = table.take() else {
        say(b"There is not enough memory for objects of the host.");
        // SAFETY: as for the caller.
        unsafe { stack::leave(FAILURE, *RUN.saved.get()) }
    };
    let is_read = table.is_reading;
    let read = if is_read { core::mem::replace(&mut table.read, number) } else { 0 };
    let state = State { is_used: true, is_read, ..FREE };
    *table.object(number) = Object { address, drop, state, next: 0, read, lent: 0 };
    number.into()
}

/// The host gets an object: its address and the function that drops it are written there.
///
/// # Safety
/// The caller is code of the compiler, with a number that the program has, and a place of the host.
#[unsafe(no_mangle)]
unsafe extern "C" fn cleave_library_lend(number: u64, place: *mut [usize; 2]) {
    let table = table();
    let lent = table.lent;
    let object = table.object(number as u32);
    if !object.state.is_lent {
        (object.state.is_lent, object.lent) = (true, lent);
        table.lent = number as u32;
    }
    let object = table.object(number as u32);
    // SAFETY: the host says that it may be written there.
    unsafe { place.write_unaligned([object.address, object.drop]) };
}

/// The program has an object no more.
///
/// # Safety
/// The caller is code of the compiler, with a number that the program has had.
#[unsafe(no_mangle)]
unsafe extern "C" fn cleave_library_forget(number: u64) {
    table().dies(number as u32);
}

/// A call begins, and reads its arguments: what the call around it has read, and whether it still does.
pub fn begin() -> (u32, bool) {
    let table = table();
    (core::mem::take(&mut table.read), core::mem::replace(&mut table.is_reading, true))
}

/// A call has read its arguments, because it calls the host, or has ended well: they are the program's.
pub fn accept() {
    table().is_reading = false;
    let mut number = core::mem::take(&mut table().read);
    while number != 0 {
        let table = table();
        let object = table.object(number);
        object.state.is_read = false;
        let (next, is_dead) = (object.read, object.state.is_dead);
        if is_dead {
            table.dies(number);
        }
        number = next;
    }
}

/// True if the call at hand has read objects, or if some are to be dropped.
pub fn has_news() -> bool {
    let table = table();
    table.read | table.dead != 0
}

/// A call has ended: what it has read is the program's, or is forgotten. After an outermost call dead objects are
/// dropped, and all others if the program has failed.
pub fn end(fine: bool, outer: (u32, bool), is_outermost: bool, is_alive: bool) {
    if fine {
        accept();
    }
    let mut number = core::mem::take(&mut table().read);
    (table().read, table().is_reading) = outer;
    while number != 0 {
        let table = table();
        let object = table.object(number);
        let next = object.read;
        if object.state.is_lent {
            (object.drop, object.state.is_read, object.state.is_dead) = (0, false, true);
        } else {
            table.give_back(number);
        }
        number = next;
    }
    if !is_outermost {
        return;
    }
    if !is_alive {
        for number in 1..=table().count {
            let table = table();
            let state = table.object(number).state;
            if state.is_used && !state.is_dead {
                table.dies(number);
            }
        }
    }
    drop_dead();
}

/// Nothing is lent any more.
pub fn free_results() {
    let mut number = core::mem::take(&mut table().lent);
    while number != 0 {
        let table = table();
        let object = table.object(number);
        object.state.is_lent = false;
        let (next, is_dead) = (object.lent, object.state.is_dead);
        if is_dead {
            table.dies(number);
        }
        number = next;
    }
    drop_dead();
}

/// Drops what is dead. The lock is taken, so that functions of the library fail meanwhile.
fn drop_dead() {
    loop {
        let table = table();
        let number = table.dead;
        if number == 0 {
            return;
        }
        let Object { address, drop, next, .. } = *table.object(number);
        table.dead = next;
        table.give_back(number);
        if drop != 0 {
            // SAFETY: the host has said that this function drops the object.
            unsafe { core::mem::transmute::<usize, Drop>(drop)(address) };
        }
    }
}
