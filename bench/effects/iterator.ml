(* A loop yields its numbers to a handler that adds them up. *)
open Effect
open Effect.Deep
type _ Effect.t += Emit : int -> unit Effect.t
let rec range l u = if l > u then () else begin perform (Emit l); range (l + 1) u end
let run n =
  let s = ref 0 in
  match_with (fun () -> range 0 n) () {
    retc = (fun () -> !s); exnc = raise;
    effc = (fun (type a) (e : a Effect.t) -> match e with
      | Emit v -> Some (fun (k : (a, _) continuation) -> s := !s + v; continue k ())
      | _ -> None) }
let () = print_int (run 100_000_000)
