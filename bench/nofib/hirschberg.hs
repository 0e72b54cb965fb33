import Data.Bits (shiftR, (.&.))
import Data.List (foldl')

lengths :: [Int] -> [Int] -> [Int]
lengths xs ys = 0 : map snd (foldl row [(y, 0) | y <- ys] xs)
  where
    row before x = line x before 0 0
    line :: Int -> [(Int, Int)] -> Int -> Int -> [(Int, Int)]
    line _ [] _ _ = []
    line x ((y, above) : rest) diagonal left = (y, here) : line x rest above here
      where
        here = if x == y then diagonal + 1 else max left above

subsequence :: [Int] -> [Int] -> [Int]
subsequence xs ys = collect (length xs) (length ys) xs ys []

collect :: Int -> Int -> [Int] -> [Int] -> [Int] -> [Int]
collect m n xs ys rest
  | n == 0 || m == 0 = rest
  | m == 1 = if head xs `elem` ys then head xs : rest else rest
  | otherwise = collect half k upper left (collect (m - half) (n - k) lower right rest)
  where
    half = m `quot` 2
    (upper, lower) = splitAt half xs
    (left, right) = splitAt k ys
    k = best 0 0 (-1) (lengths upper ys) (reverse (lengths (reverse lower) (reverse ys)))
    best :: Int -> Int -> Int -> [Int] -> [Int] -> Int
    best _ k _ [] _ = k
    best i k most (a : as) (b : bs)
      | a + b > most = best (i + 1) i (a + b) as bs
      | otherwise = best (i + 1) k most as bs

numbers :: Int -> Int -> [Int]
numbers seed n = take n (map (\s -> (s `shiftR` 8) `rem` 16) (iterate (\s -> (s * 1103515245 + 12345) .&. 0x7FFFFFFF) seed))

main :: IO ()
main = do
  n <- readLn
  let found = subsequence (numbers 7 n) (numbers 11 (n + n `quot` 5))
  putStrLn (show (length found) ++ " " ++ show (foldl' (\h x -> (h * 17 + x) .&. 0xFFFFFF) 0 found))
