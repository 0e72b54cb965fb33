//! What the compiler and the runtime define twice, because the runtime depends on no crate of the compiler: the layout
//! of memory and the table of services.

use cleave_clean::externs::Runtime;
use cleave_ir::layout::{self as ir, DescriptorKind, ElementKind};
use cleave_ir::{Row, Service, Type, rows};
use cleave_rt::layout as rt;

/// Makes a list of names with both values, compared when this file is compiled.
macro_rules! constants {
    ($($name:ident)*) => {
        const _: () = { $( assert!(ir::$name as i64 == rt::$name as i64, stringify!($name)); )* };
        const COMPARED: &[&str] = &[$( stringify!($name) ),*];
    };
}

constants! {
    SLOT MIN_CELL INLINE_SLOTS SHADOW_STACK_TOP RUNTIME_STACK_SIZE RUNTIME_STACK_TOP TAG_HNF TAG_FORWARDED
    KIND_INLINE KIND_SPLIT KIND_ARRAY KIND_STRING KIND_THUNK KIND_INDIRECTION KIND_SELECT_REF KIND_SELECT_WORD KIND_SOLID
    MAX_SLOTS
    ENTRY_RECORD_SIZE ENTRY_INFO ENTRY_UPDATE ENTRY_DESCRIPTOR ENTRY_SELECTOR
    ROW_SIZE ROW_INFO ROW_DESCRIPTOR ROW_HELD ROW_MISSING
    DESCRIPTOR_KIND DESCRIPTOR_ARITY DESCRIPTOR_NAME DESCRIPTOR_MODULE DESCRIPTOR_TYPES DESCRIPTOR_SIZES DESCRIPTOR_NESTED
    ARRAY_SIZE ARRAY_ELEMENT ARRAY_DATA STRING_LENGTH STRING_DATA SMALL_INT_MIN SMALL_INT_MAX STATIC_NODE_SIZE
    PROGRAM_HEAP_BASE PROGRAM_INT_HEADER PROGRAM_CHAR_HEADER PROGRAM_BOOL_HEADER PROGRAM_REAL_HEADER PROGRAM_FILE_HEADER
    PROGRAM_STRING_HEADER PROGRAM_ARRAY_HEADER PROGRAM_BOXED_ARRAY_HEADER PROGRAM_EMPTY PROGRAM_SMALL_INTS PROGRAM_CHARS
    PROGRAM_BOOLS PROGRAM_CAF_START PROGRAM_CAF_END PROGRAM_CYCLE_ENTRY PROGRAM_ENTRIES_START PROGRAM_ENTRIES_END
    PROGRAM_RESULTS PROGRAM_HEAP_POINTER PROGRAM_HEAP_LIMIT PROGRAM_FLAGS PROGRAM_HEAP_MAX PROGRAM_LIST_HEADER
    PROGRAM_SIZE RESULT_CELLS PROGRAM_FLAG_BASIC PROGRAM_FLAG_NO_RESULT PROGRAM_FLAG_NO_OPTIONS PROGRAM_FLAG_TIMES
    PROGRAM_FLAG_SHOW_GC PROGRAM_C_START PROGRAM_OLD_START C_MEMORY
    C_ARGUMENT_WORDS C_ARGUMENT_REALS C_ARGUMENT_STACK
}

/// The place of native programs in memory. The guard of the runtime is a part of what the compiler leaves free.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
const _: () = {
    use cleave_native::low;
    use cleave_rt::sys::native;
    assert!(low::MAP_MULTIPLIER == native::MAP_MULTIPLIER);
    assert!(low::SHADOW_LOW == native::SHADOW_LOW && low::START == native::START && low::HEAP_END == native::HEAP_END);
    assert!(low::UNMAPPED_START <= native::SHADOW_LOW - native::SHADOW_GUARD && low::HEAP_END <= low::JIT_CODE);
};

/// Names of the constants of a source file, outside inner modules.
fn names(source: &str) -> Vec<&str> {
    let lines = source.lines().filter_map(|line| line.strip_prefix("pub const "));
    lines.filter(|line| !line.starts_with("fn ")).filter_map(|line| Some(line.split_once(':')?.0)).collect()
}

#[test]
fn no_constant_is_forgotten() {
    let compiler = names(include_str!("../src/ir/layout.rs"));
    let runtime = names(include_str!("../rt/layout.rs"));
    assert!(compiler.len() > 60 && runtime.len() > 60, "the sources look different than expected");
    for name in runtime.iter().filter(|name| compiler.contains(name)) {
        assert!(COMPARED.contains(name), "{name} stands in both files and is not compared");
    }
}

#[test]
fn descriptor_kinds() {
    use rt::descriptor as d;
    let kinds = [
        (DescriptorKind::Constructor, d::CONSTRUCTOR),
        (DescriptorKind::Int, d::INT),
        (DescriptorKind::Char, d::CHAR),
        (DescriptorKind::Bool, d::BOOL),
        (DescriptorKind::Real, d::REAL),
        (DescriptorKind::File, d::FILE),
        (DescriptorKind::String, d::STRING),
        (DescriptorKind::Array, d::ARRAY),
        (DescriptorKind::BoxedArray, d::BOXED_ARRAY),
        (DescriptorKind::Empty, d::EMPTY),
        (DescriptorKind::ListCell, d::LIST_CELL),
        (DescriptorKind::Tuple, d::TUPLE),
        (DescriptorKind::Record, d::RECORD),
        (DescriptorKind::UnboxedListCell, d::UNBOXED_LIST_CELL),
    ];
    for (kind, number) in kinds {
        assert_eq!(kind as u32, number, "{kind:?}");
    }
    assert_eq!(kinds.len() as u32, d::LAST + 1);
}

#[test]
fn element_kinds() {
    use rt::element as e;
    let kinds = [
        (ElementKind::Ref, e::REF),
        (ElementKind::Int, e::INT),
        (ElementKind::Real, e::REAL),
        (ElementKind::Bool, e::BOOL),
        (ElementKind::Int32, e::INT32),
        (ElementKind::Real32, e::REAL32),
        (ElementKind::Char, e::CHAR),
    ];
    for (kind, number) in kinds {
        assert_eq!(kind as u32, number, "{kind:?}");
    }
}

#[test]
fn sizes_and_shapes() {
    for refs in 0..6 {
        for words in 0..6 {
            let (shape, slots) = (ir::Shape::new(refs, words), refs + 2 * words);
            assert_eq!(shape.info(), rt::node_info(refs, words));
            let solid = ir::Shape::solid(refs, words);
            assert_eq!(solid.info(), rt::solid_info(refs, words));
            assert_eq!((solid.bytes(), solid.rest_bytes()), (rt::thunk_bytes(slots), 0));
            assert_eq!(ir::info_word(ir::KIND_THUNK, refs, slots), rt::info_word(rt::KIND_THUNK, refs, slots));
            assert_eq!(ir::thunk_bytes(refs, words), rt::thunk_bytes(slots));
            if shape.is_split() {
                assert_eq!(shape.rest_bytes(), rt::rest_bytes(refs, slots));
            }
            let info = shape.info();
            assert_eq!((rt::info_refs(info), rt::info_slots(info)), (refs, slots));
        }
    }
    for length in 0..10 {
        assert_eq!(ir::string_bytes(length), rt::string_bytes(length));
    }
}

/// All rows that the runtime implements: those that serve any language, and Clean's.
fn rows() -> Vec<&'static Row> {
    let clean = Runtime::ALL.iter().map(|function| function.row());
    let clean = clean.filter(|row| rows::find(row.name).is_none());
    rows::ALL.iter().copied().chain(clean).collect()
}

#[test]
fn the_runtime_implements_the_rows() {
    let rows = rows();
    assert_eq!(rows.len(), cleave_rt::services::NAMES.len());
    for (name, text) in cleave_rt::services::NAMES.iter().zip(cleave_rt::services::SIGNATURES) {
        let row = rows.iter().find(|row| row.name == *name).unwrap_or_else(|| panic!("there is no row for `{name}`"));
        let (params, results) = text.split_once("->").expect("a signature has an arrow");
        let mut params = words(params);
        if row.effects.collects() {
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
    let first = rows::ALL.iter().zip(Service::ALL);
    assert!(first.clone().all(|(row, service)| *row == service.row()));
    assert_eq!(first.count(), Service::ALL.len());
}

/// The checked-in object was built from sources that have all services: programs link with it as it is.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn prebuilt_services() {
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
