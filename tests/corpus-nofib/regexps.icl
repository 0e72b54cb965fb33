module regexps
// Imaginary, "gen_regexps": all strings of a pattern of ranges, such as "a[1-9]b[x-z]", through lists of characters.

import StdEnv

expand :: [Char] -> [[Char]]
expand ['[' : rest]
	# (inside, after) = span ((<>) ']') rest
	= [[c : cs] \\ c <- range inside, cs <- expand (tl after)]
expand ['(' : rest]
	# (inside, after) = span ((<>) ')') rest
	= [w ++ cs \\ w <- words inside, cs <- expand (tl after)]
expand [c : rest] = [[c : cs] \\ cs <- expand rest]
expand [] = [[]]

range :: [Char] -> [Char]
range [a, '-', b : rest] = [a .. b] ++ range rest
range [c : rest] = [c : range rest]
range [] = []

words :: [Char] -> [[Char]]
words [] = [[]]
words cs
	# (word, rest) = span ((<>) '|') cs
	| isEmpty rest = [word]
	= [word : words (tl rest)]

hash :: ![[Char]] !Int !Int -> (Int, Int)
hash [] count h = (count, h)
hash [w : ws] count h = hash ws (count + 1) (letters w h)
where
	letters [] h = (h * 31 + 7) bitand 0xFFFFFF
	letters [c : cs] h = letters cs ((h * 33 + toInt c) bitand 0xFFFFFF)

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# pattern = fromString "[a-j](one|two|three|)x" ++ flatten (repeatn n (fromString "[0-9]")) ++ fromString "y[p-rt]"
	# (count, h) = hash (expand pattern) 0 0
	# io = io <<< count <<< ' ' <<< h <<< '\n'
	= snd (fclose io world)
