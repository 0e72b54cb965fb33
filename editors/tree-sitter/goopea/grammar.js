// Made from tests/editors/languages.rs: BLESS=1 cargo test -p cleave-tests --test editors

module.exports = grammar({
  name: 'goopea',
  extras: $ => [/\s/, $.comment],
  word: $ => $.name,
  rules: {
    source_file: $ => repeat($._item),
    _item: $ => choice($.directive, $.keyword, $.number, $.type, $.name, $.operator, $.parentheses, $.braces, $._punctuation),
    comment: $ => /\/\/[^\n]*/,
    directive: $ => /#[^\n]*/,
    keyword: $ => choice('fip', 'match', 'enum', 'let', 'in'),
    number: $ => /[0-9]+/,
    type: $ => /_*[A-Z][A-Za-z0-9_]*/,
    name: $ => /_*[a-z][A-Za-z0-9_]*|_/,
    operator: $ => /[=!<>]=|[-+*\/%<>=]/,
    parentheses: $ => seq('(', repeat($._item), ')'),
    braces: $ => seq('{', repeat($._item), '}'),
    _punctuation: $ => /[,;:.]/,
  },
});
