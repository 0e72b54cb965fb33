//! Runtime functions, strings and closure tables that a program of a strict language uses.
//!
//! Closures are called through `call_method`: the descriptor of a closure has its code as its instance in the table
//! of its signature, so that arguments are passed as they are. A known closure becomes a call of its code
//! (`propagate`).

use crate::arrays;
use crate::core_ir::{ExprKind, FunctionId, Primitive, Program, StrId, Types};
use crate::data::Data;
use cleave_ir::layout::{ElementKind, STRING_DATA};
use cleave_ir::module::{StaticData, TableData};
use cleave_ir::runtime::Callee;
use cleave_ir::{
    Builder, FuncId, Heap, LibcallSignature, Module, Opcode, PrimaryMap, Signature, Static, Table, TableRole,
    Type as IrType, Value, libcalls, pack, rc,
};
use smallvec::SmallVec;

/// Goes to stderr, as all messages of strict languages; the runtime's own about indices goes to stdout.
const OUTSIDE: &[u8] = b"Index out of range.";

/// The functions for the strings of a heap, and where the bytes of those are.
struct Strings {
    cat: &'static LibcallSignature,
    put: &'static LibcallSignature,
    equal: &'static LibcallSignature,
    compare: &'static LibcallSignature,
    slice: &'static LibcallSignature,
    of_int: &'static LibcallSignature,
    of_char: &'static LibcallSignature,
    print: &'static LibcallSignature,
    panic: &'static LibcallSignature,
    read_line: &'static LibcallSignature,
    argument: &'static LibcallSignature,
    environment: &'static LibcallSignature,
    read_file: &'static LibcallSignature,
    write_file: &'static LibcallSignature,
    /// Makes the string that several are put into.
    whole: &'static LibcallSignature,
    close: &'static LibcallSignature,
    data: u32,
}

const TRACED: Strings = Strings {
    cat: &libcalls::CAT_STRING,
    put: &libcalls::PUT_STRING,
    equal: &libcalls::EQ_STRING,
    compare: &libcalls::CMP_STRING,
    slice: &libcalls::SLICE_STRING,
    of_int: &libcalls::INT_TO_STRING,
    of_char: &libcalls::CHAR_TO_STRING,
    print: &libcalls::PRINT_STRING,
    panic: &libcalls::PANIC,
    read_line: &libcalls::READ_LINE,
    argument: &libcalls::ARGUMENT,
    environment: &libcalls::ENVIRONMENT,
    read_file: &libcalls::READ_FILE,
    write_file: &libcalls::WRITE_FILE,
    whole: &libcalls::NEW_ARRAY,
    close: &libcalls::CLOSE_FOREIGN,
    data: STRING_DATA,
};

const RC: Strings = Strings {
    cat: &libcalls::RC_CAT_STRING,
    put: &libcalls::RC_PUT_STRING,
    equal: &libcalls::RC_EQ_STRING,
    compare: &libcalls::RC_CMP_STRING,
    slice: &libcalls::RC_SLICE_STRING,
    of_int: &libcalls::RC_INT_TO_STRING,
    of_char: &libcalls::RC_CHAR_TO_STRING,
    print: &libcalls::RC_PRINT_STRING,
    panic: &libcalls::RC_PANIC,
    read_line: &libcalls::RC_READ_LINE,
    argument: &libcalls::RC_ARGUMENT,
    environment: &libcalls::RC_ENVIRONMENT,
    read_file: &libcalls::RC_READ_FILE,
    write_file: &libcalls::RC_WRITE_FILE,
    whole: &libcalls::RC_EXTEND_STRING,
    close: &libcalls::RC_CLOSE_FOREIGN,
    data: rc::STRING_DATA,
};

impl Strings {
    fn of(heap: Heap) -> &'static Strings {
        if heap.counts() { &RC } else { &TRACED }
    }

    /// What a primitive needs; `operands` are how many it has.
    fn rows_of(&self, primitive: Primitive, operands: usize) -> Vec<&'static LibcallSignature> {
        match primitive {
            Primitive::Concat if operands == 2 => vec![self.cat],
            Primitive::Concat => vec![self.whole, self.put],
            Primitive::Equal => vec![self.equal],
            Primitive::Compare => vec![self.compare],
            Primitive::Length => Vec::new(),
            Primitive::CharAt | Primitive::Panic => vec![self.panic],
            Primitive::Slice => vec![self.slice],
            Primitive::OfInt => vec![self.of_int],
            Primitive::OfChar => vec![self.of_char],
            Primitive::PrintLine => vec![self.print, &libcalls::PRINT_CHAR],
            Primitive::Print => vec![self.print],
            Primitive::ReadLine => vec![self.read_line],
            Primitive::ArgumentCount => vec![&libcalls::ARGUMENT_COUNT],
            Primitive::Argument => vec![self.argument],
            Primitive::Environment => vec![self.environment],
            Primitive::ReadFile => vec![self.read_file],
            Primitive::WriteFile => vec![self.write_file],
            Primitive::Exit => vec![&libcalls::EXIT],
            Primitive::GiveBack => vec![self.close],
            _ => Vec::new(),
        }
    }
}

/// The numbers of what a program uses.
pub struct Runtime {
    heap: Heap,
    strings: &'static Strings,
    pub texts: PrimaryMap<StrId, Static>,
    /// What a program says at its end that looks at a byte which is not there.
    outside: Option<Static>,
    tables: Vec<(Signature, Table)>,
    externs: Vec<(&'static str, Callee<'static>)>,
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
        let (texts, strings) = (texts.collect(), Strings::of(module.heap));
        let mut runtime =
            Runtime { heap: module.heap, strings, texts, outside: None, tables: Vec::new(), externs: Vec::new() };
        for (id, closure) in &program.closures {
            let signature = data.signature(&program.functions[closure.function]);
            let table = runtime.add_table(module, signature);
            module.descs[data.closures[id].desc].method = Some((table, functions[closure.function]));
        }
        for function in program.functions.values() {
            for node in function.exprs.values() {
                match &node.kind {
                    ExprKind::Primitive(primitive, args) => {
                        if *primitive == Primitive::CharAt {
                            let text = || module.statics.push(StaticData::String(OUTSIDE.into()));
                            runtime.outside.get_or_insert_with(text);
                        }
                        let of_strings = strings.rows_of(*primitive, args.len(&function.lists));
                        let of_arrays = match primitive {
                            Primitive::ReadFile => Primitive::SetWord,
                            primitive => *primitive,
                        };
                        for row in of_strings.into_iter().chain(arrays::rows(module.heap, of_arrays)) {
                            if !runtime.externs.iter().any(|known| known.0 == row.name) {
                                runtime.externs.push((row.name, Callee::of(module.declare(row), row)));
                            }
                        }
                    }
                    ExprKind::Apply(_, args) => {
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
        let data = TableData { label, role: TableRole::Method, signature: signature.clone(), funcs: Vec::new() };
        let table = module.tables.push(data);
        self.tables.push((signature, table));
        table
    }

    /// The table through which a closure is called with these values, itself being the first.
    pub fn table(&self, b: &Builder, values: &[Value], results: &[IrType]) -> Table {
        let params: Vec<IrType> = values.iter().map(|&value| b.func.values[value]).collect();
        self.find(&Signature::new(&params, results)).expect("all signatures were looked for")
    }

    pub fn call(&self, b: &mut Builder, row: &'static LibcallSignature, args: &[Value]) -> Option<Value> {
        let callee = self.externs.iter().find(|known| known.0 == row.name).expect("it was declared").1;
        let inst = b.call_extern(callee, args);
        b.func.results(inst).first().copied()
    }

    pub fn value(&self, b: &mut Builder, row: &'static LibcallSignature, args: &[Value]) -> Value {
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
        if primitive.is_of_objects() {
            let args: SmallVec<[Value; 3]> = args
                .iter()
                .enumerate()
                .map(|(at, &arg)| if arrays::is_wide(primitive, at) { wide(b, arg) } else { arg })
                .collect();
            let value = arrays::operate(self, b, self.heap, primitive, &args);
            return Some(match primitive {
                Primitive::Word | Primitive::InnerWord | Primitive::SizeOfReferences | Primitive::SizeOfWords => {
                    narrow(b, value)
                }
                Primitive::Same => b.op(Opcode::Wrap, &[value]),
                _ => value,
            });
        }
        Some(match primitive {
            Primitive::Concat => self.concat(b, args),
            Primitive::Equal => {
                let value = self.value(b, self.strings.equal, args);
                b.op(Opcode::Wrap, &[value])
            }
            Primitive::Compare => {
                let value = self.value(b, self.strings.compare, args);
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
                let message = b.static_ref(self.outside.expect("there is one where it is used"));
                self.call(b, self.strings.panic, &[message]);
                b.unreachable();
                b.switch_to(inside);
                let place = pack(1, self.strings.data);
                let value = b.value(Opcode::ElemU8, place, 0, &[args[0], index]);
                narrow(b, value)
            }
            Primitive::Slice => {
                let (from, to) = (wide(b, args[1]), wide(b, args[2]));
                let one = b.iconst64(1);
                let last = b.op(Opcode::Isub, &[to, one]);
                self.value(b, self.strings.slice, &[args[0], from, last])
            }
            Primitive::OfInt => {
                let number = wide(b, args[0]);
                self.value(b, self.strings.of_int, &[number])
            }
            Primitive::OfChar => {
                let number = wide(b, args[0]);
                self.value(b, self.strings.of_char, &[number])
            }
            Primitive::PrintLine => {
                self.call(b, self.strings.print, args);
                let line = b.iconst64(i64::from(b'\n'));
                self.call(b, &libcalls::PRINT_CHAR, &[line]);
                b.iconst32(0)
            }
            Primitive::Print => {
                self.call(b, self.strings.print, args);
                b.iconst32(0)
            }
            Primitive::ReadLine => self.value(b, self.strings.read_line, args),
            Primitive::ArgumentCount => {
                let count = self.value(b, &libcalls::ARGUMENT_COUNT, args);
                narrow(b, count)
            }
            Primitive::Argument => {
                let number = wide(b, args[0]);
                self.value(b, self.strings.argument, &[number])
            }
            Primitive::Environment => self.value(b, self.strings.environment, args),
            Primitive::ReadFile => self.read_file(b, args[0], args[1]),
            Primitive::WriteFile => {
                let is_written = self.value(b, self.strings.write_file, args);
                narrow(b, is_written)
            }
            Primitive::GiveBack => {
                let was_open = self.value(b, self.strings.close, args);
                narrow(b, was_open)
            }
            Primitive::Exit => {
                let status = wide(b, args[0]);
                self.call(b, &libcalls::EXIT, &[status]);
                return None;
            }
            Primitive::Panic => {
                self.call(b, self.strings.panic, args);
                return None;
            }
            _ => unreachable!("what is about objects is done"),
        })
    }

    /// The contents of a file; whether it could be read becomes the first element of an array of numbers.
    fn read_file(&self, b: &mut Builder, name: Value, was_read: Value) -> Value {
        let row = self.strings.read_file;
        let callee = self.externs.iter().find(|known| known.0 == row.name).expect("it was declared").1;
        let inst = b.call_extern(callee, &[name]);
        let &[contents, is_there] = b.func.results(inst) else { unreachable!("the row has two results") };
        let first = b.iconst64(0);
        arrays::operate(self, b, self.heap, Primitive::SetWord, &[was_read, first, is_there]);
        contents
    }

    /// Of more than two strings each is copied once at most, into a string that is large enough for all.
    fn concat(&self, b: &mut Builder, parts: &[Value]) -> Value {
        if let [_, _] = parts {
            return self.value(b, self.strings.cat, parts);
        }
        let mut ends = vec![b.iconst64(0)];
        for &part in parts {
            let size = b.op(Opcode::StringSize, &[part]);
            let end = ends[ends.len() - 1];
            ends.push(b.op(Opcode::Iadd, &[end, size]));
        }
        let length = ends[parts.len()];
        // Where there are counts, the first one may have room for the others.
        let (whole, done) = match self.heap.counts() {
            false => {
                let kind = b.iconst32(ElementKind::Char as i32);
                let none = b.iconst32(0);
                (self.value(b, self.strings.whole, &[kind, none, none, length]), 0)
            }
            true => (self.value(b, self.strings.whole, &[parts[0], length]), 1),
        };
        for (&part, &at) in parts.iter().zip(&ends).skip(done) {
            self.call(b, self.strings.put, &[whole, at, part]);
        }
        whole
    }
}
