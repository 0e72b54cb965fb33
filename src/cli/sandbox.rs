//! Permissions of a program that `run` starts: which folders and environment variables it may use.

use clap::Args;
use cleave_diag::{Diagnostic, code};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default, Args)]
pub struct FolderArgs {
    /// Give the program no files but those in the folders of --dir, and no variables but those of --env
    ///
    /// Without --sandbox and --dir a program opens whatever its executable would open: it is like running that. In the
    /// sandbox opening any other file fails, as it does for a file that does not exist; a warning names the first one
    /// when the program has ended. WebAssembly that Cleave has not built is always in the sandbox, and --heap limits
    /// its memory. Machine code and the interpreter cannot be confined.
    #[arg(long, conflicts_with = "interp", help_heading = "Files")]
    pub sandbox: bool,
    /// Give the program this folder, in a sandbox (repeatable)
    ///
    /// GUEST is how the program calls it, by default HOST as it is written here: `--dir .` is for relative paths,
    /// `--dir /data` for absolute ones, `--dir out::/tmp` shows the folder `out` as /tmp. Paths and links that leave
    /// the folder are refused.
    #[arg(long = "dir", value_name = "HOST[::GUEST]", conflicts_with = "interp", help_heading = "Files")]
    pub folders: Vec<String>,
    /// Give the program this variable; without a value, that of the environment (repeatable)
    #[arg(long = "env", value_name = "NAME[=VALUE]", conflicts_with = "interp", help_heading = "Files")]
    pub variables: Vec<OsString>,
}

impl FolderArgs {
    /// The folders and their names, or nothing if there is no sandbox.
    pub fn list(&self) -> Option<Vec<(PathBuf, String)>> {
        let pair = |text: &String| {
            let (host, guest) = text.split_once("::").unwrap_or((text, text));
            (PathBuf::from(host), guest.to_string())
        };
        (self.sandbox || !self.folders.is_empty()).then(|| self.folders.iter().map(pair).collect())
    }

    /// The variables that are granted, as `NAME=value`; what the environment does not have is left out.
    pub fn variables(&self) -> Vec<Vec<u8>> {
        let granted = |text: &OsString| {
            let bytes = text.as_encoded_bytes();
            if bytes.contains(&b'=') {
                return Some(bytes.to_vec());
            }
            std::env::var_os(text).map(|value| [bytes, b"=", value.as_encoded_bytes()].concat())
        };
        self.variables.iter().filter_map(granted).collect()
    }
}

/// What is said at the end of a program that wanted a file outside of the folders: its path, and the flag that would
/// give it.
pub fn outside(path: &[u8], folders: &[(PathBuf, String)]) -> Diagnostic {
    let path = String::from_utf8_lossy(path);
    // A folder is part of the path as the program writes it.
    let folder = match Path::new(&*path).parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.display().to_string(),
        Some(_) => ".".to_string(),
        None => path.to_string(),
    };
    let warning = Diagnostic::warning(code::OUTSIDE_SANDBOX, format!("the sandbox refused `{path}` to the program"));
    if folders.iter().any(|(_, name)| *name == folder) {
        return warning.help("it is a link that leads out of the folder; --dir takes the folder that it leads to");
    }
    let quoted = if folder.contains(|c: char| !c.is_alphanumeric() && !"/._-+=".contains(c)) {
        format!("'{}'", folder.replace('\'', "'\\''"))
    } else {
        folder
    };
    warning.help(format!("`--dir {quoted}` gives the program its folder"))
}
