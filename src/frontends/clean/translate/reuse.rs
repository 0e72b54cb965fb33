//! In-place reuse of unique nodes: `fill1`, `fill2`, `fill3` and their record forms (option `-ou` of the compiler, and
//! updates of unique records).
//!
//! The digits of the bit string say which words are replaced; the values are popped in field order before the first
//! store. `fill3` takes the argument block of another unique node; here the fields are copied, which has the same
//! meaning, since that node is not used any more. `fillcp` does the same to a thunk (optimisation of lazy tuple
//! recursion): the words that it keeps are read from the thunk, which is why thunks of a module with this instruction
//! are not emptied when they are entered. The price: a thunk there that needs its own value is not detected as a cycle.

use super::Step;
use super::function::FunctionBuilder;
use crate::ast::{Line, Symbol};
use crate::externs::Runtime;
use cleave_ir::{Desc, Opcode, Type, Value, WellKnownDesc};

impl FunctionBuilder<'_, '_> {
    /// `fill1`, `fill2` and their record forms: overwrites parts of a unique node in place.
    pub fn update_unique(
        &mut self,
        line: Line<'_>,
        ptrs: u32,
        nptrs: u32,
        k: u32,
        bits_at: usize,
        header: bool,
    ) -> Step {
        let desc = self.desc(line, 0)?;
        let node = self.a(k)?;
        let bits: Vec<bool> = line.name(bits_at).iter().map(|&bit| bit == b'1').collect();
        let fields = &bits[usize::from(header)..];
        // All fields are popped before the first store: the fields are on top of the stacks.
        let mut nodes = Vec::new();
        let mut raw = Vec::new();
        for i in (0..ptrs).filter(|&i| fields[i as usize]) {
            nodes.push((i, self.pop_a()?));
        }
        for i in (0..nptrs).filter(|&i| fields[(ptrs + i) as usize]) {
            raw.push((i, self.pop_b()?));
        }
        if fields.iter().all(|&bit| bit) && bits[0] {
            let args: Vec<Value> =
                std::iter::once(node).chain(nodes.iter().map(|n| n.1)).chain(raw.iter().map(|w| w.1)).collect();
            let applied_args = self.held_by(desc, ptrs, nptrs)?;
            self.program.ir.observes_identity = true;
            self.builder().fill_node(desc, applied_args, &args);
            return Ok(());
        }
        for (i, value) in nodes {
            self.builder().field(Opcode::SetRef, ptrs, nptrs, i, &[node, value]);
        }
        for (i, value) in raw {
            let op = if self.func.values[value] == Type::F64 { Opcode::SetF64 } else { Opcode::SetI64 };
            self.builder().field(op, ptrs, nptrs, i, &[node, value]);
        }
        if bits[0] {
            let applied_args = self.held_by(desc, ptrs, nptrs)?;
            self.builder().inst(Opcode::SetNodeInfo, desc.as_u32() as u64, applied_args, &[node]);
        }
        Ok(())
    }

    /// `fillcp`, `fillcp_u`: overwrites parts of a thunk. The first digit, for the entry, makes no difference: a thunk
    /// whose entry stays has the one that the instruction names.
    pub fn update_thunk(
        &mut self,
        line: Line<'_>,
        code: Symbol,
        (ptrs, nptrs): (u32, u32),
        k: u32,
        bits_at: usize,
    ) -> Step {
        let target = self.a(k)?;
        let bits: Vec<bool> = line.name(bits_at).iter().skip(1).map(|&bit| bit == b'1').collect();
        let mut args = vec![target];
        for i in 0..ptrs {
            let value = match bits[i as usize] {
                true => self.pop_a()?,
                false => self.builder().get(Opcode::ArgRef, ptrs, nptrs, i, target),
            };
            args.push(value);
        }
        for i in 0..nptrs {
            let value = match bits[(ptrs + i) as usize] {
                true => self.pop_b()?,
                false => self.builder().get(Opcode::ArgI64, ptrs, nptrs, i, target),
            };
            args.push(value);
        }
        self.fill_any(line, 0, code, ptrs, nptrs, &args)
    }

    /// True if `fill_r` writes over the length of a string.
    pub fn is_string(&mut self, line: Line<'_>) -> bool {
        let is_length = line.args[1..3] == [0, 1];
        is_length && self.desc(line, 0).is_ok_and(|desc| desc == WellKnownDesc::String.desc())
    }

    /// `fill_r _STRING_ 0 1`: a unique string gets shorter. Here the shorter one is another string, which makes no
    /// difference to the only user of the first, and no string is ever followed by what was its end.
    pub fn shorten_string(&mut self, line: Line<'_>) -> Step {
        let string = self.a(line.n(3))?;
        let length = self.b(line.n(5))?;
        let (length, one, zero) = (self.as_word(length), self.iconst(1), self.iconst(0));
        let last = self.op(Opcode::Isub, &[length, one]);
        let inst = self.builder().call_extern(Runtime::SliceString.callee(), &[string, zero, last]);
        let shorter = self.func.result(inst);
        self.replace_a(string, shorter);
        Ok(())
    }

    /// True if `fill1_r` writes over the size of an array.
    pub fn is_array_size(&mut self, line: Line<'_>) -> bool {
        let is_size = line.args[1..3] == [0, 1] && line.name(4) == b"01";
        is_size && self.desc(line, 0).is_ok_and(|desc| desc == WellKnownDesc::Array.desc())
    }

    /// `fill1_r _ARRAY_ 0 1 k 01`: a unique array gets shorter. As for strings the shorter one is another array.
    pub fn shorten_array(&mut self, line: Line<'_>) -> Step {
        let array = self.a(line.n(3))?;
        let size = self.pop_b()?;
        let size = self.as_word(size);
        let inst = self.builder().call_extern(Runtime::ShortenArray.callee(), &[array, size]);
        let shorter = self.func.result(inst);
        self.replace_a(array, shorter);
        Ok(())
    }

    /// The arguments that a node of `desc` with this payload holds: none if it is a record.
    fn held_by(&mut self, desc: Desc, ptrs: u32, nptrs: u32) -> Step<u32> {
        let data = &self.program.ir.descs[desc];
        if data.record.is_none() && nptrs == 0 {
            self.check_held(desc, ptrs)?;
            return Ok(ptrs);
        }
        if data.record.is_some() && self.program.ir.payload(desc, 0) == (ptrs, nptrs) {
            return Ok(0);
        }
        let label = data.label.clone();
        Err(self.conflict(
            format!("nodes of `{label}` do not have {ptrs} node fields and {nptrs} words"),
            "the counts must be those of the descriptor",
        ))
    }

    /// `fill3`, `fill3_r`: fills a cell with the fields of the unique node on top, some of them replaced.
    pub fn move_unique(&mut self, line: Line<'_>, ptrs: u32, nptrs: u32, k: u32, bits_at: usize) -> Step {
        let desc = self.desc(line, 0)?;
        let target = self.a(k)?;
        let source = self.pop_a()?;
        let bits: Vec<bool> = line.name(bits_at).iter().map(|&bit| bit == b'1').collect();
        let mut args = vec![target];
        for i in 0..ptrs {
            let value = match bits[i as usize] {
                true => self.pop_a()?,
                false => self.builder().get(Opcode::GetRef, ptrs, nptrs, i, source),
            };
            args.push(value);
        }
        for i in 0..nptrs {
            let value = match bits[(ptrs + i) as usize] {
                true => self.pop_b()?,
                false => self.builder().get(Opcode::GetI64, ptrs, nptrs, i, source),
            };
            args.push(value);
        }
        let applied_args = self.held_by(desc, ptrs, nptrs)?;
        self.builder().fill_node(desc, applied_args, &args);
        Ok(())
    }
}
