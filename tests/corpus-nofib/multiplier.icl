module multiplier
// Spectral, "multiplier": a binary multiplier of gates and delays, simulated with lazy streams of bits.

import StdEnv

:: Signal :== [Int]

lift1 :: (Int -> Int) Signal -> Signal
lift1 f [x : xs] = [f x : lift1 f xs]
lift1 _ [] = []

lift2 :: (Int Int -> Int) Signal Signal -> Signal
lift2 f [x : xs] [y : ys] = [f x y : lift2 f xs ys]
lift2 _ _ _ = []

andG :: (Signal Signal -> Signal)
andG = lift2 (\a b -> a * b)
orG :: (Signal Signal -> Signal)
orG = lift2 (\a b -> if (a + b > 0) 1 0)
xorG :: (Signal Signal -> Signal)
xorG = lift2 (\a b -> (a + b) rem 2)

delay :: Signal -> Signal
delay s = [0 : s]

halfAdd :: Signal Signal -> (Signal, Signal)
halfAdd a b = (andG a b, xorG a b)

fullAdd :: Signal Signal Signal -> (Signal, Signal)
fullAdd a b c = (orG w z, s)
where
	(w, x) = halfAdd a b
	(z, s) = halfAdd x c

ripple :: Signal [(Signal, Signal)] -> (Signal, [Signal])
ripple c [] = (c, [])
ripple c [(a, b) : rest]
	# (c1, ss) = ripple c rest
	  (c2, s) = fullAdd a b c1
	= (c2, [s : ss])

zeros :: Signal
zeros =: [0 : zeros]

register :: Signal Signal -> Signal
register load input = out
where
	out = delay (lift2 (\l io -> if (l == 1) (io / 2) (io rem 2)) load (lift2 (\i o -> 2 * i + o) input out))

multiply :: Int [Signal] [Signal] Signal -> [Signal]
multiply width as bs load = take (2 * width) (high ++ low)
where
	low = shiftRegister width load bs (last high)
	bit = last low
	addend = [andG a bit \\ a <- registers as]
	registers as = [register load a \\ a <- as]
	(carry, sum`) = ripple zeros (zip2 high` addend)
	high` = [clear h \\ h <- accumulator]
	accumulator = [delay (sources !! i) \\ i <- [0 .. width - 1]]
	sources = [carry : init sum`]
	clear h = lift2 (\l v -> if (l == 1) 0 v) load h
	high = accumulator

shiftRegister :: Int Signal [Signal] Signal -> [Signal]
shiftRegister width load bs carryIn = cells
where
	cells = [delay (lift2 (\l v -> if (l == 1) (v / 2) (v rem 2)) load (lift2 (\b p -> 2 * b + p) b p)) \\ b <- bs & p <- before]
	before = [if (i == 0) carryIn (cells !! (i - 1)) \\ i <- [0 .. width - 1]]

bits :: Int Int -> [Int]
bits width n = reverse [(n >> i) rem 2 \\ i <- [0 .. width - 1]]

column :: Int [Int] -> [Signal]
column width ns = [[b \\ n <- ns, b <- repeatn (width + 1) ((bits width n) !! i)] \\ i <- [0 .. width - 1]]

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# width = 16
	# pairs = [((i * 37) rem 65536, (i * 91) rem 65536) \\ i <- [1 .. n]]
	# load = flatten [[1 : repeatn width 0] \\ _ <- pairs]
	# product = multiply width (column width (map fst pairs)) (column width (map snd pairs)) load
	# times = [take (n * (width + 1)) s \\ s <- product]
	# io = io <<< sum (map sum times) <<< ' ' <<< foldl (\h b -> (h * 31 + b) bitand 0xFFFFFF) 0 (flatten times) <<< '\n'
	= snd (fclose io world)
