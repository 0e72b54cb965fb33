//! The numbers of functions in dispatch tables, as node infos and thunk infos hold them: `NO_CODE` where there is no
//! function, or no table of the role (then nothing in the program calls through it).

use crate::entity::{Desc, FuncId, Table};
use crate::layout::NO_CODE;
use crate::module::{Module, TableRole};
use rustc_hash::{FxHashMap, FxHashSet};

/// The numbers of one module.
pub(crate) struct Numbers {
    by_role: FxHashMap<(TableRole, FuncId), u32>,
    instances: FxHashMap<(Table, FuncId), u32>,
    tables: FxHashSet<TableRole>,
}

impl Numbers {
    pub fn of(module: &Module) -> Numbers {
        let mut numbers =
            Numbers { by_role: FxHashMap::default(), instances: FxHashMap::default(), tables: FxHashSet::default() };
        for (table, data) in &module.tables {
            numbers.tables.insert(data.role);
            for (number, &func) in data.funcs.iter().enumerate() {
                match data.role {
                    TableRole::Plain => {}
                    TableRole::Method => _ = numbers.instances.entry((table, func)).or_insert(number as u32),
                    role => _ = numbers.by_role.entry((role, func)).or_insert(number as u32),
                }
            }
        }
        numbers
    }

    fn by_role(&self, role: TableRole, func: Option<FuncId>) -> Option<u32> {
        self.by_role.get(&(role, func?)).copied()
    }

    /// `NODE_INFO_APPLY`, `NODE_INFO_METHOD` and `NODE_INFO_APPLY_ONE` of the row for `held` arguments.
    pub fn node_info(&self, module: &Module, desc: Desc, applied_args: u32) -> [u32; 3] {
        let missing = module.descs[desc].arity - applied_args;
        [
            self.applied(module, desc, applied_args, missing),
            self.method(module, desc),
            self.applied(module, desc, applied_args, 1),
        ]
    }

    /// The number of what applies a closure to so many arguments: its code, if it lacks just these, else the first
    /// function of the table.
    fn applied(&self, module: &Module, desc: Desc, applied_args: u32, arguments: u32) -> u32 {
        let data = &module.descs[desc];
        let (role, is_exact) = (TableRole::Apply(arguments), data.arity - applied_args == arguments);
        let func = data.apply.get(applied_args as usize).copied().flatten().filter(|_| is_exact);
        let other = if data.callable && self.tables.contains(&role) { 0 } else { NO_CODE };
        self.by_role(role, func).unwrap_or(other)
    }

    fn method(&self, module: &Module, desc: Desc) -> u32 {
        let found = module.descs[desc].method.and_then(|method| self.instances.get(&method));
        found.copied().unwrap_or(NO_CODE)
    }

    /// `THUNK_INFO_UPDATE` of an entry with this update function: one more than its number, or 0.
    pub fn update(&self, func: Option<FuncId>) -> u32 {
        self.by_role(TableRole::Update, func).map_or(0, |number| number + 1)
    }
}
