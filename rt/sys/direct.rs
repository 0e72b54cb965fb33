//! What the targets share whose memory is the address space itself: loads and stores that are single instructions, and
//! a function `rt_<libcall>` for each libcall, in the system's convention.

use crate::gc::Context;
use crate::libcalls::Results;

macro_rules! load {
    ($address:expr, $t:ty) => {
        // SAFETY: the addresses of the program are all ours; one beyond them traps.
        unsafe { ($address as usize as *const $t).read_unaligned() }
    };
}
macro_rules! store {
    ($address:expr, $value:expr, $t:ty) => {
        // SAFETY: as for loads; objects of the program never overlap the statics of the runtime.
        unsafe { ($address as usize as *mut $t).write_unaligned($value) }
    };
}

/// The methods of `Memory` besides `size` and `grow_to`.
macro_rules! direct_memory {
    () => {
        #[inline(always)]
        fn load_u8(&self, address: u32) -> u32 {
            u32::from(load!(address, u8))
        }
        #[inline(always)]
        fn load_u16(&self, address: u32) -> u32 {
            u32::from(load!(address, u16))
        }
        #[inline(always)]
        fn load_u32(&self, address: u32) -> u32 {
            load!(address, u32)
        }
        #[inline(always)]
        fn load_u64(&self, address: u32) -> u64 {
            load!(address, u64)
        }
        #[inline(always)]
        fn load_words<const N: usize>(&self, address: u32) -> [u32; N] {
            load!(address, [u32; N])
        }
        #[inline(always)]
        fn store_u8(&mut self, address: u32, value: u32) {
            store!(address, value as u8, u8);
        }
        #[inline(always)]
        fn store_u32(&mut self, address: u32, value: u32) {
            store!(address, value, u32);
        }
        #[inline(always)]
        fn store_u64(&mut self, address: u32, value: u64) {
            store!(address, value, u64);
        }
        #[inline(always)]
        fn copy_within(&mut self, from: u32, to: u32, bytes: u32) {
            // SAFETY: as for loads and stores; `copy` allows overlap.
            unsafe { core::ptr::copy(from as usize as *const u8, to as usize as *mut u8, bytes as usize) }
        }
        #[inline(always)]
        fn fill(&mut self, address: u32, value: u8, bytes: u32) {
            // SAFETY: as for stores.
            unsafe { core::ptr::write_bytes(address as usize as *mut u8, value, bytes as usize) }
        }
        #[inline(always)]
        fn read_bytes(&self, address: u32, bytes: &mut [u8]) {
            // SAFETY: as for loads; the buffer is on the runtime's stack or in its statics, no part of the program.
            unsafe { core::ptr::copy(address as usize as *const u8, bytes.as_mut_ptr(), bytes.len()) }
        }
        #[inline(always)]
        fn write_bytes(&mut self, address: u32, bytes: &[u8]) {
            // SAFETY: as for stores.
            unsafe { core::ptr::copy(bytes.as_ptr(), address as usize as *mut u8, bytes.len()) }
        }
    };
}

/// Reading and writing between files and the program's memory, for `Host`.
macro_rules! direct_files {
    () => {
        fn read_to_memory(&mut self, file: u32, address: u32, length: u32) -> Io<u32> {
            // SAFETY: the addresses of the program are all ours; the range holds nothing but what is read.
            self.read(file, unsafe { core::slice::from_raw_parts_mut(address as usize as *mut u8, length as usize) })
                .map(|count| count as u32)
        }
        fn write_from_memory(&mut self, file: u32, address: u32, length: u32) -> Io<u32> {
            // SAFETY: as above.
            self.write(file, unsafe { core::slice::from_raw_parts(address as usize as *const u8, length as usize) })
                .map(|count| count as u32)
        }
    };
}

/// What `Context` can do without a copy on the way.
macro_rules! direct_state {
    ($context:ident) => {
        #[inline(always)]
        fn memory_to_state(&mut self, address: u32, place: impl Fn(&mut State) -> Option<&mut [u8]>) {
            if let Some(place) = place(self.state_mut()) {
                $context.read_bytes(address, place);
            }
        }
        #[inline(always)]
        fn state_to_memory(&mut self, address: u32, place: impl Fn(&State) -> Option<&[u8]>) {
            if let Some(place) = place(self.state()) {
                $context.write_bytes(address, place);
            }
        }
        #[inline(always)]
        fn read_to_state(&mut self, file: u32, place: impl Fn(&mut State) -> &mut [u8]) -> Io<usize> {
            $context.read(file, place(self.state_mut()))
        }
        #[inline(always)]
        fn write_from_state(&mut self, file: u32, from: usize, place: impl Fn(&State) -> Option<&[u8]>) -> Io<usize> {
            $context.write(file, place(self.state()).and_then(|place| place.get(from..)).unwrap_or_default())
        }
    };
}

/// Leaves the results of a libcall in the cells of the program.
pub fn result_cells<C: Context>(c: &mut C, results: impl Results) {
    let cells = c.program(crate::layout::PROGRAM_RESULTS);
    results.store(|index, bits| c.store_u64(cells + 8 * index as u32, bits));
}

/// One libcall as a function. The context is a type without size.
macro_rules! export {
    ($context:ident, $name:ident, $function:path, (sp $(, $p:ident: $t:ty)*), $result:tt) => {
        export!(@ $context, $name, $function, (sp: u32 $(, $p: $t)*), $result);
    };
    ($context:ident, $name:ident, $function:path, ($($p:ident: $t:ty),*), $result:tt) => {
        export!(@ $context, $name, $function, ($($p: $t),*), $result);
    };
    (@ $context:ident, $name:ident, $function:path, ($($p:ident: $t:ty),*), ()) => {
        #[cfg_attr(
            any(target_arch = "wasm32", feature = "standalone"),
            unsafe(export_name = concat!("rt_", stringify!($name)))
        )]
        pub extern "C" fn $name($($p: $t),*) {
            let Ok(()) = $function(&mut $context, $($p),*);
        }
    };
    (@ $context:ident, $name:ident, $function:path, ($($p:ident: $t:ty),*), ($r:ty)) => {
        #[cfg_attr(
            any(target_arch = "wasm32", feature = "standalone"),
            unsafe(export_name = concat!("rt_", stringify!($name)))
        )]
        pub extern "C" fn $name($($p: $t),*) -> $r {
            let Ok(result) = $function(&mut $context, $($p),*);
            result
        }
    };
    (@ $context:ident, $name:ident, $function:path, ($($p:ident: $t:ty),*), ($($r:ty),*)) => {
        #[cfg_attr(
            any(target_arch = "wasm32", feature = "standalone"),
            unsafe(export_name = concat!("rt_", stringify!($name)))
        )]
        pub extern "C" fn $name($($p: $t),*) {
            let c = &mut $context;
            let Ok(results) = $function(c, $($p),*);
            crate::sys::direct::result_cells(c, results);
        }
    };
}

/// All of them, from the rows of `for_each_libcall`.
macro_rules! export_libcalls {
    ($context:ident $($name:ident $parameters:tt -> $result:tt = $function:path;)*) => {
        mod exported {
            use super::*;
            $( export!($context, $name, $function, $parameters, $result); )*
        }
    };
}
