//! Types of functions: each once in the merged module, from IR and from modules that are merged in.

use crate::link_runtime::Relocation;
use crate::locals::val_type;
use cleave_ir::Func;
use cleave_ir::lowered_signature::LoweredSignature;
use rustc_hash::FxHashMap;
use wasm_encoder::reencode::Reencode;
use wasm_encoder::{TypeSection, ValType};

/// Function types, each once.
#[derive(Default)]
pub struct Types {
    pub section: TypeSection,
    known: FxHashMap<(Vec<ValType>, Vec<ValType>), u32>,
}

impl Types {
    /// The index of a type.
    pub fn get(&mut self, params: Vec<ValType>, results: Vec<ValType>) -> u32 {
        let next = self.known.len() as u32;
        *self.known.entry((params, results)).or_insert_with_key(|(params, results)| {
            self.section.ty().function(params.iter().copied(), results.iter().copied());
            next
        })
    }
}

/// Parameters and results of a function of IR.
pub fn ir_type(func: &Func) -> (Vec<ValType>, Vec<ValType>) {
    lowered_type(func.lowered_signature())
}

/// Parameters and results of a call after lowering.
pub fn lowered_type(signature: LoweredSignature) -> (Vec<ValType>, Vec<ValType>) {
    (signature.all_params().map(val_type).collect(), signature.results.iter().map(|&ty| val_type(ty)).collect())
}

/// Those of a type in another module.
pub fn func_type(ty: &wasmparser::FuncType, relocation: &mut Relocation) -> (Vec<ValType>, Vec<ValType>) {
    let mut list = |types: &[wasmparser::ValType]| -> Vec<ValType> {
        types.iter().map(|&ty| relocation.val_type(ty).expect("a number type")).collect()
    };
    (list(ty.params()), list(ty.results()))
}
