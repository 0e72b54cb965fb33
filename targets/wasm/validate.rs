//! Validates a module before it is written. If a function that we made is invalid, that is our bug: we panic with its
//! name. If it comes from an object of C, the object is wrong, and the user gets an error.

use wasmparser::{Parser, Payload, Validator, WasmFeatures};

/// What modules may need of an engine, those of C included.
pub fn features() -> WasmFeatures {
    WasmFeatures::MUTABLE_GLOBAL
        | WasmFeatures::SATURATING_FLOAT_TO_INT
        | WasmFeatures::SIGN_EXTENSION
        | WasmFeatures::MULTI_VALUE
        | WasmFeatures::BULK_MEMORY
        | WasmFeatures::TAIL_CALL
        | WasmFeatures::FLOATS
        // Tables of the runtime are encoded with an explicit table index.
        | WasmFeatures::REFERENCE_TYPES
        | WasmFeatures::GC_TYPES
}

/// Checks a module. `name` gives the name of a function by its index; functions from `first_of_c` on come from objects.
/// The error is what is wrong with one of these, and its index.
pub fn check(wasm: &[u8], imports: u32, first_of_c: u32, name: impl Fn(u32) -> String) -> Result<(), (u32, String)> {
    let Err(error) = Validator::new_with_features(features()).validate_all(wasm) else { return Ok(()) };
    let mut index = imports;
    for payload in Parser::new(0).parse_all(wasm) {
        match payload {
            Ok(Payload::CodeSectionEntry(body)) => {
                if body.range().contains(&error.offset()) {
                    if index >= first_of_c {
                        return Err((index, error.message().to_string()));
                    }
                    panic!("invalid code emitted for @{}: {error}", name(index));
                }
                index += 1;
            }
            Ok(_) => {}
            Err(_) => break,
        }
    }
    panic!("invalid module emitted: {error}");
}
