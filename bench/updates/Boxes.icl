system module Boxes

(+) infixl 6 :: !Int !Int -> Int
(+) a b = code { addI }
(-) infixl 6 :: !Int !Int -> Int
(-) a b = code { subI }
(*) infixl 7 :: !Int !Int -> Int
(*) a b = code { mulI }
(rem) infix 7 :: !Int !Int -> Int
(rem) a b = code { remI }
(==) infix 4 :: !Int !Int -> Bool
(==) a b = code { eqI }
(<) infix 4 :: !Int !Int -> Bool
(<) a b = code { ltI }
(>>) infix 7 :: !Int !Int -> Int
(>>) a b = code { shiftrU }

array :: !Int .a -> *{.a}
array n x = code { create_array _ 1 0 }
put :: !*{.a} !Int .a -> *{.a}
put a i x = code { update _ 1 0 }
get :: !u:{a} !Int -> (!a,!u:{a})
get a i = code { push_a 0 ; select _ 1 0 ; jsr_eval 0 }

next :: !Int -> Int
next s = (s * 1103515245 + 12345) rem 2147483648
