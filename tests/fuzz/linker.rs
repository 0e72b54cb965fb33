//! What the linker reads: objects, archives and shared libraries. Any bytes are linked or refused. A module of the
//! targets for it and of the test `fuzz_smoke`.

use cleave_native::link::{Error, File, Inputs, link};

/// What may be damaged.
#[allow(dead_code, reason = "each target has one of them")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Object,
    Archive,
    Library,
}

/// Links it, beside nothing else; true if an executable is made of it, or only something is missing.
pub fn run(role: Role, bytes: &[u8]) -> bool {
    let files = [File { name: "damaged", bytes }];
    let inputs = match role {
        Role::Object => Inputs { objects: &files, ..Inputs::default() },
        Role::Archive => Inputs { archives: &files, ..Inputs::default() },
        Role::Library => Inputs { libraries: &files, ..Inputs::default() },
    };
    match link(&inputs, false) {
        Ok(program) => {
            // What is made is not much larger than what it is made of.
            assert!(program.len() < 64 * bytes.len() + (1 << 20), "{} bytes of {}", program.len(), bytes.len());
            true
        }
        Err(error) => matches!(error, Error::Undefined(_)),
    }
}
