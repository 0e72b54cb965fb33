implementation module Walks

import Basics

:: Seen = {small :: ![Int], large :: ![Int]}

class walk a :: !(Int .st -> .st) !a !.st -> .st
class next a :: !a !Seen -> (!Bool, !Seen, !a)

instance walk Int
where
	walk f n st = f n st

// Ends in a call of a member: only those who call it know what it returns.
instance walk (a, b) | walk a & walk b
where
	walk f (a, b) st = walk f b (walk f a st)

instance walk [a] | walk a
where
	walk f [] st = st
	walk f [x:xs] st = walk f xs (walk f x st)

instance next Int
where
	next n seen
		| n < 10 = (True, {seen & small = [n:seen.small]}, n + 1)
		= (False, {seen & large = [n:seen.large]}, n + 1)

instance next [a] | next a
where
	next [x:xs] seen
		# (ok, seen, x) = next x seen
		# (rest, seen, xs) = next xs seen
		= (ok && rest, seen, [x:xs])
	next [] seen = (True, seen, [])

instance next (a, b) | next a & next b
where
	next (a, b) seen
		# (ok, seen, a) = next a seen
		# (rest, seen, b) = next b seen
		= (ok && rest, seen, (a, b))
