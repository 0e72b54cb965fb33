(* A hash table with chains, which grows; its keys are of any type. *)
type ('k, 'v) bucket = Empty | Cons of 'k * 'v ref * ('k, 'v) bucket

let create hash size = (hash, ref (Array.make size Empty), ref 0)

let rec find_in key bucket =
  match bucket with
  | Empty -> raise Not_found
  | Cons (k, value, rest) -> if k = key then value else find_in key rest

let find (hash, buckets, _) key = !(find_in key !buckets.(hash key mod Array.length !buckets))

let rec move hash into bucket =
  match bucket with
  | Empty -> ()
  | Cons (k, v, rest) ->
    let at = hash k mod Array.length into in
    into.(at) <- Cons (k, v, into.(at));
    move hash into rest

let set (hash, buckets, count) key value =
  let at = hash key mod Array.length !buckets in
  try find_in key !buckets.(at) := value
  with Not_found ->
    !buckets.(at) <- Cons (key, ref value, !buckets.(at));
    incr count;
    if !count > 2 * Array.length !buckets then begin
      let wider = Array.make (2 * Array.length !buckets) Empty in
      Array.iter (move hash wider) !buckets;
      buckets := wider
    end

let hash_string s =
  let rec go i h = if i = String.length s then h else go (i + 1) ((h * 31 + Char.code s.[i]) land 0xfffff) in
  go 0 7

let () =
  let squares = create (fun n -> n land 0xffff) 8 in
  for i = 1 to 5000 do set squares i (i * i) done;
  for i = 1 to 5000 do set squares i (find squares i + 1) done;
  print_int (find squares 77); print_newline ();
  let names = create hash_string 4 in
  List.iter (fun (name, age) -> set names name age) [("ada", 36); ("alan", 41); ("grace", 85); ("ada", 37)];
  print_int (find names "ada" + find names "grace"); print_newline ();
  print_string (try string_of_int (find names "kurt") with Not_found -> "nobody"); print_newline ()
