module components
// Spectral, "scc": strongly connected components by two searches in depth, with a search tree of what was seen.

import StdEnv

:: Set = Empty | Node Set Int Set
:: Graph :== Tree [Int]
:: Tree a = Leaf | Fork (Tree a) Int a (Tree a)

member :: !Int !Set -> Bool
member _ Empty = False
member x (Node l y r)
	| x < y = member x l
	| y < x = member x r
	= True

insert` :: !Int !Set -> Set
insert` x Empty = Node Empty x Empty
insert` x t=:(Node l y r)
	| x < y = Node (insert` x l) y r
	| y < x = Node l y (insert` x r)
	= t

change :: !Int (a -> a) a !(Tree a) -> Tree a
change k f none Leaf = Fork Leaf k (f none) Leaf
change k f none (Fork l j a r)
	| k < j = Fork (change k f none l) j a r
	| j < k = Fork l j a (change k f none r)
	= Fork l j (f a) r

find :: !Int !(Tree [Int]) -> [Int]
find _ Leaf = []
find k (Fork l j a r)
	| k < j = find k l
	| j < k = find k r
	= a

edges :: [(Int, Int)] -> Graph
edges es = foldl (\t (a, b) -> change a (\ns -> [b : ns]) [] t) Leaf es

// Vertices in the order in which a search leaves them, the last one first.
postorder :: Graph [Int] Set [Int] -> (Set, [Int])
postorder g [] seen out = (seen, out)
postorder g [v : vs] seen out
	| member v seen = postorder g vs seen out
	# (seen, out) = postorder g (find v g) (insert` v seen) out
	= postorder g vs seen [v : out]

components :: [Int] [(Int, Int)] -> [[Int]]
components vs es = go order Empty
where
	(_, order) = postorder (edges es) vs Empty []
	back = edges [(b, a) \\ (a, b) <- es]
	go [] _ = []
	go [v : rest] seen
		| member v seen = go rest seen
		# (seen, part) = postorder back [v] seen []
		= [part : go rest seen]

pairsOf :: Int Int -> [(Int, Int)]
pairsOf n m = take m (zip2 (evens chance) (evens (tl chance)))
where
	chance = map (\s -> (s >> 7) rem n) (iterate (\s -> (s * 1103515245 + 12345) bitand 0x7FFFFFFF) 2024)
	evens [x, _ : xs] = [x : evens xs]

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# parts = components [0 .. n - 1] (pairsOf n (n + n / 4))
	# io = io <<< length parts <<< ' ' <<< maxList (map length parts) <<< ' '
	# io = io <<< foldl (\h vs -> (h * 31 + foldl (+) (length vs) vs) bitand 0xFFFFFF) 0 parts <<< '\n'
	= snd (fclose io world)
