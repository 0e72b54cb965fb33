(* Red-black trees after Okasaki: polymorphic sets. *)
type color = Red | Black
type 'a set = Empty | Node of color * 'a set * 'a * 'a set

let balance color left value right =
  match (color, left, value, right) with
  | (Black, Node (Red, Node (Red, a, x, b), y, c), z, d)
  | (Black, Node (Red, a, x, Node (Red, b, y, c)), z, d)
  | (Black, a, x, Node (Red, Node (Red, b, y, c), z, d))
  | (Black, a, x, Node (Red, b, y, Node (Red, c, z, d))) -> Node (Red, Node (Black, a, x, b), y, Node (Black, c, z, d))
  | (color, a, x, b) -> Node (color, a, x, b)

let insert value set =
  let rec go set =
    match set with
    | Empty -> Node (Red, Empty, value, Empty)
    | Node (color, left, other, right) ->
      if value < other then balance color (go left) other right
      else if value > other then balance color left other (go right)
      else set
  in
  match go set with Node (_, left, other, right) -> Node (Black, left, other, right) | Empty -> Empty

let rec height set = match set with Empty -> 0 | Node (_, left, _, right) -> 1 + max (height left) (height right)
let rec size set = match set with Empty -> 0 | Node (_, left, _, right) -> size left + 1 + size right

let rec fill n seed set = if n = 0 then set else fill (n - 1) ((seed * 1103515245 + 12345) land 0x3fffffff) (insert seed set)

let () =
  let rec upto n set = if n = 0 then set else upto (n - 1) (insert n set) in
  let set = upto 1023 Empty in
  print_int (size set); print_newline ();
  print_endline (if height set <= 20 then "balanced" else "degenerate");
  print_int (size (fill 2000 42 Empty)); print_newline ();
  print_int (size (List.fold_left (fun set word -> insert word set) Empty ["b"; "a"; "c"; "b"])); print_newline ()
