//! The native target: implementation of the trait `Target` for x86-64 machine code.

use crate::library::Library;
use crate::{Error, Options, Program, address_space, cache_lookup, link, object};
use cleave_ir::data_section::{DataSectionOptions, StaticDataSection};
use cleave_ir::{Lowered, Module, Target};

/// The runtime as an object file, built from `rt`.
pub static RUNTIME: &[u8] = cleave_prebuilt::X86_64_LINUX;

/// The target of machine code: x86-64 under Linux.
#[derive(Clone, Debug, Default)]
pub struct Native {
    /// How machine code is made.
    pub options: Options,
}

impl Target for Native {
    type Artifact = Program;
    type Error = Error;

    fn name(&self) -> &'static str {
        "native"
    }

    fn lay_out(&self, module: &Module) -> StaticDataSection {
        let options =
            DataSectionOptions { is_spaced: address_space::is_spaced(module), ..DataSectionOptions::default() };
        StaticDataSection::build(module, address_space::data_section_base(module), options)
    }

    fn has_frames(&self) -> bool {
        true
    }

    fn recall(&self, module: &mut Module) -> Option<StaticDataSection> {
        let cache = self.options.cache.as_ref()?;
        cache_lookup::run(module, |module| self.lay_out(module), &self.options, cache)
    }

    fn emit(&self, lowered: Lowered) -> Result<Program, Error> {
        let (module, data_section) = lowered.take(self);
        crate::compile::program(&module, &data_section, &self.options)
    }
}

impl Program {
    /// An object file for a linker, which needs [`RUNTIME`] beside it. `strip` leaves out names and unwind tables.
    pub fn object(&self, strip: bool) -> Vec<u8> {
        object::write(self, None, strip)
    }

    /// An executable, made by the linker of this crate: the contents of the file. Of C functions it has those of the
    /// runtime only; for others link [`Program::object`] with what has them.
    pub fn executable(&self, strip: bool) -> Result<Vec<u8>, link::Error> {
        let object = self.object(strip);
        let files =
            [link::File { name: "program.o", bytes: &object }, link::File { name: "runtime.o", bytes: RUNTIME }];
        link::link(&link::Inputs { objects: &files, ..link::Inputs::default() }, strip)
    }

    /// A static library: the contents of an archive with one object, which needs nothing but the C library.
    pub fn archive(&self, library: &Library, strip: bool) -> Result<Vec<u8>, link::Error> {
        let symbols = library.symbols();
        let object = self.link_library(library, &symbols, |inputs| link::merge(inputs, strip), strip)?;
        Ok(link::archive("library.o", &object, &symbols))
    }

    /// A shared library: the contents of the file.
    pub fn shared_library(&self, library: &Library, strip: bool) -> Result<Vec<u8>, link::Error> {
        self.link_library(library, &library.symbols(), |inputs| link::link(inputs, strip), strip)
    }

    fn link_library(
        &self,
        library: &Library,
        exports: &[&str],
        link: impl FnOnce(&link::Inputs) -> Result<Vec<u8>, link::Error>,
        strip: bool,
    ) -> Result<Vec<u8>, link::Error> {
        let object = object::write(self, Some(library), strip);
        let objects =
            [link::File { name: "program.o", bytes: &object }, link::File { name: "runtime.o", bytes: RUNTIME }];
        link(&link::Inputs { objects: &objects, exports, ..link::Inputs::default() })
    }
}
