module primetest
// Spectral, "primetest": the test of Miller and Rabin, with witnesses from a lazy list of numbers by chance.

import StdEnv

:: Halves = Halves !Int !Int

chances :: Int -> [Int]
chances seed = tl (iterate (\s -> (s * 1103515245 + 12345) bitand 0x7FFFFFFF) seed)

power :: Int Int Int -> Int
power m b 0 = 1
power m b e
	| isEven e = power m ((b * b) rem m) (e / 2)
	= (b * power m b (e - 1)) rem m

halves :: Int -> Halves
halves n = foldl (\_ h -> h) (Halves 0 n) (takeUntil odd (iterate half (Halves 0 n)))
where
	half (Halves k m) = Halves (k + 1) (m / 2)
	odd (Halves _ m) = isOdd m

takeUntil :: (a -> Bool) [a] -> [a]
takeUntil p [x : xs]
	| p x = [x]
	= [x : takeUntil p xs]

witness :: Int Int -> Bool
witness n a = not (x == 1 || any ((==) (n - 1)) (take k squares))
where
	(Halves k m) = halves (n - 1)
	x = power n a m
	squares = iterate (\y -> (y * y) rem n) x

isPrime :: Int [Int] -> Bool
isPrime n chance
	| n < 4 = n > 1
	| isEven n = False
	= not (any (witness n) (take 12 (map (\c -> 2 + c rem (n - 3)) chance)))

// Portions of the list for one number after the other.
tested :: [Int] [Int] -> [Int]
tested [] _ = []
tested [n : ns] chance
	| isPrime n chance = [n : tested ns (drop 12 chance)]
	= tested ns (drop 12 chance)

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# found = tested [1000000000 .. 1000000000 + n] (chances 42)
	# io = io <<< length found <<< ' ' <<< foldl (\h p -> (h * 31 + p) bitand 0xFFFFFF) 0 found <<< '\n'
	= snd (fclose io world)
