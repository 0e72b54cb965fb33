module pretty
// Spectral, "pretty": a pretty printer of documents, each of which stands for all its layouts; only as much of them is
// made as is needed to see what fits (P. Wadler, A prettier printer, 2003).

import StdEnv

:: Doc = Empty | Beside Doc Doc | Nest Int Doc | Text String | Line | Either Doc Doc
:: Layout = Done | Piece String Layout | Break Int Layout

flat :: Doc -> Doc
flat Empty = Empty
flat (Beside x y) = Beside (flat x) (flat y)
flat (Nest i x) = Nest i (flat x)
flat (Text s) = Text s
flat Line = Text " "
flat (Either x _) = flat x

group :: Doc -> Doc
group x = Either (flat x) x

laid :: Int Doc -> Layout
laid w x = be w 0 [(0, x)]

be :: Int Int [(Int, Doc)] -> Layout
be w k [] = Done
be w k [(i, Empty) : z] = be w k z
be w k [(i, Beside x y) : z] = be w k [(i, x), (i, y) : z]
be w k [(i, Nest j x) : z] = be w k [(i + j, x) : z]
be w k [(i, Text s) : z] = Piece s (be w (k + size s) z)
be w k [(i, Line) : z] = Break i (be w i z)
be w k [(i, Either x y) : z]
	# first = be w k [(i, x) : z]
	| fits (w - k) first = first
	= be w k [(i, y) : z]

fits :: !Int Layout -> Bool
fits w x
	| w < 0 = False
fits w Done = True
fits w (Piece s x) = fits (w - size s) x
fits w (Break _ _) = True

:: Expr = Name Int | Call Int [Expr] | Let Int Expr Expr

doc :: Expr -> Doc
doc (Name n) = Text (name n)
doc (Call f es) = group (Beside (Text (name f +++ "(")) (Beside (Nest 4 (Beside Line (commas (map doc es)))) (Beside Line (Text ")"))))
doc (Let n a b) = Beside (group (Nest 2 (Beside (Text ("let " +++ name n +++ " =")) (Beside Line (doc a))))) (Beside Line (doc b))

commas :: [Doc] -> Doc
commas [] = Empty
commas [d] = d
commas [d : ds] = Beside d (Beside (Text ",") (Beside Line (commas ds)))

name :: Int -> String
name n = "name" +++ toString (n rem 1000)

// A term from a lazy list of numbers by chance.
term :: Int [Int] -> (Expr, [Int])
term depth [c : cs]
	| depth == 0 || c rem 9 == 0 = (Name c, cs)
	| c rem 5 == 1
		# (a, cs) = term (depth - 1) cs
		# (b, cs) = term (depth - 1) cs
		= (Let c a b, cs)
	# (es, cs) = terms (1 + c rem 4) cs
	= (Call c es, cs)
where
	terms 0 cs = ([], cs)
	terms n cs
		# (e, cs) = term (depth - 1) cs
		# (es, cs) = terms (n - 1) cs
		= ([e : es], cs)

shown :: Layout -> [Char]
shown Done = []
shown (Piece s x) = [c \\ c <-: s] ++ shown x
shown (Break i x) = ['\n' : repeatn i ' '] ++ shown x

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# (e, _) = term n (map (\s -> s >> 8) (iterate (\s -> (s * 1103515245 + 12345) bitand 0x7FFFFFFF) 12345))
	# text = shown (laid 60 (doc e))
	# io = foldl (\io c -> io <<< c) io (take 200 text)
	# io = io <<< '\n' <<< length text <<< ' ' <<< foldl (\h c -> (h * 31 + toInt c) bitand 0xFFFFFF) 0 text <<< '\n'
	= snd (fclose io world)
