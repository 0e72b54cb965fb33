implementation module Refused

import Basics

:: Tree = Leaf | Node Tree Int Tree
:: Hidden = Hidden Int
:: Holder = { held :: !(Int, Int) }
:: Any = E.a: Any a

fine :: !Int -> Int
fine n = n

head :: ![a] -> a
head [x:_] = x

size :: !Tree -> Int
size Leaf = 0
size (Node l _ r) = size l + size r + 1

hide :: !Int -> Hidden
hide n = Hidden n

hold :: !Int -> Holder
hold n = {held = (n, n)}


show2 :: !a -> String | Show a
show2 a = text (show a)

any :: !Int -> Any
any n = Any n

both :: !Int -> [(Int, Tree)]
both n = [(n, Leaf)]

strings :: !Int -> {#String}
strings n = newS n ""

newS :: !Int !String -> {#String}
newS n x = code inline { create_array STRING 1 0 }
