module compress
// Spectral, "compress": text becomes numbers after Lempel, Ziv and Welch, with a tree of what was there as dictionary, and
// text again; both ways are lazy.

import StdEnv

// Of a word its number, and the words that go on from it by their next letter.
:: Words = None | Word Words Char Int Words Words

codes :: [Char] -> [Int]
codes cs = coded start 256 cs
where
	start = foldl (\t i -> grown [toChar i] i t) None [(i * 77 + 13) rem 256 \\ i <- [0 .. 255]]

coded :: Words !Int [Char] -> [Int]
coded _ _ [] = []
coded words next cs
	# (n, taken, rest) = longest words 0 0 cs
	| isEmpty rest = [n]
	= [n : coded (grown (take (taken + 1) cs) next words) (next + 1) rest]

longest :: Words Int Int [Char] -> (Int, Int, [Char])
longest _ n taken [] = (n, taken, [])
longest None n taken cs = (n, taken, cs)
longest (Word l d m inner r) n taken cs=:[c : rest]
	| c < d = longest l n taken cs
	| d < c = longest r n taken cs
	= longest inner m (taken + 1) rest

grown :: [Char] Int Words -> Words
grown [] _ t = t
grown [c : cs] n None
	| isEmpty cs = Word None c n None None
	= Word None c 0 (grown cs n None) None
grown cs=:[c : rest] n (Word l d m inner r)
	| c < d = Word (grown cs n l) d m inner r
	| d < c = Word l d m inner (grown cs n r)
	= Word l d m (grown rest n inner) r

:: Texts = Nothing` | Text Texts [Char] Texts

// Numbers from 0 on as a tree that follows their bits.
put :: Int [Char] Texts -> Texts
put 0 cs Nothing` = Text Nothing` cs Nothing`
put 0 cs (Text l _ r) = Text l cs r
put n cs t
	# (l, old, r) = parts t
	| isOdd n = Text (put (n / 2) cs l) old r
	= Text l old (put (n / 2 - 1) cs r)
where
	parts Nothing` = (Nothing`, [], Nothing`)
	parts (Text l old r) = (l, old, r)

get :: Int Texts -> [Char]
get n Nothing` = []
get 0 (Text _ cs _) = cs
get n (Text l _ r)
	| isOdd n = get (n / 2) l
	= get (n / 2 - 1) r

text :: [Int] -> [Char]
text [] = []
text [n : ns] = first ++ decoded start 256 first ns
where
	start = foldl (\t i -> put i [toChar i] t) Nothing` [0 .. 255]
	first = get n start

decoded :: Texts Int [Char] [Int] -> [Char]
decoded _ _ _ [] = []
decoded t next before [n : ns] = now ++ decoded (put next (before ++ [hd now]) t) (next + 1) now ns
where
	now = if (n == next) (before ++ [hd before]) (get n t)

sample :: Int -> [Char]
sample n = flatten (take n (map word (iterate (\s -> (s * 1103515245 + 12345) bitand 0x7FFFFFFF) 99)))
where
	word s = fromString (words !! ((s >> 9) rem 12)) ++ [if ((s >> 20) rem 7 == 0) '\n' ' ']
	words = ["lazy", "graph", "reduction", "of", "the", "lambda", "calculus", "is", "a", "combinator", "machine", "thunk"]

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# cs = sample n
	  ns = codes cs
	# io = io <<< length cs <<< ' ' <<< length ns <<< ' ' <<< foldl (\h x -> (h * 31 + x) bitand 0xFFFFFF) 0 ns
	# io = io <<< (if (text ns == cs) " the same\n" " different\n")
	= snd (fclose io world)
