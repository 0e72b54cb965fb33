; Made from tests/editors/languages.rs

[(parentheses) (braces) (brackets)] @indent.begin
