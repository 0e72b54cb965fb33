data Wheel = Wheel Int [Int]

primes, squares :: [Int]
primes = sieve wheels primes squares
squares = [p * p | p <- primes]

sieve :: [Wheel] -> [Int] -> [Int] -> [Int]
sieve (Wheel s ns : ws) ps qs =
  [m | o <- s : [2 * s, 3 * s .. (head ps - 1) * s], n <- ns, m <- [n + o], notFactor m] ++ sieve ws (tail ps) (tail qs)
  where
    notFactor n
      | s <= 2 = True
      | otherwise = noFactorIn ps qs n

noFactorIn :: [Int] -> [Int] -> Int -> Bool
noFactorIn (p : ps) (q : qs) x = q > x || (x `rem` p > 0 && noFactorIn ps qs x)

wheels :: [Wheel]
wheels = Wheel 1 [1] : zipWith nextSize wheels primes

nextSize :: Wheel -> Int -> Wheel
nextSize (Wheel s ns) p = Wheel (s * p) [m | o <- [0, s .. (p - 1) * s], n <- ns, m <- [n + o], m `rem` p > 0]

main :: IO ()
main = readLn >>= \n -> print (primes !! n)
