//! What programs need of the runtime, and what is found by number: strings, tables for the code of closures.
//!
//! Closures are called through `call_instance`: the descriptor of a closure has its code as its instance in the table
//! of its signature, so that arguments are passed as they are. A known closure becomes a call of its code
//! (`propagate`).

use crate::code::signature;
use crate::data::Data;
use crate::tree::{FunctionId, Kind, Primitive, Program, TextId, Types};
use cleave_ir::layout::{ElementKind, STRING_DATA};
use cleave_ir::module::{StaticData, TableData};
use cleave_ir::runtime::Callee;
use cleave_ir::{
    Builder, FuncId, Module, Opcode, PrimaryMap, Row, Signature, Static, Table, TableRole, Type as IrType, Value, pack,
    rows,
};

/// The numbers of what a program uses.
pub struct Runtime {
    pub texts: PrimaryMap<TextId, Static>,
    tables: Vec<(Signature, Table)>,
    externs: Vec<(&'static str, Callee<'static>)>,
}

/// The functions of the runtime that a primitive needs; `operands` are how many it has.
fn rows_of(primitive: Primitive, operands: usize) -> Vec<&'static Row> {
    match primitive {
        Primitive::Concat if operands == 2 => vec![&rows::CAT_STRING],
        Primitive::Concat => vec![&rows::NEW_ARRAY, &rows::PUT_STRING],
        Primitive::Equal => vec![&rows::EQ_STRING],
        Primitive::Compare => vec![&rows::CMP_STRING],
        Primitive::Length => Vec::new(),
        Primitive::CharAt => vec![&rows::INDEX_ERROR],
        Primitive::Slice => vec![&rows::SLICE_STRING],
        Primitive::OfInt => vec![&rows::INT_TO_STRING],
        Primitive::OfChar => vec![&rows::CHAR_TO_STRING],
        Primitive::PrintLine => vec![&rows::PRINT_STRING, &rows::PRINT_CHAR],
        Primitive::Panic => vec![&rows::PANIC],
    }
}

impl Runtime {
    /// Declares what the functions of a program use.
    pub fn declare(
        program: &Program,
        data: &Data,
        functions: &PrimaryMap<FunctionId, FuncId>,
        module: &mut Module,
    ) -> Runtime {
        let texts = program.texts.values().map(|text| module.statics.push(StaticData::String(text.clone())));
        let mut runtime = Runtime { texts: texts.collect(), tables: Vec::new(), externs: Vec::new() };
        for (id, closure) in &program.closures {
            let signature = signature(data, &program.functions[closure.function]);
            let table = runtime.add_table(module, signature);
            module.descs[data.closures[id].desc].instance = Some((table, functions[closure.function]));
        }
        for function in program.functions.values() {
            for node in function.exprs.values() {
                match &node.kind {
                    Kind::Primitive(primitive, args) => {
                        for row in rows_of(*primitive, args.len(&function.lists)) {
                            if !runtime.externs.iter().any(|known| known.0 == row.name) {
                                runtime.externs.push((row.name, Callee::of(module.declare(row), row)));
                            }
                        }
                    }
                    Kind::Apply(_, args) => {
                        let mut params = vec![IrType::Ref];
                        for &arg in args.as_slice(&function.lists) {
                            let types: &Types = &function.exprs[arg].types;
                            params.extend(data.ir_types(function.types(types)));
                        }
                        let results = data.ir_types(function.types(&node.types));
                        runtime.add_table(module, Signature::new(&params, &results));
                    }
                    _ => {}
                }
            }
        }
        runtime
    }

    fn find(&self, signature: &Signature) -> Option<Table> {
        self.tables.iter().find(|known| known.0 == *signature).map(|known| known.1)
    }

    fn add_table(&mut self, module: &mut Module, signature: Signature) -> Table {
        if let Some(table) = self.find(&signature) {
            return table;
        }
        let label = format!("call.{}", self.tables.len());
        let data = TableData { label, role: TableRole::Instance, signature: signature.clone(), funcs: Vec::new() };
        let table = module.tables.push(data);
        self.tables.push((signature, table));
        table
    }

    /// The table through which a closure is called with these values, itself being the first.
    pub fn table(&self, b: &Builder, values: &[Value], results: &[IrType]) -> Table {
        let params: Vec<IrType> = values.iter().map(|&value| b.func.values[value]).collect();
        self.find(&Signature::new(&params, results)).expect("all signatures were looked for")
    }

    fn call(&self, b: &mut Builder, row: &'static Row, args: &[Value]) -> Option<Value> {
        let callee = self.externs.iter().find(|known| known.0 == row.name).expect("it was declared").1;
        let inst = b.call_extern(callee, args);
        b.func.results(inst).first().copied()
    }

    fn value(&self, b: &mut Builder, row: &'static Row, args: &[Value]) -> Value {
        self.call(b, row, args).expect("the row has a result")
    }

    /// The value of a primitive; none if it does not return.
    pub fn operate(&self, b: &mut Builder, primitive: Primitive, args: &[Value], int: IrType) -> Option<Value> {
        let narrow =
            |b: &mut Builder, value: Value| if int == IrType::I32 { b.op(Opcode::Wrap, &[value]) } else { value };
        let wide = |b: &mut Builder, value: Value| match b.func.values[value] {
            IrType::I32 => b.op(Opcode::ExtendS, &[value]),
            _ => value,
        };
        Some(match primitive {
            Primitive::Concat => self.concat(b, args),
            Primitive::Equal => {
                let value = self.value(b, &rows::EQ_STRING, args);
                b.op(Opcode::Wrap, &[value])
            }
            Primitive::Compare => {
                let value = self.value(b, &rows::CMP_STRING, args);
                narrow(b, value)
            }
            Primitive::Length => {
                let value = b.op(Opcode::StringSize, args);
                narrow(b, value)
            }
            Primitive::CharAt => {
                let index = wide(b, args[1]);
                let size = b.op(Opcode::StringSize, &[args[0]]);
                let is_inside = b.op(Opcode::Ult, &[index, size]);
                let (inside, outside) = (b.func.new_block(), b.func.new_block());
                b.br_if(is_inside, (inside, &[]), (outside, &[]));
                b.switch_to(outside);
                self.call(b, &rows::INDEX_ERROR, &[]);
                b.unreachable();
                b.switch_to(inside);
                let place = pack(1, STRING_DATA);
                let value = b.value(Opcode::ElemU8, place, 0, &[args[0], index]);
                narrow(b, value)
            }
            Primitive::Slice => {
                let (from, to) = (wide(b, args[1]), wide(b, args[2]));
                let one = b.iconst64(1);
                let last = b.op(Opcode::Isub, &[to, one]);
                self.value(b, &rows::SLICE_STRING, &[args[0], from, last])
            }
            Primitive::OfInt => {
                let number = wide(b, args[0]);
                self.value(b, &rows::INT_TO_STRING, &[number])
            }
            Primitive::OfChar => {
                let number = wide(b, args[0]);
                self.value(b, &rows::CHAR_TO_STRING, &[number])
            }
            Primitive::PrintLine => {
                self.call(b, &rows::PRINT_STRING, args);
                let line = b.iconst64(i64::from(b'\n'));
                self.call(b, &rows::PRINT_CHAR, &[line]);
                b.iconst32(0)
            }
            Primitive::Panic => {
                self.call(b, &rows::PANIC, args);
                return None;
            }
        })
    }

    /// Of more than two strings each is copied once, into a string that is large enough for all.
    fn concat(&self, b: &mut Builder, parts: &[Value]) -> Value {
        if let [_, _] = parts {
            return self.value(b, &rows::CAT_STRING, parts);
        }
        let mut ends = vec![b.iconst64(0)];
        for &part in parts {
            let size = b.op(Opcode::StringSize, &[part]);
            let end = ends[ends.len() - 1];
            ends.push(b.op(Opcode::Iadd, &[end, size]));
        }
        let kind = b.iconst32(ElementKind::Char as i32);
        let none = b.iconst32(0);
        let whole = self.value(b, &rows::NEW_ARRAY, &[kind, none, none, ends[parts.len()]]);
        for (&part, &at) in parts.iter().zip(&ends) {
            self.call(b, &rows::PUT_STRING, &[whole, at, part]);
        }
        whole
    }
}
