//! A CLIF function under construction: what it refers to outside, where the heap pointer is, and how code is called.

use super::frames::walkers;
use crate::announce::Walkers;
use crate::{Options, Symbol, Trampoline, address_space};
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::layout::{PROGRAM_HEAP_LIMIT, PROGRAM_HEAP_POINTER};
use cleave_ir::lowered_signature::LoweredSignature;
use cleave_ir::{Extern, ExternData, Func, FuncId, Module, Table, Type};
use cranelift_codegen::ir::{
    self, AbiParam, AliasRegion, AliasRegionData, ExtFuncData, ExternalName, FuncRef, InstBuilder, MemFlagsData,
    SigRef, Signature, UserExternalName, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use rustc_hash::FxHashMap;

/// What all functions share. What is read of it here is in the keys of the cache (`fingerprint.rs`).
pub struct Env<'a> {
    pub module: &'a Module,
    pub data_section: &'a StaticDataSection,
    /// Addresses of the dispatch tables.
    tables: Vec<u32>,
    /// From a thunk info to its code slot.
    pub(super) slot_distance: i32,
    /// Who walks frames.
    pub(crate) walkers: Walkers,
}

impl<'a> Env<'a> {
    pub fn new(module: &'a Module, data_section: &'a StaticDataSection, options: &Options) -> Env<'a> {
        let walkers = walkers(module, options);
        let slot_distance = -(address_space::slots_bytes(module) as i32);
        Env { module, data_section, tables: address_space::tables(module), slot_distance, walkers }
    }

    /// The address of a dispatch table.
    pub fn table(&self, table: Table) -> u32 {
        self.tables[table.as_u32() as usize]
    }

    /// All that every function may depend on, besides its own instructions and what they name: part of each key.
    pub fn common(&self) -> [u64; 4] {
        let StaticDataSection { program, results, .. } = self.data_section;
        [u64::from(*program), u64::from(*results), self.slot_distance as u64, self.walkers.word()]
    }
}

/// Type of a value of the IR as a word of CLIF.
pub fn clif_type(ty: Type) -> ir::Type {
    match ty {
        Type::I32 => types::I32,
        Type::I64 | Type::Ref => types::I64,
        Type::F64 => types::F64,
    }
}

/// Signature of a function of the IR: the shadow-stack pointer comes first, wide. It comes back after the results, so
/// that a caller need not keep it meanwhile, in a register that it has to save.
pub(super) fn func_signature(func: &Func) -> Signature {
    signature(func.lowered_signature())
}

pub(super) fn signature(of: LoweredSignature) -> Signature {
    let mut signature = Signature::new(CallConv::Tail);
    let hidden = of.takes_stack_pointer.then_some(types::I64);
    signature.params.extend(hidden.into_iter().chain(of.params.iter().map(|&ty| clif_type(ty))).map(AbiParam::new));
    signature.returns.extend(of.results.iter().map(|&ty| clif_type(ty)).chain(hidden).map(AbiParam::new));
    signature
}

/// Signature of an extern: references are 32-bit numbers to the runtime.
pub(super) fn extern_signature(data: &ExternData) -> Signature {
    let number = |ty: &Type| AbiParam::new(if *ty == Type::Ref { types::I32 } else { clif_type(*ty) });
    let mut signature = Signature::new(CallConv::SystemV);
    let all: Vec<cleave_ir::Type> = data.lowered_signature().all_params().collect();
    signature.params.extend(all.iter().map(number));
    if let [result] = &*data.results {
        signature.returns.push(number(result));
    }
    signature
}

/// A CLIF function under construction, with what it refers to.
pub struct Clif<'e, 'b, 'f> {
    pub env: &'e Env<'e>,
    pub builder: &'b mut FunctionBuilder<'f>,
    pub(super) symbols: FxHashMap<ir::UserExternalName, FuncRef>,
    pub(super) eval: Option<SigRef>,
    pub(super) heap: AliasRegion,
    pub(super) shadow: AliasRegion,
    pub(super) program: AliasRegion,
}

impl<'e, 'b, 'f> Clif<'e, 'b, 'f> {
    pub fn new(env: &'e Env<'e>, builder: &'b mut FunctionBuilder<'f>) -> Self {
        let regions = &mut builder.func.dfg.alias_regions;
        let mut region = |user_id, description: &'static str| {
            regions.insert(AliasRegionData { user_id, description: description.into() })
        };
        let (heap, shadow, program) = (region(0, "heap"), region(1, "shadow stack"), region(2, "program record"));
        Clif { env, builder, symbols: FxHashMap::default(), eval: None, heap, shadow, program }
    }

    pub(super) fn flags(region: AliasRegion) -> MemFlagsData {
        MemFlagsData::new().with_notrap().with_alias_region(Some(region))
    }
    pub fn heap_flags(&self) -> MemFlagsData {
        Self::flags(self.heap)
    }
    pub fn shadow_flags(&self) -> MemFlagsData {
        Self::flags(self.shadow)
    }

    pub fn address(&mut self, address: u32) -> ir::Value {
        self.builder.ins().iconst(types::I64, i64::from(address))
    }

    // -- the heap pointer: the only place that says where it is, besides `memory.rs` ----------------------------------

    pub fn load_heap_pointer(&mut self) {
        let field = self.address(self.env.data_section.program + PROGRAM_HEAP_POINTER);
        let pointer = self.builder.ins().uload32(Self::flags(self.program), field, 0);
        self.builder.ins().set_pinned_reg(pointer);
    }
    pub fn store_heap_pointer(&mut self) {
        let field = self.address(self.env.data_section.program + PROGRAM_HEAP_POINTER);
        let pointer = self.builder.ins().get_pinned_reg(types::I64);
        self.builder.ins().istore32(Self::flags(self.program), pointer, field, 0);
    }
    pub(super) fn load_heap_limit(&mut self) -> ir::Value {
        let field = self.address(self.env.data_section.program + PROGRAM_HEAP_LIMIT);
        self.builder.ins().load(types::I32, Self::flags(self.program), field, 0)
    }

    // -- calls
    // ---------------------------------------------------------------------------------------------------------

    pub fn symbol(&mut self, symbol: Symbol) -> FuncRef {
        let name = name_of(symbol);
        if let Some(&known) = self.symbols.get(&name) {
            return known;
        }
        let signature = match symbol {
            Symbol::Func(func) => func_signature(&self.env.module.funcs[func]),
            Symbol::Extern(id) => extern_signature(&self.env.module.externs[id]),
            Symbol::Trampoline(trampolines) => trampolines.signature(),
            Symbol::Entry(_) => unreachable!("no code of the program calls it"),
        };
        let signature = self.builder.import_signature(signature);
        let reference = self.builder.func.declare_imported_user_function(name.clone());
        let name_in_function = ExternalName::user(reference);
        let func = self.builder.import_function(ExtFuncData {
            name: name_in_function,
            signature,
            colocated: true,
            patchable: false,
        });
        self.symbols.insert(name, func);
        func
    }

    pub fn call_symbol(&mut self, symbol: Symbol, args: &[ir::Value]) -> ir::Inst {
        let func = self.symbol(symbol);
        self.builder.ins().call(func, args)
    }

    pub(super) fn eval_signature(&mut self) -> SigRef {
        *self.eval.get_or_insert_with(|| {
            self.builder.import_signature(signature(LoweredSignature::in_table(&Module::eval_signature())))
        })
    }

    /// The code that a thunk header names.
    pub(super) fn code_of(&mut self, header: ir::Value) -> ir::Value {
        let flags = MemFlagsData::trusted().with_readonly().with_can_move();
        self.builder.ins().load(types::I64, flags, header, self.env.slot_distance)
    }

    /// Calls the code of a thunk: shadow-stack pointer, thunk and header, all wide.
    pub fn enter(&mut self, sp: ir::Value, thunk: ir::Value, header: ir::Value) -> ir::Inst {
        let code = self.code_of(header);
        let signature = self.eval_signature();
        self.builder.ins().call_indirect(signature, code, &[sp, thunk])
    }
}

/// Name spaces of the names in CLIF.
const FUNCS: u32 = 0;
const EXTERNS: u32 = 1;
const GLUE: u32 = 2;

/// The name of a symbol in CLIF.
pub fn name_of(symbol: Symbol) -> UserExternalName {
    match symbol {
        Symbol::Func(func) => UserExternalName::new(FUNCS, func.as_u32()),
        Symbol::Extern(id) => UserExternalName::new(EXTERNS, id.as_u32()),
        Symbol::Trampoline(trampolines) => UserExternalName::new(GLUE, trampolines as u32),
        Symbol::Entry(number) => UserExternalName::new(GLUE, Trampoline::ALL.len() as u32 + number),
    }
}

/// The symbol of a name in CLIF.
pub fn resolve(name: &UserExternalName) -> Symbol {
    match name.namespace {
        FUNCS => Symbol::Func(FuncId::from_u32(name.index)),
        EXTERNS => Symbol::Extern(Extern::from_u32(name.index)),
        _ => Symbol::Trampoline(Trampoline::ALL[name.index as usize]),
    }
}
