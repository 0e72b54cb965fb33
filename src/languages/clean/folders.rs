//! Finds the file of a module by its name.
//!
//! Folders are searched in the order of `clm`: those of CLEANPATH, or StdEnv; those of the options, in their order;
//! that of the main module; the current one. After them, which `clm` does not do, come the other libraries
//! `$CLEAN_HOME/lib/*` by name. `-P` replaces everything that stands before it on the command line, and the libraries
//! at the end. In each folder D a module `Data.Map` may be
//!
//! ```text
//! D/Data/Clean System Files/Map.abc    D/Data/Map.abc                          its source: D/Data/Map.icl
//! D/Clean System Files/Data.Map.abc    D/Data.Map.abc
//! D/Clean System Files/Data/Map.abc
//! ```
//! Each folder is listed once, and only the lists are consulted: looking up a name costs no system call, and the lists
//! also hold the names to suggest for a misspelt one. Files that are written later are not seen.

use crate::driver::session::Session;
use crate::languages::clean::options::{Options, SearchStep};
use cleave_diag::FileId;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Folder in which Clean compilers put what they generate.
pub const SYSTEM_FILES: &str = "Clean System Files";

/// Names of the entries of a folder, sorted.
type Listing = Rc<Vec<OsString>>;

/// The folders that are searched, in order.
#[derive(Debug, Default)]
pub struct Folders {
    roots: Vec<PathBuf>,
    /// The first of the libraries at the end, which nobody asked for by name.
    unasked: usize,
    /// One of the folders for libraries is there.
    has_libraries: bool,
    listings: RefCell<FxHashMap<PathBuf, Listing>>,
}

/// Where a module is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FoundModule {
    Abc(PathBuf),
    /// There is a source and no .abc file.
    Source(Source),
}

/// A Clean source, and where its compiler puts the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    pub icl: PathBuf,
    pub abc: PathBuf,
}

/// The folders in which the objects and libraries that a module names may be: beside it, then those of the command
/// line, then all that are searched for modules.
pub fn of_objects(session: &Session, module: FileId, searched: &[PathBuf]) -> Vec<PathBuf> {
    let module = Path::new(&session.sources.file(module).name);
    let own = module.parent().unwrap_or(Path::new("")).to_path_buf();
    let above = own.parent().filter(|_| own.ends_with(SYSTEM_FILES)).map(Path::to_path_buf);
    let others = session.options.folders.iter().chain(searched).cloned();
    let folders = std::iter::once(own).chain(above).chain(others);
    folders.flat_map(|folder| [folder.join(SYSTEM_FILES), folder]).collect()
}

impl Folders {
    /// Only this folder.
    pub fn only(folder: &Path) -> Folders {
        let mut folders = Folders::default();
        folders.add(folder);
        folders.unasked = folders.roots.len();
        folders
    }

    /// The folders of the options and the environment. That of the main module is added once it is known.
    pub fn of(options: &Options) -> Folders {
        let lib = options.home.as_ref().map(|home| home.join("lib"));
        let mut folders = Folders::default();
        let standard = || lib.iter().map(|lib| lib.join("StdEnv")).filter(|folder| folder.is_dir()).collect();
        let mut list: Vec<PathBuf> = options.path.clone().unwrap_or_else(standard);
        let mut others = true;
        for step in &options.search {
            match step {
                SearchStep::Folder(folder) => list.push(folder.clone()),
                SearchStep::Library(name) => list.push(lib.clone().unwrap_or_default().join(name)),
                SearchStep::Replace(other) => {
                    list.clone_from(other);
                    others = false;
                }
            }
        }
        list.iter().for_each(|folder| folders.add(folder));
        folders.unasked = folders.roots.len();
        if let (Some(lib), true) = (lib, others) {
            let libraries: Vec<PathBuf> = folders.listing(&lib).iter().map(|name| lib.join(name)).collect();
            let has_modules = |path: &&PathBuf| path.is_dir() && !path.ends_with("exe");
            libraries.iter().filter(has_modules).for_each(|library| folders.add(library));
        }
        folders.has_libraries = folders.roots.iter().any(|root| root.is_dir());
        folders
    }

    /// Adds a folder at the end, unless it is there already.
    fn add(&mut self, folder: &Path) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if !self.roots.iter().any(|root| root == folder) {
            self.roots.push(folder.to_path_buf());
        }
    }

    /// Adds the folders of the main module: its own, or the one above `Clean System Files`; for `A.B.C` in `A/B/C.abc`
    /// the one that holds `A`; then the current one.
    pub fn add_main(&mut self, main: &Path, name: &str) {
        let mut folder = main.parent().unwrap_or(Path::new(""));
        if folder.file_name().is_some_and(|last| last == SYSTEM_FILES) {
            folder = folder.parent().unwrap_or(Path::new(""));
        }
        let mut found = vec![folder];
        let mut above = name.split('.').rev().skip(1);
        if above.clone().next().is_some() && above.all(|part| up(&mut folder, part)) {
            found.push(folder);
        }
        found.push(Path::new(""));
        let rest = self.roots.split_off(self.unasked);
        found.into_iter().for_each(|folder| self.add(folder));
        self.unasked = self.roots.len();
        rest.iter().for_each(|folder| self.add(folder));
    }

    /// False if neither the options nor the environment name a folder that exists.
    pub fn has_libraries(&self) -> bool {
        self.has_libraries
    }

    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// Where a module is: its .abc file; or with `sources`, if that comes first, a source without one.
    pub fn find(&self, module: &str, sources: bool) -> Option<FoundModule> {
        self.roots.iter().find_map(|root| {
            let abc = self.abc_in(root, module).map(FoundModule::Abc);
            abc.or_else(|| self.source_in(root, module).filter(|_| sources).map(FoundModule::Source))
        })
    }

    /// The source of a module in the first folder that has it.
    pub fn find_source(&self, module: &str) -> Option<Source> {
        self.roots.iter().find_map(|root| self.source_in(root, module))
    }

    /// The .abc file that is used, and those of other folders which it hides. Libraries that nobody asked for count
    /// only if one of them is used.
    pub fn all(&self, module: &str) -> Vec<PathBuf> {
        let found = |root: &PathBuf| self.abc_in(root, module);
        let (asked, unasked) = self.roots.split_at(self.unasked);
        let mut all: Vec<PathBuf> = asked.iter().filter_map(found).collect();
        if all.is_empty() {
            all = unasked.iter().filter_map(found).collect();
        }
        all
    }

    /// Places of a module below a folder, without the endings of files, the most usual first.
    fn places(root: &Path, module: &str) -> Vec<(PathBuf, String)> {
        // Names come from files of others. They must not lead out of the folder.
        if module.is_empty() || module.contains(['/', '\\', '\0']) {
            return Vec::new();
        }
        let root = below(root);
        let mut places = Vec::new();
        if let Some((above, last)) = module.rsplit_once('.')
            && above.split('.').all(|part| !part.is_empty())
        {
            let sub: PathBuf = above.split('.').collect();
            places.push((root.join(&sub).join(SYSTEM_FILES), last.to_string()));
            places.push((root.join(&sub), last.to_string()));
            places.push((root.join(SYSTEM_FILES).join(&sub), last.to_string()));
        }
        places.push((root.join(SYSTEM_FILES), module.to_string()));
        places.push((root.to_path_buf(), module.to_string()));
        places
    }

    fn abc_in(&self, root: &Path, module: &str) -> Option<PathBuf> {
        let with_ending = |(folder, name): (PathBuf, String)| (folder, format!("{name}.abc"));
        let mut places = Folders::places(root, module).into_iter().map(with_ending);
        places.find(|(folder, file)| self.has(folder, file)).map(|(folder, file)| folder.join(file))
    }

    fn source_in(&self, root: &Path, module: &str) -> Option<Source> {
        let root = below(root);
        let (folder, last) = match module.rsplit_once('.') {
            Some((above, last)) => (root.join(above.split('.').collect::<PathBuf>()), last),
            None => (root.to_path_buf(), module),
        };
        let is_name = !module.is_empty() && !module.contains(['/', '\\', '\0']);
        let icl = format!("{last}.icl");
        let abc = || folder.join(SYSTEM_FILES).join(format!("{last}.abc"));
        (is_name && self.has(&folder, &icl)).then(|| Source { icl: folder.join(&icl), abc: abc() })
    }

    fn has(&self, folder: &Path, file: &str) -> bool {
        self.listing(folder).binary_search_by(|name| name.as_os_str().cmp(file.as_ref())).is_ok()
    }

    fn listing(&self, folder: &Path) -> Listing {
        if let Some(listing) = self.listings.borrow().get(folder) {
            return listing.clone();
        }
        let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
        let mut names: Vec<OsString> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        let listing = Rc::new(names);
        self.listings.borrow_mut().insert(folder.to_path_buf(), listing.clone());
        listing
    }

    /// The module whose name is most like this one.
    pub fn nearest(&self, module: &str) -> Option<String> {
        let sub: Option<PathBuf> = module.rsplit_once('.').map(|(above, _)| above.split('.').collect());
        let mut names = Vec::new();
        for root in &self.roots {
            for folder in [root.clone(), root.join(SYSTEM_FILES)] {
                names.extend(self.modules_in(&folder, ""));
            }
            if let (Some(sub), Some((above, _))) = (&sub, module.rsplit_once('.')) {
                for folder in [root.join(sub), root.join(sub).join(SYSTEM_FILES)] {
                    names.extend(self.modules_in(&folder, &format!("{above}.")));
                }
            }
        }
        // Differences of case first: they are what a move between systems brings.
        if let Some(same) = names.iter().find(|name| name.eq_ignore_ascii_case(module)) {
            return Some(same.clone());
        }
        let found = cleave_diag::nearest(module.as_bytes(), names.iter().map(|name| name.as_bytes()))?;
        Some(String::from_utf8_lossy(found).into_owned())
    }

    fn modules_in(&self, folder: &Path, prefix: &str) -> Vec<String> {
        let listing = self.listing(folder);
        let stems = listing.iter().filter_map(|name| name.to_str()?.strip_suffix(".abc"));
        stems.map(|stem| format!("{prefix}{stem}")).collect()
    }
}

/// The folder as the start of shown paths: the current one adds nothing.
fn below(root: &Path) -> &Path {
    if root == Path::new(".") { Path::new("") } else { root }
}

/// Moves to the folder above if the current one has this name.
fn up(folder: &mut &Path, name: &str) -> bool {
    let matches = folder.file_name().is_some_and(|last| last == name);
    if matches {
        *folder = folder.parent().unwrap_or(Path::new(""));
    }
    matches
}
