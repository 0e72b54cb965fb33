module map

// a binary tree that grows to 3 * 10^5 random keys, and whose values are then replaced

import Boxes

:: Map = Leaf | Node !Int Int !Map !Map

Start :: Int
Start = total (change 700000 1 (grow 300000 1 Leaf)) 0

grow :: !Int !Int !Map -> Map
grow 0 _ m = m
grow n s m
	#! s = next s
	= grow (n - 1) s (insert (s >> 5) n m)

change :: !Int !Int !Map -> Map
change 0 _ m = m
change n s m
	#! s = next s
	= change (n - 1) s (insert ((s >> 5) rem 1000) s m)

insert :: !Int Int !Map -> Map
insert k v Leaf = Node k v Leaf Leaf
insert k v (Node q w l r)
	| k == q = Node k v l r
	| k < q = Node q w (insert k v l) r
	= Node q w l (insert k v r)

total :: !Map !Int -> Int
total Leaf acc = acc
total (Node k v l r) acc = total r (total l ((acc * 3 + k + v) rem 1000003))
