module memo
// Lazy arrays as tables of delayed values: distances of texts, partitions, coins, parentheses.

import StdEnv

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

// They choose the kind of array; a local definition with a type would be a function, computed at each use.
delayed :: {{Int}} -> {{Int}}
delayed table = table

row :: {Int} -> {Int}
row table = table

unboxed :: {#Int} -> {#Int}
unboxed table = table

word :: !Int !Int -> String
word n seed = {toChar (toInt 'a' + (s >> 9) rem 4) \\ s <- take n (iterate next seed)}

distance :: !String !String -> Int
distance a b = table.[0].[0]
where
	m = size a
	n = size b
	table = delayed {{cell i j \\ j <- [0..n]} \\ i <- [0..m]}
	cell i j
		| i == m = n - j
		| j == n = m - i
		| a.[i] == b.[j] = table.[i + 1].[j + 1]
		= 1 + min table.[i + 1].[j] (min table.[i].[j + 1] table.[i + 1].[j + 1])

partitions :: !Int -> Int
partitions n = table.[n].[n]
where
	table = delayed {{ways k m \\ m <- [0..n]} \\ k <- [0..n]}
	ways 0 _ = 1
	ways _ 0 = 0
	ways k m
		| m > k = table.[k].[k]
		= (table.[k].[m - 1] + table.[k - m].[m]) rem 1000007

coins :: !Int -> Int
coins n = best.[n]
where
	best = row {least k \\ k <- [0..n]}
	least 0 = 0
	least k = 1 + minList [best.[k - c] \\ c <- [1, 7, 10, 22, 36] | c <= k]

chain :: !Int -> Int
chain n = table.[0].[n - 1]
where
	sizes = unboxed {1 + (s >> 7) rem 40 \\ s <- take (n + 1) (iterate next 5)}
	table = delayed {{cost i j \\ j <- [0..n - 1]} \\ i <- [0..n - 1]}
	cost i j
		| i >= j = 0
		= minList [table.[i].[k] + table.[k + 1].[j] + sizes.[i] * sizes.[k + 1] * sizes.[j + 1] \\ k <- [i..j - 1]]

run :: !Int -> String
run n = toString (distance (word n 1) (word n 2)) +++ " " +++ toString (partitions n) +++ " " +++ toString (coins (n * 50)) +++ " " +++ toString (chain (n / 6 + 2))

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
