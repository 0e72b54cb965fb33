gaps :: [Int]
gaps =
  [2, 4, 2, 4, 6, 2, 6, 4, 2, 4, 6, 6, 2, 6, 4, 2, 6, 4, 6, 8, 4, 2, 4, 2, 4, 8, 6, 4, 6, 2, 4, 6, 2, 6, 6, 4, 2, 4]
    ++ [6, 2, 6, 4, 2, 4, 2, 10, 2, 10]
    ++ gaps

spin :: [Int] -> Int -> [Int]
spin (g : gs) n = n : spin gs (n + g)

primes, others, struck :: [Int]
primes = 2 : 3 : 5 : 7 : others
others = 11 : minus (tail (spin gaps 11)) struck
struck = unite [multiples p | p <- others]

multiples :: Int -> [Int]
multiples p = [p * q | q <- since p (spin gaps 11)]
  where
    since p (q : qs)
      | q < p = since p qs
      | otherwise = q : qs

minus :: [Int] -> [Int] -> [Int]
minus xs@(x : xt) ys@(y : yt)
  | x < y = x : minus xt ys
  | x == y = minus xt yt
  | otherwise = minus xs yt

merge :: [Int] -> [Int] -> [Int]
merge xs@(x : xt) ys@(y : yt)
  | x < y = x : merge xt ys
  | x == y = x : merge xt yt
  | otherwise = y : merge xs yt

unite :: [[Int]] -> [Int]
unite ((x : xs) : rest) = x : merge xs (unite (pairs rest))

pairs :: [[Int]] -> [[Int]]
pairs ((x : xs) : ys : rest) = (x : merge xs ys) : pairs rest

main :: IO ()
main = readLn >>= \n -> print (primes !! n)
