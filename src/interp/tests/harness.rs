//! Test harness of the interpreter: builds a module, runs it, and compares results.

pub(crate) use cleave_interp::{Options, Program, Session, Trap, Val, data_section_options, expanded_for};
pub(crate) use cleave_ir::abi::libcall;
pub(crate) use cleave_ir::layout::DescriptorKind;
pub(crate) use cleave_ir::module::RecordData;
pub(crate) use cleave_ir::{
    Builder, Callee, Desc, DescData, Extern, Func, FuncId, Inst, Libcall, LibcallSignature, Module, Opcode, Phase,
    Signature, ThunkInfo, ThunkInfoData, ThunkKind, Type, Value, WellKnownDesc, libcalls,
};

use std::borrow::Cow;

/// One case: what it is about, and how it is tested.
pub struct Case {
    pub subjects: &'static [Opcode],
    pub run: fn(&mut Harness),
}

/// A module under construction, with the entries that every program has.
pub struct Harness {
    pub module: Module,
    pub options: Options,
    pub cycle: ThunkInfo,
    pub indirection: ThunkInfo,
    /// Record with one reference and one raw word: split.
    pub mixed: Desc,
    /// Record with two raw words: split, no reference.
    pub nptrs: Desc,
    /// Constructor with three arguments: split.
    pub triple: Desc,
}

pub const REF: Type = Type::Ref;
pub const I32: Type = Type::I32;
pub const I64: Type = Type::I64;
pub const F64: Type = Type::F64;

/// A descriptor for tests.
pub fn descriptor(name: &str, arity: u32, record: Option<(u32, u32)>) -> DescData {
    let record = record.map(|(ptrs, nptrs)| RecordData {
        ptrs,
        nptrs,
        types: [&b"a"[..]; 9][..ptrs as usize]
            .iter()
            .chain(&[&b"i"[..]; 9][..nptrs as usize])
            .copied()
            .flatten()
            .copied()
            .collect(),
        nested: Vec::new(),
    });
    DescData {
        name: name.as_bytes().into(),
        label: name.into(),
        kind: if record.is_some() { DescriptorKind::Record } else { DescriptorKind::Constructor },
        arity,
        record,
        tag: 0,
        apply: Vec::new(),
        method: None,
        callable: false,
        contiguous: false,
        immutable: false,
    }
}

/// Rows that are not in the contract.
pub const OWN: &[&LibcallSignature] = &[&DRIVER, &CYCLE];
pub static DRIVER: LibcallSignature = libcall!("driver" (Ref) -> () [MAY_GC EFFECT] "print a node");
pub static CYCLE: LibcallSignature = libcall!("cycle_in_spine" () -> () [NORETURN] "a node needs its own value");

/// What a call in a lab is made of: it declares all rows in order.
pub fn rt(row: &'static LibcallSignature) -> Callee<'static> {
    let number = libcalls::ALL.iter().chain(OWN).position(|known| known.name == row.name);
    Callee::of(Extern::from_u32(number.expect("a declared row") as u32), row)
}

impl Harness {
    pub fn new() -> Harness {
        let mut module = Module::new("lab");
        for row in libcalls::ALL.iter().chain(OWN) {
            module.declare(*row);
        }
        let mixed = module.descs.push(descriptor("Mixed", 0, Some((1, 1))));
        let nptrs = module.descs.push(descriptor("Words", 0, Some((0, 2))));
        let triple = module.descs.push(descriptor("Triple", 3, None));
        let mut harness = Harness {
            module,
            options: Options::default(),
            cycle: ThunkInfo::from_u32(0),
            indirection: ThunkInfo::from_u32(1),
            mixed,
            nptrs,
            triple,
        };
        harness.cycle = harness.thunk("cycle", 0, 0, |b, _| {
            b.call_extern(rt(&CYCLE), &[]);
            b.unreachable();
        });
        harness.module.blackhole_info = Some(harness.cycle);
        harness.indirection = harness.thunk("indirection", 1, 0, |b, node| {
            let target = b.get(Opcode::ArgRef, 1, 0, 0, node);
            let value = b.op(Opcode::Eval, &[target]);
            b.effect(Opcode::FillCopy, &[node, value]);
            b.ret(&[node]);
        });
        harness.module.thunk_infos[harness.indirection].kind = ThunkKind::Indirection;
        harness
    }

    /// A function whose entry block `body` fills.
    pub fn func(
        &mut self,
        name: &str,
        params: &[Type],
        results: &[Type],
        body: impl FnOnce(&mut Builder, &[Value]),
    ) -> FuncId {
        self.func_in(Phase::High, name, params, results, body)
    }
    pub fn func_in(
        &mut self,
        phase: Phase,
        name: &str,
        params: &[Type],
        results: &[Type],
        body: impl FnOnce(&mut Builder, &[Value]),
    ) -> FuncId {
        let mut func = Func::new(name, Signature::new(params, results));
        func.phase = phase;
        let entry = func.new_block();
        let values: Vec<Value> = params.iter().map(|&ty| func.add_param(entry, ty)).collect();
        body(&mut Builder::new(&mut func, entry), &values);
        self.module.funcs.push(func)
    }
    /// An entry with the code `body`.
    pub fn thunk(&mut self, label: &str, ptrs: u32, nptrs: u32, body: impl FnOnce(&mut Builder, Value)) -> ThunkInfo {
        let code = self.func(label, &[REF], &[REF], |b, args| body(b, args[0]));
        self.entry(label, ptrs, nptrs, code)
    }
    pub fn entry(&mut self, label: &str, ptrs: u32, nptrs: u32, code: FuncId) -> ThunkInfo {
        let data =
            ThunkInfoData { label: label.into(), kind: ThunkKind::Plain, ptrs, nptrs, code, update: None, desc: None };
        self.module.thunk_infos.push(data)
    }

    /// Runs a function; references in the results are shown as text.
    pub fn run(&self, name: &str, args: &[Val]) -> Result<Vec<String>, Trap> {
        self.run_with(name, |_| args.to_vec())
    }
    pub fn run_with(&self, name: &str, args: impl FnOnce(&mut Session) -> Vec<Val>) -> Result<Vec<String>, Trap> {
        let found = self.module.funcs.iter().find(|(_, func)| func.name == name);
        let (module, func) = match found {
            Some((func, _)) => expanded_for(&self.module, func),
            None => (Cow::Borrowed(&self.module), FuncId::from_u32(u32::MAX - 1)),
        };
        let name = module.funcs.get(func).map_or(name, |func| &func.name);
        let program = Program::new(&module, data_section_options(&self.options));
        let mut session = Session::new(&program, self.options.clone())?;
        let args = args(&mut session);
        let results = session.call(name, &args)?;
        results.into_iter().map(|value| session.show(value)).collect()
    }
    /// Asserts the results of `@main`.
    #[track_caller]
    pub fn expect(&self, args: &[Val], want: &[&str]) {
        assert_eq!(
            self.run("main", args).map_err(|trap| trap.to_string()).as_deref(),
            Ok(&want.iter().map(|w| w.to_string()).collect::<Vec<_>>()[..])
        );
    }
    #[track_caller]
    pub fn expect_error(&self, args: &[Val], want: &str) {
        let error = self.run("main", args).expect_err("an error").to_string();
        assert!(error.contains(want), "{error}\nshould contain\n{want}");
    }
    pub fn stress(&mut self) {
        self.options.stress = Some(1);
    }
}

/// `Cons` of two references.
pub fn cons(b: &mut Builder, head: Value, tail: Value) -> Value {
    b.build_node(WellKnownDesc::ListCell.desc(), 2, &[head, tail])
}
pub fn nil(b: &mut Builder) -> Value {
    b.node(WellKnownDesc::Empty.desc())
}
/// A safepoint with `depth` frame slots.
pub fn set_depth(b: &mut Builder, inst: Inst, depth: u32) {
    b.func.insts[inst].aux = depth;
}
pub fn boxed(b: &mut Builder, n: i64) -> Value {
    let n = b.iconst64(n);
    b.op(Opcode::BoxInt, &[n])
}
/// The single result of an instruction.
pub fn result(b: &Builder, inst: Inst) -> Value {
    b.func.result(inst)
}
