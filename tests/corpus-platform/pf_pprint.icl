module pf_pprint

import StdEnv, Text.PPrint

:: Tree = Node String [Tree]

show :: Tree -> Doc
show (Node name []) = text name
show (Node name children) = text name <-> parens (align (fillSep (punctuate comma (map show children))))

tree :: Int -> Tree
tree 0 = Node "leaf" []
tree n = Node ("node" +++ toString n) [tree (n - 1), tree (n / 2), Node "end" []]

Start = [ display (renderPretty 0.8 width doc) \\ width <- [20, 40, 80], doc <- docs ]
where
	docs = [ show (tree 3), list (map int [1 .. 20]), hang 4 (fillSep (map text ["some", "words", "that", "are", "wrapped"]))
	       , braces (indent 2 (vsep [text "x" <+> equals <+> int 1, text "y" <+> equals <+> bool True])) ]

