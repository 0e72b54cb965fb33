//! The allocator of test programs that compile much: mimalloc for what is small, as in the compiler itself, the system
//! for what is large, because the system gives zeroed pages that cost nothing until they are touched; the interpreter
//! reserves its whole memory at once.

use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout, System};

/// Bytes from which on the system allocates.
const LARGE: usize = 4 << 20;

pub struct Allocator;

fn of(bytes: usize) -> &'static dyn GlobalAlloc {
    if bytes < LARGE { &MiMalloc } else { &System }
}

// SAFETY: a block belongs to the allocator that its size tells; where that changes, `realloc` allocates,
// copies and frees.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's obligations are those of the other allocator.
        unsafe { of(layout.size()).alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { of(layout.size()).alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the size is that of the allocation, so this is its allocator.
        unsafe { of(layout.size()).dealloc(block, layout) }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if (layout.size() < LARGE) == (size < LARGE) {
            // SAFETY: one allocator has the block and keeps it.
            return unsafe { of(size).realloc(block, layout, size) };
        }
        // SAFETY: the caller vouches for size and alignment; both blocks have the bytes that are copied.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                std::ptr::copy_nonoverlapping(block, new, size.min(layout.size()));
                self.dealloc(block, layout);
            }
            new
        }
    }
}
