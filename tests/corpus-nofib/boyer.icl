module boyer
// Spectral, "boyer": terms are rewritten by lemmas until nothing applies, and it is decided whether what comes out is a
// tautology (R. Boyer; R. Gabriel, Performance and evaluation of Lisp systems, 1985), with lemmas of our own.

import StdEnv

:: Term = Var Int | App Op [Term]
:: Op = If | TrueOp | FalseOp | And | Or | Not | Implies | Iff | Equal | Plus | Times | Minus | Append | Reverse | Length | Member | F | G

instance == Op where (==) a b = number a == number b

number :: Op -> Int
number If = 0
number TrueOp = 1
number FalseOp = 2
number And = 3
number Or = 4
number Not = 5
number Implies = 6
number Iff = 7
number Equal = 8
number Plus = 9
number Times = 10
number Minus = 11
number Append = 12
number Reverse = 13
number Length = 14
number Member = 15
number F = 16
number G = 17

instance == Term where
	(==) (Var a) (Var b) = a == b
	(==) (App f xs) (App g ys) = f == g && xs == ys
	(==) _ _ = False

true :: Term
true = App TrueOp []

false :: Term
false = App FalseOp []

lemmas :: [(Term, Term)]
lemmas =: [(App And [x, y], App If [x, App If [y, true, false], false])
	, (App Or [x, y], App If [x, true, App If [y, true, false]])
	, (App Not [x], App If [x, false, true])
	, (App Implies [x, y], App If [x, App If [y, true, false], true])
	, (App Iff [x, y], App And [App Implies [x, y], App Implies [y, x]])
	, (App If [App If [x, y, z], u, v], App If [x, App If [y, u, v], App If [z, u, v]])
	, (App Equal [x, x], true)
	, (App Plus [App Plus [x, y], z], App Plus [x, App Plus [y, z]])
	, (App Times [x, App Plus [y, z]], App Plus [App Times [x, y], App Times [x, z]])
	, (App Times [App Times [x, y], z], App Times [x, App Times [y, z]])
	, (App Equal [App Plus [x, y], App Plus [x, z]], App Equal [y, z])
	, (App Minus [x, x], App Length [])
	, (App Append [App Append [x, y], z], App Append [x, App Append [y, z]])
	, (App Reverse [App Append [x, y]], App Append [App Reverse [y], App Reverse [x]])
	, (App Reverse [App Reverse [x]], x)
	, (App Length [App Append [x, y]], App Plus [App Length [x], App Length [y]])
	, (App Length [App Reverse [x]], App Length [x])
	, (App Member [x, App Append [y, z]], App Or [App Member [x, y], App Member [x, z]])
	, (App Member [x, App Reverse [y]], App Member [x, y])]
where
	x = Var 0
	y = Var 1
	z = Var 2
	u = Var 3
	v = Var 4

:: Binding :== [(Int, Term)]
:: Match = NoMatch | Match Binding

match :: Term Term Binding -> Match
match (Var n) t b = case [u \\ (m, u) <- b | m == n] of
	[] = Match [(n, t) : b]
	[u : _]
		| u == t = Match b
		= NoMatch
match (App f ps) (App g ts) b
	| f == g = matchAll ps ts b
	= NoMatch
match _ _ _ = NoMatch

matchAll :: [Term] [Term] Binding -> Match
matchAll [] [] b = Match b
matchAll [p : ps] [t : ts] b = case match p t b of
	NoMatch = NoMatch
	Match b = matchAll ps ts b
matchAll _ _ _ = NoMatch

subst :: Binding Term -> Term
subst b t=:(Var n) = case [u \\ (m, u) <- b | m == n] of
	[] = t
	[u : _] = u
subst b (App f ts) = App f (map (subst b) ts)

rewrite :: Term -> Term
rewrite (Var n) = Var n
rewrite (App f ts) = byLemmas (App f (map rewrite ts)) lemmas

byLemmas :: Term [(Term, Term)] -> Term
byLemmas t [] = t
byLemmas t [(l, r) : rest] = case match l t [] of
	Match b = rewrite (subst b r)
	NoMatch = byLemmas t rest

tautology :: Term [Term] [Term] -> Bool
tautology t known refuted
	| t == true || isMember t known = True
	| t == false || isMember t refuted = False
	= case t of
		App If [c, a, b]
			| c == true || isMember c known = tautology a known refuted
			| c == false || isMember c refuted = tautology b known refuted
			= tautology a [c : known] refuted && tautology b known [c : refuted]
		_ = False

size` :: Term -> Int
size` (Var _) = 1
size` (App _ ts) = 1 + sum (map size` ts)

// Implication is transitive, whatever stands for the variables.
statement :: Int -> Term
statement n = App Implies [foldr1 and [App Implies [s i, s (i + 1)] \\ i <- [0 .. n - 1]], App Implies [s 0, s n]]
where
	and a b = App And [a, b]
	s i = subst [(10 + j, t j (i + j)) \\ j <- [0 .. 2]] (if (isEven i) (App F [Var 10, Var 11]) (App G [Var 12, App F [Var 11]]))
	t j k
		| j == 0 = App Plus [App Plus [Var 20, Var (20 + k rem 3)], App Plus [Var 21, Var 22]]
		| j == 1 = App Times [App Times [Var 20, Var 21], App Plus [Var (20 + k rem 2), Var 23]]
		= App Reverse [App Append [App Append [Var 20, Var (21 + k)], Var 23]]

foldr1 :: (a a -> a) [a] -> a
foldr1 f [x] = x
foldr1 f [x : xs] = f x (foldr1 f xs)

Start :: *World -> *World
Start world
	# (io, world) = stdio world
	# (_, n, io) = freadi io
	# io = foldl check io [1 .. n]
	= snd (fclose (io <<< '\n') world)
where
	check io i
		# t = rewrite (statement i)
		  wrong = rewrite (App Implies [App Or [App F [Var 1], statement i], App Member [Var 1, App Reverse [Var 2]]])
		= io <<< size` t <<< (if (tautology t [] []) '+' '-') <<< (if (tautology wrong [] []) '+' '-') <<< ' '
