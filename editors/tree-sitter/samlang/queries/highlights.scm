; Made from tests/editors/languages.rs

(comment) @comment
(string) @string
(number) @number
(keyword) @keyword
(operator) @operator
(type) @type
(name) @variable
["(" ")" "{" "}" "[" "]"] @punctuation.bracket
