import Data.Bits (shiftR, (.&.))

type Signal = [Int]

lift1 :: (Int -> Int) -> Signal -> Signal
lift1 f (x : xs) = f x : lift1 f xs
lift1 _ [] = []

lift2 :: (Int -> Int -> Int) -> Signal -> Signal -> Signal
lift2 f (x : xs) (y : ys) = f x y : lift2 f xs ys
lift2 _ _ _ = []

andG, orG, xorG :: Signal -> Signal -> Signal
andG = lift2 (\a b -> a * b)
orG = lift2 (\a b -> if a + b > 0 then 1 else 0)
xorG = lift2 (\a b -> (a + b) `rem` 2)

delay :: Signal -> Signal
delay s = 0 : s

halfAdd :: Signal -> Signal -> (Signal, Signal)
halfAdd a b = (andG a b, xorG a b)

fullAdd :: Signal -> Signal -> Signal -> (Signal, Signal)
fullAdd a b c = (orG w z, s)
  where
    (w, x) = halfAdd a b
    (z, s) = halfAdd x c

ripple :: Signal -> [(Signal, Signal)] -> (Signal, [Signal])
ripple c [] = (c, [])
ripple c ((a, b) : rest) =
  let (c1, ss) = ripple c rest
      (c2, s) = fullAdd a b c1
   in (c2, s : ss)

zeros :: Signal
zeros = 0 : zeros

register :: Signal -> Signal -> Signal
register load input = out
  where
    out = delay (lift2 (\l io -> if l == 1 then io `quot` 2 else io `rem` 2) load (lift2 (\i o -> 2 * i + o) input out))

multiply :: Int -> [Signal] -> [Signal] -> Signal -> [Signal]
multiply width as bs load = take (2 * width) (high ++ low)
  where
    low = shiftRegister width load bs (last high)
    bit = last low
    addend = [andG a bit | a <- registers as]
    registers as = [register load a | a <- as]
    (carry, sum') = ripple zeros (zip high' addend)
    high' = [clear h | h <- accumulator]
    accumulator = [delay (sources !! i) | i <- [0 .. width - 1]]
    sources = carry : init sum'
    clear h = lift2 (\l v -> if l == 1 then 0 else v) load h
    high = accumulator

shiftRegister :: Int -> Signal -> [Signal] -> Signal -> [Signal]
shiftRegister width load bs carryIn = cells
  where
    cells = [delay (lift2 (\l v -> if l == 1 then v `quot` 2 else v `rem` 2) load (lift2 (\b p -> 2 * b + p) b p)) | (b, p) <- zip bs before]
    before = [if i == 0 then carryIn else cells !! (i - 1) | i <- [0 .. width - 1]]

bits :: Int -> Int -> [Int]
bits width n = reverse [(n `shiftR` i) `rem` 2 | i <- [0 .. width - 1]]

column :: Int -> [Int] -> [Signal]
column width ns = [[b | n <- ns, b <- replicate (width + 1) (bits width n !! i)] | i <- [0 .. width - 1]]

main :: IO ()
main = do
  n <- readLn
  let width = 16
      pairs = [((i * 37) `rem` 65536, (i * 91) `rem` 65536) | i <- [1 .. n]]
      load = concat [1 : replicate width 0 | _ <- pairs]
      times = [take (n * (width + 1)) s | s <- multiply width (column width (map fst pairs)) (column width (map snd pairs)) load]
  putStrLn (show (sum (map sum times)) ++ " " ++ show (foldl (\h b -> (h * 31 + b) .&. 0xFFFFFF) 0 (concat times)))
