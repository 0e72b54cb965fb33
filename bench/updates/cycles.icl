module cycles

// a table of 2 * 10^4 rings of ten lazy cells; rings are replaced at random

import Boxes

Size :== 20000

Start :: Int
Start = total 0 (turn 2000000 1 (fill 0 (array Size []))) 0

ring :: !Int -> [Int]
ring k = start
where
	start = [k : cells 9]
	cells :: !Int -> [Int]
	cells 0 = start
	cells n = [k + n : cells (n - 1)]

fill :: !Int !*{[Int]} -> *{[Int]}
fill i a
	| i == Size = a
	#! r = ring i
	= fill (i + 1) (put a i r)

turn :: !Int !Int !*{[Int]} -> *{[Int]}
turn 0 _ a = a
turn n s a
	#! s = next s
	   i = (s >> 8) rem Size
	# (l,a) = get a i
	#! k = walk 25 l 0
	= turn (n - 1) s (put a i (ring (k rem 1000)))

walk :: !Int ![Int] !Int -> Int
walk 0 _ acc = acc
walk n [x : l] acc = walk (n - 1) l (acc + x)

total :: !Int !*{[Int]} !Int -> Int
total i a acc
	| i == Size = acc
	# (l,a) = get a i
	= total (i + 1) a ((acc * 3 + walk 12 l 0) rem 1000003)
