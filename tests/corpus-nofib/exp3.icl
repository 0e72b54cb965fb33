module exp3
// Imaginary, "exp3_8": powers of three in numbers that are chains of successors.

import StdEnv

:: Nat = Z | S Nat

instance + Nat where
	(+) Z y = y
	(+) (S x) y = S (x + y)

instance * Nat where
	(*) x Z = Z
	(*) x (S y) = x * y + x

instance fromInt Nat where
	fromInt n
		| n < 1 = Z
		= S (fromInt (n - 1))

instance toInt Nat where
	toInt x = count x 0
	where
		count Z n = n
		count (S x) n = count x (n + 1)

power :: Nat Nat -> Nat
power x Z = S Z
power x (S y) = x * power x y

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# io = io <<< toInt (power (fromInt 3) (fromInt n)) <<< '\n'
	= snd (fclose io world)
