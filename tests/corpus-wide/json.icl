module json
// Documents as trees: made, written as text, read again from characters, queried, changed and laid out.

import StdEnv

:: Json = Null | Truth !Bool | Number !Int | Text !String | List [Json] | Object [(String, Json)]

instance == Json where
	(==) Null Null = True
	(==) (Truth a) (Truth b) = a == b
	(==) (Number a) (Number b) = a == b
	(==) (Text a) (Text b) = a == b
	(==) (List a) (List b) = a == b
	(==) (Object a) (Object b) = a == b
	(==) _ _ = False

write :: !Json -> [Char]
write json = put json []
where
	put Null rest = ['null' : rest]
	put (Truth True) rest = ['true' : rest]
	put (Truth False) rest = ['false' : rest]
	put (Number n) rest = [c \\ c <-: toString n] ++ rest
	put (Text text) rest = quoted text rest
	put (List items) rest = ['[' : commas put items [']' : rest]]
	put (Object fields) rest = ['{' : commas (\(name, value) rest -> quoted name [':' : put value rest]) fields ['}' : rest]]
	commas _ [] rest = rest
	commas f [x] rest = f x rest
	commas f [x : xs] rest = f x [',' : commas f xs rest]
	quoted text rest = ['"' : escaped 0 text ['"' : rest]]
	escaped i text rest
		| i == size text = rest
		# c = text.[i]
		| c == '"' || c == '\\' = ['\\', c : escaped (i + 1) text rest]
		= [c : escaped (i + 1) text rest]

read :: ![Char] -> (Json, [Char])
read ['null' : rest] = (Null, rest)
read ['true' : rest] = (Truth True, rest)
read ['false' : rest] = (Truth False, rest)
read ['"' : rest]
	# (text, rest) = string rest []
	= (Text text, rest)
read ['[]' : rest] = (List [], rest)
read ['[' : rest]
	# (items, rest) = items rest
	= (List items, rest)
where
	items cs
		# (item, cs) = read cs
		= case cs of
			[',' : cs]
				# (more, cs) = items cs
				-> ([item : more], cs)
			[_ : cs] -> ([item], cs)
read ['{}' : rest] = (Object [], rest)
read ['{' : rest]
	# (fields, rest) = fields rest
	= (Object fields, rest)
where
	fields ['"' : cs]
		# (name, [_ : cs]) = string cs []
		  (value, cs) = read cs
		= case cs of
			[',' : cs]
				# (more, cs) = fields cs
				-> ([(name, value) : more], cs)
			[_ : cs] -> ([(name, value)], cs)
read ['-' : rest]
	# (Number n, rest) = read rest
	= (Number (~ n), rest)
read cs
	# (digits, rest) = span isDigit cs
	= (Number (foldl (\n d -> n * 10 + digitToInt d) 0 digits), rest)

string :: ![Char] [Char] -> (String, [Char])
string ['"' : rest] done = ({c \\ c <- reverse done}, rest)
string ['\\', c : rest] done = string rest [c : done]
string [c : rest] done = string rest [c : done]

layout :: !Int !Json -> [String]
layout margin (List items) = [indent margin "["] ++ flatten (map (layout (margin + 2)) items) ++ [indent margin "]"]
layout margin (Object fields) = [indent margin "{"] ++ flatten [[indent (margin + 2) name : layout (margin + 4) value] \\ (name, value) <- fields] ++ [indent margin "}"]
layout margin json = [indent margin {c \\ c <- write json}]

indent :: !Int !String -> String
indent n text = createArray n ' ' +++ text

change :: !Json -> Json
change (Number n) = if (n rem 2 == 0) (Number (n + 1)) (Text (toString n))
change (List items) = List (map change (reverse items))
change (Object fields) = Object [(name +++ "'", change value) \\ (name, value) <- fields | not (value == Null)]
change (Text text) = Text (text +++ "\"")
change json = json

path :: [String] !Json -> [Json]
path [] json = [json]
path ["*" : rest] (List items) = [found \\ item <- items, found <- path rest item]
path [name : rest] (Object fields) = [found \\ (n, value) <- fields | n == name, found <- path rest value]
path _ _ = []

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

make :: !Int !Int -> Json
make 0 s = case (s >> 8) rem 5 of
	0 -> Null
	1 -> Truth ((s >> 12) rem 2 == 0)
	2 -> Text {toChar (toInt 'a' + (t >> 9) rem 26) \\ t <- take ((s >> 10) rem 12) (iterate next s)}
	_ -> Number ((s >> 10) rem 100000 - 20000)
make depth s
	| (s >> 7) rem 2 == 0 = List [make (depth - 1) t \\ t <- take 5 (iterate next (s + depth))]
	= Object [(name, make (depth - 1) t) \\ t <- iterate next (s + depth) & name <- ["id", "name", "value", "tags", "next"]]

run :: !Int -> String
run n
	# document = List [make (2 + k rem 4) (next (k * 7919)) \\ k <- [1..n]]
	  text = write document
	  (again, rest) = read text
	  changed = change again
	  lines = layout 0 changed
	  found = path ["*", "value", "tags"] document
	= toString (length text) +++ (if (again == document && isEmpty rest) " same " " different ") +++ toString (length lines) +++ " " +++ toString (sum (map size lines)) +++ " " +++ toString (length found)

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
