module pf_set

import StdEnv
import qualified Data.Set
from Data.Foldable import class Foldable
from Data.Set import :: Set, instance Foldable Set

evens = 'Data.Set'.fromList [n \\ n <- [0, 2 .. 60]]
squares = 'Data.Set'.fromList [n * n \\ n <- [~7 .. 7]]

Start = ( 'Data.Set'.toList squares, length ('Data.Set'.toList evens)
        , 'Data.Set'.toList ('Data.Set'.intersection evens squares), 'Data.Set'.toList ('Data.Set'.difference squares evens)
        , 'Data.Set'.member 36 evens, 'Data.Set'.member 37 evens, 'Data.Set'.isSubsetOf ('Data.Set'.fromList [4, 16]) evens
        , 'Data.Set'.toList ('Data.Set'.filter isOdd ('Data.Set'.union evens squares))
        , 'Data.Set'.toList (foldr 'Data.Set'.delete evens [10 .. 60])
        , 'Data.Set'.findMin squares, 'Data.Set'.findMax squares
        , 'Data.Set'.toList ('Data.Set'.fromList ["pear", "apple", "fig", "apple"])
        )
