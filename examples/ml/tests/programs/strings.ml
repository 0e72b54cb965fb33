(* Strings and characters: reversal, words, a caesar cipher, palindromes. *)
let reverse s =
  let rec go i text = if i < 0 then text else go (i - 1) (text ^ String.sub s i 1) in
  go (String.length s - 1) ""

let words s =
  let n = String.length s in
  let rec go start i =
    if i = n then if i > start then [String.sub s start (i - start)] else []
    else if s.[i] = ' ' then
      let rest = go (i + 1) (i + 1) in
      if i > start then String.sub s start (i - start) :: rest else rest
    else go start (i + 1)
  in
  go 0 0

let shift k c =
  if c >= 'a' && c <= 'z' then Char.chr ((Char.code c - Char.code 'a' + k) mod 26 + Char.code 'a') else c

let is_palindrome s =
  let rec go i j = i >= j || (s.[i] = s.[j] && go (i + 1) (j - 1)) in
  go 0 (String.length s - 1)

let () =
  print_endline (reverse "stressed");
  List.iter (fun word -> print_string "<"; print_string word; print_string ">") (words " the quick  brown fox ");
  print_newline ();
  let text = "hello, world" in
  for i = 0 to String.length text - 1 do print_char (shift 3 text.[i]) done;
  print_newline ();
  print_endline (if is_palindrome "amanaplanacanalpanama" && not (is_palindrome "ab") then "yes" else "no");
  print_endline (match "two" with "one" -> "1" | "two" -> "2" | _ -> "?");
  print_endline (if "abc" < "abd" then "less\t\"quoted\"" else "more")
