module parsers
// Parsers made of closures: a small language of expressions, read into trees and evaluated.

import StdEnv

:: Parser a :== [Char] -> [(a, [Char])]

:: Expr = Number !Int | Name !Char | Let !Char Expr Expr | Op !Char Expr Expr | If Expr Expr Expr

yield :: a -> Parser a
yield x = \input -> [(x, input)]

fail :: Parser a
fail = \_ -> []

(>>>) infixr 4 :: (Parser a) (a -> Parser b) -> Parser b
(>>>) p f = \input -> [result \\ (x, rest) <- p input, result <- f x rest]

(<||>) infixr 3 :: (Parser a) (Parser a) -> Parser a
(<||>) p q = \input -> case p input of
	[] -> q input
	results -> results

satisfy :: (Char -> Bool) -> Parser Char
satisfy ok = check
where
	check [c : rest] | ok c = [(c, rest)]
	check _ = []

symbol :: Char -> Parser Char
symbol c = token (satisfy ((==) c))

token :: (Parser a) -> Parser a
token p = p >>> \x -> spaces >>> \_ -> yield x

spaces :: Parser Int
spaces = \input -> [(0, dropWhile isSpace input)]

many :: (Parser a) -> Parser [a]
many p = some p <||> yield []

some :: (Parser a) -> Parser [a]
some p = p >>> \x -> many p >>> \xs -> yield [x : xs]

number :: Parser Expr
number = token (some (satisfy isDigit)) >>> \digits -> yield (Number (foldl (\n d -> n * 10 + digitToInt d) 0 digits))

name :: Parser Char
name = token (satisfy isLower)

expr :: Parser Expr
expr = term >>> \t -> chain ['+-'] term t

term :: Parser Expr
term = factor >>> \f -> chain ['*%'] factor f

chain :: [Char] (Parser Expr) Expr -> Parser Expr
chain ops next left = more <||> yield left
where
	more = token (satisfy (\c -> isMember c ops)) >>> \op -> next >>> \right -> chain ops next (Op op left right)

factor :: Parser Expr
factor = number <||> letting <||> choice <||> variable <||> (symbol '(' >>> \_ -> expr >>> \e -> symbol ')' >>> \_ -> yield e)

variable :: Parser Expr
variable = name >>> \x -> yield (Name x)

letting :: Parser Expr
letting = symbol '{' >>> \_ -> name >>> \x -> symbol '=' >>> \_ -> expr >>> \e -> symbol ';' >>> \_ -> expr >>> \body -> symbol '}' >>> \_ -> yield (Let x e body)

choice :: Parser Expr
choice = symbol '[' >>> \_ -> expr >>> \c -> symbol '?' >>> \_ -> expr >>> \a -> symbol ':' >>> \_ -> expr >>> \b -> symbol ']' >>> \_ -> yield (If c a b)

eval :: [(Char, Int)] Expr -> Int
eval _ (Number n) = n
eval env (Name x) = find env
where
	find [] = 0
	find [(y, v) : rest] = if (x == y) v (find rest)
eval env (Let x e body) = eval [(x, eval env e) : env] body
eval env (If c a b) = if (eval env c rem 2 == 0) (eval env a) (eval env b)
eval env (Op op a b)
	# x = eval env a
	# y = eval env b
	= case op of
		'+' -> (x + y) rem 1000003
		'-' -> x - y
		'*' -> (x * y) rem 1000003
		_ -> if (y == 0) x (x rem y)

source :: !Int !Int -> [Char]
source 0 s = [toChar (toInt '1' + s rem 9)]
source depth s = case s rem 4 of
	0 -> ['{', v, ' = '] ++ source (depth - 1) (s + 1) ++ ['; ', v, ' * '] ++ source (depth - 1) (s + 3) ++ ['}']
	1 -> ['('] ++ source (depth - 1) (s + 2) ++ [' - '] ++ source (depth - 1) (s + 5) ++ [')']
	2 -> ['['] ++ source (depth - 1) (s + 7) ++ [' ? 12 : '] ++ source (depth - 1) (s + 1) ++ [']']
	_ -> ['('] ++ source (depth - 1) (s + 3) ++ [' + x % '] ++ source (depth - 1) (s + 6) ++ [')']
where
	v = toChar (toInt 'u' + s rem 5)

run :: !Int -> String
run n = toString (sum [value (source (4 + k rem 7) k) \\ k <- [1..n]])
where
	value text = case expr text of
		[(e, rest) : _] -> eval [('x', 17)] e + length rest
		_ -> -1

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
