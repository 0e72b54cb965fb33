//! Where data lie between host and module: sizes, alignments and flat values, as the canonical ABI of the Component
//! Model says; or, for C, the same with addresses and lengths of 64 bits: then they are those of structures and unions.

use cleave_ir::EntityRef;
use cleave_ir::Type;
use cleave_ir::interface::{Interface, InterfaceKind, InterfaceType, Primitive};

/// Whose conventions an entry keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Abi {
    /// The canonical ABI of the Component Model: addresses of 32 bits, of a buffer in the memory of the module.
    #[default]
    Canonical,
    /// The same, with functions as values that are resources of a component.
    Component,
    /// That of C on x86-64: addresses of 64 bits, of anything.
    C,
}

impl Abi {
    /// The type of addresses and lengths in the IR.
    pub fn address(self) -> Type {
        if self == Abi::C { Type::I64 } else { Type::I32 }
    }

    /// Bytes of an address.
    pub fn address_bytes(self) -> u32 {
        if self == Abi::C { 8 } else { 4 }
    }
}

/// More flat parameters are passed in memory.
pub const MAX_FLAT_PARAMS: usize = 16;

/// A type of WebAssembly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flat {
    /// Integers of up to 32 bits, addresses.
    I32,
    /// Integers of 64 bits.
    I64,
    /// Reals of 32 bits.
    F32,
    /// Reals of 64 bits.
    F64,
}

impl Flat {
    /// The type in the IR.
    pub fn ir(self) -> Type {
        match self {
            Flat::I32 => Type::I32,
            Flat::I64 => Type::I64,
            Flat::F32 | Flat::F64 => Type::F64,
        }
    }

    /// The type that holds a value of either.
    fn join(self, other: Flat) -> Flat {
        match (self, other) {
            (one, two) if one == two => one,
            (Flat::I32, Flat::F32) | (Flat::F32, Flat::I32) => Flat::I32,
            _ => Flat::I64,
        }
    }
}

/// The layout of a type.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Bytes.
    pub size: u32,
    /// The address is a multiple of this.
    pub align: u32,
    /// As parameters; only the first of very many.
    pub flat: Vec<Flat>,
    /// Bytes of the number of the case; 0 without cases.
    pub discriminant: u32,
    /// For each case the offsets of its parts.
    pub offsets: Vec<Vec<u32>>,
}

/// The layouts of all types of an interface.
pub struct Layouts(Vec<Layout>);

/// Bytes of a number of so many cases.
fn discriminant(cases: usize) -> u32 {
    match cases {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}

impl Layouts {
    /// Computes them for the canonical ABI.
    pub fn of(interface: &Interface) -> Layouts {
        Layouts::by(Abi::Canonical, interface)
    }

    /// Computes them.
    pub fn by(abi: Abi, interface: &Interface) -> Layouts {
        let word = abi.address_bytes();
        let mut all = Layouts(Vec::with_capacity(interface.types.len()));
        for data in interface.types.values() {
            let layout = match &data.kind {
                InterfaceKind::Primitive(primitive) => {
                    let bytes = primitive.bytes();
                    let flat = match primitive {
                        Primitive::F32 => Flat::F32,
                        Primitive::F64 => Flat::F64,
                        Primitive::S64 | Primitive::U64 => Flat::I64,
                        _ => Flat::I32,
                    };
                    Layout { size: bytes, align: bytes, flat: vec![flat], discriminant: 0, offsets: Vec::new() }
                }
                // A number: in C it looks like an address.
                InterfaceKind::Function(..) => {
                    let flat = vec![if abi == Abi::C { Flat::I64 } else { Flat::I32 }];
                    Layout { size: word, align: word, flat, discriminant: 0, offsets: Vec::new() }
                }
                InterfaceKind::String | InterfaceKind::List(_) => {
                    let flat = vec![if abi == Abi::C { Flat::I64 } else { Flat::I32 }; 2];
                    Layout { size: 2 * word, align: word, flat, discriminant: 0, offsets: Vec::new() }
                }
                // A number; in C an address, and that of a function.
                InterfaceKind::Foreign(_) => {
                    let flat = if abi == Abi::C { vec![Flat::I64; 2] } else { vec![Flat::I32] };
                    Layout {
                        size: if abi == Abi::C { 2 * word } else { word },
                        align: word,
                        flat,
                        discriminant: 0,
                        offsets: Vec::new(),
                    }
                }
                InterfaceKind::Tuple(_) | InterfaceKind::Record(..) => all.sequence(&data.cases()[0]),
                _ => all.choice(&data.cases()),
            };
            all.0.push(layout);
        }
        all
    }

    /// That of one type.
    pub fn get(&self, ty: InterfaceType) -> &Layout {
        &self.0[ty.index()]
    }

    /// That of a tuple.
    pub fn sequence(&self, parts: &[InterfaceType]) -> Layout {
        self.after(Layout { size: 0, align: 1, flat: Vec::new(), discriminant: 0, offsets: Vec::new() }, parts)
    }

    /// That of a tuple with a handle before its other parts, whose offsets alone are there.
    pub fn after_handle(&self, parts: &[InterfaceType]) -> Layout {
        self.after(Layout { size: 4, align: 4, flat: vec![Flat::I32], discriminant: 0, offsets: Vec::new() }, parts)
    }

    fn after(&self, first: Layout, parts: &[InterfaceType]) -> Layout {
        let Layout { mut size, mut align, mut flat, .. } = first;
        let mut offsets = Vec::new();
        for &part in parts {
            let part = self.get(part);
            let at = size.div_ceil(part.align).saturating_mul(part.align);
            offsets.push(at);
            size = at.saturating_add(part.size);
            align = align.max(part.align);
            flat.extend_from_slice(&part.flat);
        }
        flat.truncate(MAX_FLAT_PARAMS + 1);
        let size = size.div_ceil(align).saturating_mul(align);
        Layout { size, align, flat, discriminant: 0, offsets: vec![offsets] }
    }

    fn choice(&self, cases: &[Vec<InterfaceType>]) -> Layout {
        let discriminant = discriminant(cases.len());
        let payloads: Vec<Layout> = cases.iter().map(|case| self.sequence(case)).collect();
        let align = payloads.iter().map(|payload| payload.align).max().unwrap_or(1);
        let start = discriminant.next_multiple_of(align);
        let align = align.max(discriminant);
        let mut flat = vec![Flat::I32];
        for payload in &payloads {
            for (at, &ty) in payload.flat.iter().enumerate() {
                match flat.get_mut(at + 1) {
                    Some(known) => *known = known.join(ty),
                    None => flat.push(ty),
                }
            }
        }
        flat.truncate(MAX_FLAT_PARAMS + 1);
        let most = payloads.iter().map(|payload| payload.size).max().unwrap_or(0);
        let size = start.saturating_add(most).div_ceil(align).saturating_mul(align);
        let shifted = |payload: Layout| payload.offsets[0].iter().map(|at| start + at).collect();
        Layout { size, align, flat, discriminant, offsets: payloads.into_iter().map(shifted).collect() }
    }
}
