;; Binary trees of depth 12, built and counted again and again, as a compiler of a strict function would write it: bump
;; allocation with a check of the limit, one reference that is kept for the collector across a call.
;;
;; hp: where the heap pointer lives. sp: where the pointer to the shadow stack lives. In memory: words at 80 and 84.
(global $hp (mut i32) (i32.const 0))         ;;? hp=global
(global $sp (mut i32) (i32.const 0x10000))   ;;? sp=global

(func $build
  (param $hp i32)  ;;? hp=param
  (param $sp i32)  ;;? sp=param
  (param $depth i32) (result i32)
  (result i32)     ;;? hp=param
  (local $left i32) (local $right i32) (local $node i32)
  (if (i32.eqz (local.get $depth)) (then
    (return
      (i32.const 0x1000)
      (local.get $hp)  ;;? hp=param
    )))
  (call $build
    (local.get $hp)  ;;? hp=param
    (local.get $sp)  ;;? sp=param
    (i32.sub (local.get $depth) (i32.const 1)))
  (local.set $hp)    ;;? hp=param
  (local.set $left)
  ;; The left tree is kept while the right one is built.
  (i32.store (i32.sub (local.get $sp) (i32.const 4)) (local.get $left))          ;;? sp=param
  (global.set $sp (i32.sub (global.get $sp) (i32.const 4)))                      ;;? sp=global
  (i32.store (global.get $sp) (local.get $left))                                 ;;? sp=global
  (i32.store (i32.const 80) (i32.sub (i32.load (i32.const 80)) (i32.const 4)))   ;;? sp=memory
  (i32.store (i32.load (i32.const 80)) (local.get $left))                        ;;? sp=memory
  (call $build
    (local.get $hp)                              ;;? hp=param
    (i32.sub (local.get $sp) (i32.const 4))      ;;? sp=param
    (i32.sub (local.get $depth) (i32.const 1)))
  (local.set $hp)    ;;? hp=param
  (local.set $right)
  (local.set $left (i32.load (i32.sub (local.get $sp) (i32.const 4))))           ;;? sp=param
  (local.set $left (i32.load (global.get $sp)))                                  ;;? sp=global
  (global.set $sp (i32.add (global.get $sp) (i32.const 4)))                      ;;? sp=global
  (local.set $left (i32.load (i32.load (i32.const 80))))                         ;;? sp=memory
  (i32.store (i32.const 80) (i32.add (i32.load (i32.const 80)) (i32.const 4)))   ;;? sp=memory
  (local.set $node (local.get $hp))                                              ;;? hp=param
  (local.set $hp (i32.add (local.get $node) (i32.const 12)))                     ;;? hp=param
  (local.set $node (global.get $hp))                                             ;;? hp=global
  (global.set $hp (i32.add (local.get $node) (i32.const 12)))                    ;;? hp=global
  (local.set $node (i32.load (i32.const 84)))                                    ;;? hp=memory
  (i32.store (i32.const 84) (i32.add (local.get $node) (i32.const 12)))          ;;? hp=memory
  (if (i32.gt_u (local.get $node) (i32.const 0xf00000)) (then unreachable))
  (i32.store (local.get $node) (i32.const 0x2000))
  (i32.store offset=4 (local.get $node) (local.get $left))
  (i32.store offset=8 (local.get $node) (local.get $right))
  (local.get $node)
  (local.get $hp)  ;;? hp=param
)

(func $leaves (param $node i32) (result i64)
  (if (i32.eq (local.get $node) (i32.const 0x1000)) (then (return (i64.const 1))))
  (i64.add
    (call $leaves (i32.load offset=4 (local.get $node)))
    (call $leaves (i32.load offset=8 (local.get $node)))))

(func $run (result i64)
  (local $count i32) (local $all i64) (local $tree i32)
  (local $hp i32)  ;;? hp=param
  (i32.store (i32.const 80) (i32.const 0x10000))
  (local.set $count (i32.const 5000))
  (loop $again
    ;; The heap is empty again.
    (local.set $hp (i32.const 0x20000))               ;;? hp=param
    (global.set $hp (i32.const 0x20000))              ;;? hp=global
    (i32.store (i32.const 84) (i32.const 0x20000))    ;;? hp=memory
    (call $build
      (local.get $hp)      ;;? hp=param
      (i32.const 0x10000)  ;;? sp=param
      (i32.const 12))
    (local.set $hp)        ;;? hp=param
    (local.set $tree)
    (local.set $all (i64.add (local.get $all) (call $leaves (local.get $tree))))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br_if $again (local.get $count)))
  (local.get $all))
