//! What the compiler and the runtime say twice: how sizes follow from the layout of memory, where native programs lie,
//! and the table of libcalls with its rows.

use cleave_clean::externs::Runtime;
use cleave_ir::layout as ir;
use cleave_ir::{Libcall, LibcallSignature, Type, libcalls};
use cleave_rt::layout as rt;

/// The place of native programs in memory. The guard of the runtime is a part of what the compiler leaves free.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
const _: () = {
    use cleave_native::address_space;
    use cleave_rt::sys::native;
    assert!(address_space::MAP_MULTIPLIER == native::MAP_MULTIPLIER);
    assert!(
        address_space::SHADOW_LOW == native::SHADOW_LOW
            && address_space::START == native::START
            && address_space::HEAP_END == native::HEAP_END
    );
    assert!(
        address_space::UNMAPPED_START <= native::SHADOW_LOW - native::SHADOW_GUARD
            && address_space::HEAP_END <= address_space::JIT_CODE
    );
};

#[test]
fn sizes_and_shapes() {
    for ptrs in 0..6 {
        for nptrs in 0..6 {
            let (shape, slots) = (ir::Shape::new(ptrs, nptrs), ptrs + 2 * nptrs);
            assert_eq!(shape.info(), rt::node_info(ptrs, nptrs));
            let contiguous = ir::Shape::contiguous(ptrs, nptrs);
            assert_eq!(contiguous.info(), rt::contiguous_info(ptrs, nptrs));
            assert_eq!((contiguous.bytes(), contiguous.rest_bytes()), (rt::thunk_bytes(slots), 0));
            assert_eq!(ir::info_word(ir::KIND_THUNK, ptrs, slots), rt::info_word(rt::KIND_THUNK, ptrs, slots));
            assert_eq!(ir::thunk_bytes(ptrs, nptrs), rt::thunk_bytes(slots));
            if shape.is_split() {
                assert_eq!(shape.rest_bytes(), rt::rest_bytes(ptrs, slots));
            }
            let info = shape.info();
            assert_eq!((rt::info_ptrs(info), rt::info_slots(info)), (ptrs, slots));
        }
    }
    for length in 0..10 {
        assert_eq!(ir::string_bytes(length), rt::string_bytes(length));
    }
}

/// All rows that the runtime implements: those that serve any language, and Clean's.
fn rows() -> Vec<&'static LibcallSignature> {
    let clean = Runtime::ALL.iter().map(|function| function.signature());
    let clean = clean.filter(|row| libcalls::find(row.name).is_none());
    libcalls::ALL.iter().copied().chain(clean).collect()
}

#[test]
fn the_runtime_implements_the_rows() {
    let rows = rows();
    assert_eq!(rows.len(), cleave_rt::libcalls::NAMES.len());
    for (name, text) in cleave_rt::libcalls::NAMES.iter().zip(cleave_rt::libcalls::SIGNATURES) {
        let row = rows.iter().find(|row| row.name == *name).unwrap_or_else(|| panic!("there is no row for `{name}`"));
        let (params, results) = text.split_once("->").expect("a signature has an arrow");
        let mut params = words(params);
        if row.effects.may_gc() {
            assert_eq!(params.first(), Some(&"sp"), "{name}");
            params.remove(0);
        }
        let types: Vec<&str> = params.iter().map(|param| param.rsplit(':').next().unwrap_or_default().trim()).collect();
        assert_eq!(types, shown(row.params), "parameters of {name}");
        assert_eq!(words(results), shown(row.results), "results of {name}");
    }
}

/// What the compiler calls itself comes first in the contract, in its order.
#[test]
fn the_compiler_knows_a_handful() {
    let first = libcalls::ALL.iter().zip(Libcall::ALL);
    assert!(first.clone().all(|(row, libcall)| *row == libcall.signature()));
    assert_eq!(first.count(), Libcall::ALL.len());
}

/// The checked-in object was built from sources that have all libcalls: programs link with it as it is.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn prebuilt_libcalls() {
    let object = cleave::driver::native::RUNTIME;
    // The name of a symbol may be the end of that of its section, `.text.rt_collect`.
    let has = |name: &str| {
        let name = [name.as_bytes(), b"\0"].concat();
        let ends = object.windows(name.len() + 1).filter(|bytes| bytes[1..] == name);
        ends.into_iter().any(|bytes| matches!(bytes[0], 0 | b'.'))
    };
    let names = rows().into_iter().map(|row| format!("rt_{}", row.name));
    let missing: Vec<String> = names.filter(|name| !has(name)).collect();
    assert!(missing.is_empty(), "rt/prebuilt is old, see rt/build.sh: {missing:?}");
    assert!(!has("rt_no_service"));
}

fn words(list: &str) -> Vec<&str> {
    let inner = list.trim().trim_start_matches('(').trim_end_matches(')');
    inner.split(',').map(str::trim).filter(|word| !word.is_empty()).collect()
}

/// As the runtime writes them; a reference is its address.
fn shown(types: &[Type]) -> Vec<&'static str> {
    let name = |ty: &Type| match ty {
        Type::I32 | Type::Ref => "u32",
        Type::I64 => "i64",
        Type::F64 => "f64",
    };
    types.iter().map(name).collect()
}
