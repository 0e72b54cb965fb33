module constraints
// Spectral, "constraints": the queens as a problem of constraints, with labelled lazy trees that are pruned
// (Nordin and Tolmach, Modular lazy search for constraint satisfaction problems, 2001).

import StdEnv

:: Assign = Assign Int Int
:: Csp = {vars :: !Int, vals :: !Int, related :: Assign Assign -> Bool}
:: Tree a = Node a [Tree a]
:: Conflicts = Known [Int] | Unknown

queens :: Int -> Csp
queens n = {vars = n, vals = n, related = safe}
where
	safe (Assign i m) (Assign j n) = m <> n && abs (i - j) <> abs (m - n)

mapTree :: (a -> b) (Tree a) -> Tree b
mapTree f (Node a ts) = Node (f a) (map (mapTree f) ts)

prune :: (a -> Bool) (Tree a) -> Tree a
prune p t = Node label [prune p c \\ c=:(Node l _) <- children | not (p l)]
where
	(Node label children) = t

leaves :: (Tree a) -> [a]
leaves (Node leaf []) = [leaf]
leaves (Node _ ts) = flatten (map leaves ts)

level :: [Assign] -> Int
level [] = 0
level [Assign v _ : _] = v

space :: Csp -> Tree [Assign]
space csp = init []
where
	init as = Node as (if (level as < csp.vars) [init [Assign (level as + 1) v : as] \\ v <- [1 .. csp.vals]] [])

earliest :: Csp [Assign] -> Conflicts
earliest csp [] = Unknown
earliest csp [a : as] = case [b \\ b <- reverse as | not (csp.related a b)] of
	[] = Unknown
	[Assign b _ : _] = Known [level [a : as], b]

label :: Csp (Tree [Assign]) -> Tree ([Assign], Conflicts)
label csp t = mapTree (\as -> (as, earliest csp as)) t

known :: Conflicts -> Bool
known (Known _) = True
known Unknown = False

search :: (Csp (Tree [Assign]) -> Tree ([Assign], Conflicts)) Csp -> [[Assign]]
search labeler csp = map fst (filter (\(as, _) -> level as == csp.vars) (leaves (prune (\(_, c) -> known c) (labeler csp (space csp)))))

lookahead :: Csp (Tree [Assign]) -> Tree ([Assign], Conflicts)
lookahead csp t = wipe (label csp t)
where
	wipe (Node (as, c) ts)
		| known c = Node (as, c) []
		| level as < csp.vars && all (\v -> isBad (level as + 1) v as) [1 .. csp.vals] = Node (as, Known [level as]) []
		= Node (as, c) (map wipe ts)
	isBad var val as = any (\a -> not (csp.related (Assign var val) a)) as

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# io = foldl (\io s -> io <<< length (search s (queens n)) <<< ' ') io [label, lookahead]
	= snd (fclose (io <<< '\n') world)
