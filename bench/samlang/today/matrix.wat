(module $matrix
  (type (;0;) (func (param i32 i32 i32) (result i32)))
  (type (;1;) (func))
  (type (;2;) (func (param i32)))
  (type (;3;) (func (param i32 i32) (result i32)))
  (type (;4;) (func (param i32) (result i32)))
  (type (;5;) (func (param i32 i64 i32) (result i32)))
  (type (;6;) (func (param i32 i32 i32 i32) (result i32)))
  (type (;7;) (func (param i32 i32 i32 i32)))
  (type (;8;) (func (param i32 i32)))
  (type (;9;) (func (param i64) (result i32)))
  (type (;10;) (func (param i32 i32 i32 i64)))
  (type (;11;) (func (param i64 i64)))
  (type (;12;) (func (result i32)))
  (type (;13;) (func (param i64)))
  (type (;14;) (func (param i32 i64 i64 i64 i64)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (;0;) (type 2)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock_time_get (;1;) (type 5)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll_oneoff (;2;) (type 6)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (;3;) (type 6)))
  (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ_sizes_get (;4;) (type 3)))
  (import "wasi_snapshot_preview1" "environ_get" (func $environ_get (;5;) (type 3)))
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $args_sizes_get (;6;) (type 3)))
  (import "wasi_snapshot_preview1" "args_get" (func $args_get (;7;) (type 3)))
  (import "wasi_snapshot_preview1" "fd_fdstat_get" (func $fd_fdstat_get (;8;) (type 3)))
  (memory (;0;) 520 65536)
  (global (;0;) (mut i32) i32.const 33554432)
  (global (;1;) i32 i32.const 33937772)
  (global (;2;) i32 i32.const 33937776)
  (global (;3;) (mut i32) i32.const 0)
  (global (;4;) (mut i32) i32.const 0)
  (global (;5;) (mut i32) i32.const 0)
  (export "memory" (memory 0))
  (export "_start" (func $_start))
  (export "rt_embedded" (func $rt_embedded))
  (export "rt_flush" (func $rt_flush))
  (export "rt_refused" (func $rt_refused))
  (export "rt_statistics" (func $rt_statistics))
  (func $Vec.get<word> (;9;) (type 3) (param i32 i32) (result i32)
    (local i32)
    local.get 1
    i32.const 0
    i32.ge_s
    if ;; label = @1
      local.get 1
      local.get 0
      i32.load offset=12
      i32.const 0
      i32.const 2
      i32.shl
      i32.add
      i32.load offset=12
      i32.ge_s
      br_if 0 (;@1;)
      local.get 0
      i32.load offset=8
      i32.const 0
      i32.const 2
      i32.shl
      i32.add
      i32.load offset=12
      local.tee 0
      local.get 0
      i32.load offset=4
      i32.const 1
      i32.add
      i32.store offset=4
      local.get 0
      local.get 1
      i32.const 2
      i32.shl
      i32.add
      i32.load offset=12
      local.set 1
      local.get 0
      i32.load offset=4
      local.tee 2
      i32.const 1
      i32.eq
      if ;; label = @2
        local.get 0
        call $rt_release_last
      else
        local.get 0
        local.get 2
        i32.const 1
        i32.sub
        i32.store offset=4
      end
      local.get 1
      return
    end
    i32.const 33948648
    call $rt_counted_panic
    unreachable
  )
  (func $Vec.push<word> (;10;) (type 3) (param i32 i32) (result i32)
    (local i32 i32 i32 i32 i32 i64)
    local.get 0
    i32.load offset=12
    i32.const 0
    i32.const 2
    i32.shl
    i32.add
    i32.load offset=12
    local.set 2
    local.get 0
    i32.load offset=8
    i32.const 0
    i32.const 2
    i32.shl
    i32.add
    i32.load offset=12
    local.tee 3
    local.get 3
    i32.load offset=4
    i32.const 1
    i32.add
    i32.store offset=4
    local.get 3
    i64.load32_u offset=8
    local.set 7
    local.get 3
    i32.load offset=4
    local.tee 4
    i32.const 1
    i32.eq
    if ;; label = @1
      local.get 3
      call $rt_release_last
    else
      local.get 3
      local.get 4
      i32.const 1
      i32.sub
      i32.store offset=4
    end
    local.get 2
    local.get 7
    i64.const 2
    i64.shr_u
    i32.wrap_i64
    i32.eq
    if ;; label = @1
      local.get 2
      i32.const 1
      i32.add
      local.set 3
      local.get 0
      i32.load offset=8
      i32.const 0
      i32.const 2
      i32.shl
      i32.add
      i32.load offset=12
      local.tee 4
      local.get 4
      i32.load offset=4
      i32.const 1
      i32.add
      i32.store offset=4
      local.get 4
      i64.load32_u offset=8
      local.set 7
      local.get 4
      i32.load offset=4
      local.tee 5
      i32.const 1
      i32.eq
      if ;; label = @2
        local.get 4
        call $rt_release_last
      else
        local.get 4
        local.get 5
        i32.const 1
        i32.sub
        i32.store offset=4
      end
      local.get 7
      i64.const 2
      i64.shr_u
      i32.wrap_i64
      i32.const 1
      i32.shl
      local.get 3
      i32.gt_s
      if ;; label = @2
        local.get 0
        i32.load offset=8
        i32.const 0
        i32.const 2
        i32.shl
        i32.add
        i32.load offset=12
        local.tee 3
        local.get 3
        i32.load offset=4
        i32.const 1
        i32.add
        i32.store offset=4
        local.get 3
        i64.load32_u offset=8
        local.set 7
        local.get 3
        i32.load offset=4
        local.tee 4
        i32.const 1
        i32.eq
        if ;; label = @3
          local.get 3
          call $rt_release_last
        else
          local.get 3
          local.get 4
          i32.const 1
          i32.sub
          i32.store offset=4
        end
        local.get 7
        i64.const 2
        i64.shr_u
        i32.wrap_i64
        i32.const 1
        i32.shl
        local.set 3
      end
      local.get 0
      i32.load offset=8
      i32.const 0
      i32.const 2
      i32.shl
      i32.add
      i32.load offset=12
      local.tee 4
      local.get 4
      i32.load offset=4
      i32.const 1
      i32.add
      i32.store offset=4
      local.get 3
      i32.const 4
      i32.lt_s
      if ;; label = @2
        i32.const 4
        local.set 3
      end
      local.get 3
      i64.extend_i32_s
      call $rt_counted_new_words
      local.set 3
      local.get 0
      i32.load offset=12
      i32.const 0
      i32.const 2
      i32.shl
      i32.add
      i32.load offset=12
      local.set 5
      i32.const 0
      local.set 6
      loop ;; label = @2
        local.get 6
        local.get 5
        i32.eq
        if ;; label = @3
          local.get 4
          i32.load offset=4
          local.tee 5
          i32.const 1
          i32.eq
          if ;; label = @4
            local.get 4
            call $rt_release_last
          else
            local.get 4
            local.get 5
            i32.const 1
            i32.sub
            i32.store offset=4
          end
          local.get 0
          i32.load offset=8
          i32.const 0
          i32.const 2
          i32.shl
          i32.add
          local.tee 4
          i32.load offset=12
          local.set 5
          local.get 4
          local.get 3
          i32.store offset=12
          local.get 5
          i32.load offset=4
          local.tee 3
          i32.const 1
          i32.eq
          if ;; label = @4
            local.get 5
            call $rt_release_last
          else
            local.get 5
            local.get 3
            i32.const 1
            i32.sub
            i32.store offset=4
          end
          br 2 (;@1;)
        end
        local.get 3
        local.get 6
        i32.const 2
        i32.shl
        i32.add
        local.get 4
        local.get 6
        i32.const 2
        i32.shl
        i32.add
        i32.load offset=12
        i32.store offset=12
        local.get 6
        i32.const 1
        i32.add
        local.set 6
        br 0 (;@2;)
      end
    end
    local.get 0
    i32.load offset=8
    i32.const 0
    i32.const 2
    i32.shl
    i32.add
    i32.load offset=12
    local.tee 3
    local.get 3
    i32.load offset=4
    i32.const 1
    i32.add
    i32.store offset=4
    local.get 3
    local.get 2
    i32.const 2
    i32.shl
    i32.add
    local.get 1
    i32.store offset=12
    local.get 3
    i32.load offset=4
    local.tee 1
    i32.const 1
    i32.eq
    if ;; label = @1
      local.get 3
      call $rt_release_last
    else
      local.get 3
      local.get 1
      i32.const 1
      i32.sub
      i32.store offset=4
    end
    local.get 0
    i32.load offset=12
    i32.const 0
    i32.const 2
    i32.shl
    i32.add
    local.get 2
    i32.const 1
    i32.add
    i32.store offset=12
    i32.const 0
  )
  (func $.start (;11;) (type 1)
    (local i32 i32 i32 i32 i32 i32 i32 i32)
    i64.const 1
    call $rt_counted_new_array
    local.set 0
    i64.const 0
    call $rt_counted_new_words
    local.set 1
    local.get 0
    i32.const 0
    i32.const 2
    i32.shl
    i32.add
    local.tee 2
    i32.load offset=12
    local.set 3
    local.get 2
    local.get 1
    i32.store offset=12
    local.get 3
    i32.load offset=4
    local.tee 1
    i32.const 1
    i32.eq
    if ;; label = @1
      local.get 3
      call $rt_release_last
    else
      local.get 3
      local.get 1
      i32.const 1
      i32.sub
      i32.store offset=4
    end
    i64.const 1
    call $rt_counted_new_words
    local.set 1
    i32.const 33937896
    i32.load
    local.tee 2
    if ;; label = @1
      i32.const 33937896
      local.get 2
      i32.const 16
      i32.add
      local.get 2
      i32.load
      i32.add
      i32.store
    else
      i32.const 4
      call $rt_alloc_object
      local.set 2
    end
    local.get 2
    i64.const 4328915921
    i64.store align=4
    local.get 2
    local.get 0
    i32.store offset=8
    local.get 2
    local.get 1
    i32.store offset=12
    i32.const 1
    local.set 0
    loop ;; label = @1
      local.get 2
      i32.load offset=12
      i32.const 0
      i32.const 2
      i32.shl
      i32.add
      i32.load offset=12
      i32.const 160000
      i32.eq
      if ;; label = @2
        i64.const 1
        call $rt_counted_new_array
        local.set 0
        i64.const 0
        call $rt_counted_new_words
        local.set 1
        local.get 0
        i32.const 0
        i32.const 2
        i32.shl
        i32.add
        local.tee 3
        i32.load offset=12
        local.set 4
        local.get 3
        local.get 1
        i32.store offset=12
        local.get 4
        i32.load offset=4
        local.tee 1
        i32.const 1
        i32.eq
        if ;; label = @3
          local.get 4
          call $rt_release_last
        else
          local.get 4
          local.get 1
          i32.const 1
          i32.sub
          i32.store offset=4
        end
        i64.const 1
        call $rt_counted_new_words
        local.set 1
        i32.const 33937896
        i32.load
        local.tee 3
        if ;; label = @3
          i32.const 33937896
          local.get 3
          i32.const 16
          i32.add
          local.get 3
          i32.load
          i32.add
          i32.store
        else
          i32.const 4
          call $rt_alloc_object
          local.set 3
        end
        local.get 3
        i64.const 4328915921
        i64.store align=4
        local.get 3
        local.get 0
        i32.store offset=8
        local.get 3
        local.get 1
        i32.store offset=12
        i32.const 7
        local.set 0
        loop ;; label = @3
          local.get 3
          i32.load offset=12
          i32.const 0
          i32.const 2
          i32.shl
          i32.add
          i32.load offset=12
          i32.const 160000
          i32.eq
          if ;; label = @4
            i64.const 1
            call $rt_counted_new_array
            local.set 0
            i64.const 0
            call $rt_counted_new_words
            local.set 1
            local.get 0
            i32.const 0
            i32.const 2
            i32.shl
            i32.add
            local.tee 4
            i32.load offset=12
            local.set 5
            local.get 4
            local.get 1
            i32.store offset=12
            local.get 5
            i32.load offset=4
            local.tee 1
            i32.const 1
            i32.eq
            if ;; label = @5
              local.get 5
              call $rt_release_last
            else
              local.get 5
              local.get 1
              i32.const 1
              i32.sub
              i32.store offset=4
            end
            i64.const 1
            call $rt_counted_new_words
            local.set 1
            i32.const 33937896
            i32.load
            local.tee 4
            if ;; label = @5
              i32.const 33937896
              local.get 4
              i32.const 16
              i32.add
              local.get 4
              i32.load
              i32.add
              i32.store
            else
              i32.const 4
              call $rt_alloc_object
              local.set 4
            end
            local.get 4
            i64.const 4328915921
            i64.store align=4
            local.get 4
            local.get 0
            i32.store offset=8
            local.get 4
            local.get 1
            i32.store offset=12
            i32.const 0
            local.set 0
            loop ;; label = @5
              local.get 0
              i32.const 160000
              i32.eq
              if ;; label = @6
                local.get 2
                i32.load offset=4
                local.tee 0
                i32.const 1
                i32.eq
                if ;; label = @7
                  local.get 2
                  call $rt_release_last
                else
                  local.get 2
                  local.get 0
                  i32.const 1
                  i32.sub
                  i32.store offset=4
                end
                local.get 3
                i32.load offset=4
                local.tee 0
                i32.const 1
                i32.eq
                if ;; label = @7
                  local.get 3
                  call $rt_release_last
                else
                  local.get 3
                  local.get 0
                  i32.const 1
                  i32.sub
                  i32.store offset=4
                end
                i32.const 0
                i32.const 0
                local.set 1
                local.set 0
                loop ;; label = @7
                  local.get 0
                  local.get 4
                  i32.load offset=12
                  i32.const 0
                  i32.const 2
                  i32.shl
                  i32.add
                  i32.load offset=12
                  i32.eq
                  if ;; label = @8
                    local.get 4
                    i32.load offset=4
                    local.tee 0
                    i32.const 1
                    i32.eq
                    if ;; label = @9
                      local.get 4
                      call $rt_release_last
                    else
                      local.get 4
                      local.get 0
                      i32.const 1
                      i32.sub
                      i32.store offset=4
                    end
                    local.get 1
                    i64.extend_i32_s
                    call $rt_counted_int_to_string
                    local.tee 0
                    call $rt_counted_print_string
                    local.get 0
                    i32.load offset=4
                    local.tee 1
                    i32.const 1
                    i32.eq
                    if ;; label = @9
                      local.get 0
                      call $rt_release_last
                    else
                      local.get 0
                      local.get 1
                      i32.const 1
                      i32.sub
                      i32.store offset=4
                    end
                    i64.const 10
                    call $rt_print_char
                    return
                  end
                  local.get 0
                  i32.const 1
                  i32.add
                  local.get 1
                  local.get 4
                  local.get 0
                  call $Vec.get<word>
                  i32.add
                  local.set 1
                  local.set 0
                  br 0 (;@7;)
                end
              end
              local.get 0
              i32.const 400
              i32.div_s
              local.set 1
              local.get 0
              i32.const 400
              i32.rem_s
              local.set 5
              i32.const 0
              i32.const 0
              local.set 7
              local.set 6
              loop ;; label = @6
                local.get 6
                i32.const 400
                i32.eq
                if ;; label = @7
                  local.get 4
                  local.get 7
                  i32.const 1000
                  i32.rem_s
                  call $Vec.push<word>
                  drop
                  local.get 0
                  i32.const 1
                  i32.add
                  local.set 0
                  br 2 (;@5;)
                end
                local.get 6
                i32.const 1
                i32.add
                local.get 7
                local.get 2
                local.get 1
                i32.const 400
                i32.mul
                local.get 6
                i32.add
                call $Vec.get<word>
                local.get 3
                local.get 6
                i32.const 400
                i32.mul
                local.get 5
                i32.add
                call $Vec.get<word>
                i32.mul
                i32.add
                local.set 7
                local.set 6
                br 0 (;@6;)
              end
            end
          end
          local.get 3
          local.get 0
          i32.const 100
          i32.rem_s
          call $Vec.push<word>
          drop
          local.get 0
          i32.const 75
          i32.mul
          i32.const 74
          i32.add
          i32.const 65537
          i32.rem_s
          local.set 0
          br 0 (;@3;)
        end
      end
      local.get 2
      local.get 0
      i32.const 100
      i32.rem_s
      call $Vec.push<word>
      drop
      local.get 0
      i32.const 75
      i32.mul
      i32.const 74
      i32.add
      i32.const 65537
      i32.rem_s
      local.set 0
      br 0 (;@1;)
    end
    unreachable
  )
  (func $cleave.enter (;12;) (type 0) (param i32 i32 i32) (result i32)
    block ;; label = @1
      local.get 2
      i32.const 33937776
      i32.sub
      i32.const 4
      i32.shr_u
      br_table 0 (;@1;)
    end
    unreachable
  )
  (func $cleave.main (;13;) (type 2) (param i32)
    i32.const 0
    i32.load offset=33937852
    global.set 3
    i32.const 0
    i32.load offset=33937856
    global.set 4
    call $.start
    i32.const 0
    global.get 3
    i32.store offset=33937852
  )
  (func $cleave.eval (;14;) (type 3) (param i32 i32) (result i32)
    (local i32)
    local.get 1
    i32.load
    local.tee 2
    i32.const 1
    i32.and
    if ;; label = @1
      local.get 1
      return
    end
    i32.const 0
    i32.load offset=33937852
    global.set 3
    i32.const 0
    i32.load offset=33937856
    global.set 4
    local.get 0
    local.get 1
    local.get 2
    call $cleave.enter
    i32.const 0
    global.get 3
    i32.store offset=33937852
  )
  (func $cleave.end (;15;) (type 1))
  (func $_start (;16;) (type 1)
    i32.const 33937776
    call $rt_main
  )
  (func $"_<rt::sys::wasm::Wasm as rt::system::Host>::exit" (;17;) (type 2) (param i32)
    call $cleave.end
    local.get 0
    call $proc_exit
    unreachable
  )
  (func $"_<rt::sys::wasm::Wasm as rt::system::Memory>::grow_to" (;18;) (type 9) (param i64) (result i32)
    (local i32 i64)
    i32.const 1
    local.set 1
    block ;; label = @1
      local.get 0
      memory.size
      i64.extend_i32_u
      i64.const 16
      i64.shl
      local.tee 2
      i64.le_u
      br_if 0 (;@1;)
      local.get 0
      local.get 2
      i64.sub
      i64.const 16
      i64.shr_u
      local.get 0
      i64.const 65535
      i64.and
      i64.const 0
      i64.ne
      i64.extend_i32_u
      i64.add
      i32.wrap_i64
      memory.grow
      i32.const -1
      i32.ne
      local.set 1
    end
    local.get 1
  )
  (func $rt::base::error::fail_with (;19;) (type 8) (param i32 i32)
    call $rt::base::console::flush
    local.get 0
    local.get 1
    call $rt::base::console::write_all
    call $rt::base::error::halt
    unreachable
  )
  (func $rt::base::console::flush (;20;) (type 1)
    (local i32 i32 i32 i32 i32 i32 i32)
    global.get 0
    i32.const 112
    i32.sub
    local.tee 0
    global.set 0
    i32.const 0
    local.set 1
    block ;; label = @1
      i32.const 0
      i32.load offset=33936724
      local.tee 2
      i32.eqz
      br_if 0 (;@1;)
      i32.const 0
      i32.const 0
      i32.store offset=33936724
      block ;; label = @2
        local.get 2
        i32.const 16384
        i32.gt_u
        local.tee 3
        br_if 0 (;@2;)
        i32.const 0
        i32.const 33920340
        local.get 3
        select
        local.set 4
        local.get 0
        i32.const 48
        i32.add
        local.set 3
        i32.const 0
        local.set 5
        loop ;; label = @3
          local.get 0
          local.get 2
          local.get 5
          i32.sub
          i32.store offset=16
          local.get 0
          local.get 4
          local.get 5
          i32.add
          i32.store offset=12
          local.get 0
          i32.const 0
          i32.store offset=20
          block ;; label = @4
            block ;; label = @5
              loop ;; label = @6
                block ;; label = @7
                  i32.const 1
                  local.get 0
                  i32.const 12
                  i32.add
                  i32.const 1
                  local.get 0
                  i32.const 20
                  i32.add
                  call $fd_write
                  local.tee 1
                  i32.const 6
                  i32.eq
                  br_if 0 (;@7;)
                  local.get 1
                  i32.eqz
                  br_if 3 (;@4;)
                  local.get 1
                  i32.const 29
                  i32.eq
                  br_if 2 (;@5;)
                  local.get 1
                  i32.const 64
                  i32.eq
                  br_if 2 (;@5;)
                  i32.const 1
                  local.set 1
                  br 5 (;@2;)
                end
                local.get 3
                i64.const 0
                i64.store
                local.get 3
                i64.const 0
                i64.store offset=8
                local.get 3
                i64.const 0
                i64.store offset=16
                local.get 0
                i64.const 1
                i64.store offset=40
                local.get 0
                i64.const 2
                i64.store offset=32
                local.get 0
                i64.const 0
                i64.store offset=24
                local.get 0
                i64.const 0
                i64.store offset=96
                local.get 0
                i64.const 0
                i64.store offset=88
                local.get 0
                i64.const 0
                i64.store offset=80
                local.get 0
                i64.const 0
                i64.store offset=72
                local.get 0
                i32.const 0
                i32.store offset=108
                local.get 0
                i32.const 24
                i32.add
                local.get 0
                i32.const 72
                i32.add
                i32.const 1
                local.get 0
                i32.const 108
                i32.add
                call $poll_oneoff
                drop
                br 0 (;@6;)
              end
            end
            i32.const 1
            call $proc_exit
            unreachable
          end
          local.get 0
          i32.load offset=20
          local.tee 6
          i32.eqz
          local.set 1
          local.get 6
          i32.eqz
          br_if 1 (;@2;)
          local.get 2
          local.get 6
          local.get 5
          i32.add
          local.tee 5
          i32.gt_u
          br_if 0 (;@3;)
        end
      end
      i32.const 0
      local.get 1
      i32.const 0
      i32.load8_u offset=33936732
      i32.or
      i32.store8 offset=33936732
    end
    local.get 0
    i32.const 112
    i32.add
    global.set 0
  )
  (func $rt::base::console::write_all (;21;) (type 8) (param i32 i32)
    (local i32 i32 i32 i32)
    global.get 0
    i32.const 112
    i32.sub
    local.tee 2
    global.set 0
    block ;; label = @1
      local.get 1
      i32.eqz
      br_if 0 (;@1;)
      local.get 2
      i32.const 48
      i32.add
      local.set 3
      loop ;; label = @2
        local.get 2
        local.get 1
        i32.store offset=16
        local.get 2
        local.get 0
        i32.store offset=12
        local.get 2
        i32.const 0
        i32.store offset=20
        loop ;; label = @3
          block ;; label = @4
            i32.const 2
            local.get 2
            i32.const 12
            i32.add
            i32.const 1
            local.get 2
            i32.const 20
            i32.add
            call $fd_write
            local.tee 4
            i32.const 6
            i32.eq
            br_if 0 (;@4;)
            block ;; label = @5
              local.get 4
              i32.eqz
              br_if 0 (;@5;)
              block ;; label = @6
                local.get 4
                i32.const 29
                i32.eq
                br_if 0 (;@6;)
                local.get 4
                i32.const 64
                i32.ne
                br_if 5 (;@1;)
              end
              i32.const 1
              call $proc_exit
              unreachable
            end
            local.get 2
            i32.load offset=20
            local.tee 4
            i32.eqz
            br_if 3 (;@1;)
            i32.const 1
            local.get 0
            local.get 4
            i32.add
            local.get 1
            local.get 4
            i32.lt_u
            select
            local.set 0
            local.get 1
            local.get 4
            i32.gt_u
            local.set 5
            i32.const 0
            local.get 1
            local.get 4
            i32.sub
            local.tee 4
            local.get 4
            local.get 1
            i32.gt_u
            select
            local.set 1
            local.get 5
            br_if 2 (;@2;)
            br 3 (;@1;)
          end
          local.get 3
          i64.const 0
          i64.store
          local.get 3
          i64.const 0
          i64.store offset=8
          local.get 3
          i64.const 0
          i64.store offset=16
          local.get 2
          i64.const 2
          i64.store offset=40
          local.get 2
          i64.const 2
          i64.store offset=32
          local.get 2
          i64.const 0
          i64.store offset=24
          local.get 2
          i64.const 0
          i64.store offset=96
          local.get 2
          i64.const 0
          i64.store offset=88
          local.get 2
          i64.const 0
          i64.store offset=80
          local.get 2
          i64.const 0
          i64.store offset=72
          local.get 2
          i32.const 0
          i32.store offset=108
          local.get 2
          i32.const 24
          i32.add
          local.get 2
          i32.const 72
          i32.add
          i32.const 1
          local.get 2
          i32.const 108
          i32.add
          call $poll_oneoff
          drop
          br 0 (;@3;)
        end
      end
    end
    local.get 2
    i32.const 112
    i32.add
    global.set 0
  )
  (func $rt::base::error::halt (;22;) (type 1)
    (local i32)
    call $rt::base::console::flush
    call $rt_part_files
    i32.const 0
    i32.load8_u offset=33920331
    local.set 0
    block ;; label = @1
      i32.const 0
      i32.load8_u offset=33920328
      i32.eqz
      br_if 0 (;@1;)
      call $rt::base::report::show_times
    end
    block ;; label = @1
      local.get 0
      i32.const 1
      i32.and
      i32.eqz
      br_if 0 (;@1;)
      call $rt::base::report::show_statistics
    end
    block ;; label = @1
      i32.const 0
      i32.load8_u offset=33570462
      i32.eqz
      br_if 0 (;@1;)
      call $rt_part_rc_stats
    end
    block ;; label = @1
      block ;; label = @2
        i32.const 0
        i32.load offset=33570268
        local.tee 0
        i32.eqz
        br_if 0 (;@2;)
        local.get 0
        i32.load8_u
        local.tee 0
        br_if 1 (;@1;)
      end
      i32.const 0
      i32.load offset=33920320
      local.tee 0
      i32.const 255
      local.get 0
      select
      local.set 0
    end
    local.get 0
    call $"_<rt::sys::wasm::Wasm as rt::system::Host>::exit"
    unreachable
  )
  (func $rt_part_files (;23;) (type 1))
  (func $rt::base::report::show_times (;24;) (type 1)
    (local i32 i64 i64 i64 i32 i32)
    global.get 0
    i32.const 272
    i32.sub
    local.tee 0
    global.set 0
    local.get 0
    i64.const 0
    i64.store offset=8
    i32.const 1
    i64.const 1000
    local.get 0
    i32.const 8
    i32.add
    call $clock_time_get
    drop
    local.get 0
    i64.load offset=8
    local.set 1
    i32.const 0
    i64.load offset=33570304
    local.set 2
    i32.const 0
    i64.load offset=33570696
    local.set 3
    local.get 0
    i32.const 8
    i32.add
    i32.const 0
    i32.const 260
    memory.fill
    local.get 0
    i32.const 8
    i32.add
    i32.const 33554821
    i32.const 11
    i64.const 0
    local.get 1
    local.get 3
    i64.sub
    local.tee 1
    local.get 2
    i64.sub
    local.tee 3
    local.get 3
    local.get 1
    i64.gt_u
    select
    call $rt::base::report::push_seconds
    local.get 0
    i32.const 8
    i32.add
    i32.const 33554832
    i32.const 22
    local.get 2
    call $rt::base::report::push_seconds
    local.get 0
    i32.const 8
    i32.add
    i32.const 33554854
    i32.const 9
    local.get 1
    call $rt::base::report::push_seconds
    block ;; label = @1
      local.get 0
      i32.load offset=264
      local.tee 4
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 8
      i32.add
      local.get 4
      i32.add
      i32.const 10
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=264
      i32.const 1
      i32.add
      local.tee 4
      i32.store offset=264
    end
    call $rt::base::console::flush
    local.get 0
    i32.const 8
    i32.add
    i32.const 1
    local.get 4
    i32.const 257
    i32.lt_u
    local.tee 5
    select
    local.get 4
    i32.const 0
    local.get 5
    select
    call $rt::base::console::write_all
    local.get 0
    i32.const 272
    i32.add
    global.set 0
  )
  (func $rt::base::report::show_statistics (;25;) (type 1)
    (local i32 i32 i32 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64)
    global.get 0
    i32.const 272
    i32.sub
    local.tee 0
    global.set 0
    i32.const 0
    i32.const 0
    i64.load offset=33570488
    i32.const 0
    i32.const 0
    i32.load offset=33570672
    i32.const 76
    i32.add
    i32.load align=1
    local.tee 1
    i32.const 0
    i32.load offset=33570580
    i32.sub
    local.tee 2
    local.get 2
    local.get 1
    i32.gt_u
    select
    i64.extend_i32_u
    i64.add
    local.tee 3
    i64.store offset=33570288
    i32.const 0
    i64.load offset=33570352
    local.set 4
    i32.const 0
    i64.load offset=33570344
    local.set 5
    i32.const 0
    i64.load offset=33570304
    local.set 6
    i32.const 0
    i64.load offset=33570336
    local.set 7
    i32.const 0
    i64.load offset=33570328
    local.set 8
    i32.const 0
    i64.load offset=33570320
    local.set 9
    i32.const 0
    i64.load offset=33570312
    local.set 10
    i32.const 0
    i64.load offset=33570296
    local.set 11
    i32.const 0
    i64.load offset=33570280
    local.set 12
    local.get 0
    i32.const 12
    i32.add
    i32.const 0
    i32.const 260
    memory.fill
    local.get 0
    i32.const 12
    i32.add
    i32.const 33555096
    i32.const 8
    local.get 12
    call $rt::base::report::push_item
    local.get 0
    i32.const 12
    i32.add
    i32.const 33555104
    i32.const 14
    local.get 3
    call $rt::base::report::push_item
    local.get 0
    i32.const 12
    i32.add
    i32.const 33555118
    i32.const 18
    local.get 11
    call $rt::base::report::push_item
    local.get 0
    i32.const 12
    i32.add
    i32.const 33555136
    i32.const 9
    local.get 10
    call $rt::base::report::push_item
    local.get 0
    i32.const 12
    i32.add
    i32.const 33555145
    i32.const 22
    local.get 9
    call $rt::base::report::push_item
    local.get 0
    i32.const 12
    i32.add
    i32.const 33555167
    i32.const 7
    local.get 8
    call $rt::base::report::push_item
    local.get 0
    i32.const 12
    i32.add
    i32.const 33555174
    i32.const 15
    local.get 7
    call $rt::base::report::push_item
    local.get 0
    i32.const 12
    i32.add
    i32.const 33555189
    i32.const 29
    local.get 6
    i64.const 1000
    i64.div_u
    call $rt::base::report::push_item
    local.get 0
    i32.const 12
    i32.add
    i32.const 33555218
    i32.const 16
    local.get 5
    i64.const 1000
    i64.div_u
    call $rt::base::report::push_item
    local.get 0
    i32.const 12
    i32.add
    i32.const 33555234
    i32.const 14
    local.get 4
    i64.const 1000
    i64.div_u
    call $rt::base::report::push_item
    block ;; label = @1
      local.get 0
      i32.load offset=268
      local.tee 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 32
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
      local.get 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 116
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
      local.get 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 104
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
      local.get 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 101
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
      local.get 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 32
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
      local.get 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 115
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
      local.get 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 104
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
      local.get 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 111
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
      local.get 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 114
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
      local.get 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 116
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
      local.get 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 101
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
      local.get 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 115
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
      local.get 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 116
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
      local.get 1
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.get 1
      i32.add
      i32.const 10
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=268
      i32.const 1
      i32.add
      local.tee 1
      i32.store offset=268
    end
    call $rt::base::console::flush
    local.get 0
    i32.const 12
    i32.add
    i32.const 1
    local.get 1
    i32.const 257
    i32.lt_u
    local.tee 2
    select
    local.get 1
    i32.const 0
    local.get 2
    select
    call $rt::base::console::write_all
    local.get 0
    i32.const 272
    i32.add
    global.set 0
  )
  (func $rt_part_rc_stats (;26;) (type 1))
  (func $"#func27 rt::base::error::fail_with" (@name "rt::base::error::fail_with") (;27;) (type 8) (param i32 i32)
    call $rt::base::console::flush
    local.get 0
    local.get 1
    call $rt::base::console::write_all
    call $rt::base::error::halt
    unreachable
  )
  (func $rt::base::console::end_lines (;28;) (type 2) (param i32)
    (local i32 i32 i32)
    block ;; label = @1
      i32.const 0
      i32.load offset=33936728
      i32.eqz
      br_if 0 (;@1;)
      i32.const 0
      i32.const 0
      i32.load offset=33936724
      local.tee 1
      local.get 0
      i32.sub
      local.tee 0
      local.get 0
      local.get 1
      i32.gt_u
      select
      local.tee 2
      i32.const 33920340
      i32.add
      i32.const 1
      local.get 1
      i32.const 16385
      i32.lt_u
      local.tee 3
      select
      local.set 0
      local.get 1
      local.get 2
      i32.sub
      i32.const 0
      local.get 3
      select
      local.set 1
      loop ;; label = @2
        local.get 1
        i32.eqz
        br_if 1 (;@1;)
        local.get 1
        i32.const -1
        i32.add
        local.set 1
        local.get 0
        i32.load8_u
        local.set 2
        local.get 0
        i32.const 1
        i32.add
        local.set 0
        local.get 2
        i32.const 10
        i32.ne
        br_if 0 (;@2;)
      end
      call $rt::base::console::end_line
    end
  )
  (func $rt::base::report::push_seconds (;29;) (type 10) (param i32 i32 i32 i64)
    (local i64)
    local.get 0
    local.get 1
    local.get 2
    local.get 3
    i64.const 1000000000
    i64.div_u
    call $rt::base::report::push_item
    local.get 3
    i64.const 10000000
    i64.div_u
    local.set 4
    block ;; label = @1
      local.get 0
      i32.load offset=256
      local.tee 2
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      local.get 2
      i32.add
      i32.const 46
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=256
      i32.const 1
      i32.add
      local.tee 2
      i32.store offset=256
      local.get 2
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      local.get 2
      i32.add
      local.get 3
      i64.const 100000000
      i64.div_u
      i64.const 10
      i64.rem_u
      i32.wrap_i64
      i32.const 48
      i32.or
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=256
      i32.const 1
      i32.add
      local.tee 2
      i32.store offset=256
      local.get 2
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 0
      local.get 2
      i32.add
      local.get 4
      i64.const 10
      i64.rem_u
      i32.wrap_i64
      i32.const 48
      i32.or
      i32.store8
      local.get 0
      local.get 0
      i32.load offset=256
      i32.const 1
      i32.add
      i32.store offset=256
    end
  )
  (func $rt::base::report::push_item (;30;) (type 10) (param i32 i32 i32 i64)
    (local i32 i32 i32 i64)
    global.get 0
    i32.const 32
    i32.sub
    local.set 4
    block ;; label = @1
      local.get 0
      i32.load offset=256
      local.tee 5
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      block ;; label = @2
        block ;; label = @3
          local.get 2
          i32.const 1
          i32.and
          br_if 0 (;@3;)
          local.get 1
          local.set 6
          br 1 (;@2;)
        end
        local.get 0
        local.get 5
        i32.add
        local.get 1
        i32.load8_u
        i32.store8
        local.get 0
        local.get 0
        i32.load offset=256
        i32.const 1
        i32.add
        local.tee 5
        i32.store offset=256
        local.get 1
        i32.const 1
        i32.add
        local.set 6
      end
      local.get 1
      local.get 2
      i32.add
      local.set 1
      loop ;; label = @2
        block ;; label = @3
          local.get 5
          i32.const 255
          i32.gt_u
          br_if 0 (;@3;)
          local.get 0
          local.get 5
          i32.add
          local.get 6
          i32.load8_u
          i32.store8
          local.get 0
          local.get 0
          i32.load offset=256
          i32.const 1
          i32.add
          local.tee 5
          i32.store offset=256
          local.get 5
          i32.const 255
          i32.gt_u
          br_if 0 (;@3;)
          local.get 0
          local.get 5
          i32.add
          local.get 6
          i32.const 1
          i32.add
          i32.load8_u
          i32.store8
          local.get 0
          local.get 0
          i32.load offset=256
          i32.const 1
          i32.add
          local.tee 5
          i32.store offset=256
        end
        local.get 6
        i32.const 2
        i32.add
        local.tee 6
        local.get 1
        i32.ne
        br_if 0 (;@2;)
      end
    end
    local.get 4
    i32.const 0
    i32.store offset=24
    local.get 4
    i64.const 0
    i64.store offset=16
    local.get 4
    i64.const 0
    i64.store offset=8
    local.get 4
    i32.const 27
    i32.add
    local.set 6
    i32.const -1
    local.set 1
    block ;; label = @1
      loop ;; label = @2
        local.get 6
        local.get 3
        i64.const 10
        i64.div_u
        local.tee 7
        i64.const 246
        i64.mul
        local.get 3
        i64.add
        i32.wrap_i64
        i32.const 48
        i32.or
        i32.store8
        local.get 1
        local.tee 2
        i32.const 1
        i32.add
        local.set 1
        local.get 3
        i64.const 10
        i64.lt_u
        br_if 1 (;@1;)
        local.get 6
        i32.const -1
        i32.add
        local.set 6
        local.get 7
        local.set 3
        local.get 2
        i32.const 18
        i32.ne
        br_if 0 (;@2;)
      end
    end
    block ;; label = @1
      local.get 1
      i32.const 19
      i32.gt_u
      br_if 0 (;@1;)
      local.get 5
      i32.const 255
      i32.gt_u
      br_if 0 (;@1;)
      local.get 4
      i32.const 8
      i32.add
      local.get 1
      i32.sub
      i32.const 19
      i32.add
      local.tee 6
      i32.const 1
      local.get 1
      i32.const 20
      i32.lt_u
      local.tee 1
      select
      local.get 2
      i32.const 2
      i32.add
      i32.const 0
      local.get 1
      select
      i32.add
      local.set 1
      loop ;; label = @2
        block ;; label = @3
          local.get 5
          i32.const 255
          i32.gt_u
          br_if 0 (;@3;)
          local.get 0
          local.get 5
          i32.add
          local.get 6
          i32.load8_u
          i32.store8
          local.get 0
          local.get 0
          i32.load offset=256
          i32.const 1
          i32.add
          local.tee 5
          i32.store offset=256
        end
        local.get 6
        i32.const 1
        i32.add
        local.tee 6
        local.get 1
        i32.ne
        br_if 0 (;@2;)
      end
    end
  )
  (func $rt::base::console::put_memory (;31;) (type 8) (param i32 i32)
    (local i32 i32 i32 i32)
    block ;; label = @1
      local.get 1
      i32.const 16384
      i32.lt_u
      br_if 0 (;@1;)
      call $rt::base::console::flush
      i32.const 0
      i32.const 1
      local.get 0
      local.get 1
      call $rt::base::console::write_memory
      i32.const 1
      i32.xor
      i32.const 0
      i32.load8_u offset=33936732
      i32.or
      i32.store8 offset=33936732
      return
    end
    block ;; label = @1
      local.get 1
      i32.eqz
      br_if 0 (;@1;)
      i32.const 0
      i32.load offset=33936724
      local.set 2
      i32.const 0
      local.set 3
      loop ;; label = @2
        block ;; label = @3
          local.get 2
          i32.const 16384
          i32.lt_u
          br_if 0 (;@3;)
          call $rt::base::console::flush
          i32.const 0
          i32.load offset=33936724
          local.set 2
        end
        block ;; label = @3
          i32.const 16384
          local.get 2
          i32.sub
          local.tee 4
          local.get 1
          local.get 3
          i32.sub
          local.tee 5
          local.get 4
          local.get 5
          i32.lt_u
          select
          local.tee 4
          local.get 2
          i32.add
          local.tee 5
          local.get 4
          i32.lt_u
          br_if 0 (;@3;)
          local.get 5
          i32.const 16384
          i32.gt_u
          br_if 0 (;@3;)
          local.get 4
          i32.eqz
          br_if 0 (;@3;)
          local.get 2
          i32.const 33920340
          i32.add
          local.get 3
          local.get 0
          i32.add
          local.get 4
          memory.copy
        end
        i32.const 0
        local.get 5
        i32.store offset=33936724
        block ;; label = @3
          local.get 4
          local.get 3
          i32.add
          local.tee 3
          local.get 1
          i32.ne
          br_if 0 (;@3;)
          local.get 4
          call $rt::base::console::end_lines
          i32.const 0
          i32.load offset=33936724
          local.set 5
        end
        local.get 5
        local.set 2
        local.get 3
        local.get 1
        i32.lt_u
        br_if 0 (;@2;)
      end
    end
  )
  (func $rt::base::console::write_memory (;32;) (type 0) (param i32 i32 i32) (result i32)
    (local i32 i32 i64 i32 i32 i32)
    global.get 0
    i32.const 112
    i32.sub
    local.tee 3
    global.set 0
    local.get 3
    i32.const 48
    i32.add
    local.set 4
    local.get 0
    i64.extend_i32_u
    local.set 5
    i32.const 0
    local.set 6
    loop ;; label = @1
      local.get 3
      local.get 6
      local.get 1
      i32.add
      i32.store offset=12
      local.get 3
      local.get 2
      local.get 6
      i32.sub
      local.tee 7
      i32.const 1048576
      local.get 7
      i32.const 1048576
      i32.lt_u
      select
      i32.store offset=16
      local.get 3
      i32.const 0
      i32.store offset=20
      block ;; label = @2
        loop ;; label = @3
          block ;; label = @4
            local.get 0
            local.get 3
            i32.const 12
            i32.add
            i32.const 1
            local.get 3
            i32.const 20
            i32.add
            call $fd_write
            local.tee 7
            i32.const 6
            i32.eq
            br_if 0 (;@4;)
            block ;; label = @5
              block ;; label = @6
                local.get 7
                i32.eqz
                br_if 0 (;@6;)
                block ;; label = @7
                  block ;; label = @8
                    local.get 7
                    i32.const 29
                    i32.eq
                    br_if 0 (;@8;)
                    local.get 7
                    i32.const 64
                    i32.ne
                    br_if 1 (;@7;)
                    br 6 (;@2;)
                  end
                  local.get 0
                  i32.const 3
                  i32.lt_u
                  br_if 5 (;@2;)
                end
                i32.const 0
                local.set 7
                br 1 (;@5;)
              end
              local.get 3
              i32.load offset=20
              local.tee 8
              i32.const 0
              i32.ne
              local.set 7
              local.get 8
              i32.eqz
              br_if 0 (;@5;)
              local.get 8
              local.get 6
              i32.add
              local.tee 6
              local.get 2
              i32.lt_u
              br_if 4 (;@1;)
            end
            local.get 3
            i32.const 112
            i32.add
            global.set 0
            local.get 7
            return
          end
          local.get 4
          i64.const 0
          i64.store
          local.get 4
          i64.const 0
          i64.store offset=8
          local.get 4
          i64.const 0
          i64.store offset=16
          local.get 3
          local.get 5
          i64.store offset=40
          local.get 3
          i64.const 2
          i64.store offset=32
          local.get 3
          i64.const 0
          i64.store offset=24
          local.get 3
          i64.const 0
          i64.store offset=96
          local.get 3
          i64.const 0
          i64.store offset=88
          local.get 3
          i64.const 0
          i64.store offset=80
          local.get 3
          i64.const 0
          i64.store offset=72
          local.get 3
          i32.const 0
          i32.store offset=108
          local.get 3
          i32.const 24
          i32.add
          local.get 3
          i32.const 72
          i32.add
          i32.const 1
          local.get 3
          i32.const 108
          i32.add
          call $poll_oneoff
          drop
          br 0 (;@3;)
        end
      end
    end
    i32.const 1
    call $proc_exit
    unreachable
  )
  (func $rt::base::console::put (;33;) (type 8) (param i32 i32)
    (local i32 i32 i32)
    loop ;; label = @1
      local.get 1
      i32.const 0
      i32.const 16384
      i32.const 0
      i32.load offset=33936724
      local.tee 2
      i32.sub
      local.tee 3
      local.get 3
      i32.const 16384
      i32.gt_u
      select
      local.tee 3
      local.get 1
      local.get 3
      local.get 1
      i32.lt_u
      select
      local.tee 3
      i32.sub
      local.set 1
      block ;; label = @2
        local.get 3
        local.get 2
        i32.add
        local.tee 4
        local.get 2
        i32.lt_u
        br_if 0 (;@2;)
        local.get 4
        i32.const 16384
        i32.gt_u
        br_if 0 (;@2;)
        block ;; label = @3
          local.get 3
          i32.eqz
          br_if 0 (;@3;)
          local.get 2
          i32.const 33920340
          i32.add
          local.get 0
          local.get 3
          memory.copy
        end
        i32.const 0
        i32.const 0
        i32.load offset=33936724
        local.get 3
        i32.add
        i32.store offset=33936724
      end
      block ;; label = @2
        local.get 1
        br_if 0 (;@2;)
        local.get 3
        call $rt::base::console::end_lines
        return
      end
      local.get 0
      local.get 3
      i32.add
      local.set 0
      call $rt::base::console::flush
      br 0 (;@1;)
    end
  )
  (func $rt::base::console::end_line (;34;) (type 1)
    (local i32)
    block ;; label = @1
      block ;; label = @2
        block ;; label = @3
          i32.const 0
          i32.load offset=33936728
          local.tee 0
          i32.const 1
          i32.add
          br_table 1 (;@2;) 2 (;@1;) 0 (;@3;)
        end
        i32.const 0
        local.get 0
        i32.const -1
        i32.add
        i32.store offset=33936728
      end
      call $rt::base::console::flush
    end
  )
  (func $rt::base::console::put_byte (;35;) (type 2) (param i32)
    (local i32)
    block ;; label = @1
      block ;; label = @2
        i32.const 0
        i32.load offset=33936724
        local.tee 1
        i32.const 16384
        i32.lt_u
        br_if 0 (;@2;)
        call $rt::base::console::flush
        i32.const 0
        i32.load offset=33936724
        local.tee 1
        i32.const 16383
        i32.gt_u
        br_if 1 (;@1;)
      end
      local.get 1
      local.get 0
      i32.store8 offset=33920340
      i32.const 0
      local.get 1
      i32.const 1
      i32.add
      i32.store offset=33936724
    end
    block ;; label = @1
      local.get 0
      i32.const 255
      i32.and
      i32.const 10
      i32.ne
      br_if 0 (;@1;)
      call $rt::base::console::end_line
    end
  )
  (func $Oqx2N::core::num::int_log10::panic_for_nonpositive_argument (;36;) (type 1)
    call $Oqx2N::core::panicking::panic_fmt
    unreachable
  )
  (func $rt::counted::new_row (;37;) (type 0) (param i32 i32 i32) (result i32)
    (local i32 i32 i32 i32 i32 i64 i64 i32 i64)
    global.get 0
    i32.const 16
    i32.sub
    local.tee 3
    global.set 0
    block ;; label = @1
      block ;; label = @2
        local.get 2
        i32.const -268435456
        i32.gt_u
        br_if 0 (;@2;)
        local.get 2
        i32.const 12
        i32.add
        local.set 4
        i32.const 1
        local.get 2
        i32.const 11
        i32.add
        i32.clz
        i32.const 31
        i32.xor
        i32.shl
        local.set 5
        block ;; label = @3
          block ;; label = @4
            block ;; label = @5
              block ;; label = @6
                block ;; label = @7
                  local.get 2
                  i32.const 66548
                  i32.gt_u
                  br_if 0 (;@7;)
                  local.get 5
                  i32.const 2
                  i32.shr_u
                  local.tee 2
                  i32.const 16
                  local.get 2
                  i32.const 16
                  i32.gt_u
                  select
                  local.tee 2
                  local.get 2
                  i32.const 131071
                  i32.add
                  local.get 4
                  i32.and
                  local.tee 2
                  i32.sub
                  i32.const 0
                  local.get 2
                  select
                  local.get 4
                  i32.add
                  local.set 2
                  i32.const 66560
                  local.set 4
                  i32.const 320
                  local.set 5
                  local.get 2
                  i32.const 66560
                  i32.gt_u
                  br_if 2 (;@5;)
                  local.get 2
                  i32.const 2
                  i32.shr_u
                  local.get 2
                  i32.const -1
                  i32.add
                  i32.const 10
                  i32.shr_u
                  i32.const 256
                  i32.add
                  local.get 2
                  i32.const 1021
                  i32.lt_u
                  select
                  local.tee 2
                  i32.const 2
                  i32.shl
                  local.get 2
                  i32.const 10
                  i32.shl
                  i32.const -261120
                  i32.add
                  local.get 2
                  i32.const 256
                  i32.lt_u
                  select
                  local.set 4
                  br 1 (;@6;)
                end
                local.get 5
                i32.const 4
                i32.shr_u
                local.tee 2
                i32.const -1
                i32.add
                local.get 4
                i32.and
                local.tee 5
                i32.eqz
                br_if 2 (;@4;)
                local.get 2
                local.get 4
                i32.add
                local.get 5
                i32.sub
                local.set 4
              end
              local.get 4
              i32.const 66560
              i32.gt_u
              br_if 1 (;@4;)
              local.get 4
              i32.const 2
              i32.shr_u
              local.get 4
              i32.const -1
              i32.add
              i32.const 10
              i32.shr_u
              i32.const 256
              i32.add
              local.get 4
              i32.const 1021
              i32.lt_u
              select
              local.set 5
            end
            block ;; label = @5
              local.get 5
              i32.const 2
              i32.shl
              local.tee 6
              i32.const 0
              i32.load offset=33570672
              i32.add
              i32.const 104
              i32.add
              local.tee 7
              i32.load align=1
              local.tee 2
              br_if 0 (;@5;)
              local.get 5
              call $rt::counted::alloc_object
              local.set 2
              br 2 (;@3;)
            end
            local.get 7
            local.get 2
            local.get 6
            local.get 5
            i32.const 10
            i32.shl
            i32.const -261120
            i32.add
            local.get 5
            i32.const 256
            i32.lt_u
            select
            i32.add
            local.get 2
            i32.load align=1
            i32.add
            i32.store align=1
            br 1 (;@3;)
          end
          i32.const 0
          i32.load offset=33570672
          local.tee 7
          i32.const 1396
          i32.add
          local.set 2
          loop ;; label = @4
            block ;; label = @5
              local.get 2
              local.tee 5
              i32.load align=1
              local.tee 2
              br_if 0 (;@5;)
              block ;; label = @6
                local.get 7
                i32.const 1388
                i32.add
                local.tee 5
                i32.load align=1
                local.tee 2
                br_if 0 (;@6;)
                local.get 5
                i32.const 0
                i32.load offset=33570568
                i32.const 7
                i32.add
                i32.const -8
                i32.and
                local.tee 2
                i32.store align=1
                memory.size
                local.set 5
                i32.const 0
                i32.load offset=33570672
                i32.const 1392
                i32.add
                local.get 2
                i32.const 0
                i64.load offset=33570472
                local.tee 8
                local.get 5
                i64.extend_i32_u
                i64.const 16
                i64.shl
                local.tee 9
                local.get 8
                local.get 9
                i64.lt_u
                select
                i32.wrap_i64
                local.tee 5
                local.get 2
                local.get 5
                i32.gt_u
                select
                i32.store align=1
                i32.const 0
                i32.load offset=33570672
                i32.const 1388
                i32.add
                i32.load align=1
                local.set 2
              end
              local.get 3
              i32.const 8
              i32.add
              local.get 2
              local.get 4
              i64.const 1
              call $rt::counted::reserve
              local.get 3
              i32.load offset=8
              i32.const 1
              i32.ne
              br_if 4 (;@1;)
              i32.const 0
              i32.load offset=33570672
              i32.const 1388
              i32.add
              local.get 2
              local.get 4
              i32.add
              local.tee 5
              i32.store align=1
              i64.const 0
              local.set 8
              block ;; label = @6
                local.get 5
                i64.extend_i32_u
                i32.const 0
                i64.load32_u offset=33570568
                i64.sub
                local.tee 9
                i32.const 0
                i32.load offset=33570588
                i32.const 3
                i32.mul
                local.tee 5
                i64.extend_i32_u
                i64.lt_u
                br_if 0 (;@6;)
                i32.const 0
                local.get 5
                i32.const 0
                i32.load offset=33570584
                i32.const 0
                i32.load offset=33570580
                i32.sub
                i32.const 3
                i32.mul
                i32.sub
                local.tee 6
                local.get 6
                local.get 5
                i32.gt_u
                select
                i64.extend_i32_u
                local.set 8
              end
              local.get 9
              local.get 8
              i64.sub
              local.tee 8
              i32.const 0
              i64.load offset=33570320
              i64.le_u
              br_if 2 (;@3;)
              i32.const 0
              local.get 8
              i64.store offset=33570320
              br 2 (;@3;)
            end
            local.get 2
            i32.const 8
            i32.add
            i32.load align=1
            local.tee 6
            local.get 4
            i32.lt_u
            br_if 0 (;@4;)
          end
          local.get 2
          i32.load align=1
          local.set 10
          block ;; label = @4
            block ;; label = @5
              local.get 6
              local.get 4
              i32.ne
              br_if 0 (;@5;)
              local.get 10
              local.set 7
              br 1 (;@4;)
            end
            local.get 2
            local.get 4
            i32.add
            local.tee 7
            local.get 10
            i32.store align=1
            local.get 7
            i32.const 8
            i32.add
            local.get 6
            local.get 4
            i32.sub
            i32.store align=1
            local.get 7
            i32.const 4
            i32.add
            i32.const 0
            i32.store align=1
          end
          local.get 5
          local.get 7
          i32.store align=1
        end
        block ;; label = @3
          i32.const 0
          i32.load8_u offset=33570462
          i32.const 1
          i32.ne
          br_if 0 (;@3;)
          i32.const 0
          i32.const 0
          i64.load offset=33570360
          i64.const 1
          i64.add
          local.tee 9
          i64.store offset=33570360
          i32.const 0
          i32.const 0
          i64.load offset=33570408
          local.get 4
          i64.extend_i32_u
          i64.add
          local.tee 8
          i64.store offset=33570408
          i32.const 0
          local.get 8
          i32.const 0
          i64.load offset=33570424
          local.tee 11
          local.get 8
          local.get 11
          i64.gt_u
          select
          i64.store offset=33570424
          i32.const 0
          local.get 9
          i32.const 0
          i64.load offset=33570368
          i64.sub
          local.tee 8
          i32.const 0
          i64.load offset=33570416
          local.tee 9
          local.get 8
          local.get 9
          i64.gt_u
          select
          i64.store offset=33570416
        end
        i32.const 0
        i32.load offset=33570672
        local.get 0
        i32.add
        i32.load align=1
        local.set 4
        local.get 2
        i32.const 8
        i32.add
        local.get 1
        i32.store align=1
        local.get 2
        i32.const 4
        i32.add
        i32.const 1
        i32.store align=1
        local.get 2
        local.get 4
        i32.store align=1
        local.get 3
        i32.const 16
        i32.add
        global.set 0
        local.get 2
        return
      end
      i32.const 33554793
      i32.const 11
      call $"#func27 rt::base::error::fail_with"
      unreachable
    end
    i32.const 33554793
    i32.const 11
    call $"#func27 rt::base::error::fail_with"
    unreachable
  )
  (func $rt::counted::release_last (;38;) (type 2) (param i32)
    (local i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)
    block ;; label = @1
      block ;; label = @2
        local.get 0
        i32.const 0
        i32.load offset=33570672
        i32.load align=1
        local.tee 1
        i32.lt_u
        br_if 0 (;@2;)
        i32.const 0
        i32.load8_u offset=33570462
        local.set 2
        local.get 0
        i32.const 4
        i32.add
        i32.const 0
        i32.store align=1
        local.get 0
        i32.eqz
        br_if 1 (;@1;)
        local.get 2
        i32.const 1
        i32.and
        local.set 3
        loop ;; label = @3
          block ;; label = @4
            block ;; label = @5
              local.get 0
              i32.load align=1
              i32.const -2
              i32.and
              i32.load align=2
              local.tee 4
              i32.const 15
              i32.and
              local.tee 5
              i32.const 2
              i32.ne
              br_if 0 (;@5;)
              local.get 0
              i32.const 12
              i32.add
              local.set 6
              local.get 0
              i32.const 8
              i32.add
              i32.load align=1
              local.set 7
              br 1 (;@4;)
            end
            local.get 0
            i32.const 8
            i32.add
            local.set 6
            local.get 4
            i32.const 4
            i32.shr_u
            i32.const 16383
            i32.and
            local.set 7
          end
          local.get 0
          i32.const 4
          i32.add
          local.tee 8
          i32.load align=1
          local.set 2
          block ;; label = @4
            local.get 7
            i32.eqz
            br_if 0 (;@4;)
            loop ;; label = @5
              local.get 6
              i32.load align=1
              local.set 9
              block ;; label = @6
                local.get 3
                i32.eqz
                br_if 0 (;@6;)
                i32.const 0
                i32.const 0
                i64.load offset=33570400
                i64.const 1
                i64.add
                i64.store offset=33570400
              end
              local.get 9
              i32.const 4
              i32.add
              local.tee 10
              i32.const 1073741824
              local.get 2
              local.get 9
              local.get 1
              i32.lt_u
              local.tee 11
              select
              local.get 10
              i32.load align=1
              local.tee 10
              i32.const -1
              i32.add
              local.get 10
              i32.const 1
              i32.eq
              local.tee 10
              select
              i32.store align=1
              local.get 2
              local.get 9
              local.get 11
              select
              local.get 2
              local.get 10
              select
              local.set 2
              local.get 6
              i32.const 4
              i32.add
              local.set 6
              local.get 7
              i32.const -1
              i32.add
              local.tee 7
              br_if 0 (;@5;)
            end
          end
          block ;; label = @4
            block ;; label = @5
              local.get 3
              i32.eqz
              br_if 0 (;@5;)
              block ;; label = @6
                block ;; label = @7
                  block ;; label = @8
                    block ;; label = @9
                      local.get 5
                      i32.const -2
                      i32.add
                      br_table 1 (;@8;) 0 (;@9;) 2 (;@7;)
                    end
                    local.get 0
                    i32.const 8
                    i32.add
                    i32.load align=1
                    local.tee 9
                    i32.const 11
                    i32.add
                    local.set 6
                    block ;; label = @9
                      local.get 9
                      i32.const 12
                      i32.add
                      local.tee 9
                      i32.const 66560
                      i32.gt_u
                      br_if 0 (;@9;)
                      local.get 6
                      i32.eqz
                      br_if 5 (;@4;)
                      i32.const 1
                      local.get 6
                      i32.clz
                      i32.const 31
                      i32.xor
                      i32.shl
                      i32.const 2
                      i32.shr_u
                      local.tee 6
                      i32.const 16
                      local.get 6
                      i32.const 16
                      i32.gt_u
                      select
                      local.tee 6
                      local.get 6
                      i32.const 131071
                      i32.add
                      local.get 9
                      i32.and
                      local.tee 6
                      i32.sub
                      i32.const 0
                      local.get 6
                      select
                      local.get 9
                      i32.add
                      local.set 6
                      i32.const 66560
                      local.set 9
                      local.get 6
                      i32.const 66560
                      i32.gt_u
                      br_if 3 (;@6;)
                      local.get 6
                      i32.const 2
                      i32.shr_u
                      local.get 6
                      i32.const -1
                      i32.add
                      i32.const 10
                      i32.shr_u
                      i32.const 256
                      i32.add
                      local.get 6
                      i32.const 1021
                      i32.lt_u
                      select
                      local.tee 9
                      i32.const 2
                      i32.shl
                      local.get 9
                      i32.const 10
                      i32.shl
                      i32.const -261120
                      i32.add
                      local.get 9
                      i32.const 256
                      i32.lt_u
                      select
                      local.set 9
                      br 3 (;@6;)
                    end
                    i32.const 1
                    local.get 6
                    i32.clz
                    i32.const 31
                    i32.xor
                    i32.shl
                    i32.const 4
                    i32.shr_u
                    local.tee 6
                    i32.const -1
                    i32.add
                    local.get 9
                    i32.and
                    local.tee 7
                    i32.eqz
                    br_if 2 (;@6;)
                    local.get 6
                    local.get 9
                    i32.add
                    local.get 7
                    i32.sub
                    local.set 9
                    br 2 (;@6;)
                  end
                  i32.const 1
                  local.get 0
                  i32.const 8
                  i32.add
                  i32.load align=1
                  i32.const 2
                  i32.shl
                  local.tee 9
                  i32.const 11
                  i32.add
                  i32.clz
                  i32.const 31
                  i32.xor
                  i32.shl
                  local.set 6
                  block ;; label = @8
                    local.get 9
                    i32.const 12
                    i32.add
                    local.tee 9
                    i32.const 66560
                    i32.gt_u
                    br_if 0 (;@8;)
                    local.get 6
                    i32.const 2
                    i32.shr_u
                    local.tee 6
                    i32.const 16
                    local.get 6
                    i32.const 16
                    i32.gt_u
                    select
                    local.tee 6
                    local.get 6
                    i32.const 131071
                    i32.add
                    local.get 9
                    i32.and
                    local.tee 6
                    i32.sub
                    i32.const 0
                    local.get 6
                    select
                    local.get 9
                    i32.add
                    local.set 6
                    i32.const 66560
                    local.set 9
                    local.get 6
                    i32.const 66560
                    i32.gt_u
                    br_if 2 (;@6;)
                    local.get 6
                    i32.const 2
                    i32.shr_u
                    local.get 6
                    i32.const -1
                    i32.add
                    i32.const 10
                    i32.shr_u
                    i32.const 256
                    i32.add
                    local.get 6
                    i32.const 1021
                    i32.lt_u
                    select
                    local.tee 9
                    i32.const 2
                    i32.shl
                    local.get 9
                    i32.const 10
                    i32.shl
                    i32.const -261120
                    i32.add
                    local.get 9
                    i32.const 256
                    i32.lt_u
                    select
                    local.set 9
                    br 2 (;@6;)
                  end
                  local.get 6
                  i32.const 4
                  i32.shr_u
                  local.tee 6
                  i32.const -1
                  i32.add
                  local.get 9
                  i32.and
                  local.tee 7
                  i32.eqz
                  br_if 1 (;@6;)
                  local.get 6
                  local.get 9
                  i32.add
                  local.get 7
                  i32.sub
                  local.set 9
                  br 1 (;@6;)
                end
                block ;; label = @7
                  block ;; label = @8
                    local.get 4
                    i32.const 16
                    i32.shr_u
                    local.tee 9
                    i32.const 65532
                    i32.and
                    local.tee 6
                    i32.const 1013
                    i32.lt_u
                    br_if 0 (;@8;)
                    local.get 6
                    i32.const 7
                    i32.add
                    i32.const 10
                    i32.shr_u
                    i32.const 256
                    i32.or
                    local.set 9
                    br 1 (;@7;)
                  end
                  local.get 9
                  i32.const 8
                  i32.add
                  i32.const 2
                  i32.shr_u
                  local.set 9
                end
                local.get 9
                i32.const 2
                i32.shl
                local.get 9
                i32.const 10
                i32.shl
                i32.const -261120
                i32.add
                local.get 9
                i32.const 256
                i32.lt_u
                select
                local.set 9
              end
              i32.const 0
              i32.const 0
              i64.load offset=33570368
              i64.const 1
              i64.add
              i64.store offset=33570368
              i32.const 0
              i32.const 0
              i64.load offset=33570408
              local.get 9
              i64.extend_i32_u
              i64.sub
              i64.store offset=33570408
            end
            block ;; label = @5
              block ;; label = @6
                block ;; label = @7
                  block ;; label = @8
                    block ;; label = @9
                      block ;; label = @10
                        block ;; label = @11
                          block ;; label = @12
                            block ;; label = @13
                              block ;; label = @14
                                block ;; label = @15
                                  local.get 5
                                  i32.const -2
                                  i32.add
                                  br_table 1 (;@14;) 0 (;@15;) 2 (;@13;)
                                end
                                local.get 0
                                i32.const 8
                                i32.add
                                i32.load align=1
                                local.tee 6
                                i32.const 11
                                i32.add
                                local.set 9
                                block ;; label = @15
                                  local.get 6
                                  i32.const 12
                                  i32.add
                                  local.tee 11
                                  i32.const 66560
                                  i32.gt_u
                                  br_if 0 (;@15;)
                                  local.get 9
                                  i32.eqz
                                  br_if 11 (;@4;)
                                  block ;; label = @16
                                    i32.const 1
                                    local.get 9
                                    i32.clz
                                    i32.const 31
                                    i32.xor
                                    i32.shl
                                    i32.const 2
                                    i32.shr_u
                                    local.tee 9
                                    i32.const 16
                                    local.get 9
                                    i32.const 16
                                    i32.gt_u
                                    select
                                    local.tee 9
                                    local.get 9
                                    i32.const 131071
                                    i32.add
                                    local.get 11
                                    i32.and
                                    local.tee 9
                                    i32.sub
                                    i32.const 0
                                    local.get 9
                                    select
                                    local.get 11
                                    i32.add
                                    local.tee 9
                                    i32.const 66560
                                    i32.le_u
                                    br_if 0 (;@16;)
                                    i32.const 320
                                    local.set 9
                                    br 6 (;@10;)
                                  end
                                  local.get 9
                                  i32.const 2
                                  i32.shr_u
                                  local.get 9
                                  i32.const -1
                                  i32.add
                                  i32.const 10
                                  i32.shr_u
                                  i32.const 256
                                  i32.add
                                  local.get 9
                                  i32.const 1021
                                  i32.lt_u
                                  select
                                  local.tee 9
                                  i32.const 2
                                  i32.shl
                                  local.get 9
                                  i32.const 10
                                  i32.shl
                                  i32.const -261120
                                  i32.add
                                  local.get 9
                                  i32.const 256
                                  i32.lt_u
                                  select
                                  local.set 11
                                  br 3 (;@12;)
                                end
                                i32.const 1
                                local.get 9
                                i32.clz
                                i32.const 31
                                i32.xor
                                i32.shl
                                i32.const 4
                                i32.shr_u
                                local.tee 9
                                i32.const -1
                                i32.add
                                local.get 11
                                i32.and
                                local.tee 6
                                i32.eqz
                                br_if 7 (;@7;)
                                local.get 9
                                local.get 11
                                i32.add
                                local.get 6
                                i32.sub
                                local.set 11
                                br 2 (;@12;)
                              end
                              i32.const 1
                              local.get 0
                              i32.const 8
                              i32.add
                              i32.load align=1
                              i32.const 2
                              i32.shl
                              local.tee 9
                              i32.const 11
                              i32.add
                              i32.clz
                              i32.const 31
                              i32.xor
                              i32.shl
                              local.set 6
                              block ;; label = @14
                                local.get 9
                                i32.const 12
                                i32.add
                                local.tee 11
                                i32.const 66560
                                i32.gt_u
                                br_if 0 (;@14;)
                                block ;; label = @15
                                  local.get 6
                                  i32.const 2
                                  i32.shr_u
                                  local.tee 9
                                  i32.const 16
                                  local.get 9
                                  i32.const 16
                                  i32.gt_u
                                  select
                                  local.tee 9
                                  local.get 9
                                  i32.const 131071
                                  i32.add
                                  local.get 11
                                  i32.and
                                  local.tee 9
                                  i32.sub
                                  i32.const 0
                                  local.get 9
                                  select
                                  local.get 11
                                  i32.add
                                  local.tee 9
                                  i32.const 66560
                                  i32.le_u
                                  br_if 0 (;@15;)
                                  i32.const 320
                                  local.set 9
                                  br 5 (;@10;)
                                end
                                local.get 9
                                i32.const 2
                                i32.shr_u
                                local.get 9
                                i32.const -1
                                i32.add
                                i32.const 10
                                i32.shr_u
                                i32.const 256
                                i32.add
                                local.get 9
                                i32.const 1021
                                i32.lt_u
                                select
                                local.tee 9
                                i32.const 2
                                i32.shl
                                local.get 9
                                i32.const 10
                                i32.shl
                                i32.const -261120
                                i32.add
                                local.get 9
                                i32.const 256
                                i32.lt_u
                                select
                                local.set 11
                                br 2 (;@12;)
                              end
                              local.get 6
                              i32.const 4
                              i32.shr_u
                              local.tee 9
                              i32.const -1
                              i32.add
                              local.get 11
                              i32.and
                              local.tee 6
                              i32.eqz
                              br_if 6 (;@7;)
                              local.get 9
                              local.get 11
                              i32.add
                              local.get 6
                              i32.sub
                              local.set 11
                              br 1 (;@12;)
                            end
                            block ;; label = @13
                              local.get 4
                              i32.const 16
                              i32.shr_u
                              local.tee 9
                              i32.const 65532
                              i32.and
                              local.tee 6
                              i32.const 1013
                              i32.lt_u
                              br_if 0 (;@13;)
                              local.get 6
                              i32.const 7
                              i32.add
                              i32.const 130048
                              i32.and
                              i32.const 1024
                              i32.add
                              local.set 11
                              br 1 (;@12;)
                            end
                            local.get 9
                            i32.const 8
                            i32.add
                            local.set 9
                            block ;; label = @13
                              local.get 4
                              i32.const 66584576
                              i32.ge_u
                              br_if 0 (;@13;)
                              local.get 9
                              i32.const 131068
                              i32.and
                              local.set 11
                              br 2 (;@11;)
                            end
                            local.get 9
                            i32.const 8
                            i32.shl
                            i32.const 33553408
                            i32.and
                            i32.const -261120
                            i32.add
                            local.set 11
                          end
                          local.get 11
                          i32.const 66560
                          i32.gt_u
                          br_if 4 (;@7;)
                        end
                        local.get 11
                        i32.const 1021
                        i32.lt_u
                        br_if 1 (;@9;)
                        local.get 11
                        i32.const -1
                        i32.add
                        i32.const 10
                        i32.shr_u
                        i32.const 256
                        i32.add
                        local.set 9
                      end
                      local.get 9
                      i32.const 2
                      i32.shl
                      local.set 7
                      local.get 9
                      i32.const 10
                      i32.shl
                      i32.const -261120
                      i32.add
                      local.set 6
                      br 1 (;@8;)
                    end
                    local.get 11
                    i32.const 1020
                    i32.and
                    local.tee 7
                    local.set 6
                  end
                  block ;; label = @8
                    i32.const 0
                    i32.load8_u offset=33570461
                    i32.const 1
                    i32.ne
                    br_if 0 (;@8;)
                    block ;; label = @9
                      local.get 6
                      i32.const -8
                      i32.add
                      local.tee 9
                      i32.eqz
                      br_if 0 (;@9;)
                      local.get 0
                      i32.const 8
                      i32.add
                      i32.const 219
                      local.get 9
                      memory.fill
                    end
                    local.get 8
                    i32.const 0
                    i32.store align=1
                  end
                  local.get 0
                  i32.const 0
                  i32.load offset=33570672
                  local.get 7
                  i32.const 104
                  i32.add
                  local.tee 9
                  i32.add
                  i32.load align=1
                  local.get 6
                  local.get 0
                  i32.add
                  i32.sub
                  i32.store align=1
                  br 1 (;@6;)
                end
                block ;; label = @7
                  i32.const 0
                  i32.load8_u offset=33570461
                  i32.const 1
                  i32.ne
                  br_if 0 (;@7;)
                  local.get 11
                  i32.eqz
                  br_if 0 (;@7;)
                  local.get 0
                  i32.const 219
                  local.get 11
                  memory.fill
                end
                i32.const 0
                local.set 6
                i32.const 0
                i32.load offset=33570672
                i32.const 1396
                i32.add
                local.set 9
                block ;; label = @7
                  loop ;; label = @8
                    local.get 6
                    local.set 7
                    local.get 9
                    local.tee 10
                    i32.load align=1
                    local.tee 9
                    i32.eqz
                    br_if 1 (;@7;)
                    local.get 9
                    local.set 6
                    local.get 9
                    local.get 0
                    i32.lt_u
                    br_if 0 (;@8;)
                  end
                end
                block ;; label = @7
                  local.get 9
                  local.get 11
                  local.get 0
                  i32.add
                  local.tee 6
                  i32.ne
                  br_if 0 (;@7;)
                  local.get 9
                  i32.const 8
                  i32.add
                  i32.load align=1
                  local.get 9
                  i32.add
                  local.set 6
                  local.get 9
                  i32.load align=1
                  local.set 9
                end
                block ;; label = @7
                  block ;; label = @8
                    local.get 7
                    i32.eqz
                    br_if 0 (;@8;)
                    local.get 7
                    i32.const 8
                    i32.add
                    i32.load align=1
                    local.get 7
                    i32.add
                    local.get 0
                    i32.ne
                    br_if 0 (;@8;)
                    local.get 7
                    local.set 0
                    br 1 (;@7;)
                  end
                  local.get 10
                  local.get 0
                  i32.store align=1
                end
                local.get 0
                local.get 9
                i32.store align=1
                local.get 0
                i32.const 8
                i32.add
                local.get 6
                local.get 0
                i32.sub
                i32.store align=1
                local.get 0
                i32.const 4
                i32.add
                i32.const 0
                i32.store align=1
                local.get 6
                i32.const 0
                i32.load offset=33570672
                local.tee 9
                i32.const 1388
                i32.add
                i32.load align=1
                i32.ne
                br_if 1 (;@5;)
                local.get 9
                i32.const 1396
                i32.add
                local.set 9
                loop ;; label = @7
                  local.get 9
                  local.tee 6
                  i32.load align=1
                  local.tee 9
                  local.get 0
                  i32.ne
                  br_if 0 (;@7;)
                end
                local.get 6
                i32.const 0
                i32.store align=1
                i32.const 1388
                local.set 9
              end
              i32.const 0
              i32.load offset=33570672
              local.get 9
              i32.add
              local.get 0
              i32.store align=1
            end
            local.get 2
            local.set 0
            local.get 2
            br_if 1 (;@3;)
            br 3 (;@1;)
          end
        end
        call $Oqx2N::core::num::int_log10::panic_for_nonpositive_argument
        unreachable
      end
      local.get 0
      i32.const 4
      i32.add
      i32.const 1073741824
      i32.store align=1
    end
  )
  (func $rt::base::options::apply_word (;39;) (type 7) (param i32 i32 i32 i32)
    (local i32 i32 i32)
    block ;; label = @1
      block ;; label = @2
        block ;; label = @3
          block ;; label = @4
            block ;; label = @5
              block ;; label = @6
                block ;; label = @7
                  block ;; label = @8
                    block ;; label = @9
                      block ;; label = @10
                        block ;; label = @11
                          block ;; label = @12
                            block ;; label = @13
                              block ;; label = @14
                                block ;; label = @15
                                  block ;; label = @16
                                    block ;; label = @17
                                      block ;; label = @18
                                        local.get 2
                                        i32.const -2
                                        i32.add
                                        br_table 0 (;@18;) 4 (;@14;) 1 (;@17;) 4 (;@14;)
                                      end
                                      block ;; label = @18
                                        local.get 1
                                        i32.load16_u align=1
                                        i32.const 26669
                                        i32.ne
                                        br_if 0 (;@18;)
                                        i32.const 33561568
                                        local.set 4
                                        br 2 (;@16;)
                                      end
                                      local.get 1
                                      i32.load16_u align=1
                                      i32.const 29485
                                      i32.ne
                                      br_if 2 (;@15;)
                                      i32.const 33561588
                                      local.set 4
                                      br 1 (;@16;)
                                    end
                                    block ;; label = @17
                                      local.get 1
                                      i32.load align=1
                                      i32.const 1768122157
                                      i32.ne
                                      br_if 0 (;@17;)
                                      i32.const 33561608
                                      local.set 4
                                      br 1 (;@16;)
                                    end
                                    local.get 1
                                    i32.load align=1
                                    i32.const 1717790509
                                    i32.ne
                                    br_if 5 (;@11;)
                                    i32.const 33561628
                                    local.set 4
                                  end
                                  local.get 0
                                  i32.const 1
                                  i32.store8
                                  local.get 0
                                  local.get 4
                                  i64.load offset=12 align=4
                                  i64.store offset=4 align=4
                                  local.get 0
                                  local.get 4
                                  i32.load8_u offset=8
                                  i32.store8 offset=1
                                  return
                                end
                                local.get 1
                                i32.load16_u align=1
                                i32.const 25133
                                i32.ne
                                br_if 1 (;@13;)
                                i32.const 33561684
                                local.set 4
                                br 12 (;@2;)
                              end
                              i32.const 33561936
                              i32.const 4
                              local.get 3
                              select
                              local.tee 4
                              i32.const 120
                              i32.const 0
                              local.get 3
                              select
                              i32.add
                              local.set 5
                              local.get 2
                              i32.const 3
                              i32.ne
                              br_if 7 (;@6;)
                              local.get 1
                              i32.load16_u align=1
                              i32.const 29485
                              i32.xor
                              local.get 1
                              i32.const 2
                              i32.add
                              local.tee 6
                              i32.load8_u
                              i32.const 99
                              i32.xor
                              i32.or
                              i32.const 65535
                              i32.and
                              br_if 1 (;@12;)
                              i32.const 33561696
                              local.set 4
                              br 11 (;@2;)
                            end
                            local.get 1
                            i32.load16_u align=1
                            i32.const 29741
                            i32.eq
                            br_if 7 (;@5;)
                            i32.const 33561936
                            i32.const 4
                            local.get 3
                            select
                            local.tee 4
                            i32.const 120
                            i32.const 0
                            local.get 3
                            select
                            i32.add
                            local.set 5
                            br 6 (;@6;)
                          end
                          local.get 1
                          i32.load16_u align=1
                          i32.const 28205
                          i32.xor
                          local.get 6
                          i32.load8_u
                          i32.const 116
                          i32.xor
                          i32.or
                          i32.const 65535
                          i32.and
                          br_if 1 (;@10;)
                          i32.const 33561720
                          local.set 4
                          br 9 (;@2;)
                        end
                        local.get 1
                        i32.load align=1
                        i32.const 1667722797
                        i32.ne
                        br_if 1 (;@9;)
                        i32.const 33561744
                        local.set 4
                        br 8 (;@2;)
                      end
                      block ;; label = @10
                        local.get 1
                        i32.load16_u align=1
                        i32.const 26413
                        i32.xor
                        local.get 1
                        i32.const 2
                        i32.add
                        local.tee 6
                        i32.load8_u
                        i32.const 99
                        i32.xor
                        i32.or
                        i32.const 65535
                        i32.and
                        br_if 0 (;@10;)
                        i32.const 33561732
                        local.set 4
                        br 8 (;@2;)
                      end
                      local.get 1
                      i32.load16_u align=1
                      i32.const 29485
                      i32.xor
                      local.get 6
                      i32.load8_u
                      i32.const 116
                      i32.xor
                      i32.or
                      i32.const 65535
                      i32.and
                      br_if 1 (;@8;)
                      i32.const 33561756
                      local.set 4
                      br 7 (;@2;)
                    end
                    local.get 1
                    i32.load align=1
                    i32.const 1953721901
                    i32.ne
                    br_if 1 (;@7;)
                    i32.const 33561768
                    local.set 4
                    br 6 (;@2;)
                  end
                  local.get 1
                  i32.load16_u align=1
                  i32.const 28205
                  i32.xor
                  local.get 1
                  i32.const 2
                  i32.add
                  i32.load8_u
                  i32.const 114
                  i32.xor
                  i32.or
                  i32.const 65535
                  i32.and
                  br_if 1 (;@6;)
                  i32.const 33561780
                  local.set 4
                  br 5 (;@2;)
                end
                block ;; label = @7
                  local.get 1
                  i32.load align=1
                  i32.const 1835231021
                  i32.ne
                  br_if 0 (;@7;)
                  i32.const 33561792
                  local.set 4
                  br 5 (;@2;)
                end
                local.get 1
                i32.load align=1
                i32.const 1667458861
                i32.eq
                br_if 3 (;@3;)
                i32.const 33561936
                i32.const 4
                local.get 3
                select
                local.tee 4
                i32.const 120
                i32.const 0
                local.get 3
                select
                i32.add
                local.set 5
              end
              local.get 3
              i32.eqz
              br_if 1 (;@4;)
              loop ;; label = @6
                block ;; label = @7
                  local.get 4
                  i32.const 4
                  i32.add
                  i32.load
                  local.get 2
                  i32.ne
                  br_if 0 (;@7;)
                  local.get 4
                  i32.load
                  local.get 1
                  local.get 2
                  call $memcmp
                  i32.eqz
                  br_if 5 (;@2;)
                end
                local.get 4
                i32.const 12
                i32.add
                local.tee 4
                local.get 5
                i32.ne
                br_if 0 (;@6;)
              end
              i32.const 12
              local.set 4
              block ;; label = @6
                block ;; label = @7
                  local.get 2
                  i32.const 12
                  i32.lt_u
                  br_if 0 (;@7;)
                  block ;; label = @8
                    local.get 1
                    i64.load align=1
                    i64.const 8247343456400649517
                    i64.xor
                    local.get 1
                    i32.const 8
                    i32.add
                    i64.load32_u align=1
                    i64.const 1030976357
                    i64.xor
                    i64.or
                    i64.eqz
                    i32.eqz
                    br_if 0 (;@8;)
                    i32.const 33562128
                    local.set 5
                    br 7 (;@1;)
                  end
                  i32.const 17
                  local.set 4
                  local.get 2
                  i32.const 17
                  i32.lt_u
                  br_if 1 (;@6;)
                  local.get 1
                  i64.load align=1
                  i64.const 8247617492460383533
                  i64.xor
                  local.get 1
                  i32.const 8
                  i32.add
                  i64.load align=1
                  i64.const 8319683848551214437
                  i64.xor
                  i64.or
                  local.get 1
                  i32.const 16
                  i32.add
                  i64.load8_u
                  i64.const 61
                  i64.xor
                  i64.or
                  i64.eqz
                  i32.eqz
                  br_if 1 (;@6;)
                  i32.const 33562140
                  local.set 5
                  br 6 (;@1;)
                end
                local.get 2
                i32.const 7
                i32.lt_u
                br_if 2 (;@4;)
              end
              block ;; label = @6
                local.get 1
                i32.load align=1
                i32.const 1701326125
                i32.xor
                local.get 1
                i32.const 3
                i32.add
                i32.load align=1
                i32.const 1030775141
                i32.xor
                i32.or
                br_if 0 (;@6;)
                i32.const 7
                local.set 4
                i32.const 33562152
                local.set 5
                br 5 (;@1;)
              end
              i32.const 8
              local.set 4
              local.get 2
              i32.const 8
              i32.lt_u
              br_if 1 (;@4;)
              block ;; label = @6
                local.get 1
                i64.load align=1
                i64.const 4425740329038327085
                i64.ne
                br_if 0 (;@6;)
                i32.const 33562164
                local.set 5
                br 5 (;@1;)
              end
              i32.const 15
              local.set 4
              block ;; label = @6
                block ;; label = @7
                  local.get 2
                  i32.const 15
                  i32.lt_u
                  br_if 0 (;@7;)
                  local.get 1
                  i64.load align=1
                  i64.const 7308895138223566125
                  i64.xor
                  local.get 1
                  i32.const 7
                  i32.add
                  i64.load align=1
                  i64.const 4425740329038327141
                  i64.xor
                  i64.or
                  i64.eqz
                  i32.eqz
                  br_if 1 (;@6;)
                  i32.const 33562176
                  local.set 5
                  br 6 (;@1;)
                end
                local.get 2
                i32.const 10
                i32.lt_u
                br_if 2 (;@4;)
              end
              local.get 1
              i64.load align=1
              i64.const 8243121628405181741
              i64.xor
              local.get 1
              i32.const 8
              i32.add
              i64.load16_u align=1
              i64.const 15737
              i64.xor
              i64.or
              i64.eqz
              i32.eqz
              br_if 1 (;@4;)
              i32.const 10
              local.set 4
              i32.const 33562188
              local.set 5
              br 4 (;@1;)
            end
            i32.const 33561708
            local.set 4
            br 2 (;@2;)
          end
          local.get 0
          i32.const 2
          i32.store8
          return
        end
        i32.const 33561804
        local.set 4
      end
      local.get 4
      i32.load8_u offset=9
      local.set 2
      block ;; label = @2
        block ;; label = @3
          block ;; label = @4
            block ;; label = @5
              block ;; label = @6
                block ;; label = @7
                  block ;; label = @8
                    block ;; label = @9
                      block ;; label = @10
                        block ;; label = @11
                          block ;; label = @12
                            block ;; label = @13
                              block ;; label = @14
                                block ;; label = @15
                                  local.get 4
                                  i32.load8_u offset=8
                                  br_table 0 (;@15;) 1 (;@14;) 2 (;@13;) 3 (;@12;) 4 (;@11;) 13 (;@2;) 5 (;@10;) 6 (;@9;) 7 (;@8;) 8 (;@7;) 9 (;@6;) 10 (;@5;) 11 (;@4;) 12 (;@3;) 0 (;@15;)
                                end
                                i32.const 0
                                local.get 2
                                i32.const 1
                                i32.and
                                i32.store8 offset=33920325
                                br 12 (;@2;)
                              end
                              i32.const 0
                              local.get 2
                              i32.const 1
                              i32.and
                              i32.store8 offset=33920328
                              br 11 (;@2;)
                            end
                            i32.const 0
                            local.get 2
                            i32.const 1
                            i32.and
                            i32.store8 offset=33570460
                            br 10 (;@2;)
                          end
                          i32.const 0
                          local.get 2
                          i32.const 1
                          i32.and
                          i32.store8 offset=33920329
                          br 9 (;@2;)
                        end
                        i32.const 0
                        i32.const 1
                        i32.store8 offset=33920326
                        br 8 (;@2;)
                      end
                      i32.const 0
                      i32.const 1
                      i32.store8 offset=33920331
                      br 7 (;@2;)
                    end
                    i32.const 0
                    i32.const 1
                    i32.store8 offset=33570461
                    br 6 (;@2;)
                  end
                  i32.const 0
                  i32.const 1
                  i32.store8 offset=33570463
                  br 5 (;@2;)
                end
                i32.const 0
                i32.const 1
                i32.store8 offset=33920330
                br 4 (;@2;)
              end
              i32.const 0
              i32.const 1
              i32.store8 offset=33920327
              br 3 (;@2;)
            end
            i32.const 0
            i32.const 1
            i32.store offset=33570456
            br 2 (;@2;)
          end
          i32.const 0
          local.get 2
          i32.const 1
          i32.and
          i32.store8 offset=33570464
          br 1 (;@2;)
        end
        i32.const 0
        local.get 2
        i32.store8 offset=33920324
      end
      local.get 0
      i32.const 0
      i32.store8
      return
    end
    local.get 0
    local.get 5
    i32.load8_u offset=8
    local.get 1
    local.get 4
    i32.add
    local.get 2
    local.get 4
    i32.sub
    call $rt::base::options::apply_value
  )
  (func $rt::base::options::apply_value (;40;) (type 7) (param i32 i32 i32 i32)
    (local i32 i32 i64 i32 i32 i32 i64)
    global.get 0
    i32.const 16
    i32.sub
    local.tee 4
    global.set 0
    i32.const 0
    local.set 5
    block ;; label = @1
      block ;; label = @2
        local.get 3
        br_if 0 (;@2;)
        i64.const 0
        local.set 6
        br 1 (;@1;)
      end
      local.get 2
      local.get 3
      i32.add
      local.set 7
      local.get 3
      local.set 8
      i64.const 0
      local.set 6
      loop ;; label = @2
        block ;; label = @3
          local.get 2
          i32.load8_u
          i32.const -48
          i32.add
          local.tee 9
          i32.const 255
          i32.and
          i32.const 10
          i32.lt_u
          br_if 0 (;@3;)
          local.get 8
          local.set 5
          br 2 (;@1;)
        end
        local.get 4
        local.get 6
        i64.const 0
        i64.const 10
        i64.const 0
        call $__multi3
        block ;; label = @3
          block ;; label = @4
            local.get 4
            i64.load offset=8
            i64.const 0
            i64.ne
            br_if 0 (;@4;)
            local.get 4
            i64.load
            local.set 6
            br 1 (;@3;)
          end
          i64.const -1
          local.set 6
        end
        local.get 2
        i32.const 1
        i32.add
        local.set 2
        i64.const -1
        local.get 6
        local.get 9
        i64.extend_i32_u
        i64.const 255
        i64.and
        i64.add
        local.tee 10
        local.get 10
        local.get 6
        i64.lt_u
        select
        local.set 6
        local.get 8
        i32.const -1
        i32.add
        local.tee 8
        br_if 0 (;@2;)
      end
      local.get 7
      local.set 2
    end
    block ;; label = @1
      block ;; label = @2
        block ;; label = @3
          local.get 5
          local.get 3
          i32.ne
          br_if 0 (;@3;)
          i32.const 27
          local.set 8
          i32.const 33562218
          local.set 9
          br 1 (;@2;)
        end
        i32.const 18
        local.set 8
        i32.const 33562200
        local.set 9
        block ;; label = @3
          block ;; label = @4
            local.get 5
            br_table 1 (;@3;) 0 (;@4;) 2 (;@2;)
          end
          block ;; label = @4
            block ;; label = @5
              block ;; label = @6
                local.get 2
                i32.load8_u
                i32.const -75
                i32.add
                br_table 0 (;@6;) 4 (;@2;) 1 (;@5;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 4 (;@2;) 0 (;@6;) 4 (;@2;) 1 (;@5;) 4 (;@2;)
              end
              local.get 6
              i64.const 18014398509481983
              i64.gt_u
              br_if 1 (;@4;)
              local.get 6
              i64.const 10
              i64.shl
              local.set 6
              br 2 (;@3;)
            end
            local.get 6
            i64.const 17592186044415
            i64.gt_u
            br_if 0 (;@4;)
            local.get 6
            i64.const 20
            i64.shl
            local.set 6
            br 1 (;@3;)
          end
          i64.const -1
          local.set 6
        end
        i32.const 0
        local.set 2
        block ;; label = @3
          block ;; label = @4
            block ;; label = @5
              block ;; label = @6
                block ;; label = @7
                  block ;; label = @8
                    block ;; label = @9
                      local.get 1
                      i32.const 255
                      i32.and
                      br_table 0 (;@9;) 1 (;@8;) 2 (;@7;) 3 (;@6;) 8 (;@1;) 4 (;@5;) 5 (;@4;) 6 (;@3;) 0 (;@9;)
                    end
                    i32.const 0
                    local.set 2
                    i32.const 0
                    local.get 6
                    i64.store offset=33570432
                    br 7 (;@1;)
                  end
                  i32.const 0
                  local.set 2
                  i32.const 0
                  local.get 6
                  i64.store offset=33920304
                  br 6 (;@1;)
                end
                i32.const 0
                local.set 2
                i32.const 0
                local.get 6
                i64.store offset=33570440
                br 5 (;@1;)
              end
              i32.const 0
              local.set 2
              i32.const 0
              local.get 6
              i64.store offset=33570448
              br 4 (;@1;)
            end
            i32.const 0
            local.set 2
            i32.const 0
            local.get 6
            i64.const 4294967295
            local.get 6
            i64.const 4294967295
            i64.lt_u
            select
            i64.store32 offset=33570456
            br 3 (;@1;)
          end
          i32.const 0
          local.set 2
          i32.const 0
          local.get 6
          i32.wrap_i64
          i32.const 255
          i32.and
          i32.store offset=33920320
          br 2 (;@1;)
        end
        i32.const 0
        local.set 2
        i32.const 0
        local.get 6
        i64.store offset=33920312
        br 1 (;@1;)
      end
      local.get 0
      local.get 8
      i32.store offset=8
      local.get 0
      local.get 9
      i32.store offset=4
      i32.const 3
      local.set 2
    end
    local.get 0
    local.get 2
    i32.store8
    local.get 4
    i32.const 16
    i32.add
    global.set 0
  )
  (func $rt::base::options::refuse (;41;) (type 8) (param i32 i32)
    local.get 0
    local.get 1
    call $rt::base::console::put
    call $rt::base::console::flush
    i32.const 255
    call $"_<rt::sys::wasm::Wasm as rt::system::Host>::exit"
    unreachable
  )
  (func $rt::base::options::load_word (;42;) (type 7) (param i32 i32 i32 i32)
    (local i32 i32 i32 i32)
    i32.const 0
    local.set 4
    local.get 3
    i32.const 255
    i32.and
    local.set 5
    block ;; label = @1
      loop ;; label = @2
        block ;; label = @3
          local.get 1
          local.get 4
          i32.add
          local.tee 6
          i32.load8_u
          local.tee 3
          br_if 0 (;@3;)
          local.get 4
          local.set 3
          br 2 (;@1;)
        end
        block ;; label = @3
          local.get 5
          local.get 3
          i32.ne
          br_if 0 (;@3;)
          local.get 4
          local.set 3
          br 2 (;@1;)
        end
        local.get 2
        local.get 4
        i32.add
        local.tee 7
        local.get 3
        i32.store8
        block ;; label = @3
          local.get 6
          i32.const 1
          i32.add
          i32.load8_u
          local.tee 3
          i32.eqz
          br_if 0 (;@3;)
          local.get 5
          local.get 3
          i32.eq
          br_if 0 (;@3;)
          local.get 7
          i32.const 1
          i32.add
          local.get 3
          i32.store8
          i32.const 64
          local.set 3
          local.get 4
          i32.const 2
          i32.add
          local.tee 4
          i32.const 64
          i32.ne
          br_if 1 (;@2;)
          br 2 (;@1;)
        end
      end
      local.get 4
      i32.const 1
      i32.add
      local.set 3
    end
    local.get 0
    local.get 3
    i32.const 0
    local.get 3
    i32.const 65
    i32.lt_u
    local.tee 4
    select
    i32.store offset=4
    local.get 0
    local.get 2
    i32.const 1
    local.get 4
    select
    i32.store
  )
  (func $rt::counted::alloc_object (;43;) (type 4) (param i32) (result i32)
    (local i32 i32 i32 i32 i64 i64 i32)
    global.get 0
    i32.const 16
    i32.sub
    local.tee 1
    global.set 0
    local.get 0
    i32.const 2
    i32.shl
    local.tee 2
    local.get 0
    i32.const 10
    i32.shl
    i32.const -261120
    i32.add
    local.get 0
    i32.const 256
    i32.lt_u
    select
    local.set 0
    block ;; label = @1
      i32.const 0
      i32.load offset=33570672
      i32.const 1388
      i32.add
      local.tee 3
      i32.load align=1
      local.tee 4
      br_if 0 (;@1;)
      local.get 3
      i32.const 0
      i32.load offset=33570568
      i32.const 7
      i32.add
      i32.const -8
      i32.and
      local.tee 4
      i32.store align=1
      memory.size
      local.set 3
      i32.const 0
      i32.load offset=33570672
      i32.const 1392
      i32.add
      local.get 4
      i32.const 0
      i64.load offset=33570472
      local.tee 5
      local.get 3
      i64.extend_i32_u
      i64.const 16
      i64.shl
      local.tee 6
      local.get 5
      local.get 6
      i64.lt_u
      select
      i32.wrap_i64
      local.tee 3
      local.get 4
      local.get 3
      i32.gt_u
      select
      i32.store align=1
      i32.const 0
      i32.load offset=33570672
      i32.const 1388
      i32.add
      i32.load align=1
      local.set 4
    end
    block ;; label = @1
      block ;; label = @2
        local.get 0
        i32.eqz
        br_if 0 (;@2;)
        local.get 1
        i32.const 8
        i32.add
        local.get 4
        local.get 0
        i64.const 0
        i32.const 0
        i64.load offset=33570472
        local.tee 5
        local.get 4
        i64.extend_i32_u
        i64.sub
        local.tee 6
        local.get 6
        local.get 5
        i64.gt_u
        select
        local.get 0
        i64.extend_i32_u
        i64.div_u
        local.tee 5
        i32.const 32768
        local.get 0
        i32.div_u
        local.tee 3
        i32.const 1
        local.get 3
        i32.const 1
        i32.gt_u
        select
        i64.extend_i32_u
        local.tee 6
        local.get 5
        local.get 6
        i64.lt_u
        select
        call $rt::counted::reserve
        local.get 1
        i32.load offset=8
        i32.const 1
        i32.ne
        br_if 1 (;@1;)
        block ;; label = @3
          local.get 1
          i32.load offset=12
          local.tee 7
          local.get 0
          i32.mul
          local.tee 3
          i32.eqz
          br_if 0 (;@3;)
          local.get 4
          i32.const 0
          local.get 3
          memory.fill
        end
        local.get 3
        local.get 4
        i32.add
        local.tee 3
        local.get 0
        i32.sub
        i32.const 0
        local.get 3
        i32.sub
        i32.store align=1
        local.get 2
        i32.const 0
        i32.load offset=33570672
        i32.add
        i32.const 104
        i32.add
        local.get 4
        local.get 0
        i32.add
        i32.const 0
        local.get 7
        i32.const 1
        i32.gt_u
        select
        i32.store align=1
        i32.const 0
        i32.load offset=33570672
        i32.const 1388
        i32.add
        local.get 3
        i32.store align=1
        i64.const 0
        local.set 5
        block ;; label = @3
          local.get 3
          i64.extend_i32_u
          i32.const 0
          i64.load32_u offset=33570568
          i64.sub
          local.tee 6
          i32.const 0
          i32.load offset=33570588
          i32.const 3
          i32.mul
          local.tee 0
          i64.extend_i32_u
          i64.lt_u
          br_if 0 (;@3;)
          i32.const 0
          local.get 0
          i32.const 0
          i32.load offset=33570584
          i32.const 0
          i32.load offset=33570580
          i32.sub
          i32.const 3
          i32.mul
          i32.sub
          local.tee 3
          local.get 3
          local.get 0
          i32.gt_u
          select
          i64.extend_i32_u
          local.set 5
        end
        block ;; label = @3
          local.get 6
          local.get 5
          i64.sub
          local.tee 5
          i32.const 0
          i64.load offset=33570320
          i64.le_u
          br_if 0 (;@3;)
          i32.const 0
          local.get 5
          i64.store offset=33570320
        end
        local.get 1
        i32.const 16
        i32.add
        global.set 0
        local.get 4
        return
      end
      call $Oqx2N::core::panicking::panic_const::panic_const_div_by_zero
      unreachable
    end
    i32.const 33554793
    i32.const 11
    call $"#func27 rt::base::error::fail_with"
    unreachable
  )
  (func $rt::counted::reserve (;44;) (type 10) (param i32 i32 i32 i64)
    (local i32 i64 i64 i64 i64 i64 i64)
    i32.const 0
    local.set 4
    block ;; label = @1
      block ;; label = @2
        local.get 3
        i64.const 0
        i64.ne
        br_if 0 (;@2;)
        br 1 (;@1;)
      end
      block ;; label = @2
        local.get 3
        local.get 2
        i64.extend_i32_u
        local.tee 5
        i64.mul
        local.get 1
        i64.extend_i32_u
        local.tee 6
        i64.add
        local.tee 7
        i32.const 0
        i32.load offset=33570672
        i32.const 1392
        i32.add
        i64.load32_u align=1
        local.tee 8
        i64.le_u
        br_if 0 (;@2;)
        block ;; label = @3
          block ;; label = @4
            local.get 7
            i32.const 0
            i64.load offset=33570472
            local.tee 9
            local.get 7
            local.get 1
            i32.const 0
            i32.load offset=33570568
            i32.sub
            i32.const 2
            i32.shr_u
            local.tee 4
            i32.const 1048576
            local.get 4
            i32.const 1048576
            i32.gt_u
            select
            i64.extend_i32_u
            i64.add
            local.tee 10
            local.get 9
            local.get 10
            i64.lt_u
            select
            local.tee 10
            local.get 7
            local.get 10
            i64.gt_u
            select
            local.tee 10
            call $"_<rt::sys::wasm::Wasm as rt::system::Memory>::grow_to"
            i32.eqz
            br_if 0 (;@4;)
            local.get 10
            local.set 7
            br 1 (;@3;)
          end
          local.get 7
          call $"_<rt::sys::wasm::Wasm as rt::system::Memory>::grow_to"
          br_if 0 (;@3;)
          i64.const 1
          local.set 3
          local.get 5
          local.get 6
          i64.add
          local.tee 7
          local.get 8
          i64.le_u
          br_if 1 (;@2;)
          i32.const 0
          local.set 4
          i64.const 1
          local.set 3
          block ;; label = @4
            local.get 7
            local.get 9
            local.get 7
            local.get 1
            i32.const 0
            i32.load offset=33570568
            i32.sub
            i32.const 2
            i32.shr_u
            local.tee 1
            i32.const 1048576
            local.get 1
            i32.const 1048576
            i32.gt_u
            select
            i64.extend_i32_u
            i64.add
            local.tee 5
            local.get 9
            local.get 5
            i64.lt_u
            select
            local.tee 5
            local.get 7
            local.get 5
            i64.gt_u
            select
            local.tee 5
            call $"_<rt::sys::wasm::Wasm as rt::system::Memory>::grow_to"
            i32.eqz
            br_if 0 (;@4;)
            local.get 5
            local.set 7
            br 1 (;@3;)
          end
          local.get 7
          call $"_<rt::sys::wasm::Wasm as rt::system::Memory>::grow_to"
          i32.eqz
          br_if 2 (;@1;)
        end
        i32.const 0
        i32.load offset=33570672
        i32.const 1392
        i32.add
        local.get 7
        i64.store32 align=1
      end
      local.get 3
      i32.wrap_i64
      local.set 1
      i32.const 1
      local.set 4
    end
    local.get 0
    local.get 1
    i32.store offset=4
    local.get 0
    local.get 4
    i32.store
  )
  (func $Oqx2N::core::panicking::panic_const::panic_const_div_by_zero (;45;) (type 1)
    call $Oqx2N::core::panicking::panic_fmt
    unreachable
  )
  (func $rt_check_division (;46;) (type 11) (param i64 i64)
    block ;; label = @1
      local.get 1
      i64.const 1
      i64.add
      local.tee 1
      i64.const 1
      i64.gt_u
      br_if 0 (;@1;)
      block ;; label = @2
        block ;; label = @3
          local.get 1
          i32.wrap_i64
          br_table 1 (;@2;) 0 (;@3;) 1 (;@2;)
        end
        i32.const 33554737
        i32.const 26
        call $rt::base::error::fail_with
        unreachable
      end
      local.get 0
      i64.const -9223372036854775808
      i64.ne
      br_if 0 (;@1;)
      i32.const 33554763
      i32.const 30
      call $rt::base::error::fail_with
      unreachable
    end
  )
  (func $rt_counted_int_to_string (;47;) (type 9) (param i64) (result i32)
    (local i32 i32 i32 i32 i64 i32)
    global.get 0
    i32.const 64
    i32.sub
    local.tee 1
    global.set 0
    local.get 1
    i32.const 0
    i32.store offset=32
    local.get 1
    i64.const 0
    i64.store offset=24
    local.get 1
    i64.const 0
    i64.store offset=16
    local.get 1
    i64.const 0
    i64.store offset=8
    local.get 1
    i64.const 0
    i64.store
    block ;; label = @1
      block ;; label = @2
        local.get 0
        i64.const 0
        i64.lt_s
        br_if 0 (;@2;)
        i32.const 0
        local.set 2
        br 1 (;@1;)
      end
      i32.const 1
      local.set 2
      local.get 1
      i32.const 1
      i32.store offset=32
      local.get 1
      i32.const 45
      i32.store8
      i64.const 0
      local.get 0
      i64.sub
      local.set 0
    end
    local.get 1
    i32.const 0
    i32.store offset=56
    local.get 1
    i64.const 0
    i64.store offset=48
    local.get 1
    i64.const 0
    i64.store offset=40
    local.get 1
    i32.const 59
    i32.add
    local.set 3
    i32.const -1
    local.set 4
    block ;; label = @1
      loop ;; label = @2
        local.get 3
        local.get 0
        i64.const 10
        i64.div_u
        local.tee 5
        i64.const 246
        i64.mul
        local.get 0
        i64.add
        i32.wrap_i64
        i32.const 48
        i32.or
        i32.store8
        local.get 4
        local.tee 6
        i32.const 1
        i32.add
        local.set 4
        local.get 0
        i64.const 10
        i64.lt_u
        br_if 1 (;@1;)
        local.get 3
        i32.const -1
        i32.add
        local.set 3
        local.get 5
        local.set 0
        local.get 6
        i32.const 18
        i32.ne
        br_if 0 (;@2;)
      end
    end
    block ;; label = @1
      local.get 4
      i32.const 19
      i32.gt_u
      br_if 0 (;@1;)
      local.get 1
      i32.const 40
      i32.add
      local.get 4
      i32.sub
      i32.const 19
      i32.add
      local.tee 3
      i32.const 1
      local.get 4
      i32.const 20
      i32.lt_u
      local.tee 4
      select
      local.get 6
      i32.const 2
      i32.add
      i32.const 0
      local.get 4
      select
      i32.add
      local.set 4
      loop ;; label = @2
        block ;; label = @3
          local.get 2
          i32.const 31
          i32.gt_u
          br_if 0 (;@3;)
          local.get 1
          local.get 2
          i32.add
          local.get 3
          i32.load8_u
          i32.store8
          local.get 1
          local.get 1
          i32.load offset=32
          i32.const 1
          i32.add
          local.tee 2
          i32.store offset=32
        end
        local.get 3
        i32.const 1
        i32.add
        local.tee 3
        local.get 4
        i32.ne
        br_if 0 (;@2;)
      end
    end
    i32.const 24
    local.get 2
    i32.const 0
    local.get 2
    i32.const 33
    i32.lt_u
    local.tee 6
    select
    local.tee 3
    local.get 3
    call $rt::counted::new_row
    local.set 4
    block ;; label = @1
      local.get 3
      i32.eqz
      br_if 0 (;@1;)
      local.get 4
      i32.const 12
      i32.add
      local.get 1
      i32.const 1
      local.get 6
      select
      local.get 3
      memory.copy
    end
    local.get 1
    i32.const 64
    i32.add
    global.set 0
    local.get 4
  )
  (func $rt_counted_new_array (;48;) (type 9) (param i64) (result i32)
    (local i32 i32 i32 i32 i32 i32 i32)
    block ;; label = @1
      local.get 0
      i64.const 1006632961
      i64.ge_u
      br_if 0 (;@1;)
      i32.const 28
      local.get 0
      i32.wrap_i64
      local.tee 1
      local.get 1
      i32.const 2
      i32.shl
      call $rt::counted::new_row
      local.set 2
      block ;; label = @2
        local.get 0
        i64.eqz
        br_if 0 (;@2;)
        i32.const 0
        local.set 3
        i32.const 0
        i32.load offset=33570672
        i32.const 36
        i32.add
        i32.load align=1
        local.set 4
        local.get 1
        i32.const 3
        i32.and
        local.set 5
        block ;; label = @3
          local.get 0
          i64.const 4
          i64.lt_u
          br_if 0 (;@3;)
          block ;; label = @4
            block ;; label = @5
              block ;; label = @6
                local.get 1
                i32.const -4
                i32.add
                i32.const 2
                i32.shr_u
                local.tee 1
                br_if 0 (;@6;)
                i32.const 0
                local.set 3
                br 1 (;@5;)
              end
              local.get 1
              i32.const 1
              i32.add
              local.tee 1
              i32.const 1
              i32.and
              local.set 6
              local.get 1
              i32.const 2147483646
              i32.and
              local.set 7
              i32.const 0
              local.set 3
              loop ;; label = @6
                local.get 2
                local.get 3
                i32.add
                local.tee 1
                i32.const 40
                i32.add
                local.get 4
                i32.store align=1
                local.get 1
                i32.const 36
                i32.add
                local.get 4
                i32.store align=1
                local.get 1
                i32.const 32
                i32.add
                local.get 4
                i32.store align=1
                local.get 1
                i32.const 28
                i32.add
                local.get 4
                i32.store align=1
                local.get 1
                i32.const 24
                i32.add
                local.get 4
                i32.store align=1
                local.get 1
                i32.const 20
                i32.add
                local.get 4
                i32.store align=1
                local.get 1
                i32.const 16
                i32.add
                local.get 4
                i32.store align=1
                local.get 1
                i32.const 12
                i32.add
                local.get 4
                i32.store align=1
                local.get 3
                i32.const 32
                i32.add
                local.set 3
                local.get 7
                i32.const -2
                i32.add
                local.tee 7
                br_if 0 (;@6;)
              end
              local.get 6
              i32.eqz
              br_if 1 (;@4;)
            end
            local.get 2
            i32.const 12
            i32.add
            local.get 3
            i32.add
            local.tee 1
            local.get 4
            i32.store align=1
            local.get 1
            i32.const 4
            i32.add
            local.get 4
            i32.store align=1
            local.get 1
            i32.const 8
            i32.add
            local.get 4
            i32.store align=1
            local.get 1
            i32.const 12
            i32.add
            local.get 4
            i32.store align=1
            local.get 3
            i32.const 16
            i32.add
            local.set 3
          end
          local.get 5
          i32.eqz
          br_if 1 (;@2;)
        end
        local.get 2
        local.get 3
        i32.add
        i32.const 12
        i32.add
        local.set 1
        loop ;; label = @3
          local.get 1
          local.get 4
          i32.store align=1
          local.get 1
          i32.const 4
          i32.add
          local.set 1
          local.get 5
          i32.const -1
          i32.add
          local.tee 5
          br_if 0 (;@3;)
        end
      end
      local.get 2
      return
    end
    i32.const 33554793
    i32.const 11
    call $"#func27 rt::base::error::fail_with"
    unreachable
  )
  (func $rt_counted_new_words (;49;) (type 9) (param i64) (result i32)
    (local i32 i32)
    block ;; label = @1
      local.get 0
      i64.const 1006632961
      i64.ge_u
      br_if 0 (;@1;)
      i32.const 24
      local.get 0
      i32.wrap_i64
      i32.const 2
      i32.shl
      local.tee 1
      local.get 1
      call $rt::counted::new_row
      local.set 2
      block ;; label = @2
        local.get 1
        i32.eqz
        br_if 0 (;@2;)
        local.get 2
        i32.const 12
        i32.add
        i32.const 0
        local.get 1
        memory.fill
      end
      local.get 2
      return
    end
    i32.const 33554793
    i32.const 11
    call $"#func27 rt::base::error::fail_with"
    unreachable
  )
  (func $rt_counted_panic (;50;) (type 2) (param i32)
    (local i32 i32 i32 i32 i32 i32 i32 i32 i32)
    global.get 0
    i32.const 368
    i32.sub
    local.tee 1
    global.set 0
    call $rt::base::console::flush
    local.get 0
    i32.const 8
    i32.add
    i32.load align=1
    local.set 2
    local.get 1
    i32.const 12
    i32.add
    i32.const 0
    i32.const 256
    memory.fill
    block ;; label = @1
      local.get 2
      i32.eqz
      br_if 0 (;@1;)
      local.get 0
      i32.const 12
      i32.add
      local.set 3
      local.get 1
      i32.const 304
      i32.add
      local.set 0
      i32.const 0
      local.set 4
      loop ;; label = @2
        block ;; label = @3
          local.get 2
          local.get 4
          i32.sub
          local.tee 5
          i32.const 256
          local.get 5
          i32.const 256
          i32.lt_u
          select
          local.tee 6
          i32.eqz
          br_if 0 (;@3;)
          local.get 1
          i32.const 12
          i32.add
          local.get 3
          local.get 4
          i32.add
          local.get 6
          memory.copy
        end
        block ;; label = @3
          local.get 2
          local.get 4
          i32.eq
          br_if 0 (;@3;)
          local.get 1
          i32.const 12
          i32.add
          local.set 7
          local.get 6
          local.set 8
          loop ;; label = @4
            local.get 1
            local.get 8
            i32.store offset=272
            local.get 1
            local.get 7
            i32.store offset=268
            local.get 1
            i32.const 0
            i32.store offset=276
            loop ;; label = @5
              block ;; label = @6
                i32.const 2
                local.get 1
                i32.const 268
                i32.add
                i32.const 1
                local.get 1
                i32.const 276
                i32.add
                call $fd_write
                local.tee 5
                i32.const 6
                i32.eq
                br_if 0 (;@6;)
                block ;; label = @7
                  local.get 5
                  i32.eqz
                  br_if 0 (;@7;)
                  block ;; label = @8
                    local.get 5
                    i32.const 29
                    i32.eq
                    br_if 0 (;@8;)
                    local.get 5
                    i32.const 64
                    i32.ne
                    br_if 5 (;@3;)
                  end
                  i32.const 1
                  call $proc_exit
                  unreachable
                end
                local.get 1
                i32.load offset=276
                local.tee 5
                i32.eqz
                br_if 3 (;@3;)
                i32.const 1
                local.get 7
                local.get 5
                i32.add
                local.get 8
                local.get 5
                i32.lt_u
                select
                local.set 7
                local.get 8
                local.get 5
                i32.gt_u
                local.set 9
                i32.const 0
                local.get 8
                local.get 5
                i32.sub
                local.tee 5
                local.get 5
                local.get 8
                i32.gt_u
                select
                local.set 8
                local.get 9
                br_if 2 (;@4;)
                br 3 (;@3;)
              end
              local.get 0
              i64.const 0
              i64.store
              local.get 0
              i64.const 0
              i64.store offset=8
              local.get 0
              i64.const 0
              i64.store offset=16
              local.get 1
              i64.const 2
              i64.store offset=296
              local.get 1
              i64.const 2
              i64.store offset=288
              local.get 1
              i64.const 0
              i64.store offset=280
              local.get 1
              i64.const 0
              i64.store offset=352
              local.get 1
              i64.const 0
              i64.store offset=344
              local.get 1
              i64.const 0
              i64.store offset=336
              local.get 1
              i64.const 0
              i64.store offset=328
              local.get 1
              i32.const 0
              i32.store offset=364
              local.get 1
              i32.const 280
              i32.add
              local.get 1
              i32.const 328
              i32.add
              i32.const 1
              local.get 1
              i32.const 364
              i32.add
              call $poll_oneoff
              drop
              br 0 (;@5;)
            end
          end
        end
        local.get 6
        local.get 4
        i32.add
        local.tee 4
        local.get 2
        i32.lt_u
        br_if 0 (;@2;)
      end
    end
    i32.const 33554820
    i32.const 1
    call $rt::base::error::fail_with
    unreachable
  )
  (func $rt_counted_print_string (;51;) (type 2) (param i32)
    local.get 0
    i32.const 12
    i32.add
    local.get 0
    i32.const 8
    i32.add
    i32.load align=1
    call $rt::base::console::put_memory
  )
  (func $rt_embedded (;52;) (type 2) (param i32)
    i32.const 0
    i32.const 2
    i32.store8 offset=33920324
    i32.const 0
    local.get 0
    i64.extend_i32_u
    i64.store offset=33920312
  )
  (func $rt_flush (;53;) (type 1)
    call $rt::base::console::flush
    call $rt_part_files
  )
  (func $rt_main (;54;) (type 2) (param i32)
    (local i32 i32 i32 i32 i32 i32 i32 i64 i64)
    global.get 0
    i32.const 176
    i32.sub
    local.tee 1
    global.set 0
    i32.const 0
    local.get 0
    i32.store offset=33570672
    local.get 0
    i32.const 88
    i32.add
    i32.load align=1
    local.set 2
    local.get 0
    i32.load align=1
    local.set 3
    i32.const 0
    local.get 0
    i32.const 84
    i32.add
    i32.load align=1
    local.tee 4
    i32.const 0
    i32.load8_u offset=33920325
    i32.or
    i32.const 1
    i32.and
    i32.store8 offset=33920325
    i32.const 0
    local.get 4
    i32.const 6
    i32.shr_u
    i32.const 1
    i32.and
    i32.store8 offset=33570462
    i32.const 0
    local.get 4
    i32.const 2
    i32.and
    i32.const 1
    i32.shr_u
    i32.const 0
    i32.load8_u offset=33920326
    i32.or
    i32.store8 offset=33920326
    i32.const 0
    local.get 4
    i32.const 4
    i32.and
    i32.const 2
    i32.shr_u
    i32.const 0
    i32.load8_u offset=33920327
    i32.or
    i32.store8 offset=33920327
    i32.const 0
    local.get 4
    i32.const 8
    i32.and
    i32.const 3
    i32.shr_u
    i32.const 0
    i32.load8_u offset=33920328
    i32.or
    i32.store8 offset=33920328
    i32.const 0
    local.get 4
    i32.const 16
    i32.and
    i32.const 4
    i32.shr_u
    i32.const 0
    i32.load8_u offset=33570460
    i32.or
    i32.store8 offset=33570460
    local.get 3
    i32.const 7
    i32.add
    local.set 4
    block ;; label = @1
      local.get 2
      i32.eqz
      br_if 0 (;@1;)
      i32.const 0
      local.get 2
      i64.extend_i32_u
      i64.store offset=33570432
    end
    local.get 4
    i32.const -8
    i32.and
    local.set 5
    local.get 1
    i32.const 0
    i32.store offset=32
    local.get 1
    i32.const 0
    i32.store offset=112
    local.get 1
    i32.const 32
    i32.add
    local.get 1
    i32.const 112
    i32.add
    call $environ_sizes_get
    local.set 4
    block ;; label = @1
      i32.const 0
      local.get 1
      i32.load offset=32
      local.get 4
      select
      local.tee 2
      i32.eqz
      br_if 0 (;@1;)
      local.get 2
      i32.const 2
      i32.shl
      local.get 5
      i32.add
      local.tee 3
      i64.extend_i32_u
      i32.const 0
      local.get 1
      i32.load offset=112
      local.get 4
      select
      i64.extend_i32_u
      i64.add
      call $"_<rt::sys::wasm::Wasm as rt::system::Memory>::grow_to"
      i32.eqz
      br_if 0 (;@1;)
      local.get 5
      local.get 3
      call $environ_get
      br_if 0 (;@1;)
      local.get 5
      local.set 4
      block ;; label = @2
        loop ;; label = @3
          local.get 1
          i64.const 0
          i64.store offset=88
          local.get 1
          i64.const 0
          i64.store offset=80
          local.get 1
          i64.const 0
          i64.store offset=72
          local.get 1
          i64.const 0
          i64.store offset=64
          local.get 1
          i64.const 0
          i64.store offset=56
          local.get 1
          i64.const 0
          i64.store offset=48
          local.get 1
          i64.const 0
          i64.store offset=40
          local.get 1
          i64.const 0
          i64.store offset=32
          local.get 1
          i32.const 24
          i32.add
          local.get 4
          i32.load
          local.tee 3
          local.get 1
          i32.const 32
          i32.add
          i32.const 0
          call $rt::base::options::load_word
          block ;; label = @4
            local.get 1
            i32.load offset=28
            i32.const 11
            i32.lt_u
            br_if 0 (;@4;)
            local.get 1
            i32.load offset=24
            local.tee 6
            i64.load align=1
            i64.const 5935539070662167619
            i64.xor
            local.get 6
            i32.const 3
            i32.add
            i64.load align=1
            i64.const 4418968372143019585
            i64.xor
            i64.or
            i64.eqz
            br_if 2 (;@2;)
          end
          local.get 4
          i32.const 4
          i32.add
          local.set 4
          local.get 2
          i32.const -1
          i32.add
          local.tee 2
          br_if 0 (;@3;)
          br 2 (;@1;)
        end
      end
      local.get 3
      i32.const 11
      i32.add
      local.set 4
      i32.const 8
      local.set 3
      loop ;; label = @2
        block ;; label = @3
          local.get 4
          i32.load8_u
          local.tee 2
          i32.const 32
          i32.eq
          br_if 0 (;@3;)
          block ;; label = @4
            local.get 2
            br_if 0 (;@4;)
            local.get 3
            i32.const 255
            i32.and
            i32.const 8
            i32.eq
            br_if 3 (;@1;)
            local.get 6
            local.get 7
            call $rt::base::options::refuse
            unreachable
          end
          local.get 1
          i64.const 0
          i64.store offset=168
          local.get 1
          i64.const 0
          i64.store offset=160
          local.get 1
          i64.const 0
          i64.store offset=152
          local.get 1
          i64.const 0
          i64.store offset=144
          local.get 1
          i64.const 0
          i64.store offset=136
          local.get 1
          i64.const 0
          i64.store offset=128
          local.get 1
          i64.const 0
          i64.store offset=120
          local.get 1
          i64.const 0
          i64.store offset=112
          local.get 1
          i32.const 16
          i32.add
          local.get 4
          local.get 1
          i32.const 112
          i32.add
          i32.const 32
          call $rt::base::options::load_word
          local.get 1
          i32.load offset=20
          local.set 2
          local.get 1
          i32.load offset=16
          local.set 6
          block ;; label = @4
            block ;; label = @5
              local.get 3
              i32.const 255
              i32.and
              i32.const 8
              i32.eq
              br_if 0 (;@5;)
              local.get 1
              i32.const 100
              i32.add
              local.get 3
              local.get 6
              local.get 2
              call $rt::base::options::apply_value
              br 1 (;@4;)
            end
            local.get 1
            i32.const 100
            i32.add
            local.get 6
            local.get 2
            i32.const 1
            call $rt::base::options::apply_word
          end
          i32.const 8
          local.set 3
          block ;; label = @4
            block ;; label = @5
              block ;; label = @6
                block ;; label = @7
                  local.get 1
                  i32.load8_u offset=100
                  br_table 1 (;@6;) 0 (;@7;) 2 (;@5;) 3 (;@4;) 1 (;@6;)
                end
                local.get 1
                i32.load offset=108
                local.set 7
                local.get 1
                i32.load offset=104
                local.set 6
                local.get 1
                i32.load8_u offset=101
                local.set 3
              end
              local.get 2
              local.get 4
              i32.add
              local.set 4
              br 3 (;@2;)
            end
            i32.const 33562200
            i32.const 18
            call $rt::base::options::refuse
            unreachable
          end
          local.get 1
          i32.load offset=104
          local.get 1
          i32.load offset=108
          call $rt::base::options::refuse
          unreachable
        end
        local.get 4
        i32.const 1
        i32.add
        local.set 4
        br 0 (;@2;)
      end
    end
    block ;; label = @1
      i32.const 0
      i32.load8_u offset=33920327
      br_if 0 (;@1;)
      local.get 1
      i32.const 0
      i32.store offset=32
      local.get 1
      i32.const 0
      i32.store offset=112
      local.get 1
      i32.const 32
      i32.add
      local.get 1
      i32.const 112
      i32.add
      call $args_sizes_get
      local.set 4
      i32.const 0
      local.get 1
      i32.load offset=32
      local.get 4
      select
      local.tee 2
      i32.const 2
      i32.lt_u
      br_if 0 (;@1;)
      local.get 2
      i32.const 2
      i32.shl
      local.get 5
      i32.add
      local.tee 3
      i64.extend_i32_u
      i32.const 0
      local.get 1
      i32.load offset=112
      local.get 4
      select
      i64.extend_i32_u
      i64.add
      call $"_<rt::sys::wasm::Wasm as rt::system::Memory>::grow_to"
      i32.eqz
      br_if 0 (;@1;)
      local.get 5
      local.get 3
      call $args_get
      br_if 0 (;@1;)
      i32.const 1
      local.set 3
      block ;; label = @2
        block ;; label = @3
          loop ;; label = @4
            local.get 1
            i64.const 0
            i64.store offset=168
            local.get 1
            i64.const 0
            i64.store offset=160
            local.get 1
            i64.const 0
            i64.store offset=152
            local.get 1
            i64.const 0
            i64.store offset=144
            local.get 1
            i64.const 0
            i64.store offset=136
            local.get 1
            i64.const 0
            i64.store offset=128
            local.get 1
            i64.const 0
            i64.store offset=120
            local.get 1
            i64.const 0
            i64.store offset=112
            local.get 1
            i32.const 8
            i32.add
            local.get 3
            i32.const 2
            i32.shl
            local.get 5
            i32.add
            i32.load
            local.get 1
            i32.const 112
            i32.add
            i32.const 0
            call $rt::base::options::load_word
            local.get 1
            i32.const 32
            i32.add
            local.get 1
            i32.load offset=8
            local.get 1
            i32.load offset=12
            i32.const 0
            call $rt::base::options::apply_word
            block ;; label = @5
              block ;; label = @6
                block ;; label = @7
                  block ;; label = @8
                    local.get 1
                    i32.load8_u offset=32
                    local.tee 6
                    i32.const 1
                    i32.eq
                    br_if 0 (;@8;)
                    local.get 3
                    local.set 4
                    br 1 (;@7;)
                  end
                  local.get 3
                  i32.const 1
                  i32.add
                  local.tee 4
                  local.get 2
                  i32.ge_u
                  br_if 1 (;@6;)
                  local.get 1
                  i32.load8_u offset=33
                  local.set 3
                  local.get 1
                  local.get 4
                  i32.const 2
                  i32.shl
                  local.get 5
                  i32.add
                  i32.load
                  local.get 1
                  i32.const 112
                  i32.add
                  i32.const 0
                  call $rt::base::options::load_word
                  local.get 1
                  i32.const 32
                  i32.add
                  local.get 3
                  local.get 1
                  i32.load
                  local.get 1
                  i32.load offset=4
                  call $rt::base::options::apply_value
                  local.get 1
                  i32.load8_u offset=32
                  local.set 6
                end
                local.get 6
                i32.const 255
                i32.and
                i32.const -2
                i32.add
                br_table 3 (;@3;) 0 (;@6;) 1 (;@5;)
              end
              local.get 1
              i32.load offset=36
              local.get 1
              i32.load offset=40
              call $rt::base::options::refuse
              unreachable
            end
            local.get 4
            i32.const 1
            i32.add
            local.tee 3
            local.get 2
            i32.lt_u
            br_if 0 (;@4;)
            br 2 (;@2;)
          end
        end
        local.get 4
        i32.const -1
        i32.add
        local.set 4
      end
      i32.const 0
      local.get 4
      i32.store offset=33920336
    end
    i32.const 0
    local.get 0
    i32.store offset=33570672
    i32.const 0
    i32.load8_u offset=33920328
    local.set 4
    block ;; label = @1
      i32.const 0
      i32.load offset=33570676
      local.tee 0
      br_if 0 (;@1;)
      i32.const 0
      i32.const 33488896
      i32.const 0
      i64.load offset=33920304
      local.tee 8
      i64.const 33488896
      local.get 8
      i64.const 33488896
      i64.lt_u
      select
      i32.wrap_i64
      i32.const 33554424
      i32.and
      local.get 8
      i64.eqz
      select
      local.tee 0
      i32.store offset=33570676
    end
    block ;; label = @1
      block ;; label = @2
        local.get 4
        i32.const 1
        i32.and
        br_if 0 (;@2;)
        i32.const 0
        i32.const 0
        i32.load8_u offset=33570463
        i32.const 0
        i32.load8_u offset=33920331
        i32.or
        i32.store8 offset=33570463
        br 1 (;@1;)
      end
      i32.const 0
      i32.const 1
      i32.store8 offset=33570463
      local.get 1
      i64.const 0
      i64.store offset=112
      i32.const 1
      i64.const 1000
      local.get 1
      i32.const 112
      i32.add
      call $clock_time_get
      drop
      i32.const 0
      local.get 1
      i64.load offset=112
      i64.store offset=33570696
    end
    i32.const 1
    local.set 4
    i32.const -1
    local.set 2
    block ;; label = @1
      i32.const 0
      i32.load8_u offset=33920324
      local.tee 3
      i32.const 1
      i32.eq
      br_if 0 (;@1;)
      local.get 1
      i64.const 0
      i64.store offset=128
      local.get 1
      i64.const 0
      i64.store offset=120
      local.get 1
      i64.const 0
      i64.store offset=112
      block ;; label = @2
        i32.const 1
        local.get 1
        i32.const 112
        i32.add
        call $fd_fdstat_get
        br_if 0 (;@2;)
        local.get 1
        i64.load8_u offset=112
        i64.const 2
        i64.ne
        br_if 0 (;@2;)
        local.get 1
        i64.load offset=120
        i64.const 36
        i64.and
        i64.eqz
        i32.eqz
        br_if 0 (;@2;)
        i32.const 1
        local.set 4
        br 1 (;@1;)
      end
      i32.const 0
      i32.const 1000
      local.get 3
      select
      local.set 2
      local.get 3
      i32.eqz
      local.set 4
    end
    i32.const 0
    local.get 2
    i32.store offset=33936728
    i32.const 0
    local.get 4
    i32.store8 offset=33936733
    block ;; label = @1
      i32.const 0
      i32.load offset=33570672
      local.tee 4
      i32.const 40
      i32.add
      i32.load align=1
      local.tee 3
      i32.eqz
      br_if 0 (;@1;)
      local.get 4
      i32.const 4
      i32.add
      i32.load align=1
      local.set 2
      local.get 3
      i32.const 40
      i32.add
      local.set 4
      i64.const -128
      local.set 8
      loop ;; label = @2
        local.get 4
        local.get 8
        i64.const 3
        i64.add
        i64.store align=1
        local.get 4
        i32.const -4
        i32.add
        local.get 2
        i32.store align=1
        local.get 4
        i32.const -12
        i32.add
        local.get 8
        i64.const 2
        i64.add
        i64.store align=1
        local.get 4
        i32.const -16
        i32.add
        local.get 2
        i32.store align=1
        local.get 4
        i32.const -24
        i32.add
        local.get 8
        i64.const 1
        i64.add
        i64.store align=1
        local.get 4
        i32.const -28
        i32.add
        local.get 2
        i32.store align=1
        local.get 4
        i32.const -36
        i32.add
        local.get 8
        i64.store align=1
        local.get 4
        i32.const -40
        i32.add
        local.get 2
        i32.store align=1
        local.get 4
        i32.const 48
        i32.add
        local.set 4
        local.get 8
        i64.const 4
        i64.add
        local.tee 8
        i64.const 256
        i64.ne
        br_if 0 (;@2;)
      end
      i32.const 0
      i32.load offset=33570672
      local.set 4
    end
    block ;; label = @1
      local.get 4
      i32.const 44
      i32.add
      i32.load align=1
      local.tee 3
      i32.eqz
      br_if 0 (;@1;)
      local.get 4
      i32.const 8
      i32.add
      i32.load align=1
      local.set 2
      local.get 3
      i32.const 40
      i32.add
      local.set 4
      i64.const 0
      local.set 8
      loop ;; label = @2
        local.get 4
        local.get 8
        i64.const 3
        i64.add
        i64.store align=1
        local.get 4
        i32.const -4
        i32.add
        local.get 2
        i32.store align=1
        local.get 4
        i32.const -12
        i32.add
        local.get 8
        i64.const 2
        i64.add
        i64.store align=1
        local.get 4
        i32.const -16
        i32.add
        local.get 2
        i32.store align=1
        local.get 4
        i32.const -24
        i32.add
        local.get 8
        i64.const 1
        i64.add
        i64.store align=1
        local.get 4
        i32.const -28
        i32.add
        local.get 2
        i32.store align=1
        local.get 4
        i32.const -36
        i32.add
        local.get 8
        i64.store align=1
        local.get 4
        i32.const -40
        i32.add
        local.get 2
        i32.store align=1
        local.get 4
        i32.const 48
        i32.add
        local.set 4
        local.get 8
        i64.const 4
        i64.add
        local.tee 8
        i64.const 256
        i64.ne
        br_if 0 (;@2;)
      end
      i32.const 0
      i32.load offset=33570672
      local.set 4
    end
    block ;; label = @1
      local.get 4
      i32.const 48
      i32.add
      i32.load align=1
      local.tee 2
      i32.eqz
      br_if 0 (;@1;)
      local.get 4
      i32.const 12
      i32.add
      i32.load align=1
      local.set 4
      local.get 2
      i32.const 16
      i32.add
      i64.const 1
      i64.store align=1
      local.get 2
      i32.const 12
      i32.add
      local.get 4
      i32.store align=1
      local.get 2
      i32.const 4
      i32.add
      i64.const 0
      i64.store align=1
      local.get 2
      local.get 4
      i32.store align=1
      i32.const 0
      i32.load offset=33570672
      local.set 4
    end
    i32.const 0
    local.get 4
    i32.load align=1
    i32.const 7
    i32.add
    i32.const -8
    i32.and
    local.tee 2
    i32.store offset=33570584
    i32.const 0
    local.get 2
    i32.store offset=33570580
    i32.const 0
    local.get 2
    i32.store offset=33570576
    i32.const 0
    local.get 2
    i32.store offset=33570572
    i32.const 0
    local.get 2
    i32.store offset=33570568
    i32.const 0
    i64.const 2147483648
    i32.const 0
    i64.load offset=33570432
    local.tee 8
    local.get 2
    i64.extend_i32_u
    i64.add
    local.tee 9
    i64.const 4294901760
    local.get 9
    i64.const 4294901760
    i64.lt_u
    select
    local.get 8
    i64.eqz
    select
    i64.store offset=33570472
    block ;; label = @1
      local.get 4
      i32.const 84
      i32.add
      i32.load8_u
      i32.const 32
      i32.and
      br_if 0 (;@1;)
      call $rt_part_gc
    end
    local.get 0
    call $cleave.main
    call $rt::base::console::flush
    call $rt_part_files
    i32.const 0
    i32.load8_u offset=33920331
    local.set 4
    block ;; label = @1
      i32.const 0
      i32.load8_u offset=33920328
      i32.eqz
      br_if 0 (;@1;)
      call $rt::base::report::show_times
    end
    block ;; label = @1
      local.get 4
      i32.const 1
      i32.and
      i32.eqz
      br_if 0 (;@1;)
      call $rt::base::report::show_statistics
    end
    block ;; label = @1
      i32.const 0
      i32.load8_u offset=33570462
      i32.eqz
      br_if 0 (;@1;)
      call $rt_part_rc_stats
    end
    block ;; label = @1
      block ;; label = @2
        i32.const 0
        i32.load offset=33570268
        local.tee 4
        i32.eqz
        br_if 0 (;@2;)
        local.get 4
        i32.load8_u
        local.tee 4
        br_if 1 (;@1;)
      end
      local.get 1
      i32.const 176
      i32.add
      global.set 0
      return
    end
    local.get 4
    call $"_<rt::sys::wasm::Wasm as rt::system::Host>::exit"
    unreachable
  )
  (func $rt_part_gc (;55;) (type 1))
  (func $rt_alloc_object (;56;) (type 4) (param i32) (result i32)
    local.get 0
    call $rt::counted::alloc_object
  )
  (func $rt_print_char (;57;) (type 13) (param i64)
    local.get 0
    i32.wrap_i64
    call $rt::base::console::put_byte
  )
  (func $rt_refused (;58;) (type 12) (result i32)
    i32.const 33936744
  )
  (func $rt_release_last (;59;) (type 2) (param i32)
    local.get 0
    call $rt::counted::release_last
  )
  (func $rt_statistics (;60;) (type 12) (result i32)
    (local i32 i32)
    i32.const 0
    i32.const 0
    i64.load offset=33570488
    i32.const 0
    i32.const 0
    i32.load offset=33570672
    i32.const 76
    i32.add
    i32.load align=1
    local.tee 0
    i32.const 0
    i32.load offset=33570580
    i32.sub
    local.tee 1
    local.get 1
    local.get 0
    i32.gt_u
    select
    i64.extend_i32_u
    i64.add
    i64.store offset=33570288
    i32.const 33570280
  )
  (func $Oqx2N::core::panicking::panic_fmt (;61;) (type 1)
    unreachable
  )
  (func $memcmp (;62;) (type 0) (param i32 i32 i32) (result i32)
    (local i32 i32 i32)
    i32.const 0
    local.set 3
    block ;; label = @1
      local.get 2
      i32.eqz
      br_if 0 (;@1;)
      block ;; label = @2
        loop ;; label = @3
          local.get 0
          i32.load8_u
          local.tee 4
          local.get 1
          i32.load8_u
          local.tee 5
          i32.ne
          br_if 1 (;@2;)
          local.get 0
          i32.const 1
          i32.add
          local.set 0
          local.get 1
          i32.const 1
          i32.add
          local.set 1
          local.get 2
          i32.const -1
          i32.add
          local.tee 2
          i32.eqz
          br_if 2 (;@1;)
          br 0 (;@3;)
        end
      end
      local.get 4
      local.get 5
      i32.sub
      local.set 3
    end
    local.get 3
  )
  (func $__multi3 (;63;) (type 14) (param i32 i64 i64 i64 i64)
    (local i64 i64 i64 i64 i64 i64)
    local.get 0
    local.get 3
    i64.const 4294967295
    i64.and
    local.tee 5
    local.get 1
    i64.const 4294967295
    i64.and
    local.tee 6
    i64.mul
    local.tee 7
    local.get 3
    i64.const 32
    i64.shr_u
    local.tee 8
    local.get 6
    i64.mul
    local.tee 6
    local.get 5
    local.get 1
    i64.const 32
    i64.shr_u
    local.tee 9
    i64.mul
    i64.add
    local.tee 5
    i64.const 32
    i64.shl
    i64.add
    local.tee 10
    i64.store
    local.get 0
    local.get 8
    local.get 9
    i64.mul
    local.get 5
    local.get 6
    i64.lt_u
    i64.extend_i32_u
    i64.const 32
    i64.shl
    local.get 5
    i64.const 32
    i64.shr_u
    i64.or
    i64.add
    local.get 10
    local.get 7
    i64.lt_u
    i64.extend_i32_u
    i64.add
    local.get 4
    local.get 1
    i64.mul
    local.get 3
    local.get 2
    i64.mul
    i64.add
    i64.add
    i64.store offset=8
  )
  (data (;0;) (i32.const 33554737) "Integer division by zero.\0aInteger overflow in division.\0aHeap full.\0a")
  (data (;1;) (i32.const 33554820) "\0aExecution:   Garbage collection:   Total: ")
  (data (;2;) (i32.const 33555096) "cleave:  collections,  bytes allocated,  copied,  live after the last,  peak,  reservations,  collections of the nursery,  us collecting,  the longest, ")
  (data (;3;) (i32.const 33561464) "-hHeapsize missing\0a-sStacksize missing\0a-gciInitial heap size missing\0a-gcfNext heap size factor missing\0a\00x\1b\00\02\02\00\00\00\00\00\00\00z\1b\00\02\11\00\00\00\8b\1b\00\02\02\00\00\00\01\00\00\00\8d\1b\00\02\12\00\00\00\9f\1b\00\02\04\00\00\00\02\00\00\00\a3\1b\00\02\1a\00\00\00\bd\1b\00\02\04\00\00\00\04\00\00\00\c1\1b\00\02\1e\00\00\00-b-sc-t-nt-gc-ngc-st-nst-nr-gcm-gcc\000\1c\00\02\02\00\00\00\00\01\00\002\1c\00\02\03\00\00\00\00\00\00\005\1c\00\02\02\00\00\00\01\01\00\007\1c\00\02\03\00\00\00\01\00\00\00:\1c\00\02\03\00\00\00\02\01\00\00=\1c\00\02\04\00\00\00\02\00\00\00A\1c\00\02\03\00\00\00\03\01\00\00D\1c\00\02\04\00\00\00\03\00\00\00H\1c\00\02\03\00\00\00\04\00\00\00K\1c\00\02\04\00\00\00\05\00\00\00O\1c\00\02\04\00\00\00\05\00\00\00--stats--poison--measure--force-stackless--no-rts-options--gc-stress--gc=copying--gc=generational--flush=line--flush=block\00\d8\1c\00\02\07\00\00\00\06\00\00\00\df\1c\00\02\08\00\00\00\07\00\00\00\e7\1c\00\02\09\00\00\00\08\00\00\00\f0\1c\00\02\0e\00\00\00\09\00\00\00\fe\1c\00\02\10\00\00\00\0a\00\00\00\0e\1d\00\02\0b\00\00\00\0b\00\00\00\19\1d\00\02\0c\00\00\00\0c\01\00\00%\1d\00\02\11\00\00\00\0c\00\00\006\1d\00\02\0c\00\00\00\0d\01\00\00B\1d\00\02\0d\00\00\00\0d\02\00\00--gc-stress=--failure-status=--heap=--stack=--engine-stack=--nursery=\00\00\00\c8\1d\00\02\0c\00\00\00\05\00\00\00\d4\1d\00\02\11\00\00\00\06\00\00\00\e5\1d\00\02\07\00\00\00\00\00\00\00\ec\1d\00\02\08\00\00\00\01\00\00\00\f4\1d\00\02\0f\00\00\00\07\00\00\00\03\1e\00\02\0a\00\00\00\03\00\00\00Error in argument\0aDigit expected in argument\0a")
  (data (;4;) (i32.const 33937776) "@\04\06\02\fd\fe\05\02!\ff\05\02E\ff\05\02i\ff\05\02\8d\ff\05\02\b1\ff\05\02\d5\ff\05\02\11\00\06\02(\00\06\02h\df\05\02h\f1\05\02h\fd\05\02h\df\05\02h\df\05\02\00\00\00\00p\d9\05\02p\d9\05\02\e8\de\05\02\00\00\00\00\00\00\00\00 \00\00\00\00\00\00\00\89\00\06\02")
  (data (;5;) (i32.const 33947008) "\03\00\00\00INT\00\00\00\00\00\00\00\00\00\01\00\00\00\80\fd\05\02\00\00\00\00\88\fd\05\02\00\00\01\00\00\00\00\00\04\00\00\00CHAR\02\00\00\00\a8\fd\05\02\00\00\00\00\88\fd\05\02\00\00\01\00\00\00\00\00\04\00\00\00BOOL\03\00\00\00\c8\fd\05\02\00\00\00\00\88\fd\05\02\00\00\01\00\00\00\00\00\04\00\00\00REAL\04\00\00\00\e8\fd\05\02\00\00\00\00\88\fd\05\02\00\00\01\00\00\00\00\00\04\00\00\00File\05\00\00\00\08\fe\05\02\00\00\00\00\88\fd\05\02\00\00\02\00\00\00\00\00\08\00\00\00_STRING_\06\00\00\00(\fe\05\02\00\00\00\00\00\00\00\00\07\00\00\00_ARRAY_\00\07\00\00\00D\fe\05\02\00\00\00\00\00\00\00\00\05\00\00\00ARRAY\00\00\00\08\00\01\00`\fe\05\02\00\00\00\00\00\00\00\00\03\00\00\00Nil\00\09\00\00\00|\fe\05\02\00\00\00\00\00\00\00\00\04\00\00\00Cons\0a\00\02\00\94\fe\05\02\00\00\00\00\00\00\00\00\06\00\00\00_Tuple\00\00\0b\00 \00\ac\fe\05\02\00\00\00\00\00\00\00\00\03\00\00\00Vec\00\02\00\00\00aa\00\00\0c\00\00\00\c8\fe\05\02\00\00\00\00\d0\fe\05\02\02\00\00\00\00\00\00\00\fd\fe\05\02\00\00\00@\00\00\00\00\09\00\08\00\90\fd\05\02\01\01\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff!\ff\05\02\00\00\00@\00\00\00\00\09\00\08\00\b0\fd\05\02\01\01\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ffE\ff\05\02\00\00\00@\00\00\00\00\09\00\08\00\d0\fd\05\02\01\01\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ffi\ff\05\02\00\00\00@\00\00\00\00\09\00\08\00\f0\fd\05\02\01\01\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\8d\ff\05\02\00\00\00@\00\00\00\00\09\00\10\00\10\fe\05\02\02\01\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\b1\ff\05\02\00\00\00@\00\00\00\00\03\00\00\004\fe\05\02\00\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\d5\ff\05\02\00\00\00@\00\00\00\00\02\00\00\00P\fe\05\02\00\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\f9\ff\05\02\00\00\00@\00\00\00\00\09\00\00\00l\fe\05\02\00\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\19\00\04\00l\fe\05\02\01\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff5\00\06\02\00\00\00@\00\00\00\00\09\00\00\00\84\fe\05\02\00\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ffY\00\06\02\00\00\00@\00\00\00\00\09\00\00\00\9c\fe\05\02\00\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\19\00\04\00\9c\fe\05\02\01\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff)\00\08\00\9c\fe\05\02\02\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ad\00\06\02\00\00\00@\00\00\00\00\09\00\00\00\b8\fe\05\02\00\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\19\00\04\00\b8\fe\05\02\01\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff)\00\08\00\b8\fe\05\02\02\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff9\00\0c\00\b8\fe\05\02\03\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ffI\00\10\00\b8\fe\05\02\04\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ffY\00\14\00\b8\fe\05\02\05\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ffi\00\18\00\b8\fe\05\02\06\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ffy\00\1c\00\b8\fe\05\02\07\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\89\00 \00\b8\fe\05\02\08\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\99\00$\00\b8\fe\05\02\09\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\a9\00(\00\b8\fe\05\02\0a\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\b9\00,\00\b8\fe\05\02\0b\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\c9\000\00\b8\fe\05\02\0c\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\d9\004\00\b8\fe\05\02\0d\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\e9\008\00\b8\fe\05\02\0e\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\f9\00<\00\b8\fe\05\02\0f\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\09\01@\00\b8\fe\05\02\10\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\19\01D\00\b8\fe\05\02\11\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff)\01H\00\b8\fe\05\02\12\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff9\01L\00\b8\fe\05\02\13\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ffI\01P\00\b8\fe\05\02\14\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ffY\01T\00\b8\fe\05\02\15\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ffi\01X\00\b8\fe\05\02\16\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ffy\01\5c\00\b8\fe\05\02\17\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\89\01`\00\b8\fe\05\02\18\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\99\01d\00\b8\fe\05\02\19\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\a9\01h\00\b8\fe\05\02\1a\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\b9\01l\00\b8\fe\05\02\1b\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\c9\01p\00\b8\fe\05\02\1c\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\d9\01t\00\b8\fe\05\02\1d\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\e9\01x\00\b8\fe\05\02\1e\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\f9\01|\00\b8\fe\05\02\1f\00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\09\02\80\00\b8\fe\05\02 \00\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\d1\03\06\02\00\00\00@\00\00\00\00)\00\08\00\d8\fe\05\02\02\01\00\00\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\b1\ff\05\02\00\00\00@\1b\00\00\00Vec.get: index out of range\00\b1\ff\05\02\00\00\00@\15\00\00\00Vec: capacity below 0")
  (@producers
    (processed-by "cleave" "0.1.0")
  )
  (@custom "target_features" (after data) "\06+\0bbulk-memory+\0amultivalue+\0fmutable-globals+\13nontrapping-fptoint+\08sign-ext+\09tail-call")
)
