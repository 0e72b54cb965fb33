//! Every opcode has a text form that is read back as it was. Everything else is in `tests/files/text`.

use cleave_ir::layout::Shape;
use cleave_ir::opcode::ResultRule;
use cleave_ir::runtime::pack_extern;
use cleave_ir::text::{parse_module, print_module};
use cleave_ir::{Block, CafData, Func, FuncId, ImmKind, Memory, Module, Opcode, Phase, Signature, TableData, Type};
use cleave_ir::{Extern, StaticData, ThunkInfoData, ThunkKind, pack};

fn module_with_one_of_each() -> Module {
    let mut module = Module::new("opcodes");
    let code = FuncId::from_u32(0);
    let signature = Signature::new(&[Type::Ref], &[Type::Ref, Type::I64]);
    module.statics.push(StaticData::Text(Box::from(&b"t"[..])));
    module.cafs.push(CafData { label: "c".into(), ptrs: 3, nptrs: 3 });
    module.tables.push(TableData {
        label: "t".into(),
        role: Default::default(),
        signature: signature.clone(),
        funcs: vec![code],
    });
    let kind = ThunkKind::Plain;
    module.thunk_infos.push(ThunkInfoData {
        label: "e".into(),
        kind,
        ptrs: 0,
        nptrs: 0,
        code,
        update: None,
        desc: None,
    });
    let mut func = Func::new("f", signature);
    func.phase = Phase::Low;
    module.funcs.push(func);
    module
}

/// Operands and edges are the right ones for no opcode: the parser does not care.
#[test]
fn all_opcodes() {
    let mut module = module_with_one_of_each();
    let id = Extern::from_u32(5);
    let callee = pack_extern(id, module.externs[id].effects);
    let func = &mut module.funcs[FuncId::from_u32(0)];
    for &op in Opcode::ALL {
        let block = func.new_block();
        let a = func.add_param(block, Type::Ref);
        let b = func.add_param(block, Type::I64);
        let (imm, aux) = match op.info().imm {
            ImmKind::None => (0, 0),
            ImmKind::Frame => (0, 3),
            ImmKind::Int => (-7i64 as u64, 0),
            ImmKind::Float => (1.5f64.to_bits(), 0),
            ImmKind::Func | ImmKind::Table => (0, 2),
            ImmKind::Extern => (callee, 1),
            ImmKind::NodeInfo | ImmKind::Caf => (0, 2),
            ImmKind::ThunkInfo | ImmKind::Static | ImmKind::Desc => (0, 0),
            ImmKind::Field => (Shape { ptrs: 3, nptrs: 2, contiguous: op.info().reads.any(Memory::NPTRS) }.pack(), 1),
            ImmKind::Shape => (pack(3, 2), 0),
            ImmKind::Offset => (12, 0),
            ImmKind::Element => (pack(12, 4), 0),
            ImmKind::Elements => (cleave_ir::arrays::ArrayKind::F64.pack(), 1),
            ImmKind::Bytes => (48, 2),
            ImmKind::Slot => (4, 0),
        };
        // Literals have no operands.
        let operands: &[_] = if matches!(op.info().imm, ImmKind::Int | ImmKind::Float) { &[] } else { &[a, b, a][..] };
        let results: &[Type] = match op.info().result {
            ResultRule::None => &[],
            ResultRule::Callee => &[Type::Ref, Type::F64],
            ResultRule::Handled => &[Type::Ref, Type::F64, Type::Ref],
            ResultRule::Outcome => &ResultRule::OUTCOME,
            _ => &[Type::F64],
        };
        func.append(block, op, imm, aux, operands, results);
        if op.any(cleave_ir::Flags::BRANCH) {
            func.add_edge(block, Block::from_u32(0), &[a, b]);
            func.add_edge(block, block, &[]);
        }
    }
    let text = print_module(&module);
    let again = parse_module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(print_module(&again), text);
    let (old, new) = (&module.funcs[FuncId::from_u32(0)], &again.funcs[FuncId::from_u32(0)]);
    assert_eq!(old.values, new.values);
    assert_eq!(old.insts.len(), new.insts.len());
    for (inst, data) in &old.insts {
        let found = &new.insts[inst];
        assert_eq!((data.op, data.imm, data.aux), (found.op, found.imm, found.aux));
        assert_eq!((old.args(inst), old.results(inst)), (new.args(inst), new.results(inst)));
    }
}

/// Values may have names: they are numbered after all others of their function, in the order of their first mention.
#[test]
fn named_values() {
    let named = "func @f(~n: i64, v3: i64) -> i64 {
block0(~n: i64, v3: i64):
  jump block1(~n, v3)
block1(~left: i64, ~sum: i64):
  ~one = iconst.i64 1
  ~more = iadd ~sum, ~left
  ~less = isub ~left, ~one
  br_if ~test, block1(~less, ~more), block2
block2:
  ret ~more
}
";
    let error = parse_module(named).map(drop).unwrap_err();
    assert_eq!((error.line, error.column, &error.message[..]), (8, 9, "~test is not defined"));
    // An operand that is not there is the one mistake: that its results have no types, follows.
    let first = named.replace("iadd ~sum, ~left", "iadd ~summ, ~left").replace("~test", "~less");
    let errors = cleave_ir::text::parse_module_with_errors(&first).map(drop).unwrap_err();
    let errors: Vec<_> = errors.iter().map(|error| (error.line, error.column, &error.message[..])).collect();
    assert_eq!(errors, [(6, 16, "~summ is not defined: did you mean `~sum`?")]);
    let twice = named.replace("br_if", "~more = eqz ~less\n  ~test = eqz ~less\n  br_if");
    let error = parse_module(&twice).map(drop).unwrap_err();
    assert_eq!((error.line, error.column, &error.message[..]), (8, 3, "~more is defined twice: first in line 6"));
    let right = parse_module(&named.replace("  br_if", "  ~test = eqz ~less\n  br_if")).expect("IR");
    let numbered = "block0(v4: i64, v3: i64):
  jump block1(v4, v3)
block1(v5: i64, v6: i64):
  v7 = iconst.i64 1
  v8 = iadd v6, v5
  v9 = isub v5, v7
  v10 = eqz v9
  br_if v10, block1(v9, v8), block2
";
    let printed = print_module(&right);
    assert!(printed.contains(numbered), "{printed}");
    // A line with an error defines its names all the same.
    let wrong = named.replace("isub", "isubb").replace("~test", "~less");
    let errors = cleave_ir::text::parse_module_with_errors(&wrong).map(drop).unwrap_err();
    assert_eq!(errors.len(), 1, "{errors:?}");
}

/// Damaged texts give errors, not panics.
#[test]
fn damaged_texts() {
    let text = print_module(&module_with_one_of_each()) + "func @g(v0: ref) {\nblock0(v0: ref):\n  ret v0\n}\n";
    for at in 0..text.len() {
        let _ = parse_module(&text[..at]);
        for other in ["", "\"", "(", "v9", "@", "\n", "0"] {
            let _ = parse_module(&format!("{}{other}{}", &text[..at], &text[at + 1..]));
        }
    }
}

/// Long lines and long words take time in proportion, and messages quote their beginnings.
#[test]
fn long_lines() {
    let error = |text: &str| parse_module(text).map(drop).unwrap_err();
    let count = 1_000_000;
    let braces = error(&"{".repeat(count));
    assert_eq!((braces.line, braces.column), (1, 1));
    let parts = "[".repeat(count);
    let strings = error(&format!("desc $A {parts}"));
    assert_eq!((strings.line, strings.column), (1, 9));
    let commas = error(&format!("table %t = ({}i65) -> () []", "i64, ".repeat(count)));
    assert_eq!((commas.line, commas.column as usize), (1, 13 + 5 * count));
    let word = error(&format!("start @{}", "é".repeat(3)));
    assert_eq!((word.line, word.column), (1, 8));
    let name = error(&format!("start @{}", "a".repeat(count)));
    assert!(name.message.len() < 200, "{}", name.message.len());
    let number = error(&format!("desc $A = constructor arity {} tag 0 \"A\"", "9".repeat(count)));
    assert!(number.message.len() < 200, "{}", number.message.len());
}

/// Words of earlier versions are read, and written as those of today.
#[test]
fn former_words() {
    let former = "module \"m\"\nheap counted\ndesc $T = constructor arity 2 number 1 \"T\" appliable\n\
                  desc $R = record arity 0 number 0 \"R\" fields 1, 1 \"ai\" solid\ncaf ^c refs 1 words 0\n\
                  entry &t = plain refs 1 words 0 code @f\ncycle &t\nobserves\n\
                  func @f(v0: ref) -> ref {\nblock0(v0: ref):\n  ret v0\n}\n";
    let current = former
        .replace("heap counted", "heap rc")
        .replace("number", "tag")
        .replace("appliable", "callable")
        .replace("solid", "contiguous")
        .replace("refs", "ptrs")
        .replace("words", "nptrs")
        .replace("entry", "thunk_info")
        .replace("cycle", "blackhole")
        .replace("observes", "observes_identity");
    let print = |text: &str| print_module(&parse_module(text).expect("a correct module"));
    assert_eq!(print(former), print(&current));
    assert!(print(former).contains("thunk_info &t = plain ptrs 1 nptrs 0 code @f"));
}
