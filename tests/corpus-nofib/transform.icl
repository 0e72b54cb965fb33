module transform
// Spectral, "fft2": Fourier's transform of lists of complex numbers by halves, there and back.

import StdEnv

:: Complex = {re :: !Real, im :: !Real}

instance + Complex where (+) a b = {re = a.re + b.re, im = a.im + b.im}
instance - Complex where (-) a b = {re = a.re - b.re, im = a.im - b.im}
instance * Complex where (*) a b = {re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re}

halves :: [a] -> ([a], [a])
halves [] = ([], [])
halves [x : xs]
	# (odd, even) = halves xs
	= ([x : even], odd)

transform :: Real [Complex] -> [Complex]
transform sign [x] = [x]
transform sign xs = zipWith3` (\e o w -> e + o * w) es os ws ++ zipWith3` (\e o w -> e - o * w) es os ws
where
	(even, odd) = halves xs
	es = transform sign even
	os = transform sign odd
	n = length xs
	ws = [{re = cos (angle k), im = sign * sin (angle k)} \\ k <- [0 .. n / 2 - 1]]
	angle k = 6.28318530717958647692 * toReal k / toReal n

zipWith3` :: (a b c -> d) [a] [b] [c] -> [d]
zipWith3` f [a : as] [b : bs] [c : cs] = [f a b c : zipWith3` f as bs cs]
zipWith3` _ _ _ _ = []

wave :: Int -> [Complex]
wave n = [{re = toReal ((k * k * 7 + 3) rem 17) / 4.0, im = toReal (k rem 5)} \\ k <- [0 .. n - 1]]

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# size = 2 ^ n
	  xs = wave size
	  ys = transform -1.0 xs
	  zs = [{re = z.re / toReal size, im = z.im / toReal size} \\ z <- transform 1.0 ys]
	# io = io <<< toInt (1000.0 * sum [abs y.re + abs y.im \\ y <- take 64 ys]) <<< ' '
	# io = io <<< toInt (1000000.0 * sum [abs (x.re - z.re) + abs (x.im - z.im) \\ x <- xs & z <- zs]) <<< '\n'
	= snd (fclose io world)
