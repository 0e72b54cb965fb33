(* Reals in arrays: planets on their way around a sun. The energy stays what it was. *)
let n = 3
let mass = [| 1000.0; 1.0; 2.0 |]
let x = [| 0.0; 10.0; 0.0 |]
let y = [| 0.0; 0.0; -20.0 |]
let vx = [| 0.0; 0.0; 7.0 |]
let vy = [| 0.0; 10.0; 0.0 |]

let energy () =
  let e = ref 0.0 in
  for i = 0 to n - 1 do
    e := !e +. 0.5 *. mass.(i) *. (vx.(i) *. vx.(i) +. vy.(i) *. vy.(i));
    for j = i + 1 to n - 1 do
      let dx = x.(i) -. x.(j) and dy = y.(i) -. y.(j) in
      e := !e -. mass.(i) *. mass.(j) /. sqrt (dx *. dx +. dy *. dy)
    done
  done;
  !e

let step dt =
  for i = 0 to n - 1 do
    for j = i + 1 to n - 1 do
      let dx = x.(i) -. x.(j) and dy = y.(i) -. y.(j) in
      let d2 = dx *. dx +. dy *. dy in
      let f = dt /. (d2 *. sqrt d2) in
      vx.(i) <- vx.(i) -. dx *. mass.(j) *. f;
      vy.(i) <- vy.(i) -. dy *. mass.(j) *. f;
      vx.(j) <- vx.(j) +. dx *. mass.(i) *. f;
      vy.(j) <- vy.(j) +. dy *. mass.(i) *. f
    done
  done;
  for i = 0 to n - 1 do
    x.(i) <- x.(i) +. dt *. vx.(i);
    y.(i) <- y.(i) +. dt *. vy.(i)
  done

let () =
  let before = energy () in
  for _i = 1 to 2000 do step 0.001 done;
  let error = (energy () -. before) /. before in
  print_endline (if error < 0.001 && error > -0.001 then "steady" else "lost");
  print_int (int_of_float (x.(1) *. 100.0)); print_newline ()
