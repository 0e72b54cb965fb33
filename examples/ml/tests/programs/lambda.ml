(* A lambda calculus with de Bruijn indices and Church numerals, and an evaluator of arithmetic with environments. *)
type term = Var of int | Lam of term | App of term * term

let rec shift by from term =
  match term with
  | Var n -> if n >= from then Var (n + by) else term
  | Lam body -> Lam (shift by (from + 1) body)
  | App (f, x) -> App (shift by from f, shift by from x)

let rec substitute at value term =
  match term with
  | Var n -> if n = at then shift at 0 value else if n > at then Var (n - 1) else term
  | Lam body -> Lam (substitute (at + 1) value body)
  | App (f, x) -> App (substitute at value f, substitute at value x)

let rec normal term =
  match term with
  | Var _ -> term
  | Lam body -> Lam (normal body)
  | App (f, x) -> (match normal f with Lam body -> normal (substitute 0 x body) | f -> App (f, normal x))

let church n =
  let rec go n = if n = 0 then Var 0 else App (Var 1, go (n - 1)) in
  Lam (Lam (go n))
let rec count term = match term with App (_, rest) -> 1 + count rest | Lam body -> count body | Var _ -> 0
let power = Lam (Lam (App (Var 0, Var 1)))

type expr = Num of int | Name of string | Let of string * expr * expr | Sum of expr * expr | Times of expr * expr
exception Unbound of string

let rec eval env e =
  match e with
  | Num n -> n
  | Name x -> (try List.assoc x env with Not_found -> raise (Unbound x))
  | Let (x, value, body) -> eval ((x, eval env value) :: env) body
  | Sum (Num 0, e) | Sum (e, Num 0) -> eval env e
  | Sum (a, b) -> eval env a + eval env b
  | Times (a, b) -> eval env a * eval env b

let () =
  print_int (count (normal (App (App (power, church 2), church 7)))); print_newline ();
  print_int (eval [] (Let ("x", Sum (Num 5, Num 0), Times (Name "x", Sum (Name "x", Num 2))))); print_newline ();
  print_endline (try string_of_int (eval [("y", 1)] (Sum (Name "y", Name "z"))) with Unbound x -> "unbound " ^ x)
