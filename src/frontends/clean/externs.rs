//! Runtime functions that programs of Clean call, besides the libcalls of the compiler: rows that serve any language
//! (`libcalls`), and Clean's own, whose functions are in `rt`. Every module declares them all, in this order.

use cleave_ir::abi::libcall;
use cleave_ir::{Callee, EntityRef, Extern, Libcall, LibcallSignature, Module, libcalls};

macro_rules! runtime {
    ($( $variant:ident $(= $known:ident)? $($name:literal $p:tt -> $r:tt $e:tt $doc:literal)?; )*) => {
        /// A function of the runtime that programs of Clean call.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum Runtime { $( $(#[doc = $doc])? $variant, )* }
        impl Runtime {
            pub const ALL: &'static [Runtime] = &[$( Runtime::$variant, )*];
            /// Their signatures, in the same order.
            pub const ROWS: &'static [&'static LibcallSignature] = &[$( $( &libcalls::$known )? $( &libcall!($name $p -> $r $e $doc) )?, )*];
        }
    };
}

runtime! {
    // -- program ----------------------------------------------------------------------------------------------------
    Driver "driver" (Ref) -> () [MAY_GC EFFECT] "print (or only evaluate, by the options) the Start node; returns when done";
    CycleInSpine "cycle_in_spine" () -> () [NORETURN] "`Run Time Warning: cycle in spine detected`, stop";
    MatchError "match_error" (I64 I64) -> () [NORETURN] "`Run time error, rule 'f' in module 'm' does not match` (addresses of text blocks: function, module), stop";
    SelectorError "selector_error" () -> () [NORETURN] "`Run time error, selector does not match`, stop";
    TypeError "type_error" () -> () [NORETURN] "`Run Time Error: type error`, stop";
    IndexError = INDEX_ERROR;
    Unavailable = UNAVAILABLE;
    // -- printing ---------------------------------------------------------------------------------------------------
    PrintGraph "print_graph" (Ref) -> () [MAY_GC EFFECT] "evaluate and print a node, then a newline";
    EvalToNormalForm "eval_to_nf" (Ref) -> () [MAY_GC EFFECT] "evaluate a node completely";
    WalkDriver "walk_driver" (Ref) -> (I32 Ref I32) [MAY_GC EFFECT] "`driver` as far as nothing must be evaluated: the shadow-stack pointer, the thunk to be evaluated (0 at the end), what is written; for captured functions";
    WalkPrintGraph "walk_print_graph" (Ref) -> (I32 Ref I32) [MAY_GC EFFECT] "the same for `print_graph`";
    WalkEvalToNormalForm "walk_eval_to_nf" (Ref) -> (I32 Ref I32) [MAY_GC EFFECT] "the same for `eval_to_nf`";
    WalkNext "walk_next" (Ref I32) -> (I32 Ref) [MAY_GC EFFECT] "go on with the value of the thunk and what is written: shadow-stack pointer, next thunk";
    PrintText = PRINT_TEXT;
    PrintTextSc "print_text_sc" (I32) -> () [EFFECT] "write a text block unless only basic values are shown";
    PrintName "print_name" (I64) -> () [EFFECT] "printD: a header word (bit 0 set) prints its descriptor's name, else the text block at the address";
    PrintInt = PRINT_INT;
    PrintChar = PRINT_CHAR;
    PrintReal = PRINT_REAL;
    PrintSymbol "print_symbol" (Ref) -> () [EFFECT] "print_symbol_sc: basic value or symbol name of a node in head normal form";
    PrintString = PRINT_STRING;
    PrintCharsSc "print_chars_sc" (Ref) -> () [EFFECT] "the same, unless only basic values are shown";
    // -- strings ----------------------------------------------------------------------------------------------------
    CatString = CAT_STRING;
    SliceString = SLICE_STRING;
    UpdateString = UPDATE_STRING;
    EqString = EQ_STRING;
    CmpString = CMP_STRING;
    CharToString = CHAR_TO_STRING;
    IntToString = INT_TO_STRING;
    RealToString = REAL_TO_STRING;
    BoolToString = BOOL_TO_STRING;
    NameToString "name_to_string" (I64) -> (Ref) [MAY_GC] "name of the descriptor of a header word";
    // -- arrays -----------------------------------------------------------------------------------------------------
    NewArray = NEW_ARRAY;
    Replicate = REPLICATE;
    ShortenArray = SHORTEN_ARRAY;
    // -- mathematics ------------------------------------------------------------------------------------------------
    Sin = SIN;
    Cos = COS;
    Tan = TAN;
    Asin = ASIN;
    Acos = ACOS;
    Atan = ATAN;
    Exp = EXP;
    Ln = LN;
    Log10 = LOG10;
    Pow = POW;
    DivideLong = DIVIDE_LONG;
    // -- objects of the host
    GiveBackObject "give_back_object" (Ref) -> (I64) [MAY_GC EFFECT] "the program gives the object of the host in a node back by hand: 1, or 0 if that was done before. Nothing happens to other values, of which it gives 1";
    // -- files: a file is two words, number (top of the B stack) and position
    StdioF "stdio_f" () -> (I64 I64) [EFFECT] "console file";
    StderrF "stderr_f" () -> (I64 I64) [EFFECT] "stderr as a file";
    OpenF "open_f" (Ref I64) -> (I64 I64 I64) [EFFECT] "name, mode: success, file";
    CloseF "close_f" (I64 I64) -> (I64) [EFFECT] "file: success";
    ReopenF "reopen_f" (I64 I64 I64) -> (I64 I64 I64) [EFFECT] "file, mode: success, file";
    ReadFC "read_fc" (I64) -> (I64) [EFFECT] "file number: character + 256, or 0 at the end";
    ReadFI "read_fi" (I64 I64) -> (I64 I64 I64 I64) [EFFECT] "file: success, integer, file";
    ReadFR "read_fr" (I64 I64) -> (I64 F64 I64 I64) [EFFECT] "file: success, real, file";
    ReadFS "read_fs" (I64 I64 I64) -> (Ref I64 I64) [MAY_GC EFFECT] "file, count: string, file";
    ReadFString "read_fstring" (Ref I64 I64 I64 I64) -> (Ref I64 I64 I64) [EFFECT] "string, index, count, file: string, characters read, file";
    ReadLineF "read_line_f" (I64 I64) -> (Ref I64 I64) [MAY_GC EFFECT] "file: line with its newline, file";
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
    ReadSFS "read_sfs" (I64 I64 I64) -> (Ref I64 I64) [MAY_GC EFFECT] "shared file, count: string, file";
    ReadLineSF "read_line_sf" (I64 I64) -> (Ref I64 I64) [MAY_GC EFFECT] "shared file: line, file";
    SeekSF "seek_sf" (I64 I64 I64 I64) -> (I64 I64 I64) [EFFECT] "shared file, offset, mode: success, file";
    EndSF "end_sf" (I64 I64) -> (I64) [EFFECT] "shared file: at end";
    PositionSF "position_sf" (I64 I64) -> (I64) [EFFECT] "shared file: position";
    // -- C functions: `foreign` in rt; the names and types that lead here are in `ccall.rs`
    CResult "c_result" (I32) -> (I64) [EFFECT FFI] "what the last C function returned through the pointer with this index";
    CString "c_string" (I64) -> (Ref) [MAY_GC EFFECT FFI] "Clean string of a C value: 64-bit length, characters";
    CSymbolString "c_symbol_string" (I64) -> (Ref) [MAY_GC EFFECT FFI] "Clean string of what a C function called by its symbol has returned: a length in a word of C, characters";
    CMissing "c_missing" (I32) -> () [NORETURN] "a C function that does not exist here was reached: the text names it; stop";
    CWord "c_word" (I64) -> () [EFFECT FFI] "the next argument of a C function: an integer or address";
    CReal "c_real" (F64) -> () [EFFECT FFI] "the next argument of a C function: a double";
    CFloat "c_float" (F64) -> () [EFFECT FFI] "the next argument of a C function: a float";
    CData "c_data" (Ref) -> () [EFFECT FFI] "the next argument of a C function: the address of the characters of a string or the elements of an array; nothing may be collected before `c_give_back`";
    CLend "c_lend" (Ref) -> () [EFFECT FFI] "the next argument of a C function: the address of a string with its length, a word of C; nothing may be collected before `c_give_back`";
    CPointer "c_pointer" () -> () [EFFECT FFI] "the next argument of a C function: the address of the next result that `c_result` gives";
    CCall "c_call" (I32 I32) -> (I64) [EFFECT FFI SYMBOL] "call the C function at the address in a symbol; without one stop with the text behind it; the second text begins other messages about the function";
    CCallReal "c_call_real" (I32 I32) -> (F64) [EFFECT FFI SYMBOL] "the same for a C function that returns a double";
    CKeep "c_keep" (I64 I32) -> (I64) [EFFECT FFI] "where the string that C returns at an address, or the elements of an array (1), are safe once its arguments are given back";
    CGiveBack "c_give_back" () -> () [EFFECT FFI] "strings and arrays that C got are those of Clean again, as C has left them; larger ones stop the program";
    CArraySize "c_array_size" (I64) -> (I64) [EFFECT FFI] "number of elements of an array of Clean at an address of its elements";
    CArrayFill "c_array_fill" (Ref I64) -> () [EFFECT FFI] "fill an array of words from an address";
    CVariable "c_variable" (I32) -> (I64) [EFFECT FFI] "address of a variable of Clean's run-time system: 0 `return_code`, 1 `global_argc`, 2 `global_argv`";
    CAddress "c_address" (I32) -> (I64) [EFFECT FFI SYMBOL] "the address in a symbol; without one stop with the text behind it";
    CArgenvCount "c_argenv_count" () -> (I64) [EFFECT FFI] "`ArgEnvGetCommandLineCountC`: number of arguments";
    CArgenvArgument "c_argenv_argument" (I64) -> () [EFFECT FFI] "`ArgEnvGetCommandLineArgumentC`: an argument: length, address";
    CArgenvVariable "c_argenv_variable" (Ref) -> () [EFFECT FFI] "`ArgEnvGetEnvironmentVariableC`: a variable: length, address";
    CArgenvCopy "c_argenv_copy" (Ref I64) -> (I64) [EFFECT FFI] "`ArgEnvCopyCStringToCleanStringC`: C text into a Clean string";
    CGetenv "c_getenv" (Ref) -> (I64) [EFFECT FFI] "`getenv`: value of a variable, or 0";
    CSetenv "c_setenv" (Ref Ref I64) -> (I64) [EFFECT FFI] "`setenv`: sets a variable";
    CUnsetenv "c_unsetenv" (Ref) -> (I64) [EFFECT FFI] "`unsetenv`: removes a variable";
    CExit "c_exit" (I64) -> (I64) [EFFECT FFI] "`exit`: ends the program";
    CSetReturnCode "c_set_return_code" (I64) -> () [EFFECT FFI] "`set_return_code_c`: status at the end";
    CClock "c_clock" () -> (I64) [EFFECT FFI] "`clock`: microseconds";
    CTime "c_time" (I64) -> (I64) [EFFECT FFI] "`time`: seconds since 1970";
    CClockGettime "c_clock_gettime" (I64 I64) -> (I64) [EFFECT FFI] "`clock_gettime`: seconds and nanoseconds";
    CGettimeofday "c_gettimeofday" (I64 I64) -> (I64) [EFFECT FFI] "`gettimeofday`: seconds and microseconds";
    CGettimeofdayObject "c_gettimeofday_object" (Ref I64) -> (I64) [EFFECT FFI] "`gettimeofday`: seconds and microseconds";
    CGmtime "c_gmtime" (Ref) -> (I64) [EFFECT FFI] "`gmtime`: date of a time";
    CGmtimeAt "c_gmtime_at" (I64) -> (I64) [EFFECT FFI] "`gmtime`: date of a time";
    CMktime "c_mktime" (Ref) -> (I64) [EFFECT FFI] "`mktime`: time of a date";
    CAsctime "c_asctime" (Ref) -> (I64) [EFFECT FFI] "`asctime`: text of a date";
    CCtime "c_ctime" (Ref) -> (I64) [EFFECT FFI] "`ctime`: text of a time";
    CStrftime "c_strftime" (Ref Ref Ref I64) -> (I64) [EFFECT FFI] "`strftime`: text of a date by a pattern";
    CStat "c_stat" (Ref Ref) -> (I64) [EFFECT FFI] "`stat`: status of a file";
    CLstat "c_lstat" (Ref Ref) -> (I64) [EFFECT FFI] "`lstat`: status of a file or link";
    CAccess "c_access" (Ref I64) -> (I64) [EFFECT FFI] "`access`: is there a file";
    CUnlink "c_unlink" (Ref) -> (I64) [EFFECT FFI] "`unlink`: removes a file";
    CRmdir "c_rmdir" (Ref) -> (I64) [EFFECT FFI] "`rmdir`: removes an empty folder";
    CRemove "c_remove" (Ref) -> (I64) [EFFECT FFI] "`remove`: removes a file or empty folder";
    CMkdir "c_mkdir" (Ref I64) -> (I64) [EFFECT FFI] "`mkdir`: makes a folder";
    CRename "c_rename" (Ref Ref) -> (I64) [EFFECT FFI] "`rename`: renames";
    CChdir "c_chdir" (Ref) -> (I64) [EFFECT FFI] "`chdir`: changes the current folder";
    CGetcwd "c_getcwd" (Ref I64) -> (I64) [EFFECT FFI] "`getcwd`: the current folder";
    CRealpath "c_realpath" (Ref Ref) -> (I64) [EFFECT FFI] "`realpath`: absolute path";
    COpen "c_open" (I64 I64) -> (I64) [EFFECT FFI] "`open`: opens a descriptor";
    COpenObject "c_open_object" (Ref I64) -> (I64) [EFFECT FFI] "`open`: opens a descriptor";
    CClose "c_close" (I64) -> (I64) [EFFECT FFI] "`close`: closes a descriptor";
    CRead "c_read" (I64 I64 I64) -> (I64) [EFFECT FFI] "`read`: reads from a descriptor";
    CWrite "c_write" (I64 I64 I64) -> (I64) [EFFECT FFI] "`write`: writes to a descriptor";
    CWriteObject "c_write_object" (Ref I64 I64) -> (I64) [EFFECT FFI] "`write`: writes to a descriptor";
    COpendir "c_opendir" (Ref) -> (I64) [EFFECT FFI] "`opendir`: opens a folder";
    CReaddir "c_readdir" (I64) -> (I64) [EFFECT FFI] "`readdir`: next entry of a folder, or 0";
    CClosedir "c_closedir" (I64) -> (I64) [EFFECT FFI] "`closedir`: closes a folder";
    CFindFirst "c_find_first" (Ref) -> (I64) [EFFECT FFI] "`findFirstFileC`: first file of a folder";
    CFindNext "c_find_next" (I64) -> (I64) [EFFECT FFI] "`findNextFileC`: next file";
    CCloseSearch "c_close_search" () -> () [EFFECT FFI] "`closeSearchC`: ends a search";
    CFindSingle "c_find_single" (Ref) -> (I64) [EFFECT FFI] "`findSingleFileC`: one file";
    CCloseSingle "c_close_single" () -> () [EFFECT FFI] "`closeSingleSearchC`: ends it";
    CCommonInfo "c_common_info" (I64) -> () [EFFECT FFI] "`getCommonFileInfoC`: what all systems know of the file found";
    CUnixInfo "c_unix_info" () -> () [EFFECT FFI] "`getUnixFileInfoC`: what Unix knows of it";
    CPlatform "c_platform" (I64) -> (I64) [EFFECT FFI] "`getPlatformIdC`: number of the system";
    CCreateDirectory "c_create_directory" (Ref) -> (I64) [EFFECT FFI] "`createDirectoryC`: makes a folder";
    CFmove "c_fmove" (Ref Ref I64) -> (I64) [EFFECT FFI] "`fmoveC`: renames";
    CFremove "c_fremove" (Ref) -> (I64) [EFFECT FFI] "`fremoveC`: removes";
    CCurrentDirectory "c_current_directory" (Ref) -> (I64) [EFFECT FFI] "`getCurrentDirectory_SE`: the current folder";
    CSetCurrentDirectory "c_set_current_directory" (Ref) -> (I64) [EFFECT FFI] "`setCurrentDirectoryC`: changes the current folder";
    CMalloc "c_malloc" (I64) -> (I64) [EFFECT FFI] "`malloc`: memory that stays where it is";
    CCalloc "c_calloc" (I64 I64) -> (I64) [EFFECT FFI] "`calloc`: memory of zeros";
    CRealloc "c_realloc" (I64 I64) -> (I64) [EFFECT FFI] "`realloc`: changes the size";
    CFree "c_free" (I64) -> () [EFFECT FFI] "`free`: gives memory back";
    CMemcpy "c_memcpy" (I64 I64 I64) -> (I64) [EFFECT FFI] "`memcpy`: copies";
    CMemcpyFromObject "c_memcpy_from_object" (Ref I64 I64) -> (I64) [EFFECT FFI] "`memcpy`: copies";
    CMemcpyToObject "c_memcpy_to_object" (Ref I64 I64) -> (I64) [EFFECT FFI] "`memcpy`: copies";
    CStrlen "c_strlen" (I64) -> (I64) [EFFECT FFI] "`strlen`: length of a C string";
    CErrnoLocation "c_errno_location" () -> (I64) [EFFECT FFI] "`__errno_location`: address of errno";
    CStrerror "c_strerror" (I64) -> (I64) [EFFECT FFI] "`strerror`: message of an errno";
}

impl Runtime {
    pub const fn signature(self) -> &'static LibcallSignature {
        Runtime::ROWS[self as usize]
    }
    pub const fn never_returns(self) -> bool {
        self.signature().effects.never_returns()
    }
    /// What a call is made of, in a module for which `declare` was called.
    pub const fn callee(self) -> Callee<'static> {
        Callee::of(Extern::numbered(Libcall::ALL.len() as u32 + self as u32), self.signature())
    }
    /// Declares all of them in an empty module.
    pub fn declare(module: &mut Module) {
        for function in Runtime::ALL {
            module.externs.push(function.signature().into());
        }
        debug_assert_eq!(module.externs.len(), Runtime::ALL.last().map_or(0, |last| last.callee().id.index() + 1));
    }
}
