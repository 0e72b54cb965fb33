module calendar
// Spectral, "calendar": the calendar of a year as a picture, put together from pictures of months, beside and above others
// (R. Bird and P. Wadler, Introduction to functional programming, 1988).

import StdEnv

:: Picture :== [[Char]]

above :: [Picture] -> Picture
above ps = flatten ps

beside :: [Picture] -> Picture
beside ps = foldr1 (zipWith2 (++)) ps

foldr1 :: (a a -> a) [a] -> a
foldr1 f [x] = x
foldr1 f [x : xs] = f x (foldr1 f xs)

zipWith2 :: (a b -> c) [a] [b] -> [c]
zipWith2 f [a : as] [b : bs] = [f a b : zipWith2 f as bs]
zipWith2 _ _ _ = []

groups :: Int [a] -> [[a]]
groups n [] = []
groups n xs
	# (first, rest) = splitAt n xs
	= [first : groups n rest]

block :: Int [Picture] -> Picture
block n ps = above (map beside (groups n ps))

right :: Int [Char] -> [Char]
right n cs = repeatn (n - length cs) ' ' ++ cs

centre :: Int [Char] -> [Char]
centre n cs = repeatn left ' ' ++ cs ++ repeatn (n - left - length cs) ' '
where
	left = (n - length cs) / 2

leap :: Int -> Bool
leap y = if (y rem 100 == 0) (y rem 400 == 0) (y rem 4 == 0)

lengths :: Int -> [Int]
lengths y = [31, if (leap y) 29 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

// The weekday of the first of January, Sunday is 0.
january :: Int -> Int
january y = (y + (y - 1) / 4 - (y - 1) / 100 + (y - 1) / 400) rem 7

firsts :: Int -> [Int]
firsts y = map (\d -> d rem 7) (take 12 (scan (+) (january y) (lengths y)))

names :: [String]
names = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]

month :: (String, Int, Int) -> Picture
month (name, first, days) = [centre 22 (fromString name), fromString " Su Mo Tu We Th Fr Sa "] ++ map line (groups 7 (map date [1 - first .. 42 - first]))
where
	line ds = flatten ds ++ [' ']
	date d
		| d < 1 || d > days = [' ', ' ', ' ']
		= right 3 (fromString (toString d))

zip3` :: [a] [b] [c] -> [(a, b, c)]
zip3` [a : as] [b : bs] [c : cs] = [(a, b, c) : zip3` as bs cs]
zip3` _ _ _ = []

year :: Int -> Picture
year y = [centre 66 (fromString (toString y)) : block 3 (map month (zip3` names (firsts y) (lengths y)))]

shown :: Picture -> [Char]
shown p = flatten [trimmed l ++ ['\n'] \\ l <- p]
where
	trimmed cs = reverse (dropWhile ((==) ' ') (reverse cs))

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# years = [shown (year y) \\ y <- [2026 .. 2025 + n]]
	# io = foldl (\io c -> io <<< c) io (hd years)
	# io = io <<< foldl (\h c -> (h * 31 + toInt c) bitand 0xFFFFFF) 0 (flatten years) <<< '\n'
	= snd (fclose io world)
