//! Effects: a function that performs one leaves, with all that wait for it up to the innermost handler, and what they
//! still have to do is kept in nodes, the *frames* of a continuation. To resume it is to call the code behind the calls
//! that did not return, innermost first.
//!
//! ```text
//! v1 = perform v0                    ─▶     v1 = call @effect.perform(v0)
//! v2, v3, v4 = handle_call @f(v1)    ─▶     v2, v3, v4 = call @effect.handle.f(v1)
//! v2, v3, v4 = resume v0, v1         ─▶     v2, v3, v4 = call @effect.resume(v0, v1)
//!
//! v4 = call @f(v1)                   ─▶     v4 = call @f(v1)
//!                                           br_if (caf.i64 ^effect/0), block1, block2
//!                                         block1:
//!                                           v5 = build $g.1/0 v2, v3;  tail_call @effect.push(v5)
//! ```
//! `lower` makes calls of what the instructions mean; then exceptions are expanded, which need not know of effects;
//! then `capture` makes functions of it that leave frames, and `library` says what is called. All of it is high IR, as
//! a front end could have written it. So it works on both heaps, on all targets, and in functions that leave a small
//! stack: a frame is a node, the collector sees its references, and when nobody refers to a continuation any more it
//! is gone with all that its frames own.
//!
//! A frame that has been resumed is not there any more, and the frames outside of it stay where they are until it
//! returns. So performing and resuming cost as much as the frames that they reach, however deep the stack of the
//! handled call is. Functions that perform nothing stay as they are.

mod capture;
mod library;
mod lower;

use crate::entity::{Caf, Desc, FuncId, Table};
use crate::free_name::free_name;
use crate::func::Func;
use crate::layout::Shape;
use crate::module::{CafData, DescData, Module, TableData, TableRole, WellKnownDesc};
use crate::raises::{Raises, has_effects, has_exceptions};
use crate::types::{Signature, Type};
use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use lower::lower;

/// Words of the storage: whether an effect is on its way. Further ones pass results to frames.
const IS_SUSPENDED: u32 = 0;
const FIRST_WORD: u32 = 1;
/// References of it: the effect, and the frames that have been left. Further ones pass results.
const EFFECT: u32 = 0;
const FRAMES: u32 = 1;
const FIRST_REF: u32 = 2;

/// What the functions of a module with effects share.
pub(crate) struct Effects {
    storage: Caf,
    /// `(effect) -> value`.
    perform: FuncId,
    /// `(continuation, value) -> outcome`; with an exception, `discontinue`.
    resume: FuncId,
    discontinue: Option<FuncId>,
    /// `(exception) -> nothing`: raises it.
    raise: Option<FuncId>,
    /// `(frame) -> nothing`: one more frame has been left.
    push: FuncId,
    /// `(frames outside) -> outcome`: an effect has got to its handler.
    take: FuncId,
    /// `(frames, value) -> outcome`: goes on with them.
    run: FuncId,
    /// `(closure, arguments) -> result` by number of arguments: application in steps, each of which may perform.
    apply: FxHashMap<u32, FuncId>,
    /// Functions that no effect leaves.
    handlers: EntitySet<FuncId>,
    /// `(frame, value) -> value`: the code behind a call, by the descriptor of the frame.
    frames: Table,
    /// A list of frames, innermost first: one of them, and the others; or `segment`: some of them, and those that are
    /// outside; or nothing. Some frames: the outermost one, and the others, in a `link`; or a single one itself.
    link: Desc,
    segment: Desc,
    /// Holds a list of frames; or `resumed`.
    continuation: Desc,
    resumed: Desc,
    /// Nodes are one block each (`DescData::contiguous`).
    contiguous: bool,
    /// Names of functions and labels of descriptors that are taken.
    taken: FxHashSet<String>,
}

/// Are its nodes one block each? Not where a thunk's value is copied over a cell.
fn is_contiguous(module: &Module) -> bool {
    module.thunk_infos.is_empty() || module.descs.values().any(|desc| desc.contiguous)
}

impl Effects {
    fn new(module: &mut Module) -> Effects {
        let label = free_name("effect", |name| module.cafs.values().any(|caf| caf.label == name));
        let storage = module.cafs.push(CafData { label, ptrs: FIRST_REF, nptrs: FIRST_WORD });
        let label = free_name("effect.frames", |name| module.tables.values().any(|table| table.label == name));
        let signature = Signature::ptrs(2);
        let frames = module.tables.push(TableData { label, role: TableRole::Method, signature, funcs: Vec::new() });
        let taken = module.funcs.values().map(|func| func.name.clone());
        let taken = taken.chain(module.descs.values().map(|desc| desc.label.clone())).collect();
        let contiguous = is_contiguous(module);
        let none = FuncId::from_u32(0);
        let mut effects = Effects {
            storage,
            perform: none,
            resume: none,
            discontinue: None,
            raise: None,
            push: none,
            take: none,
            run: none,
            apply: FxHashMap::default(),
            handlers: EntitySet::new(),
            frames,
            link: Desc::from_u32(0),
            segment: Desc::from_u32(0),
            continuation: Desc::from_u32(0),
            resumed: Desc::from_u32(0),
            contiguous,
            taken,
        };
        effects.link = effects.desc(module, "effect.link", &[Type::Ref; 2]);
        effects.segment = effects.desc(module, "effect.segment", &[Type::Ref; 2]);
        for desc in [effects.link, effects.segment] {
            module.descs[desc].immutable = true;
        }
        effects.continuation = effects.desc(module, "effect.continuation", &[Type::Ref]);
        effects.resumed = effects.desc(module, "effect.resumed", &[]);
        let [value, outcome] = [&[Type::Ref][..], &[Type::I32, Type::Ref, Type::Ref][..]];
        let mut func = |name: &str, params: usize, results: &[Type]| {
            effects.func(module, name, Signature::new(&[Type::Ref; 2][..params], results))
        };
        let perform = func("effect.perform", 1, value);
        let resume = func("effect.resume", 2, outcome);
        let push = func("effect.push", 1, value);
        let take = func("effect.take", 1, outcome);
        let run = func("effect.run", 2, outcome);
        (effects.perform, effects.resume) = (perform, resume);
        (effects.push, effects.take, effects.run) = (push, take, run);
        effects.handlers.extend([resume, push, take, run]);
        effects
    }

    /// The name, with a mark after it where it is taken.
    fn name(&mut self, name: &str) -> String {
        let name = free_name(name, |name| self.taken.contains(name));
        self.taken.insert(name.clone());
        name
    }

    /// A function that has no body yet.
    fn func(&mut self, module: &mut Module, name: &str, signature: Signature) -> FuncId {
        let mut func = Func::new(self.name(name), signature);
        func.is_outlined = true;
        module.funcs.push(func)
    }

    /// A descriptor of nodes with these fields, references first.
    fn desc(&mut self, module: &mut Module, label: &str, fields: &[Type]) -> Desc {
        let label = self.name(label);
        let mut data = match fields {
            [] => DescData::atom(&label, 0),
            fields => DescData { contiguous: self.contiguous, ..DescData::record(&label, 0, fields) },
        };
        data.immutable = false;
        module.descs.push(data)
    }

    /// Writes the functions that have waited for the expansion of exceptions, and lets all that may have to leave do
    /// so.
    pub(crate) fn finish(mut self, module: &mut Module) {
        let performs = Raises::reaching(module, |_| None, vec![self.perform], &self.handlers);
        self.capture_all(module, &performs);
        self.write_library(module);
    }
}
