module grids
// Two-dimensional unboxed arrays, updated in place: shortest ways between all places, and a board of cells.

import StdEnv

:: Grid :== {{#Int}}

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

ways :: !Int -> *{*{#Int}}
ways n = {{if (i == j) 0 (1 + (next (i * 7919 + j * 104729) >> 8) rem 1000) \\ j <- [0..n - 1]} \\ i <- [0..n - 1]}

floyd :: !Int !*{*{#Int}} -> *{*{#Int}}
floyd n grid = through 0 grid
where
	through k grid
		| k == n = grid
		= through (k + 1) (row k 0 grid)
	row k i grid
		| i == n = grid
		# (ik, grid) = grid![i, k]
		= row k (i + 1) (to k i ik 0 grid)
	to :: !Int !Int !Int !Int !*{*{#Int}} -> *{*{#Int}}
	to k i ik j grid
		| j == n = grid
		# (kj, grid) = grid![k, j]
		  (ij, grid) = grid![i, j]
		| ik + kj < ij = to k i ik (j + 1) {grid & [i, j] = ik + kj}
		= to k i ik (j + 1) grid

checksum :: !Int !Grid -> Int
checksum n grid = rows 0 0
where
	rows i sum
		| i == n = sum
		= rows (i + 1) (columns i 0 sum)
	columns :: !Int !Int !Int -> Int
	columns i j sum
		| j == n = sum
		= columns i (j + 1) ((sum * 31 + grid.[i, j]) bitand 0xffffff)

life :: !Int !Int !Grid -> Grid
life 0 _ grid = grid
life steps n grid = life (steps - 1) n {{cell i j \\ j <- [0..n - 1]} \\ i <- [0..n - 1]}
where
	cell i j
		# around = at (i - 1) (j - 1) + at (i - 1) j + at (i - 1) (j + 1) + at i (j - 1) + at i (j + 1) + at (i + 1) (j - 1) + at (i + 1) j + at (i + 1) (j + 1)
		| around == 3 = 1
		| around == 2 = grid.[i, j]
		= 0
	at i j = grid.[(i + n) rem n, (j + n) rem n]

run :: !Int -> String
run n
	# shortest = floyd n (ways n)
	  board = {{if (shortest.[i, j] rem 3 == 0) 1 0 \\ j <- [0..n - 1]} \\ i <- [0..n - 1]}
	  later = life 10 n board
	= toString (checksum n shortest) +++ " " +++ toString (checksum n later)

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
