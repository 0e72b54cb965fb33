module graphs
// Search in graphs: breadth and depth first over arrays of lists, shortest ways with a leftist heap, components.

import StdEnv

:: Graph :== {[(Int, Int)]}
:: Leftist = Nil | Fork !Int !Int !Int Leftist Leftist

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

graph :: !Int -> Graph
graph n = {edges i \\ i <- [0..n - 1]}
where
	edges i = [((s >> 6) rem n, 1 + (s >> 17) rem 100) \\ s <- take (1 + i rem 4) (tl (iterate next (i * 7919 + 13)))]

breadth :: !Graph -> {#Int}
breadth g = level [0] 1 {createArray (size g) -1 & [0] = 0}
where
	level :: [Int] !Int !*{#Int} -> *{#Int}
	level [] _ seen = seen
	level nodes depth seen
		# (new, seen) = visit nodes [] depth seen
		= level new (depth + 1) seen
	visit [] new _ seen = (new, seen)
	visit [node : rest] new depth seen
		# (new, seen) = mark g.[node] new depth seen
		= visit rest new depth seen
	mark :: [(Int, Int)] [Int] !Int !*{#Int} -> (![Int], !*{#Int})
	mark [] new _ seen = (new, seen)
	mark [(to, _) : rest] new depth seen
		| seen.[to] >= 0 = mark rest new depth seen
		= mark rest [to : new] depth {seen & [to] = depth}

merge :: !Leftist !Leftist -> Leftist
merge Nil h = h
merge h Nil = h
merge a=:(Fork _ k v l r) b=:(Fork _ k1 v1 l1 r1)
	| k <= k1 = fork k v l (merge r b)
	= fork k1 v1 l1 (merge r1 a)
where
	fork k v a b
		| rank a >= rank b = Fork (rank b + 1) k v a b
		= Fork (rank a + 1) k v b a
	rank Nil = 0
	rank (Fork n _ _ _ _) = n

shortest :: !Graph -> {#Int}
shortest g = work (Fork 1 0 0 Nil Nil) (createArray (size g) -1)
where
	work :: !Leftist !*{#Int} -> *{#Int}
	work Nil far = far
	work (Fork _ d node l r) far
		| far.[node] >= 0 = work (merge l r) far
		= work (add d g.[node] (merge l r)) {far & [node] = d}
	add _ [] heap = heap
	add d [(to, cost) : rest] heap = add d rest (merge (Fork 1 (d + cost) to Nil Nil) heap)

// The order in which depth-first search leaves the nodes.
order :: !Graph -> [Int]
order g = snd (all 0 (createArray (size g) False, []))
where
	all i (seen, list)
		| i == size g = (seen, list)
		= all (i + 1) (visit i seen list)
	visit :: !Int !*{#Bool} [Int] -> (!*{#Bool}, [Int])
	visit i seen list
		| seen.[i] = (seen, list)
		# (seen, list) = visits g.[i] {seen & [i] = True} list
		= (seen, [i : list])
	visits :: [(Int, Int)] !*{#Bool} [Int] -> (!*{#Bool}, [Int])
	visits [] seen list = (seen, list)
	visits [(to, _) : rest] seen list
		# (seen, list) = visit to seen list
		= visits rest seen list

run :: !Int -> String
run n
	# g = graph n
	  depths = breadth g
	  ways = shortest g
	  list = order g
	= toString (foldl max 0 [d \\ d <-: depths]) +++ " " +++ toString (length [d \\ d <-: depths | d >= 0]) +++ " " +++ toString (sum [d \\ d <-: ways | d >= 0]) +++ " " +++ toString (hd list) +++ " " +++ toString (foldl (\h x -> (h * 31 + x) bitand 0xffffff) 7 list)

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
