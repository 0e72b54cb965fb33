-- Otherwise both searches share one tree, which lives on between them: another program, and a slower one.
{-# OPTIONS_GHC -fno-full-laziness #-}

data Assign = Assign Int Int

data Csp = Csp {vars :: !Int, vals :: !Int, related :: Assign -> Assign -> Bool}

data Tree a = Node a [Tree a]

data Conflicts = Known [Int] | Unknown

queens :: Int -> Csp
queens n = Csp n n safe
  where
    safe (Assign i m) (Assign j n) = m /= n && abs (i - j) /= abs (m - n)

mapTree :: (a -> b) -> Tree a -> Tree b
mapTree f (Node a ts) = Node (f a) (map (mapTree f) ts)

prune :: (a -> Bool) -> Tree a -> Tree a
prune p t = Node here [prune p c | c@(Node l _) <- children, not (p l)]
  where
    Node here children = t

leaves :: Tree a -> [a]
leaves (Node leaf []) = [leaf]
leaves (Node _ ts) = concat (map leaves ts)

level :: [Assign] -> Int
level [] = 0
level (Assign v _ : _) = v

space :: Csp -> Tree [Assign]
space csp = begin []
  where
    begin as = Node as (if level as < vars csp then [begin (Assign (level as + 1) v : as) | v <- [1 .. vals csp]] else [])

earliest :: Csp -> [Assign] -> Conflicts
earliest _ [] = Unknown
earliest csp (a : as) = case [b | b <- reverse as, not (related csp a b)] of
  [] -> Unknown
  Assign b _ : _ -> Known [level (a : as), b]

label :: Csp -> Tree [Assign] -> Tree ([Assign], Conflicts)
label csp = mapTree (\as -> (as, earliest csp as))

known :: Conflicts -> Bool
known (Known _) = True
known Unknown = False

search :: (Csp -> Tree [Assign] -> Tree ([Assign], Conflicts)) -> Csp -> [[Assign]]
search labeler csp = map fst (filter (\(as, _) -> level as == vars csp) (leaves (prune (\(_, c) -> known c) (labeler csp (space csp)))))

lookahead :: Csp -> Tree [Assign] -> Tree ([Assign], Conflicts)
lookahead csp t = wipe (label csp t)
  where
    wipe (Node (as, c) ts)
      | known c = Node (as, c) []
      | level as < vars csp && all (\v -> isBad (level as + 1) v as) [1 .. vals csp] = Node (as, Known [level as]) []
      | otherwise = Node (as, c) (map wipe ts)
    isBad var val = any (\a -> not (related csp (Assign var val) a))

main :: IO ()
main = readLn >>= \n -> putStrLn (concat [show (length (search s (queens n))) ++ " " | s <- [label, lookahead]])
