import Data.Bits ((.&.))

expand :: [Char] -> [[Char]]
expand ('[' : rest) = [c : cs | c <- range inside, cs <- expand (tail after)]
  where
    (inside, after) = span (']' /=) rest
expand ('(' : rest) = [w ++ cs | w <- choices inside, cs <- expand (tail after)]
  where
    (inside, after) = span (')' /=) rest
expand (c : rest) = [c : cs | cs <- expand rest]
expand [] = [[]]

range :: [Char] -> [Char]
range (a : '-' : b : rest) = [a .. b] ++ range rest
range (c : rest) = c : range rest
range [] = []

choices :: [Char] -> [[Char]]
choices [] = [[]]
choices cs
  | null rest = [word]
  | otherwise = word : choices (tail rest)
  where
    (word, rest) = span ('|' /=) cs

hash :: [[Char]] -> Int -> Int -> (Int, Int)
hash [] count h = (count, h)
hash (w : ws) count h = hash ws (count + 1) (letters w h)
  where
    letters :: [Char] -> Int -> Int
    letters [] h = (h * 31 + 7) .&. 0xFFFFFF
    letters (c : cs) h = letters cs ((h * 33 + fromEnum c) .&. 0xFFFFFF)

main :: IO ()
main = do
  n <- readLn
  let (count, h) = hash (expand ("[a-j](one|two|three|)x" ++ concat (replicate n "[0-9]") ++ "y[p-rt]")) 0 0
  putStrLn (show count ++ " " ++ show h)
