(* The program of tree.sam. It says how long the longest of all turns took, in microseconds of the processor. *)
type tree = Leaf | Node of tree * int * tree

let rec build n =
  if n = 0 then Leaf
  else
    let half = (n - 1) / 2 in
    let left = build half in
    Node (left, n, build (n - 1 - half))

let rec put tree n i x =
  match tree with
  | Leaf -> Leaf
  | Node (l, y, r) ->
      let half = (n - 1) / 2 in
      if i < half then Node (put l half i x, y, r)
      else if i > half then Node (l, y, put r (n - 1 - half) (i - half - 1) x)
      else Node (l, x, r)

let rec sum = function Leaf -> 0 | Node (l, x, r) -> (sum l + x + sum r) mod 1000003
let random seed = ((seed * 1103) + 12345) mod 1000003

let () =
  let nodes = NODES and longest = ref 0.0 in
  let before = ref (Sys.time ()) in
  let rec turn k seed tree =
    if k = 0 then tree
    else
      let tree = put tree nodes (seed * 1009 mod nodes) k in
      let now = Sys.time () in
      if now -. !before > !longest then longest := now -. !before;
      before := now;
      turn (k - 1) (random seed) tree
  in
  let built = build nodes in
  before := Sys.time ();
  print_endline (string_of_int (sum (turn TURNS 1 built)));
  Printf.eprintf "longest turn: %.0f us, of %.0f us\n" (!longest *. 1e6) (Sys.time () *. 1e6)
