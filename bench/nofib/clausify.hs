data Formula = Sym Char | Not Formula | Dis Formula Formula | Con Formula Formula | Imp Formula Formula | Eqv Formula Formula

type Clause = ([Char], [Char])

clauses :: Formula -> [Clause]
clauses f = unicl (split (disin (negin (elim f))))

elim :: Formula -> Formula
elim (Sym s) = Sym s
elim (Not p) = Not (elim p)
elim (Dis p q) = Dis (elim p) (elim q)
elim (Con p q) = Con (elim p) (elim q)
elim (Imp p q) = Dis (Not (elim p)) (elim q)
elim (Eqv f g) = Con (elim (Imp f g)) (elim (Imp g f))

negin :: Formula -> Formula
negin (Not (Not p)) = negin p
negin (Not (Con p q)) = Dis (negin (Not p)) (negin (Not q))
negin (Not (Dis p q)) = Con (negin (Not p)) (negin (Not q))
negin (Dis p q) = Dis (negin p) (negin q)
negin (Con p q) = Con (negin p) (negin q)
negin p = p

disin :: Formula -> Formula
disin (Dis p (Con q r)) = Con (disin (Dis p q)) (disin (Dis p r))
disin (Dis (Con p q) r) = Con (disin (Dis p r)) (disin (Dis q r))
disin (Dis p q)
  | conjunct dp || conjunct dq = disin (Dis dp dq)
  | otherwise = Dis dp dq
  where
    dp = disin p
    dq = disin q
disin (Con p q) = Con (disin p) (disin q)
disin p = p

conjunct :: Formula -> Bool
conjunct (Con _ _) = True
conjunct _ = False

split :: Formula -> [Formula]
split p = split' p []
  where
    split' (Con p q) a = split' p (split' q a)
    split' p a = p : a

unicl :: [Formula] -> [Clause]
unicl = foldr unicl' []
  where
    unicl' p x = if tautclause cp then x else insert cp x
      where
        cp = clause p

tautclause :: Clause -> Bool
tautclause (c, a) = not (null [x | x <- c, x `elem` a])

clause :: Formula -> Clause
clause p = clause' p ([], [])
  where
    clause' (Dis p q) x = clause' p (clause' q x)
    clause' (Sym s) (c, a) = (insert s c, a)
    clause' (Not (Sym s)) (c, a) = (c, insert s a)

insert :: Ord a => a -> [a] -> [a]
insert x [] = [x]
insert x p@(y : ys)
  | x < y = x : p
  | y < x = y : insert x ys
  | otherwise = p

shown :: [Clause] -> [Char]
shown cs = concat [c ++ ('<' : a) ++ "|" | (c, a) <- cs]

formula :: Int -> Formula
formula n = Eqv (chain 'a') (Eqv (chain 'a') (chain (toEnum (fromEnum 'a' + n `rem` 3))))
  where
    chain s = Eqv (Sym s) (Eqv (Sym s) (Sym s))

main :: IO ()
main = readLn >>= \n -> print (sum [length (shown (clauses (formula i))) | i <- [1 .. n]])
