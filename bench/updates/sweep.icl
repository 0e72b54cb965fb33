module sweep

// 10^5 elements, each replaced in turn by one computed from it, 300 times

import Boxes

Size :== 100000

Start :: Int
Start = total 0 (rounds 300 (array Size 1000)) 0

rounds :: !Int !*{Int} -> *{Int}
rounds 0 a = a
rounds n a = rounds (n - 1) (sweep 0 a)

sweep :: !Int !*{Int} -> *{Int}
sweep i a
	| i == Size = a
	# (x,a) = get a i
	#! y = x + i
	= sweep (i + 1) (put a i y)

total :: !Int !*{Int} !Int -> Int
total i a acc
	| i == Size = acc
	# (x,a) = get a i
	= total (i + 1) a (acc + x)
