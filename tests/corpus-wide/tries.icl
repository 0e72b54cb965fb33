module tries
// Tries with lists at their leaves, alive for a while: an index of words, grown, walked, joined and thinned.

import StdEnv

:: Trie = Trie [Int] [(Char, Trie)]

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

none :: Trie
none = Trie [] []

add :: [Char] !Int !Trie -> Trie
add [] n (Trie list subs) = Trie [n : list] subs
add [c : cs] n (Trie list subs) = Trie list (into subs)
where
	into [] = [(c, add cs n none)]
	into all=:[sub=:(d, trie) : rest]
		| c == d
			#! trie = add cs n trie
			= [(d, trie) : rest]
		| c < d = [(c, add cs n none) : all]
		#! rest = into rest
		= [sub : rest]

find :: [Char] !Trie -> [Int]
find [] (Trie list _) = list
find [c : cs] (Trie _ subs) = case [t \\ (d, t) <- subs | d == c] of
	[t : _] -> find cs t
	[] -> []

both :: !Trie !Trie -> Trie
both (Trie a subs) (Trie b others) = Trie (a ++ b) (zipped subs others)
where
	zipped [] ys = ys
	zipped xs [] = xs
	zipped xs=:[(c, t) : cs] ys=:[(d, u) : ds]
		| c < d = [(c, t) : zipped cs ys]
		| d < c = [(d, u) : zipped xs ds]
		= [(c, both t u) : zipped cs ds]

thin :: (Int -> Bool) !Trie -> Trie
thin ok (Trie list subs) = Trie (filter ok list) [(c, t) \\ (c, sub) <- subs, t <- [thin ok sub] | not (isNone t)]
where
	isNone (Trie [] []) = True
	isNone _ = False

count :: !Trie -> (Int, Int)
count (Trie list subs) = foldl plus (length list, 1) [count t \\ (_, t) <- subs]
where
	plus (a, b) (c, d) = (a + c, b + d)

word :: !Int -> [Char]
word s = [toChar (toInt 'a' + (t >> 9) rem 12) \\ t <- take (3 + s rem 6) (iterate next s)]

fill :: !Int !Int !Trie -> Trie
fill 0 _ trie = trie
fill n s trie = fill (n - 1) (next s) (add (word s) n trie)

shown :: (Int, Int) -> String
shown (a, b) = toString a +++ "/" +++ toString b

run :: !Int -> String
run n
	# a = fill n 1 none
	  b = fill n 4711 none
	  c = both a b
	  d = thin (\k -> k rem 3 == 0) c
	  hits = length [k \\ k <- take n (iterate next 99) | not (isEmpty (find (word k) c))]
	= shown (count a) +++ " " +++ shown (count c) +++ " " +++ shown (count d) +++ " " +++ toString hits

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
