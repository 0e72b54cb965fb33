//! Fingerprint of a function: a hash of all that its machine code depends on, the key of `cache`.
//!
//! It is made of the IR before references are placed, so that a function that is found costs one walk over its
//! instructions. All that the passes from there on and `lower` read goes in: the function itself; the addresses and
//! shapes that its instructions name; of what it calls, the types and effects; the settings of the passes. Functions
//! and externs are numbered as they first occur here, so that neither their names nor their numbers in the program
//! count; the relocations of a function that is kept have these numbers, too. What the compiler makes of equal IR is
//! not part of a key: a pack belongs to one version of the compiler.

use crate::cache::Key;
use crate::lower::Env;
use crate::{Options, Symbol};
use cleave_ir::{
    Caf, Desc, EntityRef, Extern, ExternData, Func, FuncId, ImmKind, Inst, InstData, Libcall, RootStrategy, Signature,
    Static, Table, ThunkInfo, Type, Value,
};
use cranelift_codegen::isa::TargetIsa;
use rustc_hash::{FxHashMap, FxHasher};
use sha2::{Digest as _, Sha256};
use std::hash::{Hash, Hasher};

/// A cryptographic hash of words, of which the first 128 bits count.
#[derive(Clone)]
struct Digest(Sha256);

impl Digest {
    fn add(&mut self, word: u64) {
        self.0.update(word.to_le_bytes());
    }

    fn key(self) -> Key {
        let bytes: [u8; 32] = self.0.finalize().into();
        let half = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        Key([half(0), half(8)])
    }

    fn pair(&mut self, low: u32, high: u32) {
        self.add(u64::from(low) | u64::from(high) << 32);
    }
}

/// Makes keys, with working memory kept from function to function.
pub struct Keys {
    /// What all functions share.
    common: Digest,
    numbers: FxHashMap<Symbol, u32>,
    /// What the last function refers to, by number.
    symbols: Vec<Symbol>,
}

impl Keys {
    /// `isas` are for usual and for very large functions.
    pub fn new(env: &Env, isas: [&dyn TargetIsa; 2], options: &Options, nptrs: &str) -> Keys {
        let mut digest = Digest(Sha256::new());
        for isa in isas {
            let mut settings = FxHasher::default();
            isa.triple().hash(&mut settings);
            isa.flags().hash(&mut settings);
            isa.isa_flags_hash_key().hash(&mut settings);
            digest.add(settings.finish());
        }
        digest.add(options.oversized as u64);
        digest.add(nptrs.len() as u64);
        nptrs.bytes().for_each(|byte| digest.add(byte.into()));
        env.common().into_iter().for_each(|word| digest.add(word));
        let (module, data_section) = (env.module, env.data_section);
        digest.add(module.heap as u64 | u64::from(module.keeps_rc_stats) << 8);
        module.cell_sizes.bytes().for_each(|(bytes, widened)| digest.pair(bytes, widened));
        digest.pair(module.cycles.descs().len() as u32, u32::from(module.cycles.arrays));
        module.cycles.descs().iter().for_each(|&desc| digest.add(data_section.node_info(desc, 0).into()));
        digest.pair(data_section.small_ints, data_section.chars);
        digest.add(data_section.bools.into());
        for entry in [module.blackhole_info, module.indirection_info()] {
            digest.add(entry.map_or(u64::MAX, |entry| data_section.thunk_info(entry).into()));
        }
        Keys { common: digest, numbers: FxHashMap::default(), symbols: Vec::new() }
    }

    /// The key of a function, and the functions and externs that it refers to, by their numbers.
    pub fn of(&mut self, env: &Env, id: FuncId) -> (Key, &[Symbol]) {
        self.numbers.clear();
        self.symbols.clear();
        let func = &env.module.funcs[id];
        let mut digest = self.common.clone();
        digest.add(facts(func) | roots_word(func.roots) << 2 | (func.phase as u64) << 8);
        signature(&mut digest, &func.signature);
        counted(&mut digest, func);
        digest.add(func.borrowed.len() as u64);
        for &(value, borrow_source) in &func.borrowed {
            digest.pair(value.as_u32(), borrow_source.map_or(u32::MAX, |borrow_source| borrow_source.as_u32()));
        }
        digest.pair(func.insts.len() as u32, func.blocks.len() as u32);
        digest.add(func.values.len() as u64);
        for types in func.values.as_values_slice().chunks(16) {
            digest.add(types.iter().fold(0, |word, &ty| word << 4 | ty as u64));
        }
        digest.pair(func.entry_block().as_u32(), func.layout.len() as u32);
        for &block in &func.layout {
            let data = &func.blocks[block];
            digest.pair(block.as_u32(), data.insts.len() as u32);
            values(&mut digest, func.params(block));
            for &inst in &data.insts {
                let data = &func.insts[inst];
                digest.pair(data.op as u32, inst.as_u32());
                self.immediate(&mut digest, env, data);
                values(&mut digest, func.args(inst));
                values(&mut digest, func.results(inst));
            }
            if env.walkers.traces {
                lines(&mut digest, func, &data.insts);
            }
            digest.add(data.edges.len() as u64);
            for edge in &data.edges {
                digest.add(edge.block.as_u32().into());
                values(&mut digest, func.edge_args(edge));
            }
        }
        (digest.key(), &self.symbols)
    }

    /// The number of a symbol, and if it is new.
    fn number(&mut self, symbol: Symbol) -> (u32, bool) {
        let next = self.symbols.len() as u32;
        let number = *self.numbers.entry(symbol).or_insert(next);
        if number == next {
            self.symbols.push(symbol);
        }
        (number, number == next)
    }

    fn immediate(&mut self, digest: &mut Digest, env: &Env, data: &InstData) {
        let number = data.imm as u32;
        match data.op.info().imm {
            ImmKind::Func => {
                let callee = FuncId::from_u32(number);
                let (number, is_new) = self.number(Symbol::Func(callee));
                digest.pair(number, data.aux);
                if is_new {
                    let callee = &env.module.funcs[callee];
                    digest.add(facts(callee));
                    signature(digest, &callee.signature);
                    counted(digest, callee);
                }
            }
            ImmKind::Extern => {
                let (id, effects) = data.external();
                let (number, is_new) = self.number(Symbol::Extern(id));
                digest.pair(number, data.aux);
                digest.add(effects.0.into());
                if is_new {
                    external(digest, id, &env.module.externs[id]);
                }
            }
            ImmKind::Table => {
                let table = Table::from_u32(number);
                digest.pair(env.table(table), data.aux);
                signature(digest, &env.module.tables[table].signature);
            }
            ImmKind::NodeInfo => {
                let desc = Desc::from_u32(number);
                let shape = env.module.descs[desc].shape(data.aux);
                digest.pair(env.data_section.node_info(desc, data.aux), data.aux);
                digest.pair(shape.ptrs, shape.nptrs);
                digest.add(shape.contiguous.into());
            }
            ImmKind::Desc => {
                let desc = Desc::from_u32(number);
                digest.pair(env.data_section.node(desc), env.data_section.name(desc));
                digest.pair(env.data_section.descriptor_info(desc), data.aux);
            }
            ImmKind::ThunkInfo => {
                let entry = ThunkInfo::from_u32(number);
                let of = &env.module.thunk_infos[entry];
                digest.pair(env.data_section.thunk_info(entry), data.aux);
                digest.pair(of.ptrs, of.nptrs);
            }
            ImmKind::Static => digest.pair(env.data_section.static_object(Static::from_u32(number)), data.aux),
            ImmKind::Caf => {
                let caf = Caf::from_u32(number);
                digest.pair(env.data_section.caf(caf), env.data_section.caf_ref(caf, 0));
                digest.add(data.aux.into());
            }
            ImmKind::None
            | ImmKind::Int
            | ImmKind::Float
            | ImmKind::Frame
            | ImmKind::Field
            | ImmKind::Shape
            | ImmKind::Offset
            | ImmKind::Element
            | ImmKind::Elements
            | ImmKind::Bytes
            | ImmKind::Slot => {
                digest.add(data.imm);
                digest.add(data.aux.into());
            }
        }
    }
}

/// What callers know of a function on the reference-counted heap.
fn counted(digest: &mut Digest, func: &Func) {
    let (borrows, holes) = (func.borrows.len(), func.holes.len());
    digest.add(u64::from(func.fip) | (borrows as u64) << 8 | (holes as u64) << 32);
    func.borrows.iter().chain(&func.holes).for_each(|&number| digest.add(number.into()));
}

/// What callers know of a function beside its signature.
fn facts(func: &Func) -> u64 {
    u64::from(func.may_gc) | u64::from(func.takes_stack_pointer) << 1
}

/// The lines of instructions, counted from the first one of the function, so that it may move in its file.
fn lines(digest: &mut Digest, func: &Func, insts: &[Inst]) {
    let Some(source) = func.source.as_deref() else { return };
    for &inst in insts {
        let place = source.insts[inst];
        match place.is_known() {
            true => digest.pair(place.file.into(), place.line.wrapping_sub(source.start.line)),
            false => digest.add(u64::MAX),
        }
    }
}

fn roots_word(roots: Option<RootStrategy>) -> u64 {
    roots.map_or(0, |strategy| strategy as u64 + 1)
}

fn values(digest: &mut Digest, values: &[Value]) {
    digest.add(values.len() as u64);
    for pair in values.chunks(2) {
        digest.pair(pair[0].as_u32(), pair.get(1).map_or(u32::MAX, |value| value.as_u32()));
    }
}

fn signature(digest: &mut Digest, signature: &Signature) {
    types(digest, &signature.params);
    types(digest, &signature.results);
}

fn types(digest: &mut Digest, types: &[Type]) {
    digest.add(types.len() as u64);
    types.iter().for_each(|&ty| digest.add(ty as u64));
}

/// The libcalls of the compiler are known by their numbers.
fn external(digest: &mut Digest, id: Extern, data: &ExternData) {
    let is_libcall = Libcall::from_extern(id).is_some();
    digest.add(if is_libcall { id.index() as u64 } else { u64::MAX });
    digest.add(data.effects.0.into());
    types(digest, &data.params);
    types(digest, &data.results);
}
