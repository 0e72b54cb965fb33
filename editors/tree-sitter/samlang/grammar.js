// Made from tests/editors/languages.rs: BLESS=1 cargo test -p cleave-tests --test editors

module.exports = grammar({
  name: 'samlang',
  extras: $ => [/\s/, $.comment],
  word: $ => $.name,
  rules: {
    source_file: $ => repeat($._item),
    _item: $ => choice($.string, $.keyword, $.number, $.type, $.name, $.operator, $.parentheses, $.braces, $.brackets, $._punctuation),
    comment: $ => token(choice(/\/\/[^\n]*/, /\/\*([^*]|\*+[^*\/])*\*+\//)),
    string: $ => /"([^"\\\n]|\\.)*"/,
    keyword: $ => choice('import', 'from', 'class', 'interface', 'val', 'function', 'method', 'as', 'private', 'protected', 'internal', 'public', 'if', 'then', 'else', 'match', 'return', 'int', 'bool', 'unit', 'true', 'false', 'this', 'self', 'const', 'string', 'let', 'var', 'type', 'constructor', 'destructor', 'extends', 'implements', 'exports', 'assert'),
    number: $ => /[0-9]+/,
    type: $ => /[A-Z][A-Za-z0-9_]*/,
    name: $ => /[a-z][A-Za-z0-9_]*|_/,
    operator: $ => /\.\.\.|->|::|&&|\|\||[=!<>]=|[-+*\/%<>=!|?]/,
    parentheses: $ => seq('(', repeat($._item), ')'),
    braces: $ => seq('{', repeat($._item), '}'),
    brackets: $ => seq('[', repeat($._item), ']'),
    _punctuation: $ => /[,;:.]/,
  },
});
