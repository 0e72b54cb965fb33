module scatter

// 10^6 elements, 6 * 10^6 updates with new nodes at random places: a bit more than the live data die

import Boxes

Size :== 1000000

Start :: Int
Start = total 0 (scatter 6000000 1 (array Size 0)) 0

scatter :: !Int !Int !*{Int} -> *{Int}
scatter 0 _ a = a
scatter n s a
	#! s = next s
	   x = s + 1000
	= scatter (n - 1) s (put a ((s >> 8) rem Size) x)

total :: !Int !*{Int} !Int -> Int
total i a acc
	| i == Size = acc
	# (x,a) = get a i
	= total (i + 1) a (acc + x)
