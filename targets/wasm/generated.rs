//! The functions that the compiler makes up: their types and names. Their code is in `dispatch`, `trampolines` and
//! `c/trampolines`.

use crate::c::plan::CPlan;
use crate::c::trampolines::Trampoline;
use crate::link_runtime::Relocation;
use crate::locals::val_type;
use crate::signatures::func_type;
use crate::{dispatch, trampolines};
use cleave_ir::{Extern, Module, Signature, Table};
use std::borrow::Cow;
use wasm_encoder::ValType;

/// A function that the compiler makes up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Generated {
    Enter,
    Table(Table),
    Wrapper(Extern),
    /// Between compiled code and a function of the host that may call entries.
    HostCall(Extern),
    Umulhi,
    Main,
    Eval,
    /// Between compiled code and C.
    C(Trampoline),
    /// Calls of C functions where there are none; never reached.
    NoC,
    End,
    Start,
    /// Between the host and the entry of this number.
    Entry(usize),
}

impl Generated {
    /// Parameters and results.
    pub fn ty(
        self,
        module: &Module,
        hosts: &[Signature],
        c: Option<&CPlan>,
        relocation: &mut Relocation,
    ) -> (Vec<ValType>, Vec<ValType>) {
        let word = ValType::I32;
        match self {
            Generated::Enter => (vec![word; 3], vec![word]),
            Generated::Table(table) => {
                let table = &module.tables[table];
                let mut params = dispatch::target_params(table);
                params.push(word);
                (params, table.signature.results.iter().map(|&ty| val_type(ty)).collect())
            }
            Generated::Wrapper(id) => trampolines::extern_type(&module.externs[id]),
            Generated::HostCall(id) => trampolines::host_call_type(&module.externs[id]),
            Generated::Umulhi => (vec![ValType::I64; 2], vec![ValType::I64]),
            Generated::Main => (vec![word], vec![]),
            Generated::Eval => (vec![word; 2], vec![word]),
            Generated::C(Trampoline::Absent(number)) => {
                let linked = c.expect("there is C glue").linked;
                func_type(&linked.absent[number as usize], relocation)
            }
            Generated::C(trampolines) => trampolines.ty(),
            Generated::NoC => Trampoline::Call.ty(),
            Generated::End | Generated::Start => (vec![], vec![]),
            Generated::Entry(number) => trampolines::entry_type(&module.entries[number], &hosts[number]),
        }
    }

    pub fn name(self, module: &Module) -> Cow<'static, str> {
        match self {
            Generated::Enter => "cleave.enter".into(),
            Generated::Table(table) => format!("cleave.table.{}", module.tables[table].label).into(),
            Generated::Wrapper(id) | Generated::HostCall(id) => format!("cleave.{}", module.externs[id].name).into(),
            Generated::Umulhi => "cleave.umulhi".into(),
            Generated::Main => "cleave.main".into(),
            Generated::Eval => "cleave.eval".into(),
            Generated::C(trampolines) => trampolines.name().into(),
            Generated::NoC => Trampoline::Call.name().into(),
            Generated::End => "cleave.end".into(),
            Generated::Start => "_start".into(),
            Generated::Entry(number) => format!("cleave.entry.{}", module.entries[number].name).into(),
        }
    }
}
