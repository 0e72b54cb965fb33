module pf_writer

import StdEnv, Data.List, Data.Functor, Data.Functor.Identity, Data.Monoid, Control.Applicative, Control.Monad, Control.Monad.Writer, Control.Monad.Reader

collatz :: Int -> WriterT [Int] Identity Int
collatz n = tell [n] >>= \_ -> if (n == 1) (pure 0) (collatz (if (isEven n) (n / 2) (3 * n + 1)) >>= \steps -> pure (steps + 1))

depth :: Int -> ReaderT Int Identity Int
depth 0 = ask
depth n = local ((+) n) (depth (n - 1)) >>= \a -> ask >>= \b -> pure (a + b)

Start = ( runWriter (collatz 27 >>= \n -> pure (n * 2)), execWriter (mapM collatz [3, 5]), runWriter (listen (collatz 4))
        , runWriter (censor reverse (collatz 6)), runIdentity (runReaderT (depth 5) 10) )
