let rec tak x y z = if y >= x then z else tak (tak (x - 1) y z) (tak (y - 1) z x) (tak (z - 1) x y)
let rec ack m n = if m = 0 then n + 1 else if n = 0 then ack (m - 1) 1 else ack (m - 1) (ack m (n - 1))
let () = print_int (tak 14 8 3); print_string " "; print_int (ack 2 9); print_newline ()
