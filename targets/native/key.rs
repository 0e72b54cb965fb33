//! What the machine code of a function depends on, as a number: the key by which `cache` finds it again.
//!
//! It is made of low IR, before CLIF, so that a function that is found costs one walk over its instructions. All that
//! `lower` reads goes in: the function itself; the addresses that its instructions name; of what it calls, the types
//! and effects. Functions and externs are numbered as they first occur here, so that neither their names nor their
//! numbers in the program count; the relocations of a function that is kept have these numbers, too. What the compiler
//! makes of equal IR is not part of a key: a pack belongs to one version of the compiler.

use crate::cache::Key;
use crate::lower::{Env, address_constant};
use crate::{Glue, Symbol};
use cleave_ir::{
    EntityRef, Extern, ExternData, Func, FuncId, ImmKind, InstData, Service, Signature, Strategy, Table, Type, Value,
};
use cranelift_codegen::isa::TargetIsa;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Odd numbers without a pattern: digits of pi.
const FACTORS: [u64; 2] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7345];

/// A hash of 128 bits: each half folds the product of what it has with a number of its own.
#[derive(Clone, Copy)]
struct Digest([u64; 2]);

impl Digest {
    fn add(&mut self, word: u64) {
        for (half, factor) in self.0.iter_mut().zip(FACTORS) {
            let product = u128::from(*half ^ word) * u128::from(factor);
            *half = (product as u64 ^ (product >> 64) as u64).wrapping_add(factor);
        }
    }

    fn pair(&mut self, low: u32, high: u32) {
        self.add(u64::from(low) | u64::from(high) << 32);
    }
}

/// Makes keys, with working memory kept from function to function.
pub struct Keys {
    /// What all functions share, for usual and for very large ones.
    common: [Digest; 2],
    numbers: FxHashMap<Symbol, u32>,
    /// What the last function refers to, by number.
    symbols: Vec<Symbol>,
}

impl Keys {
    pub fn new(env: &Env, isas: [&dyn TargetIsa; 2]) -> Keys {
        let common = isas.map(|isa| {
            let mut digest = Digest(FACTORS);
            let mut settings = FxHasher::default();
            isa.triple().hash(&mut settings);
            isa.flags().hash(&mut settings);
            isa.isa_flags_hash_key().hash(&mut settings);
            digest.add(settings.finish());
            env.common().into_iter().for_each(|word| digest.add(word));
            digest
        });
        Keys { common, numbers: FxHashMap::default(), symbols: Vec::new() }
    }

    /// The key of a function; afterwards `symbols` is about this one.
    pub fn of(&mut self, env: &Env, id: FuncId, is_huge: bool) -> Key {
        self.numbers.clear();
        self.symbols.clear();
        Glue::ALL.iter().for_each(|&glue| {
            self.number(Symbol::Glue(glue));
        });
        let func = &env.module.funcs[id];
        let mut digest = self.common[usize::from(is_huge)];
        digest.add(u64::from(is_huge));
        digest.add(u64::from(func.collects) | roots_word(func.roots) << 1);
        signature(&mut digest, &func.signature);
        digest.pair(func.entry_block().as_u32(), func.layout.len() as u32);
        for &block in &func.layout {
            let data = &func.blocks[block];
            digest.pair(block.as_u32(), data.insts.len() as u32);
            definitions(&mut digest, func, func.params(block));
            for &inst in &data.insts {
                let data = &func.insts[inst];
                let args = func.args(inst);
                digest.add(data.op as u64 | (args.len() as u64) << 8);
                self.immediate(&mut digest, env, data);
                args.chunks(2)
                    .for_each(|pair| digest.pair(pair[0].as_u32(), pair.get(1).map_or(0, |arg| arg.as_u32())));
                definitions(&mut digest, func, func.results(inst));
            }
            digest.add(data.edges.len() as u64);
            for edge in &data.edges {
                let args = func.edge_args(edge);
                digest.pair(edge.block.as_u32(), args.len() as u32);
                args.iter().for_each(|arg| digest.add(arg.as_u32().into()));
            }
        }
        Key(digest.0)
    }

    /// The number of something that the last function refers to.
    pub fn number_of(&self, symbol: Symbol) -> u32 {
        self.numbers[&symbol]
    }

    /// What a number stands for in the last function.
    pub fn symbol(&self, number: u32) -> Option<Symbol> {
        self.symbols.get(number as usize).copied()
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
        if let Some(address) = address_constant(env.image, data.op, data) {
            return digest.add(address.into());
        }
        let number = data.imm as u32;
        match data.op.info().imm {
            ImmKind::Func => {
                let callee = FuncId::from_u32(number);
                let (number, is_new) = self.number(Symbol::Func(callee));
                digest.pair(number, data.aux);
                if is_new {
                    let callee = &env.module.funcs[callee];
                    digest.add(callee.collects.into());
                    signature(digest, &callee.signature);
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
            ImmKind::Row | ImmKind::Entry | ImmKind::Static | ImmKind::Desc | ImmKind::Caf => {
                panic!("{} is no address of the image", data.op.name())
            }
            ImmKind::None
            | ImmKind::Int
            | ImmKind::Float
            | ImmKind::Frame
            | ImmKind::Field
            | ImmKind::Shape
            | ImmKind::Offset
            | ImmKind::Element
            | ImmKind::Bytes
            | ImmKind::Slot => {
                digest.add(data.imm);
                digest.add(data.aux.into());
            }
        }
    }
}

fn roots_word(roots: Option<Strategy>) -> u64 {
    roots.map_or(0, |strategy| strategy as u64 + 1)
}

/// Values with their types.
fn definitions(digest: &mut Digest, func: &Func, values: &[Value]) {
    digest.add(values.len() as u64);
    values.iter().for_each(|&value| digest.pair(value.as_u32(), func.values[value] as u32));
}

fn signature(digest: &mut Digest, signature: &Signature) {
    types(digest, &signature.params);
    types(digest, &signature.results);
}

fn types(digest: &mut Digest, types: &[Type]) {
    digest.add(types.len() as u64);
    types.iter().for_each(|&ty| digest.add(ty as u64));
}

/// The services of the compiler are known by their numbers.
fn external(digest: &mut Digest, id: Extern, data: &ExternData) {
    let is_service = Service::from_extern(id).is_some();
    digest.add(if is_service { id.index() as u64 } else { u64::MAX });
    digest.add(data.effects.0.into());
    types(digest, &data.params);
    types(digest, &data.results);
}
