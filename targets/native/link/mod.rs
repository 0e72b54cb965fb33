//! A linker of our own: objects in, an executable for Linux on x86-64 out. It needs no other program and no file of a C
//! compiler, and what it writes depends on its input alone.
//!
//! ```text
//! input      an object: its sections, symbols, relocations           library   symbols of a shared library, their versions
//! archive    which objects of an archive are needed
//! resolve    which definition a name means; which sections are reachable from `main`; slots that indirect uses need
//! unwind     the entries of .eh_frame for code that stays
//! arrange    addresses of everything
//! dynamic    what the system's loader reads: names, versions, relocations that are done at the start
//! output     contents of the sections, headers, symbol table: the file
//! merge      instead of the last three: all as one object, for an archive
//! ```
//! With names to export it is a shared library instead: it has no `main`, and only these names can be seen.
//! The result is position-independent, bound at its start, with a read-only table of addresses and no executable data;
//! its entry calls `main` by way of the C library. C code that has addresses of four bytes gives the program a place of
//! its own (`resolve::PLACE`); variables of libraries that code uses in place are copied into the program. It is no
//! general linker: the relocations are those of C code. Thread-local variables, constructors, and thin archives are
//! refused, by name: a C compiler links such programs.
//!
//! Sources: System V ABI, chapters 4 and 5, and its supplement for x86-64; Linux Standard Base 5.0, chapter 10
//! (versions).

mod archive;
mod arrange;
mod dynamic;
mod error;
#[doc(hidden)]
pub mod input;
#[doc(hidden)]
pub mod library;
mod merge;
mod output;
#[doc(hidden)]
pub mod resolve;
mod unwind;

pub use archive::write as archive;
pub use error::Error;
pub use input::File;

/// What is linked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs<'i, 'a> {
    /// All of them become part of the executable, as far as `main` reaches them.
    pub objects: &'i [File<'a>],
    /// Static libraries: of these only members that define what is missing.
    pub archives: &'i [File<'a>],
    /// Shared libraries, which the system loads with the program.
    pub libraries: &'i [File<'a>],
    /// What others call of a library, which has no `main`.
    pub exports: &'i [&'a str],
}

/// Links objects whose `main` is the program, with what they need of archives. Names that are undefined then are looked
/// for in libraries and bound to the versions found there; without any, they are left to the C library as they are.
/// `strip` leaves out symbols and unwind tables.
pub fn link(inputs: &Inputs, strip: bool) -> Result<Vec<u8>, Error> {
    let libraries = inputs.libraries.iter().map(library::Library::parse).collect::<Result<Vec<_>, Error>>()?;
    let mut linked = resolved(inputs, &libraries)?;
    let frames = if strip { None } else { Some(unwind::live_entries(&mut linked)?) };
    let dynamic = dynamic::Tables::build(&linked, &libraries);
    let arranged = arrange::arrange(&linked, &dynamic, frames.as_ref());
    output::write(&linked, &dynamic, frames.as_ref(), &arranged, strip)
}

/// Makes one object of all, as far as exports reach it: nothing else has a global name.
pub fn merge(inputs: &Inputs, strip: bool) -> Result<Vec<u8>, Error> {
    let mut linked = resolved(inputs, &[])?;
    let frames = if strip { None } else { Some(unwind::live_entries(&mut linked)?) };
    merge::write(&linked, frames.as_ref(), strip)
}

fn resolved<'a>(inputs: &Inputs<'_, 'a>, libraries: &[library::Library<'a>]) -> Result<resolve::Linked<'a>, Error> {
    let mut objects = inputs.objects.iter().map(input::Object::parse).collect::<Result<Vec<_>, Error>>()?;
    archive::add_members(&mut objects, inputs.archives)?;
    resolve::resolve(objects, libraries, inputs.exports)
}
