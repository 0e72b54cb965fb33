//! Small mistakes in functions that count references, one at a time.

use cleave_ir::{Block, Func, Inst, Opcode, Type, Value};

/// A function with one mistake (or none, if what was changed does not matter).
pub struct Mutant {
    pub kind: &'static str,
    pub detail: String,
    pub func: Func,
}

struct Mutator<'a> {
    func: &'a Func,
    mutants: Vec<Mutant>,
}

fn counts(op: Opcode) -> bool {
    use Opcode::*;
    matches!(
        op,
        Retain
            | Release
            | UnpackRelease
            | Reset
            | ResetOrAlloc
            | Reuse
            | FreeToken
            | OpenHole
            | MoveHole
            | FillHole
            | GetRetained
            | ExchangeRef
    )
}

/// Every mutant of a rooted function of the reference-counted heap.
pub fn mutants(func: &Func) -> Vec<Mutant> {
    let mut mutator = Mutator { func, mutants: Vec::new() };
    for &block in &func.layout {
        for at in 0..func.blocks[block].insts.len() {
            let inst = func.blocks[block].insts[at];
            if counts(func.insts[inst].op) {
                mutator.of_counting(block, at, inst);
            }
            mutator.of_any(block, at, inst);
        }
    }
    mutator.of_params();
    mutator.mutants
}

impl Mutator<'_> {
    fn push(&mut self, kind: &'static str, detail: String, change: impl FnOnce(&mut Func)) {
        let mut func = self.func.clone();
        change(&mut func);
        self.mutants.push(Mutant { kind, detail, func });
    }

    fn of_counting(&mut self, block: Block, at: usize, inst: Inst) {
        let op = self.func.insts[inst].op;
        let args: Vec<Value> = self.func.args(inst).to_vec();
        let what = format!("{block}, {at}: {} {args:?}", op.name());
        if self.func.results(inst).is_empty() {
            self.push("leave out", what.clone(), |f| {
                f.blocks[block].insts.remove(at);
            });
            self.push("twice", what.clone(), |f| {
                let again = f.make_inst(op, f.insts[inst].imm, 0, &args, &[]);
                f.blocks[block].insts.insert(at, again);
            });
            // To the end of the block, and to its start.
            let end = self.func.blocks[block].insts.len() - 1;
            for (kind, to) in [("move to the end", end - 1), ("move to the start", 0)] {
                if to != at {
                    self.push(kind, what.clone(), |f| {
                        let inst = f.blocks[block].insts.remove(at);
                        f.blocks[block].insts.insert(to, inst);
                    });
                }
            }
        }
        match op {
            Opcode::Retain => self.push("release instead", what.clone(), |f| f.insts[inst].op = Opcode::Release),
            Opcode::Release => self.push("retain instead", what.clone(), |f| f.insts[inst].op = Opcode::Retain),
            Opcode::UnpackRelease | Opcode::Reset | Opcode::ResetOrAlloc => {
                for i in 1..args.len() {
                    let mut fewer = args.clone();
                    fewer.remove(i);
                    self.push("keep less", what.clone(), |f| f.set_args(inst, &fewer));
                    let mut more = args.clone();
                    more.push(args[i]);
                    self.push("keep twice", what.clone(), |f| f.set_args(inst, &more));
                }
                let imm = self.func.insts[inst].imm;
                self.push("another shape", what.clone(), |f| f.insts[inst].imm = imm ^ 1);
                self.push("another shape", what.clone(), |f| f.insts[inst].imm = imm ^ 3 << 32);
            }
            Opcode::Reuse => self.push("build instead", what.clone(), |f| {
                f.insts[inst].op = Opcode::BuildNode;
                f.set_args(inst, &args[1..]);
            }),
            _ => {}
        }
        let others = self.func.values.iter().filter(|&(_, &ty)| ty == Type::Ref).map(|(value, _)| value);
        let others: Vec<Value> =
            others.filter(|&value| self.func.values[args[0]] == Type::Ref && value != args[0]).collect();
        for other in others.into_iter().take(6) {
            let mut changed = args.clone();
            changed[0] = other;
            self.push("another value", format!("{what}: {other}"), |f| f.set_args(inst, &changed));
        }
    }

    fn of_any(&mut self, block: Block, at: usize, inst: Inst) {
        let ptrs: Vec<Value> = self.func.args(inst).to_vec();
        let ptrs: Vec<Value> = ptrs.into_iter().filter(|&value| self.func.values[value] == Type::Ref).collect();
        for value in ptrs {
            for op in [Opcode::Retain, Opcode::Release] {
                self.push("one more", format!("{block}, {at}: {} {value}", op.name()), |f| {
                    let more = f.make_inst(op, 0, 0, &[value], &[]);
                    f.blocks[block].insts.insert(at, more);
                });
            }
        }
    }

    fn of_params(&mut self) {
        let params = self.func.signature.params.clone();
        for (i, _) in params.iter().enumerate().filter(|(_, ty)| **ty == Type::Ref) {
            let number = i as u32;
            self.push("another owner", format!("parameter {i}"), |f| {
                match f.borrows.iter().position(|&borrowed| borrowed == number) {
                    Some(at) => {
                        f.borrows.remove(at);
                    }
                    None => f.borrows.push(number),
                }
            });
        }
    }
}
