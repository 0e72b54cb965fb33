// Made from tests/editors/languages.rs: BLESS=1 cargo test -p cleave-tests --test editors

module.exports = grammar({
  name: 'cleave_ir',
  extras: $ => [/\s/, $.comment],
  rules: {
    source_file: $ => repeat($._item),
    _item: $ => choice($.function, $.type, $.name, $.string, $.label, $.keyword, $.number, $.operator, $.parentheses, $.braces, $.brackets, $._punctuation),
    comment: $ => /;[^\n]*/,
    function: $ => /@([A-Za-z0-9_.]+|"([^"\\\n]|\\.)*")/,
    type: $ => choice(/\$([A-Za-z0-9_.]+|"([^"\\\n]|\\.)*")/, 'ref', 'i32', 'i64', 'f64'),
    name: $ => choice(/[&^%]([A-Za-z0-9_.]+|"([^"\\\n]|\\.)*")/, /v[0-9]+|s[0-9]+|static[0-9]+/),
    string: $ => /"([^"\\\n]|\\.)*"/,
    label: $ => /block[0-9]+/,
    keyword: $ => /[A-Za-z_][A-Za-z0-9_.]*/,
    number: $ => /[-+](e[-+]|[A-Za-z0-9_.])+|[0-9](e[-+]|[A-Za-z0-9_.])*/,
    operator: $ => /->|=/,
    parentheses: $ => seq('(', repeat($._item), ')'),
    braces: $ => seq('{', repeat($._item), '}'),
    brackets: $ => seq('[', repeat($._item), ']'),
    _punctuation: $ => /[,:\/]/,
  },
});
