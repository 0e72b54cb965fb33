data Vec = Vec {x :: !Double, y :: !Double}

data Segment = Segment Vec Vec

type Picture = Vec -> Vec -> Vec -> [Segment]

add, sub :: Vec -> Vec -> Vec
add a b = Vec (x a + x b) (y a + y b)
sub a b = Vec (x a - x b) (y a - y b)

scale :: Vec -> Double -> Vec
scale a k = Vec (x a * k) (y a * k)

part :: Int -> Int -> Double
part m n = fromIntegral m / fromIntegral n

beside, above :: Int -> Int -> Picture -> Picture -> Picture
beside m n p q = \a b c -> p a (scale b (part m (m + n))) c ++ q (add a (scale b (part m (m + n)))) (scale b (part n (n + m))) c
above m n p q = \a b c -> p (add a (scale c (part n (n + m)))) b (scale c (part m (n + m))) ++ q a b (scale c (part n (m + n)))

turned :: Picture -> Picture
turned p = \a b c -> p (add a b) c (sub (Vec 0 0) b)

none :: Picture
none = \_ _ _ -> []

grid :: Int -> [(Int, Int, Int, Int)] -> Picture
grid n segments = \a b c -> [Segment (at a b c x0 y0) (at a b c x1 y1) | (x0, y0, x1, y1) <- segments]
  where
    at a b c x y = a `add` scale b (part x n) `add` scale c (part y n)

quartet :: Picture -> Picture -> Picture -> Picture -> Picture
quartet a b c d = above 1 1 (beside 1 1 a b) (beside 1 1 c d)

rounded :: Picture -> Picture
rounded p = quartet p (turned (turned (turned p))) (turned p) (turned (turned p))

f :: Picture
f = grid 16 [(i, (i * 7) `rem` 16, (i * 5) `rem` 16, 16 - i) | i <- [0 .. 23]]

side, corner :: Int -> Picture
side 0 = none
side n = quartet (side (n - 1)) (side (n - 1)) (turned f) f
corner 0 = none
corner n = quartet (corner (n - 1)) (side (n - 1)) (turned (side (n - 1))) (rounded f)

limit :: Int -> Picture
limit n = rounded (corner n)

measure :: [Segment] -> Double -> Int -> (Double, Int)
measure [] total count = (total, count)
measure (Segment a b : rest) total count = total `seq` count `seq` measure rest (total + abs (x a - x b) + abs (y a - y b)) (count + 1)

main :: IO ()
main = do
  n <- readLn
  let (total, count) = measure (limit n (Vec 0 0) (Vec 512 0) (Vec 0 512)) 0 0
  putStrLn (show (round total :: Int) ++ " " ++ show count)
