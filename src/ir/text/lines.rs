//! Line numbers of items and instructions of an IR text, for error messages.

use super::lex::VALUE_SIGIL;
use crate::entity::{Block, FuncId, Value};
use crate::module::Module;
use crate::source::{self, DebugType, FuncSource, ModuleSource, Named};
use crate::verify::{Item, Location, VerifyError};
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;

/// Lines of the text, from 1: by function, block and instruction, and by item.
#[derive(Debug, Default)]
pub struct LineMap {
    pub(super) funcs: Vec<FuncLines>,
    pub(super) items: FxHashMap<Item, u32>,
}

#[derive(Debug, Default)]
pub(super) struct FuncLines {
    pub header: u32,
    pub blocks: SecondaryMap<Block, u32>,
    pub insts: Vec<u32>,
    /// Values that have a name in the text.
    pub names: Vec<(Value, String)>,
}

impl LineMap {
    /// The line of what the verifier has found; none if the text does not say that.
    /// `func` is the function in which it is, if it is in one.
    pub fn of_error(&self, func: Option<FuncId>, error: &VerifyError) -> Option<u32> {
        if let Location::Item(item) = error.at {
            return self.item(item);
        }
        Some(self.line(func?, error.at)).filter(|&line| line > 0)
    }

    /// The message of what the verifier has found, with the names that values have in the text.
    pub fn message(&self, func: Option<FuncId>, error: &VerifyError) -> String {
        let lines = func.and_then(|id| self.funcs.get(id.index())).filter(|lines| !lines.names.is_empty());
        let Some(lines) = lines else { return error.message.clone() };
        let of_word = |c: char| c.is_alphanumeric() || "_@$&^%~\"".contains(c);
        let mut message = String::new();
        for part in error.message.split_inclusive(|c| !of_word(c)) {
            let word = part.trim_end_matches(|c| !of_word(c));
            match lines.names.iter().find(|(value, _)| value.to_string() == word) {
                Some((_, name)) => message.extend([&VALUE_SIGIL.to_string(), name, &part[word.len()..]]),
                None => message.push_str(part),
            }
        }
        message
    }

    /// The line of an item.
    pub fn item(&self, item: Item) -> Option<u32> {
        match item {
            Item::Func(func) => self.funcs.get(func.index()).map(|lines| lines.header),
            item => self.items.get(&item).copied(),
        }
    }

    /// The line of a place in a function of the parsed module; 0 for a function that is not in the text.
    pub fn line(&self, func: FuncId, at: Location) -> u32 {
        let Some(lines) = self.funcs.get(func.index()) else { return 0 };
        match at {
            Location::Item(item) => self.item(item).unwrap_or(0),
            Location::Func => lines.header,
            Location::Block(block) => lines.blocks[block],
            Location::Inst(_, inst) => lines.insts.get(inst.index()).copied().unwrap_or(lines.header),
        }
    }

    /// Says in the parsed module where it came from: from this text, the file of a name.
    pub fn locate(&self, module: &mut Module, file: &str) {
        module.source = Some(Box::new(ModuleSource { files: vec![file.to_string()], ..ModuleSource::default() }));
        for (func, lines) in module.funcs.values_mut().zip(&self.funcs) {
            let place = |line: u32, column| source::Location::new(0, line, column);
            let mut made = FuncSource::new(place(lines.header, 1));
            for inst in func.insts.keys() {
                made.insts[inst] =
                    lines.insts.get(inst.index()).map_or(source::Location::NONE, |&line| place(line, INDENT));
            }
            let named = |(value, name): &(Value, String)| Named {
                value: *value,
                name: name.as_str().into(),
                meaning: DebugType::Plain,
            };
            made.names = lines.names.iter().map(named).collect();
            func.source = Some(Box::new(made));
        }
    }
}

/// The column in which instructions are written.
const INDENT: u32 = 3;
