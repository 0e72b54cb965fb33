(* Arrays whose elements take a byte: truth values, characters, other enumerations; `&&` and `||` whose last operand is a call. *)
type colour = Red | Green | Blue

let rec all_from at p a = at = Array.length a || p a.(at) && all_from (at + 1) p a
let all p a = all_from 0 p a
let rec some_from at p a = at < Array.length a && (p a.(at) || some_from (at + 1) p a)

let () =
  let flags = Array.make 200000 true in
  print_string (if all (fun flag -> flag) flags then "all" else "not all"); print_newline ();
  flags.(199999) <- false;
  print_string (if all (fun flag -> flag) flags then "all" else "not all"); print_newline ();
  print_string (if some_from 0 not flags then "some" else "none"); print_newline ();
  let text = Array.init 256 Char.chr in
  print_int (Char.code text.(255)); print_char text.(65); print_char text.(122); print_newline ();
  text.(0) <- '!';
  let copy = Array.sub text 0 66 in
  Array.blit copy 65 copy 0 1;
  print_char copy.(0); print_char text.(0); print_int (Array.length copy); print_newline ();
  let colours = [| Red; Green; Blue; Blue |] in
  Array.iter (fun colour -> print_string (match colour with Red -> "r" | Green -> "g" | Blue -> "b")) colours;
  print_string (if colours.(2) = colours.(3) && colours.(0) < colours.(1) then " yes" else " no"); print_newline ();
  let units = Array.make 3 () in
  units.(1) <- ();
  print_int (Array.length units); print_newline ();
  print_string (try if Char.chr 256 = 'x' then "x" else "y" with Invalid_argument text -> text); print_newline ()
