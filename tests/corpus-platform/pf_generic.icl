module pf_generic

import StdEnv, StdGeneric, Data.GenEq, Data.GenLexOrd, Data.GenDefault, Text.GenPrint, Data.Maybe
from Text.GenParse import generic gParse, parseString, :: Expr

:: Shape = Circle Real | Square Int Int | Empty
:: Tree a = Leaf | Node (Tree a) a (Tree a)
:: Rec = {first :: Int, second :: (Char, Bool), third :: [String]}

derive gEq Shape, Tree, Rec
derive gPrint Shape, Tree, Rec
derive gParse Shape, Tree, Rec, (,)
derive gLexOrd Shape, Tree
derive gDefault Rec, Shape

build :: [Int] -> Tree Int
build [] = Leaf
build [x:xs] = Node (build [y \\ y <- xs | y < x]) x (build [y \\ y <- xs | y >= x])

rec :: Rec
rec = {first = ~5, second = ('q', True), third = ["a b", "c"]}

again :: (Maybe Rec)
again = parseString (printToString rec)

tree :: (Maybe (Tree Int))
tree = parseString (printToString (build [5, 2, 8, 1, 9, 3]))

def :: Rec
def = gDefault{|*|}

Start = ( printToString rec, again === Just rec, printToString (build [3, 1, 2]), tree === Just (build [5, 2, 8, 1, 9, 3])
        , [a === b \\ a <- shapes, b <- shapes], [order (a =?= b) \\ a <- shapes, b <- shapes], printToString def
        , gEq{|*|} (build [2, 1]) (build [1, 2]), printToString [Square 1 (~2)], printToString [Circle 2.5, Empty] )
where
	shapes = [Circle 1.0, Circle 2.0, Square 1 2, Empty]
	order :: LexOrd -> Int
	order LT = -1
	order EQ = 0
	order GT = 1
