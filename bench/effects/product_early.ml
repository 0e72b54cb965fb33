(* The product of a list below a thousand calls, which an effect leaves at the end: the continuation is dropped. *)
open Effect
open Effect.Deep
type _ Effect.t += Done : int -> int Effect.t
let rec product = function
  | [] -> 0
  | y :: ys -> if y = 0 then perform (Done 0) else y * product ys
let once xs =
  match_with product xs {
    retc = (fun x -> x); exnc = raise;
    effc = (fun (type a) (e : a Effect.t) -> match e with
      | Done r -> Some (fun (_ : (a, _) continuation) -> r)
      | _ -> None) }
let rec enumerate n = if n < 0 then [] else n :: enumerate (n - 1)
let rec loop xs i a = if i = 0 then a else loop xs (i - 1) (a + once xs)
let () = print_int (loop (enumerate 1000) 100_000 0)
