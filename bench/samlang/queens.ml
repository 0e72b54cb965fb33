let rec safe column queens distance = match queens with
  | [] -> true
  | other :: rest ->
    column <> other && column - other <> distance && other - column <> distance && safe column rest (distance + 1)
let rec range a b = if a >= b then [] else a :: range (a + 1) b
let rec filter keep = function [] -> [] | x :: rest -> if keep x then x :: filter keep rest else filter keep rest
let rec append a b = match a with [] -> b | x :: rest -> x :: append rest b
let rec map f = function [] -> [] | x :: rest -> let y = f x in y :: map f rest
let rec concat = function [] -> [] | l :: rest -> append l (concat rest)
let rec fold f so = function [] -> so | x :: rest -> fold f (f so x) rest
let sum l = fold (fun a b -> a + b) 0 l
let rec place n rows queens =
  if rows = 0 then [queens]
  else concat (map (fun c -> place n (rows - 1) (c :: queens)) (filter (fun c -> safe c queens 1) (range 0 n)))
let () =
  let all = place 12 12 [] in
  print_endline (string_of_int (fold (fun n _ -> n + 1) 0 all) ^ " " ^ string_of_int (sum (map sum all)))
