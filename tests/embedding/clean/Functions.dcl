definition module Functions

// Functions as results and as arguments: the host has them until it drops them.

import Basics

:: Named = { name :: !String, run :: !Int -> Int }

adder :: !Int -> (Int -> Int)
twice :: (Int -> Int) -> (Int -> Int)
apply :: !(Int -> Int) !Int -> Int
each :: (Int -> Int) ![Int] -> [Int]
named :: !String -> Named
runAll :: ![Named] !Int -> [Int]
joiner :: !String -> (String [String] -> String)
curried :: !Int -> (Int -> (Int -> Int))
failing :: !Int -> ([Int] -> Int)
maker :: !Int -> [(Int -> [Int])]
constant :: (Int -> Int)
tell :: (String [String] -> [String]) !String ![String] -> String
partly :: (Int Int -> Int) !Int !Int -> Int
deep :: (Int -> Int) !Int -> Int
