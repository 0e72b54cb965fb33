; Made from tests/editors/languages.rs

(comment) @comment
(string) @string
(number) @number
(keyword) @keyword
(function) @function
(name) @variable
(directive) @keyword.directive
