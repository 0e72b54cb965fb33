//! IR becomes small.

use cleave::reduce::ir::{reduce, size};
use cleave_ir::text::{parse_module, print_module};
use cleave_ir::verify::verify_module;
use cleave_ir::{Module, Opcode};

const TEXT: &str = r#"module "m"
desc $K = constructor arity 1 tag 0 "K"
start @main
func @main() {
block0:
  v0 = iconst.i64 7
  v1 = node $_Nil
  v2 = call @f(v0, v1)
  call_rt print_int(v2)
  ret
}
func @f(v0: i64, v1: ref) -> i64 {
block0(v0: i64, v1: ref):
  v2 = build $K/1 v1
  v3 = iconst.i64 3
  v4 = slt v0, v3
  br_if v4, block1(v0), block2
block1(v5: i64):
  v6 = iadd v5, v3
  ret v6
block2:
  v7 = get.ref v2 (1, 0) 0
  v8 = sdiv v3, v0
  jump block1(v8)
}
"#;

fn has(module: &Module, op: Opcode) -> bool {
    module
        .funcs
        .values()
        .any(|func| func.layout.iter().any(|&b| func.blocks[b].insts.iter().any(|&i| func.insts[i].op == op)))
}

#[test]
fn what_is_tested_for_stays() {
    let module = parse_module(TEXT).expect("the text is correct");
    for op in [Opcode::Sdiv, Opcode::BuildNode, Opcode::BrIf, Opcode::CallRt] {
        let small = reduce(&module, |candidate| has(candidate, op));
        assert!(has(&small, op) && verify_module(&small).is_ok());
        let (instructions, _) = size(&small);
        assert!(instructions <= 3, "{}: {}", op.name(), print_module(&small));
        assert_eq!(small.funcs.len(), 1, "{}", print_module(&small));
    }
}
