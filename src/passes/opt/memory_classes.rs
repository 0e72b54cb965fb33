//! Classes of the memory that `gvn` keeps facts about, and which of them are written where: by an instruction, and
//! between a block where paths join and the one that dominates it.

use cleave_ir::cfg::Cfg;
use cleave_ir::{Block, Effects, EntitySet, Flags, Func, Inst, Memory, Opcode, SecondaryMap, Type};

/// A class of facts; `gvn` has a table of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Pure,
    Short,
    Constant,
    Word,
    Ref,
    Header,
    Element,
    ElementRef,
    Caf,
    /// What functions of the runtime have read: killed by whatever is written.
    Call,
}
pub(crate) const CLASSES: usize = 10;

/// Blocks between a join and what dominates it that are looked at.
const MOST: usize = 64;

/// The classes of the facts about each class of memory. Sizes are never written: what is known of them stays true.
const MEMORY_CLASSES: [(Memory, &[Class]); 5] = [
    (Memory::NPTRS, &[Class::Word]),
    (Memory::PTRS, &[Class::Ref]),
    (Memory::HEADERS, &[Class::Header]),
    (Memory::ELEMENTS, &[Class::Element, Class::ElementRef]),
    (Memory::CAFS, &[Class::Caf]),
];

/// The class of what an instruction reads, if it only reads, and memory of one class.
pub(crate) fn class_of_load(func: &Func, inst: Inst) -> Option<Class> {
    let op = func.insts[inst].op;
    // It may read anything, as functions of a language's own runtime do.
    if op == Opcode::CallRt {
        let [result] = func.results(inst) else { return None };
        let only_reads = func.insts[inst].effects() == Effects::READS.and(Effects::RC);
        return (only_reads && func.values[*result] == Type::Ref).then_some(Class::Call);
    }
    if !op.is_removable() {
        return None;
    }
    if op == Opcode::ElemRef {
        return Some(Class::ElementRef);
    }
    match op.reads() {
        Memory::SIZES => Some(Class::Pure),
        memory => MEMORY_CLASSES.iter().find(|(of, _)| *of == memory).map(|&(_, classes)| classes[0]),
    }
}

/// A set of classes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Written(u16);

impl Written {
    fn of(memory: Memory) -> Written {
        let classes = MEMORY_CLASSES.iter().filter(|(of, _)| of.any(memory)).flat_map(|&(_, classes)| classes);
        Written::classes_of(classes.copied())
    }

    fn classes_of(classes: impl Iterator<Item = Class>) -> Written {
        let bits = classes.fold(0, |bits, class| bits | 1 << class as u16);
        Written(if bits == 0 { 0 } else { bits | 1 << Class::Call as u16 })
    }

    /// What an instruction may change. Where no function overwrites words of nodes, words outlive calls.
    pub fn by(func: &Func, inst: Inst, writes_words: bool) -> Written {
        let data = &func.insts[inst];
        let by_call = || {
            let memory = if writes_words { Memory::ALL } else { Memory::ALL.without(Memory::NPTRS) };
            Written(Written::of(memory).0 | 1 << Class::Short as u16)
        };
        if data.op.any(Flags::CALL) {
            let changes = |effects: Effects| effects.all(Effects::MAY_GC) || effects.all(Effects::EFFECT);
            let is_call = data.op != Opcode::CallRt || changes(data.effects());
            return if is_call { by_call() } else { Written::default() };
        }
        if data.op.writes() == Memory::ELEMENTS {
            // References and numbers are never at the same place.
            let is_ref = data.op == Opcode::SetElemRef;
            return Written::classes_of([if is_ref { Class::ElementRef } else { Class::Element }].into_iter());
        }
        Written::of(data.op.writes())
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn classes(self) -> impl Iterator<Item = usize> {
        (0..CLASSES).filter(move |class| self.0 >> class & 1 != 0)
    }
}

/// What the blocks of a function write.
#[derive(Default)]
pub(crate) struct Blocks {
    written: SecondaryMap<Block, Written>,
    seen: EntitySet<Block>,
}

impl Blocks {
    /// Looks at all blocks of a function, if paths join anywhere.
    pub fn compute(func: &Func, cfg: &Cfg, writes_words: bool) -> Blocks {
        let mut blocks = Blocks::default();
        if cfg.order.iter().any(|&block| cfg.preds[block].len() > 1) {
            for &block in &cfg.order {
                let all = func.blocks[block].insts.iter().map(|&inst| Written::by(func, inst, writes_words));
                blocks.written[block] = Written(all.fold(0, |bits, written| bits | written.0));
            }
        }
        blocks
    }

    /// What may be written on the ways from the end of `from`, which dominates `join`, to that block; `None` if there
    /// are too many blocks.
    pub fn between(&mut self, cfg: &Cfg, from: Block, join: Block) -> Option<Written> {
        self.seen.clear();
        self.seen.insert(from);
        let (mut open, mut bits, mut count) = (vec![join], 0, 0);
        while let Some(block) = open.pop() {
            for &before in &cfg.preds[block] {
                if self.seen.insert(before) {
                    count += 1;
                    bits |= self.written[before].0;
                    open.push(before);
                }
            }
            if count > MOST {
                return None;
            }
        }
        Some(Written(bits))
    }
}
