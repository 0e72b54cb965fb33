module paraffins
// Imaginary, "paraffins": all radicals and paraffins up to a size, by three partitions, in an array of lazy lists.

import StdEnv

:: Radical = H | C Radical Radical Radical
:: Paraffin = Bond Radical Radical | Centre Radical Radical Radical Radical

three :: Int -> [(Int, Int, Int)]
three m = [(i, j, m - i - j) \\ i <- [0 .. m / 3], j <- [i .. (m - i) / 2]]

four :: Int -> [(Int, Int, Int, Int)]
four m = [(i, j, k, m - i - j - k)
	\\ i <- [0 .. m / 4], j <- [i .. (m - i) / 3], k <- [max j ((m + 1) / 2 - i - j) .. (m - i - j) / 2]]

remainders :: [a] -> [[a]]
remainders [] = []
remainders r=:[_ : rest] = [r : remainders rest]

radicals :: Int -> {[Radical]}
radicals n = table
where
	table = {size m \\ m <- [0 .. n]}
	size 0 = [H]
	size m = [C (hd is) (hd js) rk
		\\ (i, j, k) <- three (m - 1)
		, is <- remainders table.[i]
		, js <- remainders (if (i == j) is table.[j])
		, rk <- if (j == k) js table.[k]]

bonds :: Int {[Radical]} -> [Paraffin]
bonds n table
	| isOdd n = []
	= [Bond (hd is) r \\ is <- remainders table.[n / 2], r <- is]

centres :: Int {[Radical]} -> [Paraffin]
centres n table = [Centre (hd is) (hd js) (hd ks) rl
	\\ (i, j, k, l) <- four (n - 1)
	, is <- remainders table.[i]
	, js <- remainders (if (i == j) is table.[j])
	, ks <- remainders (if (j == k) js table.[k])
	, rl <- if (k == l) ks table.[l]]

paraffins :: Int -> [[Paraffin]]
paraffins n = [bonds m table ++ centres m table \\ m <- [1 .. n]]
where
	table = radicals (n / 2)

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# io = foldl (\io ps -> io <<< length ps <<< ' ') io (paraffins n)
	= snd (fclose (io <<< '\n') world)
