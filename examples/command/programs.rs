//! For the tests of a language: its command, and programs with what they print.

use cleave_compile::ir::Heap;
use cleave_compile::ir::text::parse_module;
use cleave_compile::ir::verify::verify_module;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The programs of a language, which lie in the folder of its tests.
pub struct Programs {
    /// The command, and the folder of the package: cargo tells a test where they are.
    pub command: &'static str,
    pub package: &'static str,
    /// The ending of the files.
    pub ending: &'static str,
    /// There are at least so many.
    pub least: usize,
}

impl Programs {
    fn folder(&self) -> PathBuf {
        Path::new(self.package).join("tests/programs")
    }

    /// Runs the command with this on its standard input.
    pub fn run(&self, args: &[&str], input: &str) -> Output {
        let mut command = Command::new(self.command);
        command.args(args).current_dir(self.folder());
        // The same file as in other tests.
        command.env("CLEAVE_FUNCTIONS", Path::new(self.package).join("../../target/tmp/compiled/engine.code"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
        child.wait_with_output().expect("it ends")
    }

    /// A file of this test process.
    pub fn scratch(&self, name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("cleave-{}-{}-{name}", self.ending, std::process::id()))
    }

    fn all(&self) -> Vec<(String, String)> {
        let files = fs::read_dir(self.folder()).expect("a folder of programs").flatten().map(|entry| entry.path());
        let names = files.filter(|path| path.extension().is_some_and(|extension| extension == self.ending));
        let mut found: Vec<_> = names
            .map(|path| {
                let expected = fs::read_to_string(path.with_extension("expected")).expect("what the program prints");
                (path.file_name().expect("a name").to_string_lossy().into_owned(), expected)
            })
            .collect();
        found.sort();
        assert!(found.len() >= self.least, "only {} programs", found.len());
        found
    }

    /// Runs all on both heaps.
    pub fn run_all(&self, target: &str) {
        for (name, expected) in self.all() {
            for memory in ["gc", "rc"] {
                let output = self.run(&["run", &name, "--target", target, "--memory", memory], "");
                check(&name, &format!("{target}, {memory}"), &output, &expected);
            }
        }
    }

    /// The front end alone: IR of all, for both heaps, which is read again; messages in the form for tools.
    pub fn front_end_alone(&self) {
        for (name, _) in self.all() {
            for (memory, heap) in [("gc", Heap::Gc), ("rc", Heap::Rc)] {
                let output = self.run(&["ir", &name, "--memory", memory], "");
                let text = String::from_utf8_lossy(&output.stdout);
                let module = parse_module(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(output.status.success() && output.stderr.is_empty(), "{name}, {memory}");
                assert!(module.heap == heap && verify_module(&module).is_ok(), "{name}, {memory}");
            }
        }
        let file = self.scratch("wrong");
        fs::write(&file, "\"").expect("a file");
        let output = self.run(&["ir", &file.to_string_lossy(), "--message-format", "json"], "");
        fs::remove_file(&file).expect("it was there");
        let (stdout, stderr) = (output.stdout, String::from_utf8_lossy(&output.stderr));
        assert!(output.status.code() == Some(1) && stdout.is_empty(), "{stderr}");
        assert!(stderr.starts_with("{\"version\":") && stderr.contains("\"line\":1"), "{stderr}");
    }

    /// Builds executables of all, for both heaps, and runs them.
    pub fn build_all(&self) {
        for (name, expected) in self.all() {
            for memory in ["gc", "rc"] {
                let file = self.scratch(&format!("{name}-{memory}"));
                let path = file.to_string_lossy();
                let output = self.run(&["build", &name, "--target", "native", "--memory", memory, "-o", &path], "");
                check(&name, "build", &output, "");
                let output = Command::new(&file).output().expect("an executable");
                fs::remove_file(&file).expect("it was there");
                check(&name, &format!("executable, {memory}"), &output, &expected);
            }
        }
    }
}

fn check(name: &str, how: &str, output: &Output, expected: &str) {
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && stdout == expected, "{name}, {how}: {}\n{stdout}{stderr}", output.status);
}
