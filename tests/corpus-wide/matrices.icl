module matrices
// Matrices of reals in unboxed arrays: products, a linear system with pivots, eigenvalues by powers.

import StdEnv

:: Matrix :== {{#Real}}

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

made :: !Int !Int -> *{*{#Real}}
made n seed = {{toReal ((next (i * 331 + j * 17 + seed) >> 9) rem 1000) / 250.0 - 2.0 + (if (i == j) 9.0 0.0) \\ j <- [0..n - 1]} \\ i <- [0..n - 1]}

product :: !Int !Matrix !Matrix -> Matrix
product n a b = {{dot a.[i] j 0 0.0 \\ j <- [0..n - 1]} \\ i <- [0..n - 1]}
where
	dot :: !{#Real} !Int !Int !Real -> Real
	dot row j k sum
		| k == n = sum
		= dot row j (k + 1) (sum + row.[k] * b.[k, j])

transposed :: !Int !Matrix -> Matrix
transposed n a = {{a.[j, i] \\ j <- [0..n - 1]} \\ i <- [0..n - 1]}

// Gauss with the greatest pivot of each column; the right side is the last column. The solution.
solve :: !Int !*{*{#Real}} -> {#Real}
solve n a = back (n - 1) (down 0 a) (createArray n 0.0)
where
	down :: !Int !*{*{#Real}} -> *{*{#Real}}
	down k a
		| k == n = a
		# (p, a) = pivot (k + 1) k k a
		  a = if (p == k) a (exchange p k k a)
		= down (k + 1) (below (k + 1) k a)
	pivot :: !Int !Int !Int !*{*{#Real}} -> (!Int, !*{*{#Real}})
	pivot i k best a
		| i == n = (best, a)
		# (x, a) = a![i, k]
		  (y, a) = a![best, k]
		= pivot (i + 1) k (if (abs x > abs y) i best) a
	exchange :: !Int !Int !Int !*{*{#Real}} -> *{*{#Real}}
	exchange p k j a
		| j > n = a
		# (x, a) = a![p, j]
		  (y, a) = a![k, j]
		= exchange p k (j + 1) {{a & [p, j] = y} & [k, j] = x}
	below :: !Int !Int !*{*{#Real}} -> *{*{#Real}}
	below i k a
		| i == n = a
		# (x, a) = a![i, k]
		  (y, a) = a![k, k]
		= below (i + 1) k (minus i k k (x / y) a)
	minus :: !Int !Int !Int !Real !*{*{#Real}} -> *{*{#Real}}
	minus i k j f a
		| j > n = a
		# (x, a) = a![i, j]
		  (y, a) = a![k, j]
		= minus i k (j + 1) f {a & [i, j] = x - f * y}
	back :: !Int !*{*{#Real}} !*{#Real} -> *{#Real}
	back i a x
		| i < 0 = x
		# (right, a) = a![i, n]
		  (sum, a, x) = known (i + 1) i right a x
		  (d, a) = a![i, i]
		= back (i - 1) a {x & [i] = sum / d}
	known :: !Int !Int !Real !*{*{#Real}} !*{#Real} -> (!Real, !*{*{#Real}}, !*{#Real})
	known j i sum a x
		| j == n = (sum, a, x)
		# (c, a) = a![i, j]
		  (v, x) = x![j]
		= known (j + 1) i (sum - c * v) a x

powers :: !Int !Int !Matrix -> Real
powers n steps a = iterate` steps (createArray n 1.0)
where
	iterate` :: !Int !{#Real} -> Real
	iterate` k v
		# w = column v
		  length = norm w
		| k == 0 = length
		= iterate` (k - 1) (divided length w)
	column :: !{#Real} -> {#Real}
	column v = {row a.[i] 0 0.0 v \\ i <- [0..n - 1]}
	divided :: !Real !{#Real} -> {#Real}
	divided d w = {x / d \\ x <-: w}
	norm :: !{#Real} -> Real
	norm w = sqrt (sum [x * x \\ x <-: w])
	row :: !{#Real} !Int !Real !{#Real} -> Real
	row r j sum v
		| j == n = sum
		= row r (j + 1) (sum + r.[j] * v.[j]) v

shown :: !Real -> String
shown x = toString (toInt (x * 1000.0))

run :: !Int -> String
run n
	# a = made n 1
	  b = made n 2
	  c = product n a (transposed n b)
	  x = solve n {{if (j == n) (toReal i) c.[i, j] \\ j <- [0..n]} \\ i <- [0..n - 1]}
	= shown (sum [c.[i, i] \\ i <- [0..n - 1]]) +++ " " +++ shown (sum [y \\ y <-: x]) +++ " " +++ shown (powers n 100 c)

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
