//! The call graph for readers: which functions may collect and why, and which calls are safepoints. As text, or in the
//! language of Graphviz (`dot -Tsvg`).

use crate::context::ModuleContext;
use crate::roots::gc_leaf::collects_by_itself;
use cleave_ir::{CallTarget, Flags, Func, FuncId, Module, Opcode};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Callee {
    Func(FuncId),
    /// A function that is not known by name: what a table, a closure or a thunk says.
    Unknown(Opcode),
}

/// All calls of one function by another.
#[derive(Clone, Copy, Default, Debug)]
struct Calls {
    count: usize,
    /// So many of them take the place of the caller.
    tails: usize,
}

/// A function with its calls.
struct Node<'m> {
    func: &'m Func,
    calls: BTreeMap<Callee, Calls>,
    /// Why a collection may happen in it; nothing if none does.
    reason: Option<String>,
}

fn nodes<'m>(module: &'m Module) -> Vec<Node<'m>> {
    let cx = ModuleContext::of(module);
    let node = |(id, func): (FuncId, &'m Func)| {
        let mut calls: BTreeMap<Callee, Calls> = BTreeMap::new();
        let (mut own, mut through) = (None, None);
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            let data = &func.insts[inst];
            if data.op.any(Flags::CALL) && data.op != Opcode::CallRt {
                let callee = func.insts[inst].called_func().map_or(Callee::Unknown(data.op), Callee::Func);
                let edge = calls.entry(callee).or_default();
                edge.count += 1;
                edge.tails += usize::from(data.op.any(Flags::TERMINATOR));
            }
            if collects_by_itself(&cx, func, inst, module.heap.collects()) {
                own = own.or(Some(if let Some(CallTarget::Extern(id, _)) = data.call_target() {
                    format!("calls `{}` of the runtime", module.externs[id].name)
                } else if data.op.any(Flags::CALL) {
                    format!("does not know whom it calls ({})", data.op.name())
                } else {
                    format!("allocates ({})", data.op.name())
                }));
            }
            let collecting = func.insts[inst].called_func().filter(|&callee| callee != id && may_gc(module, callee));
            through = through.or(collecting.map(|callee| format!("calls {}", module.funcs[callee].name)));
        }
        let reason = own.or(through).unwrap_or_else(|| "is called by code that does not know it".to_string());
        Node { func, calls, reason: may_gc(module, id).then_some(reason) }
    };
    module.funcs.iter().map(|(id, func)| node((id, func))).collect()
}

fn name(module: &Module, callee: Callee) -> String {
    match callee {
        Callee::Func(id) => module.funcs[id].name.clone(),
        Callee::Unknown(op) => format!("({})", op.name()),
    }
}

/// True if references of the caller must be where the collector finds them.
fn is_safepoint(module: &Module, callee: Callee, calls: Calls) -> bool {
    calls.tails < calls.count
        && match callee {
            Callee::Func(id) => may_gc(module, id),
            Callee::Unknown(_) => module.heap.collects(),
        }
}

/// On the reference-counted heap nothing collects.
fn may_gc(module: &Module, func: FuncId) -> bool {
    module.heap.collects() && module.funcs[func].may_gc
}

/// A line for each function, and below it one for each function that it calls. Of a module whose functions say whether
/// they may collect, as after `gc-leaf`.
pub fn text(module: &Module) -> String {
    let mut out = String::from("; functions, why they may collect, and whom they call\n");
    for Node { func, calls, reason } in nodes(module) {
        let reason = reason.map_or("never collects".to_string(), |reason| format!("may collect: {reason}"));
        _ = writeln!(out, "{}  {reason}", func.name);
        for (callee, edge) in calls {
            let mut notes = Vec::new();
            if edge.count > 1 {
                notes.push(format!("{} times", edge.count));
            }
            if edge.tails > 0 {
                notes.push(if edge.tails == edge.count {
                    "tail call".into()
                } else {
                    format!("{} tail calls", edge.tails)
                });
            }
            if is_safepoint(module, callee, edge) {
                notes.push("safepoint".into());
            }
            let notes = if notes.is_empty() { String::new() } else { format!("  {}", notes.join(", ")) };
            _ = writeln!(out, "  {}{notes}", name(module, callee));
        }
    }
    out
}

/// The same for Graphviz: functions that never collect are green, calls that are safepoints red, tail calls dashed.
pub fn dot(module: &Module) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut out =
        String::from("digraph calls {\n  node [shape=box, style=filled, fillcolor=white, fontname=monospace]\n");
    for Node { func, calls, reason } in nodes(module) {
        let (colour, tip) = match &reason {
            Some(reason) => ("white", format!("may collect: {reason}")),
            None => ("palegreen", "never collects".to_string()),
        };
        _ = writeln!(out, "  {} [fillcolor={colour}, tooltip={}]", quoted(&func.name), quoted(&tip));
        for (callee, edge) in calls {
            let colour = if is_safepoint(module, callee, edge) { "red" } else { "black" };
            let style = if edge.tails == edge.count { "dashed" } else { "solid" };
            let (from, to) = (quoted(&func.name), quoted(&name(module, callee)));
            _ = writeln!(out, "  {from} -> {to} [color={colour}, style={style}]");
        }
    }
    out + "}\n"
}
