//! Options that only programs of Clean have: search paths, the compiler `cocl`, the environment of Clean.

use std::path::PathBuf;

/// A step in making the list of folders that are searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchStep {
    /// A folder at the end of the list.
    Folder(PathBuf),
    /// A library of Clean at the end of the list.
    Library(PathBuf),
    /// A new list.
    Replace(Vec<PathBuf>),
}

/// Where Clean is on this machine, and where modules are searched.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folders of modules, in the order of the command line.
    pub search: Vec<SearchStep>,
    /// The folder that holds `lib`: `--clean-home`, or the variable CLEAN_HOME.
    pub home: Option<PathBuf>,
    /// Folders of the variable CLEANPATH, which stand for those of StdEnv.
    pub path: Option<Vec<PathBuf>>,
    /// Clean's compiler: `--cocl`.
    pub cocl: Option<PathBuf>,
    /// Folders in which it is looked for otherwise.
    pub tools: Vec<PathBuf>,
    /// Sources do not matter: none is compiled, and nothing is said of those that are newer.
    pub no_sources: bool,
}

impl Options {
    /// The flags, and what the environment says where they are silent. Empty variables count as absent.
    pub fn from_environment(home: Option<PathBuf>, cocl: Option<PathBuf>) -> Options {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let home = home.or_else(|| variable("CLEAN_HOME").map(PathBuf::from));
        let path = variable("CLEANPATH").map(|list| std::env::split_paths(&list).collect());
        let mut tools: Vec<PathBuf> = variable("CLEANLIB").into_iter().map(PathBuf::from).collect();
        tools.extend(home.as_ref().map(|home| home.join("lib").join("exe")));
        tools.extend(variable("PATH").iter().flat_map(std::env::split_paths));
        Options { home, path, cocl, tools, ..Options::default() }
    }

    /// The folders that the command line names.
    pub fn folders(&self) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        for step in &self.search {
            match step {
                SearchStep::Folder(folder) => folders.push(folder.clone()),
                SearchStep::Replace(list) => folders.extend(list.iter().cloned()),
                SearchStep::Library(name) => {
                    folders.extend(self.home.as_ref().map(|home| home.join("lib").join(name)));
                }
            }
        }
        folders
    }
}
