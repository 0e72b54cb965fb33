//! Finds the file of a module by its name.
//!
//! Folders are searched in this order: that of the main module, those of `-L`, the libraries `$CLEAN_HOME/lib/*` by
//! name. In each folder D a module `Data.Map` may be
//!
//! ```text
//! D/Data.Map.abc                       D/Clean System Files/Data.Map.abc
//! D/Data/Map.abc                       D/Data/Clean System Files/Map.abc       D/Clean System Files/Data/Map.abc
//! ```
//! Each folder is listed once, and only the lists are consulted: looking up a name costs no system call, and the lists
//! also hold the names to suggest for a misspelt one.

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
    listings: RefCell<FxHashMap<PathBuf, Listing>>,
}

impl Folders {
    /// Adds a folder, unless it is there already.
    pub fn add(&mut self, folder: &Path) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if !self.roots.iter().any(|root| root == folder) {
            self.roots.push(folder.to_path_buf());
        }
    }

    /// Adds the folders of the main module: its own; the one above `Clean System Files`; and for `A.B.C` in `A/B/C.abc`
    /// the one that holds `A`. They are searched first.
    pub fn add_main(&mut self, main: &Path, name: &str) {
        let mut folder = main.parent().unwrap_or(Path::new(""));
        let mut found = vec![folder];
        if folder.file_name().is_some_and(|last| last == SYSTEM_FILES) {
            folder = folder.parent().unwrap_or(Path::new(""));
            found.push(folder);
        }
        let mut above = name.split('.').rev().skip(1);
        if above.clone().next().is_some() && above.all(|part| up(&mut folder, part)) {
            found.push(folder);
        }
        let rest = std::mem::take(&mut self.roots);
        found.into_iter().for_each(|folder| self.add(folder));
        rest.iter().for_each(|folder| self.add(folder));
    }

    /// Adds the libraries of a Clean installation. Returns false if it has none.
    pub fn add_clean_home(&mut self, home: &Path) -> bool {
        let lib = home.join("lib");
        let libraries: Vec<PathBuf> = self.listing(&lib).iter().map(|name| lib.join(name)).collect();
        let mut any = false;
        for library in libraries.iter().filter(|path| path.is_dir()) {
            self.add(library);
            any = true;
        }
        any
    }

    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// The file of a module.
    pub fn find(&self, module: &str) -> Option<PathBuf> {
        self.roots.iter().find_map(|root| self.find_in(root, module))
    }

    fn find_in(&self, root: &Path, module: &str) -> Option<PathBuf> {
        // Names come from files that others wrote: they never lead out of the folder.
        if module.is_empty() || module.contains(['/', '\\', '\0']) {
            return None;
        }
        let whole = format!("{module}.abc");
        let mut places = vec![(root.to_path_buf(), whole.clone()), (root.join(SYSTEM_FILES), whole)];
        if let Some((above, last)) = module.rsplit_once('.')
            && above.split('.').all(|part| !part.is_empty())
        {
            let sub: PathBuf = above.split('.').collect();
            let last = format!("{last}.abc");
            places.push((root.join(&sub), last.clone()));
            places.push((root.join(&sub).join(SYSTEM_FILES), last.clone()));
            places.push((root.join(SYSTEM_FILES).join(&sub), last));
        }
        let (folder, file) = places.into_iter().find(|(folder, file)| self.has(folder, file))?;
        Some(if folder == Path::new(".") { PathBuf::from(file) } else { folder.join(file) })
    }

    fn has(&self, folder: &Path, file: &str) -> bool {
        self.listing(folder).binary_search_by(|name| name.as_os_str().cmp(file.as_ref())).is_ok()
    }

    fn listing(&self, folder: &Path) -> Listing {
        if let Some(listing) = self.listings.borrow().get(folder) {
            return listing.clone();
        }
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
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

/// Moves to the folder above if the current one has this name.
fn up(folder: &mut &Path, name: &str) -> bool {
    let matches = folder.file_name().is_some_and(|last| last == name);
    if matches {
        *folder = folder.parent().unwrap_or(Path::new(""));
    }
    matches
}
