//! Dispatch of `apply`, `update` and `call_method`: by the node info or thunk info that a header names, as the module
//! says it, not by what `lower-apply` makes of it.
//!
//! An application that has to be done in several steps runs a function of the interpreter's own, in high IR:
//! ```text
//! apply.3:  v4 = apply v0, v1; tail_apply v4, v2, v3          update:  v2 = enter v0; fill_copy v1, v2; ret v1
//! ```

use crate::code::{CallSite, Callee};
use crate::machine::{Machine, Program};
use crate::value::Trap;
use cleave_ir::layout::{NODE_INFO_SIZE, TAG_HNF, THUNK_INFO_SIZE};
use cleave_ir::{
    Builder, Desc, EntityRef, Func, FuncId, Module, Opcode, Signature, ThunkInfo, ThunkInfoData, Type, Value,
};

/// Functions of the interpreter's own, numbered after those of the module.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    pub funcs: Vec<Func>,
    /// The first is number one.
    first: usize,
}

impl Steps {
    /// Those that a module needs: `update`, and one for each number of arguments above 1 that something is applied to.
    pub fn of(module: &Module) -> Steps {
        let mut most = 0;
        for func in module.funcs.values() {
            for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
                match func.insts[inst].op {
                    Opcode::Apply | Opcode::TailApply | Opcode::TryApply => {
                        most = most.max(func.args(inst).len() as u32 - 1)
                    }
                    Opcode::Update | Opcode::TailUpdate => most = most.max(1),
                    _ => {}
                }
            }
        }
        let mut funcs = Vec::new();
        if most > 0 {
            funcs.push(update());
        }
        funcs.extend((2..=most).map(apply));
        Steps { funcs, first: module.funcs.len() }
    }

    fn update(&self) -> FuncId {
        FuncId::new(self.first)
    }
    fn apply(&self, arguments: usize) -> FuncId {
        FuncId::new(self.first + arguments - 1)
    }
}

fn update() -> Func {
    let mut func = Func::new("update", Signature::ptrs(2));
    let entry = func.new_block();
    let [node, cell] = [(); 2].map(|()| func.add_param(entry, Type::Ref));
    let mut b = Builder::new(&mut func, entry);
    let value = b.op(Opcode::Enter, &[node]);
    b.effect(Opcode::FillCopy, &[cell, value]);
    b.ret(&[cell]);
    func
}

fn apply(arguments: u32) -> Func {
    let mut func = Func::new(format!("apply.{arguments}"), Signature::ptrs(arguments + 1));
    let entry = func.new_block();
    let params: Vec<Value> = (0..=arguments).map(|_| func.add_param(entry, Type::Ref)).collect();
    let mut b = Builder::new(&mut func, entry);
    let mut operands = vec![b.apply(&params[..2])];
    operands.extend(&params[2..]);
    b.effect(Opcode::TailApply, &operands);
    func
}

impl Program<'_> {
    /// A function of the module, or one of the interpreter's own.
    pub(crate) fn func(&self, func: FuncId) -> &Func {
        match self.module.funcs.get(func) {
            Some(func) => func,
            None => &self.steps.funcs[func.index() - self.module.funcs.len()],
        }
    }

    /// The entry whose record is at this address.
    pub(crate) fn entry_at(&self, address: u32) -> Option<&ThunkInfoData> {
        let offset = address.wrapping_sub(self.data_section.thunk_infos);
        let data = self.module.thunk_infos.get(ThunkInfo::from_u32(offset / THUNK_INFO_SIZE));
        data.filter(|_| offset.is_multiple_of(THUNK_INFO_SIZE))
    }

    /// Descriptor and number of applied arguments of the nodes with this header: rows lie in the order of descriptors.
    pub(crate) fn row_at(&self, header: u32) -> Option<(Desc, u32)> {
        let (mut low, mut high) = (0, self.module.descs.len());
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.data_section.node_info(Desc::new(middle), 0) <= header { low = middle } else { high = middle }
        }
        let desc = Desc::new(low);
        let distance = header.checked_sub(self.data_section.node_info(desc, 0))?;
        let applied_args = distance / NODE_INFO_SIZE;
        (distance.is_multiple_of(NODE_INFO_SIZE) && applied_args <= self.module.descs[desc].arity)
            .then_some((desc, applied_args))
    }
}

impl Machine<'_> {
    /// The function that the operation calls; nothing if it only adds an argument to a closure.
    pub(crate) fn dispatched(&self, site: &CallSite) -> Result<Option<FuncId>, Trap> {
        let object = self.reference(site.args[0])?;
        let header = self.memory.load32(object)?;
        let (program, module) = (self.program, self.program.module);
        if matches!(site.callee, Callee::Update) {
            let Some(entry) = program.entry_at(header) else {
                return Err(Trap::wrong(format!("{} is evaluated", self.name_of(object))));
            };
            return Ok(Some(entry.update.unwrap_or(program.steps.update())));
        }
        let node_info = program.row_at(header).filter(|_| header & TAG_HNF != 0);
        let Some((desc, applied_args)) = node_info else {
            return Err(Trap::wrong(format!("{} is applied, or asked for a method", self.name_of(object))));
        };
        let data = &module.descs[desc];
        if let Callee::Instance(table) = site.callee {
            let method = data.method.filter(|&(of, _)| of == table);
            return match method {
                Some((_, func)) => Ok(Some(func)),
                None => Err(Trap::wrong(format!("${} has no method in %{}", data.label, module.tables[table].label))),
            };
        }
        let (missing, arguments) = (data.arity - applied_args, site.args.len() - 1);
        if !data.callable || missing == 0 {
            return Err(Trap::wrong(format!(
                "a node of ${}/{applied_args} is applied, which takes no arguments",
                data.label
            )));
        }
        let code = data.apply.get(applied_args as usize).copied().flatten();
        Ok(match code.filter(|_| missing as usize == arguments) {
            Some(code) => Some(code),
            None => (arguments > 1).then(|| program.steps.apply(arguments)),
        })
    }
}
