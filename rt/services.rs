//! The table of services, in the order of the compiler's `ir/runtime.rs`.
//!
//! One list, two uses: for compiled programs each row becomes a function `rt_<name>`; `call` dispatches by name or
//! index for the interpreter. A row with `sp` takes the shadow-stack pointer first.

/// Hands all rows to a macro: `name(sp? parameters) -> (results) = function`.
macro_rules! for_each_service {
    ($use:ident) => {
        $use! {
            collect(sp, bytes: u32) -> () = crate::gc::heap::collect;
            remember(object: u32) -> () = crate::gc::remembered::remember;
            remember_slot(slot: u32) -> () = crate::gc::remembered::remember_slot;
            driver(sp, node: u32) -> () = crate::clean::print::driver;
            halt() -> () = crate::base::error::stop;
            cycle_in_spine() -> () = crate::clean::error::cycle_in_spine;
            match_error(function: i64, module: i64) -> () = crate::clean::error::match_error;
            selector_error() -> () = crate::clean::error::selector_error;
            type_error() -> () = crate::clean::error::type_error;
            index_error() -> () = crate::clean::error::index_error;
            check_division(dividend: i64, divisor: i64) -> () = crate::base::error::check_division;
            unavailable(text: u32) -> () = crate::base::error::unavailable;
            print_graph(sp, node: u32) -> () = crate::clean::print::print_graph;
            eval_to_nf(sp, node: u32) -> () = crate::clean::print::eval_to_nf;
            print_text(block: u32) -> () = crate::base::value::print_text;
            print_text_sc(block: u32) -> () = crate::base::value::print_text_sc;
            print_name(word: i64) -> () = crate::base::value::print_name;
            print_int(value: i64) -> () = crate::base::value::print_int;
            print_char(value: i64) -> () = crate::base::value::print_char;
            print_real(value: f64) -> () = crate::base::value::print_real;
            print_symbol(node: u32) -> () = crate::base::value::print_symbol;
            print_string(string: u32) -> () = crate::base::value::print_string;
            print_chars_sc(string: u32) -> () = crate::base::value::print_chars_sc;
            cat_string(sp, first: u32, second: u32) -> (u32) = crate::base::string::cat_string;
            slice_string(sp, string: u32, from: i64, to: i64) -> (u32) = crate::base::string::slice_string;
            update_string(sp, string: u32, index: i64, character: i64) -> (u32) = crate::base::string::update_string;
            eq_string(first: u32, second: u32) -> (i64) = crate::base::string::eq_string;
            cmp_string(first: u32, second: u32) -> (i64) = crate::base::string::cmp_string;
            char_to_string(sp, character: i64) -> (u32) = crate::base::value::char_to_string;
            int_to_string(sp, value: i64) -> (u32) = crate::base::value::int_to_string;
            real_to_string(sp, value: f64) -> (u32) = crate::base::value::real_to_string;
            bool_to_string(sp, value: i64) -> (u32) = crate::base::value::bool_to_string;
            name_to_string(sp, word: i64) -> (u32) = crate::base::value::name_to_string;
            add_argument(sp, closure: u32, argument: u32) -> (u32) = crate::clean::closure::add_argument;
            new_array(sp, kind: u32, refs: u32, words: u32, size: i64) -> (u32) = crate::base::array::new_array;
            replicate(array: u32, refs: u32, words: u32) -> () = crate::base::array::replicate;
            shorten_array(sp, array: u32, size: i64) -> (u32) = crate::base::array::shorten_array;
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
            stdio_f() -> (i64, i64) = crate::clean::file::stdio;
            stderr_f() -> (i64, i64) = crate::clean::file::stderr;
            open_f(name: u32, mode: i64) -> (i64, i64, i64) = crate::clean::file::open;
            close_f(file: i64, position: i64) -> (i64) = crate::clean::file::close;
            reopen_f(file: i64, position: i64, mode: i64) -> (i64, i64, i64) = crate::clean::file::reopen;
            read_fc(file: i64) -> (i64) = crate::clean::file::read_char;
            read_fi(file: i64, position: i64) -> (i64, i64, i64, i64) = crate::clean::file::read_int;
            read_fr(file: i64, position: i64) -> (i64, f64, i64, i64) = crate::clean::file::read_real;
            read_fs(sp, file: i64, position: i64, count: i64) -> (u32, i64, i64) = crate::clean::file::read_string;
            read_fstring(string: u32, index: i64, count: i64, file: i64, position: i64) -> (u32, i64, i64, i64)
                = crate::clean::file::read_substring;
            read_line_f(sp, file: i64, position: i64) -> (u32, i64, i64) = crate::clean::file::read_line;
            write_fc(character: i64, file: i64) -> () = crate::clean::file::write_char;
            write_fi(value: i64, file: i64, position: i64) -> (i64, i64) = crate::clean::file::write_int;
            write_fr(value: f64, file: i64, position: i64) -> (i64, i64) = crate::clean::file::write_real;
            write_fs(string: u32, file: i64, position: i64) -> (i64, i64) = crate::clean::file::write_string;
            write_fstring(string: u32, index: i64, count: i64, file: i64, position: i64) -> (i64, i64)
                = crate::clean::file::write_substring;
            end_f(file: i64, position: i64) -> (i64, i64, i64) = crate::clean::file::end;
            error_f(file: i64, position: i64) -> (i64, i64, i64) = crate::clean::file::error;
            flush_f(file: i64, position: i64) -> (i64, i64, i64) = crate::clean::file::flush;
            position_f(file: i64, position: i64) -> (i64, i64, i64) = crate::clean::file::position;
            seek_f(file: i64, position: i64, offset: i64, mode: i64) -> (i64, i64, i64) = crate::clean::file::seek;
            share_f(file: i64, position: i64) -> (i64, i64) = crate::clean::shared::share;
            open_sf(name: u32, mode: i64) -> (i64, i64, i64) = crate::clean::shared::open;
            read_sfc(file: i64, position: i64) -> (i64, i64, i64, i64) = crate::clean::shared::read_char;
            read_sfi(file: i64, position: i64) -> (i64, i64, i64, i64) = crate::clean::shared::read_int;
            read_sfr(file: i64, position: i64) -> (i64, f64, i64, i64) = crate::clean::shared::read_real;
            read_sfs(sp, file: i64, position: i64, count: i64) -> (u32, i64, i64) = crate::clean::shared::read_string;
            read_line_sf(sp, file: i64, position: i64) -> (u32, i64, i64) = crate::clean::shared::read_line;
            seek_sf(file: i64, position: i64, offset: i64, mode: i64) -> (i64, i64, i64) = crate::clean::shared::seek;
            end_sf(file: i64, position: i64) -> (i64) = crate::clean::shared::end;
            position_sf(file: i64, position: i64) -> (i64) = crate::clean::shared::position;
            c_result(index: u32) -> (i64) = crate::clean::foreign::results::result;
            c_string(sp, address: i64) -> (u32) = crate::clean::foreign::results::string;
            c_symbol_string(sp, address: i64) -> (u32) = crate::clean::foreign::results::symbol_string;
            c_missing(text: u32) -> () = crate::clean::foreign::process::missing;
            c_word(value: i64) -> () = crate::clean::foreign::call::word;
            c_real(value: f64) -> () = crate::clean::foreign::call::real;
            c_float(value: f64) -> () = crate::clean::foreign::call::float;
            c_data(object: u32) -> () = crate::clean::foreign::call::data;
            c_lend(string: u32) -> () = crate::clean::foreign::call::lend;
            c_pointer() -> () = crate::clean::foreign::call::pointer;
            c_call(symbol: u32) -> (i64) = crate::clean::foreign::call::call;
            c_call_real(symbol: u32) -> (f64) = crate::clean::foreign::call::call_real;
            c_take_back(string: u32) -> () = crate::clean::foreign::call::take_back;
            c_array_size(address: i64) -> (i64) = crate::clean::foreign::call::array_size;
            c_array_fill(array: u32, address: i64) -> () = crate::clean::foreign::call::array_fill;
            c_variable(which: u32) -> (i64) = crate::clean::foreign::variables::address;
            c_address(symbol: u32) -> (i64) = crate::clean::foreign::call::address;
            c_argenv_count() -> (i64) = crate::clean::foreign::environment::argenv_count;
            c_argenv_argument(index: i64) -> () = crate::clean::foreign::environment::argenv_argument;
            c_argenv_variable(name: u32) -> () = crate::clean::foreign::environment::argenv_variable;
            c_argenv_copy(string: u32, text: i64) -> (i64) = crate::clean::foreign::environment::argenv_copy;
            c_getenv(name: u32) -> (i64) = crate::clean::foreign::environment::getenv;
            c_setenv(name: u32, value: u32, overwrite: i64) -> (i64) = crate::clean::foreign::environment::setenv;
            c_unsetenv(name: u32) -> (i64) = crate::clean::foreign::environment::unsetenv;
            c_exit(status: i64) -> (i64) = crate::clean::foreign::process::exit;
            c_set_return_code(status: i64) -> () = crate::clean::foreign::variables::set_return_code;
            c_clock() -> (i64) = crate::clean::foreign::process::clock;
            c_time(place: i64) -> (i64) = crate::clean::foreign::process::time;
            c_clock_gettime(clock: i64, place: i64) -> (i64) = crate::clean::foreign::process::clock_gettime;
            c_gettimeofday(place: i64, zone: i64) -> (i64) = crate::clean::foreign::process::gettimeofday;
            c_gettimeofday_object(place: u32, zone: i64) -> (i64) = crate::clean::foreign::process::gettimeofday_object;
            c_gmtime(time: u32) -> (i64) = crate::clean::foreign::time::gmtime;
            c_gmtime_at(time: i64) -> (i64) = crate::clean::foreign::time::gmtime_at;
            c_mktime(date: u32) -> (i64) = crate::clean::foreign::time::mktime;
            c_asctime(date: u32) -> (i64) = crate::clean::foreign::time::asctime;
            c_ctime(time: u32) -> (i64) = crate::clean::foreign::time::ctime;
            c_strftime(to: u32, pattern: u32, date: u32, room: i64) -> (i64) = crate::clean::foreign::time::strftime;
            c_stat(path: u32, place: u32) -> (i64) = crate::clean::foreign::path::stat;
            c_lstat(path: u32, place: u32) -> (i64) = crate::clean::foreign::path::lstat;
            c_access(path: u32, mode: i64) -> (i64) = crate::clean::foreign::path::access;
            c_unlink(path: u32) -> (i64) = crate::clean::foreign::path::unlink;
            c_rmdir(path: u32) -> (i64) = crate::clean::foreign::path::rmdir;
            c_remove(path: u32) -> (i64) = crate::clean::foreign::path::remove;
            c_mkdir(path: u32, mode: i64) -> (i64) = crate::clean::foreign::path::mkdir;
            c_rename(old: u32, new: u32) -> (i64) = crate::clean::foreign::path::rename;
            c_chdir(path: u32) -> (i64) = crate::clean::foreign::path::chdir;
            c_getcwd(to: u32, room: i64) -> (i64) = crate::clean::foreign::path::getcwd;
            c_realpath(path: u32, to: u32) -> (i64) = crate::clean::foreign::path::realpath;
            c_open(path: i64, flags: i64) -> (i64) = crate::clean::foreign::path::open;
            c_open_object(path: u32, flags: i64) -> (i64) = crate::clean::foreign::path::open_object;
            c_close(file: i64) -> (i64) = crate::clean::foreign::path::close;
            c_read(file: i64, to: i64, count: i64) -> (i64) = crate::clean::foreign::path::read;
            c_write(file: i64, from: i64, count: i64) -> (i64) = crate::clean::foreign::path::write;
            c_write_object(from: u32, file: i64, count: i64) -> (i64) = crate::clean::foreign::path::write_object;
            c_opendir(name: u32) -> (i64) = crate::clean::foreign::directory::opendir;
            c_readdir(directory: i64) -> (i64) = crate::clean::foreign::directory::readdir;
            c_closedir(directory: i64) -> (i64) = crate::clean::foreign::directory::closedir;
            c_find_first(folder: u32) -> (i64) = crate::clean::foreign::finder::find_first;
            c_find_next(ignored: i64) -> (i64) = crate::clean::foreign::finder::find_next;
            c_close_search() -> () = crate::clean::foreign::finder::close_search;
            c_find_single(path: u32) -> (i64) = crate::clean::foreign::finder::find_single;
            c_close_single() -> () = crate::clean::foreign::finder::close_single;
            c_common_info(with_name: i64) -> () = crate::clean::foreign::finder::common_info;
            c_unix_info() -> () = crate::clean::foreign::finder::unix_info;
            c_platform(ignored: i64) -> (i64) = crate::clean::foreign::finder::platform;
            c_create_directory(path: u32) -> (i64) = crate::clean::foreign::finder::create;
            c_fmove(from: u32, to: u32, overwrite: i64) -> (i64) = crate::clean::foreign::finder::rename;
            c_fremove(path: u32) -> (i64) = crate::clean::foreign::finder::remove;
            c_current_directory(to: u32) -> (i64) = crate::clean::foreign::finder::current;
            c_set_current_directory(path: u32) -> (i64) = crate::clean::foreign::finder::set_current;
            c_malloc(bytes: i64) -> (i64) = crate::clean::foreign::memory::malloc;
            c_calloc(count: i64, bytes: i64) -> (i64) = crate::clean::foreign::memory::calloc;
            c_realloc(old: i64, bytes: i64) -> (i64) = crate::clean::foreign::memory::realloc;
            c_free(address: i64) -> () = crate::clean::foreign::memory::free;
            c_memcpy(to: i64, from: i64, count: i64) -> (i64) = crate::clean::foreign::memory::memcpy;
            c_memcpy_from_object(from: u32, to: i64, count: i64) -> (i64) = crate::clean::foreign::memory::memcpy_from_object;
            c_memcpy_to_object(to: u32, from: i64, count: i64) -> (i64) = crate::clean::foreign::memory::memcpy_to_object;
            c_strlen(text: i64) -> (i64) = crate::clean::foreign::memory::strlen;
            c_errno_location() -> (i64) = crate::clean::foreign::errno::location;
            c_strerror(number: i64) -> (i64) = crate::clean::foreign::errno::strerror;
        }
    };
}
#[cfg(any(target_arch = "wasm32", all(target_arch = "x86_64", target_os = "linux")))]
pub(crate) use for_each_service;

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

/// The results of a service.
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
#[cfg(not(target_arch = "wasm32"))]
mod dispatch {
    use super::*;
    use crate::state::Context;
    use crate::system::Outcome;

    macro_rules! call_arm {
        ($c:ident, $sp:ident, $arguments:ident, $results:ident, $function:path, (sp $(, $p:ident: $t:ty)*)) => {{
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
            /// Names of all services, in the order of their indices.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// Types of the parameters (without the stack pointer) and results of each service, and whether it takes
            /// the stack pointer, as text: for a test that compares with the compiler's table.
            pub const SIGNATURES: &[&str] = &[$(concat!(stringify!($parameters), " -> ", stringify!($result))),*];

            #[allow(non_camel_case_types)]
            enum Index { $($name),* }

            /// Calls the service with this index. Arguments without the stack pointer, one per element: an i32 or
            /// reference in the low half, a real by its bits. Results likewise. False: there is no such service.
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
    for_each_service!(dispatcher);

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
#[cfg(not(target_arch = "wasm32"))]
pub use dispatch::{NAMES, SIGNATURES, call, call_index};
