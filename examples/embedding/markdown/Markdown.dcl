definition module Markdown

// The HTML of a text in Markdown. All that is not markup is escaped.
html :: !String -> String
