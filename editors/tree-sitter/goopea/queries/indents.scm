; Made from tests/editors/languages.rs

[(parentheses) (braces)] @indent.begin
