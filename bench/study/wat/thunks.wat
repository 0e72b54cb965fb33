;; 4096 thunks that are evaluated again and again. A thunk is a header (the number of its entry), a word, and the place
;; of the result; evaluated, its header is negative. There are eight entries.
;;
;; dispatch: how the code of a thunk is found. indirect: a call through the table of functions. table: a function with a
;; jump table and direct calls. compare: the most likely entry is called directly, all others as in `table`.
;; entries: how many of the entries occur, in turn.
(type $entry (func (param $thunk i32)))
(table 8 8 funcref)                                                                      ;;? dispatch=indirect
(elem (i32.const 0) $entry0 $entry1 $entry2 $entry3 $entry4 $entry5 $entry6 $entry7)     ;;? dispatch=indirect

(func $entry0 (type $entry) (param $thunk i32) (local $word i64)
  (local.set $word (i64.load32_u offset=4 (local.get $thunk)))
  (i64.store offset=8 (local.get $thunk) (i64.add (local.get $word) (i64.const 1)))
  (i32.store (local.get $thunk) (i32.const -1)))
(func $entry1 (type $entry) (param $thunk i32) (local $word i64)
  (local.set $word (i64.load32_u offset=4 (local.get $thunk)))
  (i64.store offset=8 (local.get $thunk) (i64.mul (local.get $word) (i64.const 3)))
  (i32.store (local.get $thunk) (i32.const -1)))
(func $entry2 (type $entry) (param $thunk i32) (local $word i64)
  (local.set $word (i64.load32_u offset=4 (local.get $thunk)))
  (i64.store offset=8 (local.get $thunk) (i64.xor (local.get $word) (i64.const 5)))
  (i32.store (local.get $thunk) (i32.const -1)))
(func $entry3 (type $entry) (param $thunk i32) (local $word i64)
  (local.set $word (i64.load32_u offset=4 (local.get $thunk)))
  (i64.store offset=8 (local.get $thunk) (i64.sub (i64.const 9999) (local.get $word)))
  (i32.store (local.get $thunk) (i32.const -1)))
(func $entry4 (type $entry) (param $thunk i32) (local $word i64)
  (local.set $word (i64.load32_u offset=4 (local.get $thunk)))
  (i64.store offset=8 (local.get $thunk) (i64.shl (local.get $word) (i64.const 2)))
  (i32.store (local.get $thunk) (i32.const -1)))
(func $entry5 (type $entry) (param $thunk i32) (local $word i64)
  (local.set $word (i64.load32_u offset=4 (local.get $thunk)))
  (i64.store offset=8 (local.get $thunk) (i64.and (local.get $word) (i64.const 1023)))
  (i32.store (local.get $thunk) (i32.const -1)))
(func $entry6 (type $entry) (param $thunk i32) (local $word i64)
  (local.set $word (i64.load32_u offset=4 (local.get $thunk)))
  (i64.store offset=8 (local.get $thunk) (i64.or (local.get $word) (i64.const 64)))
  (i32.store (local.get $thunk) (i32.const -1)))
(func $entry7 (type $entry) (param $thunk i32) (local $word i64)
  (local.set $word (i64.load32_u offset=4 (local.get $thunk)))
  (i64.store offset=8 (local.get $thunk) (i64.shr_u (local.get $word) (i64.const 1)))
  (i32.store (local.get $thunk) (i32.const -1)))

(func $dispatch (param $thunk i32) (param $header i32)
  (block $b7 (block $b6 (block $b5 (block $b4 (block $b3 (block $b2 (block $b1 (block $b0
    (br_table $b0 $b1 $b2 $b3 $b4 $b5 $b6 $b7 (local.get $header)))
    (return_call $entry0 (local.get $thunk)))
    (return_call $entry1 (local.get $thunk)))
    (return_call $entry2 (local.get $thunk)))
    (return_call $entry3 (local.get $thunk)))
    (return_call $entry4 (local.get $thunk)))
    (return_call $entry5 (local.get $thunk)))
    (return_call $entry6 (local.get $thunk)))
    (return_call $entry7 (local.get $thunk))
)

;; What is at the place where a value is needed.
(func $value (param $thunk i32) (result i64) (local $header i32)
  (local.set $header (i32.load (local.get $thunk)))
  (if (i32.ge_s (local.get $header) (i32.const 0)) (then
    (call_indirect (type $entry) (local.get $thunk) (local.get $header))   ;;? dispatch=indirect
    (call $dispatch (local.get $thunk) (local.get $header))                ;;? dispatch=table
    (if (i32.eqz (local.get $header))                                      ;;? dispatch=compare
      (then (call $entry0 (local.get $thunk)))                             ;;? dispatch=compare
      (else (call $dispatch (local.get $thunk) (local.get $header))))      ;;? dispatch=compare
  ))
  (i64.load offset=8 (local.get $thunk)))

(func $run (result i64)
  (local $count i32) (local $thunk i32) (local $all i64)
  (local.set $count (i32.const 4000))
  (loop $again
    (local.set $thunk (i32.const 0x10000))
    (loop $build
      (i32.store (local.get $thunk)
        (i32.and (i32.shr_u (local.get $thunk) (i32.const 4)) (i32.const 0)))   ;;? entries=1
        (i32.and (i32.shr_u (local.get $thunk) (i32.const 4)) (i32.const 7)))   ;;? entries=8
      (i32.store offset=4 (local.get $thunk) (local.get $count))
      (br_if $build (i32.lt_u (local.tee $thunk (i32.add (local.get $thunk) (i32.const 16))) (i32.const 0x20000))))
    (local.set $thunk (i32.const 0x10000))
    (loop $use
      (local.set $all (i64.add (local.get $all) (call $value (local.get $thunk))))
      (br_if $use (i32.lt_u (local.tee $thunk (i32.add (local.get $thunk) (i32.const 16))) (i32.const 0x20000))))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br_if $again (local.get $count)))
  (local.get $all))
