module pf_state

import StdEnv, Data.Maybe, Data.Functor, Control.Applicative, Control.Monad, Control.Monad.State, Control.Monad.Identity

tick :: State Int Int
tick = getState >>= \n -> put (n * 2 + 1) >>| pure n

label :: [a] -> State Int [(Int, a)]
label xs = mapM (\x -> tick >>= \n -> pure (n, x)) xs

nested :: StateT Int (StateT [Int] Identity) Int
nested = modify ((+) 1) >>| getState >>= \n -> if (n > 6) (pure n) nested

Start = ( evalState (label ['a' .. 'h']) 0, execState (replicateM 5 tick) 1
        , runState (foldM (\acc x -> modify ((+) x) >>| pure (acc * 2 + x)) 0 [1 .. 10]) 100
        , runState (runStateT nested 0) [1, 2]
        , evalState (gets ((*) 3) >>= \a -> when (a > 10) (put 0) >>| getState >>= \b -> pure (a, b)) 5
        , sequence [Just 1, Just 2], evalState (zipWithM (\a b -> tick >>= \n -> pure (a + b + n)) [1, 2, 3] [10, 20, 30]) 0 )
