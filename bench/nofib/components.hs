{-# LANGUAGE BangPatterns #-}

import Data.Bits (shiftR, (.&.))
import Data.List (foldl')

data Set = Empty | Node Set Int Set

data Tree a = Leaf | Fork (Tree a) Int a (Tree a)

type Graph = Tree [Int]

member :: Int -> Set -> Bool
member _ Empty = False
member x (Node l y r)
  | x < y = member x l
  | y < x = member x r
  | otherwise = True

insert :: Int -> Set -> Set
insert !x Empty = Node Empty x Empty
insert x t@(Node l y r)
  | x < y = Node (insert x l) y r
  | y < x = Node l y (insert x r)
  | otherwise = t

change :: Int -> (a -> a) -> a -> Tree a -> Tree a
change !k f none Leaf = Fork Leaf k (f none) Leaf
change k f none (Fork l j a r)
  | k < j = Fork (change k f none l) j a r
  | j < k = Fork l j a (change k f none r)
  | otherwise = Fork l j (f a) r

find :: Int -> Tree [Int] -> [Int]
find !_ Leaf = []
find k (Fork l j a r)
  | k < j = find k l
  | j < k = find k r
  | otherwise = a

edges :: [(Int, Int)] -> Graph
edges = foldl (\t (a, b) -> change a (b :) [] t) Leaf

postorder :: Graph -> [Int] -> Set -> [Int] -> (Set, [Int])
postorder _ [] seen out = (seen, out)
postorder g (v : vs) seen out
  | member v seen = postorder g vs seen out
  | otherwise = let (seen', out') = postorder g (find v g) (insert v seen) out in postorder g vs seen' (v : out')

components :: [Int] -> [(Int, Int)] -> [[Int]]
components vs es = go order Empty
  where
    (_, order) = postorder (edges es) vs Empty []
    back = edges [(b, a) | (a, b) <- es]
    go [] _ = []
    go (v : rest) seen
      | member v seen = go rest seen
      | otherwise = let (seen', part) = postorder back [v] seen [] in part : go rest seen'

pairsOf :: Int -> Int -> [(Int, Int)]
pairsOf n m = take m (zip (evens chance) (evens (drop 1 chance)))
  where
    chance = map (\s -> (s `shiftR` 7) `rem` n) (iterate (\s -> (s * 1103515245 + 12345) .&. 0x7FFFFFFF) 2024)
    evens (x : _ : xs) = x : evens xs

main :: IO ()
main = do
  n <- readLn
  let parts = components [0 .. n - 1] (pairsOf n (n + n `quot` 4))
      hash = foldl' (\h vs -> (h * 31 + foldl' (+) (length vs) vs) .&. 0xFFFFFF) 0 parts
  putStrLn (unwords (map show [length parts, maximum (map length parts), hash]))
