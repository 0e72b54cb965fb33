module bignums
// Large whole numbers as lists of digits, with instances of the classes of arithmetic: factorials, powers, roots.

import StdEnv

:: Big = Big [Int]

base :== 10000

instance zero Big where zero = Big []
instance one Big where one = Big [1]

instance + Big where
	(+) (Big a) (Big b) = Big (add a b 0)

instance - Big where
	(-) (Big a) (Big b) = Big (trim (sub a b 0))

instance * Big where
	(*) (Big a) (Big b) = Big (mul a b)

instance == Big where
	(==) (Big a) (Big b) = a == b

instance < Big where
	(<) (Big a) (Big b)
		# m = length a
		# n = length b
		= m < n || m == n && reverse a < reverse b

instance fromInt Big where
	fromInt 0 = Big []
	fromInt n = let (Big rest) = fromInt (n / base) in Big [n rem base : rest]

instance toString Big where
	toString (Big []) = "0"
	toString (Big digits) = let [top : rest] = reverse digits in foldl (\text d -> text +++ four d) (toString top) rest
	where
		four d = let text = toString d in createArray (4 - size text) '0' +++ text

add :: [Int] [Int] !Int -> [Int]
add [] [] 0 = []
add [] [] c = [c]
add [a : as] [] c = digit (a + c) as []
add [] [b : bs] c = digit (b + c) [] bs
add [a : as] [b : bs] c = digit (a + b + c) as bs

digit :: !Int [Int] [Int] -> [Int]
digit n as bs
	| n >= base = [n - base : add as bs 1]
	= [n : add as bs 0]

sub :: [Int] [Int] !Int -> [Int]
sub [] _ _ = []
sub [a : as] bs c
	# (b, rest) = case bs of
		[b : rest] -> (b, rest)
		[] -> (0, [])
	  n = a - b - c
	| n < 0 = [n + base : sub as rest 1]
	= [n : sub as rest 0]

trim :: [Int] -> [Int]
trim digits = reverse (dropWhile ((==) 0) (reverse digits))

scale :: !Int [Int] !Int -> [Int]
scale _ [] 0 = []
scale _ [] c = [c]
scale k [a : as] c
	# n = k * a + c
	= [n rem base : scale k as (n / base)]

mul :: [Int] [Int] -> [Int]
mul [] _ = []
mul _ [] = []
mul [a : as] b = add (scale a b 0) [0 : mul as b] 0

half :: !Big -> Big
half (Big digits) = Big (trim (reverse (halves 0 (reverse digits))))
where
	halves _ [] = []
	halves r [d : ds]
		# n = r * base + d
		= [n / 2 : halves (n rem 2) ds]

power :: a !Int -> a | *, one a
power x 0 = one
power x n
	| n rem 2 == 0 = let y = power x (n / 2) in y * y
	= x * power x (n - 1)

root :: !Big -> Big
root n = search zero (n + one)
where
	search low high
		# middle = half (low + high)
		| middle == low = low
		| n < middle * middle = search low middle
		= search middle high

fibonacci :: !Int -> Big
fibonacci n = walk n zero one
where
	walk 0 a _ = a
	walk k a b = walk (k - 1) b (a + b)

product :: [Big] -> Big
product list = foldl (*) one list

sumDigits :: !String -> Int
sumDigits text = sum [digitToInt c \\ c <-: text]

run :: !Int -> String
run n
	# factorial = product [fromInt k \\ k <- [1..n]]
	  large = power (fromInt 3) n + factorial
	  r = root (power (fromInt 7) (n / 6))
	= toString (sumDigits (toString (large + factorial))) +++ " " +++ toString (sumDigits (toString (fibonacci (n * 6)))) +++ " " +++ toString (sumDigits (toString r)) +++ " " +++ toString large % (0, 20)

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
