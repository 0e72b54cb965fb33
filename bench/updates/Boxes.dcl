system module Boxes

// arrays of boxed elements that are updated in place, and what loops over them need

(+) infixl 6 :: !Int !Int -> Int :== code { addI }
(-) infixl 6 :: !Int !Int -> Int :== code { subI }
(*) infixl 7 :: !Int !Int -> Int :== code { mulI }
(rem) infix 7 :: !Int !Int -> Int :== code { remI }
(==) infix 4 :: !Int !Int -> Bool :== code { eqI }
(<) infix 4 :: !Int !Int -> Bool :== code { ltI }
(>>) infix 7 :: !Int !Int -> Int :== code { shiftrU }

// all elements are the same node
array :: !Int .a -> *{.a}
	:== code { create_array _ 1 0 }
// the element is not evaluated
put :: !*{.a} !Int .a -> *{.a}
	:== code { update _ 1 0 }
get :: !u:{a} !Int -> (!a,!u:{a})
	:== code { push_a 0 ; select _ 1 0 ; jsr_eval 0 }

// the next of a row of random numbers
next :: !Int -> Int
