module rfib
// Imaginary, "rfib": the numbers of calls of a naive recursion, counted in real numbers.

import StdEnv

calls :: Real -> Real
calls n
	| n <= 1.0 = 1.0
	= calls (n - 1.0) + calls (n - 2.0) + 1.0

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# io = foldl (\io c -> io <<< toInt c <<< ' ') io (map calls (map toReal [1 .. n]))
	= snd (fclose (io <<< '\n') world)
