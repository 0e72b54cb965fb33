import Data.Bits ((.&.))
import Data.List (foldl')

data Halves = Halves !Int !Int

chances :: Int -> [Int]
chances seed = tail (iterate (\s -> (s * 1103515245 + 12345) .&. 0x7FFFFFFF) seed)

power :: Int -> Int -> Int -> Int
power _ _ 0 = 1
power m b e
  | even e = power m (b * b `rem` m) (e `quot` 2)
  | otherwise = b * power m b (e - 1) `rem` m

halves :: Int -> Halves
halves n = foldl (\_ h -> h) (Halves 0 n) (takeUntil isOdd (iterate half (Halves 0 n)))
  where
    half (Halves k m) = Halves (k + 1) (m `quot` 2)
    isOdd (Halves _ m) = odd m

takeUntil :: (a -> Bool) -> [a] -> [a]
takeUntil p (x : xs)
  | p x = [x]
  | otherwise = x : takeUntil p xs

witness :: Int -> Int -> Bool
witness n a = not (x == 1 || any ((n - 1) ==) (take k squares))
  where
    Halves k m = halves (n - 1)
    x = power n a m
    squares = iterate (\y -> y * y `rem` n) x

isPrime :: Int -> [Int] -> Bool
isPrime n chance
  | n < 4 = n > 1
  | even n = False
  | otherwise = not (any (witness n) (take 12 (map (\c -> 2 + c `rem` (n - 3)) chance)))

tested :: [Int] -> [Int] -> [Int]
tested [] _ = []
tested (n : ns) chance
  | isPrime n chance = n : tested ns (drop 12 chance)
  | otherwise = tested ns (drop 12 chance)

main :: IO ()
main = do
  n <- readLn
  let found = tested [1000000000 .. 1000000000 + n] (chances 42)
  putStrLn (show (length found) ++ " " ++ show (foldl' (\h p -> (h * 31 + p) .&. 0xFFFFFF) 0 found))
