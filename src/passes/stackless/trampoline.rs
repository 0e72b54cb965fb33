//! The trampoline: goes on with captured functions one by one, through a table of stubs, one for all functions of a
//! signature.

use super::helpers::{Helpers, Kind, low, peek, poke, rank, store_results, sum, zero};
use cleave_ir::layout::{CAPTURE_BUDGET, CAPTURE_END, CAPTURE_ID, CAPTURE_LIMIT, CAPTURE_POINTER, CAPTURE_READ, SLOT};
use cleave_ir::{Builder, Func, FuncId, Libcall, Module, Opcode, Signature, Table, TableData, TableRole, Type, Value};

impl Helpers {
    /// What goes on with captured functions. `funcs` are those of the module that can be captured, by their numbers,
    /// and who goes on in their middle. Those with the same signature are next to each other, and among them those that
    /// go on themselves. Gives with it what each of the others calls last, rather than to return.
    pub fn trampoline(&mut self, module: &mut Module, funcs: &[(FuncId, FuncId)]) -> (FuncId, Vec<FuncId>) {
        let mut stubs: Vec<FuncId> = Vec::with_capacity(funcs.len());
        let mut returns: Vec<FuncId> = Vec::with_capacity(funcs.len());
        let goes_on_itself = |&(func, rest): &(FuncId, FuncId)| func == rest;
        let signature = |module: &Module, func: FuncId| module.funcs[func].signature.clone();
        let chunks = funcs.chunk_by(|a, b| {
            goes_on_itself(a) == goes_on_itself(b) && module.funcs[a.0].signature == module.funcs[b.0].signature
        });
        for same in chunks.map(<[_]>::to_vec).collect::<Vec<_>>() {
            let first = stubs.len() as u32;
            let label = format!("stackless.{first}");
            let signature = signature(module, same[0].0);
            let mut table = |label: String, funcs: Vec<FuncId>| {
                let signature = signature.clone();
                module.tables.push(TableData { label, role: TableRole::Plain, signature, funcs })
            };
            let all = table(label.clone(), same.iter().map(|pair| pair.0).collect());
            let (stub, returned) = if goes_on_itself(&same[0]) {
                (self.stub_of(module, all, first), None)
            } else {
                let rests = table(format!("{label}.rest"), same.iter().map(|pair| pair.1).collect());
                let returned = return_of(module, rests, first, self.bits);
                (self.stub_of_two(module, [all, rests], first), Some(self.add(returned)))
            };
            let stub = self.add(stub);
            stubs.extend(same.iter().map(|_| stub));
            returns.extend(same.iter().map(|pair| returned.unwrap_or(pair.0)));
        }
        let signature = Signature::new(&[Type::I32; 2], &[]);
        let all = TableData { label: "stackless".into(), role: TableRole::Plain, signature, funcs: stubs };
        let all = module.tables.push(all);
        (self.add(trampoline_of(all, self.bits, self.traced)), returns)
    }

    /// (number of a function, where it goes on) → (): calls the function, one of a table, and leaves its results. One
    /// that has just been called gets what it was called with; another one a shadow-stack pointer that tells it to go
    /// on.
    fn stub_of(&mut self, module: &Module, table: Table, first: u32) -> Func {
        let TableData { label, signature, .. } = &module.tables[table];
        let (mut func, given) = low(format!("{label}.go_on"), &[Type::I32; 2], &[]);
        let entry = func.entry_block();
        let mut builder = Builder::new(&mut func, entry);
        let pointer = peek(&mut builder, Type::I32, CAPTURE_POINTER);
        let middle = builder.iconst32(0);
        let pointer = builder.op(Opcode::Select, &[given[1], middle, pointer]);
        let (order, words) = in_record(&signature.params);
        let args = if words.is_empty() {
            Vec::new()
        } else {
            let call = builder.call(self.get(Kind::Arguments, &words), &[given[1]], &words);
            builder.func.results(call).to_vec()
        };
        let number = number_of(&mut builder, given[0], first);
        self.call(&mut builder, table, signature, [number, pointer], &order, args);
        func
    }

    /// The same, where other functions go on in the middle.
    fn stub_of_two(&mut self, module: &Module, [table, rests]: [Table; 2], first: u32) -> Func {
        let TableData { label, signature, .. } = &module.tables[table];
        let (mut func, given) = low(format!("{label}.go_on"), &[Type::I32; 2], &[]);
        let entry = func.entry_block();
        let [middle, start] = [(); 2].map(|()| func.new_block());
        let mut builder = Builder::new(&mut func, entry);
        builder.br_if(given[1], (middle, &[]), (start, &[]));
        let (order, words) = in_record(&signature.params);
        for (block, table, kind) in [(middle, rests, Kind::Zeros), (start, table, Kind::Restore)] {
            builder.switch_to(block);
            let pointer = match kind {
                Kind::Zeros => builder.iconst32(0),
                _ => peek(&mut builder, Type::I32, CAPTURE_POINTER),
            };
            let args = self.given(&mut builder, kind, &words);
            let number = number_of(&mut builder, given[0], first);
            self.call(&mut builder, table, signature, [number, pointer], &order, args);
        }
        func
    }

    /// Calls one of a table with arguments in the order of records, and leaves its results.
    fn call(
        &mut self,
        builder: &mut Builder,
        table: Table,
        signature: &Signature,
        lead: [Value; 2],
        order: &[usize],
        words: Vec<Value>,
    ) {
        let mut args = lead.to_vec();
        args.resize(lead.len() + words.len(), lead[0]);
        order.iter().zip(words).for_each(|(&at, word)| args[lead.len() + at] = word);
        let call = builder.call_table(table, &args, &signature.results);
        if !signature.results.is_empty() {
            let given = builder.func.results(call).to_vec();
            builder.call(self.get(Kind::Leave, &signature.results), &given, &[]);
        }
        builder.ret(&[]);
    }
}

/// Where parameters are among the words of a record, and the types of these.
fn in_record(params: &[Type]) -> (Vec<usize>, Vec<Type>) {
    let mut order: Vec<usize> = (0..params.len()).collect();
    order.sort_by_key(|&at| rank(params[at]));
    let words = order.iter().map(|&at| params[at]).collect();
    (order, words)
}

/// The number of a function in its table.
fn number_of(builder: &mut Builder, number: Value, first: u32) -> Value {
    let first = builder.iconst32(first as i32);
    builder.op(Opcode::Isub, &[number, first])
}

/// (results) → results: what functions do that have gone on in their middle and are done. Who waits for them goes on in
/// its middle, too, if it is one of the same table; else the trampoline finds out. `first` is the number of the first
/// function of the table. Modules with traces have no such functions (`separate`).
fn return_of(module: &Module, rests: Table, first: u32, bits: u32) -> Func {
    let TableData { label, signature, funcs, .. } = &module.tables[rests];
    let (mut func, results) = low(format!("{label}.return"), &signature.results, &signature.results);
    let entry = func.entry_block();
    let [waiting, same, end] = [(); 3].map(|()| func.new_block());
    let mut builder = Builder::new(&mut func, entry);
    let next = peek(&mut builder, Type::I32, CAPTURE_READ);
    let last = peek(&mut builder, Type::I32, CAPTURE_END);
    let is_last = builder.op(Opcode::Eq, &[next, last]);
    builder.br_if(is_last, (end, &[]), (waiting, &[]));
    builder.switch_to(waiting);
    // It is in its middle: only the innermost function of a capture has just been called, and that is no longer there.
    let id = builder.value(Opcode::LoadI32, 0, 0, &[next]);
    let [shift, first, count] = [bits as i32, first as i32, funcs.len() as i32].map(|n| builder.iconst32(n));
    let number = builder.op(Opcode::Ushr, &[id, shift]);
    let number = builder.op(Opcode::Isub, &[number, first]);
    let is_same = builder.op(Opcode::Ult, &[number, count]);
    builder.br_if(is_same, (same, &[]), (end, &[]));
    builder.switch_to(same);
    store_results(&mut builder, &results);
    // As the libcall `capture_next` does.
    let above = builder.value(Opcode::LoadI32, u64::from(SLOT), 0, &[next]);
    let pointer = peek(&mut builder, Type::I32, CAPTURE_POINTER);
    let pointer = builder.op(Opcode::Iadd, &[pointer, above]);
    let words = sum(&mut builder, next, 2 * SLOT);
    let budget = peek(&mut builder, Type::I32, CAPTURE_BUDGET);
    let limit = builder.op(Opcode::Isub, &[pointer, budget]);
    for (address, word) in [(CAPTURE_ID, id), (CAPTURE_POINTER, pointer), (CAPTURE_READ, words), (CAPTURE_LIMIT, limit)]
    {
        poke(&mut builder, address, word);
    }
    builder.effect(Opcode::SetStackLimit, &[limit]);
    let mut args = vec![number, builder.iconst32(0)];
    args.extend(signature.params.iter().map(|&ty| zero(&mut builder, ty)));
    builder.tail_call_table(rests, &args);
    builder.switch_to(end);
    builder.ret(&results);
    func
}

/// Goes on with captured functions until the last of them has returned.
fn trampoline_of(stubs: Table, bits: u32, traced: bool) -> Func {
    let (mut func, _) = low("stackless.trampoline".into(), &[], &[]);
    func.is_outlined = false;
    let entry = func.entry_block();
    let [round, go_on, captured, end] = [(); 4].map(|()| func.new_block());
    let mut builder = Builder::new(&mut func, entry);
    let pointer = builder.op(Opcode::ShadowPointer, &[]);
    let [no, yes] = [0, 1].map(|n| builder.iconst32(n));
    builder.call_rt(Libcall::CaptureEnd, &[pointer, yes]);
    builder.jump(round, &[]);
    builder.switch_to(round);
    let mask = builder.iconst32((1 << bits) - 1);
    let id = builder.call_rt(Libcall::CaptureNext, &[mask]);
    let id = builder.func.result(id);
    let limit = peek(&mut builder, Type::I32, CAPTURE_LIMIT);
    builder.effect(Opcode::SetStackLimit, &[limit]);
    let none = builder.iconst32(-1);
    let is_end = builder.op(Opcode::Eq, &[id, none]);
    builder.br_if(is_end, (end, &[]), (go_on, &[]));
    builder.switch_to(go_on);
    let shift = builder.iconst32(bits as i32);
    let number = builder.op(Opcode::Ushr, &[id, shift]);
    let point = builder.op(Opcode::And, &[id, mask]);
    if traced {
        // The bytes of the words.
        let next = peek(&mut builder, Type::I32, CAPTURE_READ);
        let words = sum(&mut builder, next, SLOT);
        poke(&mut builder, CAPTURE_READ, words);
    }
    builder.call_table(stubs, &[number, pointer, number, point], &[]);
    let limit = builder.op(Opcode::StackLimit, &[]);
    builder.br_if(limit, (round, &[]), (captured, &[]));
    builder.switch_to(captured);
    builder.call_rt(Libcall::CaptureEnd, &[pointer, no]);
    builder.jump(round, &[]);
    builder.switch_to(end);
    builder.ret(&[]);
    func
}
