module slices
// Strings and slices: words are cut out, turned, compared, replaced and joined.

import StdEnv

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

text :: !Int -> String
text n = {letter s \\ s <- take n (iterate next 42)}
where
	letter s
		# k = (s >> 10) rem 31
		| k < 26 = toChar (k + toInt 'a')
		= ' '

words :: !String -> [String]
words line = cut 0
where
	end = size line
	cut i
		| i >= end = []
		| line.[i] == ' ' = cut (i + 1)
		# j = stop i
		= [line % (i, j - 1) : cut j]
	stop i
		| i < end && line.[i] <> ' ' = stop (i + 1)
		= i

turned :: !String -> String
turned word = {word.[size word - 1 - i] \\ i <- [0..size word - 1]}

find :: !String !String -> [Int]
find pattern line = search 0
where
	m = size pattern
	search i
		| i + m > size line = []
		| same i 0 = [i : search (i + m)]
		= search (i + 1)
	same i k
		| k == m = True
		| line.[i + k] == pattern.[k] = same i (k + 1)
		= False

replaced :: !String !String !String -> String
replaced old new line = paste 0 (find old line)
where
	paste at [] = line % (at, size line - 1)
	paste at [place : rest] = line % (at, place - 1) +++ new +++ paste (place + size old) rest

count :: [String] -> [(Int, String)]
count [] = []
count [word : rest]
	# (same, others) = span ((==) word) rest
	= [(1 + length same, word) : count others]

joined :: [String] -> String
joined list = half list (length list)
where
	half [] _ = ""
	half [word] _ = word +++ " "
	half list n
		# k = n / 2
		= half (take k list) k +++ half (drop k list) (n - k)

upper :: !String -> String
upper word
	| size word == 0 = word
	= word := (0, toUpper word.[0])

run :: !Int -> String
run n
	# line = text n
	  list = words line
	  counts = sortBy (\(a, v) (b, w) -> a > b || a == b && v < w) (count (sort (map (\word -> word % (0, 2)) list)))
	  (most, word) = hd counts
	  again = replaced "a" "<o>" (joined (map (upper o turned) list))
	= toString (length list) +++ " " +++ toString (length counts) +++ " " +++ toString most +++ word +++ " " +++ toString (size again) +++ " " +++ again % (0, 30) +++ toString (length (find "<o>" again))

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
