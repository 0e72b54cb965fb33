module knights
// Spectral, "knights": tours of a knight, depth first, with the squares first that have the fewest ways on.

import StdEnv

:: Square :== (!Int, !Int)
:: Board = {edge :: !Int, count :: !Int, tour :: [Square]}

jumps :: Board Square -> [Square]
jumps {edge, tour} (x, y)
	= [s \\ (dx, dy) <- moves
		, let s = (x + dx, y + dy)
		| inside edge s && not (isMember s tour)]
where
	moves = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]
	inside n (a, b) = a >= 1 && a <= n && b >= 1 && b <= n

// The boards after the next jump, those with few ways on first; a dead end before the last square is none.
nexts :: Board -> [Board]
nexts b=:{tour} = map snd (sortBy (\(a, _) (b, _) -> a < b) ways)
where
	ways = [(length (jumps b` s), b`)
		\\ s <- jumps b (hd tour)
		, let b` = {b & count = b.count + 1, tour = [s : tour]}
		]

complete :: Board -> Bool
complete {edge, count} = count == edge * edge

// The tours of a list of boards, of which each is looked at until the number of steps is used up.
tours :: !Int [Board] -> [Board]
tours 0 _ = []
tours _ [] = []
tours steps [b : bs]
	| complete b = [b : tours (steps - 1) bs]
	= tours (steps - 1) (nexts b ++ bs)

start :: Int Int Int -> Board
start n x y = {edge = n, count = 1, tour = [(x, y)]}

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# found = [(take 1 ts, length ts) \\ x <- [1 .. n], y <- [1 .. n], ts <- [tours (40 * n * n) [start n x y]]]
	# io = foldl (\io (t, k) -> io <<< k <<< ':' <<< sum [hash b.tour \\ b <- t] <<< ' ') io found
	= snd (fclose (io <<< '\n') world)
where
	hash tour = foldl (\h (x, y) -> (h * 31 + x * 8 + y) bitand 0xFFFFFF) 0 tour
