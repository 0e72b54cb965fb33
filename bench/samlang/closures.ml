type term = Number of int | Var | Plus of term * term | Times of term * term | Less of term * term * term * term
let rec build n = match n mod 5 with
  | 0 -> if n = 0 then Var else let a = build (n / 2) in Plus (a, build (n - 1 - n / 3))
  | 1 -> Times (Number n, build (n / 2))
  | 2 -> Plus (Var, build (n / 2))
  | 3 -> let a = build (n / 2) in Less (Var, Number (n * 7), a, build (n / 3))
  | _ -> let a = build (n / 3) in Plus (a, build (n / 4))
let rec compiled = function
  | Number n -> (fun _ -> n)
  | Var -> (fun x -> x)
  | Plus (Var, b) -> let f = compiled b in fun x -> (x + f x) mod 9973
  | Plus (a, b) -> let f = compiled a in let g = compiled b in fun x -> (f x + g x) mod 9973
  | Times (Number n, b) -> let f = compiled b in fun x -> n * f x mod 9973
  | Times (a, b) -> let f = compiled a in let g = compiled b in fun x -> f x * g x mod 9973
  | Less (a, b, c, d) ->
    let f = compiled a in let g = compiled b in let h = compiled c in let k = compiled d in
    fun x -> if f x < g x then h x else k x
let rec loop n f so = if n = 0 then so else loop (n - 1) f ((so + f (n mod 9973)) mod 9973)
let () = print_endline (string_of_int (loop 400000 (compiled (build 45000)) 0))
