definition module Inline

// The text of a paragraph or a heading, as HTML.

from Text import :: Html

inline :: !String -> Html
