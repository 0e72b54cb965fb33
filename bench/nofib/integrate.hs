import Numeric (showFFloat)

steps :: Double -> Double -> Double -> [Double]
steps first by last
  | first > last = []
  | otherwise = first : steps (first + by) by last

integrate1 :: (Double -> Double) -> Double -> Double -> Double
integrate1 f l u = (d / 2) * (f l + f u) + d * sum [f x | x <- steps (l + d) d (u - d / 2)]
  where
    d = (u - l) / 8

integrate2 :: (Double -> Double -> Double) -> Double -> Double -> Double -> Double -> Double
integrate2 f l1 u1 l2 u2 = integrate1 (\y -> integrate1 (\x -> f x y) l1 u1) l2 u2

zark :: Double -> Double -> Double
zark u v = integrate2 (\x y -> x * y) 0 u 0 v

-- With fifteen digits, as Clean writes it.
shown :: Double -> String
shown x = showFFloat (Just (15 - length (takeWhile ('.' /=) (showFFloat (Just 1) x "")))) x ""

main :: IO ()
main = do
  n <- readLn
  let ints = map fromIntegral [1 .. n :: Int]
      zarks = [zark x y | (x, y) <- zip ints (map (2 *) ints)]
  putStrLn (shown (sum (zipPlus zarks (0 : zarks))))
  where
    zipPlus (a : as) (b : bs) = a / (a + b + 1) : zipPlus as bs
    zipPlus _ _ = []
