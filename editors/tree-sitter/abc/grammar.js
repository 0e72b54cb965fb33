// Made from tests/editors/languages.rs: BLESS=1 cargo test -p cleave-tests --test editors

module.exports = grammar({
  name: 'abc',
  extras: $ => [],
  rules: {
    source_file: $ => seq(repeat(seq(optional($._line), $._end)), optional($._line)),
    _line: $ => choice(
      seq(choice($.directive, $.function), repeat($._operand), optional($._rest)),
      seq($._blank, $.keyword, repeat($._operand), optional($._rest)),
      seq($._blank, optional($.comment)),
      $.comment,
    ),
    _operand: $ => seq($._blank, choice($.string, $.number, $.name)),
    _rest: $ => seq($._blank, optional($.comment)),
    _blank: $ => /[ \t]+/,
    _end: $ => /\r?\n/,
    comment: $ => token(prec(1, /\|[^\r\n]*/)),
    directive: $ => token(prec(1, /\.[^ \t\r\n]*/)),
    string: $ => choice(/"([^"\\\n]|\\.)*"/, /'(\\[0-7]+|\\.|[^'\\\n])'/),
    number: $ => /[-+]?(0[xX][0-9a-fA-F]+|0[oO][0-7]+|[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?)/,
    function: $ => $._word,
    keyword: $ => $._word,
    name: $ => $._word,
    _word: $ => /[^ \t\r\n|][^ \t\r\n]*/,
  },
});
