//! The error codes: one row each, with the text of `cleave explain`.
//!
//! Ranges: E01xx files and modules · E02xx words and syntax · E03xx names · E04xx stack simulation · E05xx types
//! and matches · E06xx lints, which have names, too · E09xx limits and unsupported features. To add a code, add a row
//! in the order of the numbers; numbers are never used again for something else.

use std::fmt;

/// An error code. Displays as `E0203`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(pub u16);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "E{:04}", self.0)
    }
}

/// A row of the table.
#[derive(Debug)]
pub struct Explanation {
    /// The number, which never changes its meaning.
    pub code: Code,
    /// A few words, in small letters, without a full stop.
    pub title: &'static str,
    /// What is wrong and what to do: a paragraph, for `cleave explain`.
    pub text: &'static str,
}

impl Code {
    /// Reads `E0203`, `e203` or `203`.
    pub fn parse(text: &str) -> Option<Code> {
        let digits = text.strip_prefix(['E', 'e']).unwrap_or(text);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_number).map(Code)
    }

    /// The row of this code, if it has one.
    pub fn explanation(self) -> Option<&'static Explanation> {
        TABLE.iter().find(|row| row.code == self)
    }
}

macro_rules! codes {
    ($($name:ident $number:literal $title:literal $text:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($number);)*

        /// All codes by number.
        pub static TABLE: &[Explanation] = &[$(Explanation { code: $name, title: $title, text: $text }),*];
    };
}

codes! {
// Files and modules.
FILE_NOT_FOUND 101 "file not found"
    "The file named on the command line does not exist. Names are relative to the current folder; modules that are \
     imported are searched for, the main module is not.";
FILE_IS_DIRECTORY 102 "a folder where a file is expected"
    "The path names a folder. Name the .abc file of the main module; the folders of other modules are given with -L.";
FILE_UNREADABLE 103 "file cannot be read"
    "The file exists but reading it failed, for the reason that the system gives in the message, for instance missing \
     permission; or it is text in UTF-16, and wants to be saved in UTF-8.";
FILE_EMPTY 104 "file is empty"
    "The file has no contents. A compiler run that failed or a full disk leaves such files behind: compile the Clean \
     module again.";
FILE_NOT_ABC 105 "not an ABC file"
    "The contents are not ABC assembly: the file holds NUL bytes, or it does not begin with the line .comp that every \
     ABC file has. The usual cause is that a Clean source (.icl), an object file or the program itself was named \
     instead of the .abc file.";
FILE_TRUNCATED 106 "file ends too early"
    "The file stops before its contents are complete: the header is not closed by .endinfo, nothing follows the \
     header, or the last function has no end. The compiler was interrupted or the disk was full: compile the module \
     again.";
FILE_TOO_LARGE 107 "file too large"
    "Positions in files are kept in 32 bits, so a file must be smaller than 4 GiB.";
MODULE_NOT_FOUND 108 "module not found"
    "A module named by .depend was found in none of the folders: StdEnv of the folder CLEAN_HOME, those given with -L, \
     -I, -IL and -P, that of the main module, and the libraries below CLEAN_HOME, each with its folder `Clean System \
     Files`. The message lists the folders. Usually CLEAN_HOME is not set, or the library was not compiled: clm writes \
     .abc files only for the modules of the programs that it makes.";
MODULE_TWICE 109 "two modules with the same name"
    "Two files of the program give the same name in .module. Exported labels carry the name of their module, so a \
     program cannot hold both: rename one, or leave one out.";
MODULE_WRONG_NAME 110 "module name and file name differ"
    "The file of a module must have the name of the module, because modules are found by file name.";

OUTPUT_UNWRITABLE 111 "output cannot be written"
    "A result could not be written, for the reason that the system gives in the message. Files are written under \
     another name and renamed when they are complete, so an older file is unchanged.";
NOT_A_PROGRAM 112 "not a WebAssembly program that can be run"
    "The file begins like WebAssembly, but it is damaged, or it needs something that only other hosts provide. \
     `cleave run` runs what `cleave build` wrote, and other WASI commands (wasm32-wasip1).";
MODULE_HIDDEN 113 "the same module in two folders"
    "Two of the folders that are searched hold a module of this name, with different contents. As in clm, the first in \
     the order of the search is used: --help of -L says the order.";
MODULE_STALE 114 "source newer than its .abc file"
    "The .icl or .dcl file of a module was changed after its .abc file was written, so the program may not be the one \
     in the sources. If Clean's compiler is found (--cocl, CLEANLIB, CLEAN_HOME or PATH), such modules are compiled \
     first; otherwise the .abc files are used as they are.";
MODULE_NOT_COMPILED 115 "Clean's compiler failed"
    "The source of a module had to be compiled, and Clean's compiler cannot be run, or ended with an error, which \
     stands above. --cocl names another compiler; with --no-cocl none is used.";
NO_LINKER 116 "no linker"
    "Executables for this machine are made by our own linker, which needs nothing else. What it cannot take, and \
     everything with --linker=cc, takes the C compiler of the system: the program named by the variable CC, else `cc` in \
     the folders of PATH. There is none, or --linker=embedded forbids it.";
LINK_FAILED 117 "linking failed"
    "The objects and libraries that the modules of the program name cannot be put together. If the C compiler of the \
     system has tried it, the message shows its command and what it said.";
MISSING_SYMBOL 118 "missing C function"
    "The program calls a C function that is neither in the C library nor in the objects and libraries that its modules \
     name with .impobj and .implib. Those are looked for beside the module, in the folders of -L and where modules are \
     searched, in `Clean System Files` and outside; libraries that are found nowhere are looked for among those of the system.";
C_OBJECT 119 "object of C for WebAssembly cannot be used"
    "Beside the objects of machine code that a module names with .impobj and .implib may lie files of the same name with the \
     ending .wasm: relocatable objects, as `clang --target=wasm32 -c` and `wasm-ld -r` write them. This file is none, it \
     needs something that programs do not have (threads, exceptions, position-independent code), or a function has other \
     types than the ccall says: I, p, s, A, S and results through pointers are i32 or i64 there, R is f64, r is f32. A \
     function that takes or returns an array of Clean must know that integers have 64 bits there, and `long` has 32: \
     compile it with the Clean.h that `cleave header` writes, which says so.";
COMMAND_NOT_STARTED 120 "command cannot be started"
    "The command that shall decide about a program cannot be started, for the reason that the system gives in the \
     message. It is looked for as a shell does, but no shell reads it: for pipes and the like name a script, or `sh -c`.";
NOT_INTERESTING 121 "the program to be reduced is not interesting"
    "`cleave reduce` runs the command on the whole program first. It must end with status 0, which means that the \
     program shows what is looked for; any other status means that it does not.";
NATIVE_PATH 123 "a module names a file outside of the folders that are searched"
    "Objects and libraries of machine code (.impobj, .implib) have names, which are looked for beside the module, in the \
     folders of -L and where modules are searched. A module that names an absolute path, or leaves these folders \
     with `..`, would choose any file of this machine. --allow-paths permits it.";
MISSING_EXTERN 124 "missing function of the runtime"
    "The IR calls an extern, a function outside of the module, that the runtime does not have: there is no `rt_NAME`. A \
     module may declare any extern, but only a runtime that was built with its function can run it.";
OUTSIDE_SANDBOX 125 "a file outside of the sandbox"
    "The program wanted to open, ask about or change a file that is in none of the folders of --dir, and failed as for a \
     file that does not exist. The message names the first one. Another --dir gives the program the folder; without \
     --sandbox and --dir it opens what its executable would open.";
INCLUDE_UNREADABLE 126 "included file cannot be read"
    "The file that a line #include names does not exist or cannot be read. Its name is relative to the folder of the file \
     with that line.";

NOT_REFCOUNTED 127 "references cannot be counted"
    "The program is to count its references (--memory=rc, or `heap rc` in IR) and do without the collector. \
     That is possible for strict programs. This one has something that only the collector can free, or that exists on \
     its heap alone: a thunk, an instruction on thunks, `apply`, a function of the runtime without a counted twin. \
     docs/memory.md lists what is refused, and what there is instead.";

IMPORT_NOT_FOUND 128 "imported module not found"
    "A samlang module `path.to.Module` is the file path/to/Module.sam, looked for from the folder of the main module on, \
     then in the library that is built in. There is none, or it cannot be read.";
CACHE_UNSAFE 129 "cache of compiled code that others can change"
    "Code that an earlier build or run has left in the folder of `cleave cache dir` is run as it is. Its files and the folder \
     must belong to the user, be writable for nobody else, and be no links, pipes or devices. What is not so is not used, and \
     the program is compiled.";
ARGUMENTS_UNREAD 130 "arguments that the program cannot read"
    "Words behind the name of the program are its arguments. Programs in this language have no way to ask for them, so \
     they would be lost without a word. Options of cleave stand before the name of the program, or begin with a dash.";
COLLECTOR_UNUSED 131 "option of a collector for a program without one"
    "`--gc` and `--nursery` say how the garbage collector works. Where references are counted, as in programs of samlang \
     and GOOPEA by default, memory is freed with the last reference, and there is no collector.";

// Words and syntax.
BAD_CHARACTER 201 "character that starts no word"
    "Labels consist of letters, digits and @ # $ % ^ & * - + / = < > \\ _ ~ . ? ' \" | ` ! : { } and ;. Other \
     characters occur only inside strings and character constants.";
UNKNOWN_DIRECTIVE 202 "unknown directive"
    "A line that starts with a dot in its first column is a directive. This word is not one that Clean compilers \
     write.";
UNKNOWN_INSTRUCTION 203 "unknown instruction"
    "A line that starts with a space or tab is an instruction. This word is not an instruction of the ABC machine. \
     Labels stand in the first column.";
OPERAND_MISSING 204 "operand missing"
    "The line ends before all operands of the instruction or directive were read. The help line shows what is \
     expected.";
OPERAND_EXTRA 205 "too many operands"
    "There is more on the line than the instruction or directive takes. A comment starts with a vertical bar.";
OPERAND_KIND 206 "operand of the wrong kind"
    "The word cannot be what is expected at this place, for instance a name where a number must stand.";
OPERAND_RANGE 207 "operand out of range"
    "The number does not fit. Stack offsets lie between 0 and 65535, counts between 0 and 1000, integer constants in \
     64 bits.";
STRING_UNTERMINATED 208 "string or character constant without end"
    "The closing quote is missing: strings end on the line where they begin. A quote inside a string is written \\\" \
     and a line break \\n. The names in descriptors have no escapes.";
LAYOUT_CONTRADICTS_ITSELF 209 "types do not match their count"
    "The directives .o and .d give the number of words on the B stack and then one letter for each: i, b, c, r and p \
     for one word, f for the two words of a file. In .record the letters give the fields, and nodes and words are \
     counted apart.";
IMPOSSIBLE_ARITY 210 "impossible arity"
    "The number of arguments of a descriptor is negative or larger than any that a Clean program can have.";
BIT_STRING 211 "bit string does not match its counts"
    "The instructions that reuse a node say with one digit per word, 0 or 1, which words are replaced. The number of \
     digits follows from the counts before it: one for the node itself (not for fill3 and fill3_r) and one per \
     argument.";
HEADER_ORDER 212 "header directive at the wrong place"
    "The line .comp comes first and once; .start, .depend, .impobj and .implib stand between it and .endinfo, \
     everything else after .endinfo.";

IR_SYNTAX 213 "IR text cannot be read"
    "The file is not IR in text form, as `--emit ir` writes it. The message says what was expected in that line.";
IR_INVALID 214 "IR breaks a rule"
    "The IR in the file can be read, but it breaks a rule of its phase: for instance a value is used where it is not \
     defined, or has another type than the instruction takes.";
IR_STOPPED 215 "a program in IR was stopped"
    "The program has done what IR says that it never does: it reached `unreachable`, or called a table of instances \
     with a node that has no entry there. No rule of the verifier finds this. `cleave run --interp=high` names the \
     instruction.";
CCALL_SIGNATURE 218 "wrong types of a C function"
    "The types of a ccall are arguments, a colon, results, and perhaps a second colon and what stays on the stacks below \
     the arguments: \"ssI:I:A\". Arguments are I or p (word), R or r (real), s (characters of a string), S (string), \
     A (elements of an array); results are V (none), I or p, R, S, Ai, Ar.";
BAD_PHASE 219 "pass for IR of another phase"
    "A pass works on IR of one phase: optimisations on high IR, `roots` makes rooted IR of it, `lower` low IR of that. \
     `cleave opt --help` lists the passes; those before `roots` need high IR.";
SYNTAX 220 "syntax error"
    "The word does not fit where it stands, or cannot be read at all. The message says what was expected. After such an \
     error the compiler goes on with the next definition, in samlang with the next member. GOOPEA calls it `syntax`.";
PREPROCESSOR 221 "wrong line for the preprocessor"
    "A line that begins with # is for the preprocessor: #include FILE, #def NAME, #undef NAME, #if NAME, #ifnot NAME, \
     #endif NAME. What #if and #ifnot skip ends at the #endif with the same name. An #endif without one of them is \
     an error.";

// Names.
UNDEFINED_LABEL 301 "undefined label"
    "The label is neither defined in this module nor by a module that it imports, nor is it a libcall of the run-time \
     system.";
DEFINED_TWICE 302 "label defined twice"
    "A label has one definition per module: a label line, a descriptor, a string or a CAF.";
NOT_EXPORTED 303 "label not exported"
    "Another module defines the label but does not export it, so it can be used only there.";
WRONG_KIND_OF_LABEL 304 "label of the wrong kind"
    "A descriptor is used where code is expected, or the other way round.";
EXPORTED_TWICE 305 "label exported by two modules"
    "Two modules export the same label. The name of the module is part of exported labels, so this happens only if \
     files were copied or written by hand.";
NO_START 306 "program without Start"
    "The main module has the line .start _nostart_: it defines no rule Start. Name the module that does.";
DUPLICATE_TYPE 307 "type defined twice"
    "Two types have the same name, or a type has the name of one that is built in: Int or Bool. GOOPEA calls it \
     `duplicate-type`.";
DUPLICATE_NAME 308 "function or constructor defined twice"
    "Functions have names of their own, and so have constructors, also those of different types. True and False are built \
     in. GOOPEA calls it `duplicate-name`. In samlang no two members of a class have the same \
     name, no two fields, and no two tags. A method has the name of a field only if an interface of the class asks for \
     it: otherwise nobody could call it.";
MISSING_MAIN 309 "program without main"
    "A program is the value of its function main, which takes nothing. GOOPEA calls it `missing-main`.";
UNKNOWN_TYPE 310 "unknown type"
    "The type of a parameter, result or field is neither built in (Int, Bool) nor defined by `enum`. GOOPEA calls it \
     `unknown-type`.";
UNKNOWN_VARIABLE 311 "unknown variable"
    "A name that stands alone means the innermost variable of that name, or else the function of that name without \
     parameters. There is neither. GOOPEA calls it `unknown-variable`.";
UNKNOWN_FUNCTION 312 "unknown function or constructor"
    "A name with arguments always means a function, never a variable; a name with a capital letter means a constructor. \
     There is none of this name. GOOPEA calls it `unknown-function`.";
UNKNOWN_CONSTRUCTOR 313 "unknown constructor in a pattern"
    "The pattern of a case names a constructor that no type has. GOOPEA calls it `unknown-constructor`.";
NAME_TAKEN 314 "name already taken"
    "In samlang no variable hides another: a `val`, a parameter or a variable of a pattern needs a name that means \
     nothing yet at its place. Blocks beside each other may use the same names. Type parameters have names of their own, \
     too, and not those of classes.";
UNKNOWN_MEMBER 315 "unknown field, method or function"
    "Behind the dot stands a name that the class does not have. `Class.name` is a function of the class or one of its \
     tags, `value.name` a field or a method of the value.";
PRIVATE 316 "private name used outside"
    "What is `private` can be used in the class, or for a class in the module, in which it is defined.";
ILLEGAL_THIS 317 "this without an object"
    "`this` is the object of a method. A `function` belongs to the class and has none.";
UNKNOWN_IMPORT 318 "imported name not found"
    "The module that is named behind `from` has no class of this name.";
UNKNOWN_CLASS 319 "unknown class"
    "The class before a dot is neither defined in this module nor imported.";
UNKNOWN_TAG 320 "unknown tag"
    "The class has no such tag. A tag alone belongs to the class in which it is written; tags of others stand behind the \
     name of their class: `Option.Some(1)`.";

// Stack simulation.
STACK_UNDERFLOW 401 "stack underflow"
    "The instruction uses an element that its function does not have: offset and counts reach below the frame that \
     .o declares.";
LAYOUT_CONFLICT 402 "stack layouts contradict each other"
    "The stacks have a certain number and kind of elements here, and a directive, another jump to the same label or \
     the declaration of the called function says otherwise.";
LAYOUT_MISSING 403 "layout directive missing"
    "Calls, returns and tail calls must be preceded by .d; functions, and the code after a call, by .o. Somewhere they \
     must say what each function returns: before its rtn, in code that it leaves to, or after a call of it.";
JUMP_INTO_FUNCTION 404 "jump into another function"
    "A jump without .d stays inside its function. To leave it, a jump needs .d and must go to a label with .o.";
FALLS_OFF_END 405 "code runs past its end"
    "The last instruction of the code is not a jump, return or halt.";

// Types and matches.
PARAMETER_COUNT 501 "parameters and their types differ in number"
    "The types of a function stand before it, one for each parameter: `(Int, Int): Int` and `add(a, b) = …`. GOOPEA calls it \
     `parameter-count`.";
ARGUMENT_COUNT 502 "wrong number of arguments"
    "A function, constructor or operator gets more or fewer arguments than it takes. A call that gives a tuple is one \
     argument, and not allowed as one. GOOPEA calls it `argument-count`.";
ARGUMENT_TYPE 503 "argument of the wrong type"
    "An argument has another type than the parameter or field. Operators take two integers. GOOPEA calls it `argument-type`.";
UNEXPECTED_TUPLE 504 "tuple where one value is needed"
    "A tuple is several values at once. It can be what a function gives, what `let` takes apart, and what a case or the \
     body of `let` gives there; it is no argument, field, operand or element of a tuple. GOOPEA calls it `unexpected-tuple`.";
LET_COUNT 505 "let and its value differ in number"
    "`let (a, b) = …` needs a value of two parts, `let a = …` a single one; `match` looks at a single one, too. GOOPEA calls it \
     `let-count`.";
PATTERN_COUNT 506 "pattern with a wrong number of fields"
    "A pattern has a variable, or `_`, for each field of the constructor. GOOPEA calls it `pattern-count`.";
BRANCH_TYPES 507 "cases of different types"
    "All cases of a match give values of the same type. GOOPEA calls it `branch-types`.";
NON_EXHAUSTIVE_MATCH 508 "match leaves something out"
    "A match has a case for each constructor, or a variable as its last pattern, which takes all that is left. A match on \
     integers always needs one. GOOPEA calls it `non-exhaustive-match`.";
DUPLICATE_CASE 509 "two cases for the same value"
    "A constructor or number is the pattern of two cases of the same match. GOOPEA calls it `duplicate-case`.";
INVALID_PATTERN 510 "pattern of another type"
    "The constructor belongs to another type than the value that is matched, or a number is matched with a value that is \
     none. GOOPEA calls it `invalid-pattern`.";
CASE_AFTER_DEFAULT 511 "case that is never reached"
    "A variable as a pattern takes all values that are left: it stands last. In samlang \
     only the first of several cases behind it is reported. GOOPEA calls it `case-after-default`.";
RETURN_TYPE 512 "body of another type than the function"
    "The body of a function gives values of other types than the types before its name say. GOOPEA calls it `return-type`.";
MAIN_PARAMETERS 513 "main with parameters"
    "The program is the value of main, and nobody would give it arguments.";
TYPE_MISMATCH 514 "another type is wanted"
    "An expression has another type than its place wants. The message says where the wanted type comes from: the result \
     of a function, a parameter, a field, an operator, an annotation, or another branch.";
TYPE_ARGUMENT_COUNT 515 "wrong number of type arguments"
    "A class, function or method has other type parameters than it gets arguments, `Map<int>` for instance. A `function` \
     does not see the type parameters of its class: it declares its own.";
NOT_INFERRED 516 "type that nothing says"
    "Types of lambdas' parameters and type arguments are found out from where they are used. Here nothing says them. \
     Write them: `(x: int) -> x`, `val e: Option<int> = …`, `Option.none<int>()`.";
INCOMPARABLE 517 "values that cannot be compared"
    "`==` and `!=` compare numbers, truth values, and the contents of strings. For other values write a method.";
NOT_A_FUNCTION 518 "call of something that is no function"
    "What stands before `(…)` is no function, method or tag.";
NOT_CONFORMING 519 "class without what its interface asks for"
    "A class that names interfaces behind a colon has all their methods, with the types that follow from the arguments of \
     the interface.";
UNMET_BOUND 520 "type without the interface that is asked for"
    "A type parameter with a bound, as in `<T: Comparable<T>>`, only takes types that have this interface. A class has an \
     interface if it names it behind a colon; `int`, `bool` and `string` have `Comparable` of the library.";
WRONG_FORM 521 "class of the wrong form"
    "Classes with fields have objects `{ field: value }`, classes with tags have matches, classes with neither are name \
     spaces, and interfaces are bounds of type parameters. The class is of another form than its use. Interfaces have \
     methods only, which everybody may call, and extend others, but never themselves.";
OBJECT_FIELDS 522 "wrong fields of an object"
    "An object gives each field of its class once. A field without a value takes the variable of its name.";
POLYMORPHIC_RECURSION 523 "recursion at ever larger types"
    "A generic function or class is compiled once for each type that it is used with. This one uses itself, directly or \
     not, with a type argument that contains its own type parameter, so there would be no end of types.";
NOT_IN_PLACE 524 "new cell in a fip function"
    "A function marked `fip` builds a cell for which it has taken none of that size apart, and --fip=checked asks that \
     there be none. Otherwise `fip` is a request, and the cell is new. `cleave check --memory-report` shows what every \
     constructor does.";
MAIN_RESULT 525 "main with a result"
    "A program prints what it passes to `Builtins.println`. The value of `Main.main` is computed, and nobody sees it: let \
     main print it, and be of type `unit`.";
CANNOT_CROSS 526 "a type that others cannot use"
    "A function that others call takes and gives data of the types that WebAssembly's Component Model has: numbers, \
     truth values, text, lists, and tuples, records and variants of such, and functions of them. Arrays, types that \
     contain themselves otherwise than a list does, and type parameters cannot cross. The message names the part of the type. \
     Write a function that takes and gives other data, make this one private, or name the functions that are exported: \
     --export NAME.";
CANNOT_EXPORT 527 "nothing that can be exported"
    "--export names functions of the main module: NAME, or CLASS.NAME where functions are in classes. A method needs \
     an object, and a function with type parameters has no type of its own: write a function that calls it.";
CANNOT_IMPORT 528 "nothing that can be imported"
    "--import CLASS=MODULE takes the public functions of a class of samlang from a module of JavaScript, which may be \
     `async` there: --import Net=./net.mjs. The class stands in some module of the program. Its functions have bodies, \
     too, which tell the types, and run where there is no JavaScript.";
WRONG_WORLD 529 "a program that does not fit a world"
    "`cleave wit PROG --check FILE` compares a program with a world in WIT: the program has to export all that the \
     world does, with the same names of parameters and types, and must not import anything else. Types are the same \
     if they have the same parts with the same names; what they are called themselves does not matter. The file has \
     the interfaces and types that the world refers to.";

// Lints.
UNUSED_VARIABLE 601 "unused variable"
    "The value that has this name is never looked at. Leave the name out, or write `_` where a name must be. Lint \
     `unused-variable`: `-A unused-variable` turns it off, `-D unused-variable` makes it an error.";
UNUSED_PARAMETER 602 "unused parameter"
    "No matter what a caller gives for this parameter, nothing changes. Leave it out; in GOOPEA a name that begins \
     with `_` says that it is meant so. Methods that an interface asks for and functions as values are not looked \
     at. Lint `unused-parameter`.";
UNUSED_FUNCTION 603 "unused function"
    "Nothing uses this function: in samlang it is private, and its class does not use it; in GOOPEA `main` does \
     not lead to it. Lint `unused-function`.";
UNUSED_IMPORT 604 "unused import"
    "The module does not use this name. Methods of a class can be called without importing it. Lint \
     `unused-import`.";
DUPLICATE_IMPORT 605 "duplicate import"
    "The same name is imported twice. Lint `duplicate-import`.";
MISLEADING_SHADOWING 606 "misleading shadowing"
    "A case that is a variable fits every value. This one has the name of another variable, so it looks as if the \
     value were compared with that. Give it another name, or compare with `==`. Lint `misleading-shadowing`.";
DIVISION_BY_ZERO 607 "division by zero"
    "The divisor is always zero: the program ends here with a message. Lint `division-by-zero`.";
CONSTANT_COMPARISON 608 "comparison with one result"
    "Both sides are the same variable or both are numbers, or a condition is written as `true` or `false`: so it \
     always has the same result. Lint `constant-comparison`.";
UNREACHABLE_CODE 609 "unreachable code"
    "What stands here is never evaluated, because what stands before it ends the program. Lint \
     `unreachable-code`.";

// Limits and unsupported features.
UNSUPPORTED_INSTRUCTION 901 "unsupported instruction"
    "The instruction exists, but is not translated. The message gives the reason: parallel Clean, obsolete, raw \
     machine code, or a fused form of the interpreter's optimiser.";
UNSUPPORTED_DIRECTIVE 902 "unsupported directive"
    "The directive exists, but is not translated.";
MODULE_IS_32_BIT 903 "module compiled for 32 bits"
    "Digit 10 (from 0) of the options in .comp is not 1: the module was compiled for 32 bits. There a Real takes two \
     words on the B stack, so such modules cannot be mixed with 64-bit ones. Compile it with the 64-bit compiler.";
UNSUPPORTED_VERSION 904 "unsupported ABC version"
    "The version in .comp is not 920, which Clean compilers have written for many years. Versions between 900 and 999 \
     are read with a warning: the language may have changed since, or may not yet have been what it is. Others are \
     refused.";
TOO_MUCH 905 "internal limit exceeded"
    "A table of the compiler is full. The message names it.";
NOT_BUILT_IN 906 "not built into this version"
    "The target, the kind of output or the engine exists in the design, but not in this version of the program, or it \
     was left out when the program was built.";
NOT_IN_C 907 "no form in C"
    "C (`--emit c`) is made of programs whose references are counted, and that need nothing of the runtime but to print \
     numbers and texts. The message names what this program has besides, and the function that has it.";
}
