; Made from tests/editors/languages.rs

(comment) @comment
(number) @number
(keyword) @keyword
(operator) @operator
(type) @type
(name) @variable
(directive) @keyword.directive
["(" ")" "{" "}"] @punctuation.bracket
