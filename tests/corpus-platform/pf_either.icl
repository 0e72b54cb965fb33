module pf_either

import StdEnv, Data.Maybe, Data.Either, Data.Error, Data.Functor, Control.Applicative, Control.Monad, Data.Tuple, Data.Func, Data.List

safe :: Int Int -> Maybe Int
safe _ 0 = Nothing
safe a b = Just (a / b)

check :: Int -> Either String Int
check n
	| n < 0 = Left ("negative " +++ toString n)
	= Right (n * 2)

parse :: String -> MaybeError String Int
parse s
	| size s > 0 && and [isDigit c \\ c <-: s] = Ok (toInt s)
	= Error ("no number: " +++ s)

Start = ( [safe 100 a >>= \x -> safe x b \\ a <- [0, 5, 7], b <- [0, 2]], maybe 0 ((+) 1) (Just 4), catMaybes [Just 1, Nothing, Just 3]
        , mapM check [1, 2, 3], mapM check [1, ~2, 3], either size id (check (~1)), lefts (map check [~1, 0, ~3]), rights (map check [1, 2])
        , parse "123" >>= \a -> parse "77" >>= \b -> pure (a + b), parse "123" >>= \a -> parse "x" >>= \b -> pure (a + b)
        , (+) <$> Just 3 <*> Just 4, fmap ((*) 2) (Ok 21) === 42, isOk (parse ""), fromMaybe 9 (Nothing <|> Just 8)
        , intersperse ',' ['abc'], partition isEven [1 .. 9], group [1, 1, 2, 3, 3], isPrefixOf [1, 2] [1, 2, 3] )
where
	(===) :: (MaybeError String Int) Int -> Bool
	(===) (Ok a) b = a == b
	(===) _ _ = False
