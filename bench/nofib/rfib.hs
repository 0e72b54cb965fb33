calls :: Double -> Double
calls n
  | n <= 1 = 1
  | otherwise = calls (n - 1) + calls (n - 2) + 1

main :: IO ()
main = readLn >>= \n -> print (round (calls (fromIntegral (n :: Int))) :: Int)
