module pf_random

import StdEnv, Math.Random

Start = ( take 5 (genRandInt 42), take 3 (genRandReal 7), sum (take 1000 (genRandInt 1)) bitand 0xFFFF, sort (map (\x -> x rem 100) (take 20 (genRandInt 99))) )
