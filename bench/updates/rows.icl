module rows

// 1000 arrays of 1000 elements; whole arrays are replaced, and single elements of the others

import Boxes

Size :== 1000

Start :: Int
Start = total 0 (turn 10000 1 (fill 0 (array Size (row 0)))) 0

row :: !Int -> *{Int}
row k = cells 0 (array Size 0)
where
	cells :: !Int !*{Int} -> *{Int}
	cells i a
		| i == Size = a
		#! x = k * i + 1000
		= cells (i + 1) (put a i x)

fill :: !Int !*{{Int}} -> *{{Int}}
fill i a
	| i == Size = a
	#! r = row i
	= fill (i + 1) (put a i r)

turn :: !Int !Int !*{{Int}} -> *{{Int}}
turn 0 _ a = a
turn n s a
	#! s = next s
	   r = row (s rem 1000)
	   i = (s >> 8) rem Size
	= turn (n - 1) s (put a i r)

total :: !Int !*{{Int}} !Int -> Int
total i a acc
	| i == Size = acc
	# (r,a) = get a i
	# (x,_) = get r ((i * 7) rem Size)
	= total (i + 1) a ((acc * 3 + x) rem 1000003)
