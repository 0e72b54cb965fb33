(* Dynamic programming: the longest common subsequence, ways to change money, a knapsack. *)
let lcs a b =
  let n = String.length a and m = String.length b in
  let table = Array.make_matrix (n + 1) (m + 1) 0 in
  for i = 1 to n do
    for j = 1 to m do
      table.(i).(j) <-
        (if a.[i - 1] = b.[j - 1] then table.(i - 1).(j - 1) + 1 else max table.(i - 1).(j) table.(i).(j - 1))
    done
  done;
  table.(n).(m)

let change coins amount =
  let ways = Array.make (amount + 1) 0 in
  ways.(0) <- 1;
  List.iter (fun coin -> for i = coin to amount do ways.(i) <- ways.(i) + ways.(i - coin) done) coins;
  ways.(amount)

let knapsack items capacity =
  let best = Array.make (capacity + 1) 0 in
  List.iter
    (fun (weight, value) ->
      for room = capacity downto weight do
        let with_it = best.(room - weight) + value in
        if with_it > best.(room) then best.(room) <- with_it
      done)
    items;
  best.(capacity)

let () =
  print_int (lcs "the quick brown fox jumps" "over the lazy dogs quickly"); print_newline ();
  print_int (change [1; 2; 5; 10; 20; 50; 100; 200] 200); print_newline ();
  print_int (knapsack [(12, 4); (2, 2); (1, 1); (1, 2); (4, 10)] 15); print_newline ()
