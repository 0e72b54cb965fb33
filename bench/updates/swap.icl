module swap

// 10^6 lists of one element; random pairs change places, and each time a short list dies

import Boxes

Size :== 1000000

Start :: Int
Start = total 0 (swap 3000000 1 (fill 0 (array Size []))) 0

fill :: !Int !*{[Int]} -> *{[Int]}
fill i a
	| i == Size = a
	= fill (i + 1) (put a i [i])

swap :: !Int !Int !*{[Int]} -> *{[Int]}
swap 0 _ a = a
swap n s a
	#! s = next s
	   i = (s >> 8) rem Size
	   s = next s
	   j = (s >> 8) rem Size
	# (x,a) = get a i
	# (y,a) = get a j
	#! z = sum (upto (s rem 4)) 0
	= swap (n - 1) (s + z - z) (put (put a i y) j x)

upto :: !Int -> [Int]
upto 0 = []
upto n = [n : upto (n - 1)]

sum :: ![Int] !Int -> Int
sum [] acc = acc
sum [x : xs] acc = sum xs (acc + x)

total :: !Int !*{[Int]} !Int -> Int
total i a acc
	| i == Size = acc
	# (x,a) = get a i
	= total (i + 1) a ((acc * 3 + sum x 0) rem 1000003)
