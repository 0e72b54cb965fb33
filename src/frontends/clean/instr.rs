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
}

macro_rules! opcodes {
    ($($variant:ident $name:literal $class:ident $control:ident [$($operand:ident)*];)*) => {
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
        }),*];

        const NAMES: &[&str] = &[$($name),*];
    };
}

opcodes! {
    label                   "label"                   Directive Next   [L];

    // Directives.
    dot_a                   ".a"                      Directive Next   [N L];
    dot_ai                  ".ai"                     Directive Next   [N L L];
    dot_algtype             ".algtype"                Directive Next   [Rest];
    dot_caf                 ".caf"                    Directive Next   [L N N];
    dot_code                ".code"                   Directive Next   [Rest];
    dot_comp                ".comp"                   Directive Next   [Int Name];
    dot_d                   ".d"                      Directive Next   [Layout];
    dot_depend              ".depend"                 Directive Next   [Str OptStr];
    dot_desc                ".desc"                   Directive Next   [D L L Arity Flag Raw];
    dot_desc0               ".desc0"                  Directive Next   [D Depth Raw];
    dot_descn               ".descn"                  Directive Next   [D L Arity Flag Raw];
    dot_descs               ".descs"                  Directive Next   [D L D N N Raw];
    dot_descexp             ".descexp"                Directive Next   [D L L Arity Flag Raw];
    dot_end                 ".end"                    Directive Next   [];
    dot_endinfo             ".endinfo"                Directive Next   [];
    dot_export              ".export"                 Directive Next   [L];
    dot_impdesc             ".impdesc"                Directive Next   [D];
    dot_implab              ".implab"                 Directive Next   [L OptL];
    dot_implib              ".implib"                 Directive Next   [Str];
    dot_impmod              ".impmod"                 Directive Next   [Name];
    dot_impobj              ".impobj"                 Directive Next   [Str];
    dot_inline              ".inline"                 Directive Next   [Rest];
    dot_keep                ".keep"                   Directive Next   [A A];
    dot_module              ".module"                 Directive Next   [L Str OptStr];
    dot_n                   ".n"                      Directive Next   [Args D OptL];
    dot_newlocallabel       ".newlocallabel"          Directive Next   [Rest];
    dot_n_string            ".n_string"               Directive Next   [Rest];
    dot_nu                  ".nu"                     Directive Next   [N N D OptL];
    dot_o                   ".o"                      Directive Next   [Layout];
    dot_pb                  ".pb"                     Directive Next   [Rest];
    dot_pd                  ".pd"                     Directive Next   [];
    dot_pe                  ".pe"                     Directive Next   [];
    dot_pl                  ".pl"                     Directive Next   [];
    dot_pld                 ".pld"                    Directive Next   [];
    dot_pn                  ".pn"                     Directive Next   [];
    dot_pt                  ".pt"                     Directive Next   [];
    dot_record              ".record"                 Directive Next   [D Types N N RefsRaw];
    dot_start               ".start"                  Directive Next   [L];
    dot_string              ".string"                 Directive Next   [L Str];

    // Instructions of compiled code, of the hand-written modules and of libraries.
    absR                    "absR"                    Hand      Next   [];
    acosR                   "acosR"                   Hand      Next   [];
    addI                    "addI"                    Compiler  Next   [];
    addIo                   "addIo"                   Library   Next   [];
    addLU                   "addLU"                   Library   Next   [];
    addR                    "addR"                    Hand      Next   [];
    bit_and                 "and%"                    Compiler  Next   [];
    asinR                   "asinR"                   Hand      Next   [];
    atanR                   "atanR"                   Hand      Next   [];
    build                   "build"                   Compiler  Next   [D Args L];
    buildB                  "buildB"                  Compiler  Next   [Bool];
    buildC                  "buildC"                  Compiler  Next   [Char];
    buildI                  "buildI"                  Compiler  Next   [Int];
    buildR                  "buildR"                  Compiler  Next   [Real];
    buildAC                 "buildAC"                 Compiler  Next   [Str];
    buildB_b                "buildB_b"                Compiler  Next   [B];
    buildC_b                "buildC_b"                Compiler  Next   [B];
    buildF_b                "buildF_b"                Compiler  Next   [B];
    buildI_b                "buildI_b"                Compiler  Next   [B];
    buildR_b                "buildR_b"                Compiler  Next   [B];
    buildh                  "buildh"                  Compiler  Next   [D N];
    buildhr                 "buildhr"                 Compiler  Next   [D N N];
    build_r                 "build_r"                 Compiler  Next   [D N N A B];
    build_u                 "build_u"                 Compiler  Next   [D N N L];
    ccall                   "ccall"                   Compiler  Call   [Name Str];
    centry                  "centry"                  Compiler  Next   [Name L Str];
    CtoAC                   "CtoAC"                   Compiler  Next   [];
    cosR                    "cosR"                    Hand      Next   [];
    create                  "create"                  Compiler  Next   [OptN];
    create_array            "create_array"            Compiler  Next   [D N N];
    create_array_           "create_array_"           Compiler  Next   [D N N];
    CtoI                    "CtoI"                    Compiler  Next   [];
    decI                    "decI"                    Hand      Next   [];
    divI                    "divI"                    Compiler  Next   [];
    divLU                   "divLU"                   Library   Next   [];
    divR                    "divR"                    Hand      Next   [];
    entierR                 "entierR"                 Hand      Next   [];
    eqB                     "eqB"                     Hand      Next   [];
    eqB_a                   "eqB_a"                   Compiler  Next   [Bool A];
    eqB_b                   "eqB_b"                   Compiler  Next   [Bool B];
    eqC                     "eqC"                     Compiler  Next   [];
    eqC_a                   "eqC_a"                   Compiler  Next   [Char A];
    eqC_b                   "eqC_b"                   Compiler  Next   [Char B];
    eqD_b                   "eqD_b"                   Compiler  Next   [D N];
    eqI                     "eqI"                     Compiler  Next   [];
    eqI_a                   "eqI_a"                   Compiler  Next   [Int A];
    eqI_b                   "eqI_b"                   Compiler  Next   [Int B];
    eqR                     "eqR"                     Hand      Next   [];
    eqR_a                   "eqR_a"                   Compiler  Next   [Real A];
    eqR_b                   "eqR_b"                   Compiler  Next   [Real B];
    eqAC_a                  "eqAC_a"                  Compiler  Next   [Str];
    eq_desc                 "eq_desc"                 Compiler  Next   [D N A];
    eq_desc_b               "eq_desc_b"               Hand      Next   [D N];
    eq_nulldesc             "eq_nulldesc"             Hand      Next   [D A];
    exit_false              "exit_false"              Compiler  Branch [L];
    expR                    "expR"                    Hand      Next   [];
    fill                    "fill"                    Compiler  Next   [D Args L A];
    fill1                   "fill1"                   Compiler  Next   [D N A Bits];
    fill2                   "fill2"                   Compiler  Next   [D N A Bits];
    fill3                   "fill3"                   Compiler  Next   [D N A Bits];
    fill1_r                 "fill1_r"                 Compiler  Next   [D N N A Bits];
    fill2_r                 "fill2_r"                 Compiler  Next   [D N N A Bits];
    fill3_r                 "fill3_r"                 Compiler  Next   [D N N A Bits];
    fillcaf                 "fillcaf"                 Compiler  Next   [L N N];
    fillcp                  "fillcp"                  Compiler  Next   [D N L A Bits];
    fillcp_u                "fillcp_u"                Compiler  Next   [D N N L A Bits];
    fill_u                  "fill_u"                  Compiler  Next   [D N N L A];
    fillh                   "fillh"                   Compiler  Next   [D N A];
    fillB                   "fillB"                   Compiler  Next   [Bool A];
    fillB_b                 "fillB_b"                 Compiler  Next   [B A];
    fillC                   "fillC"                   Compiler  Next   [Char A];
    fillC_b                 "fillC_b"                 Compiler  Next   [B A];
    fillF_b                 "fillF_b"                 Compiler  Next   [B A];
    fillI                   "fillI"                   Compiler  Next   [Int A];
    fillI_b                 "fillI_b"                 Compiler  Next   [B A];
    fillR                   "fillR"                   Compiler  Next   [Real A];
    fillR_b                 "fillR_b"                 Compiler  Next   [B A];
    fill_a                  "fill_a"                  Compiler  Next   [A A];
    fill_r                  "fill_r"                  Compiler  Next   [D N N A A B];
    getWL                   "getWL"                   Hand      Next   [A];
    get_desc_arity_offset   "get_desc_arity_offset"   Library   Next   [];
    get_desc_flags_b        "get_desc_flags_b"        Library   Next   [];
    get_desc0_number        "get_desc0_number"        Library   Next   [];
    get_node_arity          "get_node_arity"          Compiler  Next   [A];
    get_thunk_arity         "get_thunk_arity"         Library   Next   [];
    get_thunk_desc          "get_thunk_desc"          Library   Next   [];
    gtI                     "gtI"                     Compiler  Next   [];
    halt                    "halt"                    Compiler  Stop   [];
    incI                    "incI"                    Hand      Next   [];
    instruction             "instruction"             Library   Next   [Int];
    is_record               "is_record"               Hand      Next   [A];
    ItoC                    "ItoC"                    Compiler  Next   [];
    ItoR                    "ItoR"                    Hand      Next   [];
    jmp                     "jmp"                     Compiler  Jump   [L];
    jmp_ap                  "jmp_ap"                  Compiler  Tail   [N];
    jmp_i                   "jmp_i"                   Compiler  Tail   [N];
    jmp_eval                "jmp_eval"                Compiler  Tail   [];
    jmp_eval_upd            "jmp_eval_upd"            Compiler  Tail   [];
    jmp_false               "jmp_false"               Compiler  Branch [L];
    jmp_not_eqZ             "jmp_not_eqZ"             Compiler  Branch [Big L];
    jmp_true                "jmp_true"                Compiler  Branch [L];
    jsr                     "jsr"                     Compiler  Call   [L];
    jsr_ap                  "jsr_ap"                  Compiler  Call   [N];
    jsr_eval                "jsr_eval"                Compiler  Call   [A];
    jsr_i                   "jsr_i"                   Compiler  Call   [N];
    lnR                     "lnR"                     Hand      Next   [];
    load_i                  "load_i"                  Library   Next   [Int];
    load_module_name        "load_module_name"        Library   Next   [];
    load_si16               "load_si16"               Library   Next   [Int];
    load_si32               "load_si32"               Library   Next   [Int];
    load_ui8                "load_ui8"                Library   Next   [Int];
    log10R                  "log10R"                  Hand      Next   [];
    ltC                     "ltC"                     Compiler  Next   [];
    ltI                     "ltI"                     Compiler  Next   [];
    ltR                     "ltR"                     Hand      Next   [];
    ltU                     "ltU"                     Library   Next   [];
    mulI                    "mulI"                    Compiler  Next   [];
    mulIo                   "mulIo"                   Library   Next   [];
    mulR                    "mulR"                    Hand      Next   [];
    mulUUL                  "mulUUL"                  Library   Next   [];
    negI                    "negI"                    Compiler  Next   [];
    negR                    "negR"                    Hand      Next   [];
    no_op                   "no_op"                   Hand      Next   [];
    notB                    "notB"                    Compiler  Next   [];
    bit_not                 "not%"                    Compiler  Next   [];
    bit_or                  "or%"                     Compiler  Next   [];
    pop_a                   "pop_a"                   Compiler  Next   [Depth];
    pop_b                   "pop_b"                   Compiler  Next   [Depth];
    powR                    "powR"                    Hand      Next   [];
    print                   "print"                   Compiler  Next   [Str];
    printD                  "printD"                  Hand      Next   [];
    print_char              "print_char"              Hand      Next   [];
    print_int               "print_int"               Hand      Next   [];
    print_real              "print_real"              Hand      Next   [];
    print_sc                "print_sc"                Hand      Next   [Str];
    print_symbol_sc         "print_symbol_sc"         Hand      Next   [A];
    pushcaf                 "pushcaf"                 Compiler  Next   [L N N];
    push_finalizers         "push_finalizers"         Library   Next   [];
    pushA_a                 "pushA_a"                 Hand      Next   [A];
    pushB                   "pushB"                   Compiler  Next   [Bool];
    pushB_a                 "pushB_a"                 Compiler  Next   [A];
    pushC                   "pushC"                   Compiler  Next   [Char];
    pushC_a                 "pushC_a"                 Compiler  Next   [A];
    pushD                   "pushD"                   Compiler  Next   [D];
    pushD_a                 "pushD_a"                 Compiler  Next   [A];
    pushF_a                 "pushF_a"                 Compiler  Next   [A];
    pushI                   "pushI"                   Compiler  Next   [Int];
    pushI_a                 "pushI_a"                 Compiler  Next   [A];
    pushL                   "pushL"                   Library   Next   [L];
    pushLc                  "pushLc"                  Library   Next   [Name];
    pushR                   "pushR"                   Compiler  Next   [Real];
    pushR_a                 "pushR_a"                 Compiler  Next   [A];
    push_a                  "push_a"                  Compiler  Next   [A];
    push_b                  "push_b"                  Compiler  Next   [B];
    push_a_b                "push_a_b"                Library   Next   [A];
    push_arg                "push_arg"                Compiler  Next   [A N N];
    push_arg_b              "push_arg_b"              Compiler  Next   [A];
    push_args               "push_args"               Compiler  Next   [A N N];
    push_args_u             "push_args_u"             Compiler  Next   [A N N];
    push_array              "push_array"              Compiler  Next   [A];
    push_arraysize          "push_arraysize"          Compiler  Next   [D N N];
    push_node               "push_node"               Compiler  Next   [L N];
    push_node_u             "push_node_u"             Compiler  Next   [L N N];
    push_a_r_args           "push_a_r_args"           Hand      Next   [];
    push_t_r_a              "push_t_r_a"              Hand      Next   [A];
    push_t_r_args           "push_t_r_args"           Hand      Next   [];
    push_r_args             "push_r_args"             Compiler  Next   [A N N];
    push_r_args_a           "push_r_args_a"           Compiler  Next   [A N N N N];
    push_r_args_b           "push_r_args_b"           Compiler  Next   [A N N N N];
    push_r_args_u           "push_r_args_u"           Compiler  Next   [A N N];
    push_r_arg_D            "push_r_arg_D"            Hand      Next   [];
    push_r_arg_t            "push_r_arg_t"            Hand      Next   [];
    push_r_arg_u            "push_r_arg_u"            Compiler  Next   [A N N N N N N];
    pushZ                   "pushZ"                   Compiler  Next   [Big];
    pushZR                  "pushZR"                  Compiler  Next   [Fraction];
    release                 "release"                 Hand      Next   [];
    remI                    "remI"                    Compiler  Next   [];
    replace                 "replace"                 Compiler  Next   [D N N];
    repl_arg                "repl_arg"                Hand      Next   [N N];
    repl_args               "repl_args"               Compiler  Next   [N N];
    repl_args_b             "repl_args_b"             Hand      Next   [];
    repl_r_args             "repl_r_args"             Compiler  Next   [N N];
    repl_r_args_a           "repl_r_args_a"           Compiler  Next   [N N N N];
    rtn                     "rtn"                     Compiler  Return [];
    RtoI                    "RtoI"                    Hand      Next   [];
    select                  "select"                  Compiler  Next   [D N N];
    set_finalizers          "set_finalizers"          Library   Next   [];
    shiftl                  "shiftl%"                 Compiler  Next   [];
    shiftr                  "shiftr%"                 Compiler  Next   [];
    shiftrU                 "shiftrU"                 Library   Next   [];
    sinR                    "sinR"                    Hand      Next   [];
    sqrtR                   "sqrtR"                   Hand      Next   [];
    subI                    "subI"                    Compiler  Next   [];
    subIo                   "subIo"                   Library   Next   [];
    subLU                   "subLU"                   Library   Next   [];
    subR                    "subR"                    Hand      Next   [];
    tanR                    "tanR"                    Hand      Next   [];
    testcaf                 "testcaf"                 Compiler  Next   [L];
    update                  "update"                  Compiler  Next   [D N N];
    update_a                "update_a"                Compiler  Next   [A A];
    updatepop_a             "updatepop_a"             Compiler  Next   [A A];
    update_b                "update_b"                Compiler  Next   [B B];
    updatepop_b             "updatepop_b"             Compiler  Next   [B B];
    bit_xor                 "xor%"                    Compiler  Next   [];

    // Parallel Clean.
    copy_graph              "copy_graph"              Parallel  Next   [A];
    code_channelP           "code_channelP"           Parallel  Next   [Rest];
    create_channel          "create_channel"          Parallel  Next   [L];
    currentP                "currentP"                Parallel  Next   [];
    ItoP                    "ItoP"                    Parallel  Next   [];
    new_ext_reducer         "new_ext_reducer"         Parallel  Next   [D A];
    new_int_reducer         "new_int_reducer"         Parallel  Next   [L A];
    newP                    "newP"                    Parallel  Next   [];
    putWL                   "putWL"                   Parallel  Next   [A];
    randomP                 "randomP"                 Parallel  Next   [];
    send_graph              "send_graph"              Parallel  Next   [L A A];
    send_request            "send_request"            Parallel  Next   [A];
    set_continue            "set_continue"            Parallel  Next   [A];
    set_defer               "set_defer"               Parallel  Next   [A];
    set_entry               "set_entry"               Parallel  Next   [L A];
    setwait                 "setwait"                 Parallel  Next   [A];
    stop_reducer            "stop_reducer"            Parallel  Stop   [];
    suspend                 "suspend"                 Parallel  Next   [];

    // Obsolete: no Clean compiler writes them.
    add_args                "add_args"                Obsolete  Next   [N N N];
    andB                    "andB"                    Obsolete  Next   [];
    catS                    "catS"                    Obsolete  Next   [A A A];
    call                    "call"                    Obsolete  Call   [Rest];
    cmpS                    "cmpS"                    Obsolete  Next   [A A];
    ceilingR                "ceilingR"                Obsolete  Next   [];
    clzb                    "clzb"                    Obsolete  Next   [];
    del_args                "del_args"                Obsolete  Next   [A N A];
    divU                    "divU"                    Obsolete  Next   [];
    eq_symbol               "eq_symbol"               Obsolete  Next   [A A];
    floordivI               "floordivI"               Obsolete  Next   [];
    get_desc_arity          "get_desc_arity"          Obsolete  Next   [A];
    gtC                     "gtC"                     Obsolete  Next   [];
    gtR                     "gtR"                     Obsolete  Next   [];
    gtU                     "gtU"                     Obsolete  Next   [];
    in_regs                 "in"                      Obsolete  Next   [Rest];
    jmp_ap_upd              "jmp_ap_upd"              Obsolete  Tail   [N];
    jmp_upd                 "jmp_upd"                 Obsolete  Tail   [L];
    jrsr                    "jrsr"                    Obsolete  Call   [L];
    modI                    "modI"                    Obsolete  Next   [];
    orB                     "orB"                     Obsolete  Next   [];
    out_regs                "out"                     Obsolete  Next   [Rest];
    print_r_arg             "print_r_arg"             Obsolete  Next   [N];
    print_symbol            "print_symbol"            Obsolete  Next   [A];
    pushzs                  "pushzs"                  Obsolete  Next   [Str];
    push_b_a                "push_b_a"                Obsolete  Next   [B];
    push_wl_args            "push_wl_args"            Obsolete  Next   [N N N];
    remU                    "remU"                    Obsolete  Next   [];
    rotl                    "rotl%"                   Obsolete  Next   [];
    rotr                    "rotr%"                   Obsolete  Next   [];
    sincosR                 "sincosR"                 Obsolete  Next   [];
    sliceS                  "sliceS"                  Obsolete  Next   [A A];
    truncateR               "truncateR"               Obsolete  Next   [];
    updateS                 "updateS"                 Obsolete  Next   [A A];

    // Fused forms made by the optimiser of the interpreter.
    addIi                   "addIi"                   Fused     Next   [Int];
    andIi                   "andIi"                   Fused     Next   [Int];
    andIio                  "andIio"                  Fused     Next   [Int B];
    buildh0_dup_a           "buildh0_dup_a"           Fused     Next   [D A];
    buildh0_dup2_a          "buildh0_dup2_a"          Fused     Next   [D A];
    buildh0_dup3_a          "buildh0_dup3_a"          Fused     Next   [D A];
    buildh0_put_a           "buildh0_put_a"           Fused     Next   [D A];
    buildh0_put_a_jsr       "buildh0_put_a_jsr"       Fused     Call   [D A L];
    buildho2                "buildho2"                Fused     Next   [D A A];
    buildo1                 "buildo1"                 Fused     Next   [L A];
    buildo2                 "buildo2"                 Fused     Next   [L A A];
    dup_a                   "dup_a"                   Fused     Next   [A];
    dup2_a                  "dup2_a"                  Fused     Next   [A];
    dup3_a                  "dup3_a"                  Fused     Next   [A];
    eqCc                    "eqCc"                    Fused     Next   [Char];
    eqIi                    "eqIi"                    Fused     Next   [Int];
    exchange_a              "exchange_a"              Fused     Next   [A A];
    fill_a01_pop_rtn        "fill_a01_pop_rtn"        Fused     Return [];
    geC                     "geC"                     Fused     Next   [];
    jmp_b_false             "jmp_b_false"             Fused     Branch [B L];
    jmp_eqACio              "jmp_eqACio"              Fused     Branch [Str A L];
    jmp_eqC_b               "jmp_eqC_b"               Fused     Branch [Char B L];
    jmp_eqC_b2              "jmp_eqC_b2"              Fused     Branch [Char Char B L L];
    jmp_eqCc                "jmp_eqCc"                Fused     Branch [Char L];
    jmp_eqD_b               "jmp_eqD_b"               Fused     Branch [D N L];
    jmp_eqD_b2              "jmp_eqD_b2"              Fused     Branch [D N L D N L];
    jmp_eqI                 "jmp_eqI"                 Fused     Branch [L];
    jmp_eqI_b               "jmp_eqI_b"               Fused     Branch [Int B L];
    jmp_eqI_b2              "jmp_eqI_b2"              Fused     Branch [Int Int B L L];
    jmp_eqIi                "jmp_eqIi"                Fused     Branch [Int L];
    jmp_eq_desc             "jmp_eq_desc"             Fused     Branch [D N A L];
    jmp_geI                 "jmp_geI"                 Fused     Branch [L];
    jmp_ltI                 "jmp_ltI"                 Fused     Branch [L];
    jmp_neC_b               "jmp_neC_b"               Fused     Branch [Char B L];
    jmp_neCc                "jmp_neCc"                Fused     Branch [Char L];
    jmp_neI                 "jmp_neI"                 Fused     Branch [L];
    jmp_neI_b               "jmp_neI_b"               Fused     Branch [Int B L];
    jmp_neIi                "jmp_neIi"                Fused     Branch [Int L];
    jmp_ne_desc             "jmp_ne_desc"             Fused     Branch [D N A L];
    jmp_o_geI               "jmp_o_geI"               Fused     Branch [B L];
    jmp_o_geI_arraysize_a   "jmp_o_geI_arraysize_a"   Fused     Branch [D B A L];
    ltIi                    "ltIi"                    Fused     Next   [Int];
    neI                     "neI"                     Fused     Next   [];
    pop_a_jmp               "pop_a_jmp"               Fused     Jump   [Depth L];
    pop_a_jsr               "pop_a_jsr"               Fused     Call   [Depth L];
    pop_a_rtn               "pop_a_rtn"               Fused     Return [Depth];
    pop_ab_rtn              "pop_ab_rtn"              Fused     Return [Depth Depth];
    pop_b_jmp               "pop_b_jmp"               Fused     Jump   [Depth L];
    pop_b_jsr               "pop_b_jsr"               Fused     Call   [Depth L];
    pop_b_pushB             "pop_b_pushB"             Fused     Next   [Depth Bool];
    pop_b_rtn               "pop_b_rtn"               Fused     Return [Depth];
    push2_a                 "push2_a"                 Fused     Next   [A];
    push2_b                 "push2_b"                 Fused     Next   [B];
    push3_a                 "push3_a"                 Fused     Next   [A];
    push3_b                 "push3_b"                 Fused     Next   [B];
    pushB0_pop_a1           "pushB0_pop_a1"           Fused     Next   [];
    pushC0_pop_a1           "pushC0_pop_a1"           Fused     Next   [];
    pushI0_pop_a1           "pushI0_pop_a1"           Fused     Next   [];
    pushD_a_jmp_eqD_b2      "pushD_a_jmp_eqD_b2"      Fused     Branch [A D N L D N L];
    push_a2                 "push_a2"                 Fused     Next   [A A];
    push_a_jsr              "push_a_jsr"              Fused     Call   [A L];
    push_ab                 "push_ab"                 Fused     Next   [A B];
    push_arraysize_a        "push_arraysize_a"        Fused     Next   [D N N A];
    push_b2                 "push_b2"                 Fused     Next   [B B];
    push_b_decI             "push_b_decI"             Fused     Next   [B];
    push_b_incI             "push_b_incI"             Fused     Next   [B];
    push_b_jsr              "push_b_jsr"              Fused     Call   [B L];
    push_jsr_eval           "push_jsr_eval"           Fused     Call   [A];
    push_update_a           "push_update_a"           Fused     Next   [A A];
    put_a                   "put_a"                   Fused     Next   [A];
    put_a_jmp               "put_a_jmp"               Fused     Jump   [A L];
    put_b                   "put_b"                   Fused     Next   [B];
    put_b_jmp               "put_b_jmp"               Fused     Jump   [B L];
    selectoo                "selectoo"                Fused     Next   [D N N A B];
    swap_a                  "swap_a"                  Fused     Next   [A];
    swap_a1                 "swap_a1"                 Fused     Next   [];
    swap_b1                 "swap_b1"                 Fused     Next   [];
    update2_a               "update2_a"               Fused     Next   [A A];
    update2_b               "update2_b"               Fused     Next   [B B];
    update2pop_a            "update2pop_a"            Fused     Next   [A A];
    update2pop_b            "update2pop_b"            Fused     Next   [B B];
    update3_a               "update3_a"               Fused     Next   [A A];
    update3_b               "update3_b"               Fused     Next   [B B];
    update3pop_a            "update3pop_a"            Fused     Next   [A A];
    update3pop_b            "update3pop_b"            Fused     Next   [B B];
    update4_a               "update4_a"               Fused     Next   [A A];
    updates2_a              "updates2_a"              Fused     Next   [A A A];
    updates2_a_pop_a        "updates2_a_pop_a"        Fused     Next   [A A A N];
    updates2_b              "updates2_b"              Fused     Next   [B B B];
    updates2pop_a           "updates2pop_a"           Fused     Next   [A A A];
    updates2pop_b           "updates2pop_b"           Fused     Next   [B B B];
    updates3_a              "updates3_a"              Fused     Next   [A A A A];
    updates3_b              "updates3_b"              Fused     Next   [B B B B];
    updates3pop_a           "updates3pop_a"           Fused     Next   [A A A A];
    updates3pop_b           "updates3pop_b"           Fused     Next   [B B B B];
    updates4_a              "updates4_a"              Fused     Next   [A A A A A];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_as_its_own_opcode() {
        for &opcode in ALL {
            let expected = (opcode != Opcode::label).then_some(opcode);
            assert_eq!(Opcode::find(opcode.name().as_bytes()), expected, "{}", opcode.name());
        }
    }

    #[test]
    fn unknown_names_are_not_found() {
        for name in ["", "label", "push", "push_A", ".", ".D", "push_a ", "pushI_"] {
            assert_eq!(Opcode::find(name.as_bytes()), None, "{name:?}");
        }
    }
}
