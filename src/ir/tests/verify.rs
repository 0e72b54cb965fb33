//! Errors of the verifier that the text form cannot express: entities out of range, lists with duplicates. All others
//! have a file test in `tests/files/verify` and `tests/files/gc`.

use cleave_ir::text::parse_module;
use cleave_ir::verify::{verify_func, verify_module};
use cleave_ir::{Block, Desc, Func, FuncId, Inst, Module, Opcode, Table, ThunkInfo, Value};

fn sample() -> Module {
    let text = "
        func @f(v0: i32) -> i32 {
        block0(v0: i32):
          br_if v0, block1(v0), block2
        block1(v1: i32):
          v2 = eqz v1
          ret v2
        block2:
          ret v0
        }";
    parse_module(text).expect("the sample is correct")
}

/// The messages for the sample after a change.
fn messages(change: impl FnOnce(&mut Func)) -> Vec<String> {
    let mut module = sample();
    let id = FuncId::from_u32(0);
    change(&mut module.funcs[id]);
    let errors = verify_func(&module, &module.funcs[id]).expect_err("the change is found");
    // Texts of errors must not panic, whatever is wrong.
    errors.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn finds(message: &str, change: impl FnOnce(&mut Func)) {
    let found = messages(change);
    assert!(found.iter().any(|m| m.contains(message)), "`{message}` is not in {found:#?}");
}

fn inst(func: &Func, block: u32, at: usize) -> Inst {
    func.blocks[Block::from_u32(block)].insts[at]
}

#[test]
fn layout() {
    finds("the entry block is not the first of the layout", |f| f.layout.swap(0, 1));
    finds("block1 is listed twice in the layout", |f| f.layout.push(Block::from_u32(1)));
    finds("the layout names block9, which does not exist", |f| f.layout.push(Block::from_u32(9)));
    finds("block2 is not in the layout", |f| f.layout.truncate(2));
    finds("no entry block", |f| f.entry = None);
}

#[test]
fn entities() {
    finds("v99 does not exist", |f| f.set_args(inst(f, 1, 0), &[Value::from_u32(99)]));
    finds("inst99 does not exist", |f| f.blocks[Block::from_u32(2)].insts.insert(0, Inst::from_u32(99)));
    finds("v99 does not exist", |f| {
        f.blocks[Block::from_u32(1)].params.push(Value::from_u32(99), &mut f.pool);
    });
    finds("v99 does not exist", |f| {
        f.blocks[Block::from_u32(0)].edges[0].args.as_mut_slice(&mut f.pool)[0] = Value::from_u32(99);
    });
    for op in [Opcode::Call, Opcode::CallRt, Opcode::CallTable, Opcode::NodeInfoAddr, Opcode::ThunkInfoAddr] {
        finds("the immediate 9999 names nothing", |f| {
            let at = inst(f, 1, 0);
            f.insts[at].op = op;
            f.insts[at].imm = 9999;
        });
    }
    finds("the immediate 7 names nothing", |f| {
        let at = inst(f, 1, 0);
        f.insts[at].imm = 7;
    });
    finds("the second immediate is not used but not zero", |f| {
        let at = inst(f, 1, 0);
        f.insts[at].aux = 7;
    });
}

#[test]
fn definitions() {
    finds("the instruction is in two places", |f| {
        let at = inst(f, 1, 0);
        f.blocks[Block::from_u32(2)].insts.insert(0, at);
    });
    finds("v1 is defined twice", |f| {
        f.blocks[Block::from_u32(2)].params.push(Value::from_u32(1), &mut f.pool);
        f.blocks[Block::from_u32(0)].edges[1].args.push(Value::from_u32(0), &mut f.pool);
    });
    finds("v3 is not defined", |f| {
        let value = f.new_value(cleave_ir::Type::I32);
        f.set_args(inst(f, 1, 0), &[value]);
    });
}

#[test]
fn items() {
    let found = |change: fn(&mut Module)| {
        let mut module = sample();
        change(&mut module);
        let errors = verify_module(&module).expect_err("the change is found");
        errors.iter().map(|e| e.to_string()).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(found(|m| m.start = Some(FuncId::from_u32(5))), "start: fn5 does not exist");
    assert_eq!(found(|m| m.blackhole_info = Some(ThunkInfo::from_u32(0))), "blackhole: its thunk info does not exist");
    let twice = |m: &mut Module| {
        let again = m.descs[Desc::from_u32(0)].clone();
        m.descs.push(again);
    };
    assert_eq!(found(twice), "$INT is defined twice");
    let method = |m: &mut Module| m.descs[Desc::from_u32(0)].method = Some((Table::from_u32(0), FuncId::from_u32(0)));
    assert_eq!(found(method), "$INT: table0 does not exist");
    let nested = |m: &mut Module| {
        m.descs[Desc::from_u32(0)].record.as_mut().expect("INT has a word").nested.push(Desc::from_u32(99));
    };
    assert_eq!(found(nested), "$INT: nested desc99 does not exist");
}

/// A function that was taken out of its module still knows its own signature.
#[test]
fn recursion_outside_of_the_module() {
    let text = "
        func @loop(v0: ref, v1: i64) -> ref, i64 {
        block0(v0: ref, v1: i64):
          v2, v3 = call @loop(v0, v1)
          tail_call @loop(v2, v3)
        }";
    let mut module = parse_module(text).expect("correct");
    let func = std::mem::take(&mut module.funcs[FuncId::from_u32(0)]);
    verify_func(&module, &func).expect("correct");
    assert_eq!(cleave_ir::text::print_func(&module, &func).lines().nth(2), Some("  v2, v3 = call @loop(v0, v1)"));
}
