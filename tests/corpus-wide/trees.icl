module trees
// Big balanced trees with updates: AVL trees as maps, insertion and deletion in random order, ranges, unions.

import StdEnv

:: Map k v = Tip | Bin !Int !Int (Map k v) k v (Map k v)

height :: !(Map k v) -> Int
height Tip = 0
height (Bin h _ _ _ _ _) = h

count :: !(Map k v) -> Int
count Tip = 0
count (Bin _ n _ _ _ _) = n

bin :: !(Map k v) k v !(Map k v) -> Map k v
bin l k v r = Bin (1 + max (height l) (height r)) (1 + count l + count r) l k v r

balance :: !(Map k v) k v !(Map k v) -> Map k v
balance l k v r
	| height l > height r + 1 = right l
	| height r > height l + 1 = left r
	= bin l k v r
where
	right (Bin _ _ ll lk lv lr)
		| height ll >= height lr = bin ll lk lv (bin lr k v r)
		= case lr of
			Bin _ _ a mk mv b -> bin (bin ll lk lv a) mk mv (bin b k v r)
	left (Bin _ _ rl rk rv rr)
		| height rr >= height rl = bin (bin l k v rl) rk rv rr
		= case rl of
			Bin _ _ a mk mv b -> bin (bin l k v a) mk mv (bin b rk rv rr)

insert :: (v v -> v) k v !(Map k v) -> Map k v | < k
insert _ k v Tip = Bin 1 1 Tip k v Tip
insert f k v (Bin h n l k1 v1 r)
	| k < k1 = balance (insert f k v l) k1 v1 r
	| k1 < k = balance l k1 v1 (insert f k v r)
	= Bin h n l k (f v v1) r

find :: k !(Map k v) -> [v] | < k
find _ Tip = []
find k (Bin _ _ l k1 v r)
	| k < k1 = find k l
	| k1 < k = find k r
	= [v]

delete :: k !(Map k v) -> Map k v | < k
delete _ Tip = Tip
delete k (Bin _ _ l k1 v1 r)
	| k < k1 = balance (delete k l) k1 v1 r
	| k1 < k = balance l k1 v1 (delete k r)
	= joined l r
where
	joined Tip r = r
	joined l Tip = l
	joined l r
		# (k, v, r1) = least r
		= balance l k v r1
	least (Bin _ _ Tip k v r) = (k, v, r)
	least (Bin _ _ l k v r)
		# (k1, v1, l1) = least l
		= (k1, v1, balance l1 k v r)

pairs :: !(Map k v) -> [(k, v)]
pairs tree = list tree []
where
	list Tip rest = rest
	list (Bin _ _ l k v r) rest = list l [(k, v) : list r rest]

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

fill :: !Int !Int !(Map Int [Int]) -> Map Int [Int]
fill 0 _ tree = tree
fill n s tree = fill (n - 1) (next s) (insert (++) (s >> 9) [n] tree)

thin :: !Int !Int !(Map Int [Int]) -> Map Int [Int]
thin 0 _ tree = tree
thin n s tree = thin (n - 1) (next (next s)) (delete (s >> 9) tree)

run :: !Int -> String
run n
	# full = fill n 3 Tip
	  thinned = thin (n / 2) 3 full
	  names = foldl (\tree (k, v) -> insert (+) (toString (k rem 1000)) (length v) tree) Tip (pairs thinned)
	  found = length [k \\ k <- [1..n] | not (isEmpty (find k full))]
	= toString (count full) +++ " " +++ toString (height full) +++ " " +++ toString (count thinned) +++ " " +++ toString (count names) +++ " " +++ toString found +++ " " +++ toString (sum (map snd (pairs names)))

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
