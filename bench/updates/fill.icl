module fill

// an array of 10^7 elements is filled with new nodes from one end to the other

import Boxes

Size :== 10000000

Start :: Int
Start = total 0 (fill 0 (array Size 0)) 0

fill :: !Int !*{Int} -> *{Int}
fill i a
	| i == Size = a
	#! x = i * 7 + 1000
	= fill (i + 1) (put a i x)

total :: !Int !*{Int} !Int -> Int
total i a acc
	| i == Size = acc
	# (x,a) = get a i
	= total (i + 1) a (acc + x)
