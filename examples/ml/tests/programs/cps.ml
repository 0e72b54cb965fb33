(* Continuation-passing style: a tree is summed and a list reversed without a stack; currying. *)
type tree = Leaf | Node of tree * int * tree

let rec build low high =
  if low > high then Leaf
  else let middle = (low + high) / 2 in Node (build low (middle - 1), middle, build (middle + 1) high)

let rec sum tree k =
  match tree with
  | Leaf -> k 0
  | Node (left, value, right) -> sum left (fun l -> sum right (fun r -> k (l + value + r)))

let rec append a b k = match a with [] -> k b | x :: rest -> append rest b (fun tail -> k (x :: tail))

let rec upto n m = if n > m then [] else n :: upto (n + 1) m

let compose f g x = f (g x)
let add a b = a + b
let twice f = compose f f

let () =
  print_int (sum (build 1 1000) (fun n -> n)); print_newline ();
  append (upto 1 50000) [7] (fun list -> print_int (List.fold_left add 0 list); print_newline ());
  print_int (twice (twice (add 5)) 1); print_newline ();
  print_int (List.fold_left (fun total f -> total + f 10) 0 (List.map add [1; 2; 3])); print_newline ()
