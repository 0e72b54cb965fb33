(* Merge sort of lists, quicksort and heap sort of arrays. *)
let rec split list =
  match list with
  | x :: y :: rest -> let (a, b) = split rest in (x :: a, y :: b)
  | rest -> (rest, [])

let rec merge less a b =
  match (a, b) with
  | ([], rest) | (rest, []) -> rest
  | (x :: xs, y :: ys) -> if less x y then x :: merge less xs b else y :: merge less a ys

let rec sort less list =
  match list with
  | [] | [_] -> list
  | _ -> let (a, b) = split list in merge less (sort less a) (sort less b)

let swap a i j = let x = a.(i) in a.(i) <- a.(j); a.(j) <- x

let rec quicksort a low high =
  if low < high then begin
    let pivot = a.((low + high) / 2) and i = ref low and j = ref high in
    while !i <= !j do
      while a.(!i) < pivot do incr i done;
      while a.(!j) > pivot do decr j done;
      if !i <= !j then begin swap a !i !j; incr i; decr j end
    done;
    quicksort a low !j;
    quicksort a !i high
  end

let heapsort a =
  let rec sift root size =
    let child = 2 * root + 1 in
    if child < size then begin
      let child = if child + 1 < size && a.(child) < a.(child + 1) then child + 1 else child in
      if a.(root) < a.(child) then begin swap a root child; sift child size end
    end
  in
  let n = Array.length a in
  for i = n / 2 downto 0 do sift i n done;
  for i = n - 1 downto 1 do swap a 0 i; sift 0 i done

let is_sorted a =
  let rec go i = i >= Array.length a || (a.(i - 1) <= a.(i) && go (i + 1)) in
  go 1

let random seed = (seed * 1664525 + 1013904223) land 0xffffffff
let numbers n =
  let seed = ref 1 in
  Array.init n (fun _ -> seed := random !seed; !seed lsr 8 mod 10000)

let () =
  let list = sort (fun a b -> a <= b) [5; 3; 9; 1; 3; 8] in
  List.iter (fun n -> print_int n; print_char ' ') list; print_newline ();
  List.iter print_string (sort (fun a b -> a >= b) ["b"; "c"; "a"]); print_newline ();
  let a = numbers 3000 in
  let b = Array.copy a in
  quicksort a 0 2999;
  heapsort b;
  print_endline (if is_sorted a && is_sorted b then "sorted" else "wrong")
