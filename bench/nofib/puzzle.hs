import Data.List (foldl')

data Person = Bono | Edge | Adam | Larry deriving (Eq)

data Side = LeftBank | RightBank

data State = State {left :: [Person], right :: [Person], torch :: Side, time :: !Int}

minutes :: Person -> Int
minutes Bono = 1
minutes Edge = 2
minutes Adam = 5
minutes Larry = 10

transfers :: Int -> State -> [State]
transfers limit s = [t | (movers, rest) <- choose here, let t = over movers rest, time t <= limit]
  where
    (here, over) = case torch s of
      LeftBank -> (left s, \m r -> State r (m ++ right s) RightBank (time s + slowest m))
      RightBank -> (right s, \m r -> State (m ++ left s) r LeftBank (time s + slowest m))

slowest :: [Person] -> Int
slowest = foldl' (\m p -> max m (minutes p)) 0

choose :: [Person] -> [([Person], [Person])]
choose ps = [([p], without p ps) | p <- ps] ++ [([p, q], without p (without q ps)) | p : qs <- tails ps, q <- qs]

without :: Person -> [Person] -> [Person]
without p ps = [q | q <- ps, q /= p]

tails :: [a] -> [[a]]
tails [] = []
tails xs@(_ : rest) = xs : tails rest

solutions :: Int -> [State] -> [[State]]
solutions _ [] = []
solutions limit path@(s : _)
  | null (left s) = [path]
  | otherwise = concat [solutions limit (t : path) | t <- transfers limit s]

main :: IO ()
main = do
  n <- readLn
  let found = solutions n [State [Bono, Edge, Adam, Larry] [] LeftBank 0]
  putStrLn (show (length found) ++ " " ++ show (foldl' (\m (s : _) -> min m (time s)) 1000 found))
