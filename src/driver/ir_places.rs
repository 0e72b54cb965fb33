//! The other places of an error in IR: where the descriptor or the thunk is declared that does not fit, where a value
//! got its type. And what is wrong only because a declaration is.

use cleave_diag::Diagnostic;
use cleave_ir::text::LineMap;
use cleave_ir::verify::{Item, Location, VerifyError};
use cleave_ir::{Block, CallTarget, Func, FuncId, ImmKind, Inst, InstData, Module, Opcode, Static, Type, Value};
use std::collections::BTreeSet;

/// The descriptor or the thunk that an instruction makes, and its name.
fn declared(module: &Module, data: &InstData) -> Option<(Item, String)> {
    match data.op.info().imm {
        ImmKind::NodeInfo | ImmKind::Desc => {
            let desc = module.descs.get(data.desc())?;
            Some((Item::Desc(data.desc()), format!("${}", desc.label)))
        }
        ImmKind::ThunkInfo => {
            let info = module.thunk_infos.get(data.thunk_info())?;
            Some((Item::ThunkInfo(data.thunk_info()), format!("&{}", info.label)))
        }
        _ => None,
    }
}

/// The function that an instruction calls, with a handler or without.
pub fn called(data: &InstData) -> Option<FuncId> {
    match CallTarget::of(data.op.mere_call(), data.imm) {
        Some(CallTarget::Func(id)) => Some(id),
        _ => None,
    }
}

/// The instruction in which an error is.
fn place(error: &VerifyError) -> Option<Inst> {
    match error.at {
        Location::Inst(_, inst) => Some(inst),
        _ => None,
    }
}

/// The block whose arguments are wrong in number.
fn target(error: &VerifyError) -> Option<Block> {
    let (block, rest) = error.message.split_once(' ')?;
    let number = block.strip_prefix("block")?.parse().ok()?;
    rest.starts_with("takes ").then(|| Block::from_u32(number))
}

/// The descriptor whose fields a type of the interface places wrong, and where it is declared.
pub fn descriptor(module: &Module, lines: &LineMap, error: &VerifyError) -> Option<(u32, String)> {
    if !matches!(error.at, Location::Item(Item::Type(_))) {
        return None;
    }
    let rest = error.message.split_once('$')?.1;
    let label = &rest[..rest.find([':', '/', '`', ' ']).unwrap_or(rest.len())];
    let (desc, _) = module.descs.iter().find(|(_, desc)| desc.label == label)?;
    Some((lines.item(Item::Desc(desc))?, format!("`${label}` is declared here")))
}

/// What an instruction makes does not fit its declaration, which has a message of its own; or the item names a function
/// whose signature nobody knows.
pub fn follows(
    module: &Module,
    func: Option<&Func>,
    error: &VerifyError,
    wrong: &[VerifyError],
    headless: &BTreeSet<String>,
) -> bool {
    let of_head = |name: &String| {
        let mut words = error.message.split([' ', ',', ':']);
        words.any(|word| word.strip_prefix('@') == Some(name))
    };
    if matches!(error.at, Location::Item(_)) {
        return headless.iter().any(of_head);
    }
    let (Some(func), Some(inst)) = (func, place(error)) else { return false };
    let Some((item, _)) = declared(module, &func.insts[inst]) else { return false };
    error.message.starts_with("payload is") && wrong.iter().any(|other| other.at == Location::Item(item))
}

/// Marks where that was declared which does not fit; `mark` marks a line.
pub fn mark(
    diagnostic: Diagnostic,
    (module, lines): (&Module, &LineMap),
    (id, func): (FuncId, &Func),
    error: &VerifyError,
    mark: impl Fn(Diagnostic, u32, String) -> Diagnostic,
) -> Diagnostic {
    let Some(inst) = place(error) else { return diagnostic };
    let data = &func.insts[inst];
    if let Some(block) = target(error)
        && let line @ 1.. = lines.line(id, Location::Block(block))
    {
        return mark(diagnostic, line, format!("`{block}` begins here"));
    }
    if data.op.info().imm == ImmKind::Static
        && error.message.starts_with("static")
        && let object = Static::from_u32(data.imm as u32)
        && let Some(line) = lines.item(Item::Static(object))
    {
        return mark(diagnostic, line, format!("`{object}` is declared here"));
    }
    if error.message.starts_with("payload is")
        && let Some((item, name)) = declared(module, data)
        && let Some(line) = lines.item(item)
    {
        return mark(diagnostic, line, format!("`{name}` is declared here"));
    }
    if !error.message.starts_with("operands are") {
        return diagnostic;
    }
    let args = func.args(inst);
    let (wanted, head) = match (data.op, called(data)) {
        (Opcode::Return, _) => (&func.signature.results[..], None),
        (_, Some(called)) => (&module.funcs[called].signature.params[..], Some(called)),
        _ => return diagnostic,
    };
    let diagnostic = match head {
        Some(called) if called != id => {
            let name = &module.funcs[called].name;
            match lines.line(called, Location::Func) {
                0 => diagnostic,
                line => mark(diagnostic, line, format!("`@{name}` is declared here")),
            }
        }
        _ => diagnostic,
    };
    let differs = |(arg, wanted): (&Value, &Type)| (func.values[*arg] != *wanted).then_some(*arg);
    let value = args.iter().zip(wanted.iter()).find_map(differs).filter(|_| args.len() == wanted.len());
    let Some(value) = value else { return diagnostic };
    let is_result = |&inst: &Inst| func.results(inst).contains(&value);
    let by_inst = func.layout.iter().find_map(|&block| {
        let inst = func.blocks[block].insts.iter().copied().find(is_result)?;
        Some(lines.line(id, Location::Inst(block, inst)))
    });
    let by_block = || {
        let block = func.layout.iter().copied().find(|&block| func.params(block).contains(&value))?;
        Some(lines.line(id, Location::Block(block)))
    };
    let (ty, own) = (func.values[value], lines.line(id, error.at));
    match by_inst.or_else(by_block) {
        Some(line) if line > 0 && line != own => mark(diagnostic, line, format!("it is {ty} by this")),
        _ => diagnostic,
    }
}
