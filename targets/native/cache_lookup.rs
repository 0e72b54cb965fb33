//! Cache lookup: takes functions of a module from the cache before their roots are placed.
//!
//! What is found loses its body: an entry block that is never left, in the place of all that would have to be placed,
//! lowered and compiled. The static data is laid out here, because it says where everything is; it must not depend on
//! what comes later. That it does for linked frames (`RootStrategy::Chain`), whose programs have no cache.

use crate::cache::{Cache, Key, Recalled, Stored, resolve};
use crate::compile::collecting;
use crate::fingerprint::Keys;
use crate::lower::Env;
use crate::{Effort, Function, Options, Relocation, Symbol, isa, lines};
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::{Builder, Func, FuncId, Module, RootStrategy};
use rayon::prelude::*;

/// Functions that one task looks for.
const CHUNK: usize = 64;
/// A function that was looked for.
enum Looked {
    Found(Function),
    Missing(Key, Box<[Symbol]>),
}

/// Leaves the functions that are found without bodies; the static data, unless there is no cache for this program.
pub(crate) fn run(
    module: &mut Module,
    lay_out: impl Fn(&Module) -> StaticDataSection,
    options: &Options,
    cache: &Cache,
) -> Option<StaticDataSection> {
    if module.funcs.values().any(|func| func.roots == Some(RootStrategy::Chain)) {
        return None;
    }
    let data_section = lay_out(module);
    let env = Env::new(module, &data_section, options);
    let isas = [isa::isa(options, options.effort), isa::isa(options, Effort::Least)];
    let keys = || Keys::new(&env, [&*isas[0], &*isas[1]], options, &cache.words);
    let all: Vec<FuncId> = module.funcs.keys().collect();
    let each = |keys: &mut Keys, chunk: &[FuncId]| -> Vec<Looked> {
        chunk.iter().map(|&id| look_for(&env, keys, cache, id)).collect()
    };
    let looked: Vec<Vec<Looked>> = if options.parallel {
        all.par_chunks(CHUNK).map_init(keys, each).collect()
    } else {
        let mut keys = keys();
        all.chunks(CHUNK).map(|chunk| each(&mut keys, chunk)).collect()
    };
    let mut recalled = Recalled::default();
    for (id, looked) in all.into_iter().zip(looked.into_iter().flatten()) {
        match looked {
            Looked::Found(function) => {
                empty(&mut module.funcs[id]);
                recalled.found.insert(id, function);
            }
            Looked::Missing(key, symbols) => _ = recalled.missing.insert(id, (key, symbols)),
        }
    }
    *cache.recalled.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(recalled);
    Some(data_section)
}

fn look_for(env: &Env, keys: &mut Keys, cache: &Cache, id: FuncId) -> Looked {
    let (key, symbols) = keys.of(env, id);
    let found = cache.cache_file.get(key).and_then(|stored| {
        let Stored { align, phase, code, relocations, frame, maps, lines } = stored;
        let resolve = |(offset, number, addend)| Some(Relocation { offset, symbol: resolve(symbols, number)?, addend });
        let relocations = relocations.into_iter().map(resolve).collect::<Option<Vec<Relocation>>>()?;
        let maps = collecting(env.module, &maps, &relocations);
        let stored = Some((key, Vec::new()));
        let (clif, asm) = (String::new(), String::new());
        Some(Function {
            symbol: Symbol::Func(id),
            maps,
            lines: lines::from_start(lines, &env.module.funcs[id], u32::wrapping_add),
            relocations,
            align,
            phase,
            stored,
            code,
            frame,
            is_old: true,
            clif,
            asm,
        })
    });
    found.map_or_else(|| Looked::Missing(key, symbols.into()), Looked::Found)
}

/// Takes the body of a function away.
fn empty(func: &mut Func) {
    let old = std::mem::take(func);
    let Func { phase, may_gc, takes_stack_pointer, is_outlined, roots, fip, borrows, holes, .. } = old;
    let empty = Func::new(old.name, old.signature);
    *func = Func { phase, may_gc, takes_stack_pointer, is_outlined, roots, fip, borrows, holes, ..empty };
    let block = func.new_block();
    for ty in func.signature.params.clone() {
        func.add_param(block, ty);
    }
    Builder::new(func, block).unreachable();
}
