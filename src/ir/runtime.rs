//! The services of the runtime that compiled code calls (`call_rt`), with their types and effects. `rt` exports one
//! function per row, named `rt_<name>`.
//!
//! Calling rules, the same on every target:
//! - Parameters in order: the shadow-stack pointer (i32) first if the service has `COLLECTS`, then the parameters;
//!   a `ref` is its 32-bit address.
//! - One result is returned; with two or more, result `i` is left in the `i`-th 8-byte cell of `PROGRAM_RESULTS`
//!   (i32 and ref in the low half) and nothing is returned.
//! - A service that collects keeps its own reference operands alive: it pushes them on the shadow stack.
//! - Compiled code keeps heap pointer and limit where its target wants them; around a service with `HEAP` they are
//!   stored to and reloaded from `PROGRAM_HEAP_POINTER` / `PROGRAM_HEAP_LIMIT`.

use crate::types::Type::{self, F64, I32, I64, Ref};

/// Effects of a service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effects(pub u8);

impl Effects {
    /// The result depends on the operands alone.
    pub const PURE: Effects = Effects(0);
    /// Uses the heap pointer (allocates or inspects it).
    pub const HEAP: Effects = Effects(1);
    /// May collect: a safepoint that takes the shadow-stack pointer. Implies `HEAP`.
    pub const COLLECTS: Effects = Effects(2 | 1);
    /// Has effects outside (output, files) or stops the program; must not be removed or reordered.
    pub const EFFECT: Effects = Effects(4);
    /// Never returns.
    pub const NORETURN: Effects = Effects(8 | 4);
    /// Reads objects of the heap but changes nothing.
    pub const READS: Effects = Effects(16);

    /// True if it has all of these effects.
    pub const fn all(self, other: Effects) -> bool {
        self.0 & other.0 == other.0 && other.0 != 0
    }
}

/// One row of the service table.
#[derive(Debug)]
pub struct ServiceInfo {
    pub name: &'static str,
    pub params: &'static [Type],
    pub results: &'static [Type],
    pub effects: Effects,
    pub doc: &'static str,
}

macro_rules! services {
    ($( $variant:ident $name:literal ($($p:ident)*) -> ($($r:ident)*) [$($e:ident)*] $doc:literal; )*) => {
        /// A service of the runtime.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Service { $( #[doc = $doc] $variant, )* }
        impl Service {
            pub const ALL: &'static [Service] = &[$( Service::$variant, )*];
            const TABLE: &'static [ServiceInfo] = &[$( ServiceInfo {
                name: $name, params: &[$($p),*], results: &[$($r),*], effects: Effects(0 $(| Effects::$e.0)*), doc: $doc,
            }, )*];
            pub const fn info(self) -> &'static ServiceInfo { &Self::TABLE[self as usize] }
        }
    };
}

services! {
    // -- program ----------------------------------------------------------------------------------------------------
    Collect "collect" (I32) -> () [COLLECTS EFFECT] "make this many bytes available between heap pointer and limit, or stop with `Heap full.`; under stress the limit stays at 0 so that every reservation comes here";
    Remember "remember" (Ref) -> () [EFFECT] "an object from `PROGRAM_OLD_START` on has got references: a collection of the young ones looks at it";
    RememberSlot "remember_slot" (I32) -> () [EFFECT] "the same for the element of an array at an address";
    Driver "driver" (Ref) -> () [COLLECTS EFFECT] "print (or only evaluate, by the options) the Start node; returns when done";
    Halt "halt" () -> () [NORETURN] "flush and stop with status 255";
    CycleInSpine "cycle_in_spine" () -> () [NORETURN] "`Run Time Warning: cycle in spine detected`, stop";
    MatchError "match_error" (I64 I64) -> () [NORETURN] "`Run time error, rule 'f' in module 'm' does not match` (addresses of text blocks: function, module), stop";
    SelectorError "selector_error" () -> () [NORETURN] "`Run time error, selector does not match`, stop";
    TypeError "type_error" () -> () [NORETURN] "`Run Time Error: type error`, stop";
    IndexError "index_error" () -> () [NORETURN] "`Run Time Error: index out of range`, stop";
    CheckDivision "check_division" (I64 I64) -> () [EFFECT] "dividend, divisor: stop with a message if the quotient does not exist (by 0) or does not fit; used by targets whose own fault would show other words";
    Unavailable "unavailable" (I32) -> () [NORETURN] "something without meaning on this target is reached: write the text block, which says what, to stderr, stop";
    // -- printing ---------------------------------------------------------------------------------------------------
    PrintGraph "print_graph" (Ref) -> () [COLLECTS EFFECT] "evaluate and print a node, then a newline";
    EvalToNormalForm "eval_to_nf" (Ref) -> () [COLLECTS EFFECT] "evaluate a node completely";
    PrintText "print_text" (I32) -> () [EFFECT] "write a text block";
    PrintTextSc "print_text_sc" (I32) -> () [EFFECT] "write a text block unless only basic values are shown";
    PrintName "print_name" (I64) -> () [EFFECT] "printD: a header word (bit 0 set) prints its descriptor's name, else the text block at the address";
    PrintInt "print_int" (I64) -> () [EFFECT] "write a decimal integer";
    PrintChar "print_char" (I64) -> () [EFFECT] "write a byte";
    PrintReal "print_real" (F64) -> () [EFFECT] "write a real with 15 significant digits";
    PrintSymbol "print_symbol" (Ref) -> () [EFFECT] "print_symbol_sc: basic value or symbol name of a node in head normal form";
    PrintString "print_string" (Ref) -> () [EFFECT] "write the characters of a string object";
    PrintCharsSc "print_chars_sc" (Ref) -> () [EFFECT] "the same, unless only basic values are shown";
    // -- strings ----------------------------------------------------------------------------------------------------
    CatString "cat_string" (Ref Ref) -> (Ref) [COLLECTS] "concatenation";
    SliceString "slice_string" (Ref I64 I64) -> (Ref) [COLLECTS] "characters from .. to inclusive, bounds clipped";
    UpdateString "update_string" (Ref I64 I64) -> (Ref) [COLLECTS EFFECT] "copy with a character replaced; stops when out of range";
    EqString "eq_string" (Ref Ref) -> (I64) [READS] "1 if equal";
    CmpString "cmp_string" (Ref Ref) -> (I64) [READS] "-1, 0, 1";
    CharToString "char_to_string" (I64) -> (Ref) [COLLECTS] "fresh one-character string";
    IntToString "int_to_string" (I64) -> (Ref) [COLLECTS] "decimal";
    RealToString "real_to_string" (F64) -> (Ref) [COLLECTS] "15 significant digits";
    BoolToString "bool_to_string" (I64) -> (Ref) [COLLECTS] "`True` or `False`";
    NameToString "name_to_string" (I64) -> (Ref) [COLLECTS] "name of the descriptor of a header word";
    // -- closures ---------------------------------------------------------------------------------------------------
    AddArgument "add_argument" (Ref Ref) -> (Ref) [COLLECTS] "copy of a closure holding one more argument (the row after its own)";
    // -- arrays -----------------------------------------------------------------------------------------------------
    NewArray "new_array" (I32 I32 I32 I64) -> (Ref) [COLLECTS EFFECT] "array object: kind word, references and raw words per record element (0 0 for named kinds), size; references are Nil, the rest 0. Kind `Char` makes a string object. Negative or huge sizes stop with `Heap full.`";
    Replicate "replicate" (Ref I32 I32) -> () [EFFECT] "copy element 0 of an array (references, raw words per record element) to all the others";
    ShortenArray "shorten_array" (Ref I64) -> (Ref) [COLLECTS EFFECT] "copy of an array object with its first elements; the array itself if that is all of them";
    // -- mathematics ------------------------------------------------------------------------------------------------
    Sin "sin" (F64) -> (F64) [PURE] "sine";
    Cos "cos" (F64) -> (F64) [PURE] "cosine";
    Tan "tan" (F64) -> (F64) [PURE] "tangent";
    Asin "asin" (F64) -> (F64) [PURE] "arc sine";
    Acos "acos" (F64) -> (F64) [PURE] "arc cosine";
    Atan "atan" (F64) -> (F64) [PURE] "arc tangent";
    Exp "exp" (F64) -> (F64) [PURE] "e to the power";
    Ln "ln" (F64) -> (F64) [PURE] "natural logarithm";
    Log10 "log10" (F64) -> (F64) [PURE] "decimal logarithm";
    Pow "pow" (F64 F64) -> (F64) [PURE] "first to the power of second";
    DivideLong "divide_long" (I64 I64 I64) -> (I64 I64) [EFFECT] "divLU: unsigned h:l by d gives remainder, quotient";
    // -- files: a file is two words, number (top of the B stack) and position
    // ------------------------------------------
    StdioF "stdio_f" () -> (I64 I64) [EFFECT] "console file";
    StderrF "stderr_f" () -> (I64 I64) [EFFECT] "stderr as a file";
    OpenF "open_f" (Ref I64) -> (I64 I64 I64) [EFFECT] "name, mode: success, file";
    CloseF "close_f" (I64 I64) -> (I64) [EFFECT] "file: success";
    ReopenF "reopen_f" (I64 I64 I64) -> (I64 I64 I64) [EFFECT] "file, mode: success, file";
    ReadFC "read_fc" (I64) -> (I64) [EFFECT] "file number: character + 256, or 0 at the end";
    ReadFI "read_fi" (I64 I64) -> (I64 I64 I64 I64) [EFFECT] "file: success, integer, file";
    ReadFR "read_fr" (I64 I64) -> (I64 F64 I64 I64) [EFFECT] "file: success, real, file";
    ReadFS "read_fs" (I64 I64 I64) -> (Ref I64 I64) [COLLECTS EFFECT] "file, count: string, file";
    ReadFString "read_fstring" (Ref I64 I64 I64 I64) -> (Ref I64 I64 I64) [EFFECT] "string, index, count, file: string, characters read, file";
    ReadLineF "read_line_f" (I64 I64) -> (Ref I64 I64) [COLLECTS EFFECT] "file: line with its newline, file";
    WriteFC "write_fc" (I64 I64) -> () [EFFECT] "character, file number";
    WriteFI "write_fi" (I64 I64 I64) -> (I64 I64) [EFFECT] "integer, file: file";
    WriteFR "write_fr" (F64 I64 I64) -> (I64 I64) [EFFECT] "real, file: file";
    WriteFS "write_fs" (Ref I64 I64) -> (I64 I64) [EFFECT] "string, file: file";
    WriteFString "write_fstring" (Ref I64 I64 I64 I64) -> (I64 I64) [EFFECT] "string, index, count, file: file";
    EndF "end_f" (I64 I64) -> (I64 I64 I64) [EFFECT] "file: at end, file";
    ErrorF "error_f" (I64 I64) -> (I64 I64 I64) [EFFECT] "file: error, file";
    FlushF "flush_f" (I64 I64) -> (I64 I64 I64) [EFFECT] "file: success, file";
    PositionF "position_f" (I64 I64) -> (I64 I64 I64) [EFFECT] "file: position, file";
    SeekF "seek_f" (I64 I64 I64 I64) -> (I64 I64 I64) [EFFECT] "file, offset, mode: success, file";
    ShareF "share_f" (I64 I64) -> (I64 I64) [EFFECT] "file: shared file";
    OpenSF "open_sf" (Ref I64) -> (I64 I64 I64) [EFFECT] "name, mode: success, shared file";
    ReadSFC "read_sfc" (I64 I64) -> (I64 I64 I64 I64) [EFFECT] "shared file: success, character, file";
    ReadSFI "read_sfi" (I64 I64) -> (I64 I64 I64 I64) [EFFECT] "shared file: success, integer, file";
    ReadSFR "read_sfr" (I64 I64) -> (I64 F64 I64 I64) [EFFECT] "shared file: success, real, file";
    ReadSFS "read_sfs" (I64 I64 I64) -> (Ref I64 I64) [COLLECTS EFFECT] "shared file, count: string, file";
    ReadLineSF "read_line_sf" (I64 I64) -> (Ref I64 I64) [COLLECTS EFFECT] "shared file: line, file";
    SeekSF "seek_sf" (I64 I64 I64 I64) -> (I64 I64 I64) [EFFECT] "shared file, offset, mode: success, file";
    EndSF "end_sf" (I64 I64) -> (I64) [EFFECT] "shared file: at end";
    PositionSF "position_sf" (I64 I64) -> (I64) [EFFECT] "shared file: position";
    // -- C functions: `foreign` in rt; the names and types that lead here are in src/frontends/clean/ccall.rs
    // ------------------------
    CResult "c_result" (I32) -> (I64) [EFFECT] "what the last C function returned through the pointer with this index";
    CString "c_string" (I64) -> (Ref) [COLLECTS EFFECT] "Clean string of a C value: 64-bit length, characters";
    CSymbolString "c_symbol_string" (I64) -> (Ref) [COLLECTS EFFECT] "Clean string of what a C function called by its symbol has returned: a length in a word of C, characters";
    CMissing "c_missing" (I32) -> () [NORETURN] "a C function that does not exist here was reached: the text names it; stop";
    CWord "c_word" (I64) -> () [EFFECT] "the next argument of a C function: an integer or address";
    CReal "c_real" (F64) -> () [EFFECT] "the next argument of a C function: a double";
    CFloat "c_float" (F64) -> () [EFFECT] "the next argument of a C function: a float";
    CData "c_data" (Ref) -> () [EFFECT] "the next argument of a C function: the address of the characters of a string or the elements of an array; nothing may be collected before the call";
    CLend "c_lend" (Ref) -> () [EFFECT] "the next argument of a C function: the address of a copy of a string with a 64-bit length";
    CPointer "c_pointer" () -> () [EFFECT] "the next argument of a C function: the address of the next result that `c_result` gives";
    CCall "c_call" (I32) -> (I64) [EFFECT] "call the C function at the address in a symbol; without one stop with the text behind it";
    CCallReal "c_call_real" (I32) -> (F64) [EFFECT] "the same for a C function that returns a double";
    CTakeBack "c_take_back" (Ref) -> () [EFFECT] "what C has made of the next string that was lent";
    CArraySize "c_array_size" (I64) -> (I64) [EFFECT] "number of elements of an array of Clean at an address of its elements";
    CArrayFill "c_array_fill" (Ref I64) -> () [EFFECT] "fill an array of words from an address";
    CVariable "c_variable" (I32) -> (I64) [EFFECT] "address of a variable of Clean's run-time system: 0 `return_code`, 1 `global_argc`, 2 `global_argv`";
    CAddress "c_address" (I32) -> (I64) [EFFECT] "the address in a symbol; without one stop with the text behind it";
    CArgenvCount "c_argenv_count" () -> (I64) [EFFECT] "`ArgEnvGetCommandLineCountC`: number of arguments";
    CArgenvArgument "c_argenv_argument" (I64) -> () [EFFECT] "`ArgEnvGetCommandLineArgumentC`: an argument: length, address";
    CArgenvVariable "c_argenv_variable" (Ref) -> () [EFFECT] "`ArgEnvGetEnvironmentVariableC`: a variable: length, address";
    CArgenvCopy "c_argenv_copy" (Ref I64) -> (I64) [EFFECT] "`ArgEnvCopyCStringToCleanStringC`: C text into a Clean string";
    CGetenv "c_getenv" (Ref) -> (I64) [EFFECT] "`getenv`: value of a variable, or 0";
    CSetenv "c_setenv" (Ref Ref I64) -> (I64) [EFFECT] "`setenv`: sets a variable";
    CUnsetenv "c_unsetenv" (Ref) -> (I64) [EFFECT] "`unsetenv`: removes a variable";
    CExit "c_exit" (I64) -> (I64) [EFFECT] "`exit`: ends the program";
    CSetReturnCode "c_set_return_code" (I64) -> () [EFFECT] "`set_return_code_c`: status at the end";
    CClock "c_clock" () -> (I64) [EFFECT] "`clock`: microseconds";
    CTime "c_time" (I64) -> (I64) [EFFECT] "`time`: seconds since 1970";
    CClockGettime "c_clock_gettime" (I64 I64) -> (I64) [EFFECT] "`clock_gettime`: seconds and nanoseconds";
    CGettimeofday "c_gettimeofday" (I64 I64) -> (I64) [EFFECT] "`gettimeofday`: seconds and microseconds";
    CGettimeofdayObject "c_gettimeofday_object" (Ref I64) -> (I64) [EFFECT] "`gettimeofday`: seconds and microseconds";
    CGmtime "c_gmtime" (Ref) -> (I64) [EFFECT] "`gmtime`: date of a time";
    CGmtimeAt "c_gmtime_at" (I64) -> (I64) [EFFECT] "`gmtime`: date of a time";
    CMktime "c_mktime" (Ref) -> (I64) [EFFECT] "`mktime`: time of a date";
    CAsctime "c_asctime" (Ref) -> (I64) [EFFECT] "`asctime`: text of a date";
    CCtime "c_ctime" (Ref) -> (I64) [EFFECT] "`ctime`: text of a time";
    CStrftime "c_strftime" (Ref Ref Ref I64) -> (I64) [EFFECT] "`strftime`: text of a date by a pattern";
    CStat "c_stat" (Ref Ref) -> (I64) [EFFECT] "`stat`: status of a file";
    CLstat "c_lstat" (Ref Ref) -> (I64) [EFFECT] "`lstat`: status of a file or link";
    CAccess "c_access" (Ref I64) -> (I64) [EFFECT] "`access`: is there a file";
    CUnlink "c_unlink" (Ref) -> (I64) [EFFECT] "`unlink`: removes a file";
    CRmdir "c_rmdir" (Ref) -> (I64) [EFFECT] "`rmdir`: removes an empty folder";
    CRemove "c_remove" (Ref) -> (I64) [EFFECT] "`remove`: removes a file or empty folder";
    CMkdir "c_mkdir" (Ref I64) -> (I64) [EFFECT] "`mkdir`: makes a folder";
    CRename "c_rename" (Ref Ref) -> (I64) [EFFECT] "`rename`: renames";
    CChdir "c_chdir" (Ref) -> (I64) [EFFECT] "`chdir`: changes the current folder";
    CGetcwd "c_getcwd" (Ref I64) -> (I64) [EFFECT] "`getcwd`: the current folder";
    CRealpath "c_realpath" (Ref Ref) -> (I64) [EFFECT] "`realpath`: absolute path";
    COpen "c_open" (I64 I64) -> (I64) [EFFECT] "`open`: opens a descriptor";
    COpenObject "c_open_object" (Ref I64) -> (I64) [EFFECT] "`open`: opens a descriptor";
    CClose "c_close" (I64) -> (I64) [EFFECT] "`close`: closes a descriptor";
    CRead "c_read" (I64 I64 I64) -> (I64) [EFFECT] "`read`: reads from a descriptor";
    CWrite "c_write" (I64 I64 I64) -> (I64) [EFFECT] "`write`: writes to a descriptor";
    CWriteObject "c_write_object" (Ref I64 I64) -> (I64) [EFFECT] "`write`: writes to a descriptor";
    COpendir "c_opendir" (Ref) -> (I64) [EFFECT] "`opendir`: opens a folder";
    CReaddir "c_readdir" (I64) -> (I64) [EFFECT] "`readdir`: next entry of a folder, or 0";
    CClosedir "c_closedir" (I64) -> (I64) [EFFECT] "`closedir`: closes a folder";
    CFindFirst "c_find_first" (Ref) -> (I64) [EFFECT] "`findFirstFileC`: first file of a folder";
    CFindNext "c_find_next" (I64) -> (I64) [EFFECT] "`findNextFileC`: next file";
    CCloseSearch "c_close_search" () -> () [EFFECT] "`closeSearchC`: ends a search";
    CFindSingle "c_find_single" (Ref) -> (I64) [EFFECT] "`findSingleFileC`: one file";
    CCloseSingle "c_close_single" () -> () [EFFECT] "`closeSingleSearchC`: ends it";
    CCommonInfo "c_common_info" (I64) -> () [EFFECT] "`getCommonFileInfoC`: what all systems know of the file found";
    CUnixInfo "c_unix_info" () -> () [EFFECT] "`getUnixFileInfoC`: what Unix knows of it";
    CPlatform "c_platform" (I64) -> (I64) [EFFECT] "`getPlatformIdC`: number of the system";
    CCreateDirectory "c_create_directory" (Ref) -> (I64) [EFFECT] "`createDirectoryC`: makes a folder";
    CFmove "c_fmove" (Ref Ref I64) -> (I64) [EFFECT] "`fmoveC`: renames";
    CFremove "c_fremove" (Ref) -> (I64) [EFFECT] "`fremoveC`: removes";
    CCurrentDirectory "c_current_directory" (Ref) -> (I64) [EFFECT] "`getCurrentDirectory_SE`: the current folder";
    CSetCurrentDirectory "c_set_current_directory" (Ref) -> (I64) [EFFECT] "`setCurrentDirectoryC`: changes the current folder";
    CMalloc "c_malloc" (I64) -> (I64) [EFFECT] "`malloc`: memory that stays where it is";
    CCalloc "c_calloc" (I64 I64) -> (I64) [EFFECT] "`calloc`: memory of zeros";
    CRealloc "c_realloc" (I64 I64) -> (I64) [EFFECT] "`realloc`: changes the size";
    CFree "c_free" (I64) -> () [EFFECT] "`free`: gives memory back";
    CMemcpy "c_memcpy" (I64 I64 I64) -> (I64) [EFFECT] "`memcpy`: copies";
    CMemcpyFromObject "c_memcpy_from_object" (Ref I64 I64) -> (I64) [EFFECT] "`memcpy`: copies";
    CMemcpyToObject "c_memcpy_to_object" (Ref I64 I64) -> (I64) [EFFECT] "`memcpy`: copies";
    CStrlen "c_strlen" (I64) -> (I64) [EFFECT] "`strlen`: length of a C string";
    CErrnoLocation "c_errno_location" () -> (I64) [EFFECT] "`__errno_location`: address of errno";
    CStrerror "c_strerror" (I64) -> (I64) [EFFECT] "`strerror`: message of an errno";
}

impl Service {
    pub fn from_index(index: u64) -> Option<Service> {
        Service::ALL.get(index as usize).copied()
    }
    pub fn from_name(name: &str) -> Option<Service> {
        Service::ALL.iter().copied().find(|s| s.info().name == name)
    }
    pub const fn collects(self) -> bool {
        self.info().effects.all(Effects::COLLECTS)
    }
    /// True if calls are on slow paths.
    pub const fn is_rare(self) -> bool {
        matches!(self, Service::Collect | Service::Remember | Service::RememberSlot) || self.never_returns()
    }
    pub const fn never_returns(self) -> bool {
        self.info().effects.all(Effects::NORETURN)
    }
    /// Is it a C function that programs call with `ccall`, or part of such a call?
    pub fn is_foreign(self) -> bool {
        self.info().name.starts_with("c_")
    }
    /// Name of the function that `rt` exports for this service.
    pub fn export_name(self) -> String {
        format!("rt_{}", self.info().name)
    }
}
