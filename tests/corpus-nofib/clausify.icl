module clausify
// Spectral, "clausify": propositions become clauses: implications and equivalences are replaced, negations moved inwards,
// disjunctions too, and the clauses made unique.

import StdEnv

:: Formula = Sym Char | Not Formula | Dis Formula Formula | Con Formula Formula | Imp Formula Formula | Eqv Formula Formula

:: Clause :== ([Char], [Char])

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
	# dp = disin p
	  dq = disin q
	| conjunct dp || conjunct dq = disin (Dis dp dq)
	= Dis dp dq
disin (Con p q) = Con (disin p) (disin q)
disin p = p

conjunct :: Formula -> Bool
conjunct (Con _ _) = True
conjunct _ = False

split :: Formula -> [Formula]
split p = split` p []
where
	split` (Con p q) a = split` p (split` q a)
	split` p a = [p : a]

unicl :: [Formula] -> [Clause]
unicl a = foldr unicl` [] a
where
	unicl` p x
		# cp = clause p
		| tautclause cp = x
		= insert` cp x

tautclause :: Clause -> Bool
tautclause (c, a) = not (isEmpty [x \\ x <- c | isMember x a])

clause :: Formula -> Clause
clause p = clause` p ([], [])
where
	clause` (Dis p q) x = clause` p (clause` q x)
	clause` (Sym s) (c, a) = (insert` s c, a)
	clause` (Not (Sym s)) (c, a) = (c, insert` s a)

insert` :: a [a] -> [a] | ==, < a
insert` x [] = [x]
insert` x p=:[y : ys]
	| x < y = [x : p]
	| y < x = [y : insert` x ys]
	= p

shown :: [Clause] -> [Char]
shown cs = flatten [c ++ ['<' : a] ++ ['|'] \\ (c, a) <- cs]

formula :: Int -> Formula
formula n = Eqv (chain 'a') (Eqv (chain 'a') (chain (toChar (toInt 'a' + n rem 3))))
where
	chain s = Eqv (Sym s) (Eqv (Sym s) (Sym s))

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# io = io <<< sum [length (shown (clauses (formula i))) \\ i <- [1 .. n]] <<< '\n'
	= snd (fclose io world)
