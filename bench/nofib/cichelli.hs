import Data.List (partition, sortBy)

data Key = Key {first :: !Char, final :: !Char, letters :: !Int}

type Values = [(Char, Int)]

data Taken = Taken {low :: !Int, high :: !Int, used :: [Int]}

data Outcome = Failed !Int | Found !Int Values

names :: [String]
names =
  words
    "and array begin case const div do downto else end file for function goto if in label mod nil not of or packed \
    \procedure program record repeat set then to type until var while with"

key :: String -> Key
key w = Key (head w) (last w) (length w)

ends :: [Key] -> [Char]
ends keys = concat [[first k, final k] | k <- keys]

occurs :: Char -> [Char] -> Int
occurs c cs = length (filter (c ==) cs)

arranged :: [Key] -> [Key]
arranged keys = together [] (sortBy (\a b -> compare (weight b) (weight a)) keys)
  where
    whole = ends keys
    weight k = occurs (first k) whole + occurs (final k) whole
    together _ [] = []
    together known (k : ks) = k : ready ++ together known' others
      where
        known' = first k : final k : known
        (ready, others) = partition (\j -> first j `elem` known' && final j `elem` known') ks

valued :: Char -> Values -> [Int]
valued c vs = [v | (d, v) <- vs, d == c]

insert :: Int -> Int -> Taken -> [Taken]
insert count h t
  | h `elem` used t || high' - low' >= count = []
  | otherwise = [Taken low' high' (h : used t)]
  where
    low' = min (low t) h
    high' = max (high t) h

firstOf :: Int -> [Int -> Outcome] -> Outcome
firstOf n [] = Failed n
firstOf n (try : rest) = case try n of
  Failed m -> firstOf m rest
  found -> found

search :: Int -> Int -> Taken -> Values -> [Key] -> Int -> Outcome
search _ _ _ values [] n = Found n values
search count limit taken values (k : ks) n = case (valued (first k) values, valued (final k) values) of
  (a : _, b : _) -> place a b values (n + 1)
  ([], b : _) -> firstOf n [place a b ((first k, a) : values) | a <- [0 .. limit]]
  (a : _, []) -> firstOf n [place a b ((final k, b) : values) | b <- [0 .. limit]]
  _
    | first k == final k -> firstOf n [place a a ((first k, a) : values) | a <- [0 .. limit]]
    | otherwise -> firstOf n [place a b ((first k, a) : (final k, b) : values) | a <- [0 .. limit], b <- [0 .. limit]]
  where
    place a b values n = case insert count (letters k + a + b) taken of
      [] -> Failed (n + 1)
      taken : _ -> search count limit taken values ks (n + 1)

main :: IO ()
main = readLn >>= \n -> mapM_ answer [max 4 (n - 9) .. n]
  where
    answer n = case search (n + 1) (n `quot` 2) (Taken 1000 0 []) [] (arranged (map key (take n names))) 0 of
      Failed m -> putStrLn (show n ++ " none after " ++ show m)
      Found m values -> putStrLn (show n ++ " " ++ show m ++ ":" ++ concat [' ' : c : show v | (c, v) <- values])
