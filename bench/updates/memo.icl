module memo

// a table of 10^6 delayed values, each computed from two earlier ones when it is needed; three tables one after the other

import Boxes

Size :== 1000000

Start :: Int
Start = run 3 + run 5 + run 7

run :: !Int -> Int
run k = total 0 0
where
	table = fill 0 (array Size 0)

	fill :: !Int !*{Int} -> *{Int}
	fill i a
		| i == Size = a
		= fill (i + 1) (put a i (compute i))

	compute :: !Int -> Int
	compute i
		| i < 2 = i + k
		= (value (i >> 1) + value (next i rem i)) rem 1000003

	value :: !Int -> Int
	value i
		# (x,_) = get table i
		= x

	total :: !Int !Int -> Int
	total i acc
		| i == Size = acc
		= total (i + 1) ((acc * 3 + value i) rem 1000003)
