//! Finds the definition of each name, and the sections that `main` needs, or exports do, directly or not. The others
//! are left out.
//!
//! If several objects define a name, it means the strong definition, of which there is at most one; else the largest
//! common one; else the first weak one. A name that no object defines is imported from a shared library.

use super::Error;
use super::input::{How, LARGEST, Meaning, Object, Relocation, SectionKind, Symbol};
use super::library::{Library, Offered};
use rustc_hash::FxHashMap;

/// What a symbol means in the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    Place {
        object: usize,
        section: usize,
        offset: u64,
    },
    Absolute(u64),
    /// A number in `Linked::imports`.
    Import(usize),
}

/// A name that a shared library defines.
#[derive(Debug)]
pub struct Import<'a> {
    pub name: &'a [u8],
    /// Nothing happens if it is nowhere: its address is 0 then.
    pub is_weak: bool,
    /// The library and the version; `None` if the loader shall find it.
    pub library: Option<usize>,
    pub version: Option<&'a [u8]>,
    is_function: bool,
    /// The room in the program for a variable of a library, by its number in `Linked::copies`.
    pub copy: Option<usize>,
}

/// Room for a variable of a library whose place the code of the program knows: the loader copies what the variable
/// holds, and the library uses the copy, too.
#[derive(Clone, Copy, Debug)]
pub struct CopiedVariable {
    pub size: u64,
    pub align: u64,
}

/// All objects as one program.
#[derive(Debug)]
pub struct Linked<'a> {
    pub objects: Vec<Object<'a>>,
    /// Which sections stay, by object and section.
    pub live: Vec<Vec<bool>>,
    pub imports: Vec<Import<'a>>,
    import_numbers: FxHashMap<&'a [u8], usize>,
    globals: FxHashMap<&'a [u8], Target>,
    /// Slots that take an address when the program starts.
    pub slots: Vec<Target>,
    slot_numbers: FxHashMap<Target, usize>,
    /// Imports that are called by a jump through their slot.
    pub jumps: Vec<usize>,
    jump_numbers: FxHashMap<usize, usize>,
    pub copies: Vec<CopiedVariable>,
    /// Some code has addresses of four bytes: the program lies where they are enough, at [`PLACE`].
    pub has_place: bool,
    /// Of a program; a library has exports instead.
    pub main: Option<Target>,
    pub exports: Vec<(&'a [u8], Target)>,
}

/// Where a program lies that cannot lie anywhere: in the upper part of what is the heap of others, and below 2 GiB.
pub const PLACE: u64 = 0x7000_0000;

/// The function of the C library that calls `main`.
pub const START: &[u8] = b"__libc_start_main";

/// Resolves all symbols; those of a library, if it has exports.
pub fn resolve<'a>(
    objects: Vec<Object<'a>>,
    libraries: &[Library<'a>],
    exports: &[&'a str],
) -> Result<Linked<'a>, Error> {
    let globals = globals(&objects)?;
    let find = |name: &str| globals.get(name.as_bytes()).copied().ok_or_else(|| Error::Undefined(vec![name.into()]));
    let main = if exports.is_empty() { Some(find("main")?) } else { None };
    let exports = exports.iter().map(|name| Ok((name.as_bytes(), find(name)?)));
    let exports = exports.collect::<Result<Vec<_>, Error>>()?;
    let live = objects.iter().map(|object| vec![false; object.sections.len()]).collect();
    let mut linked = Linked {
        objects,
        live,
        imports: Vec::new(),
        import_numbers: FxHashMap::default(),
        globals,
        slots: Vec::new(),
        slot_numbers: FxHashMap::default(),
        jumps: Vec::new(),
        jump_numbers: FxHashMap::default(),
        copies: Vec::new(),
        has_place: false,
        main,
        exports,
    };
    if main.is_some() {
        let start = linked.import(START, false);
        linked.slot(Target::Import(start));
    }
    linked.mark()?;
    if linked.has_place && main.is_none() {
        let what = "addresses of 32 bits, which a library cannot have (-fPIC code has none)".into();
        return Err(Error::Unsupported { file: "the library".into(), what });
    }
    linked.find_imports(libraries)?;
    Ok(linked)
}

/// The definition that each global name means.
pub fn globals<'a>(objects: &[Object<'a>]) -> Result<FxHashMap<&'a [u8], Target>, Error> {
    let mut found: FxHashMap<&[u8], (Target, Strength, usize)> = FxHashMap::default();
    for (number, object) in objects.iter().enumerate() {
        for symbol in object.symbols.iter().filter(|symbol| symbol.is_global) {
            let Some(target) = definition(number, symbol.meaning) else { continue };
            let strength = match symbol {
                Symbol { is_common: true, .. } => Strength::Common(symbol.size),
                Symbol { is_weak: true, .. } => Strength::Weak,
                _ => Strength::Strong,
            };
            match found.get(symbol.name) {
                Some((_, Strength::Strong, first)) if strength == Strength::Strong => {
                    return Err(Error::Duplicate {
                        symbol: symbol.name.escape_ascii().to_string(),
                        first: objects[*first].file.into(),
                        second: object.file.into(),
                    });
                }
                Some((_, before, _)) if *before >= strength => {}
                _ => drop(found.insert(symbol.name, (target, strength, number))),
            }
        }
    }
    Ok(found.into_iter().map(|(name, (target, ..))| (name, target)).collect())
}

/// How much a definition counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Weak,
    /// With its size.
    Common(u64),
    Strong,
}

fn definition(object: usize, meaning: Meaning) -> Option<Target> {
    match meaning {
        Meaning::Place { section, offset } => Some(Target::Place { object, section, offset }),
        Meaning::Absolute(value) => Some(Target::Absolute(value)),
        Meaning::Undefined | Meaning::Nothing => None,
    }
}

impl<'a> Linked<'a> {
    /// What a symbol of an object means; `None` for symbols of sections that are not loaded.
    pub fn target(&self, object: usize, symbol: usize) -> Option<Target> {
        let symbol = &self.objects[object].symbols[symbol];
        if !symbol.is_global {
            return definition(object, symbol.meaning);
        }
        self.globals
            .get(symbol.name)
            .copied()
            .or_else(|| self.import_numbers.get(symbol.name).map(|&n| Target::Import(n)))
    }

    fn import(&mut self, name: &'a [u8], is_weak: bool) -> usize {
        let number = *self.import_numbers.entry(name).or_insert(self.imports.len());
        if number == self.imports.len() {
            self.imports.push(Import { name, is_weak, library: None, version: None, is_function: true, copy: None });
        }
        self.imports[number].is_weak &= is_weak;
        number
    }

    fn slot(&mut self, target: Target) {
        let next = self.slots.len();
        if *self.slot_numbers.entry(target).or_insert(next) == next {
            self.slots.push(target);
        }
    }

    /// The slot of a target that has one.
    pub fn slot_of(&self, target: Target) -> usize {
        self.slot_numbers[&target]
    }

    /// The jump of an import that has one.
    pub fn jump_of(&self, import: usize) -> Option<usize> {
        self.jump_numbers.get(&import).copied()
    }

    /// What is added to all addresses when the program is linked.
    pub fn base(&self) -> u64 {
        if self.has_place { PLACE } else { 0 }
    }

    /// True for an address that the loader does not write: a short one, or one in a place that is never written. A
    /// program with such addresses has a place of its own.
    pub fn is_fixed(&self, object: usize, section: usize, how: How) -> bool {
        let kind = self.objects[object].sections[section].kind;
        how == How::Short
            || how == How::Address && matches!(kind, SectionKind::ReadOnly | SectionKind::StackMaps | SectionKind::Text)
    }

    /// True if the loader has to add where the program lies.
    pub fn moves(&self, target: Target) -> bool {
        !self.has_place && matches!(target, Target::Place { .. })
    }

    /// True if an address in eight bytes is left to the loader.
    pub fn is_loaded(&self, target: Target) -> bool {
        matches!(target, Target::Import(_)) || self.moves(target)
    }

    /// Sections that stay, with their objects, in order.
    pub fn live_sections(&self) -> impl Iterator<Item = (usize, usize)> {
        self.live.iter().enumerate().flat_map(|(object, sections)| {
            sections.iter().enumerate().filter(|(_, live)| **live).map(move |(section, _)| (object, section))
        })
    }

    /// Follows all references from `main`, or from exports, on.
    fn mark(&mut self) -> Result<(), Error> {
        let mut work = Vec::new();
        let exports: Vec<Target> = self.exports.iter().map(|export| export.1).collect();
        self.main.into_iter().chain(exports).for_each(|root| self.reach(root, &mut work));
        while let Some((object, section)) = work.pop() {
            for i in 0..self.objects[object].sections[section].relocations.len() {
                let Relocation { how, symbol, .. } = self.objects[object].sections[section].relocations[i];
                let target = self.reference(object, symbol)?;
                let is_fixed = self.is_fixed(object, section, how);
                self.has_place |= is_fixed;
                match how {
                    How::Slot => self.slot(target),
                    How::Address if !is_fixed => {}
                    _ => {
                        if let Target::Import(import) = target {
                            self.slot(target);
                            let next = self.jumps.len();
                            if *self.jump_numbers.entry(import).or_insert(next) == next {
                                self.jumps.push(import);
                            }
                            // Only code can be reached by way of a jump.
                            self.imports[import].is_function &= how == How::Call;
                        }
                    }
                }
                self.reach(target, &mut work);
            }
        }
        Ok(())
    }

    fn reach(&mut self, target: Target, work: &mut Vec<(usize, usize)>) {
        if let Target::Place { object, section, .. } = target
            && !std::mem::replace(&mut self.live[object][section], true)
        {
            work.push((object, section));
        }
    }

    /// The target of a relocation; names that nobody defines become imports.
    fn reference(&mut self, object: usize, symbol: usize) -> Result<Target, Error> {
        let used = &self.objects[object].symbols[symbol];
        let (name, is_weak) = (used.name, used.is_weak);
        if used.is_global && !self.globals.contains_key(name) {
            return Ok(Target::Import(self.import(name, is_weak)));
        }
        self.target(object, symbol).ok_or_else(|| Error::Unsupported {
            file: self.objects[object].file.into(),
            what: "a reference to a section that is not loaded".into(),
        })
    }

    /// Where imports come from.
    fn find_imports(&mut self, libraries: &[Library<'a>]) -> Result<(), Error> {
        if libraries.is_empty() {
            return Ok(());
        }
        let mut missing = Vec::new();
        let (mut copied, mut copied_bytes) = (Vec::new(), 0);
        for (number, import) in self.imports.iter_mut().enumerate() {
            let mut offers = libraries.iter().enumerate();
            let found = offers.find_map(|(number, library)| Some((number, *library.symbols.get(import.name)?)));
            match found {
                Some((library, offered)) => {
                    (import.library, import.version) = (Some(library), offered.version);
                    if !offered.is_function && !import.is_function && offered.size == 0 {
                        let what = "no size in its library, but is used in place (-fPIC code does not do that)".into();
                        return Err(Error::Unsupported { file: import.name.escape_ascii().to_string(), what });
                    }
                    if !offered.is_function && !import.is_function {
                        copied_bytes = u64::saturating_add(copied_bytes, offered.size);
                        if copied_bytes > LARGEST {
                            let what = "more than a GiB in its library, but is used in place".into();
                            return Err(Error::Unsupported { file: import.name.escape_ascii().to_string(), what });
                        }
                        copied.push((number, library, offered));
                    }
                }
                None if import.is_weak => {}
                None => missing.push(import.name.escape_ascii().to_string()),
            }
        }
        if !missing.is_empty() {
            return Err(Error::Undefined(missing));
        }
        copied.into_iter().for_each(|(import, library, offered)| self.copy(import, libraries, library, offered));
        self.jumps.retain(|&import| self.imports[import].copy.is_none());
        self.jump_numbers = self.jumps.iter().enumerate().map(|(number, &import)| (import, number)).collect();
        Ok(())
    }

    /// Makes room for a variable of a library, under all of its names.
    fn copy(&mut self, import: usize, libraries: &[Library<'a>], library: usize, offered: Offered<'a>) {
        if self.imports[import].copy.is_some() {
            return;
        }
        let copy = self.copies.len();
        // As it is aligned there, as far as a line of the cache.
        let align = 1 << offered.address.trailing_zeros().min(6);
        self.copies.push(CopiedVariable { size: offered.size, align });
        let name = self.imports[import].name;
        for name in libraries[library].names_of(offered).into_iter().filter(|&other| other != name) {
            let alias = self.import(name, false);
            let version = libraries[library].symbols[name].version;
            let import = &mut self.imports[alias];
            (import.library, import.version, import.copy) = (Some(library), version, Some(copy));
        }
        self.imports[import].copy = Some(copy);
    }
}

/// Relocations of the sections that stay, without unwind tables.
pub fn live_relocations<'l>(linked: &'l Linked<'_>) -> impl Iterator<Item = (usize, usize, Relocation)> + 'l {
    let sections = linked.live_sections();
    let loaded =
        sections.filter(|&(object, section)| linked.objects[object].sections[section].kind != SectionKind::Unwind);
    loaded.flat_map(|(object, section)| {
        linked.objects[object].sections[section].relocations.iter().map(move |&r| (object, section, r))
    })
}
