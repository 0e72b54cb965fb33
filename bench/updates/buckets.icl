module buckets

// a table of 5 * 10^4 lists; elements are put in front, and a list that is too long begins anew

import Boxes

Size :== 50000

Start :: Int
Start = total 0 (insert 3000000 1 (array Size [])) 0

insert :: !Int !Int !*{[Int]} -> *{[Int]}
insert 0 _ a = a
insert n s a
	#! s = next s
	   i = (s >> 8) rem Size
	# (l,a) = get a i
	| length l 0 < 8 = insert (n - 1) s (put a i [s : l])
	= insert (n - 1) s (put a i [])

length :: ![Int] !Int -> Int
length [] n = n
length [_ : l] n = length l (n + 1)

total :: !Int !*{[Int]} !Int -> Int
total i a acc
	| i == Size = acc
	# (l,a) = get a i
	= total (i + 1) a ((acc * 3 + length l 0) rem 1000003)
