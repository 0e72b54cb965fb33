data Complex = Complex {re :: !Double, im :: !Double}

instance Num Complex where
  a + b = Complex (re a + re b) (im a + im b)
  a - b = Complex (re a - re b) (im a - im b)
  a * b = Complex (re a * re b - im a * im b) (re a * im b + im a * re b)
  fromInteger n = Complex (fromInteger n) 0
  abs = id
  signum = id

power :: Num a => Int -> a -> a
power 0 _ = 1
power n x
  | even n = power (n `quot` 2) (x * x)
  | otherwise = x * power (n - 1) x

root :: Int -> Int -> Complex
root n k = Complex (cos angle) (sin angle)
  where
    angle = 2 * 3.14159265358979323846 * fromIntegral k / fromIntegral n

main :: IO ()
main = do
  n <- readLn
  let c = sum [power m (root m k) | m <- [1 .. n], k <- [1, 8 .. m]]
  putStrLn (show (round (re c + 0.5) :: Int) ++ " " ++ show (round (im c * 100) :: Int))
