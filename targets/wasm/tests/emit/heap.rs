//! Allocation, heap checks, and addresses inside objects.

use crate::harness::{Program, wat};

/// Three cells from one stretch of allocations, linked, read back.
#[test]
fn merged_allocations() {
    let program = Program::new(
        "start @go
func @go() phase=low {
block0:
  v0 = heap_full 64
  br_if v0, block1, block2
block1:
  v1 = shadow_pointer
  v2 = iconst.i32 64
  call_rt collect(v1, v2)
  jump block2
block2:
  v3 = alloc 12
  v4 = alloc 16
  v5 = alloc 12
  v6 = iconst.i64 7
  store.i64 v3, v6 +4
  v7 = iconst.i64 8
  store.i64 v4, v7 +4
  v8 = iconst.i64 9
  store.i64 v5, v8 +4
  store.ref v4, v5 +12
  v9 = load.i64 v3 +4
  call_rt print_int(v9)
  v10 = load.ref v4 +12
  v11 = load.i64 v10 +4
  call_rt print_int(v11)
  v12 = load.i64 v4 +4
  call_rt print_int(v12)
  v13 = ref_addr v5
  v14 = ref_addr v3
  v15 = isub v13, v14
  v16 = extend_u v15
  call_rt print_int(v16)
  ret
}",
    );
    assert_eq!(program.run(), "79828");
}

/// A loop that allocates past the first heap: the slow path is taken and memory is found again.
#[test]
fn collections_in_a_loop() {
    let program = Program::new(
        "start @go
func @go() phase=low {
block0:
  v0 = iconst.i64 3000000
  jump block1(v0)
block1(v1: i64):
  v2 = heap_full 16
  br_if v2, block2, block3
block2:
  v3 = shadow_pointer
  v4 = iconst.i32 16
  call_rt collect(v3, v4)
  jump block3
block3:
  v5 = alloc 16
  v6 = node_info $INT/0
  store.i32 v5, v6 +0
  store.i64 v5, v1 +4
  v7 = iconst.i64 1
  v8 = isub v1, v7
  v9 = eqz v8
  br_if v9, block4, block1(v8)
block4:
  v10 = load.i64 v5 +4
  call_rt print_int(v10)
  ret
}",
    );
    assert_eq!(program.run(), "1");
}

/// Constants in addresses become offsets only where base and offset cannot wrap around.
#[test]
fn offsets() {
    let mut program = Program::new(
        "func @f(v0: i64) -> i64, i64 phase=low {
block0(v0: i64):
  v1 = shadow_pointer
  v2 = iconst.i32 -16
  v3 = iadd v1, v2
  store.i64 v3, v0 +8
  v4 = iconst.i32 8
  v5 = isub v1, v4
  v6 = load.i64 v5 +0
  v7 = iconst.i32 4
  v8 = iadd v3, v7
  v9 = iadd v8, v7
  v10 = load.i64 v9 +0
  ret v6, v10
}",
    );
    assert_eq!(program.call("f", &[4096i32.into(), 77i64.into()]), [77, 77]);
}

/// Allocations on both sides of a heap check are not merged: the second one may not come before its check.
#[test]
fn a_heap_check_ends_a_stretch_of_allocations() {
    let source = "func @f() -> ref, ref, i32 phase=low gc_leaf {
block0:
  v0 = alloc 12
  v1 = alloc 12
  v2 = heap_full 12
  v3 = alloc 12
  store.ref v1, v0 +4
  ret v1, v3, v2
}";
    assert_eq!(wat(source, "f").matches("global.set").count(), 2);
}
