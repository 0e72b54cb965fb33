module pf_array

import StdEnv, Data.Array, Data.Functor, Data.Maybe, Data.Matrix

a :: {Int}
a = {(x * x) rem 17 \\ x <- [1 .. 12]}

u :: {#Real}
u = {toReal x / 4.0 \\ x <- [1 .. 5]}

Start = ( [x \\ x <-: fmap ((+) 1) a], foldrArr (+) 0 a, foldlArr (\s x -> s * 3 + x) 0 a, mapArr ((*) 2) a
        , [x \\ x <-: appendArr a {100, 200}], foldrArrWithKey (\i x s -> i * x + s) 0 a, sum [x \\ x <-: u] )
