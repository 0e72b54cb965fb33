module sorts
// Sorting of records: by merging, by parts, by heaps in arrays, by digits, with orders that are passed as functions.

import StdEnv

:: Person = {name :: !String, town :: !String, born :: !Int, number :: !Int}

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

person :: !Int !Int -> Person
person number s =
	{ name = {toChar (toInt 'a' + (t >> 9) rem 26) \\ t <- take (3 + s rem 6) (iterate next s)}
	, town = {toChar (toInt 'A' + (s >> 12) rem 20)}, born = 1900 + (s >> 7) rem 110, number = number}

byName :: Person Person -> Bool
byName a b = a.name < b.name || a.name == b.name && a.number < b.number

byTown :: Person Person -> Bool
byTown a b = a.town < b.town

byBirth :: Person Person -> Bool
byBirth a b = b.born < a.born

mergeSort :: (a a -> Bool) [a] -> [a]
mergeSort less list = rounds [[x] \\ x <- list]
where
	rounds [] = []
	rounds [one] = one
	rounds many = rounds (pairs many)
	pairs [a, b : rest] = [both a b : pairs rest]
	pairs rest = rest
	both [] b = b
	both a [] = a
	both a=:[x : xs] b=:[y : ys]
		| less y x = [y : both a ys]
		= [x : both xs b]

quickSort :: (a a -> Bool) [a] -> [a]
quickSort _ [] = []
quickSort less [p : rest] = quickSort less [x \\ x <- rest | less x p] ++ [p] ++ quickSort less [x \\ x <- rest | not (less x p)]

heapSort :: (Person Person -> Bool) !*{!Person} -> *{!Person}
heapSort less a
	# (n, a) = usize a
	= shrink (n - 1) (build (n / 2) n a)
where
	build i n a
		| i < 0 = a
		= build (i - 1) n (sift i n a)
	shrink :: !Int !*{!Person} -> *{!Person}
	shrink last a
		| last <= 0 = a
		# (x, a) = a![0]
		  (y, a) = a![last]
		= shrink (last - 1) (sift 0 last {a & [0] = y, [last] = x})
	sift :: !Int !Int !*{!Person} -> *{!Person}
	sift i n a
		# l = 2 * i + 1
		| l >= n = a
		# (x, a) = a![i]
		  (c, a) = greater l n a
		  (y, a) = a![c]
		| less x y = sift c n {a & [i] = y, [c] = x}
		= a
	greater :: !Int !Int !*{!Person} -> (!Int, !*{!Person})
	greater l n a
		| l + 1 >= n = (l, a)
		# (x, a) = a![l]
		  (y, a) = a![l + 1]
		= (if (less x y) (l + 1) l, a)

// Stable, by the last digit first.
digitSort :: [Person] -> [Person]
digitSort list = foldl (\l unit -> flatten [[p \\ p <- l | (p.born / unit) rem 10 == d] \\ d <- [0..9]]) list [1, 10, 100, 1000]

checksum :: [Person] -> Int
checksum list = foldl (\h p -> (h * 31 + p.number) bitand 0xffffff) 7 list

run :: !Int -> String
run n
	# people = [person k s \\ s <- iterate next 77 & k <- [1..n]]
	  merged = mergeSort byName people
	  quick = quickSort byName people
	  heaped = [p \\ p <-: heapSort byName {p \\ p <- people}]
	  towns = mergeSort byTown (mergeSort byBirth merged)
	  digits = digitSort merged
	  library = sortBy (\a b -> a.town < b.town || a.town == b.town && byName a b) people
	= toString (checksum merged) +++ " " +++ toString (checksum quick) +++ " " +++ toString (checksum heaped) +++ " " +++ toString (checksum towns) +++ " " +++ toString (checksum digits) +++ " " +++ toString (checksum library) +++ " " +++ (hd merged).name

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
