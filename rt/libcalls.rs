//! The table of libcalls: those that serve any language (`rt/abi/libcalls.rs`), then those of the languages.
//!
//! One list, two uses: for compiled programs each row becomes a function `rt_<name>`; `call` dispatches by name or
//! index for the interpreter. A row with `sp` takes the shadow-stack pointer first.

/// Hands all rows to a macro: `name(sp? parameters) -> (results) = function`. Each language adds its own after those
/// that serve any.
macro_rules! for_each_libcall {
    ($use:ident) => {
        crate::clean::libcalls::add_libcalls! { $use {
            collect(sp, bytes: u32) -> () = crate::gc::heap::collect;
            remember(object: u32) -> () = crate::gc::remembered::remember;
            remember_slot(slot: u32) -> () = crate::gc::remembered::remember_slot;
            halt() -> () = crate::base::error::stop;
            stack_limit() -> (u32) = crate::base::stackless::stack_limit;
            capture_begin(sp: u32) -> () = crate::base::stackless::begin;
            capture_end(sp: u32, is_first: u32) -> () = crate::base::stackless::end;
            capture_next(points: u32) -> (u32) = crate::base::stackless::next;
            stack_overflow() -> () = crate::base::error::stack_overflow;
            index_error() -> () = crate::base::error::index_error;
            alloc_object(class: u32) -> (u32) = crate::rc::alloc_object;
            release_last(object: u32) -> () = crate::rc::release_last;
            release_cyclic(object: u32) -> () = crate::rc::release_cyclic;
            count_cells(event: u32, bytes: u32) -> () = crate::rc::count_cells;
            check_division(dividend: i64, divisor: i64) -> () = crate::base::error::check_division;
            unavailable(text: u32) -> () = crate::base::error::unavailable;
            panic(message: u32) -> () = crate::base::error::panic;
            uncaught(text: u32) -> () = crate::base::error::uncaught;
            unhandled(text: u32) -> () = crate::base::error::unhandled;
            is_static(object: u32) -> (u32) = crate::base::value::is_static;
            print_text(block: u32) -> () = crate::base::value::print_text;
            print_int(value: i64) -> () = crate::base::value::print_int;
            print_char(value: i64) -> () = crate::base::value::print_char;
            print_real(value: f64) -> () = crate::base::value::print_real;
            print_string(string: u32) -> () = crate::base::value::print_string;
            exit(status: i64) -> () = crate::base::system::exit;
            read_line(sp) -> (u32) = crate::base::system::read_line;
            argument_count() -> (i64) = crate::base::system::argument_count;
            argument(sp, index: i64) -> (u32) = crate::base::system::argument;
            environment(sp, name: u32) -> (u32) = crate::base::system::environment;
            read_file(sp, name: u32) -> (u32, i64) = crate::base::system::read_file;
            write_file(name: u32, contents: u32) -> (i64) = crate::base::system::write_file;
            rc_read_line() -> (u32) = crate::base::system::rc_read_line;
            rc_argument(index: i64) -> (u32) = crate::base::system::rc_argument;
            rc_environment(name: u32) -> (u32) = crate::base::system::rc_environment;
            rc_read_file(name: u32) -> (u32, i64) = crate::base::system::rc_read_file;
            rc_write_file(name: u32, contents: u32) -> (i64) = crate::base::system::rc_write_file;
            cat_string(sp, first: u32, second: u32) -> (u32) = crate::base::string::cat_string;
            slice_string(sp, string: u32, from: i64, to: i64) -> (u32) = crate::base::string::slice_string;
            update_string(sp, string: u32, index: i64, character: i64) -> (u32) = crate::base::string::update_string;
            put_string(string: u32, at: i64, part: u32) -> () = crate::base::string::put_string;
            copy_elements(to: u32, at: i64, from: u32, start: i64, bytes: i64) -> () = crate::base::array::copy_elements;
            eq_string(first: u32, second: u32) -> (i64) = crate::base::string::eq_string;
            cmp_string(first: u32, second: u32) -> (i64) = crate::base::string::cmp_string;
            char_to_string(sp, character: i64) -> (u32) = crate::base::value::char_to_string;
            int_to_string(sp, value: i64) -> (u32) = crate::base::value::int_to_string;
            real_to_string(sp, value: f64) -> (u32) = crate::base::value::real_to_string;
            bool_to_string(sp, value: i64) -> (u32) = crate::base::value::bool_to_string;
            rc_cat_string(first: u32, second: u32) -> (u32) = crate::base::rc_string::cat;
            rc_extend_string(string: u32, length: i64) -> (u32) = crate::base::rc_string::extend;
            rc_slice_string(string: u32, from: i64, to: i64) -> (u32) = crate::base::rc_string::slice;
            rc_put_string(string: u32, at: i64, part: u32) -> () = crate::base::rc_string::put;
            rc_copy_elements(to: u32, at: i64, from: u32, start: i64, bytes: i64) -> () = crate::base::rc_string::copy;
            rc_repeat(string: u32, bytes: u32) -> () = crate::base::rc_string::repeat;
            rc_eq_string(first: u32, second: u32) -> (i64) = crate::base::rc_string::equal;
            rc_cmp_string(first: u32, second: u32) -> (i64) = crate::base::rc_string::compare;
            rc_char_to_string(character: i64) -> (u32) = crate::base::rc_string::of_char;
            rc_int_to_string(value: i64) -> (u32) = crate::base::rc_string::of_int;
            rc_print_string(string: u32) -> () = crate::base::rc_string::print;
            rc_panic(message: u32) -> () = crate::base::rc_string::panic;
            rc_new_array(size: i64) -> (u32) = crate::base::rc_string::new_array;
            rc_element(array: u32, index: i64) -> (u32) = crate::base::rc_string::element;
            rc_exchange(value: u32, array: u32, index: i64) -> (u32) = crate::base::rc_string::exchange;
            rc_new_words(size: i64) -> (u32) = crate::base::rc_string::new_words;
            rc_word(array: u32, index: i64) -> (i64) = crate::base::rc_string::word;
            rc_set_word(array: u32, index: i64, value: i64) -> () = crate::base::rc_string::set_word;
            rc_inner_element(array: u32, index: i64) -> (u32) = crate::base::rc_string::inner_element;
            rc_inner_exchange(value: u32, array: u32, index: i64) -> (u32) = crate::base::rc_string::inner_exchange;
            rc_inner_word(array: u32, index: i64) -> (i64) = crate::base::rc_string::inner_word;
            rc_set_inner_word(array: u32, index: i64, value: i64) -> () = crate::base::rc_string::set_inner_word;
            rc_same(first: u32, second: u32) -> (i64) = crate::base::rc_string::same;
            add_argument(sp, closure: u32, argument: u32) -> (u32) = crate::base::closure::add_argument;
            new_array(sp, kind: u32, ptrs: u32, words: u32, size: i64) -> (u32) = crate::base::array::new_array;
            replicate(array: u32, ptrs: u32, words: u32) -> () = crate::base::array::replicate;
            shorten_array(sp, array: u32, size: i64) -> (u32) = crate::base::array::shorten_array;
            same(first: u32, second: u32) -> (i64) = crate::base::rc_string::same;
            new_foreign(sp, header: u32, number: i64) -> (u32) = crate::gc::foreign_cells::new;
            foreign_number(cell: u32) -> (i64) = crate::gc::foreign::number;
            close_foreign(sp, cell: u32) -> (i64) = crate::gc::foreign_cells::close;
            take_foreign() -> (i64) = crate::gc::foreign::take;
            begin_call(sp) -> () = crate::gc::outermost::begin_call;
            rc_new_foreign(header: u32, number: i64) -> (u32) = crate::rc::foreign::new;
            rc_foreign_number(cell: u32) -> (i64) = crate::rc::foreign::number;
            rc_close_foreign(cell: u32) -> (i64) = crate::rc::foreign::close;
            rc_take_foreign() -> (i64) = crate::rc::foreign::take;
            sin(x: f64) -> (f64) = crate::base::math::sin;
            cos(x: f64) -> (f64) = crate::base::math::cos;
            tan(x: f64) -> (f64) = crate::base::math::tan;
            asin(x: f64) -> (f64) = crate::base::math::asin;
            acos(x: f64) -> (f64) = crate::base::math::acos;
            atan(x: f64) -> (f64) = crate::base::math::atan;
            exp(x: f64) -> (f64) = crate::base::math::exp;
            ln(x: f64) -> (f64) = crate::base::math::ln;
            log10(x: f64) -> (f64) = crate::base::math::log10;
            pow(base: f64, exponent: f64) -> (f64) = crate::base::math::pow;
            divide_long(high: i64, low: i64, divisor: i64) -> (i64, i64) = crate::base::math::divide_long;
        } }
    };
}
#[cfg(any(all(target_arch = "wasm32", target_os = "unknown"), all(target_arch = "x86_64", target_os = "linux")))]
pub(crate) use for_each_libcall;

/// A result cell: eight bytes, i32 and references in the low half.
pub trait Cell {
    fn to_bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
}
impl Cell for u32 {
    #[inline(always)]
    fn to_bits(self) -> u64 {
        u64::from(self)
    }
    #[inline(always)]
    fn from_bits(bits: u64) -> u32 {
        bits as u32
    }
}
impl Cell for i64 {
    #[inline(always)]
    fn to_bits(self) -> u64 {
        self as u64
    }
    #[inline(always)]
    fn from_bits(bits: u64) -> i64 {
        bits as i64
    }
}
impl Cell for f64 {
    #[inline(always)]
    fn to_bits(self) -> u64 {
        f64::to_bits(self)
    }
    #[inline(always)]
    fn from_bits(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
}

/// The results of a libcall.
pub trait Results {
    /// Calls `put` with the index and bits of each.
    fn store(self, put: impl FnMut(usize, u64));
}
impl Results for () {
    #[inline(always)]
    fn store(self, _: impl FnMut(usize, u64)) {}
}
impl<A: Cell> Results for A {
    #[inline(always)]
    fn store(self, mut put: impl FnMut(usize, u64)) {
        put(0, self.to_bits());
    }
}
macro_rules! tuple_results {
    ($($letter:ident $index:tt),*) => {
        impl<$($letter: Cell),*> Results for ($($letter,)*) {
            #[inline(always)]
            fn store(self, mut put: impl FnMut(usize, u64)) {
                $( put($index, self.$index.to_bits()); )*
            }
        }
    };
}
tuple_results!(A 0, B 1);
tuple_results!(A 0, B 1, D 2);
tuple_results!(A 0, B 1, D 2, E 3);

/// Dispatch for contexts that do not call functions by name, such as the interpreter.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod dispatch {
    use super::*;
    use crate::platform::Outcome;
    use crate::state::Context;

    macro_rules! call_arm {
        ($c:ident, $sp:ident, $arguments:ident, $results:ident, $function:path, (sp $(, $p:ident: $t:ty)*)) => {{
            #[allow(unused_mut, unused_variables)]
            let mut rest = $arguments.iter();
            $( let $p = <$t as Cell>::from_bits(rest.next().copied().unwrap_or(0)); )*
            $function($c, $sp $(, $p)*)?.store(|index, bits| if let Some(cell) = $results.get_mut(index) { *cell = bits });
        }};
        ($c:ident, $sp:ident, $arguments:ident, $results:ident, $function:path, ($($p:ident: $t:ty),*)) => {{
            #[allow(unused_mut, unused_variables)]
            let mut rest = $arguments.iter();
            $( let $p = <$t as Cell>::from_bits(rest.next().copied().unwrap_or(0)); )*
            $function($c $(, $p)*)?.store(|index, bits| if let Some(cell) = $results.get_mut(index) { *cell = bits });
        }};
    }

    macro_rules! dispatcher {
        ($($name:ident $parameters:tt -> $result:tt = $function:path;)*) => {
            /// Names of all libcalls, in the order of their indices.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// Types of the parameters (without the stack pointer) and results of each libcall, and whether it takes
            /// the stack pointer, as text: for a test that compares with the compiler's table.
            pub const SIGNATURES: &[&str] = &[$(concat!(stringify!($parameters), " -> ", stringify!($result))),*];

            #[allow(non_camel_case_types)]
            enum Index { $($name),* }

            /// Calls the libcall with this index. Arguments without the stack pointer, one per element: an i32 or
            /// reference in the low half, a real by its bits. Results likewise. False: there is no such libcall.
            pub fn call_index<C: Context>(
                c: &mut C,
                index: usize,
                sp: u32,
                arguments: &[u64],
                results: &mut [u64],
            ) -> Outcome<bool, C> {
                match index {
                    $( number if number == Index::$name as usize => {
                        call_arm!(c, sp, arguments, results, $function, $parameters);
                    } )*
                    _ => return Ok(false),
                }
                Ok(true)
            }
        };
    }
    for_each_libcall!(dispatcher);

    /// The same by name.
    pub fn call<C: Context>(
        c: &mut C,
        name: &str,
        sp: u32,
        arguments: &[u64],
        results: &mut [u64],
    ) -> Outcome<bool, C> {
        match NAMES.iter().position(|known| *known == name) {
            Some(index) => call_index(c, index, sp, arguments, results),
            None => Ok(false),
        }
    }
}
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use dispatch::{NAMES, SIGNATURES, call, call_index};
