module roots
// Imaginary, "x2n1": roots of x^n = 1, in complex numbers of a record, raised and summed.

import StdEnv

:: Complex = {re :: !Real, im :: !Real}

instance + Complex where (+) a b = {re = a.re + b.re, im = a.im + b.im}
instance - Complex where (-) a b = {re = a.re - b.re, im = a.im - b.im}
instance * Complex where (*) a b = {re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re}
instance one Complex where one = {re = 1.0, im = 0.0}
instance zero Complex where zero = {re = 0.0, im = 0.0}

power :: !Int a -> a | *, one a
power 0 _ = one
power n x
	| isEven n = power (n / 2) (x * x)
	= x * power (n - 1) x

root :: Int Int -> Complex
root n k = {re = cos angle, im = sin angle}
where
	angle = 2.0 * 3.14159265358979323846 * toReal k / toReal n

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# c = sum [power m (root m k) \\ m <- [1 .. n], k <- [1, 8 .. m]]
	# io = io <<< toInt (c.re + 0.5) <<< ' ' <<< toInt (c.im * 100.0) <<< '\n'
	= snd (fclose io world)
