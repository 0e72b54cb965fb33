//! Finds out which parts of the objects a program uses, what every symbol means, and where the statics lie.
//!
//! Used are the functions that the program calls, the constructors of objects of which something is used, and what the
//! C library does at the end; and then everything to which relocations lead from there. All else is left out. Every
//! relocation on the way is checked here, so `relocate` only writes values.

use super::Error;
use super::object::{Import, Object, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use wasmparser::{FuncType, RelocationEntry, RelocationType, ValType};

/// Bytes of the stack of C, as Linux gives.
pub const STACK: u32 = 8 << 20;
/// The host that our programs have.
const HOST: &str = "wasi_snapshot_preview1";

/// What the C library does at the end of a program. If the first function of a pair is used, the second one is called:
/// functions registered with `atexit` first, because they may write, then buffered output.
const ENDINGS: [(&str, &str); 3] =
    [("__cxa_atexit", "__funcs_on_exit"), ("atexit", "__funcs_on_exit"), ("__stdio_write", "__stdio_exit")];

/// A function or a segment: number of the object, and in it.
type InObject = (u32, u32);

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A function of an object, numbered as there.
    Function(u32, u32),
    /// The function of the host with this number.
    Host(u32),
    /// A weak symbol without definition: calling it stops the program. Number of its type.
    Absent(u32),
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    Call(Target),
    /// Segment and offset in it.
    Data(InObject, u32),
    Linker(LinkerSymbol),
    /// A weak datum without definition.
    Null,
    StackPointer,
}

/// Addresses that linkers define.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkerSymbol {
    HeapBase,
    HeapEnd,
    StaticsStart,
    StaticsEnd,
    StackLow,
    StackHigh,
    /// The variable of the runtime that holds the status of the program.
    ReturnCode,
}

impl LinkerSymbol {
    fn of(name: &str) -> Option<LinkerSymbol> {
        Some(match name {
            "__heap_base" => LinkerSymbol::HeapBase,
            "__heap_end" => LinkerSymbol::HeapEnd,
            "__global_base" | "__dso_handle" => LinkerSymbol::StaticsStart,
            "__data_end" => LinkerSymbol::StaticsEnd,
            "__stack_low" => LinkerSymbol::StackLow,
            "__stack_high" => LinkerSymbol::StackHigh,
            "return_code" => LinkerSymbol::ReturnCode,
            _ => return None,
        })
    }
}

/// A function that programs call.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    pub target: Target,
}

/// The parts of the objects that are used, and where they lie.
pub struct Linked<'a> {
    pub(crate) objects: &'a [Object<'a>],
    /// In the order of the arguments of `link` that are defined.
    pub(crate) calls: Vec<Call>,
    pub(crate) functions: Vec<InObject>,
    /// Functions of the host, each once.
    pub(crate) hosts: Vec<(&'a str, &'a str, FuncType)>,
    /// Types of absent functions.
    pub(crate) absent: Vec<FuncType>,
    /// Functions with an address, in the order of the table.
    pub(crate) table: Vec<Target>,
    pub(crate) constructors: Vec<Target>,
    pub(crate) endings: Vec<Target>,
    pub(crate) segments: Vec<InObject>,
    addresses: FxHashMap<InObject, u32>,
    pub(crate) stack: (u32, u32),
    pub(crate) statics: (u32, u32),
    /// Where the status is, if C code refers to it.
    pub(crate) return_code: Option<u32>,
}

impl<'a> Linked<'a> {
    /// Links what `wanted` needs; the stack and the statics begin at `base`.
    pub fn new<'n>(
        objects: &'a [Object<'a>],
        wanted: impl IntoIterator<Item = &'n str>,
        base: u32,
    ) -> Result<Linked<'a>, Error> {
        let mut linker = Linker { objects, ..Linker::default() };
        let mut calls = Vec::new();
        for name in wanted {
            if let Some(target) = linker.find_function(name) {
                linker.check_type(target, is_callable)?;
                calls.push(Call { name: name.to_string(), target });
                linker.reach(target);
            }
        }
        let mut constructors: Vec<(u32, Target)> = Vec::new();
        let mut endings = Vec::new();
        let mut done = FxHashSet::default();
        loop {
            linker.follow()?;
            let (used, before) = (linker.used_objects(), linker.work.len());
            for &number in used.iter().filter(|number| done.insert(**number)) {
                let list = &objects[number as usize].constructors;
                for &(priority, symbol) in list {
                    let Meaning::Call(target) = linker.meaning(number, symbol)? else { continue };
                    linker.check_type(target, is_plain)?;
                    constructors.push((priority, target));
                    linker.reach(target);
                }
            }
            for &number in &used {
                for target in linker.endings(number) {
                    if !endings.contains(&target) {
                        linker.check_type(target, is_plain)?;
                        endings.push(target);
                        linker.reach(target);
                    }
                }
            }
            if linker.work.len() == before {
                break;
            }
        }
        if !linker.undefined.is_empty() {
            return Err(Error::Undefined(linker.undefined));
        }
        constructors.sort_by_key(|constructor| constructor.0);
        let constructors = constructors.into_iter().map(|(_, target)| target).collect();
        Ok(linker.place(calls, constructors, endings, base))
    }

    /// Where a segment lies.
    pub fn address(&self, segment: InObject) -> u32 {
        self.addresses.get(&segment).copied().unwrap_or(0)
    }

    /// The number by which the program calls a function, from 1 on; 0 if no object defines it.
    pub fn call_number(&self, name: &str) -> u64 {
        self.calls.iter().position(|call| call.name == name).map_or(0, |index| index as u64 + 1)
    }

    /// First address after the statics.
    pub fn end(&self) -> u32 {
        self.statics.1
    }

    /// Number of a host function.
    pub fn host(&self, import: &Import) -> u32 {
        let position = self.hosts.iter().position(|host| host.0 == import.module && host.1 == import.name);
        position.unwrap_or(0) as u32
    }

    /// The meaning of a symbol. `new` has checked all that are used.
    pub fn meaning(&self, object: u32, symbol: u32) -> Option<Meaning> {
        let own = &self.objects[object as usize];
        Some(match own.symbols[symbol as usize] {
            Symbol::Function { index } => Meaning::Call(Target::Function(object, index)),
            Symbol::Import { name, index, weak } => {
                let import = &own.imports[index as usize];
                Meaning::Call(if !import.is_undefined() {
                    Target::Host(self.host(import))
                } else if weak {
                    let ty = own.type_of(index);
                    Target::Absent(self.absent.iter().position(|other| other == ty)? as u32)
                } else {
                    find_function(self.objects, name)?
                })
            }
            Symbol::Data { segment, offset } => Meaning::Data((object, segment), offset),
            Symbol::DataImport { name, weak } => data(self.objects, name, weak)?,
            Symbol::Global { .. } => Meaning::StackPointer,
            Symbol::Other => return None,
        })
    }
}

/// Can the program call functions of this type?
fn is_callable(ty: &FuncType) -> bool {
    let is_number = |ty: &ValType| matches!(ty, ValType::I32 | ValType::I64 | ValType::F32 | ValType::F64);
    ty.params().iter().chain(ty.results()).all(is_number) && ty.results().len() <= 1
}

/// Neither arguments nor results.
fn is_plain(ty: &FuncType) -> bool {
    ty.params().is_empty() && ty.results().is_empty()
}

fn find_function(objects: &[Object], name: &str) -> Option<Target> {
    (0..).zip(objects).find_map(|(number, object)| match object.symbols[*object.exports.get(name)? as usize] {
        Symbol::Function { index } => Some(Target::Function(number, index)),
        _ => None,
    })
}

/// The datum of a symbol that its object does not define.
fn data(objects: &[Object], name: &str, weak: bool) -> Option<Meaning> {
    let found =
        (0..).zip(objects).find_map(|(number, object)| match object.symbols[*object.exports.get(name)? as usize] {
            Symbol::Data { segment, offset } => Some(Meaning::Data((number, segment), offset)),
            _ => None,
        });
    let found = found.filter(|_| !weak).or_else(|| LinkerSymbol::of(name).map(Meaning::Linker));
    found.or(weak.then_some(Meaning::Null))
}

#[derive(Default)]
struct Linker<'a> {
    objects: &'a [Object<'a>],
    functions: BTreeSet<InObject>,
    segments: BTreeSet<InObject>,
    hosts: Vec<(&'a str, &'a str, FuncType)>,
    absent: Vec<FuncType>,
    table: BTreeSet<Target>,
    work: Vec<Item>,
    undefined: Vec<(String, String)>,
    sets_return_code: bool,
}

#[derive(Clone, Copy)]
enum Item {
    Function(InObject),
    Segment(InObject),
}

impl<'a> Linker<'a> {
    fn find_function(&self, name: &str) -> Option<Target> {
        find_function(self.objects, name)
    }

    /// Refuses a function that is to be called from outside and has types with which it cannot be.
    fn check_type(&self, target: Target, fits: fn(&FuncType) -> bool) -> Result<(), Error> {
        let Target::Function(number, index) = target else { return Ok(()) };
        let object = &self.objects[number as usize];
        if fits(object.type_of(index)) {
            return Ok(());
        }
        let what = format!("types for `{}` that C does not have", object.name_of(index));
        Err(Error::Unsupported { object: object.name.clone(), what })
    }

    /// Notes that a function is used.
    fn reach(&mut self, target: Target) {
        if let Target::Function(object, index) = target
            && self.functions.insert((object, index))
        {
            self.work.push(Item::Function((object, index)));
        }
    }

    fn follow(&mut self) -> Result<(), Error> {
        let objects = self.objects;
        while let Some(item) = self.work.pop() {
            let (number, relocations) = match item {
                Item::Function((number, index)) => {
                    let object = &objects[number as usize];
                    (number, &object.functions[index as usize - object.imports.len()].relocations)
                }
                Item::Segment((number, index)) => {
                    (number, &objects[number as usize].segments[index as usize].relocations)
                }
            };
            let is_code = matches!(item, Item::Function(_));
            relocations.iter().try_for_each(|entry| self.relocation(number, entry, is_code))?;
        }
        Ok(())
    }

    fn relocation(&mut self, number: u32, entry: &RelocationEntry, is_code: bool) -> Result<(), Error> {
        use RelocationType::{
            FunctionIndexLeb, GlobalIndexLeb, MemoryAddrI32, MemoryAddrLeb, MemoryAddrRelSleb, MemoryAddrSleb,
            TableIndexI32, TableIndexRelSleb, TableIndexSleb, TableNumberLeb, TypeIndexLeb,
        };
        let name = || self.objects[number as usize].name.clone();
        let wrong = || Error::NotAnObject { object: name(), why: "its relocations do not fit".into() };
        let is_data = matches!(entry.ty, MemoryAddrI32 | TableIndexI32);
        match entry.ty {
            TypeIndexLeb | TableNumberLeb if is_code => return Ok(()),
            MemoryAddrRelSleb | TableIndexRelSleb => {
                return Err(Error::Unsupported {
                    object: name(),
                    what: "addresses of position-independent code: compile it without -fPIC".into(),
                });
            }
            FunctionIndexLeb | TableIndexSleb | MemoryAddrLeb | MemoryAddrSleb | GlobalIndexLeb if is_code => {}
            MemoryAddrI32 | TableIndexI32 if !is_code => {}
            _ => {
                let what = format!("the relocation {:?}, which we do not know", entry.ty);
                return Err(Error::Unsupported { object: name(), what });
            }
        }
        let takes_address = matches!(entry.ty, TableIndexSleb | TableIndexI32);
        let is_memory = matches!(entry.ty, MemoryAddrLeb | MemoryAddrSleb | MemoryAddrI32);
        debug_assert!(!is_data || !is_code);
        match self.meaning(number, entry.index)? {
            Meaning::Call(target) if takes_address || entry.ty == FunctionIndexLeb => {
                self.reach(target);
                if takes_address && !matches!(target, Target::Absent(_)) {
                    self.table.insert(target);
                }
                Ok(())
            }
            Meaning::Data(place, _) if is_memory => {
                if self.segments.insert(place) {
                    self.work.push(Item::Segment(place));
                }
                Ok(())
            }
            Meaning::Linker(symbol) if is_memory => {
                self.sets_return_code |= symbol == LinkerSymbol::ReturnCode;
                Ok(())
            }
            Meaning::Null if is_memory => Ok(()),
            Meaning::StackPointer if entry.ty == GlobalIndexLeb => Ok(()),
            // Something undefined, which has been noted, whatever it would have been.
            Meaning::Null if !self.undefined.is_empty() => Ok(()),
            _ => Err(wrong()),
        }
    }

    fn meaning(&mut self, number: u32, symbol: u32) -> Result<Meaning, Error> {
        let objects = self.objects;
        let object = &objects[number as usize];
        let unsupported = |what: String| Err(Error::Unsupported { object: object.name.clone(), what });
        let undefined = |linker: &mut Self, name: &str| {
            let row = (name.to_string(), object.name.clone());
            if !linker.undefined.contains(&row) {
                linker.undefined.push(row);
            }
            Ok(Meaning::Null)
        };
        match object.symbols[symbol as usize] {
            Symbol::Import { name, index, weak } => {
                let import = &object.imports[index as usize];
                let ty = object.type_of(index);
                if !import.is_undefined() {
                    if import.module != HOST {
                        return unsupported(format!(
                            "`{}` of `{}`, which no host provides",
                            import.name, import.module
                        ));
                    }
                    return match self.hosts.iter().position(|host| host.1 == import.name) {
                        Some(known) if self.hosts[known].2 == *ty => Ok(Meaning::Call(Target::Host(known as u32))),
                        Some(_) => unsupported(format!("`{}` with other types than elsewhere", import.name)),
                        None => {
                            self.hosts.push((import.module, import.name, ty.clone()));
                            Ok(Meaning::Call(Target::Host(self.hosts.len() as u32 - 1)))
                        }
                    };
                }
                if weak {
                    let known = self.absent.iter().position(|other| other == ty);
                    let position = known.unwrap_or_else(|| {
                        self.absent.push(ty.clone());
                        self.absent.len() - 1
                    });
                    return Ok(Meaning::Call(Target::Absent(position as u32)));
                }
                let Some(target) = self.find_function(name) else { return undefined(self, name) };
                if let Target::Function(other, index) = target
                    && objects[other as usize].type_of(index) != ty
                {
                    let definition = objects[other as usize].name.clone();
                    let (object, function) = (object.name.clone(), name.to_string());
                    return Err(Error::OtherTypes { object, function, definition });
                }
                Ok(Meaning::Call(target))
            }
            Symbol::Function { index } => Ok(Meaning::Call(Target::Function(number, index))),
            Symbol::Data { segment, offset } => Ok(Meaning::Data((number, segment), offset)),
            Symbol::DataImport { name, weak } => match data(objects, name, weak) {
                Some(meaning) => Ok(meaning),
                None => undefined(self, name),
            },
            Symbol::Global { index } if object.stack_pointer == Some(index) => Ok(Meaning::StackPointer),
            Symbol::Global { .. } => {
                unsupported("a global variable of WebAssembly (position-independent code?)".into())
            }
            Symbol::Other => unsupported("a relocation to a section or table".into()),
        }
    }

    /// Objects of which something is used.
    fn used_objects(&self) -> BTreeSet<u32> {
        self.functions.iter().chain(&self.segments).map(|place| place.0).collect()
    }

    /// What an object does at the end.
    fn endings(&self, number: u32) -> Vec<Target> {
        let object = &self.objects[number as usize];
        let function = |name: &str| match object.symbols.get(*object.exports.get(name)? as usize)? {
            Symbol::Function { index } => Some((number, *index)),
            _ => None,
        };
        let is_needed = |sign: &str| function(sign).is_some_and(|place| self.functions.contains(&place));
        let needed = ENDINGS.iter().filter(|(sign, _)| is_needed(sign));
        let mut found: Vec<Target> = Vec::new();
        for place in needed.filter_map(|(_, ending)| function(ending)) {
            let target = Target::Function(place.0, place.1);
            if !found.contains(&target) {
                found.push(target);
            }
        }
        found
    }

    fn place(self, calls: Vec<Call>, constructors: Vec<Target>, endings: Vec<Target>, base: u32) -> Linked<'a> {
        let low = base.next_multiple_of(16);
        let start = low + STACK;
        let mut at = start;
        let mut addresses = FxHashMap::default();
        for &(number, index) in &self.segments {
            let segment = &self.objects[number as usize].segments[index as usize];
            at = at.next_multiple_of(segment.align);
            addresses.insert((number, index), at);
            at += segment.bytes.len() as u32;
        }
        let return_code = self.sets_return_code.then(|| {
            at = at.next_multiple_of(4);
            at += 4;
            at - 4
        });
        Linked {
            objects: self.objects,
            calls,
            functions: self.functions.into_iter().collect(),
            hosts: self.hosts,
            absent: self.absent,
            table: self.table.into_iter().collect(),
            constructors,
            endings,
            segments: self.segments.into_iter().collect(),
            addresses,
            stack: (low, start),
            statics: (start, at.next_multiple_of(16)),
            return_code,
        }
    }
}
