module pf_parser

import StdEnv, Data.Either, Data.Functor, Control.Applicative, Control.Monad, Text.Parsers.Simple.Core, Text.Parsers.Simple.Chars

:: Expr = Num Int | Add Expr Expr | Mul Expr Expr | Neg Expr

expr :: Parser Char Expr
expr = pChainl1 term (pToken '+' >>| pYield Add)

term :: Parser Char Expr
term = pChainl1 factor (pToken '*' >>| pYield Mul)

factor :: Parser Char Expr
factor = number <<|> (pToken '-' >>| (Neg <$> factor)) <<|> (pToken '(' >>| expr >>= \e -> pToken ')' >>| pYield e)

number :: Parser Char Expr
number = (\ds -> Num (toInt (toString ds))) <$> pSome (pSatisfy isDigit)

value :: Expr -> Int
value (Num n) = n
value (Add a b) = value a + value b
value (Mul a b) = value a * value b
value (Neg a) = ~(value a)

run text = case parse expr [c \\ c <-: text] of
	Right e -> (value e, [e])
	Left errors -> (length errors, [])

Start = map run ["1+2*3", "(1+2)*-(3+4*5)", "10*(2+", "7", "2*(3+(4*(5+6)))*7"]
