//! Functions of the host, and of the library for C, that entries call and that do not call the program.

use cleave_ir::{Builder, Effects, ExternData, Module, Type, Value};

/// The module that WebAssembly imports the functions from.
pub const HOST: &str = "host";

/// Calls a function of the host, or of the library for C, that does not call the program.
pub fn call_outside(
    module: &mut Module,
    b: &mut Builder,
    (name, effects): (&str, Effects),
    args: &[Value],
    results: &[Type],
) -> Vec<Value> {
    let known = module.externs.iter().find(|(_, data)| *data.name == *name).map(|(id, _)| id);
    let id = known.unwrap_or_else(|| {
        let params: Vec<Type> = args.iter().map(|&value| b.func.values[value]).collect();
        module.externs.push(ExternData {
            name: name.to_string().into(),
            params: params.into(),
            results: results.to_vec().into(),
            effects,
            from: Some(HOST.into()),
        })
    });
    let inst = b.call_extern(module.callee(id), args);
    b.func.results(inst).to_vec()
}
