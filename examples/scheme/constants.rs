//! Literals, symbols and quoted data.

use crate::code::Code;
use crate::read::{Datum, Kind};
use cleave_compile::ir::{CafData, Opcode, StaticData, StaticField, StaticNode, Value};

impl Code<'_, '_> {
    pub fn constant(&mut self, datum: &Datum) -> Value {
        match &datum.kind {
            Kind::List(parts) | Kind::Dotted(parts) if !parts.is_empty() => {
                let label = format!("quoted.{}", self.p.module.cafs.len());
                let caf = self.p.module.cafs.push(CafData { label, ptrs: 1, nptrs: 0 });
                self.p.quoted.push((caf, datum.clone()));
                let inst = self.b.caf(Opcode::CafRef, caf, 0, &[]);
                self.b.func.result(inst)
            }
            _ => self.datum(datum),
        }
    }
    pub fn datum(&mut self, datum: &Datum) -> Value {
        match &datum.kind {
            Kind::Int(number) => {
                let word = self.b.iconst64(*number);
                let value = self.boxed(word);
                self.numbers.insert(value, *number);
                value
            }
            Kind::Bool(value) => self.b.node(if *value { self.p.data.yes } else { self.p.data.no }),
            Kind::Char(byte) => {
                let byte = self.b.iconst64(i64::from(*byte));
                self.b.op(Opcode::BoxChar, &[byte])
            }
            Kind::Text(bytes) => {
                let text = self.p.module.statics.push(StaticData::String(bytes.as_slice().into()));
                self.b.static_ref(text)
            }
            Kind::Symbol(name) => {
                let number = match self.p.symbols.get(name) {
                    Some(&known) => known,
                    None => {
                        let text = self.p.module.statics.push(StaticData::String(name.as_bytes().into()));
                        let (ptrs, nptrs) = ([StaticField::Object(text)].into(), [].into());
                        let node = StaticNode { desc: self.p.data.symbol, applied_args: 0, ptrs, nptrs };
                        let number = self.p.module.statics.push(StaticData::Node(node));
                        self.p.symbols.insert(name.clone(), number);
                        number
                    }
                };
                self.b.value(Opcode::StaticNode, u64::from(number.as_u32()), 0, &[])
            }
            Kind::List(parts) | Kind::Dotted(parts) => {
                let mut values: Vec<Value> = parts.iter().map(|part| self.datum(part)).collect();
                let last = if matches!(datum.kind, Kind::Dotted(_)) { values.pop() } else { None };
                let last = last.unwrap_or_else(|| self.b.node(self.p.data.nil));
                values.iter().rev().fold(last, |list, &value| self.b.build_node(self.p.data.pair, 0, &[value, list]))
            }
        }
    }
}
