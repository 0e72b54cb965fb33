//! One ABC instruction → IR: the dispatch over opcodes, stack shuffling, arithmetic, comparisons, constants, printing.
//! Nodes, arrays and calls have files of their own.

use super::Step;
use super::function::FunctionBuilder;
use crate::ast::Line;
use crate::externs::Runtime;
use crate::instr::Opcode as Abc;
use cleave_ir::layout::{NODE_INFO_ARGS, TAG_HNF};
use cleave_ir::{Flags, Libcall, Opcode, StaticData, Value, WellKnownDesc};

impl FunctionBuilder<'_, '_> {
    /// Translates the current instruction.
    pub fn instruction(&mut self, line: Line<'_>) -> Step {
        use Abc::*;
        match line.op {
            // -- stacks -----------------------------------------------------------------------------------------------
            push_a => {
                let value = self.a(line.n(0))?;
                self.push_a(value);
            }
            push_b => {
                let value = self.b(line.n(0))?;
                self.push_b(value);
            }
            pop_a => self.drop_a(line.n(0))?,
            pop_b => self.drop_b(line.n(0))?,
            update_a | updatepop_a => {
                let value = self.a(line.n(0))?;
                self.set_a(line.n(1), value)?;
                if line.op == updatepop_a {
                    self.drop_a(line.n(1))?;
                }
            }
            update_b | updatepop_b => {
                let value = self.b(line.n(0))?;
                self.set_b(line.n(1), value)?;
                if line.op == updatepop_b {
                    self.drop_b(line.n(1))?;
                }
            }
            no_op | getWL | release | centry => {}

            // -- constants --------------------------------------------------------------------------------------------
            pushI => {
                let value = self.iconst(line.int(0));
                self.push_b(value);
            }
            pushB => {
                let narrow = self.builder().iconst32(line.n(0) as i32);
                let wide = self.iconst(line.n(0) as i64);
                self.narrow[wide] = narrow.into();
                self.push_b(wide);
            }
            pushC => {
                let value = self.iconst(line.n(0) as i64);
                self.push_b(value);
            }
            pushR => {
                let value = self.builder().fconst(line.real(0).to_bits());
                self.push_b(value);
            }
            pushD => self.push_name(line)?,

            // -- integers ---------------------------------------------------------------------------------------------
            addI => self.binary(Opcode::Iadd)?,
            subI => self.binary(Opcode::Isub)?,
            mulI => self.binary(Opcode::Imul)?,
            divI => self.binary(Opcode::Sdiv)?,
            remI => self.binary(Opcode::Srem)?,
            bit_and => self.binary(Opcode::And)?,
            bit_or => self.binary(Opcode::Or)?,
            bit_xor => self.binary(Opcode::Xor)?,
            shiftl => self.binary(Opcode::Shl)?,
            shiftr => self.binary(Opcode::Sshr)?,
            shiftrU => self.binary(Opcode::Ushr)?,
            incI => self.with_constant(Opcode::Iadd, 1)?,
            decI => self.with_constant(Opcode::Isub, 1)?,
            bit_not => self.with_constant(Opcode::Xor, -1)?,
            negI => {
                let x = self.pop_word()?;
                let zero = self.iconst(0);
                let value = self.op(Opcode::Isub, &[zero, x]);
                self.push_b(value);
            }
            addIo | subIo | mulIo => self.with_overflow(line.op)?,
            addLU | subLU => self.long_add(line.op)?,
            mulUUL => {
                let (x, y) = (self.pop_word()?, self.pop_word()?);
                let low = self.op(Opcode::Imul, &[x, y]);
                let high = self.op(Opcode::Umulhi, &[x, y]);
                self.push_b(low);
                self.push_b(high);
            }
            divLU => self.libcall(Runtime::DivideLong, 0, 3)?,
            CtoI => {}
            ItoC => self.with_constant(Opcode::And, 255)?,

            // -- comparisons ------------------------------------------------------------------------------------------
            eqI | eqC | eqB => self.compare(Opcode::Eq)?,
            ltI => self.compare(Opcode::Slt)?,
            gtI => self.compare(Opcode::Sgt)?,
            ltC | ltU => self.compare(Opcode::Ult)?,
            eqI_b => {
                let value = self.b(line.n(1))?;
                self.compare_constant(value, line.int(0));
            }
            eqB_b if line.n(0) == 1 => {
                let value = self.b(line.n(1))?;
                match self.narrow[value].expand() {
                    Some(narrow) => self.push_narrow(narrow),
                    None => self.compare_constant(value, 1),
                }
            }
            eqC_b | eqB_b => {
                let value = self.b(line.n(1))?;
                self.compare_constant(value, line.n(0) as i64);
            }
            eqI_a => {
                let value = self.boxed_word(line.n(1))?;
                self.compare_constant(value, line.int(0));
            }
            eqC_a | eqB_a => {
                let value = self.boxed_word(line.n(1))?;
                self.compare_constant(value, line.n(0) as i64);
            }
            notB => {
                let x = self.pop_b()?;
                let narrow = self.as_condition(x);
                let value = match self.real_comparison(narrow) {
                    Some(comparison) => self.opposite(comparison),
                    None => self.op(Opcode::Eqz, &[narrow]),
                };
                self.push_narrow(value);
            }

            // -- reals ------------------------------------------------------------------------------------------------
            addR => self.real_binary(Opcode::Fadd)?,
            subR => self.real_binary(Opcode::Fsub)?,
            mulR => self.real_binary(Opcode::Fmul)?,
            divR => self.real_binary(Opcode::Fdiv)?,
            negR => self.real_unary(Opcode::Fneg)?,
            absR => self.real_unary(Opcode::Fabs)?,
            sqrtR => self.real_unary(Opcode::Fsqrt)?,
            sinR => self.libcall(Runtime::Sin, 0, 1)?,
            cosR => self.libcall(Runtime::Cos, 0, 1)?,
            tanR => self.libcall(Runtime::Tan, 0, 1)?,
            asinR => self.libcall(Runtime::Asin, 0, 1)?,
            acosR => self.libcall(Runtime::Acos, 0, 1)?,
            atanR => self.libcall(Runtime::Atan, 0, 1)?,
            expR => self.libcall(Runtime::Exp, 0, 1)?,
            lnR => self.libcall(Runtime::Ln, 0, 1)?,
            log10R => self.libcall(Runtime::Log10, 0, 1)?,
            powR => self.libcall(Runtime::Pow, 0, 2)?,
            eqR => self.real_compare(Opcode::Feq)?,
            ltR => self.real_compare(Opcode::Flt)?,
            eqR_b | eqR_a => {
                let value = if line.op == eqR_b {
                    let word = self.b(line.n(1))?;
                    self.as_real(word)
                } else {
                    let node = self.a(line.n(1))?;
                    self.builder().get(Opcode::GetF64, 0, 1, 0, node)
                };
                let constant = self.builder().fconst(line.real(0).to_bits());
                let equal = self.op(Opcode::Feq, &[value, constant]);
                self.push_narrow(equal);
            }
            ItoR => {
                let x = self.pop_word()?;
                let value = self.op(Opcode::IntToReal, &[x]);
                self.push_b(value);
            }
            RtoI => self.real_to_int(Opcode::Fnearest)?,
            entierR => self.real_to_int(Opcode::Ffloor)?,

            // -- descriptors
            // --------------------------------------------------------------------------------------------
            pushD_a => {
                let node = self.a(line.n(0))?;
                let header = self.op(Opcode::Header, &[node]);
                self.push_narrow(header);
            }
            eqD_b => {
                let word = self.b(0)?;
                self.compare_row(word, line)?;
            }
            eq_desc_b => {
                let word = self.pop_b()?;
                self.compare_row(word, line)?;
            }
            eq_desc => {
                let node = self.a(line.n(2))?;
                let desc = self.desc(line, 0)?;
                let header = self.op(Opcode::Header, &[node]);
                let node_info = self.node_info(desc, line.n(1))?;
                let equal = self.op(Opcode::Eq, &[header, node_info]);
                self.push_narrow(equal);
            }
            eq_nulldesc => self.same_descriptor(line)?,
            is_record => {
                let node = self.a(line.n(0))?;
                let applied_args = self.node_info_u16(node, NODE_INFO_ARGS);
                let limit = self.builder().iconst32(127);
                let is = self.op(Opcode::Ugt, &[applied_args, limit]);
                self.push_narrow(is);
            }

            // -- printing ---------------------------------------------------------------------------------------------
            print | print_sc => {
                let text = self.program.ir.statics.push(StaticData::Text(line.string(0).into()));
                let text = self.builder().text(text);
                let libcall = if line.op == print { Runtime::PrintText } else { Runtime::PrintTextSc };
                self.builder().call_extern(libcall.callee(), &[text]);
            }
            printD => self.libcall(Runtime::PrintName, 0, 1)?,
            print_char => self.libcall(Runtime::PrintChar, 0, 1)?,
            print_int => self.libcall(Runtime::PrintInt, 0, 1)?,
            print_real => self.libcall(Runtime::PrintReal, 0, 1)?,
            print_symbol_sc => {
                let node = self.a(line.n(0))?;
                self.builder().call_extern(Runtime::PrintSymbol.callee(), &[node]);
            }
            halt => {
                self.builder().call_rt(Libcall::Halt, &[]);
                self.builder().unreachable();
                self.dead();
            }

            ccall => self.ccall(line)?,

            op if self.node_instruction(op, line)? => {}
            op if self.array_instruction(op, line)? => {}
            op if self.control_instruction(op, line)? => {}
            op if self.integer_instruction(op, line)? => {}
            op if self.machine_instruction(op, line)? => {}
            op => return Err(self.unsupported(op)),
        }
        Ok(())
    }

    /// Top is the left operand.
    fn binary(&mut self, op: Opcode) -> Step {
        let (x, y) = (self.pop_word()?, self.pop_word()?);
        let value = self.op(op, &[x, y]);
        self.push_b(value);
        Ok(())
    }

    fn with_constant(&mut self, op: Opcode, n: i64) -> Step {
        let x = self.pop_word()?;
        let n = self.iconst(n);
        let value = self.op(op, &[x, n]);
        self.push_b(value);
        Ok(())
    }

    fn compare(&mut self, op: Opcode) -> Step {
        let (x, y) = (self.pop_word()?, self.pop_word()?);
        let value = self.op(op, &[x, y]);
        self.push_narrow(value);
        Ok(())
    }

    pub fn compare_constant(&mut self, value: Value, n: i64) {
        let value = self.as_word(value);
        let n = self.iconst(n);
        let equal = self.op(Opcode::Eq, &[value, n]);
        self.push_narrow(equal);
    }

    fn real_binary(&mut self, op: Opcode) -> Step {
        let (x, y) = (self.pop_real()?, self.pop_real()?);
        let value = self.op(op, &[x, y]);
        self.push_b(value);
        Ok(())
    }

    fn real_unary(&mut self, op: Opcode) -> Step {
        let x = self.pop_real()?;
        let value = self.op(op, &[x]);
        self.push_b(value);
        Ok(())
    }

    fn real_compare(&mut self, op: Opcode) -> Step {
        let (x, y) = (self.pop_real()?, self.pop_real()?);
        let value = self.op(op, &[x, y]);
        self.push_narrow(value);
        Ok(())
    }

    /// The comparison of reals that a value is the result of, not long before in this block; none if something was
    /// called meanwhile.
    fn real_comparison(&self, value: Value) -> Option<(Opcode, [Value; 2])> {
        const REACH: usize = 64;
        let func = &self.func;
        let insts = func.blocks[self.block].insts.iter().rev().take(REACH);
        let made_here = |value: Value| {
            let after_calls = insts.clone().take_while(|&&inst| !func.insts[inst].op.any(Flags::CALL));
            after_calls.copied().find(|&inst| func.results(inst).contains(&value))
        };
        let of = |value: Value| {
            let inst = made_here(value)?;
            Some((func.insts[inst].op, <[Value; 2]>::try_from(func.args(inst)).ok()?))
        };
        match of(value)? {
            found @ (Opcode::Feq | Opcode::Flt | Opcode::Fge, _) => Some(found),
            (Opcode::Or, [less, greater]) => match (of(less)?, of(greater)?) {
                ((Opcode::Flt, less), (Opcode::Fgt, greater)) if less == greater => Some((Opcode::Or, less)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The opposite of a comparison of reals as Clean has it: it is false for NaN, as the comparison is.
    fn opposite(&mut self, (op, args): (Opcode, [Value; 2])) -> Value {
        match op {
            Opcode::Flt => self.op(Opcode::Fge, &args),
            Opcode::Fge => self.op(Opcode::Flt, &args),
            Opcode::Or => self.op(Opcode::Feq, &args),
            _ => {
                let (less, greater) = (self.op(Opcode::Flt, &args), self.op(Opcode::Fgt, &args));
                self.op(Opcode::Or, &[less, greater])
            }
        }
    }

    fn real_to_int(&mut self, rounding: Opcode) -> Step {
        let x = self.pop_real()?;
        let rounded = self.op(rounding, &[x]);
        let value = self.op(Opcode::RealToInt, &[rounded]);
        self.push_b(value);
        Ok(())
    }

    /// Result below, signed-overflow flag on top.
    fn with_overflow(&mut self, op: Abc) -> Step {
        let (x, y) = (self.pop_word()?, self.pop_word()?);
        let zero = self.iconst(0);
        let (value, flag) = match op {
            Abc::addIo => {
                // Overflow exactly if both operands have the sign that the sum has not.
                let sum = self.op(Opcode::Iadd, &[x, y]);
                let (p, q) = (self.op(Opcode::Xor, &[x, sum]), self.op(Opcode::Xor, &[y, sum]));
                let both = self.op(Opcode::And, &[p, q]);
                (sum, self.op(Opcode::Slt, &[both, zero]))
            }
            Abc::subIo => {
                let difference = self.op(Opcode::Isub, &[x, y]);
                let (p, q) = (self.op(Opcode::Xor, &[x, y]), self.op(Opcode::Xor, &[x, difference]));
                let both = self.op(Opcode::And, &[p, q]);
                (difference, self.op(Opcode::Slt, &[both, zero]))
            }
            _ => {
                // The signed high word must be the sign of the low word. It follows from the unsigned one by taking
                // off each operand once if the other is negative (Hacker's Delight, 8-3).
                let low = self.op(Opcode::Imul, &[x, y]);
                let high = self.op(Opcode::Umulhi, &[x, y]);
                let width = self.iconst(63);
                let (sx, sy) = (self.op(Opcode::Sshr, &[x, width]), self.op(Opcode::Sshr, &[y, width]));
                let (tx, ty) = (self.op(Opcode::And, &[sx, y]), self.op(Opcode::And, &[sy, x]));
                let high = self.op(Opcode::Isub, &[high, tx]);
                let high = self.op(Opcode::Isub, &[high, ty]);
                let sign = self.op(Opcode::Sshr, &[low, width]);
                (low, self.op(Opcode::Ne, &[high, sign]))
            }
        };
        self.push_b(value);
        self.push_narrow(flag);
        Ok(())
    }

    /// `addLU h x y` → `h+carry, x+y`; `subLU h x y` → `h-borrow, x-y`.
    fn long_add(&mut self, op: Abc) -> Step {
        let (h, x, y) = (self.pop_word()?, self.pop_word()?, self.pop_word()?);
        let (low, carry) = if op == Abc::addLU {
            let low = self.op(Opcode::Iadd, &[x, y]);
            (low, self.op(Opcode::Ult, &[low, x]))
        } else {
            (self.op(Opcode::Isub, &[x, y]), self.op(Opcode::Ult, &[x, y]))
        };
        let carry = self.op(Opcode::ExtendU, &[carry]);
        let high = self.op(if op == Abc::addLU { Opcode::Iadd } else { Opcode::Isub }, &[h, carry]);
        self.push_b(low);
        self.push_b(high);
        Ok(())
    }

    fn compare_row(&mut self, word: Value, line: Line<'_>) -> Step {
        let desc = self.desc(line, 0)?;
        let node_info = self.node_info(desc, line.n(1))?;
        let equal = match self.narrow[word].expand() {
            Some(header) => self.op(Opcode::Eq, &[header, node_info]),
            None => {
                let node_info = self.op(Opcode::ExtendU, &[node_info]);
                self.op(Opcode::Eq, &[word, node_info])
            }
        };
        self.push_narrow(equal);
        Ok(())
    }

    /// The row of a descriptor for nodes with `held` arguments.
    fn node_info(&mut self, desc: cleave_ir::Desc, applied_args: u32) -> Step<Value> {
        let data = &self.program.ir.descs[desc];
        if applied_args <= data.arity {
            return Ok(self.builder().node_info(desc, applied_args));
        }
        let (label, arity) = (data.label.clone(), data.arity);
        Err(self.conflict(
            format!("no node of `{label}` has {applied_args} arguments: its arity is {arity}"),
            "the number of arguments must not exceed the arity of the descriptor",
        ))
    }

    /// A 16-bit field of the row that the header of an evaluated node names.
    pub fn node_info_u16(&mut self, node: Value, field: u32) -> Value {
        let header = self.op(Opcode::Header, &[node]);
        self.builder().value(Opcode::LoadU16, (field - TAG_HNF) as u64, 0, &[header])
    }

    /// `eq_nulldesc D k`: the descriptor, whatever the number of arguments held.
    fn same_descriptor(&mut self, line: Line<'_>) -> Step {
        let node = self.a(line.n(1))?;
        let desc = self.desc(line, 0)?;
        let header = self.op(Opcode::Header, &[node]);
        let field = cleave_ir::layout::NODE_INFO_DESCRIPTOR - TAG_HNF;
        let info = self.builder().value(Opcode::LoadI32, field as u64, 0, &[header]);
        let wanted = self.builder().value(Opcode::DescInfoAddr, desc.as_u32() as u64, 0, &[]);
        let equal = self.op(Opcode::Eq, &[info, wanted]);
        self.push_narrow(equal);
        Ok(())
    }

    /// `pushD`: the name of a descriptor, or a text, as an address.
    fn push_name(&mut self, line: Line<'_>) -> Step {
        use crate::index::Definition;
        use crate::link::Meaning;
        let symbol = line.symbol(0);
        let address = match self.program.program.meaning(self.key.module, symbol) {
            Meaning::Defined(module, Definition::Text(item)) => {
                let text = self.program.text_at(module, item);
                self.builder().text(text)
            }
            _ => {
                let desc = self.desc(line, 0)?;
                self.builder().value(Opcode::NameAddr, desc.as_u32() as u64, 0, &[])
            }
        };
        self.push_narrow(address);
        Ok(())
    }

    /// The descriptor that is operand `k` of the line.
    pub fn desc(&mut self, line: Line<'_>, k: usize) -> Step<cleave_ir::Desc> {
        self.program.descriptor(self.key.module, line.symbol(k), self.item)
    }

    /// Word 1 of the boxed basic value at `a[k]`.
    pub fn boxed_word(&mut self, k: u32) -> Step<Value> {
        let node = self.a(k)?;
        Ok(self.builder().get(Opcode::GetI64, 0, WellKnownDesc::Int.words(), 0, node))
    }
}
