//! Calls: of functions, of dispatch tables, of thunks, of the runtime.

use super::clif::{clif_type, signature};
use super::state::Lower;
use crate::{Symbol, Trampoline};
use cleave_ir::opcode::Call;
use cleave_ir::{Effects, FuncId, Inst, Libcall, Opcode, Table, Type, Value};
use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, types};

/// Bytes of a result cell.
const RESULT_CELL: u32 = 8;

impl Lower<'_, '_, '_, '_> {
    pub(super) fn call(&mut self, op: Call, inst: Inst) {
        let data = &self.func.insts[inst];
        let args = self.func.args(inst);
        let n = data.imm as u32;
        match op {
            Call::Call | Call::TailCall => {
                let callee = FuncId::from_u32(n);
                let func = self.clif.symbol(Symbol::Func(callee));
                let takes_pointer = self.clif.env.module.funcs[callee].takes_stack_pointer;
                let operands = self.operands(takes_pointer, args);
                if op == Call::Call {
                    self.spill(inst);
                    let call = self.clif.builder.ins().call(func, &operands);
                    self.reload(inst);
                    self.results(inst, call);
                    self.take_back(takes_pointer, args, call);
                } else if takes_pointer == self.func.takes_stack_pointer {
                    self.clif.builder.ins().return_call(func, &operands);
                } else {
                    // It does not give back the pointer, and calls nothing that ends here: no recursion grows by this.
                    let call = self.clif.builder.ins().call(func, &operands);
                    let words = self.clif.builder.inst_results(call).to_vec();
                    self.leave(words);
                }
            }
            Call::CallTable | Call::TailCallTable => {
                let table = Table::from_u32(n);
                let code = self.table_code(table, args[0]);
                let of = signature(self.clif.env.module.tables[table].lowered_signature());
                let of = self.clif.builder.import_signature(of);
                let operands = self.operands(true, &args[1..]);
                if op == Call::TailCallTable {
                    self.clif.builder.ins().return_call_indirect(of, code, &operands);
                } else {
                    self.spill(inst);
                    let call = self.clif.builder.ins().call_indirect(of, code, &operands);
                    self.reload(inst);
                    self.results(inst, call);
                    self.take_back(true, args, call);
                }
            }
            Call::EnterCode | Call::TailEnterCode => {
                let (sp, thunk, header) = (self.frame(args[0]), self.word(args[1]), self.wide(args[2]));
                if op == Call::TailEnterCode {
                    let code = self.clif.code_of(header);
                    let of = self.clif.eval_signature();
                    self.clif.builder.ins().return_call_indirect(of, code, &[sp, thunk]);
                } else {
                    self.spill(inst);
                    let call = self.clif.enter(sp, thunk, header);
                    self.reload(inst);
                    self.results(inst, call);
                    self.take_back(true, args, call);
                }
            }
            Call::CallRt => self.call_extern(inst, args),
        }
    }

    /// The shadow-stack pointer that a call gives back: what it got, after its results.
    fn take_back(&mut self, has_pointer: bool, args: &[Value], call: ir::Inst) {
        if let (true, Some(pointer)) = (has_pointer, self.shadow_pointer)
            && let Some(distance) = self.shadow_distance(args[0])
            && let Some(&passed) = self.clif.builder.inst_results(call).last()
        {
            let own = self.clif.builder.ins().iadd_imm_s(passed, -distance);
            self.clif.builder.def_var(pointer, own);
        }
    }

    /// Returns, and gives back the shadow-stack pointer.
    pub(super) fn leave(&mut self, mut words: Vec<ir::Value>) {
        words.extend(self.shadow_pointer.map(|pointer| self.clif.builder.use_var(pointer)));
        self.clif.builder.ins().return_(&words);
    }

    fn shadow_slot(&mut self) -> ir::StackSlot {
        let builder = &mut self.clif.builder;
        *self.shadow_slot.get_or_insert_with(|| {
            builder.create_sized_stack_slot(ir::StackSlotData::new(ir::StackSlotKind::ExplicitSlot, 8, 3))
        })
    }

    fn operands(&mut self, has_pointer: bool, args: &[Value]) -> Vec<ir::Value> {
        let (hidden, own) = args.split_at(usize::from(has_pointer));
        let mut operands: Vec<ir::Value> = hidden.iter().map(|&pointer| self.frame(pointer)).collect();
        operands.extend(own.iter().map(|&arg| self.word(arg)));
        operands
    }

    fn results(&mut self, inst: Inst, call: ir::Inst) {
        for (i, &result) in self.func.results(inst).iter().enumerate() {
            let value = self.clif.builder.inst_results(call)[i];
            self.set(result, value);
        }
    }

    fn table_code(&mut self, table: Table, index: Value) -> ir::Value {
        let index = self.wide(index);
        let start = self.clif.env.table(table);
        let flags = MemFlagsData::trusted().with_readonly().with_can_move();
        let offset = self.clif.builder.ins().ishl_imm_s(index, 3);
        self.clif.builder.ins().load(types::I64, flags, offset, start as i32)
    }

    /// References are 32-bit numbers to the runtime.
    fn narrow(&mut self, arg: Value, word: ir::Value) -> ir::Value {
        if self.func.values[arg] == Type::Ref { self.clif.builder.ins().ireduce(types::I32, word) } else { word }
    }

    fn call_extern(&mut self, inst: Inst, args: &[Value]) {
        let (id, effects) = self.func.insts[inst].external();
        if id == Libcall::Collect.id() {
            let (sp, bytes) = (self.frame(args[0]), self.word(args[1]));
            self.clif.call_symbol(Symbol::Trampoline(Trampoline::Collect), &[sp, bytes]);
            self.clif.load_heap_pointer();
            return;
        }
        if let Some(trampolines) = self.preserve_regs_trampoline(id) {
            let word = self.word(args[0]);
            let word = self.narrow(args[0], word);
            self.clif.call_symbol(Symbol::Trampoline(trampolines), &[word]);
            return;
        }
        let heap = effects.all(Effects::HEAP);
        if heap {
            self.clif.store_heap_pointer();
        }
        // References and the shadow-stack pointer are 32-bit numbers to the runtime.
        let mut operands = Vec::with_capacity(args.len());
        for &arg in args {
            let word = self.word(arg);
            operands.push(self.narrow(arg, word));
        }
        self.spill(inst);
        // After a call that ends the program nobody wants the pointer.
        let goes_on = self.rest.last().is_none_or(|&last| self.func.insts[last].op != Opcode::Unreachable);
        let waits = self.shadow_pointer.filter(|_| goes_on).map(|pointer| (pointer, self.shadow_slot()));
        if let Some((pointer, slot)) = waits {
            let word = self.clif.builder.use_var(pointer);
            self.clif.builder.ins().stack_store(types::I64, word, slot, 0);
        }
        let call = self.clif.call_symbol(Symbol::Extern(id), &operands);
        if let Some((pointer, slot)) = waits {
            let word = self.clif.builder.ins().stack_load(types::I64, types::I64, slot, 0);
            self.clif.builder.def_var(pointer, word);
        }
        self.reload(inst);
        if heap {
            self.clif.load_heap_pointer();
        }
        let results = self.func.results(inst);
        if let [result] = results {
            let mut word = self.clif.builder.inst_results(call)[0];
            if self.func.values[*result] == Type::Ref {
                word = self.clif.builder.ins().uextend(types::I64, word);
            }
            self.set(*result, word);
            return;
        }
        for (cell, &result) in results.iter().enumerate() {
            let ty = self.func.values[result];
            let cell = self.clif.address(self.clif.env.data_section.results + cell as u32 * RESULT_CELL);
            let flags = self.clif.heap_flags();
            let word = match ty {
                Type::Ref => self.clif.builder.ins().uload32(flags, cell, 0),
                _ => self.clif.builder.ins().load(clif_type(ty), flags, cell, 0),
            };
            self.set(result, word);
        }
    }
}
