//! The symbol table of a module: what each symbol stands for, and what each function label declares. One scan over a
//! parsed module.
//!
//! Establishes: every function label has its entry layout, its `.n`/`.a` information and the ways in which it
//! returns; double definitions are reported. Names of other modules are not looked up here (`link.rs`).

use crate::ast::{LayoutId, Line, ParsedModule, Symbol};
use crate::instr::{Control, Opcode};
use cleave_diag::{Diagnostic, Sink, Span, code};

/// What a symbol stands for in its module. Numbers are item numbers unless said otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    /// Nothing: not mentioned, or only used.
    None,
    /// Number in `ModuleIndex::functions`.
    Function(u32),
    /// A label without `.o`.
    Local(u32),
    Descriptor(u32),
    Caf(u32),
    /// `.string` or `.module`.
    Text(u32),
}

/// A label preceded by `.o`.
#[derive(Clone, Debug)]
pub struct FunctionLabel {
    pub symbol: Symbol,
    /// The item of the label; the code follows.
    pub item: u32,
    pub layout: LayoutId,
    /// The item of the `.n` or `.nu` that makes it a node entry.
    pub node: Option<u32>,
    /// The item of the `.a` or `.ai` before a lazy entry.
    pub apply: Option<u32>,
    pub returns: Returns,
}

/// How the code up to the next function label returns. Numbers are items.
#[derive(Clone, Debug, Default)]
pub struct Returns {
    /// The first exit that says what it returns, and where.
    pub exit: Option<(Exit, u32)>,
    /// Layout before a `rtn` that is not reached: the compiler ends hand-written code with one.
    pub unreached: Option<(LayoutId, u32)>,
    /// Some exit returns, other than through another label.
    pub any: bool,
    /// Labels that it leaves to by tail calls, and where.
    pub tails: Vec<(Symbol, u32)>,
    /// It runs into the next function label.
    pub falls_through: bool,
}

/// What an exit of a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// `rtn` after this layout.
    Layout(LayoutId),
    /// An evaluation or application: one node.
    Node,
}

/// The index of one module.
#[derive(Debug, Default)]
pub struct ModuleIndex {
    pub definitions: Vec<Definition>,
    pub functions: Vec<FunctionLabel>,
    pub exported: Vec<bool>,
    /// Layout after the first call of each label, and its item, for labels whose code never says what it returns.
    pub call_results: Vec<Option<(LayoutId, u32)>>,
    /// The descriptor item that `.descs` gives to each selector descriptor is found through its definition.
    pub descriptors: Vec<u32>,
    /// Some thunk is overwritten in part (`fillcp`).
    pub has_partial_fills: bool,
    /// Hand-written code builds records of two nodes (`build_r D 2 0`).
    pub has_records_of_two_nodes: bool,
    /// Hand-written code has machine code (`instruction`).
    pub has_machine_code: bool,
}

/// What calls and tail calls pass to each label. The optimiser of the ABC interpreter removes a jump to the next line
/// together with the `.o` that follows it, so that this is all that is said about some function labels.
fn implied_layouts(module: &ParsedModule) -> Vec<Option<LayoutId>> {
    let mut layouts = vec![None; module.symbols.len()];
    let mut demanded = None;
    for line in module.lines() {
        match line.op {
            Opcode::dot_d => demanded = Some(line.layout_id()),
            Opcode::jmp | Opcode::jsr => {
                let layout = &mut layouts[line.symbol(0).0 as usize];
                *layout = layout.or(demanded);
            }
            _ => {}
        }
        if line.op == Opcode::label || line.op.info().control != Control::Next {
            demanded = None;
        }
    }
    layouts
}

/// Span of the line of an item.
pub fn span_of(module: &ParsedModule, item: usize) -> Span {
    let start = module.items[item].offset;
    let length = match module.items[item].op {
        Opcode::label => module.name_of(module.line(item).symbol(0)).len() as u32,
        op => word_at(module, start).unwrap_or(op).name().len() as u32,
    };
    Span::new(module.file, start, start + length)
}

/// The fused instruction that an item at this offset comes from.
pub fn word_at(module: &ParsedModule, offset: u32) -> Option<Opcode> {
    let at = module.fused.binary_search_by_key(&offset, |line| line.0).ok()?;
    Some(module.fused[at].1)
}

impl ModuleIndex {
    pub fn definition(&self, symbol: Symbol) -> Definition {
        self.definitions[symbol.0 as usize]
    }

    /// The symbols that the module defines.
    pub fn defined(&self) -> impl Iterator<Item = Symbol> {
        let numbered = self.definitions.iter().enumerate();
        numbered.filter(|(_, it)| **it != Definition::None).map(|(number, _)| Symbol(number as u32))
    }

    fn define(&mut self, module: &ParsedModule, symbol: Symbol, item: usize, definition: Definition, sink: &mut Sink) {
        if symbol.is_none() {
            return;
        }
        let slot = &mut self.definitions[symbol.0 as usize];
        let earlier = match *slot {
            Definition::None => {
                *slot = definition;
                return;
            }
            Definition::Function(index) => self.functions[index as usize].item,
            Definition::Local(item) | Definition::Descriptor(item) | Definition::Caf(item) | Definition::Text(item) => {
                item
            }
        };
        sink.report_in(module.file, || {
            Diagnostic::error(code::DEFINED_TWICE, format!("label `{}` is defined twice", module.text_of(symbol)))
                .at(span_of(module, item), "second definition")
                .and(span_of(module, earlier as usize), "first definition")
                .help("a label has one definition per module; rename one of them")
        });
    }

    /// Scans a module.
    pub fn build(module: &ParsedModule, sink: &mut Sink) -> ModuleIndex {
        let symbols = module.symbols.len();
        let mut layouts = vec![None; symbols];
        if module.is_optimised() {
            layouts = implied_layouts(module);
        }
        ModuleIndex::scan(module, &layouts, sink)
    }

    /// The scan; a label without `.o` that has a layout is a function label, too.
    fn scan(module: &ParsedModule, implied: &[Option<LayoutId>], sink: &mut Sink) -> ModuleIndex {
        let symbols = module.symbols.len();
        let mut index = ModuleIndex {
            definitions: vec![Definition::None; symbols],
            exported: vec![false; symbols],
            call_results: vec![None; symbols],
            ..ModuleIndex::default()
        };
        // Directives that wait for what they belong to.
        let (mut offered, mut demanded, mut node, mut apply) = (None, None, None, None);
        let mut called: Option<Symbol> = None;
        let mut live = false;
        for (item, line) in module.lines().enumerate() {
            use Opcode::*;
            match line.op {
                label => {
                    let symbol = line.symbol(0);
                    match offered.take().or(implied[symbol.0 as usize]) {
                        Some(layout) => {
                            if live && let Some(last) = index.functions.last_mut() {
                                last.returns.falls_through = true;
                            }
                            let number = index.functions.len() as u32;
                            index.define(module, symbol, item, Definition::Function(number), sink);
                            index.functions.push(FunctionLabel {
                                symbol,
                                item: item as u32,
                                layout,
                                node: node.take(),
                                apply: apply.take(),
                                returns: Returns::default(),
                            });
                        }
                        None => index.define(module, symbol, item, Definition::Local(item as u32), sink),
                    }
                    live = true;
                    called = None;
                }
                dot_o => {
                    offered = Some(line.layout_id());
                    if let Some(symbol) = called.take() {
                        index.call_results[symbol.0 as usize].get_or_insert((line.layout_id(), item as u32));
                        offered = None;
                    }
                }
                dot_d => demanded = Some(line.layout_id()),
                dot_n | dot_nu => node = Some(item as u32),
                dot_a | dot_ai => apply = Some(item as u32),
                dot_export => index.exported[line.symbol(0).0 as usize] = true,
                dot_desc | dot_desc0 | dot_descn | dot_descs | dot_descexp | dot_record => {
                    let symbol = line.symbol(0);
                    index.define(module, symbol, item, Definition::Descriptor(item as u32), sink);
                    index.descriptors.push(item as u32);
                    if line.op == dot_descexp {
                        index.exported[symbol.0 as usize] = true;
                        if let Some(entry) = line.label(1) {
                            index.exported[entry.0 as usize] = true;
                        }
                    }
                }
                dot_caf => index.define(module, line.symbol(0), item, Definition::Caf(item as u32), sink),
                dot_string | dot_module => {
                    index.define(module, line.symbol(0), item, Definition::Text(item as u32), sink)
                }
                op if op.info().class == crate::instr::Class::Directive => {}
                op => {
                    called = None;
                    offered = None;
                    if live && let Some(last) = index.functions.last_mut() {
                        last.returns.see(item as u32, line, demanded);
                    }
                    index.has_records_of_two_nodes |= op == build_r && line.args[1..3] == [2, 0];
                    index.has_machine_code |= op == instruction;
                    index.has_partial_fills |= matches!(op, fillcp | fillcp_u);
                    if !live
                        && op == rtn
                        && let Some(last) = index.functions.last_mut()
                    {
                        let unreached = demanded.map(|layout| (layout, item as u32));
                        last.returns.unreached = last.returns.unreached.or(unreached);
                    }
                    if op == jsr {
                        called = Some(line.symbol(0));
                    }
                    if op.info().control != Control::Next {
                        demanded = None;
                    }
                    if op.info().control.ends_block() {
                        live = false;
                    }
                }
            }
        }
        if live && let Some(last) = index.functions.last() {
            let at = module.items.len() - 1;
            let label = last.item as usize;
            sink.report_in(module.file, || {
                Diagnostic::error(code::FALLS_OFF_END, "code runs past the end of the file")
                    .at(span_of(module, at), "last line")
                    .and(span_of(module, label), "of this function")
                    .help("a function ends with rtn, jmp or halt; the file may be truncated")
            });
        }
        index
    }
}

impl Returns {
    /// An instruction that is reached.
    fn see(&mut self, item: u32, line: Line<'_>, demanded: Option<LayoutId>) {
        let exit = match line.op {
            Opcode::rtn => demanded.map(Exit::Layout),
            Opcode::jmp_ap | Opcode::jmp_eval | Opcode::jmp_eval_upd => Some(Exit::Node),
            Opcode::jmp_i => None,
            Opcode::jmp if demanded.is_some() => return self.tails.push((line.symbol(0), item)),
            _ => return,
        };
        self.any = true;
        self.exit = self.exit.or(exit.map(|exit| (exit, item)));
    }
}
