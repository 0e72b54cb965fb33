import Data.Bits ((.&.))
import Data.List (foldl')

type Picture = [[Char]]

above :: [Picture] -> Picture
above = concat

beside :: [Picture] -> Picture
beside = foldr1 (zipWith (++))

groups :: Int -> [a] -> [[a]]
groups _ [] = []
groups n xs = first : groups n rest
  where
    (first, rest) = splitAt n xs

block :: Int -> [Picture] -> Picture
block n ps = above (map beside (groups n ps))

right :: Int -> [Char] -> [Char]
right n cs = replicate (n - length cs) ' ' ++ cs

centre :: Int -> [Char] -> [Char]
centre n cs = replicate left ' ' ++ cs ++ replicate (n - left - length cs) ' '
  where
    left = (n - length cs) `quot` 2

leap :: Int -> Bool
leap y = if y `rem` 100 == 0 then y `rem` 400 == 0 else y `rem` 4 == 0

lengths :: Int -> [Int]
lengths y = [31, if leap y then 29 else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

january :: Int -> Int
january y = (y + (y - 1) `quot` 4 - (y - 1) `quot` 100 + (y - 1) `quot` 400) `rem` 7

firsts :: Int -> [Int]
firsts y = map (`rem` 7) (take 12 (scanl (+) (january y) (lengths y)))

names :: [String]
names = words "January February March April May June July August September October November December"

month :: (String, Int, Int) -> Picture
month (name, first, days) = [centre 22 name, " Su Mo Tu We Th Fr Sa "] ++ map line (groups 7 (map date [1 - first .. 42 - first]))
  where
    line ds = concat ds ++ " "
    date d
      | d < 1 || d > days = "   "
      | otherwise = right 3 (show d)

year :: Int -> Picture
year y = centre 66 (show y) : block 3 (map month (zip3 names (firsts y) (lengths y)))

shown :: Picture -> [Char]
shown p = concat [trimmed l ++ "\n" | l <- p]
  where
    trimmed = reverse . dropWhile (' ' ==) . reverse

main :: IO ()
main = do
  n <- readLn
  let years = [shown (year y) | y <- [2026 .. 2025 + n]]
  putStr (head years)
  print (foldl' (\h c -> (h * 31 + fromEnum c) .&. 0xFFFFFF) 0 (concat years))
