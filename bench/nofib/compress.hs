import Data.Bits (shiftR, (.&.))
import Data.List (foldl')

data Words = None | Word Words Char Int Words Words

codes :: [Char] -> [Int]
codes = coded start 256
  where
    start = foldl (\t i -> grown [toEnum i] i t) None [(i * 77 + 13) `rem` 256 | i <- [0 .. 255]]

coded :: Words -> Int -> [Char] -> [Int]
coded _ _ [] = []
coded dictionary next cs
  | null rest = [n]
  | otherwise = next `seq` n : coded (grown (take (taken + 1) cs) next dictionary) (next + 1) rest
  where
    (n, taken, rest) = longest dictionary 0 0 cs

longest :: Words -> Int -> Int -> [Char] -> (Int, Int, [Char])
longest _ n taken [] = (n, taken, [])
longest None n taken cs = (n, taken, cs)
longest (Word l d m inner r) n taken cs@(c : rest)
  | c < d = longest l n taken cs
  | d < c = longest r n taken cs
  | otherwise = longest inner m (taken + 1) rest

grown :: [Char] -> Int -> Words -> Words
grown [] _ t = t
grown (c : cs) n None
  | null cs = Word None c n None None
  | otherwise = Word None c 0 (grown cs n None) None
grown cs@(c : rest) n (Word l d m inner r)
  | c < d = Word (grown cs n l) d m inner r
  | d < c = Word l d m inner (grown cs n r)
  | otherwise = Word l d m (grown rest n inner) r

data Texts = Nought | Text Texts [Char] Texts

put :: Int -> [Char] -> Texts -> Texts
put 0 cs Nought = Text Nought cs Nought
put 0 cs (Text l _ r) = Text l cs r
put n cs t
  | odd n = Text (put (n `quot` 2) cs l) old r
  | otherwise = Text l old (put (n `quot` 2 - 1) cs r)
  where
    (l, old, r) = parts t
    parts Nought = (Nought, [], Nought)
    parts (Text l old r) = (l, old, r)

get :: Int -> Texts -> [Char]
get _ Nought = []
get 0 (Text _ cs _) = cs
get n (Text l _ r)
  | odd n = get (n `quot` 2) l
  | otherwise = get (n `quot` 2 - 1) r

text :: [Int] -> [Char]
text [] = []
text (n : ns) = first ++ decoded start 256 first ns
  where
    start = foldl (\t i -> put i [toEnum i] t) Nought [0 .. 255]
    first = get n start

decoded :: Texts -> Int -> [Char] -> [Int] -> [Char]
decoded _ _ _ [] = []
decoded t next before (n : ns) = now ++ decoded (put next (before ++ [head now]) t) (next + 1) now ns
  where
    now = if n == next then before ++ [head before] else get n t

sample :: Int -> [Char]
sample n = concat (take n (map word (iterate (\s -> (s * 1103515245 + 12345) .&. 0x7FFFFFFF) 99)))
  where
    word :: Int -> [Char]
    word s = list !! ((s `shiftR` 9) `rem` 12) ++ [if (s `shiftR` 20) `rem` 7 == 0 then '\n' else ' ']
    list = words "lazy graph reduction of the lambda calculus is a combinator machine thunk"

main :: IO ()
main = do
  n <- readLn
  let cs = sample n
      ns = codes cs
      hash = foldl' (\h x -> (h * 31 + x) .&. 0xFFFFFF) 0 ns
  putStrLn (unwords (map show [length cs, length ns, hash]) ++ (if text ns == cs then " the same" else " different"))
