//! The allocator of the program and of its benchmarks: mimalloc, whose functions for ordinary alignments are called
//! directly, and which keeps free memory for a while.
//!
//! Compiling makes and drops many small vectors on several threads at once: with the C library's allocator, a second
//! thread gains nothing. Most compilations end soon, and what one phase has freed the next one takes: memory that is
//! given back to the system meanwhile comes again page by page, each of them cleared. In a long one, what lies free for
//! a tenth of a second goes back, which is an eighth of the most that a large program takes, and costs no time.

use libmimalloc_sys as mimalloc;
use std::alloc::{GlobalAlloc, Layout};
use std::ffi::{c_int, c_long, c_void};

unsafe extern "C" {
    fn mi_option_set(option: c_int, value: c_long);
}

/// Milliseconds until free memory is given back.
const PURGE_DELAY: c_int = 15;

/// mimalloc.
pub struct Allocator;

impl Allocator {
    /// Free memory is kept for as long as most compilations take.
    pub fn keep_longer() {
        // SAFETY: the option takes any number.
        unsafe { mi_option_set(PURGE_DELAY, 100) }
    }

    /// Blocks of at least 16 bytes are aligned to 16, smaller ones to 8.
    const fn is_aligned(size: usize, align: usize) -> bool {
        align <= 8 || align <= 16 && size >= 16
    }

    /// A block, by the function for its alignment.
    ///
    /// # Safety
    /// Both functions return a block of at least as many bytes as they are asked for, or null: the first aligned as
    /// `is_aligned` says, the second, which gets size and alignment, as it is asked for.
    #[inline(always)]
    unsafe fn take(
        layout: Layout,
        ordinary: unsafe extern "C" fn(usize) -> *mut c_void,
        aligned: unsafe extern "C" fn(usize, usize) -> *mut c_void,
    ) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        if Allocator::is_aligned(size, align) {
            // SAFETY: the caller says what it returns, and any size will do.
            return unsafe { ordinary(size) }.cast();
        }
        // SAFETY: the caller says what it returns; the layout has a valid alignment.
        unsafe { aligned(size, align) }.cast()
    }
}

// SAFETY: mimalloc keeps the rules of an allocator, and the alignments that `is_aligned` tells.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: both allocate what they are asked for.
        unsafe { Allocator::take(layout, mimalloc::mi_malloc, mimalloc::mi_malloc_aligned) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: both allocate what they are asked for.
        unsafe { Allocator::take(layout, mimalloc::mi_zalloc, mimalloc::mi_zalloc_aligned) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: the caller has it from here.
        unsafe { mimalloc::mi_free(block.cast()) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let align = layout.align();
        if Allocator::is_aligned(size, align) && Allocator::is_aligned(layout.size(), align) {
            // SAFETY: the caller has the block from here.
            return unsafe { mimalloc::mi_realloc(block.cast(), size) }.cast();
        }
        // SAFETY: the caller has the block from here.
        unsafe { mimalloc::mi_realloc_aligned(block.cast(), size, align) }.cast()
    }
}
