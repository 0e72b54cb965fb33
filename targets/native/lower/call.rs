//! Calls: of functions, of dispatch tables, of thunks, of the runtime.

use super::clif::{clif_type, signature};
use super::state::Lower;
use crate::{Glue, Symbol};
use cleave_ir::{Effects, FuncId, Inst, Opcode, Service, Table, Type, Value};
use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, types};

/// Bytes of a result cell.
const RESULT_CELL: u32 = 8;

impl Lower<'_, '_, '_, '_> {
    pub(super) fn call(&mut self, inst: Inst) {
        let data = &self.func.insts[inst];
        let args = self.func.args(inst);
        let n = data.imm as u32;
        match data.op {
            Opcode::Call | Opcode::TailCall => {
                let callee = FuncId::from_u32(n);
                let func = self.clif.symbol(Symbol::Func(callee));
                let operands = self.operands(self.clif.env.module.funcs[callee].collects, args);
                if data.op == Opcode::TailCall {
                    self.clif.builder.ins().return_call(func, &operands);
                } else {
                    self.park(inst);
                    let call = self.clif.builder.ins().call(func, &operands);
                    self.fetch(inst);
                    self.results(inst, call);
                }
            }
            Opcode::CallTable | Opcode::TailCallTable => {
                let table = Table::from_u32(n);
                let code = self.table_code(table, args[0]);
                let of = signature(true, &self.clif.env.module.tables[table].signature);
                let of = self.clif.builder.import_signature(of);
                let operands = self.operands(true, &args[1..]);
                if data.op == Opcode::TailCallTable {
                    self.clif.builder.ins().return_call_indirect(of, code, &operands);
                } else {
                    self.park(inst);
                    let call = self.clif.builder.ins().call_indirect(of, code, &operands);
                    self.fetch(inst);
                    self.results(inst, call);
                }
            }
            Opcode::EnterCode | Opcode::TailEnterCode => {
                let (sp, thunk, header) = (self.frame(args[0]), self.word(args[1]), self.wide(args[2]));
                if data.op == Opcode::TailEnterCode {
                    let code = self.clif.code_of(header);
                    let of = self.clif.eval_signature();
                    self.clif.builder.ins().return_call_indirect(of, code, &[sp, thunk]);
                } else {
                    self.park(inst);
                    let node = self.clif.enter(sp, thunk, header);
                    self.fetch(inst);
                    self.set(self.func.result(inst), node);
                }
            }
            _ => self.call_extern(inst, args),
        }
    }

    fn operands(&mut self, collects: bool, args: &[Value]) -> Vec<ir::Value> {
        let (hidden, own) = args.split_at(usize::from(collects));
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

    fn call_extern(&mut self, inst: Inst, args: &[Value]) {
        let (id, effects) = self.func.insts[inst].external();
        if id == Service::Collect.id() {
            let (sp, bytes) = (self.frame(args[0]), self.word(args[1]));
            self.clif.call_symbol(Symbol::Glue(Glue::Collect), &[sp, bytes]);
            self.clif.load_heap_pointer();
            return;
        }
        let heap = effects.all(Effects::HEAP);
        if heap {
            self.clif.store_heap_pointer();
        }
        // References and the shadow-stack pointer are 32-bit numbers to the runtime.
        let mut operands = Vec::with_capacity(args.len());
        for &arg in args {
            let mut word = self.word(arg);
            if self.func.values[arg] == Type::Ref {
                word = self.clif.builder.ins().ireduce(types::I32, word);
            }
            operands.push(word);
        }
        self.clif.announce_frame(effects.collects());
        self.park(inst);
        let call = self.clif.call_symbol(Symbol::Extern(id), &operands);
        self.fetch(inst);
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
            let cell = self.clif.address(self.clif.env.image.results + cell as u32 * RESULT_CELL);
            let flags = self.clif.heap_flags();
            let word = match ty {
                Type::Ref => self.clif.builder.ins().uload32(flags, cell, 0),
                _ => self.clif.builder.ins().load(clif_type(ty), flags, cell, 0),
            };
            self.set(result, word);
        }
    }
}
