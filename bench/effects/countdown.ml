(* Counts down from a number that a handler keeps: two effects a turn. *)
open Effect
open Effect.Deep
type _ Effect.t += Get : int Effect.t | Set : int -> unit Effect.t
let rec countdown () =
  let i = perform Get in
  if i = 0 then i else begin perform (Set (i - 1)); countdown () end
let run n =
  let f = match_with countdown () {
    retc = (fun x -> fun (_ : int) -> x); exnc = raise;
    effc = (fun (type a) (e : a Effect.t) -> match e with
      | Get -> Some (fun (k : (a, _) continuation) -> fun (s : int) -> continue k s s)
      | Set n -> Some (fun (k : (a, _) continuation) -> fun (_ : int) -> continue k () n)
      | _ -> None) } in
  f n
let () = print_int (run 100_000_000)
