import Data.List (transpose)

data Piece = X | O | E deriving (Eq)

type Board = [[Piece]]

data Tree = Node Board [Tree]

data Value = Loss | Draw | Win deriving (Eq, Ord, Enum)

updateAt :: Int -> a -> [a] -> [a]
updateAt 0 y (_ : xs) = y : xs
updateAt i y (x : xs) = x : updateAt (i - 1) y xs

moves :: Piece -> Board -> [Board]
moves p b = [place p b r c | r <- [0 .. 2], c <- [0 .. 2], (b !! r) !! c == E]

place :: Piece -> Board -> Int -> Int -> Board
place p b r c = updateAt r (updateAt c p (b !! r)) b

rows :: Board -> [[Piece]]
rows b = b ++ transpose b ++ [[(b !! i) !! i | i <- [0 .. 2]], [(b !! i) !! (2 - i) | i <- [0 .. 2]]]

wins :: Piece -> Board -> Bool
wins p b = or [and [q == p | q <- row] | row <- rows b]

tree :: Piece -> Board -> Tree
tree p b
  | wins (other p) b = Node b []
  | otherwise = Node b [tree (other p) c | c <- moves p b]

other :: Piece -> Piece
other X = O
other O = X

static :: Board -> Value
static b
  | wins X b = Win
  | wins O b = Loss
  | otherwise = Draw

best :: Piece -> Tree -> Value
best _ (Node b []) = static b
best X (Node _ ts) = largest [best O t | t <- ts]
best O (Node _ ts) = smallest [best X t | t <- ts]

largest, smallest :: [Value] -> Value
largest [v] = v
largest (Win : _) = Win
largest (v : vs) = max v (largest vs)
smallest [v] = v
smallest (Loss : _) = Loss
smallest (v : vs) = min v (smallest vs)

main :: IO ()
main = do
  n <- readLn
  let empty = replicate 3 (replicate 3 E)
      starts = [place O (place X empty (i `quot` 3) (i `rem` 3)) (j `quot` 3) (j `rem` 3) | i <- [0 .. 8], j <- [0 .. 8], i /= j]
  print (sum [fromEnum (best X (tree X b)) | b <- take n (again starts)])
  where
    again xs = xs ++ again xs
