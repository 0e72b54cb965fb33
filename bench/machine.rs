//! Where and with what was measured. Names of hosts and users are no part of it.

use crate::json::Json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the workspace.
pub fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Facts in the order in which they are printed.
pub struct Machine {
    pub facts: Vec<(&'static str, String)>,
}

impl Machine {
    pub fn new(with_node: bool) -> Machine {
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let mut facts = vec![
            ("cpu", field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.into())),
            ("cores", cores.to_string()),
            ("memory", field("/proc/meminfo", "MemTotal").unwrap_or_default()),
            ("system", std::env::consts::OS.to_string()),
            ("cleave", env!("CARGO_PKG_VERSION").to_string()),
            ("profile", if cfg!(debug_assertions) { "dev" } else { "release" }.to_string()),
            ("wasmtime", locked_version("wasmtime").unwrap_or_default()),
        ];
        if with_node && let Ok(output) = Command::new("node").arg("--version").output() {
            facts.push(("node", String::from_utf8_lossy(&output.stdout).trim().to_string()));
        }
        if let Some(load) = load() {
            facts.push(("load", load));
        }
        facts.retain(|fact| !fact.1.is_empty());
        Machine { facts }
    }

    /// Adds the load after the last measurement.
    pub fn end(&mut self) {
        self.facts.extend(load().map(|load| ("load at the end", load)));
    }

    /// One line.
    pub fn line(&self) -> String {
        let facts: Vec<String> = self.facts.iter().map(|(name, value)| format!("{name} {value}")).collect();
        facts.join(", ")
    }

    pub fn json(&self) -> Json {
        Json::Object(self.facts.iter().map(|(name, value)| ((*name).to_string(), Json::Text(value.clone()))).collect())
    }
}

/// The value of a line `name : value`.
fn field(path: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

/// The average load before the first measurement: a machine that is busy measures worse.
fn load() -> Option<String> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    Some(text.split(' ').next()?.to_string())
}

/// The version of a package in the lock file of the workspace.
fn locked_version(package: &str) -> Option<String> {
    let text = std::fs::read_to_string(workspace().join("Cargo.lock")).ok()?;
    let name = format!("name = \"{package}\"");
    let mut lines = text.lines().skip_while(|line| *line != name);
    let version = lines.nth(1)?.strip_prefix("version = \"")?;
    Some(version.trim_end_matches('"').to_string())
}

/// The largest amount of memory that this process has had, in bytes.
pub fn peak_memory() -> Option<u64> {
    let value = field("/proc/self/status", "VmHWM")?;
    let kilobytes: u64 = value.split(' ').next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
