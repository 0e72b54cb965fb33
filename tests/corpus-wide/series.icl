module series
// Endless lists: power series with the classes of arithmetic, numbers of Hamming, primes, Pascal, all cut at the end.

import StdEnv

:: Series = Series [Real]

list :: Series -> [Real]
list (Series s) = s

instance + Series where
	(+) (Series a) (Series b) = Series (zipW (+) a b)

instance - Series where
	(-) (Series a) (Series b) = Series (zipW (-) a b)

instance * Series where
	(*) (Series a) (Series b) = Series (times a b)

instance / Series where
	(/) (Series a) (Series b) = Series (over a b)

zipW :: (a b -> c) [a] [b] -> [c]
zipW f [a : as] [b : bs] = [f a b : zipW f as bs]
zipW _ _ _ = []

times :: [Real] [Real] -> [Real]
times [a : as] bs=:[b : rest] = [a * b : zipW (+) (map ((*) a) rest) (times as bs)]

over :: [Real] [Real] -> [Real]
over [a : as] bs=:[b : rest] = [q : over (zipW (-) as (map ((*) q) rest)) bs]
where
	q = a / b

integral :: Real Series -> Series
integral c (Series s) = Series [c : zipW (/) s (map toReal [1..])]

exponential :: Series
exponential = e
where
	e = Series [1.0 : list (integral 0.0 e) % (1, 1000)]

sine :: !Int -> Series
sine n = Series (sinList n)

sinList :: !Int -> [Real]
sinList n = s
where
	s = [0.0 : zipW (/) c (map toReal [1..])]
	c = [1.0 : map (~) (zipW (/) s (map toReal [1..]))]

hamming :: [Int]
hamming = h
where
	h = [1 : merge (map ((*) 2) h) (merge (map ((*) 3) h) (map ((*) 5) h))]
	merge xs=:[x : xt] ys=:[y : yt]
		| x < y = [x : merge xt ys]
		| x > y = [y : merge xs yt]
		= [x : merge xt yt]

primes :: [Int]
primes = p
where
	p = [2 : filter isPrime [3, 5..]]
	isPrime n = all (\q -> n rem q <> 0) (takeWhile (\q -> q * q <= n) p)

pascal :: [[Int]]
pascal = iterate (\row -> [(a + b) rem 1000003 \\ a <- [0 : row] & b <- row ++ [0]]) [1]

// Numbers in the spiral of digits: each list says how the one before it is read.
readAloud :: [[Int]]
readAloud = iterate say [1]
where
	say [] = []
	say [x : xs]
		# (same, rest) = span ((==) x) xs
		= [1 + length same, x : say rest]

shown :: !Real -> String
shown x = toString (toInt (x * 1000000.0))

run :: !Int -> String
run n
	# s = sine n
	  c = Series (tl (sinList n))
	  cosine = Series [1.0 : [~ (x / 1.0) \\ x <- map (\(a, k) -> a / toReal k) (zip2 (sinList n) [1..])]]
	  one` = s * s + cosine * cosine
	  tangent = s / cosine
	= shown (sum (take n (list one`))) +++ " " +++ shown (sum (take (min n 40) (list tangent))) +++ " " +++ toString (hamming !! (n * 100)) +++ " " +++ toString (primes !! (n * 30)) +++ " " +++ toString (sum (pascal !! n)) +++ " " +++ toString (length (readAloud !! min 45 (n / 10)))

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
