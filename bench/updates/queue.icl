module queue

// a queue of two lists that is always 2 * 10^5 elements long

import Boxes

:: Queue = Queue ![Int] ![Int]

Start :: Int
Start = turn 5000000 1 (fill 200000 (Queue [] [])) 0

fill :: !Int !Queue -> Queue
fill 0 q = q
fill n (Queue f b) = fill (n - 1) (Queue f [n : b])

turn :: !Int !Int !Queue !Int -> Int
turn 0 _ _ acc = acc
turn n s (Queue [x : f] b) acc
	#! s = next s
	= turn (n - 1) s (Queue f [s : b]) ((acc * 3 + x) rem 1000003)
turn n s (Queue [] b) acc = turn n s (Queue (reverse b []) []) acc

reverse :: ![Int] ![Int] -> [Int]
reverse [] r = r
reverse [x : l] r = reverse l [x : r]
