type expr = Num of int | X | Add of expr * expr | Mul of expr * expr
let add a b = match a, b with
  | Num 0, e | e, Num 0 -> e | Num m, Num n -> Num ((m + n) mod 9973) | _ -> Add (a, b)
let mul a b = match a, b with
  | Num 0, _ | _, Num 0 -> Num 0 | Num 1, e | e, Num 1 -> e | Num m, Num n -> Num (m * n mod 9973) | _ -> Mul (a, b)
(* From left to right, as samlang does. *)
let rec derived = function
  | Num _ -> Num 0 | X -> Num 1
  | Add (a, b) -> let da = derived a in add da (derived b)
  | Mul (a, b) -> let l = mul (derived a) b in add l (mul a (derived b))
let rec value e x = match e with
  | Num n -> n | X -> x | Add (a, b) -> (value a x + value b x) mod 9973 | Mul (a, b) -> value a x * value b x mod 9973
let rec size = function Num _ | X -> 1 | Add (a, b) | Mul (a, b) -> size a + size b + 1
let rec power n = if n = 0 then Num 1 else mul (add X (Num n)) (power (n - 1))
let rec derive n e = if n = 0 then e else derive (n - 1) (derived e)
let rec sum n e so = if n = 0 then so else sum (n - 1) e ((so + value e n) mod 9973)
let () =
  let e = derive 4 (power 18) in
  Printf.printf "%d %d\n" (size e) (sum 300 e 0)
