implementation module Functions

import Basics

:: Named = { name :: !String, run :: !Int -> Int }

adder :: !Int -> (Int -> Int)
adder n = \m -> n + m

twice :: (Int -> Int) -> (Int -> Int)
twice f = \n -> f (f n)

apply :: !(Int -> Int) !Int -> Int
apply f n = f n

each :: (Int -> Int) ![Int] -> [Int]
each f ns = map f ns

named :: !String -> Named
named s = {name = s, run = (+) (stringSize s)}

runAll :: ![Named] !Int -> [Int]
runAll all n = map (\one -> one.run n) all

joiner :: !String -> (String [String] -> String)
joiner separator = join
where
	join :: String [String] -> String
	join first rest = foldl (\all s -> all +++ separator +++ s) first rest

curried :: !Int -> (Int -> (Int -> Int))
curried a = \b -> \c -> a * 100 + b * 10 + c

failing :: !Int -> ([Int] -> Int)
failing n = first
where
	first [x:_] = x + n

maker :: !Int -> [(Int -> [Int])]
maker n = [upto 1, \m -> upto m n, const []]
where
	const x _ = x

constant :: (Int -> Int)
constant = (+) 7

tell :: (String [String] -> [String]) !String ![String] -> String
tell f s list = joined (f s list)
where
	joined [s] = s
	joined [s:rest] = s +++ "+" +++ joined rest
	joined [] = ""

partly :: (Int Int -> Int) !Int !Int -> Int
partly f a b = foldl (\all g -> all + g b) 0 [f a]

deep :: (Int -> Int) !Int -> Int
deep f n = count n
where
	count :: !Int -> Int
	count 0 = f n
	count m = 1 + count (m - 1)
