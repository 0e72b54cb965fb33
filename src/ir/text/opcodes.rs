//! Instructions by their words.

use super::cursor::perhaps;
use super::former_words::former_words;
use crate::opcode::{ImmKind, Opcode, OperandRule};
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// By their names, and by those that they had.
static OPCODES: LazyLock<FxHashMap<&'static str, Opcode>> = LazyLock::new(|| {
    let former = Opcode::ALL.iter().flat_map(|&op| former_words(op.name()).map(move |word| (word, op)));
    former.chain(Opcode::ALL.iter().map(|&op| (op.name(), op))).collect()
});

/// What other representations call instructions, and what they are called here: of several, what fits the operands.
const FOREIGN: &[(&str, &[&str])] = &[
    ("add", &["iadd", "fadd"]),
    ("sub", &["isub", "fsub"]),
    ("mul", &["imul", "fmul"]),
    ("div", &["sdiv", "fdiv"]),
    ("idiv", &["sdiv"]),
    ("irem", &["srem"]),
    ("imod", &["srem"]),
    ("rem", &["srem"]),
    ("mod", &["srem"]),
    ("iand", &["and"]),
    ("ior", &["or"]),
    ("ixor", &["xor"]),
    ("shr", &["sshr"]),
    ("ashr", &["sshr"]),
    ("lshr", &["ushr"]),
    ("neg", &["fneg"]),
    ("sqrt", &["fsqrt"]),
    ("lt", &["slt", "flt"]),
    ("le", &["sle", "fle"]),
    ("gt", &["sgt", "fgt"]),
    ("ge", &["sge", "fge"]),
    ("ieq", &["eq"]),
    ("ine", &["ne"]),
    ("zext", &["extend_u"]),
    ("sext", &["extend_s"]),
    ("trunc", &["wrap", "ftrunc"]),
    ("uextend", &["extend_u"]),
    ("sextend", &["extend_s"]),
    ("ireduce", &["wrap"]),
    ("sitofp", &["int_to_real"]),
    ("fptosi", &["real_to_int"]),
    ("fcvt_from_sint", &["int_to_real"]),
    ("fcvt_to_sint", &["real_to_int"]),
    ("fcvt_to_sint_sat", &["real_to_int"]),
    ("convert_i64_s", &["int_to_real"]),
    ("trunc_f64_s", &["real_to_int"]),
    ("trunc_sat_f64_s", &["real_to_int"]),
    ("extend_i32_u", &["extend_u"]),
    ("extend_i32_s", &["extend_s"]),
    ("wrap_i64", &["wrap"]),
    ("bitcast", &["real_bits", "bits_real"]),
    ("reinterpret_f64", &["real_bits"]),
    ("reinterpret_i64", &["bits_real"]),
    ("const", &["iconst.i64"]),
    ("iconst", &["iconst.i64"]),
    ("br", &["br_if", "jump"]),
    ("goto", &["jump"]),
    ("brif", &["br_if"]),
    ("branch", &["br_if", "jump"]),
    ("switch", &["br_table"]),
    ("return", &["ret"]),
    ("throw", &["raise"]),
    ("trap", &["unreachable"]),
    ("force", &["eval"]),
];

/// Instructions of other representations that have another form here.
const OTHERWISE: &[(&str, &str)] = &[
    ("phi", "blocks have parameters, and jumps arguments: `jump block1(v0)`"),
    ("icmp", "comparisons are instructions: `eq`, `ne`, `slt`, `ult` and the like"),
    ("fcmp", "comparisons are instructions: `feq`, `flt` and the like"),
    ("cmp", "comparisons are instructions: `eq`, `ne`, `slt`, `ult` and the like"),
    ("mov", "a value keeps its name: use `v0` itself"),
    ("copy", "a value keeps its name: use `v0` itself"),
    ("not", "`eqz` gives 1 for 0, and 0 for others"),
    ("alloca", "values have no addresses; `build` makes a node, `array.new` an array"),
    ("malloc", "`build` makes a node, `array.new` an array"),
    ("new", "`build` makes a node, `array.new` an array"),
    ("invoke", "`try_call` goes on in one of two blocks"),
    ("if", "`br_if v0, block1, block2` goes on in one of two blocks"),
    ("then", "`br_if v0, block1, block2` goes on in one of two blocks"),
    ("else", "`br_if v0, block1, block2` goes on in one of two blocks"),
    ("while", "a loop is a jump to a block before"),
    ("loop", "a loop is a jump to a block before"),
    ("end", "a block ends with `ret`, `jump`, `br_if` or the like"),
    ("local.get", "a value is used by its name, `v0`"),
    ("local.set", "a value is defined once; what changes is a parameter of a block"),
    ("local.tee", "a value is defined once; what changes is a parameter of a block"),
    ("true", "truth is a number, `iconst.i32 1`"),
    ("false", "truth is a number, `iconst.i32 0`"),
    ("let", "a value is written `v0 = iconst.i64 1`"),
    ("var", "a value is written `v0 = iconst.i64 1`"),
];

/// An instruction may have operands of these types: none is a type that is not known.
fn fits(op: Opcode, types: &[Option<Type>]) -> bool {
    let mut rules = op.info().operands().map(|operand| operand.rule);
    let mut same = None;
    for &ty in types {
        let fits = match rules.next() {
            None => return false,
            Some(OperandRule::Rest) => return true,
            Some(OperandRule::Any) => true,
            Some(OperandRule::Is(wanted)) => ty.is_none_or(|ty| ty == wanted),
            Some(OperandRule::Int) => ty.is_none_or(|ty| matches!(ty, Type::I32 | Type::I64)),
            Some(OperandRule::Addr) => ty != Some(Type::F64),
            Some(OperandRule::Same) => ty.is_none() || same.is_none() || ty == same,
        };
        if !fits {
            return false;
        }
        same = same.or(ty);
    }
    rules.all(|rule| rule == OperandRule::Rest)
}

pub(super) fn named(name: &str) -> Option<Opcode> {
    OPCODES.get(name).copied()
}

/// The end of the message for the name that an instruction has elsewhere.
pub(super) fn of_others(name: &str, types: &[Option<Type>]) -> Option<String> {
    let (_, ours) = FOREIGN.iter().find(|known| known.0 == name)?;
    let fitting = ours.iter().find(|&&ours| named(ours).is_some_and(|op| fits(op, types)));
    // Where none fits what stands behind it, more than the name is wrong.
    let called = || {
        let ours: Vec<String> = ours.iter().map(|ours| format!("`{ours}`")).collect();
        format!(": it is called {} here", ours.join(" or "))
    };
    Some(fitting.map_or_else(called, |ours| format!(": did you mean `{ours}`?")))
}

/// The end of the message for a word that is no instruction, before operands of some types.
pub(super) fn perhaps_meant(name: &str, types: &[Option<Type>]) -> String {
    let small = name.to_ascii_lowercase();
    // As WebAssembly writes it: `i64.add`.
    let (ty, bare) = small.split_once('.').filter(|(ty, _)| Type::from_name(ty).is_some()).unwrap_or(("", &small));
    if (ty, bare) == ("i32", "const") {
        return ": did you mean `iconst.i32`?".into();
    }
    let bare = bare.strip_suffix("_s").or_else(|| bare.strip_suffix("_u")).filter(|_| !ty.is_empty()).unwrap_or(bare);
    if ty == "f64" && bare == "const" || bare.strip_prefix("iconst.").is_some_and(|ty| ty.starts_with('f')) {
        return ": did you mean `fconst`?".into();
    }
    if let Some(meant) = of_others(bare, types) {
        return meant;
    }
    // As others mark operations of integers: `addi`.
    if let Some(meant) = bare.strip_suffix('i').and_then(|bare| of_others(bare, types)) {
        return meant;
    }
    if let Some((_, help)) = OTHERWISE.iter().find(|known| known.0 == bare) {
        return format!(": {help}");
    }
    // As others mark an operand that is a number.
    if let Some(whole) = bare.strip_suffix("_imm").filter(|whole| named(whole).is_some()) {
        return format!(": `{whole}` takes values alone, and `v9 = iconst.i64 1` makes one");
    }
    // As others write the type behind the name: `fconst.f64`.
    if let Some((whole, _)) = name.rsplit_once('.').filter(|(whole, _)| named(whole).is_some()) {
        return format!(": did you mean `{whole}`?");
    }
    let family = |op: &&Opcode| op.name().strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    let family: Vec<String> = Opcode::ALL.iter().filter(family).map(|op| format!("`{}`", op.name())).collect();
    if family.len() > 1 {
        return format!(": there are {}", family.join(", "));
    }
    let fitting = Opcode::ALL.iter().filter(|&&op| op.info().imm != ImmKind::None || fits(op, types));
    perhaps("", name, fitting.map(|op| op.name().as_bytes()))
}
