module sieve2
// Imaginary, "wheel-sieve2" and its like: primes by a wheel of 210, with spokes that are struck by lists of multiples,
// merged as they come (a tree of lazy lists).

import StdEnv

gaps :: [Int]
gaps =: [2, 4, 2, 4, 6, 2, 6, 4, 2, 4, 6, 6, 2, 6, 4, 2, 6, 4, 6, 8, 4, 2, 4, 2, 4, 8, 6, 4, 6, 2, 4, 6, 2, 6, 6, 4, 2, 4,
	6, 2, 6, 4, 2, 4, 2, 10, 2, 10 : gaps]

spin :: [Int] Int -> [Int]
spin [g : gs] n = [n : spin gs (n + g)]

primes :: [Int]
primes =: [2, 3, 5, 7 : others]

others :: [Int]
others =: [11 : minus (tl (spin gaps 11)) struck]

struck :: [Int]
struck =: unite [multiples p \\ p <- others]

multiples :: Int -> [Int]
multiples p = [p * q \\ q <- since p (spin gaps 11)]
where
	since p [q : qs]
		| q < p = since p qs
		= [q : qs]

minus :: [Int] [Int] -> [Int]
minus xs=:[x : xt] ys=:[y : yt]
	| x < y = [x : minus xt ys]
	| x == y = minus xt yt
	= minus xs yt

merge :: [Int] [Int] -> [Int]
merge xs=:[x : xt] ys=:[y : yt]
	| x < y = [x : merge xt ys]
	| x == y = [x : merge xt yt]
	= [y : merge xs yt]

unite :: [[Int]] -> [Int]
unite [[x : xs] : rest] = [x : merge xs (unite (pairs rest))]

pairs :: [[Int]] -> [[Int]]
pairs [[x : xs], ys : rest] = [[x : merge xs ys] : pairs rest]

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	= snd (fclose (io <<< (primes !! n) <<< '\n') world)
