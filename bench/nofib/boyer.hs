data Term = Var Int | App Op [Term] deriving (Eq)

data Op = If | TrueOp | FalseOp | And | Or | Not | Implies | Iff | Equal | Plus | Times | Minus | Append | Reverse | Length | Member | F | G
  deriving (Eq)

true, false :: Term
true = App TrueOp []
false = App FalseOp []

lemmas :: [(Term, Term)]
lemmas =
  [ (App And [x, y], App If [x, App If [y, true, false], false]),
    (App Or [x, y], App If [x, true, App If [y, true, false]]),
    (App Not [x], App If [x, false, true]),
    (App Implies [x, y], App If [x, App If [y, true, false], true]),
    (App Iff [x, y], App And [App Implies [x, y], App Implies [y, x]]),
    (App If [App If [x, y, z], u, v], App If [x, App If [y, u, v], App If [z, u, v]]),
    (App Equal [x, x], true),
    (App Plus [App Plus [x, y], z], App Plus [x, App Plus [y, z]]),
    (App Times [x, App Plus [y, z]], App Plus [App Times [x, y], App Times [x, z]]),
    (App Times [App Times [x, y], z], App Times [x, App Times [y, z]]),
    (App Equal [App Plus [x, y], App Plus [x, z]], App Equal [y, z]),
    (App Minus [x, x], App Length []),
    (App Append [App Append [x, y], z], App Append [x, App Append [y, z]]),
    (App Reverse [App Append [x, y]], App Append [App Reverse [y], App Reverse [x]]),
    (App Reverse [App Reverse [x]], x),
    (App Length [App Append [x, y]], App Plus [App Length [x], App Length [y]]),
    (App Length [App Reverse [x]], App Length [x]),
    (App Member [x, App Append [y, z]], App Or [App Member [x, y], App Member [x, z]]),
    (App Member [x, App Reverse [y]], App Member [x, y])
  ]
  where
    [x, y, z, u, v] = map Var [0 .. 4]

type Binding = [(Int, Term)]

match :: Term -> Term -> Binding -> Maybe Binding
match (Var n) t b = case [u | (m, u) <- b, m == n] of
  [] -> Just ((n, t) : b)
  u : _
    | u == t -> Just b
    | otherwise -> Nothing
match (App f ps) (App g ts) b
  | f == g = matchAll ps ts b
match _ _ _ = Nothing

matchAll :: [Term] -> [Term] -> Binding -> Maybe Binding
matchAll [] [] b = Just b
matchAll (p : ps) (t : ts) b = case match p t b of
  Nothing -> Nothing
  Just b -> matchAll ps ts b
matchAll _ _ _ = Nothing

subst :: Binding -> Term -> Term
subst b t@(Var n) = case [u | (m, u) <- b, m == n] of
  [] -> t
  u : _ -> u
subst b (App f ts) = App f (map (subst b) ts)

rewrite :: Term -> Term
rewrite (Var n) = Var n
rewrite (App f ts) = byLemmas (App f (map rewrite ts)) lemmas

byLemmas :: Term -> [(Term, Term)] -> Term
byLemmas t [] = t
byLemmas t ((l, r) : rest) = case match l t [] of
  Just b -> rewrite (subst b r)
  Nothing -> byLemmas t rest

tautology :: Term -> [Term] -> [Term] -> Bool
tautology t known refuted
  | t == true || t `elem` known = True
  | t == false || t `elem` refuted = False
  | otherwise = case t of
    App If [c, a, b]
      | c == true || c `elem` known -> tautology a known refuted
      | c == false || c `elem` refuted -> tautology b known refuted
      | otherwise -> tautology a (c : known) refuted && tautology b known (c : refuted)
    _ -> False

size :: Term -> Int
size (Var _) = 1
size (App _ ts) = 1 + sum (map size ts)

statement :: Int -> Term
statement n = App Implies [foldr1 both [App Implies [s i, s (i + 1)] | i <- [0 .. n - 1]], App Implies [s 0, s n]]
  where
    both a b = App And [a, b]
    s i = subst [(10 + j, t j (i + j)) | j <- [0 .. 2]] (if even i then App F [Var 10, Var 11] else App G [Var 12, App F [Var 11]])
    t :: Int -> Int -> Term
    t j k
      | j == 0 = App Plus [App Plus [Var 20, Var (20 + k `rem` 3)], App Plus [Var 21, Var 22]]
      | j == 1 = App Times [App Times [Var 20, Var 21], App Plus [Var (20 + k `rem` 2), Var 23]]
      | otherwise = App Reverse [App Append [App Append [Var 20, Var (21 + k)], Var 23]]

main :: IO ()
main = readLn >>= \n -> mapM_ check [1 .. n] >> putStrLn ""
  where
    sign b = if b then '+' else '-'
    check i = putStr (show (size t) ++ [sign (tautology t [] []), sign (tautology wrong [] [])] ++ " ")
      where
        t = rewrite (statement i)
        wrong = rewrite (App Implies [App Or [App F [Var 1], statement i], App Member [Var 1, App Reverse [Var 2]]])
