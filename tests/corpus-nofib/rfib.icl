module rfib
// Imaginary, "rfib": the number of calls of a naive recursion, counted in real numbers.

import StdEnv

calls :: Real -> Real
calls n
	| n <= 1.0 = 1.0
	= calls (n - 1.0) + calls (n - 2.0) + 1.0

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	= snd (fclose (io <<< toInt (calls (toReal n)) <<< '\n') world)
