(* Exceptions: with arguments, through several functions, raised again, in handlers, and around loops. *)
exception Found of int * string
exception Stop

let search wanted list =
  let rec go at list =
    match list with
    | [] -> raise Not_found
    | x :: rest -> if x = wanted then raise (Found (at, x)) else go (at + 1) rest
  in
  try go 0 list with Found (at, name) -> at * 10 + String.length name

let safe_div a b = try Some (a / b) with Division_by_zero -> None

let first_negative a =
  let at = ref 0 in
  (try while true do if a.(!at) < 0 then raise Stop; incr at done with Stop -> ());
  !at

let protect f = try f () with Failure text -> "failed: " ^ text | Stop -> "stopped"

let rec deep n = if n = 0 then raise (Found (1, "deep")) else 1 + deep (n - 1)

let () =
  print_int (search "c" ["a"; "b"; "c"; "d"]); print_newline ();
  print_int (try search "x" ["a"] with Not_found -> -1); print_newline ();
  (match safe_div 7 0 with None -> print_endline "none" | Some n -> print_int n);
  (match safe_div 7 2 with None -> print_endline "none" | Some n -> print_int n; print_newline ());
  print_int (first_negative [| 3; 1; -4; 1; -5 |]); print_newline ();
  print_endline (protect (fun () -> failwith "here"));
  print_endline (protect (fun () -> raise Stop));
  print_endline (try protect (fun () -> raise Not_found) with Not_found -> "passed on");
  print_int (try deep 10000 with Found (n, _) when n > 1 -> 0 | Found (n, text) -> n + String.length text | _ -> 9);
  print_newline ()
