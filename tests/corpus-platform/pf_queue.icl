module pf_queue

import StdEnv, Data.Queue, Data.Maybe
from Data.List import unfoldr, transpose, permutations, subsequences

drain :: (Queue Int) -> [Int]
drain q = case dequeue q of
	(Just x, q) -> [x : drain q]
	(Nothing, _) -> []

Start = ( drain (foldl (\q x -> enqueue x q) newQueue [1 .. 10]), unfoldr (\n -> if (n > 60) Nothing (Just (n, n * 2 + 1))) 1, transpose [[1, 2, 3], [4, 5], [6]]
        , permutations [1, 2, 3], subsequences ['abc'] )
