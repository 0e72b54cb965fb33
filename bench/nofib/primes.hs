sieved :: [Int] -> [Int]
sieved (p : ns) = [n | n <- ns, not (divides p n)]

divides :: Int -> Int -> Bool
divides p n = n `rem` p == 0

primes :: [Int]
primes = map head (iterate sieved [2 ..])

main :: IO ()
main = readLn >>= \n -> print (primes !! n)
