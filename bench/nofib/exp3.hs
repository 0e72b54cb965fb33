data Nat = Z | S Nat

add, mul, power :: Nat -> Nat -> Nat
add Z y = y
add (S x) y = S (add x y)
mul _ Z = Z
mul x (S y) = add (mul x y) x
power _ Z = S Z
power x (S y) = mul x (power x y)

nat :: Int -> Nat
nat n
  | n < 1 = Z
  | otherwise = S (nat (n - 1))

int :: Nat -> Int
int x = count x 0
  where
    count :: Nat -> Int -> Int
    count Z n = n
    count (S x) n = count x (n + 1)

main :: IO ()
main = readLn >>= \n -> print (int (power (nat 3) (nat n)))
