module life
// Spectral, "life": Conway's game on an endless board, a list of rows of lists of columns, each with its number.

import StdEnv

:: Cells :== [(Int, [Int])]

// What is in a list of lists in order, with how often, as each of them is in order.
merged :: [Int] [Int] -> [Int]
merged [] ys = ys
merged xs [] = xs
merged xs=:[x : xt] ys=:[y : yt]
	| x <= y = [x : merged xt ys]
	= [y : merged xs yt]

counted :: [Int] -> [(Int, Int)]
counted [] = []
counted [x : xs]
	# (same, rest) = span ((==) x) xs
	= [(x, 1 + length same) : counted rest]

// The row of a number, which is empty where there is none.
rowAt :: Int Cells -> [Int]
rowAt r [] = []
rowAt r [(s, xs) : rest]
	| s < r = rowAt r rest
	| s == r = xs
	= []

step :: Cells -> Cells
step [] = []
step cells = [(r, row) \\ r <- [fst (hd cells) - 1 .. fst (last cells) + 1], row <- [next r] | not (isEmpty row)]
where
	next r
		# here = rowAt r cells
		= alive (counted (foldr merged [] (map wide [rowAt (r - 1) cells, here, rowAt (r + 1) cells]))) here
	wide xs = merged (map (\x -> x - 1) xs) (merged xs (map ((+) 1) xs))
	alive [] _ = []
	alive [(x, n) : rest] here
		| n == 3 || n == 4 && isMember x here = [x : alive rest here]
		= alive rest here

acorn :: Cells
acorn = [(0, [1]), (1, [3]), (2, [0, 1, 4, 5, 6])]

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# generations = take (n + 1) (iterate step acorn)
	# io = io <<< population (last generations) <<< ' ' <<< maxList (map population generations) <<< ' '
	# io = io <<< foldl (\h (r, xs) -> foldl (\h x -> (h * 31 + r * 7 + x) bitand 0xFFFFFF) h xs) 0 (last generations)
	= snd (fclose (io <<< '\n') world)
where
	population cells = sum [length xs \\ (_, xs) <- cells]
