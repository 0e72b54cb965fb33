(* What every program has. *)
type 'a list = [] | (::) of 'a * 'a list
type 'a option = None | Some of 'a
exception Not_found
exception Failure of string
exception Invalid_argument of string
exception Division_by_zero
exception Match_failure
exception Exit

external ( + ) : int -> int -> int = "iadd"
external ( - ) : int -> int -> int = "isub"
external ( * ) : int -> int -> int = "imul"
external ( / ) : int -> int -> int = "sdiv"
external ( mod ) : int -> int -> int = "srem"
external ( land ) : int -> int -> int = "and"
external ( lor ) : int -> int -> int = "or"
external ( lxor ) : int -> int -> int = "xor"
external ( lsl ) : int -> int -> int = "shl"
external ( lsr ) : int -> int -> int = "ushr"
external ( asr ) : int -> int -> int = "sshr"
external ( ~- ) : int -> int = "negate"
external ( +. ) : float -> float -> float = "fadd"
external ( -. ) : float -> float -> float = "fsub"
external ( *. ) : float -> float -> float = "fmul"
external ( /. ) : float -> float -> float = "fdiv"
external ( ~-. ) : float -> float = "fneg"
external ( = ) : 'a -> 'a -> bool = "="
external ( <> ) : 'a -> 'a -> bool = "<>"
external ( < ) : 'a -> 'a -> bool = "<"
external ( <= ) : 'a -> 'a -> bool = "<="
external ( > ) : 'a -> 'a -> bool = ">"
external ( >= ) : 'a -> 'a -> bool = ">="
external compare : 'a -> 'a -> int = "compare"
external not : bool -> bool = "not"
external ref : 'a -> 'a ref = "ref"
external ( ! ) : 'a ref -> 'a = "get"
external ( := ) : 'a ref -> 'a -> unit = "set"
external incr : int ref -> unit = "increment"
external decr : int ref -> unit = "decrement"
external raise : exn -> 'a = "raise"
external ignore : 'a -> unit = "ignore"
external exit : int -> 'a = "exit"
external float_of_int : int -> float = "int_to_real"
external round_to_zero : float -> float = "ftrunc"
external real_to_int : float -> int = "real_to_int"
external sqrt : float -> float = "fsqrt"
external sin : float -> float = "sin"
external cos : float -> float = "cos"
external print_int : int -> unit = "print_int"
external print_char : char -> unit = "print_char"
external print_string : string -> unit = "print_string"
external print_float : float -> unit = "print_real"
external ( ^ ) : string -> string -> string = "cat_string"
external string_of_int : int -> string = "int_to_string"
external Char.code : char -> int = "same"
external Char.of_code : int -> char = "same"
external String.length : string -> int = "string_size"
external String.get : string -> int -> char = "string.get"
external String.slice : string -> int -> int -> string = "slice_string"
external read_input : unit -> string = "read_line"
external Array.make : int -> 'a -> 'a array = "array.new"
external Array.get : 'a array -> int -> 'a = "array.get"
external Array.set : 'a array -> int -> 'a -> unit = "array.set"
external Array.length : 'a array -> int = "array.len"
external Array.sub : 'a array -> int -> int -> 'a array = "array.sub"
external Array.blit : 'a array -> int -> 'a array -> int -> int -> unit = "array.blit"

let print_newline () = print_char '\n'
let print_endline s = print_string s; print_newline ()
let failwith s = raise (Failure s)
let invalid_arg s = raise (Invalid_argument s)
let Char.chr n = if n < 0 || n > 255 then invalid_arg "Char.chr" else Char.of_code n
let fst (a, _) = a
let snd (_, b) = b
let min a b = if a <= b then a else b
let max a b = if a >= b then a else b
let abs a = if a < 0 then - a else a
let truncate a = real_to_int (round_to_zero a)
let int_of_float = truncate
let String.sub s start length = String.slice s start (start + length - 1)

let rec List.rev_append a b = match a with [] -> b | x :: rest -> List.rev_append rest (x :: b)
let List.rev a = List.rev_append a []
let rec ( @ ) a b = match a with [] -> b | x :: rest -> x :: (rest @ b)
let rec List.length_from n a = match a with [] -> n | _ :: rest -> List.length_from (n + 1) rest
let List.length a = List.length_from 0 a
let rec List.map f a = match a with [] -> [] | x :: rest -> let y = f x in y :: List.map f rest
let rec List.iter f a = match a with [] -> () | x :: rest -> f x; List.iter f rest
let rec List.fold_left f start a = match a with [] -> start | x :: rest -> List.fold_left f (f start x) rest
let rec List.fold_right f a last = match a with [] -> last | x :: rest -> f x (List.fold_right f rest last)
let rec List.filter f a = match a with [] -> [] | x :: rest -> if f x then x :: List.filter f rest else List.filter f rest
let rec List.exists f a = match a with [] -> false | x :: rest -> f x || List.exists f rest
let rec List.for_all f a = match a with [] -> true | x :: rest -> f x && List.for_all f rest
let rec List.mem x a = match a with [] -> false | y :: rest -> x = y || List.mem x rest
let rec List.assoc x a = match a with [] -> raise Not_found | (y, v) :: rest -> if x = y then v else List.assoc x rest
let rec List.nth a n = match a with [] -> failwith "nth" | x :: rest -> if n = 0 then x else List.nth rest (n - 1)
let List.hd a = match a with [] -> failwith "hd" | x :: _ -> x
let List.tl a = match a with [] -> failwith "tl" | _ :: rest -> rest
let Array.init n f =
  if n = 0 then [||] else begin
    let a = Array.make n (f 0) in
    for i = 1 to n - 1 do a.(i) <- f i done;
    a
  end
let Array.iter f a = for i = 0 to Array.length a - 1 do f a.(i) done
let Array.copy a = Array.sub a 0 (Array.length a)
let Array.make_matrix rows columns x = Array.init rows (fun _ -> Array.make columns x)
