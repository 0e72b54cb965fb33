(* A handler that has something to do after what it resumes has returned. *)
open Effect
open Effect.Deep
type _ Effect.t += Operator : int -> unit Effect.t
let rec loop i s = if i = 0 then s else begin perform (Operator i); loop (i - 1) s end
let run n s =
  match_with (fun () -> loop n s) () {
    retc = (fun x -> x); exnc = raise;
    effc = (fun (type a) (e : a Effect.t) -> match e with
      | Operator x -> Some (fun (k : (a, _) continuation) -> let y = continue k () in abs (x - 503 * y + 37) mod 1009)
      | _ -> None) }
let rec step l s = if l = 0 then s else step (l - 1) (run 10_000 s)
let () = print_int (step 5000 0)
