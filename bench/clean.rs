//! Clean's own back end: the baseline of run times, sizes and memory, and its code generator `cg`, that of compile
//! times.
//!
//! Executables are built by a program that the user names, because they take more than the code generator. `cg`
//! compiles one module at a time: a process for each, whose times are added up; processes run one after the other.

use crate::child::{LIMIT, Measured};
use crate::process;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where Clean's native code comes from.
#[derive(Args, Clone, Debug, Default)]
pub struct CleanArgs {
    /// Also use Clean's own native code: a Linux installation of Clean's back end, or a git directory that holds one
    ///
    /// What it has to hold is up to the program given with --clean-native.
    #[arg(long, value_name = "DIR", requires = "clean_native")]
    pub clean: Option<PathBuf>,
    /// A program that builds a native executable of an .abc file with Clean's code generator
    ///
    /// It is called as `PROGRAM --clean DIR FILE.abc -o EXECUTABLE` and has to leave an executable that takes Clean's
    /// run-time options, among them `-h BYTES` for the size of the heap. The command `wide` also gives it `-L FOLDER`
    /// for each folder of modules, and `--heap BYTES --stack BYTES` for the sizes without such options.
    #[arg(long, value_name = "PROGRAM", requires = "clean")]
    pub clean_native: Option<PathBuf>,
}

/// The two of them, and further words for the program.
#[derive(Clone, Debug)]
pub struct Clean {
    home: PathBuf,
    tool: PathBuf,
    words: Vec<OsString>,
}

impl CleanArgs {
    pub fn clean(&self) -> Option<Clean> {
        let (home, tool) = self.clean.clone().zip(self.clean_native.clone())?;
        Some(Clean { home, tool, words: Vec::new() })
    }
}

impl Clean {
    /// The program is called with a flag `-L DIR` for each of these folders.
    pub fn with_folders(mut self, folders: &[PathBuf]) -> Clean {
        self.words.extend(folders.iter().flat_map(|folder| ["-L".into(), folder.into()]));
        self
    }

    /// What it makes starts with a heap and a stack of so many bytes.
    pub fn with_memory(&self, heap: u64, stack: u64) -> Clean {
        let mut clean = self.clone();
        clean.words.extend(["--heap", &heap.to_string(), "--stack", &stack.to_string()].map(OsString::from));
        clean
    }

    /// Builds `folder/NAME.native`.
    pub fn build(&self, abc: &Path, folder: &Path, name: &str) -> Result<PathBuf> {
        let file = folder.join(format!("{name}.native"));
        let mut command = Command::new(&self.tool);
        command.arg("--clean").arg(&self.home).arg(abc).arg("-o").arg(&file);
        let output = command.args(&self.words).output();
        let output = output.with_context(|| format!("cannot start {}", self.tool.display()))?;
        if !output.status.success() {
            bail!("{} cannot build {name}:\n{}", self.tool.display(), String::from_utf8_lossy(&output.stderr));
        }
        Ok(file)
    }
}

/// Where the code generator is in an installation.
const CG: &str = "lib/exe/cg";

/// Clean's code generator.
pub struct Generator {
    file: PathBuf,
}

impl Generator {
    /// `path` is the program, an installation, or a git directory that holds one; then it is written to `scratch`.
    pub fn find(path: &Path, scratch: &Path) -> Result<Generator> {
        if path.is_file() {
            return Ok(Generator { file: std::path::absolute(path)? });
        }
        if path.join(CG).is_file() {
            return Ok(Generator { file: std::path::absolute(path.join(CG))? });
        }
        let output = Command::new("git").arg("-C").arg(path).args(["show", &format!("HEAD:{CG}")]).output()?;
        if !output.status.success() {
            bail!("no program {CG} in {}: {}", path.display(), String::from_utf8_lossy(&output.stderr).trim());
        }
        let file = scratch.join("cg");
        fs::write(&file, output.stdout)?;
        #[cfg(unix)]
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        Ok(Generator { file })
    }

    /// Compiles modules to object files beside them; the sums of `cpu_s`, `total_s` and the bytes that it wrote.
    pub fn compile(&self, modules: &[PathBuf]) -> Result<Measured> {
        let (mut cpu, mut total, mut bytes) = (Some(0.0), 0.0, 0);
        for module in modules {
            let object = module.with_extension("o");
            let mut command = Command::new(&self.file);
            command.arg(module.with_extension("")).arg("-o").arg(&object);
            let ended = process::run(&mut command, LIMIT)?;
            let size = fs::metadata(&object).map_or(0, |data| data.len());
            if !ended.is_success() || size == 0 {
                bail!("{} on {}: {}, {}", self.file.display(), module.display(), ended.end(), ended.stderr);
            }
            cpu = cpu.zip(ended.cpu_s).map(|(sum, seconds): (f64, f64)| sum + seconds);
            total += ended.total_s;
            bytes += size;
        }
        let mut measured = Measured::default();
        measured.set("total_s", total);
        measured.set("object_bytes", bytes as f64);
        if let Some(seconds) = cpu {
            measured.set("cpu_s", seconds);
        }
        Ok(measured)
    }
}
