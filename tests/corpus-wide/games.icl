module games
// Game trees: made lazily, cut, valued and searched with alpha and beta; connecting four on a small board.

import StdEnv

:: Tree a = Node a [Tree a]
:: Board = {red :: !Int, blue :: !Int, heights :: [Int], turn :: !Bool}

width :== 5
rows :== 5

bit :: !Int !Int -> Int
bit column row = 1 << (column * (rows + 1) + row)

moves :: !Board -> [Board]
moves board
	| won (if board.turn board.blue board.red) = []
	= [drop` c h \\ c <- [2, 1, 3, 0, 4] , h <- [board.heights !! c] | h < rows]
where
	drop` c h
		# heights = updateAt c (h + 1) board.heights
		| board.turn = {board & red = board.red bitor bit c h, heights = heights, turn = False}
		= {board & blue = board.blue bitor bit c h, heights = heights, turn = True}

won :: !Int -> Bool
won set = or [line d \\ d <- [1, rows, rows + 1, rows + 2]]
where
	line d
		# pairs = set bitand (set >> d)
		= pairs bitand (pairs >> (2 * d)) <> 0

grow :: (a -> [a]) a -> Tree a
grow f x = Node x (map (grow f) (f x))

cut :: !Int (Tree a) -> Tree a
cut 0 (Node x _) = Node x []
cut n (Node x subs) = Node x (map (cut (n - 1)) subs)

mapTree :: (a -> b) (Tree a) -> Tree b
mapTree f (Node x subs) = Node (f x) (map (mapTree f) subs)

value :: !Board -> Int
value board = score board.red - score board.blue
where
	score set = (if (won set) 1000 0) + sum [threes set d \\ d <- [1, rows, rows + 1, rows + 2]]
	threes set d = ones (set bitand (set >> d) bitand (set >> (2 * d)))
	ones 0 = 0
	ones n = (n bitand 1) + ones (n >> 1)

high :: !Int !Int (Tree Int) -> Int
high alpha beta (Node v []) = v
high alpha beta (Node _ subs) = best alpha subs
where
	best a [] = a
	best a [sub : rest]
		# v = low a beta sub
		| v >= beta = v
		= best (max a v) rest

low :: !Int !Int (Tree Int) -> Int
low alpha beta (Node v []) = v
low alpha beta (Node _ subs) = best beta subs
where
	best b [] = b
	best b [sub : rest]
		# v = high alpha b sub
		| v <= alpha = v
		= best (min b v) rest

count :: (Tree a) -> Int
count (Node _ subs) = 1 + sum (map count subs)

leaves :: (Tree Int) -> Int
leaves (Node v []) = v
leaves (Node _ subs) = foldr max -10000 (map (~ o leaves) subs)

play :: !Int !Int !Board -> [Int]
play 0 _ _ = []
play n depth board = case moves board of
	[] -> []
	options
		# rated = [(search option, option) \\ option <- options]
		  (v, option) = foldl1 (if board.turn better worse) rated
		-> [v : play (n - 1) depth option]
where
	search option = (if option.turn high low) -10000 10000 (mapTree value (cut depth (grow moves option)))
	better a b = if (fst b > fst a) b a
	worse a b = if (fst b < fst a) b a
	foldl1 f [x : xs] = foldl f x xs

run :: !Int -> String
run n
	# start = {red = 0, blue = 0, heights = repeatn width 0, turn = True}
	= foldr (\v text -> toString v +++ " " +++ text) "" (play 6 n start) +++ toString (count (cut n (grow moves start))) +++ " " +++ toString (leaves (mapTree value (cut (n - 1) (grow moves start))))

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
