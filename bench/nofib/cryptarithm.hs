data Digits = Digits {known :: [(Char, Int)], free :: [Int]}

newtype Step a = Step {run :: Digits -> [(a, Digits)]}

instance Functor Step where
  fmap f m = m >>= \x -> pure (f x)

instance Applicative Step where
  pure x = Step (\s -> [(x, s)])
  mf <*> mx = mf >>= \f -> mx >>= \x -> pure (f x)

instance Monad Step where
  m >>= f = Step (\s -> concat [run (f x) t | (x, t) <- run m s])

guard :: Bool -> Step Int
guard c = if c then return 0 else Step (const [])

digit :: Char -> Step Int
digit c = Step $ \s -> case [d | (e, d) <- known s, e == c] of
  d : _ -> [(d, s)]
  [] -> [(d, Digits ((c, d) : known s) (filter (d /=) (free s))) | d <- free s]

nonzero :: Char -> Step Int
nonzero c = digit c >>= \d -> guard (d > 0)

column :: Int -> [Char] -> Char -> Step Int
column carry letters below = total letters carry >>= \t -> digit below >>= \d -> guard (t `rem` 10 == d) >>= \_ -> return (t `quot` 10)
  where
    total [] t = return t
    total (c : cs) t = digit c >>= \d -> total cs (t + d)

columns :: Int -> [([Char], Char)] -> Step Int
columns carry [] = guard (carry == 0)
columns carry ((letters, below) : rest) = column carry letters below >>= \c -> columns c rest

solve :: [[Char]] -> [[(Char, Int)]]
solve names = [known s | (_, s) <- run (columns 0 (arranged (map reverse names)) >>= \_ -> leading names) (Digits [] [0 .. 9])]
  where
    arranged ws = case last ws of
      [] -> []
      below : _ -> ([head w | w <- init ws, not (null w)], below) : arranged (map (drop 1) ws)
    leading [] = return 0
    leading (w : ws) = nonzero (head w) >>= \_ -> leading ws

riddles :: [[String]]
riddles = map words ["send more money", "ten ten forty sixty", "two two four", "base ball games", "donald gerald robert", "three three two two one eleven"]

main :: IO ()
main = readLn >>= \n -> mapM_ answers [riddles !! (i `rem` 6) | i <- [0 .. n - 1]] >> putStrLn ""
  where
    answers names = putStr (show (length found) ++ ":" ++ show (sum [foldl (\h (c, d) -> h + fromEnum c * d * d) 0 f | f <- found]) ++ " ")
      where
        found = solve names
