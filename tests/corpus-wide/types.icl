module types
// Inference of types for terms of lambda calculus by unification, and their normal forms by substitution.

import StdEnv

:: Term = Var !Int | Lam !Int Term | App Term Term | Let !Int Term Term | Lit !Int
:: Type = TVar !Int | TInt | Arrow Type Type
:: Subst :== [(Int, Type)]
:: Result a = Ok a | Clash

walk :: !Subst !Type -> Type
walk s (TVar v) = find s
where
	find [] = TVar v
	find [(w, t) : rest]
		| v == w = walk s t
		= find rest
walk _ t = t

occurs :: !Int !Subst !Type -> Bool
occurs v s t = case walk s t of
	TVar w -> v == w
	TInt -> False
	Arrow a b -> occurs v s a || occurs v s b

unify :: !Type !Type !Subst -> Result Subst
unify a b s = pair (walk s a) (walk s b)
where
	pair (TVar v) (TVar w)
		| v == w = Ok s
		= Ok [(v, TVar w) : s]
	pair (TVar v) t = bind v t
	pair t (TVar v) = bind v t
	pair TInt TInt = Ok s
	pair (Arrow a b) (Arrow c d) = case unify a c s of
		Ok s -> unify b d s
		Clash -> Clash
	pair _ _ = Clash
	bind v t
		| occurs v s t = Clash
		= Ok [(v, t) : s]

infer :: [(Int, Type)] !Term !Subst !Int -> (Result (Type, Subst), Int)
infer _ (Lit _) s n = (Ok (TInt, s), n)
infer env (Var x) s n = (look env, n)
where
	look [] = Clash
	look [(y, t) : rest] = if (x == y) (Ok (t, s)) (look rest)
infer env (Lam x body) s n = case infer [(x, TVar n) : env] body s (n + 1) of
	(Ok (t, s), m) -> (Ok (Arrow (TVar n) t, s), m)
	(Clash, m) -> (Clash, m)
infer env (App f a) s n = case infer env f s n of
	(Ok (tf, s), n) -> case infer env a s n of
		(Ok (ta, s), n) -> case unify tf (Arrow ta (TVar n)) s of
			Ok s -> (Ok (TVar n, s), n + 1)
			Clash -> (Clash, n + 1)
		other -> other
	other -> other
infer env (Let x a body) s n = infer env (subst x a body) s n

subst :: !Int Term !Term -> Term
subst x a (Var y) = if (x == y) a (Var y)
subst x a (Lam y b) = if (x == y) (Lam y b) (Lam y (subst x a b))
subst x a (App f b) = App (subst x a f) (subst x a b)
subst x a (Let y b c) = Let y (subst x a b) (if (x == y) c (subst x a c))
subst _ _ t = t

normal :: !Int !Term -> Term
normal 0 t = t
normal fuel (App f a) = case normal fuel f of
	Lam x b -> normal (fuel - 1) (subst x a b)
	g -> App g (normal fuel a)
normal fuel (Lam x b) = Lam x (normal fuel b)
normal fuel (Let x a b) = normal (fuel - 1) (subst x a b)
normal _ t = t

height :: !Type !Subst -> Int
height t s = case walk s t of
	Arrow a b -> 1 + height a s + height b s
	_ -> 1

size` :: !Term -> Int
size` (Lam _ b) = 1 + size` b
size` (App f a) = 1 + size` f + size` a
size` (Let _ a b) = 1 + size` a + size` b
size` _ = 1

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

make :: !Int !Int !Int -> Term
make 0 bound s
	| bound == 0 || s rem 5 == 0 = Lit (s rem 10)
	= Var ((s >> 7) rem bound)
make depth bound s = case (s >> 9) rem 7 of
	0 -> App (make (depth - 1) bound a) (make (depth - 1) bound b)
	1 -> App (Lam bound (make (depth - 1) (bound + 1) a)) (make (depth - 1) bound b)
	2 -> Let bound (make (depth - 1) bound a) (make (depth - 1) (bound + 1) b)
	3 -> App (make (depth - 1) bound a) (make (depth - 1) bound b)
	_ -> Lam bound (make (depth - 1) (bound + 1) a)
where
	a = next s
	b = next (s + 77)

run :: !Int -> String
run n
	# terms = [make (5 + k rem 5) 0 (next (next (k * 7919))) \\ k <- [1..n]]
	  inferred = [height t s \\ term <- terms, (Ok (t, s), _) <- [infer [] term [] 0]]
	= toString (length inferred) +++ " " +++ toString (sum inferred) +++ " " +++ toString (sum (map (size` o normal 3) terms))

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
