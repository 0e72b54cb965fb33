module fish
// Spectral, "fish": pictures as functions of three vectors (Henderson, Functional geometry, 1982), drawn into a list of
// lines.

import StdEnv

:: Vec = {x :: !Real, y :: !Real}
:: Segment = Segment Vec Vec
:: Picture :== Vec Vec Vec -> [Segment]

instance + Vec where (+) a b = {x = a.x + b.x, y = a.y + b.y}
instance - Vec where (-) a b = {x = a.x - b.x, y = a.y - b.y}
scale :: !Vec !Real -> Vec
scale a k = {x = a.x * k, y = a.y * k}

beside :: Int Int Picture Picture -> Picture
beside m n p q = \a b c -> p a (scale b (toReal m / toReal (m + n))) c ++ q (a + scale b (toReal m / toReal (m + n))) (scale b (toReal n / toReal (n + m))) c

above :: Int Int Picture Picture -> Picture
above m n p q = \a b c -> p (a + scale c (toReal n / toReal (n + m))) b (scale c (toReal m / toReal (n + m))) ++ q a b (scale c (toReal n / toReal (m + n)))

turned :: Picture -> Picture
turned p = \a b c -> p (a + b) c ({x = 0.0, y = 0.0} - b)

none :: Picture
none = \a b c -> []

grid :: Int [(Int, Int, Int, Int)] -> Picture
grid n segments = \a b c -> [Segment (at a b c x0 y0) (at a b c x1 y1) \\ (x0, y0, x1, y1) <- segments]
where
	at a b c x y = a + scale b (toReal x / toReal n) + scale c (toReal y / toReal n)

quartet :: Picture Picture Picture Picture -> Picture
quartet a b c d = above 1 1 (beside 1 1 a b) (beside 1 1 c d)

cycle :: Picture -> Picture
cycle p = quartet p (turned (turned (turned p))) (turned p) (turned (turned p))

f :: Picture
f = grid 16 [(i, (i * 7) rem 16, (i * 5) rem 16, 16 - i) \\ i <- [0 .. 23]]

side :: Int -> Picture
side 0 = none
side n = quartet (side (n - 1)) (side (n - 1)) (turned f) f

corner :: Int -> Picture
corner 0 = none
corner n = quartet (corner (n - 1)) (side (n - 1)) (turned (side (n - 1))) (cycle f)

limit :: Int -> Picture
limit n = cycle (corner n)

measure :: ![Segment] !Real !Int -> (Real, Int)
measure [] total count = (total, count)
measure [Segment a b : rest] total count = measure rest (total + abs (a.x - b.x) + abs (a.y - b.y)) (count + 1)

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# (total, count) = measure (limit n {x = 0.0, y = 0.0} {x = 512.0, y = 0.0} {x = 0.0, y = 512.0}) 0.0 0
	# io = io <<< toInt total <<< ' ' <<< count <<< '\n'
	= snd (fclose io world)
