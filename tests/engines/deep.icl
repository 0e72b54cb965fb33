// Ten million levels of three kinds: a fold over a list with an unknown function, a count without references, and the
// evaluation of a chain of suspended calls.

module deep

Start :: (Int, Int, Int)
Start = (foldr plus 0 (upto 1 10000000), count 10000000, head (chain 10000000 [0]))

foldr :: (a b -> b) b ![a] -> b
foldr op r l = fold l
where
	fold [] = r
	fold [a:x] = op a (fold x)

upto :: !Int !Int -> [Int]
upto low high
	| low == high = [high]
	= [low : upto (low + 1) high]

count :: !Int -> Int
count n
	| n == 0 = 0
	= 1 + count (n - 1)

chain :: !Int [Int] -> [Int]
chain 0 acc = acc
chain n acc = chain (n - 1) [plus n (head acc)]

head :: ![a] -> a
head [a:_] = a

plus :: Int Int -> Int
plus a b = if (a == 77) b (b + a)

class (+) infixl 6 a :: !a !a -> a

instance + Int
where
	(+) :: !Int !Int -> Int
	(+) a b
	= code inline {
			addI
	}

class (-) infixl 6 a :: !a !a -> a

instance - Int
where
	(-) :: !Int !Int -> Int
	(-) a b
	= code inline {
			subI
	}

class (==) infix 4 a :: !a !a -> Bool

instance == Int
where
	(==) :: !Int !Int -> Bool
	(==) a b
	= code inline {
			eqI
	}
