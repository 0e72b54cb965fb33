//! C functions that programs call with `ccall`: the signatures of the calls, and the table of functions that exist.
//!
//! A signature is `arguments:results:passed through`. `Signature::parse` reads it by Clean's rules
//! (`docs/abc.md#calls-of-c-functions`); `find` looks for a function of that name that takes and returns the same kinds
//! of values. The functions themselves are libcalls of the runtime (`rt/clean/ffi`). Functions that are not in the
//! table belong to libraries of machine code, or make no sense under WASI (processes, sockets, terminals); calling them
//! is an error when the program runs.
//!
//! Native programs call machine code. Functions of the C library are then its own, because addresses, descriptors and
//! `errno` must be of one world; the table serves the libraries that come with Clean (`OWN`). In WebAssembly objects of
//! C may be merged with the program: what the table does not have is theirs then, and the heap, if they have one.
//!
//! Not supported: calls through pointers (`O`, `F`), and C code that calls back into Clean. The prefix `G`, which
//! prepares for that, changes nothing: no address of a Clean function can be handed to C.

use crate::externs::Runtime;

/// A C function that a program calls.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ForeignCall {
    pub name: String,
    pub signature: String,
    /// Module that calls it.
    pub module: String,
    /// Objects and libraries of machine code that the module asks for.
    pub libraries: Vec<String>,
    pub place: CallPlace,
}

/// Where a C function is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CallPlace {
    /// In our runtime.
    Runtime,
    /// In machine code or in an object that is merged with the program, by its symbol.
    Symbol,
    Nowhere,
}

/// One value that is passed, as the caller sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassedAs {
    /// `I` `p`: a word of the B stack; as a result only `p`.
    Word,
    /// `I` as a result: a C `int`. Of what machine code returns, only 32 bits count.
    Int,
    /// `R`: a real of the B stack.
    Real,
    /// `r`: a real of the B stack that C takes as a float.
    Float,
    /// `s` `A`: the characters of a string or the elements of an array.
    Data,
    /// `S`: a string with its length.
    String,
    /// `Ai`: an array of integers, as a result.
    Integers,
    /// `Ar`: an array of reals, as a result.
    Reals,
}

impl PassedAs {
    /// Is it on the A stack?
    pub fn is_node(self) -> bool {
        matches!(self, PassedAs::Data | PassedAs::String | PassedAs::Integers | PassedAs::Reals)
    }
    /// The letter that the table uses.
    fn letter(self) -> char {
        match self {
            PassedAs::Word | PassedAs::Int => 'w',
            PassedAs::Real | PassedAs::Float => 'r',
            PassedAs::Data => 's',
            PassedAs::String => 'S',
            PassedAs::Integers | PassedAs::Reals => 'A',
        }
    }
}

/// A signature as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    pub arguments: Vec<PassedAs>,
    /// What the C function itself returns.
    pub returned: Option<PassedAs>,
    /// What it returns through pointers, the first of which follow the arguments.
    pub through_pointers: Vec<PassedAs>,
    /// Nodes and words that stay on the stacks below the arguments.
    pub passed_nodes: usize,
    pub passed_words: usize,
    /// C sees elements of an array, as an argument or result, that may be integers.
    pub has_integers: bool,
    /// Calls through a pointer, or passes something else that has no meaning here.
    pub unusual: bool,
}

impl Signature {
    /// Reads a signature; the error says what is wrong with it.
    pub fn parse(text: &[u8]) -> Result<Signature, String> {
        let mut rest = text;
        for prefix in [b"G", b"P"] {
            rest = rest.strip_prefix(prefix).unwrap_or(rest);
        }
        let end = rest.iter().position(|byte| matches!(byte, b'-' | b':'));
        let Some(end) = end else { return Err("there is no `:` between arguments and results".into()) };
        let (arguments, tail) = rest.split_at(end);
        let (separator, results) = (tail[0], &tail[1..]);
        let mut signature = Signature {
            arguments: Vec::new(),
            returned: None,
            through_pointers: Vec::new(),
            passed_nodes: 0,
            passed_words: 0,
            has_integers: false,
            unusual: false,
        };
        signature.read_arguments(arguments)?;
        let (results, passed) = match results.iter().position(|byte| *byte == b':') {
            None => (results, &b""[..]),
            Some(at) if at == 0 || at + 1 == results.len() => {
                return Err("a part between colons is empty".into());
            }
            Some(at) => (&results[..at], &results[at + 1..]),
        };
        signature.read_results(separator, results)?;
        for letter in passed {
            match letter {
                b'I' | b'p' | b'R' => signature.passed_words += 1,
                b'S' | b'A' => signature.passed_nodes += 1,
                _ => return Err(unknown(*letter, "a value that is passed through")),
            }
        }
        Ok(signature)
    }

    fn read_arguments(&mut self, text: &[u8]) -> Result<(), String> {
        let mut letters = text.iter().copied().peekable();
        while let Some(letter) = letters.next() {
            self.has_integers |= letter == b'A';
            self.arguments.push(match letter {
                b'I' | b'p' => PassedAs::Word,
                b'R' => PassedAs::Real,
                b'r' => PassedAs::Float,
                b's' | b'A' => PassedAs::Data,
                b'S' => PassedAs::String,
                b'O' | b'F' => {
                    while letters.next_if(|letter| matches!(letter, b'*' | b'[' | b']' | b'0'..=b'9')).is_some() {}
                    self.unusual = true;
                    PassedAs::Word
                }
                _ => return Err(unknown(letter, "an argument")),
            });
        }
        Ok(())
    }

    fn read_results(&mut self, separator: u8, text: &[u8]) -> Result<(), String> {
        let mut results = Vec::new();
        let mut nothing = false;
        let mut letters = text.iter().copied().enumerate();
        while let Some((at, letter)) = letters.next() {
            results.push(match letter {
                b'I' => PassedAs::Int,
                b'p' => PassedAs::Word,
                b'R' => PassedAs::Real,
                b'S' => PassedAs::String,
                b'A' => match letters.next() {
                    Some((_, b'i')) => {
                        self.has_integers = true;
                        PassedAs::Integers
                    }
                    Some((_, b'r')) => PassedAs::Reals,
                    _ => return Err("an array as a result is written `Ai` or `Ar`".into()),
                },
                b'V' if at == 0 => {
                    nothing = true;
                    continue;
                }
                _ => return Err(unknown(letter, "a result")),
            });
        }
        if results.is_empty() && !nothing {
            return Err("there is no result: `V` means none".into());
        }
        // After `-` several results are all returned through pointers.
        let all_through_pointers = nothing || separator == b'-' && results.len() > 1;
        if !all_through_pointers {
            self.returned = Some(results.remove(0));
        }
        self.through_pointers = results;
        Ok(())
    }

    /// Can machine code be called this way? The bounds are those of the runtime (`rt/clean/ffi/call.rs`).
    pub fn is_callable(&self) -> bool {
        !self.unusual && self.arguments.len() + self.through_pointers.len() <= 32 && self.through_pointers.len() <= 16
    }

    /// Nodes and words that the call takes from the stacks.
    pub fn taken(&self) -> (usize, usize) {
        let nodes = self.arguments.iter().filter(|kind| kind.is_node()).count();
        (nodes, self.arguments.len() - nodes)
    }

    /// Results in their order; the first ends on top.
    pub fn results(&self) -> impl Iterator<Item = PassedAs> {
        self.returned.into_iter().chain(self.through_pointers.iter().copied())
    }
}

fn unknown(letter: u8, what: &str) -> String {
    format!("`{}` does not stand for {what}", char::from(letter).escape_default())
}

/// The function of this name for a call with this signature, if there is one.
pub fn find(name: &[u8], signature: &Signature) -> Option<Runtime> {
    if signature.unusual {
        return None;
    }
    let arguments: String = signature.arguments.iter().map(|kind| kind.letter()).collect();
    let pointers: String = signature.through_pointers.iter().map(|kind| kind.letter()).collect();
    FUNCTIONS.iter().find_map(|&(known, pattern, libcall)| {
        let (takes, returns) = pattern.split_once(':')?;
        let (returned, others) = (returns.chars().next()?, &returns[1..]);
        // A result may be ignored, and one may be asked for where C has none.
        let fits = signature.returned.is_none_or(|kind| kind.letter() == returned || returned == 'V');
        (known.as_bytes() == name && takes == arguments && others == pointers && fits).then_some(libcall)
    })
}

/// The number of a variable of Clean's run-time system that the runtime has (`rt/clean/ffi/variables.rs`).
pub fn variable(name: &[u8]) -> Option<u32> {
    const VARIABLES: [&[u8]; 3] = [b"return_code", b"global_argc", b"global_argv"];
    VARIABLES.iter().position(|variable| *variable == name).map(|number| number as u32)
}

/// The header for C functions, with the names of Clean's own.
pub const HEADER: &str = include_str!("Clean.h");
/// By this symbol, which is in `HEADER`, an object for WebAssembly says that it knows how wide elements are.
pub const KNOWS_ELEMENTS: &str = "cleave_elements_of_clean";

/// Can it be the name of a symbol?
pub fn is_symbol(name: &[u8]) -> bool {
    let starts = name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_');
    starts && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Does a function belong to Clean's libraries, or to our runtime? All others in the table are of the C library.
pub fn is_own(name: &[u8]) -> bool {
    OWN.iter().any(|own| own.as_bytes() == name)
}

/// Does a function belong to the heap of C?
pub fn is_allocator(name: &[u8]) -> bool {
    [&b"malloc"[..], b"calloc", b"realloc", b"free"].contains(&name)
}

const OWN: &[&str] = &[
    "ArgEnvGetCommandLineCountC",
    "ArgEnvGetCommandLineArgumentC",
    "ArgEnvGetEnvironmentVariableC",
    "ArgEnvCopyCStringToCleanStringC",
    // Ends the program with its output written.
    "exit",
    "set_return_code_c",
    "findFirstFileC",
    "findNextFileC",
    "closeSearchC",
    "findSingleFileC",
    "closeSingleSearchC",
    "getCommonFileInfoC",
    "getUnixFileInfoC",
    "getPlatformIdC",
    "createDirectoryC",
    "fmoveC",
    "fremoveC",
    "getCurrentDirectory_SE",
    "setCurrentDirectoryC",
];

/// Is there a function of this name at all?
pub fn is_known(name: &[u8]) -> bool {
    FUNCTIONS.iter().any(|row| row.0.as_bytes() == name)
}

/// Name, kinds of arguments and results, function of the runtime. `w` word (integer or pointer), `r` real, `s` address
/// of characters or elements, `S` Clean string, `V` nothing; the results after the first go through pointers.
pub const FUNCTIONS: &[(&str, &str, Runtime)] = &[
    // Arguments and environment.
    ("ArgEnvGetCommandLineCountC", ":w", Runtime::CArgenvCount),
    ("ArgEnvGetCommandLineArgumentC", "w:Vww", Runtime::CArgenvArgument),
    ("ArgEnvGetEnvironmentVariableC", "S:Vww", Runtime::CArgenvVariable),
    ("ArgEnvCopyCStringToCleanStringC", "wS:w", Runtime::CArgenvCopy),
    ("getenv", "s:w", Runtime::CGetenv),
    ("setenv", "ssw:w", Runtime::CSetenv),
    ("unsetenv", "s:w", Runtime::CUnsetenv),
    // The end.
    ("exit", "w:w", Runtime::CExit),
    ("set_return_code_c", "w:V", Runtime::CSetReturnCode),
    // Clocks and the calendar.
    ("clock", ":w", Runtime::CClock),
    ("time", "w:w", Runtime::CTime),
    ("clock_gettime", "ww:w", Runtime::CClockGettime),
    ("gettimeofday", "ww:w", Runtime::CGettimeofday),
    ("gettimeofday", "sw:w", Runtime::CGettimeofdayObject),
    ("gmtime", "s:w", Runtime::CGmtime),
    ("gmtime", "w:w", Runtime::CGmtimeAt),
    ("localtime", "s:w", Runtime::CGmtime),
    ("localtime", "w:w", Runtime::CGmtimeAt),
    ("mktime", "s:w", Runtime::CMktime),
    ("timegm", "s:w", Runtime::CMktime),
    ("asctime", "s:w", Runtime::CAsctime),
    ("ctime", "s:w", Runtime::CCtime),
    ("strftime", "swss:w", Runtime::CStrftime),
    // Files and folders.
    ("stat", "ss:w", Runtime::CStat),
    ("lstat", "ss:w", Runtime::CLstat),
    ("access", "sw:w", Runtime::CAccess),
    ("unlink", "s:w", Runtime::CUnlink),
    ("rmdir", "s:w", Runtime::CRmdir),
    ("remove", "s:w", Runtime::CRemove),
    ("mkdir", "sw:w", Runtime::CMkdir),
    ("rename", "ss:w", Runtime::CRename),
    ("chdir", "s:w", Runtime::CChdir),
    ("getcwd", "sw:w", Runtime::CGetcwd),
    ("realpath", "ss:w", Runtime::CRealpath),
    ("open", "ww:w", Runtime::COpen),
    ("open", "sw:w", Runtime::COpenObject),
    ("close", "w:w", Runtime::CClose),
    ("read", "www:w", Runtime::CRead),
    ("write", "www:w", Runtime::CWrite),
    ("write", "wsw:w", Runtime::CWriteObject),
    ("opendir", "s:w", Runtime::COpendir),
    ("readdir", "w:w", Runtime::CReaddir),
    ("closedir", "w:w", Runtime::CClosedir),
    // The library Directory.
    ("findFirstFileC", "S:w", Runtime::CFindFirst),
    ("findNextFileC", "w:w", Runtime::CFindNext),
    ("closeSearchC", ":V", Runtime::CCloseSearch),
    ("findSingleFileC", "S:w", Runtime::CFindSingle),
    ("closeSingleSearchC", ":V", Runtime::CCloseSingle),
    ("getCommonFileInfoC", "w:VSwwwwwwwwwww", Runtime::CCommonInfo),
    ("getUnixFileInfoC", ":Vwwwwwwwwww", Runtime::CUnixInfo),
    ("getPlatformIdC", "w:w", Runtime::CPlatform),
    ("createDirectoryC", "S:w", Runtime::CCreateDirectory),
    ("fmoveC", "wSS:w", Runtime::CFmove),
    ("fremoveC", "S:w", Runtime::CFremove),
    ("getCurrentDirectory_SE", "S:w", Runtime::CCurrentDirectory),
    ("setCurrentDirectoryC", "S:w", Runtime::CSetCurrentDirectory),
    // Memory and errors.
    ("malloc", "w:w", Runtime::CMalloc),
    ("calloc", "ww:w", Runtime::CCalloc),
    ("realloc", "ww:w", Runtime::CRealloc),
    ("free", "w:V", Runtime::CFree),
    ("memcpy", "www:w", Runtime::CMemcpy),
    ("memcpy", "wsw:w", Runtime::CMemcpyFromObject),
    ("memcpy", "sww:w", Runtime::CMemcpyToObject),
    ("strlen", "w:w", Runtime::CStrlen),
    ("__errno_location", ":w", Runtime::CErrnoLocation),
    ("strerror", "w:w", Runtime::CStrerror),
];
