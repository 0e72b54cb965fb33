(* All ways to put 8 queens on a board. *)
let rec safe column distance queens =
  match queens with
  | [] -> true
  | other :: rest ->
    column <> other && column <> other + distance && column <> other - distance && safe column (distance + 1) rest

let rec place n row queens =
  if row = 0 then 1
  else begin
    let rec columns column total =
      if column > n then total
      else if safe column 1 queens then columns (column + 1) (total + place n (row - 1) (column :: queens))
      else columns (column + 1) total
    in
    columns 1 0
  end

let () = print_int (place 8 8 []); print_newline ()
