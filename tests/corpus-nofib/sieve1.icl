module sieve1
// Imaginary, "wheel-sieve1": primes by wheels of growing size (Runciman, Lazy wheel sieves and spirals of primes, 1997).

import StdEnv

:: Wheel = Wheel Int [Int]

primes :: [Int]
primes =: sieve wheels primes squares

squares :: [Int]
squares =: [p * p \\ p <- primes]

sieve :: [Wheel] [Int] [Int] -> [Int]
sieve [Wheel s ns : ws] ps qs
	= [m \\ o <- [s : [2 * s, 3 * s .. (hd ps - 1) * s]], n <- ns, m <- [n + o] | notFactor m] ++ sieve ws (tl ps) (tl qs)
where
	notFactor n
		| s <= 2 = True
		= noFactorIn ps qs n

noFactorIn :: [Int] [Int] Int -> Bool
noFactorIn [p : ps] [q : qs] x = q > x || (x rem p > 0 && noFactorIn ps qs x)

wheels :: [Wheel]
wheels = [Wheel 1 [1] : zipWith2 nextSize wheels primes]

zipWith2 :: (a b -> c) [a] [b] -> [c]
zipWith2 f [a : as] [b : bs] = [f a b : zipWith2 f as bs]
zipWith2 _ _ _ = []

nextSize :: Wheel Int -> Wheel
nextSize (Wheel s ns) p = Wheel (s * p) [m \\ o <- [0, s .. (p - 1) * s], n <- ns, m <- [n + o] | m rem p > 0]

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	= snd (fclose (io <<< (primes !! n) <<< '\n') world)
