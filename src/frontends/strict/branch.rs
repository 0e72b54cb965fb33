//! Lowers the choice between the cases of a match: a few comparisons in a row, a table where numbers lie close
//! together, and otherwise a search by halves. With `n` cases there are at most some `log n` comparisons on a path and
//! some `2 n` in all.

use crate::core_ir::Type;
use crate::data::{Data, Layout};
use cleave_ir::{Block, Builder, Desc, Opcode, Type as IrType, Value};

/// More cases than this are not compared one after the other.
const IN_A_ROW: usize = 4;
/// The most entries of a table.
const TABLE: u64 = 1024;

/// Ends the current block with a choice. `cases` have numbers that differ: of constructors, or integers as the program
/// has them; all others go to `rest`. Without it there are no others.
pub fn choose(
    b: &mut Builder,
    data: &Data,
    subject: Value,
    ty: Type,
    mut cases: Vec<(i64, Block)>,
    rest: Option<Block>,
) {
    // What is compared, and how far apart neighbours are.
    let (keys, shift) = match ty {
        Type::Int => (Keys::Words(subject), data.shift),
        Type::Data(id) => match &data.layouts[id] {
            Layout::NullaryConstructors => (Keys::NullaryConstructors(subject), 0),
            Layout::Cells(shapes) => {
                let descs = shapes.iter().map(|shape| shape.desc).collect();
                (Keys::Headers(b.op(Opcode::Header, &[subject]), descs), 0)
            }
        },
        Type::Unit | Type::Str | Type::Function | Type::Reference => unreachable!("they have no cases"),
    };
    // If nothing else can come, the last case needs no test. With one more there are two atoms: a number to branch on.
    let is_complete = rest.is_none();
    let rest = rest.or_else(|| cases.pop().map(|(_, block)| block));
    let Some(rest) = rest else { return b.unreachable() };
    if let (true, Keys::NullaryConstructors(_), [(1, one)]) = (is_complete, &keys, &cases[..]) {
        return b.br_if(subject, (*one, &[]), (rest, &[]));
    }
    if cases.len() > IN_A_ROW {
        cases.sort_unstable_by_key(|case| case.0);
    }
    Choice { keys, shift, rest }.among(b, &cases);
}

/// What the cases are compared with.
enum Keys {
    Words(Value),
    NullaryConstructors(Value),
    /// The rows of later constructors have higher addresses.
    Headers(Value, Vec<Desc>),
}

struct Choice {
    keys: Keys,
    shift: u32,
    rest: Block,
}

impl Choice {
    /// `cases` are sorted unless they are few.
    fn among(&self, b: &mut Builder, cases: &[(i64, Block)]) {
        let mut waiting = vec![(b.block, cases)];
        while let Some((block, cases)) = waiting.pop() {
            b.switch_to(block);
            if cases.len() <= IN_A_ROW {
                self.in_a_row(b, cases);
            } else if !self.by_table(b, cases) {
                let (low, high) = cases.split_at(cases.len() / 2);
                let is_low = self.compare(b, true, high[0].0);
                let (below, above) = (b.func.new_block(), b.func.new_block());
                b.br_if(is_low, (below, &[]), (above, &[]));
                waiting.extend([(above, high), (below, low)]);
            }
        }
    }

    fn in_a_row(&self, b: &mut Builder, cases: &[(i64, Block)]) {
        for (index, &(number, block)) in cases.iter().enumerate() {
            let is_it = self.compare(b, false, number);
            if index + 1 == cases.len() {
                return b.br_if(is_it, (block, &[]), (self.rest, &[]));
            }
            let next = b.func.new_block();
            b.br_if(is_it, (block, &[]), (next, &[]));
            b.switch_to(next);
        }
        b.jump(self.rest, &[]);
    }

    /// Whether the subject is less than a number, or equal to it.
    fn compare(&self, b: &mut Builder, less: bool, number: i64) -> Value {
        let (subject, other, below) = match &self.keys {
            Keys::Words(subject) if b.func.values[*subject] == IrType::I64 => {
                (*subject, b.iconst64(number), Opcode::Slt)
            }
            Keys::Words(subject) => (*subject, b.iconst32(number as i32), Opcode::Slt),
            Keys::NullaryConstructors(subject) => (*subject, b.iconst32(number as i32), Opcode::Slt),
            Keys::Headers(header, descs) => (*header, b.node_info(descs[number as usize], 0), Opcode::Ult),
        };
        b.op(if less { below } else { Opcode::Eq }, &[subject, other])
    }

    /// A table, if at least half of it is used.
    fn by_table(&self, b: &mut Builder, cases: &[(i64, Block)]) -> bool {
        let (Keys::Words(subject) | Keys::NullaryConstructors(subject)) = self.keys else { return false };
        let (first, last) = (cases[0].0, cases[cases.len() - 1].0);
        let span = (last.wrapping_sub(first) as u64) >> self.shift;
        if span >= TABLE || span >= 2 * cases.len() as u64 {
            return false;
        }
        let index = match b.func.values[subject] {
            IrType::I64 => {
                let first = b.iconst64(first);
                let distance = b.op(Opcode::Isub, &[subject, first]);
                let limit = b.iconst64(((span + 1) << self.shift) as i64);
                let is_near = b.op(Opcode::Ult, &[distance, limit]);
                let table = b.func.new_block();
                b.br_if(is_near, (table, &[]), (self.rest, &[]));
                b.switch_to(table);
                let shift = b.iconst64(i64::from(self.shift));
                let number = b.op(Opcode::Ushr, &[distance, shift]);
                b.op(Opcode::Wrap, &[number])
            }
            _ => {
                let first = b.iconst32(first as i32);
                b.op(Opcode::Isub, &[subject, first])
            }
        };
        b.inst(Opcode::BrTable, 0, 0, &[index]);
        let mut cases = cases.iter().peekable();
        for entry in 0..=span {
            let number = first.wrapping_add((entry << self.shift) as i64);
            let found = cases.next_if(|case| case.0 == number);
            b.func.add_edge(b.block, found.map_or(self.rest, |case| case.1), &[]);
        }
        b.func.add_edge(b.block, self.rest, &[]);
        true
    }
}
