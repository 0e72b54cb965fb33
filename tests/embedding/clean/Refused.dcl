definition module Refused

// What others cannot call, one function for each reason; and `fine`, which they can.

import Basics

:: Tree = Leaf | Node Tree Int Tree
:: Hidden
:: Holder = { held :: !(Int, Int) }
:: Any = E.a: Any a

fine :: !Int -> Int
head :: ![a] -> a
size :: !Tree -> Int
hide :: !Int -> Hidden
hold :: !Int -> Holder
show2 :: !a -> String | Show a
any :: !Int -> Any
both :: !Int -> [(Int, Tree)]
strings :: !Int -> {#String}
