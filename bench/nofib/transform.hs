data Complex = Complex {re :: !Double, im :: !Double}

add, sub, mul :: Complex -> Complex -> Complex
add a b = Complex (re a + re b) (im a + im b)
sub a b = Complex (re a - re b) (im a - im b)
mul a b = Complex (re a * re b - im a * im b) (re a * im b + im a * re b)

halves :: [a] -> ([a], [a])
halves [] = ([], [])
halves (x : xs) = let (odds, evens) = halves xs in (x : evens, odds)

transform :: Double -> [Complex] -> [Complex]
transform _ [x] = [x]
transform sign xs = zipWith3 (\e o w -> add e (mul o w)) es os ws ++ zipWith3 (\e o w -> sub e (mul o w)) es os ws
  where
    (evens, odds) = halves xs
    es = transform sign evens
    os = transform sign odds
    n = length xs
    ws = [Complex (cos (angle k)) (sign * sin (angle k)) | k <- [0 .. n `quot` 2 - 1]]
    angle k = 6.28318530717958647692 * fromIntegral k / fromIntegral n

wave :: Int -> [Complex]
wave n = [Complex (fromIntegral ((k * k * 7 + 3) `rem` 17) / 4) (fromIntegral (k `rem` 5)) | k <- [0 .. n - 1]]

main :: IO ()
main = do
  n <- readLn
  let size = 2 ^ (n :: Int)
      xs = wave size
      ys = transform (-1) xs
      zs = [Complex (re z / fromIntegral size) (im z / fromIntegral size) | z <- transform 1 ys]
      whole x = show (round x :: Int)
  putStr (whole (1000 * sum [abs (re y) + abs (im y) | y <- take 64 ys]) ++ " ")
  putStrLn (whole (1000000 * sum [abs (re x - re z) + abs (im x - im z) | (x, z) <- zip xs zs]))
