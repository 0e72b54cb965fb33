//! Does a type fit the labels of a function? Its descriptor says how many arguments it takes. Its entry for direct
//! calls, if it has a name, says where strict arguments lie, and what it returns.

use super::types::{Crossing, letter_of};
use crate::ast::BWord;
use crate::declarations::{Annotated, Body, Type, Wanted};
use crate::index::{Definition, span_of};
use crate::instr::Opcode as Abc;
use crate::link::ModuleId;
use cleave_diag::{Diagnostic, code};
use cleave_ir::Type as IrType;

/// Nodes, and the letters of words.
#[derive(Default)]
struct Slots {
    nodes: u32,
    words: Vec<u8>,
}

impl Slots {
    fn show(&self) -> String {
        let nodes = if self.nodes == 1 { "1 node".to_string() } else { format!("{} nodes", self.nodes) };
        let plural = if self.words.len() == 1 { "" } else { "s" };
        let words = format!("the word{plural} `{}`", String::from_utf8_lossy(&self.words));
        match (self.nodes, self.words.len()) {
            (_, 0) => nodes,
            (0, _) => words,
            _ => format!("{nodes} and {words}"),
        }
    }
}

impl Crossing<'_, '_> {
    /// Checks the type of a function against what its module says.
    pub fn fits(&mut self, main: ModuleId, item: u32, wanted: &Wanted) -> Result<(), Box<Diagnostic>> {
        let Wanted { name, span, ty } = wanted;
        let module = self.builder.module(main);
        let arity = module.line(item as usize).n(3) as usize;
        if arity != ty.params.len() {
            let count = |number: usize| format!("{number} argument{}", if number == 1 { "" } else { "s" });
            let (is, said) = (count(arity), count(ty.params.len()));
            let message = format!("`{name}` takes {is}, but the type that it is exported with has {said}");
            let declared = span_of(module, item as usize);
            let diagnostic = Diagnostic::error(code::CANNOT_EXPORT, message).at(*span, "");
            let help = "give the type that its definition module has";
            return Err(Box::new(diagnostic.and(declared, "declared here").help(help)));
        }
        let label = format!("e_{}_s{name}", module.name);
        let Some(symbol) = module.symbols.find(label.as_bytes()) else { return Ok(()) };
        let Definition::Function(index) = self.builder.program.module_index(main).definition(symbol) else {
            return Ok(());
        };
        let function = &self.builder.program.module_index(main).functions[index as usize];
        let layout = module.layouts.get(function.layout);
        let found = Slots { nodes: layout.a, words: layout.b.iter().map(letter).collect() };
        let place = span_of(module, function.item as usize);
        let misfit = |verb: &str, found: &Slots, wanted: &Slots| {
            let (found, wanted) = (found.show(), wanted.show());
            let message = format!("`{label}` {verb} {found}, but {wanted} by the type that it is exported with");
            let help = "give the type that its definition module has, with its annotations of strictness";
            let diagnostic = Diagnostic::error(code::CANNOT_EXPORT, message).at(*span, "");
            Err(Box::new(diagnostic.and(place, "defined here").help(help)))
        };
        let mut takes = Slots::default();
        ty.params.iter().for_each(|param| self.add(param, &mut takes));
        // There may be a cell for the result below the arguments.
        let has_cell = found.nodes == takes.nodes + 1;
        if found.words != takes.words || !has_cell && found.nodes != takes.nodes {
            return misfit("takes", &found, &takes);
        }
        let Some(types) = self.builder.results.types(main, index) else { return Ok(()) };
        let nodes = types.iter().filter(|&&ty| ty == IrType::Ref).count() as u32;
        let is_real = |ty: &IrType| *ty == IrType::F64;
        let found: Vec<bool> = types.iter().filter(|&&ty| ty != IrType::Ref).map(is_real).collect();
        let mut gives = Slots::default();
        self.add(&Annotated { is_strict: true, ty: ty.result.ty.clone() }, &mut gives);
        if nodes == gives.nodes && found.iter().copied().eq(gives.words.iter().map(|&word| word == b'r')) {
            return Ok(());
        }
        let words = found.into_iter().map(|is_real| if is_real { b'r' } else { b'i' }).collect();
        misfit("returns", &Slots { nodes, words }, &gives)
    }

    /// Adds where a value lies on the stacks.
    fn add(&self, value: &Annotated, slots: &mut Slots) {
        if !value.is_strict {
            slots.nodes += 1;
            return;
        }
        match self.resolve(&value.ty) {
            Type::Tuple(parts) if !parts.is_empty() => parts.iter().for_each(|part| self.add(part, slots)),
            Type::Named(name, _) => match letter_of(&name) {
                Some(letter) => slots.words.push(letter),
                None => self.add_named(&name, slots),
            },
            _ => slots.nodes += 1,
        }
    }

    /// Records lie there field by field.
    fn add_named(&self, name: &str, slots: &mut Slots) {
        let definition = self.definition(name).filter(|found| matches!(found.1.body, Body::Record(_)));
        let record = definition.and_then(|(module, _)| {
            self.find(module, |line| {
                line.op == Abc::dot_record && line.string(4) == name.as_bytes() && !line.name(1).starts_with(b"d")
            })
        });
        let Some((module, item)) = record else {
            slots.nodes += 1;
            return;
        };
        for &letter in self.builder.module(module).line(item as usize).name(1) {
            match letter {
                b'a' => slots.nodes += 1,
                b'i' | b'b' | b'c' | b'r' | b'f' | b'p' => slots.words.push(letter),
                _ => {}
            }
        }
    }
}

fn letter(word: &BWord) -> u8 {
    match word {
        BWord::Int => b'i',
        BWord::Bool => b'b',
        BWord::Char => b'c',
        BWord::Real => b'r',
        BWord::FileNumber | BWord::FilePosition => b'f',
        BWord::Address => b'p',
    }
}
