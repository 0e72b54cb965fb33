import Data.Bits ((.&.))
import Data.List (foldl')

type Cells = [(Int, [Int])]

merged :: [Int] -> [Int] -> [Int]
merged [] ys = ys
merged xs [] = xs
merged xs@(x : xt) ys@(y : yt)
  | x <= y = x : merged xt ys
  | otherwise = y : merged xs yt

counted :: [Int] -> [(Int, Int)]
counted [] = []
counted (x : xs) = (x, 1 + length same) : counted rest
  where
    (same, rest) = span (x ==) xs

rowAt :: Int -> Cells -> [Int]
rowAt _ [] = []
rowAt r ((s, xs) : rest)
  | s < r = rowAt r rest
  | s == r = xs
  | otherwise = []

step :: Cells -> Cells
step [] = []
step cells = [(r, row) | r <- [fst (head cells) - 1 .. fst (last cells) + 1], row <- [next r], not (null row)]
  where
    next r = alive (counted (foldr merged [] (map wide [rowAt (r - 1) cells, here, rowAt (r + 1) cells]))) here
      where
        here = rowAt r cells
    wide xs = merged (map (subtract 1) xs) (merged xs (map (1 +) xs))
    alive :: [(Int, Int)] -> [Int] -> [Int]
    alive [] _ = []
    alive ((x, n) : rest) here
      | n == 3 || n == 4 && x `elem` here = x : alive rest here
      | otherwise = alive rest here

acorn :: Cells
acorn = [(0, [1]), (1, [3]), (2, [0, 1, 4, 5, 6])]

main :: IO ()
main = do
  n <- readLn
  let generations = take (n + 1) (iterate step acorn)
      hash = foldl' (\h (r, xs) -> foldl' (\h x -> (h * 31 + r * 7 + x) .&. 0xFFFFFF) h xs) 0 (last generations)
  putStrLn (unwords (map show [population (last generations), maximum (map population generations), hash]))
  where
    population cells = sum [length xs | (_, xs) <- cells]
