//! The words of each language, once: from this the grammars of `editors` are made.
//!
//! A rule is a kind and a pattern. Where several match at a place, the first counts. Patterns are such that Oniguruma
//! and tree-sitter read them alike.

/// What a word is, for who colours it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Comment,
    Text,
    Number,
    Keyword,
    Operator,
    Type,
    Function,
    Label,
    Name,
    Directive,
}

impl Kind {
    pub const ALL: [Kind; 10] = [
        Kind::Comment,
        Kind::Text,
        Kind::Number,
        Kind::Keyword,
        Kind::Operator,
        Kind::Type,
        Kind::Function,
        Kind::Label,
        Kind::Name,
        Kind::Directive,
    ];

    /// As rules of tree-sitter are called.
    pub fn rule(self) -> &'static str {
        match self {
            Kind::Comment => "comment",
            Kind::Text => "string",
            Kind::Number => "number",
            Kind::Keyword => "keyword",
            Kind::Operator => "operator",
            Kind::Type => "type",
            Kind::Function => "function",
            Kind::Label => "label",
            Kind::Name => "name",
            Kind::Directive => "directive",
        }
    }

    /// As themes of TextMate call it.
    pub fn scope(self) -> &'static str {
        match self {
            Kind::Comment => "comment.line",
            Kind::Text => "string.quoted",
            Kind::Number => "constant.numeric",
            Kind::Keyword => "keyword.other",
            Kind::Operator => "keyword.operator",
            Kind::Type => "entity.name.type",
            Kind::Function => "entity.name.function",
            Kind::Label => "entity.name.label",
            Kind::Name => "variable.other",
            Kind::Directive => "meta.preprocessor",
        }
    }

    /// As queries of tree-sitter call it.
    pub fn capture(self) -> &'static str {
        match self {
            Kind::Name => "variable",
            Kind::Directive => "keyword.directive",
            kind => kind.rule(),
        }
    }

    /// The group of Vim.
    pub fn group(self) -> &'static str {
        match self {
            Kind::Comment => "Comment",
            Kind::Text => "String",
            Kind::Number => "Number",
            Kind::Keyword => "Keyword",
            Kind::Operator => "Operator",
            Kind::Type => "Type",
            Kind::Function => "Function",
            Kind::Label => "Label",
            Kind::Name => "Identifier",
            Kind::Directive => "PreProc",
        }
    }
}

pub enum Pattern {
    /// These words.
    Words(&'static [&'static str]),
    /// A regular expression that takes a whole word: none that goes on after it.
    Word(&'static str),
    /// A regular expression.
    Signs(&'static str),
    /// The same, only where a line begins, perhaps with blanks.
    Line(&'static str),
    /// A comment over several lines; of some languages it holds others.
    Block { nested: bool },
}

pub struct Rule {
    pub kind: Kind,
    pub pattern: Pattern,
}

pub struct Language {
    pub id: &'static str,
    pub title: &'static str,
    pub endings: &'static [&'static str],
    pub line_comment: &'static str,
    pub block_comment: bool,
    /// What goes on with a word.
    pub part: &'static str,
    pub brackets: &'static [(&'static str, &'static str, &'static str)],
    pub rules: &'static [Rule],
    /// Lines that end so begin a part that is indented, as a regular expression.
    pub opens: &'static str,
    /// Columns of indentation.
    pub indent: u32,
}

const fn rule(kind: Kind, pattern: Pattern) -> Rule {
    Rule { kind, pattern }
}

const ROUND: (&str, &str, &str) = ("parentheses", "(", ")");
const SQUARE: (&str, &str, &str) = ("brackets", "[", "]");
const CURLY: (&str, &str, &str) = ("braces", "{", "}");

/// A string with escapes, on one line.
const QUOTED: &str = r#""([^"\\\n]|\\.)*""#;

pub const GOOPEA: Language = Language {
    id: "goopea",
    title: "GOOPEA",
    endings: &["goo"],
    line_comment: "//",
    block_comment: false,
    part: "[A-Za-z0-9_]",
    brackets: &[ROUND, CURLY],
    rules: &[
        rule(Kind::Comment, Pattern::Signs("//[^\\n]*")),
        rule(Kind::Directive, Pattern::Line("#[^\\n]*")),
        rule(Kind::Keyword, Pattern::Words(&["fip", "match", "enum", "let", "in"])),
        rule(Kind::Number, Pattern::Signs("[0-9]+")),
        rule(Kind::Type, Pattern::Word("_*[A-Z][A-Za-z0-9_]*")),
        rule(Kind::Name, Pattern::Word("_*[a-z][A-Za-z0-9_]*|_")),
        rule(Kind::Operator, Pattern::Signs("[=!<>]=|[-+*/%<>=]")),
    ],
    opens: "[{(=:]|\\\\bin",
    indent: 4,
};

pub const SAMLANG: Language = Language {
    id: "samlang",
    title: "samlang",
    endings: &["sam"],
    line_comment: "//",
    block_comment: true,
    part: "[A-Za-z0-9_]",
    brackets: &[ROUND, CURLY, SQUARE],
    rules: &[
        rule(Kind::Comment, Pattern::Signs("//[^\\n]*")),
        rule(Kind::Comment, Pattern::Block { nested: false }),
        rule(Kind::Text, Pattern::Signs(QUOTED)),
        rule(
            Kind::Keyword,
            Pattern::Words(&[
                "import",
                "from",
                "class",
                "interface",
                "val",
                "function",
                "method",
                "as",
                "private",
                "protected",
                "internal",
                "public",
                "if",
                "then",
                "else",
                "match",
                "return",
                "int",
                "bool",
                "unit",
                "true",
                "false",
                "this",
                "self",
                "const",
                "string",
                "let",
                "var",
                "type",
                "constructor",
                "destructor",
                "extends",
                "implements",
                "exports",
                "assert",
            ]),
        ),
        rule(Kind::Number, Pattern::Word("[0-9]+")),
        rule(Kind::Type, Pattern::Word("[A-Z][A-Za-z0-9_]*")),
        rule(Kind::Name, Pattern::Word("[a-z][A-Za-z0-9_]*|_")),
        rule(Kind::Operator, Pattern::Signs(r"\.\.\.|->|::|&&|\|\||[=!<>]=|[-+*/%<>=!|?]")),
    ],
    opens: "[{(=]|->",
    indent: 2,
};

pub const IR: Language = Language {
    id: "cleave-ir",
    title: "IR of Cleave",
    endings: &["ir"],
    line_comment: ";",
    block_comment: false,
    part: "[A-Za-z0-9_.]",
    brackets: &[ROUND, CURLY, SQUARE],
    rules: &[
        rule(Kind::Comment, Pattern::Signs(";[^\\n]*")),
        rule(Kind::Function, Pattern::Signs(r#"@([A-Za-z0-9_.]+|"([^"\\\n]|\\.)*")"#)),
        rule(Kind::Type, Pattern::Signs(r#"\$([A-Za-z0-9_.]+|"([^"\\\n]|\\.)*")"#)),
        rule(Kind::Name, Pattern::Signs(r#"[&^%]([A-Za-z0-9_.]+|"([^"\\\n]|\\.)*")"#)),
        rule(Kind::Text, Pattern::Signs(QUOTED)),
        rule(Kind::Type, Pattern::Words(&["ref", "i32", "i64", "f64"])),
        rule(Kind::Label, Pattern::Word("block[0-9]+")),
        rule(Kind::Name, Pattern::Word("v[0-9]+|s[0-9]+|static[0-9]+")),
        rule(Kind::Keyword, Pattern::Word("[A-Za-z_][A-Za-z0-9_.]*")),
        rule(Kind::Number, Pattern::Signs("[-+](e[-+]|[A-Za-z0-9_.])+|[0-9](e[-+]|[A-Za-z0-9_.])*")),
        rule(Kind::Operator, Pattern::Signs("->|=")),
    ],
    opens: "\\\\{|^block[^;]*:",
    indent: 2,
};

/// Lines of ABC are read from their beginning, which `textmate` and `tree_sitter` do by themselves.
pub const ABC: Language = Language {
    id: "abc",
    title: "ABC of Clean",
    endings: &["abc"],
    line_comment: "|",
    block_comment: false,
    part: "[^ \\t\\r\\n]",
    brackets: &[],
    rules: &[
        rule(Kind::Comment, Pattern::Signs("\\|[^\\n]*")),
        rule(Kind::Text, Pattern::Word(r#""([^"\\\n]|\\.)*""#)),
        rule(Kind::Text, Pattern::Word(r"'(\\[0-7]+|\\.|[^'\\\n])'")),
        rule(Kind::Number, Pattern::Word(r"[-+]?(0[xX][0-9a-fA-F]+|0[oO][0-7]+|[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?)")),
        rule(Kind::Name, Pattern::Word("[^ \\t\\r\\n|][^ \\t\\r\\n]*")),
    ],
    opens: "",
    indent: 8,
};

pub const CLEAN: Language = Language {
    id: "clean",
    title: "Clean",
    endings: &["icl", "dcl"],
    line_comment: "//",
    block_comment: true,
    part: "[A-Za-z0-9_`]",
    brackets: &[ROUND, CURLY, SQUARE],
    rules: &[
        rule(Kind::Comment, Pattern::Block { nested: true }),
        rule(Kind::Comment, Pattern::Signs("//[^\\n]*")),
        rule(Kind::Text, Pattern::Signs(QUOTED)),
        rule(Kind::Text, Pattern::Signs(r"'([^'\\\n]|\\.)*'")),
        rule(
            Kind::Keyword,
            Pattern::Words(&[
                "module",
                "definition",
                "implementation",
                "system",
                "import",
                "from",
                "qualified",
                "as",
                "where",
                "with",
                "let",
                "in",
                "case",
                "of",
                "if",
                "otherwise",
                "class",
                "instance",
                "derive",
                "generic",
                "infix",
                "infixl",
                "infixr",
                "special",
                "export",
                "foreign",
                "dynamic",
                "code",
                "inline",
            ]),
        ),
        rule(Kind::Number, Pattern::Word(r"0x[0-9a-fA-F]+|0[0-7]+|[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")),
        rule(Kind::Type, Pattern::Word("_*[A-Z][A-Za-z0-9_`]*")),
        rule(Kind::Name, Pattern::Word("_*[a-z][A-Za-z0-9_`]*|_")),
        rule(Kind::Operator, Pattern::Signs(r"[-~@#$%^?!+*<>\\/|&=:.]+")),
    ],
    opens: "\\\\b(where|with|of|let)|=",
    indent: 4,
};

pub const ALL: [&Language; 5] = [&GOOPEA, &SAMLANG, &IR, &ABC, &CLEAN];
