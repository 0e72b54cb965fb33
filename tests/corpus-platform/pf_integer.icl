module pf_integer

import StdEnv, Data.Integer, Data.Integer.ToInteger, Data.Integer.ToString, Data.Integer.Add, Data.Integer.Mul, Data.Integer.Div

fac :: Int -> Integer
fac 0 = toInteger 1
fac n = toInteger n * fac (n - 1)

fib :: !Int !Integer !Integer -> Integer
fib 0 a _ = a
fib n a b = fib (n - 1) b (a + b)

Start = ( toString (fac 60), toString (fib 300 zero one), toString (fac 40 / fac 37), toString (fac 30 rem toInteger 1000007)
        , fac 20 < fac 21, fac 5 == toInteger 120, toString (~ (fac 25)), toString (fac 25 * toInteger (~3)) )
