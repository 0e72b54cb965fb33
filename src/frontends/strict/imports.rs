//! Functions of the host in place of functions of a program (`cleave_ir::interface::Import`). If the program waits for
//! one, its code performs an effect, which the host handles; if not, the call of the host takes its place later. The
//! bodies that the program has for them serve where there is no such host.

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
    /// Where the host has them: for JavaScript a module.
    pub from: String,
    /// Which ones.
    pub functions: Imported,
}

/// Which functions of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Imported {
    /// All public ones. The program waits for them, or they answer at once.
    All {
        /// It waits.
        wait: bool,
    },
    /// Those that a world in WIT has in an interface, and whether the program waits for them. Names differ in how their
    /// words are joined, and the program may do without.
    OfWorld(Vec<(String, bool)>),
}

impl ImportedClass {
    /// The class of this name is meant.
    pub fn is(&self, class: &str) -> bool {
        self.class == class || self.is_of_world() && is_same_name(&self.class, class)
    }

    /// If the function comes from the host: whether the program waits for it.
    pub fn wait(&self, function: &str) -> Option<bool> {
        match &self.functions {
            Imported::All { wait } => Some(*wait),
            Imported::OfWorld(all) => all.iter().find(|known| is_same_name(&known.0, function)).map(|known| known.1),
        }
    }

    /// A world says it, which has perhaps more than the program needs.
    pub fn is_of_world(&self) -> bool {
        matches!(self.functions, Imported::OfWorld(_))
    }
}

/// `get-all`, `getAll` and `get_all` are.
fn is_same_name(one: &str, other: &str) -> bool {
    let letters = |name: &str| {
        let letters: Vec<char> = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
        letters.into_iter().flat_map(char::to_lowercase)
    };
    letters(one).eq(letters(other))
}

/// Says in a module what it exports and imports. Functions that the program waits for get their code, and exports that
/// may come to one wait.
pub(crate) fn lower(program: &Program, data: &Data, functions: &PrimaryMap<FunctionId, FuncId>, module: &mut Module) {
    let types = crate::interface::lower(program, data, functions, module);
    if program.interface.imports.is_empty() {
        return;
    }
    for import in &program.interface.imports {
        let wait = import.origin.wait;
        let Export { name, function, params, results } = &import.function;
        let id = functions[*function];
        let mut import = interface::Import {
            name: name.clone(),
            from: import.origin.from.clone(),
            kind: interface::ImportKind::Function(id),
            params: params.iter().map(|(name, ty)| (name.clone(), types[*ty])).collect(),
            results: results.iter().map(|&ty| types[ty]).collect(),
            raises: None,
        };
        if !wait {
            module.interface.imports.push(import);
            continue;
        }
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
        import.kind = interface::ImportKind::Effect(effect);
        module.interface.imports.push(import);
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
