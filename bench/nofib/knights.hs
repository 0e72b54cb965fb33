import Data.Bits ((.&.))
import Data.List (foldl', sortBy)
import Data.Ord (comparing)

data Square = Square !Int !Int deriving (Eq)

data Board = Board {edge :: !Int, count :: !Int, tour :: [Square]}

jumps :: Board -> Square -> [Square]
jumps b (Square x y) = [s | (dx, dy) <- moves, let s = Square (x + dx) (y + dy), inside (edge b) s && notElem s (tour b)]
  where
    moves = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]
    inside n (Square a b) = a >= 1 && a <= n && b >= 1 && b <= n

nexts :: Board -> [Board]
nexts b = map snd (sortBy (comparing fst) ways)
  where
    ways = [(length (jumps b' s), b') | s <- jumps b (head (tour b)), let b' = b {count = count b + 1, tour = s : tour b}]

complete :: Board -> Bool
complete b = count b == edge b * edge b

tours :: Int -> [Board] -> [Board]
tours 0 _ = []
tours _ [] = []
tours steps (b : bs)
  | complete b = b : tours (steps - 1) bs
  | otherwise = tours (steps - 1) (nexts b ++ bs)

main :: IO ()
main = do
  n <- readLn
  let found = [(take 1 ts, length ts) | x <- [1 .. n], y <- [1 .. n], ts <- [tours (40 * n * n) [Board n 1 [Square x y]]]]
  mapM_ (\(t, k) -> putStr (show k ++ ":" ++ show (sum [hash (tour b) | b <- t]) ++ " ")) found
  putStrLn ""
  where
    hash :: [Square] -> Int
    hash = foldl' (\h (Square x y) -> (h * 31 + x * 8 + y) .&. 0xFFFFFF) 0
