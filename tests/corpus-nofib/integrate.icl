module integrate
// Imaginary, "integrate": a double integral by sums over lists of numbers.

import StdEnv

steps :: Real Real Real -> [Real]
steps first by last
	| first > last = []
	= [first : steps (first + by) by last]

integrate1 :: (Real -> Real) Real Real -> Real
integrate1 f l u = (d / 2.0) * (f l + f u) + d * sum [f x \\ x <- steps (l + d) d (u - d / 2.0)]
where
	d = (u - l) / 8.0

integrate2 :: (Real Real -> Real) Real Real Real Real -> Real
integrate2 f l1 u1 l2 u2 = integrate1 (\y -> integrate1 (\x -> f x y) l1 u1) l2 u2

zark :: Real Real -> Real
zark u v = integrate2 (\x y -> x * y) 0.0 u 0.0 v

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# ints = map toReal [1 .. n]
	# zarks = [zark x y \\ x <- ints & y <- map ((*) 2.0) ints]
	# io = io <<< sum (zipPlus zarks [0.0 : zarks]) <<< '\n'
	= snd (fclose io world)
where
	zipPlus [a : as] [b : bs] = [a / (a + b + 1.0) : zipPlus as bs]
	zipPlus _ _ = []
