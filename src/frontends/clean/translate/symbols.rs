//! Makes IR entities for labels: functions with their signatures, descriptors, thunk infos, CAFs, text blocks.

use super::{FunctionKey, ProgramBuilder, Stop};
use crate::ast::Symbol;
use crate::index::Definition;
use crate::instr::Opcode;
use crate::link::{Meaning, ModuleId};
use crate::return_types::{Reason, Results};
use crate::types::layout_types;
use cleave_diag::{Diagnostic, code};
use cleave_ir::layout::DescriptorKind;
use cleave_ir::{
    Caf, CafData, Desc, DescData, FuncId, LAZY_RECORD, Module, RecordData, Signature, Static, StaticData, ThunkInfo,
    ThunkInfoData, ThunkKind, Type, WellKnownDesc,
};

impl ProgramBuilder<'_> {
    // -- functions ----------------------------------------------------------------------------------------------------

    /// The IR function of a label; its body is built later. If nothing says what the label returns, there is a function
    /// for each kind of `results` that is expected of it.
    pub fn function(&mut self, key: FunctionKey, results: &[Type]) -> FuncId {
        let known = self.results.types(key.module, key.index);
        let is_open = known.is_none();
        let results = Results::from_slice(known.unwrap_or(results));
        let open = is_open.then(|| self.results.intern(&results));
        if let Some(&func) = self.functions.get(&(key, open)) {
            return func;
        }
        let label = self.program.module_index(key.module).functions[key.index as usize].clone();
        let module = self.module(key.module);
        let mut params = layout_types(module.layouts.get(label.layout));
        let nodes = module.layouts.get(label.layout).a as usize;
        if key.extra {
            params.insert(nodes, Type::Ref);
        }
        let text = module.text_of(label.symbol);
        let mut name =
            if text.starts_with("e_") || text.starts_with("__") { text } else { format!("{}.{text}", module.name) };
        if key.extra {
            name.push_str("+dest");
        }
        if is_open {
            name.push_str("+returns.");
            name.extend(results.iter().map(|ty| match ty {
                Type::Ref => 'a',
                Type::F64 => 'r',
                _ => 'i',
            }));
        }
        let func = self.add_function(name, Signature { params, results });
        self.functions.insert((key, open), func);
        self.requested.insert((key.module, key.index));
        self.worklist.push((key, func));
        func
    }

    /// What the code of a label seems to return if nothing says it: a node if it calls a class member, else nothing.
    pub fn likely_results(&self, module: ModuleId, index: u32) -> &'static [Type] {
        if self.results.may_return(module, index) { &[Type::Ref] } else { &[] }
    }

    /// Adds to a contradiction what says that a label returns what it does.
    pub fn says_results(&self, module: ModuleId, index: u32, diagnostic: Diagnostic) -> Diagnostic {
        let Some(evidence) = self.results.evidence(module, index) else { return diagnostic };
        let span = self.span(evidence.module, evidence.item as usize);
        let returned = counts(self.results.shape(evidence.shape));
        let label = match evidence.reason {
            Reason::Code | Reason::Unreached => format!("returns {returned}"),
            Reason::Entry => format!("makes it an entry that returns {returned}"),
            Reason::Call => format!("takes {returned} from it"),
        };
        diagnostic.and(span, label)
    }

    /// Reports an error unless the function of a label has the signature that its use as entry demands.
    pub fn expect_signature(
        &mut self,
        module: ModuleId,
        index: u32,
        func: FuncId,
        wanted: &Signature,
        rule: &str,
    ) -> bool {
        let signature = &self.ir.funcs[func].signature;
        if signature == wanted {
            return true;
        }
        let (takes, returns) = (counts(&signature.params), counts(&signature.results));
        let message = format!("{rule}, but this one takes {takes} and returns {returns}");
        let item = self.program.module_index(module).functions[index as usize].item;
        let span = self.span(module, item as usize);
        self.report(span.file, || {
            Diagnostic::error(code::LAYOUT_CONFLICT, message)
                .at(span, "defined here")
                .help("the .o before the label and the .d before each rtn say what a function takes and returns")
        });
        false
    }

    // -- descriptors --------------------------------------------------------------------------------------------------

    /// The known descriptors of constructors can be applied.
    pub fn known_descriptors(&mut self) {
        self.ir.descs[WellKnownDesc::ListCell.desc()].callable = true;
    }

    /// The descriptor of an operand.
    pub fn descriptor(&mut self, module: ModuleId, symbol: Symbol, item: usize) -> Result<Desc, Stop> {
        match self.program.meaning(module, symbol) {
            Meaning::Known(desc) => Ok(desc),
            Meaning::Defined(other, Definition::Descriptor(item)) => Ok(self.descriptor_at(other, item)),
            Meaning::Undefined => {
                let span = self.span(module, item);
                let diagnostic = self.program.undefined(module, symbol, span);
                Err(self.report(span.file, || diagnostic))
            }
            _ => {
                let span = self.span(module, item);
                let text = self.label_text(module, symbol);
                Err(self.report(span.file, || {
                    Diagnostic::error(code::WRONG_KIND_OF_LABEL, format!("`{text}` is not a descriptor"))
                        .at(span, "a descriptor is expected here")
                        .help("descriptors are defined by .desc, .descexp, .desc0, .descn, .descs and .record")
                }))
            }
        }
    }

    /// Descriptors of a module are numbered together, in file order, when the first of them is used: some library
    /// code compares descriptor addresses.
    pub fn descriptor_at(&mut self, module: ModuleId, item: u32) -> Desc {
        if let Some(&desc) = self.descriptors.get(&(module, item)) {
            return desc;
        }
        let modules = self.program.modules.clone();
        let items = self.program.module_index(module).descriptors.clone();
        for &item in &items {
            let data = descriptor_data(&modules[module as usize], item as usize);
            let desc = self.ir.descs.push(data);
            self.descriptors.insert((module, item), desc);
            self.apply.declared(desc, module, item);
        }
        for &item in &items {
            let line = modules[module as usize].line(item as usize);
            if line.op == Opcode::dot_record {
                // The directive lists them innermost and last first.
                let references: Vec<Symbol> = line.record_ptrs().collect();
                let nested: Vec<Desc> = references
                    .into_iter()
                    .rev()
                    .filter_map(|symbol| self.descriptor(module, symbol, item as usize).ok())
                    .collect();
                let desc = self.descriptors[&(module, item)];
                self.ir.descs[desc].record.as_mut().expect("a record").nested = nested;
            }
        }
        self.descriptors[&(module, item)]
    }

    /// Where a descriptor of a module was declared.
    pub fn descriptor_item(&mut self, module: ModuleId, symbol: Symbol) -> Option<(ModuleId, u32)> {
        match self.program.meaning(module, symbol) {
            Meaning::Defined(other, Definition::Descriptor(item)) => Some((other, item)),
            _ => None,
        }
    }

    // -- entries, CAFs, texts -----------------------------------------------------------------------------------------

    /// The entry of the function label `index`, which must be a node entry.
    pub fn entry_of(&mut self, module: ModuleId, index: u32) -> Option<ThunkInfo> {
        if let Some(&entry) = self.thunk_infos.get(&(module, index)) {
            return Some(entry);
        }
        let label = self.program.module_index(module).functions[index as usize].clone();
        let modules = self.program.modules.clone();
        let line = modules[module as usize].line(label.node? as usize);
        let (kind, ptrs, nptrs, at) = match line.op {
            Opcode::dot_n => {
                let count = line.signed(0);
                let kind = if count < 0 { self.selector_kind(module, count, line.label(1)) } else { ThunkKind::Plain };
                (kind, if count < 0 { 1 } else { count as u32 }, 0, 1)
            }
            _ => (ThunkKind::Plain, line.n(0), line.n(1), 2),
        };
        let desc = line.label(at).and_then(|symbol| match self.program.meaning(module, symbol) {
            Meaning::Known(desc) => Some(desc),
            Meaning::Defined(other, Definition::Descriptor(item)) => Some(self.descriptor_at(other, item)),
            _ => None,
        });
        let key = FunctionKey { module, index, extra: false };
        let code = self.function(key, &[Type::Ref]);
        self.expect_signature(
            module,
            index,
            code,
            &Module::eval_signature(),
            "a node entry takes and returns one node",
        );
        let entry = self.ir.thunk_infos.push(ThunkInfoData {
            label: self.ir.funcs[code].name.clone(),
            kind,
            ptrs,
            nptrs,
            code,
            update: None,
            desc,
        });
        self.thunk_infos.insert((module, index), entry);
        if nptrs == 0
            && ptrs > 0
            && kind != ThunkKind::Indirection
            && let Some(update) = line.label(at + 1)
        {
            // The update entry of a tuple selector takes the thunk itself, and opens it.
            let takes_thunk = line.op == Opcode::dot_n && line.signed(0) == -1;
            self.apply.update_entry(entry, module, update, takes_thunk);
        }
        Some(entry)
    }

    /// What the collector may do with a thunk of a negative argument count.
    fn selector_kind(&mut self, module: ModuleId, count: i32, desc: Option<Symbol>) -> ThunkKind {
        if count == -2 {
            return ThunkKind::Indirection;
        }
        let Some((other, item)) = desc.and_then(|symbol| self.descriptor_item(module, symbol)) else {
            return ThunkKind::Plain;
        };
        let modules = self.program.modules.clone();
        let line = modules[other as usize].line(item as usize);
        if line.op != Opcode::dot_descs {
            return ThunkKind::Plain;
        }
        // Word 1 is field 1; word 2 is field 2 of a node with two; from 3 on they count the block after field 1.
        let word = line.n(3);
        let field = (if word <= 2 { word } else { word - 1 }).saturating_sub(1) as u16;
        let boxed = match line.name(2) {
            b"_" => None,
            b"INT" => Some(DescriptorKind::Int),
            b"CHAR" => Some(DescriptorKind::Char),
            b"BOOL" => Some(DescriptorKind::Bool),
            b"REAL" => Some(DescriptorKind::Real),
            _ => return ThunkKind::Plain,
        };
        match boxed {
            None if count == -4 => ThunkKind::SelectField(field),
            None => ThunkKind::SelectRef(field),
            Some(kind) if count == -3 => ThunkKind::SelectWord(field, kind),
            Some(_) => ThunkKind::Plain,
        }
    }

    pub fn caf(&mut self, module: ModuleId, symbol: Symbol, item: usize) -> Result<Caf, Stop> {
        let Meaning::Defined(other, Definition::Caf(at)) = self.program.meaning(module, symbol) else {
            let span = self.span(module, item);
            let diagnostic = self.program.undefined(module, symbol, span);
            return Err(self.report(span.file, || diagnostic));
        };
        if let Some(&caf) = self.cafs.get(&(other, at)) {
            return Ok(caf);
        }
        let line = self.program.modules[other as usize].line(at as usize);
        // Other modules may have a CAF of the same name: it is local.
        let label = format!("{}.{}", self.module(other).name, self.label_text(module, symbol));
        let data = CafData { label, ptrs: line.n(1), nptrs: line.n(2) };
        let caf = self.ir.cafs.push(data);
        self.cafs.insert((other, at), caf);
        Ok(caf)
    }

    /// The text block of a `.string` or `.module` label.
    pub fn text_at(&mut self, module: ModuleId, item: u32) -> Static {
        if let Some(&text) = self.texts.get(&(module, item)) {
            return text;
        }
        let bytes = self.module(module).line(item as usize).string(1).into();
        let text = self.ir.statics.push(StaticData::Text(bytes));
        self.texts.insert((module, item), text);
        text
    }
}

/// Values in the words of the language.
fn counts(types: &[Type]) -> String {
    let nodes = types.iter().filter(|&&ty| ty == Type::Ref).count();
    format!("{nodes} nodes and {} words", types.len() - nodes)
}

fn descriptor_data(module: &crate::ast::ParsedModule, item: usize) -> DescData {
    let line = module.line(item);
    let mut data = DescData {
        name: Box::default(),
        label: format!("{}.{}", module.name, module.text_of(line.symbol(0))),
        kind: DescriptorKind::Constructor,
        arity: 0,
        record: None,
        tag: 0,
        apply: Vec::new(),
        method: None,
        callable: false,
        contiguous: false,
        immutable: false,
    };
    let name = match line.op {
        Opcode::dot_desc | Opcode::dot_descexp => {
            data.arity = line.n(3);
            data.tag = line.n(4) * LAZY_RECORD;
            data.callable = data.arity > 0 && line.symbol(2) != Symbol::HNF && !line.symbol(2).is_none();
            data.immutable = data.callable;
            line.string(5)
        }
        Opcode::dot_desc0 => {
            data.tag = line.n(1);
            line.string(2)
        }
        Opcode::dot_descn => {
            data.tag = line.n(3) * LAZY_RECORD;
            line.string(4)
        }
        Opcode::dot_descs => {
            data.arity = 1;
            line.string(5)
        }
        _ => {
            let types = line.name(1);
            data.kind =
                if types.first() == Some(&b'l') { DescriptorKind::UnboxedListCell } else { DescriptorKind::Record };
            data.record =
                Some(RecordData { ptrs: line.n(2), nptrs: line.n(3), types: types.into(), nested: Vec::new() });
            line.string(4)
        }
    };
    // Members of a class: no program can write that name, nor change the record.
    data.immutable |= data.record.is_some() && name.ends_with(b";");
    data.name = name.into();
    data
}
