module records

// 2 * 10^5 records of four fields; one field is replaced, in a record that nobody else sees

import Boxes

Size :== 200000

:: Account = { name :: !Int, balance :: !Int, last :: [Int], count :: !Int }

Start :: Int
Start = total 0 (book 4000000 1 (fill 0 (array Size none))) 0

none :: Account
none = { name = 0, balance = 0, last = [], count = 0 }

fill :: !Int !*{Account} -> *{Account}
fill i a
	| i == Size = a
	= fill (i + 1) (put a i { name = i, balance = 1000, last = [], count = 0 })

book :: !Int !Int !*{Account} -> *{Account}
book 0 _ a = a
book n s a
	#! s = next s
	   i = (s >> 8) rem Size
	# (r,a) = get a i
	#! r = { r & balance = r.balance + s rem 100, last = [s], count = r.count + 1 }
	= book (n - 1) s (put a i r)

total :: !Int !*{Account} !Int -> Int
total i a acc
	| i == Size = acc
	# (r,a) = get a i
	= total (i + 1) a ((acc * 3 + r.balance + r.count) rem 1000003)
