module pf_map

import StdEnv, Data.Maybe, Data.Functor
import qualified Data.Map

numbers :: 'Data.Map'.Map Int String
numbers = 'Data.Map'.fromList [((n * 37) rem 101, "n" +++ toString n) \\ n <- [1..200]]

words :: 'Data.Map'.Map String [Int]
words = foldl add 'Data.Map'.newMap (zip2 ["one", "two", "three", "two", "one", "four"] [1..])
where
	add m (word, at) = 'Data.Map'.alter (\old -> Just [at:fromMaybe [] old]) word m

Start = ( 'Data.Map'.mapSize numbers, 'Data.Map'.get 37 numbers, 'Data.Map'.get 500 numbers, take 3 ('Data.Map'.toList numbers)
        , 'Data.Map'.toList words
        , 'Data.Map'.foldrWithKey (\k v sum -> k + size v + sum) 0 numbers
        , 'Data.Map'.keys ('Data.Map'.filterWithKey (\k _ -> k rem 10 == 0) numbers)
        , 'Data.Map'.mapSize (foldr 'Data.Map'.del numbers [0, 3 .. 101])
        , 'Data.Map'.findMin numbers, 'Data.Map'.findMax numbers
        , 'Data.Map'.toList ('Data.Map'.unionWith (+++) ('Data.Map'.fromList [(1, "a"), (2, "b")]) ('Data.Map'.fromList [(2, "c"), (3, "d")]))
        , [size v \\ v <- 'Data.Map'.elems numbers] % (0, 5)
        )
