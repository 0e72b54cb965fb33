module records
// Records and type classes: shops of records whose updates share, priced and compared through classes.

import StdEnv

:: Owner = {first :: !String, last :: !String, age :: !Int}
:: Entry = {day :: !Int, amount :: !Int}
:: Account = {owner :: !Owner, number :: !Int, balance :: !Int, entries :: [Entry]}
:: Item = {title :: !String, price :: !Real, stock :: !Int}

class Valued a where
	value :: !a -> Int
	label :: !a -> String

instance Valued Account where
	value a = a.balance + sum [e.amount \\ e <- a.entries | e.day rem 2 == 0]
	label a = a.owner.last +++ ", " +++ a.owner.first

instance Valued Item where
	value i = toInt (i.price * toReal i.stock)
	label i = i.title

instance == Owner where
	(==) a b = a.age == b.age && a.last == b.last && a.first == b.first

instance < Owner where
	(<) a b
		| a.last == b.last = if (a.first == b.first) (a.age < b.age) (a.first < b.first)
		= a.last < b.last

instance < Account where
	(<) a b = if (a.owner == b.owner) (a.number < b.number) (a.owner < b.owner)

total :: [a] -> Int | Valued a
total list = add list 0
where
	add [] sum = sum
	add [x : rest] sum = add rest (sum + value x)

longest :: [a] -> String | Valued a
longest list = foldl (\best x -> if (size (label x) > size best) (label x) best) "" list

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

account :: !Int !Int -> Account
account seed number =
	{ owner = {first = names.[(seed >> 8) rem 5], last = names.[(seed >> 11) rem 5] +++ toString ((seed >> 16) rem 50), age = 20 + (seed >> 5) rem 50}
	, number = number, balance = (seed >> 7) rem 1000, entries = []
	}
where
	names :: {String}
	names = {"Ada", "Bela", "Cleo", "Dora", "Edgar"}

pay :: !Int !Int !Account -> Account
pay day amount a=:{balance, entries}
	| balance + amount < 0 = {a & entries = [{day = day, amount = 0} : entries]}
	= {a & balance = balance + amount, entries = take 8 [{day = day, amount = amount} : entries]}

older :: !Account -> Account
older a = {a & owner = {a.owner & age = a.owner.age + 1}}

days :: !Int !Int [Account] -> [Account]
days 0 _ accounts = accounts
days day seed accounts = days (day - 1) (next (seed + 77)) [step s a \\ a <- accounts & s <- iterate next seed]
where
	step s a = older (pay day ((s >> 9) rem 200 - 90) a)

run :: !Int -> String
run n
	# accounts = days 20 4711 [account s number \\ s <- iterate next 17 & number <- [1..n]]
	  sorted = sort accounts
	  items = [{title = label a, price = toReal (value a) / 3.0, stock = a.number rem 9} \\ a <- sorted]
	= toString (total accounts) +++ " " +++ toString (total items) +++ " " +++ longest items +++ " " +++ label (hd sorted) +++ " " +++ toString (maxList [a.owner.age \\ a <- accounts])

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
