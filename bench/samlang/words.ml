module M = Map.Make (String)
(* Numbers of 32 bits, as in samlang. *)
let wrap n = ((n land 0xffffffff) lxor 0x80000000) - 0x80000000
let word n = "w" ^ string_of_int (wrap (n * n) mod 997) ^ "x"
let () =
  let text = String.concat " " (List.init 600000 word) in
  let update m w = M.update w (function None -> Some 1 | Some n -> Some (n + 1)) m in
  let counts = List.fold_left update M.empty (String.split_on_char ' ' text) in
  let best = M.fold (fun _ n so -> if n > so then n else so) counts 0 in
  Printf.printf "%d %d %d\n" (String.length text) (M.cardinal counts) best
