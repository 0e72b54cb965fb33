import Data.Array

data Radical = H | C Radical Radical Radical

data Paraffin = Bond Radical Radical | Centre Radical Radical Radical Radical

three :: Int -> [(Int, Int, Int)]
three m = [(i, j, m - i - j) | i <- [0 .. m `quot` 3], j <- [i .. (m - i) `quot` 2]]

four :: Int -> [(Int, Int, Int, Int)]
four m =
  [ (i, j, k, m - i - j - k)
    | i <- [0 .. m `quot` 4],
      j <- [i .. (m - i) `quot` 3],
      k <- [max j ((m + 1) `quot` 2 - i - j) .. (m - i - j) `quot` 2]
  ]

remainders :: [a] -> [[a]]
remainders [] = []
remainders r@(_ : rest) = r : remainders rest

radicals :: Int -> Array Int [Radical]
radicals n = table
  where
    table = listArray (0, n) [size m | m <- [0 .. n]]
    size 0 = [H]
    size m =
      [ C (head is) (head js) rk
        | (i, j, k) <- three (m - 1),
          is <- remainders (table ! i),
          js <- remainders (if i == j then is else table ! j),
          rk <- if j == k then js else table ! k
      ]

bonds :: Int -> Array Int [Radical] -> [Paraffin]
bonds n table
  | odd n = []
  | otherwise = [Bond (head is) r | is <- remainders (table ! (n `quot` 2)), r <- is]

centres :: Int -> Array Int [Radical] -> [Paraffin]
centres n table =
  [ Centre (head is) (head js) (head ks) rl
    | (i, j, k, l) <- four (n - 1),
      is <- remainders (table ! i),
      js <- remainders (if i == j then is else table ! j),
      ks <- remainders (if j == k then js else table ! k),
      rl <- if k == l then ks else table ! l
  ]

paraffins :: Int -> [[Paraffin]]
paraffins n = [bonds m table ++ centres m table | m <- [1 .. n]]
  where
    table = radicals (n `quot` 2)

main :: IO ()
main = readLn >>= \n -> putStrLn (concat [show (length ps) ++ " " | ps <- paraffins n])
