(* let-polymorphism, functions as values, structural comparison, options, tuples. *)
type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
type shape = Circle of float | Square of float | Point

let id x = x
let pair x = (x, x)
let rec map_tree f tree =
  match tree with Leaf -> Leaf | Node (l, x, r) -> Node (map_tree f l, f x, map_tree f r)
let rec to_list tree = match tree with Leaf -> [] | Node (l, x, r) -> to_list l @ (x :: to_list r)
let singleton x = Node (Leaf, x, Leaf)
let empty = []
let area shape = match shape with Circle r -> 3.0 *. r *. r | Square a -> a *. a | Point -> 0.0
let flip f a b = f b a
let curry f a b = f (a, b)
let uncurry f (a, b) = f a b
let rec assoc key list =
  match list with [] -> None | (k, v) :: rest when k = key -> Some v | _ :: rest -> assoc key rest

let () =
  let tree = Node (singleton 1, 2, singleton 3) in
  print_endline (List.fold_left (fun text n -> text ^ n ^ ",") "" (to_list (map_tree string_of_int tree)));
  print_int (id (fst (pair 4)) + String.length (id (snd (pair "four")))); print_newline ();
  print_float (area (Circle 2.0) +. area (Square 1.5) +. area Point); print_newline ();
  print_int (flip (-) 1 10); print_newline ();
  print_int (curry (uncurry ( + )) 3 4); print_newline ();
  print_endline (if [1; 2; 3] = [1; 2; 3] && (1, "a") < (1, "b") && Some 3 <> None then "equal" else "wrong");
  print_int (compare [1; 2] [1; 3]); print_newline ();
  print_endline (match assoc 2 [(1, "one"); (2, "two")] with Some text -> text | None -> "?");
  print_int (List.length (1 :: empty) + List.length ("a" :: empty)); print_newline ();
  let counter = let n = ref 0 in fun () -> incr n; !n in
  let first = counter () in
  print_int (first + counter () * 10); print_newline ()
