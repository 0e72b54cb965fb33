definition module Library

// What others call: one function for each kind of data. /* Comments /* of both kinds */ are skipped. */

import Basics

:: Colour = Red | Green | Blue
:: Point = { x :: !Int, y :: !Int, name :: !String, weight :: Real }
:: Shape = Dot | Circle !Real Colour | Line Point Point
:: Stack a = Empty | Push a (Stack a)
:: MaybeError e a = Error e | Ok a
:: Pair a b :== (a, b)

twice :: !Int -> Int
add :: Int Int -> Int
half :: !Real -> Real
opposite :: !Bool -> Bool
following :: !Char -> Char
greet :: !String -> {#Char}
upTo :: !Int -> [Int]
endless :: !Int -> [Int]
total :: ![Int] -> Int
letters :: !String -> [Char]
word :: ![Char] -> String
pieces :: !Char !String -> [String]
swap :: !(!Int, String) -> Pair String Int
stretch :: !Int !Shape -> Shape
mirror :: !*Point -> *Point
turn :: !Colour -> Colour
first :: ![Int] -> Maybe Int
count :: !(Maybe String) -> Int
divide :: !Int !Int -> MaybeError String Int
turnOver :: !(Stack Int) -> Stack Int
squares :: !{#Int} -> {#Int}
opposites :: !{#Bool} -> {#Bool}
largest :: !{#Real} -> Real
boxes :: !Int -> {String}
primes :: [Int]
nothing :: !Int -> ()
depth :: !Int -> Int
front :: ![Int] -> Int
stop :: !String -> Int
ignore :: Int !Int -> Int
long :: !Int -> String
bytes :: !Int -> String
cycle :: !Int -> Int
