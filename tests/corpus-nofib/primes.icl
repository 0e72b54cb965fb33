module primes
// Imaginary, "primes": the sieve that filters the numbers that are left, as a list of lists.

import StdEnv

sieved :: [Int] -> [Int]
sieved [p : ns] = [n \\ n <- ns | not (divides p n)]

divides :: Int Int -> Bool
divides p n = n rem p == 0

primes :: [Int]
primes = map hd (iterate sieved [2 ..])

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	= snd (fclose (io <<< (primes !! n) <<< '\n') world)
