(* A walk over a tree yields its values to a generator, which adds them up. *)
open Effect
open Effect.Deep
type tree = Empty | Node of tree * int * tree
type _ Effect.t += Yield : int -> unit Effect.t
let rec make n = if n = 0 then Empty else let t = make (n - 1) in Node (t, n, t)
let rec iterate = function Empty -> () | Node (l, v, r) -> iterate l; perform (Yield v); iterate r
type gen = Done | Thunk of int * (unit -> gen)
let generate f =
  match_with f () {
    retc = (fun () -> Done); exnc = raise;
    effc = (fun (type a) (e : a Effect.t) -> match e with
      | Yield v -> Some (fun (k : (a, _) continuation) -> Thunk (v, fun () -> continue k ()))
      | _ -> None) }
let rec sum a = function Done -> a | Thunk (v, f) -> sum (a + v) (f ())
let () = let t = make 26 in print_int (sum 0 (generate (fun () -> iterate t)))
