//! What is done with an input: commands of the command line, and an editor that opens it and asks for everything.

use super::child::{self, Limits, Used};
use super::inputs::Input;
use cleave_tests::process::compiler;
use std::path::Path;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    Check,
    Build,
    BuildPlain,
    BuildNative,
    Run,
    Interpret,
    Step,
    Format,
    Interface,
    Editor,
}

impl Command {
    /// The commands for files of an ending; the first is the quickest.
    pub fn of(ending: &str) -> Vec<Command> {
        use Command::*;
        match ending {
            "goo" => vec![Check, BuildPlain, Build, Format, Editor, Run, Step, BuildNative],
            "sam" => vec![Check, BuildPlain, Format, Editor, Build, Interface, Run],
            "ir" => vec![Check, BuildPlain, Build, Interpret, Editor, Step, BuildNative],
            _ => vec![Check, BuildPlain, Build, Editor, Run, Step],
        }
    }

    /// The program runs, and may end itself.
    pub fn runs(self) -> bool {
        matches!(self, Command::Run | Command::Interpret | Command::Step)
    }

    /// Runs it in a folder of its own.
    pub fn run(self, folder: &Path, input: &Input, limits: &Limits) -> Result<Used, String> {
        let file = folder.join(format!("Main.{}", input.ending));
        std::fs::write(&file, &input.text).map_err(|error| error.to_string())?;
        let mut command = compiler();
        command.current_dir(folder);
        let name = format!("Main.{}", input.ending);
        let args: &[&str] = match self {
            Command::Check => &["check", &name],
            Command::Build => &["build", &name, "-o", "out.wasm"],
            Command::BuildPlain => &["build", "-O0", &name, "-o", "out.wasm"],
            Command::BuildNative => &["build", "-O0", &name, "-o", "out", "--target", "native"],
            Command::Run => &["run", &name, "--heap", "64m"],
            Command::Interpret => &["interp", &name, "--heap", "64m"],
            Command::Step => &["step", &name, "--heap", "64m"],
            Command::Format => &["fmt", "--check", &name],
            Command::Interface => &["wit", &name],
            Command::Editor => &["lsp", "--stdio"],
        };
        command.args(args);
        let stdin = match self {
            Command::Step => b"source 9999999999\nstep 99999999999999999999\nquit\n".to_vec(),
            Command::Editor => session(&file, input),
            _ => Vec::new(),
        };
        let mut used = child::run(&mut command, &stdin, limits, self == Command::Run)?;
        // What is not formatted is no mistake, and nothing is said of it on stderr.
        if self == Command::Format && used.status == Some(1) && used.stderr.is_empty() {
            used.status = Some(0);
        }
        Ok(used)
    }
}

/// A text as JSON has it.
fn json(text: &[u8]) -> String {
    let mut out = String::from("\"");
    for c in String::from_utf8_lossy(text).chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}

/// An editor opens a file, asks, and changes it.
fn session(file: &Path, input: &Input) -> Vec<u8> {
    let uri = format!("\"file://{}\"", file.display());
    let document = format!("\"textDocument\":{{\"uri\":{uri}}}");
    let mut messages = vec![
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}".to_string(),
        "{\"jsonrpc\":\"2.0\",\"method\":\"initialized\",\"params\":{}}".to_string(),
        format!(
            "{{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{{\"textDocument\":{{\"uri\":{uri},\
             \"languageId\":\"{}\",\"version\":1,\"text\":{}}}}}}}",
            input.ending,
            json(&input.text)
        ),
    ];
    let place = "\"position\":{\"line\":1,\"character\":20}";
    let options = "\"options\":{\"tabSize\":4,\"insertSpaces\":true}";
    for (number, (method, more)) in [
        ("documentSymbol", ""),
        ("semanticTokens/full", ""),
        ("foldingRange", ""),
        ("formatting", options),
        ("hover", place),
        ("completion", place),
        ("definition", place),
    ]
    .into_iter()
    .enumerate()
    {
        let comma = if more.is_empty() { "" } else { "," };
        messages.push(format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"textDocument/{method}\",\"params\":{{{document}{comma}{more}}}}}",
            number + 2
        ));
    }
    messages.push("{\"jsonrpc\":\"2.0\",\"id\":90,\"method\":\"shutdown\"}".into());
    messages.push("{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}".into());
    let message = |text: String| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    messages.into_iter().map(message).collect::<String>().into_bytes()
}

/// What a file without an end is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endless {
    Device,
    Fifo,
    Link,
    Included,
    Itself,
}

pub const ENDLESS: [(&str, Endless); 5] = [
    ("device", Endless::Device),
    ("fifo", Endless::Fifo),
    ("link", Endless::Link),
    ("included", Endless::Included),
    ("itself", Endless::Itself),
];

/// Every command on a file without an end says so at once, and so does an editor that opens it, or what includes it.
pub fn endless(folder: &Path, how: Endless) -> Result<(), String> {
    let limits = Limits { seconds: 3.0, megabytes: 300 };
    for ending in ["goo", "sam", "ir", "abc"] {
        for command in Command::of(ending) {
            let name = format!("Main.{ending}");
            let file = folder.join(&name);
            let _ = std::fs::remove_file(&file);
            let text = match (how, ending) {
                (Endless::Included, "goo") => "#include /dev/zero\n(): Int\nmain = 0;\n",
                (Endless::Itself, "goo") => "#include Main.goo\n(): Int\nmain = 0;\n",
                (Endless::Included | Endless::Itself, _) => continue,
                _ => "",
            };
            match how {
                Endless::Device | Endless::Link => {
                    std::os::unix::fs::symlink("/dev/zero", &file).map_err(|error| error.to_string())?;
                }
                Endless::Fifo => {
                    let path = std::ffi::CString::new(file.display().to_string()).map_err(|error| error.to_string())?;
                    // SAFETY: the path ends in a zero and is alive during the call.
                    if unsafe { libc::mkfifo(path.as_ptr(), 0o600) } != 0 {
                        return Err(std::io::Error::last_os_error().to_string());
                    }
                }
                Endless::Included | Endless::Itself => {
                    std::fs::write(&file, text).map_err(|error| error.to_string())?
                }
            }
            let used = command.on_endless(folder, ending, how, text, &limits)?;
            let said = String::from_utf8_lossy(&used.stderr);
            let is_said = match command {
                // The editor is told in its own way, and goes on.
                Command::Editor => used.status == Some(0),
                // It does not look into what is included.
                Command::Format if how == Endless::Included => true,
                _ => used.status == Some(1) && !said.trim().is_empty(),
            };
            // Twice the same definition is all that a file that includes itself is.
            let fits = used.seconds <= limits.seconds && used.megabytes <= limits.megabytes;
            if !is_said && how != Endless::Itself || !fits {
                return Err(format!(
                    "{command:?} of {name}: status {:?}, {:.1} s, {} MB: {said}",
                    used.status, used.seconds, used.megabytes
                ));
            }
        }
    }
    Ok(())
}

impl Command {
    fn on_endless(
        self,
        folder: &Path,
        ending: &'static str,
        how: Endless,
        text: &str,
        limits: &Limits,
    ) -> Result<Used, String> {
        let name = format!("Main.{ending}");
        let mut command = compiler();
        command.current_dir(folder);
        let path = if how == Endless::Device { "/dev/zero" } else { &name };
        let args: &[&str] = match self {
            Command::Check => &["check", path],
            Command::Build | Command::BuildPlain | Command::BuildNative => &["build", path, "-o", "out.wasm"],
            Command::Run => &["run", path],
            Command::Interpret => &["interp", path],
            Command::Step => &["step", path],
            Command::Format => &["fmt", "--check", &name],
            Command::Interface => &["wit", path],
            Command::Editor => &["lsp", "--stdio"],
        };
        command.args(args);
        let input = Input { ending, text: text.as_bytes().to_vec() };
        let stdin = if self == Command::Editor { session(&folder.join(&name), &input) } else { Vec::new() };
        child::run(&mut command, &stdin, limits, self == Command::Run)
    }
}
