module mandel
// Spectral, "mandel": Mandelbrot's set by lists of what iterates, of which as much is looked at as is needed.

import StdEnv

:: Complex = {re :: !Real, im :: !Real}

instance + Complex where (+) a b = {re = a.re + b.re, im = a.im + b.im}
instance * Complex where (*) a b = {re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re}

orbit :: Complex -> [Complex]
orbit c = iterate (\z -> z * z + c) {re = 0.0, im = 0.0}

far :: Complex -> Bool
far z = z.re * z.re + z.im * z.im > 4.0

depth :: Int Complex -> Int
depth limit c = length (takeWhile (not o far) (take limit (orbit c)))

picture :: Int -> [[Int]]
picture n = [[depth 100 {re = -2.2 + 3.0 * part x, im = -1.5 + 3.0 * part y} \\ x <- [0 .. n - 1]] \\ y <- [0 .. n - 1]]
where
	part k = toReal k / toReal n

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# rows = picture n
	# io = io <<< sum (map sum rows) <<< ' ' <<< length (filter ((==) 100) (flatten rows)) <<< ' '
	# io = io <<< foldl (\h d -> (h * 33 + d) bitand 0xFFFFFF) 0 (flatten rows) <<< '\n'
	= snd (fclose io world)
