implementation module Text

// HTML is a tree of pieces until the end, when it is measured and written at once.

// --- HTML

(<+>) infixr 5 :: !Html !Html -> Html
(<+>) None b = b
(<+>) a None = a
(<+>) a b = Both a b

isNone :: !Html -> Bool
isNone None = True
isNone _ = False

wrapped :: !String !Html !String -> Html
wrapped begin html end = Raw begin <+> html <+> Raw end

written :: !Html -> String
written html = write html [] 0 (new (measure html [] 0) ' ')

measure :: !Html ![Html] !Int -> Int
measure (Both a b) rest n = measure a [b:rest] n
measure html rest n
	# n = n + sizeOf html
	= case rest of
		[next:rest] -> measure next rest n
		[] -> n
where
	sizeOf (Raw s) = size s
	sizeOf (Escaped s begin to) = escapedSize s begin to 0
	sizeOf None = 0

escapedSize :: !String !Int !Int !Int -> Int
escapedSize s i to n
	| i >= to = n
	= escapedSize s (i + 1) to (n + width (at s i))
where
	width '&' = 5
	width '<' = 4
	width '>' = 4
	width '"' = 6
	width _ = 1

write :: !Html ![Html] !Int !*String -> *String
write (Both a b) rest n out = write a [b:rest] n out
write html rest n out
	# (n, out) = piece html n out
	= case rest of
		[next:rest] -> write next rest n out
		[] -> out
where
	piece :: !Html !Int !*String -> (!Int, !*String)
	piece (Raw s) n out = copy s 0 (size s) n out
	piece (Escaped s begin to) n out = escaped s begin to n out
	piece None n out = (n, out)

copy :: !String !Int !Int !Int !*String -> (!Int, !*String)
copy s i to n out
	| i >= to = (n, out)
	= copy s (i + 1) to (n + 1) (put out n (at s i))

escaped :: !String !Int !Int !Int !*String -> (!Int, !*String)
escaped s i to n out
	| i >= to = (n, out)
	= case at s i of
		'&' -> entity "&amp;"
		'<' -> entity "&lt;"
		'>' -> entity "&gt;"
		'"' -> entity "&quot;"
		c -> escaped s (i + 1) to (n + 1) (put out n c)
where
	entity e
		# (n, out) = copy e 0 (size e) n out
		= escaped s (i + 1) to n out

unescaped :: !String !Int !Int -> Html
unescaped s begin to = all begin begin None
where
	all :: !Int !Int !Html -> Html
	all start i html
		| i >= to = html <+> Escaped s start to
		| is '\\' (at s i) && i + 1 < to && isPunctuation (at s (i + 1))
			= all (i + 1) (i + 2) (html <+> Escaped s start i)
		= all start (i + 1) html

// --- characters and strings

is :: !Char !Char -> Bool
is a b = code inline { eqC }

isSpace :: !Char -> Bool
isSpace ' ' = True
isSpace '\t' = True
isSpace '\n' = True
isSpace '\r' = True
isSpace _ = False

isDigit :: !Char -> Bool
isDigit c = toInt c > 47 && toInt c < 58

isPunctuation :: !Char -> Bool
isPunctuation c
	# n = toInt c
	= n > 32 && n < 48 || n > 57 && n < 65 || n > 90 && n < 97 || n > 122 && n < 127

runOf :: !Char !String !Int !Int -> Int
runOf c s begin to = count begin
where
	count :: !Int -> Int
	count i
		| i < to && is c (at s i) = count (i + 1)
		= i - begin

beforeRun :: !Char !String !Int !Int -> Int
beforeRun c s begin to
	| to > begin && is c (at s (to - 1)) = beforeRun c s begin (to - 1)
	= to

find :: !Char !String !Int !Int -> Int
find c s i to
	| i >= to || is c (at s i) = if (i < to) i to
	= find c s (i + 1) to

endOfSpaces :: !String !Int !Int -> Int
endOfSpaces s i to
	| i < to && isSpace (at s i) = endOfSpaces s (i + 1) to
	= i

endOfWord :: !String !Int !Int -> Int
endOfWord s i to
	| i < to && not (isSpace (at s i)) = endOfWord s (i + 1) to
	= i

trimmed :: !String !Int !Int -> Int
trimmed s begin to
	| to > begin && isSpace (at s (to - 1)) = trimmed s begin (to - 1)
	= to

withSpaces :: !String -> String
withSpaces s = all 0 (new (size s) ' ')
where
	all :: !Int !*String -> *String
	all i out
		| i == size s = out
		= all (i + 1) (put out i (if (is '\n' (at s i)) ' ' (at s i)))

filled :: !Int !Char -> String
filled n c = new n c

decimal :: !Int -> String
decimal n = code inline {
		.d 0 1 i
			jsr ItoAC
		.o 1 0
	}

size :: !String -> Int
size s = code inline { push_arraysize CHAR 0 1 }

at :: !String !Int -> Char
at s i = code inline { select CHAR 0 1 }

new :: !Int !Char -> *String
new n c = code inline { create_array CHAR 0 1 }

put :: !*String !Int !Char -> *String
put s i c = code inline { update CHAR 0 1 }

// From an index to another one, which may be less: then it is empty.
slice :: !String !Int !Int -> *String
slice s a b = code inline {
		.d 1 2 ii
			jsr sliceAC
		.o 1 0
	}

(+++) infixr 5 :: !String !String -> String
(+++) a b = code inline {
		.d 2 0
			jsr catAC
		.o 1 0
	}

newInts :: !Int !Int -> *{#Int}
newInts n x = code inline { create_array INT 0 1 }

getInt :: !{#Int} !Int -> Int
getInt a i = code inline { select INT 0 1 }

putInt :: !*{#Int} !Int !Int -> *{#Int}
putInt a i x = code inline { update INT 0 1 }

// --- numbers, Booleans, lists

(+) infixl 6 :: !Int !Int -> Int
(+) a b = code inline { addI }
(-) infixl 6 :: !Int !Int -> Int
(-) a b = code inline { subI }
(*) infixl 7 :: !Int !Int -> Int
(*) a b = code inline { mulI }
(rem) infix 7 :: !Int !Int -> Int
(rem) a b = code inline { remI }
(==) infix 4 :: !Int !Int -> Bool
(==) a b = code inline { eqI }
(<) infix 4 :: !Int !Int -> Bool
(<) a b = code inline { ltI }

not :: !Bool -> Bool
not b = code inline { notB }
toInt :: !Char -> Int
toInt c = code inline { CtoI }
toChar :: !Int -> Char
toChar n = code inline { ItoC }

reverse :: ![a] ![a] -> [a]
reverse [x:xs] done = reverse xs [x:done]
reverse [] done = done

notEmpty :: ![a] -> Bool
notEmpty [] = False
notEmpty _ = True

fst :: !(!a, b) -> a
fst (a, _) = a
snd :: !(a, !b) -> b
snd (_, b) = b
