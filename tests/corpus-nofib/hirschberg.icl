module hirschberg
// Spectral, "lcss": a longest common subsequence in space that grows with one of the lists (D. Hirschberg, A linear space
// algorithm for computing maximal common subsequences, 1975).

import StdEnv

// The lengths for all beginnings of the second list.
lengths :: [Int] [Int] -> [Int]
lengths xs ys = [0 : map snd (foldl row [(y, 0) \\ y <- ys] xs)]
where
	row before x = line x before 0 0
	line _ [] _ _ = []
	line x [(y, above) : rest] diagonal left
		# here = if (x == y) (diagonal + 1) (max left above)
		= [(y, here) : line x rest above here]

subsequence :: [Int] [Int] -> [Int]
subsequence xs ys = collect (length xs) (length ys) xs ys []

collect :: Int Int [Int] [Int] [Int] -> [Int]
collect m n xs ys rest
	| n == 0 || m == 0 = rest
	| m == 1
		| isMember (hd xs) ys = [hd xs : rest]
		= rest
	= collect half k upper left (collect (m - half) (n - k) lower right rest)
where
	half = m / 2
	(upper, lower) = splitAt half xs
	(left, right) = splitAt k ys
	k = best 0 0 -1 (lengths upper ys) (reverse (lengths (reverse lower) (reverse ys)))
	best _ k _ [] _ = k
	best i k most [a : as] [b : bs]
		| a + b > most = best (i + 1) i (a + b) as bs
		= best (i + 1) k most as bs

numbers :: Int Int -> [Int]
numbers seed n = take n (map (\s -> (s >> 8) rem 16) (iterate (\s -> (s * 1103515245 + 12345) bitand 0x7FFFFFFF) seed))

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# found = subsequence (numbers 7 n) (numbers 11 (n + n / 5))
	# io = io <<< length found <<< ' ' <<< foldl (\h x -> (h * 17 + x) bitand 0xFFFFFF) 0 found <<< '\n'
	= snd (fclose io world)
