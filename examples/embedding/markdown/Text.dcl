definition module Text

// HTML, and what of characters, strings, numbers and lists the parser needs.

:: Html = None | Raw !String | Escaped !String !Int !Int | Both !Html !Html

// How deep quotes and lists are nested, and how far an opener of emphasis is looked for: it makes the time linear.
deepest :== 32

(<+>) infixr 5 :: !Html !Html -> Html
isNone :: !Html -> Bool
wrapped :: !String !Html !String -> Html
written :: !Html -> String
copy :: !String !Int !Int !Int !*String -> (!Int, !*String)
unescaped :: !String !Int !Int -> Html
is :: !Char !Char -> Bool :== code { eqC }
isSpace :: !Char -> Bool
isDigit :: !Char -> Bool
isPunctuation :: !Char -> Bool
runOf :: !Char !String !Int !Int -> Int
beforeRun :: !Char !String !Int !Int -> Int
find :: !Char !String !Int !Int -> Int
endOfSpaces :: !String !Int !Int -> Int
endOfWord :: !String !Int !Int -> Int
trimmed :: !String !Int !Int -> Int
withSpaces :: !String -> String
filled :: !Int !Char -> String
decimal :: !Int -> String
size :: !String -> Int :== code { push_arraysize CHAR 0 1 }
at :: !String !Int -> Char :== code { select CHAR 0 1 }
new :: !Int !Char -> *String :== code { create_array CHAR 0 1 }
put :: !*String !Int !Char -> *String :== code { update CHAR 0 1 }
slice :: !String !Int !Int -> *String
(+++) infixr 5 :: !String !String -> String
newInts :: !Int !Int -> *{#Int} :== code { create_array INT 0 1 }
getInt :: !{#Int} !Int -> Int :== code { select INT 0 1 }
putInt :: !*{#Int} !Int !Int -> *{#Int} :== code { update INT 0 1 }
(+) infixl 6 :: !Int !Int -> Int :== code { addI }
(-) infixl 6 :: !Int !Int -> Int :== code { subI }
(*) infixl 7 :: !Int !Int -> Int :== code { mulI }
(rem) infix 7 :: !Int !Int -> Int :== code { remI }
(==) infix 4 :: !Int !Int -> Bool :== code { eqI }
(<) infix 4 :: !Int !Int -> Bool :== code { ltI }
not :: !Bool -> Bool :== code { notB }
toInt :: !Char -> Int :== code { CtoI }
toChar :: !Int -> Char :== code { ItoC }
reverse :: ![a] ![a] -> [a]
notEmpty :: ![a] -> Bool
fst :: !(!a, b) -> a
snd :: !(a, !b) -> b

(>) infix 4
(>) a b :== b < a
(<=) infix 4
(<=) a b :== not (b < a)
(>=) infix 4
(>=) a b :== not (a < b)
(&&) infixr 3
(&&) a b :== if a b False
(||) infixr 2
(||) a b :== if a True b
