//! Entries that functions of C call: numbers are passed as they are, strings and lists as an address and a length, all
//! else by its address. Results are written where the last parameter says; what they point to lies in the buffer, until
//! all is freed.

use crate::adapters::Adapter;
use crate::buffer::function;
use crate::layout::Flat;
use crate::wrong::end_if;
use cleave_ir::abi::passed::Passed;
use cleave_ir::interface::{Entry, Export, InterfaceKind, InterfaceType, Primitive};
use cleave_ir::{Builder, Opcode, Type, Value};

impl Adapter<'_> {
    /// What C passes for a value; nothing for its address.
    pub fn passed(&self, ty: InterfaceType) -> Option<Vec<Flat>> {
        let data = self.data(ty);
        let is_passed = match &data.kind {
            InterfaceKind::Primitive(_)
            | InterfaceKind::String
            | InterfaceKind::List(_)
            | InterfaceKind::Function(..)
            | InterfaceKind::Foreign(_) => true,
            InterfaceKind::Variant(_, cases) => cases.iter().all(|case| case.payload.is_empty()),
            _ => false,
        };
        is_passed.then(|| self.layouts.get(ty).flat.clone())
    }

    /// Makes the entry of an export.
    pub fn export_to_c(&mut self, export: &Export) {
        let mut flat: Vec<Flat> =
            export.params.iter().flat_map(|param| self.passed(param.1).unwrap_or(vec![Flat::I64])).collect();
        let narrow = (0..).zip(&flat).filter(|(_, flat)| **flat == Flat::F32).map(|(at, _)| at).collect();
        flat.extend((!export.results.is_empty()).then_some(Flat::I64));
        let ir: Vec<Type> = flat.iter().map(|flat| flat.ir()).collect();
        let (mut func, entry, values) = function(&format!("interface.{}", export.name), &ir, &[]);
        let mut b = Builder::new(&mut func, entry);
        // What is wrong is an error before anything is read.
        let mut at = 0;
        for (number, &(ref name, ty)) in export.params.iter().enumerate() {
            let words = self.passed(ty).map_or(1, |flat| flat.len());
            let mut passed = values[at..at + words].to_vec();
            passed[0] = self.without_upper_bits(&mut b, ty, passed[0]);
            if let Some(reason) = self.look(&mut b, ty, &passed) {
                end_if(self.module, &mut b, reason, &shown(export, number, name), Passed::Argument);
            }
            at += words;
        }
        if let Some(&place) = values.get(at) {
            self.refuse_null(&mut b, place, &format!("{}: the result", function_shown(export)));
        }
        self.begin_call(&mut b, export);
        let mut rest = &values[..];
        let args: Vec<Value> = export.params.iter().map(|&(_, ty)| self.argument(&mut b, ty, &mut rest)).collect();
        let types = self.module.funcs[export.func].signature.results.to_vec();
        let inst = b.call(export.func, &args, &types);
        let results = b.func.results(inst).to_vec();
        if let [place] = *rest {
            let offsets = self.layouts.sequence(&export.results).offsets.remove(0);
            for ((&ty, &at), &value) in export.results.iter().zip(&offsets).zip(&results) {
                self.store(&mut b, ty, value, place, at);
            }
        }
        b.ret(&[]);
        let func = self.module.funcs.push(func);
        self.module.entries.push(Entry { name: export.name.clone(), func, narrow: (narrow, false) });
    }

    fn argument(&mut self, b: &mut Builder, ty: InterfaceType, rest: &mut &[Value]) -> Value {
        if self.passed(ty).is_none() {
            let place = rest[0];
            *rest = &rest[1..];
            return self.load(b, ty, place, 0);
        }
        let first = self.without_upper_bits(b, ty, rest[0]);
        if first == rest[0] {
            return self.lift(b, ty, rest);
        }
        *rest = &rest[1..];
        self.lift(b, ty, &mut &[first][..])
    }

    /// The upper bits of small arguments are anything; what becomes of other numbers leaves them out.
    fn without_upper_bits(&self, b: &mut Builder, ty: InterfaceType, value: Value) -> Value {
        let data = self.data(ty);
        if self.passed(ty).is_none() {
            return value;
        }
        let is_bool = data.kind == InterfaceKind::Primitive(Primitive::Bool);
        let bytes = self.layouts.get(ty).size;
        if bytes < 4 && (is_bool || matches!(data.kind, InterfaceKind::Variant(..))) {
            let mask = b.iconst32((1 << (8 * bytes)) - 1);
            return b.op(Opcode::And, &[value, mask]);
        }
        value
    }
}

/// What a function is called in messages.
fn function_shown(export: &Export) -> &str {
    if export.name.starts_with("cabi_call_") { "function of the program" } else { &export.name }
}

/// What an argument is called in messages.
fn shown(export: &Export, number: usize, name: &str) -> String {
    let function = function_shown(export);
    match (function == export.name, number) {
        (true, _) => format!("{function}: argument {} ({name:?})", number + 1),
        (false, 0) => function.to_string(),
        (false, _) => format!("{function}: argument {number}"),
    }
}
