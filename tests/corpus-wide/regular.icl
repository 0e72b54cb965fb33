module regular
// Regular expressions matched by derivatives and by sets of states, on lists of characters.

import StdEnv

:: Regex = None | Empty | Letter !Char | Any | Seq Regex Regex | Or Regex Regex | Star Regex

nullable :: !Regex -> Bool
nullable Empty = True
nullable (Seq a b) = nullable a && nullable b
nullable (Or a b) = nullable a || nullable b
nullable (Star _) = True
nullable _ = False

after :: !Char !Regex -> Regex
after c (Letter d) = if (c == d) Empty None
after _ Any = Empty
after c (Seq a b)
	| nullable a = either (sequence (after c a) b) (after c b)
	= sequence (after c a) b
after c (Or a b) = either (after c a) (after c b)
after c star=:(Star a) = sequence (after c a) star
after _ _ = None

sequence :: !Regex Regex -> Regex
sequence None _ = None
sequence Empty b = b
sequence a b = Seq a b

either :: !Regex !Regex -> Regex
either None b = b
either a None = a
either a b
	| same a b = a
	= Or a b

same :: !Regex !Regex -> Bool
same None None = True
same Empty Empty = True
same Any Any = True
same (Letter a) (Letter b) = a == b
same (Seq a b) (Seq c d) = same a c && same b d
same (Or a b) (Or c d) = same a c && same b d
same (Star a) (Star b) = same a b
same _ _ = False

matches :: !Regex ![Char] -> Bool
matches r [] = nullable r
matches None _ = False
matches r [c : cs] = matches (after c r) cs

// The same with numbered states and functions between sets of them.
:: Machine = {step :: Int Char -> [Int], end :: !Int}

machine :: !Regex -> Machine
machine r
	# (rules, last) = build r 0 1 2
	  table = rows {[rule \\ rule=:(at, _, _) <- rules | at == state] \\ state <- [0..last]}
	= {step = \state c -> [to \\ (_, ok, to) <- table.[state] | ok c], end = 1}
where
	rows :: {[(Int, Char -> Bool, Int)]} -> {[(Int, Char -> Bool, Int)]}
	rows table = table
	build :: !Regex !Int !Int !Int -> ([(Int, Char -> Bool, Int)], Int)
	build (Letter c) a b n = ([(a, (==) c, b)], n)
	build Any a b n = ([(a, \_ -> True, b)], n)
	build (Seq p q) a b n
		# (first, n1) = build p a n (n + 1)
		  (second, n2) = build q n b n1
		= (first ++ second, n2)
	build (Or p q) a b n
		# (first, n1) = build p a b n
		  (second, n2) = build q a b n1
		= (first ++ second, n2)
	build (Star p) a b n
		# (inner, n1) = build p n n (n + 1)
		= (inner ++ [(a, ok, to) \\ (at, ok, to) <- inner | at == n] ++ [(at, ok, b) \\ (at, ok, to) <- inner | to == n] ++ [(a, ok, b) \\ (at, ok, to) <- inner | at == n && to == n], n1)
	build _ _ _ n = ([], n)

accepts :: !Machine ![Char] -> Bool
accepts {step, end} text = walk [0] text
where
	walk states [] = isMember end states
	walk [] _ = False
	walk states [c : cs] = walk (removeDup [to \\ state <- states, to <- step state c]) cs

parse :: ![Char] -> Regex
parse text = fst (alternatives text)
where
	alternatives cs
		# (r, rest) = sequences cs
		= case rest of
			['|' : more]
				# (s, rest) = alternatives more
				-> (Or r s, rest)
			_ -> (r, rest)
	sequences cs
		# (r, rest) = atoms cs
		= case rest of
			[c : _] | c <> '|' && c <> ')'
				# (s, rest) = sequences rest
				-> (Seq r s, rest)
			_ -> (r, rest)
	atoms ['(' : cs]
		# (r, [_ : rest]) = alternatives cs
		= stars r rest
	atoms ['.' : cs] = stars Any cs
	atoms [c : cs] = stars (Letter c) cs
	stars r ['*' : rest] = stars (Star r) rest
	stars r rest = (r, rest)

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

word :: !Int -> [Char]
word s = [toChar (toInt 'a' + (t >> 9) rem 3) \\ t <- take (4 + (s >> 10) rem 20) (iterate next s)]

run :: !Int -> String
run n
	# expressions = map (\s -> parse [c \\ c <-: s]) ["a(a|b)*c", "(ab|ba|c)*", ".*abc.*", "(a|b)(a|b|c)*(bb|cc)a.*", "((a|bc)(b|ca))*.a*", ".*a......c.*"]
	  machines = map machine expressions
	  words = [word s \\ s <- take n (iterate next 5)]
	  derived = [length [w \\ w <- words | matches r w] \\ r <- expressions]
	  stepped = [length [w \\ w <- words | accepts m w] \\ m <- machines]
	= foldr (\k text -> toString k +++ " " +++ text) "" (derived ++ stepped)

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
