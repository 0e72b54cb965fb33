module bernoulli
// Imaginary, "bernouilli": Bernoulli's numbers by sums of powers with the triangle of Pascal, all of them lazy lists.
// Numbers without a limit are lists of digits to the base 10000, the last first, none of which is a trailing zero.

import StdEnv

:: Big :== [Int]

base :: Int
base = 10000

big :: Int -> Big
big 0 = []
big n = [n rem base : big (n / base)]

plus :: Big Big -> Big
plus a b = add a b 0
where
	add [] b 0 = b
	add a [] 0 = a
	add [] [] c = [c]
	add [] b c = add [0] b c
	add a [] c = add a [0] c
	add [x : xs] [y : ys] c
		# s = x + y + c
		| s < base = [s : add xs ys 0]
		= [s - base : add xs ys 1]

less :: Big Big -> Bool
less a b = order a b False
where
	order [] [] l = l
	order [] _ _ = True
	order _ [] _ = False
	order [x : xs] [y : ys] l = order xs ys (if (x == y) l (x < y))

// Of a larger number a smaller or equal one.
minus :: Big Big -> Big
minus a b = trimmed (sub a b 0)
where
	sub a [] 0 = a
	sub [x : xs] [] c = sub [x : xs] [0] c
	sub [x : xs] [y : ys] c
		# d = x - y - c
		| d < 0 = [d + base : sub xs ys 1]
		= [d : sub xs ys 0]
	sub [] _ _ = []

trimmed :: Big -> Big
trimmed [] = []
trimmed [d : ds] = case trimmed ds of
	[] | d == 0 = []
	rest = [d : rest]

scaled :: Int Big -> Big
scaled 0 _ = []
scaled k ds = go ds 0
where
	go [] c = big c
	go [d : ds] c
		# p = d * k + c
		= [p rem base : go ds (p / base)]

times :: Big Big -> Big
times [] _ = []
times [d : ds] b = plus (scaled d b) (shifted (times ds b))
where
	shifted [] = []
	shifted ds = [0 : ds]

divided :: Int Big -> Big
divided k ds = trimmed (reverse (go (reverse ds) 0))
where
	go [] _ = []
	go [d : ds] r
		# v = r * base + d
		= [v / k : go ds (v rem k)]

// A number with a sign: what is positive less what is negative.
:: Signed :== (Big, Big)

powers :: [[Big]]
powers =: [iterate (scaled v) (big 1) \\ v <- [0 ..]]

pascal :: [[Big]]
pascal =: iterate next [big 1]
where
	next row = zipWith2 plus (row ++ [[]]) [[] : row]

zipWith2 :: (a b -> c) [a] [b] -> [c]
zipWith2 f [a : as] [b : bs] = [f a b : zipWith2 f as bs]
zipWith2 _ _ _ = []

// The sum over v of (-1)^v times the k over v times v^m.
inner :: Int Int -> Signed
inner m k = foldr next ([], []) (zip2 (take (k + 1) (pascal !! k)) (take (k + 1) powers))
where
	next (c, row) (p, n) = (plus (times c (row !! m)) n, p)

multiple :: Int -> Big
multiple n = foldl join (big 1) [1 .. n]
where
	join d k = scaled (k / gcd k (rest k d)) d
	rest k d = foldr (\digit r -> (r * base + digit) rem k) 0 d

// Numerator over the least common multiple of 1 to m + 1.
bernoulli :: Int -> (Bool, Big, Big)
bernoulli m
	| less p n = (True, minus n p, d)
	= (False, minus p n, d)
where
	d = multiple (m + 1)
	(p, n) = foldl next ([], []) [0 .. m]
	next (p, n) k
		# (a, b) = inner m k
		  q = divided (k + 1) d
		= (plus p (times q a), plus n (times q b))

shown :: Big -> String
shown [] = "0"
shown ds
	# [d : rest] = reverse ds
	= toString d +++ foldr (\d s -> digits d +++ s) "" rest
where
	digits d
		# s = toString (base + d)
		= s % (1, size s - 1)

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# (negative, p, q) = bernoulli n
	= snd (fclose (io <<< (if negative "-" "") <<< shown p <<< '/' <<< shown q <<< '\n') world)
