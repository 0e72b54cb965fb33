//! The instruction table: every directive and instruction of the ABC language with its operands.
//!
//! Place in the pipeline: `parse` looks names up here and reads operands as the table says; `link` and `translate`
//! match on [`Opcode`]. One row per name, so that a new instruction is one row plus the `match` arms that the
//! compiler then asks for. Instructions that no current Clean compiler writes are in the table too: they are parsed
//! like all others and refused by name, with the reason that `refused` gives, if they turn out to be reachable.
//!
//! Invariant: names are unique (checked by a test), opcodes are dense, `Opcode::label` is the only row that is not a
//! word of the language. The file is long because it is one table.

/// What an operand is, how it is read, and what its `u32` in the operand table means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// Offset from the top of the A stack, 0..=65535.
    A,
    /// Offset from the top of the B stack, 0..=65535.
    B,
    /// A number of things (arguments, fields), 0..=1000.
    N,
    /// A number of stack elements to drop, or of a constructor, 0..=65535.
    Depth,
    /// Argument count of a thunk, -4..=1000; negative values are the special kinds of the collector. Stored as `i32`.
    Args,
    /// Arity of a descriptor, 0..=1000.
    Arity,
    /// 0 or 1.
    Flag,
    /// Descriptor label ([`crate::ast::Symbol`]); `_` means none.
    D,
    /// Code or data label ([`crate::ast::Symbol`]); `_` means none.
    L,
    /// As `L`; `Symbol::ABSENT` when the line ends here.
    OptL,
    /// As `N`; 2 when the line ends here (the size of an ordinary empty cell).
    OptN,
    /// 64-bit integer: index into the table of wide constants.
    Int,
    /// Double: index into the table of wide constants.
    Real,
    /// Character code 0..=255.
    Char,
    /// 0 or 1.
    Bool,
    /// String with escapes: index into the string pool.
    Str,
    /// As `Str`; not stored, may be missing.
    OptStr,
    /// String without escapes: index into the string pool.
    Raw,
    /// References to descriptors, then a raw string. Stored the other way round: string first, then the symbols.
    RefsRaw,
    /// String of 0 and 1 as a symbol, its length checked against the counts before it.
    Bits,
    /// Any word of label characters, as a symbol.
    Name,
    /// Field types of a record, as a symbol; checked against the two counts after it.
    Types,
    /// Integer of any size, its text as a symbol.
    Big,
    /// Decimal fraction of any size, its text as a symbol.
    Fraction,
    /// Counts and types of a stack layout: one operand, the number of an interned [`crate::ast::Layout`].
    Layout,
    /// All text up to the end of the line, not stored.
    Rest,
}

impl Operand {
    /// How documents write it.
    pub fn word(self) -> &'static str {
        match self {
            Operand::A => "A-OFFSET",
            Operand::B => "B-OFFSET",
            Operand::N | Operand::Depth | Operand::Args | Operand::Arity => "N",
            Operand::OptN => "[N]",
            Operand::Flag => "0|1",
            Operand::D => "DESCRIPTOR",
            Operand::L => "LABEL",
            Operand::OptL => "[LABEL]",
            Operand::Int | Operand::Big => "INTEGER",
            Operand::Real => "REAL",
            Operand::Char => "'C'",
            Operand::Bool => "TRUE|FALSE",
            Operand::Str | Operand::Raw => "\"TEXT\"",
            Operand::OptStr => "[\"TEXT\"]",
            Operand::RefsRaw => "[DESCRIPTOR…] \"TEXT\"",
            Operand::Bits => "DIGITS",
            Operand::Name => "NAME",
            Operand::Types => "TYPES",
            Operand::Fraction => "FRACTION",
            Operand::Layout => "NODES WORDS [TYPES]",
            Operand::Rest => "…",
        }
    }
}

/// Who writes an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// A line starting with a dot, or a label definition.
    Directive,
    /// The Clean compiler.
    Compiler,
    /// Only hand-written code of StdEnv and of the system module.
    Hand,
    /// Only hand-written code of other libraries.
    Library,
    /// Only the parallel Clean system.
    Parallel,
    /// Nobody any more.
    Obsolete,
    /// The optimiser of the ABC interpreter.
    Fused,
}

/// Where control goes after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// To the next instruction.
    Next,
    /// To a label or to the next instruction.
    Branch,
    /// To a label: a tail call if a `.d` stands before it, else a local jump.
    Jump,
    /// To other code and back.
    Call,
    /// To other code, which returns to our caller.
    Tail,
    /// To our caller.
    Return,
    /// Nowhere.
    Stop,
}

impl Control {
    /// True if the next instruction is never reached from this one.
    pub fn ends_block(self) -> bool {
        matches!(self, Control::Jump | Control::Tail | Control::Return | Control::Stop)
    }
}

/// One row of the table.
#[derive(Debug)]
pub struct Info {
    pub name: &'static str,
    pub class: Class,
    pub control: Control,
    pub operands: &'static [Operand],
    /// What it does, with the change of the stacks where that is short: `x` is the top, `i`, `r`, `b`, `c` are types.
    pub doc: &'static str,
}

macro_rules! opcodes {
    ($($variant:ident $name:literal $class:ident $control:ident [$($operand:ident)*] $doc:literal;)*) => {
        /// A directive, a label definition or an instruction. Spelled as in the language, so that a search for an
        /// instruction finds all its uses; directives are `dot_…` and `and%` is `bit_and`.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        pub enum Opcode { $($variant),* }

        /// All opcodes in the order of the enum.
        pub const ALL: &[Opcode] = &[$(Opcode::$variant),*];

        static TABLE: &[Info] = &[$(Info {
            name: $name,
            class: Class::$class,
            control: Control::$control,
            operands: &[$(Operand::$operand),*],
            doc: $doc,
        }),*];

        const NAMES: &[&str] = &[$($name),*];
    };
}

opcodes! {
    label                   "label"                   Directive Next   [L] "a label: where the code that follows begins";

    // Directives.
    dot_a                   ".a"                      Directive Next   [N L] "the entry for several arguments of the function that follows; a number above 0 asks for a cell below them";
    dot_ai                  ".ai"                     Directive Next   [N L L] "as `.a`, with the entry that `jsr_i` and `jmp_i` call";
    dot_algtype             ".algtype"                Directive Next   [Rest] "says nothing here";
    dot_caf                 ".caf"                    Directive Next   [L N N] "storage of a CAF: so many nodes and words";
    dot_code                ".code"                   Directive Next   [Rest] "says nothing here";
    dot_comp                ".comp"                   Directive Next   [Int Name] "version and options of the compiler";
    dot_d                   ".d"                      Directive Next   [Layout] "what the next call, jump or return finds on the stacks: nodes, words, and types of the words";
    dot_depend              ".depend"                 Directive Next   [Str OptStr] "a module that this one needs";
    dot_desc                ".desc"                   Directive Next   [D L L Arity Flag Raw] "a descriptor: of a constructor or a function, with its entries for thunks and for arguments";
    dot_desc0               ".desc0"                  Directive Next   [D Depth Raw] "the descriptor of a constructor of an enumeration, with its number";
    dot_descn               ".descn"                  Directive Next   [D L Arity Flag Raw] "the descriptor of a function that never lacks arguments";
    dot_descs               ".descs"                  Directive Next   [D L D N N Raw] "the descriptor of a selector, which the collector may evaluate";
    dot_descexp             ".descexp"                Directive Next   [D L L Arity Flag Raw] "as `.desc`; other modules see it";
    dot_end                 ".end"                    Directive Next   [] "the end of `.inline`";
    dot_endinfo             ".endinfo"                Directive Next   [] "the end of the head";
    dot_export              ".export"                 Directive Next   [L] "labels that other modules see";
    dot_impdesc             ".impdesc"                Directive Next   [D] "a descriptor of the module that `.impmod` names";
    dot_implab              ".implab"                 Directive Next   [L OptL] "a label of the module that `.impmod` names, and its update entry";
    dot_implib              ".implib"                 Directive Next   [Str] "a library to be linked";
    dot_impmod              ".impmod"                 Directive Next   [Name] "the module that the next imports come from";
    dot_impobj              ".impobj"                 Directive Next   [Str] "an object file to be linked";
    dot_inline              ".inline"                 Directive Next   [Rest] "the begin of code for other modules to take over";
    dot_keep                ".keep"                   Directive Next   [A A] "the first node must be filled before the second is used";
    dot_module              ".module"                 Directive Next   [L Str OptStr] "the name of the module";
    dot_n                   ".n"                      Directive Next   [Args D OptL] "before a node entry: number of arguments, descriptor, update entry";
    dot_newlocallabel       ".newlocallabel"          Directive Next   [Rest] "says nothing here";
    dot_n_string            ".n_string"               Directive Next   [Rest] "says nothing here";
    dot_nu                  ".nu"                     Directive Next   [N N D OptL] "as `.n`, for thunks with unboxed arguments";
    dot_o                   ".o"                      Directive Next   [Layout] "what is on the stacks at the next label, or behind a call: nodes, words, and types of the words";
    dot_pb                  ".pb"                     Directive Next   [Rest] "a profile: a function begins";
    dot_pd                  ".pd"                     Directive Next   [] "a profile: the next entry";
    dot_pe                  ".pe"                     Directive Next   [] "a profile: a function ends";
    dot_pl                  ".pl"                     Directive Next   [] "a profile: the next entry";
    dot_pld                 ".pld"                    Directive Next   [] "a profile: the next entry";
    dot_pn                  ".pn"                     Directive Next   [] "a profile: the next entry";
    dot_pt                  ".pt"                     Directive Next   [] "a profile: the next jump";
    dot_record              ".record"                 Directive Next   [D Types N N RefsRaw] "the descriptor of a record or a strict constructor: types, so many nodes and words";
    dot_start               ".start"                  Directive Next   [L] "where the program begins";
    dot_string              ".string"                 Directive Next   [L Str] "a text with its length";

    // Instructions of compiled code, of the hand-written modules and of libraries.
    absR                    "absR"                    Hand      Next   [] "absolute value of the real on top of B [B r → r]";
    acosR                   "acosR"                   Hand      Next   [] "arc cosine [B r → r]";
    addI                    "addI"                    Compiler  Next   [] "64-bit wrapping addition [B x:i y:i → (x+y):i]";
    addIo                   "addIo"                   Library   Next   [] "addition, with a flag for overflow on top [B x:i y:i → o:b (x+y):i]";
    addLU                   "addLU"                   Library   Next   [] "add the unsigned carry of x+y to h; the low sum is the second element [B h:i x:i y:i → (h+carry):i (x+y):i]";
    addR                    "addR"                    Hand      Next   [] "addition of reals [B x:r y:r → (x+y):r]";
    bit_and                 "and%"                    Compiler  Next   [] "bitwise and [B x:i y:i → (x&y):i]";
    asinR                   "asinR"                   Hand      Next   [] "arc sine [B r → r]";
    atanR                   "atanR"                   Hand      Next   [] "arc tangent [B r → r]";
    build                   "build"                   Compiler  Next   [D Args L] "make a thunk with this entry from the top nodes, the topmost as its first argument; with `_hnf` as its entry it is `buildh` [A x1..xn → node (n<0 counts as 1)]";
    buildB                  "buildB"                  Compiler  Next   [Bool] "push a boxed Boolean [A → node]";
    buildC                  "buildC"                  Compiler  Next   [Char] "push a boxed character [A → node]";
    buildI                  "buildI"                  Compiler  Next   [Int] "push a boxed integer [A → node]";
    buildR                  "buildR"                  Compiler  Next   [Real] "push a boxed real [A → node]";
    buildAC                 "buildAC"                 Compiler  Next   [Str] "push the string object of this instruction, the same one each time [A → string]";
    buildB_b                "buildB_b"                Compiler  Next   [B] "box a Boolean of the B stack, which stays [A → node]";
    buildC_b                "buildC_b"                Compiler  Next   [B] "box a character of the B stack, which stays [A → node]";
    buildF_b                "buildF_b"                Compiler  Next   [B] "box a file, two words of the B stack, which stay [A → node]";
    buildI_b                "buildI_b"                Compiler  Next   [B] "box an integer of the B stack, which stays [A → node]";
    buildR_b                "buildR_b"                Compiler  Next   [B] "box a real of the B stack, which stays [A → node]";
    buildh                  "buildh"                  Compiler  Next   [D N] "make a value: a constructor with so many arguments, or a function that lacks some; the topmost is the first [A x1..xn → node]";
    buildhr                 "buildhr"                 Compiler  Next   [D N N] "make a record of so many nodes and words, which are popped [A x1..xa → node, B y1..yb →]";
    build_r                 "build_r"                 Compiler  Next   [D N N A B] "make a record of fields that are copied from the stacks [A → node]";
    build_u                 "build_u"                 Compiler  Next   [D N N L] "make a thunk with so many nodes and words as arguments [A x1..xa → node, B y1..yb →]";
    ccall                   "ccall"                   Compiler  Call   [Name Str] "call a C function; the string gives the types of its arguments and results";
    centry                  "centry"                  Compiler  Next   [Name L Str] "make a C function that calls a label";
    CtoAC                   "CtoAC"                   Compiler  Next   [] "make a fresh one-character string [A → string, B c →]";
    cosR                    "cosR"                    Hand      Next   [] "cosine [B r → r]";
    create                  "create"                  Compiler  Next   [OptN] "push an empty cell, to be filled later [A → node]";
    create_array            "create_array"            Compiler  Next   [D N N] "make an array of this size whose elements are all the same [A elem (a nodes) → array, B size:i elem(b words) →]";
    create_array_           "create_array_"           Compiler  Next   [D N N] "make an array of this size whose elements are not set [A → array, B size:i →]";
    CtoI                    "CtoI"                    Compiler  Next   [] "the code of a character [B c → i]";
    decI                    "decI"                    Hand      Next   [] "subtract 1 [B i → i]";
    divI                    "divI"                    Compiler  Next   [] "signed division, rounded to zero [B x:i y:i → (x/y):i]";
    divLU                   "divLU"                   Library   Next   [] "divide the unsigned two-word number by a word: remainder on top, quotient below [B h:i l:i d:i → rem:i quot:i]";
    divR                    "divR"                    Hand      Next   [] "division of reals [B x:r y:r → (x/y):r]";
    entierR                 "entierR"                 Hand      Next   [] "round a real down to an integer [B r → i]";
    eqB                     "eqB"                     Hand      Next   [] "equality of Booleans [B x:b y:b → b]";
    eqB_a                   "eqB_a"                   Compiler  Next   [Bool A] "compare a boxed Boolean with a constant [B → b]";
    eqB_b                   "eqB_b"                   Compiler  Next   [Bool B] "compare a Boolean of the B stack with a constant";
    eqC                     "eqC"                     Compiler  Next   [] "equality of characters [B x:c y:c → b]";
    eqC_a                   "eqC_a"                   Compiler  Next   [Char A] "compare a boxed character with a constant [B → b]";
    eqC_b                   "eqC_b"                   Compiler  Next   [Char B] "compare a character of the B stack with a constant";
    eqD_b                   "eqD_b"                   Compiler  Next   [D N] "push whether the descriptor word on top, which stays, is this descriptor with so many arguments [B d:desc → b d (d stays)]";
    eqI                     "eqI"                     Compiler  Next   [] "equality of integers [B x:i y:i → b]";
    eqI_a                   "eqI_a"                   Compiler  Next   [Int A] "compare a boxed integer with a constant [B → b]";
    eqI_b                   "eqI_b"                   Compiler  Next   [Int B] "compare an integer of the B stack with a constant";
    eqR                     "eqR"                     Hand      Next   [] "equality of reals [B x:r y:r → b]";
    eqR_a                   "eqR_a"                   Compiler  Next   [Real A] "compare a boxed real with a constant [B → b]";
    eqR_b                   "eqR_b"                   Compiler  Next   [Real B] "compare a real of the B stack with a constant";
    eqAC_a                  "eqAC_a"                  Compiler  Next   [Str] "pop a string, push whether it is equal to the constant [A string →, B → b]";
    eq_desc                 "eq_desc"                 Compiler  Next   [D N A] "push whether a value has this descriptor with so many arguments; of records 0 [B → b]";
    eq_desc_b               "eq_desc_b"               Hand      Next   [D N] "pop a descriptor word, push whether it is this descriptor with so many arguments [B desc → b]";
    eq_nulldesc             "eq_nulldesc"             Hand      Next   [D A] "push whether a value has this descriptor, with any number of arguments [B → b]";
    exit_false              "exit_false"              Compiler  Branch [L] "pop a Boolean; go to the label if it is false [B b →]";
    expR                    "expR"                    Hand      Next   [] "e to the power [B r → r]";
    fill                    "fill"                    Compiler  Next   [D Args L A] "overwrite a node by a thunk with this entry and the top nodes as its arguments; with `_hnf` as its entry it is `fillh`";
    fill1                   "fill1"                   Compiler  Next   [D N A Bits] "overwrite parts of a unique node: the first digit says whether the descriptor, the others which arguments, from the top nodes";
    fill2                   "fill2"                   Compiler  Next   [D N A Bits] "as `fill1`, for a node with three arguments or more";
    fill3                   "fill3"                   Compiler  Next   [D N A Bits] "overwrite a node by a value that reuses the arguments of the node on top; each 1 is an argument from the stack";
    fill1_r                 "fill1_r"                 Compiler  Next   [D N N A Bits] "as `fill1`, for a record";
    fill2_r                 "fill2_r"                 Compiler  Next   [D N N A Bits] "as `fill2`, for a record";
    fill3_r                 "fill3_r"                 Compiler  Next   [D N N A Bits] "as `fill3`, for a record";
    fillcaf                 "fillcaf"                 Compiler  Next   [L N N] "store the value of a CAF: so many nodes and words, which stay";
    fillcp                  "fillcp"                  Compiler  Next   [D N L A Bits] "overwrite parts of a thunk: the first digit says whether its entry, the others which arguments";
    fillcp_u                "fillcp_u"                Compiler  Next   [D N N L A Bits] "as `fillcp`, for a thunk with unboxed arguments";
    fill_u                  "fill_u"                  Compiler  Next   [D N N L A] "overwrite a node by a thunk with so many nodes and words as arguments [B y1..yb →]";
    fillh                   "fillh"                   Compiler  Next   [D N A] "overwrite a node by a value with the top nodes as its arguments";
    fillB                   "fillB"                   Compiler  Next   [Bool A] "overwrite a node by a boxed Boolean";
    fillB_b                 "fillB_b"                 Compiler  Next   [B A] "overwrite a node by a boxed Boolean of the B stack, which stays";
    fillC                   "fillC"                   Compiler  Next   [Char A] "overwrite a node by a boxed character";
    fillC_b                 "fillC_b"                 Compiler  Next   [B A] "overwrite a node by a boxed character of the B stack, which stays";
    fillF_b                 "fillF_b"                 Compiler  Next   [B A] "overwrite a node by a boxed file of the B stack, which stays";
    fillI                   "fillI"                   Compiler  Next   [Int A] "overwrite a node by a boxed integer";
    fillI_b                 "fillI_b"                 Compiler  Next   [B A] "overwrite a node by a boxed integer of the B stack, which stays";
    fillR                   "fillR"                   Compiler  Next   [Real A] "overwrite a node by a boxed real";
    fillR_b                 "fillR_b"                 Compiler  Next   [B A] "overwrite a node by a boxed real of the B stack, which stays";
    fill_a                  "fill_a"                  Compiler  Next   [A A] "copy a value over a node";
    fill_r                  "fill_r"                  Compiler  Next   [D N N A A B] "overwrite a node by a record of fields that are copied from the stacks";
    getWL                   "getWL"                   Hand      Next   [A] "nothing (parallel Clean)";
    get_desc_arity_offset   "get_desc_arity_offset"   Library   Next   [] "push the bytes between rows of a descriptor [B → i]";
    get_desc_flags_b        "get_desc_flags_b"        Library   Next   [] "the flags of a descriptor [B desc → i]";
    get_desc0_number        "get_desc0_number"        Library   Next   [] "the number of a constructor of an enumeration [B desc → i]";
    get_node_arity          "get_node_arity"          Compiler  Next   [A] "push how many arguments a value holds; for records 256 and its words [B → i]";
    get_thunk_arity         "get_thunk_arity"         Library   Next   [] "how many arguments the thunks of an entry have [B entry → i]";
    get_thunk_desc          "get_thunk_desc"          Library   Next   [] "the descriptor of an entry [B entry → desc]";
    gtI                     "gtI"                     Compiler  Next   [] "greater, signed [B x:i y:i → (x>y):b]";
    halt                    "halt"                    Compiler  Stop   [] "end the program with status 255";
    incI                    "incI"                    Hand      Next   [] "add 1 [B i → i]";
    instruction             "instruction"             Library   Next   [Int] "a raw machine instruction";
    is_record               "is_record"               Hand      Next   [A] "push whether a value is a record or a strict constructor [B → b]";
    ItoC                    "ItoC"                    Compiler  Next   [] "the character with the low 8 bits [B i → c]";
    ItoR                    "ItoR"                    Hand      Next   [] "integer to real [B i → r]";
    jmp                     "jmp"                     Compiler  Jump   [L] "go to a label of this function, or a tail call of another one, if a `.d` stands before it";
    jmp_ap                  "jmp_ap"                  Compiler  Tail   [N] "tail call: apply the function on top to so many arguments";
    jmp_i                   "jmp_i"                   Compiler  Tail   [N] "tail call of a class member through the closure on top";
    jmp_eval                "jmp_eval"                Compiler  Tail   [] "return the node, evaluated";
    jmp_eval_upd            "jmp_eval_upd"            Compiler  Tail   [] "evaluate the node on top, overwrite the one below by the value and return it";
    jmp_false               "jmp_false"               Compiler  Branch [L] "pop; go to the label if it is zero [B b →]";
    jmp_not_eqZ             "jmp_not_eqZ"             Compiler  Branch [Big L] "go to the label unless the Integer on top of both stacks is the constant; nothing is popped";
    jmp_true                "jmp_true"                Compiler  Branch [L] "pop; go to the label unless it is zero [B b →]";
    jsr                     "jsr"                     Compiler  Call   [L] "call a function; `.d` before it gives its arguments, `.o` behind it its results";
    jsr_ap                  "jsr_ap"                  Compiler  Call   [N] "apply the function on top to so many arguments [A f x1..xn → result]";
    jsr_eval                "jsr_eval"                Compiler  Call   [A] "evaluate a node, in its place";
    jsr_i                   "jsr_i"                   Compiler  Call   [N] "call a class member through the closure on top, with arguments as its type says";
    lnR                     "lnR"                     Hand      Next   [] "natural logarithm [B r → r]";
    load_i                  "load_i"                  Library   Next   [Int] "load a word at an address and offset [B addr → i]";
    load_module_name        "load_module_name"        Library   Next   [] "follow a pointer to the name of a module [B addr → addr]";
    load_si16               "load_si16"               Library   Next   [Int] "load signed 16 bits at an address and offset [B addr → i]";
    load_si32               "load_si32"               Library   Next   [Int] "load signed 32 bits at an address and offset [B addr → i]";
    load_ui8                "load_ui8"                Library   Next   [Int] "load a byte at an address and offset [B addr → i]";
    log10R                  "log10R"                  Hand      Next   [] "decimal logarithm [B r → r]";
    ltC                     "ltC"                     Compiler  Next   [] "less, of characters [B x:c y:c → (x<y):b]";
    ltI                     "ltI"                     Compiler  Next   [] "less, signed [B x:i y:i → (x<y):b]";
    ltR                     "ltR"                     Hand      Next   [] "less, of reals [B x:r y:r → (x<y):b]";
    ltU                     "ltU"                     Library   Next   [] "less, unsigned [B x:i y:i → (x<y):b]";
    mulI                    "mulI"                    Compiler  Next   [] "64-bit wrapping multiplication [B x:i y:i → (x*y):i]";
    mulIo                   "mulIo"                   Library   Next   [] "multiplication, with a flag for overflow on top [B x:i y:i → o:b (x*y):i]";
    mulR                    "mulR"                    Hand      Next   [] "multiplication of reals [B x:r y:r → (x*y):r]";
    mulUUL                  "mulUUL"                  Library   Next   [] "unsigned product of two words: high word on top [B x:i y:i → hi:i lo:i]";
    negI                    "negI"                    Compiler  Next   [] "the negative number [B i → i]";
    negR                    "negR"                    Hand      Next   [] "the negative real [B r → r]";
    no_op                   "no_op"                   Hand      Next   [] "nothing";
    notB                    "notB"                    Compiler  Next   [] "not, of a Boolean [B b → b]";
    bit_not                 "not%"                    Compiler  Next   [] "bitwise complement [B i → i]";
    bit_or                  "or%"                     Compiler  Next   [] "bitwise or [B x:i y:i → (x|y):i]";
    pop_a                   "pop_a"                   Compiler  Next   [Depth] "drop n nodes [A x1..xn →]";
    pop_b                   "pop_b"                   Compiler  Next   [Depth] "drop n words [B y1..yn →]";
    powR                    "powR"                    Hand      Next   [] "the top one to the power of the second [B x:r y:r → (x^y):r]";
    print                   "print"                   Compiler  Next   [Str] "write this text";
    printD                  "printD"                  Hand      Next   [] "write the name of a descriptor, or a text, that the word on top is the address of [B addr →]";
    print_char              "print_char"              Hand      Next   [] "write a character [B c →]";
    print_int               "print_int"               Hand      Next   [] "write an integer [B i →]";
    print_real              "print_real"              Hand      Next   [] "write a real with 15 digits [B r →]";
    print_sc                "print_sc"                Hand      Next   [Str] "write this text, if constructors are shown";
    print_symbol_sc         "print_symbol_sc"         Hand      Next   [A] "write a basic value or the name of a node, as the options for showing results say";
    pushcaf                 "pushcaf"                 Compiler  Next   [L N N] "push the value of a CAF: so many nodes and words [A → a nodes, B → b words]";
    push_finalizers         "push_finalizers"         Library   Next   [] "push the list of finalizers [A → list]";
    pushA_a                 "pushA_a"                 Hand      Next   [A] "as `push_array`";
    pushB                   "pushB"                   Compiler  Next   [Bool] "push a Boolean [B → b]";
    pushB_a                 "pushB_a"                 Compiler  Next   [A] "push the Boolean of a node [B → b]";
    pushC                   "pushC"                   Compiler  Next   [Char] "push a character [B → c]";
    pushC_a                 "pushC_a"                 Compiler  Next   [A] "push the character of a node [B → c]";
    pushD                   "pushD"                   Compiler  Next   [D] "push the address of a descriptor or a text [B → addr]";
    pushD_a                 "pushD_a"                 Compiler  Next   [A] "push the descriptor word of a value [B → desc]";
    pushF_a                 "pushF_a"                 Compiler  Next   [A] "push the file of a node: two words [B → f (2 words)]";
    pushI                   "pushI"                   Compiler  Next   [Int] "push an integer [B → i]";
    pushI_a                 "pushI_a"                 Compiler  Next   [A] "push the integer of a node [B → i]";
    pushL                   "pushL"                   Library   Next   [L] "push the address of a label [B → addr]";
    pushLc                  "pushLc"                  Library   Next   [Name] "push the address of a C function [B → addr]";
    pushR                   "pushR"                   Compiler  Next   [Real] "push a real [B → r]";
    pushR_a                 "pushR_a"                 Compiler  Next   [A] "push the real of a node [B → r]";
    push_a                  "push_a"                  Compiler  Next   [A] "push a node of the A stack again";
    push_b                  "push_b"                  Compiler  Next   [B] "push a word of the B stack again";
    push_a_b                "push_a_b"                Library   Next   [A] "push the address of a node as a word [B → addr]";
    push_arg                "push_arg"                Compiler  Next   [A N N] "push an argument of a value that holds n; the first is 1";
    push_arg_b              "push_arg_b"              Compiler  Next   [A] "as `push_arg`, with numbers from the B stack: which one on top, how many below [B k:i n:i →]";
    push_args               "push_args"               Compiler  Next   [A N N] "push the first m arguments of a value that holds n";
    push_args_u             "push_args_u"             Compiler  Next   [A N N] "as `push_args`, of a unique node that will be reused [A → arg1..argm]";
    push_array              "push_array"              Compiler  Next   [A] "push the array that a node holds";
    push_arraysize          "push_arraysize"          Compiler  Next   [D N N] "pop an array, push its size [A array →, B → size:i]";
    push_node               "push_node"               Compiler  Next   [L N] "the begin of a node entry: mark the thunk on top with this entry and push its arguments above it [A node → arg1..argn node]";
    push_node_u             "push_node_u"             Compiler  Next   [L N N] "as `push_node`, of a thunk with unboxed arguments [A node → arg1..arga node, B → word1..wordb]";
    push_a_r_args           "push_a_r_args"           Hand      Next   [] "take a record out of an array and push all its parts, whatever they are, and the address of its type";
    push_t_r_a              "push_t_r_a"              Hand      Next   [A] "push the address of the type of a record [B → addr]";
    push_t_r_args           "push_t_r_args"           Hand      Next   [] "replace a record by all its parts, whatever they are, and the address of its type";
    push_r_args             "push_r_args"             Compiler  Next   [A N N] "push all fields of a record";
    push_r_args_a           "push_r_args_a"           Compiler  Next   [A N N N N] "push m nodes of a record, from number k on [A → m nodes]";
    push_r_args_b           "push_r_args_b"           Compiler  Next   [A N N N N] "push m words of a record, from number k on [B → m words]";
    push_r_args_u           "push_r_args_u"           Compiler  Next   [A N N] "as `push_r_args`, of a unique record that will be reused [A → a nodes, B → b words]";
    push_r_arg_D            "push_r_arg_D"            Hand      Next   [] "load a descriptor behind the type of a record [B addr:i i:i → desc]";
    push_r_arg_t            "push_r_arg_t"            Hand      Next   [] "load a letter of the type of a record [B addr → char code]";
    push_r_arg_u            "push_r_arg_u"            Compiler  Next   [A N N N N N N] "push some nodes and words of a unique record that will be reused [A → ma nodes, B → mb words]";
    pushZ                   "pushZ"                   Compiler  Next   [Big] "push an Integer: a number on B, its digits on A [A → array, B → i]";
    pushZR                  "pushZR"                  Compiler  Next   [Fraction] "push a fraction: two Integers [A → array array, B → i i]";
    release                 "release"                 Hand      Next   [] "nothing (parallel Clean)";
    remI                    "remI"                    Compiler  Next   [] "remainder with the sign of the dividend [B x:i y:i → (x rem y):i]";
    replace                 "replace"                 Compiler  Next   [D N N] "exchange an element of an array; the old one comes above the array [A array elem(a nodes) → oldelem array, B index:i elem(b words) → old words]";
    repl_arg                "repl_arg"                Hand      Next   [N N] "replace the top node, which holds n arguments, by one of them";
    repl_args               "repl_args"               Compiler  Next   [N N] "replace the top node by its first m arguments [A node → arg1..argm]";
    repl_args_b             "repl_args_b"             Hand      Next   [] "as `repl_args`, with numbers from the B stack [B n:i m:i →]";
    repl_r_args             "repl_r_args"             Compiler  Next   [N N] "replace the top record by its fields [A record → a nodes, B → b words]";
    repl_r_args_a           "repl_r_args_a"           Compiler  Next   [N N N N] "replace the top record by m of its nodes, from number k on [A record → m nodes]";
    rtn                     "rtn"                     Compiler  Return [] "return; only the results are left on the stacks";
    RtoI                    "RtoI"                    Hand      Next   [] "round a real to the nearest integer [B r → i]";
    select                  "select"                  Compiler  Next   [D N N] "pop an array and an index, push the element [A array → elem (a nodes), B index:i → elem (b words)]";
    set_finalizers          "set_finalizers"          Library   Next   [] "make the top node the list of finalizers; it stays";
    shiftl                  "shiftl%"                 Compiler  Next   [] "shift left [B x:i n:i → (x<<n):i]";
    shiftr                  "shiftr%"                 Compiler  Next   [] "arithmetic shift right [B x:i n:i → (x>>n):i]";
    shiftrU                 "shiftrU"                 Library   Next   [] "logical shift right [B x:i n:i → i]";
    sinR                    "sinR"                    Hand      Next   [] "sine [B r → r]";
    sqrtR                   "sqrtR"                   Hand      Next   [] "square root [B r → r]";
    subI                    "subI"                    Compiler  Next   [] "subtraction: top minus second [B x:i y:i → (x-y):i]";
    subIo                   "subIo"                   Library   Next   [] "subtraction, with a flag for overflow on top [B x:i y:i → o:b (x-y):i]";
    subLU                   "subLU"                   Library   Next   [] "subtract the unsigned borrow of x-y from h [B h:i x:i y:i → (h-borrow):i (x-y):i]";
    subR                    "subR"                    Hand      Next   [] "subtraction of reals [B x:r y:r → (x-y):r]";
    tanR                    "tanR"                    Hand      Next   [] "tangent [B r → r]";
    testcaf                 "testcaf"                 Compiler  Next   [L] "push whether a CAF has its value [B → i]";
    update                  "update"                  Compiler  Next   [D N N] "overwrite an element of an array [A array elem(a nodes) → array, B index:i elem(b words) →]";
    update_a                "update_a"                Compiler  Next   [A A] "copy a slot of the A stack to another";
    updatepop_a             "updatepop_a"             Compiler  Next   [A A] "copy a slot of the A stack to another, then drop so many";
    update_b                "update_b"                Compiler  Next   [B B] "copy a slot of the B stack to another";
    updatepop_b             "updatepop_b"             Compiler  Next   [B B] "copy a slot of the B stack to another, then drop so many";
    bit_xor                 "xor%"                    Compiler  Next   [] "bitwise exclusive or [B x:i y:i → (x xor y):i]";

    // Parallel Clean.
    copy_graph              "copy_graph"              Parallel  Next   [A] "copy a graph (parallel Clean)";
    code_channelP           "code_channelP"           Parallel  Next   [Rest] "parallel Clean";
    create_channel          "create_channel"          Parallel  Next   [L] "parallel Clean";
    currentP                "currentP"                Parallel  Next   [] "parallel Clean";
    ItoP                    "ItoP"                    Parallel  Next   [] "parallel Clean";
    new_ext_reducer         "new_ext_reducer"         Parallel  Next   [D A] "parallel Clean";
    new_int_reducer         "new_int_reducer"         Parallel  Next   [L A] "parallel Clean";
    newP                    "newP"                    Parallel  Next   [] "parallel Clean";
    putWL                   "putWL"                   Parallel  Next   [A] "nothing (parallel Clean)";
    randomP                 "randomP"                 Parallel  Next   [] "parallel Clean";
    send_graph              "send_graph"              Parallel  Next   [L A A] "parallel Clean";
    send_request            "send_request"            Parallel  Next   [A] "parallel Clean";
    set_continue            "set_continue"            Parallel  Next   [A] "parallel Clean";
    set_defer               "set_defer"               Parallel  Next   [A] "parallel Clean";
    set_entry               "set_entry"               Parallel  Next   [L A] "overwrite the entry of a node (parallel Clean)";
    setwait                 "setwait"                 Parallel  Next   [A] "nothing (parallel Clean)";
    stop_reducer            "stop_reducer"            Parallel  Stop   [] "parallel Clean";
    suspend                 "suspend"                 Parallel  Next   [] "parallel Clean";

    // Obsolete: no Clean compiler writes them.
    add_args                "add_args"                Obsolete  Next   [N N N] "add arguments to a curried node; nobody writes it";
    andB                    "andB"                    Obsolete  Next   [] "and of two Booleans";
    catS                    "catS"                    Obsolete  Next   [A A A] "concatenate strings into a node";
    call                    "call"                    Obsolete  Call   [Rest] "call machine code, of old processors alone";
    cmpS                    "cmpS"                    Obsolete  Next   [A A] "compare two strings";
    ceilingR                "ceilingR"                Obsolete  Next   [] "round a real up to an integer";
    clzb                    "clzb"                    Obsolete  Next   [] "count the leading zero bits";
    del_args                "del_args"                Obsolete  Next   [A N A] "take arguments from a curried node; nobody writes it";
    divU                    "divU"                    Obsolete  Next   [] "unsigned division";
    eq_symbol               "eq_symbol"               Obsolete  Next   [A A] "push whether two values have the same descriptor, or are the same basic value";
    floordivI               "floordivI"               Obsolete  Next   [] "division, rounded down";
    get_desc_arity          "get_desc_arity"          Obsolete  Next   [A] "push the arity of the descriptor of a node";
    gtC                     "gtC"                     Obsolete  Next   [] "greater, of characters";
    gtR                     "gtR"                     Obsolete  Next   [] "greater, of reals";
    gtU                     "gtU"                     Obsolete  Next   [] "greater, unsigned";
    in_regs                 "in"                      Obsolete  Next   [Rest] "pass values to machine code, of old processors alone";
    jmp_ap_upd              "jmp_ap_upd"              Obsolete  Tail   [N] "apply, copy the result over a node and return it";
    jmp_upd                 "jmp_upd"                 Obsolete  Tail   [L] "tail call, and copy the result over a node";
    jrsr                    "jrsr"                    Obsolete  Call   [L] "call a label of the runtime";
    modI                    "modI"                    Obsolete  Next   [] "remainder with the sign of the divisor";
    orB                     "orB"                     Obsolete  Next   [] "or of two Booleans";
    out_regs                "out"                     Obsolete  Next   [Rest] "take values from machine code, of old processors alone";
    print_r_arg             "print_r_arg"             Obsolete  Next   [N] "nothing that is written any more";
    print_symbol            "print_symbol"            Obsolete  Next   [A] "write a basic value or the name of a node, characters in quotes";
    pushzs                  "pushzs"                  Obsolete  Next   [Str] "push the address of a text that ends with a zero byte";
    push_b_a                "push_b_a"                Obsolete  Next   [B] "push a word as a node";
    push_wl_args            "push_wl_args"            Obsolete  Next   [N N N] "as `push_args`";
    remU                    "remU"                    Obsolete  Next   [] "unsigned remainder";
    rotl                    "rotl%"                   Obsolete  Next   [] "rotate x left by n";
    rotr                    "rotr%"                   Obsolete  Next   [] "rotate x right by n";
    sincosR                 "sincosR"                 Obsolete  Next   [] "sine and cosine";
    sliceS                  "sliceS"                  Obsolete  Next   [A A] "a part of a string";
    truncateR               "truncateR"               Obsolete  Next   [] "round a real to zero";
    updateS                 "updateS"                 Obsolete  Next   [A A] "overwrite a character of a string";

    // Fused forms made by the optimiser of the interpreter.
    addIi                   "addIi"                   Fused     Next   [Int] "add a constant";
    andIi                   "andIi"                   Fused     Next   [Int] "and with a constant";
    andIio                  "andIio"                  Fused     Next   [Int B] "push b[boff] and constant";
    buildh0_dup_a           "buildh0_dup_a"           Fused     Next   [D A] "buildh D 0, then copy to one deeper slot";
    buildh0_dup2_a          "buildh0_dup2_a"          Fused     Next   [D A] "buildh D 0, then copy to two deeper slots";
    buildh0_dup3_a          "buildh0_dup3_a"          Fused     Next   [D A] "buildh D 0, then copy to three deeper slots";
    buildh0_put_a           "buildh0_put_a"           Fused     Next   [D A] "store buildh D 0 in a slot without growing the stack";
    buildh0_put_a_jsr       "buildh0_put_a_jsr"       Fused     Call   [D A L] "buildh0_put_a followed by jsr L";
    buildho2                "buildho2"                Fused     Next   [D A A] "buildh D 2 from two stack slots";
    buildo1                 "buildo1"                 Fused     Next   [L A] "build a one-argument thunk from a slot";
    buildo2                 "buildo2"                 Fused     Next   [L A A] "build a two-argument thunk from two slots";
    dup_a                   "dup_a"                   Fused     Next   [A] "copy the top to a slot";
    dup2_a                  "dup2_a"                  Fused     Next   [A] "copy the top to two slots";
    dup3_a                  "dup3_a"                  Fused     Next   [A] "copy the top to three slots";
    eqCc                    "eqCc"                    Fused     Next   [Char] "compare with constant";
    eqIi                    "eqIi"                    Fused     Next   [Int] "compare with constant";
    exchange_a              "exchange_a"              Fused     Next   [A A] "exchange";
    fill_a01_pop_rtn        "fill_a01_pop_rtn"        Fused     Return [] "fill_a 0 1; pop_a 1; rtn";
    geC                     "geC"                     Fused     Next   [] "greater or equal";
    jmp_b_false             "jmp_b_false"             Fused     Branch [B L] "branch if b[boff] is zero";
    jmp_eqACio              "jmp_eqACio"              Fused     Branch [Str A L] "branch if string equals constant";
    jmp_eqC_b               "jmp_eqC_b"               Fused     Branch [Char B L] "fused compare and branch";
    jmp_eqC_b2              "jmp_eqC_b2"              Fused     Branch [Char Char B L L] "two-way fused compare and branch";
    jmp_eqCc                "jmp_eqCc"                Fused     Branch [Char L] "fused compare and branch";
    jmp_eqD_b               "jmp_eqD_b"               Fused     Branch [D N L] "fused descriptor compare and branch";
    jmp_eqD_b2              "jmp_eqD_b2"              Fused     Branch [D N L D N L] "two-way fused descriptor compare";
    jmp_eqI                 "jmp_eqI"                 Fused     Branch [L] "fused compare and branch";
    jmp_eqI_b               "jmp_eqI_b"               Fused     Branch [Int B L] "fused compare and branch";
    jmp_eqI_b2              "jmp_eqI_b2"              Fused     Branch [Int Int B L L] "two-way fused compare";
    jmp_eqIi                "jmp_eqIi"                Fused     Branch [Int L] "fused compare with constant";
    jmp_eq_desc             "jmp_eq_desc"             Fused     Branch [D N A L] "fused eq_desc and branch";
    jmp_geI                 "jmp_geI"                 Fused     Branch [L] "fused compare and branch";
    jmp_ltI                 "jmp_ltI"                 Fused     Branch [L] "fused compare and branch";
    jmp_neC_b               "jmp_neC_b"               Fused     Branch [Char B L] "fused compare and branch";
    jmp_neCc                "jmp_neCc"                Fused     Branch [Char L] "fused compare and branch";
    jmp_neI                 "jmp_neI"                 Fused     Branch [L] "fused compare and branch";
    jmp_neI_b               "jmp_neI_b"               Fused     Branch [Int B L] "fused compare and branch";
    jmp_neIi                "jmp_neIi"                Fused     Branch [Int L] "fused compare and branch";
    jmp_ne_desc             "jmp_ne_desc"             Fused     Branch [D N A L] "fused eq_desc and branch";
    jmp_o_geI               "jmp_o_geI"               Fused     Branch [B L] "fused compare and branch";
    jmp_o_geI_arraysize_a   "jmp_o_geI_arraysize_a"   Fused     Branch [D B A L] "branch if index is not below the array size";
    ltIi                    "ltIi"                    Fused     Next   [Int] "compare with constant";
    neI                     "neI"                     Fused     Next   [] "not equal";
    pop_a_jmp               "pop_a_jmp"               Fused     Jump   [Depth L] "pop_a n; jmp L";
    pop_a_jsr               "pop_a_jsr"               Fused     Call   [Depth L] "pop_a n; jsr L";
    pop_a_rtn               "pop_a_rtn"               Fused     Return [Depth] "pop_a n; rtn";
    pop_ab_rtn              "pop_ab_rtn"              Fused     Return [Depth Depth] "pop_a; pop_b; rtn";
    pop_b_jmp               "pop_b_jmp"               Fused     Jump   [Depth L] "pop_b n; jmp L";
    pop_b_jsr               "pop_b_jsr"               Fused     Call   [Depth L] "pop_b n; jsr L";
    pop_b_pushB             "pop_b_pushB"             Fused     Next   [Depth Bool] "pop_b n; pushB";
    pop_b_rtn               "pop_b_rtn"               Fused     Return [Depth] "pop_b n; rtn";
    push2_a                 "push2_a"                 Fused     Next   [A] "push two adjacent slots";
    push2_b                 "push2_b"                 Fused     Next   [B] "push two adjacent slots";
    push3_a                 "push3_a"                 Fused     Next   [A] "push three adjacent slots";
    push3_b                 "push3_b"                 Fused     Next   [B] "push three adjacent slots";
    pushB0_pop_a1           "pushB0_pop_a1"           Fused     Next   [] "unbox top and pop";
    pushC0_pop_a1           "pushC0_pop_a1"           Fused     Next   [] "unbox top and pop";
    pushI0_pop_a1           "pushI0_pop_a1"           Fused     Next   [] "unbox top and pop";
    pushD_a_jmp_eqD_b2      "pushD_a_jmp_eqD_b2"      Fused     Branch [A D N L D N L] "pushD_a and jmp_eqD_b2";
    push_a2                 "push_a2"                 Fused     Next   [A A] "push two slots";
    push_a_jsr              "push_a_jsr"              Fused     Call   [A L] "push_a; jsr";
    push_ab                 "push_ab"                 Fused     Next   [A B] "push one of each";
    push_arraysize_a        "push_arraysize_a"        Fused     Next   [D N N A] "size of an array without popping";
    push_b2                 "push_b2"                 Fused     Next   [B B] "push two slots";
    push_b_decI             "push_b_decI"             Fused     Next   [B] "push_b; decI";
    push_b_incI             "push_b_incI"             Fused     Next   [B] "push_b; incI";
    push_b_jsr              "push_b_jsr"              Fused     Call   [B L] "push_b; jsr";
    push_jsr_eval           "push_jsr_eval"           Fused     Call   [A] "push_a; jsr_eval 0";
    push_update_a           "push_update_a"           Fused     Next   [A A] "push a slot and overwrite it with another";
    put_a                   "put_a"                   Fused     Next   [A] "update_a 0 n; pop_a 1";
    put_a_jmp               "put_a_jmp"               Fused     Jump   [A L] "put_a; jmp";
    put_b                   "put_b"                   Fused     Next   [B] "update_b 0 n; pop_b 1";
    put_b_jmp               "put_b_jmp"               Fused     Jump   [B L] "put_b; jmp";
    selectoo                "selectoo"                Fused     Next   [D N N A B] "select without popping";
    swap_a                  "swap_a"                  Fused     Next   [A] "exchange";
    swap_a1                 "swap_a1"                 Fused     Next   [] "exchange";
    swap_b1                 "swap_b1"                 Fused     Next   [] "exchange";
    update2_a               "update2_a"               Fused     Next   [A A] "two adjacent update_a";
    update2_b               "update2_b"               Fused     Next   [B B] "two adjacent update_b";
    update2pop_a            "update2pop_a"            Fused     Next   [A A] "update2_a and pop";
    update2pop_b            "update2pop_b"            Fused     Next   [B B] "update2_b and pop";
    update3_a               "update3_a"               Fused     Next   [A A] "three adjacent update_a";
    update3_b               "update3_b"               Fused     Next   [B B] "three adjacent update_b";
    update3pop_a            "update3pop_a"            Fused     Next   [A A] "update3_a and pop";
    update3pop_b            "update3pop_b"            Fused     Next   [B B] "update3_b and pop";
    update4_a               "update4_a"               Fused     Next   [A A] "four adjacent update_a";
    updates2_a              "updates2_a"              Fused     Next   [A A A] "slot chain";
    updates2_a_pop_a        "updates2_a_pop_a"        Fused     Next   [A A A N] "slot chain and pop";
    updates2_b              "updates2_b"              Fused     Next   [B B B] "slot chain";
    updates2pop_a           "updates2pop_a"           Fused     Next   [A A A] "slot chain and pop";
    updates2pop_b           "updates2pop_b"           Fused     Next   [B B B] "slot chain and pop";
    updates3_a              "updates3_a"              Fused     Next   [A A A A] "slot chain";
    updates3_b              "updates3_b"              Fused     Next   [B B B B] "slot chain";
    updates3pop_a           "updates3pop_a"           Fused     Next   [A A A A] "slot chain and pop";
    updates3pop_b           "updates3pop_b"           Fused     Next   [B B B B] "slot chain and pop";
    updates4_a              "updates4_a"              Fused     Next   [A A A A A] "slot chain";
}

impl Opcode {
    /// The row of the table.
    #[inline]
    pub fn info(self) -> &'static Info {
        &TABLE[self as usize]
    }

    /// The word of the language.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Finds the opcode of a directive (with its dot) or an instruction.
    #[inline]
    pub fn find(name: &[u8]) -> Option<Opcode> {
        let mut slot = hash(name) & SLOT_MASK;
        loop {
            let entry = SLOTS[slot];
            if entry == EMPTY {
                return None;
            }
            if NAMES[entry as usize].as_bytes() == name {
                let opcode = ALL[entry as usize];
                // "label" is our own word for a label definition, not an instruction.
                return (opcode != Opcode::label).then_some(opcode);
            }
            slot = (slot + 1) & SLOT_MASK;
        }
    }
}

// Names are found by open addressing in a table that is computed at compile time: no start-up cost, no lock.
const SLOT_COUNT: usize = 1024;
const SLOT_MASK: usize = SLOT_COUNT - 1;
const EMPTY: u16 = u16::MAX;
static SLOTS: [u16; SLOT_COUNT] = build_slots();

const fn hash(name: &[u8]) -> usize {
    let mut state: u32 = 0x811c_9dc5;
    let mut at = 0;
    while at < name.len() {
        state = (state ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (state ^ (state >> 15)) as usize
}

const fn build_slots() -> [u16; SLOT_COUNT] {
    let mut slots = [EMPTY; SLOT_COUNT];
    let mut index = 0;
    while index < NAMES.len() {
        let mut slot = hash(NAMES[index].as_bytes()) & SLOT_MASK;
        while slots[slot] != EMPTY {
            slot = (slot + 1) & SLOT_MASK;
        }
        slots[slot] = index as u16;
        index += 1;
    }
    slots
}
