import Data.Bits (shiftR, (.&.))
import Data.List (foldl')

data Doc = Empty | Beside Doc Doc | Nest Int Doc | Text String | Line | Either Doc Doc

data Layout = Done | Piece String Layout | Break Int Layout

flat :: Doc -> Doc
flat Empty = Empty
flat (Beside x y) = Beside (flat x) (flat y)
flat (Nest i x) = Nest i (flat x)
flat (Text s) = Text s
flat Line = Text " "
flat (Either x _) = flat x

group :: Doc -> Doc
group x = Either (flat x) x

laid :: Int -> Doc -> Layout
laid w x = be w 0 [(0, x)]

be :: Int -> Int -> [(Int, Doc)] -> Layout
be _ _ [] = Done
be w k ((_, Empty) : z) = be w k z
be w k ((i, Beside x y) : z) = be w k ((i, x) : (i, y) : z)
be w k ((i, Nest j x) : z) = be w k ((i + j, x) : z)
be w k ((_, Text s) : z) = Piece s (be w (k + length s) z)
be w _ ((i, Line) : z) = Break i (be w i z)
be w k ((i, Either x y) : z)
  | fits (w - k) first = first
  | otherwise = be w k ((i, y) : z)
  where
    first = be w k ((i, x) : z)

fits :: Int -> Layout -> Bool
fits w _ | w < 0 = False
fits _ Done = True
fits w (Piece s x) = fits (w - length s) x
fits _ (Break _ _) = True

data Expr = Name Int | Call Int [Expr] | Let Int Expr Expr

doc :: Expr -> Doc
doc (Name n) = Text (name n)
doc (Call f es) = group (Beside (Text (name f ++ "(")) (Beside (Nest 4 (Beside Line (commas (map doc es)))) (Beside Line (Text ")"))))
doc (Let n a b) = Beside (group (Nest 2 (Beside (Text ("let " ++ name n ++ " =")) (Beside Line (doc a))))) (Beside Line (doc b))

commas :: [Doc] -> Doc
commas [] = Empty
commas [d] = d
commas (d : ds) = Beside d (Beside (Text ",") (Beside Line (commas ds)))

name :: Int -> String
name n = "name" ++ show (n `rem` 1000)

term :: Int -> [Int] -> (Expr, [Int])
term depth (c : cs)
  | depth == 0 || c `rem` 9 == 0 = (Name c, cs)
  | c `rem` 5 == 1 =
    let (a, as) = term (depth - 1) cs
        (b, bs) = term (depth - 1) as
     in (Let c a b, bs)
  | otherwise = let (es, ds) = terms (1 + c `rem` 4) cs in (Call c es, ds)
  where
    terms :: Int -> [Int] -> ([Expr], [Int])
    terms 0 cs = ([], cs)
    terms n cs =
      let (e, ds) = term (depth - 1) cs
          (es, fs) = terms (n - 1) ds
       in (e : es, fs)

shown :: Layout -> [Char]
shown Done = []
shown (Piece s x) = s ++ shown x
shown (Break i x) = ('\n' : replicate i ' ') ++ shown x

main :: IO ()
main = do
  n <- readLn
  let (e, _) = term n (map (`shiftR` 8) (iterate (\s -> (s * 1103515245 + 12345) .&. 0x7FFFFFFF) 12345))
      text = shown (laid 60 (doc e))
  putStrLn (take 200 text)
  putStrLn (show (length text) ++ " " ++ show (foldl' (\h c -> (h * 31 + fromEnum c) .&. 0xFFFFFF) 0 text))
