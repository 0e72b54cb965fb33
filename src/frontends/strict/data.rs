//! How values of data types are represented.
//!
//! | value | in the IR |
//! | --- | --- |
//! | integer of `n` bits | `i64`, shifted left by `64 - n` |
//! | a type of atoms only | `i32`, the number of the constructor |
//! | any other type | `ref`; atoms are static nodes, the others cells with references first |
//!
//! The shift makes integers wrap by themselves: sums, differences, remainders and comparisons of shifted numbers are
//! those of the numbers, shifted. A product shifts one factor back, a quotient is shifted again. No divisor is ever -1,
//! so that no quotient overflows. Only literals, products, quotients and printing know of the shift.

use crate::tree::{DataType, Program, Type, TypeId};
use cleave_ir::layout::{self, DescriptorKind};
use cleave_ir::module::{DescData, RecordData};
use cleave_ir::{Builder, Desc, Module, Opcode, Type as IrType, Value};
use cranelift_entity::PrimaryMap;

/// Where a field is in its cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The reference of this number.
    Reference(u32),
    /// The word of this number: an integer.
    Word(u32),
    /// The same: an atom of a type without cells.
    Atom(u32),
}

/// A constructor of a type with cells.
#[derive(Clone, Debug)]
pub struct Shape {
    pub desc: Desc,
    pub refs: u32,
    pub words: u32,
    pub places: Vec<Place>,
}

/// A data type.
#[derive(Clone, Debug)]
pub enum Layout {
    /// Atoms only: the number of the constructor.
    Atoms,
    Cells(Vec<Shape>),
}

/// All data types of a program.
#[derive(Clone, Debug)]
pub struct Data {
    pub layouts: PrimaryMap<TypeId, Layout>,
    /// By how much integers are shifted.
    pub shift: u32,
}

impl Data {
    /// Declares the constructors in the module.
    pub fn declare(program: &Program, module: &mut Module) -> Data {
        let mut data = Data { layouts: PrimaryMap::new(), shift: 64 - program.int_bits };
        let has_cells = |ty: &DataType| ty.constructors.iter().any(|constructor| !constructor.fields.is_empty());
        let is_ref = |ty: &Type| matches!(ty, Type::Data(id) if has_cells(&program.types[*id]));
        for ty in program.types.values() {
            if !has_cells(ty) {
                data.layouts.push(Layout::Atoms);
                continue;
            }
            let mut shapes = Vec::with_capacity(ty.constructors.len());
            for (number, constructor) in ty.constructors.iter().enumerate() {
                let (mut refs, mut words) = (0, 0);
                let next = |count: &mut u32| std::mem::replace(count, *count + 1);
                let places = constructor.fields.iter().map(|field| match field {
                    field if is_ref(field) => Place::Reference(next(&mut refs)),
                    Type::Int => Place::Word(next(&mut words)),
                    Type::Data(_) => Place::Atom(next(&mut words)),
                });
                let places: Vec<Place> = places.collect();
                let letter = |place: &Place| if matches!(place, Place::Reference(_)) { b'a' } else { b'i' };
                let record = RecordData {
                    refs,
                    words,
                    types: places.iter().map(letter).collect::<Vec<u8>>().into(),
                    nested: Vec::new(),
                };
                let is_atom = places.is_empty();
                let desc = module.descs.push(DescData {
                    name: constructor.name.as_bytes().into(),
                    label: format!("{}.{}", ty.name, constructor.name),
                    kind: if is_atom { DescriptorKind::Constructor } else { DescriptorKind::Record },
                    arity: 0,
                    record: (!is_atom).then_some(record),
                    number: number as u32,
                    apply: Vec::new(),
                    instance: None,
                    appliable: false,
                    solid: true,
                });
                shapes.push(Shape { desc, refs, words, places });
            }
            data.layouts.push(Layout::Cells(shapes));
        }
        data
    }

    /// The type of values in the IR.
    pub fn ir_type(&self, ty: Type) -> IrType {
        match ty {
            Type::Int => IrType::I64,
            Type::Data(id) => match self.layouts[id] {
                Layout::Atoms => IrType::I32,
                Layout::Cells(_) => IrType::Ref,
            },
        }
    }

    pub fn ir_types(&self, types: &[Type]) -> Vec<IrType> {
        types.iter().map(|&ty| self.ir_type(ty)).collect()
    }

    /// An integer as the program has it.
    pub fn int(&self, number: i64) -> i64 {
        number.wrapping_shl(self.shift)
    }

    /// The value of a constructor; its fields are in their order in the source.
    pub fn construct(&self, b: &mut Builder, ty: TypeId, number: u32, fields: &[Value]) -> Value {
        let Layout::Cells(shapes) = &self.layouts[ty] else { return b.iconst32(number as i32) };
        let shape = &shapes[number as usize];
        if shape.places.is_empty() {
            return b.node(shape.desc);
        }
        let mut payload = Vec::with_capacity(fields.len());
        let placed = || shape.places.iter().zip(fields);
        payload.extend(placed().filter(|(place, _)| matches!(place, Place::Reference(_))).map(|(_, &field)| field));
        for (place, &field) in placed() {
            match place {
                Place::Reference(_) => {}
                Place::Word(_) => payload.push(field),
                Place::Atom(_) => payload.push(b.op(Opcode::ExtendU, &[field])),
            }
        }
        b.build_node(shape.desc, 0, &payload)
    }

    /// A field of a cell.
    pub fn field(&self, b: &mut Builder, shape: &Shape, number: usize, cell: Value) -> Value {
        let cells = layout::Shape::solid(shape.refs, shape.words);
        match shape.places[number] {
            Place::Reference(index) => b.get_of(Opcode::GetRef, cells, index, cell),
            Place::Word(index) => b.get_of(Opcode::GetI64, cells, index, cell),
            Place::Atom(index) => {
                let word = b.get_of(Opcode::GetI64, cells, index, cell);
                b.op(Opcode::Wrap, &[word])
            }
        }
    }
}
