type Big = [Int]

base :: Int
base = 10000

big :: Int -> Big
big 0 = []
big n = n `rem` base : big (n `quot` base)

plus :: Big -> Big -> Big
plus a b = add a b 0
  where
    add :: Big -> Big -> Int -> Big
    add [] b 0 = b
    add a [] 0 = a
    add [] [] c = [c]
    add [] b c = add [0] b c
    add a [] c = add a [0] c
    add (x : xs) (y : ys) c
      | s < base = s : add xs ys 0
      | otherwise = s - base : add xs ys 1
      where
        s = x + y + c

less :: Big -> Big -> Bool
less a b = order a b False
  where
    order [] [] l = l
    order [] _ _ = True
    order _ [] _ = False
    order (x : xs) (y : ys) l = order xs ys (if x == y then l else x < y)

minus :: Big -> Big -> Big
minus a b = trimmed (sub a b 0)
  where
    sub :: Big -> Big -> Int -> Big
    sub a [] 0 = a
    sub (x : xs) [] c = sub (x : xs) [0] c
    sub (x : xs) (y : ys) c
      | d < 0 = d + base : sub xs ys 1
      | otherwise = d : sub xs ys 0
      where
        d = x - y - c
    sub [] _ _ = []

trimmed :: Big -> Big
trimmed [] = []
trimmed (d : ds) = case trimmed ds of
  [] | d == 0 -> []
  rest -> d : rest

scaled :: Int -> Big -> Big
scaled 0 _ = []
scaled k ds = go ds 0
  where
    go [] c = big c
    go (d : ds) c = p `rem` base : go ds (p `quot` base)
      where
        p = d * k + c

times :: Big -> Big -> Big
times [] _ = []
times (d : ds) b = plus (scaled d b) (shifted (times ds b))
  where
    shifted [] = []
    shifted ds = 0 : ds

divided :: Int -> Big -> Big
divided k ds = trimmed (reverse (go (reverse ds) 0))
  where
    go [] _ = []
    go (d : ds) r = v `quot` k : go ds (v `rem` k)
      where
        v = r * base + d

powers :: [[Big]]
powers = [iterate (scaled v) (big 1) | v <- [0 ..]]

pascal :: [[Big]]
pascal = iterate next [big 1]
  where
    next row = zipWith plus (row ++ [[]]) ([] : row)

inner :: Int -> Int -> (Big, Big)
inner m k = foldr next ([], []) (zip (take (k + 1) (pascal !! k)) (take (k + 1) powers))
  where
    next (c, row) (p, n) = (plus (times c (row !! m)) n, p)

multiple :: Int -> Big
multiple n = foldl join (big 1) [1 .. n]
  where
    join d k = scaled (k `quot` gcd k (rest k d)) d
    rest k d = foldr (\digit r -> (r * base + digit) `rem` k) 0 d

bernoulli :: Int -> (Bool, Big, Big)
bernoulli m
  | less p n = (True, minus n p, d)
  | otherwise = (False, minus p n, d)
  where
    d = multiple (m + 1)
    (p, n) = foldl next ([], []) [0 .. m]
    next (p, n) k = (plus p (times q a), plus n (times q b))
      where
        (a, b) = inner m k
        q = divided (k + 1) d

shown :: Big -> String
shown [] = "0"
shown ds = show d ++ foldr (\d s -> tail (show (base + d)) ++ s) "" rest
  where
    (d : rest) = reverse ds

main :: IO ()
main = do
  n <- readLn
  let (negative, p, q) = bernoulli n
  putStrLn ((if negative then "-" else "") ++ shown p ++ "/" ++ shown q)
