//! Value numbering along the dominator tree, of pure instructions and of loads, with forwarding of what was stored or
//! built. (Scoped hash table: Briggs, Cooper and Simpson, "Value numbering", 1997.)
//!
//! Every fact is (key, value, time). A fact about memory belongs to a class; each class knows when it was last killed,
//! and older facts of it do not count. Where paths join, loops included, those are killed that something writes between
//! the block that dominates and this one; in a block with one predecessor they are as they were at its end. What an
//! instruction reads and writes stands in the opcode table (`Memory`).
//!
//! ```text
//! class     facts                                   killed by
//! Pure      scalar arithmetic, sizes of arrays      –
//! Short     references, addresses of objects        safepoints (a reused reference would cost a root slot)
//! Constant  instructions that are constants         the end of the block (back ends repeat constants for nothing)
//! Word      get.i64, get.f64                        set of a word, fills
//! Ref       get.ref                                 set of a reference, fills, safepoints
//! Header    header, is_hnf, arguments of thunks     set_row, fills, blackhole, safepoints
//! Element   numbers in elements                     set_elem.* of such, calls, libcalls with effects
//! ElementRef  elem.ref                              set_elem.ref, calls, libcalls with effects
//! Caf       caf.*                                   set_caf.*, calls
//! Call      references that libcalls read           all that writes
//! ```
//! Words of evaluated nodes survive calls: only their owner may update them, and it gets the node back under another
//! name. A node that does not escape (built here, only read) is known everywhere, across safepoints too.
//!
//! Conditions: below a branch its condition is known, and what was equal to a constant is that constant. Where the low
//! bits are known to be zero, a division by a power of two is a shift.

use crate::analysis::domwalk::{DomWalk, Step};
use crate::analysis::values::{Defs, Rename, Scratch, same_constant};
use crate::opt::memory_classes::{Blocks, CLASSES, Class, Written, class_of_load};
use cleave_ir::opcode::Field;
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{
    Block, Effects, Flags, Func, ImmKind, Inst, Opcode, SecondaryMap, Type, Value, ValueList, WellKnownDesc,
};
use rustc_hash::FxHashMap;

/// Numbers the values of `func`; true if something changed.
pub fn run(func: &mut Func, writes_words: bool, scratch: &mut Scratch) -> bool {
    scratch.defs.compute(func);
    scratch.rename.start(func);
    let mut out = std::mem::take(&mut scratch.insts);
    let mut pass = Gvn {
        defs: &mut scratch.defs,
        rename: &mut scratch.rename,
        table: std::mem::take(&mut scratch.table),
        leader: SecondaryMap::new(),
        escapes: SecondaryMap::new(),
        killed: [0; CLASSES],
        clock: 0,
        inserted: Vec::new(),
        writes_words,
        changed: false,
    };
    pass.leader.resize(func.values.len());
    find_escapes(func, &mut pass.escapes);
    let mut walk = DomWalk::new(func);
    let mut blocks = Blocks::compute(func, &walk.cfg, writes_words);
    let mut ends: SecondaryMap<Block, [u32; CLASSES]> = SecondaryMap::new();
    let mut marks = Vec::new();
    while let Some(step) = walk.step() {
        match step {
            Step::Enter(block) => {
                marks.push(pass.table.log.len());
                pass.clock += 1;
                pass.killed = match (&walk.cfg.preds[block][..], walk.parent(block)) {
                    (&[pred], _) => ends[pred],
                    (_, None) => [pass.clock; CLASSES],
                    (_, Some(parent)) => match blocks.between(&walk.cfg, parent, block) {
                        None => [pass.clock; CLASSES],
                        Some(written) => pass.without(ends[parent], written),
                    },
                };
                pass.killed[Class::Pure as usize] = 0;
                pass.killed[Class::Constant as usize] = pass.clock;
                if let Some((branch, truth)) = walk.condition(func, block) {
                    pass.learn_condition(func, branch, truth);
                }
                out.clear();
                out.append(&mut func.blocks[block].insts);
                let mut kept = std::mem::take(&mut func.blocks[block].insts);
                for &inst in &*out {
                    let is_kept = pass.inst(func, block, inst);
                    kept.append(&mut pass.inserted);
                    kept.extend(is_kept.then_some(inst));
                }
                func.blocks[block].insts = kept;
                ends[block] = pass.killed;
            }
            Step::Leave(_) => pass.table.undo(marks.pop().unwrap_or(0)),
        }
    }
    let changed = pass.changed;
    scratch.table = pass.table;
    scratch.insts = out;
    scratch.rename.apply_to_edges(func);
    changed
}

/// True if all that it does besides computing is to stop the program for some operands.
/// The operands are all that there is in the object that it makes.
pub(crate) fn is_known_whole(op: Opcode) -> bool {
    matches!(op, Opcode::BuildNode | Opcode::BuildThunk | Opcode::BoxInt)
}

/// What a fact is about: an instruction by opcode, immediates and operands, or something we know of operand 0:
/// * `BuildDummy`: its contents, the fact is the instruction that built or filled it
/// * `BrIf`: 0 if it is zero, else 1
/// * `Iconst64`: the constant it equals
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    imm: u64,
    op: Opcode,
    aux: u32,
    args: [u32; 3],
}

const NO_ARG: u32 = u32::MAX;

impl Key {
    fn about(op: Opcode, value: Value) -> Key {
        Key { imm: 0, op, aux: 0, args: [value.as_u32(), NO_ARG, NO_ARG] }
    }
}

/// Scoped hash table.
#[derive(Default)]
pub struct Table {
    facts: FxHashMap<Key, (u32, u32)>,
    log: Vec<(Key, Option<(u32, u32)>)>,
}

impl Table {
    fn undo(&mut self, mark: usize) {
        while self.log.len() > mark {
            match self.log.pop() {
                Some((key, Some(before))) => drop(self.facts.insert(key, before)),
                Some((key, None)) => drop(self.facts.remove(&key)),
                None => return,
            }
        }
    }
}

struct Gvn<'a> {
    defs: &'a mut Defs,
    rename: &'a mut Rename,
    table: Table,
    /// For constants, which are not replaced across blocks: the one that stands for them in keys.
    leader: SecondaryMap<Value, PackedOption<Value>>,
    /// Used by something else than reads of its fields and header.
    escapes: SecondaryMap<Value, bool>,
    killed: [u32; CLASSES],
    clock: u32,
    /// New instructions before the current one.
    inserted: Vec<Inst>,
    /// Functions of the program overwrite words of nodes. Where none does, words outlive calls.
    writes_words: bool,
    changed: bool,
}

impl Gvn<'_> {
    // -- facts -------------------------------------------------------------------------------------------------------

    fn lookup(&self, key: &Key, class: Class) -> Option<u32> {
        self.table.facts.get(key).filter(|fact| fact.1 >= self.killed[class as usize]).map(|fact| fact.0)
    }
    fn learn(&mut self, key: Key, what: u32) {
        let before = self.table.facts.insert(key, (what, self.clock));
        self.table.log.push((key, before));
    }
    /// What was known of these classes of memory is true no more.
    fn kill(&mut self, written: Written) {
        if !written.is_empty() {
            self.clock += 1;
            self.killed = self.without(self.killed, written);
        }
    }
    /// When the classes were last killed, if it was so and these have been written since.
    fn without(&self, mut killed: [u32; CLASSES], written: Written) -> [u32; CLASSES] {
        written.classes().for_each(|class| killed[class] = self.clock);
        killed
    }
    fn leader(&self, value: Value) -> Value {
        self.leader[value].expand().unwrap_or(value)
    }
    fn key(&self, func: &Func, inst: Inst) -> Option<Key> {
        let data = &func.insts[inst];
        let args = func.args(inst);
        if args.len() > 3 {
            return None;
        }
        let mut numbers = [NO_ARG; 3];
        for (number, &arg) in numbers.iter_mut().zip(args) {
            *number = self.leader(arg).as_u32();
        }
        if data.op.any(Flags::COMMUTATIVE) && numbers[0] > numbers[1] {
            numbers.swap(0, 1);
        }
        Some(Key { imm: data.imm, op: data.op, aux: data.aux, args: numbers })
    }

    /// The instruction that gave a node its contents: from memory facts of `class`, or its only one.
    fn contents(&self, func: &Func, node: Value, class: Class) -> Option<Inst> {
        if !self.escapes[node]
            && let Some(def) = self.defs.get(node)
            && is_known_whole(func.insts[def].op)
        {
            return Some(def);
        }
        self.lookup(&Key::about(Opcode::BuildDummy, node), class).map(Inst::from_u32)
    }

    // -- instructions ------------------------------------------------------------------------------------------------

    /// Numbers one instruction; false if it is to be removed.
    fn inst(&mut self, func: &mut Func, block: Block, inst: Inst) -> bool {
        self.rename.apply_to_inst(func, inst);
        let op = func.insts[inst].op;
        if op == Opcode::BrIf {
            self.fold_branch(func, block, inst);
            return true;
        }
        if op.edge_of_equality().is_some() && self.fold_equality(func, inst, op) {
            return true;
        }
        if is_known_whole(op) {
            self.learn(Key::about(Opcode::BuildDummy, func.result(inst)), inst.as_u32());
            return true;
        }
        if op.is_constant() {
            return self.number(func, inst, Class::Constant);
        }
        if op.is_pure() {
            let is_short = op == Opcode::RefAddr || func.values[func.result(inst)] == Type::Ref;
            return self.number(func, inst, if is_short { Class::Short } else { Class::Pure });
        }
        // What stops the program does so the first time.
        if op.is_division() {
            if op == Opcode::Sdiv {
                self.shift_multiple(func, inst);
            }
            return self.number(func, inst, Class::Pure);
        }
        if let Some(class) = class_of_load(func, inst) {
            return if op.only_reads_node() { self.load(func, inst, class) } else { self.number(func, inst, class) };
        }
        if op == Opcode::CallRt && func.insts[inst].effects() == Effects::PURE && func.results(inst).len() == 1 {
            return self.number(func, inst, Class::Pure);
        }
        self.effects(func, inst, op);
        true
    }

    /// Reuses an equal instruction, or becomes the one that others can reuse.
    fn number(&mut self, func: &Func, inst: Inst, class: Class) -> bool {
        let Some(key) = self.key(func, inst) else { return true };
        let result = func.result(inst);
        if let Some(known) = self.lookup(&key, class) {
            self.rename.set(result, Value::from_u32(known));
            self.changed = true;
            return false;
        }
        if class == Class::Constant
            && let Some(&(earlier, _)) = self.table.facts.get(&key)
        {
            self.leader[result] = self.leader(Value::from_u32(earlier)).into();
        }
        self.learn(key, result.as_u32());
        true
    }

    /// A read of a node: from what was put there, else like others.
    fn load(&mut self, func: &mut Func, inst: Inst, class: Class) -> bool {
        let node = func.args(inst)[0];
        if let Some(source) = self.contents(func, node, class) {
            let data = &func.insts[inst];
            if Field::of(data.op).is_none() {
                let (op, imm, aux) = header_of(func, inst, source);
                let data = &mut func.insts[inst];
                (data.op, data.imm, data.aux, data.args) = (op, imm, aux, ValueList::new());
                self.changed = true;
                return self.number(func, inst, Class::Constant);
            } else if let Some(value) = field_of(func, inst, source) {
                let value = self.rename.resolve(value);
                self.rename.set(func.result(inst), value);
                self.changed = true;
                return false;
            }
        }
        self.number(func, inst, class)
    }

    /// Kills what an instruction may change, and learns what it stores.
    fn effects(&mut self, func: &Func, inst: Inst, op: Opcode) {
        self.kill(Written::by(func, inst, self.writes_words));
        if op == Opcode::FillNode || op == Opcode::FillThunk {
            self.learn(Key::about(Opcode::BuildDummy, func.args(inst)[0]), inst.as_u32());
        }
        if let Some(read) = Field::of(op).and_then(Field::read_back) {
            // What is known of the whole node is no longer true of this field; killing the class saw to that.
            let (data, args) = (&func.insts[inst], func.args(inst));
            let key =
                Key { imm: data.imm, op: read, aux: data.aux, args: [self.leader(args[0]).as_u32(), NO_ARG, NO_ARG] };
            self.learn(key, args[1].as_u32());
        }
    }

    // -- conditions --------------------------------------------------------------------------------------------------

    fn learn_condition(&mut self, func: &Func, branch: Inst, truth: bool) {
        let condition = func.args(branch)[0];
        self.learn(Key::about(Opcode::BrIf, condition), truth as u32);
        let Some(test) = self.defs.get(condition) else { return };
        if func.insts[test].op == Opcode::Eqz {
            self.learn(Key::about(Opcode::BrIf, func.args(test)[0]), !truth as u32);
        }
        if func.insts[test].op.edge_of_equality() == Some(usize::from(!truth)) {
            let args = func.args(test);
            for (value, constant) in [(args[0], args[1]), (args[1], args[0])] {
                if self.defs.op(func, constant).is_some_and(Opcode::is_constant) {
                    self.learn(Key::about(Opcode::Iconst64, value), constant.as_u32());
                }
            }
        }
    }

    /// Has a branch said that it is zero?
    fn is_zero(&self, func: &Func, value: Value) -> bool {
        let is = |op| self.lookup(&Key::about(op, value), Class::Pure);
        let constant = is(Opcode::Iconst64).and_then(|constant| self.defs.constant(func, Value::from_u32(constant)));
        is(Opcode::BrIf) == Some(0) || constant == Some(0)
    }

    /// The quotient of a number and a power of two, where a branch has said that its remainder is 0, is a shift.
    fn shift_multiple(&mut self, func: &mut Func, inst: Inst) {
        let (x, by) = (func.args(inst)[0], func.args(inst)[1]);
        let Some(power) = self.defs.constant(func, by).filter(|&by| by > 1 && by & (by - 1) == 0) else { return };
        let ty = func.values[x];
        let constant = if ty == Type::I32 { Opcode::Iconst32 } else { Opcode::Iconst64 };
        let low = Key { imm: (power - 1) as u64, op: constant, aux: 0, args: [NO_ARG; 3] };
        let Some(&(low, _)) = self.table.facts.get(&low) else { return };
        let mut args = [self.leader(x).as_u32(), self.leader(Value::from_u32(low)).as_u32(), NO_ARG];
        args[..2].sort_unstable();
        let bits = self.lookup(&Key { imm: 0, op: Opcode::And, aux: 0, args }, Class::Pure);
        if bits.is_some_and(|bits| self.is_zero(func, Value::from_u32(bits))) {
            let shift = func.make_inst(constant, u64::from(power.trailing_zeros()), 0, &[], &[ty]);
            self.defs.record(func, shift);
            self.inserted.push(shift);
            let args = [x, func.result(shift)];
            let data = &mut func.insts[inst];
            data.op = Opcode::Sshr;
            data.args.as_mut_slice(&mut func.pool).copy_from_slice(&args);
            self.changed = true;
        }
    }

    fn fold_branch(&mut self, func: &mut Func, block: Block, inst: Inst) {
        let key = Key::about(Opcode::BrIf, func.args(inst)[0]);
        if let Some(truth) = self.lookup(&key, Class::Pure) {
            let data = &mut func.insts[inst];
            (data.op, data.args) = (Opcode::Jump, ValueList::new());
            let edges = &mut func.blocks[block].edges;
            edges.swap(0, (truth == 0) as usize);
            edges.truncate(1);
            self.changed = true;
        }
    }

    /// Folds a comparison of a value that is known to be one constant with another constant.
    fn fold_equality(&mut self, func: &mut Func, inst: Inst, op: Opcode) -> bool {
        let args = func.args(inst);
        for (value, constant) in [(args[0], args[1]), (args[1], args[0])] {
            let Some(other) = self.defs.get(constant).filter(|&d| func.insts[d].op.is_constant()) else { continue };
            let Some(known) = self.lookup(&Key::about(Opcode::Iconst64, value), Class::Pure) else { continue };
            let Some(known) = self.defs.get(Value::from_u32(known)) else { continue };
            // Different constants of the same kind differ; of an address and a number we cannot tell.
            let equal = same_constant(func, known, other);
            if !equal && func.insts[known].op != func.insts[other].op {
                continue;
            }
            let data = &mut func.insts[inst];
            data.op = Opcode::Iconst32;
            (data.imm, data.aux) = ((equal == (op == Opcode::Eq)) as u64, 0);
            data.args = ValueList::new();
            self.changed = true;
            return true;
        }
        false
    }
}

/// Marks the nodes that are used by anything but reads of them.
fn find_escapes(func: &Func, escapes: &mut SecondaryMap<Value, bool>) {
    escapes.resize(func.values.len());
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            if !func.insts[inst].op.only_reads_node() {
                func.args(inst).iter().for_each(|&arg| escapes[arg] = true);
            }
        }
        for edge in &func.blocks[block].edges {
            func.edge_args(edge).iter().for_each(|&arg| escapes[arg] = true);
        }
    }
}

/// Header (or its HNF bit) that the instruction `source` gives its node, as a constant instruction.
fn header_of(func: &Func, read: Inst, source: Inst) -> (Opcode, u64, u32) {
    let data = &func.insts[source];
    let is_header = func.insts[read].op == Opcode::Header;
    let is_thunk = data.op.info().imm == ImmKind::ThunkInfo;
    if !is_header {
        return (Opcode::Iconst32, u64::from(!is_thunk), 0);
    }
    if data.op == Opcode::BoxInt {
        return (Opcode::NodeInfoAddr, WellKnownDesc::Int as u64, 0);
    }
    (if is_thunk { Opcode::ThunkInfoAddr } else { Opcode::NodeInfoAddr }, data.imm, data.aux)
}

/// The operand of `source` that the field access `read` reads back.
fn field_of(func: &Func, read: Inst, source: Inst) -> Option<Value> {
    let data = &func.insts[read];
    let args = func.args(source);
    let field = Field::of(data.op)?;
    let source = func.insts[source].op;
    if field.is_of_thunk() != (source.info().imm == ImmKind::ThunkInfo) {
        return None;
    }
    let payload = &args[usize::from(source.any(Flags::FILLS))..];
    let ptrs = payload.iter().take_while(|&&arg| func.values[arg] == Type::Ref).count();
    let shape = data.field_shape();
    if (shape.ptrs as usize, shape.nptrs as usize) != (ptrs, payload.len() - ptrs) {
        return None;
    }
    let first = if field.is_ref() { 0 } else { ptrs };
    let value = *payload.get(first + data.aux as usize)?;
    (func.values[value] == func.values[func.result(read)]).then_some(value)
}
