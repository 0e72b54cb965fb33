(* The number of primes below 100000 and their sum modulo 1000. *)
let sieve n =
  let composite = Array.make (n + 1) false in
  let count = ref 0 and sum = ref 0 in
  for i = 2 to n do
    if not composite.(i) then begin
      incr count;
      sum := (!sum + i) mod 1000;
      let j = ref (i * i) in
      while !j <= n do composite.(!j) <- true; j := !j + i done
    end
  done;
  (!count, !sum)

let () =
  let (count, sum) = sieve 100000 in
  print_int count; print_string " "; print_int sum; print_newline ()
