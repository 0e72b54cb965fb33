module minimax
// Spectral, "minimax": noughts and crosses on lists of lists, a lazy tree of positions, alpha-beta by minima of maxima.

import StdEnv

:: Piece = X | O | E
:: Board :== [[Piece]]
:: Tree = Node Board [Tree]
:: Value = Win | Draw | Loss

instance == Piece where
	(==) X X = True
	(==) O O = True
	(==) E E = True
	(==) _ _ = False

instance toInt Value where
	toInt Loss = 0
	toInt Draw = 1
	toInt Win = 2

instance < Value where (<) a b = toInt a < toInt b
instance == Value where (==) a b = toInt a == toInt b

empty :: Board
empty = repeatn 3 (repeatn 3 E)

moves :: Piece Board -> [Board]
moves p b = [place p b r c \\ r <- [0 .. 2], c <- [0 .. 2] | (b !! r) !! c == E]

place :: Piece Board Int Int -> Board
place p b r c = updateAt r (updateAt c p (b !! r)) b

lines :: Board -> [[Piece]]
lines b = b ++ transpose b ++ [[(b !! i) !! i \\ i <- [0 .. 2]], [(b !! i) !! (2 - i) \\ i <- [0 .. 2]]]
where
	transpose [[] : _] = []
	transpose rows = [map hd rows : transpose (map tl rows)]

wins :: Piece Board -> Bool
wins p b = or [and [q == p \\ q <- line] \\ line <- lines b]

tree :: Piece Board -> Tree
tree p b
	| wins (other p) b = Node b []
	= Node b [tree (other p) c \\ c <- moves p b]

other :: Piece -> Piece
other X = O
other O = X

static :: Board -> Value
static b
	| wins X b = Win
	| wins O b = Loss
	= Draw

best :: Piece Tree -> Value
best _ (Node b []) = static b
best X (Node _ ts) = largest [best O t \\ t <- ts]
best O (Node _ ts) = smallest [best X t \\ t <- ts]

largest :: [Value] -> Value
largest [v] = v
largest [Win : _] = Win
largest [v : vs] = max v (largest vs)

smallest :: [Value] -> Value
smallest [v] = v
smallest [Loss : _] = Loss
smallest [v : vs] = min v (smallest vs)

size :: Tree -> Int
size (Node _ ts) = 1 + sum (map size ts)

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# starts = [(place O (place X empty (i / 3) (i rem 3)) (j / 3) (j rem 3)) \\ i <- [0 .. 8], j <- [0 .. 8] | i <> j]
	# io = io <<< sum [toInt (best X (tree X b)) \\ b <- take n (cycle starts)] <<< '\n'
	= snd (fclose io world)
where
	cycle xs = xs ++ cycle xs
