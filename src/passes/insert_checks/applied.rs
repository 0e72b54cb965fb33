//! Applications: to more arguments than a closure lacks they take several steps, each of which is checked.
//!
//! ```text
//! check.apply.2(f, a, b, text):
//!   check.closure(f, text); missing = load.u16 header(f) + NODE_INFO_REMAINING
//!   missing = 2 ? tail_apply f, a, b : tail_call check.apply.1(apply f, a, b, text)
//! ```

use super::Checks;
use super::immediates::OBJECT;
use cleave_ir::layout::{NODE_INFO_REMAINING, TAG_HNF};
use cleave_ir::{Block, Builder, Func, FuncId, Inst, Module, Opcode, Signature, Type, Value};

/// The application, in checked steps.
pub(super) fn apply(checks: &mut Checks, module: &mut Module, func: &mut Func, at: (Block, Inst)) {
    let arguments = func.args(at.1).len() - 1;
    let text = checks.message(module, func, at, "this takes no arguments");
    let text = func.append(at.0, Opcode::TextAddr, u64::from(text.as_u32()), 0, &[], &[Type::I32]);
    let mut args = func.args(at.1).to_vec();
    args.push(func.result(text));
    let step = step(checks, module, arguments);
    let data = &mut func.insts[at.1];
    data.op = data.op.by_name().expect("a call of a closure");
    (data.imm, data.aux) = (u64::from(step.as_u32()), 0);
    func.set_args(at.1, &args);
    func.blocks[at.0].insts.push(at.1);
}

/// The function that applies to so many arguments.
fn step(checks: &mut Checks, module: &mut Module, arguments: usize) -> FuncId {
    let name = format!("check.apply.{arguments}");
    if let Some(&known) = checks.funcs.get(&name) {
        return known;
    }
    let closure = checks.named(module, "check.closure");
    let object = module.immediates.then(|| checks.named(module, OBJECT));
    let mut params = vec![Type::Ref; arguments + 1];
    params.push(Type::I32);
    let mut func = Func::new(name.clone(), Signature::new(&params, &[Type::Ref]));
    let entry = func.new_block();
    let params: Vec<Value> = params.iter().map(|&ty| func.add_param(entry, ty)).collect();
    let text = params[arguments + 1];
    let mut b = Builder::new(&mut func, entry);
    if let Some(object) = object {
        b.call(object, &[params[0], text], &[]);
    }
    b.call(closure, &[params[0], text], &[]);
    if arguments == 1 {
        b.effect(Opcode::TailApply, &params[..2]);
    } else {
        let fewer = step(checks, module, arguments - 1);
        let [exact, other] = [(); 2].map(|()| b.func.new_block());
        let header = b.op(Opcode::Header, &[params[0]]);
        let missing = b.value(Opcode::LoadU16, u64::from(NODE_INFO_REMAINING - TAG_HNF), 0, &[header]);
        let wanted = b.iconst32(arguments as i32);
        let is_exact = b.op(Opcode::Eq, &[missing, wanted]);
        b.br_if(is_exact, (exact, &[]), (other, &[]));
        b.switch_to(exact);
        b.effect(Opcode::TailApply, &params[..=arguments]);
        b.switch_to(other);
        let applied = b.apply(&params[..2]);
        let mut operands = vec![applied];
        operands.extend(&params[2..]);
        b.tail_call(fewer, &operands);
    }
    let id = module.funcs.push(func);
    checks.funcs.insert(name, id);
    id
}
