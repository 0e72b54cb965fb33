module cryptarithm
// Spectral, "cryptarithm2": a sum in letters, digit by digit from the right, in a monad of a state with many results.

import StdEnv

:: Digits = {known :: [(Char, Int)], free :: [Int]}
:: Step a :== Digits -> [(a, Digits)]

return :: a -> Step a
return x = \s -> [(x, s)]

(>>>=) infixl 1 :: (Step a) (a -> Step b) -> Step b
(>>>=) m f = \s -> flatten [f x t \\ (x, t) <- m s]

nothing :: Step a
nothing = \_ -> []

guard :: Bool -> Step Int
guard c = if c (return 0) nothing

digit :: Char -> Step Int
digit c = \s -> case [d \\ (e, d) <- s.known | e == c] of
	[d : _] = [(d, s)]
	[] = [(d, {known = [(c, d) : s.known], free = filter ((<>) d) s.free}) \\ d <- s.free]

nonzero :: Char -> Step Int
nonzero c = digit c >>>= \d -> guard (d > 0)

// The columns from the right: letters to add, and the letter below.
column :: Int [Char] Char -> Step Int
column carry letters below = total letters carry >>>= \t -> digit below >>>= \d -> guard (t rem 10 == d) >>>= \_ -> return (t / 10)
where
	total [] t = return t
	total [c : cs] t = digit c >>>= \d -> total cs (t + d)

columns :: Int [([Char], Char)] -> Step Int
columns carry [] = guard (carry == 0)
columns carry [(letters, below) : rest] = column carry letters below >>>= \c -> columns c rest

// Words that are added, the result the last of them.
solve :: [[Char]] -> [[(Char, Int)]]
solve words = [s.known \\ (_, s) <- (columns 0 (arranged reversed) >>>= \_ -> leading words) {known = [], free = [0 .. 9]}]
where
	reversed = map reverse words
	arranged ws = case last ws of
		[] = []
		[below : _] = [([hd w \\ w <- init ws | not (isEmpty w)], below) : arranged (map rest ws)]
	rest [] = []
	rest [_ : cs] = cs
	leading [] = return 0
	leading [w : ws] = nonzero (hd w) >>>= \_ -> leading ws

riddles :: [[[Char]]]
riddles = map (map fromString) [["send", "more", "money"], ["ten", "ten", "forty", "sixty"], ["two", "two", "four"]
	, ["base", "ball", "games"], ["donald", "gerald", "robert"], ["three", "three", "two", "two", "one", "eleven"]]

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# io = foldl answers io [riddles !! (i rem 6) \\ i <- [0 .. n - 1]]
	= snd (fclose (io <<< '\n') world)
where
	answers io words
		# found = solve words
		= io <<< length found <<< ':' <<< sum [foldl (\h (c, d) -> h + toInt c * d * d) 0 f \\ f <- found] <<< ' '
