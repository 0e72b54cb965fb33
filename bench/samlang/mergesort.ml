(* The sort of the standard library. *)
let rec random n seed so = if n = 0 then so else random (n - 1) ((seed * 1103 + 12345) mod 1000003) (seed :: so)
let rec loop n list so = if n = 0 then so else
    let k = n * 10007 in
    let s = List.stable_sort (fun a b -> (a + k) mod 100003 - (b + k) mod 100003) list in
    loop (n - 1) list ((so * 31 + List.nth s (1000 * n)) mod 1000003)
let () = print_endline (string_of_int (loop 5 (random 200000 7 []) 0))
