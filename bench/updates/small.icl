module small

// 1000 elements, 2 * 10^7 updates with new nodes at random places

import Boxes

Size :== 1000

Start :: Int
Start = total 0 (scatter 20000000 1 (array Size 0)) 0

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
