//! The numbers of functions in dispatch tables, as rows and entry records hold them: `NO_CODE` where there is no
//! function, or no table of the role (then nothing in the program calls through it).

use crate::entity::{Desc, FuncId, Table};
use crate::layout::NO_CODE;
use crate::module::{Module, TableRole};
use rustc_hash::FxHashMap;

/// The numbers of one module.
pub(crate) struct Numbers {
    by_role: FxHashMap<(TableRole, FuncId), u32>,
    instances: FxHashMap<(Table, FuncId), u32>,
}

impl Numbers {
    pub fn of(module: &Module) -> Numbers {
        let mut numbers = Numbers { by_role: FxHashMap::default(), instances: FxHashMap::default() };
        for (table, data) in &module.tables {
            for (number, &func) in data.funcs.iter().enumerate() {
                match data.role {
                    TableRole::Plain => {}
                    TableRole::Instance => _ = numbers.instances.entry((table, func)).or_insert(number as u32),
                    role => _ = numbers.by_role.entry((role, func)).or_insert(number as u32),
                }
            }
        }
        numbers
    }

    fn by_role(&self, role: TableRole, func: Option<FuncId>) -> Option<u32> {
        self.by_role.get(&(role, func?)).copied()
    }

    /// `ROW_APPLY` of the row for `held` arguments.
    pub fn apply(&self, module: &Module, desc: Desc, held: u32) -> u32 {
        let data = &module.descs[desc];
        let func = data.apply.get(held as usize).copied().flatten();
        self.by_role(TableRole::Apply(data.arity - held), func).unwrap_or(NO_CODE)
    }

    /// `ROW_INSTANCE` of the rows of a descriptor.
    pub fn instance(&self, module: &Module, desc: Desc) -> u32 {
        let found = module.descs[desc].instance.and_then(|instance| self.instances.get(&instance));
        found.copied().unwrap_or(NO_CODE)
    }

    /// `ENTRY_UPDATE` of an entry with this update function: one more than its number, or 0.
    pub fn update(&self, func: Option<FuncId>) -> u32 {
        self.by_role(TableRole::Update, func).map_or(0, |number| number + 1)
    }
}
