module monads
// Monads: a class of constructors, instances for state, failure and lists, and programs written for any of them.

import StdEnv

class Monad m where
	ret :: a -> m a
	(>>>=) infixl 1 :: (m a) (a -> m b) -> m b

:: State s a = State (s -> (a, s))
:: Try a = Fine a | Wrong String
:: Many a = Many [a]

instance Monad (State s) where
	ret x = State (\s -> (x, s))
	(>>>=) (State f) g = State (\s -> let
			(x, s1) = f s
			(State h) = g x
		in h s1)

instance Monad Try where
	ret x = Fine x
	(>>>=) (Fine x) g = g x
	(>>>=) (Wrong why) _ = Wrong why

instance Monad Many where
	ret x = Many [x]
	(>>>=) (Many list) g = Many [y \\ x <- list, y <- all (g x)]
	where
		all (Many ys) = ys

get :: State s s
get = State (\s -> (s, s))

put :: s -> State s Int
put s = State (\_ -> (0, s))

mapM :: (a -> m b) [a] -> m [b] | Monad m
mapM _ [] = ret []
mapM f [x : xs] = f x >>>= \y -> mapM f xs >>>= \ys -> ret [y : ys]

foldM :: (b a -> m b) b [a] -> m b | Monad m
foldM _ r [] = ret r
foldM f r [x : xs] = f r x >>>= \s -> foldM f s xs

:: Tree = Leaf | Node Tree Int Tree

build :: !Int !Int -> Tree
build 0 _ = Leaf
build depth k = Node (build (depth - 1) (2 * k)) k (build (depth - 1) (2 * k + 1))

// Numbers the nodes in order.
number :: Tree -> State Int Tree
number Leaf = ret Leaf
number (Node l x r)
	= number l >>>= \l` -> get >>>= \n -> put (n + 1) >>>= \_ -> number r >>>= \r` -> ret (Node l` (n + x rem 3) r`)

sumTree :: !Tree -> Int
sumTree Leaf = 0
sumTree (Node l x r) = sumTree l + x + sumTree r

evalState :: (State s a) s -> a
evalState (State f) s = fst (f s)

divide :: Int Int -> Try Int
divide _ 0 = Wrong "division by zero"
divide a b = Fine (a / b)

quotients :: [Int] -> Try Int
quotients list = foldM (\sum x -> divide 1000000 (x rem 97) >>>= \q -> ret (sum + q)) 0 list

queens :: !Int -> Many [Int]
queens n = foldM (\board _ -> Many [[q : board] \\ q <- [1..n] | safe q 1 board]) [] [1..n]
where
	safe _ _ [] = True
	safe q d [p : rest] = q <> p && q <> p + d && q <> p - d && safe q (d + 1) rest

random :: State Int Int
random = get >>>= \s -> let t = (s * 1103515245 + 12345) bitand 0x7fffffff in put t >>>= \_ -> ret (t >> 8)

run :: !Int -> String
run n
	# tree = evalState (number (build (min 14 (n / 2 + 2)) 1)) 0
	  dice = [sum (evalState (mapM (\_ -> random >>>= \x -> ret (x rem 6)) [1..min n 400]) seed) \\ seed <- [1..n]]
	  shown = case (quotients [1..96], quotients [1..n * 100]) of
	  	(Fine a, Wrong why) -> toString a +++ why
	  	(Fine a, Fine b) -> toString (a + b)
	  	_ -> "?"
	  (Many boards) = queens (min 9 (n / 4 + 2))
	= toString (sumTree tree) +++ " " +++ toString (sum dice) +++ " " +++ shown +++ " " +++ toString (length boards)

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
