type avl = Leaf | Node of avl * int * avl * int
let height = function Leaf -> 0 | Node (_, _, _, h) -> h
let make l x r = let a = height l and b = height r in Node (l, x, r, (if a > b then a else b) + 1)
let balance l x r =
  let hl = height l and hr = height r in
  if hl > hr + 1 then match l with
    | Node (a, y, b, _) -> if height a >= height b then make a y (make b x r) else (match b with
      | Node (c, z, d, _) -> make (make a y c) z (make d x r) | Leaf -> Leaf)
    | Leaf -> Leaf
  else if hr > hl + 1 then match r with
    | Node (a, y, b, _) -> if height b >= height a then make (make l x a) y b else (match a with
      | Node (c, z, d, _) -> make (make l x c) z (make d y b) | Leaf -> Leaf)
    | Leaf -> Leaf
  else Node (l, x, r, (if hl > hr then hl else hr) + 1)
let rec insert t (n : int) = match t with
  | Leaf -> Node (Leaf, n, Leaf, 1)
  | Node (l, x, r, _) -> if n < x then balance (insert l n) x r else if n > x then balance l x (insert r n) else t
let rec least t so = match t with Leaf -> so | Node (l, x, _, _) -> least l x
let rec remove t (n : int) = match t with
  | Leaf -> Leaf
  | Node (l, x, r, _) ->
    if n < x then balance (remove l n) x r else if n > x then balance l x (remove r n) else match l, r with
      | Leaf, other | other, Leaf -> other
      | _ -> let m = least r x in balance l m (remove r m)
let wrap n = ((n land 0xffffffff) lxor 0x80000000) - 0x80000000
let rec sum = function Leaf -> 0 | Node (l, x, r, _) -> sum l + x + sum r
let random seed = (seed * 1103 + 12345) mod 1000003
let rec fill n seed t = if n = 0 then t else fill (n - 1) (random seed) (insert t seed)
let rec clear n seed t = if n = 0 then t else clear (n - 1) (random seed) (remove t seed)
let () =
  let full = fill 200000 1 Leaf in
  let rest = clear 100000 1 full in
  Printf.printf "%d %d %d\n" (height full) (height rest) (wrap (sum rest) mod 1000003)
