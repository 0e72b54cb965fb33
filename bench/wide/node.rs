//! The newest node that is found.

use std::path::{Path, PathBuf};
use std::process::Command;

/// An executable of node and its version.
pub struct Node {
    pub program: PathBuf,
    numbers: Vec<u32>,
}

impl Node {
    /// Nothing if that is no executable of node.
    pub fn of(program: &Path) -> Option<Node> {
        let output = Command::new(program).arg("--version").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let numbers = text.trim().strip_prefix('v')?.split('.');
        let numbers = numbers.map(|number| number.parse().ok()).collect::<Option<Vec<u32>>>()?;
        Some(Node { program: program.to_path_buf(), numbers })
    }

    /// Of all in the folders of PATH.
    pub fn newest() -> Option<Node> {
        let folders = std::env::var_os("PATH")?;
        let programs = std::env::split_paths(&folders).map(|folder| folder.join("node"));
        programs.filter_map(|program| Node::of(&program)).max_by(|a, b| a.numbers.cmp(&b.numbers))
    }

    pub fn version(&self) -> String {
        let numbers: Vec<String> = self.numbers.iter().map(u32::to_string).collect();
        numbers.join(".")
    }
}
