import Data.Bits ((.&.))
import Data.List (foldl')

data Complex = Complex {re :: !Double, im :: !Double}

add, mul :: Complex -> Complex -> Complex
add a b = Complex (re a + re b) (im a + im b)
mul a b = Complex (re a * re b - im a * im b) (re a * im b + im a * re b)

orbit :: Complex -> [Complex]
orbit c = iterate (\z -> mul z z `add` c) (Complex 0 0)

far :: Complex -> Bool
far z = re z * re z + im z * im z > 4

depth :: Int -> Complex -> Int
depth limit c = length (takeWhile (not . far) (take limit (orbit c)))

picture :: Int -> [[Int]]
picture n = [[depth 100 (Complex (-2.2 + 3.0 * part x) (-1.5 + 3.0 * part y)) | x <- [0 .. n - 1]] | y <- [0 .. n - 1]]
  where
    part k = fromIntegral k / fromIntegral n

main :: IO ()
main = do
  n <- readLn
  let rows = picture n
      inside = length (filter (100 ==) (concat rows))
      hash = foldl' (\h d -> (h * 33 + d) .&. 0xFFFFFF) 0 (concat rows) :: Int
  putStrLn (unwords (map show [sum (map sum rows), inside, hash]))
