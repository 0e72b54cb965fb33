//! The memory of the compiler.

use cleave::allocator::*;
use std::alloc::{GlobalAlloc, Layout};

#[test]
fn blocks_are_aligned_and_keep_their_contents() {
    for align in [1, 2, 4, 8, 16, 32, 64] {
        for (size, more) in [(1, 8), (3, 5), (8, 24), (9, 40), (15, 16), (16, 8), (24, 48), (100, 5000), (5000, 7)] {
            let layout = Layout::from_size_align(size, align).expect("a layout");
            // SAFETY: the block is used as far as it goes, and given back as what it has become.
            unsafe {
                let zeroed = Allocator.alloc_zeroed(layout);
                assert!((0..size).all(|at| *zeroed.add(at) == 0));
                Allocator.dealloc(zeroed, layout);
                let block = Allocator.alloc(layout);
                (0..size).for_each(|at| *block.add(at) = at as u8);
                let moved = Allocator.realloc(block, layout, more);
                assert!(block.addr().is_multiple_of(align) && moved.addr().is_multiple_of(align));
                assert!((0..size.min(more)).all(|at| *moved.add(at) == at as u8));
                Allocator.dealloc(moved, Layout::from_size_align(more, align).expect("a layout"));
            }
        }
    }
}
