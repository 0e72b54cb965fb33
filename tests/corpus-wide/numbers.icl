module numbers
// Formatting of numbers and reading them back: tables of Int and Real, bases, Roman numerals, words.

import StdEnv

digits :: !Int !Int -> String
digits base 0 = "0"
digits base n
	| n < 0 = "-" +++ digits base (~ n)
	= {c \\ c <- show n []}
where
	show 0 text = text
	show n text = show (n / base) [digit (n rem base) : text]
	digit d = if (d < 10) (toChar (d + toInt '0')) (toChar (d - 10 + toInt 'a'))

parse :: !Int !String -> Int
parse base text = read 0 0
where
	read i n
		| i == size text = n
		# c = text.[i]
		| c == '-' = ~ (read (i + 1) n)
		| isDigit c = read (i + 1) (n * base + digitToInt c)
		= read (i + 1) (n * base + toInt c - toInt 'a' + 10)

left :: !Int !String -> String
left width text = if (size text >= width) text (createArray (width - size text) ' ' +++ text)

right :: !Int !String -> String
right width text = if (size text >= width) text (text +++ createArray (width - size text) ' ')

grouped :: !Int -> String
grouped n
	| n < 1000 = toString n
	# low = toString (n rem 1000)
	= grouped (n / 1000) +++ "," +++ createArray (3 - size low) '0' +++ low

fixed :: !Int !Real -> String
fixed places x
	| x < 0.0 = "-" +++ fixed places (~ x)
	# scaled = toInt (x * (10.0 ^ toReal places))
	  unit = 10 ^ places
	  low = toString (scaled rem unit)
	= toString (scaled / unit) +++ "." +++ createArray (places - size low) '0' +++ low

roman :: !Int -> String
roman n = show n [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
where
	show 0 _ = ""
	show n all=:[(value, text) : rest]
		| n >= value = text +++ show (n - value) all
		= show n rest

spoken :: !Int -> String
spoken n
	| n < 20 = ones.[n]
	| n < 100 = tens.[n / 10] +++ (if (n rem 10 == 0) "" ("-" +++ ones.[n rem 10]))
	| n < 1000 = ones.[n / 100] +++ " hundred" +++ (if (n rem 100 == 0) "" (" and " +++ spoken (n rem 100)))
	= spoken (n / 1000) +++ " thousand" +++ (if (n rem 1000 == 0) "" (" " +++ spoken (n rem 1000)))
where
	ones :: {String}
	ones = {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"}
	tens :: {String}
	tens = {"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}

line :: !Int -> String
line n = left 8 (grouped n) +++ " " +++ left 12 (fixed 3 (sqrt (toReal n))) +++ " " +++ left 10 (digits 16 (n * n)) +++ " " +++ right 16 (roman (n rem 4000)) +++ spoken (n rem 1000000) +++ " " +++ toString (toReal n / 7.0)

check :: !Int !Int -> Int
check sum n
	# text = line n
	  back = parse 16 (digits 16 (n * 31)) + parse 2 (digits 2 n) + toInt (toReal (toString n)) + toInt (toString (~ n))
	= (sum * 17 + size text * 3 + toInt text.[size text - 1] + back) bitand 0xffffff

run :: !Int -> String
run n = toString (foldl check 0 [1..n]) +++ " " +++ line n

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
