//! Texts of errors that libraries keep for their hosts: what a call has said, and what one inside of it has said.

use core::cell::UnsafeCell;

/// A text with a NUL behind it.
pub struct Text<const SIZE: usize> {
    bytes: [u8; SIZE],
    length: usize,
}

impl<const SIZE: usize> Text<SIZE> {
    pub const fn new() -> Text<SIZE> {
        Text { bytes: [0; SIZE], length: 0 }
    }

    /// Adds as much as there is room for.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.length + 1 < SIZE
                && let Some(place) = self.bytes.get_mut(self.length)
            {
                *place = byte;
                self.length += 1;
            }
        }
        self.end();
    }

    pub fn clear(&mut self) {
        self.length = 0;
        self.end();
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub fn without_line_ends(&mut self) {
        while self.bytes().last() == Some(&b'\n') {
            self.length -= 1;
            self.end();
        }
    }

    fn end(&mut self) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = 0;
        }
    }

    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    pub fn address(&mut self) -> *mut u8 {
        self.bytes.as_mut_ptr()
    }
}

/// What was said inside of a function of the host that the program waits for.
pub struct Inner {
    text: Text<2048>,
    /// The instance that waits is gone since, and this is why.
    is_fatal: bool,
    /// The instance that waits.
    instance: u64,
}

struct Cell(UnsafeCell<Inner>);
// SAFETY: who looks at it has the lock of the library.
unsafe impl Sync for Cell {}
static INNER: Cell = Cell(UnsafeCell::new(Inner { text: Text::new(), is_fatal: false, instance: 0 }));

pub fn inner() -> &'static mut Inner {
    // SAFETY: the lock is taken, and no reference is kept across a call that gives another one.
    unsafe { &mut *INNER.0.get() }
}

impl Inner {
    /// A call of this instance waits for a function: nothing is said yet. Gives the instance of the call around it.
    pub fn waits(&mut self, instance: u64) -> u64 {
        self.text.clear();
        self.is_fatal = false;
        core::mem::replace(&mut self.instance, instance)
    }

    /// A call has ended inside of the function: well, or with these words. `before` and `after` are the instances.
    pub fn said(&mut self, words: Option<&[u8]>, before: u64, after: u64) {
        if self.is_fatal {
            return;
        }
        self.text.clear();
        self.text.add(words.unwrap_or_default());
        self.is_fatal = before == self.instance && before != after;
    }

    /// Adds what was said to a text about the function.
    pub fn tell<const SIZE: usize>(&self, to: &mut Text<SIZE>) {
        if self.text.is_empty() {
            to.add(b".");
        } else {
            to.add(b": ");
            to.add(self.text.bytes());
        }
    }
}
