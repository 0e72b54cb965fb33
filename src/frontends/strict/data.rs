//! Representation of data types: the object layout of each constructor.
//!
//! | value | in the IR |
//! | --- | --- |
//! | integer of 32 bits | `i32` |
//! | integer of `n` bits | `i64`, shifted left by `64 - n` |
//! | a type of atoms only | `i32`, the number of the constructor |
//! | unit | `i32`, 0; nothing in a cell |
//! | a type without constructors | `ref`, an object of the host |
//! | any other type of data | `ref`; atoms are static nodes, the others cells with references first |
//! | string | `ref`, a string object |
//! | closure | `ref`, a cell of what it has taken along, whose descriptor has the code as its instance |
//!
//! The shift makes integers wrap by themselves: sums, differences, remainders and comparisons of shifted numbers are
//! those of the numbers, shifted. A product shifts one factor back, a quotient is shifted again. No divisor is ever -1,
//! so that no quotient overflows. Only literals, products, quotients and printing know of the shift.

use crate::core_ir::{ClosureId, DataType, Function, Program, Type, TypeId};
use cleave_ir::layout::{self, DescriptorKind};
use cleave_ir::module::{DescData, RecordData};
use cleave_ir::source::{DebugType, FieldPlace, ModuleSource};
use cleave_ir::{Builder, Desc, Module, Opcode, Signature, Type as IrType, Value};
use cranelift_entity::{EntityRef, PrimaryMap};
use smallvec::SmallVec;

/// Where a field is in its cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectField {
    /// The reference of this number.
    Reference(u32),
    /// The word of this number: an integer.
    Word(u32),
    /// The same: an atom of a type without cells, or an integer of 32 bits.
    Nullary(u32),
    /// Nowhere: there is only one value.
    Nothing,
}

/// A constructor of a type with cells.
#[derive(Clone, Debug)]
pub struct ConstructorLayout {
    /// Its descriptor in the module.
    pub desc: Desc,
    /// How many references a cell has.
    pub ptrs: u32,
    /// How many words without references.
    pub nptrs: u32,
    /// Of the fields, in the order of the constructor.
    pub places: Vec<ObjectField>,
}

/// A data type.
#[derive(Clone, Debug)]
pub enum Layout {
    /// Atoms only: the number of the constructor.
    NullaryConstructors,
    /// The constructors in the order of their numbers; atoms are static nodes.
    Cells(Vec<ConstructorLayout>),
}

/// All data types of a program.
#[derive(Clone, Debug)]
pub struct Data {
    /// Of each data type.
    pub layouts: PrimaryMap<TypeId, Layout>,
    /// Cells of closures.
    pub closures: PrimaryMap<ClosureId, ConstructorLayout>,
    /// What integers are in the IR.
    pub int: IrType,
    /// By how many bits they are shifted to the left there.
    pub shift: u32,
}

impl Data {
    /// Declares the constructors in the module.
    pub fn declare(program: &Program, module: &mut Module) -> Data {
        let (int, shift) = match program.int_bits {
            32 => (IrType::I32, 0),
            bits => (IrType::I64, 64 - bits),
        };
        let mut data = Data { layouts: PrimaryMap::new(), closures: PrimaryMap::new(), int, shift };
        let has_objects: Vec<bool> = program.types.values().map(has_objects).collect();
        for ty in program.types.values() {
            if !has_objects[data.layouts.len()] {
                data.layouts.push(Layout::NullaryConstructors);
                continue;
            }
            let mut shapes = Vec::with_capacity(ty.constructors.len());
            for (number, constructor) in ty.constructors.iter().enumerate() {
                let label = format!("{}.{}", ty.name, constructor.name);
                let shape = data.shape(module, &has_objects, &constructor.fields, &constructor.name, label);
                module.descs[shape.desc].tag = number as u32;
                shapes.push(shape);
            }
            data.layouts.push(Layout::Cells(shapes));
        }
        for (id, closure) in &program.closures {
            let name = &program.functions[closure.function].name;
            let label = format!("{name}.{}", id.as_u32());
            let shape = data.shape(module, &has_objects, &closure.captures, name, label);
            data.closures.push(shape);
        }
        if let Some(source) = &mut module.source {
            data.describe(program, source);
        }
        data
    }

    /// Declares cells with these fields.
    fn shape(
        &self,
        module: &mut Module,
        has_objects: &[bool],
        fields: &[Type],
        name: &str,
        label: String,
    ) -> ConstructorLayout {
        let (mut ptrs, mut nptrs) = (0, 0);
        let next = |count: &mut u32| std::mem::replace(count, *count + 1);
        let places = fields.iter().map(|field| match field {
            Type::Data(id) if !has_objects[id.index()] => ObjectField::Nullary(next(&mut nptrs)),
            Type::Int if self.int == IrType::I32 => ObjectField::Nullary(next(&mut nptrs)),
            Type::Int => ObjectField::Word(next(&mut nptrs)),
            Type::Unit => ObjectField::Nothing,
            Type::Data(_) | Type::Str | Type::Function | Type::Reference => ObjectField::Reference(next(&mut ptrs)),
        });
        let places: Vec<ObjectField> = places.collect();
        let letters = places.iter().filter_map(|place| match place {
            ObjectField::Reference(_) => Some(b'a'),
            ObjectField::Word(_) | ObjectField::Nullary(_) => Some(b'i'),
            ObjectField::Nothing => None,
        });
        let record = RecordData { ptrs, nptrs, types: letters.collect::<Vec<u8>>().into(), nested: Vec::new() };
        let is_nullary = ptrs + nptrs == 0;
        let desc = module.descs.push(DescData {
            name: name.as_bytes().into(),
            label,
            kind: if is_nullary { DescriptorKind::Constructor } else { DescriptorKind::Record },
            arity: 0,
            record: (!is_nullary).then_some(record),
            tag: 0,
            apply: Vec::new(),
            method: None,
            callable: false,
            contiguous: true,
            immutable: false,
        });
        ConstructorLayout { desc, ptrs, nptrs, places }
    }

    /// The type of values in the IR.
    pub fn ir_type(&self, ty: Type) -> IrType {
        match ty {
            Type::Int => self.int,
            Type::Unit => IrType::I32,
            Type::Str | Type::Function | Type::Reference => IrType::Ref,
            Type::Data(id) => match self.layouts[id] {
                Layout::NullaryConstructors => IrType::I32,
                Layout::Cells(_) => IrType::Ref,
            },
        }
    }

    /// What the bits of a value of this type stand for.
    pub fn meaning(&self, ty: Type) -> DebugType {
        match ty {
            Type::Int if self.int == IrType::I32 => DebugType::Narrow,
            Type::Int => DebugType::Shifted(self.shift as u8),
            Type::Unit | Type::Str | Type::Function | Type::Reference => DebugType::Plain,
            Type::Data(id) => match self.layouts[id] {
                Layout::NullaryConstructors => DebugType::Nullary(id.as_u32()),
                Layout::Cells(_) => DebugType::Plain,
            },
        }
    }

    /// Says what the fields of constructors and the numbers of atoms are, if that is wanted.
    fn describe(&self, program: &Program, source: &mut ModuleSource) {
        for (id, ty) in &program.types {
            let Layout::Cells(shapes) = &self.layouts[id] else {
                source
                    .nullary_constructors
                    .push(ty.constructors.iter().map(|constructor| (*constructor.name).into()).collect());
                continue;
            };
            source.nullary_constructors.push(Vec::new());
            for (shape, constructor) in shapes.iter().zip(&ty.constructors) {
                source.fields[shape.desc] = self.places(shape, &constructor.fields);
            }
        }
        for (id, closure) in &program.closures {
            let shape = &self.closures[id];
            source.fields[shape.desc] = self.places(shape, &closure.captures);
        }
    }

    fn places(&self, shape: &ConstructorLayout, fields: &[Type]) -> Vec<FieldPlace> {
        let places = shape.places.iter().zip(fields).filter_map(|(place, &field)| match *place {
            ObjectField::Reference(index) => Some(FieldPlace::Reference(index)),
            ObjectField::Word(index) | ObjectField::Nullary(index) => {
                Some(FieldPlace::Word(index, self.meaning(field)))
            }
            ObjectField::Nothing => None,
        });
        places.collect()
    }

    /// What values of these types are in the IR.
    pub fn ir_types(&self, types: &[Type]) -> SmallVec<[IrType; 4]> {
        types.iter().map(|&ty| self.ir_type(ty)).collect()
    }

    /// The signature of a function; the code of a closure gets that first.
    pub fn signature(&self, function: &Function) -> Signature {
        let mut params: SmallVec<[IrType; 8]> = function.captures.iter().map(|_| IrType::Ref).collect();
        params.extend(function.params.iter().map(|&param| self.ir_type(function.vars[param].ty)));
        Signature { params, results: self.ir_types(&function.results) }
    }

    /// An integer as the program has it.
    pub fn int(&self, number: i64) -> i64 {
        match self.int {
            IrType::I32 => i64::from(number as i32),
            _ => number.wrapping_shl(self.shift),
        }
    }

    /// The value of a constructor; its fields are in their order in the source.
    pub fn construct(&self, b: &mut Builder, ty: TypeId, number: u32, fields: &[Value]) -> Value {
        match &self.layouts[ty] {
            Layout::NullaryConstructors => b.iconst32(number as i32),
            Layout::Cells(shapes) => self.build(b, &shapes[number as usize], fields),
        }
    }

    /// A cell with these fields.
    pub fn build(&self, b: &mut Builder, shape: &ConstructorLayout, fields: &[Value]) -> Value {
        if shape.ptrs + shape.nptrs == 0 {
            return b.node(shape.desc);
        }
        let mut payload: SmallVec<[Value; 8]> = SmallVec::with_capacity(fields.len());
        let placed = || shape.places.iter().zip(fields);
        payload
            .extend(placed().filter(|(place, _)| matches!(place, ObjectField::Reference(_))).map(|(_, &field)| field));
        for (place, &field) in placed() {
            match place {
                ObjectField::Reference(_) | ObjectField::Nothing => {}
                ObjectField::Word(_) => payload.push(field),
                ObjectField::Nullary(_) => payload.push(b.op(Opcode::ExtendU, &[field])),
            }
        }
        b.build_node(shape.desc, 0, &payload)
    }

    /// A field of a cell.
    pub fn field(&self, b: &mut Builder, shape: &ConstructorLayout, number: usize, cell: Value) -> Value {
        let cells = layout::Shape::contiguous(shape.ptrs, shape.nptrs);
        match shape.places[number] {
            ObjectField::Reference(index) => b.get_of(Opcode::GetRef, cells, index, cell),
            ObjectField::Word(index) => b.get_of(Opcode::GetI64, cells, index, cell),
            ObjectField::Nullary(index) => {
                let word = b.get_of(Opcode::GetI64, cells, index, cell);
                b.op(Opcode::Wrap, &[word])
            }
            ObjectField::Nothing => b.iconst32(0),
        }
    }
}

/// Some constructor has a field that says something; or there is none, and values are objects of the host.
fn has_objects(ty: &DataType) -> bool {
    ty.constructors.is_empty()
        || ty.constructors.iter().flat_map(|constructor| &constructor.fields).any(|field| *field != Type::Unit)
}
