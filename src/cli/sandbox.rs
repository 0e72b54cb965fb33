//! Which files a program that `run` starts may open: all that its executable could, or those of some folders.

use clap::Args;
use std::path::PathBuf;

#[derive(Clone, Debug, Default, Args)]
pub struct FolderArgs {
    /// Give the program no files but those in the folders of --dir
    ///
    /// Without --sandbox and --dir a program opens whatever its executable would open: it is like running that. In the
    /// sandbox opening any other file fails, as it does for a file that does not exist. Machine code and the
    /// interpreter cannot be confined.
    #[arg(long, conflicts_with = "interp", help_heading = "Files")]
    pub sandbox: bool,
    /// Give the program this folder, in a sandbox (repeatable)
    ///
    /// GUEST is how the program calls it, by default HOST as it is written here: `--dir .` is for relative paths,
    /// `--dir /data` for absolute ones, `--dir out::/tmp` shows the folder `out` as /tmp. Paths and links that leave
    /// the folder are refused.
    #[arg(long = "dir", value_name = "HOST[::GUEST]", conflicts_with = "interp", help_heading = "Files")]
    pub folders: Vec<String>,
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_have_names() {
        let list = |sandbox, folders: &[&str]| {
            FolderArgs { sandbox, folders: folders.iter().map(|text| text.to_string()).collect() }.list()
        };
        assert_eq!(list(false, &[]), None);
        assert_eq!(list(true, &[]), Some(Vec::new()));
        let expected = [("out", "/tmp"), (".", ".")].map(|(host, guest)| (host.into(), guest.to_string()));
        assert_eq!(list(false, &["out::/tmp", "."]), Some(expected.into()));
    }
}
