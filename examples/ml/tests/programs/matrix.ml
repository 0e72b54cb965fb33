(* A product of matrices, of integers and of reals. *)
let product n a b =
  let c = Array.make_matrix n n 0 in
  for i = 0 to n - 1 do
    for j = 0 to n - 1 do
      let sum = ref 0 in
      for k = 0 to n - 1 do sum := !sum + a.(i).(k) * b.(k).(j) done;
      c.(i).(j) <- !sum
    done
  done;
  c

let () =
  let n = 30 in
  let a = Array.init n (fun i -> Array.init n (fun j -> i + j)) in
  let b = Array.init n (fun i -> Array.init n (fun j -> i - j)) in
  let c = product n a b in
  print_int c.(0).(0); print_string " ";
  print_int c.(7).(11); print_string " ";
  print_int c.(29).(29); print_newline ();
  let d = Array.init 3 (fun i -> Array.init 3 (fun j -> if i = j then 0.5 else 0.25)) in
  let trace = ref 0.0 in
  for i = 0 to 2 do for k = 0 to 2 do trace := !trace +. d.(i).(k) *. d.(k).(i) done done;
  print_float !trace; print_newline ()
