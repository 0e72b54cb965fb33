module boards
// List comprehensions: queens, knights, squares of letters, triples, all by generators and guards.

import StdEnv

queens :: !Int -> [[Int]]
queens n = place n
where
	place 0 = [[]]
	place k = [[q : board] \\ board <- place (k - 1), q <- [1..n] | and [q <> p && abs (q - p) <> d \\ p <- board & d <- [1..]]]

knights :: !Int !Int -> Int
knights n steps = length (walk steps [(1, 1)])
where
	walk 0 squares = squares
	walk k squares = walk (k - 1) (removeDup [(x + dx, y + dy) \\ (x, y) <- squares, (dx, dy) <- jumps | x + dx >= 1 && x + dx <= n && y + dy >= 1 && y + dy <= n])
	jumps = [(a * i, b * j) \\ (a, b) <- [(1, 2), (2, 1)], i <- [-1, 1], j <- [-1, 1]]

triples :: !Int -> [(Int, Int, Int)]
triples n = [(a, b, c) \\ c <- [1..n], b <- [1..c], a <- [1..b] | a * a + b * b == c * c]

latin :: !Int -> Int
latin n = length (rows n [])
where
	all = permutations [1..n]
	rows 0 above = [above]
	rows k above = [square \\ row <- all | fits row above, square <- rows (k - 1) [row : above]]
	fits row above = and [and [x <> y \\ x <- row & y <- other] \\ other <- above]

permutations :: [a] -> [[a]]
permutations [] = [[]]
permutations list = [[x : rest] \\ (x, others) <- picks list, rest <- permutations others]
where
	picks [] = []
	picks [x : xs] = [(x, xs) : [(y, [x : ys]) \\ (y, ys) <- picks xs]]

subsets :: !Int [Int] -> [[Int]]
subsets 0 _ = [[]]
subsets n list
	| n < 0 = []
	= [[x : rest] \\ [x : more] <- tails list | x <= n, rest <- subsets (n - x) more]
where
	tails [] = []
	tails l=:[_ : t] = [l : tails t]

run :: !Int -> String
run n
	# boards = queens n
	= toString (length boards) +++ " " +++ toString (sum (map hd boards)) +++ " " +++ toString (knights 8 n) +++ " " +++ toString (length (triples (n * 20))) +++ " " +++ toString (latin 4) +++ " " +++ toString (length (subsets (n * 6) [1..n * 3]))

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
