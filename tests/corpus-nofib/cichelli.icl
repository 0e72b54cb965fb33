module cichelli
// Spectral, "cichelli": a search for a perfect hash function of words, which adds their length and the values of their
// first and last letters (R. Cichelli, Minimal perfect hash functions made simple, 1980).

import StdEnv

:: Key = {first :: !Char, last :: !Char, letters :: !Int}
:: Values :== [(Char, Int)]
:: Taken = {low :: !Int, high :: !Int, used :: [Int]}
:: Outcome = Failed !Int | Found !Int Values

words :: [String]
words = ["and", "array", "begin", "case", "const", "div", "do", "downto", "else", "end", "file", "for", "function", "goto"
	, "if", "in", "label", "mod", "nil", "not", "of", "or", "packed", "procedure", "program", "record", "repeat", "set"
	, "then", "to", "type", "until", "var", "while", "with"]

key :: String -> Key
key w = {first = w.[0], last = w.[size w - 1], letters = size w}

ends :: [Key] -> [Char]
ends keys = flatten [[k.first, k.last] \\ k <- keys]

occurs :: Char [Char] -> Int
occurs c cs = length (filter ((==) c) cs)

// The words with the most frequent letters first, and after each those whose letters are all known by then.
arranged :: [Key] -> [Key]
arranged keys = together [] (sortBy (\a b -> weight a > weight b) keys)
where
	all = ends keys
	weight k = occurs k.first all + occurs k.last all
	together known [] = []
	together known [k : ks] = [k : ready ++ together known` others]
	where
		known` = [k.first, k.last : known]
		(ready, others) = divide (\j -> isMember j.first known` && isMember j.last known`) ks

divide :: (a -> Bool) [a] -> ([a], [a])
divide p xs = (filter p xs, filter (not o p) xs)

valued :: Char Values -> [Int]
valued c vs = [v \\ (d, v) <- vs | d == c]

insert` :: Int Int Taken -> [Taken]
insert` count h {low, high, used}
	| isMember h used || high` - low` >= count = []
	= [{low = low`, high = high`, used = [h : used]}]
where
	low` = min low h
	high` = max high h

// The first outcome that is a success, with how many attempts there were until then.
firstOf :: !Int [Int -> Outcome] -> Outcome
firstOf n [] = Failed n
firstOf n [try : rest] = case try n of
	Failed m = firstOf m rest
	found = found

search :: Int Int Taken Values [Key] !Int -> Outcome
search count limit taken values [] n = Found n values
search count limit taken values [k : ks] n = case (valued k.first values, valued k.last values) of
	([a : _], [b : _]) = place a b values (n + 1)
	([], [b : _]) = firstOf n [place a b [(k.first, a) : values] \\ a <- [0 .. limit]]
	([a : _], []) = firstOf n [place a b [(k.last, b) : values] \\ b <- [0 .. limit]]
	_
		| k.first == k.last = firstOf n [place a a [(k.first, a) : values] \\ a <- [0 .. limit]]
		= firstOf n [place a b [(k.first, a), (k.last, b) : values] \\ a <- [0 .. limit], b <- [0 .. limit]]
where
	place a b values n = case insert` count (k.letters + a + b) taken of
		[] = Failed (n + 1)
		[taken : _] = search count limit taken values ks (n + 1)

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	= snd (fclose (foldl answer io [max 4 (n - 9) .. n]) world)
where
	answer io n = case search (n + 1) (n / 2) {low = 1000, high = 0, used = []} [] (arranged (map key (take n words))) 0 of
		Failed m = io <<< n <<< " none after " <<< m <<< '\n'
		Found m values = foldl (\io (c, v) -> io <<< ' ' <<< c <<< v) (io <<< n <<< ' ' <<< m <<< ':') values <<< '\n'
