module digits
// Imaginary, "digits-of-e2": the digits of e as a lazy list in the base of factorials, converted digit by digit.

import StdEnv

digitsOf :: Int -> [Int]
digitsOf n = [2 : take n (go (repeatn (n + 20) 1))]
where
	go ds
		# (c, ds) = step (map ((*) 10) ds) 2
		= [c : go ds]
	step [] _ = (0, [])
	step [d : ds] k
		# (c, ds) = step ds (k + 1)
		  v = d + c
		= (v / k, [v rem k : ds])

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# ds = digitsOf n
	# io = foldl (\io d -> io <<< d) io (drop (n - 40) ds)
	= snd (fclose (io <<< ' ' <<< sum ds <<< '\n') world)
