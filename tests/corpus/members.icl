module members

// Instances whose entries end in a call of another member say nothing of what they return. Both classes take four
// nodes through a closure, but `walk` returns one and `next` two nodes and a word.

import Basics, Walks

sum :: !a -> Int | walk a
sum x = walk (\n s -> n + s) x 0

list :: !a -> [Int] | walk a
list x = walk (\n s -> [n:s]) x []

twice :: !a -> (Bool, Seen, a) | next a
twice x
	# (ok, seen, x) = next x {small = [], large = []}
	# (again, seen, x) = next x seen
	= (ok && again, seen, x)

Start = ( twice [([1, 2], (3, 9)), ([10], (8, 30))]
        , twice (7, [[1], []])
        , sum [([1, 2], 3), ([4], 5)]
        , list ((1, 2), [(3, (4, 5))])
        )
