//! The hash that ties the checked-in Wasm build of this crate to its sources.
//!
//! `rt/examples/prebuild` writes it beside the module, a test recomputes it. FNV-1a with 64 bits, over name and
//! contents of each source file in the order of the names: not against malice, only against forgetting.

/// A running hash over files.
pub struct SourceHash(u64);

impl Default for SourceHash {
    fn default() -> SourceHash {
        SourceHash(0xcbf2_9ce4_8422_2325)
    }
}

impl SourceHash {
    /// Adds a file; names with `/` between folders.
    pub fn add(&mut self, name: &str, contents: &[u8]) {
        // Line ends may differ between checkouts.
        let contents = contents.iter().filter(|byte| **byte != b'\r');
        for byte in name.bytes().chain([0]).chain(contents.copied()).chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub fn value(&self) -> u64 {
        self.0
    }
}

/// Hash of the sources below the folder of this crate: manifests and all Rust files but tests and examples.
#[cfg(feature = "std")]
pub fn hash_of_sources(folder: &std::path::Path) -> std::io::Result<u64> {
    let mut names = Vec::new();
    let mut parts = vec![String::new()];
    while let Some(part) = parts.pop() {
        for entry in std::fs::read_dir(folder.join(&part))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if part.is_empty() { name } else { format!("{part}/{name}") };
            if entry.file_type()?.is_dir() {
                if !["tests", "examples", "prebuilt", "target"].contains(&path.as_str()) {
                    parts.push(path);
                }
            } else if path.ends_with(".rs") || path.ends_with("Cargo.toml") {
                names.push(path);
            }
        }
    }
    names.sort();
    let mut hash = SourceHash::default();
    for name in names {
        hash.add(&name, &std::fs::read(folder.join(&name))?);
    }
    Ok(hash.value())
}
