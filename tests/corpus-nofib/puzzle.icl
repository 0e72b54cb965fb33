module puzzle
// Spectral, "puzzle": four people cross a bridge with one torch, all ways of it, in lists of states.

import StdEnv

:: Person = Bono | Edge | Adam | Larry
:: Side = LeftBank | RightBank

instance == Person where (==) a b = toInt a == toInt b
instance toInt Person where
	toInt Bono = 1
	toInt Edge = 2
	toInt Adam = 5
	toInt Larry = 10

:: State = {left :: [Person], right :: [Person], torch :: Side, time :: !Int}

transfers :: Int State -> [State]
transfers limit s=:{torch = LeftBank} = [t
	\\ (movers, rest) <- choose s.left
	, let t = {s & left = rest, right = movers ++ s.right, torch = RightBank, time = s.time + slowest movers}
	| t.time <= limit]
transfers limit s = [t
	\\ (movers, rest) <- choose s.right
	, let t = {s & right = rest, left = movers ++ s.left, torch = LeftBank, time = s.time + slowest movers}
	| t.time <= limit]

slowest :: [Person] -> Int
slowest ps = foldl (\m p -> max m (toInt p)) 0 ps

choose :: [Person] -> [([Person], [Person])]
choose ps = [([p], without p ps) \\ p <- ps] ++ [([p, q], without p (without q ps)) \\ [p : qs] <- tails ps, q <- qs]

without :: Person [Person] -> [Person]
without p ps = [q \\ q <- ps | not (q == p)]

tails :: [a] -> [[a]]
tails [] = []
tails xs=:[_ : rest] = [xs : tails rest]

solutions :: Int [State] -> [[State]]
solutions limit [] = []
solutions limit path=:[s : _]
	| isEmpty s.left = [path]
	= flatten [solutions limit [t : path] \\ t <- transfers limit s]

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# start = {left = [Bono, Edge, Adam, Larry], right = [], torch = LeftBank, time = 0}
	  found = solutions n [start]
	# io = io <<< length found <<< ' ' <<< foldl (\m [s : _] -> min m s.time) 1000 found <<< '\n'
	= snd (fclose io world)
