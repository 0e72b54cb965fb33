//! Functions of the host in place of functions of a program: their code performs an effect, which the host handles
//! (`cleave_ir::interface::Import`). The bodies that the program has for them serve where there is no such host.

use crate::core_ir::{FunctionId, Program};
use crate::data::Data;
use crate::interface::Export;
use cleave_ir::interface::{self, FieldIn, NodeLayout};
use cleave_ir::raises::Raises;
use cleave_ir::{Builder, DescData, Func, FuncId, Module, Opcode, PrimaryMap, Type, Value, WellKnownDesc};

/// Which functions come from the host: those of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportedClass {
    /// The name of the class.
    pub class: String,
    /// The module of JavaScript that has the functions.
    pub from: String,
}

/// Says in a module what it exports. Then functions that come from the host get their code, and exports that may come
/// to one wait.
pub(crate) fn lower(program: &Program, data: &Data, functions: &PrimaryMap<FunctionId, FuncId>, module: &mut Module) {
    let types = crate::interface::lower(program, data, functions, module);
    if program.interface.imports.is_empty() {
        return;
    }
    for import in &program.interface.imports {
        let Export { name, function, params, results } = &import.function;
        let id = functions[*function];
        let signature = data.signature(&program.functions[*function]);
        let mut func = Func::new(module.funcs[id].name.clone(), signature.clone());
        func.source = module.funcs[id].source.take();
        let entry = func.new_block();
        let args: Vec<Value> = signature.params.iter().map(|&ty| func.add_param(entry, ty)).collect();
        let mut b = Builder::new(&mut func, entry);
        let effect = effect(module, &format!("import.{name}"), &signature.params);
        let fields: Vec<Value> = ordered(&signature.params).into_iter().map(|at| widened(&mut b, args[at])).collect();
        let performed = match fields[..] {
            [] => b.node(effect.desc),
            _ => b.build_node(effect.desc, 0, &fields),
        };
        let given = b.perform(performed);
        let values: Vec<Value> = match results[..] {
            // What says nothing is any number.
            [] => signature.results.iter().map(|_| b.iconst32(0)).collect(),
            _ => signature.results.iter().map(|&ty| result(&mut b, module, ty, given)).collect(),
        };
        b.ret(&values);
        module.funcs[id] = func;
        module.interface.imports.push(interface::Import {
            name: name.clone(),
            from: import.from.clone(),
            effect,
            params: params.iter().map(|(name, ty)| (name.clone(), types[*ty])).collect(),
            results: results.iter().map(|&ty| types[ty]).collect(),
            raises: None,
        });
    }
    let performing = Raises::performing(module);
    module.interface.exports.iter_mut().for_each(|export| export.waits = performing.func(export.func));
}

/// Nodes of these values.
fn effect(module: &mut Module, label: &str, types: &[Type]) -> NodeLayout {
    let word = |&at: &usize| if types[at] == Type::I32 { Type::I64 } else { types[at] };
    let order = ordered(types);
    let refs = types.iter().filter(|&&ty| ty == Type::Ref).count();
    let mut fields = vec![FieldIn::Ref(0); types.len()];
    for (place, &at) in order.iter().enumerate() {
        fields[at] = if place < refs { FieldIn::Ref(place as u32) } else { FieldIn::Word((place - refs) as u32) };
    }
    let data = match &order[..] {
        [] => DescData::atom(label, 0),
        order => {
            DescData { contiguous: true, ..DescData::record(label, 0, &order.iter().map(word).collect::<Vec<Type>>()) }
        }
    };
    NodeLayout { desc: module.descs.push(data), applied_args: 0, fields }
}

/// References first.
fn ordered(types: &[Type]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..types.len()).collect();
    order.sort_by_key(|&at| types[at] != Type::Ref);
    order
}

fn widened(b: &mut Builder, value: Value) -> Value {
    if b.func.values[value] == Type::I32 { b.op(Opcode::ExtendU, &[value]) } else { value }
}

/// What the host has given; a number lies in a node.
fn result(b: &mut Builder, module: &Module, ty: Type, given: Value) -> Value {
    match ty {
        Type::Ref => given,
        Type::F64 => {
            let shape = module.shape(WellKnownDesc::Real.desc(), 0);
            b.get_of(Opcode::GetF64, shape, 0, given)
        }
        Type::I64 | Type::I32 => {
            let word = b.get_of(Opcode::GetI64, module.shape(WellKnownDesc::Int.desc(), 0), 0, given);
            if ty == Type::I32 { b.op(Opcode::Wrap, &[word]) } else { word }
        }
    }
}
