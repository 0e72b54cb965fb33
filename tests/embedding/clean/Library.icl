implementation module Library

import Basics

:: Colour = Red | Green | Blue
:: Point = { x :: !Int, y :: !Int, name :: !String, weight :: Real }
:: Shape = Dot | Circle !Real Colour | Line Point Point
:: Stack a = Empty | Push a (Stack a)
:: MaybeError e a = Error e | Ok a
:: Pair a b :== (a, b)

twice :: !Int -> Int
twice n = n + n

add :: Int Int -> Int
add a b = a + b

half :: !Real -> Real
half r = r / 2.0

opposite :: !Bool -> Bool
opposite b = not b

following :: !Char -> Char
following c = toChar (toInt c + 1)

greet :: !String -> {#Char}
greet name = "Hello, " +++ name +++ "!"

upTo :: !Int -> [Int]
upTo n = upto 1 n

endless :: !Int -> [Int]
endless n = [n : endless (n + 1)]

total :: ![Int] -> Int
total ns = sum ns

letters :: !String -> [Char]
letters s = chars s

word :: ![Char] -> String
word cs = text cs

pieces :: !Char !String -> [String]
pieces separator s = go 0 0
where
	n = stringSize s
	go :: !Int !Int -> [String]
	go a b
		| b == n = [substring a (b - 1) s]
		| stringAt s b == separator = [substring a (b - 1) s : go (b + 1) (b + 1)]
		= go a (b + 1)

swap :: !(!Int, String) -> Pair String Int
swap (n, s) = (s, n)

stretch :: !Int !Shape -> Shape
stretch n Dot = Dot
stretch n (Circle r c) = Circle (r * toReal n) (turn c)
stretch n (Line a b) = Line b a

mirror :: !*Point -> *Point
mirror p = {p & x = p.y, y = p.x, weight = 0.0 - p.weight}

turn :: !Colour -> Colour
turn Red = Green
turn Green = Blue
turn Blue = Red

first :: ![Int] -> Maybe Int
first [n:_] = Just n
first [] = Nothing

count :: !(Maybe String) -> Int
count Nothing = -1
count (Just s) = stringSize s

divide :: !Int !Int -> MaybeError String Int
divide a 0 = Error "division by zero"
divide a b = Ok (a / b)

turnOver :: !(Stack Int) -> Stack Int
turnOver s = go s Empty
where
	go :: !(Stack Int) (Stack Int) -> Stack Int
	go Empty done = done
	go (Push n rest) done = go rest (Push n done)

squares :: !{#Int} -> {#Int}
squares a = fill 0 (sizeI a) (newI (sizeI a) 0)
where
	fill :: !Int !Int !*{#Int} -> *{#Int}
	fill i n new
		| i == n = new
		= fill (i + 1) n (putI new i (getI a i * getI a i))

opposites :: !{#Bool} -> {#Bool}
opposites a = fill 0 (sizeB a) (newB (sizeB a) True)
where
	fill :: !Int !Int !*{#Bool} -> *{#Bool}
	fill i n new
		| i == n = new
		= fill (i + 1) n (putB new i (not (getB a i)))

largest :: !{#Real} -> Real
largest a = go 1 (getR a 0)
where
	go :: !Int !Real -> Real
	go i most
		| i == sizeR a = most
		| most < getR a i = go (i + 1) (getR a i)
		= go (i + 1) most

boxes :: !Int -> {String}
boxes n = fill 0 (newA n "")
where
	fill :: !Int !*{String} -> *{String}
	fill i new
		| i == n = new
		= fill (i + 1) (putA new i (toString i))

primes :: [Int]
primes = sieve (upto 2 30)
where
	sieve :: ![Int] -> [Int]
	sieve [p:rest] = [p : sieve (filter (\n -> not (n rem p == 0)) rest)]
	sieve [] = []

nothing :: !Int -> ()
nothing _ = ()

depth :: !Int -> Int
depth 0 = 0
depth n = 1 + depth (n - 1)

front :: ![Int] -> Int
front [n:_] = n

stop :: !String -> Int
stop message = halt message

ignore :: Int !Int -> Int
ignore _ n = n

long :: !Int -> String
long n = double n "0123456789abcdef"
where
	double :: !Int !String -> String
	double 0 s = s
	double n s = double (n - 1) (s +++ s)

bytes :: !Int -> String
bytes n = text [toChar n]

cycle :: !Int -> Int
cycle n = x
where
	x = x + n

halt :: !{#Char} -> .a
halt msg
	= code inline {
	.d 1 0
		jsr print_string_
	.o 0 0
		halt
	}

newI :: !Int !Int -> *{#Int}
newI n x = code inline { create_array INT 0 1 }
getI :: !{#Int} !Int -> Int
getI a i = code inline { select INT 0 1 }
putI :: !*{#Int} !Int !Int -> *{#Int}
putI a i x = code inline { update INT 0 1 }
sizeI :: !{#Int} -> Int
sizeI a = code inline { push_arraysize INT 0 1 }
newB :: !Int !Bool -> *{#Bool}
newB n x = code inline { create_array BOOL 0 1 }
getB :: !{#Bool} !Int -> Bool
getB a i = code inline { select BOOL 0 1 }
putB :: !*{#Bool} !Int !Bool -> *{#Bool}
putB a i x = code inline { update BOOL 0 1 }
sizeB :: !{#Bool} -> Int
sizeB a = code inline { push_arraysize BOOL 0 1 }
getR :: !{#Real} !Int -> Real
getR a i = code inline { select REAL 0 1 }
sizeR :: !{#Real} -> Int
sizeR a = code inline { push_arraysize REAL 0 1 }
newA :: !Int String -> *{String}
newA n x = code inline { create_array _ 1 0 }
putA :: !*{String} !Int String -> *{String}
putA a i x = code inline { update _ 1 0 }
