digitsOf :: Int -> [Int]
digitsOf n = 2 : take n (go (replicate (n + 20) 1))
  where
    go ds = let (c, rest) = step (map (10 *) ds) 2 in c : go rest
    step :: [Int] -> Int -> (Int, [Int])
    step [] _ = (0, [])
    step (d : ds) k =
      let (c, rest) = step ds (k + 1)
          v = d + c
       in (v `quot` k, v `rem` k : rest)

main :: IO ()
main = do
  n <- readLn
  let ds = digitsOf n
  putStrLn (concatMap show (drop (n - 40) ds) ++ " " ++ show (sum ds))
