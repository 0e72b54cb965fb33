// More output than any pipe holds.

module long

Start :: [Int]
Start = upto 1 400000

upto :: !Int !Int -> [Int]
upto low high
	| low == high = [high]
	= [low : upto (low + 1) high]

class (+) infixl 6 a :: !a !a -> a

instance + Int
where
	(+) :: !Int !Int -> Int
	(+) a b
		= code inline {
			addI
		}

class (==) infix 4 a :: !a !a -> Bool

instance == Int
where
	(==) :: !Int !Int -> Bool
	(==) a b
		= code inline {
			eqI
		}
