//! Which references are read without being counted, of those that may be overwritten later: elements of arrays, fields
//! that the program overwrites somewhere, and static storage that the program sets at one place.
//!
//! ```text
//! v2 = get.ref v0 (1, 0) 0            ─▶   v2 = get_retained.ref v0 (1, 0) 0       unless it is a peek
//! v4 = caf.ref ^c/0                   ─▶   v4 = peek_caf.ref ^c/0                  if it is one
//! v3 = call_rt rc_element v0, v1      ─▶   v3 = elem.ref v0, v1 stride 4 at 12     if it is one
//! ```
//! Such a reference is kept alive by where it was read from only as long as nobody writes. If it is used before
//! anything can be written, on every path, it is a *peek*: nobody counts it. So is what is read from it. Where a peek
//! is needed but what was read from it lives longer, only that is counted.
//!
//! A peek may be passed to a function that overwrites no reference, and to blocks, as long as nothing is written while
//! their parameters live. `verify/peeks` proves the result.
//!
//! Needs and leaves: high IR, with these two instructions besides.

use cleave_ir::abi::libcalls::{RC_ELEMENT, RC_INNER_ELEMENT};
use cleave_ir::cfg::Cfg;
use cleave_ir::layout::SLOT;
use cleave_ir::liveness::Liveness;
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{
    Block, EntitySet, Flags, Func, Inst, InstData, Module, Opcode, ReferenceWriters, SecondaryMap, Type, Value,
    ValueList, WrittenFields, pack, rc,
};
use smallvec::SmallVec;

/// What is asked of the module.
pub struct Peeks<'m> {
    pub module: &'m Module,
    pub written: &'m WrittenFields,
    pub writers: &'m ReferenceWriters,
}

impl Peeks<'_> {
    /// Rewrites a function.
    pub fn run(&self, func: &mut Func) {
        let insts = |func: &Func| -> Vec<Inst> {
            func.layout.iter().flat_map(|&block| func.blocks[block].insts.iter().copied()).collect()
        };
        if !insts(func).into_iter().any(|inst| self.is_source(&func.insts[inst])) {
            return;
        }
        let counted = self.counted(func);
        for inst in counted.iter() {
            let data = &mut func.insts[inst];
            if data.op == Opcode::GetRef {
                data.op = Opcode::GetRetained;
            }
        }
        for at in 0..func.layout.len() {
            let block = func.layout[at];
            for &inst in &func.blocks[block].insts {
                let data = &mut func.insts[inst];
                if data.op == Opcode::CafRef && self.writers.is_set_once(data) && !counted.contains(inst) {
                    data.op = Opcode::PeekCafRef;
                }
            }
            self.elements(func, block, &counted);
        }
    }

    /// A reference that may be overwritten is read.
    fn is_source(&self, data: &InstData) -> bool {
        data.op == Opcode::GetRef && self.written.may_change(data)
            || data.op == Opcode::CafRef && self.writers.is_set_once(data)
            || self.is_element(data).is_some()
    }

    /// An element of an array is read; true if of the array that is the first element of the one that is given.
    fn is_element(&self, data: &InstData) -> Option<bool> {
        if data.op != Opcode::CallRt {
            return None;
        }
        let called = &self.module.externs[data.external().0];
        let is = |row: &cleave_ir::LibcallSignature| called.from.is_none() && called.name == row.name;
        (is(&RC_ELEMENT) || is(&RC_INNER_ELEMENT)).then(|| is(&RC_INNER_ELEMENT))
    }

    /// The instructions whose result is counted.
    fn counted(&self, func: &Func) -> EntitySet<Inst> {
        let read = self.read(func, &EntitySet::new());
        let mut counted = self.lasting(func, &read);
        // What is read from something that is counted itself is as it always is.
        let read = self.read(func, &counted);
        for inst in counted.iter().collect::<Vec<_>>() {
            if !self.is_source(&func.insts[inst]) && !read.contains(func.args(inst)[0]) {
                counted.remove(inst);
            }
        }
        counted
    }

    /// What is read from such places without being counted, and what is read from that or passed to blocks.
    fn read(&self, func: &Func, counted: &EntitySet<Inst>) -> EntitySet<Value> {
        let mut read: EntitySet<Value> = EntitySet::new();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in &func.layout {
                for &inst in &func.blocks[block].insts {
                    let data = &func.insts[inst];
                    let is_read =
                        self.is_source(data) || data.op == Opcode::GetRef && read.contains(func.args(inst)[0]);
                    changed |= is_read && !counted.contains(inst) && read.insert(func.result(inst));
                }
                for edge in &func.blocks[block].edges {
                    for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
                        changed |= read.contains(arg) && read.insert(param);
                    }
                }
            }
        }
        read
    }

    /// The instructions that read what lives when something may be written.
    fn lasting(&self, func: &Func, read: &EntitySet<Value>) -> EntitySet<Inst> {
        let cfg = Cfg::compute(func);
        let live = Liveness::compute(func, &cfg, |value| read.contains(value));
        let mut open: Vec<Value> = Vec::new();
        for &block in &cfg.order {
            let mut set = live.live_out(block).to_vec();
            for &inst in func.blocks[block].insts.iter().rev() {
                let data = &func.insts[inst];
                func.results(inst).iter().for_each(|&result| live.remove(&mut set, result));
                let writes = self.writers.may_write(self.module, data);
                if writes {
                    open.extend(live.values(&set));
                }
                // Who is called may look at it after a write of its own. A reference that is one or another is counted.
                let is_looked_at = writes && data.op.any(Flags::CALL) && !self.is_exchange(data);
                if is_looked_at || data.op == Opcode::Select {
                    open.extend(func.args(inst).iter().copied().filter(|&arg| read.contains(arg)));
                }
                live.step_back(func, inst, &mut set);
            }
        }
        let mut defs: SecondaryMap<Value, PackedOption<Inst>> = SecondaryMap::new();
        let mut passed: SecondaryMap<Value, SmallVec<[Value; 2]>> = SecondaryMap::new();
        for &block in &cfg.order {
            for &inst in &func.blocks[block].insts {
                func.results(inst).iter().for_each(|&result| defs[result] = inst.into());
            }
            for edge in &func.blocks[block].edges {
                let pairs = func.edge_args(edge).iter().zip(func.params(edge.block));
                pairs.filter(|&(&arg, _)| read.contains(arg)).for_each(|(&arg, &param)| passed[param].push(arg));
            }
        }
        let (mut found, mut seen) = (EntitySet::new(), EntitySet::new());
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            match defs[value].expand() {
                Some(inst) => _ = found.insert(inst),
                None => open.extend(&passed[value]),
            }
        }
        found
    }

    /// It takes over what it stores before it gives away what was there.
    fn is_exchange(&self, data: &InstData) -> bool {
        data.op == Opcode::CallRt && self.module.externs[data.external().0].from.is_none()
    }

    /// Elements that are not counted.
    fn elements(&self, func: &mut Func, block: Block, counted: &EntitySet<Inst>) {
        let is_inner = |func: &Func, inst: Inst| {
            let data = &func.insts[inst];
            let is_peek = data.op == Opcode::CallRt && !counted.contains(inst);
            self.is_element(data).filter(|_| is_peek)
        };
        if !func.blocks[block].insts.iter().any(|&inst| is_inner(func, inst).is_some()) {
            return;
        }
        let place = pack(SLOT, rc::STRING_DATA);
        for inst in std::mem::take(&mut func.blocks[block].insts) {
            if let Some(is_inner) = is_inner(func, inst) {
                if is_inner {
                    func.set_location_of(inst);
                    let (outer, index) = (func.args(inst)[0], func.args(inst)[1]);
                    let first = func.append(block, Opcode::Iconst64, 0, 0, &[], &[Type::I64]);
                    let first = func.result(first);
                    let inner = func.append(block, Opcode::ElemRef, place, 0, &[outer, first], &[Type::Ref]);
                    let args = [func.result(inner), index];
                    func.insts[inst].args = ValueList::from_slice(&args, &mut func.pool);
                }
                let data = &mut func.insts[inst];
                (data.op, data.imm, data.aux) = (Opcode::ElemRef, place, 0);
            }
            func.blocks[block].insts.push(inst);
        }
        func.set_location(cleave_ir::Location::NONE);
    }
}
