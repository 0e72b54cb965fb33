module huffman
// Codes of Huffman: letters counted in an array, trees merged in order, texts coded into bits and decoded again.

import StdEnv

:: Code = Leaf !Int !Char | Fork !Int Code Code
:: Bit = O | I

weight :: !Code -> Int
weight (Leaf n _) = n
weight (Fork n _ _) = n

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

text :: !Int -> String
text n = {pick (s >> 11) \\ s <- take n (iterate next 31)}
where
	pick k
		# a = k rem 37
		# b = (k / 37) rem 26
		= toChar (toInt 'a' + (a * b) / 37)

counts :: !String -> {#Int}
counts line = count 0 (createArray 128 0)
where
	count :: !Int !*{#Int} -> *{#Int}
	count i table
		| i == size line = table
		# c = toInt line.[i]
		  (k, table) = table![c]
		= count (i + 1) {table & [c] = k + 1}

tree :: [Code] -> Code
tree [one] = one
tree [a, b : rest] = tree (insert (Fork (weight a + weight b) a b) rest)
where
	insert x [] = [x]
	insert x all=:[y : ys]
		| weight x <= weight y = [x : all]
		= [y : insert x ys]

codes :: !Code -> {[Bit]}
codes root = {createArray 128 [] & [toInt c] = bits \\ (c, bits) <- all root []}
where
	all (Leaf _ c) bits = [(c, reverse bits)]
	all (Fork _ a b) bits = all a [O : bits] ++ all b [I : bits]

encode :: !{[Bit]} !String -> [Bit]
encode table line = [bit \\ c <-: line, bit <- table.[toInt c]]

decode :: !Code [Bit] -> [Char]
decode root [] = []
decode root bits = follow root bits
where
	follow (Leaf _ c) rest = [c : decode root rest]
	follow (Fork _ a b) [O : rest] = follow a rest
	follow (Fork _ a b) [I : rest] = follow b rest

packed :: [Bit] -> [Int]
packed [] = []
packed bits = [byte 8 0 bits : packed (drop 8 bits)]
where
	byte 0 n _ = n
	byte k n [I : rest] = byte (k - 1) (2 * n + 1) rest
	byte k n [O : rest] = byte (k - 1) (2 * n) rest
	byte k n [] = byte (k - 1) (2 * n) []

run :: !Int -> String
run n
	# line = text n
	  root = tree (sortBy (\a b -> weight a < weight b) [Leaf k (toChar i) \\ k <-: counts line & i <- [0..] | k > 0])
	  bits = encode (codes root) line
	  back = {c \\ c <- decode root bits}
	= toString (weight root) +++ " " +++ toString (length bits) +++ " " +++ toString (foldl (\h b -> (h * 31 + b) bitand 0xffffff) 1 (packed bits)) +++ " " +++ (if (back == line) "same" "different") +++ " " +++ line % (0, 20)

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
