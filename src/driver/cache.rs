//! The folder of compiled code: a second build for this machine compiles what has changed, and a second run of a
//! program in the embedded engine nothing.
//!
//! One file per main module and way to compile it (`NAME-HASH.code`) holds the functions of its last build, or what
//! the engine has made of it. It is written under another name and renamed, so that other processes see the old file
//! or the new one; what a killed process left is removed later. A file that is damaged counts as empty and is written
//! anew. When the folder grows beyond `MOST_BYTES`, the files that were used longest ago are removed. Nothing of this
//! can fail a build: without a cache, functions are compiled.

use cleave_diag::{Diagnostic, code};
use cleave_run::own_file;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Bytes of all files.
const MOST_BYTES: u64 = 512 << 20;
/// Ending of the files, and of those that are being written.
pub const ENDING: &str = "code";
const UNFINISHED: &str = "unfinished";
/// What is older than this was left by a killed process.
const ABANDONED: Duration = Duration::from_secs(3600);
/// A program with fewer functions is compiled in less time than files take.
pub const FEWEST_FUNCTIONS: usize = 64;

/// The folder: CLEAVE_CACHE, or `cleave` in XDG_CACHE_HOME, or in `.cache` of the home folder. None if CLEAVE_CACHE is
/// empty, or no folder is known.
pub fn folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    match variable("CLEAVE_CACHE") {
        Some(path) => Some(path).filter(|path| !path.as_os_str().is_empty()),
        None => {
            let is_usable = |path: &PathBuf| path.is_absolute();
            let home = || variable("HOME").filter(is_usable).map(|home| home.join(".cache"));
            Some(variable("XDG_CACHE_HOME").filter(is_usable).or_else(home)?.join("cleave"))
        }
    }
}

/// The file for functions of all programs that the embedded engine has compiled: CLEAVE_FUNCTIONS (none if that is
/// empty), or a file in the folder. The key of a function is all that it was made of, so that tests of the compiler may
/// use it, too.
pub fn functions() -> Option<PathBuf> {
    match std::env::var_os("CLEAVE_FUNCTIONS") {
        Some(path) => Some(PathBuf::from(path)).filter(|path| !path.as_os_str().is_empty()),
        None => Some(folder()?.join(format!("engine.{ENDING}"))),
    }
}

/// The file for what the embedded engine makes of these bytes, in a folder for all programs: CLEAVE_MODULES. Its key is
/// all that it is made of, so that tests of the compiler, which run the same code again and again, may use it.
pub fn module(wasm: &[u8], has_timeout: bool) -> Option<PathBuf> {
    let folder = std::env::var_os("CLEAVE_MODULES").filter(|path| !path.is_empty())?;
    let mut hasher = DefaultHasher::new();
    hasher.write(wasm);
    has_timeout.hash(&mut hasher);
    Some(Path::new(&folder).join(format!("{:016x}.{ENDING}", hasher.finish())))
}

/// The file for a main module that is compiled in the way that `words` say.
pub fn file(folder: &Path, main: &Path, words: &str) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    main.canonicalize().unwrap_or_else(|_| main.to_path_buf()).hash(&mut hasher);
    words.hash(&mut hasher);
    let mut name = main.file_stem().map_or_else(OsString::new, OsString::from);
    name.push(format!("-{:016x}.{ENDING}", hasher.finish()));
    folder.join(name)
}

/// A file for what the engine makes of a program.
#[derive(Debug)]
pub struct CodeCache(pub PathBuf);

impl cleave_run::CodeCache for CodeCache {
    fn read(&self) -> Vec<u8> {
        let bytes = read(&self.0);
        if !bytes.is_empty() {
            touch(&self.0);
        }
        bytes
    }
    fn write(&self, bytes: &[u8]) {
        // What is not kept is compiled again.
        let _ = write(&self.0, bytes);
    }
}

/// What a file holds; nothing if it cannot be read, or others can have written it.
pub fn read(file: &Path) -> Vec<u8> {
    own_file::read(file).unwrap_or_default()
}

/// A file of the cache, unless it or its folder is not safe to take code from: then a warning says why, and what to do.
pub fn usable(file: PathBuf) -> Result<PathBuf, Box<Diagnostic>> {
    match own_file::open(&file, false) {
        Ok(_) => Ok(file),
        Err(wrong) => {
            let message = format!("the cache of compiled code is not used: {wrong}");
            let help = "it holds machine code that is run, so that it must be yours alone: remove it, take away the right of \
                        others to write there, or name another folder with CLEAVE_CACHE=…";
            Err(Box::new(Diagnostic::warning(code::CACHE_UNSAFE, message).help(help)))
        }
    }
}

/// Notes that a file was used.
pub fn touch(file: &Path) {
    let _ = OpenOptions::new().append(true).open(file).and_then(|file| file.set_modified(SystemTime::now()));
}

/// Writes a file and makes room for it.
pub fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    own_file::create_folder(file)?;
    let mut name = file.file_name().unwrap_or_default().to_os_string();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    name.push(format!(".{}-{now}.{UNFINISHED}", std::process::id()));
    let unfinished = folder.join(name);
    let written = own_file::private(OpenOptions::new().write(true).create_new(true)).open(&unfinished);
    let written = written.and_then(|mut out| out.write_all(bytes)).and_then(|()| fs::rename(&unfinished, file));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    evict(folder, MOST_BYTES);
    written
}

/// A file of the cache: when it was used last, its bytes, its path.
type Entry = (SystemTime, u64, PathBuf);

fn entries(folder: &Path) -> Vec<Entry> {
    let Ok(list) = fs::read_dir(folder) else { return Vec::new() };
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry.ok()?;
        let ending = Path::new(&entry.file_name()).extension()?.to_os_string();
        let data = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        (ending == ENDING || ending == UNFINISHED).then_some((data.modified().ok()?, data.len(), entry.path()))
    };
    list.filter_map(entry).collect()
}

/// Removes what was abandoned, and the oldest files beyond so many bytes.
pub fn evict(folder: &Path, most: u64) {
    let mut entries = entries(folder);
    entries.sort();
    let mut bytes: u64 = entries.iter().map(|entry| entry.1).sum();
    for (used, length, path) in entries {
        let is_unfinished = path.extension().is_some_and(|ending| ending == UNFINISHED);
        let is_abandoned = is_unfinished && used.elapsed().is_ok_and(|age| age > ABANDONED);
        if (is_abandoned || bytes > most && !is_unfinished) && fs::remove_file(&path).is_ok() {
            bytes -= length;
        }
    }
}

/// Files and bytes of the cache.
pub fn size(folder: &Path) -> (usize, u64) {
    let entries = entries(folder);
    (entries.len(), entries.iter().map(|entry| entry.1).sum())
}

/// Removes all files of the cache, and nothing else.
pub fn clear(folder: &Path) -> io::Result<usize> {
    let entries = entries(folder);
    for (_, _, path) in &entries {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(entries.len())
}
